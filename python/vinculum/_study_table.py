"""The tables of a study: its design and its results."""

import numpy
import pyarrow
import pyarrow.csv
import pyarrow.parquet

from ._errors import StudyError
from ._rows import parsed
from ._study_digest import digest
from ._study_files import publish, reading
from ._study_shard import FAILED, ROW


def of_design(model, values):
    """The design as a table: numbers in SI units, or in the unit of the title if a column has one unit."""
    units = {one.name: one.unit for one in model.parameters}
    columns = {}
    for name, column in values.items():
        texts = [one for one in column if isinstance(one, str)]
        unit = _common_unit(texts) if len(texts) == len(column) else None
        if not texts:
            title = name if units[name] == "1" else f"{name} [{units[name]}]"
            columns[title] = pyarrow.array(column, pyarrow.float64())
        elif unit:
            numbers = [float(text.partition("[")[0]) for text in texts]
            columns[f"{name} {unit}"] = pyarrow.array(numbers, pyarrow.float64())
        else:
            columns[name] = pyarrow.array([str(one) for one in column], pyarrow.string())
    return pyarrow.table(columns)


def _common_unit(texts):
    """The unit in brackets that all texts have after a number; None if they differ."""
    units = set()
    for text in texts:
        number, bracket, unit = text.partition("[")
        try:
            float(number)
        except ValueError:
            return None
        units.add(bracket + unit.strip())
    return units.pop() if len(units) == 1 else None


def check_record(model, what):
    """Raises CallError if a record names a quantity that the model does not have."""
    _, name = parsed(what)
    if name != "t":
        model.column(name)


def _found(path, read):
    """What `read` finds in a Parquet file. StudyError if the file is damaged."""
    with reading(path):
        try:
            return read(path)
        except (pyarrow.ArrowException, OSError, ValueError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            raise StudyError(f"`{path}` is damaged: remove it and work again. {error}") from None


def _read(path, columns=None):
    # without `partitioning`, a folder in the path such as `k=3` would become a column
    return _found(path, lambda path: pyarrow.parquet.read_table(path, columns=columns, partitioning=None))


def joined(plan, tables):
    """One table of several. Shards whose runs all failed have no columns of records: their cells are empty."""
    table = pyarrow.concat_tables(tables, promote_options="default")
    first = [ROW, *plan.titles]
    records = [title for title in table.column_names if title not in first and title not in FAILED]
    return table.select([*first, *records, *FAILED])


def whole(plan):
    """All results that are there, in the order of the rows."""
    present = plan.present()
    if not present:
        raise StudyError(f"`{plan.folder}` has no results yet: call work")
    return joined(plan, [_read(plan.path_of(shard)) for shard in present])


def of_row(plan, row):
    """The results of one row."""
    shard = row // plan.rows_per_shard
    if not plan.path_of(shard).exists():
        raise StudyError(f"row {row} is not computed yet")
    return _read(plan.path_of(shard)).slice(row - plan.range_of(shard)[0], 1)


def failed(plan, shards):
    """Number of failed runs by kind."""
    counts = {}
    for shard in shards:
        for one in _read(plan.path_of(shard), ["failed"])["failed"].value_counts().to_pylist():
            if one["values"]:
                counts[one["values"]] = counts.get(one["values"], 0) + one["counts"]
    return counts


def wrong_files(plan):
    """Sentences about files of the design and of results that are damaged or belong to another study."""
    wrong = []
    try:
        design = _read(plan.folder / "design.parquet")
        if digest(design) != plan.design:
            wrong.append(f"`{plan.folder / 'design.parquet'}` is not the design of this study")
    except StudyError as error:
        return [str(error)]
    for shard in plan.present():
        path, (first, last) = plan.path_of(shard), plan.range_of(shard)
        try:
            table = _read(path)
        except StudyError as error:
            wrong.append(str(error))
            continue
        said = table.schema.metadata or {}
        if said.get(b"study") != plan.id.encode():
            wrong.append(f"`{path}` belongs to another study: remove it and work again")
        elif said.get(b"content") != digest(table).encode():
            wrong.append(f"`{path}` is damaged: remove it and work again")
        elif table[ROW].to_pylist() != list(range(first, last)):
            wrong.append(f"`{path}` does not have the rows {first} to {last - 1}: remove it and work again")
        elif digest(table.select(plan.titles)) != digest(design.slice(first, last - first)):
            wrong.append(f"`{path}` has other values of parameters than the design: remove it and work again")
    return wrong


def write_csv(plan, path):
    """Writes all results without lists of samples, shard by shard."""
    present = plan.present()
    if not present:
        raise StudyError(f"`{plan.folder}` has no results yet: call work")
    empty = [_found(plan.path_of(shard), pyarrow.parquet.read_schema).empty_table() for shard in present]
    titles = joined(plan, empty)
    numbers = titles.select([one.name for one in titles.schema if not pyarrow.types.is_list(one.type)])

    def write(part):
        with pyarrow.csv.CSVWriter(part, numbers.schema) as file:
            for shard in present:
                table = pyarrow.concat_tables([titles, _read(plan.path_of(shard))], promote_options="default")
                file.write_table(table.select(numbers.column_names).cast(numbers.schema))

    publish(path, write)


def to_xarray(table, titles):
    """See Study.to_xarray."""
    import xarray

    series = {one.name for one in table.schema if pyarrow.types.is_list(one.type)}
    numbers = [title for title in table.column_names if title not in series and title != ROW]
    data = {title: ("run", table[title].to_numpy()) for title in numbers if title not in titles}
    coordinates = {ROW: ("run", table[ROW].to_numpy())}
    coordinates.update({title: ("run", table[title].to_numpy()) for title in titles})
    if series:
        lists = {
            title: [numpy.asarray([] if one is None else one) for one in table[title].to_pylist()] for title in series
        }
        times = [t for t in lists["t"] if len(t)]
        is_common = all(numpy.array_equal(t, times[0]) for t in times)
        dimension = "t" if is_common else "sample"
        length = max((len(t) for t in times), default=0)
        for title, rows in lists.items():
            if title == "t" and is_common:
                coordinates["t"] = ("t", times[0] if times else numpy.empty(0))
                continue
            values = numpy.full((len(rows), length), numpy.nan)
            for row, samples in zip(values, rows):
                row[: len(samples)] = samples
            data[title] = (("run", dimension), values)
    return xarray.Dataset(data, coords=coordinates)
