#!/usr/bin/env bash
# Lints the JavaScript of page/ with ESLint (eslint.config.mjs) and checks its format with Prettier (prettier.json).
# Both are in a separate folder, so that building the page does not install them.
# lint.sh BUILD SOURCE; status 77 (skipped) without Node.js 20 or the packages of package-lock.json.
set -euo pipefail
build=$1 source=$2
skip() { echo "page/ is not linted: $1" >&2; exit 77; }
folder=$build/page_lint
command -v npm >/dev/null || skip "no npm"
node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)' || skip "Node.js is older than 20"
mkdir -p "$folder"
cp "$source"/tests/page/{package.json,eslint.config.mjs,prettier.json} "$folder"
if ! cmp -s "$source/tests/page/package-lock.json" "$folder/package-lock.json" || [ ! -x "$folder/node_modules/.bin/prettier" ]; then
  cp "$source/tests/page/package-lock.json" "$folder"
  (cd "$folder" && npm ci --no-audit --no-fund --ignore-scripts --silent) || { rm -rf "$folder"; skip "npm ci failed"; }
fi
cd "$source/page"
"$folder/node_modules/.bin/prettier" --config "$folder/prettier.json" --check --log-level warn '**/*.{js,mjs,css}'
exec "$folder/node_modules/.bin/eslint" --config "$folder/eslint.config.mjs" --max-warnings 0 .
