# Sourced by ./run, ./test and tools/: installs missing Debian packages, configures, and builds in build/release.
# shellcheck shell=bash
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$top"

packages=(g++ cmake ninja-build ccache llvm-19-dev libzstd-dev zlib1g-dev libeigen3-dev libfmt-dev nlohmann-json3-dev
          libcli11-dev libcpp-httplib-dev libpugixml-dev pkg-config libgtest-dev librapidcheck-dev clang-format-19)
# Packages for the tests of published parts: pictures, pages in a browser, the Python package. Not needed by ./run and
# ./test.
published_packages=(librsvg2-bin chromium python3-dev python3-venv)

install_packages() {
  local missing=()
  local package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "missing packages: ${missing[*]}; run as root, or install sudo" >&2; exit 1; }
    as_root=(sudo)
  fi
  echo "installing ${missing[*]}" >&2
  "${as_root[@]}" apt-get update -qq >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# build TARGET…: no output if there is nothing to do; the whole log if a command fails.
build() {
  [ -f build/release/build.ninja ] || cmake --preset release >&2
  local log=build/release/build.log
  if ! ninja -C build/release -j "$(nproc)" "$@" >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
  fi
}

install_packages "${packages[@]}"
