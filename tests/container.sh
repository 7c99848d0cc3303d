#!/usr/bin/env bash
# Builds the image of deploy/Dockerfile with buildah, around the binary that is built already and on a base
# made of this machine's libraries, since a registry may be out of reach; then runs it: as whom, without a
# shell, with its health check, and how large it is. Needs root, buildah and target/dist/widgetcast.
set -euo pipefail
cd "$(dirname "$0")/.."

most=$((60 * 1000 * 1000))
binary="${1:-target/dist/widgetcast}"
place=$(mktemp -d)
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
buildah() { command buildah --root "$place/storage" --runroot "$place/run" "$@"; }
running=
trap '[ -z "$running" ] || kill "$running" 2>/dev/null || true; rm -rf "$place"' EXIT
fail() { echo "container: $*" >&2; exit 1; }

mkdir -p "$place/root/etc/ssl/certs" "$place/built/src/target/dist" "$place/context"
for library in $(ldd "$binary" | grep -o '/[^ ]*'); do
  mkdir -p "$place/root$(dirname "$library")"
  cp -L "$library" "$place/root$library"
done
cp -L /etc/ssl/certs/ca-certificates.crt "$place/root/etc/ssl/certs/"
strip -o "$place/built/src/target/dist/widgetcast" "$binary"

base=$(buildah from scratch)
buildah copy -q "$base" "$place/root" / >/dev/null
buildah commit -q "$base" localhost/base >/dev/null
# The context in place of the stage `build`, whose base has a compiler.
buildah build -q --pull-never --format docker --build-arg BASE=localhost/base \
  --build-context "build=$place/built" -f deploy/Dockerfile -t localhost/widgetcast "$place/context" >/dev/null

image=$(buildah inspect --type image localhost/widgetcast)
read -r user health size < <(python3 -c '
import json, sys
image = json.load(sys.stdin)
docker, layers = image["Docker"]["config"], json.loads(image["Manifest"])["layers"]
print(docker["User"], json.dumps(docker["Healthcheck"]["Test"][1:]).replace(" ", ""), sum(layer["size"] for layer in layers))
' <<<"$image")
[ "$user" = 65532:65532 ] || fail "the user is $user"
[ "$size" -le "$most" ] || fail "the image has $size bytes, of at most $most"

container=$(buildah from --pull-never localhost/widgetcast)
! buildah run "$container" -- /bin/sh -c true 2>/dev/null || fail "there is a shell"
buildah run "$container" -- /usr/local/bin/widgetcast serve --http 127.0.0.1:8000 2>"$place/log" &
running=$!
mapfile -t check < <(python3 -c 'import json, sys; print(*json.loads(sys.argv[1]), sep="\n")' "$health")
# Until it listens, or has ended.
until buildah run "$container" -- "${check[@]}" 2>/dev/null; do
  kill -0 "$running" 2>/dev/null || fail "the server has ended: $(cat "$place/log")"
done
pid=$(pgrep -n -u 65532 -x widgetcast) || fail "no process runs as 65532"
kill -TERM "$pid"
wait "$running" || fail "it ended with $? on SIGTERM"
running=
! buildah run "$container" -- "${check[@]}" 2>/dev/null || fail "it is healthy although nothing runs"
echo "container: user $user, no shell, healthy, $size bytes"
