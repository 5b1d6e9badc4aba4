"""Reference numbers of the models of rigid bodies and blades for which the literature prints none.

Each system is integrated in a formulation without multipliers: Euler's equations, quasi-coordinates, elliptic
functions, or a prescribed motion resolved by hand. Nothing is shared with the engine. Needs mpmath.
Run: python3 compute_bodies.py > bodies.json
"""

import json

from mpmath import cos, diff, ellipfun, exp, matrix, mp, mpf, odefun, quad, sin, sqrt

mp.dps = 30


def digits(value, count=18):
    return mp.nstr(value, count)


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def torque_free_body():
    """Euler's equations with I1 < I2 < I3 and H^2 > 2 T I2, started with w2 = 0: w1 = a cn, w2 = b sn, w3 = c dn.
    Landau & Lifshitz, Mechanics, section 37."""
    inertia, w = [mpf(1), mpf(2), mpf(3)], [mpf("0.8"), mpf(0), mpf(2)]
    i1, i2, i3 = inertia
    twice_t = sum(i * x * x for i, x in zip(inertia, w))
    h2 = sum((i * x) ** 2 for i, x in zip(inertia, w))
    a = sqrt((twice_t * i3 - h2) / (i1 * (i3 - i1)))
    b = sqrt((twice_t * i3 - h2) / (i2 * (i3 - i2)))
    c = sqrt((h2 - twice_t * i1) / (i3 * (i3 - i1)))
    rate = sqrt((i3 - i2) * (h2 - twice_t * i1) / (i1 * i2 * i3))
    m = (i2 - i1) * (twice_t * i3 - h2) / ((i3 - i2) * (h2 - twice_t * i1))
    rows = []
    for t in ("1", "5", "20"):
        sn, cn, dn = (ellipfun(kind, rate * mpf(t), m=m).real for kind in ("sn", "cn", "dn"))
        rows.append({"t": t, "w": [digits(a * cn), digits(b * sn), digits(c * dn)]})
    return rows


def particle_in_body():
    """Body and particle as one rigid body: Euler's equations about the common mass centre.

    The force on P is m a_P, in the axes of the body.
    """
    big, m = mpf(4), mpf("0.5")
    inertia, r = [mpf("0.3"), mpf("0.5"), mpf("0.6")], [mpf("0.2"), mpf("-0.3"), mpf("0.4")]
    reduced = big * m / (big + m)
    whole = matrix(3, 3)
    for i in range(3):
        for j in range(3):
            whole[i, j] = (inertia[i] if i == j else 0) + reduced * ((dot(r, r) if i == j else 0) - r[i] * r[j])
    inverse = whole**-1

    def w_dot(w):
        k = cross(w, [sum(whole[i, j] * w[j] for j in range(3)) for i in range(3)])
        return [-sum(inverse[i, j] * k[j] for j in range(3)) for i in range(3)]

    start = [mpf(1), mpf(2), mpf("-1.5")]
    solution = odefun(lambda _t, w: w_dot(w), 0, start)
    rho = [big / (big + m) * x for x in r]
    rows = []
    for t in ("0", "1", "3"):
        w = solution(mpf(t)) if t != "0" else start
        a = [x + y for x, y in zip(cross(w_dot(w), rho), cross(w, cross(w, rho)))]
        rows.append({"t": t, "w": [digits(x) for x in w], "force": [digits(m * x) for x in a]})
    return rows


BLADE_M1, BLADE_M2, BLADE_L = mpf(1), mpf(2), mpf("0.5")
BLADE_F1, BLADE_F2 = (mpf("0.3"), mpf(0)), (mpf(0), mpf("0.7"))


def axes(angle):
    return (cos(angle), sin(angle)), (-sin(angle), cos(angle))


def blade_across_the_rod():
    """m1 v1' = F1.b2, m2 v2' = F2.b2, theta' = (v2 - v1)/(2 L)."""
    m1, m2, length, f1, f2 = BLADE_M1, BLADE_M2, BLADE_L, BLADE_F1, BLADE_F2

    def rhs(_t, y):
        _, b2 = axes(y[2])
        v = (y[0] + y[1]) / 2
        return [dot(f1, b2) / m1, dot(f2, b2) / m2, (y[1] - y[0]) / (2 * length), v * b2[0], v * b2[1]]

    solution = odefun(rhs, 0, [mpf("0.6"), mpf("1.4"), mpf("0.2"), mpf(0), mpf(0)])
    rows = []
    for t in ("1", "2"):
        v1, v2, theta, x, y = solution(mpf(t))
        b1, _ = axes(theta)
        blade = -(m1 * v1 + m2 * v2) * (v2 - v1) / (2 * length) - dot(f1, b1) - dot(f2, b1)
        rows.append({"t": t, "x": digits(x), "y": digits(y), "theta": digits(theta), "blade": digits(blade)})
    return rows


def blade_along_the_rod():
    """(m1 + m2) u' + (m1 - m2) L w^2 = F.b1 and the moment about the midpoint."""
    m1, m2, length, f1, f2 = BLADE_M1, BLADE_M2, BLADE_L, BLADE_F1, BLADE_F2

    def accelerations(y):
        u, w, theta = y[:3]
        b1, b2 = axes(theta)
        u_dot = (dot(f1, b1) + dot(f2, b1) - (m1 - m2) * length * w**2) / (m1 + m2)
        return u_dot, ((dot(f2, b2) - dot(f1, b2)) - (m2 - m1) * u * w) / (length * (m1 + m2))

    def rhs(_t, y):
        u_dot, w_dot = accelerations(y)
        b1, _ = axes(y[2])
        return [u_dot, w_dot, y[1], y[0] * b1[0], y[0] * b1[1]]

    solution = odefun(rhs, 0, [mpf(1), mpf("0.8"), mpf("0.2"), mpf(0), mpf(0)])
    rows = []
    for t in ("1", "2"):
        at = solution(mpf(t))
        u, w, theta, x, y = at
        _, w_dot = accelerations(at)
        _, b2 = axes(theta)
        blade = m1 * (u * w - length * w_dot) + m2 * (u * w + length * w_dot) - dot(f1, b2) - dot(f2, b2)
        rows.append({"t": t, "x": digits(x), "y": digits(y), "theta": digits(theta), "blade": digits(blade)})
    return rows


def two_blades_on_a_fork():
    """m1 u2' = F1.b2, m2 u4' = F2.b1, theta' = -u2/d, d' = u4."""
    def rhs(_t, y):
        u2, u4, theta, d = y[:4]
        b1, b2 = axes(theta)
        return [dot(BLADE_F1, b2) / BLADE_M1, dot(BLADE_F2, b1) / BLADE_M2, -u2 / d, u4, u2 * b2[0], u2 * b2[1]]

    solution = odefun(rhs, 0, [mpf("0.5"), mpf("0.4"), mpf("0.2"), mpf(1), mpf(0), mpf(0)])
    rows = []
    for t in ("1", "2"):
        _, _, theta, d, x, y = solution(mpf(t))
        rows.append({"t": t, "x": digits(x), "y": digits(y), "theta": digits(theta), "distance": digits(d)})
    return rows


def cubic_pendulum():
    """Three links, theta_k = C theta_(k-1)'^3: the constraints give the upper accelerations, the last link its own."""
    c, l, g = mpf("0.1"), mpf("0.5"), mpf("9.81")

    def rhs(_t, y):
        t1, t2, t3, d1, d2, d3 = y
        a1, a2 = d2 / (3 * c * d1**2), d3 / (3 * c * d2**2)
        a3 = -(a1 * cos(t1 - t3) + a2 * cos(t2 - t3) - d1**2 * sin(t1 - t3) - d2**2 * sin(t2 - t3)) - g / l * sin(t3)
        return [d1, d2, d3, a1, a2, a3]

    d1, d2 = mpf("1.2"), mpf(1)
    solution = odefun(rhs, 0, [mpf("0.3"), c * d1**3, c * d2**3, d1, d2, mpf("0.8")])
    return [{"t": t, "theta, theta'": [digits(x) for x in solution(mpf(t))]} for t in ("0.1", "0.2")]


def constant_angular_speed():
    """I w' + w x I w = mu w with mu such that w.w' = 0."""
    inertia = [mpf(1), mpf(2), mpf("2.5")]

    def multiplier(w):
        k = cross(w, [i * x for i, x in zip(inertia, w)])
        return dot(w, [x / i for x, i in zip(k, inertia)]) / dot(w, [x / i for x, i in zip(w, inertia)]), k

    def rhs(_t, w):
        mu, k = multiplier(w)
        return [(mu * x - y) / i for x, y, i in zip(w, k, inertia)]

    solution = odefun(rhs, 0, [mpf(1), mpf("0.5"), mpf("-0.8")])
    rows = []
    for t in ("1", "4"):
        w = solution(mpf(t))
        rows.append({"t": t, "w": [digits(x) for x in w], "torque over w": digits(multiplier(w)[0])})
    return rows


def panes_and_blade():
    """Plane motion in panes that turn with w about y: centrifugal force in the plane, Coriolis force across it."""
    m1, m2, length, w = mpf(1), mpf("0.5"), mpf("0.4"), mpf(2)

    def parts(y):
        s, rate, phi, x2, _ = y
        ex, ey = axes(phi)
        f1, f2 = m1 * w * w * (x2 - length * ex[0]), m2 * w * w * x2
        s_dot = ((f1 + f2) * ex[0] - m1 * length * rate**2) / (m1 + m2)
        return s_dot, (s * rate - f1 * ey[0] / m1) / length, ex, ey, f1, f2

    def rhs(_t, y):
        s_dot, rate_dot, ex, *_ = parts(y)
        return [s_dot, rate_dot, y[1], y[0] * ex[0], y[0] * ex[1]]

    start = [mpf("0.3"), mpf("0.7"), mpf("0.4"), mpf("0.5"), mpf("0.1")]
    solution = odefun(rhs, 0, start)
    rows = []
    for t in ("0", "1", "1.5"):
        at = solution(mpf(t)) if t != "0" else start
        s, rate, phi, x2, y2 = at
        s_dot, _, ex, ey, f1, f2 = parts(at)
        rows.append({"t": t, "x2": digits(x2), "y2": digits(y2), "phi": digits(phi),
                     "pane on P1": digits(-2 * w * m1 * (s * ex[0] - length * rate * ey[0])),
                     "pane on P2": digits(-2 * w * m2 * s * ex[0]),
                     "rod on P1": digits(m1 * (s_dot + length * rate**2) - f1 * ex[0]),
                     "blade on P2": digits(m2 * s * rate - f2 * ey[0])})
    return rows


def pole_on_foot():
    """A thin pole whose direction n(t) is prescribed, moved by a horizontal force on its foot.

    l f = mu n - I n'', f_z = m (g + l n_z'').
    """
    mp.dps = 20
    m, l, g = mpf("0.7"), mpf("0.6"), mpf("9.81")
    inertia = m * (2 * l) ** 2 / 12
    n = [lambda t: mpf("0.2") * exp(-t), lambda t: mpf("0.1") * exp(-2 * t)]
    n.append(lambda t: sqrt(1 - n[0](t) ** 2 - n[1](t) ** 2))

    def force(t):
        second = [diff(f, t, 2) for f in n]
        mu = (l * m * (g + l * second[2]) + inertia * second[2]) / n[2](t)
        return [(mu * n[k](t) - inertia * second[k]) / l for k in (0, 1)], second

    rows = []
    for t in (mpf("0.5"), mpf(2)):
        path = [quad(lambda s, k=k: (t - s) * (force(s)[0][k] / m - l * force(s)[1][k]), [0, t]) for k in (0, 1)]
        rows.append({"t": digits(t, 3), "force": [digits(x, 16) for x in force(t)[0]], "foot": [digits(x, 15) for x in path]})
    mp.dps = 30
    return rows


SYSTEMS = (torque_free_body, particle_in_body, blade_across_the_rod, blade_along_the_rod, two_blades_on_a_fork, cubic_pendulum,
           constant_angular_speed, panes_and_blade, pole_on_foot)
print(json.dumps({system.__name__: system() for system in SYSTEMS}, indent=1))
