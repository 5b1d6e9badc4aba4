"""Completion and hover at every word of the models: the word that is there is offered, and is explained."""

import pathlib
import random
import re
import unittest

from vinculum._editor_completion import complete
from vinculum._editor_hover import hover
from vinculum._editor_outline import Outline
from vinculum._editor_place import Place
from vinculum._editor_text import Text

ROOT = pathlib.Path(__file__).resolve().parents[2]
# words_as_names declares words of the language as names, `point from fixed in force`.
MODELS = [path for path in sorted((ROOT / "models").glob("*.vin")) if path.stem != "words_as_names"]


def words_of(text, outline):
    """Places and texts of the words that a model uses: not those that it declares, of comments, texts and kinds of
    stops, which contain hyphens."""
    plain = Text(text)
    declared = {plain.offset(one["line"], one["column"]) for one in outline.names}
    code = re.sub(r'#[^\n]*|"[^"\n]*"|^expect stop.*', lambda found: " " * len(found.group()), text, flags=re.M)
    for found in re.finditer(r"(?<![\w.])[0-9.]+(?:[eE][-+]?[0-9]+)?|([A-Za-z_]\w*)", code):
        if found.group(1) and found.start() not in declared:
            yield found.start(), found.group(1)


class EveryWord(unittest.TestCase):
    def test_is_offered_at_its_place(self):
        count = 0
        for path in MODELS:
            text = path.read_text()
            outline = Outline(text, str(path), {})
            self.assertNotIn("error", [one["severity"] for one in outline.diagnostics])
            for offset, word in words_of(text, outline):
                line = Text(text).line_of(offset)
                labels = {item.label for item in complete(outline, Place(text, offset), str(path), line)}
                first_parts = {re.split(r"[.\[]", label)[0] for label in labels}
                count += 1
                self.assertIn(word, labels | first_parts, f"{path.name}:{line}")
        self.assertGreater(count, 20000)

    def test_has_an_explanation(self):
        for path in MODELS:
            text = path.read_text()
            outline = Outline(text, str(path), {})
            for offset, word in words_of(text, outline):
                line = Text(text).line_of(offset)
                markdown, begin = hover(outline, Place(text, offset), str(path), line)
                self.assertTrue(markdown, f"{path.name}:{line}: {word}")
                self.assertEqual(begin, offset)

    def test_of_a_declaration_is_explained_by_the_declaration(self):
        for path in MODELS:
            text = path.read_text()
            outline = Outline(text, str(path), {})
            plain = Text(text)
            kinds = {}  # a joint also declares points at its name, and `limits` stops at the name of the coordinate
            for name in outline.names:
                if not name["name"].endswith((".min", ".max")):
                    kinds.setdefault((name["line"], name["column"]), set()).add(name["kind"])
            for (line, column), here in kinds.items():
                markdown, _ = hover(outline, Place(text, plain.offset(line, column)), str(path), line)
                self.assertTrue(any(f"{kind} `" in (markdown or "") for kind in here), f"{path.name}:{line}: {here}")


class BrokenTexts(unittest.TestCase):
    PIECES = [
        "[",
        "]",
        "{",
        "}",
        "(",
        '"',
        "#",
        "'",
        "\n",
        "\r\n",
        "\r",
        "..",
        "=",
        "component c(a) {\n",
        "q[2].x",
        "law ",
    ]
    PIECES += [
        "for i in 1..3 {\n",
        "view {\n",
        "\U0001d11e",
        "\ufeff",
        "\u2028",
        "\x00",
        'include "none.vin"\n',
        "use c(1) as x\n",
    ]

    def test_are_answered_everywhere(self):
        seed = random.SystemRandom().randrange(2**32)
        chance = random.Random(seed)
        texts = [path.read_text() for path in MODELS]
        for _ in range(400):
            text = chance.choice(texts)
            for _ in range(chance.randint(1, 6)):
                at, length = chance.randrange(len(text) + 1), chance.randint(0, 12)
                text = text[:at] + chance.choice(["", *self.PIECES]) + text[at + length :]
            with self.subTest(seed=seed, text=text):
                self.answer(text, chance)

    def answer(self, text, chance):
        plain = Text(text)
        outline = Outline(plain.text, "/nowhere/m.vin", {})
        for one in outline.diagnostics:
            begin, end = plain.span(one["line"], one["column"], one["end_column"])
            self.assertLessEqual(begin, end)
        for _ in range(4):
            offset = chance.randrange(len(text) + 1)
            line = plain.line_of(offset)
            complete(outline, Place(plain.text, offset), "/nowhere/m.vin", line)
            hover(outline, Place(plain.text, offset), "/nowhere/m.vin", line)


class Places(unittest.TestCase):
    def test_are_converted_back_and_forth(self):
        text = "a\r\nb\u00e9\U0001d11ec\rd\n\u2028\x0ce\n"
        for encoding in ("utf-8", "utf-16", "utf-32"):
            plain = Text(text, encoding)
            for offset in range(len(text) + 1):
                if text[offset - 1 : offset + 1] != "\r\n":  # no place between the two
                    self.assertEqual(plain.offset_of(*plain.position(offset)), offset, (encoding, offset))
        plain = Text(text)
        self.assertEqual(plain.position(6), (1, 4))
        self.assertEqual(plain.offset_of(1, 99), plain.offset_of(1, 5))
        self.assertEqual(plain.offset_of(99, 0), len(text))
        self.assertEqual(plain.offset(2, 3), 5)
        self.assertEqual(plain.line_of(text.index("d")), 2)
        marked = Text("\ufeffmodel m\nlet")
        self.assertEqual([marked.offset(1, 1), marked.offset(2, 1), marked.line_of(0)], [1, 9, 1])

    def test_in_brackets_are_units_indices_or_lists(self):
        for line, is_unit in (
            ("param m = 2 [", True),
            ("param m = 2[", True),
            ("coord x, y [k", True),
            ("let a = f(x) [", True),
            ("coord q[", False),
            ("let a = 2*[", False),
            ("constraint c: [", False),
            ("let a = q[1] [", True),
            ("let a = q[i", False),
            ("param m = 2 [kg] + ", False),
        ):
            with self.subTest(line):
                self.assertEqual(Place(line, len(line)).is_unit, is_unit)


if __name__ == "__main__":
    unittest.main()
