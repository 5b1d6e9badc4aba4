#!/usr/bin/env bash
# build.sh FOLDER: FOLDER/page.html, the page of `vinculum show` without a scene. Installs what package-lock.json names beside this
# script where it is not there; a page newer than all it is made of stays. Says why, and fails, where npm is missing.
set -euo pipefail
folder=$(mkdir -p "${1:?usage: build.sh FOLDER}" && cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"
page=$folder/page.html
[ -f "$page" ] && [ -z "$(find src build.mjs package.json package-lock.json -newer "$page" -print -quit)" ] && exit 0
command -v npm >/dev/null || { echo "no npm: the page of \`vinculum show\` is not built" >&2; exit 1; }
if [ ! -d node_modules ] || [ package-lock.json -nt node_modules ]; then
  npm ci --no-audit --no-fund --ignore-scripts --silent >&2
  touch node_modules
fi
node build.mjs "$page"
