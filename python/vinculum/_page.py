"""The page that draws a motion (docs/report.md), as a file and in notebooks."""

import functools
import os
import pathlib


@functools.cache
def blank(name="page.html"):
    """An empty page. It is next to this file if npm was available when the package was built.

    :raises FileNotFoundError: if it is not there.
    """
    path = pathlib.Path(__file__).with_name(name)
    if not path.exists():
        raise FileNotFoundError(f"a page is missing: {path}\n  npm makes pages while the package is built")
    return path.read_text(encoding="utf-8")


class Page:
    """One self-contained HTML file that needs no network: a motion with its forces, or the results of a study.

    html  the text of the file
    """

    def __init__(self, html):
        self.html = html

    def write(self, path):
        """Writes the page to the file `path`, to be opened in a browser. If writing fails, an old file is unchanged."""
        whole = pathlib.Path(path)
        part = whole.with_name(f"{whole.name}.{os.getpid()}.tmp")
        try:
            part.write_text(self.html, encoding="utf-8")
            part.replace(whole)
        finally:
            part.unlink(missing_ok=True)

    def _repr_html_(self):
        """The page in an iframe that is isolated from the notebook. It is the same static file, not a widget."""
        text = self.html.replace("&", "&amp;").replace("'", "&#39;")
        return (
            "<iframe sandbox='allow-scripts allow-downloads' title='motion' "
            f"style='width: 100%; height: 640px; border: 1px solid #8888; border-radius: 8px' srcdoc='{text}'></iframe>"
        )

    def __repr__(self):
        return f"<vinculum.Page of {len(self.html.encode()) / 1e6:.2f} MB>"
