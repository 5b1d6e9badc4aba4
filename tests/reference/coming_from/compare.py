#!/usr/bin/env python3
"""Compares the Python programs on docs/coming_from/{sympy,mujoco}.md with the models on the same pages.

Usage: compare.py VINCULUM. Programs and models are extracted from the pages. PAGES has the allowed differences. The
difference allowed for MuJoCo is large, because its connection is soft.
"""

import contextlib
import csv
import io
import pathlib
import re
import subprocess
import sys
import tempfile

DOCS = pathlib.Path(__file__).resolve().parents[3] / "docs/coming_from"

STIFFER = {'timestep="0.0005"': 'timestep="0.0001"', "<connect ": '<connect solref="0.002 1" '}

# page; columns of trajectory.csv; changes to the program; allowed difference
PAGES = [
    ("sympy.md", ["x", "y", "R"], {}, 1e-7),
    ("mujoco.md", ["a", "c", "F.x", "F.y"], {}, 0.2),
    ("mujoco.md", ["a", "c", "F.x", "F.y"], STIFFER, 0.003),
]


def block(page, language):
    """The first code block in this language on a page."""
    return re.search(rf"^```{language}\n(.*?)^```", page, re.M | re.S).group(1)


def printed_by(program):
    """The numbers printed by a program, one row per line."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, "program", "exec"), {})
    return [[float(x) for x in re.findall(r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?", line)] for line in out.getvalue().splitlines()]


def found_by(vinculum, model, instants, columns):
    """Columns of the trajectory of a model at the given instants."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "model.vin")
        path.write_text(re.sub(r"^(run \S+ \[s\])(?: step \S+ \[s\])?", r"\1 step 0.5 [s]", model, flags=re.M))
        subprocess.run([vinculum, "run", path, "-o", folder], check=True, capture_output=True)
        with open(pathlib.Path(folder, "trajectory.csv"), newline="") as file:
            rows = list(csv.reader(line for line in file if not line.startswith("#")))
    names = [re.split(r"[ \[]", name)[0] for name in rows[0]]
    at = [names.index(column) for column in columns]
    numbers = {float(row[0]): [float(row[i]) for i in at] for row in rows[1:]}
    return [numbers[instant] for instant in instants]


def main():
    vinculum = sys.argv[1]
    is_right = True
    for name, columns, changed, allowed in PAGES:
        page = (DOCS / name).read_text()
        program = block(page, "python")
        for old, new in changed.items():
            program = program.replace(old, new)
        theirs = printed_by(program)
        ours = found_by(vinculum, block(page, "vin"), [row[0] for row in theirs], columns)
        print(name, *changed.values())
        for row, numbers in zip(theirs, ours):
            for column, a, b in zip(columns, row[1:], numbers):
                is_right = is_right and abs(a - b) <= allowed
                print(f"  t = {row[0]:4g}  {column:4}  {a:20.12g}  {b:20.12g}  {a - b:9.1e}")
    sys.exit(0 if is_right else 1)


if __name__ == "__main__":
    main()
