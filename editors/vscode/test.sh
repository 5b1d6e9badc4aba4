#!/usr/bin/env bash
# test.sh MODELS: tests the extension, and its grammar on the models that the JSON file MODELS names
# (python/tests/test_editors.py writes it). Without Node.js or npm packages it prints the reason and exits with 77 (skipped).
set -euo pipefail
skip() { echo "the TextMate grammar is not tested: $1" >&2; exit 77; }
VINCULUM_MODELS=$(realpath "${1:?usage: test.sh MODELS}")
export VINCULUM_MODELS
cd "$(dirname "${BASH_SOURCE[0]}")"
command -v npm >/dev/null || skip "no npm"
[ -d node_modules/vscode-textmate ] || npm ci --no-audit --no-fund --ignore-scripts --silent >&2 ||
  skip "npm cannot install the packages"
exec node --test test/grammar.test.mjs test/extension.test.mjs
