"""Runs the recipes of docs/howto/recipes.md; one whose package is not installed is skipped."""

import importlib.util
import re
import shutil
import tempfile
import unittest

from test_package import MODELS, programs, said

HOWTO = MODELS.parent / "docs" / "howto"


class Recipes(unittest.TestCase):
    """One test per recipe, named after its heading."""


def recipes():
    parts = re.split(r"^## ", (HOWTO / "recipes.md").read_text(), flags=re.M)[1:]
    return {part.splitlines()[0]: part.split("```python\n")[1].split("```")[0] for part in parts}


def add(title, program):
    needed = sorted(set(re.findall(r"^(?:import|from) (\w+)", program, re.M)))
    absent = [name for name in needed if importlib.util.find_spec(name) is None]

    @unittest.skipIf(absent, f"needs {', '.join(absent)}")
    def test(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(HOWTO / "models", folder, dirs_exist_ok=True)
            self.assertTrue(said(program, folder))

    setattr(Recipes, "test_" + re.sub(r"\W+", "_", title).lower(), test)


for one, text in recipes().items():
    add(one, text)


class Page(unittest.TestCase):
    def test_has_one_program_under_each_heading(self):
        self.assertEqual(len(programs("howto/recipes.md", "python")), len(recipes()))
        self.assertGreaterEqual(len(recipes()), 7)


if __name__ == "__main__":
    unittest.main()
