"""Draws the paths of the pucks in Figures 21 to 23 of the thesis: paths_of_pucks.py FOLDER TARGET.

FOLDER has the results of models/figures_pucks.vin. Writes thesis_21_paths.svg and so on into TARGET. Each pair is drawn
in its plane, with the same scale in both directions and a dot at every half second.
"""

import csv
import pathlib
import sys

WIDTH, HEIGHT, MARGIN = 640, 420, 56
COLOURS = ("#1f5fa8", "#c25000", "#1f5fa8", "#c25000")
FIGURES = {
    "thesis_21_paths": ("Velocities stay parallel", [("a", "")]),
    "thesis_22_paths": ("Velocities stay of one size", [("b", "")]),
    "thesis_23_paths": ("Velocities stay perpendicular (dashed: without the constraint)", [("c", ""), ("d", "6 4")]),
}


def columns_of(folder):
    """The columns of trajectory.csv by name, as numbers."""
    with open(pathlib.Path(folder) / "trajectory.csv", encoding="utf-8") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    return {name: [float(row[k]) for row in rows[1:]] for k, name in enumerate(rows[0])}


def paths_of(columns, pairs):
    """(xs, ys, dash, colour) of each puck."""
    return [
        (columns[f"{pair}[{2 * puck + 1}]"], columns[f"{pair}[{2 * puck + 2}]"], dash, COLOURS[puck])
        for pair, dash in pairs
        for puck in range(2)
    ]


def drawn(title, columns, pairs):
    """The picture as text."""
    paths = paths_of(columns, pairs)
    xs = [x for path in paths for x in path[0]]
    ys = [y for path in paths for y in path[1]]
    scale = min((WIDTH - 2 * MARGIN) / (max(xs) - min(xs)), (HEIGHT - 2 * MARGIN) / (max(ys) - min(ys)))

    def place(x, y):
        return MARGIN + (x - min(xs)) * scale, HEIGHT - MARGIN - (y - min(ys)) * scale

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13" fill="#1c2733" role="img">',
        f"<title>{title}</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="{MARGIN}" y="28" font-size="16" font-weight="600">{title}</text>',
    ]
    for x, y, dash, colour in paths:
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in map(place, x, y))
        style = f' stroke-dasharray="{dash}"' if dash else ""
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{style}/>')
        for k, t in enumerate(columns["t"]):
            if abs(t / 0.5 - round(t / 0.5)) < 1e-9 and not dash:
                a, b = place(x[k], y[k])
                lines.append(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>')
    a, b = place(min(xs), min(ys))
    lines.append(f'<path d="M{a:.1f} {b + 24:.1f}h{scale:.1f}" stroke="#1c2733" stroke-width="2"/>')
    lines.append(f'<text x="{a + scale + 8:.1f}" y="{b + 28:.1f}">1 m</text>')
    return "\n".join([*lines, "</svg>", ""])


def main():
    folder, target = sys.argv[1:]
    columns = columns_of(folder)
    for name, (title, pairs) in FIGURES.items():
        (pathlib.Path(target) / f"{name}.svg").write_text(drawn(title, columns, pairs), encoding="utf-8")


if __name__ == "__main__":
    main()
