"""Runs of one model for many values of its parameters. The design is a table: row i is run i."""

import concurrent.futures
import dataclasses
import math
import os

import numpy

from ._errors import DesignError, VinculumError


@dataclasses.dataclass(frozen=True)
class Failure:
    """A run that has no start or stopped early.

    row      row of the design
    kind     such as "not-unique"
    t        [s] time at which the motion stopped; NaN if it has no start
    message  text for people, with line and caret
    """

    row: int
    kind: str
    t: float
    message: str


class Sweep:
    """Results of Model.sweep: one row per run, in the order of the design.

    design    dict of lists, the columns of the design by parameter name
    columns   dict of arrays [rows] or [rows, …]; the numbers of failed runs are NaN
    failures  list of Failure; empty if all runs reached their end

    sweep["x"] is a column of results or of the design. len(sweep) is the number of rows.
    """

    def __init__(self, model, design, options):
        self.design = design
        self.columns = {}
        self.failures = []
        self._model = model
        self._options = options

    def __len__(self):
        return len(next(iter(self.design.values())))

    def __getitem__(self, name):
        return self.columns[name] if name in self.columns else numpy.asarray(self.design[name])

    def __repr__(self):
        failed = f", {len(self.failures)} failed" if self.failures else ""
        return f"Sweep of {len(self)} runs{failed}: {', '.join(self.columns)}"

    def model(self, row):
        """The model with the values of this row."""
        return self._model.with_values(_values_of(self.design, row))

    def replay(self, row, **options):
        """The Trajectory of this row, with the same bits. Options of Model.run in addition, such as energy=True."""
        return self.model(row).run(**{**self._options, **options})

    def to_pandas(self):
        """A pandas.DataFrame with the design, all columns of numbers, and "failed": the kind of failure or ""."""
        import pandas

        table = {name: list(column) for name, column in self.design.items()}
        for name, column in self.columns.items():
            for place in numpy.ndindex(column.shape[1:]):
                table[name + "".join(f"[{i}]" for i in place)] = column[(slice(None), *place)]
        failed = {one.row: one.kind for one in self.failures}
        table["failed"] = [failed.get(row, "") for row in range(len(self))]
        return pandas.DataFrame(table)


def _values_of(design, row):
    return {name: column[row] for name, column in design.items()}


def _columns_of(design):
    """The columns of a mapping, a table with `columns`, or a list of rows."""
    if hasattr(design, "keys"):
        return [(name, list(design[name])) for name in design.keys()]
    if hasattr(design, "columns"):
        names = list(design.columns)
        if len(set(names)) != len(names):
            raise DesignError(f"the design has two columns `{next(n for n in names if names.count(n) > 1)}`")
        return [(name, list(design[name])) for name in names]
    rows = list(design)
    if rows and not all(hasattr(row, "keys") and row.keys() == rows[0].keys() for row in rows):
        raise DesignError("each row of the design must be a dict with the same names")
    return [(name, [row[name] for row in rows]) for name in (rows[0] if rows else ())]


def _checked(model, design):
    """The design by parameter name. Numbers in a column "m [g]" become texts with this unit."""
    parameters = {one.name: one for one in model.parameters}
    checked = {}
    for title, column in _columns_of(design):
        if not isinstance(title, str):
            raise DesignError(f"a column of the design is named {title!r}: name a parameter of the model")
        name, bracket, unit = title.partition("[")
        name = name.strip()
        if name not in parameters:
            raise DesignError(
                f"the design has a column `{title}`, but the model has no parameter `{name}`; it has "
                f"{', '.join(parameters) or 'none'}. To vary a start value, declare a parameter and use it in `start`"
            )
        if name in checked:
            raise DesignError(f"the design has two columns for the parameter `{name}`")
        values = []
        for row, value in enumerate(column):
            if isinstance(value, str):
                if bracket:
                    raise DesignError(f"column `{title}`, row {row}: `{value}` has a unit already in the title")
                values.append(value)
                continue
            try:
                number = float(value)
            except (TypeError, ValueError):
                raise DesignError(f"column `{title}`, row {row}: {value!r} is not a number") from None
            if not math.isfinite(number):
                raise DesignError(f"column `{title}`, row {row}: {number} is not a finite number")
            values.append(f"{number!r} [{unit}" if bracket else number)
        checked[name] = values
    lengths = {name: len(column) for name, column in checked.items()}
    if not lengths or not max(lengths.values()):
        raise DesignError("the design has no rows")
    if len(set(lengths.values())) > 1:
        raise DesignError(f"the columns of the design have different lengths: {lengths}")
    for name, column in checked.items():  # a wrong unit is found before a run
        if isinstance(column[0], str):
            model.with_values({name: column[0]})
    return checked


def _readers(record):
    """Functions of a Trajectory by column name."""

    def at_end(name):
        return lambda run: run[name][-1]

    if record is None:
        return None
    if isinstance(record, str):
        record = [record]
    if not hasattr(record, "items"):
        record = {name: name for name in record}
    return {label: what if callable(what) else at_end(what) for label, what in record.items()}


def sweep(model, design, record=None, *, workers=None, **options):
    """See Model.sweep."""
    result = Sweep(model, _checked(model, design), options)
    readers = _readers(record)

    def one(row):
        try:
            run = result.model(row).run(**options)
        except VinculumError as error:
            return Failure(row, error.kind, getattr(error, "t", None) or math.nan, str(error)), {}
        if run.stopped is not None:
            return Failure(row, run.stopped.kind, run.stopped.t, run.stopped.text.rstrip()), {}
        chosen = readers if readers is not None else {name: _readers([name])[name] for name in run.names}
        return None, {label: numpy.asarray(read(run), dtype=float) for label, read in chosen.items()}

    workers = workers or os.cpu_count() or 1
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        rows = list(pool.map(one, range(len(result))))
    result.failures = [failure for failure, _ in rows if failure is not None]
    complete = next((values for failure, values in rows if failure is None), {label: None for label in readers or {}})
    for label, value in complete.items():
        column = numpy.full((len(rows), *numpy.shape(value if value is not None else math.nan)), math.nan)
        for row, (failure, values) in enumerate(rows):
            if failure is None:
                column[row] = values[label]
        result.columns[label] = column
    return result
