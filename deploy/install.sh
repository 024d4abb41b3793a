#!/usr/bin/env bash
# Installs or upgrades Golden Spike for a server from this clone, in a separate virtual environment, with the
# locked versions of all packages.
#   deploy/install.sh /opt/goldenspike
# It needs Python 3.11 or later. PYTHON=... chooses the Python.
set -euo pipefail
[[ $# == 1 ]] || { echo "Name the folder to install it in, as in: deploy/install.sh /opt/goldenspike" >&2; exit 2; }
prefix=$(realpath -m "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/setup.sh # for find_python

python=$(find_python deploy/install.sh)
export PIP_DISABLE_PIP_VERSION_CHECK=1
[[ -x .tools/bin/python ]] || "$python" -m venv .tools
[[ -x .tools/bin/uv ]] || .tools/bin/python -m pip install -qq --require-hashes -r requirements/uv.txt
tools/web
"$python" -m venv "$prefix"
.tools/bin/uv pip sync --quiet --compile-bytecode --python "$prefix" --require-hashes requirements/server.txt
.tools/bin/uv pip install --quiet --compile-bytecode --python "$prefix" --no-deps --no-build-isolation \
    --reinstall-package goldenspike .
"$prefix/bin/goldenspike" --version
