"""Reference numbers of the models for which the literature prints none, in 30-digit arithmetic.

Each system is integrated in a formulation without multipliers (polar velocities, one angle), so that nothing is shared
with the engine. Needs mpmath. Run: python3 compute_references.py > computed.json
"""

import json

from mpmath import asin, cos, ellipfun, ellipk, mp, mpf, odefun, pi, sin, sqrt

mp.dps = 30


def digits(value):
    return mp.nstr(value, 18)


def equal_magnitude_pucks():
    """[R] Example 4 in the common speed s and the two headings: (m1+m2) s' = F1.e1 + F2.e2, m s heading' = F.n."""
    m1, m2, f1, f2 = mpf(1), mpf(2), mpf(1), mpf(1)

    def rhs(_t, y):
        s, h1, h2 = y[:3]
        return [(f1 * cos(h1) + f2 * cos(h2)) / (m1 + m2), -f1 * sin(h1) / (m1 * s), -f2 * sin(h2) / (m2 * s),
                s * cos(h1), s * sin(h1), s * cos(h2), s * sin(h2)]

    heading = mp.atan2(1, mpf("0.25"))
    start = [sqrt(mpf("1.0625")), heading, -heading, mpf(2), mpf(1), mpf(1), mpf(0)]
    solution = odefun(rhs, 0, start)
    rows = []
    for t in range(5):
        s, h1, h2, q1, q2, q3, q4 = solution(t) if t else start
        s_dot = rhs(t, [s, h1, h2])[0]
        along_1 = m1 * s_dot - f1 * cos(h1)  # reaction on P1 along its velocity
        rows.append({"t": str(t), "q": [digits(x) for x in (q1, q2, q3, q4)],
                     "u": [digits(x) for x in (s * cos(h1), s * sin(h1), s * cos(h2), s * sin(h2))],
                     "C1": [digits(along_1 * cos(h1)), digits(along_1 * sin(h1))],
                     "C2": [digits(-along_1 * cos(h2)), digits(-along_1 * sin(h2))],
                     "lambda of v2.v2 - v1.v1": digits(-along_1 / s / 2)})
    return rows


def parallel_pucks_at_ten_seconds():
    """[R] Example 3 in the two speeds along the common heading: m_i s_i' = F_i.e,
    heading' = (s1 F1.n + s2 F2.n)/(m1 s1^2 + m2 s2^2); the end of the task of bench/."""
    m1, m2, f1, f2 = mpf(1), mpf(2), mpf("0.3"), mpf("0.7")

    def rhs(_t, y):
        s1, s2, h = y[:3]
        rate = (-s1 * f1 * sin(h) - s2 * f2 * sin(h)) / (m1 * s1**2 + m2 * s2**2)
        return [f1 * cos(h) / m1, f2 * cos(h) / m2, rate, s1 * cos(h), s1 * sin(h), s2 * cos(h), s2 * sin(h)]

    s1 = sqrt(mpf("1.0625"))
    solution = odefun(rhs, 0, [s1, 4 * s1, mp.atan2(4, 1), mpf(0), mpf(1), mpf(1), mpf(0)])
    return {t: [digits(x) for x in solution(mpf(t))[3:]] for t in ("4", "10")}


def bead_on_hoop():
    """Bead on a hoop of radius r turning at W about its vertical diameter, angle from the downward vertical:
    theta'' = (W^2 cos theta - g/r) sin theta; normal force of the hoop along -radius and across its plane."""
    m, r, g, w = mpf("0.5"), mpf("0.4"), mpf("9.81"), mpf(7)

    def rhs(_t, y):
        return [y[1], (w**2 * cos(y[0]) - g / r) * sin(y[0])]

    start = [mpf("0.5"), mpf(0)]
    solution = odefun(rhs, 0, start)
    rows = []
    for t in ("0", "0.5", "1", "2"):
        th, om = solution(mpf(t)) if t != "0" else start
        # Newton's law along the outward radius and normal to it: force of the hoop on the bead
        radial = -m * r * om**2 - m * r * w**2 * sin(th) ** 2 - m * g * cos(th)
        across = 2 * m * w * r * cos(th) * om
        rows.append({"t": t, "theta": digits(th), "theta'": digits(om), "radial": digits(radial), "across": digits(across),
                     "x": digits(r * sin(th) * cos(w * mpf(t))), "y": digits(r * sin(th) * sin(w * mpf(t))),
                     "z": digits(-r * cos(th))})
    return rows


def small_double_pendulum():
    """Two point masses on two rods, absolute angles from the downward vertical, released at 0.2 and 0.1 rad."""
    g = mpf("9.81")

    def rhs(_t, y):
        a, b, da, db = y
        c, s = cos(a - b), sin(a - b)
        r1, r2 = -s * db**2 - 2 * g * sin(a), s * da**2 - g * sin(b)
        det = 2 - c * c
        return [da, db, (r1 - c * r2) / det, (2 * r2 - c * r1) / det]

    start = [mpf("0.2"), mpf("0.1"), mpf(0), mpf(0)]
    solution = odefun(rhs, 0, start)
    rows = []
    for t in (0, 1, 5, 10):
        a, b, da, db = solution(t) if t else start
        dda, ddb = rhs(t, [a, b, da, db])[2:]
        # force of the lower rod on P2, along the rod towards P1, by Newton's law for P2 in the direction P2 -> P1
        ax = cos(a) * dda - sin(a) * da**2 + cos(b) * ddb - sin(b) * db**2
        ay = sin(a) * dda + cos(a) * da**2 + sin(b) * ddb + cos(b) * db**2
        lower = -sin(b) * ax + cos(b) * (ay + g)
        rows.append({"t": str(t), "x1": digits(sin(a)), "y1": digits(-cos(a)), "x2": digits(sin(a) + sin(b)),
                     "y2": digits(-cos(a) - cos(b)), "tension_lower": digits(lower)})
    return rows


def particle_four_bar():
    """Parallelogram of two unit particles on unit cranks, one unit coupler, cranks at phi from the upward vertical:
    phi'' = g sin phi, phi(0) = 0, phi'(0) = 1, so phi = 2 am(t/2 | -4 g)."""
    g = mpf("9.81")
    m = -4 * g
    rows = []
    for t in ("0", "0.5", "1", "2", "5", "10"):
        half = mpf(t) / 2
        sn, cn, dn = (ellipfun(kind, half, m=m) for kind in ("sn", "cn", "dn"))
        x, y, rate = 2 * sn * cn, 1 - 2 * sn**2, dn
        rows.append({"t": t, "x": digits(x.real), "y": digits(y.real), "x'": digits((rate * y).real),
                     "y'": digits((-rate * x).real)})
    quarter = mp.findroot(lambda t: ellipfun("sn", t / 2, m=m).real - 1 / sqrt(mpf(2)), mpf("0.5"))
    return {"rows": rows, "first_flat_pose": digits(quarter), "period": digits(4 * ellipk(m))}


def hinged_pendulum():
    """Physical pendulum released at rest at the angle theta0: theta = 2 asin(k sn(w t + K)), k = sin(theta0/2)."""
    m, l, inertia, g, theta0 = mpf(2), mpf("0.6"), mpf("0.3"), mpf("9.81"), mpf("1.2")
    w, k = sqrt(m * g * l / (inertia + m * l**2)), sin(theta0 / 2)
    quarter = ellipk(k**2)
    return {"angle": {t: digits(2 * asin(k * ellipfun("sn", w * mpf(t) + quarter, m=k**2).real)) for t in ("0.5", "1", "2")},
            "quarter_period": digits(quarter / w)}


def disk_falls_flat():
    """Time in which a disk, released at rest at the lean theta0, falls about its contact.

    theta'^2 = 8 g/(5 r) (cos theta0 - cos theta). The substitution theta = theta0 + s^2 removes the square root at the
    start.
    """
    g, r, theta0 = mpf("9.81"), mpf("0.25"), mpf("0.6")
    return digits(mp.quad(lambda s: 2 / sqrt(8 * g / (5 * r) * sin(theta0 + s**2 / 2) * mp.sinc(s**2 / 2)),
                          [0, sqrt(pi / 2 - theta0)]))


print(json.dumps({"equal_magnitude_pucks": equal_magnitude_pucks(), "parallel_pucks_at_ten_seconds": parallel_pucks_at_ten_seconds(),
                  "bead_on_hoop": bead_on_hoop(),
                  "small_double_pendulum": small_double_pendulum(), "particle_four_bar": particle_four_bar(),
                  "hinged_pendulum": hinged_pendulum(), "disk_falls_flat": disk_falls_flat()}, indent=1))
