#!/usr/bin/env bash
# The tests, on a fresh Debian machine with Rust, Node 20 and Python 3: installs what they need, then
# runs formatting, lints, tests, validators of other implementations, the pages in a browser and
# documentation. Stops at the first failure. With CI=true an ignored test is a failure too. With --release
# also what is slow and rarely fails: instruction counts, packages, the starter that `new --app` writes,
# Firefox and WebKit, and CPU times.
set -euo pipefail
cd "$(dirname "$0")"

case "${1:-}" in
"") release=false ;;
--release) release=true ;;
*) echo "usage: $0 [--release]" >&2 && exit 2 ;;
esac

# A cold build gains nothing by either, and takes longer.
[ "${CI:-}" != true ] || export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0

# Announces a step, and prints how long the one before it took.
step() {
  [ -z "${began:-}" ] || printf '== took %d s, %d s in all\n' $((SECONDS - began)) "$SECONDS"
  began=$SECONDS
  printf '\n== %s\n' "$*"
}

step "install what the tests need"
# Beside the packages of the system, which wait for the network.
(cd web && npm ci --no-audit --no-fund --loglevel=error) &
downloads=($!)
cargo fetch --locked --quiet &
downloads+=($!)
if [ ! -x target/mdbook/bin/mdbook ]; then
  cargo install mdbook --version 0.5.4 --locked --quiet --debug --no-default-features --features search --root target/mdbook &
  downloads+=($!)
fi
packages=()
command -v chromium >/dev/null || packages+=(chromium)
# What fits into a line depends on the font: these are measured.
[ -d /usr/share/fonts/truetype/noto ] || packages+=(fonts-noto-core)
[ -d /usr/share/fonts/truetype/vlgothic ] || packages+=(fonts-vlgothic)
ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || packages+=(postgresql)
command -v redis-server >/dev/null || packages+=(redis-server)
[ -x /usr/sbin/nginx ] || packages+=(nginx-light)
if $release; then
  command -v valgrind >/dev/null || packages+=(valgrind libc6-dbg)
  command -v firefox-esr >/dev/null || packages+=(firefox-esr)
  command -v WebKitWebDriver >/dev/null || packages+=(webkit2gtk-driver)
  command -v Xvfb >/dev/null || packages+=(xvfb)
fi
command -v systemd-analyze >/dev/null || packages+=(systemd)
python3 -m venv target/venv || packages+=(python3-venv)
if [ ${#packages[@]} -gt 0 ]; then
  apt-get update -qq && apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
  python3 -m venv target/venv
fi
target/venv/bin/pip install --quiet --disable-pip-version-check slack_sdk==3.46.0 openai-chatkit==1.6.5
(cd tests/peers && npm ci --no-audit --no-fund --loglevel=error)
tests/peers/mcp/install.sh
for download in "${downloads[@]}"; do wait "$download"; done

step "formatting and lints"
cargo fmt --all --check
(cd web && npm run --silent check) &
checking=$!
cargo clippy --workspace --all-targets --quiet -- -D warnings
wait $checking

step "builds of the tests"
# The whole workspace, as the tests are built: a package alone has other features of its dependencies, and
# most of them would be built again.
cargo test --workspace --locked --quiet --no-run
cargo build --workspace --locked --quiet --bins --examples

step "tests"
log="$PWD/target/test.log"
cargo test --workspace --locked --quiet 2>&1 | tee "$log"
if [ "${CI:-}" = true ] && grep -qE '\b[1-9][0-9]* ignored' "$log"; then
  echo "tests were ignored, and with CI=true none may be:"
  cargo test --workspace --locked --quiet -- --ignored --list
  exit 1
fi

step "fuzzing: a short run of every target"
target/debug/widgetcast-fuzz all --runs 100

step "what the compiler says about mistakes in handlers"
python3 tests/mistakes/check.py 2>/dev/null

step "surfaces against Slack's SDKs, Microsoft's Adaptive Cards and the MCP Apps schema"
peers="$PWD/target/tmp/peers"
target/venv/bin/python tests/peers/slack/check.py "$peers/slack-blocks.json"
(cd tests/peers && npx --no-install tsx slack/check.ts "$peers/slack-blocks.json")
(cd tests/peers && node adaptive/check.mjs "$peers/adaptive-cards.json")
(cd tests/peers && npx --no-install tsx adaptive/types.ts "$peers/adaptive-cards.json")
(cd tests/peers && node apps/check.mjs "$peers/mcp-apps.json")

step "protocol against the official clients, the Inspector, MCPJam, the conformance suite and an authorization server"
# Two at a time: they wait for each other's processes more than they compute.
xargs -P 2 -L 1 env <<'SCRIPTS'
node tests/peers/mcp/wrap.mjs
node tests/peers/mcp/clients.mjs
node tests/peers/mcp/inspector.mjs
node tests/peers/mcp/mcpjam.mjs
node tests/peers/mcp/conformance.mjs
node tests/peers/mcp/relayed.mjs
node tests/peers/mcp/auth.mjs
target/venv/bin/python tests/peers/mcp/clients.py
target/venv/bin/python tests/peers/mcp/wrap.py
SCRIPTS

step "templates against Jinja2, as openai-chatkit sets it up"
for seed in 1 2 3; do
  target/venv/bin/python tests/peers/jinja/check.py target/debug/examples/jinja "$seed"
done

step "chat against the official ChatKit server"
target/venv/bin/python tests/peers/chatkit/check.py target/debug/examples/golden

step "web: units, sizes, committed pages, and the pages in Chromium under the official AppBridge"
(cd web && npm run --silent test && npm run --silent test:browser)

step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet
target/mdbook/bin/mdbook build 2>&1 | tee target/book.log
if grep -E "WARN|ERROR" target/book.log; then exit 1; fi

step "check --strict of the gallery and the examples"
target/debug/widgetcast check crates/cli/widgets --strict
target/debug/widgetcast check examples/weather/widgets --strict
target/debug/widgetcast check examples/helpdesk/widgets --strict

if $release; then
  step "instructions per stage, and the work of every surface for an input and for one of twice the size"
  CARGO_PROFILE_DIST_STRIP=none cargo build --profile dist --quiet -p widgetcast-bench --no-default-features
  target/dist/widgetcast-bench instructions --check
  target/dist/widgetcast-bench growth

  step "packages: every crate packs, and builds from its package without Node or a network"
  tests/package.sh

  step "features: each alone, none and all"
  tests/features.sh

  step "packages: installed from the packed files alone, and driven by the official clients"
  node tests/peers/mcp/packages.mjs
  target/venv/bin/python tests/peers/mcp/packages.py
  tests/release.sh

  step "the starter that new --app writes: it builds from the packages and passes its own tests"
  (cd web && npm run --silent test:starter)

  step "web: the widgets of the gallery and the display pages in Firefox and WebKit"
  (cd web && npm run --silent test:engines)

  step "CPU time: of a call with an access token and of one without, and of a chat's turn"
  cargo build --profile dist --quiet -p widgetcast-bench
  target/dist/widgetcast-bench auth
  # Of a build without optimization; one with it is measured by hand.
  target/venv/bin/python tests/peers/chatkit/cost.py target/debug/examples/golden 2
fi

step "all passed"
