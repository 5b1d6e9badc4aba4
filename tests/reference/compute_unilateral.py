#!/usr/bin/env python3
"""Reference numbers of the models of tests/contacts that have no closed form.

Each system is written in coordinates of its own, in pieces between impacts, landings and lift-offs. The pieces are
closed forms and quadratures with 30 digits (mpmath); the chain and the car are integrated with SciPy at its smallest
tolerance. The impacts are written by hand. Nothing is shared with the engine. Needs mpmath, NumPy and SciPy.
Run: python3 compute_unilateral.py > unilateral.json
"""

import json

import numpy as np
from mpmath import cos, findroot, linspace, mp, mpf, pi, quad, sin, sqrt
from scipy.integrate import solve_ivp

mp.dps = 30
G = mpf(10)


def digits(values):
    return {name: mp.nstr(value, 17) for name, value in values.items()}


def time_to_fall(inertia, height, a0, end=0):
    """Time from rest at a0 > end to the end of one angle: inertia(a) a'^2/2 = G (height(a0) - height(a)).

    The substitution a = a0 - s^2 removes the singularity at rest.
    """
    slope = mp.diff(height, a0)

    def rate(s):
        if s == 0:
            return 2 * sqrt(inertia(a0) / (2 * G * slope))
        a = a0 - s * s
        return 2 * s * sqrt(inertia(a) / (2 * G * (height(a0) - height(a))))

    return quad(rate, linspace(0, sqrt(a0 - end), 9), method="gauss-legendre")


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


def pushed_ladder(l="2", a0="0.3", w0="0.5"):
    """The same ladder with the angular speed w0 at the start."""
    l, a0, w0 = mpf(l), mpf(a0), mpf(w0)
    a1 = mp.acos(2 * (cos(a0) + w0**2 * l / (mpf("1.5") * G)) / 3)
    w1 = sqrt(w0**2 + 3 * G / (2 * l) * (cos(a0) - cos(a1)))
    slide = l * w1 * cos(a1)

    def on_the_wall(a):
        return 1 / sqrt(w0**2 + 3 * G / (2 * l) * (cos(a0) - cos(a)))

    def on_the_floor(a):
        twice = l * l * (4 * w0**2 / 3) + 2 * G * l * (cos(a0) - cos(a)) - slide**2
        return sqrt(l * l * (sin(a) ** 2 + mpf(1) / 3) / twice)

    leaves = quad(on_the_wall, linspace(a0, a1, 9))
    return {"leaves": leaves, "lands": leaves + quad(on_the_floor, linspace(a1, pi / 2, 9))}


def first_root(f, begin, end, parts=2000):
    """The first root after `begin`; f is positive shortly after it."""
    t = [begin + (end - begin) * k / parts for k in range(parts + 1)]
    for k in range(1, parts):
        if f(t[k + 1]) < 0 <= f(t[k]):
            return findroot(f, (t[k], t[k + 1]), solver="anderson", tol=1e-50)
    raise ValueError("no root")


def platform(M="2", m="1", k="600", z0="-0.15"):
    """A mass on a platform on a spring: lift-off at the free length, and the landing."""
    M, m, k, z0 = mpf(M), mpf(m), mpf(k), mpf(z0)
    w, w1, down, down1 = sqrt(k / (M + m)), sqrt(k / M), (M + m) * G / k, M * G / k
    amplitude = -z0 - down
    t1 = mp.acos(-down / amplitude) / w
    v1 = amplitude * w * sin(w * t1)

    def platform_at(s):
        return -down1 + down1 * cos(w1 * s) + v1 / w1 * sin(w1 * s)

    def rate_of_platform(s):
        return -down1 * w1 * sin(w1 * s) + v1 * cos(w1 * s)

    s = first_root(lambda s: v1 * s - G * s * s / 2 - platform_at(s), mpf("0.02"), mpf(1))
    common = (m * (v1 - G * s) + M * rate_of_platform(s)) / (m + M)
    # together again, until the free length
    z = platform_at(s) + down
    t = mpf("0.5") - t1 - s
    end = -down + z * cos(w * t) + common / w * sin(w * t)
    return {"lifts": t1, "lands": t1 + s, "common_speed": common, "end": end}


def cam(m="0.5", k="800", F0="5", a="0.01", w="70"):
    """A cam y = a (1 - cos w t) throws off its follower: landing, speeds there."""
    m, k, F0, a, w = mpf(m), mpf(k), mpf(F0), mpf(a), mpf(w)
    t1 = mp.acos(-(F0 + k * a) / ((m * w * w - k) * a)) / w
    w0 = sqrt(k / m)
    y1, v1 = a * (1 - cos(w * t1)), a * w * sin(w * t1)

    def follower(t):
        return -F0 / k + (y1 + F0 / k) * cos(w0 * (t - t1)) + v1 / w0 * sin(w0 * (t - t1))

    t2 = first_root(lambda t: follower(t) - a * (1 - cos(w * t)), t1 + mpf("0.001"), t1 + mpf("0.1"))
    return {"lifts": t1, "lands": t2, "impulse": m * (a * w * sin(w * t2) - mp.diff(follower, t2))}


def bowl(p="1.5", e="0.9", x=("0.4", "0", "0.8"), v=("0.1", "0.5", "0"), end=4):
    """Bounces in the paraboloid z = (x^2 + y^2)/(2 p). The gap along a flight is quadratic in the time."""
    p, e, x, v = mpf(p), mpf(e), [mpf(i) for i in x], [mpf(i) for i in v]
    t, values = mpf(0), {}
    for n in range(1, 100):
        # gap: c + b s - a s^2
        a = G / 2 + (v[0] ** 2 + v[1] ** 2) / (2 * p)
        b = v[2] - (x[0] * v[0] + x[1] * v[1]) / p
        c = x[2] - (x[0] ** 2 + x[1] ** 2) / (2 * p) if n == 1 else mpf(0)
        s = (b + sqrt(b * b + 4 * a * c)) / (2 * a)
        last = t + s > end
        s = min(s, end - t)
        x = [x[0] + v[0] * s, x[1] + v[1] * s, x[2] + v[2] * s - G * s * s / 2]
        v = [v[0], v[1], v[2] - G * s]
        t += s
        if last:
            return values | dict(zip(["x", "y", "z", "vx", "vy", "vz"], x + v))
        normal = [-x[0] / p, -x[1] / p, mpf(1)]
        rate = sum(i * j for i, j in zip(v, normal))
        factor = -(1 + e) * rate / sum(i * i for i in normal)
        v = [i + factor * j for i, j in zip(v, normal)]
        values["impact_%d" % n] = t


def impact_damper(M="1", m="0.2", k="100", F="6", w="10.5", d="0.1", e="0.7", end="2"):
    """A ball in a driven box on a spring."""
    M, m, k, F, w, d, e, end = (mpf(i) for i in (M, m, k, F, w, d, e, end))
    w0, A = sqrt(k / M), F / (k - M * w * w)
    t0, X, V, x, v, count = mpf(0), mpf(0), mpf(0), d / 2, mpf(0), 0
    while True:
        C, S = X - A * sin(w * t0), (V - A * w * cos(w * t0)) / w0

        def box(t):
            return A * sin(w * t) + C * cos(w0 * (t - t0)) + S * sin(w0 * (t - t0))

        def rate(t):
            return A * w * cos(w * t) - C * w0 * sin(w0 * (t - t0)) + S * w0 * cos(w0 * (t - t0))

        def room(t):
            gap = x + v * (t - t0) - box(t)
            return gap * (d - gap)

        try:
            t1 = first_root(room, t0 + mpf("1e-6"), end, 4000)
        except ValueError:
            return {"impacts": mpf(count), "X": box(end), "V": rate(end), "x": x + v * (end - t0), "v": v}
        X, V, x = box(t1), rate(t1), x + v * (t1 - t0)
        p = (1 + e) * M * m / (M + m) * (V - v)
        V, v, t0, count = V - p / M, v + p / m, t1, count + 1


def four_bar(a="0.3", b="0.5", c="0.4", d="0.6", ma="1", mb="2", mc="1.5", h="0.1", e="0.6", q0="1.2"):
    """Impacts of a four-bar linkage on a stop. With one coordinate an impact changes its rate by the factor -e."""
    a, b, c, d, ma, mb, mc, h, e, q0 = (mpf(i) for i in (a, b, c, d, ma, mb, mc, h, e, q0))

    def angles(q):
        ax, ay = a * cos(q), a * sin(q)
        D2 = (ax - d) ** 2 + ay**2
        q3 = mp.atan2(ay, ax - d) % (2 * pi) - mp.acos((c * c + D2 - b * b) / (2 * c * sqrt(D2)))
        return mp.atan2(c * sin(q3) - ay, d + c * cos(q3) - ax), q3

    def place(q):
        q2, q3 = angles(q)
        return [
            a / 2 * cos(q), a / 2 * sin(q), q, a * cos(q) + b / 2 * cos(q2), a * sin(q) + b / 2 * sin(q2), q2,
            d + c / 2 * cos(q3), c / 2 * sin(q3), q3,
        ]  # fmt: skip

    weights = [ma, ma, ma * a * a / 12, mb, mb, mb * b * b / 12, mc, mc, mc * c * c / 12]

    def inertia(q):
        step = mpf(10) ** -8
        rates = [
            (8 * (i - j) - (k - n)) / (12 * step)
            for i, j, k, n in zip(place(q + step), place(q - step), place(q + 2 * step), place(q - 2 * step))
        ]
        return sum(w * r * r for w, r in zip(weights, rates))

    def height(q):
        p = place(q)
        return ma * p[1] + mb * p[4] + mc * p[7]

    def tip(q):
        p = place(q)
        return p[4] + h * cos(p[5])

    stop = findroot(tip, (mpf("-1.1"), mpf("-1.0")), solver="anderson")
    t1 = time_to_fall(inertia, height, q0, stop)
    low, energy = height(stop), height(q0)
    turn = findroot(lambda q: height(q) - low - e * e * (energy - low), mpf("-0.49"))
    half = time_to_fall(inertia, height, turn, stop)
    return {"stop": stop, "first": t1, "turn": turn, "turns": t1 + half, "second": t1 + 2 * half,
            "energy": G * energy, "energy_after": G * (low + e * e * (energy - low))}  # fmt: skip


def chain(l=0.5, e=0.5, m=(1.0, 0.7, 0.4), start=(1.0, 0.7, 0.3), end=0.45):
    """Three links with knees q2 <= q1 and q3 <= q2."""
    sums = np.cumsum(np.array(m)[::-1])[::-1]
    table = np.array([[sums[max(i, j)] for j in range(3)] for i in range(3)])

    def mass(q):
        return l * l * table * np.cos(q[:, None] - q[None, :])

    def rates(t, y):
        q, u = y[:3], y[3:]
        f = -l * l * (table * np.sin(q[:, None] - q[None, :])) @ (u * u) - 10 * l * sums * np.sin(q)
        return np.concatenate([u, np.linalg.solve(mass(q), f)])

    def knee(k):
        def gap(t, y):
            return y[k] - y[k + 1]

        gap.terminal, gap.direction = True, -1
        return gap

    t, y, values = 0.0, np.array(start + (0.0, 0.0, 0.0)), {}
    for n in range(1, 100):
        run = solve_ivp(rates, (t, end), y, "DOP853", rtol=1e-13, atol=1e-15, events=[knee(0), knee(1)], max_step=1e-3)
        t, y = run.t[-1], run.y[:, -1]
        if run.status != 1:
            return values | dict(zip(["q1", "q2", "q3", "u1", "u2", "u3"], map(mpf, y)))
        k = 0 if len(run.t_events[0]) else 1
        W = np.zeros(3)
        W[k], W[k + 1] = 1.0, -1.0
        change = np.linalg.solve(mass(y[:3]), W)
        y[3:] -= (1 + e) * (W @ y[3:]) / (W @ change) * change
        y[k] = y[k + 1] = (y[k] + y[k + 1]) / 2
        values["impact_%d" % n] = mpf(t)


def curb(ms=300.0, mu=40.0, mc=2.0, ks=2e4, cs=1500.0, kt=2e5, ct=200.0, H=0.08, begin=0.1, rise=0.03):
    """A quarter car over a smooth curb. On the road the tread moves with it; then the three masses are free."""

    def road(t):
        s = min(max((t - begin) / rise, 0.0), 1.0)
        return (H * s**3 * (10 - 15 * s + 6 * s * s), H / rise * 30 * s * s * (1 - s) ** 2,
                H / rise**2 * 60 * s * (1 - s) * (1 - 2 * s))  # fmt: skip

    def forces(y):
        zs, zu, zc, vs, vu, vc = y
        return ks * (zs - zu) + cs * (vs - vu), kt * (zu - zc) + ct * (vu - vc)

    def on_road(t, y):
        y = np.array(y)
        y[2], y[5], acc = road(t)
        Fs, Ft = forces(y)
        return [y[3], y[4], y[5], -Fs / ms - 10, (Fs - Ft) / mu - 10, acc]

    def push(t, y):
        y = np.array(y)
        y[2], y[5], acc = road(t)
        return mc * (acc + 10) - forces(y)[1]

    def free(t, y):
        Fs, Ft = forces(y)
        return [y[3], y[4], y[5], -Fs / ms - 10, (Fs - Ft) / mu - 10, Ft / mc - 10]

    def gap(t, y):
        return y[2] - road(t)[0]

    def piece(rates, event, t, y, end):
        event.terminal, event.direction = True, -1
        run = solve_ivp(rates, (t, end), y, "DOP853", rtol=1e-13, atol=1e-16, events=[event], max_step=5e-5)
        return run.t[-1], run.y[:, -1], run.status == 1

    sum_ = ms + mu
    zu = -sum_ * 10 / kt
    y = np.array([zu - ms * 10 / ks, zu, 0.0, 0.0, 0.0, 0.0])
    t, y, lifted = piece(on_road, push, begin, y, begin + rise)
    values = {}
    if not lifted:
        t, y, lifted = piece(on_road, push, t, y, 1.0)
    y[2], y[5], _ = road(t)
    values["lifts"] = mpf(t)
    t, y, _ = piece(free, lambda t, y: gap(t, y) if t > float(values["lifts"]) + 1e-4 else 1.0, t, y, 1.0)
    values["lands"], values["impulse"] = mpf(t), mpf(mc * (road(t)[1] - y[5]))
    y[2], y[5], _ = road(t)
    t, y, lifted = piece(on_road, push, t, y, 1.0)
    return values | dict(zip(["zs", "zu", "zc", "vs", "vu", "vc"], map(mpf, y))) | {"t": mpf(t)}


def cart_and_load(M=3.0, m=2.0, l=0.8, e=0.5, v=1.0, b=0.5, a=0.4, end=1.0):
    """A cart with a pendulum runs into a buffer: the impulse acts on the cart."""
    def rates(t, y):
        x, a, u, w = y
        s, c = np.sin(a), np.cos(a)
        acc = np.linalg.solve([[M + m, m * l * c], [m * l * c, m * l * l]], [m * l * s * w * w, -m * 10 * l * s])
        return [u, w, acc[0], acc[1]]

    def gap(t, y):
        return b - y[0]

    gap.terminal, gap.direction = True, -1
    t, y, values = 0.0, np.array([0.0, a, v, 0.0]), {}
    for n in range(1, 100):
        run = solve_ivp(rates, (t, end), y, "DOP853", rtol=1e-13, atol=1e-15, events=[gap], max_step=1e-3)
        t, y = run.t[-1], run.y[:, -1]
        if run.status != 1:
            return values | dict(zip(["x", "a", "u", "w"], map(mpf, y)))
        s, c = np.sin(y[1]), np.cos(y[1])
        p = (1 + e) * y[2] * (M + m * s * s)
        values |= {"impact_%d" % n: mpf(t), "impulse_%d" % n: mpf(p)}
        y[2] -= p / (M + m * s * s)
        y[3] += p / (M + m * s * s) * c / l
        y[0] = b


def box_on_its_edge(m=3.0, inertia=0.1, a=0.3, h=0.1, c=0.5, k=40.0, end=2.3):
    """A box tips over two of its feet on a smooth floor under a growing load. One angle q."""
    tips = 1 + m * 10 * a / (k * (c - a))

    def rates(t, y):
        q, w = y
        z1, z2 = a * np.cos(q) - h * np.sin(q), -a * np.sin(q) - h * np.cos(q)
        load = k * (t - 1)
        return [w, (-m * z1 * z2 * w * w - m * 10 * z1 - load * (z1 - c * np.cos(q))) / (inertia + m * z1 * z1)]

    run = solve_ivp(rates, (tips, end), [0.0, 0.0], "DOP853", rtol=1e-13, atol=1e-18, max_step=1e-3)
    q, w = run.y[:, -1]
    return {"tips": mpf(tips), "q": mpf(q), "w": mpf(w), "z": mpf(a * np.sin(q) + h * np.cos(q))}


def main():
    systems = {
        "cart_with_pendulum_hits_a_buffer": cart_and_load(),
        "box_lands_on_four_feet": box_on_its_edge(),
        "ball_bounces_in_a_bowl": bowl(),
        "impact_damper": impact_damper(),
        "four_bar_with_a_stop": four_bar(),
        "chain_with_knees": chain(),
        "quarter_car_jumps_off_a_curb": curb(),
        "oscillating_platform_throws_a_mass": platform(),
        "cam_throws_its_follower": cam(),
        "ladder_leaves_the_wall": ladder(),
        "ladder_is_pushed_off_its_wall": pushed_ladder(),
        "rod_slides_down_on_a_smooth_floor": rod_on_a_smooth_floor(),
        "block_rocks_on_a_smooth_floor": rocking_block(),
    }
    print(json.dumps({name: digits(values) for name, values in systems.items()}, indent=1))


if __name__ == "__main__":
    main()
