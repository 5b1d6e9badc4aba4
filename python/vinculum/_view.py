"""Drawings of models made by a Builder: the items of the `view` statement (docs/language.md) as calls."""

from . import _vinculum
from ._errors import BuildError


class View:
    """The drawing of a model, from `Builder.view`: one item per call. It has no influence on the motion.

    Sizes, radii and lengths [m] are positive numbers, or Terms made of parameters. Colors are those of the language
    (docs/language.md); None means a default color. Errors raise BuildError.

        b.view.shape(wheel, "disk", 0.3, axis=wheel.frame.y, colour="orange")
        b.view.surface(b.newtonian, "plane", 5, 5, at=O)
        b.view.trace(contact)
        b.view.force(roll, contact)
    """

    __slots__ = ("_builder",)

    def __init__(self, builder):
        self._builder = builder

    def _do(self, call, method, *arguments):
        try:
            self._builder._do(call, method, *arguments)
        except ValueError as error:
            if isinstance(error, BuildError):
                raise
            raise BuildError(f"{call}: {error}") from None

    def _colour(self, call, colour):
        if colour is not None and not isinstance(colour, str):
            raise BuildError(f"{call}: `colour` is a str, not {colour!r}")
        return colour or ""

    def _shape(self, call, on, kind, sizes, axis, at, colour, is_surface):
        from ._builder import Body, Frame, Point

        b = self._builder
        if not isinstance(kind, str):
            raise BuildError(f'{call}: `kind` is a str as "cylinder", not {kind!r}')
        sizes = [b._scalar(call, "sizes", one) for one in sizes]
        axis = _vinculum._Term() if axis is None else b._vector(call, "axis", axis)
        turning = isinstance(on, (Body, Frame))
        if at is None and isinstance(on, Frame):
            raise BuildError(f"{call}: a frame has no place; say where by `at`")
        if at is not None and not turning:
            raise BuildError(f"{call}: `at` goes with a body or a frame, and a point is a place")
        if at is None:
            at = on.center if isinstance(on, Body) else on
        frame = b._id(call, "on", on, Frame) if turning else None
        at, colour = b._id(call, "at" if turning else "on", at, Point), self._colour(call, colour)
        self._do(call, "draw_shape", frame, at, isinstance(on, Body), kind, sizes, axis, colour, is_surface)

    def shape(self, on, kind, *sizes, axis=None, at=None, colour=None):
        """Draws a shape that moves with a body, a frame or a point.

        :param on: a Body, Frame or Point.
        :param kind: with its sizes [m]: "sphere" r, "box" a b c, "cylinder" r h, "disk" r, "cone" r h, "ring" R r,
            "ellipsoid" a b c, "plane" a b.
        :param axis: axis of the shape, a vector fixed in the frame; default: its z axis.
        :param at: Point of the center; default: the mass center of a body. Required for a frame.
        """
        self._shape("View.shape()", on, kind, sizes, axis, at, colour, False)

    def surface(self, on, kind, *sizes, axis=None, at=None, colour=None):
        """Draws a transparent shape, such as a floor or a bowl. Arguments as in `shape`."""
        self._shape("View.surface()", on, kind, sizes, axis, at, colour, True)

    def _link(self, name, first, second, radius, colour):
        from ._builder import Point

        b, call = self._builder, f"View.{name}()"
        ends = b._id(call, "first", first, Point), b._id(call, "second", second, Point)
        self._do(call, "draw_" + name, *ends, b._optional(call, "radius", radius), self._colour(call, colour))

    def rod(self, first, second, radius=None, colour=None):
        """Draws a rod between two points; `radius` [m]."""
        self._link("rod", first, second, radius, colour)

    def coil(self, first, second, radius=None, colour=None):
        """Draws a coil spring between two points; `radius` [m]."""
        self._link("coil", first, second, radius, colour)

    def axes(self, frame, at=None, length=None):
        """Draws the axes of a frame at a point; `length` [m]. Default for a body: its mass center."""
        from ._builder import Body, Frame, Point

        b, call = self._builder, "View.axes()"
        if at is None:
            if not isinstance(frame, Body):
                raise BuildError(f"{call}: a frame has no place; say where by `at`")
            at = frame.center
        ids = b._id(call, "frame", frame, Frame), b._id(call, "at", at, Point)
        self._do(call, "draw_axes", *ids, b._optional(call, "length", length))

    def trace(self, *points, colour=None):
        """Draws the paths of these points. The first call turns the default traces off."""
        from ._builder import Point

        call = "View.trace()"
        for point in points:
            self._do(call, "draw_trace", self._builder._id(call, "points", point, Point), self._colour(call, colour))

    def arrow(self, name, vector, at, unit="", colour=None):
        """Draws a vector as an arrow at a point, labelled `name`. It may depend on accelerations and reactions."""
        from ._builder import Point

        b, call = self._builder, "View.arrow()"
        vector, at = b._vector(call, "vector", vector), b._id(call, "at", at, Point)
        try:
            b._labelled(call, unit, "draw_arrow", str(name), vector, at, self._colour(call, colour))
        except ValueError as error:
            if isinstance(error, BuildError):
                raise
            raise BuildError(f"{call}: {error}") from None

    def force(self, constraint, on):
        """Shows the force of a constraint on a point. After a call of `force` or `torque` all others are hidden at
        first."""
        from ._builder import Constraint, Point

        b, call = self._builder, "View.force()"
        ids = b._id(call, "constraint", constraint, Constraint), b._id(call, "on", on, Point)
        self._do(call, "draw_force", *ids)

    def torque(self, constraint, body):
        """Shows the torque of a constraint on a body; otherwise like `force`."""
        from ._builder import Constraint

        b, call = self._builder, "View.torque()"
        ids = b._id(call, "constraint", constraint, Constraint), b._with_body(call, "body", body)
        self._do(call, "draw_torque", *ids)

    def _of(self, name, of, *arguments):
        from ._builder import Body, Constraint, Frame, Point

        call = f"View.{name}()"
        kind, of_kind = next(
            ((word, kind) for word, kind in (("constraint", Constraint), ("point", Point)) if isinstance(of, kind)),
            ("body", Frame),
        )
        if kind == "body" and not isinstance(of, Body):
            raise BuildError(f"{call}: `of` is a body, a point or a constraint of this Builder, not {of!r}")
        self._do(call, f"{name}_{kind}", self._builder._id(call, "of", of, of_kind), *arguments)

    def colour(self, of, colour):
        """Sets the color of a body, a point or a constraint."""
        self._of("colour", of, self._colour("View.colour()", colour))

    def hide(self, *things):
        """Hides bodies and points; constraint forces are hidden at first, and the viewer can show them."""
        for one in things:
            self._of("hide", one)

    def without(self, *what):
        """Leaves out items that are drawn by default: "ground", "rods", "traces"."""
        for one in what:
            self._do("View.without()", "draw_without", str(one))
