#!/usr/bin/env bash
# The release script, with a stand-in for the binary: what it makes, and what it refuses.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

printf '\x7fELF stand-in' >"$place/binary"
out="$place/out"
for target in x86_64-unknown-linux-gnu x86_64-pc-windows-msvc; do
  BINARY="$place/binary" packaging/release.sh platform "$out" "$target" >/dev/null
done
packaging/release.sh common "$out" >/dev/null
(cd "$out" && sha256sum --check --quiet SHA256SUMS)
wanted="NOTES.md
SHA256SUMS
sbom.json
server.json
widgetcast-$version-py3-none-manylinux_2_17_x86_64.whl
widgetcast-$version-py3-none-win_amd64.whl
widgetcast-$version-x86_64-pc-windows-msvc.tar.gz
widgetcast-$version-x86_64-unknown-linux-gnu.tar.gz
widgetcast-$version.crate
widgetcast-$version.tgz
$(printf "widgetcast-%s-$version.crate\n" agent chatkit cli core display engine oauth store wrap)
$(printf "widgetcast-%s-$version.tgz\n" cli-linux-x64 cli-win32-x64 client react test vite)"
diff <(ls "$out" | sort) <(sort <<<"$wanted")
[ "$(wc -l <"$out/SHA256SUMS")" = $(($(ls "$out" | wc -l) - 1)) ]
tar -tzf "$out/widgetcast-$version-x86_64-pc-windows-msvc.tar.gz" | grep -qx ./widgetcast.exe

# What `check` compares, in a repository of its own.
repo="$place/repo"
mkdir -p "$repo/packaging" "$repo"/web/{client,react,vite,playwright}
cp packaging/release.sh "$repo/packaging"
cd "$repo"
git init --quiet
state() { # state VERSION_OF_CARGO CHANGELOG
  printf '[workspace.package]\nversion = "%s"\n' "$1" >Cargo.toml
  printf '# Changelog\n\n## Unreleased\n%b' "$2" >CHANGELOG.md
  for package in web/*; do printf '{\n  "version": "1.2.0",\n}\n' >"$package/package.json"; done
  git add . && git -c user.name=t -c user.email=t@example.com commit --quiet --allow-empty --message state
}
refuses() { # refuses MESSAGE [TAG]
  local said
  ! said=$(packaging/release.sh check "${@:2}" 2>&1) || { echo "no refusal: $1"; exit 1; }
  grep -qF "$1" <<<"$said" || { echo "\"$said\" instead of: $1"; exit 1; }
}
state 1.2.0 '\n## 1.2.0\n- New.\n\n## 1.1.0\n- Old.\n'
packaging/release.sh check
packaging/release.sh check v1.2.0
refuses "the tag v1.1.0 is not v1.2.0" v1.1.0
touch more && refuses "not committed" && rm more
state 1.2.0 '- Later.\n\n## 1.2.0\n- New.\n' && refuses "changes under Unreleased"
state 1.2.0 '\n## 1.1.0\n- Old.\n' && refuses "nothing under 1.2.0"
state 1.3.0 '\n## 1.3.0\n- New.\n' && refuses "web/client/package.json is not at version 1.3.0"
echo "a release is made, with its checksums, and refused where its parts disagree"
