"""Functional mock-up units: their files, and their motions in FMPy, another program, against `Model.run`."""

import importlib.util
import os
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml
import zipfile
from pathlib import Path

import numpy as np
from test_package import MODELS

import vinculum as vn

PENDULUM = """model carried "A pendulum on a cart that is pushed"
frame N newtonian
point O fixed in N
param m = 2 [kg], g = 9.81 [m/s^2], L = 50 [cm], M = 3 [kg]
coord x, X, Y [m]
input push [N]
particle cart mass M at O + x*N.x
particle bob mass m at O + X*N.x + Y*N.y
constraint rod: norm(pos(bob, cart)) = L
force on cart = push*N.x
gravity -g*N.y
output pull = force(rod, bob) in N
output height = Y as [mm]
start X = 0.3 [m], Y ~ -0.4 [m]
run 2 [s] tolerance 1e-11
"""
BALL = """model bouncing "A ball that an event throws back"
frame N newtonian
point O fixed in N
param e = 0.8
coord z [m]
particle ball mass 1 [kg] at O + z*N.z
gravity -10 [m/s^2]*N.z
state hits' = 0
event hit: z = 0 [m] falling {
    set z' = -e*z'
    set hits = hits + 1
}
start z = 1 [m]
run 1.5 [s] tolerance 1e-11
"""
HAS_FMPY = importlib.util.find_spec("fmpy") is not None
HAS_COMPILER = any(shutil.which(name) for name in ("cc", "gcc", "clang"))


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def made(self, model, version="3.0", **options):
        return model.fmu(self.folder / f"{model.name}.fmu", version, **options)


def has_fmu(model):
    try:
        return bool(model.derive().program)
    except vn.CallError:
        return False


class Files(InFolder):
    def test_same_bytes_and_contents(self):
        model = vn.Model.from_text(PENDULUM)
        first = self.made(model, binary=False).read_bytes()
        self.assertEqual(first, self.made(model, binary=False).read_bytes())
        with zipfile.ZipFile(self.folder / "carried.fmu") as archive:
            root = xml.fromstring(archive.read("modelDescription.xml"))
            self.assertEqual(
                sorted(archive.namelist()),
                ["modelDescription.xml"] + [f"sources/{name}" for name in
                 ("buildDescription.xml", "config.h", "core.c", "fmi3.c", "model.c")])  # fmt: skip
        variables = {one.get("name"): one for one in root.find("ModelVariables")}
        self.assertEqual(variables["L"].get("causality"), "parameter")
        self.assertEqual(variables["L"].get("variability"), "tunable")
        self.assertEqual((variables["L"].get("unit"), variables["L"].get("displayUnit")), ("m", "cm"))
        self.assertEqual(float(variables["L"].get("start")), 0.5)
        self.assertEqual(variables["push"].get("causality"), "input")
        self.assertEqual(variables["pull.y"].get("unit"), "N")
        self.assertEqual(variables["multiplier(rod)"].get("causality"), "local")
        self.assertEqual(variables["der(x')"].get("derivative"), variables["x'"].get("valueReference"))
        units = {one.get("name"): one for one in root.find("UnitDefinitions")}
        self.assertEqual(units["N"].find("BaseUnit").attrib, {"kg": "1", "m": "1", "s": "-2"})
        self.assertAlmostEqual(float(units["m"].find("DisplayUnit").get("factor")), 100.0)

    def test_units(self):
        from vinculum._fmu import _exponents

        self.assertEqual(_exponents("N*m"), {"kg": 1, "m": 2, "s": -2})
        self.assertEqual(_exponents("m/s^2"), {"m": 1, "s": -2})
        self.assertEqual(_exponents("kg*m^2/s^2/rad"), {"kg": 1, "m": 2, "s": -2, "rad": -1})
        for unknown in ("kg/(m^3)", "N*m/(rad/s)", "m^(1/2)", "furlong"):
            self.assertIsNone(_exponents(unknown), unknown)

    def test_refusals(self):
        model = vn.Model.from_text(PENDULUM)
        with self.assertRaisesRegex(vn.FmuError, "write one of 2.0, 3.0"):
            self.made(model, "1.0")
        with self.assertRaisesRegex(vn.CallError, "no code for friction_incline"):
            self.made(vn.Model.load(MODELS / "friction_incline.vin"))
        with self.assertRaisesRegex(vn.FmuError, "its friction may stick"):
            self.made(vn.Model.load(MODELS / "switch_coulomb_load.vin"))
        with self.assertRaisesRegex(vn.FmuError, "its speeds may jump"):
            self.made(vn.Model.load(MODELS / "switch_carried_pivot.vin"))
        path = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        os.environ["PATH"] = ""
        with self.assertRaisesRegex(vn.FmuError, "no C compiler"):
            self.made(model, binary=True)
        with zipfile.ZipFile(self.made(model)) as archive:
            self.assertFalse([name for name in archive.namelist() if name.startswith("binaries")])

    @unittest.skipUnless(HAS_COMPILER, "needs a C compiler")
    def test_sources_compile_without_warnings(self):
        compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        names = ("carried", "bouncing", "clutch_engages", "constant_jerk_beside_a_rod", "torque_free_body")
        for name in names:
            model = {"carried": PENDULUM, "bouncing": BALL}.get(name)
            model = vn.Model.from_text(model) if model else vn.Model.load(MODELS / f"{name}.vin")
            for version, main in (("2.0", "fmi2.c"), ("3.0", "fmi3.c")):
                with zipfile.ZipFile(self.made(model, version, binary=False)) as archive:
                    archive.extractall(self.folder / "fmu")
                flags = ["-std=c99", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-fPIC", "-shared", "-O1"]
                made = subprocess.run([compiler, *flags, "-o", self.folder / "x.so", self.folder / "fmu/sources" / main,
                                       "-lm"], capture_output=True, text=True)  # fmt: skip
                self.assertEqual(made.stderr, "", f"{name} {version}")

    def test_command(self):
        (self.folder / "a.vin").write_text(PENDULUM)
        from vinculum._command import main

        self.assertEqual(
            main(["fmu", str(self.folder / "a.vin"), "-o", str(self.folder / "a.fmu"), "--version", "2.0"]), 0
        )
        self.assertTrue(zipfile.is_zipfile(self.folder / "a.fmu"))
        self.assertEqual(main(["fmu", str(self.folder / "b.vin")]), 1)
        self.assertEqual(main(["fmu", str(self.folder / "a.vin"), "-o", str(self.folder / "none" / "a.fmu")]), 1)


@unittest.skipUnless(HAS_FMPY, "needs fmpy")
class Descriptions(InFolder):
    def test_no_problem_is_found_in_any_model(self):
        from fmpy.validation import validate_fmu

        count = 0
        for file in sorted(MODELS.glob("*.vin")):
            model = vn.Model.load(file)
            if not has_fmu(model):
                continue
            for version in ("2.0", "3.0"):
                try:
                    made = self.made(model, version, binary=False)
                except vn.FmuError as error:
                    self.assertRegex(str(error), "may stick|may jump")
                    continue
                count += 1
                self.assertEqual(validate_fmu(str(made)), [], f"{file.name} {version}")
        self.assertGreater(count, 250)


@unittest.skipUnless(HAS_FMPY and HAS_COMPILER, "needs fmpy and a C compiler")
class Motions(InFolder):
    def simulated(self, model, names, kind, version="3.0", **options):
        import fmpy

        options = {"relative_tolerance": 1e-10, "output_interval": 0.01, **options}
        path = self.made(model, version, binary=True)
        return fmpy.simulate_fmu(str(path), fmi_type=kind, start_time=0, output=names, **options)

    def compare(self, model):
        run = model.run(step=0.01)
        names = [one.name for one in model.coordinates]
        for version in ("2.0", "3.0"):
            for kind, tolerance in (("ModelExchange", 1e-6), ("CoSimulation", 1e-7)):
                found = self.simulated(model, names, kind, version, stop_time=float(run.t[-1]))
                with self.subTest(model=model.name, version=version, kind=kind):
                    for name in names:
                        wanted = run[name][-1]
                        self.assertAlmostEqual(found[name][-1], wanted, delta=tolerance * max(1, abs(wanted)), msg=name)

    def test_motions_are_those_of_run(self):
        for name in ("double_pendulum", "rolling_disk", "joint_fixed", "slider_crank", "prescribed_arm",
                     "pucks_parallel", "kozlov_blade", "computed_torque_arm", "torque_free_body", "clutch_engages",
                     "constant_jerk_beside_a_rod", "sampled_controller"):  # fmt: skip
            if (MODELS / f"{name}.vin").exists():
                self.compare(vn.Model.load(MODELS / f"{name}.vin"))

    def test_forces(self):
        model = vn.Model.from_text(PENDULUM)
        self.compare(model)
        run = model.run()
        found = self.simulated(model, ["pull.x", "pull.y", "height"], "CoSimulation", stop_time=2)
        pull = run.force("rod", "bob").values[-1]
        self.assertAlmostEqual(found["pull.x"][-1], pull[0], delta=1e-5)
        self.assertAlmostEqual(found["pull.y"][-1], pull[1], delta=1e-5)
        self.assertAlmostEqual(found["height"][-1], run["Y"][-1], delta=1e-7)

    def test_inputs_parameters_and_starts(self):
        model = vn.Model.from_text(PENDULUM)
        pushes = np.array([(0.0, 4.0), (10.0, 4.0)], dtype=[("time", "f8"), ("push", "f8")])
        long = PENDULUM.replace("L = 50 [cm]", "L = 60 [cm]")
        wanted = vn.Model.from_text(long).run(inputs={"push": ([0.0, 10.0], [4.0, 4.0])})
        starts = {"L": 0.6} | {name: wanted[name][0] for name in ("x", "X", "Y")}
        for kind, tolerance in (("ModelExchange", 1e-6), ("CoSimulation", 1e-7)):
            found = self.simulated(model, ["x", "Y"], kind, stop_time=2, input=pushes,
                                   start_values=starts)  # fmt: skip
            self.assertAlmostEqual(found["x"][-1], wanted["x"][-1], delta=tolerance, msg=kind)
            self.assertAlmostEqual(found["Y"][-1], wanted["Y"][-1], delta=tolerance, msg=kind)

    def test_events(self):
        self.compare(vn.Model.from_text(BALL))
        # Closed form: the first fall takes sqrt(0.2) s, then each flight 0.8 times the one before.
        fall = 0.2**0.5
        found = self.simulated(vn.Model.from_text(BALL), ["z", "z'", "hits"], "ModelExchange", stop_time=1.5)
        instants = fall + np.cumsum([0.0] + [2 * fall * 0.8**k for k in range(1, 20)])
        self.assertEqual(found["hits"][-1], np.count_nonzero(instants < 1.5))

    def test_event_that_ends_the_run(self):
        model = vn.Model.load(MODELS / "rimless_wheel.vin")
        run = model.run()
        for version in ("2.0", "3.0"):
            for kind in ("ModelExchange", "CoSimulation"):
                found = self.simulated(model, ["q"], kind, version, stop_time=12)
                self.assertLess(abs(found["time"][-1] - run.t[-1]), 0.011, f"{version} {kind}")

    def instance(self, model, kind="CoSimulation", version="3.0"):
        """(FMU, references by names) before its initialization."""
        import fmpy
        from fmpy.simulation import instantiate_fmu

        path = self.made(model, version, binary=True)
        description = fmpy.read_model_description(str(path))
        folder = fmpy.extract(str(path))
        self.addCleanup(shutil.rmtree, folder)
        fmu = instantiate_fmu(folder, description, kind)
        self.addCleanup(fmu.freeInstance)
        return fmu, {one.name: one.valueReference for one in description.modelVariables}

    def begun(self, model, kind="CoSimulation"):
        fmu, reference = self.instance(model, kind)
        fmu.enterInitializationMode(startTime=0.0)
        fmu.exitInitializationMode()
        return fmu, reference

    def test_state_is_saved_and_restored(self):
        model = vn.Model.from_text(BALL)
        fmu, reference = self.begun(model)
        names = [reference["z"], reference["hits"]]
        fmu.doStep(0.0, 0.4)
        data = fmu.serializeFMUState(fmu.getFMUState())
        fmu.doStep(0.4, 0.5)
        first = fmu.getFloat64(names)
        other, _ = self.instance(model)  # also in an instance that has not begun
        for one in (fmu, other):
            one.setFMUState(one.deserializeFMUState(data))
            one.doStep(0.4, 0.5)
            self.assertEqual(first, one.getFloat64(names))

    def test_what_may_be_set(self):
        from fmpy.fmi1 import FMICallException

        fmu, reference = self.instance(vn.Model.from_text(PENDULUM))
        fmu.enterInitializationMode(startTime=0.0)
        fmu.setFloat64([reference["x"]], [0.1])
        fmu.exitInitializationMode()
        fmu.setFloat64([reference["push"], reference["g"]], [1.0, 9.8])
        for name in ("x", "x'", "time", "pull.x", "der(x)"):
            with self.assertRaises(FMICallException, msg=name):
                fmu.setFloat64([reference[name]], [0.1])

    def test_conditions_hold_before_the_initialization_ends(self):
        text = """model held
param m = 2, F = 3
coord x, y
lagrangian m*(x'^2 + y'^2)/2 + F*x
constraint hold: x = 0 when y < 1
start x = 0, y = 0, y' = 1
run 2 tolerance 1e-11
"""
        fmu, reference = self.instance(vn.Model.from_text(text))
        fmu.enterInitializationMode(startTime=0.0)
        self.assertAlmostEqual(fmu.getFloat64([reference["multiplier(hold)"]])[0], -3.0, 12)
        self.assertEqual(fmu.getFloat64([reference["der(x')"]]), [0.0])
        self.compare(vn.Model.from_text(text))

    def test_times_of_events_follow_parameters(self):
        text = BALL.replace("event hit:", "event tick: every T set ticks = ticks + 1\nevent hit:")
        text = text.replace("param e = 0.8", "param e = 0.8, T = 1 [s]").replace(
            "state hits", "state ticks' = 0\nstate hits"
        )
        fmu, reference = self.begun(vn.Model.from_text(text))
        fmu.doStep(0.0, 0.05)
        fmu.setFloat64([reference["T"]], [0.1])
        fmu.doStep(0.05, 0.3)
        self.assertEqual(fmu.getFloat64([reference["ticks"]]), [4.0])  # at 0, 0.1, 0.2, 0.3

    def test_many_short_steps_are_no_sliding_mode(self):
        fmu, _ = self.begun(vn.Model.from_text(BALL))
        for k in range(1500):
            fmu.doStep(k * 1e-12, 1e-12)

    def test_a_sliding_mode_fails_and_does_not_end_normally(self):
        text = """model relay
coord x
lagrangian x'^2/2
generalized force on x = -sign(x + 0.5*x')
start x = 1
run 10
"""
        from ctypes import byref, c_int

        from fmpy.fmi1 import FMICallException

        fmu, _ = self.instance(vn.Model.from_text(text), version="2.0")
        fmu.setupExperiment(startTime=0.0)
        fmu.enterInitializationMode()
        fmu.exitInitializationMode()
        with self.assertRaises(FMICallException):
            fmu.doStep(0.0, 10.0)
        ended = c_int(7)
        fmu.dll.fmi2GetBooleanStatus(fmu.component, 3, byref(ended))
        self.assertEqual(ended.value, 0)


if __name__ == "__main__":
    unittest.main()
