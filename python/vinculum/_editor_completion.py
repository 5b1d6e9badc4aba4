"""Words that may follow at a place in the text of a model."""

import re

from ._editor_outline import AXES, SPATIAL, SPEEDS_OF_FRAME, forms_of, words

_FRAMES = ("frame", "body")
_POINTS = ("point", "particle", "body")
_BODIES = ("body", "particle", "frame", "point")
_SCALARS = (
    "parameter",
    "argument",
    "index",
    "coordinate",
    "speed",
    "state",
    "let",
    "input",
    "output",
    "revealed force",
)
_EVERYTHING = (*_SCALARS, "frame", "point", "particle", "body", "constraint", "use")
_VARIABLES = ("coordinate", "speed", "state")

# Statements whose first word is followed by a new name.
_DECLARING = (
    "model param coord speed let frame point particle body constraint joint reveal output state input event component"
).split()

# (statements, or None for all; pattern of the statement up to the word that is typed; kinds of names, or a table). The
# first row that fits counts. In the patterns NAME is a name, also with dots and indices.
_RULES = [
    (_DECLARING, r"^\w+\s*$", ()),
    (("param", "coord", "speed", "input"), r"^\w+ [^=]*,\s*$", ()),
    (("param",), r"^[^=]*=[^,]*,\s*$", ()),
    (("law",), r"^law\s*$", "laws"),
    (("run",), r"\bmethod\s*$", "methods"),
    (("run",), r"\bformulation\s*$", "formulations"),
    (("run",), r"\bindependent\s+(NAME\s*,\s*)*$", ("speed", "coordinate")),
    (("joint",), r"^joint NAME\s*:\s*$", "joints"),
    (("joint",), r"\bsurface2?\s*$", "surfaces"),
    (("joint",), r"\b(between|and)\s*$", (*_POINTS, "center")),
    (("joint",), r"\bof\s*$", (*_FRAMES, "particle")),
    (("limits",), r"\bof\s*$", ("coordinate",)),
    (("expect",), r"^expect stop\s*:\s*$", "stops"),
    (("use",), r"^use\s*$", ("component",)),
    (("frame",), r"=\s*$", _FRAMES),
    (("body",), r"\bframe\s*$", ("frame",)),
    (None, r"\bfixed in\s*$", ("frame",)),
    (("output",), r"\bin\s*$", _FRAMES),
    (("generalized", "friction"), r"^(generalized force|friction) on\s*$", (*_VARIABLES, *_POINTS)),
    (("frame",), r"\baxes\s*$", "axes"),
    (("point",), r"\bon\s*$", _FRAMES),
    (("torque",), r"\b(on|from)\s*$", _FRAMES),
    (("nonideal",), r"\bon\s*$", (*_VARIABLES, *_POINTS)),
    (("via",), r"\b(on|from)\s*$", (*_POINTS, "frame")),
    (None, r"\btorque on\s*$", _FRAMES),
    (("mesh",), r"\bon\s*$", _BODIES),
    (None, r"\b(on|from)\s*$", _POINTS),
    (("spring", "damper", "rod", "coil", "capsule"), r"^\w+\s+(NAME\s+)?$", _POINTS),
    (("trace",), r"^trace\s+(NAME\s*,\s*)*$", _POINTS),
    (("hide",), r"^hide\s+(NAME\s*,\s*)*$", (*_BODIES, "constraint")),
    (("axes",), r"^axes\s*$", _FRAMES),
    (("shape", "surface"), r"^\w+\s*$", _BODIES),
    (("no",), r"^no\s*$", "form"),
    (("shape", "surface"), r"=\s*$", "shapes"),
    (("color", "colour"), r"=\s*$", "colours"),
    (("color", "colour"), r"^colou?r\s+(NAME\s*=\s*[^,]*,\s*)*$", (*_BODIES, "constraint")),
    (("shape", "surface", "rod", "coil", "capsule", "mesh", "trace", "arrow", "label"), r"\bcolou?r\s*$", "colours"),
    (("shape", "surface", "axes", "arrow", "mesh", "force"), r"\bat\s*$", _POINTS),
    (("label",), r"^label\s*$", _POINTS),
    (("camera",), r"\bfollow\s*$", _BODIES),
    (("start",), r"^start\s+([^\n]*,\s*)?$", (*_VARIABLES, *_FRAMES)),
    (None, r"\bset\s*$", _VARIABLES),
]
_PREFIXES = [("", 1.0), ("k", 1e3), ("m", 1e-3), ("c", 1e-2), ("M", 1e6)]  # offered; others may be typed
_NAME = r"[A-Za-z_][\w.]*(?:\[[^\]]*\][\w.]*)*"
_COMPILED = [(keywords, re.compile(pattern.replace("NAME", _NAME)), wanted) for keywords, pattern, wanted in _RULES]


class Item:
    """A word that may follow.

    label, kind    the word; "keyword", "function", "unit", or the kind of a name
    detail, about  a form or a unit; one line of documentation
    """

    def __init__(self, label, kind, detail="", about=""):
        self.label, self.kind, self.detail, self.about = label, kind, detail, about


def _of_table(table, kind="keyword"):
    rows = words()[table].values()
    return [Item(row["word"], kind, row["form"], row["meaning"]) for row in rows if row.get("is_supported", True)]


def _of_function(name):
    row = words()["functions"][name]
    return Item(name, "function", row["form"], row["meaning"])


def _of_names(names, kinds):
    return [
        Item(one["name"], one["kind"], one["unit"] or one["quantity"], " ".join(one["comments"]))
        for one in names
        if one["kind"] in kinds or (kinds and one["kind"] == "argument")  # of a component: anything
    ]


def _axes():
    return [Item(axis, "axis", "", "axis of the frame") for axis in AXES]


def _members(outline, owner, file, line):
    """Names that follow a dot."""
    found = [
        Item(one["name"][len(owner) + 1 :], one["kind"], one["unit"], " ".join(one["comments"]))
        for one in outline.visible(file, line)
        if one["name"].startswith(owner + ".")
    ]
    declared = outline.resolve(owner, file, line)
    if declared is not None and (declared["kind"] in SPATIAL or declared["kind"] == "argument"):
        found += [Item(axis, "axis", "", f"unit vector of {owner}") for axis in AXES]
        if "quaternion" in declared["text"] or declared["kind"] == "body":
            found += [Item(speed, "speed", "rad/s", f"angular velocity of {owner}") for speed in SPEEDS_OF_FRAME]
    return found


def _first_words(place, keyword):
    """Words that begin a line."""
    block = place.block()
    if block == "view":
        return _of_table("view") + [one for one in _of_table("statements") if one.label in ("for", "if")]
    if block == "event":
        return [Item(word, "keyword") for word in ("stop", "record", "set")]
    if keyword in ("constraint", "joint", "limits"):
        return _of_table("clauses") + [one for one in _of_table("statements") if one.label == "if"]
    if keyword is None or keyword in ("for", "if", "component"):
        return _of_table("statements")
    return _words_of_form(keyword, "")


def _words_of_form(keyword, text):
    """Words of the form of a statement, such as `mass` of `body`, and names of arguments, such as `kappa =`."""
    found = {}
    for row in forms_of(keyword, text):
        form = row["form"]
        form_without_texts = re.sub(r'"[^"]*"', "", form)
        for word in re.findall(r"\b[a-z][a-z0-9]+\b|\b\w+(?= =)", form_without_texts):
            if word != keyword:
                found.setdefault(word, Item(word, "keyword", "", form))
    return list(found.values())


def _in_expression(outline, file, line, keyword, text):
    found = _of_names(outline.visible(file, line), _EVERYTHING)
    if keyword == "state":  # rates may contain states that are declared later
        found += _of_names(outline.names, ("state",))
    found += [_of_function(row["word"]) for row in words()["functions"].values() if row["is_supported"]]
    found += [Item("t", "keyword", "s", "time"), Item("pi", "keyword", "", "3.14159…")]
    found += [Item(word, "keyword") for word in words()["operators"]]
    if re.search(r"\b(about|axis2?)\s*-?\s*$|\baxes\b.*,\s*$", text):
        found = _axes() + found
    return found + (_words_of_form(keyword, text) if keyword else [])


def _units():
    """Units, each also with the usual prefixes if it takes prefixes."""
    found = []
    for row in words()["units"].values():
        for prefix, factor in _PREFIXES if row["takes_prefixes"] else _PREFIXES[:1]:
            value = f"{row['scale'] * factor:g} {row['form']}"
            found.append(Item(prefix + row["word"], "unit", value, row["meaning"]))
    return found


def complete(outline, place, file, line):
    """The Items that may follow at a Place in a line, counted from 1, of a file, without repetitions."""
    if place.is_quoted:
        return []
    if place.is_unit:
        return _units()
    owner, part = place.typed()
    if owner:
        found = _members(outline, owner, file, line)
    elif not place.before().strip() and not place.is_continued:
        found = _first_words(place, place.statement()[0])
    else:
        keyword, text = place.statement()
        found = _following(outline, text[: len(text) - len(part)], keyword, file, line)
    return list({item.label: item for item in reversed(found)}.values())[::-1]


# Words that are in no table: {name in _RULES: function of the keyword and the text}.
_MORE = {"form": _words_of_form, "axes": lambda keyword, text: _axes()}


def _following(outline, text, keyword, file, line):
    for keywords, pattern, wanted in _COMPILED:
        if (keywords is None or keyword in keywords) and pattern.search(text):
            if isinstance(wanted, str):
                return _MORE[wanted](keyword, text) if wanted in _MORE else _of_table(wanted)
            found = _of_names(outline.visible(file, line), wanted)
            return found + ([_of_function("center")] if "center" in wanted else [])
    return _in_expression(outline, file, line, keyword, text)
