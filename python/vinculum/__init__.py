"""Vinculum: constrained motion in analytical dynamics, and the force behind every constraint.

    import vinculum as vn

    model = vn.Model.load("double_pendulum.vin", set={"m1": "2 [kg]"})
    run = model.run(until=10, tolerance=1e-9)
    run.q, run["q1"], run.force("rod1", "P1").values

SI units throughout; arrays are views of what the objects own, without copies. docs/python.md has the whole surface.
"""

from ._errors import CallError, ModelError, MotionError, VinculumError
from ._vinculum import (
    Audit,
    Column,
    Comparison,
    Derivation,
    Diagnostic,
    Energy,
    Entity,
    Error,
    Exerted,
    Explanation,
    Forces,
    Instant,
    Matrices,
    Model,
    Parameter,
    Simulation,
    State,
    Statistics,
    Trajectory,
    Variant,
    Verdict,
    __version__,
    format,
)

__all__ = [name for name in dir() if not name.startswith("_")]
