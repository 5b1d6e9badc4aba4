"""Compares the accelerations of imported URDF files with those of Pinocchio, at random states.

usage: robots.py [--states N] [--only WORD] [FOLDER…]

Needs the Python packages `vinculum` and `pin`. Without FOLDER it takes the files of the packages `example-robot-data`
and `pybullet`, as far as they are installed; missing packages are named, and nothing is compared without `pin`. For
each file with a joint that moves it prints the first digits of its SHA-256, degrees of freedom, the largest difference
of an acceleration relative to the largest one, with a fixed and with a floating base, and the time from the URDF text
to the end of the first step of a run without cached kernels. The status is 1 if a difference exceeds 1e-10.

Mimics, damping and friction are read from the file a second time.
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


def names_of(changes):
    """The names in the model of links and joints that it renames, from the sentences about changes."""
    found = re.findall(r"^(joint|link) `(.*)` is called `(.*)`$", "\n".join(changes), flags=re.M)
    return {(kind, old): new for kind, old, new in found}


class File:
    """The root link, and what the file states about the joints: mimics, damping, friction."""

    def __init__(self, path):
        robot = xml.etree.ElementTree.parse(path).getroot()
        self.joints = {}
        for joint in robot.findall("joint"):
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
                "child": joint.find("child").get("link"),
            }
        children = {joint["child"] for joint in self.joints.values()}
        self.root = next((link.get("name") for link in robot.findall("link") if link.get("name") not in children), "")

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


class Reference:
    """A robot in Pinocchio, whose states and accelerations have the names of the imported model."""

    def __init__(self, path, base, names=None):
        import numpy
        import pinocchio

        self.numpy, self.pinocchio, self.file = numpy, pinocchio, File(path)
        self.names = names or {}
        root = [pinocchio.JointModelFreeFlyer()] if base == "floating" else []
        self.model = pinocchio.buildModelFromUrdf(str(path), *root)
        self.model.gravity.linear = numpy.array([0, 0, -9.81])
        self.data = self.model.createData()

    def joints(self):
        """Joints with their numbers and names."""
        return [(self.model.joints[i], self.model.names[i]) for i in range(1, self.model.njoints)]

    def name(self, kind, old):
        return self.names.get((kind, old), re.sub(r"\W", "_", old, flags=re.ASCII))

    def motion(self, random):
        """Random coordinates and rates, and the accelerations there, each by the names of the model."""
        numpy, pinocchio = self.numpy, self.pinocchio
        q, v = pinocchio.neutral(self.model), numpy.zeros(self.model.nv)
        coordinates, speeds, accelerations = {}, {}, {}
        columns, angles, rates, free = {}, {}, {}, []
        for joint, name in self.joints():
            if joint.shortname() == "JointModelFreeFlyer":
                free.append((joint.idx_v, *self.place_freely(joint, name, q, v, coordinates, speeds, random)))
            elif joint.nv != 1:
                raise NotImplementedError(joint.shortname())
            elif not self.file.is_mimic(name):
                angles[name], rates[name] = random.uniform(-1.5, 1.5), random.normal()
                columns[name] = len(columns)
                coordinates[self.name("joint", name)] = angles[name]
                speeds[self.name("joint", name) + "'"] = rates[name]
        full = numpy.zeros((self.model.nv, len(columns) + 6 * len(free)))
        for joint, name in self.joints():
            if joint.nv == 1:
                source, factor, summand = self.file.source(name)
                angle = factor * angles[source] + summand
                place = [angle] if joint.nq == 1 else [numpy.cos(angle), numpy.sin(angle)]
                q[joint.idx_q : joint.idx_q + joint.nq] = place
                v[joint.idx_v] = factor * rates[source]
                full[joint.idx_v, columns[source]] = factor
        for k, (at, *_) in enumerate(free):
            full[at : at + 6, len(columns) + 6 * k : len(columns) + 6 * k + 6] = numpy.eye(6)
        expected = full @ self.own_accelerations(full, q, v, self.file.losses(rates))
        for joint, name in self.joints():
            if name in columns:
                accelerations[self.name("joint", name) + "'"] = expected[joint.idx_v]
        for at, linear, angular, rotation in free:
            a, u = expected[at : at + 6], v[at : at + 6]
            accelerations.update(zip(linear, rotation @ (a[:3] + numpy.cross(u[3:], u[:3]))))
            accelerations.update(zip(angular, a[3:]))
        return coordinates, speeds, accelerations

    def own_accelerations(self, full, q, v, losses):
        """Accelerations of the own rates, which the matrix `full` maps to all rates of Pinocchio's model."""
        numpy, pinocchio = self.numpy, self.pinocchio
        mass = pinocchio.crba(self.model, self.data, q)
        mass = numpy.triu(mass) + numpy.triu(mass, 1).T
        forces = -full.T @ pinocchio.nle(self.model, self.data, q, v)
        forces[: len(losses)] += list(losses.values())
        reduced = full.T @ mass @ full
        # The row of a joint that moves no mass is zero, up to rounding.
        used = numpy.abs(reduced).sum(axis=1) > 1e-12 * numpy.abs(reduced).max()
        own = numpy.zeros(len(forces))
        own[used] = numpy.linalg.solve(reduced[numpy.ix_(used, used)], forces[used])
        return own

    def place_freely(self, joint, name, q, v, coordinates, speeds, random):
        """Gives a floating joint, or a floating base, a random state. Returns the names of its speeds, and its
        attitude."""
        numpy = self.numpy
        is_joint = name in self.file.joints
        link = self.name("link", self.file.joints[name]["child"] if is_joint else self.file.root)
        own = self.name("joint", name) if is_joint else link
        unit = random.normal(size=4)
        unit /= numpy.linalg.norm(unit)
        place, rate, turn = random.uniform(-1, 1, 3), random.normal(size=3), random.normal(size=3)
        q[joint.idx_q : joint.idx_q + 7] = [*place, *unit]
        rotation = self.pinocchio.Quaternion(unit).toRotationMatrix()
        v[joint.idx_v : joint.idx_v + 6] = [*(rotation.T @ rate), *turn]
        linear = [f"{own}_{axis}'" for axis in "xyz"]
        angular = [f"{link}_frame.w{axis}" for axis in "xyz"]
        coordinates.update({f"{own}_{axis}": value for axis, value in zip("xyz", place)})
        coordinates.update({f"{own}_e{i}": value for i, value in enumerate([unit[3], *unit[:3]])})
        speeds.update(zip(linear, rate))
        speeds.update(zip(angular, turn))
        return linear, angular, rotation


class Imported:
    """The robot as a model of Vinculum."""

    def __init__(self, path, base):
        import vinculum

        began = time.perf_counter()
        self.model = vinculum.Model.from_urdf(path, base=base, cache="")
        self.model.simulation().advance(1e-6)
        self.seconds = time.perf_counter() - began
        self.evaluator = self.model.evaluator()
        names = [one.name for one in self.model.coordinates]
        names += [re.sub(r"^(\w+)\.w", self.with_frame, one.name) for one in self.model.speeds]
        self.places = {name: i for i, name in enumerate(names)}

    @staticmethod
    def with_frame(name):
        """The speeds of a frame whose link has no mass, as if it had one."""
        return name[0] if name[1].endswith("_frame") else f"{name[1]}_frame.w"

    def difference(self, coordinates, speeds, accelerations):
        """The largest difference of an acceleration, relative to the largest one."""
        import numpy

        y = numpy.zeros(len(self.places))
        for name, value in [*coordinates.items(), *speeds.items()]:
            if name in self.places:  # not of a joint that moves no mass
                y[self.places[name]] = value
        found = self.evaluator.derivative(0.0, y)
        known = {name: value for name, value in accelerations.items() if name in self.places}
        if len(known) != self.evaluator.speed_count:
            raise LookupError("names of the model differ from those of the file")
        errors = [abs(found[self.places[name]] - value) for name, value in known.items()]
        return max(errors) / max(1.0, *map(abs, known.values()))


def row_of(path, states):
    """Prints one line of the table. Returns whether the differences are small."""
    import numpy

    import vinculum

    digits = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    differences, seconds, size = [], [], 0
    for base in ["fixed", "floating"]:
        try:
            names = names_of(vinculum.import_robot(path, base=base).changes)
            reference, imported = Reference(path, base, names), Imported(path, base)
        except vinculum.VinculumError as error:
            differences.append(error.error.message[:60])
            continue
        random = numpy.random.default_rng(1)
        differences.append(max(imported.difference(*reference.motion(random)) for _ in range(states)))
        seconds.append(f"{1e3 * imported.seconds:.0f} ms")
        size = size or imported.evaluator.speed_count
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
    files = [file for folder in arguments.folders for file in folder.rglob("*.urdf")] or files_of_packages()
    print(
        "SHA-256       file                                       dof  difference: fixed, floating  text to first step"
    )
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
            right = row_of(path, arguments.states) and right
        except Exception as error:  # of Pinocchio or of the XML parser, or a joint that the comparison does not know
            print(f"{path.name}: not compared: {type(error).__name__}: {str(error).splitlines()[0][:100]}")
    print(f"{rigid} files have no joint that moves")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
