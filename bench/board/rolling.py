"""Nonholonomic systems, compared with SymPy's KanesMethod. Most multibody programs cannot express such constraints."""

import json

from .output import Table, seconds_text
from .programs import HERE, Refused, in_rounds

# Name, title, model, and index of the first acceleration that SymPy's formulation also has.
SYSTEMS = (
    ("disk", "Rolling disk", "rolling_disk", 0),
    ("sleigh", "Sleigh on a blade", "chaplygin_sleigh", 0),
    ("bicycle", "Bicycle", "bicycle", 3),
)


def times(answer):
    return f"{seconds_text(answer['median'])} ({seconds_text(answer['lowest'])})"


def of_rolling(tools):
    table = Table(
        "rolling",
        "Accelerations of what rolls and skates: processor time, median (lowest)",
        [
            "system",
            "Vinculum",
            "SymPy, printed to C",
            "SymPy, lambdify",
            "text or model to accelerations: Vinculum, SymPy",
            "largest difference",
        ],
    )
    for name, title, model, begin in SYSTEMS:
        ours = {"Vinculum": [tools.program("tree_accelerations"), HERE.parent / "models" / (model + ".vin")]}
        rounds = 1 if tools.quick else 5
        first = in_rounds(ours, {"Vinculum": "start\n"}, rounds)["Vinculum"]
        if isinstance(first, Refused):
            table.rows.append([title, str(first)])
            continue
        theirs = in_rounds(
            {"SymPy": [tools.python, HERE / "peers" / "sympy_rolling.py", name]},
            {"SymPy": json.dumps(first["state"]) + "\n"},
            1,
        )["SymPy"]
        if isinstance(theirs, Refused):
            table.rows.append([title, times(first), str(theirs)])
            continue
        pairs = list(zip(first["accelerations"][begin:], theirs["accelerations"]))
        worst = max(abs(a - b) for a, b in pairs) / max(abs(a) for a, _ in pairs)
        table.rows.append(
            [
                title,
                times(first),
                f"{times(theirs)}, {theirs['lowest'] / first['lowest']:.2g}×",
                f"{times(theirs['python'])}, {theirs['python']['lowest'] / first['lowest']:.2g}×",
                f"{seconds_text(first['ready'])}, {seconds_text(theirs['ready'])}",
                f"{worst:.0e}",
            ]
        )
        table.versions |= {first["version"], theirs["version"]}
    return [table]
