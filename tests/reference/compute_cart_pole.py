#!/usr/bin/env python3
"""Gains and motion of models/cart_pole_lqr.vin, with NumPy and SciPy: prints cart_pole.json.

The gains solve the discrete Riccati equation of the linear model; the motion is integrated period by period from
equations written by hand.
"""

import json
import math

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import expm, solve_discrete_are

M, m, l, g, T = 1.0, 0.2, 0.5, 9.81, 0.02


def gains():
    """Force per x, a, x', a' with Q = diag(10, 100, 1, 10) and R = 1, to three decimals."""
    A = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [0, -m * g / M, 0, 0], [0, (M + m) * g / (M * l), 0, 0]])
    B = np.array([[0], [0], [1 / M], [-1 / (M * l)]])
    step = expm(np.block([[A, B], [np.zeros((1, 5))]]) * T)
    Ad, Bd = step[:4, :4], step[:4, 4:]
    P = solve_discrete_are(Ad, Bd, np.diag([10.0, 100.0, 1.0, 10.0]), np.eye(1))
    return np.round(np.linalg.solve(1.0 + Bd.T @ P @ Bd, Bd.T @ P @ Ad)[0], 3)


def rate(_, y, force):
    _, a, v, w = y
    s, c = math.sin(a), math.cos(a)
    accelerations = np.linalg.solve([[M + m, m * l * c], [c, l]], [force + m * l * w * w * s, g * s])
    return [v, w, *accelerations]


K, y, states = gains(), np.array([0.0, math.radians(20.0), 0.0, 0.0]), {}
for k in range(1, 151):
    y = solve_ivp(rate, (0.0, T), y, args=(-K @ y,), method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    if k in (25, 50, 100, 150):
        states[f"{k * T:g}"] = list(y)
print(json.dumps({"gains": list(K), "x, a, x', a'": states}, indent=1))
