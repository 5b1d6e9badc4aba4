"""Linear systems as NumPy arrays, equilibria, and a regulator by SciPy (skipped without SciPy)."""

import importlib.util
import pathlib
import unittest

import numpy as np

import vinculum as vn

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"

CART_POLE = """model cart_pole
frame N newtonian
point O fixed in N
param M = 1 [kg], m = 0.2 [kg], l = 0.6 [m], g = 9.81 [m/s^2]
coord s [m], x, y [m]
input push [N]
particle cart mass M at O + s*N.x
particle bob mass m at O + x*N.x + y*N.y
gravity -g*N.y
force on cart = push*N.x
constraint pole: norm(pos(bob, cart)) = l
output pull = multiplier(pole)
start s = 0, x = 0, y ~ 0.6
run 1 [s]
"""


class Linearize(unittest.TestCase):
    def setUp(self):
        self.model = vn.Model.from_text(CART_POLE, backend="tape", cache="")
        self.system = self.model.linearize(inputs=["push"], outputs=["pull"])

    def test_matrices_have_names_and_shapes(self):
        system = self.system
        self.assertEqual([one.name for one in system.variables], ["s", "x", "s'", "x'"])
        self.assertEqual([one.name for one in system.inputs], ["push"])
        self.assertEqual([one.unit for one in system.inputs], ["N"])
        self.assertEqual((system.A.shape, system.B.shape), ((4, 4), (4, 1)))
        self.assertEqual((system.C.shape, system.D.shape), ((1, 4), (1, 1)))
        self.assertEqual(system.T.shape, (8, 4))  # with two states of the input
        self.assertEqual(system.reference, "equilibrium")
        self.assertEqual(system.stability, "unstable")

    def test_eigenvalues_are_those_of_the_upright_pole(self):
        growth = np.sqrt(1.2 * 9.81 / (1 * 0.6))
        self.assertTrue(np.allclose(np.sort(self.system.eigenvalues.real), [-growth, growth], rtol=1e-13))
        A, right, left = self.system.A, self.system.right, self.system.left
        self.assertTrue(np.allclose(A @ right, right * self.system.eigenvalues))
        self.assertTrue(np.allclose(left @ A, self.system.eigenvalues[:, None] * left))
        self.assertTrue(np.allclose(left @ right, np.eye(2)))
        self.assertEqual([zero.why for zero in self.system.zeros], ["family", "drift"])
        self.assertTrue(np.allclose(A @ self.system.zeros[0].direction, 0))

    @unittest.skipUnless(importlib.util.find_spec("scipy"), "needs scipy")
    def test_a_regulator_by_scipy_holds_the_pole(self):
        from scipy.linalg import solve_continuous_are

        A, B = self.system.A, self.system.B
        P = solve_continuous_are(A, B, np.diag([10, 10, 1, 1]), [[1]])
        K = B.T @ P
        self.assertLess(np.linalg.eigvals(A - B @ K).real.max(), -0.5)
        simulation = self.model.simulation()
        start = vn.State(0, [0, 0.05, 0.6], [0, 0, 0], self.system.state.z)
        simulation.state = self.model.assemble(start)
        for tick in range(800):
            s, x, y = simulation.state.q
            ds, dx, dy = simulation.state.u
            simulation.set_input("push", float(-(K @ [s, x, ds, dx])[0]))
            simulation.advance(0.01 * (tick + 1))
        self.assertLess(np.abs(simulation.state.q[:2]).max(), 1e-3)

    def test_equilibria_and_errors(self):
        hanging = self.model.assemble(vn.State(0, [0, 0.1, -0.59], [0, 0, 0], self.system.state.z))
        state = self.model.equilibrium(near=hanging, hold=["s"])
        self.assertEqual(state.q[0], hanging.q[0])
        self.assertTrue(np.allclose(state.q[1:], [state.q[0], -0.6], atol=1e-12))
        self.assertEqual(self.model.linearize(state).stability, "undecided")
        self.assertRegex(self.model.describe_state(state), r"y +-0.6 +m")
        with self.assertRaises(vn.CallError):
            self.model.linearize(inputs=["pull"])
        with self.assertRaises(vn.MotionError) as raised:
            vn.Model.load(MODELS / "friction_in_a_bearing.vin", backend="tape", cache="").linearize()
        self.assertEqual(raised.exception.error.kind, "not-linear")

    def test_a_root_locus_follows_modes(self):
        bicycle = vn.Model.load(MODELS / "bicycle.vin", backend="tape", cache="").with_values({"push": 0})
        locus = bicycle.root_locus("v", np.linspace(3, 7, 9))
        self.assertEqual(locus.eigenvalues.shape, (9, 4))
        self.assertTrue((np.abs(np.diff(locus.eigenvalues, axis=0)) < 3).all())
        weave, capsize = locus.changes
        self.assertAlmostEqual(weave.value, 4.292382536341114, delta=1e-6)
        self.assertAlmostEqual(capsize.value, 6.024262015388372, delta=1e-6)
        self.assertEqual((weave.becomes_unstable, capsize.becomes_unstable), (False, True))
        self.assertAlmostEqual(weave.eigenvalue.imag, 3.435, delta=1e-3)

    def test_a_limit_cycle_has_a_trivial_multiplier(self):
        model = vn.Model.from_text(
            "model vdp\ncoord x\nlagrangian x'^2/2 - x^2/2\ngeneralized force on x = (1 - x^2)*x'\n"
            "start x = 2, x' = 0\nrun 1\n",
            backend="tape",
            cache="",
        )
        orbit = model.periodic_motion(6.5, search=True)
        self.assertAlmostEqual(orbit.period, 6.6632868593231301, delta=1e-9)
        self.assertTrue(orbit.has_trivial)
        self.assertEqual((orbit.stability, orbit.ones, orbit.advanced), ("stable", [], []))
        self.assertEqual(orbit.M.shape, (2, 2))
        self.assertTrue(np.allclose(orbit.M @ orbit.vectors, orbit.vectors * orbit.multipliers, atol=1e-9))
        self.assertTrue(np.allclose(np.exp(orbit.exponents * orbit.period), orbit.multipliers))
        with self.assertRaises(vn.MotionError) as raised:
            model.periodic_motion(6.5)
        self.assertEqual(raised.exception.error.kind, "not-periodic")


if __name__ == "__main__":
    unittest.main()
