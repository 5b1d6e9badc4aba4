"""What is written around a place in a text: the word, its statement, and whether it is in a comment or a unit."""

import re

from ._editor_outline import words

_WORD = re.compile(r"[A-Za-z_]\w*(?:(?:\[[^\[\]\n]*\])?\.[A-Za-z_]\w*)*")
# Before the bracket of a unit is a number, or a space after a quantity. Other brackets are those of indices and lists.
_BEFORE_UNIT = re.compile(r"(?:(?<![\w.])[0-9.]+(?:[eE][-+]?[0-9]+)?|[\w)\]'|]\s+)$")
_CONTINUED = re.compile(r"(?:[,(\[=+\-*/^:]|\b(?:and|or|not))\s*$")  # the statement goes on in the next line
_FOLLOWING_WORDS = re.compile(r"[A-Za-z_]\w*")


class Place:
    """A place in the text of a model.

    line       text of its line up to the place
    is_quoted  whether it is in a comment or a string
    is_unit    whether it is in the brackets of a unit
    is_continued  whether the line above ends in an operator, a comma or an open bracket
    """

    def __init__(self, text, offset):
        self.text, self.offset = text, offset
        begin = text.rfind("\n", 0, offset) + 1
        self.line = text[begin:offset]
        end = text.find("\n", offset)
        self.whole_line = text[begin : len(text) if end < 0 else end]
        code = re.sub(r'"[^"\n]*"', lambda found: "_" * len(found.group()), self.line)
        self.is_comment = "#" in code
        self.is_quoted = self.is_comment or '"' in code
        opened = code.rfind("[")
        self.is_unit = opened >= 0 and "]" not in code[opened:] and bool(_BEFORE_UNIT.search(code[:opened]))
        self._begin = begin
        above = re.sub(r"#.*", "", text[text.rfind("\n", 0, max(begin - 1, 0)) + 1 : max(begin - 1, 0)])
        self.is_continued = self.line[:1].isspace() and bool(_CONTINUED.search(above))

    def word(self):
        """The dotted name up to the part at the place, such as `link.P` in `link.P.x` with the place in `P`, and the
        index at which its last part begins; (None, None) if there is no name."""
        column = self.offset - self._begin
        for found in _WORD.finditer(self.whole_line):
            if found.start() <= column <= found.end():
                after = re.match(r"\w*", self.whole_line[column:]).end()
                if column + after > found.end():
                    continue
                name = self.whole_line[found.start() : column + after]
                last = re.search(r"\w*$", name).start()
                return name, self._begin + found.start() + last
        return None, None

    def typed(self):
        """The part of a name before the place: (owner with its dots or "", beginning of the last part)."""
        found = re.search(r"((?:[A-Za-z_]\w*(?:\[[^\[\]\n]*\])?\.)*)([A-Za-z_]\w*)?$", self.line)
        return found.group(1).rstrip("."), found.group(2) or ""

    def before(self):
        """The line up to the word that is typed."""
        owner, part = self.typed()
        return self.line[: len(self.line) - len(owner) - bool(owner) - len(part)]

    def string(self):
        """The text in quotes around the place; None if there is none."""
        column = self.offset - self._begin
        for found in re.finditer(r'"([^"\n]*)"', self.whole_line):
            if found.start() < column < found.end():
                return found.group(1)
        return None

    def is_first_word(self, begin):
        """Whether the word at an index is the first one of its line."""
        return not self.text[self._begin : begin].strip()

    def statement(self):
        """(keyword, text up to the place) of the statement or clause at the place; (None, "") if there is none. A line
        that begins with no keyword continues a line above that is indented less."""
        lines = self.text[: self.offset].split("\n")
        table = {**words()["statements"], **words()["clauses"], **words()["view"]}
        depth = None
        for i in range(len(lines) - 1, -1, -1):
            stripped = lines[i].lstrip()
            indent = len(lines[i]) - len(stripped)
            is_last = i == len(lines) - 1
            if (not is_last and (not stripped or stripped.startswith("#"))) or (depth is not None and indent >= depth):
                continue
            first = _FOLLOWING_WORDS.match(stripped)
            if i > 0 and indent > 0 and _CONTINUED.search(re.sub(r"#.*", "", lines[i - 1])):
                first = None
            if first and first.group() in table and (not is_last or len(stripped) > first.end()):
                return first.group(), "\n".join(lines[i:]).lstrip()
            depth = indent
            if depth == 0:
                break
        return None, ""

    def block(self):
        """The keyword of the innermost `{ … }` around the place: view, component, for, if, event; None outside."""
        opened = []
        code = re.sub(r'"[^"\n]*"|#[^\n]*', "", self.text[: self.offset])
        for found in re.finditer(r"[{}]", code):
            if found.group() == "}":
                if opened:
                    opened.pop()
                continue
            head = code[code.rfind("\n", 0, found.start()) + 1 : found.start()]
            first = _FOLLOWING_WORDS.search(head)
            opened.append(first.group() if first else "")
        return next((one for one in reversed(opened) if one not in ("for", "if", "else")), None)
