#!/usr/bin/env bash
# Checks all Python of the project with ruff (names, imports, common mistakes, layout) and the package's types with
# mypy, in a separate virtual environment. lint.sh BUILD SOURCE; status 77 (skipped) if Python or these programs are
# not available.
set -euo pipefail
build=$1 source=$2
env=$build/python_lint
skip() { echo "Python is not linted: $1" >&2; exit 77; }
[ -x "$env/bin/python" ] || python3 -m venv "$env" || skip "no virtual environment (Debian: python3-venv)"
"$env/bin/python" -c 'import ruff, mypy' 2>/dev/null ||
  "$env/bin/pip" install --quiet 'ruff>=0.6' 'mypy>=1.10' || skip "ruff and mypy cannot be installed"
cd "$source"
"$env/bin/python" -m ruff check --no-cache python docs/site docs/figures tools bench
"$env/bin/python" -m ruff format --no-cache --check python docs/site docs/figures tools bench
"$env/bin/python" -m mypy --cache-dir "$env/mypy"
