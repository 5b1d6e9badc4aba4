#!/usr/bin/env bash
# test.sh COMMAND: tests the pages that the command writes, in a headless browser. Without Node.js, Chromium, or a page
# next to the command it prints the reason and exits with 77 (skipped).
set -euo pipefail
skip() { echo "pages are not tested: $1" >&2; exit 77; }
command=$(realpath "${1:?usage: test.sh COMMAND}")
cd "$(dirname "${BASH_SOURCE[0]}")"
command -v node >/dev/null || skip "no Node.js"
node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)' || skip "Node.js is older than 20"
[ -x /usr/bin/chromium ] || skip "no Chromium (Debian: chromium)"
[ -f "$(dirname "$command")/../share/vinculum/page.html" ] || skip "no page beside the command: page/build.sh says why"
[ -d node_modules/playwright-core ] || skip "no playwright-core: npm ci in page/"
VINCULUM_COMMAND=$command exec node --test --test-concurrency=1 test/page.test.mjs test/study.test.mjs
