"""Draws models/gough_stewart.vin as an animated picture: the platform, its six legs, and the force of each leg on the
platform. The command computes all numbers: the model runs for one period, with the ends of the legs and their forces
as outputs. Run:

    python3 docs/figures/gough_stewart.py build/release/bin/vinculum models/gough_stewart.vin > FILE.svg
"""

import csv
import math
import pathlib
import re
import subprocess
import sys
import tempfile

WIDTH, HEIGHT = 600, 430
AROUND, ABOVE = math.radians(-62), math.radians(20)  # the direction of view
SCALE, MIDDLE = 180.0, (315.0, 335.0)  # pixels for one meter; the place of O
FORCE = 1.6  # pixels for one newton
PERIOD, FRAMES = 2 * math.pi, 60  # [s] of the prescribed motion
LEGS = range(1, 7)

OUTPUTS = "".join(
    f"output A{k} = pos(A[{k}], O) in N\noutput B{k} = pos(B[{k}], O) in N\noutput F{k} = effort(pose, {k})*leg[{k}]\n"
    for k in LEGS
)


def rows(command, model):
    """One dictionary per frame: the columns of the run."""
    text = pathlib.Path(model).read_text()
    text = re.sub(r"^expect .*\n", "", text, flags=re.M)
    text = re.sub(r"^run .*$", f"{OUTPUTS}run 2*pi*1 [s] step 2*pi/{FRAMES}*1 [s] tolerance 1e-10", text, flags=re.M)
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder, "gough_stewart.vin")
        copy.write_text(text)
        subprocess.run([command, "run", copy, "-o", folder], check=True, stdout=subprocess.DEVNULL)
        with open(pathlib.Path(folder, "trajectory.csv")) as file:
            return list(csv.DictReader(line for line in file if not line.startswith("#")))


def seen(x, y, z):
    """A place in meters, in pixels."""
    right = x * math.cos(AROUND) - y * math.sin(AROUND)
    far = x * math.sin(AROUND) + y * math.cos(AROUND)
    return MIDDLE[0] + SCALE * right, MIDDLE[1] - SCALE * (z * math.cos(ABOVE) + far * math.sin(ABOVE))


def vector(row, name):
    return [float(row[f"{name}.{axis}"]) for axis in "xyz"]


def text_of(values):
    return ";".join(f"{value:.1f}" for value in values)


def moving(attributes):
    """Elements `animate` for the attributes that change, each with one value per frame."""
    return "".join(
        f'<animate attributeName="{name}" dur="{PERIOD:.3f}s" repeatCount="indefinite" values="{values}"/>'
        for name, values in attributes.items()
        if len(set(values.split(";"))) > 1
    )


def line(ends, style):
    """A line that moves.   ends: [frames] of ((x, y), (x, y))"""
    columns = {
        "x1": text_of(a[0] for a, _ in ends),
        "y1": text_of(a[1] for a, _ in ends),
        "x2": text_of(b[0] for _, b in ends),
        "y2": text_of(b[1] for _, b in ends),
    }
    first = " ".join(f'{name}="{values.split(";")[0]}"' for name, values in columns.items())
    return f"<line {first} {style}>{moving(columns)}</line>"


def polygon(frames, style):
    """A polygon that moves.   frames: [frames] of [corners] of (x, y)"""
    values = [" ".join(f"{x:.1f},{y:.1f}" for x, y in corners) for corners in frames]
    return f'<polygon points="{values[0]}" {style}>{moving({"points": ";".join(values)})}</polygon>'


def main():
    motion = rows(*sys.argv[1:])
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="sans-serif" font-size="14">',
        "<title>Gough-Stewart platform with the forces of its six legs</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    base = [seen(*vector(motion[0], f"B{k}")) for k in LEGS]
    out.append(polygon([base], 'fill="#e4e7eb" stroke="#9aa5b1" stroke-width="1.5"'))
    legs, arrows, heads, joints = [], [], [], []
    for k in LEGS:
        a = [seen(*vector(row, f"A{k}")) for row in motion]
        tips = [
            seen(*(p + FORCE / SCALE * f for p, f in zip(vector(row, f"A{k}"), vector(row, f"F{k}")))) for row in motion
        ]
        legs.append(line([(base[k - 1], end) for end in a], 'stroke="#7b8794" stroke-width="6" stroke-linecap="round"'))
        arrows.append(line(list(zip(a, tips)), 'stroke="#c2410c" stroke-width="3.5"'))
        corners = []
        for (x, y), (u, v) in zip(a, tips):
            size = math.hypot(u - x, v - y) or 1.0
            dx, dy = (u - x) / size, (v - y) / size
            corners.append([(u + 10 * dx, v + 10 * dy), (u - 5 * dy, v + 5 * dx), (u + 5 * dy, v - 5 * dx)])
        heads.append(polygon(corners, 'fill="#c2410c"'))
        joints.append(f'<circle cx="{base[k - 1][0]:.1f}" cy="{base[k - 1][1]:.1f}" r="5" fill="#52606d"/>')
    plate = [[seen(*vector(row, f"A{k}")) for k in LEGS] for row in motion]
    out += legs + joints
    out.append(polygon(plate, 'fill="#2b6cb0" fill-opacity="0.75" stroke="#1a4971" stroke-width="2"'))
    out += arrows + heads
    out += [
        f'<line x1="24" y1="408" x2="{24 + 25 * FORCE:.0f}" y2="408" stroke="#c2410c" stroke-width="3.5"/>',
        f'<text x="{34 + 25 * FORCE:.0f}" y="413" fill="#323f4b">25 N: force of a leg on the platform</text>',
        "</svg>",
    ]
    print("\n".join(out))


if __name__ == "__main__":
    main()
