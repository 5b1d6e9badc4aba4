"""Reference numbers of three models of the thesis (Roithmayr 2007).

  ball_at_constant_speed  closed form and a quadrature
  equal_distances         coordinates that satisfy the constraint: P2, the common distance r, and two directions a, b
  prescribed_arm          equations of Newton and Euler, from the outer rod to the inner one

Nothing is shared with the engine. Needs mpmath. Run: python3 compute_thesis.py > thesis.json
"""

import json

from mpmath import atan, cos, diff, exp, lu_solve, matrix, mp, mpf, pi, quad, sin, tan

mp.dps = 30
GRAVITY = mpf("9.81")


def text(value):
    return mp.nstr(value, 18)


def ball(t):
    """Rolling gives the effective inertia 7/5 m normal to the velocity: phi' = -(5/7) g sin(slope) sin(phi)/v."""
    v, rate = mpf("1.5"), mpf(5) / 7 * GRAVITY * sin(20 * pi / 180) / mpf("1.5")
    phi = lambda s: 2 * atan(tan(mpf("0.6")) * exp(-rate * s))
    return {"x": text(quad(lambda s: v * cos(phi(s)), [0, t])), "y": text(quad(lambda s: v * sin(phi(s)), [0, t]))}


def extrapolated(rate, y, t, stages=12):
    """One step of length t by the modified midpoint rule, extrapolated over 2, 4, 6 … substeps."""
    table, counts = [], [2 * (k + 1) for k in range(stages)]
    for k, count in enumerate(counts):
        h = t / count
        before, now = y, [a + h * b for a, b in zip(y, rate(y))]
        for _ in range(count - 1):
            before, now = now, [a + 2 * h * b for a, b in zip(before, rate(now))]
        row = [[(a + b + h * c) / 2 for a, b, c in zip(before, now, rate(now))]]
        for j in range(1, k + 1):
            factor = (mpf(counts[k]) / counts[k - j]) ** 2 - 1
            row.append([a + (a - b) / factor for a, b in zip(row[j - 1], table[-1][j - 1])])
        table.append(row)
    return table[-1][-1]


MASSES = (1, 2, mpf("1.5"))


def tether_rate(y):
    """y = (x2, y2, r, a, b) and their rates. M q'' = -Jᵀ m (J' q' + g) of the three places."""
    q, u = y[:5], y[5:]
    r, directions = q[2], (q[3], None, q[4])
    M, f = matrix(5, 5), matrix(5, 1)
    for mass, (angle, at) in zip(MASSES, ((directions[0], 3), (None, None), (directions[2], 4))):
        J, bias = [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0]], [mpf(0), GRAVITY]
        if angle is not None:
            e, n, w = (cos(angle), sin(angle)), (-sin(angle), cos(angle)), u[at]
            for k in range(2):
                J[k][2], J[k][at] = e[k], r * n[k]
                bias[k] += 2 * u[2] * w * n[k] - r * w * w * e[k]
        for i in range(5):
            for j in range(5):
                M[i, j] += mass * (J[0][i] * J[0][j] + J[1][i] * J[1][j])
            f[i] -= mass * (J[0][i] * bias[0] + J[1][i] * bias[1])
    return list(u) + list(lu_solve(M, f))


def tether(times):
    a, b = mpf("0.3"), mpf("2.5")
    v1, v2, v3 = ((mpf("0.45465113249604949"), mpf("0.82337323263275275")), (mpf("0.5"), mpf(0)),
                  (mpf("0.69885456335298712"), mpf("0.60038059814895162")))
    relative = lambda v: (v[0] - v2[0], v[1] - v2[1])
    one, three = relative(v1), relative(v3)
    y = [mpf(0), mpf(0), mpf(1), a, b, v2[0], v2[1], one[0] * cos(a) + one[1] * sin(a), -one[0] * sin(a) + one[1] * cos(a),
         -three[0] * sin(b) + three[1] * cos(b)]
    found, t, h = {}, mpf(0), mpf("0.05")
    for end in times:
        while t < end - h / 2:
            y, t = extrapolated(tether_rate, y, h), t + h
        x2, y2, r, p, s = y[:5]
        found[str(end)] = {"x1": text(x2 + r * cos(p)), "y1": text(y2 + r * sin(p)), "x2": text(x2), "y2": text(y2),
                           "x3": text(x2 + r * cos(s)), "y3": text(y2 + r * sin(s))}
    return found


def arm(t):
    """Forces and torques of two rods with known angles, from the outer rod inwards."""
    l1, l2, m1, m2 = mpf("0.5"), mpf("0.4"), mpf(2), mpf("1.5")
    first = lambda s: mpf("0.6") * sin(2 * s)
    second = lambda s: mpf("1.5") + mpf("0.5") * (cos(3 * s) - 1)
    both = lambda s: first(s) + second(s)
    elbow = (lambda s: l1 * cos(first(s)), lambda s: l1 * sin(first(s)))
    lower = (lambda s: elbow[0](s) + l2 / 2 * cos(both(s)), lambda s: elbow[1](s) + l2 / 2 * sin(both(s)))
    upper = (lambda s: l1 / 2 * cos(first(s)), lambda s: l1 / 2 * sin(first(s)))
    second_rate = lambda f: diff(f, t, 2)
    at_elbow = [m2 * second_rate(lower[0]), m2 * (second_rate(lower[1]) + GRAVITY)]
    pin = [at_elbow[0] + m1 * second_rate(upper[0]), at_elbow[1] + m1 * (second_rate(upper[1]) + GRAVITY)]
    cross = lambda r, F: r[0] * F[1] - r[1] * F[0]
    from_lower = [elbow[k](t) - lower[k](t) for k in range(2)]
    motor2 = m2 * l2**2 / 12 * second_rate(both) - cross(from_lower, at_elbow)
    from_upper = [-upper[k](t) for k in range(2)]
    to_elbow = [elbow[k](t) - upper[k](t) for k in range(2)]
    motor1 = m1 * l1**2 / 12 * second_rate(first) + motor2 - cross(from_upper, pin) + cross(to_elbow, at_elbow)
    return {"motor1": text(motor1), "motor2": text(motor2), "pin": [text(pin[0]), text(pin[1])]}


print(json.dumps({"ball_at_constant_speed": {str(t): ball(t) for t in (1, 2)}, "equal_distances": tether((1, 2)),
                  "prescribed_arm": {str(t): arm(mpf(t)) for t in ("0", "0.7", "2")}}, indent=1))
