"""One run for one row of a design, and the numbers that are recorded of it."""

import dataclasses
import math
import os
import re

import numpy

from ._errors import VinculumError


@dataclasses.dataclass(frozen=True)
class Failure:
    """A run that has no start or stopped early.

    row      row of the design
    kind     such as "not-unique"; "crash" if the process of the run died
    t        [s] time at which the motion stopped; NaN if it has no start
    message  text for people, with line and caret
    place    file, line and column of the statement; may be empty
    """

    row: int
    kind: str
    t: float
    message: str
    place: str = ""


_ENDS = "event", "terminated"  # kinds of `Trajectory.stopped` where the run ended as the model states

_REDUCTIONS = {
    "end": lambda values: values[-1],
    "min": lambda values: values.min(axis=0),
    "max": lambda values: values.max(axis=0),
    "all": lambda values: values,
}


def parsed(what):
    """The reduction and the quantity of a record: "x" or "end(x)", "min(x)", "max(x)", "all(x)"."""
    found = re.fullmatch(rf"({'|'.join(_REDUCTIONS)})\((.+)\)", what)
    return found.groups() if found else ("end", what)


def _reader(what):
    """The function of a Trajectory for a record."""
    reduction, name = parsed(what)
    return lambda run: _REDUCTIONS[reduction](run.t if name == "t" else run[name])


def cores():
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def named(record):
    """What to record as a dict of names or functions by label."""
    if isinstance(record, str):
        record = [record]
    return dict(record) if hasattr(record, "items") else {name: name for name in record}


def reader_of(record):
    """The function of a Trajectory that returns all records as a dict. Default: the end of all quantities."""
    if record is None:
        return lambda run: {name: run[name][-1] for name in run.names}
    readers = {label: what if callable(what) else _reader(what) for label, what in named(record).items()}
    return lambda run: {label: read(run) for label, read in readers.items()}


def evaluate(model, row, values, read, options):
    """Runs `model` with these values of its parameters. `read` is the result of `reader_of`.

    :returns: the Failure or None, and a dict of arrays by label; empty if the run failed.
    """
    try:
        run = model.with_values(values).run(**options)
    except VinculumError as error:
        t = getattr(error, "t", None)
        place = error.error.place if error.error is not None else ""
        return Failure(row, error.kind, math.nan if t is None else t, str(error), place), {}
    if run.stopped is not None and run.stopped.kind not in _ENDS:
        return Failure(row, run.stopped.kind, run.stopped.t, run.stopped.text.rstrip(), run.stopped.place), {}
    return None, {label: numpy.asarray(value, dtype=float) for label, value in read(run).items()}
