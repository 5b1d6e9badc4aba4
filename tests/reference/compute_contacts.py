#!/usr/bin/env python3
"""Reference motions of the frictional speed reducer, the commutator machine and the Appell-Hamel device.

The first two are computed under five reaction laws; the machine has a sliding electric contact. Writes contacts.json.

Each system is written in as many speeds as it has degrees of freedom, with the forces of the law projected by hand. So
no multiplier is solved for, no state is projected, and nothing is shared with the engine. The motions are Taylor series
with 30 digits (mpmath).

  reducer:  disk phi1, roller phi2 at the distance x; x phi1' = r phi2'. With w = phi1' and the forces (H1, H2, Hx)
            that the law adds:
            (J1 + J2 x^2/r^2) w' = H1 + (x/r) H2 - J2 x x' w/r^2,   m x'' = -k (x - xs) + Hx,
            lambda = (H2 - J2 phi2'')/r
  machine:  brush axes, qa' = i sin(th), qb' = i cos(th):   J w' = -psi i - c w,   Lr i' = psi w - R i + e,
            Ls is' = es - Rs is,   psi = M is + mu,   lambda = Lr w i + M is'.
            The gyroscopic law adds the terms with h_s and h_a (see the code).
  device:   heading rate w0 exp(-kappa s), where s is the path of the wheel; s'' = (m rho w^2 + m g b/a)/Me
"""

import json
import pathlib

from mpmath import cos, exp, mp, mpf, odefun, sin

mp.dps = 30
LAWS = ["ideal", "adiabatic", "gyroscopic", "vakonomic", "vakonomic_started"]


def reducer(law, times):
    J1, J2, m, r, k, xs = (mpf(x) for x in ("0.5", "0.8", "0.6", "0.25", "9", "0.4"))
    h1, h2 = mpf("0.2"), mpf("-0.15")

    def forces(x_rate, w, w2, mu):
        if law == "gyroscopic":
            return -h1 * x_rate, -h2 * x_rate, h1 * w + h2 * w2
        return -mu * x_rate, mpf(0), mu * w

    def rates(t, y):
        phi1, phi2, x, w, x_rate, mu = y
        w2 = x * w / r
        H1, H2, Hx = forces(x_rate, w, w2, mu)
        w_rate = (H1 + x / r * H2 - J2 * x * x_rate * w / r**2) / (J1 + J2 * x * x / r**2)
        lam = (H2 - J2 * (x_rate * w + x * w_rate) / r) / r
        return [w, w2, x_rate, w_rate, (-k * (x - xs) + Hx) / m, -lam if law.startswith("vakonomic") else mpf(0)], lam, (H1, H2, Hx)

    mu = {"adiabatic": mpf("0.4"), "vakonomic_started": mpf("0.4")}.get(law, mpf(0))
    motion = odefun(lambda t, y: rates(t, y)[0], 0, [mpf(0), mpf(0), mpf("0.3"), mpf(6), mpf("0.5"), mu])
    rows = []
    for t in times:
        phi1, phi2, x, w, x_rate, mu = y = motion(t)
        lam, (H1, H2, Hx) = rates(t, y)[1:]
        rows.append({"t": t, "q": [phi1, phi2, x], "u": [w, x * w / r, x_rate], "mu": mu, "lambda": lam, "Q": [H1 + lam * x, H2 - lam * r, Hx]})
    return rows


def machine(law, times):
    J, Lr, Ls, M, R, Rs, c, e, es = (mpf(x) for x in ("0.02", "0.05", "0.8", "0.3", "0.6", "40", "0.01", "-24", "80"))
    h_s, h_a = (mpf("0.05"), mpf("0.02")) if law == "gyroscopic" else (mpf(0), mpf(0))

    def rates(t, y):
        th, w, i, i_s, mu, qa, qb, qs = y
        psi = M * i_s + mu
        s_rate = (es - Rs * i_s - h_s * w) / Ls
        i_rate = (psi * w - R * i + e - h_a * w * sin(th)) / Lr
        w_rate = (-psi * i - c * w + h_s * i_s + h_a * i * sin(th)) / J
        lam = Lr * w * i + M * s_rate + h_a * w * cos(th)  # voltage along d
        return [w, w_rate, i_rate, s_rate, -lam if law.startswith("vakonomic") else mpf(0), i * sin(th), i * cos(th), i_s], lam

    mu = {"adiabatic": mpf("0.1"), "vakonomic_started": mpf("-0.2")}.get(law, mpf(0))
    motion = odefun(lambda t, y: rates(t, y)[0], 0, [mpf(0), mpf(10), mpf(5), mpf("1.5"), mu, mpf(0), mpf(0), mpf(0)])
    rows = []
    for t in times:
        th, w, i, i_s, mu, qa, qb, qs = y = motion(t)
        rows.append({"t": t, "q": [th, qa, qb, qs], "u": [w, i * sin(th), i * cos(th), i_s], "mu": mu, "lambda": rates(t, y)[1]})
    return rows


def device(K, I, rho, times):
    m, a, b, g, w0 = (mpf(x) for x in ("0.8", "0.3", "0.2", "9.81", "-0.7"))
    Me, kappa = m * (1 + b * b / a**2) + I / a**2, m * rho / (K + m * rho * rho)

    def rates(t, y):
        x, yy, th, s, u = y
        w = w0 * exp(-kappa * s)
        return [u * cos(th), u * sin(th), w, u, (m * rho * w * w + m * g * b / a) / Me]

    motion = odefun(rates, 0, [mpf(0), mpf(0), mpf("1.1"), mpf(0), mpf("0.8")])
    rows = []
    for t in times:
        x, y, th, s, u = state = motion(t)
        rows.append({"t": t, "q": [x, y, th, s / a, 2 - b / a * s], "u": [u * cos(th), u * sin(th), w0 * exp(-kappa * s), u / a, -b / a * u],
                     "tension": m * (g - b / a * rates(t, state)[4])})
    return rows


def numbers(x):
    if isinstance(x, list):
        return [numbers(y) for y in x]
    if isinstance(x, dict):
        return {key: numbers(y) for key, y in x.items()}
    return float(x) if isinstance(x, mpf) else x


def main():
    of = lambda *x: [mpf(y) for y in x]
    cases = {
        "speed_reducer": {law: reducer(law, of("0.5", "1", "1.5") if law.startswith("vakonomic") else of("0.5", "1", "2")) for law in LAWS},
        "sliding_contact": {law: machine(law, of("0.05", "0.1", "0.2")) for law in LAWS},
        "appell_hamel": {name: device(mpf(K), mpf(I), mpf(rho), of("0.25", "0.5", "1.5"))
                         for name, K, I, rho in (("massless_frame", "0", "0.05", "0.08"), ("frame", "0.015", "0.05", "0.08"),
                                                 ("massless_frame_and_wheel", "0", "0", "0.08"), ("near_the_limit", "0", "0.05", "0.02"))},
    }
    path = pathlib.Path(__file__).with_name("contacts.json")
    path.write_text(json.dumps(numbers(cases), indent=1) + "\n")


if __name__ == "__main__":
    main()
