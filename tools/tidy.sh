#!/usr/bin/env bash
# Runs clang-tidy (.clang-tidy) over src/ and apps/, in the batches of the unity build. Arguments select batches by
# parts of their paths, such as vinculum_motion. Installs Debian's clang-tidy-19 and configures build/tidy, which is
# never built.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
install_packages clang-tidy-19
cmake -S . -B build/tidy -G Ninja -DVINCULUM_TESTS=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DCMAKE_BUILD_TYPE=Release >&2
mapfile -t batches < <(sed -n 's/^  "file": "\(.*\)",\{0,1\}$/\1/p' build/tidy/compile_commands.json | grep -F -- "${1:-/}" | sort -u)
printf '%s\n' "${batches[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy-19 -p build/tidy --quiet
