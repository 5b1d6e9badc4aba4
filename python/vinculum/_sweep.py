"""Runs of one model for many values of its parameters. The design is a table: row i is run i."""

import concurrent.futures
import math

import numpy

from ._design import checked, values_of
from ._rows import cores, evaluate, named, reader_of


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
        return self._model.with_values(values_of(self.design, row))

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


def sweep(model, design, record=None, *, workers=None, **options):
    """See Model.sweep."""
    result = Sweep(model, checked(model, design), options)
    read = reader_of(record)

    def one(row):
        return evaluate(model, row, values_of(result.design, row), read, options)

    workers = workers or cores()
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        rows = list(pool.map(one, range(len(result))))
    result.failures = [failure for failure, _ in rows if failure is not None]
    complete = next((values for failure, values in rows if failure is None), dict.fromkeys(named(record or ())))
    for label, value in complete.items():
        column = numpy.full((len(rows), *numpy.shape(value if value is not None else math.nan)), math.nan)
        for row, (failure, values) in enumerate(rows):
            if failure is None:
                column[row] = values[label]
        result.columns[label] = column
    return result
