"""The notebooks of docs/notebooks run without errors, and are stored without outputs."""

import importlib.util
import json
import pathlib
import re
import unittest

import vinculum

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "notebooks"
# npm was available when the package was built
HAS_PAGE = pathlib.Path(vinculum.__file__).with_name("page.html").exists()
NEEDED = "nbclient", "nbformat", "ipykernel", "matplotlib"


class Notebooks(unittest.TestCase):
    def test_are_kept_without_outputs(self):
        self.assertEqual(len(list(FOLDER.glob("*.ipynb"))), 5)
        for path in FOLDER.glob("*.ipynb"):
            for cell in json.loads(path.read_text())["cells"]:
                self.assertEqual(cell.get("outputs", []), [], path.name)
                self.assertIsNone(cell.get("execution_count"), path.name)

    @unittest.skipUnless(all(map(importlib.util.find_spec, NEEDED)), "needs " + ", ".join(NEEDED))
    def test_run_to_their_end(self):
        import nbclient
        import nbformat

        for path in sorted(FOLDER.glob("*.ipynb")):
            with self.subTest(path.name):
                notebook = nbformat.read(path, as_version=4)
                if not HAS_PAGE:
                    notebook.cells = [cell for cell in notebook.cells if not re.search(r"\.(show|page)\(", cell.source)]
                nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(FOLDER)}}).execute()


if __name__ == "__main__":
    unittest.main()
