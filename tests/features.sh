#!/usr/bin/env bash
# Compiles the SDK and the binary with each feature alone, with none and with all, without warnings; and
# counts the crates of the smallest SDK.
set -euo pipefail
cd "$(dirname "$0")/.."

most=123

check() {
  echo "features: $*"
  cargo clippy --quiet --locked --no-default-features "$@" -- -D warnings
}
check -p widgetcast-core
check -p widgetcast
for feature in axum gallery http metrics stdio tls watch yaml; do check -p widgetcast --features "$feature"; done
check -p widgetcast --all-features
check -p widgetcast-cli
for feature in chat display oauth stores telemetry; do check -p widgetcast-cli --features "$feature"; done

crates=$(cargo tree --locked -p widgetcast --no-default-features --features stdio -e normal --prefix none |
  sed 's/ (\*)$//' | sort -u | wc -l)
echo "features: the SDK with stdio alone has $crates crates"
[ "$crates" -le "$most" ] || { echo "of at most $most" >&2; exit 1; }
