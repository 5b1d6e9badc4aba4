"""Printed programs of models with events, followed by SciPy as docs/derive.md shows, against `vinculum run`."""

import csv
import importlib.util
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

try:
    import scipy
except ImportError:
    scipy = None

ROOT = pathlib.Path(__file__).parents[2]

BALL = """model ball
frame N newtonian
point O fixed in N
param e = 0.8 [1], g = 10 [m/s^2]
coord x, z [m]
particle P mass 2 [kg] at O + x*N.x + z*N.z
gravity -g*N.z
state hits' = 0
event hit: z = 0 [m] falling {
    set z' = -e*z'
    set hits = hits + 1
}
start x = 0, z = 1 [m], x' = 1 [m/s], z' = 0
run 2 [s] step 0.1 [s] tolerance 1e-11
"""

CLUTCH = """model clutch
frame N newtonian
point O fixed in N
coord a, b
frame A = N rotated a about z
frame B = N rotated b about z
body driver frame A mass 1 inertia plane 2 at O
body driven frame B mass 1 inertia plane 3 at O
torque on driver = 4*N.z
state u every 0.3 = b'
torque on driven = -0.5*b'*N.z - 0.2*u*N.z
constraint plate: a' = b'
    when 1 <= t and t < 2 or a > 12
start a = 0, a' = 1, b = 0, b' = 0
run 3 step 0.25 tolerance 1e-11
"""


@unittest.skipIf(scipy is None, "SciPy is not there")
@unittest.skipIf("VINCULUM_COMMAND" not in os.environ, "VINCULUM_COMMAND names no command")
class DerivedEvents(unittest.TestCase):
    def follow_and_run(self, name, text, start, t_end, ends=()):
        """Ends of the motion by the printed program and by the engine, and the events of both."""
        command = os.environ["VINCULUM_COMMAND"]
        page = (ROOT / "docs/derive.md").read_text(encoding="utf-8")
        program = next(block for block in re.findall(r"```python\n(.*?)```", page, re.S) if "def follow" in block)
        scope = {}
        exec(compile(program, "docs/derive.md", "exec"), scope)
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder, name + ".vin")
            model.write_text(text, encoding="utf-8")
            printed = subprocess.run(
                [command, "derive", model, "--to", "python"], check=True, capture_output=True, encoding="utf-8"
            )
            path = pathlib.Path(folder, name + "_printed.py")
            path.write_text(printed.stdout, encoding="utf-8")
            subprocess.run([command, "run", model, "-o", folder], check=True, capture_output=True)
            last = list(csv.reader(pathlib.Path(folder, "trajectory.csv").read_text().splitlines()))[-1]
            events = list(csv.reader(pathlib.Path(folder, "events.csv").read_text().splitlines()))
            spec = importlib.util.spec_from_file_location(path.stem, path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        t, q, u, z, log = scope["follow"](module, name, 0.0, *start, t_end, ends)
        return [t, *q, *u, *z], [float(x) for x in last], log, [row for row in events if row[1] == "event"]

    def assert_same(self, found, expected):
        for a, b in zip(found, expected):
            self.assertAlmostEqual(a, b, delta=1e-8 * max(1.0, abs(b)))

    def test_bouncing_ball(self):
        found, expected, log, events = self.follow_and_run("ball", BALL, ([0, 1], [1, 0], [0]), 2.0)
        self.assert_same(found, expected)
        self.assert_same([t for t, _ in log], [float(row[0]) for row in events])
        self.assertEqual(len(log), 3)
        self.assertAlmostEqual(log[0][0], 0.2**0.5, delta=1e-9)  # z = 1 - 5 t^2

    def test_clutch_with_a_sampled_state(self):
        found, expected, _, _ = self.follow_and_run("clutch", CLUTCH, ([0, 0], [1, 0], [0]), 3.0)
        self.assert_same(found, expected)

    def test_rimless_wheel_ends_where_terminate_says(self):
        text = (ROOT / "models/rimless_wheel.vin").read_text(encoding="utf-8")
        start = ([-0.39269908169872414], [1.0954628396476571], [0])
        found, expected, log, events = self.follow_and_run("rimless_wheel", text, start, 20.0, (1,))
        self.assert_same(found, expected)
        self.assertEqual(len(log), len(events))
        self.assertAlmostEqual(found[0], 9.310948303, delta=1e-8)

    def test_gripper_catches_and_releases(self):
        text = (ROOT / "models/gripper_releases.vin").read_text(encoding="utf-8")
        found, expected, log, events = self.follow_and_run(
            "gripper_releases", text, ([0, 1, 0], [2, 0, 0], [0]), 4.0, (2,)
        )
        self.assert_same(found, expected)
        self.assertEqual([k for _, k in log], [0, 1, 2])
        self.assert_same([t for t, _ in log], [float(row[0]) for row in events])


if __name__ == "__main__":
    unittest.main()
