"""Fits of parameters to measured values, by SciPy's least squares with the exact derivatives of the runs."""

import dataclasses
import math

import numpy

from ._design import columns_of
from ._errors import DesignError, MotionError


@dataclasses.dataclass(frozen=True)
class Fit:
    """Result of Model.fit.

    values      dict: the fitted parameters [SI]
    covariance  [parameters, parameters] predicted covariance of the values [SI], in the order of `values`
    residual    [measurements] (computed − measured) / sigma; without sigma in SI units
    sigma       standard deviation of a measurement: 1 if `sigma` was given, otherwise estimated from the residual
    freedom     number of measurements minus number of parameters
    evaluations number of runs
    model       the Model with the fitted values
    """

    values: dict
    covariance: numpy.ndarray
    residual: numpy.ndarray
    sigma: float
    freedom: int
    evaluations: int
    model: object
    is_sigma_given: bool

    @property
    def errors(self):
        """dict: standard deviation of each fitted value [SI]."""
        return dict(zip(self.values, numpy.sqrt(numpy.diag(self.covariance))))

    def distance(self, values):
        """Square of the distance of other values from the fitted ones, relative to the covariance."""
        change = numpy.array([values[name] - value for name, value in self.values.items()])
        return float(change @ numpy.linalg.solve(self.covariance, change))

    def contains(self, values, probability=0.95):
        """Whether values are in the ellipsoid that contains the true ones with this probability."""
        from scipy import stats

        count = len(self.values)
        if self.is_sigma_given:
            return self.distance(values) <= stats.chi2.ppf(probability, count)
        return self.distance(values) <= count * stats.f.ppf(probability, count, self.freedom)


def _measured(model, data):
    """The times, and the measured values by quantity. NaN is a missing value."""
    columns = {}
    for name, column in columns_of(data):
        if name in columns:
            raise DesignError(f"the data have two columns `{name}`")
        try:
            columns[name] = numpy.asarray(column, dtype=float)
        except (TypeError, ValueError):
            raise DesignError(f"column `{name}` of the data is not a column of numbers") from None
    if "t" not in columns:
        raise DesignError("the data need a column `t` with the times of the measurements in s")
    t = columns.pop("t")
    if not columns:
        raise DesignError("the data have no column in addition to `t`: name a quantity of the model")
    for name, column in columns.items():
        if column.shape != t.shape or t.ndim != 1:
            raise DesignError(f"column `{name}` of the data has {column.size} values, but `t` has {t.size}")
        if numpy.isinf(column).any():
            raise DesignError(f"column `{name}` of the data has an infinite value; write NaN for a missing one")
        model.column(name)  # CallError if the model has no such quantity
    if not t.size:
        raise DesignError("the data have no rows")
    if not numpy.isfinite(t).all():
        raise DesignError("column `t` of the data has a value that is not finite")
    return t, columns


def _deviations(sigma, measured):
    """Standard deviation by quantity."""
    if sigma is None:
        return {name: 1.0 for name in measured}
    if not hasattr(sigma, "keys"):
        sigma = {name: sigma for name in measured}
    for name in measured:
        if name not in sigma:
            raise DesignError(f"`sigma` has no value for `{name}`")
        if not (math.isfinite(float(sigma[name])) and float(sigma[name]) > 0):
            raise DesignError(f"sigma of `{name}` is {sigma[name]!r}: state a standard deviation > 0")
    return {name: float(sigma[name]) for name in measured}


class _Residuals:
    """Residuals and their derivatives as functions of the parameters, relative to their typical sizes."""

    def __init__(self, model, data, over, sigma, options):
        self.model, self.names = model, over
        self.t, measured = _measured(model, data)
        deviations = _deviations(sigma, measured)
        self.times = sorted(set(self.t.tolist()))
        self.rows = numpy.searchsorted(self.times, self.t)
        self.measured = [(name, column, deviations[name], numpy.isfinite(column)) for name, column in measured.items()]
        self.size = int(sum(known.sum() for *_, known in self.measured))
        self.options = {"until": self.times[-1], "step": max(self.times[-1], 1e-300), **options}
        self.evaluations = 0
        self._at = None

    def _run(self, values):
        if self._at is not None and numpy.array_equal(self._at[0], values):
            return self._at[1:]
        self.evaluations += 1
        model = self.model.with_values(dict(zip(self.names, map(float, values))))
        run = model.run(at=self.times, sensitivity=self.names, **self.options)
        if run.stopped is not None:
            raise MotionError(run.stopped)
        by = [run.sensitivity(name, at="asked") for name in self.names]
        if by and by[0].ended is not None and by[0].ended.t <= self.times[-1]:
            raise MotionError(by[0].ended)
        place = {name: k for k, name in enumerate(run.names)}
        table = numpy.array([_values(run.at(t)) for t in self.times])
        residual, jacobian = [], []
        for name, column, deviation, known in self.measured:
            if name not in place:
                raise DesignError(f"`{name}` has several components: name one of them, such as `{name}.x`")
            computed = table[self.rows, place[name]]
            residual.append(((computed - column) / deviation)[known])
            slopes = numpy.column_stack([_slope(one, name)[self.rows] for one in by])
            jacobian.append((slopes / deviation)[known])
        self._at = values.copy(), numpy.concatenate(residual), numpy.concatenate(jacobian)
        return self._at[1:]

    def residual(self, values):
        return self._run(values)[0]

    def jacobian(self, values):
        return self._run(values)[1]


def _values(instant):
    """The values of all quantities in the order of Trajectory.names, without the residuals at its end."""
    state = instant.state
    return numpy.concatenate([state.q, state.u, state.z, instant.outputs])


def _slope(sensitivity, name):
    """The derivative of a column or of one component, "C1.x"."""
    if name in sensitivity:
        return numpy.asarray(sensitivity[name])
    whole, _, axis = name.rpartition(".")
    if whole in sensitivity and axis in ("x", "y", "z"):
        return numpy.asarray(sensitivity[whole])[:, "xyz".index(axis)]
    raise DesignError(f"`{name}` has no derivative: fit coordinates, speeds, states or outputs of them and of forces")


def _check_rank(jacobian, over):
    """DesignError if a change of some parameters does not change the computed values."""
    if numpy.linalg.matrix_rank(jacobian, tol=1e-7 * numpy.linalg.norm(jacobian)) == len(over):
        return
    _, _, directions = numpy.linalg.svd(jacobian, full_matrices=False)
    least = [name for name, part in zip(over, numpy.abs(directions[-1])) if part > 0.1]
    raise DesignError(f"the data do not determine {' and '.join(least)}: fit fewer parameters or measure more")


def fit(model, data, over, *, sigma=None, bounds=None, tolerance=1e-10, **options):
    """See Model.fit."""
    from scipy import optimize

    over = [over] if isinstance(over, str) else list(over)
    parameters = {one.name: one.value for one in model.parameters}
    for name in over:
        if name not in parameters:
            raise DesignError(
                f"the model has no parameter `{name}` to fit; it has {', '.join(parameters) or 'none'}. To fit a "
                "start value, declare a parameter and use it in `start`"
            )
    if not over or len(set(over)) != len(over):
        raise DesignError("`over` names each parameter to fit once, and at least one")
    problem = _Residuals(model, data, over, sigma, {"tolerance": tolerance, **options})
    if problem.size < len(over):
        raise DesignError(f"{problem.size} measurements do not determine {len(over)} parameters")
    start = numpy.array([parameters[name] for name in over])
    limits = [(bounds or {}).get(name, (-math.inf, math.inf)) for name in over]
    for name in bounds or {}:
        if name not in over:
            raise DesignError(f"`bounds` has `{name}`, which `over` does not name")
    for name, value, (low, high) in zip(over, start, limits):
        if not low <= value <= high:
            raise DesignError(f"the fit begins at {name} = {value}, outside of its bounds {low} to {high}")
    scale = numpy.where(start == 0.0, 1.0, numpy.abs(start))
    _check_rank(problem.jacobian(start) * scale, over)
    found = optimize.least_squares(
        problem.residual,
        start,
        problem.jacobian,
        bounds=tuple(numpy.array(limits).T),
        x_scale=scale,
        xtol=1e-12,
        ftol=1e-12,
        gtol=1e-14,
    )
    if not found.success:
        raise DesignError(f"the fit did not converge in {problem.evaluations} runs: begin at values that are nearer")
    residual, jacobian = problem.residual(found.x), problem.jacobian(found.x)
    scaled = jacobian * scale
    _check_rank(scaled, over)
    freedom = problem.size - len(over)
    deviation = 1.0
    if sigma is None:
        deviation = math.sqrt(float(residual @ residual) / freedom) if freedom > 0 else math.nan
    inverse = numpy.linalg.inv(scaled.T @ scaled)
    values = dict(zip(over, map(float, found.x)))
    return Fit(
        values,
        deviation**2 * scale[:, None] * inverse * scale,
        residual,
        deviation,
        freedom,
        problem.evaluations,
        model.with_values(values),
        sigma is not None,
    )
