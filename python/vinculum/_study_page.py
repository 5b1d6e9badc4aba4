"""The page of a study: histograms, a scatter plot, and the influence of parameters, in one file without a network."""

import json
import math

import numpy
import pyarrow
import pyarrow.compute

from ._page import Page, blank
from ._study_loads import is_detail
from ._study_shard import FAILED

_MOST_POINTS = 5000  # of the scatter plot; histograms and influences count all runs
_MOST_BARS = 60
_MOST_FAILURES = 200  # that the page lists


def _numbers(table, titles):
    """The columns of numbers that are not all equal or missing, by title."""
    found = {}
    for title in titles:
        if pyarrow.types.is_floating(table[title].type):
            values = table[title].to_numpy()
            finite = values[numpy.isfinite(values)]
            if len(finite) and numpy.ptp(finite) > 0:
                found[title] = values
    return found


def _ranks(values):
    """Ranks from 1; equal values have the mean of their ranks."""
    column = pyarrow.array(values)
    least, most = (
        pyarrow.compute.rank(column, sort_keys="ascending", tiebreaker=one).to_numpy() for one in ("min", "max")
    )
    return (least + most) / 2.0


def rank_correlation(x, y):
    """Spearman's coefficient of the pairs without NaN; None if it does not exist."""
    both = numpy.isfinite(x) & numpy.isfinite(y)
    if both.sum() < 3:
        return None
    x, y = _ranks(x[both]), _ranks(y[both])
    return float(numpy.corrcoef(x, y)[0, 1]) if numpy.ptp(x) > 0 and numpy.ptp(y) > 0 else None


def _histogram(values):
    finite = values[numpy.isfinite(values)]
    bars = min(_MOST_BARS, max(2, len(finite)))
    if len(finite) > 1:  # the rule of Freedman and Diaconis, if it gives a reasonable number
        high, low = numpy.percentile(finite, [75, 25])
        width = 2.0 * (high - low) / len(finite) ** (1 / 3)
        if 2.0 * width <= numpy.ptp(finite) <= _MOST_BARS * width:
            bars = math.ceil(numpy.ptp(finite) / width)
    counts, edges = numpy.histogram(finite, bins=bars)
    return {"edges": edges.tolist(), "counts": counts.tolist()}


def _chosen(results, count):
    """Places of the rows in the scatter plot: all, or evenly spaced ones and the extremes of each result."""
    if count <= _MOST_POINTS:
        return numpy.arange(count)
    places = set(numpy.linspace(0, count - 1, _MOST_POINTS).astype(int).tolist())
    for values in results.values():
        if numpy.isfinite(values).any():
            places |= {int(numpy.nanargmin(values)), int(numpy.nanargmax(values))}
    return numpy.array(sorted(places))


def _listed(values, places):
    return [float(one) if numpy.isfinite(one) else None for one in values[places]]


def content_of(study):
    """The data of the page, as page/src/study.js reads them."""
    table, status = study.table(), study.status()
    titles = study.plan.titles
    parameters = _numbers(table, titles)
    records = [one for one in table.column_names if one not in (*titles, *FAILED) and not is_detail(one)]
    results = _numbers(table, records)
    rows = table["row"].to_numpy()
    places = _chosen(results, len(rows))
    failed = table.filter(pyarrow.compute.not_equal(table["failed"], "")).slice(0, _MOST_FAILURES)
    influence = [[rank_correlation(x, y) for x in parameters.values()] for y in results.values()]
    return {
        "format": "vinculum-study-page/1",
        "title": f"Study of {study.plan.file.removesuffix('.vin')}",
        "summary": str(status),
        "folder": str(study.folder),
        "rows": status.rows,
        "done": status.rows_done,
        "row": rows[places].tolist(),
        "parameters": [{"name": name, "values": _listed(values, places)} for name, values in parameters.items()],
        "results": [
            {"name": name, "values": _listed(values, places), **_histogram(values)} for name, values in results.items()
        ],
        "influence": {"parameters": list(parameters), "results": list(results), "values": influence},
        "failed": [
            {"row": one["row"], "kind": one["failed"], "message": one["failed_message"]} for one in failed.to_pylist()
        ],
    }


def page_of(study):
    """See Study.page."""
    data = json.dumps(content_of(study), allow_nan=False).replace("<", "\\u003c")
    return Page(blank("study.html").replace("@vinculum-study@", data))
