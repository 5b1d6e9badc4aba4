"""Compares the accelerations of imported URDF files with those of Pinocchio, at random states.

usage: robots.py [--states N] [--only WORD] [FOLDER…]

Needs the Python packages `vinculum` and `pin`. Without FOLDER it takes the files of the packages `example-robot-data`
and `pybullet`, as far as they are installed; missing packages are named, and nothing is compared without `pin`. For each file it prints the first digits of its SHA-256, degrees of freedom, the largest difference of the
accelerations relative to their largest one, with a fixed and with a floating base, and the time from the URDF text to
the end of the first step of a run without cached kernels. The status is 1 if a difference exceeds 1e-10.

Damping and friction, which Pinocchio leaves to the caller, are read from the file a second time.
"""

import argparse
import hashlib
import importlib.metadata
import importlib.util
import pathlib
import re
import sys
import time
import xml.etree.ElementTree

LARGEST_DIFFERENCE = 1e-10


def files_of_packages():
    """The robot files of the installed packages; prints the packages that are missing."""
    found = []
    for package in ["example-robot-data", "pybullet"]:
        try:
            files = importlib.metadata.distribution(package).files or []
        except importlib.metadata.PackageNotFoundError:
            print(f"skipped: the package {package} is not installed")
            continue
        found += [pathlib.Path(file.locate()) for file in files if file.suffix == ".urdf"]
    return found


class File:
    """What a file states about the joints: mimics, damping, friction."""

    def __init__(self, path):
        self.joints = {}
        for joint in xml.etree.ElementTree.parse(path).getroot().findall("joint"):
            dynamics, mimic = joint.find("dynamics"), joint.find("mimic")

            def number(element, name, otherwise):
                return float(element.get(name, otherwise)) if element is not None else otherwise

            self.joints[joint.get("name")] = {
                "kind": joint.get("type"),
                "damping": number(dynamics, "damping", 0.0),
                "friction": number(dynamics, "friction", 0.0),
                "source": mimic.get("joint") if mimic is not None else None,
                "multiplier": number(mimic, "multiplier", 1.0),
                "offset": number(mimic, "offset", 0.0),
            }

    def is_mimic(self, name):
        return self.joints.get(name, {}).get("source") is not None

    def is_articulated(self):
        return any(joint["kind"] != "fixed" for joint in self.joints.values())

    def source(self, name):
        """The joint whose coordinate moves a joint, and the factor and the summand of the function."""
        factor, summand = 1.0, 0.0
        while self.is_mimic(name):
            summand += factor * self.joints[name]["offset"]
            factor *= self.joints[name]["multiplier"]
            name = self.joints[name]["source"]
        return name, factor, summand

    def losses(self, rates):
        """Generalized forces by the joint whose coordinate they act on; `rates` of these joints by their names."""
        forces = dict.fromkeys(rates, 0.0)
        for name, joint in self.joints.items():
            source, factor, _ = self.source(name)
            if source in rates and joint["kind"] in ("revolute", "continuous", "prismatic"):
                rate = rates[source]
                forces[source] -= factor**2 * joint["damping"] * rate
                forces[source] -= abs(factor) * joint["friction"] * ((rate > 0) - (rate < 0))
        return forces


def name_in_model(name):
    return re.sub(r"\W", "_", name, flags=re.ASCII)


class Pair:
    """One robot in both programs, and the map between their states."""

    def __init__(self, path, base, vinculum, pinocchio):
        import numpy

        self.numpy, self.pinocchio, self.file = numpy, pinocchio, File(path)
        root = [pinocchio.JointModelFreeFlyer()] if base == "floating" else []
        self.other = pinocchio.buildModelFromUrdf(str(path), *root)
        self.other.gravity.linear = numpy.array([0, 0, -9.81])
        self.data = self.other.createData()
        began = time.perf_counter()
        self.model = vinculum.Model.from_urdf(path, base=base, cache="")
        self.model.simulation().advance(1e-6)
        self.seconds = time.perf_counter() - began
        self.evaluator = self.model.evaluator()
        self.places = {name: i for i, name in enumerate(c.name for c in self.model.coordinates)}
        count = len(self.places)
        self.rates = {speed.name: count + i for i, speed in enumerate(self.model.speeds)}

    def difference(self, random):
        """The largest difference of an acceleration at a random state, relative to the largest one."""
        numpy, pinocchio = self.numpy, self.pinocchio
        q = pinocchio.neutral(self.other)
        v, tau = numpy.zeros(self.other.nv), numpy.zeros(self.other.nv)
        y = numpy.zeros(len(self.places) + len(self.rates))
        compared, free, angles, rates = [], [], {}, {}
        for number in range(1, self.other.njoints):
            joint, name = self.other.joints[number], self.other.names[number]
            if self.file.is_mimic(name):
                continue
            if joint.shortname() == "JointModelFreeFlyer":
                at_q, at_v = slice(joint.idx_q, joint.idx_q + 7), slice(joint.idx_v, joint.idx_v + 6)
                free.append((at_v.start, *self.place_freely(name, q[at_q], v[at_v], y, random)))
                continue
            if joint.nv != 1:
                raise NotImplementedError(joint.shortname())
            own = name_in_model(name)
            angle, rate = random.uniform(-1.5, 1.5), random.normal()
            if own + "'" not in self.rates:  # a joint that moves no mass
                angle = rate = 0.0
            else:
                y[self.places[own]], y[self.rates[own + "'"]] = angle, rate
                compared.append((self.rates[own + "'"], joint.idx_v, name))
            angles[name], rates[name] = angle, rate
        full = self.reduction(q, v, angles, rates, compared, free)
        losses = self.file.losses(rates)
        mass = pinocchio.crba(self.other, self.data, q)
        mass = numpy.triu(mass) + numpy.triu(mass, 1).T
        bias = pinocchio.nle(self.other, self.data, q, v)
        tau = numpy.zeros(full.shape[1])
        tau[: len(compared)] = [losses[name] for *_, name in compared]
        own = numpy.linalg.solve(full.T @ mass @ full, tau - full.T @ bias)
        expected = full @ own
        found = self.evaluator.derivative(0.0, y)
        pairs = [(found[at], expected[at_v]) for at, at_v, _ in compared]
        for at_v, linear, angular, rotation in free:
            a, u = expected[at_v : at_v + 6], v[at_v : at_v + 6]
            pairs += zip(found[linear], rotation @ (a[:3] + numpy.cross(u[3:], u[:3])))
            pairs += zip(found[angular], a[3:])
        pairs = numpy.array(pairs)
        return float(abs(pairs[:, 0] - pairs[:, 1]).max() / max(1.0, abs(pairs[:, 1]).max()))

    def reduction(self, q, v, angles, rates, compared, free):
        """Places all joints with one coordinate, and returns the matrix from the own rates to all rates: mimics are
        linear functions of them."""
        numpy = self.numpy
        columns = {name: column for column, (*_, name) in enumerate(compared)}
        full = numpy.zeros((self.other.nv, len(columns) + 6 * len(free)))
        for number in range(1, self.other.njoints):
            joint, name = self.other.joints[number], self.other.names[number]
            if joint.nv != 1:
                continue
            source, factor, summand = self.file.source(name)
            angle = factor * angles[source] + summand
            q[joint.idx_q : joint.idx_q + joint.nq] = [angle] if joint.nq == 1 else [numpy.cos(angle), numpy.sin(angle)]
            v[joint.idx_v] = factor * rates[source]
            if source in columns:
                full[joint.idx_v, columns[source]] = factor
        for k, (at_v, *_) in enumerate(free):
            full[at_v : at_v + 6, len(columns) + 6 * k : len(columns) + 6 * k + 6] = numpy.eye(6)
        return full

    def place_freely(self, name, q, v, y, random):
        """Gives a floating joint, or a floating base, one random state in both programs."""
        numpy = self.numpy
        own = name_in_model(name)
        if own + "_e0" not in self.places:
            own = next(c[: -len("_e3")] for c in self.places if c.endswith("_e3"))
        unit = random.normal(size=4)
        unit /= numpy.linalg.norm(unit)
        place, rate, turn = random.uniform(-1, 1, 3), random.normal(size=3), random.normal(size=3)
        q[:3], q[3:] = place, unit
        rotation = self.pinocchio.Quaternion(unit).toRotationMatrix()
        v[:3], v[3:] = rotation.T @ rate, turn
        linear = [self.rates[f"{own}_{axis}'"] for axis in "xyz"]
        angular = [at for name, at in self.rates.items() if re.search(r"\.w[xyz]$", name)]
        for axis, value in zip("xyz", place):
            y[self.places[f"{own}_{axis}"]] = value
        for i, value in enumerate([unit[3], *unit[:3]]):
            y[self.places[f"{own}_e{i}"]] = value
        y[linear], y[angular] = rate, turn
        return linear, angular, rotation


def row_of(path, states, vinculum, pinocchio):
    """One line of the table, and whether the differences are small."""
    import numpy

    digits = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    differences, seconds, size = [], [], 0
    for base in ["fixed", "floating"]:
        try:
            pair = Pair(path, base, vinculum, pinocchio)
        except vinculum.VinculumError as error:
            differences.append(error.error.message[:60])
            continue
        random = numpy.random.default_rng(1)
        differences.append(max(pair.difference(random) for _ in range(states)))
        seconds.append(f"{1e3 * pair.seconds:.0f} ms")
        size = size or pair.evaluator.speed_count
    shown = "  ".join(f"{d:8.1e}" if isinstance(d, float) else d for d in differences)
    print(f"{digits}  {path.name:40}  {size:4}  {shown}  {', '.join(seconds)}", flush=True)
    return all(d <= LARGEST_DIFFERENCE for d in differences if isinstance(d, float))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--states", type=int, default=10)
    parser.add_argument("--only", default="", help="part of the path")
    arguments = parser.parse_args()
    if importlib.util.find_spec("pinocchio") is None:
        print("skipped: the package pin is not installed")
        return 0
    import pinocchio
    import vinculum

    files = [file for folder in arguments.folders for file in folder.rglob("*.urdf")] or files_of_packages()
    print("SHA-256       file                                       dof  difference: fixed, floating  text to first step")
    right, seen, rigid = True, set(), 0
    for path in sorted(files):
        content = path.read_bytes()
        if arguments.only not in str(path) or content in seen:
            continue
        seen.add(content)
        try:
            if not File(path).is_articulated():
                rigid += 1
                continue
            right = row_of(path, arguments.states, vinculum, pinocchio) and right
        except Exception as error:  # of Pinocchio, or a joint that the comparison does not know
            print(f"{path.name}: not compared: {type(error).__name__}: {str(error).splitlines()[0][:100]}")
    print(f"{rigid} files have no joint that moves")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
