#!/usr/bin/env bash
# tools/site.sh [PICTURES]: builds the site of docs/ in build/site/html; any warning is an error. PICTURES is the number
# of models in the gallery whose motion is drawn, all by default; the others get their plots. Exits with 77 if its
# packages are not available. Its programs are in a separate virtual environment, build/site/env
# (docs/dependencies.md), which ./run and ./test do not need.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
build vinculum_command reference_pages
site=$top/build/site
if ! cmp -s docs/site/requirements.txt "$site/env/requirements.txt"; then
  python3 -m venv --clear "$site/env"
  "$site/env/bin/pip" install --quiet -r docs/site/requirements.txt &&
    "$site/env/bin/pip" install --quiet --no-deps jupyter-server-mathjax==0.2.6 ||
    { echo "the site is not built: its packages cannot be had" >&2; exit 77; }
  cp docs/site/requirements.txt "$site/env/"
fi
# installs the package, which the notebooks use, over an installed copy of the build
cmake --install build/release --prefix "$site/installed" >/dev/null
"$site/env/bin/pip" install --quiet . -C cmake.source-dir=python -C build-dir="$site/module" -C cmake.define.CMAKE_PREFIX_PATH="$site/installed"
export PATH=$site/env/bin:$PATH  # the notebook kernel is that of the environment
"$site/env/bin/python" docs/site/lay_out.py "$top" "$top/build/release/bin" "$site/source" "$@"
"$site/env/bin/sphinx-build" -W --keep-going -q -b html "$site/source" "$site/html"
echo "$site/html/index.html"
