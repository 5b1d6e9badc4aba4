"""Reference numbers of the models of tests/friction that have no closed form.

Each system is written in one or two coordinates of its own, without multipliers. It is integrated in pieces that end
where a slip velocity becomes zero or a friction force reaches its bound. Nothing is shared with the engine.
Needs NumPy and SciPy. Run: python3 compute_dry_friction.py > dry_friction.json
"""

import json

import numpy as np
from scipy.integrate import solve_ivp

G = 9.81


def digits(values):
    return ["%.15g" % value for value in values]


def integrate(rates, start, end, events=(), begin=0.0):
    """solve_ivp at the smallest tolerance, up to the first event function that crosses 0 downwards."""
    for event in events:
        event.terminal, event.direction = True, -1
    return solve_ivp(rates, (begin, end), start, method="DOP853", rtol=1e-13, atol=1e-15, events=list(events), max_step=(end - begin) / 40)


def side_by_side(rates, slides, start, end):
    """One coordinate: rates(t, y, side) while side * slides(y) > 0; slides(y) is the slip velocity."""
    t, y = 0.0, np.array(start, float)
    while t < end:
        side = 1.0 if slides([y[0] + 1e-9 * y[1], y[1]]) > 0 else -1.0
        run = integrate(lambda t, y: rates(t, y, side), y, end, [lambda t, y: side * slides(y)], t)
        t, y = run.t[-1], run.y[:, -1]
        if run.status != 1:
            break
    return y


def scotch_yoke(start, end, mu=0.2, r=0.1):
    """Wheel of inertia 1 and slider of mass 1 at x = r cos q on a guide. The wheel turns with q' > 0.

    The friction of the slider is mu g; its generalized force follows from its power -mu g |x'|.
    """
    def rates(t, y, side):
        s, c = np.sin(y[0]), np.cos(y[0])
        return [y[1], (-mu * G * r * side * s - r * r * s * c * y[1] ** 2) / (1 + r * r * s * s)]
    return side_by_side(rates, lambda y: np.sin(y[0]), start, end)


def slider_crank(start, end, J=0.5, r=0.1, l=0.3, m=1.0, mu=0.2):
    """Flywheel with q' > 0, rod and slider.

    q'', the force of the rod and the normal force follow from Newton's equations.
    """
    def parts(q, w, side):
        s, c = np.sin(q), np.cos(q)
        root = np.sqrt(l * l - (r * s) ** 2)
        x, x1 = r * c + root, -r * s - r * r * s * c / root
        x2 = -r * c - r * r * (c * c - s * s) / root - (r * r * s * c) ** 2 / root ** 3
        ex, ey = (x - r * c) / l, -r * s / l
        A = np.array([[J, r * c * ey - r * s * ex, 0], [m * x1, -ex, mu * side], [0, ey, 1]])
        return np.linalg.solve(A, [0, -m * x2 * w * w, m * G])
    slides = lambda y: -np.sin(y[0])
    y = side_by_side(lambda t, y, side: [y[1], parts(y[0], y[1], side)[0]], slides, start, end)
    return [*y, parts(y[0], y[1], np.sign(slides(y)))[1]]


def four_bar(start, end, a=0.1, b=0.35, c=0.25, d=0.3, J=0.02, I=0.01, F=0.15):
    """Crank a with q' > 0, coupler b without mass, and rocker c whose bearing has the friction torque F.

    The generalized force of the friction follows from its power -F |p'|.
    """
    def rocker(q):
        K, M = d - a * np.cos(q), -a * np.sin(q)
        p = np.arctan2(M, K) + np.arccos((b * b - c * c - K * K - M * M) / (2 * c * np.hypot(K, M)))
        e = np.array([d + c * np.cos(p) - a * np.cos(q), c * np.sin(p) - a * np.sin(q)])
        by_p, by_q = np.array([-c * np.sin(p), c * np.cos(p)]), np.array([a * np.sin(q), -a * np.cos(q)])
        p1 = -(e @ by_q) / (e @ by_p)
        e1 = by_q + by_p * p1
        twice = np.array([a * np.cos(q), a * np.sin(q)]) - c * np.array([np.cos(p), np.sin(p)]) * p1 * p1
        return p, p1, -(e1 @ e1 + e @ twice) / (e @ by_p)
    def rates(t, y, side):
        _, p1, p2 = rocker(y[0])
        return [y[1], (-F * side * p1 - I * p1 * p2 * y[1] ** 2) / (J + I * p1 * p1)]
    y = side_by_side(rates, lambda y: rocker(y[0])[1], start, end)
    return [*y, rocker(y[0])[0], rocker(start[0])[0]]


def ladder(mu, end, L=3.0, m=10.0, start=110):
    """Sliding ladder on a rough floor against a rough wall: Newton's equations for a'' and the two normal forces."""
    def forces(a, w):
        c, s = np.cos(a), np.sin(a)
        A = np.array([[mu, -1, m * L / 2 * s], [-1, -mu, m * L / 2 * c], [L / 2 * (c + mu * s), -L / 2 * (mu * c - s), m * L * L / 12]])
        return np.linalg.solve(A, [-m * L / 2 * c * w * w, -m * G + m * L / 2 * s * w * w, 0])
    y = integrate(lambda t, y: [y[1], forces(*y)[2]], [np.radians(start), 0], end).y[:, -1]
    return [*np.degrees(y), *forces(*y)[:2]]


class DryDoublePendulum:
    """Two rods in a horizontal plane.

    If a joint is at rest, all friction modes are tried. Exactly one is consistent.
    """
    bound = np.array([0.5, 0.2])

    def accelerations(self, y, mode):
        c, s = np.cos(y[1]), np.sin(y[1]) / 2
        M = np.array([[5 / 3 + c, 1 / 3 + c / 2], [1 / 3 + c / 2, 1 / 3]])
        push = np.array([s * (2 * y[2] * y[3] + y[3] ** 2), -s * y[2] ** 2])
        torque, rate = -self.bound * mode, np.zeros(2)
        free, held = np.flatnonzero(mode), np.flatnonzero(mode == 0)
        if free.size:
            rate[free] = np.linalg.solve(M[np.ix_(free, free)], (push + torque)[free])
        torque[held] = (M @ rate - push)[held]
        return rate, torque

    def mode(self, y):
        right = []
        for choice in np.ndindex(3, 3):
            mode = np.sign(y[2:])
            at_rest = mode == 0
            if any(choice[i] for i in range(2) if not at_rest[i]):
                continue
            mode = np.where(at_rest, np.array([0.0, 1.0, -1.0])[list(choice)], mode)
            rate, torque = self.accelerations(y, mode)
            agrees = np.where(mode == 0, abs(torque) <= self.bound + 1e-12, rate * mode > 0)
            if np.all(agrees | ~at_rest):
                right.append(mode)
        assert len(right) == 1, right
        return right[0]

    def run(self, start, end):
        t, y = 0.0, np.array(start, float)
        while True:
            mode = self.mode(y)
            left = [lambda t, y, i=i: y[2 + i] * mode[i] if mode[i] else self.bound[i] - abs(self.accelerations(y, mode)[1][i])
                    for i in range(2)]
            run = integrate(lambda t, y: [*y[2:], *self.accelerations(y, mode)[0]], y, end, left, t)
            t, y = run.t[-1], run.y[:, -1].copy()
            for i in range(2):
                is_met = run.status == 1 and len(run.t_events[i]) > 0
                if (mode[i] != 0) == is_met:
                    y[2 + i] = 0.0
            if run.status != 1:
                return y


if __name__ == "__main__":
    mirrored = scotch_yoke([np.pi, 5], 1)
    print(json.dumps({
        "yoke_passes_its_dead_centers": digits(scotch_yoke([3, 5], 1)),
        "yoke_starts_at_a_dead_center": digits([2 * np.pi - mirrored[0], -mirrored[1]]),
        "crank_passes_its_dead_centers": digits(slider_crank([0.5, 6], 2)),
        "four_bar_passes_its_dead_centers": digits(four_bar([0.3, 9], 2)),
        "ladder_slides_on_smooth_ground": digits(ladder(1e-6, 0.3)),
        "ladder_slides_on_rough_ground": digits(ladder(0.1, 0.5)),
        "two_dry_joints": digits(DryDoublePendulum().run([0.3, 0.8, 2.0, -1.0], 3.0)),
    }, indent=1))
