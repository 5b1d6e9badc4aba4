#!/usr/bin/env bash
# Formats all code (.clang-format, 120 columns). With --check: lists unformatted files and fails.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
mapfile -t files < <(git ls-files '*.cpp' '*.hpp')
if [ "${1:-}" = --check ]; then
  exec clang-format-19 --dry-run --Werror "${files[@]}"
fi
exec clang-format-19 -i "${files[@]}"
