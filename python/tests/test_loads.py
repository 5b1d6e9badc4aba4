"""Loads of constraints along a run."""

import math
import unittest

import numpy as np

import vinculum as vn

ROTOR = """model rotor
frame N newtonian
point O fixed in N
param m = 3 [kg], r = 0.1 [m], w = 20 [rad/s], turn = 0.3141592653589793 [s]
coord x, y [m], q [rad]
frame B = N rotated q about z
body rotor frame B mass m inertia (1, 1, 1) [kg*m^2] at O + x*N.x + y*N.y
point hub = rotor - r*B.x
constraint bearing: pos(hub, O) = 0 along N.x, N.y
start q = 0, q' = w, x = r, y = 0
run turn tolerance 1e-12
"""


class LoadsOfARun(unittest.TestCase):
    def test_have_peak_mean_and_root_mean_square(self):
        model = vn.Model.from_text(ROTOR, backend="tape", cache="")
        force = 3 * 0.1 * 20**2
        loads = model.run(loads=True).loads
        self.assertEqual(loads.frame, "N")
        bearing = next(one for one in loads.all if (one.constraint, one.on) == ("bearing", "hub"))
        self.assertEqual((bearing.kind, bearing.frame, bearing.is_unique), ("force", "N", True))
        self.assertAlmostEqual(bearing.peak, force, places=6)
        self.assertAlmostEqual(bearing.rms, force, places=6)
        np.testing.assert_allclose(bearing.mean_vector, np.zeros(3), atol=1e-6)
        np.testing.assert_allclose(bearing.largest, [force, force, 0], atol=1e-6)
        self.assertAlmostEqual(np.hypot(*bearing.pose.q[:2]), 0.1, places=9)

    def test_have_components_in_a_frame(self):
        model = vn.Model.from_text(ROTOR, backend="tape", cache="")
        loads = model.run(loads="B").loads
        bearing = next(one for one in loads.all if one.on == "hub")
        self.assertEqual(loads.frame, "B")
        np.testing.assert_allclose(bearing.at_peak, [-120, 0, 0], atol=1e-6)
        self.assertIn("bearing", repr(bearing))
        self.assertTrue(math.isfinite(bearing.t))

    def test_name_what_is_wrong(self):
        model = vn.Model.from_text(ROTOR, backend="tape", cache="")
        with self.assertRaises(vn.CallError):
            _ = model.run().loads
        with self.assertRaisesRegex(vn.CallError, "no frame `C`"):
            model.run(loads="C")


if __name__ == "__main__":
    unittest.main()
