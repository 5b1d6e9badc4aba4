"""Tests of the installed package: python -m unittest discover python/tests"""

import contextlib
import gc
import importlib.util
import io
import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
import weakref

import numpy as np

import vinculum as vn

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"

PUSHED = """model pushed
frame N newtonian
point O fixed in N
coord x [m]
particle P mass 2 [kg] at O + x*N.x
input push [N]
force on P = push*N.x
run 2 [s]
"""

BOUNCING = """model bouncing
frame N newtonian
point O fixed in N
coord z [m]
particle P mass 2 [kg] at O + z*N.z
gravity -10 [m/s^2]*N.z
event hit: z = 0 [m] falling set z' = -0.8*z'
event late: at 1.9 [s] stop
start z = 1 [m]
run 5 [s] tolerance 1e-11
"""

PENDULUM = """model pendulum
frame N newtonian
point O fixed in N
param l = 2 [m], m = 1.5 [kg], g = 9.81 [m/s^2]
coord x, y [m]
particle P mass m at O + x*N.x + y*N.y
gravity -g*N.y
constraint rod: norm(pos(P, O)) = l
output tension = force(rod, P) in N
start x = 1 [m], y ~ -1 [m]
run 3 [s] tolerance 1e-10
"""


class Evaluations(unittest.TestCase):
    """The evaluator: arrays in, arrays out."""

    def setUp(self):
        self.model = vn.Model.from_text(PENDULUM)
        self.of = self.model.evaluator()
        self.t, self.y = self.of.start_time, self.of.start

    def test_pieces_satisfy_the_equations_of_motion(self):
        of, t, y = self.of, self.t, self.y
        nq, nu = of.coordinate_count, of.speed_count
        u_dot = of.derivative(t, y)[nq : nq + nu]
        A, b = of.rows(t, y)
        self.assertEqual(A.shape, (of.row_count, nu))
        np.testing.assert_allclose(A @ u_dot, b, atol=1e-12)
        force = of.bias(t, y) + A.T @ of.multipliers(t, y)
        np.testing.assert_allclose(of.mass_matrix(t, y) @ u_dot, force, atol=1e-10)
        state = vn.State(t, y[:nq], y[nq:])
        np.testing.assert_allclose(of.multipliers(t, y), self.model.forces(state).multipliers, rtol=1e-12)

    def test_velocities_are_those_of_jacobians(self):
        of, t, y = self.of, self.t, self.y.copy()
        y[2:] = 0.3, -0.7
        for place in ("P", of.point("P"), of.frame("N")):
            np.testing.assert_allclose(of.velocity(place, t, y), of.jacobian(place, t, y) @ y[2:], atol=1e-14)
        np.testing.assert_array_equal(of.position("P", t, y), [y[0], y[1], 0])
        np.testing.assert_array_equal(of.position("N", t, y), np.eye(3))
        kinetic, potential, total = of.energies(t, y)
        self.assertAlmostEqual(kinetic, 0.75 * (0.09 + 0.49), 12)
        self.assertAlmostEqual(total, kinetic + potential, 12)

    def test_an_integrator_of_python_has_the_motion_of_a_run(self):
        y, h, n = self.y, 1e-3, 1000
        for k in range(n):  # Runge–Kutta method of order 4
            t = k * h
            k1 = self.of(t, y)
            k2 = self.of(t + h / 2, y + h / 2 * k1)
            k3 = self.of(t + h / 2, y + h / 2 * k2)
            k4 = self.of(t + h, y + h * k3)
            y = self.of.project(t + h, y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4))
        run = self.model.run(until=1, tolerance=1e-12)
        np.testing.assert_allclose(y, np.concatenate([run.q[-1], run.u[-1]]), atol=1e-9)

    def test_results_go_into_arrays_of_the_caller(self):
        out = np.empty(self.of.size)
        self.assertIs(self.of.derivative(self.t, self.y, out=out), out)
        np.testing.assert_array_equal(out, self.of(self.t, self.y))
        np.testing.assert_array_equal(self.of(0, np.repeat(self.y, 2)[::2]), out)

    def test_calls_that_are_wrong_say_so(self):
        with self.assertRaisesRegex(vn.CallError, "`y` has 3 numbers and must have 4"):
            self.of(0.0, self.y[:3])
        with self.assertRaisesRegex(vn.CallError, "point"):
            self.of.velocity("nowhere", 0.0, self.y)


class Motion(unittest.TestCase):
    def setUp(self):
        self.model = vn.Model.from_text(PENDULUM)
        self.run = self.model.run(until=2, at=[0.7])

    def test_arrays_are_views_that_outlive_their_owner(self):
        q = self.run.q
        again = self.run.q
        self.assertTrue(np.shares_memory(q, again))
        self.assertEqual(q.shape, (len(self.run), 2))
        with self.assertRaises(ValueError):
            q[0, 0] = 1.0
        last = q[-1].copy()
        del self.run, again
        self.assertTrue(np.array_equal(q[-1], last))

    def test_a_run_goes_on_from_a_state(self):
        state = self.run.at(0.7).state
        rest = self.model.run(start=state, until=2)
        self.assertTrue(np.array_equal(rest.q[0], state.q))
        self.assertEqual(rest.t[0], 0.7)
        self.assertLess(np.abs(rest.q[-1] - self.run.q[-1]).max(), 1e-7)
        with self.assertRaises(vn.CallError):
            self.model.run(start=state, until=0.5)

    def test_columns_and_forces(self):
        tension = self.run["tension"]
        self.assertTrue(np.array_equal(tension, self.run.force("rod", "P").values))
        energy = 0.5 * 1.5 * (self.run.u**2).sum(axis=1) + 1.5 * 9.81 * self.run.q[:, 1]
        self.assertLess(np.ptp(energy), 1e-7)
        # m l theta'^2 + m g cos theta
        x, y = self.run.q.T
        expected = 1.5 * (self.run.u**2).sum(axis=1) / 2 - 1.5 * 9.81 * y / 2
        self.assertLess(np.abs(np.linalg.norm(tension, axis=1) - np.abs(expected)).max(), 1e-6)
        self.assertEqual(self.run.column("x").unit, "m")
        self.assertTrue(np.array_equal(np.asarray(self.run.column("x")), self.run.q[:, 0]))
        self.assertEqual(self.run.at(0.7).state.t, 0.7)

    def test_numbers_are_those_of_the_command(self):
        command = os.environ.get("VINCULUM_COMMAND")
        if not command:
            self.skipTest("VINCULUM_COMMAND names no command")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "pendulum.vin"
            path.write_text(PENDULUM)
            subprocess.run([command, "run", path, "-o", f"{folder}/out"], check=True, capture_output=True)
            lines = pathlib.Path(folder, "out", "trajectory.csv").read_text().splitlines()
            rows = [line.split(",") for line in lines if line and not line.startswith("#")]
            written = np.array([[float(x) for x in row] for row in rows[1:]])
            run = vn.Model.load(path).run()
            self.assertTrue(np.array_equal(written[:, 0], run.t))
            self.assertTrue(np.array_equal(written[:, 1:3], run.q))

    def test_a_motion_that_stops_is_no_exception(self):
        run = vn.Model.load(MODELS / "joint_disk_falls_flat.vin").run()
        self.assertEqual(run.stopped.kind, "not-unique")
        self.assertIsNone(self.run.stopped)

    def test_a_motion_that_stops_on_a_sample_ends_there(self):
        run = vn.Model.from_text(
            "model m\nframe N newtonian\npoint O fixed in N\ncoord a, b, c [deg]\nframe A = N rotated c about z\n"
            "frame C = A rotated b about y\nframe B = C rotated a about x\n"
            "body plane frame B mass 1 [kg] inertia (1, 2, 3) [kg*m^2] at O\n"
            "start a = 0, b = 80, c = 0, b' = 20\nrun 1 [s]\n"
        ).run()
        self.assertEqual(run.stopped.kind, "singular-kinematics")
        self.assertEqual(len(run.t), 101)
        self.assertAlmostEqual(run.t[-1], 0.5, places=5)
        self.assertLessEqual(run.t[-1], 0.5)
        self.assertAlmostEqual(run["b"][-1], np.pi / 2, places=5)

    def test_pictures_are_text(self):
        picture = self.run.svg(["x", "tension"])
        self.assertTrue(picture.startswith("<svg") or picture.startswith("<?xml"), picture[:40])
        self.assertIn("tension", picture)

    def test_native(self):
        self.assertEqual(self.run.statistics.backend, "native", self.run.statistics.backend_note)

    def test_provenance_and_audit(self):
        self.assertEqual(self.run.provenance["model"], "pendulum")
        self.assertTrue(self.run.audit().holds)
        added_up = vn.Model.from_text(PENDULUM).run(audit=True).audit()
        self.assertTrue(added_up.holds)
        self.assertRegex(added_up.list, r"10\.5 +holds")


class Parameters(unittest.TestCase):
    def test_a_hundred_values_on_the_same_kernels(self):
        model = vn.Model.from_text(PENDULUM)
        ends = np.array([model.with_values({"m": 1 + 0.01 * k, "l": "2 [m]"}).run()["x"][-1] for k in range(100)])
        self.assertLess(np.ptp(ends), 1e-6)  # the period does not depend on the mass
        fresh = vn.Model.from_text(PENDULUM, set={"m": 1.99}).run()["x"][-1]
        self.assertEqual(ends[-1], fresh)

    def test_threads_share_a_model(self):
        model = vn.Model.from_text(PENDULUM)
        found = []
        threads = [threading.Thread(target=lambda: found.append(model.run()["x"][-1])) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(found)), 1)


class Witness:
    """An object whose end a weak reference shows."""


class Equations(unittest.TestCase):
    def test_pieces_satisfy_the_equations(self):
        model = vn.Model.from_text(PENDULUM)
        state = model.assemble()
        at, forces = model.matrices(state), model.forces(state)
        self.assertLess(np.abs(at.M @ forces.u_dot - at.f - at.C - at.A.T @ forces.multipliers).max(), 1e-12)
        self.assertLess(np.abs(at.A @ forces.u_dot - at.b).max(), 1e-12)
        near = model.assemble(vn.State(0.0, [1.1, -1.7], [0.1, 0.2]))
        self.assertAlmostEqual(np.linalg.norm(near.q), 2.0)

    def test_derived_python_runs(self):
        model = vn.Model.from_text(PENDULUM)
        scope = {}
        exec(model.derive("minimal").python, scope)
        state = model.assemble()
        found = scope["pendulum_accelerations"](0.0, list(state.q), list(state.u), scope["pendulum_parameters"]())
        self.assertLess(np.abs(np.array(found[0]) - model.forces(state).u_dot).max(), 1e-10)

    def test_simulation_takes_inputs_and_is_saved(self):
        model = vn.Model.from_text(PUSHED)
        self.assertEqual([(one.name, one.unit) for one in model.inputs], [("push", "N")])
        whole, other = model.simulation(), model.simulation()
        push = whole.input("push")
        for k in range(1, 21):
            whole.set_input(push, np.sin(k))
            whole.advance(0.1 * k)
            if k == 10:
                saved = whole.save()
        self.assertIsInstance(saved, bytes)
        other.restore(saved)
        for k in range(11, 21):
            other.set_input("push", np.sin(k))
            other.advance(0.1 * k)
        self.assertEqual(list(other.state.q), list(whole.state.q))
        self.assertEqual(other.save(), whole.save())
        speed = sum(0.1 * np.sin(k) / 2 for k in range(1, 21))
        self.assertAlmostEqual(whole.state.u[0], speed, 12)
        with self.assertRaisesRegex(vn.CallError, "did you mean `push`"):
            whole.input("puch")
        with self.assertRaisesRegex(vn.CallError, "not finite"):
            whole.set_input(push, float("nan"))
        with self.assertRaisesRegex(vn.CallError, "not a saved simulation"):
            whole.restore(b"nothing")

    def test_handles_are_used_without_a_search(self):
        model = vn.Model.from_text(PENDULUM)
        x, rate, m = model.coordinate("x"), model.speed("x'"), model.parameter("m")
        rod, P = model.constraint("rod"), model.point("P")
        run = model.run()
        self.assertEqual((x.index, rate.index, m.index), (0, 0, 1))
        np.testing.assert_array_equal(run.q[:, x], run["x"])
        np.testing.assert_array_equal(run[x], run["x"])
        np.testing.assert_array_equal(run[rate], run["x'"])
        np.testing.assert_array_equal(run[model.column("tension.y")], run["tension.y"])
        np.testing.assert_array_equal(run.column(model.column("tension")).values, run["tension"])
        np.testing.assert_array_equal(run.force(rod, P).values, run.force("rod", "P").values)
        np.testing.assert_array_equal(run.multiplier(rod).values, run.multiplier("rod").values)
        simulation = model.simulation()
        simulation.advance(0.3)
        simulation.set(m, 3.0)
        self.assertEqual((simulation.value(x), simulation.value(m)), (simulation.state.q[x], 3.0))
        self.assertEqual(model.with_values(m, 2.0).parameters[m].value, 2.0)
        evaluator = model.evaluator()
        t, y = evaluator.start_time, evaluator.start
        np.testing.assert_array_equal(evaluator.position(P, t, y), evaluator.position("P", t, y))
        self.assertEqual(evaluator.position(model.frame("N"), t, y).shape, (3, 3))
        self.assertEqual(len({x, model.coordinate("x"), model.coordinate("y")}), 2)
        other = vn.Model.from_text(PENDULUM)
        for call in (
            lambda: simulation.value(other.coordinate("x")),
            lambda: run[other.coordinate("x")],
            lambda: run.force(other.constraint("rod"), P),
            lambda: simulation.set(other.parameter("m"), 1.0),
            lambda: evaluator.position(other.point("P"), t, y),
        ):
            with self.assertRaisesRegex(vn.CallError, "is of another model than `pendulum`"):
                call()
        with self.assertRaisesRegex(vn.CallError, "no constraint `rud`; did you mean `rod`"):
            model.constraint("rud")

    def test_simulation_tells_events(self):
        model = vn.Model.from_text(BOUNCING)
        simulation = model.simulation()
        told = []

        def on_event(event, before, after):
            told.append((event.kind, event.where, event.after))
            if event.where == "hit":
                self.assertEqual(after.u[0], -0.8 * before.u[0])
                self.assertEqual(simulation.state.u[0], after.u[0])
                self.assertEqual(simulation.forces.u_dot[0], -10.0)
                with self.assertRaisesRegex(vn.CallError, "while the motion is on its way"):
                    simulation.advance(9.0)
            return len(told) == 2

        simulation.on_event = on_event
        self.assertIs(simulation.on_event, on_event)
        simulation.advance(1.8)
        self.assertAlmostEqual(simulation.state.t, 2.6 * math.sqrt(0.2), 9)  # the second impact
        self.assertEqual(told, [("event", "hit", None)] * 2)
        with self.assertRaises(vn.MotionError):
            simulation.advance(5.0)
        self.assertEqual(told[-2:], [("event", "late", None), ("stop", told[-1][1], "event")])
        run = model.run()
        self.assertEqual([(one.kind, one.where, one.after) for one in run.events], told)
        simulation.on_event = None
        self.assertIsNone(simulation.on_event)

    def test_forces_are_marked_as_unique_or_not(self):
        text = """model hung
frame N newtonian
point O fixed in N
coord x, y
particle P mass 2 at O + x*N.x + y*N.y
constraint rod: norm(pos(P, O)) = 1
start x = 0.6, y = 0.8
run 1
"""
        again = text.replace("start", "constraint again: norm(pos(P, O)) = 1\nstart")
        for model, is_unique in (vn.Model.from_text(text), True), (vn.Model.from_text(again), False):
            force = model.forces(model.assemble()).on_points[0]
            self.assertEqual(list(force.is_unique), [is_unique, is_unique, True])

    def test_impulses_are_vectors_at_points(self):
        model = vn.Model.from_text("""model ball
frame N newtonian
point O fixed in N
coord x, z
particle P mass 2 at O + x*N.x + z*N.z
gravity -10*N.z
constraint floor: dot(pos(P, O), N.z) >= 0
    restitution 0.5
    friction on P mu = 0.1
start z = 0.2, x' = 3
run 0.3
""")
        (impulse,) = model.run().impulses
        self.assertAlmostEqual(impulse.t, 0.2, 9)
        self.assertEqual((impulse.constraint, impulse.on, impulse.is_moment), ("floor", "P", False))
        np.testing.assert_allclose(impulse.value, [-0.6, 0, 6], atol=1e-8)
        np.testing.assert_allclose(impulse.at, [0.6, 0, 0], atol=1e-8)
        self.assertEqual(list(impulse.is_unique), [True] * 3)
        self.assertEqual(vn.Model.from_text(BOUNCING).run().impulses, [])

    def test_exceptions_of_on_event_are_raised_unharmed(self):
        model = vn.Model.from_text(BOUNCING)
        error = KeyError("enough")

        def on_event(event, before, after):
            raise error

        with self.assertRaises(KeyError) as raised:
            model.run(on_event=on_event)
        self.assertIs(raised.exception, error)
        simulation = model.simulation()
        simulation.on_event = on_event
        with self.assertRaises(KeyError) as raised:
            simulation.advance(1.0)
        self.assertIs(raised.exception, error)
        self.assertAlmostEqual(simulation.state.t, math.sqrt(0.2), 9)
        simulation.on_event = lambda event, before, after: "yes"
        with self.assertRaisesRegex(TypeError, "True to end"):
            simulation.advance(1.3)
        with self.assertRaisesRegex(TypeError, "function of"):
            simulation.on_event = 3
        simulation.on_event = None
        simulation.advance(1.3)
        self.assertEqual(simulation.state.t, 1.3)
        ended = model.run(on_event=lambda event, before, after: True)
        self.assertEqual(ended.stopped.kind, "interrupted")
        self.assertAlmostEqual(ended.t[-1], math.sqrt(0.2), 9)

    def test_simulation_that_its_function_refers_to_is_collected(self):
        simulation = vn.Model.from_text(BOUNCING).simulation()
        witness = Witness()
        gone = weakref.ref(witness)
        simulation.on_event = lambda event, before, after, a=simulation, b=witness: None
        del simulation, witness
        gc.collect()
        self.assertIsNone(gone())

    def test_run_takes_records_of_inputs(self):
        model = vn.Model.from_text(PUSHED)
        held = model.run(inputs={"push": ([0.0, 1.0, 2.0], [2.0, 4.0, 0.0])})
        self.assertAlmostEqual(held.u[-1][0], 3.0, 9)
        linear = model.run(inputs={"push": (np.array([0.0, 2.0]), np.array([0.0, 4.0]), "linear")})
        self.assertAlmostEqual(linear.u[-1][0], 2.0, 9)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "push.csv"
            path.write_text("t [s],push [kN]\n0,0\n2,0.004\n")
            self.assertAlmostEqual(model.run(inputs={"push": path}).u[-1][0], 0.0, 9)
            self.assertAlmostEqual(model.run(inputs={"push": f"{path}, linear"}).u[-1][0], 2.0, 9)
        with self.assertRaisesRegex(vn.CallError, "ends at 1 s, before the run"):
            model.run(inputs={"push": ([0.0, 1.0], [0.0, 0.0])})
        with self.assertRaises(ValueError):
            model.run(inputs={"push": ([0.0, 1.0],)})

    def test_simulation_for_control(self):
        simulation = vn.Model.from_text(PENDULUM).simulation()
        simulation.advance(0.5)
        state = simulation.state
        self.assertEqual(state.t, 0.5)
        simulation.state = vn.State(0.5, state.q, [0.0, 0.0])
        self.assertEqual(list(simulation.state.u), [0.0, 0.0])

    def test_a_controller_in_the_loop(self):
        # Computed torque: the error of the angle decays as e'' + 2 e' + e = 0, critically damped.
        model = vn.Model.from_text(
            "model link\nparam tau = 0\ncoord a\nlagrangian 1.5*a'^2 + 9.81*cos(a)\n"
            "generalized force on a = tau\nstart a = 1\nrun 1\n"
        )
        simulation, tick = model.simulation(), 1e-3
        for k in range(1, 2001):
            (a,), (v,) = simulation.state.q, simulation.state.u
            simulation.set({"tau": 0.0})
            simulation.set({"tau": simulation.inverse_dynamics(np.array([-2 * v - a]))[0]})
            simulation.advance(tick * k)
        self.assertAlmostEqual(simulation.state.q[0], 3 * np.exp(-2.0), delta=2 * tick)  # (1 + t) e⁻ᵗ

    def test_laws_side_by_side(self):
        comparison = vn.Model.load(MODELS / "rheonomic_ideal.vin").compare("ideal, vakonomic", until=0.1)
        self.assertEqual(len(comparison.variants), 2)
        json.loads(comparison.json)


class Mistakes(unittest.TestCase):
    def test_of_a_text_have_line_caret_and_hint(self):
        with self.assertRaises(vn.ModelError) as caught:
            vn.Model.from_text(PENDULUM.replace("mass m", "mass mm"))
        self.assertEqual(caught.exception.diagnostics[0].kind, "unknown-name")
        self.assertIn("^", str(caught.exception))
        self.assertIn("model.vin:6:", str(caught.exception))

    def test_of_calls_name_what_there_is_not(self):
        model = vn.Model.from_text(PENDULUM)
        for call in (
            lambda: model.run()["nothing"],
            lambda: model.with_values({"nothing": 1}),
            lambda: vn.Model.load("none.vin"),
        ):
            with self.assertRaises(vn.CallError):
                call()
        with self.assertRaises(ValueError):
            model.run(formulation="nothing")

    def test_of_motions_say_why(self):
        with self.assertRaises(vn.MotionError) as caught:
            vn.Model.from_text(PENDULUM.replace("start x = 1 [m]", "start x = 3 [m]")).assemble()
        self.assertEqual(caught.exception.kind, "assembly")

    def test_ctrl_c_ends_a_run(self):
        model = vn.Model.from_text(PENDULUM.replace("run 3 [s]", "run 1e9 [s]"))
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            model.run(step=1e9)
        self.assertLess(time.monotonic() - begin, 10.0)


def programs(page, language):
    """Code blocks in the given language on a page of docs/."""
    text = (MODELS.parent / "docs" / page).read_text()
    return [part.split("```")[0] for part in text.split(f"```{language}\n")[1:]]


def said(program, folder):
    """The output of a program that runs in the given folder."""
    here = os.getcwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(program, {})
    finally:
        os.chdir(here)
    return out.getvalue()


class Pages(unittest.TestCase):
    def test_python_shows_only_programs_that_run(self):
        shown = programs("python.md", "python")
        self.assertGreater(len(shown), 3)
        self.assertIn("largest pull", said("".join(shown), MODELS.parent))

    def test_howto_guides_show_only_programs_that_run(self):
        """Each compares its numbers with a closed form; one that needs a missing package is skipped."""
        howto = MODELS.parent / "docs" / "howto"
        command = os.environ.get("VINCULUM_COMMAND")
        ran = 0
        for page in sorted(howto.glob("*.md")):
            program = "".join(programs(f"howto/{page.name}", "python"))
            needed = set(re.findall(r"^(?:import|from) (\w+)", program, re.M))
            if not program or not all(map(importlib.util.find_spec, needed)) or "subprocess" in needed and not command:
                continue
            with self.subTest(page.name), tempfile.TemporaryDirectory() as folder:
                shutil.copytree(howto / "models", folder, dirs_exist_ok=True)
                path = f"{pathlib.Path(command).parent}:{os.environ['PATH']}" if command else os.environ["PATH"]
                with unittest.mock.patch.dict(os.environ, PATH=path):
                    self.assertTrue(said(program, folder))
                ran += 1
        self.assertGreaterEqual(ran, 2)

    def test_the_first_hour_ends_with_programs_that_run(self):
        with tempfile.TemporaryDirectory() as folder:
            for model in programs("first_hour.md", "vin"):
                pathlib.Path(folder, model.split()[1] + ".vin").write_text(model)
            printed = said("".join(programs("first_hour.md", "python")), folder)
        page = (MODELS.parent / "docs" / "first_hour.md").read_text()
        self.assertIn(f"`{printed.splitlines()[0]}`", page)
        self.assertIn("[unknown-name]", printed)


class Import(unittest.TestCase):
    def test_takes_no_time(self):
        def seconds(what):  # processor time, so that other load on the machine has no influence
            program = f"import numpy, time; t = time.process_time(); import {what}; print(time.process_time() - t)"
            return min(
                float(subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout)
                for _ in range(5)
            )

        self.assertLess(seconds("vinculum"), 0.05)


if __name__ == "__main__":
    unittest.main()
