"""Reference numbers of models/split_in_coordinates.vin: constraint force, and its ideal and non-ideal parts.

The system is stated in coordinates without bodies. The forces follow from the printed formulas of Udwadia & Kalaba 2002
(eqs. 24, 32, 38), with a symmetric square root of M and pseudo-inverses from singular values. The motion is integrated
by extrapolation of the modified midpoint rule. Nothing is shared with the engine. Needs mpmath.
Run: python3 compute_split.py > split.json
"""

import json

from mpmath import cos, diag, eigsy, matrix, mp, mpf, sin, sqrt, svd_r

mp.dps = 30
M = matrix([[2, 1, 0], [1, 3, mpf(1) / 2], [0, mpf(1) / 2, 1]])
COPIES = (1, 3)  # the nonlinear row is stated twice
SLOPE, STIFF, DRAG, CROSS = mpf("0.3"), mpf("1.5"), mpf(4), mpf("2.5")


def symmetric_root(S, power):
    values, vectors = eigsy(S)
    return vectors * diag([v ** power for v in values]) * vectors.T


ROOT, INVERSE_ROOT = symmetric_root(M, mpf(1) / 2), symmetric_root(M, -mpf(1) / 2)


def pseudo_inverse(B):
    U, S, V = svd_r(B)
    keep = [1 / s if s > mpf(10) ** -20 * S[0] else mpf(0) for s in S]
    return V.T * diag(keep) * U.T


def pieces(t, q, v):
    """Given forces f, rows A and b, and C of the virtual work; all derivatives by hand."""
    x, y, z = q
    p, r, s = v
    f = matrix([-STIFF * x, -2 * y + cos(t), -mpf("0.7") * z - mpf("0.2") * s])
    # p^2 + r^2 - s^2 = 2 slope (x sin t + z/10), and s - x r = 0
    row = [2 * p, 2 * r, -2 * s]
    right = 2 * SLOPE * (p * sin(t) + x * cos(t) + s / 10)
    A = matrix([[k * a for a in row] for k in COPIES] + [[0, -x, 1]])
    b = matrix([k * right for k in COPIES] + [p * r])
    speed = sqrt(p * p + r * r + s * s)
    C = matrix([-DRAG * speed * p, -DRAG * speed * r + CROSS * s, -DRAG * speed * s])
    return f, A, b, C


def split(t, q, v):
    f, A, b, C = pieces(t, q, v)
    a = M ** -1 * f
    B = A * INVERSE_ROOT
    B_plus = pseudo_inverse(B)
    e = b - A * a
    ideal = ROOT * (B_plus * e)
    c_s = INVERSE_ROOT * C
    nonideal = ROOT * (c_s - B_plus * (B * c_s))
    u_dot = M ** -1 * (f + ideal + nonideal)
    gauss = ((u_dot - a).T * M * (u_dot - a))[0]
    return {"a": a, "e": e, "Q_ideal": ideal, "Q_nonideal": nonideal, "u_dot": u_dot, "gauss": gauss,
            "B_plus_e": sqrt(((B_plus * e).T * (B_plus * e))[0]),
            "N_c_s": sqrt(((INVERSE_ROOT * nonideal).T * (INVERSE_ROOT * nonideal))[0])}


def rate(t, state):
    q, v = state[:3], state[3:]
    return list(v) + list(split(t, q, v)["u_dot"])


def midpoint(t, state, h, n):
    """Modified midpoint rule with n substeps over h (Gragg)."""
    step = h / n
    before, now = state, [x + step * d for x, d in zip(state, rate(t, state))]
    for k in range(1, n):
        before, now = now, [x + 2 * step * d for x, d in zip(before, rate(t + k * step, now))]
    last = rate(t + h, now)
    return [(a + b + step * d) / 2 for a, b, d in zip(before, now, last)]


def extrapolated(t, state, h, orders=9):
    table, counts = [], [2 * (k + 1) for k in range(orders)]
    for k, n in enumerate(counts):
        row = [midpoint(t, state, h, n)]
        for j in range(k):
            factor = (mpf(n) / counts[k - 1 - j]) ** 2 - 1
            row.append([a + (a - b) / factor for a, b in zip(row[j], table[-1][j])])
        table.append(row)
    return table[-1][-1], max(abs(a - b) for a, b in zip(table[-1][-1], table[-1][-2]))


def digits(value, count=18):
    if hasattr(value, "rows"):
        return [mp.nstr(x, count) for x in value]
    return mp.nstr(value, count)


def main():
    # at t = 0 s = x r and r^2 (1 - x^2) = 2 slope z/10 - p^2
    x, y, z, p = mpf("0.4"), mpf("-0.3"), mpf("5"), mpf("0.2")
    r = sqrt((2 * SLOPE * z / 10 - p * p) / (1 - x * x))
    state, t, worst = [x, y, z, p, r, x * r], mpf(0), mpf(0)
    samples = []
    steps = 24
    for k in range(steps + 1):
        if k % 12 == 0:
            found = split(t, state[:3], state[3:])
            q = dict(zip(("x", "y", "z", "x'", "y'", "z'"), (digits(w) for w in state)))
            samples.append({"t": digits(t, 3), "state": q, **{name: digits(value) for name, value in found.items()}})
        if k < steps:
            state, error = extrapolated(t, state, mpf(1) / steps)
            worst, t = max(worst, error), t + mpf(1) / steps
    print(json.dumps({"samples": samples, "largest estimated error of a step": mp.nstr(worst, 3)}, indent=1))


if __name__ == "__main__":
    main()
