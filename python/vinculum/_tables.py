"""The columns of trajectory.csv for pandas and pyarrow. The rest of the package needs neither."""

import json


def _parts(run):
    """Yields name, numbers [samples], SI unit and frame of each column; t is the first."""
    yield "t", run.t, "s", ""
    for name in run.names:
        column = run.column(name)
        yield name, column.values, column.unit, column.frame


def to_pandas(run):
    """See Trajectory.to_pandas."""
    import pandas

    parts = list(_parts(run))
    frame = pandas.DataFrame({name: values for name, values, _, _ in parts[1:]}, index=pandas.Index(run.t, name="t"))
    frame.attrs["units"] = {name: unit for name, _, unit, _ in parts}
    frame.attrs["provenance"] = run.provenance
    return frame


def to_arrow(run):
    """See Trajectory.to_arrow."""
    import pyarrow

    parts = list(_parts(run))
    fields = [
        pyarrow.field(
            name, pyarrow.float64(), nullable=False, metadata={"unit": unit, **({"frame": frame} if frame else {})}
        )
        for name, _, unit, frame in parts
    ]
    schema = pyarrow.schema(fields, metadata={"provenance": json.dumps(run.provenance)})
    return pyarrow.Table.from_arrays([pyarrow.array(values) for _, values, _, _ in parts], schema=schema)
