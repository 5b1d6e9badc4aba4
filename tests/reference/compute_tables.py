"""Reference numbers of tables (language.md, "Tables from a file"): values and derivatives of each kind by SciPy.

Needs numpy and scipy. Run: python3 compute_tables.py > tables.json
"""

import json

import numpy as np
from scipy.interpolate import CubicSpline, PchipInterpolator, RectBivariateSpline, RegularGridInterpolator

X = np.array([-1.0, -0.4, 0.1, 0.9, 1.3, 2.0, 2.2, 3.5])
Y = np.array([0.5, 2.0, 2.0, 1.25, -3.0, -2.5, 0.75, 0.5])
PERIOD = X[-1] - X[0]
AT = np.concatenate([X[:-1], np.linspace(X[0], X[-1], 37)[1:-1]])


def reduced(x):
    return x - PERIOD * np.floor((x - X[0]) / PERIOD)


# Three periods of the record, so that the middle one has neighbors on both sides.
tripled = np.concatenate([X[:-1] - PERIOD, X[:-1], X + PERIOD]), np.concatenate([Y[:-1], Y[:-1], Y])
functions = {
    "spline": CubicSpline(X, Y),
    "smooth": PchipInterpolator(X, Y),
    "spline, periodic": CubicSpline(X, Y, bc_type="periodic"),
    "smooth, periodic": PchipInterpolator(*tripled),
}
AT_TURNS = [float(x) + turn * PERIOD for turn in (-3, -1, 0, 1, 7) for x in AT[7:]]
curves = []
for kind, f in functions.items():
    at = AT_TURNS if "periodic" in kind else AT
    inside = reduced(np.array(at)) if "periodic" in kind else at
    curves.append({"options": kind, "at": list(at), "orders": [f(inside, order).tolist() for order in range(3)]})
curves.append({"options": "linear", "at": AT.tolist(), "orders": [np.interp(AT, X, Y).tolist()]})
curves.append({"options": "hold", "at": AT.tolist(), "orders": [Y[np.searchsorted(X, AT, "right") - 1].tolist()]})
few = []
for n in (2, 3):
    f = CubicSpline(X[:n], Y[:n])
    at = np.linspace(X[0], X[n - 1], 9)
    few.append({"rows": n, "at": at.tolist(), "values": f(at).tolist()})

GX = np.array([0.0, 0.3, 1.0, 1.4, 2.0])
GY = np.array([-1.0, 0.0, 0.5, 2.0, 2.5, 3.0])
GZ = np.array([[np.sin(3 * x) * np.cos(y) + 0.2 * x * y * y - (x > 1) for y in GY] for x in GX])
rng = np.random.default_rng(1)
points = np.column_stack([rng.uniform(GX[0], GX[-1], 60), rng.uniform(GY[0], GY[-1], 60)])
grids = {
    "linear": RegularGridInterpolator((GX, GY), GZ, method="linear")(points),
    "smooth": RegularGridInterpolator((GX, GY), GZ, method="pchip")(points),
    "spline": RectBivariateSpline(GX, GY, GZ, s=0).ev(points[:, 0], points[:, 1]),
    "hold": np.array([GZ[np.searchsorted(GX, x, "right") - 1, np.searchsorted(GY, y, "right") - 1] for x, y in points]),
}
print(
    json.dumps(
        {
            "x": X.tolist(),
            "y": Y.tolist(),
            "curves": curves,
            "few": few,
            "grid": {"x": GX.tolist(), "y": GY.tolist(), "z": GZ.tolist(), "points": points.tolist()},
            "values": {kind: z.tolist() for kind, z in grids.items()},
        }
    )
)
