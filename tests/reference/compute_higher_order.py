#!/usr/bin/env python3
"""Reference motions of constraints of higher order under the law of Hamilton and Lusternik, reduced by hand.

Writes higher_order.json. A particle of mass m moves in the plane with the potential k r^2/2. Its acceleration a or its
jerk j has a constant magnitude:

  F = (a.a - A^2)/2 = 0:   m a = -k r + d^2/dt^2(mu a).
                           With b = mu a, mu > 0:   b''  =  m a + k r,  a = A b/|b|,  r'' = a.
  F = (j.j - J^2)/2 = 0:   m a = -k r - d^3/dt^3(mu j).
                           With b = mu j, mu > 0:   b''' = -m a - k r,  j = J b/|b|,  r''' = j.

These are ordinary differential equations for (r, v, b, b', ...). No multiplier is differentiated, and no derivative of
F is used. They are integrated by Taylor series with 30 digits. mu = |b|/A, mu' = (b.b')/(A |b|).
"""

import json
import pathlib

from mpmath import mp, mpf, odefun, sqrt

mp.dps = 30


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1]


def of_size(b, size):
    norm = sqrt(dot(b, b))
    return [size * b[0] / norm, size * b[1] / norm]


def acceleration(m, k, size, r, v, a, a_rate, mu, mu_rate, times):
    b = [mu * x for x in a]
    b_rate = [mu_rate * x + mu * y for x, y in zip(a, a_rate)]

    def rates(t, y):
        r, v, b, b_rate = y[0:2], y[2:4], y[4:6], y[6:8]
        a = of_size(b, size)
        return v + a + b_rate + [m * a[i] + k * r[i] for i in range(2)]

    motion = odefun(rates, 0, r + v + b + b_rate)
    result = []
    for t in times:
        y = motion(t)
        r, v, b, b_rate = y[0:2], y[2:4], y[4:6], y[6:8]
        norm = sqrt(dot(b, b))
        a = of_size(b, size)
        result.append({"t": t, "r": r, "v": v, "a": a, "mu": norm / size, "mu'": dot(b, b_rate) / (size * norm),
                       "Q": [m * a[i] + k * r[i] for i in range(2)], "energy": (m * dot(v, v) + k * dot(r, r)) / 2})
    return result


def jerk(m, k, size, r, v, a, j, mu, mu_rate, mu_rate2, times):
    # j' = j'' = 0 at the start.
    b, b_rate, b_rate2 = ([factor * x for x in j] for factor in (mu, mu_rate, mu_rate2))

    def rates(t, y):
        r, v, a, b, b_rate, b_rate2 = (y[i:i + 2] for i in range(0, 12, 2))
        return v + a + of_size(b, size) + b_rate + b_rate2 + [-m * a[i] - k * r[i] for i in range(2)]

    motion = odefun(rates, 0, r + v + a + b + b_rate + b_rate2)
    result = []
    for t in times:
        y = motion(t)
        r, v, a, b, b_rate = (y[i:i + 2] for i in range(0, 10, 2))
        norm = sqrt(dot(b, b))
        result.append({"t": t, "r": r, "v": v, "a": a, "j": of_size(b, size), "mu": norm / size, "mu'": dot(b, b_rate) / (size * norm),
                       "Q": [m * a[i] + k * r[i] for i in range(2)], "energy": (m * dot(v, v) + k * dot(r, r)) / 2})
    return result


def numbers(x):
    if isinstance(x, list):
        return [numbers(y) for y in x]
    if isinstance(x, dict):
        return {key: numbers(y) for key, y in x.items()}
    return float(x)


def main():
    of = lambda *x: [mpf(y) for y in x]
    m, k = mpf(2), mpf(3)
    times = of("0.5", "1", "2")
    cases = {
        "constant_acceleration": acceleration(m, k, mpf("1.5"), of("0.4", "-0.3"), of("0.2", "0.7"), of("1.5", "0"), of("0", "0.9"), mpf("0.8"),
                                              mpf("-0.25"), times),
        "constant_jerk": jerk(m, k, mpf("2.5"), of("0.4", "-0.3"), of("0.2", "0.7"), of("-0.5", "0.3"), of("1.5", "2"), mpf("0.8"), mpf("0.3"),
                              mpf("-0.2"), times),
    }
    path = pathlib.Path(__file__).with_name("higher_order.json")
    path.write_text(json.dumps(numbers(cases), indent=1) + "\n")
    for name, rows in cases.items():
        for row in rows:
            print(name, {key: mp.nstr(mp.matrix(value).T if isinstance(value, list) else value, 18) for key, value in row.items()})


if __name__ == "__main__":
    main()
