"""Loads of all constraints over the runs of a study."""

import dataclasses
import re

import numpy


@dataclasses.dataclass(frozen=True)
class StudyLoad:
    """The load of one constraint on a point or body over all runs of a study. Forces [N], torques [N m].

    kind        "force" or "torque"
    constraint  name of the constraint or `reveal`
    on          name of the point, or for a torque of the body
    peak        largest magnitude in all runs
    run         row of the run with the peak: study.replay(run) has the pose
    t           [s] time of the peak in this run
    at_peak     [3] components at the peak, in the frame of the study's option `loads`
    rms         largest root mean square of a run
    rms_run     row of this run
    mean        largest mean of a run
    mean_run    row of this run
    is_unique   False: redundant constraints make a component indeterminate in a run
    """

    kind: str
    constraint: str
    on: str
    peak: float
    run: int
    t: float
    at_peak: tuple
    rms: float
    rms_run: int
    mean: float
    mean_run: int
    is_unique: bool


def columns_of_loads(loads):
    """What a study records of the Loads of one run, by label."""
    columns = {}
    for one in loads.all:
        name = f"{one.kind}({one.constraint}, {one.on})"
        columns[f"peak {name}"] = one.peak
        columns[f"t {name}"] = one.t
        columns[f"at_peak {name}"] = one.at_peak
        columns[f"rms {name}"] = one.rms
        columns[f"mean {name}"] = one.mean
        columns[f"unique {name}"] = float(one.is_unique)
    return columns


def is_detail(title):
    """Whether a column belongs to a load, but is not a size of it."""
    return re.match(r"(t|at_peak|unique) (force|torque)\(", title) is not None


def loads_of(table):
    """The StudyLoads of a table of results."""
    found = []
    for title in table.column_names:
        parts = re.fullmatch(r"peak ((force|torque)\((.+), (.+)\))", title)
        if not parts:
            continue
        name, kind, constraint, on = parts.groups()

        def column(what, name=name):
            return table[f"{what} {name}"].to_numpy()

        def largest(what, column=column):
            values = column(what)
            place = int(numpy.nanargmax(values))
            return float(values[place]), place

        if numpy.all(numpy.isnan(column("peak"))):
            continue
        rows = table["row"].to_numpy()
        (peak, at), (rms, rms_at), (mean, mean_at) = map(largest, ("peak", "rms", "mean"))
        found.append(
            StudyLoad(
                kind=kind,
                constraint=constraint,
                on=on,
                peak=peak,
                run=int(rows[at]),
                t=float(column("t")[at]),
                at_peak=tuple(float(table[f"at_peak {name}[{k}]"][at].as_py()) for k in range(3)),
                rms=rms,
                rms_run=int(rows[rms_at]),
                mean=mean,
                mean_run=int(rows[mean_at]),
                is_unique=bool(numpy.nanmin(column("unique")) > 0.5),
            )
        )
    return found
