"""Reference numbers of bench/stiff/wheelset.vin, from equations of Newton and Euler with two contact forces.

The equations are written for the wheelset alone. At every state:

  places of contact         Newton's method
  rate of the contact rows  complex step
  two normal forces         Newton's method on the accelerations

The integrator is DOP853 without projection; the contacts drift by 1e-12 m. Nothing is shared with the engine. Needs
numpy and scipy, and some minutes per second of motion. Run: python3 compute_wheelset.py > wheelset.json

With `--test-set` the moment about the vertical axis enters as in the problem Wheelset of the Test Set for IVP Solvers,
which uses it as the moment about the tilted axis (a relative difference of 1e-6). The accelerations at the start then
agree with the printed ones to 1e-4, the amount by which the start of the test set violates the contacts.
"""

import json
import sys

import numpy as np
from scipy.integrate import solve_ivp

M, G, V, R0, I1, I2 = 16.08, 9.81, 30.0, 0.1, 0.0605, 0.366
MU, XL, CX, CZ = 0.12, 0.19, 6400.0, 6400.0
E, RATIO, POISSON, GLIDE = 1.3537956, 0.7115218, 0.28, 7.92e10
C11, C22, C23 = 4.72772197, 4.27526987, 1.97203505
CONE, GAUGE, RS = 0.0262, 0.1506, 0.06
AS_TEST_SET = "--test-set" in sys.argv
SIDES = (-1, 1)
UP = np.array([0.0, 1.0, 0.0])


def axes(theta, phi):
    st, ct, sp, cp = np.sin(theta), np.cos(theta), np.sin(phi), np.cos(phi)
    return np.array([ct * cp, sp, -st * cp]), np.array([-ct * sp, cp, st * sp]), np.array([st, 0 * ct, ct])


def touch(side, p, place):
    """Difference of the tangents of wheel and rail, with arm, point, slope and height of the rail, and radius."""
    psi, xi = place
    e1, e2, e3 = axes(p[3], p[4])
    r, slope = R0 + np.tan(CONE) * (GAUGE - side * xi), -side * np.tan(CONE)
    c, s = np.cos(psi), np.sin(psi)
    arm = xi * e1 - r * c * e2 - r * s * e3
    beside = side * (p[0] + arm[0]) - GAUGE - np.sin(CONE) * RS
    head = np.sqrt(RS ** 2 - beside ** 2)
    rise, height = -side * beside / head, head - R0 - np.cos(CONE) * RS
    normal = np.array([-rise, 1.0 + 0 * rise, 0 * rise])
    return np.array([normal @ (e1 - slope * (c * e2 + s * e3)), normal @ (s * e2 - c * e3)]), arm, rise, height - p[1] - arm[1], r, slope


def place_of_touch(side, p, guess):
    place = np.array(guess, dtype=complex if np.iscomplexobj(p) else float)
    for _ in range(30):
        J = np.column_stack([(touch(side, p, place + d)[0] - touch(side, p, place - d)[0]) / 2e-6 for d in 1e-6 * np.eye(2)])
        change = np.linalg.solve(J, touch(side, p, place)[0])
        place = place - change
        if np.max(np.abs(change)) < 1e-15:
            break
    return place


class Wheelset:
    def __init__(self):
        self.places, self.loads = [(0.0, -0.152), (0.0, 0.149)], np.array([-80.0, -80.0])

    def rows(self, p):
        """Gradients of the two contact rows with respect to x, y, z, theta, phi, and the contact data of each."""
        rows, known = [], []
        e3 = axes(p[3], p[4])[2]
        for side, guess in zip(SIDES, self.places):
            place = place_of_touch(side, p, guess)
            _, arm, rise, gap, r, slope = touch(side, p, place)
            moves = list(np.eye(3)) + [np.cross(UP, arm), np.cross(e3, arm)]
            rows.append([rise * v[0] - v[1] for v in moves])
            known.append((place, arm, rise, gap, r, slope))
        return np.array(rows), known

    def creep(self, load, rise, arm, r, slope, p, v, spin, w):
        """Force on the wheel by Kalker's linear creep law, limited by the coefficient of friction."""
        at = v + np.cross(w, arm)
        rolling = np.linalg.norm(at - 2 * v) / 2
        level = np.cos(np.arctan(rise))
        st, ct = np.sin(p[3] / level), np.cos(p[3] / level)
        along, across = np.array([st, 0, ct]), np.array([ct * level, rise * level, -st * level])
        turning = (level * self.yaw_rate - rise * level * spin) / rolling
        curvature = 0.5 / (r * np.hypot(1, slope)) + 0.5 / RS
        c = np.cbrt(1.5 * abs(load) * (1 - POISSON) * E / (np.pi * curvature * GLIDE * np.sqrt(RATIO)))
        bound = MU * load
        tx = np.tanh(GLIDE * c ** 2 * C11 * (along @ at) / rolling / bound)
        ty = np.tanh((GLIDE * c ** 2 * C22 * (across @ at) / rolling + GLIDE * c ** 3 * C23 * turning) / bound)
        return -bound / max(1.0, np.hypot(tx, ty)) * (tx * along + ty * across)

    def rates(self, _, s):
        p, u, spin = s[:5], s[5:10], V / R0 + s[10]
        A, known = self.rows(p)
        self.places = [one[0] for one in known]
        b = -(self.rows(p + 1e-30j * u)[0].imag / 1e-30) @ u
        e1, e2, e3 = axes(p[3], p[4])
        sp, cp, td, pd = np.sin(p[4]), np.cos(p[4]), u[3], u[4]
        self.yaw_rate = td
        w, v = td * UP + pd * e3 + spin * e1, np.array([u[0], u[1], V + u[2]])

        def accelerations(multipliers):
            F, moment = np.array([-2 * CX * p[0], -M * G, -2 * CZ * p[2]]), -2 * XL ** 2 * CZ * p[3] * UP
            for (_, arm, rise, _, r, slope), multiplier in zip(known, multipliers):
                force = self.creep(-multiplier * np.hypot(1, rise), rise, arm, r, slope, p, v, spin, w)
                F, moment = F + force, moment + np.cross(arm, force)
            Q = A.T @ multipliers
            about_2 = moment @ e2 + (Q[3] if AS_TEST_SET else Q[3] / cp)
            yaw = (about_2 - I1 * spin * pd - (I1 - I2) * td * sp * pd + I2 * td * pd * sp) / (I2 * cp)
            roll = (moment @ e3 + Q[4] + I1 * spin * td * cp + (I1 - I2) * td ** 2 * sp * cp) / I2
            return np.array([*((F + Q[:3]) / M), yaw, roll, moment @ e1 / I1 - yaw * sp - td * pd * cp])

        for _ in range(50):
            J = np.column_stack([A @ (accelerations(self.loads + d) - accelerations(self.loads - d))[:5] / 2e-4 for d in 1e-4 * np.eye(2)])
            change = np.linalg.solve(J, A @ accelerations(self.loads)[:5] - b)
            self.loads = self.loads - change
            if np.max(np.abs(change)) < 1e-11:
                break
        return np.concatenate([u, accelerations(self.loads)])

    def start(self):
        s = np.zeros(11)
        s[:5] = 0.14941e-2, 0.40089e-6, 0.11241e-5, -0.28573e-3, 0.26459e-3

        def gaps(y_phi):
            p = s[:5].copy()
            p[[1, 4]] = y_phi
            return np.array([one[3] for one in self.rows(p)[1]])
        for _ in range(0 if AS_TEST_SET else 10):
            J = np.column_stack([(gaps(s[[1, 4]] + d) - gaps(s[[1, 4]] - d)) / 2e-7 for d in 1e-7 * np.eye(2)])
            s[[1, 4]] -= np.linalg.solve(J, gaps(s[[1, 4]]))
        return s


def main():
    wheelset, result = Wheelset(), {"columns": "x, y, z, theta, phi, their rates, spin rate; loads of the left and right contact"}
    s, t = wheelset.start(), 0.0
    sizes = np.array([1e-2, 1e-5, 1e-4, 1e-2, 1e-3, 1.0, 1e-3, 1e-2, 1.0, 1e-1, 1.0])
    result["accelerations at the start"] = list(wheelset.rates(0.0, s)[5:])
    for end in (0.1, 1.0):
        s = solve_ivp(wheelset.rates, (t, end), s, method="DOP853", rtol=1e-11, atol=1e-11 * sizes).y[:, -1]
        t = end
        wheelset.rates(t, s)
        loads = -wheelset.loads * np.hypot(1, [one[2] for one in wheelset.rows(s[:5])[1]])
        result[f"t = {t}"] = [*s, *loads]
    print(json.dumps(result, indent=1))


main()
