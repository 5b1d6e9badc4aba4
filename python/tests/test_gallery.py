"""docs/gallery.md is what tools/gallery.py writes from the models."""

import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Gallery(unittest.TestCase):
    def test_is_written_from_the_models(self):
        done = subprocess.run([sys.executable, ROOT / "tools/gallery.py", "--check"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_has_every_model_and_a_sentence_for_most(self):
        cells = (ROOT / "docs/gallery.md").read_text().count("](../models/") - 1  # one link leads to the index
        models = len(list((ROOT / "models").glob("*.vin")))
        self.assertEqual(cells, models)
        self.assertGreater((ROOT / "docs/gallery.md").read_text().count(".** <br>"), 0.9 * models)


if __name__ == "__main__":
    unittest.main()
