#!/usr/bin/env bash
# build.sh FOLDER: builds FOLDER/page.html and FOLDER/study.html, the pages of `vinculum show` and of studies without
# data, unless they are newer than all sources. Installs the packages of package-lock.json into this folder if they are
# missing. Without npm it prints the reason and fails.
set -euo pipefail
folder=$(mkdir -p "${1:?usage: build.sh FOLDER}" && cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"
oldest=$folder/page.html
[ -f "$oldest" ] && [ -f "$folder/study.html" ] &&
  [ -z "$(find src build.mjs package.json package-lock.json -newer "$oldest" -print -quit)" ] && exit 0
command -v npm >/dev/null || { echo "no npm: the page of \`vinculum show\` is not built" >&2; exit 1; }
if [ ! -d node_modules ] || [ package-lock.json -nt node_modules ]; then
  npm ci --no-audit --no-fund --ignore-scripts --silent >&2
  touch node_modules
fi
node build.mjs "$folder"
