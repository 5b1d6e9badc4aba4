"""The design of a sweep or a study: a table of parameter values. Row i is run i."""

import math
import pathlib

from ._errors import DesignError


def values_of(design, row):
    """The parameter values of one row, for Model.with_values."""
    return {name: column[row] for name, column in design.items()}


def columns_of(design):
    """The columns of a mapping, a table of pandas, polars or pyarrow, or a list of rows."""
    if hasattr(design, "column_names"):
        return [(name, column.to_pylist()) for name, column in zip(design.column_names, design.columns)]
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


def _value(title, row, value, unit):
    """One cell as Model.with_values takes it: a number in SI units, or a text with a unit."""
    if isinstance(value, str):
        if "[" in title:
            raise DesignError(f"column `{title}`, row {row}: `{value}` is not a number; the title has the unit")
        return value
    if value is None:
        raise DesignError(f"column `{title}`, row {row}: the value is missing")
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise DesignError(f"column `{title}`, row {row}: {value!r} is not a number") from None
    if not math.isfinite(number):
        raise DesignError(f"column `{title}`, row {row}: {number} is not a finite number")
    return f"{number!r} [{unit}" if unit else number


def checked(model, design, *, needs_units=False):
    """The design by parameter name. Numbers in a column "m [g]" become texts with this unit.

    needs_units  whether a column of numbers must state the unit of its parameter, as in a file

    :raises DesignError: if the design is not possible; ModelError if a unit is wrong.
    """
    parameters = {one.name: one for one in model.parameters}
    found = {}
    for title, column in columns_of(design):
        if not isinstance(title, str):
            raise DesignError(f"a column of the design is named {title!r}: name a parameter of the model")
        name, _, unit = title.partition("[")
        name = name.strip()
        if name not in parameters:
            raise DesignError(
                f"the design has a column `{title}`, but the model has no parameter `{name}`; it has "
                f"{', '.join(parameters) or 'none'}. To vary a start value, declare a parameter and use it in `start`"
            )
        if name in found:
            raise DesignError(f"the design has two columns for the parameter `{name}`")
        needed = parameters[name].unit
        if needs_units and not unit and needed != "1" and not all(isinstance(one, str) for one in column):
            raise DesignError(f"column `{title}` has no unit: write its title with a unit, such as `{name} [{needed}]`")
        if unit.rstrip("] ") == needed:
            unit = ""  # numbers are in SI units already, and need not be read for each run
        found[name] = [_value(title, row, value, unit) for row, value in enumerate(column)]
    lengths = {name: len(column) for name, column in found.items()}
    if not lengths or not max(lengths.values()):
        raise DesignError("the design has no rows")
    if len(set(lengths.values())) > 1:
        raise DesignError(f"the columns of the design have different lengths: {lengths}")
    for name, column in found.items():  # a wrong unit is found before a run
        for text in {_unit_of(one): one for one in column if isinstance(one, str)}.values():
            model.with_values({name: text})
    return found


def _unit_of(text):
    """The text without its number: texts with equal results are equally possible."""
    number, bracket, unit = text.partition("[")
    try:
        float(number)
    except ValueError:
        return text
    return bracket + unit


def from_file(path):
    """The table in a CSV or Parquet file, as a pyarrow.Table."""
    import pyarrow
    import pyarrow.csv
    import pyarrow.parquet

    path = pathlib.Path(path)
    try:
        if path.suffix == ".parquet":
            return pyarrow.parquet.read_table(path, partitioning=None)
        as_written = pyarrow.csv.ConvertOptions(null_values=[""], strings_can_be_null=True)
        return pyarrow.csv.read_csv(path, convert_options=as_written)
    except (OSError, pyarrow.ArrowInvalid) as error:
        raise DesignError(f"the design `{path}` cannot be read: {error}") from None
