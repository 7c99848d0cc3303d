#!/usr/bin/env bash
# Every test, on a fresh Debian machine with Rust, Node 20 and Python 3: installs what they need, then
# runs formatting, lints, tests, second opinions, the pages in a browser, documentation and the
# instruction gate. Fails on the first fault.
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n== %s (%d s)\n' "$*" "$SECONDS"; }

step "what the tests need"
packages=()
command -v valgrind >/dev/null || packages+=(valgrind libc6-dbg)
command -v chromium >/dev/null || packages+=(chromium)
python3 -m venv target/venv || packages+=(python3-venv)
if [ ${#packages[@]} -gt 0 ]; then
  apt-get update -qq && apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
  python3 -m venv target/venv
fi
target/venv/bin/pip install --quiet --disable-pip-version-check slack_sdk==3.46.0
(cd web && npm ci --no-audit --no-fund --loglevel=error)
(cd tests/peers && npm ci --no-audit --no-fund --loglevel=error)
tests/peers/mcp/install.sh

step "formatting and lints"
cargo fmt --all --check
cargo clippy --workspace --all-targets --quiet -- -D warnings
(cd web && npm run --silent check)

step "tests"
cargo test --workspace --quiet
cargo build --quiet -p widgetcast-cli
cargo build --quiet -p widgetcast --example conformance

# What the last step measures takes minutes to build, most of them on one core.
release="$PWD/target/release-build.log"
cargo build --release --quiet -p widgetcast-bench >"$release" 2>&1 &
building=$!
trap 'kill $building 2>/dev/null || true' EXIT

step "second opinions: Slack's SDKs, Microsoft's Adaptive Cards, the MCP Apps schema"
peers="$PWD/target/tmp/peers"
target/venv/bin/python tests/peers/slack/check.py "$peers/slack-blocks.json"
(cd tests/peers && npx --no-install tsx slack/check.ts "$peers/slack-blocks.json")
(cd tests/peers && node adaptive/check.mjs "$peers/adaptive-cards.json")
(cd tests/peers && node apps/check.mjs "$peers/mcp-apps.json")

step "the protocol, as others see it: official clients, Inspector, MCPJam, the conformance suite"
for script in clients inspector mcpjam conformance; do
  node "tests/peers/mcp/$script.mjs"
done
target/venv/bin/python tests/peers/mcp/clients.py

step "the browser part: units, sizes, and the pages in Chromium under the official AppBridge"
(cd web && npm run --silent test && npm run --silent test:browser)

step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet

step "the gallery, checked by the binary itself"
cargo run --quiet --bin widgetcast -- check widgets --strict
cargo run --quiet --bin widgetcast -- check examples/weather/widgets --strict

step "instructions per stage"
wait $building || { cat "$release"; exit 1; }
target/release/widgetcast-bench instructions --check
step "all passed"
