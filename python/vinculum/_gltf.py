"""Animated binary glTF 2.0 files of motions (docs/howto/gltf.md)."""

import json
import struct
from pathlib import Path

import numpy as np

from ._errors import ExportError
from ._mesh import Mesh, coil, cylinder, link_radius, placed, skeleton, sphere
from ._scene import Scene
from ._turn import NO_TURN, carried, continuous, inverted, turned

# The light theme of the page (page/src/theme.js).
_BODIES = (("#8ea6bd", "#c9d4df"), ("#b8a68a", "#ddd3c2"), ("#93b09b", "#cadbcf"),
           ("#ab9cba", "#d8cfe0"), ("#bd9a95", "#e0cdca"), ("#8db1b5", "#c8dcde"))  # fmt: skip
_ROD, _LINK, _SLIDE, _COIL, _DOT, _BRIGHT = "#b9c2d0", "#5d6b7c", "#c3cbd6", "#2b3a4d", "#1c2733", "#ffffff"
_RADII = {"rod": 0.016, "link": 0.009, "slide": 0.005, "coil": 0.045}  # fractions of the scale of the scene
_COLOURS = {"rod": _ROD, "link": _LINK, "slide": _SLIDE, "coil": _COIL}
_WIRE, _PARTICLE, _POINT, _THINNEST = 0.006, 0.024, 0.014, 0.004
_SURFACE_OPACITY = 0.3
_STILL = 1e-6  # changes below this fraction of the scale, or of a quaternion, are rounding errors of single precision
_FLOAT, _ARRAY, _ELEMENTS = 5126, 34962, 34963


def _linear(hex_colour):
    """A color (#rrggbb, sRGB) in linear components."""
    values = np.array([int(hex_colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def _darker(colour):
    values = 0.62 * _linear(colour)
    shown = np.where(values <= 0.0031308, 12.92 * values, 1.055 * values ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * float(x)):02x}" for x in shown)


class _File:
    """The JSON and the buffer of a glTF file."""

    def __init__(self, scene):
        self.bytes = bytearray()
        self.json = {"asset": {"version": "2.0", "generator": f"Vinculum {scene.json['version']}"}, "scene": 0,
                     "scenes": [{"nodes": [0]}], "nodes": [], "meshes": [], "materials": [], "accessors": [],
                     "bufferViews": []}  # fmt: skip
        self._materials, self._scale = {}, scene.scale
        self._channels, self._samplers, self._times = [], [], None
        self._t = scene.t

    def _accessor(self, values, kind, *, target=None, has_range=False):
        values = np.ascontiguousarray(values)
        self.bytes += bytes(-len(self.bytes) % 4)
        view = {"buffer": 0, "byteOffset": len(self.bytes), "byteLength": values.nbytes}
        if target:
            view["target"] = target
        types = {"float32": _FLOAT, "uint16": 5123, "uint32": 5125}
        entry = {"bufferView": len(self.json["bufferViews"]), "componentType": types[values.dtype.name],
                 "count": len(values), "type": kind}  # fmt: skip
        if has_range:
            rows = values.reshape(len(values), -1)
            entry |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        self.bytes += values.tobytes()
        self.json["bufferViews"].append(view)
        self.json["accessors"].append(entry)
        return len(self.json["accessors"]) - 1

    def _material(self, look):
        if look not in self._materials:
            colour, opacity, is_double = look
            entry = {"name": colour, "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.7,
                     "baseColorFactor": [*_linear(colour).round(6).tolist(), opacity]}}  # fmt: skip
            if opacity < 1:
                entry["alphaMode"] = "BLEND"
            if is_double:
                entry["doubleSided"] = True
            self._materials[look] = len(self.json["materials"])
            self.json["materials"].append(entry)
        return self._materials[look]

    def mesh(self, name, mesh):
        """Adds a mesh with one primitive for each material; returns its index."""
        primitives = []
        for look in dict.fromkeys(part[3] for part in mesh.parts):
            parts = [part for part in mesh.parts if part[3] == look]
            starts = np.cumsum([0] + [len(part[0]) for part in parts])
            triangles = np.concatenate([part[2] + start for part, start in zip(parts, starts, strict=False)])
            used, triangles = np.unique(triangles, return_inverse=True)
            positions, normals = (np.concatenate([part[k] for part in parts])[used].astype(np.float32) for k in (0, 1))
            kind = np.uint16 if len(used) < 65535 else np.uint32
            primitives.append({
                "attributes": {
                    "POSITION": self._accessor(positions, "VEC3", target=_ARRAY, has_range=True),
                    "NORMAL": self._accessor(normals, "VEC3", target=_ARRAY),
                },
                "indices": self._accessor(triangles.ravel().astype(kind), "SCALAR", target=_ELEMENTS),
                "material": self._material(look),
            })  # fmt: skip
        self.json["meshes"].append({"name": name, "primitives": primitives})
        return len(self.json["meshes"]) - 1

    def node(self, name, parent=0, mesh=None, **more):
        self.json["nodes"].append({"name": name} | ({} if mesh is None else {"mesh": mesh}) | more)
        index = len(self.json["nodes"]) - 1
        if index:
            self.json["nodes"][parent].setdefault("children", []).append(index)
        return index

    def move(self, node, path, values, neutral):
        """Sets translation, rotation or scale of a node: once if the values are constant, otherwise as animation."""
        size = self._scale if path == "translation" else 1.0
        if np.ptp(values, axis=0).max() <= _STILL * size:
            if np.abs(values[0] - neutral).max() > 0:
                self.json["nodes"][node][path] = values[0].tolist()
            return
        if self._times is None:
            self._times = self._accessor(self._t, "SCALAR", has_range=True)
        output = self._accessor(values.astype(np.float32), "VEC4" if path == "rotation" else "VEC3")
        self._samplers.append({"input": self._times, "interpolation": "LINEAR", "output": output})
        self._channels.append({"sampler": len(self._samplers) - 1, "target": {"node": node, "path": path}})

    def written(self):
        """The bytes of the binary file."""
        if self._channels:
            self.json["animations"] = [{"name": "motion", "samplers": self._samplers, "channels": self._channels}]
        self.bytes += bytes(-len(self.bytes) % 4)
        self.json["buffers"] = [{"byteLength": len(self.bytes)}]
        text = json.dumps(self.json, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        head = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(self.bytes))
        return b"".join([head, struct.pack("<I4s", len(text), b"JSON"), text,
                         struct.pack("<I4s", len(self.bytes), b"BIN\0"), self.bytes])  # fmt: skip


class _Drawing:
    """Nodes and meshes of a scene."""

    def __init__(self, scene):
        self.scene, self.file = scene, _File(scene)
        self._nodes, self._balls = {}, {}
        self.file.node(scene.json["model"]["name"], **self._upright())
        for index, body in enumerate(scene.bodies):
            if scene.has(f"{body['name']}.q"):
                self._body(index, body)
        for one in scene.view["shapes"]:
            if scene.has(one["at"]):
                self._stated(one)
        links = scene.links()
        for link in links:
            self._link(*link)
        for name, held in scene.dots({end for link in links for end in link[1:3]}):
            self._dot(name, held)

    def _upright(self):
        """The matrix that takes the vertical of the model to y and, in plane motions, their normal to z."""
        up, plane = self.scene.up(), self.scene.json["space"]["normal"]
        if plane >= 0:
            back = np.eye(3)[plane] * (-1.0 if plane == 1 else 1.0)
        else:
            back = -np.eye(3)[1] if abs(up[1]) < 0.9 else np.eye(3)[2]
            back = back - up * back.dot(up)
            back = back / np.linalg.norm(back)
        turn = np.eye(4)
        turn[:3, :3] = [np.cross(up, back), up, back]
        return {} if np.array_equal(turn, np.eye(4)) else {"matrix": turn.T.ravel().tolist()}

    def _moving(self, name, places, turns=None, mesh=None):
        node = self.file.node(name, mesh=mesh)
        self.file.move(node, "translation", places, np.zeros(3))
        if turns is not None:
            self.file.move(node, "rotation", continuous(turns), NO_TURN)
        return node

    def _tones(self, owner, stated=None):
        colour = stated or self.scene.view["colours"].get(owner)
        if colour:
            return colour, _darker(colour)
        names = [body["name"] for body in self.scene.bodies]
        return _BODIES[names.index(owner) % len(_BODIES)] if owner in names else _BODIES[0]

    def _body(self, index, body):
        name, scene, mesh = body["name"], self.scene, None
        if not scene.replaces(name):
            tones = [(colour, 1.0, False) for colour in (*self._tones(name), _DOT, _BRIGHT)]
            points = scene.points[name]
            if points:
                drawn = skeleton(points, scene.scale, tones)
            else:
                drawn = Mesh().add_shape(body["shape"], scene.scale, tones[:2])
            mesh = self.file.mesh(name, drawn)
        self._nodes[name] = self._moving(name, scene.place(name), scene.turn(f"{name}.q"), mesh)

    def _stated(self, one):
        """A shape of the view: part of its body, or a node of its own."""
        scene, on = self.scene, one["on"]
        tones, opacity = self._tones(on, one["colour"]), 1.0
        if one["surface"]:
            tones, opacity = (one["colour"] or scene.view["colours"].get(on) or _ROD,) * 2, _SURFACE_OPACITY
        is_double = one["surface"] or one["shape"]["kind"] == "plane"
        looks = [(colour, opacity, is_double) for colour in tones]
        mesh = self.file.mesh(on, Mesh().add_shape(one["shape"], scene.scale, looks, _THINNEST))
        point, body = one["at"].removesuffix(".p"), (one["turned"] or "").removesuffix(".q")
        held = next((each["points"] for each in scene.bodies if each["name"] == body), [])
        if body in self._nodes and point in [body, *held]:
            off = scene.track(one["at"])[0] - scene.place(body)[0]
            node = self.file.node(f"{on} shape", self._nodes[body], mesh)
            off = turned(inverted(scene.turn(one["turned"])[0]), off)
            self.file.move(node, "translation", off[None], np.zeros(3))
        else:
            self._moving(on, scene.track(one["at"]), scene.turn(one["turned"]), mesh)

    def _link(self, kind, begin, end, stated):
        scene, file = self.scene, self.file
        radius = (stated or {}).get("radius") or _RADII[kind] * scene.scale
        look = ((stated or {}).get("colour") or _COLOURS[kind], 1.0, False)
        along = scene.place(end) - scene.place(begin)
        lengths = np.linalg.norm(along, axis=1)
        if not lengths.max() > 0:
            return
        if kind == "coil":
            geometry = coil(radius, _WIRE * scene.scale)
        else:
            geometry = placed(cylinder(max(radius, _THINNEST * scene.scale), 1.0, 16), NO_TURN, (0, 0, 0.5))
        name = f"{begin} {end}"
        node = self._moving(name, scene.place(begin), carried(along), file.mesh(name, Mesh().add(geometry, look)))
        # a length of zero would make the matrix of the node singular
        scales = np.stack([np.ones_like(lengths)] * 2 + [np.maximum(lengths, _STILL * scene.scale)], axis=1)
        file.move(node, "scale", scales, np.ones(3))

    def _dot(self, name, held):
        scene = self.scene
        radius = (_PARTICLE if name in scene.json["particles"] else _POINT) * scene.scale
        if held:
            radius = 1.25 * min(link_radius(scene.points[one], scene.scale) for one in held)
        colour = _DOT if held else scene.view["colours"].get(name, _DOT)
        if (radius, colour) not in self._balls:
            ball = Mesh().add(sphere(radius, 16), (colour, 1.0, False))
            self._balls[radius, colour] = self.file.mesh("point", ball)
        body = self._nodes.get(name)
        if body is not None:  # a mass center on which a force acts
            self.file.node(f"{name} center", body, self._balls[radius, colour])
        else:
            self._moving(name, scene.place(name), mesh=self._balls[radius, colour])


def write(text, columns, path):
    """Writes the scene of a motion, as text and base64, to the file `path`; see Trajectory.gltf."""
    scene = Scene(text, columns)
    model = scene.json["model"]
    if not scene.has_places:
        raise ExportError(f"no glTF file of {model['name']}: it has no points or bodies, so nothing has a position")
    file = _Drawing(scene).file
    if not file.json["meshes"]:
        raise ExportError(f"no glTF file of {model['name']}: it has no bodies, particles or links that can be drawn")
    file.json["asset"]["extras"] = {"model": model["name"], "title": model["title"],
                                    "unit": scene.json["space"]["unit"], "start": scene.start}  # fmt: skip
    path = Path(path)
    path.write_bytes(file.written())
    return path
