"""Vinculum: constrained motion in analytical dynamics, and the force that enforces every constraint.

    import vinculum as vn

    model = vn.Model.load("double_pendulum.vin", set={"m1": "2 [kg]"})
    run = model.run(until=10, tolerance=1e-9)
    run.q, run["q1"], run.force("rod1", "P1").values

All numbers are in SI units. Arrays are read-only views of memory that the objects own, without copies. Exceptions are
subclasses of `VinculumError`. Guide: docs/python.md.
"""

import builtins as _builtins

from ._builder import (
    Body,
    Builder,
    Constraint,
    Contact,
    Frame,
    Point,
    Term,
    abs,
    acos,
    asin,
    atan,
    atan2,
    cos,
    cosh,
    cross,
    dot,
    exp,
    floor,
    log,
    max,
    min,
    norm,
    pow,
    select,
    sign,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    unit,
)
from ._errors import (
    BuildError,
    CallError,
    DesignError,
    ExportError,
    FmuError,
    ModelError,
    MotionError,
    StudyError,
    VinculumError,
)
from ._page import Page
from ._view import View
from ._vinculum import (
    Audit,
    BodyHandle,
    Column,
    ColumnHandle,
    Comparison,
    ConstraintHandle,
    CoordinateHandle,
    Derivation,
    Diagnostic,
    Energy,
    Entity,
    Error,
    Evaluator,
    Event,
    Exerted,
    ExertedImpulse,
    Explanation,
    Forces,
    FrameHandle,
    ImportedRobot,
    InputHandle,
    Instant,
    LeftOut,
    Linearization,
    Load,
    Loads,
    Matrices,
    Model,
    Parameter,
    ParameterHandle,
    PeriodicMotion,
    Place,
    PointHandle,
    RootLocus,
    Sensitivity,
    Simulation,
    SpeedHandle,
    State,
    StateHandle,
    Statistics,
    Trajectory,
    Variant,
    Verdict,
    __version__,
    format,
    format_text,
    import_robot,
    outline,
    vocabulary,
)

# `import *` must not replace Python's own abs, max, min and pow.
__all__ = [name for name in dir() if not name.startswith("_") and name not in dir(_builtins)]


# Classes of results, and `fit`, that need more than numpy or are rarely used, by their module.
_ON_FIRST_USE = {
    "Failure": "_rows",
    "Fit": "_fit",
    "Study": "_study",
    "StudyLoad": "_study_loads",
    "StudyStatus": "_study",
    "Sweep": "_sweep",
    "SymbolicEquations": "_sympy",
    "fit": "_fit",
}


def __getattr__(name):
    """Imports a name on first use, to keep the import of the package fast."""
    if name not in _ON_FIRST_USE:
        raise AttributeError(f"module 'vinculum' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"{__name__}.{_ON_FIRST_USE[name]}"), name)
