#!/usr/bin/env python3
"""Reference numbers of the models of tests/contacts that have no closed form.

Each system is written in coordinates of its own, in pieces between impacts, landings and lift-offs. The pieces are
closed forms, quadratures, or Taylor series with 30 digits (mpmath). The impacts are written by hand. Nothing is shared
with the engine. Run: python3 compute_unilateral.py > unilateral.json
"""

import json

from mpmath import asin, cos, findroot, linspace, mp, mpf, pi, quad, sin, sqrt

mp.dps = 30
G = mpf(10)


def digits(values):
    return {name: mp.nstr(value, 17) for name, value in values.items()}


def time_to_fall(inertia, height, a0):
    """Time from rest at a0 > 0 to 0 of one angle: inertia(a) a'^2/2 = G (height(a0) - height(a)).

    The substitution a = a0 - s^2 removes the singularity at rest.
    """
    slope = mp.diff(height, a0)

    def rate(s):
        if s == 0:
            return 2 * sqrt(inertia(a0) / (2 * G * slope))
        a = a0 - s * s
        return 2 * s * sqrt(inertia(a) / (2 * G * (height(a0) - height(a))))

    return quad(rate, linspace(0, sqrt(a0), 9), method="gauss-legendre")


def rod_on_a_smooth_floor(half="0.5", a0="1.2"):
    """A rod falls over with one end on a smooth floor. Height of its center: half sin(a)."""
    half, a0 = mpf(half), mpf(a0)
    return {"fall": time_to_fall(lambda a: half**2 * (cos(a) ** 2 + mpf(1) / 3), lambda a: half * sin(a), a0)}


def rocking_block(b="0.1", h="0.4", a0="0.02"):
    """Amplitudes and times of a block that rocks on a smooth floor; the impacts are inelastic."""
    b, h, a = mpf(b), mpf(h), mpf(a0)
    inertia = (b * b + h * h) / 3
    ratio = (inertia - b * b) / (inertia + b * b)

    def height(x):
        return b * sin(x) + h * cos(x)

    def quarter(amplitude):
        return time_to_fall(lambda x: inertia + (b * cos(x) - h * sin(x)) ** 2, height, amplitude)

    values, t, q = {}, mpf(0), mpf(0)
    for n in range(60):
        if n in (1, 4, 20):
            values["amplitude_%d" % n], values["time_%d" % n] = a, t
        for is_fall in (True, False):
            # small amplitudes: uniform acceleration, so that times have the ratio of the speeds
            q = quarter(a) if a > mpf(10) ** -9 else (q if is_fall else q * ratio)
            t += q
            if is_fall:
                energy = ratio**2 * (height(a) - h)
                a = findroot(lambda x: height(x) - h - energy, ratio**2 * a)
    values["limit"] = t
    return values


def ladder(l="2", a0="0.3"):
    """A ladder of length 2 l slides down a smooth wall from rest at the angle a0, leaves the wall, and falls flat."""
    l, a0 = mpf(l), mpf(a0)
    a1 = mp.acos(2 * cos(a0) / 3)
    slide = 2 * cos(a0) / 3 * sqrt(G * l * cos(a0) / 2)

    def on_the_wall(s):
        if s == 0:
            return 2 / sqrt(3 * G / (2 * l) * sin(a0))
        return 2 * s / sqrt(3 * G / (2 * l) * (cos(a0) - cos(a0 + s * s)))

    def on_the_floor(a):
        return sqrt(l * l * (sin(a) ** 2 + mpf(1) / 3) / (2 * G * l * (cos(a0) - cos(a)) - slide**2))

    leaves = quad(on_the_wall, linspace(0, sqrt(a1 - a0), 9), method="gauss-legendre")
    return {"leaves": leaves, "lands": leaves + quad(on_the_floor, linspace(a1, pi / 2, 9), method="gauss-legendre")}


def main():
    systems = {
        "ladder_leaves_the_wall": ladder(),
        "rod_slides_down_on_a_smooth_floor": rod_on_a_smooth_floor(),
        "block_rocks_on_a_smooth_floor": rocking_block(),
    }
    print(json.dumps({name: digits(values) for name, values in systems.items()}, indent=1))


if __name__ == "__main__":
    main()
