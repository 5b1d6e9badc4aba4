"""Highlighting: the files of tools/editors.py, and tokens of all models by Pygments and by the TextMate grammar."""

import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import vinculum as vn

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Diagnostics about characters that begin no token.
ILLEGAL = {"unexpected-character", "unterminated-string"}


def models():
    """All model files of the project with their texts."""
    paths = [*(ROOT / "models").glob("*.vin"), *(ROOT / "tests").rglob("*.vin")]
    return [(path, path.read_bytes().decode("utf-8", "replace")) for path in sorted(paths)]


def is_illegal(path, text):
    """Whether the program finds a character in the file itself that begins no token."""
    found = json.loads(vn.outline(text, path))["diagnostics"]
    return any(one["kind"] in ILLEGAL and one["file"] == str(path) for one in found)


class Generated(unittest.TestCase):
    def test_files_are_those_of_the_tables(self):
        done = subprocess.run([sys.executable, ROOT / "tools/editors.py", "--check"], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.returncode, 0)

    def test_the_folder_for_vs_code_is_complete(self):
        folder = ROOT / "editors/vscode"
        package = json.loads((folder / "package.json").read_text())
        contributed = package["contributes"]
        for file in (
            package["main"],
            contributed["languages"][0]["configuration"],
            contributed["grammars"][0]["path"],
        ):
            self.assertTrue((folder / file).is_file(), file)
        self.assertEqual(package["version"], vn.__version__)
        locked = json.loads((folder / "package-lock.json").read_text())["packages"][""]
        self.assertEqual(locked["dependencies"], package["dependencies"])
        self.assertEqual(locked["devDependencies"], package["devDependencies"])

    def test_every_word_of_the_language_is_highlighted(self):
        words = json.loads(vn.vocabulary())
        text = (ROOT / "editors/vscode/syntaxes/vinculum.tmLanguage.json").read_text()
        for table in ("statements", "clauses", "view", "functions", "laws", "joints", "methods", "units", "colours"):
            for row in words[table]:
                self.assertRegex(text, rf"[(|:]{row['word']}[)|]", f"{table}: {row['word']}")


@unittest.skipUnless(importlib.util.find_spec("pygments"), "Pygments is not installed")
class Pygments(unittest.TestCase):
    def setUp(self):
        from vinculum.highlight import VinculumLexer

        self.lexer = VinculumLexer(stripnl=False, ensurenl=False)

    def test_tokens_of_models_are_errors_where_the_program_finds_illegal_characters(self):
        from pygments.token import Error

        found = models()
        self.assertGreater(len(found), 500)
        illegal = 0
        for path, text in found:
            tokens = list(self.lexer.get_tokens(text))
            errors = [value for kind, value in tokens if kind is Error]
            with self.subTest(str(path)):
                self.assertEqual(bool(errors), is_illegal(path, text), errors)
                self.assertEqual("".join(value for _, value in tokens), text.replace("\r\n", "\n").replace("\r", "\n"))
            illegal += bool(errors)
        self.assertGreater(illegal, 0)

    def test_words_have_the_tokens_of_their_places(self):
        text = (
            'model m "title"\nbody B frame F mass m inertia plane 3e-2 [kg*m^2] at P\n  law viscous kappa = 3  # hard\n'
        )
        kinds = {value: str(kind)[len("Token.") :] for kind, value in self.lexer.get_tokens(text)}
        self.assertEqual(
            {word: kinds[word] for word in ("model", "B", "mass", "3e-2", "[kg*m^2]", "law", "viscous", "# hard")},
            {
                "model": "Keyword",
                "B": "Name.Class",
                "mass": "Keyword.Pseudo",
                "3e-2": "Literal.Number",
                "[kg*m^2]": "Name.Attribute",
                "law": "Keyword",
                "viscous": "Keyword.Type",
                "# hard": "Comment.Single",
            },
        )


class TextMate(unittest.TestCase):
    def test_tokens_of_models_are_illegal_where_the_program_finds_illegal_characters(self):
        with tempfile.TemporaryDirectory() as folder:
            listed = pathlib.Path(folder) / "models.json"
            listed.write_text(json.dumps([[str(path), is_illegal(path, text)] for path, text in models()]))
            done = subprocess.run([ROOT / "editors/vscode/test.sh", listed], capture_output=True, text=True)
        if done.returncode == 77:
            self.skipTest(done.stderr.strip())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
