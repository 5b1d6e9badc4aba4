"""Configuration of Sphinx. tools/site.sh puts the sources into a folder with a copy of this file and runs Sphinx."""

project = "Vinculum"
html_title = "Vinculum"
copyright = "the authors of Vinculum, Apache-2.0"
extensions = ["myst_nb", "sphinx.ext.mathjax"]
myst_enable_extensions = ["amsmath", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_raise_on_error = True
exclude_patterns = ["_build", "site", "**/.ipynb_checkpoints"]
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
# MathJax is part of the site, so pages need no other server.
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS-MML_HTMLorMML-full"
mathjax_options = {"defer": "defer"}
mathjax2_config = {  # the only family of fonts in the copy of MathJax
    "HTML-CSS": {"availableFonts": [], "preferredFont": None, "imageFont": None, "webFont": "STIX-Web"},
}
myst_update_mathjax = False
# Snippets in languages that Pygments does not know are shown as plain text.
highlight_language = "text"
# Pages about wrong characters show them; the lexer of the package, `vin`, marks them as errors.
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
