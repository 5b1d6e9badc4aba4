#!/usr/bin/env python3
"""Compares `Model.evaluator()` of the Python package with Pinocchio and MuJoCo, each called through its own Python
package, on the same mechanisms in one run.

usage: evaluator_peers.py [--only MECHANISM,…] [--rounds N] [--quick]

Three tasks: forward dynamics (accelerations without joint torques), inverse dynamics (joint torques of given
accelerations) and the mass matrix. The models of all programs are made from one table of numbers (`board/trees.py`): a
text for Vinculum, an MJCF text for MuJoCo, calls for Pinocchio. The program prints tables in Markdown, with times per
call and with the largest difference from Vinculum's values, relative to the largest value. It ends with status 1 if a
difference exceeds 1e-10. A peer that is not installed (PyPI: `pin`, `mujoco` 4 or later) is left out with a message.

A time of a task is processor time of one thread per call, with the conversion of arguments and results. Each program is
called at 16 states in turn, because the same state twice might be answered from memory. All programs take turns in each
round. The tables have the median of all batches, and the lowest batch in parentheses. A factor is the lowest batch of
the other program over the lowest batch of Vinculum. Before the batches, Vinculum is called for some seconds, because
its optimized code is compiled in the background while the first code is used. The last row of a table has the elapsed
time from the table of numbers to the first accelerations: the least of three models, without a cache of compiled code.
"""

import argparse
import itertools
import pathlib
import statistics
import sys
import time

import numpy as np

import vinculum

try:
    import pinocchio as pin
except ImportError:
    pin = None
try:
    import mujoco
except ImportError:
    mujoco = None

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from board.output import Table, seconds_text  # noqa: E402
from board.trees import Body, Tree, arm, preorder  # noqa: E402

BATCH = 0.01  # [s] least processor time of a batch of calls
STATES = 16
AGREEMENT = 1e-10  # largest allowed difference, relative to the largest value
DOWN = (0.0, 0.0, -9.81)
TASKS = {"forward": "forward dynamics", "inverse": "inverse dynamics", "mass": "mass matrix"}


def arm_with_gravity():
    """The seven-joint arm of `models/arm_open.vin`, under gravity."""
    return Tree(arm(False).bodies, DOWN)


def spatial_tree(n):
    """A binary tree of n bodies whose hinge axes are x, y and z in turn along each branch. Each body has its own mass.

    The bodies are in preorder, as Pinocchio requires.
    """
    order = preorder(n)
    place = {body: i for i, body in enumerate(order)}
    bodies = []
    for body in order:
        depth = (body + 1).bit_length() - 1
        axis = tuple(float(k == depth % 3) for k in range(3))
        parent = place[(body + 1) // 2 - 1] if body else -1
        side = 0.1 if body % 2 else -0.1
        joint = (side, 0.05, -0.5) if body else (0.0, 0.0, 0.0)
        mass = 1.0 + 0.05 * body
        bodies.append(Body(parent, joint, axis, mass, (0.02, -0.03, -0.25), (0.05 * mass, 0.06 * mass, 0.02 * mass)))
    return Tree(bodies, DOWN)


MECHANISMS = {
    "arm": ("seven-joint arm", arm_with_gravity),
    "tree": ("tree of 30 bodies", lambda: spatial_tree(30)),
}


def joined(numbers):
    return " ".join(repr(float(one)) for one in numbers)


def text_of(tree):
    """The tree as a model text without units."""

    def vector(numbers, frame):
        terms = [f"({float(one)!r})*{frame}.{axis}" for one, axis in zip(numbers, "xyz") if one]
        return " + ".join(terms) or f"0*{frame}.x"

    lines = ["model tree", "frame N newtonian", "point J fixed in N", f"gravity {vector(tree.gravity, 'N')}"]
    for i, body in enumerate(tree.bodies):
        frame, point = (f"F{body.parent}", f"J{body.parent}") if body.parent >= 0 else ("N", "J")
        inertia = ", ".join(repr(float(one)) for one in body.inertia)
        lines += [
            f"coord q{i}",
            f"frame F{i} = {frame} rotated q{i} about {vector(body.axis, frame)}",
            f"point J{i} = {point} + {vector(body.joint, frame)}",
            f"body B{i} frame F{i} mass {body.mass!r} inertia ({inertia}) at J{i} + {vector(body.center, f'F{i}')}",
        ]
    return "\n".join(lines) + "\n"


def mjcf_of(tree):
    """The tree as an MJCF text. Contacts, constraints and sensors are disabled: the tree has none."""
    children = {}
    for i, body in enumerate(tree.bodies):
        children.setdefault(body.parent, []).append(i)

    def element(i):
        body = tree.bodies[i]
        return (
            f'<body pos="{joined(body.joint)}"><joint type="hinge" axis="{joined(body.axis)}"/>'
            f'<inertial pos="{joined(body.center)}" mass="{body.mass!r}" diaginertia="{joined(body.inertia)}"/>'
            + "".join(element(child) for child in children.get(i, []))
            + "</body>"
        )

    return (
        f'<mujoco><compiler angle="radian"/><option gravity="{joined(tree.gravity)}">'
        '<flag contact="disable" constraint="disable" sensor="disable"/></option>'
        f"<worldbody>{''.join(element(i) for i in children[-1])}</worldbody></mujoco>"
    )


class OfVinculum:
    def __init__(self, tree):
        self.version = "Vinculum " + vinculum.__version__
        self.evaluator = vinculum.Model.from_text(text_of(tree), cache="").evaluator()
        self.n = self.evaluator.speed_count
        self.y_dot = np.empty(2 * self.n)

    def at(self, q, u, u_dot):
        """The arguments of the tasks at a state."""
        return np.concatenate([q, u]), u_dot

    def forward(self, y, u_dot):
        return self.evaluator.derivative(0.0, y, out=self.y_dot)[self.n :]

    def inverse(self, y, u_dot):
        return self.evaluator.inverse_dynamics(0.0, y, u_dot)

    def mass(self, y, u_dot):
        return self.evaluator.mass_matrix(0.0, y)


class OfPinocchio:
    """The algorithms for forward dynamics and the mass matrix exist in two conventions; `local` selects one."""

    def __init__(self, tree, local=True):
        self.version = "Pinocchio " + pin.__version__
        self.model = pin.Model()
        self.model.gravity.linear = np.array(tree.gravity)
        names = {
            (1.0, 0.0, 0.0): pin.JointModelRX,
            (0.0, 1.0, 0.0): pin.JointModelRY,
            (0.0, 0.0, 1.0): pin.JointModelRZ,
        }
        for i, body in enumerate(tree.bodies):
            axis = tuple(float(one) for one in body.axis)
            joint = names[axis]() if axis in names else pin.JointModelRevoluteUnaligned(np.array(axis))
            place = pin.SE3(np.eye(3), np.array(body.joint, dtype=float))
            at = self.model.addJoint(body.parent + 1, joint, place, f"q{i}")
            inertia = pin.Inertia(body.mass, np.array(body.center, dtype=float), np.diag(body.inertia).astype(float))
            self.model.appendBodyToJoint(at, inertia, pin.SE3.Identity())
        self.data, self.none = self.model.createData(), np.zeros(len(tree.bodies))
        self.convention = pin.Convention.LOCAL if local else pin.Convention.WORLD

    def at(self, q, u, u_dot):
        return q, u, u_dot

    def forward(self, q, u, u_dot):
        return pin.aba(self.model, self.data, q, u, self.none, self.convention)

    def inverse(self, q, u, u_dot):
        return pin.rnea(self.model, self.data, q, u, u_dot)

    def mass(self, q, u, u_dot):
        return pin.crba(self.model, self.data, q, self.convention)

    def full(self, M):
        """`crba` fills the upper triangle only."""
        return np.triu(M) + np.triu(M, 1).T


class OfPinocchioInWorld(OfPinocchio):
    def __init__(self, tree):
        super().__init__(tree, local=False)


class OfMujoco:
    def __init__(self, tree):
        self.version = "MuJoCo " + mujoco.__version__
        self.model = mujoco.MjModel.from_xml_string(mjcf_of(tree))
        self.data = mujoco.MjData(self.model)
        n = len(tree.bodies)
        self.M = np.zeros((n, n))

    def at(self, q, u, u_dot):
        return q, u, u_dot

    def forward(self, q, u, u_dot):
        self.data.qpos, self.data.qvel = q, u
        mujoco.mj_forward(self.model, self.data)
        return self.data.qacc

    def inverse(self, q, u, u_dot):
        self.data.qpos, self.data.qvel, self.data.qacc = q, u, u_dot
        mujoco.mj_inverse(self.model, self.data)
        return self.data.qfrc_inverse

    def mass(self, q, u, u_dot):
        self.data.qpos = q
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_makeM(self.model, self.data)
        mujoco.mj_fullM(self.model, self.data, self.M)
        return self.M


# Programs with their variants; a variant with the lower time counts.
PROGRAMS = {"Vinculum": [OfVinculum]}
MISSING = []
for name, package, kinds in (("Pinocchio", pin, [OfPinocchio, OfPinocchioInWorld]), ("MuJoCo", mujoco, [OfMujoco])):
    if package:
        PROGRAMS[name] = kinds
    else:
        MISSING.append(name)


def states_of(n):
    """Angles [rad], rates [rad/s] and accelerations [rad/s²], the same ones in every run."""
    random = np.random.default_rng(7)
    return [(random.uniform(-1, 1, n), random.uniform(-1, 1, n), random.uniform(-3, 3, n)) for _ in range(STATES)]


def made(kind, tree, state):
    """A program, and the elapsed time [s] until it has given its first accelerations."""
    seconds = []
    for _ in range(3):
        begin = time.perf_counter()
        program = kind(tree)
        program.forward(*program.at(*state))
        seconds.append(time.perf_counter() - begin)
    return program, min(seconds)


def values_of(program, task, arguments):
    call, full = getattr(program, task), getattr(program, "full", np.asarray) if task == "mass" else np.asarray
    return [np.array(full(call(*each))) for each in arguments]


def difference(ours, theirs):
    """The largest difference of two lists of arrays, relative to the largest value of each array."""
    return max(np.abs(a - b).max() / np.abs(a).max() for a, b in zip(ours, theirs))


def batch_of(call, arguments, count):
    """Processor time per call [s] of `count` rounds through all arguments."""
    begin = time.thread_time()
    for each in itertools.chain.from_iterable(itertools.repeat(arguments, count)):
        call(*each)
    return (time.thread_time() - begin) / (count * len(arguments))


def count_of(call, arguments):
    """The number of rounds through the arguments that take one batch."""
    count = 1
    while batch_of(call, arguments, count) * count * len(arguments) < BATCH:
        count *= 2
    return count


def warm_up(program, states, seconds):
    arguments = [program.at(*state) for state in states]
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for task in TASKS:
            batch_of(getattr(program, task), arguments, 10)


def measure(tree, rounds, batches, warming):
    """Two results: {task: {program: (median, lowest [s per call], difference from Vinculum)}}, and {program: (version,
    elapsed time to the first accelerations [s])}."""
    states = states_of(len(tree.bodies))
    made_ones = {name: [made(kind, tree, states[0]) for kind in kinds] for name, kinds in PROGRAMS.items()}
    warm_up(made_ones["Vinculum"][0][0], states, warming)
    found = {}
    for task in TASKS:
        calls, differences, ours = {}, {}, None
        for name, variants in made_ones.items():
            for number, (program, _) in enumerate(variants):
                arguments = [program.at(*state) for state in states]
                values = values_of(program, task, arguments)
                ours = values if ours is None else ours
                differences[name] = max(differences.get(name, 0.0), difference(ours, values))
                call = getattr(program, task)
                calls[name, number] = (call, arguments, count_of(call, arguments))
        times = {key: [] for key in calls}
        for _, (key, call) in itertools.product(range(rounds), calls.items()):
            times[key] += [batch_of(*call) for _ in range(batches)]
        found[task] = {}
        for name, variants in made_ones.items():
            best = min((times[name, number] for number in range(len(variants))), key=min)
            found[task][name] = (statistics.median(best), min(best), differences[name])
    ready = {name: (ones[0][0].version, min(seconds for _, seconds in ones)) for name, ones in made_ones.items()}
    return found, ready


def table_of(title, found, ready):
    table = Table("evaluator", title, ["task", *ready, "largest difference from Vinculum"])
    for task, entries in found.items():
        ours, cells = entries["Vinculum"][1], []
        for name, (median, lowest, _) in entries.items():
            factor = "" if name == "Vinculum" else f", {lowest / ours:.2g}×"
            cells.append(f"{seconds_text(median)} ({seconds_text(lowest)}){factor}")
        differences = ", ".join(f"{name} {one[2]:.0e}" for name, one in entries.items() if name != "Vinculum")
        table.rows.append([TASKS[task], *cells, differences or "–"])
    table.rows.append(["to the first accelerations", *(seconds_text(seconds) for _, seconds in ready.values()), ""])
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(MECHANISMS), help="mechanisms: " + ", ".join(MECHANISMS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="one round of three batches")
    arguments = parser.parse_args()
    rounds, batches, warming = (1, 3, 1.0) if arguments.quick else (arguments.rounds, 5, 10.0)
    versions, worst = set(), 0.0
    for name in arguments.only.split(","):
        if name not in MECHANISMS:
            parser.error(f"no mechanism {name}; there are {', '.join(MECHANISMS)}")
        title, make = MECHANISMS[name]
        found, ready = measure(make(), rounds, batches, warming)
        versions |= {version for version, _ in ready.values()}
        worst = max([worst, *(entry[2] for entries in found.values() for entry in entries.values())])
        print(f"{title}\n\n{table_of(title, found, ready).markdown()}\n", flush=True)
    print("; ".join(sorted(versions)))
    for name in MISSING:
        print(f"{name} is not installed for this Python, so it is not compared")
    if not worst <= AGREEMENT:
        sys.exit(f"the largest difference, {worst:.1e}, exceeds {AGREEMENT:g}")


if __name__ == "__main__":
    main()
