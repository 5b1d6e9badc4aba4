"""Texts about a word of a model, in Markdown: units and one line of documentation."""

import re

from ._editor_outline import AXES, SPATIAL, SPEEDS_OF_FRAME, forms_of, words

# Tables in which a word of a statement is searched, the first that has it counts.
_TABLES = ("functions", "joints", "laws", "surfaces", "shapes", "methods", "formulations", "stops", "colours")
_OTHERS = {
    "t": "`t`: time, unit s",
    "pi": "`pi`: 3.14159…",
    "and": "`a and b`: both conditions are true",
    "or": "`a or b`: at least one condition is true",
    "not": "`not a`: the condition is false",
    "if": "`x if CONDITION else y`: one of two values",
    "else": "`x if CONDITION else y`: one of two values",
}
_PREFIXES = "YZEPTGMkhdcmunpfazy"


def _row(row):
    form = row["form"].replace(" | ", "\n")
    text = f"```vin\n{form}\n```"
    return text + (f"\n{row['meaning']}" if row["meaning"] else "")


def about_unit(word):
    """Text about a unit such as `mm`; None if there is no such unit."""
    units = words()["units"]
    row = units.get(word)
    if row is None and word[:1] in _PREFIXES:
        row = units.get(word[1:])
        row = row if row and row["takes_prefixes"] else None
    if row is None:
        return None
    scale = f", {row['scale']:g} {row['form']}" if row["form"] != row["word"] else ""
    return f"`{row['word']}`: {row['meaning']}{scale}"


def about_name(name):
    """Text about a name of the model: its statement, kind, unit and comments."""
    facts = [f"{name['kind']} `{name['name']}`"]
    if name["quantity"] and name["quantity"] != "a scalar":
        facts.append(name["quantity"])
    if name["value"] is not None:
        facts.append(f"{name['value']:.12g} {name['si']}".rstrip())
    if name["unit"]:
        facts.append(f"unit {name['unit']}" + (f" (SI: {name['si']})" if name["si"] != name["unit"] else ""))
    lines = name["text"].splitlines()
    shown = "\n".join(lines[:8]) + ("\n…" if len(lines) > 8 else "")
    text = f"```vin\n{shown}\n```\n{', '.join(facts)}"
    return text + (f"\n\n{' '.join(name['comments'])}" if name["comments"] else "")


def _about_part(name, outline, file, line):
    """Text about `B.x` and `B.wx` of a frame or a body."""
    owner, _, part = name.rpartition(".")
    found = outline.resolve(owner, file, line) if owner else None
    if found is None or found["kind"] not in (*SPATIAL, "argument"):
        return None
    if part in AXES:
        return f"unit vector `{part}` of the {found['kind']} `{owner}`"
    if part in SPEEDS_OF_FRAME:
        return f"angular velocity of `{owner}` about its {part[1]} axis, unit rad/s"
    return None


def _table_of_first_words(place, keyword):
    if place.block() == "view":
        return "view"
    return "clauses" if keyword in ("constraint", "joint", "limits") else "statements"


def _has_word(form, word):
    return re.search(rf"\b{re.escape(word)}\b", form) is not None


def hover(outline, place, file, line):
    """Markdown about the word at a place, and the index of its last part; (None, None) if there is nothing to say."""
    name, begin = place.word()
    if name is None or place.is_quoted:
        return None, None
    if place.is_unit:
        return about_unit(name), begin
    keyword, _ = place.statement()
    row = None
    if place.is_first_word(begin):
        row = words()[_table_of_first_words(place, keyword)].get(name) or words()["statements"].get(name)
    declared = None if row else outline.resolve(name, file, line)
    if declared is not None:
        return about_name(declared), begin
    row = row or next((words()[table][name] for table in _TABLES if name in words()[table]), None)
    if row is None and name in _OTHERS:
        return _OTHERS[name], begin
    if row is None and name in AXES and re.search(r"\b(about|axis2?)\s*-?\s*$|\baxes\b", place.before()):
        return f"`{name}`: axis of the frame", begin
    if row is None and keyword is not None:
        row = next((one for one in forms_of(keyword, place.statement()[1]) if _has_word(one["form"], name)), None)
    return (_row(row) if row else _about_part(name, outline, file, line)), begin
