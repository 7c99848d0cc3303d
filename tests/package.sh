#!/usr/bin/env bash
# Packs every crate that can be published, then builds each from its package, and a program that
# depends on `widgetcast`, in a directory that holds nothing else: offline, and failing if the build
# runs Node. Needs the dependencies of Cargo.lock (`cargo fetch`).
set -euo pipefail
cd "$(dirname "$0")/.."

crates=(widgetcast-engine widgetcast-core widgetcast widgetcast-oauth widgetcast-display widgetcast-store widgetcast-agent widgetcast-chatkit widgetcast-wrap widgetcast-cli)
target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
place="$target/packed"
rm -rf "$place"
mkdir -p "$place/no-node" "$place/dependant/src"

# --allow-dirty: what is tested is the checkout, committed or not.
cargo package --quiet --offline --no-verify --allow-dirty "${crates[@]/#/--package=}" 2>"$place/pack.log" \
  || { cat "$place/pack.log"; exit 1; }

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
for crate in "${crates[@]}"; do
  tar -xzf "$target/package/$crate-$version.crate" -C "$place"
  for file in LICENSE-APACHE LICENSE-MIT; do
    [ -s "$place/$crate-$version/$file" ] || { echo "$crate is packed without $file"; exit 1; }
  done
done

# Packed files carry a fixed time, by which cargo would take changed ones for those that it has built.
find "$place" -name '*.rs' -exec touch {} +

# One workspace, so that dependencies are built once. The crates are not on the registry, so those
# that were packed stand in for them.
{
  echo '[workspace]'
  echo 'resolver = "3"'
  echo 'members = ["dependant", "widgetcast*-*"]'
  echo '[patch.crates-io]'
  for crate in "${crates[@]}"; do echo "$crate = { path = \"$crate-$version\" }"; done
} >"$place/Cargo.toml"
cp Cargo.lock "$place/Cargo.lock"
cat >"$place/dependant/Cargo.toml" <<EOF
[package]
name = "dependant"
version = "0.0.0"
edition = "2024"
[dependencies]
widgetcast = "$version"
EOF
cat >"$place/dependant/src/main.rs" <<'EOF'
fn main() -> Result<(), widgetcast::BuildError> {
    widgetcast::App::new("dependant", "0.0.0").widgets("widgets").build().map(drop)
}
EOF

# Found before the real ones; a build that runs them leaves a trace even if it ignores the failure.
for program in node npm npx; do
  printf '#!/bin/sh\necho "%s $*" >>"%s"\nexit 1\n' "$program" "$place/node-runs" >"$place/no-node/$program"
  chmod +x "$place/no-node/$program"
done
# Those that stand alone are checked alone, with the features that they ask for themselves; the rest at
# once, since every set of features checks their many dependencies again. A program that asks for
# `widgetcast` alone is built by web/test/starter.ts.
config="$PWD/.cargo/config.toml" # Otherwise SQLite is compiled again, without its flags.
check() {
  (cd "$place" && PATH="$place/no-node:$PATH" CARGO_TARGET_DIR="$target" cargo check --quiet --offline --config "$config" "$@")
}
for crate in widgetcast-engine widgetcast-core; do check --package "$crate"; done
check --workspace
if [ -e "$place/node-runs" ]; then
  echo "the build runs Node:"
  cat "$place/node-runs"
  exit 1
fi
echo "${#crates[@]} crates packed; each, and a dependant of widgetcast, builds from the packages"
