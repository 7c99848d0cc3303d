#!/usr/bin/env bash
# Installs the peers of the comparison: Python packages into target/peers-python, Node packages into
# bench/peers/node/node_modules. Versions are pinned; what they depend on is not, as no lock file is kept.
set -euo pipefail
cd "$(dirname "$0")/../.."

python3 -m venv target/peers-python
target/peers-python/bin/pip install --quiet --disable-pip-version-check -r bench/peers/python/requirements.txt
(cd bench/peers/node && npm install --no-package-lock --no-audit --no-fund --loglevel=error)
