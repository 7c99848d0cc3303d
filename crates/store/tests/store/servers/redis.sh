#!/bin/sh
# Redis at a port of 127.0.0.1 until standard input ends.
set -eu
dir=$1 port=$2 bin=$3
cd "$dir"
"$bin" --port "$port" --bind 127.0.0.1 --databases 200 --save '' --appendonly yes --dir "$dir" \
  >log 2>&1 </dev/null &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null || true' EXIT
echo started
read -r _ || true
