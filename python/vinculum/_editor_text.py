"""Places in a text as editors and as diagnostics count them."""

import bisect
import re

# Code units per character, by the encodings of the protocol. Editors count from 0, diagnostics from 1.
_UNITS = {
    "utf-8": lambda text: len(text.encode("utf-8", "surrogatepass")),
    "utf-16": lambda text: len(text.encode("utf-16-le", "surrogatepass")) // 2,
    "utf-32": len,
}


class Text:
    """The text of a file in an editor.

    text  without halves of characters, which no file can contain
    """

    def __init__(self, text, encoding="utf-16"):
        self.text = re.sub("[\ud800-\udfff]", "\ufffd", text)
        self._units = _UNITS[encoding]
        # For diagnostics a line ends at a line feed, and a byte order mark is in front of the first line. For the
        # protocol a line also ends at a carriage return alone.
        first = 1 if self.text.startswith("\ufeff") else 0
        self._feeds = [first, *(found.end() for found in re.finditer("\n", self.text))]
        self._starts = [0, *(found.end() for found in re.finditer("\r\n|\r|\n", self.text))]

    def offset(self, line, column):
        """Index in `text` of a line and a column, both counted from 1, of a diagnostic."""
        start = self._feeds[min(line, len(self._feeds)) - 1]
        return min(start + column - 1, len(self.text))

    def offset_of(self, line, character):
        """Index in `text` of a position of the protocol. Positions behind the end of a line are at its end."""
        if line >= len(self._starts):
            return len(self.text)
        content = self.line(line)
        low, high = 0, len(content)
        while low < high:  # the number of code units grows with the number of characters
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._units(content[:middle]) <= character else (low, middle - 1)
        return self._starts[line] + low

    def position(self, offset):
        """(line, character) of the protocol."""
        line = bisect.bisect_right(self._starts, offset) - 1
        return line, self._units(self.text[self._starts[line] : offset])

    def span(self, line, column, end_column):
        """The range of a diagnostic on one line, as two positions."""
        return self.position(self.offset(line, column)), self.position(self.offset(line, end_column))

    def line(self, line):
        """A line by its number from 0, without its end."""
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self.text)
        return self.text[self._starts[line] : end].rstrip("\r\n")

    def line_of(self, offset):
        """Number, from 1, of the line that a diagnostic at this place would name."""
        return max(1, bisect.bisect_right(self._feeds, offset))

    @property
    def end(self):
        """Position of the end of the text."""
        return self.position(len(self.text))
