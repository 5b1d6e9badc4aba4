"""Computes tables 1 to 3 of the thesis from the model: tables_of_the_thesis.py COMMAND MODEL prints them in Markdown.

The model is run once with all joint angles 0 and with an output for each entry; no number is taken from the thesis.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

BODIES = "station", "shoulder_roll", "shoulder_yaw", "upper_boom", "lower_boom", "wrist_pitch", "wrist_yaw", "payload"
AXES = "B.x", "B.y", "B.z"
SHOWN = "b̂₁", "b̂₂", "b̂₃"


def asked(command, model, outputs):
    """Values of the outputs {name: term} of the model at rest, with all joint angles 0."""
    text = pathlib.Path(model).read_text()
    text = re.sub(r"^expect .*\n", "", text, flags=re.M)
    text = re.sub(r"th\[(\d)\] = [-\d.]+ \[deg\]", r"th[\1] = 0", text)
    text += "\n" + "".join(f"output {name} = {term}\n" for name, term in outputs.items())
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "manipulator.vin")
        path.write_text(text)
        told = subprocess.run(
            [command, "run", path, "--until", "0", "--json", "-o", folder], capture_output=True, text=True, check=True
        )
    return json.loads(told.stdout)["outputs"]


def number(x):
    if abs(x) < 1e-12:
        return "0"
    if abs(x) < 1e4:
        return f"{x:.6g}"
    power = len(str(int(abs(x)))) - 1
    return f"{x / 10**power:.2f}·10{'⁰¹²³⁴⁵⁶⁷⁸⁹'[power]}"


def vector(parts):
    """Name, with sign, of the axis of B that a unit vector is along."""
    return next(("−" if x < 0 else "") + name for x, name in zip(parts, SHOWN) if abs(x) > 0.5)


def table(head, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)) + "\n"


def main(command, model):
    # Axes of the joints in the thesis: B1 turns about b1, B2 about b3, B3 to B5 about -b2, B6 about b3, B7 about b1.
    axis = ["B1.x", "B2.z", "-B3.y", "-B4.y", "-B5.y", "B6.z", "B7.x"]
    outputs = {}
    for r, body in enumerate(BODIES[1:], 1):
        for k, unit in enumerate(AXES, 1):
            outputs[f"rho_{r}_{k}"] = f"dot({axis[r - 1]}, {unit})"
            outputs[f"to_{r}_{k}"] = f"dot(pos(center({body}), P{r}), {unit})"
            if r < 7:
                outputs[f"from_{r}_{k}"] = f"dot(pos(P{r + 1}, center({body})), {unit})"
    found = asked(command, model, outputs)
    rows = []
    for r in range(1, 8):
        parts = [[found.get(f"{what}_{r}_{k}") for k in (1, 2, 3)] for what in ("rho", "to", "from")]
        rows.append(
            [str(r), vector(parts[0]), *map(number, parts[1]), *(map(number, parts[2]) if r < 7 else ["–"] * 3)]
        )
    lengths = [sum(found.get(f"{what}_{r}_{1}", 0.0) for what in ("to", "from")) for r in range(1, 8)]
    print("# The tables of Roithmayr's thesis\n")
    print(
        "`docs/figures/tables_of_the_thesis.py` computes these tables from the model "
        "[manipulator](../models/manipulator.vin)."
    )
    print(
        "Distances and axes come from a run of length 0 with all joint angles 0, "
        "masses and inertias from `vinculum explain`."
    )
    print("The [figures](thesis_figures.md) are drawn from the same model.\n")
    print("Table 1. Axes of the joints and distances in m, with all joint angles 0.\n")
    print(
        table(["r", "ρ̂ᵣ", *(f"Pᵣ to Bᵣ\\*, {one}" for one in SHOWN), *(f"Bᵣ\\* to Pᵣ₊₁, {one}" for one in SHOWN)], rows)
    )
    print(f"The outstretched manipulator is {sum(lengths):.3f} m long.\n")
    told = subprocess.run([command, "explain", model], capture_output=True, text=True, check=True).stdout
    bodies = dict(re.findall(r"^body (\w+) frame .*? mass (.*? inertia \(.*?\))", told, re.M))
    names = ["B", *(f"B{'₁₂₃₄₅₆₇'[r]}" for r in range(7))]
    masses, inertias = [], []
    for name, body in zip(names, BODIES):
        mass, inertia = re.fullmatch(r"(\S+)(?: \[kg\])? inertia \((.*)\)", bodies[body]).groups()
        entries = [float(x) for x in inertia.split(",")]
        masses.append([name, number(float(mass))])
        inertias.append([name, *map(number, entries + [0.0] * (6 - len(entries)))])
    print("Table 2. Masses of the base, the manipulator and the payload in kg.\n")
    print(table(["body", "mass"], masses))
    print(
        "Table 3. Central moments and products of inertia of these bodies in kg m², along b̂₁, b̂₂, b̂₃, "
        "with all joint angles 0.\n"
    )
    print(table(["body", "I₁₁", "I₂₂", "I₃₃", "I₁₂", "I₂₃", "I₃₁"], inertias))


if __name__ == "__main__":
    main(*sys.argv[1:])
