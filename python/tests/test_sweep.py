"""Sweeps over parameters: closed forms, the bits of single runs, failed runs, and designs that are refused."""

import math
import unittest

import numpy as np

import vinculum as vn

OSCILLATOR = """model oscillator
frame N newtonian
point O fixed in N
param m = 2 [kg], k = 50 [N/m], x0 = 0.1 [m]
coord x [m]
particle P mass m at O + x*N.x
force on P = -k*x*N.x
output F = -k*x as [N]
start x = x0
run 1 [s] step 0.1 [s] tolerance 1e-12
"""


def model():
    return vn.Model.from_text(OSCILLATOR, backend="tape", cache="")


class Sweeps(unittest.TestCase):
    def test_satisfy_a_closed_form(self):
        masses = np.linspace(1.0, 4.0, 7)
        sweep = model().sweep({"m": masses, "x0": [0.1 * (i + 1) for i in range(7)]}, ["x", "F"])
        self.assertEqual(len(sweep), 7)
        self.assertEqual(sweep.failures, [])
        x = 0.1 * np.arange(1, 8) * np.cos(np.sqrt(50.0 / masses))
        np.testing.assert_allclose(sweep["x"], x, atol=1e-10)
        np.testing.assert_allclose(sweep["F"], -50.0 * x, atol=1e-8)
        np.testing.assert_array_equal(sweep["m"], masses)

    def test_have_the_bits_of_single_runs_whatever_the_number_of_threads(self):
        design = [{"m": 1.0 + 0.1 * i, "k": 40.0 + i} for i in range(12)]
        alone = [model().with_values(row).run()["x"][-1] for row in design]
        for workers in (1, 2, 5):
            sweep = model().sweep(design, workers=workers)
            self.assertEqual(list(sweep["x"]), alone)
        self.assertEqual(sweep.replay(4)["x"][-1], alone[4])
        self.assertEqual(list(sweep.columns), model().run().names)

    def test_take_units_and_functions(self):
        sweep = model().sweep({"m [g]": [2000, 3000], "k": ["50 [N/m]", "0.05 [N/mm]"]}, {"all": lambda run: run["x"]})
        self.assertEqual(sweep["all"].shape, (2, 11))
        self.assertEqual(sweep["all"][0, -1], model().run()["x"][-1])
        options = model().sweep({"m": [2.0]}, "x", until=0.5, tolerance=1e-10)
        self.assertAlmostEqual(options["x"][0], 0.1 * math.cos(2.5), places=8)
        energy = model().sweep({"m": [2.0]}, {"E": lambda run: run.energy.columns[-1].values[0]}, energy=True)
        self.assertEqual(energy["E"].shape, (1,))

    def test_keep_runs_that_fail_as_rows(self):
        falls = vn.Model.from_text(
            OSCILLATOR.replace("output F = -k*x as [N]", "output F = sqrt(x - 0.05 [m])"), backend="tape", cache=""
        )
        sweep = falls.sweep({"k": [0.0, 50.0, 0.0]}, ["x"])
        self.assertEqual([one.row for one in sweep.failures], [1])
        self.assertEqual(sweep.failures[0].kind, "non-finite")
        self.assertGreater(sweep.failures[0].t, 0.0)
        self.assertIn("sqrt", sweep.failures[0].message)
        np.testing.assert_array_equal(np.isnan(sweep["x"]), [False, True, False])

    def test_are_complete_where_the_model_ends_a_run(self):
        stops = OSCILLATOR.replace("start x", "event half: x = x0/2 falling stop\nstart x")
        sweep = vn.Model.from_text(stops, backend="tape", cache="").sweep({"k": [1.0, 50.0]}, {"x": "x", "t": "t"})
        self.assertEqual(sweep.failures, [])
        np.testing.assert_allclose(sweep["t"], [1.0, math.pi / 15], rtol=1e-9)
        np.testing.assert_allclose(sweep["x"], [0.1 * math.cos(math.sqrt(0.5)), 0.05], rtol=1e-9)

    def test_refuse_designs_that_are_not_possible(self):
        for design, words in [
            ({}, "no rows"),
            ([], "no rows"),
            ({"m": []}, "no rows"),
            ({"mass": [1.0]}, "no parameter `mass`"),
            ({"x": [1.0]}, "declare a parameter"),
            ({"m": [1.0], "m [g]": [1000.0]}, "two columns for the parameter `m`"),
            ({"m": [1.0, math.nan]}, "row 1"),
            ({"m": [1.0, None]}, "row 1: the value is missing"),
            ({"m": [1.0], "k": [1.0, 2.0]}, "different lengths"),
            ({"m [g]": ["1 [kg]"]}, "the title has the unit"),
            ([{"m": 1.0}, {"k": 1.0}], "the same names"),
        ]:
            with self.subTest(words=words), self.assertRaises(vn.DesignError) as caught:
                model().sweep(design)
            self.assertIn(words, str(caught.exception))
        with self.assertRaisesRegex(vn.ModelError, "must be in kg, found s"):
            model().sweep({"m [s]": [1.0]})
        with self.assertRaises(vn.CallError):
            model().sweep({"m": [1.0]}, ["no such quantity"])

    def test_are_tables_of_pandas(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        design = pandas.DataFrame({"m": [1.0, 2.0]})
        table = model().sweep(design, ["x"]).to_pandas()
        self.assertEqual(list(table.columns), ["m", "x", "failed"])
        self.assertEqual(list(table["failed"]), ["", ""])


if __name__ == "__main__":
    unittest.main()
