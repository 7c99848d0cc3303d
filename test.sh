#!/usr/bin/env bash
# Every test, on a fresh Debian machine with Rust and Node 20: installs what they need, then runs
# formatting, lints, tests, documentation and the instruction gate. Fails on the first fault.
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n== %s\n' "$*"; }

step "what the tests need"
if ! command -v valgrind >/dev/null; then
  apt-get update -qq && apt-get install -y -qq --no-install-recommends valgrind libc6-dbg
fi
rustup component list --installed 2>/dev/null | grep -q clippy || rustup component add clippy rustfmt

export RUSTDOCFLAGS="-D warnings"

step "formatting and lints"
cargo fmt --all --check
cargo clippy --workspace --all-targets --quiet -- -D warnings

step "tests"
cargo test --workspace --quiet

step "documentation"
cargo doc --workspace --no-deps --quiet

step "the gallery, checked by the binary itself"
cargo run --quiet -p widgetcast -- check widgets --strict

step "instructions per stage"
cargo run --release --quiet -p widgetcast-bench -- instructions --check
