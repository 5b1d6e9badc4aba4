"""Models built by a program: the statements of the language (docs/language.md) as calls."""

import math
import re

from . import _vinculum
from ._errors import BuildError
from ._view import View

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class Term:
    """A scalar or vector expression of a model that is being built, made by a Builder or by arithmetic on Terms.

    Scalars and numbers: + - * / **. Vectors: + - with vectors, * / with scalars. Functions of the package for vectors:
    `dot cross norm unit`; for scalars: `sin cos tan asin acos atan atan2 sinh cosh tanh sqrt exp log pow abs sign floor
    min max`. Scalars are compared by `< <= > >=`, which gives conditions, joined by `&`, `|` and `~`; `select` chooses
    by a condition. Operations that are not possible raise BuildError.

    is_vector  whether it is a vector
    kind       "number", "parameter", "coordinate", "rate", "speed", "state", "input", "time", "condition" or
               "expression"
    name       name of a parameter, coordinate, rate, speed or state; else ""
    """

    __slots__ = ("_builder", "_inner", "is_vector", "kind", "name")
    __array_ufunc__ = None  # so that numpy.float64 * term calls Term.__rmul__
    __hash__ = None  # type: ignore[assignment]  # Terms have no equality

    def __init__(self, builder, inner, is_vector=False, kind="expression", name=""):
        self._builder, self._inner = builder, inner
        self.is_vector, self.kind, self.name = is_vector, kind, name

    def __repr__(self):
        return f"<{'vector' if self.is_vector else 'scalar'} {self.kind}{' ' + self.name if self.name else ''}>"

    def __bool__(self):
        raise BuildError("a Term has no truth: its value is not known before the model runs")

    def __eq__(self, other):
        raise BuildError("Terms are not compared: a relation `a = b` is Builder.constraint(name, a - b)")

    def __add__(self, other):
        return _alike("+", _vinculum._add, self, other)

    def __radd__(self, other):
        return _alike("+", _vinculum._add, other, self)

    def __sub__(self, other):
        return _alike("-", _vinculum._subtract, self, other)

    def __rsub__(self, other):
        return _alike("-", _vinculum._subtract, other, self)

    def __neg__(self):
        return Term(self._builder, self._builder._made("-", _vinculum._negate, self._inner), self.is_vector)

    def __mul__(self, other):
        return _product(self, other)

    def __rmul__(self, other):
        return _product(other, self)

    def __truediv__(self, other):
        return _quotient(self, other)

    def __rtruediv__(self, other):
        return _quotient(other, self)

    def __pow__(self, other):
        return pow(self, other)

    def __rpow__(self, other):
        return pow(other, self)

    def __abs__(self):
        return abs(self)

    def __lt__(self, other):
        return _comparison("<", _vinculum._less, self, other)

    def __le__(self, other):
        return _comparison("<=", _vinculum._less_equal, self, other)

    def __gt__(self, other):
        return _comparison(">", _vinculum._less, other, self)

    def __ge__(self, other):
        return _comparison(">=", _vinculum._less_equal, other, self)

    def __and__(self, other):
        return _joined("&", _vinculum._and, self, other)

    def __or__(self, other):
        return _joined("|", _vinculum._or, self, other)

    def __invert__(self):
        return _joined("~", _vinculum._not, self)


def _number(call, what, value):
    """`value` as a finite float, or BuildError."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise BuildError(f"{call}: `{what}` is a number, not {value!r}") from None
    if not math.isfinite(number):
        raise BuildError(f"{call}: `{what}` is {number}, not a finite number")
    return number


def _place(call, what, words, word):
    """The index of a word in a list of words, or BuildError."""
    if word not in words:
        raise BuildError(f"{call}: `{what}` is {', '.join(words[:-1])} or {words[-1]}, not {word!r}")
    return words.index(word)


def _terms(call, *operands):
    """The builder of the operands, and the operands as Terms of this builder."""
    builder = next((one._builder for one in operands if isinstance(one, Term)), None)
    if builder is None:
        raise BuildError(f"{call}: takes Terms of a Builder; for numbers there is Python's math")
    return builder, [builder._term(call, "operand", one) for one in operands]


def _alike(call, function, a, b):
    builder, (a, b) = _terms(call, a, b)
    if a.is_vector != b.is_vector:
        raise BuildError(f"{call}: a scalar and a vector; both are scalars or both vectors")
    return Term(builder, builder._made(call, function, a._inner, b._inner), a.is_vector)


def _product(a, b):
    builder, (a, b) = _terms("*", a, b)
    if a.is_vector and b.is_vector:
        raise BuildError("*: two vectors; say dot(a, b) or cross(a, b)")
    return Term(builder, builder._made("*", _vinculum._multiply, a._inner, b._inner), a.is_vector or b.is_vector)


def _quotient(a, b):
    builder, (a, b) = _terms("/", a, b)
    if b.is_vector:
        raise BuildError("/: a vector divides nothing; divide by its norm(v)")
    return Term(builder, builder._made("/", _vinculum._divide, a._inner, b._inner), a.is_vector)


def _comparison(call, function, a, b):
    builder, (a, b) = _terms(call, a, b)
    if a.is_vector or b.is_vector:
        raise BuildError(f"{call}: compares scalars, not vectors")
    return Term(builder, builder._made(call, function, a._inner, b._inner), kind="condition")


def _joined(call, function, *operands):
    builder = operands[0]._builder
    inner = [builder._condition(call, "operand", one) for one in operands]
    return Term(builder, builder._made(call, function, *inner), kind="condition")


def select(condition, if_true, if_false):
    """The second Term where the condition is true, else the third: both scalars or both vectors, else BuildError."""
    if not isinstance(condition, Term):
        raise BuildError("select: takes a condition, such as x > 1, and two Terms")
    builder = condition._builder
    inner = builder._condition("select", "condition", condition)
    a, b = builder._term("select", "if_true", if_true), builder._term("select", "if_false", if_false)
    if a.is_vector != b.is_vector:
        raise BuildError("select: a scalar and a vector; both are scalars or both vectors")
    return Term(builder, builder._made("select", _vinculum._select, inner, a._inner, b._inner), a.is_vector)


def _function(name, count, about, of_vectors=False, gives_vector=False):
    """A public function of `count` Terms with the docstring `about`."""
    inner = getattr(_vinculum, "_" + name)

    def call(*operands):
        if len(operands) != count:
            raise BuildError(f"{name}: takes {count} Term{'s' if count > 1 else ''}, not {len(operands)}")
        builder, terms = _terms(name, *operands)
        if any(one.is_vector != of_vectors for one in terms):
            raise BuildError(f"{name}: takes {'vectors, not a scalar' if of_vectors else 'scalars, not a vector'}")
        return Term(builder, builder._made(name, inner, *(one._inner for one in terms)), gives_vector)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = about
    return call


dot = _function("dot", 2, "Scalar product a · b of two vectors.", True)
cross = _function("cross", 2, "Vector product a × b of two vectors.", True, True)
norm = _function("norm", 1, "Length of a vector, a scalar.", True)
unit = _function("unit", 1, "Unit vector: a vector divided by its length.", True, True)
sin = _function("sin", 1, "Sine of an angle [rad].")
cos = _function("cos", 1, "Cosine of an angle [rad].")
tan = _function("tan", 1, "Tangent of an angle [rad].")
asin = _function("asin", 1, "Inverse sine, an angle in [-π/2, π/2] [rad].")
acos = _function("acos", 1, "Inverse cosine, an angle in [0, π] [rad].")
atan = _function("atan", 1, "Inverse tangent, an angle in (-π/2, π/2) [rad].")
atan2 = _function("atan2", 2, "atan2(y, x): angle [rad] of the direction (x, y).")
sinh = _function("sinh", 1, "Hyperbolic sine.")
cosh = _function("cosh", 1, "Hyperbolic cosine.")
tanh = _function("tanh", 1, "Hyperbolic tangent.")
sqrt = _function("sqrt", 1, "Square root.")
exp = _function("exp", 1, "Exponential.")
log = _function("log", 1, "Natural logarithm.")
pow = _function("pow", 2, "pow(x, y): x to the power y.")
abs = _function("abs", 1, "Absolute value.")
sign = _function("sign", 1, "Sign of a number: -1, 0 or 1.")
floor = _function("floor", 1, "Largest integer that is not larger than the number.")
min = _function("min", 2, "The smaller of two numbers.")
max = _function("max", 2, "The larger of two numbers.")


class _Named:
    __slots__ = ("_builder", "_id", "name")
    _kind = ""

    def __init__(self, builder, id, name):
        self._builder, self._id, self.name = builder, id, name

    def __repr__(self):
        return f"<{self._kind} {self.name}>"


class Frame(_Named):
    """A reference frame. Its axes are the unit vectors `x`, `y`, `z`."""

    __slots__ = ()
    _kind = "frame"

    @property
    def x(self):
        return self._builder.axis(self, 0)

    @property
    def y(self):
        return self._builder.axis(self, 1)

    @property
    def z(self):
        return self._builder.axis(self, 2)


class Point(_Named):
    """A point or a particle."""

    __slots__ = ()
    _kind = "point"


class Constraint(_Named):
    """A constraint; `rows` is its number of scalar equations."""

    __slots__ = ("rows",)
    _kind = "constraint"


class Contact(Constraint):
    """A unilateral constraint of `Builder.contact`. `P` and `Q` are the material points of the first and the second
    body at the contact."""

    __slots__ = ("P", "Q")


class Body(_Named):
    """A rigid body. As an argument it may replace its mass `center` (a Point) or its `frame` (a Frame)."""

    __slots__ = ("center", "frame")
    _kind = "body"


class _Action:
    __slots__ = ("_builder", "_inner")

    def __init__(self, builder, inner):
        self._builder, self._inner = builder, inner


class Builder:
    """Builds a model by one call per statement of the language (docs/language.md).

    A thing must be added before it is used, and names are unique over all kinds of things. Numbers are in SI units. A
    `unit` is a product of SI units with whole powers, such as "kg*m/s^2"; results are labelled with it. A number may
    replace a scalar Term. Violations raise BuildError, whose text names the call. A Builder serves one thread.

        b = vn.Builder("pendulum")
        x, y = b.coordinate("x", "m"), b.coordinate("y", "m")
        O = b.fixed_point("O", b.newtonian)
        P = b.particle("P", 2.0, O, x * b.newtonian.x + y * b.newtonian.y)
        b.gravity(-9.81 * b.newtonian.y)
        b.constraint("rod", vn.norm(b.pos(P, O)) - 0.5, unit="m")
        b.start(x, 0.3)
        b.guess(y, -0.4)
        run = b.model().run(until=1)
    """

    def __init__(self, name):
        if not isinstance(name, str) or not _NAME.match(name):
            raise BuildError(f"Builder({name!r}): a model's name is a letter, then letters, digits and _")
        self.name = name
        self._own = _vinculum._Builder(name)
        self._names = {"N"}
        self._coordinates = 0
        self._bodies = set()  # ids of frames that have a body
        self._quaternions = set()  # names of coordinates used in quaternions
        self._newtonian = Frame(self, 0, "N")

    def __repr__(self):
        return f"<vinculum.Builder {self.name}>"

    # Helpers of the calls.

    def _still(self, call):
        if self._own is None:
            raise BuildError(f"{call}: the model of Builder('{self.name}') is made; begin another Builder")

    def _made(self, call, function, *arguments):
        self._still(call)
        try:
            return function(*arguments)
        except RuntimeError as error:  # a precondition of the library that is not checked here
            if not str(error).startswith("contract broken: "):
                raise
            condition = str(error).removeprefix("contract broken: ").rsplit(" at ", 1)[0]
            raise BuildError(f"{call}: what was given does not satisfy `{condition}`") from None

    def _do(self, call, method, *arguments):
        return self._made(call, getattr(_vinculum._Builder, method), self._own, *arguments)

    def _claimed(self, method, name):
        call = f"Builder.{method}({name!r})"
        self._still(call)
        if not isinstance(name, str) or not _NAME.match(name):
            raise BuildError(f"{call}: a name is a letter or _, then letters, digits and _")
        if name in self._names:
            raise BuildError(f"{call}: there is a `{name}` already; names are unique over all kinds")
        return call

    def _labelled(self, call, unit, method, *arguments):
        """Calls `method` with the unit as last argument."""
        if not isinstance(unit, str):
            raise BuildError(f'{call}: `unit` is a str as "kg*m/s^2", not {unit!r}')
        try:
            self._made(call, _vinculum._Builder.check_unit, unit)
        except (BuildError, ValueError):
            raise BuildError(
                f'{call}: `{unit}` is no product of SI units: name them with whole powers, as "kg*m/s^2" or "rad"'
            ) from None
        return self._do(call, method, *arguments, unit)

    def _term(self, call, what, value, is_vector=None):
        if isinstance(value, Term):
            if value._builder is not self:
                raise BuildError(f"{call}: `{what}` is a Term of another Builder, {value._builder.name}")
            term = value
        else:
            if is_vector:
                raise BuildError(f"{call}: `{what}` is a vector, not {value!r}; vectors are made of axes, 2*N.x")
            term = Term(self, self._do(call, "number", _number(call, what, value)), kind="number")
        if term.kind == "condition":
            raise BuildError(f"{call}: `{what}` is a condition, not a number; select(condition, a, b) makes one")
        if is_vector is not None and term.is_vector != is_vector:
            kinds = ("a scalar", "a vector")
            raise BuildError(f"{call}: `{what}` is {kinds[is_vector]}, not {kinds[term.is_vector]}")
        return term

    def _scalar(self, call, what, value):
        return self._term(call, what, value, False)._inner

    def _vector(self, call, what, value):
        return self._term(call, what, value, True)._inner

    def _condition(self, call, what, value):
        if not isinstance(value, Term) or value.kind != "condition":
            raise BuildError(f"{call}: `{what}` is a condition, such as x > 1, not {value!r}")
        if value._builder is not self:
            raise BuildError(f"{call}: `{what}` is a Term of another Builder, {value._builder.name}")
        return value._inner

    def _optional(self, call, what, value, is_vector=False):
        return _vinculum._Term() if value is None else self._term(call, what, value, is_vector)._inner

    def _id(self, call, what, value, kind):
        if isinstance(value, Body):
            value = {Point: value.center, Frame: value.frame}.get(kind, value)
        if not isinstance(value, kind):
            raise BuildError(f"{call}: `{what}` is a {kind._kind} of this Builder, not {value!r}")
        if value._builder is not self:
            raise BuildError(f"{call}: `{what}` is a {kind._kind} of another Builder, {value._builder.name}")
        return value._id

    def _numbers(self, call, what, values):
        """The numbers of a list or of an array with one axis."""
        try:
            if getattr(values, "ndim", 1) != 1:
                raise TypeError
            return [float(one) for one in values]
        except (TypeError, ValueError):
            raise BuildError(f"{call}: `{what}` is a list of numbers or an array with one axis") from None

    def _coordinate(self, call, what, value):
        if not isinstance(value, Term) or value.kind != "coordinate":
            raise BuildError(f"{call}: `{what}` is a coordinate of this Builder, not {value!r}")
        return self._scalar(call, what, value)

    # Coordinates, frames, points, masses.

    @property
    def newtonian(self):
        """The newtonian frame `N`, a Frame."""
        return self._newtonian

    def number(self, value):
        """A number as a Term."""
        return self._term("Builder.number()", "value", value, False)

    def time(self):
        """The time t [s] as a Term."""
        return Term(self, self._do("Builder.time()", "time"), kind="time")

    def parameter(self, name, value, unit=""):
        """Adds a parameter with its value in SI units; `Model.with_values` changes it. Returns a Term."""
        call = self._claimed("parameter", name)
        inner = self._labelled(call, unit, "parameter", name, _number(call, "value", value))
        self._names.add(name)
        return Term(self, inner, kind="parameter", name=name)

    def coordinate(self, name, unit=""):
        """Adds a generalized coordinate q and returns it as a Term; `rate(q)` is its rate q'."""
        call = self._claimed("coordinate", name)
        inner = self._labelled(call, unit, "coordinate", name)
        self._names.add(name)
        self._coordinates += 1
        return Term(self, inner, kind="coordinate", name=name)

    def rate(self, coordinate):
        """The rate q' of a coordinate, as a Term."""
        call = "Builder.rate()"
        inner = self._do(call, "rate", self._coordinate(call, "coordinate", coordinate))
        return Term(self, inner, kind="rate", name=coordinate.name + "'")

    def speed(self, name, definition, unit=""):
        """Adds a generalized speed (motion variable) and returns it as a Term.

        :param definition: scalar in coordinates, rates and time. Rates that no speed covers remain motion variables. If
            it is not affine in the rates, the motion is computed in the rates and the speed is evaluated from them; it
            still has start values and an output of its name.
        """
        call = self._claimed("speed", name)
        inner = self._labelled(call, unit, "speed", name, self._scalar(call, "definition", definition))
        self._names.add(name)
        return Term(self, inner, kind="speed", name=name)

    def table(self, name, x, y, at, *, kind="spline", outside="error", periodic=False):
        """A function of `at` given by its values at points, a scalar Term; `table` of the language, but from data.

            F = b.table("pull", times, forces, b.time(), kind="linear", outside="hold")

        Mistakes in the numbers are diagnostics of the ModelError that `model` raises.

        :param name: appears in messages.
        :param x: [n] strictly increasing numbers in SI units, n ≥ 2: a list or an array.
        :param y: [n] values in SI units.
        :param at: scalar of time, coordinates, speeds and states.
        :param kind: "spline" (a cubic spline), "smooth" (without overshoot), "linear" or "hold".
        :param outside: outside the range "error" stops the run, "hold" keeps the value at the end, and "linear"
            continues the line at the end.
        :param periodic: whether the range is one period; the first and the last value are equal then.
        """
        call = f"Builder.table({name!r})"
        if not isinstance(name, str):
            raise BuildError(f"{call}: `name` is a str")
        x, y = self._numbers(call, "x", x), self._numbers(call, "y", y)
        options = [
            _place(call, "kind", ("spline", "smooth", "linear", "hold"), kind),
            _place(call, "outside", ("error", "hold", "linear"), outside),
        ]
        return Term(self, self._do(call, "table", name, x, y, self._scalar(call, "at", at), *options, bool(periodic)))

    def state(self, name, rate, start=None, unit=""):
        """Adds an extra state z with z' = `rate`, starting at `start` (default 0), and returns it as a Term."""
        call = self._claimed("state", name)
        rate, start = self._scalar(call, "rate", rate), self._optional(call, "start", start)
        inner = self._labelled(call, unit, "state", name, rate, start)
        self._names.add(name)
        return Term(self, inner, kind="state", name=name)

    def input(self, name, unit="", value=None):
        """Adds a quantity that a program or a file gives, and returns it as a Term.

        :param value: scalar [unit] of parameters, or of time, coordinates, speeds and states, which holds until
            `Simulation.set_input` or `run(inputs=...)` gives another; default 0.
        """
        call = self._claimed("input", name)
        value = self._optional(call, "value", value)
        inner = self._labelled(call, unit, "input", name, value)
        self._names.add(name)
        return Term(self, inner, kind="input", name=name)

    def sampled_state(self, name, period, start=None, unit=""):
        """Adds a state that changes at t = 0, period, 2 period, ... only, and returns it as a Term; see `sample`.

        :param period: [s] > 0, a number or a scalar of parameters.
        :param start: value before t = 0 [unit]; default 0.
        """
        call = self._claimed("sampled_state", name)
        period, start = self._scalar(call, "period", period), self._optional(call, "start", start)
        inner = self._labelled(call, unit, "sampled_state", name, period, start)
        self._names.add(name)
        return Term(self, inner, kind="state", name=name)

    def sample(self, state, value):
        """States the value [unit of the state] that a sampled state takes at each of its instants, from the state just
        before. Each sampled state needs exactly one such call; otherwise `model` raises ModelError."""
        call = "Builder.sample()"
        if not isinstance(state, Term) or state.kind != "state":
            raise BuildError(f"{call}: `state` is a sampled state of this Builder, not {state!r}")
        self._do(call, "sample", self._scalar(call, "state", state), self._scalar(call, "value", value))

    def frame(self, name, parent, angle=None, axis=None, *, quaternion=None):
        """Adds a frame turned relative to `parent`, either by `angle` and `axis` or by `quaternion`.

        :param angle: [rad]
        :param axis: 0, 1, 2 for an axis of the parent, or a vector fixed in the parent.
        :param quaternion: four coordinates e0, e1, e2, e3; their norm has no influence.
        """
        call = self._claimed("frame", name)
        parent = self._id(call, "parent", parent, Frame)
        if (quaternion is None) == (angle is None):
            raise BuildError(f"{call}: takes `angle` and `axis`, or `quaternion`")
        if quaternion is not None:
            e = list(quaternion)
            if len(e) != 4:
                raise BuildError(f"{call}: `quaternion` is four coordinates, not {len(e)}")
            inner = [self._coordinate(call, "quaternion", one) for one in e]
            named = [one.name for one in e]
            if len(set(named)) < 4 or self._quaternions & set(named):
                raise BuildError(f"{call}: `quaternion` is four coordinates that make no other frame")
            id = self._do(call, "frame_by_quaternion", name, parent, inner)
            self._quaternions |= set(named)
        elif isinstance(axis, Term):
            angle = self._scalar(call, "angle", angle)
            id = self._do(call, "frame_about", name, parent, angle, self._vector(call, "axis", axis))
        elif isinstance(axis, int) and axis in (0, 1, 2):
            id = self._do(call, "frame_about_axis", name, parent, self._scalar(call, "angle", angle), axis)
        else:
            raise BuildError(f"{call}: `axis` is 0, 1, 2 or a direction, not {axis!r}")
        self._names.add(name)
        return Frame(self, id, name)

    def axis(self, frame, axis):
        """Axis 0, 1 or 2 of a frame, a unit vector; `frame.x` is axis 0."""
        call = "Builder.axis()"
        if axis not in (0, 1, 2):
            raise BuildError(f"{call}: `axis` is 0, 1 or 2, not {axis!r}")
        return Term(self, self._do(call, "axis", self._id(call, "frame", frame, Frame), int(axis)), True)

    def fixed_point(self, name, frame):
        """Adds a point fixed in the newtonian frame, an origin for other points."""
        call = self._claimed("fixed_point", name)
        id = self._do(call, "fixed_point", name, self._id(call, "frame", frame, Frame))
        self._names.add(name)
        return Point(self, id, name)

    def point(self, name, base, offset):
        """Adds a point at the vector `offset` [m] from the point `base`."""
        call = self._claimed("point", name)
        base, offset = self._id(call, "base", base, Point), self._vector(call, "offset", offset)
        id = self._do(call, "point", name, base, offset)
        self._names.add(name)
        return Point(self, id, name)

    def particle(self, name, mass, base, offset):
        """Adds a particle of `mass` [kg] at the vector `offset` [m] from the point `base`. Returns a Point."""
        call = self._claimed("particle", name)
        mass, base = self._scalar(call, "mass", mass), self._id(call, "base", base, Point)
        id = self._do(call, "particle", name, mass, base, self._vector(call, "offset", offset))
        self._names.add(name)
        return Point(self, id, name)

    def body(self, name, frame, mass, inertia, base, offset):
        """Adds a rigid body that turns with `frame`. Returns a Body.

        :param mass: [kg]
        :param inertia: (xx, yy, zz) or (xx, yy, zz, xy, yz, zx) [kg m²], about the mass center in the axes of the
            frame. Products carry their sign: xy = -∫ x y dm.
        :param base, offset: the mass center is at the vector `offset` [m] from the point `base`.
        """
        call = self._claimed("body", name)
        id = self._id(call, "frame", frame, Frame)
        frame = frame.frame if isinstance(frame, Body) else frame
        if id == 0:
            raise BuildError(f"{call}: the newtonian frame has no body; give it a frame of its own")
        if id in self._bodies:
            raise BuildError(f"{call}: frame {frame.name} has a body already")
        inertia = [self._scalar(call, "inertia", one) for one in inertia]
        if len(inertia) not in (3, 6):
            raise BuildError(f"{call}: `inertia` is 3 or 6 scalars, not {len(inertia)}")
        inertia += [_vinculum._Term()] * (6 - len(inertia))
        mass, base = self._scalar(call, "mass", mass), self._id(call, "base", base, Point)
        center = self._do(call, "body", name, id, mass, inertia, base, self._vector(call, "offset", offset))
        self._names.add(name)
        self._bodies.add(id)
        body = Body(self, id, name)
        body.frame, body.center = frame, Point(self, center, name)
        return body

    def pos(self, to, from_):
        """Position vector of point `to` relative to point `from_` [m]."""
        call = "Builder.pos()"
        to, from_ = self._id(call, "to", to, Point), self._id(call, "from_", from_, Point)
        return Term(self, self._do(call, "pos", to, from_), True)

    def _seen(self, call, method, what, kind, of, seen_in):
        frame = self._id(call, "seen_in", self._newtonian if seen_in is None else seen_in, Frame)
        return Term(self, self._do(call, method, self._id(call, what, of, kind), frame), True)

    def vel(self, point, seen_in=None):
        """Velocity vector of a point [m/s] relative to a frame; default: the newtonian frame."""
        return self._seen("Builder.vel()", "vel", "point", Point, point, seen_in)

    def acc(self, point, seen_in=None):
        """Acceleration vector of a point [m/s²] relative to a frame; default: the newtonian frame."""
        return self._seen("Builder.acc()", "acc", "point", Point, point, seen_in)

    def omega(self, frame, seen_in=None):
        """Angular velocity vector of a frame [rad/s] relative to another; default: the newtonian frame."""
        return self._seen("Builder.omega()", "omega", "frame", Frame, frame, seen_in)

    # Loads.

    def force(self, point, force, from_=None):
        """Adds a force vector [N] on a point, and the opposite force on the point `from_` if given."""
        call = "Builder.force()"
        from_ = None if from_ is None else self._id(call, "from_", from_, Point)
        self._do(call, "force", self._id(call, "point", point, Point), self._vector(call, "force", force), from_)

    def _with_body(self, call, what, value):
        """The id of a frame that has a body, or BuildError."""
        id = self._id(call, what, value, Frame)
        if id not in self._bodies:
            raise BuildError(f"{call}: `{what}` is a body or its frame; frame {value.name} has no body")
        return id

    def torque(self, body, torque, from_=None):
        """Adds a torque vector [N m] on a body, and the opposite torque on the body `from_` if given."""
        call = "Builder.torque()"
        from_ = None if from_ is None else self._with_body(call, "from_", from_)
        self._do(call, "torque", self._with_body(call, "body", body), self._vector(call, "torque", torque), from_)

    def gravity(self, acceleration):
        """Adds gravity, an acceleration vector [m/s²], on all particles and bodies."""
        self._do("Builder.gravity()", "gravity", self._vector("Builder.gravity()", "acceleration", acceleration))

    def spring(self, first, second, stiffness, length, damping=None):
        """Adds a spring between two points: `stiffness` [N/m], natural `length` [m], optional `damping` [N s/m]."""
        call = "Builder.spring()"
        ends = self._id(call, "first", first, Point), self._id(call, "second", second, Point)
        stiffness, length = self._scalar(call, "stiffness", stiffness), self._scalar(call, "length", length)
        self._do(call, "spring", *ends, stiffness, length, self._optional(call, "damping", damping))

    def potential(self, energy):
        """Adds a potential energy [J], a scalar function of coordinates and time."""
        self._do("Builder.potential()", "potential", self._scalar("Builder.potential()", "energy", energy))

    def generalized_force(self, coordinate, force):
        """Adds a generalized force on a coordinate [N; N m if the coordinate is an angle]."""
        call = "Builder.generalized_force()"
        coordinate = self._coordinate(call, "coordinate", coordinate)
        self._do(call, "generalized_force", coordinate, self._scalar(call, "force", force))

    def equations(self, coordinates, M, Q):
        """Adds a system given by its equations, M(q, t) q'' = Q(q, q', t), without constraints.

        :param coordinates: n coordinates q.
        :param M: lower triangle of the symmetric mass matrix: row i is a list of i + 1 scalars.
        :param Q: n scalars.
        """
        call = "Builder.equations()"
        q = [self._coordinate(call, "coordinates", one) for one in coordinates]
        rows = [[self._scalar(call, "M", entry) for entry in row] for row in M]
        if [len(row) for row in rows] != list(range(1, len(q) + 1)):
            raise BuildError(f"{call}: `M` is a lower triangle, rows of 1 to {len(q)} entries")
        Q = [self._scalar(call, "Q", one) for one in Q]
        if len(Q) != len(q):
            raise BuildError(f"{call}: `Q` has {len(Q)} entries for {len(q)} coordinates")
        self._do(call, "equations", q, rows, Q)

    # Constraints.

    def constraint(self, name, relation, along=(), unit=""):
        """Adds the constraint relation = 0. Its law is ideal unless `law`, `nonideal` or `variational` changes it.

        :param relation: a scalar (one row), or a vector with one row per direction in `along`.
        :param along: vectors; default: N.x, N.y, N.z.
        :param unit: unit of the relation.
        """
        call = self._claimed("constraint", name)
        relation = self._term(call, "relation", relation)
        along = [self._vector(call, "along", one) for one in along]
        if along and not relation.is_vector:
            raise BuildError(f"{call}: `along` goes with a vector, and the relation is a scalar")
        return self._constraint(name, *self._labelled(call, unit, "constraint", name, relation._inner, along))

    def _constraint(self, name, id, rows):
        self._names.add(name)
        constraint = Constraint(self, id, name)
        constraint.rows = rows
        return constraint

    def _end(self, call, what, end):
        """Ids of the point and the frame of an end of a joint."""
        if isinstance(end, (Point, Body)):
            end = (end, end if isinstance(end, Body) else self._newtonian)
        if not isinstance(end, (tuple, list)) or len(end) != 2:
            raise BuildError(f"{call}: `{what}` is a point, a body, or a pair (point, body), not {end!r}")
        return self._id(call, what, end[0], Point), self._id(call, what, end[1], Frame)

    def joint(
        self,
        name,
        kind,
        first,
        second,
        *,
        axis=None,
        axis2=None,
        ratio=None,
        pitch=None,
        length=None,
        radius=None,
        prescribed=None,
        surface=None,
    ):
        """Adds a joint between a point of one body and a point of another one, as one constraint (docs/joints.md).

            hinge = b.joint("hinge", "revolute", O, (top, rod), axis=N.z)
            roll = b.joint("roll", "rolling", O, ball, axis=N.z, surface=("sphere", 0.1))

        An end, `first` or `second`, is a pair (Point, Body or Frame). A Body alone means its mass center. A Point alone
        is a point of the ground or a particle. A mistake in a joint is a diagnostic of the ModelError that `model`
        raises; docs/joints.md lists the arguments that a joint takes.

        :param kind: word of the language, such as "revolute".
        :param axis: nonzero vector fixed in the first body.
        :param axis2: nonzero vector fixed in the second body.
        :param ratio: of a gear: teeth of the second wheel divided by those of the first one [1].
        :param pitch: advance of a screw per turn [m].
        :param length: of a strut [m]; may depend on time and coordinates.
        :param radius: of the sphere of the first body [m], negative if it is hollow.
        :param prescribed: vector: position [m], rotation [rad] or velocity [m/s].
        :param surface: "plane", or a pair of the kind and its lengths [m]: ("sphere", R), ("disk", R),
            ("torus", R, r), ("ellipsoid", a, b, c). For the kind "contact" there is the call `contact`.
        :returns: the Constraint; `rows` is its number of scalar equations.
        """
        call = self._claimed("joint", name)
        ends = self._end(call, "first", first), self._end(call, "second", second)
        vectors = {"axis": axis, "axis2": axis2, "prescribed": prescribed}
        scalars = {"ratio": ratio, "pitch": pitch, "length": length, "radius": radius}
        parts = {what: self._optional(call, what, value, True) for what, value in vectors.items()}
        parts.update((what, self._optional(call, what, value)) for what, value in scalars.items())
        terms = [parts[what] for what in ("axis", "axis2", *scalars, "prescribed")]
        if not isinstance(kind, str):
            raise BuildError(f"{call}: `kind` is a word of the language, not {kind!r}")
        surface = self._surface(call, "surface", surface)
        return self._constraint(name, *self._do(call, "joint", name, kind, *ends, terms, *surface))

    def _surface(self, call, what, surface):
        """The word and the lengths of a surface; the lengths of a polygon are vectors."""
        word, *lengths = surface if isinstance(surface, (tuple, list)) and surface else (surface or "",)
        if not isinstance(word, str):
            raise BuildError(f"{call}: `{what}` is a word of the language, not {word!r}")
        return word, [self._term(call, what, one, word == "polygon")._inner for one in lengths]

    def _restitution(self, call, e, law, sequential):
        words = ("energetic", "newton", "poisson", "moreau")
        return self._optional(call, "restitution", e), _place(call, "restitution_law", words, law), bool(sequential)

    def unilateral(
        self,
        name,
        gap,
        *,
        restitution=None,
        restitution_law="energetic",
        sequential=False,
        compliance=None,
        unit="",
    ):
        """Adds the unilateral constraint gap >= 0: a contact, a stop, a rope (docs/language.md, `constraint`). While
        the gap is closed, the multiplier is not negative. `law`, `when` and `nonideal` are not possible; `friction`
        adds friction.

            ground = b.unilateral("ground", vn.dot(b.pos(P, O), N.y), restitution=0.6, unit="m")
            b.friction(ground, P, mu=0.3)

        A mistake is a diagnostic of the ModelError that `model` raises.

        :param gap: scalar of positions and the time, with the unit `unit`.
        :param restitution: coefficient from 0 to 1 [1], made of numbers and parameters; default 0.
        :param restitution_law: "energetic", "newton", "poisson" or "moreau".
        :param sequential: whether contacts that close at one instant act one after the other.
        :param compliance: positive, made of numbers and parameters; only ratios between contacts matter. It makes
            forces unique that the equations do not determine. Default: rigid.
        :returns: the Constraint, with one row.
        """
        call = self._claimed("unilateral", name)
        impacts = self._restitution(call, restitution, restitution_law, sequential)
        compliance = self._optional(call, "compliance", compliance)
        gap = self._term(call, "gap", gap)._inner
        return self._constraint(name, *self._labelled(call, unit, "unilateral", name, gap, impacts, compliance))

    def limits(
        self,
        on,
        lower=None,
        upper=None,
        *,
        restitution=None,
        restitution_law="energetic",
        sequential=False,
        name="",
    ):
        """Keeps a coordinate, or the angle or advance of a joint, between two stops, each a unilateral constraint
        (docs/language.md, `limits`).

            left, right = b.limits(x, -0.2, 0.3, restitution=0.8)     # the constraints x.min and x.max
            floor, _ = b.limits(y, 0)
            b.limits(hinge, -1, 1)                                    # of a joint: hinge.min and hinge.max

        A mistake is a diagnostic of the ModelError that `model` raises.

        :param on: a coordinate, or a Constraint that `joint` has made ("revolute", "prismatic" or "screw"; one call for
            each joint).
        :param lower: [SI unit of the coordinate or joint], made of numbers and parameters; None: no such limit.
        :param upper: greater than `lower`; None: no such limit.
        :param restitution, restitution_law, sequential: as in `unilateral`, for both limits.
        :param name: the constraints are `name.min` and `name.max`; default: the name of the coordinate or joint.
        :returns: the two Constraints; None for a limit that is not stated.
        """
        call = "Builder.limits()"
        is_joint = isinstance(on, Constraint)
        inner = self._id(call, "on", on, Constraint) if is_joint else self._coordinate(call, "on", on)
        owner = name or on.name
        if not isinstance(owner, str) or not _NAME.match(owner):
            raise BuildError(f"{call}: a name is a letter or _, then letters, digits and _")
        ends = self._optional(call, "lower", lower), self._optional(call, "upper", upper)
        impacts = self._restitution(call, restitution, restitution_law, sequential)
        ids = self._do(call, "limits_of_joint" if is_joint else "limits", inner, *ends, impacts, name)
        return tuple(
            None if id is None else self._constraint(f"{owner}.{end}", id, 1) for end, id in zip(("min", "max"), ids)
        )

    def contact(
        self,
        name,
        first,
        second,
        *,
        surface,
        surface2,
        axis=None,
        axis2=None,
        restitution=None,
        restitution_law="energetic",
        sequential=False,
        mu=None,
        static=None,
        compliance=None,
    ):
        """Adds the joint `contact`: two bodies that do not penetrate each other (docs/joints.md). Each place at which
        their surfaces can touch has a unilateral constraint.

            (ground,) = b.contact("ground", O, ball, surface="plane", surface2=("sphere", 0.1), mu=0.3)
            corners = b.contact("floor", O, box, surface="plane", surface2=("box", 0.4, 0.3, 0.2), compliance=1)
            b.output("F", b.force_of(ground, ground.Q), "N")

        The ends `first` and `second` are those of `joint`. A mistake is a diagnostic of the ModelError that `model`
        raises.

        :param surface: surface of the first body about its point: a word, or a pair of the word and its lengths [m].
            The corners of a "polygon" are vectors. The height of a "ground" is a term of dot(pos(Q, P), N.x) and the
            like, where P is the point of the ground in N, and Q that of the other body.
        :param surface2: surface of the second body.
        :param axis: normal or axis of `surface`, a vector fixed in the first body; default: its z axis.
        :param axis2: normal or axis of `surface2`, fixed in the second body; default: its z axis.
        :param restitution, restitution_law, sequential, compliance: as in `unilateral`.
        :param mu: coefficient of friction ≥ 0 [1], a scalar of the time, coordinates, speeds and states; None: smooth.
        :param static: coefficient of static friction ≥ 0 [1]; default: `mu`.
        :returns: a list with one Contact for each place, in the order of docs/joints.md. If there are several, their
            names are `name[1]`, `name[2]`, ...
        """
        call = self._claimed("contact", name)
        ends = self._end(call, "first", first), self._end(call, "second", second)
        axes = self._optional(call, "axis", axis, True), self._optional(call, "axis2", axis2, True)
        surfaces = self._surface(call, "surface", surface), self._surface(call, "surface2", surface2)
        impacts = self._restitution(call, restitution, restitution_law, sequential)
        friction = self._optional(call, "mu", mu), self._optional(call, "static", static)
        compliance = self._optional(call, "compliance", compliance)
        ids = self._do(call, "contact", name, *ends, axes, surfaces, impacts, friction, compliance)
        self._names.add(name)
        contacts = []
        for i, (id, P, Q) in enumerate(ids):
            its = name if len(ids) == 1 else f"{name}[{i + 1}]"
            contact = Contact(self, id, its)
            contact.rows = 1
            contact.P, contact.Q = Point(self, P, its + ".P"), Point(self, Q, its + ".Q")
            contacts.append(contact)
        return contacts

    def friction(self, on, point=None, *, mu=None, bound=None, static=None, viscous=None, from_=None, sliding=None):
        """Adds dry friction: of a constraint on a point, with a coefficient, or on a coordinate or along the motion of
        a joint, with a bound.

            b.friction(ground, P, mu=0.3, static=0.4, from_=belt)    # bounded by mu times the reaction on P
            b.friction(x, bound=2, viscous=0.1)                      # -2 sign(x') - 0.1 x'
            b.friction(hinge, bound=0.5)                             # a joint "revolute", "prismatic" or "screw"

        All coefficients and bounds are ≥ 0, scalars of the time, coordinates, speeds and states. A mistake in them is a
        diagnostic of the ModelError that `model` raises.

        :param on: a Constraint, or a coordinate. A unilateral constraint has one friction.
        :param point: with a Constraint: the Point on which friction acts.
        :param mu: with a Constraint: coefficient of friction [1].
        :param bound: with a coordinate or a joint: largest force [N] or torque [N m].
        :param static: coefficient [1] or bound [N] or [N m] at rest; default: `mu` or `bound`.
        :param viscous: with a coordinate or a joint: coefficient [N s/m] or [N m s]; default 0.
        :param from_: with a Constraint: Point on which the opposite force acts.
        :param sliding: with a Constraint: the velocity of sliding [m/s], a vector; default: the velocity of the point
            relative to `from_`, or in the newtonian frame.
        """
        call = "Builder.friction()"
        rest = self._optional(call, "static", static)
        if isinstance(on, Term):
            if any(one is not None for one in (point, mu, from_, sliding)):
                raise BuildError(f"{call}: on a coordinate it takes `bound`, `static` and `viscous`")
            on, bound = self._coordinate(call, "on", on), self._scalar(call, "bound", bound)
            self._do(call, "friction_on_coordinate", on, bound, rest, self._optional(call, "viscous", viscous))
            return
        id = self._id(call, "on", on, Constraint)
        if bound is not None and all(one is None for one in (point, mu, from_, sliding)):
            bound = self._scalar(call, "bound", bound)
            self._do(call, "friction_of_joint", id, bound, rest, self._optional(call, "viscous", viscous))
            return
        if bound is not None or viscous is not None:
            raise BuildError(
                f"{call}: of a constraint it takes `point`, `mu`, `static`, `from_` and `sliding`, or `bound`, "
                "`static` and `viscous`"
            )
        point = self._id(call, "point", point, Point)
        from_ = None if from_ is None else self._id(call, "from_", from_, Point)
        sliding = self._optional(call, "sliding", sliding, True)
        self._do(call, "friction_on_point", id, point, self._optional(call, "mu", mu), rest, from_, sliding)

    def _law_values(self, call, what, value):
        """The Terms of an argument of a law: of one value, of a list, or of the rows of a matrix."""
        if isinstance(value, Term) or not hasattr(value, "__iter__") or isinstance(value, str):
            return [self._term(call, what, value)._inner]
        parts = [self._law_values(call, what, one) for one in value]
        if len({len(one) for one in parts}) > 1:
            raise BuildError(f"{call}: the rows of `{what}` have different lengths")
        return [term for one in parts for term in one]

    def law(self, constraint, name, /, **arguments):
        """Sets the reaction law of a constraint, as the clause `law NAME ...` of the language (docs/laws.md). One call
        per constraint.

            b.law(rod, "stiff", kappa=1e4)
            b.law(servo, "directed", along=[N.x, N.y])     # one direction per actuator
            b.law(blade, "kozlov", c=2, mu=0.1)            # mu: start value, one per row
            b.law(blade, "gyroscopic", H=[[0, 1], [-1, 0]])

        A mistake in a law is a diagnostic of the ModelError that `model` raises.

        :param name: word of the law, such as "stiff".
        :param arguments: by their names in the language, in SI units: a scalar, a list with one scalar per row, a list
            of vectors without dimension, or a matrix [nq, nq] as a list of rows. Arrays of numbers may replace lists.
        """
        call = "Builder.law()"
        id = self._id(call, "constraint", constraint, Constraint)
        if not isinstance(name, str):
            raise BuildError(f"{call}: `name` is a word of the language, not {name!r}")
        call = f"Builder.law({constraint.name}, {name!r})"
        self._do(call, "law", id, name, [(what, self._law_values(call, what, one)) for what, one in arguments.items()])

    def nonideal(self, constraint, on, force, from_=None):
        """Adds a non-ideal force to the reaction of a constraint. Its virtual work is vᵀC (docs/theory.md §4).

        :param on: a Point (or Body), or a coordinate.
        :param force: a force vector [N] on the point; on a coordinate a scalar, one entry of C.
        :param from_: point on which the opposite force acts.
        """
        call = "Builder.nonideal()"
        constraint = self._id(call, "constraint", constraint, Constraint)
        if isinstance(on, Term):
            if from_ is not None:
                raise BuildError(f"{call}: `from_` goes with a point, not with a coordinate")
            on = self._coordinate(call, "on", on)
            self._do(call, "nonideal_on_coordinate", constraint, on, self._scalar(call, "force", force))
            return
        from_ = None if from_ is None else self._id(call, "from_", from_, Point)
        on = self._id(call, "on", on, Point)
        self._do(call, "nonideal_on_point", constraint, on, self._vector(call, "force", force), from_)

    def variational(self, constraint, starts=(), c=None):
        """Changes the law of a constraint to Hamilton–Lusternik (vakonomic).

        :param starts: initial multipliers μ, one per row; default 0.
        :param c: [1/s] selects a law of the one-parameter family between this law and the ideal one (docs/laws.md).
        """
        call = "Builder.variational()"
        id = self._id(call, "constraint", constraint, Constraint)
        starts = [self._scalar(call, "starts", one) for one in starts]
        if len(starts) not in (0, constraint.rows):
            raise BuildError(f"{call}: `starts` has {len(starts)} entries, {constraint.name} {constraint.rows} rows")
        self._do(call, "variational", id, starts, self._optional(call, "c", c))

    def when(self, constraint, condition):
        """Lets a constraint act only while a condition is true. Where it begins to act, an impulse makes the speeds
        fit. `model` raises ModelError if the constraint cannot be switched."""
        call = "Builder.when()"
        id = self._id(call, "constraint", constraint, Constraint)
        self._do(call, "when", id, self._condition(call, "condition", condition))

    def multiplier(self, constraint, row=0):
        """The multiplier λ of a row of a constraint, as a Term for outputs and forces."""
        call = "Builder.multiplier()"
        id = self._id(call, "constraint", constraint, Constraint)
        if row not in range(constraint.rows):
            raise BuildError(f"{call}: {constraint.name} has rows 0 to {constraint.rows - 1}, not {row!r}")
        return Term(self, self._do(call, "multiplier", id, int(row)))

    def force_of(self, constraint, point):
        """The total force [N] of a constraint on a point, a vector for outputs; `force(c, P)` of the language."""
        call = "Builder.force_of()"
        id, point = self._id(call, "constraint", constraint, Constraint), self._id(call, "point", point, Point)
        return Term(self, self._do(call, "force_of", id, point), True)

    def _entry(self, method, speed):
        call = f"Builder.{method}()"
        if speed not in range(self._coordinates):
            raise BuildError(f"{call}: there are speeds 0 to {self._coordinates - 1}, not {speed!r}")
        return Term(self, self._do(call, method, int(speed)))

    def Q_ideal(self, speed):
        """Entry number `speed` of `Q_ideal` (docs/theory.md §4.4), for outputs. Order: the stated speeds that are
        affine in the rates, then the remaining rates."""
        return self._entry("Q_ideal", speed)

    def Q_constraint(self, speed):
        """Entry number `speed` of `Q_constraint`, in the order of `Q_ideal`."""
        return self._entry("Q_constraint", speed)

    def free_acceleration(self, speed):
        """Entry number `speed` of `free_acceleration`, in the order of `Q_ideal`."""
        return self._entry("free_acceleration", speed)

    # Events. Mistakes that are found when the model is complete are diagnostics of the ModelError that `model` raises.

    def stop(self):
        """The action of an event that ends the run, as a success."""
        return _Action(self, _vinculum._Builder.stop())

    def record(self):
        """The action of an event that records a sample."""
        return _Action(self, _vinculum._Builder.record())

    def set(self, what, value):
        """The action of an event that sets a speed, a rate or a state to a scalar [SI], evaluated before the event."""
        call = "Builder.set()"
        return _Action(
            self, _vinculum._Builder.set(self._scalar(call, "what", what), self._scalar(call, "value", value))
        )

    def _event(self, method, name, *arguments):
        *scalars, actions = arguments
        call = self._claimed(method, name)
        for one in actions:
            if not isinstance(one, _Action) or one._builder is not self:
                raise BuildError(f"{call}: an action is stop(), record() or set(u, value) of this Builder, not {one!r}")
        inner = [self._scalar(call, what, value) for what, value in scalars]
        self._names.add(name)
        return call, inner, [one._inner for one in actions]

    def event(self, name, expression, *actions, crossing="either"):
        """Adds an event where a scalar of time, coordinates, speeds and states passes 0.

        :param actions: results of `stop()`, `record()` and `set(u, value)`, one or more.
        :param crossing: "either", "rising" or "falling".
        """
        crossing = _place(f"Builder.event({name!r})", "crossing", ("either", "rising", "falling"), crossing)
        call, inner, actions = self._event("event", name, ("expression", expression), actions)
        self._do(call, "event", name, *inner, crossing, actions)

    def event_at(self, name, time, *actions):
        """Adds an event at t = `time` [s], a number or a scalar of parameters. Actions as in `event`."""
        call, inner, actions = self._event("event_at", name, ("time", time), actions)
        self._do(call, "event_at", name, *inner, actions)

    def event_every(self, name, period, *actions):
        """Adds an event at t = 0, `period`, 2 `period`, ... [s], a positive number or a scalar of parameters. Actions
        as in `event`."""
        call, inner, actions = self._event("event_every", name, ("period", period), actions)
        self._do(call, "event_every", name, *inner, actions)

    def terminate_when(self, condition):
        """Ends the run, as a success, where a condition becomes true."""
        call = "Builder.terminate_when()"
        self._do(call, "terminate_when", self._condition(call, "condition", condition))

    # Outputs, start, drawing, the model.

    def output(self, name, value, unit="", frame=None):
        """Adds an output, evaluated at every sample: a scalar, or a vector as measure numbers in `frame` (default: the
        newtonian frame)."""
        call = self._claimed("output", name)
        value = self._term(call, "value", value)
        if frame is not None and not value.is_vector:
            raise BuildError(f"{call}: `frame` goes with a vector, and the value is a scalar")
        if frame is not None:
            frame = self._id(call, "frame", frame, Frame)
        self._labelled(call, unit, "output", name, value._inner, frame)
        self._names.add(name)

    def _start(self, method, what, value):
        call = f"Builder.{method}()"
        if not isinstance(what, Term) or what.kind not in ("coordinate", "rate", "speed"):
            raise BuildError(f"{call}: `what` is a coordinate, its rate or a speed, not {what!r}")
        self._do(call, method, self._scalar(call, "what", what), _number(call, "value", value))

    def start(self, what, value):
        """Sets the exact start value [SI] of a coordinate, of its rate or of a speed."""
        self._start("start", what, value)

    def guess(self, what, value):
        """Sets an approximate start value [SI] of a coordinate, of its rate or of a speed, which constraints may
        change."""
        self._start("guess", what, value)

    def run(self, duration, *, step=None, max_step=None, tolerance=None):
        """Sets the run of the model, at most one call; arguments of `Model.run` replace its settings. Mistakes are
        diagnostics of the ModelError that `model` raises.

        :param duration: [s] ≥ 0.
        :param step: [s] > 0, time between two samples.
        :param max_step: [s] > 0, longest integration step.
        :param tolerance: relative, 1e-15 to 0.1; default 1e-8.
        """
        call = "Builder.run()"
        settings = {"step": step, "max_step": max_step, "tolerance": tolerance}
        numbers = [None if value is None else _number(call, what, value) for what, value in settings.items()]
        self._do(call, "run", _number(call, "duration", duration), *numbers)

    @property
    def view(self):
        """The View, which adds items to the drawing."""
        return View(self)

    def model(self, *, set=None, backend="native", cache=None):
        """The finished Model. The Builder cannot be used afterwards. Arguments as in `Model.load`.

        :raises VinculumError: if the model is not valid or a setting is not possible.
        """
        self._still("Builder.model()")
        own, self._own = self._own, None
        return own.finished(set or {}, backend, cache)
