#!/usr/bin/env bash
# Everything of a release except publishing it, which people do:
#
#     release.sh check [TAG]           the version, its copies, the changelog and the tag agree; nothing is uncommitted
#     release.sh platform OUT [TARGET] for one platform: the binary, its npm package and its wheel; $BINARY is packed
#                                      instead of one that is built here
#     release.sh common OUT            what all platforms share: crates, web packages, notes, SBOM, server.json,
#                                      and the checksums of everything in OUT
#     release.sh all OUT               all three, for this machine
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "release.sh: $*" >&2
  exit 1
}

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)

# The lines of the changelog below a heading.
changes() {
  awk -v head="$1" '/^## /{inside = ($2 == head); next} inside' CHANGELOG.md | sed '/./,$!d'
}

check() {
  for package in client react vite playwright; do
    grep -q "^  \"version\": \"$version\",$" "web/$package/package.json" \
      || fail "web/$package/package.json is not at version $version"
  done
  [ -z "$(changes Unreleased)" ] || fail "CHANGELOG.md has changes under Unreleased; move them under $version"
  [ -n "$(changes "$version")" ] || fail "CHANGELOG.md has nothing under $version"
  [ "${1:-v$version}" = "v$version" ] || fail "the tag $1 is not v$version"
  [ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed"
}

platform() {
  local out=$1 target=${2:-$(rustc -vV | sed -n 's/^host: //p')} binary=${BINARY:-} name=widgetcast
  case $target in *-windows-*) name=widgetcast.exe ;; esac
  if [ -z "$binary" ]; then
    cargo build --locked --profile dist -p widgetcast-cli --target "$target"
    binary=${CARGO_TARGET_DIR:-target}/$target/dist/$name
  fi
  mkdir -p "$out"
  node packaging/npm/build.mjs --binary "$binary" --target "$target" --out "$out"
  python3 packaging/python/build.py --binary "$binary" --target "$target" --out "$out"
  local staging
  staging=$(mktemp -d)
  install -m 755 "$binary" "$staging/$name"
  install -m 644 LICENSE-APACHE LICENSE-MIT CHANGELOG.md "$staging"
  tar -C "$staging" -czf "$out/widgetcast-$version-$target.tar.gz" .
  rm -r "$staging"
}

common() {
  local out=$1
  mkdir -p "$out"
  # --no-verify: the tests build each crate from its package. --allow-dirty: `check` has looked.
  cargo package --quiet --locked --offline --no-verify --allow-dirty
  cp "${CARGO_TARGET_DIR:-target}"/package/widgetcast*-"$version".crate "$out"
  (cd web && npm run --silent pack)
  cp target/npm/widgetcast-{client,react,vite,test}-"$version".tgz "$out"
  changes "$version" >"$out/NOTES.md"
  python3 packaging/describe.py --out "$out"
  (cd "$out" && rm -f SHA256SUMS && sha256sum -- * >../SHA256SUMS.new && mv ../SHA256SUMS.new SHA256SUMS)
}

case "${1:-} $#" in
  "check "[12]) check "${@:2}" ;;
  "platform "[23]) platform "${@:2}" ;;
  "common 2") common "$2" ;;
  "all 2")
    check
    platform "$2"
    common "$2"
    ;;
  *) fail "usage: release.sh check [TAG] | platform OUT [TARGET] | common OUT | all OUT" ;;
esac
