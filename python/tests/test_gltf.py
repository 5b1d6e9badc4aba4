"""glTF files of motions: their structure, and their keyframes against the run."""

import contextlib
import io
import json
import os
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np
from test_package import MODELS
from vinculum._mesh import Mesh, box, capsule, coil, cone, cylinder, skeleton, solid, sphere
from vinculum._turn import carried, product, shortest, turned

import vinculum as vn
from vinculum import _command

SWING = """model swing "A plate on a hinge, with a bob on a rod"
frame N newtonian
point O fixed in N
param m = 2 [kg], L = 0.5 [m]
coord a [rad]
coord x, z [m]
frame B = N rotated a about y
body plate frame B mass m inertia (0.02, 0.03, 0.01) [kg*m^2] at O - 0.3 [m]*B.z
particle bob mass m at O + x*N.x + z*N.z
constraint rod: norm(pos(bob, O)) = L
spring plate bob stiffness 20 [N/m] length 0.1 [m]
gravity -9.81 [m/s^2]*N.z
view {
    shape plate = box(0.1 [m], 0.2 [m], 0.3 [m]) at O colour blue
}
start a = 1 [rad], z ~ -0.4 [m], x = 0.3 [m]
run 2 [s]
"""
PLANE = """model flat "A particle on a rod, y is up"
frame N newtonian
point O fixed in N
param L = 1 [m]
coord x, y [m]
particle bob mass 1 [kg] at O + x*N.x + y*N.y
constraint rod: norm(pos(bob, O)) = L
gravity -9.81 [m/s^2]*N.y
start y ~ -0.6 [m], x = 0.8 [m]
run 3 [s]
"""
NOWHERE = """model circuit "Charge of a capacitor"
coord Q [C]
lagrangian 1/2*(1 [H])*Q'^2 - 1/2*Q^2/(1 [F])
start Q = 1 [C]
run 1 [s]
"""
GHOST = """model ghost "A coordinate with a point that nothing draws"
frame N newtonian
point O fixed in N
coord x [m]
point P = O + x*N.x
lagrangian 1/2*(1 [kg])*x'^2
start x = 0, x' = 1 [m/s]
run 1 [s]
"""
TYPES = {5126: np.float32, 5123: np.uint16, 5125: np.uint32}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


class File:
    """A binary glTF file, read by the rules of the specification."""

    def __init__(self, path):
        data = Path(path).read_bytes()
        magic, version, size = struct.unpack_from("<4sII", data)
        assert (magic, version, size) == (b"glTF", 2, len(data))
        length, kind = struct.unpack_from("<I4s", data, 12)
        assert kind == b"JSON"
        self.json = json.loads(data[20 : 20 + length])
        self.buffer = data[28 + length :]
        self.nodes = {node["name"]: index for index, node in enumerate(self.json["nodes"])}
        self.animation = {}
        for animation in self.json.get("animations", []):
            for channel in animation["channels"]:
                sampler = animation["samplers"][channel["sampler"]]
                target = (channel["target"]["node"], channel["target"]["path"])
                self.animation[target] = (self.values(sampler["input"])[:, 0], self.values(sampler["output"]))

    def values(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        width = WIDTHS[accessor["type"]]
        array = np.frombuffer(
            self.buffer, TYPES[accessor["componentType"]], width * accessor["count"], view["byteOffset"]
        )
        return array.reshape(-1, width)

    def moved(self, name, path):
        """Times and values of an animated property of a node."""
        return self.animation[self.nodes[name], path]

    def at(self, name, path, k):
        """A property of a node at a keyframe, animated or not."""
        index = self.nodes[name]
        if (index, path) in self.animation:
            return self.animation[index, path][1][k].astype(float)
        neutral = {"translation": [0, 0, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1]}[path]
        return np.array(self.json["nodes"][index].get(path, neutral), dtype=float)

    def matrix(self):
        """The rotation of the root node."""
        return np.array(self.json["nodes"][0].get("matrix", np.eye(4).ravel())).reshape(4, 4).T[:3, :3]


def volume(geometry, are_normals_near=True):
    """Volume inside triangles whose normals point outward, by the divergence theorem."""
    positions, normals, triangles = geometry
    a, b, c = (positions[triangles[:, k]] for k in range(3))
    assert np.allclose(np.linalg.norm(normals, axis=1), 1)
    across = np.cross(b - a, c - a)
    assert not are_normals_near or (np.sum(across * normals[triangles[:, 0]], axis=1) > -1e-12).all()
    return np.sum(a * across) / 6


class Shapes(unittest.TestCase):
    def test_volumes(self):
        self.assertAlmostEqual(volume(box([2, 3, 4])), 24)
        self.assertAlmostEqual(volume(sphere(2, 64)) / (4 / 3 * np.pi * 8), 1, delta=0.01)
        self.assertAlmostEqual(volume(cylinder(2, 3, 64)) / (12 * np.pi), 1, delta=0.01)
        self.assertAlmostEqual(volume(cone(2, 3)) / (4 * np.pi), 1, delta=0.01)
        rod = capsule(0.5, np.array([1.0, 2, 3]), np.array([3.0, 2, 4]), 64)
        self.assertAlmostEqual(volume(rod) / (np.pi * (0.25 * np.sqrt(5) + 4 / 3 * 0.125)), 1, delta=0.01)
        ring = solid({"kind": "ring", "turn": [1, 0, 0, 0], "radius": 3, "tube": 1}, 1.0)
        self.assertAlmostEqual(volume(ring) / (2 * np.pi**2 * 3), 1, delta=0.03)
        egg = {"kind": "ellipsoid", "turn": [0.5, 0.5, 0.5, 0.5], "axes": [1, 2, 3]}  # x to y, y to z, z to x
        self.assertAlmostEqual(volume(solid(egg, 1.0)) / (4 / 3 * np.pi * 6), 1, delta=0.02)
        parts = Mesh().add_shape(egg, 1.0, "ab").parts
        self.assertTrue(np.allclose(np.abs(parts[0][0]).max(axis=0), [3, 1, 2], atol=0.02))
        self.assertEqual([part[3] for part in parts], ["a", "b"])
        halves = [np.sum(np.linalg.norm(np.cross(*(part[0][part[2][:, k]] - part[0][part[2][:, 0]] for k in (1, 2))),
                                        axis=1)) for part in parts]  # fmt: skip
        self.assertAlmostEqual(halves[0], halves[1])  # the octants have equal areas
        self.assertGreater(volume(coil(0.2, 0.05), are_normals_near=False), 0)  # the wire has sharp bends

    def test_skeletons(self):
        looks = [(name, 1.0, False) for name in ("body", "other", "dark", "bright")]
        corners = [np.array(one, dtype=float) for one in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (-1, -1, -1))]
        for count, has_plate in ((1, False), (2, True), (3, True), (5, True)):
            mesh = skeleton(corners[:count], 2.0, looks)
            self.assertIsInstance(mesh, Mesh)
            self.assertEqual("other" in {part[3][0] for part in mesh.parts}, has_plate)
        hull = [part for part in mesh.parts if part[3][0] == "other"][0]
        # two tetrahedra on the triangle of the unit points: toward (1, 1, 1) and toward (-1, -1, -1)
        self.assertAlmostEqual(volume(hull[:3]), 1 / 3 + 2 / 3)

    def test_rotations(self):
        rng = np.random.default_rng(5)
        for _ in range(20):
            a, b = rng.normal(size=(2, 3))
            self.assertTrue(np.allclose(np.cross(turned(shortest(a, b), a), b), 0, atol=1e-12))
            self.assertTrue(np.allclose(turned(shortest(a, -a), a), -a))
            p, q = (one / np.linalg.norm(one) for one in rng.normal(size=(2, 4)))
            self.assertTrue(np.allclose(turned(product(p, q), a), turned(p, turned(q, a))))
        angles = np.linspace(0, 4 * np.pi, 200)
        circle = np.stack([np.sin(angles), 0 * angles, np.cos(angles)], axis=1)
        turns = carried(circle)  # through -z, where the least rotation from z is not unique
        self.assertTrue(np.allclose([turned(one, np.array([0, 0, 1.0])) for one in turns], circle))
        self.assertLess(np.abs(np.diff(turns, axis=0)).max(), 0.04)


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def made(self, text, samples="all", **options):
        run = vn.Model.from_text(text).run(**options)
        return run, File(run.gltf(self.folder / "motion.glb", samples=samples))


class Files(InFolder):
    def test_structure(self):
        _, file = self.made(SWING, scene=True, samples="fewest")
        extras = file.json["asset"]["extras"]
        self.assertEqual(extras, {"model": "swing", "title": "A plate on a hinge, with a bob on a rod", "unit": "m",
                                  "start": 0.0})  # fmt: skip
        self.assertEqual(file.json["asset"]["version"], "2.0")
        root = file.json["nodes"][0]
        self.assertEqual(root["name"], "swing")
        names = {file.json["nodes"][child]["name"] for child in root["children"]}
        self.assertEqual(names, {"plate", "bob", "O", "bob O", "plate bob"})
        child = file.json["nodes"][file.json["nodes"][file.nodes["plate"]]["children"][0]]
        self.assertEqual(child["name"], "plate shape")
        extent = [file.json["accessors"][one["attributes"]["POSITION"]]["max"]
                  for one in file.json["meshes"][child["mesh"]]["primitives"]]  # fmt: skip
        self.assertTrue(np.allclose(np.max(extent, axis=0), [0.05, 0.1, 0.15]))
        self.assertTrue(np.allclose(child["translation"], [0, 0, 0.3]))  # O, from the mass center
        self.assertNotIn((file.nodes["O"], "translation"), file.animation)  # the origin rests
        self.assertNotIn((file.nodes["bob O"], "scale"), file.animation)  # the rod keeps its length, …
        self.assertIn((file.nodes["plate bob"], "scale"), file.animation)  # … and the spring does not
        for times, values in file.animation.values():
            self.assertTrue((np.diff(times) > 0).all())
            self.assertEqual(len(times), len(values))

    def test_keyframes_are_the_samples_of_the_run(self):
        run, file = self.made(SWING, step=0.01)
        times, places = file.moved("bob", "translation")
        self.assertEqual(len(times), len(run.t))
        self.assertTrue(np.allclose(times, run.t, rtol=1e-7))
        self.assertTrue(np.allclose(places, np.stack([run["x"], 0 * run["x"], run["z"]], axis=1), atol=1e-7))
        half = run["a"] / 2
        expected = np.stack([0 * half, np.sin(half), 0 * half, np.cos(half)], axis=1)
        _, turns = file.moved("plate", "rotation")
        self.assertTrue(np.allclose(turns, expected * np.sign(expected[:1, 3]), atol=1e-7))
        self.assertTrue((np.sum(turns[1:] * turns[:-1], axis=1) > 0).all())
        _, centers = file.moved("plate", "translation")
        self.assertTrue(np.allclose(centers, -0.3 * np.stack([np.sin(run["a"]), 0 * half, np.cos(run["a"])], axis=1),
                                    atol=1e-7))  # fmt: skip

    def test_links_reach_from_end_to_end(self):
        run, file = self.made(SWING, step=0.02)
        for k in range(0, len(run.t), 7):
            plate, bob = (file.at(name, "translation", k) for name in ("plate", "bob"))
            for link, begin, end in (("plate bob", plate, bob), ("bob O", bob, np.zeros(3))):
                along = np.array([0.0, 0.0, file.at(link, "scale", k)[2]])
                found = file.at(link, "translation", k) + turned(file.at(link, "rotation", k), along)
                self.assertTrue(np.allclose(file.at(link, "translation", k), begin, atol=1e-6))
                self.assertTrue(np.allclose(found, end, atol=1e-6))

    def test_fewest_samples_follow_the_motion(self):
        run, file = self.made(SWING, "fewest", scene=True)
        times, places = file.moved("bob", "translation")
        self.assertLess(len(times), len(run.t) / 4)
        x = np.interp(run.t, times, places[:, 0])
        self.assertLess(np.abs(x - run["x"]).max(), 2e-3)

    def test_up_is_opposite_to_gravity(self):
        _, file = self.made(SWING)
        self.assertTrue(np.allclose(file.matrix() @ [0, 0, 1], [0, 1, 0]))
        self.assertAlmostEqual(np.linalg.det(file.matrix()), 1)
        _, file = self.made(PLANE)
        self.assertNotIn("matrix", file.json["nodes"][0])
        _, file = self.made(PLANE.replace("-9.81", "9.81").replace("y ~ -0.6", "y ~ 0.6"))
        self.assertTrue(np.allclose(file.matrix() @ [0, 1, 0], [0, -1, 0]))
        self.assertAlmostEqual(np.linalg.det(file.matrix()), 1)

    def test_a_later_start_is_time_zero(self):
        model = vn.Model.from_text(PLANE)
        state = model.run(until=1, at=[1.0]).at(1.0).state
        file = File(model.run(start=state, until=2).gltf(self.folder / "late.glb"))
        self.assertEqual(file.json["asset"]["extras"]["start"], 1.0)
        self.assertEqual(file.moved("bob", "translation")[0][0], 0.0)

    def test_a_body_at_rest_is_not_animated(self):
        _, file = self.made(PLANE.replace("y ~ -0.6 [m], x = 0.8", "y ~ -1 [m], x = 0"))
        self.assertNotIn("animations", file.json)
        self.assertTrue(np.allclose(file.at("bob", "translation", 0), [0, -1, 0]))

    def test_refusals(self):
        with self.assertRaisesRegex(vn.ExportError, "no glTF file of circuit: it has no points"):
            self.made(NOWHERE)
        with self.assertRaisesRegex(vn.ExportError, "no glTF file of ghost: it has no bodies, particles or links"):
            self.made(GHOST)
        self.assertTrue(issubclass(vn.ExportError, vn.CallError))
        with self.assertRaisesRegex(ValueError, "samples are"):
            self.made(PLANE, samples="few")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_command(self):
        model, motion = self.folder / "flat.vin", self.folder / "motion.glb"
        model.write_text(PLANE, encoding="utf-8")
        out, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            status = _command.main(["gltf", str(model), "-o", str(motion), "--until", "1", "--samples", "all"])
        self.assertEqual((status, out.getvalue(), errors.getvalue()), (0, f"{motion}\n", ""))
        times = File(motion).moved("bob", "translation")[0]
        self.assertEqual(times[-1], 1.0)
        self.assertGreater(len(times), 4000)
        model.write_text(NOWHERE, encoding="utf-8")
        with contextlib.redirect_stderr(errors):
            self.assertEqual(_command.main(["gltf", str(model)]), 1)
        self.assertIn("no glTF file of circuit", errors.getvalue())


VALIDATOR = os.environ.get("VINCULUM_GLTF_VALIDATOR")
VALIDATE = """
const validator = require('gltf-validator'), fs = require('fs');
(async () => {
  for (const file of process.argv.slice(1)) {
    const {issues} = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
    if (issues.numErrors + issues.numWarnings > 0) console.log(file, JSON.stringify(issues.messages.slice(0, 3)));
  }
  console.log(process.argv.length - 1, 'files');
})();
"""


class AllModels(InFolder):
    def test_all_models(self):
        files = []
        for path in sorted(MODELS.glob("*.vin")):
            model = vn.Model.load(path)
            run = model.run(scene=True)
            try:
                files.append(run.gltf(self.folder / f"{path.stem}.glb"))
            except vn.CallError as error:
                self.assertRegex(str(error), "it has no points or bodies|no complete start|cannot be drawn")
                continue
            file = File(files[-1])
            self.assertLess(files[-1].stat().st_size, 500_000, path.stem)
            self.assertTrue(all(np.isfinite(values).all() for _, values in file.animation.values()), path.stem)
        self.assertGreater(len(files), 150)
        if VALIDATOR is None:
            self.skipTest("no gltf-validator (VINCULUM_GLTF_VALIDATOR: the folder in which npm installed it)")
        found = subprocess.run(
            ["node", "-e", VALIDATE, *files], cwd=VALIDATOR, capture_output=True, text=True, check=True
        )
        self.assertEqual(found.stdout, f"{len(files)} files\n")


if __name__ == "__main__":
    unittest.main()
