"""Title, sources and lesson of each model, for the galleries."""

import re


class Card:
    """Title, sources and lesson of a model, read from its text.

    title, sources, lesson  from its `model` and `source` lines, and from the comment below them
    sentence                the first sentence of the lesson
    """

    def __init__(self, path):
        self.name = path.stem
        self.text = path.read_text()
        self.title = re.search(r'^model \S+\s+"(.*)"', self.text, re.M).group(1)
        self.sources = re.findall(r'^source "(.*)"', self.text, re.M)
        comment = re.search(r"^(?:#[^\n]*\n)+", self.text, re.M)
        words = " ".join(line[1:].strip() for line in comment.group(0).splitlines()) if comment else ""
        lesson = re.sub(r"^Lesson( \d+)?(, [^.:]*)?[.:] *", "", words)
        is_word = re.match(r"[a-z]+[ ,:]", lesson)  # not a formula
        self.lesson = lesson[:1].upper() + lesson[1:] if is_word else lesson
        self.sentence = re.split(r"(?<=[a-z0-9)`'][.!?]) (?=[A-Z`])", self.lesson)[0] if self.lesson else ""


def cards(models):
    """A Card for each model, in the order of their names."""
    return [Card(path) for path in sorted(models.glob("*.vin"))]
