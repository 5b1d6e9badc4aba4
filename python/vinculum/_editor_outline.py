"""The names and diagnostics of a text in an editor, from the library (`vinculum.outline`)."""

import functools
import json
import re

from ._vinculum import outline, vocabulary

AXES = ("x", "y", "z")
SPEEDS_OF_FRAME = ("wx", "wy", "wz")
SPATIAL = ("frame", "body")  # things that have axes


@functools.cache
def words():
    """The tables of the words of the language: {table: {word: row}}. Rows have "word", "form" and "meaning"."""
    return {
        table: {row["word"]: row for row in rows} if rows and isinstance(rows[0], dict) else rows
        for table, rows in json.loads(vocabulary()).items()
    }


def without_indices(name):
    """The name of a family: `q` for `q[2]`, `link.P` for `link[i].P`."""
    return re.sub(r"\[[^\]]*\]", "", name)


def forms_of(keyword, text):
    """Rows with the forms of a statement or clause, first that of the law or joint that its text names."""
    tables = words()
    found = []
    named = re.match(r"(?:law|joint [^:]*:)\s*(\w+)", text)
    if named:
        found += [tables[table][named.group(1)] for table in ("laws", "joints") if named.group(1) in tables[table]]
    return found + [tables[table][keyword] for table in ("statements", "clauses", "view") if keyword in tables[table]]


class Outline:
    """Names and diagnostics of a text, and of the files that it includes.

    names        list of dicts (docs/json.md, "Outline"), in the order of the text
    diagnostics  list of dicts
    files        names of the model's file and of the included ones
    """

    def __init__(self, text, path, unsaved):
        found = json.loads(outline(text, path, unsaved))
        self.names, self.diagnostics, self.files = found["names"], found["diagnostics"], found["files"]
        self._by_name = {}
        for name in self.names:
            for key in {name["name"], without_indices(name["name"])}:
                self._by_name.setdefault(key, []).append(name)

    def resolve(self, path, file, line):
        """The declaration of a name as it is visible at a line of a file; None if there is none."""
        found = self._by_name.get(path) or self._by_name.get(without_indices(path)) or []
        near = [one for one in found if self._is_local_at(one, file, line)]
        if near:
            return min(near, key=lambda one: one["scope"][1] - one["scope"][0])
        is_inside = self._is_in_component(file, line)
        return next((one for one in found if one["scope"] is None and self._may_be_seen(one, is_inside)), None)

    def visible(self, file, line):
        """Names that may be used at a line of a file: declared before it, or local to the component around it. Inside a
        component these are its own names, its arguments and components."""
        is_inside = self._is_in_component(file, line)
        seen = {}
        for name in self.names:
            is_later = name["file"] == file and name["line"] > line
            is_seen = name["scope"] is None and self._may_be_seen(name, is_inside)
            if not is_later and (is_seen or self._is_local_at(name, file, line)):
                seen[name["name"]] = name
        return list(seen.values())

    def _is_in_component(self, file, line):
        return any(
            one["kind"] == "component" and one["file"] == file and one["first_line"] < line <= one["last_line"]
            for one in self.names
        )

    @staticmethod
    def _may_be_seen(name, is_inside):
        return not is_inside or name["kind"] == "component"

    def is_declared_in(self, file):
        """Names whose declarations are in this file, one per place, with local names after their component."""
        seen = {}
        for name in self.names:
            if name["file"] == file:
                place = (name["line"], name["column"])
                if place not in seen or seen[place]["kind"] == "constraint" and name["kind"] != "constraint":
                    seen[place] = name
        return [seen[place] for place in sorted(seen)]

    @staticmethod
    def _is_local_at(name, file, line):
        scope = name["scope"]
        return scope is not None and name["file"] == file and scope[0] <= line <= scope[1]
