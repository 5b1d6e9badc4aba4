"""Robots from URDF files, and the program of docs/howto/robots.md."""

import contextlib
import io
import os
import pathlib
import re
import tempfile
import unittest

import numpy as np

import vinculum as vn

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROBOTS = ROOT / "tests" / "reference" / "robots"


class Import(unittest.TestCase):
    def test_makes_a_model_with_the_names_of_the_joints(self):
        model = vn.Model.from_urdf(ROBOTS / "arm.urdf", backend="tape", cache="", set={"g": 0.0})
        self.assertEqual([one.name for one in model.coordinates], ["shoulder", "elbow", "stretch"])
        self.assertEqual([one.unit for one in model.coordinates], ["rad", "rad", "m"])
        rates = model.evaluator().derivative(0.0, np.array([0.1, 0.2, 0.3, 0, 0, 0]))
        self.assertLess(abs(rates).max(), 1e-12)  # without gravity a robot at rest stays at rest

    def test_takes_a_floating_base_and_limits(self):
        model = vn.Model.from_urdf(ROBOTS / "arm.urdf", base="floating", limits="contact", backend="tape", cache="")
        self.assertEqual(len(model.speeds), 9)
        self.assertIn("stretch.max", [one.name for one in model.constraints])

    def test_returns_the_text_and_what_differs(self):
        robot = vn.import_robot(ROBOTS / "walker.urdf")
        self.assertEqual((robot.links, robot.joints, robot.degrees_of_freedom), (5, 4, 4))
        self.assertIn("joint `left-hip` is called `left_hip`", robot.changes)
        self.assertEqual([one.severity for one in robot.diagnostics], ["warning"])
        self.assertIn("lagrangian", robot.text)
        self.assertNotIn("lagrangian", vn.import_robot(ROBOTS / "walker.urdf", fix_inertia=True).text)
        left = vn.import_robot(ROBOTS / "arm.urdf").left_out
        self.assertEqual([(one.what, one.count) for one in left], [("mesh", 1)])

    def test_raises_errors_of_the_file_and_of_the_call(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "wrong.urdf"
            path.write_text('<robot name="r">\n<link name="a"/>\n<link name="a"/>\n</robot>\n')
            with self.assertRaises(vn.ModelError) as raised:
                vn.Model.from_urdf(path)
            self.assertTrue(raised.exception.error.place.endswith("wrong.urdf:3:13"), raised.exception.error.place)
            with self.assertRaises(vn.CallError):
                vn.Model.from_urdf(pathlib.Path(folder) / "missing.urdf")
        with self.assertRaises(ValueError):
            vn.Model.from_urdf(ROBOTS / "arm.urdf", base="free")
        with self.assertRaises(ValueError):
            vn.import_robot(ROBOTS / "arm.urdf", limits="hard")

    def test_program_of_the_page_runs(self):
        page = (ROOT / "docs" / "howto" / "robots.md").read_text()
        (program,) = re.findall(r"```python\n(.*?)```", page, re.S)
        here = os.getcwd()
        os.chdir(ROOT / "docs" / "howto" / "models")
        try:
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(program, {})
        finally:
            os.chdir(here)
        self.assertIn("['crank_angle', 'coupler_angle', 'rocker_angle']", printed.getvalue())


if __name__ == "__main__":
    unittest.main()
