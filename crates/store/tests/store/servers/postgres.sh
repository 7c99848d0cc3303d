#!/bin/sh
# PostgreSQL in a directory of its own, at a port of 127.0.0.1, until standard input ends.
# It does not run as root, so root becomes another user.
set -eu
dir=$1 port=$2 bin=$3
if [ "$(id -u)" = 0 ]; then
  user=$(id -un postgres 2>/dev/null || echo nobody)
  chown "$user" "$dir"
  as="runuser -u $user --"
else
  as=
fi
cd "$dir"
if [ ! -d data ]; then
  $as "$bin/initdb" -D data -U postgres --auth=trust --no-sync >/dev/null
fi
$as "$bin/postgres" -D data -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories= \
  -c max_connections=300 -c fsync=off 2>log >/dev/null </dev/null &
server=$!
# The one that was started may be runuser, which passes on no such signal.
trap 'kill -QUIT "$(head -n 1 data/postmaster.pid)" 2>/dev/null; wait $server 2>/dev/null || true' EXIT
echo started
read -r _ || true
