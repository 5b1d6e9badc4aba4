"""Reads `vinculum-scene/1` (docs/report.md), and chooses what a drawing shows, by the rules of the page of `show`."""

import base64
import json
import re

import numpy as np

from ._turn import inverted, turned

_NO_VIEW: dict = {"shapes": [], "links": [], "colours": {}, "hidden": [], "without": []}
_FAR = 5.0  # if a mechanism travels farther than this many times its own size, its size is the scale of marks
_SLENDER = 6.0  # if a cylinder is longer than this many radii, it is a rod, and is drawn to its ends
_DISTANCE = re.compile(
    r"(?:norm\(pos\(([^,()]+),\s*([^,()]+)\)\)|dot\(pos\(([^,()]+),\s*([^,()]+)\),\s*pos\(\3,\s*\4\)\))\s*(?:-[^=]*)?="
)


def reach_of(shape):
    """Largest distance of a shape's points from its center [m]."""
    kind = shape["kind"]
    if kind in ("cylinder", "cone"):
        return float(np.hypot(shape["radius"], shape["length"] / 2))
    if kind == "ring":
        return shape["radius"] + shape["tube"]
    if "sides" in shape:
        return float(np.linalg.norm(shape["sides"])) / 2
    return max(shape.get("axes", [shape.get("radius", 0.0)]))


class Scene:
    """A motion and its drawing.

    t       [samples] time in s, strictly increasing in single precision; of samples at one instant, the last
    view    the `view` of the model
    scale   length in m of which the sizes of marks are fractions
    points  positions of the points of each body's skeleton in its axes, relative to its mass center
    """

    def __init__(self, text, columns):
        self.json = json.loads(text)
        self._bytes = base64.b64decode(columns)
        motion = self.json["motions"][0]
        self._tracks = motion["tracks"]
        self.view = self.json["view"] or _NO_VIEW
        t = self._column(motion["t"])
        seconds = (t - t[0]).astype(np.float32)
        self._kept = np.append(seconds[1:] > seconds[:-1], True)
        self.t, self.start = seconds[self._kept], float(t[0])
        if not self.has_places:
            return
        self._box = np.array(self.json["space"]["box"])
        self.points = {body["name"]: self._skeleton(body) for body in self.bodies if self.has(f"{body['name']}.q")}
        self.scale = self._scale()

    @property
    def bodies(self):
        return self.json["bodies"]

    @property
    def has_places(self):
        return bool(self.json["space"]["box"]) and bool(self.json["points"])

    def _column(self, index):
        column = self.json["columns"][index]
        n, first = column["n"], column.get("b")
        if column["k"] == "const":
            return np.full(n, np.nan if first is None else first)
        kind = "<f8" if column["k"] == "f64" else "<f4"
        values = np.frombuffer(self._bytes, kind, n, column["o"]).astype(float)
        return values if column["k"] == "f64" else values + first

    def has(self, track):
        return track in self._tracks

    def track(self, name):
        """[samples, components]; quaternions are (w, x, y, z)."""
        return np.stack([self._column(index)[self._kept] for index in self._tracks[name]], axis=1)

    def place(self, point):
        return self.track(f"{point}.p")

    def turn(self, track):
        """[samples, 4] quaternion (x, y, z, w) of a track, or of N if the track is None."""
        if track is None:
            return np.tile([0.0, 0.0, 0.0, 1.0], (len(self.t), 1))
        return self.track(track)[:, [1, 2, 3, 0]]

    def shows(self, what):
        return what not in self.view["without"]

    def replaces(self, name):
        """Whether the view replaces or hides the default drawing of this element."""
        return name in self.view["hidden"] or any(
            one["on"] == name and not one["surface"] for one in self.view["shapes"]
        )

    def up(self):
        """[3] Unit vector opposite to gravity. Without gravity: z, in plane motions y, or z if y is normal."""
        space = self.json["space"]
        up = -np.array(space["gravity"], dtype=float)
        plane = space["normal"]
        if not up.any():
            up[1 if plane >= 0 else 2] = 1.0
        if plane >= 0:
            up[plane] = 0.0
            if not up.any():
                up[2 if plane == 1 else 1] = 1.0
        return up / np.linalg.norm(up)

    def _skeleton(self, body):
        first = self.place(body["name"])[0]
        back = inverted(self.turn(f"{body['name']}.q")[0])
        names = [name for name in body["points"] if self.has(f"{name}.p")]
        points = [turned(back, self.place(name)[0] - first) for name in names]
        shape = body["shape"]
        if points and shape["kind"] == "cylinder" and shape["length"] > _SLENDER * shape["radius"]:
            w, x, y, z = shape["turn"]
            end = turned(np.array([x, y, z, w]), np.array([0.0, 0.0, shape["length"] / 2]))
            if all(np.linalg.norm(np.cross(point, end)) < 0.01 * end.dot(end) for point in points):
                points += [end, -end]
        size = max((np.linalg.norm(point) for point in points), default=0.0)
        kept = []
        for point in points:
            if all(np.linalg.norm(point - other) > 1e-5 * size for other in [np.zeros(3), *kept]):
                kept.append(point)
        return kept

    def _reach(self, body):
        """Largest distance of a body's drawing from its mass center [m]."""
        name = body["name"]
        sizes = [0.0]
        if not self.replaces(name):
            sizes += [float(np.linalg.norm(point)) for point in self.points.get(name, [])] or [reach_of(body["shape"])]
        for one in self.view["shapes"]:
            if one["on"] == name and self.has(one["at"]):
                off = self.track(one["at"])[0] - self.place(name)[0]
                sizes.append(float(np.linalg.norm(off)) + reach_of(one["shape"]))
        return max(sizes)

    def _scale(self):
        reaches = {body["name"]: self._reach(body) for body in self.bodies if self.has(f"{body['name']}.p")}
        half = max([float(np.ptp(self._box, axis=0).max()) / 2, *reaches.values()]) or 1.0
        moving = [one["name"] for one in self.json["points"] if not one["fixed"] and self.has(f"{one['name']}.p")]
        if not moving or not self.bodies or any(one["on"] not in moving for one in self.view["shapes"]):
            return half
        places = np.stack([self.place(name) for name in moving])
        middle = places.mean(axis=0)
        away = np.linalg.norm(places - middle, axis=2).max(axis=1)
        size = max(reaches.get(name, 0.0) + one for name, one in zip(moving, away, strict=True))
        travel = float(np.linalg.norm(np.ptp(middle, axis=0))) / 2
        return size if size > 0 and travel >= _FAR * size else half

    def _is_rod(self, force, ends):
        """Whether two points keep their distance, and the force acts along the line between them."""
        between = self.place(ends[1]) - self.place(ends[0])
        length = np.linalg.norm(between, axis=1)
        if not length.min() > 0:
            return False
        value = self.track(force)
        along = np.abs(np.sum(between * value, axis=1) / length)
        across = np.sqrt(np.maximum(0.0, np.sum(value**2, axis=1) - along**2))
        return np.ptp(length) <= 1e-5 * length.max() and 0 < along.max() and across.max() <= 1e-3 * along.max()

    def _constraint_rods(self):
        """Pairs of points whose distance a constraint keeps."""
        fixed = [one["name"] for one in self.json["points"] if one["fixed"]]
        for constraint in self.json["constraints"]:
            stated = _DISTANCE.match(constraint["text"].strip())
            pair = [name.strip() for name in stated.groups() if name] if stated else []
            if pair and all(self.has(f"{name}.p") for name in pair):
                yield tuple(pair)
                continue
            items = [one for one in self.json["forces"]
                     if one["constraint"] == constraint["name"] and self.has(one["value"])]  # fmt: skip
            others = [items[1]["on"]] if len(items) == 2 else fixed if len(items) == 1 else []
            for other in others:
                ends = (items[0]["on"], other)
                if ends[0] != other and self.has(f"{other}.p") and self._is_rod(items[0]["value"], ends):
                    yield ends

    def links(self):
        """List of (kind, from, to, link of the view or None); kinds: "rod", "link", "slide", "coil"."""
        found, seen = [], set()

        def add(kind, ends, stated=None):
            pair = frozenset(ends)
            if len(pair) == 2 and pair not in seen and all(self.has(f"{end}.p") for end in ends):
                seen.add(pair)
                found.append((kind, *ends, stated))

        for one in self.view["links"]:
            add("coil" if one["coil"] else "rod", (one["from"], one["to"]), one)
        springs = [(one["from"], one["to"]) for one in self.json["springs"]]
        if self.shows("rods"):
            for ends in self._constraint_rods():
                add("rod", ends)
        for ends in springs:
            add("coil", ends)
        if self.shows("rods"):
            for one in self.json["links"]:
                ends = tuple(re.sub(r"\.p$", "", one[end]) for end in ("from", "to"))
                if not set(ends) & set(self.view["hidden"]):
                    add("slide" if one["slides"] else "link", ends)
        return found

    def dots(self, linked):
        """Names of the points that are drawn, with the bodies whose pins they are. \\param linked ends of links"""
        bears = {one["on"] for one in [*self.json["forces"], *self.json["reveals"]]}
        names, massy = {body["name"] for body in self.bodies}, set(self.json["particles"])
        for point in self.json["points"]:
            name, fixed = point["name"], point["fixed"]
            if not self.has(f"{name}.p") or self.replaces(name):
                continue
            carriers = [body["name"] for body in self.bodies if name in body["points"]]
            held = [one for one in carriers if not (one in self.view["hidden"] if fixed else self.replaces(one))]
            is_pin = held and name not in massy and (name in bears or any(one != point["on"] for one in held))
            if (name not in names or name in bears) and (name in massy | bears | linked or is_pin):
                yield name, held if is_pin else []
