"""Computes shards: runs rows of the design and makes the table of their results."""

import contextlib
import functools
import math
import time

import numpy
import pyarrow
import pyarrow.parquet

from . import __version__
from ._design import checked, values_of
from ._errors import ModelError, MotionError, StudyError
from ._rows import Failure, evaluate, parsed, reader_of
from ._study_digest import digest
from ._study_files import publish
from ._study_loads import columns_of_loads
from ._vinculum import Model

_ROWS_PER_GROUP = 1 << 16  # of the design: a shard reads only the groups that contain its rows

# Columns of every table of results in addition to those of the design and the records.
ROW, FAILED = "row", ("failed", "failed_t", "failed_message", "failed_place")


def write_design(table, path):
    pyarrow.parquet.write_table(table, path, row_group_size=_ROWS_PER_GROUP)


def check_unchanged(plan):
    """Raises StudyError if a file of the model has changed, or if the study is of another version of Vinculum."""
    if plan.version != __version__:
        raise StudyError(
            f"`{plan.folder}` was created by Vinculum {plan.version}, but this is {__version__}: "
            "continue with that version, or create a new study"
        )
    changed = plan.changed_files()
    if changed:
        raise StudyError("; ".join(changed) + ": restore the file, or create a new study")


def options_of(plan):
    """Keyword arguments of Model.run."""
    options = dict(plan.options)
    if "inputs" in options:
        options["inputs"] = {name: tuple(record) for name, record in options["inputs"].items()}
    return options


def _compact(values):
    """Numbers as Python's, because an array of one number takes several times the memory."""
    return {label: value if value.ndim else float(value) for label, value in values.items()}


class Shards:
    """Computes rows of one study. The model is read and compiled once."""

    def __init__(self, plan):
        self.plan = plan
        check_unchanged(plan)
        self.model = Model.load(plan.folder / "model" / plan.file, set=plan.set, backend=plan.backend)
        self.options = options_of(plan)
        self._series = {label for label, what in (plan.record or {}).items() if parsed(what)[0] == "all"}
        read = reader_of(plan.record)
        self._read = read
        if self.options.get("loads"):
            self._read = lambda run: {**read(run), **columns_of_loads(run.loads)}
        self._group = functools.lru_cache(maxsize=2)(self._group)

    def _group(self, group):
        return pyarrow.parquet.ParquetFile(self.plan.folder / "design.parquet").read_row_group(group)

    def design(self, first, last):
        """Rows of the design as they were given."""
        groups = range(first // _ROWS_PER_GROUP, (last - 1) // _ROWS_PER_GROUP + 1)
        table = pyarrow.concat_tables([self._group(group) for group in groups])
        return table.slice(first - groups[0] * _ROWS_PER_GROUP, last - first)

    def values(self, row):
        """The parameter values of one row, for Model.with_values."""
        return values_of(checked(self.model, self.design(row, row + 1)), 0)

    def run(self, first, last, crashes):
        """The rows from `first` to `last` - 1: a Failure or None, and a dict of arrays, for each.

        crashes  messages by row: these rows are not run
        """
        design = checked(self.model, self.design(first, last))
        for row in range(first, last):
            if row in crashes:
                yield Failure(row, "crash", math.nan, crashes[row]), {}
            else:
                yield evaluate(self.model, row, values_of(design, row - first), self._read, self.options)

    def trial(self, seconds):
        """Computes rows for some time, at least the first: the time of one in s, and how many numbers it records.

        :raises CallError: if an option is not possible.
        """
        with contextlib.suppress(MotionError, ModelError):  # these are rows
            self.model.with_values(self.values(0)).run(**self.options)
        begin, count, numbers = time.perf_counter(), 0, 1
        for _, recorded in self.run(0, min(self.plan.rows, _ROWS_PER_GROUP), {}):
            numbers = max(numbers, sum(one.size for one in recorded.values()))
            count += 1
            if time.perf_counter() - begin >= seconds:
                break
        return (time.perf_counter() - begin) / count, numbers

    def table(self, first, last, crashes):
        """The results of these rows as a pyarrow.Table."""
        results = [(failure, _compact(values)) for failure, values in self.run(first, last, crashes)]
        columns = {ROW: pyarrow.array(range(first, last), pyarrow.int64())}
        design = self.design(first, last)
        columns.update(zip(design.column_names, design.columns))
        complete = next((values for failure, values in results if failure is None), {})
        for label in complete:
            columns.update(self._columns(label, [values.get(label) for _, values in results]))
        failures = [failure for failure, _ in results]
        columns["failed"] = pyarrow.array([one.kind if one else "" for one in failures], pyarrow.string())
        columns["failed_t"] = pyarrow.array([one.t if one else None for one in failures], pyarrow.float64())
        columns["failed_message"] = pyarrow.array([one.message if one else "" for one in failures], pyarrow.string())
        columns["failed_place"] = pyarrow.array([one.place if one else "" for one in failures], pyarrow.string())
        return pyarrow.table(columns)

    def _columns(self, label, values):
        """The columns of one record: a number or a list per run. Components of vectors have columns of their own."""
        is_series = label in self._series
        shape = next(numpy.shape(one) for one in values if one is not None)[1 if is_series else 0 :]
        kind = pyarrow.list_(pyarrow.float64()) if is_series else pyarrow.float64()
        for place in numpy.ndindex(shape):
            at = (Ellipsis, *place) if place else ()
            column = [None if one is None else one[at] if at else one for one in values]
            if not is_series:
                column = [None if one is None else float(one) for one in column]
            yield label + "".join(f"[{i}]" for i in place), pyarrow.array(column, kind)

    def write(self, shard, crashes):
        """Computes one shard and publishes its file."""
        table = self.table(*self.plan.range_of(shard), crashes)
        table = table.replace_schema_metadata({"study": self.plan.id, "content": digest(table)})
        publish(
            self.plan.path_of(shard),
            lambda part: pyarrow.parquet.write_table(table, part),
        )
