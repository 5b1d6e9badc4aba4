"""Reference numbers of models whose motion enters a sliding mode on a switching surface, or crosses kinks.

They come from closed forms and from the roots between the switchings. Nothing is shared with the engine. Needs mpmath.
Run: python3 compute_switches.py > switches.json
"""

import json

from mpmath import cos, exp, findroot, mp, mpf, odefun, pi, sign, sin, asin, sqrt

mp.dps = 30


def digits(value, count=18):
    return mp.nstr(value, count)


def relay(samples):
    """x'' = -sign(x + c x'), c = 1/4, x(0) = 1, x'(0) = 0.

    The motion consists of parabolas up to the first switching with |x'| <= c. From there x' = -x/c (sliding mode).
    """
    c, t, x, v, side = mpf(1) / 4, mpf(0), mpf(1), mpf(0), mpf(1)
    arcs = []
    while True:
        arcs.append((t, x, v, side))
        # x + v s - side s^2/2 + c (v - side s) = 0
        a, b, d = -side / 2, v - c * side, x + c * v
        roots = [(-b + e * sqrt(b * b - 4 * a * d)) / (2 * a) for e in (1, -1)]
        s = min(r for r in roots if r > mpf("1e-20"))
        t, x, v = t + s, x + v * s - side * s * s / 2, v - side * s
        if abs(v) <= c:
            break
        side = -side

    def at(time):
        if time >= t:
            now = x * exp(-(time - t) / c)
            return now, -now / c
        t0, x0, v0, s0 = [arc for arc in arcs if arc[0] <= time][-1]
        s = time - t0
        return x0 + v0 * s - s0 * s * s / 2, v0 - s0 * s

    return {"slides_from": digits(t), "samples": {str(time): [digits(n) for n in at(mpf(time))] for time in samples}}


def signal(samples):
    """x' = -sign(x) + 1.5 sin(t), x(0) = 0.5: at 0 while 1.5 |sin t| < 1."""
    k = mpf(3) / 2
    t, x, side, events, arcs = mpf(0), mpf("0.5"), mpf(1), [], []
    while t < 21:
        arcs.append((t, x, side))
        f = lambda s: x - side * (s - t) + k * (cos(t) - cos(s))
        s = t + mpf("0.01")
        while f(s) * side > 0:
            s += mpf("0.01")
        t, x = findroot(f, (s - mpf("0.01"), s), solver="anderson"), mpf(0)
        events.append(["reaches", digits(t)])
        if abs(k * sin(t)) < 1:
            arcs.append((t, x, mpf(0)))
            n = int(t / pi)
            leave = next(m * pi + asin(1 / k) for m in range(n, n + 3) if m * pi + asin(1 / k) > t)
            t, side = leave, sign(sin(leave))
            events.append(["leaves", digits(t)])
        else:
            side = -side

    def at(time):
        t0, x0, s0 = [arc for arc in arcs if arc[0] <= time][-1]
        return mpf(0) if s0 == 0 else x0 - s0 * (time - t0) + k * (cos(t0) - cos(time))

    return {"events": events, "samples": {str(time): digits(at(mpf(time))) for time in samples}}


def carried_pivot(samples):
    """theta'' = -g sin(theta)/L between the kinks of the pivot's motion.

    At a kink the only impulse is along the rod, so the velocity of the bob across the rod does not change:
    theta'+ = theta'- - dV.(cos, sin)/L.
    """
    L, g = mpf("0.8"), mpf("9.81")
    kinks = [(mpf(1), (mpf("0.8"), mpf(0))), (mpf("1.7"), (mpf("-0.8"), mpf("0.5"))), (mpf("2.5"), (mpf(0), mpf("-0.5")))]
    t, state, found = mpf(0), [mpf("0.3"), mpf(0)], {}
    for end, dV in [*kinks, (mpf(max(samples)), None)]:
        motion = odefun(lambda _, y: [y[1], -g * sin(y[0]) / L], t, state)
        found.update({str(s): [digits(n) for n in motion(mpf(str(s)))] for s in samples if t < mpf(str(s)) <= end})
        t, state = end, list(motion(end))
        if dV:
            state[1] -= (dV[0] * cos(state[0]) + dV[1] * sin(state[0])) / L
    return found


print(json.dumps({"relay": relay([1, 3, 4, 5, 6]), "signal": signal([2, 3.6, 6, 8, 10, 15, 20]),
                  "carried_pivot": carried_pivot([0.5, 1.5, 2.4, 4, 6])}, indent=1))
