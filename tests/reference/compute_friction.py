"""Reference numbers of the models with friction, and of a model with prescribed acceleration.

They come from closed forms, and from equations of motion without multipliers that are written for each system.
Nothing is shared with the engine. Needs mpmath. Run: python3 compute_friction.py > friction.json
"""

import json

from mpmath import atan, cos, exp, findroot, log, mp, mpf, odefun, pi, quad, sin, sqrt, tan

mp.dps = 30
G = mpf("9.81")


def digits(value, count=18):
    return mp.nstr(value, count)


def wedge():
    """Block m = 1 on a free wedge M = 3 at 30 degrees, with friction mu = 0.2.

    N follows from Newton's two equations for the block and the one for the wedge. "actual": the friction is mu N.
    "ideal": the friction is mu times the N of the smooth wedge.
    """
    m, M, mu, a = mpf(1), mpf(3), mpf("0.2"), pi / 6

    def motion(friction_of):
        # Wedge: M A = -N sin a + F cos a. Block: relative acceleration s down the slope; its equations along and across
        # the slope are written in the frame of the wedge.
        def residual(N):
            F = friction_of(N)
            A = (-N * sin(a) + F * cos(a)) / M
            return N - m * G * cos(a) - m * A * sin(a)
        N = findroot(residual, m * G)
        F = friction_of(N)
        A = (-N * sin(a) + F * cos(a)) / M
        s = G * sin(a) - F / m - A * cos(a)
        return N, A, s
    smooth = motion(lambda N: mpf(0))[0]
    actual, ideal = motion(lambda N: mu * N), motion(lambda N: mu * smooth)
    return {"actual": [digits(x) for x in actual], "ideal_normal": digits(smooth), "ideal": [digits(x) for x in ideal],
            "columns": "N, acceleration of the wedge, relative acceleration down the slope"}


def incline():
    """Block up a rough incline, alpha = 0.5, mu = 0.3, v = 4: stops and slides back; with mu = 0.8 it stays."""
    a, v, rows = mpf("0.5"), mpf(4), {}
    for mu in (mpf("0.3"), mpf("0.8")):
        up, back = G * (sin(a) + mu * cos(a)), G * (sin(a) - mu * cos(a))
        t, x = v / up, v * v / (2 * up)
        left = 2 - t
        moved = back * left ** 2 / 2 if tan(a) > mu else mpf(0)
        rows[digits(mu, 3)] = {"t1": digits(t), "x1": digits(x), "x_at_2": digits(x - moved)}
    return rows


def hoops():
    R, mu, v = mpf("0.8"), mpf("0.25"), mpf(3)
    t = mpf(5)
    horizontal = {"v_at_5": digits(v / (1 + mu * v * t / R)), "angle_at_5": digits(log(1 + mu * v * t / R) / mu)}

    def square(angle, begin, w2, mu):
        particular = lambda at: 2 * G / R * ((1 - 2 * mu ** 2) * cos(at) - 3 * mu * sin(at)) / (1 + 4 * mu ** 2)
        return (w2 - particular(begin)) * exp(-2 * mu * (angle - begin)) + particular(angle)
    w2 = square(mpf(1), mpf(0), mpf(81), mu)
    time = quad(lambda at: 1 / sqrt(square(at, mpf(0), mpf(81), mu)), [0, 1])
    rest = findroot(lambda at: square(at, mpf("-1.4"), mpf(0), mpf("0.5")), mpf("0.1"))
    return {"horizontal": horizontal, "vertical": {"t": digits(time), "w2": digits(w2), "N": digits(G * cos(1) + R * w2)},
            "vertical_from_rest_at_-1.4_mu_0.5": {"angle_of_rest": digits(rest)}}


def belt():
    """Mass on a spring on a belt. It starts at x = 0 with the speed of the belt.

    It sticks until the spring pulls with mu_s m g. Then it slips harmonically about mu m g/k until it has the speed of
    the belt again.
    """
    m, k, mu, mu_s, v = mpf("1.5"), mpf(40), mpf("0.25"), mpf("0.4"), mpf("0.3")
    omega = sqrt(k / m)
    release, middle = mu_s * m * G / k, mu * m * G / k
    a = release - middle
    slip = (2 * pi - 2 * atan(a * omega / v)) / omega
    stick = 2 * a / v
    times, t = [], release / v
    for i in range(6):
        times.append(digits(t))
        t += slip if i % 2 == 0 else stick
    first = release / v
    x = lambda tau: middle + a * cos(omega * tau) + v / omega * sin(omega * tau)
    mid = slip / 2
    return {"changes": times, "period": digits(slip + stick), "caught_at": digits(middle - a), "release_at": digits(release),
            "in_the_first_slip": {"t": digits(first + mid), "x": digits(x(mid))}}


def slope():
    """Puck that slides across a slope of alpha = 0.3 rad with mu = 0.5, v = 2.

    Friction turns it into the line of fall and stops it. If theta is the angle to the line of fall,
    v = v0 tan(theta/2)^p/sin(theta), p = mu/tan(alpha). Time and place are integrals over theta.
    """
    a, mu, v0 = mpf("0.3"), mpf("0.5"), mpf(2)
    p, pull = mu / tan(a), G * sin(a)
    v = lambda th: v0 * tan(th / 2) ** p / sin(th)
    upto = [mpf(0), mpf("0.01"), mpf("0.3"), pi / 2]
    time = quad(lambda th: v(th) / (pull * sin(th)), upto)
    down = quad(lambda th: v(th) ** 2 * cos(th) / (pull * sin(th)), upto)
    across = quad(lambda th: v(th) ** 2 / pull, upto)
    return {"t": digits(time, 12), "down": digits(down, 12), "across": digits(across, 12)}


def pair():
    """Two particles on a free rod, damped and with friction, both internal: w' = -a w - mu w^2, a = c (1/m1 + 1/m2)."""
    m1, m2, c, mu, w0, t = mpf(1), mpf(3), mpf("0.6"), mpf("0.2"), mpf(5), mpf(2)
    a = c * (1 / m1 + 1 / m2)
    w = a * w0 * exp(-a * t) / (a + mu * w0 * (1 - exp(-a * t)))
    angle = log(1 + mu * w0 / a * (1 - exp(-a * t))) / mu
    return {"w_at_2": digits(w), "angle_at_2": digits(angle)}


def bearing():
    """Rod of length l that swings about a pin at the distance l from its centre, with the friction torque mu r |R|.

    Each swing, from rest to rest, is integrated by d(w^2)/d(angle) = 2 angle''. The acceleration angle'' is found by
    iteration, with R from Newton's law for the centre. The motion ends where m g l |sin(angle)| <= mu r m g.
    """
    m, l, r, mu = mpf(2), mpf("0.5"), mpf("0.04"), mpf("0.6")
    inertia = m * l * l * mpf(13) / 12
    mp.dps = 20

    def acceleration(angle, w2, sense):
        a = mpf(0)
        for _ in range(25):
            R = m * sqrt((G * cos(angle) + l * w2) ** 2 + (l * a + G * sin(angle)) ** 2)
            a = (-m * G * l * sin(angle) - mu * r * R * sense) / inertia
        return a
    angle, turns = mpf("1.2"), []
    while abs(l * sin(angle)) > mu * r:
        sense = -1 if angle > 0 else 1
        begin = angle
        w2 = odefun(lambda s, y: [2 * sense * acceleration(begin + sense * s, y[0], sense)], 0, [mpf(0)], tol=mpf(10) ** -16)
        s = findroot(lambda x: w2(x)[0], (2 * abs(begin) - 0.05, 2 * abs(begin) - 0.04), tol=mpf(10) ** -26)
        angle = begin + sense * s
        turns.append(digits(angle, 13))
    mp.dps = 30
    return {"angles_of_rest": turns}


def prescribed_acceleration():
    """|acc| = 7 under gravity and quadratic drag: along the force, q'' = 7 F/|F|, F = -m g z - 0.3 |v| v, m = 2."""
    m, drag, size = mpf(2), mpf("0.3"), mpf(7)

    def rate(t, y):
        v = y[3:6]
        speed = sqrt(sum(c * c for c in v))
        F = [-drag * speed * c for c in v]
        F[2] -= m * G
        n = sqrt(sum(c * c for c in F))
        return v + [size * c / n for c in F]
    mp.dps = 22
    y = odefun(rate, 0, [mpf(0), mpf(0), mpf(0), mpf(3), mpf(1), mpf(4)], tol=mpf(10) ** -18)
    rows = [{"t": t, "q": [digits(x, 15) for x in y(mpf(t))[:3]], "v": [digits(x, 15) for x in y(mpf(t))[3:]]} for t in ("0.75", "1.5")]
    mp.dps = 30
    lemniscate = quad(lambda s: 1 / sqrt(1 - s ** 4), [0, mpf("0.5"), 1])
    return {"with_drag": rows, "pendulum_stops": digits(sqrt(mpf(2) / 15) * lemniscate)}


print(json.dumps({"wedge": wedge(), "incline": incline(), "hoop": hoops(), "belt": belt(), "slope": slope(), "pair": pair(), "bearing": bearing(),
                  "prescribed_acceleration": prescribed_acceleration()}, indent=1))
