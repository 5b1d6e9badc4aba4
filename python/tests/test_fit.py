"""Derivatives of runs against closed forms, and fits: exact data, noise, and data that are refused."""

import os
import unittest

import numpy as np

import vinculum as vn

try:
    import scipy  # noqa: F401
except ImportError:
    scipy = None

OSCILLATOR = """model oscillator
frame N newtonian
point O fixed in N
param m = 2 [kg], k = 50 [N/m], c = 3 [N*s/m], x0 = 0.1 [m]
coord x [m]
particle P mass m at O + x*N.x
force on P = -(k*x + c*x')*N.x
output F = -(k*x + c*x') as [N]
start x = x0
run 2 [s] step 0.1 [s] tolerance 1e-12
"""
TRUE = {"k": 50.0, "c": 3.0, "x0": 0.1}
FITS = int(os.environ.get("VINCULUM_FITS", "60"))  # with noise; 1000 before a release


def model(**values):
    made = vn.Model.from_text(OSCILLATOR, backend="tape", cache="")
    return made.with_values(values) if values else made


def position(t, m=2.0, k=50.0, c=3.0, x0=0.1):
    d = c / (2 * m)
    w = np.sqrt(k / m - d**2)
    return x0 * np.exp(-d * t) * (np.cos(w * t) + d / w * np.sin(w * t))


class Sensitivities(unittest.TestCase):
    def test_are_the_derivatives_of_the_closed_form(self):
        run = model().run(sensitivity=["k", "x0", "x"])
        by = run.sensitivity("k")
        self.assertEqual(by.unit, "N/m")
        self.assertEqual(by.column("x").unit, "m/(N/m)")
        h = 0.1
        first = (position(run.t, k=50 + h) - position(run.t, k=50 - h)) / (2 * h)
        second = (position(run.t, k=50 + h / 2) - position(run.t, k=50 - h / 2)) / h
        np.testing.assert_allclose(by["x"], (4 * second - first) / 3, atol=1e-11)
        np.testing.assert_allclose(run.sensitivity("x0")["x"], position(run.t, x0=1.0), atol=1e-10)
        np.testing.assert_array_equal(run.sensitivity("x")["x"], run.sensitivity("x0")["x"])
        self.assertEqual(by["F"].shape, run.t.shape)
        self.assertIn("x'", by.names)

    def test_are_given_at_asked_times(self):
        run = model().run(sensitivity="x0", at=[0.77, 0.3])
        asked = run.sensitivity("x0", at="asked")
        np.testing.assert_array_equal(asked.t, [0.77, 0.3])
        np.testing.assert_allclose(asked["x"], position(np.array([0.77, 0.3]), x0=1.0), atol=1e-10)

    def test_of_other_names_are_refused(self):
        with self.assertRaisesRegex(vn.CallError, "no parameter, coordinate, speed or state `q`"):
            model().run(sensitivity=["q"])
        with self.assertRaisesRegex(vn.CallError, "derivatives were not computed"):
            model().run().sensitivity("k")

    def test_end_where_the_motion_is_not_smooth(self):
        ball = vn.Model.from_text(
            "model ball\nparam e = 0.5\ncoord z\nlagrangian z'^2/2 - 10*z\nconstraint ground: z >= 0\n"
            "    restitution e\nstart z = 1\nrun 3\n"
        )
        by = ball.run(sensitivity=["e"], at=[0.4, 2.0]).sensitivity("e")
        self.assertEqual(by.ended.kind, "not-smooth")
        self.assertLess(by.t[-1], 3 * 0.2**0.5)
        self.assertTrue(np.isfinite(by["z"]).all())
        self.assertEqual(list(np.isnan(ball.run(sensitivity=["e"], at=[0.4, 2.0]).sensitivity("e", at="asked")["z"])),
                         [False, True])  # fmt: skip
        with self.assertRaisesRegex(vn.MotionError, "accumulate"):
            ball.fit({"t": [0.4, 2.0], "z": [0.2, 0.0]}, ["e"])


@unittest.skipIf(scipy is None, "fits need scipy")
class Fits(unittest.TestCase):
    t = np.linspace(0.05, 2.0, 40)

    def test_recover_the_parameters_of_exact_data(self):
        fit = model(k=40.0, c=2.0, x0=0.15).fit({"t": self.t, "x": position(self.t)}, over=["k", "c", "x0"])
        for name, value in TRUE.items():
            self.assertLess(abs(fit.values[name] / value - 1), 1e-8, name)
        self.assertLess(np.abs(fit.residual).max(), 1e-9)
        self.assertEqual(fit.freedom, 37)
        self.assertAlmostEqual(fit.model.run()["x"][-1], position(2.0), 9)

    def test_are_also_functions_of_the_package(self):
        fit = vn.fit(model(k=45.0), {"t": self.t, "x": position(self.t)}, "k")
        self.assertLess(abs(fit.values["k"] / 50 - 1), 1e-8)

    def test_use_several_quantities_and_skip_missing_values(self):
        x = position(self.t)
        x[::7] = np.nan
        run = model().run(at=list(self.t))
        force = [run.at(t).outputs[0] for t in self.t]
        fit = model(k=45.0).fit({"t": self.t, "x": x, "F": force}, ["k"], sigma={"x": 1e-3, "F": 0.1})
        self.assertLess(abs(fit.values["k"] / 50 - 1), 1e-8)
        self.assertEqual(fit.freedom, 40 + 40 - 6 - 1)

    def test_have_the_true_values_in_the_predicted_ellipsoid(self):
        random = np.random.default_rng(1)
        sigma, inside = 2e-3, 0
        start = model()
        for _ in range(FITS):
            noisy = position(self.t) + sigma * random.standard_normal(self.t.size)
            fit = start.fit({"t": self.t, "x": noisy}, ["k", "c", "x0"], sigma=sigma, tolerance=1e-8)
            inside += fit.contains(TRUE)
        # Three standard deviations of a binomial distribution; ± 2 % for 1000 fits.
        self.assertLess(abs(inside / FITS - 0.95), 3 * np.sqrt(0.95 * 0.05 / FITS))

    def test_estimate_the_noise_if_sigma_is_not_given(self):
        random = np.random.default_rng(2)
        t = np.linspace(0.01, 2.0, 400)
        noisy = position(t) + 1e-3 * random.standard_normal(t.size)
        fit = model().fit({"t": t, "x": noisy}, ["k", "c"])
        self.assertLess(abs(fit.sigma / 1e-3 - 1), 0.15)
        self.assertTrue(fit.contains(TRUE | {"x0": 0.1}, 0.999))
        self.assertGreater(fit.errors["c"], 0)

    def test_refuse_data_that_cannot_be_fitted(self):
        x = position(self.t)
        for data, over, options, message in [
            ({"x": x}, ["k"], {}, "need a column `t`"),
            ({"t": self.t}, ["k"], {}, "no column in addition to `t`"),
            ({"t": self.t, "x": x[1:]}, ["k"], {}, "has 39 values, but `t` has 40"),
            ({"t": self.t, "x": x}, ["q"], {}, "no parameter `q` to fit; it has m, k, c, x0"),
            ({"t": self.t, "x": x}, [], {}, "at least one"),
            ({"t": [1.0], "x": [0.0]}, ["k", "c"], {}, "1 measurements do not determine 2 parameters"),
            ({"t": self.t, "x": x}, ["k"], {"sigma": 0}, "state a standard deviation > 0"),
            ({"t": self.t, "x": x}, ["k"], {"bounds": {"k": (60, 70)}}, "outside of its bounds 60 to 70"),
            ({"t": self.t, "x": x}, ["m", "k", "c"], {}, "the data do not determine m and k and c"),
        ]:
            with self.assertRaisesRegex(vn.DesignError, message):
                model().fit(data, over, **options)
        with self.assertRaises(vn.CallError):
            model().fit({"t": self.t, "y": x}, ["k"])


if __name__ == "__main__":
    unittest.main()
