"""Draws the scaled vectors of a system with three speeds and one row, as in Fig. 1 of Udwadia & Kalaba 2002: ker B as
a plane, range B' as the axis across it. The numbers come from the command. Run:

    vinculum explain --geometry --json models/nonideal_cone.vin --set a0=2 |
        python3 docs/figures/geometry_of_constrained_motion.py > FILE.svg
"""

import json
import math
import sys

WIDTH, HEIGHT = 640, 480
AROUND, ABOVE = math.radians(-14), math.radians(16)  # direction of view


def points_text(points):
    """The attribute `points` of an SVG polyline."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def scaled(k, a):
    return [k * x for x in a]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(a):
    return scaled(1 / math.sqrt(dot(a, a)), a)


def main():
    geometry = json.load(sys.stdin)["geometry"]
    vectors = {one["name"]: one["value"] for one in geometry["vectors"]}
    up = unit(vectors["B^+ b"] if dot(vectors["B^+ b"], vectors["B^+ b"]) > 0 else vectors["B^+ e"])
    along = unit(vectors["N (a_s + c_s)"])
    aside = cross(up, along)

    def seen(v):
        x, y, z = dot(v, along), dot(v, aside), dot(v, up)
        x, y = x * math.cos(AROUND) - y * math.sin(AROUND), x * math.sin(AROUND) + y * math.cos(AROUND)
        return x, z * math.cos(ABOVE) + y * math.sin(ABOVE)

    def plus(a, b):
        return [x + y for x, y in zip(a, b)]

    in_kernel, ideal, given, deviation = (vectors[name] for name in ("N (a_s + c_s)", "B^+ e", "a_s", "u'_s - a_s"))
    of_given = plus(given, scaled(-dot(given, up), up))  # N a_s
    origin = [0.0, 0.0, 0.0]
    extent = 1.15 * max(math.sqrt(dot(of_given, of_given)), math.sqrt(dot(in_kernel, in_kernel)))
    corners = [
        plus(scaled(p * extent, along), scaled(q * extent, aside))
        for p, q in ((-0.12, -0.5), (1, -0.5), (1, 0.5), (-0.12, 0.5))
    ]
    points = [seen(v) for v in list(vectors.values()) + corners + [plus(given, ideal)]]
    left, right = min(p[0] for p in points), max(p[0] for p in points)
    low, high = min(p[1] for p in points), max(p[1] for p in points)
    factor = min((WIDTH - 120) / (right - left), (HEIGHT - 90) / (high - low))

    def at(v):
        x, y = seen(v)
        return 50 + (x - left) * factor, HEIGHT - 45 - (y - low) * factor

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="14">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    out.append('<polygon points="' + points_text(map(at, corners)) + '" fill="#eef3f8" stroke="#b8c8d8"/>')
    x, y = at(corners[3])
    out.append(f'<text x="{x + 14:.1f}" y="{y + 18:.1f}" fill="#60748a">ker B</text>')

    def line(a, b, colour, dash=""):
        (x1, y1), (x2, y2) = at(a), at(b)
        out.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"'
            + (f' stroke-dasharray="{dash}"' if dash else "")
            + "/>"
        )

    def arrow(a, b, colour, name, dx, dy, width=2.2):
        (x1, y1), (x2, y2) = at(a), at(b)
        length = math.hypot(x2 - x1, y2 - y1)
        ex, ey = (x2 - x1) / length, (y2 - y1) / length
        back, half = min(11, 0.5 * length), min(4, 0.2 * length)
        tip = [
            (x2, y2),
            (x2 - back * ex - half * ey, y2 - back * ey + half * ex),
            (x2 - back * ex + half * ey, y2 - back * ey - half * ex),
        ]
        out.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2 - 0.8 * back * ex:.1f}" y2="{y2 - 0.8 * back * ey:.1f}" '
            f'stroke="{colour}" stroke-width="{width}"/>'
        )
        out.append(f'<polygon points="{points_text(tip)}" fill="{colour}"/>')
        out.append(f'<text x="{(x1 + x2) / 2 + dx:.1f}" y="{(y1 + y2) / 2 + dy:.1f}" fill="{colour}">{name}</text>')

    def square(corner, a, b):
        side = 0.05 * extent
        p, q = scaled(side, unit(a)), scaled(side, unit(b))
        path = [at(plus(corner, p)), at(plus(plus(corner, p), q)), at(plus(corner, q))]
        out.append('<polyline points="' + points_text(path) + '" fill="none" stroke="#444"/>')

    acceleration = vectors["u'_s"]
    top = plus(given, ideal)  # a_s + B^+ e: where the ideal acceleration ends
    line(given, of_given, "#999", "4 3")
    line(in_kernel, acceleration, "#999", "4 3")
    line(origin, of_given, "#999", "4 3")
    line(origin, in_kernel, "#999", "4 3")
    square(of_given, scaled(-1, of_given), scaled(1 if dot(given, up) > 0 else -1, up))
    square(top, scaled(-1, ideal), vectors["N c_s"])
    arrow(origin, given, "#1b6ca8", "a<tspan dy='4' font-size='10'>s</tspan>", -22, 8)
    arrow(given, plus(given, vectors["c_s"]), "#c4571b", "c<tspan dy='4' font-size='10'>s</tspan>", 8, 12)
    arrow(given, top, "#2b8a3e", "B⁺e", 10, 0)
    arrow(top, acceleration, "#c4571b", "N c<tspan dy='4' font-size='10'>s</tspan>", -8, -8)
    scaled_by_s = "<tspan dy='4' font-size='10'>s</tspan>"
    arrow(given, acceleration, "#7a3fa0", f"u'{scaled_by_s}<tspan dy='-4'> − a</tspan>{scaled_by_s}", 12, -26, 1.4)
    arrow(origin, acceleration, "#111", "u'<tspan dy='4' font-size='10'>s</tspan>", -14, -8)
    lengths = ", ".join(
        f"|{name}| = {math.sqrt(dot(vectors[key], vectors[key])):.3f}"
        for name, key in (("aₛ", "a_s"), ("cₛ", "c_s"), ("u'ₛ", "u'_s"), ("u'ₛ − aₛ", "u'_s - a_s"))
    )
    out.append(f'<text x="20" y="{HEIGHT - 14}" fill="#333">{lengths} m/s² √kg</text>')
    out.append("</svg>")
    print("\n".join(out))


if __name__ == "__main__":
    main()
