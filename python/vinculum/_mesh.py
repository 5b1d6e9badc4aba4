"""Triangles of the shapes in a drawing: solids, links, skeletons of bodies. Lengths in m."""

import itertools

import numpy as np

from ._turn import NO_TURN, carried, shortest, turned

_Z = np.array([0.0, 0.0, 1.0])
# Sizes as in page/src/shapes.js and skeleton.js, as fractions of the scale of a scene.
_LEAST, _RADIUS, _SHARE, _THINNEST = 0.02, 0.022, 0.12, 0.006
_FLAT = 0.04  # points whose extent is below this fraction of the size are on one line, or in one plane
_COIL_TURNS = 7


class Mesh:
    """Triangles by material. `parts`: list of (positions [n,3], normals [n,3], triangles [m,3], material)."""

    def __init__(self):
        self.parts = []

    def add(self, geometry, material):
        positions, normals, triangles = geometry
        if not len(triangles):
            return self
        a, b, c = (positions[triangles[:, k]] for k in range(3))
        area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
        self.parts.append((positions, normals, triangles[area > 1e-9 * area.max()], material))
        return self

    def add_octants(self, geometry, one, other, turn=NO_TURN):
        """Adds triangles in two materials: octants in turns, so that rotation is visible. Then turns them."""
        positions, normals, triangles = geometry
        is_one = np.prod(np.where(positions[triangles].mean(axis=1) < 0, -1, 1), axis=1) > 0
        positions, normals = turned(turn, positions), turned(turn, normals)
        self.add((positions, normals, triangles[is_one]), one)
        return self.add((positions, normals, triangles[~is_one]), other)

    def add_shape(self, shape, scale, materials, thinnest=_LEAST):
        """Adds a shape of a scene, in the axes of its body or frame. \\param thinnest fraction of the scale"""
        w, x, y, z = shape.get("turn") or (1.0, 0.0, 0.0, 0.0)
        return self.add_octants(solid(shape, scale, thinnest), *materials, np.array([x, y, z, w]))


def _grid(rows, sides):
    """Triangles of a closed strip: rows of sides + 1 positions, counterclockwise if rows follow each other upward."""
    i, j = (index.ravel() for index in np.meshgrid(np.arange(rows - 1), np.arange(sides), indexing="ij"))
    here, above = i * (sides + 1) + j, (i + 1) * (sides + 1) + j
    return np.concatenate([np.stack([here, here + 1, above], axis=1), np.stack([here + 1, above + 1, above], axis=1)])


def _revolved(profiles, sides=32):
    """Surface of revolution about z. \\param profiles lists of (r, z, radial and axial component of the normal)"""
    angles = np.linspace(0.0, 2 * np.pi, sides + 1)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    positions, normals, triangles, first = [], [], [], 0
    for profile in profiles:
        r, z, radial, axial = np.array(profile, dtype=float).T
        for list_, across, along in ((positions, r, z), (normals, radial, axial)):
            grid = np.empty((len(r), sides + 1, 3))
            grid[..., :2] = across[:, None, None] * ring
            grid[..., 2] = along[:, None]
            list_.append(grid.reshape(-1, 3))
        triangles.append(first + _grid(len(r), sides))
        first += len(r) * (sides + 1)
    return np.concatenate(positions), np.concatenate(normals), np.concatenate(triangles)


def _arc(radius, begin, end, steps, r=0.0, z=0.0):
    """Profile of an arc about (r, z), between angles above the plane across the axis."""
    return [(r + radius * c, z + radius * s, c, s)
            for c, s in ((np.cos(a), np.sin(a)) for a in np.linspace(begin, end, steps + 1))]  # fmt: skip


def sphere(radius, sides=32):
    return _revolved([_arc(radius, -np.pi / 2, np.pi / 2, sides // 2)], sides)


def cylinder(radius, length, sides=32):
    h = length / 2
    return _revolved([[(0, -h, 0, -1), (radius, -h, 0, -1)], [(radius, z, 1, 0) for z in (-h, 0.0, h)],
                      [(radius, h, 0, 1), (0, h, 0, 1)]], sides)  # fmt: skip


def cone(radius, length):
    h, slope = length / 2, np.hypot(radius, length)
    n = (length / slope, radius / slope)
    return _revolved([[(0, -h, 0, -1), (radius, -h, 0, -1)], [(radius, -h, *n), (radius / 2, 0, *n), (0, h, *n)]])


def capsule(radius, begin, end, sides=16):
    """A rod with round ends between two points."""
    along = end - begin
    h = np.linalg.norm(along) / 2
    quarter = sides // 4
    geometry = _revolved([_arc(radius, -np.pi / 2, 0, quarter, z=-h) + _arc(radius, 0, np.pi / 2, quarter, z=h)], sides)
    return placed(geometry, shortest(_Z, along) if h > 0 else NO_TURN, (begin + end) / 2)


def _polygon(corners, normal):
    count = len(corners)
    triangles = [(0, k, k + 1) for k in range(1, count - 1)]
    return np.array(corners), np.tile(normal, (count, 1)), np.array(triangles)


def _joined(geometries):
    sizes = np.cumsum([0] + [len(one[0]) for one in geometries])
    return (np.concatenate([one[0] for one in geometries]), np.concatenate([one[1] for one in geometries]),
            np.concatenate([one[2] + size for one, size in zip(geometries, sizes, strict=False)]))  # fmt: skip


def _rectangle(sides, normal_axis=2, sign=1.0, height=0.0):
    """A rectangle of four parts, so that octants can have different materials."""
    u, v = np.eye(3)[(normal_axis + 1) % 3], sign * np.eye(3)[(normal_axis + 2) % 3]
    n = sign * np.eye(3)[normal_axis]
    a, b = sides[(normal_axis + 1) % 3] / 2, sides[(normal_axis + 2) % 3] / 2
    return _joined([_polygon([height * n + x * a * u + y * b * v for x, y in
                              ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))], n)
                    for i in (-1, 0) for j in (-1, 0)])  # fmt: skip


def box(sides):
    return _joined([_rectangle(sides, axis, sign, sides[axis] / 2) for axis in range(3) for sign in (1.0, -1.0)])


def placed(geometry, turn, at=(0.0, 0.0, 0.0)):
    positions, normals, triangles = geometry
    return turned(turn, positions) + at, turned(turn, normals), triangles


def solid(shape, scale, thinnest=_LEAST):
    """Triangles of a shape of a scene, in its own axes. \\param thinnest fraction of the scale"""

    def least(length):
        return max(length, thinnest * scale)

    kind = shape["kind"]
    if kind == "cylinder":
        geometry = cylinder(max(shape["radius"], 0.6 * thinnest * scale), least(shape["length"]))
    elif kind == "sphere":
        geometry = sphere(least(shape["radius"]))
    elif kind == "box":
        geometry = box([least(side) for side in shape["sides"]])
    elif kind == "cone":
        geometry = cone(least(shape["radius"]), least(shape["length"]))
    elif kind == "ring":
        tube = max(shape["tube"], 0.3 * thinnest * scale)
        geometry = _revolved([_arc(tube, -np.pi / 2, 1.5 * np.pi, 16, r=least(shape["radius"]))], 64)
    elif kind == "plane":
        geometry = _rectangle([least(side) for side in shape["sides"]])
    elif kind == "ellipsoid":
        axes = np.array([least(axis) for axis in shape["axes"]])
        positions, normals, triangles = sphere(1.0)
        normals = normals / axes
        geometry = positions * axes, normals / np.linalg.norm(normals, axis=1, keepdims=True), triangles
    else:
        geometry = sphere(1.2 * _LEAST * scale, 16)
    return geometry


def coil(radius, wire):
    """A helical spring of length 1 along z, with straight ends."""
    angles = np.linspace(0.0, 2 * np.pi * _COIL_TURNS, 12 * _COIL_TURNS + 1)
    turns = np.stack([radius * np.cos(angles), radius * np.sin(angles), np.linspace(0.15, 0.85, len(angles))], axis=1)
    places = np.concatenate([[[0, 0, 0], [0, 0, 0.13]], turns, [[0, 0, 0.87], [0, 0, 1]]])
    frames = carried(np.gradient(places, axis=0))
    sides, count = 6, len(places)
    around = np.stack([[np.cos(a), np.sin(a), 0.0] for a in np.linspace(0, 2 * np.pi, sides + 1)])
    normals = turned(frames[:, None, :], around[None])
    positions = places[:, None] + wire * normals
    return positions.reshape(-1, 3), normals.reshape(-1, 3), _grid(count, sides)


def _spread(points):
    """Size of a set of points, the number of directions in which it extends, and two of these directions."""
    points = np.array(points)
    between = (points[:, None] - points[None]).reshape(-1, 3)
    far = between[np.argmax(np.linalg.norm(between, axis=1))]
    size = float(np.linalg.norm(far))
    if size == 0:
        return 0.0, 1, [_Z]
    rest, axes = points - points[0], [far / size]
    for _ in range(2):
        rest = rest - np.outer(rest @ axes[-1], axes[-1])
        widths = np.linalg.norm(rest, axis=1)
        if widths.max() < _FLAT * size:
            break
        axes.append(rest[np.argmax(widths)] / widths.max())
    return size, min(len(axes), 3), axes


def _hull(points):
    """Faces of the convex hull of points that span a volume: lists of corners in order, with the outer normal."""
    points = np.array(points)
    faces, near = {}, 1e-9 * np.ptp(points, axis=0).max()
    for a, b, c in itertools.combinations(range(len(points)), 3):
        normal = np.cross(points[b] - points[a], points[c] - points[a])
        size = np.linalg.norm(normal)
        if size <= near**2:
            continue
        normal = normal / size
        height = (points - points[a]) @ normal
        if height.max() > near:
            normal, height = -normal, -height
        if height.max() <= near:
            faces.setdefault(frozenset(np.flatnonzero(height >= -near)), normal)
    return [(_outline(points[sorted(face)], normal), normal) for face, normal in faces.items()]


def _outline(points, normal):
    """Corners of the convex hull of points in a plane, counterclockwise about the normal (monotone chain)."""
    u = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    v = np.cross(normal, u)
    flat = sorted(((float(p @ u), float(p @ v), k) for k, p in enumerate(points)))
    least = 1e-9 * max(float(np.ptp(points, axis=0).max()), 1e-300) ** 2

    def half(order):
        chain = []
        for x, y, k in order:
            while len(chain) > 1:
                (ax, ay, _), (bx, by, _) = chain[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > least:
                    break
                chain.pop()
            chain.append((x, y, k))
        return chain[:-1]

    return [points[k] for _, _, k in half(flat) + half(flat[::-1])]


def link_radius(points, scale):
    """Radius of the links of a skeleton [m]."""
    return max(_THINNEST * scale, min(_RADIUS * scale, _SHARE * _spread([np.zeros(3), *points])[0]))


def skeleton(points, scale, materials):
    """A body as links between its points and its mass center, with a plate or hull.

    materials  of the links, of the plate or hull, and the dark and bright ones of the mass center
    """
    body, other, dark, bright = materials
    mesh, radius = Mesh(), link_radius(points, scale)
    everything = [np.zeros(3), *points]
    _, count, axes = _spread(everything)
    if count == 1:
        along = sorted(everything, key=lambda point: point @ axes[0])
        mesh.add(capsule(radius, along[0], along[-1]), body)
    else:
        if count == 2:
            normal = np.cross(axes[0], axes[1])
            corners = _outline(np.array(everything), normal)
            off = 0.4 * radius * normal
            faces = _hull([corner + sign * off for corner in corners for sign in (1, -1)])
            edges = list(zip(corners, corners[1:] + corners[:1], strict=True))
        else:
            faces, radius = _hull(everything), 0.6 * radius
            pairs = [pair for corners, _ in faces for pair in zip(corners, corners[1:] + corners[:1], strict=True)]
            edges = {frozenset(tuple(end) for end in pair): pair for pair in pairs}.values()
        for begin, end in edges:
            mesh.add(capsule(radius, begin, end, 12), body)
        mesh.add(_joined([_polygon(corners, normal) for corners, normal in faces]), other)
    return mesh.add_octants(sphere(1.5 * link_radius(points, scale), 16), bright, dark)
