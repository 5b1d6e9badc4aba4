"""The page of a motion (docs/report.md) in Python's hands and in notebooks."""

import functools
import os
import pathlib


@functools.cache
def blank():
    """The page without a scene, which lies beside this file where npm was there as the package was built."""
    path = pathlib.Path(__file__).with_name("page.html")
    if not path.exists():
        raise FileNotFoundError(
            f"the page that shows motions is missing: {path}\n  npm makes it while the package is built"
        )
    return path.read_text(encoding="utf-8")


class Page:
    """One HTML file that needs no network and no other file: the motion, an arrow for every constraint force, plots.

    html  its text
    """

    def __init__(self, html):
        self.html = html

    def write(self, path):
        """Into a file, to be opened in a browser."""
        whole = pathlib.Path(path)
        part = whole.with_name(f"{whole.name}.{os.getpid()}.tmp")
        try:
            part.write_text(self.html, encoding="utf-8")
            part.replace(whole)
        finally:
            part.unlink(missing_ok=True)

    def _repr_html_(self):
        """The page in a frame of its own, shut off from the notebook: the same static file, and no widget."""
        text = self.html.replace("&", "&amp;").replace("'", "&#39;")
        return (
            "<iframe sandbox='allow-scripts allow-downloads' title='motion' "
            f"style='width: 100%; height: 640px; border: 1px solid #8888; border-radius: 8px' srcdoc='{text}'></iframe>"
        )

    def __repr__(self):
        return f"<vinculum.Page of {len(self.html.encode()) / 1e6:.2f} MB>"
