#!/usr/bin/env bash
# Every test, on a fresh Debian machine with Rust, Node 20 and Python 3: installs what they need, then
# runs formatting, lints, tests, second opinions, documentation and the instruction gate. Fails on the
# first fault.
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n== %s\n' "$*"; }

step "what the tests need"
if ! command -v valgrind >/dev/null; then
  apt-get update -qq && apt-get install -y -qq --no-install-recommends valgrind libc6-dbg
fi
if ! python3 -m venv target/venv; then
  apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv
  python3 -m venv target/venv
fi
target/venv/bin/pip install --quiet --disable-pip-version-check slack_sdk==3.46.0
(cd tests/peers && npm install --no-package-lock --no-audit --no-fund --legacy-peer-deps --loglevel=error)
tests/peers/mcp/install.sh

step "formatting and lints"
cargo fmt --all --check
cargo clippy --workspace --all-targets --quiet -- -D warnings

step "tests"
cargo test --workspace --quiet

step "second opinions: Slack's SDKs, Microsoft's Adaptive Cards, the MCP Apps schema"
peers="$PWD/target/tmp/peers"
target/venv/bin/python tests/peers/slack/check.py "$peers/slack-blocks.json"
(cd tests/peers && npx --no-install tsx slack/check.ts "$peers/slack-blocks.json")
(cd tests/peers && node adaptive/check.mjs "$peers/adaptive-cards.json")
(cd tests/peers && node apps/check.mjs "$peers/mcp-apps.json")

step "the protocol, as others see it: official clients, Inspector, MCPJam, the conformance suite"
cargo build --quiet -p widgetcast-cli
cargo build --quiet -p widgetcast --example conformance
for script in clients inspector mcpjam conformance; do
  node "tests/peers/mcp/$script.mjs"
done
target/venv/bin/python tests/peers/mcp/clients.py

step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet

step "the gallery, checked by the binary itself"
cargo run --quiet --bin widgetcast -- check widgets --strict
cargo run --quiet --bin widgetcast -- check examples/weather/widgets --strict

step "instructions per stage"
cargo run --release --quiet -p widgetcast-bench -- instructions --check
