"""Time of whole motions against the achieved error: IFToMM's problems, stiff problems, and rows of closed loops."""

import dataclasses

from .output import Plot, Table, seconds_text
from .programs import Refused, lines_of


@dataclasses.dataclass
class Problem:
    """A model, its duration, and the reference of its final state [q, u]: {index in the state: value}."""

    name: str
    title: str
    model: str
    duration: float
    methods: tuple
    tolerances: tuple
    reference: dict = None  # None: from radau with 1/100 of the last of `tolerances`
    values: tuple = ()


EVERY_OTHER = ("1e-4", "1e-6", "1e-8", "1e-10", "1e-12")
# IFToMM's library of computational benchmark problems. The references are closed forms (A01, A02, and A04 by its loop
# equation) and quadratures with 15 digits or more (A03, A05).
IFTOMM = (
    Problem(
        "a01",
        "A01, pendulum",
        "iftomm/pendulum.vin",
        10,
        ("dop853", "dp5", "cvode"),
        EVERY_OTHER,
        {0: -0.27508746257611686, 1: -0.96141920509912506},
    ),
    Problem(
        "a02",
        "A02, two windows",
        "iftomm/four_bars_places.vin",
        10,
        ("dop853", "dp5", "cvode"),
        EVERY_OTHER,
        {0: 0.32845811154081538, 3: 0.94451853817860096},
        ("n=2",),
    ),
    Problem(
        "a03",
        "A03, Andrews' squeezer",
        "iftomm/andrews.vin",
        0.05,
        ("dop853", "dp5", "cvode", "radau"),
        EVERY_OTHER,
        {0: 33.815340721360174},
        ("beta0=-0.0620",),
    ),
    Problem(
        "a04",
        "A04, Bricard's mechanism",
        "iftomm/bricard.vin",
        10,
        ("dop853", "dp5", "cvode"),
        EVERY_OTHER,
        {0: 0.00026904888332464651, 1: -0.00026897651549263981},
    ),
    Problem(
        "a05",
        "A05, stiff governor",
        "iftomm/flyball.vin",
        10,
        ("dop853", "cvode", "radau"),
        EVERY_OTHER,
        {3: 0.61962291706136568, 1: 0.39007370184464503},
    ),
)
ROPE = Problem(
    "rope",
    "Rope of ten masses on stiff springs, 2 s",
    "stiff/rope.vin",
    2,
    ("cvode", "radau"),
    ("1e-4", "1e-5", "1e-6", "1e-7", "1e-8"),
)
BLADES = tuple(
    Problem(
        f"blade_1e{power}",
        f"Blade of friction 1e{power} kg/s",
        "../models/knife_edge_viscous.vin",
        2,
        ("cvode", "radau"),
        EVERY_OTHER[:4],
        None,
        (f"k=1e{power}",),
    )
    for power in (4, 6, 8, 10)
)


def runs(tools, problem, method, tolerances):
    command = [
        tools.program("integrations"),
        tools.model(problem.model),
        problem.duration,
        method,
        *tolerances,
        *problem.values,
    ]
    return lines_of(command)


def error(run, reference):
    """Largest difference from the reference, relative to the reference or to 1, whichever is larger."""
    return max(abs(run["state"][i] - value) / max(1.0, abs(value)) for i, value in reference.items())


def reference_of(tools, problem):
    """The stated reference, or one computed by radau, then with the difference of CVODE at the same tolerance."""
    if problem.reference:
        return problem.reference, ""
    tightest = f"{float(problem.tolerances[-1]) / 100:.0e}"
    ours, theirs = (runs(tools, problem, method, [tightest])[0] for method in ("radau", "cvode"))
    reference = dict(enumerate(ours["state"]))
    return reference, f"{error(theirs, reference):.0e}"


ERRORS = (1e-3, 1e-5, 1e-7, 1e-9)  # methods are compared at these errors


def cheapest(answers):
    """Cells of a table row: time, tolerance and steps of the fastest run within each of ERRORS."""
    cells = []
    for limit in ERRORS:
        within = [run for run in answers if run["error"] is not None and run["error"] <= limit]
        if not within:
            cells.append("–")
            continue
        best = min(within, key=lambda run: run["lowest"])
        cells.append(
            f"{seconds_text(best['median'])} ({seconds_text(best['lowest'])}), "
            f"{best['steps']} steps at {best['tolerance']:.0e}"
        )
    return cells


def measured(tools, problem, table, plot):
    """Adds one table row per method, and one point of the plot per run."""
    tolerances = problem.tolerances[:2] if tools.quick else problem.tolerances
    reference, apart = reference_of(tools, problem)
    for method in problem.methods:
        name = {"cvode": "CVODE"}.get(method, "Vinculum " + method)
        # this problem is not stiff: with tight tolerances radau takes 100 000 steps and more
        found = tolerances[:3] if (problem.name, method) == ("a03", "radau") else tolerances
        try:
            answers = runs(tools, problem, method, found)
        except Refused as why:
            table.rows.append([problem.title, name, str(why)])
            continue
        for run in answers:
            run["error"] = None if "stopped" in run else error(run, reference)
            if run["error"]:
                plot.add(name, run["error"], run["lowest"])
        least = min((run["error"] for run in answers if run["error"] is not None), default=None)
        said = answers[0]["stopped"][:60] if least is None else f"{least:.0e}"
        table.rows.append([problem.title, name, *cheapest(answers), said, apart])


def of_problems(tools, name, title, problems):
    columns = [
        "problem",
        "method",
        *(f"error ≤ {limit:.0e}" for limit in ERRORS),
        "least error",
        "CVODE from the reference",
    ]
    if all(problem.reference for problem in problems):
        columns.pop()
    table = Table(name, title, columns)
    plots = []
    for problem in problems:
        plot = Plot(problem.name, problem.title, "error at the end", "processor time of a run [s]")
        measured(tools, problem, table, plot)
        plots.append(plot)
    table.rows = [row[: len(columns)] for row in table.rows]
    return [table, *plots]


def of_iftomm(tools):
    return of_problems(tools, "iftomm", "IFToMM A01 to A05: time of a run and its error at the end", IFTOMM)


def of_stiff(tools):
    return of_problems(
        tools,
        "stiff",
        "Stiff motions: time of a run and its error at the end",
        BLADES[::2] if tools.quick else (*BLADES, ROPE),
    )


def first_pin(n, t):
    """Position of the first upper pin of n windows in a row, in closed form.

    The angle from the upright is phi = 2 am(t/2 | −4κ).
    """
    import mpmath

    kappa = mpmath.mpf("9.81") * ((n + 1) / mpmath.mpf(2) + n) / ((n + 1) / mpmath.mpf(3) + n)
    s, c = (mpmath.ellipfun(name, mpmath.mpf(t) / 2, m=-4 * kappa) for name in ("sn", "cn"))
    return float(mpmath.re(2 * s * c)), float(mpmath.re(1 - 2 * s * s))


def cells_of(run, problem):
    """Time and error of a run, or why it stopped."""
    if "stopped" in run:
        return [f"stops after {run['steps']} steps: {run['stopped'][:45]}…", "–"]
    off = f"{error(run, problem.reference):.1e}" if problem.reference else "–"
    return [f"{seconds_text(run['median'])} ({seconds_text(run['lowest'])})", off]


def of_loops(tools):
    """A02 with increasing numbers of windows: coordinates of pins, angles, and Simbody for up to five windows."""
    sizes = (1, 2) if tools.quick else (1, 2, 5, 10, 20, 40, 100)
    table = Table(
        "loops",
        "N windows in a row, 10 s: time of a run and the error of the first pin",
        ["N", "places of pins, 1e-8", "error", "angles, 1e-8", "error", "Simbody, 1e-6", "error"],
    )
    try:
        import mpmath  # noqa: F401
    except ImportError as why:
        table.rows.append([f"no closed form: {why}"])
        return [table]
    plot = Plot("loops", "N windows in a row, places of pins", "windows", "processor time of a run [s]")
    for n in sizes:
        x, y = first_pin(n, 10)
        places = dataclasses.replace(IFTOMM[1], values=(f"n={n}",), reference={0: x, n + 1: y})
        angles = dataclasses.replace(places, model="iftomm/four_bars.vin", reference={})  # its state has no reference
        simbody = dataclasses.replace(places, reference={0: x, 1: y})
        theirs = [tools.program("simbody_windows"), n, places.duration, "1e-6"]
        cells = [str(n)]
        for problem, run_it in (
            (places, lambda places=places: runs(tools, places, "dop853", ["1e-8"])),
            (angles, lambda angles=angles: runs(tools, angles, "dop853", ["1e-8"])),
            (simbody, lambda theirs=theirs: lines_of(theirs)),
        ):
            if problem is simbody and n > 5:
                cells += ["", ""]
                continue
            try:
                run = run_it()[0]
            except Refused as why:
                cells += [str(why), "–"]
                continue
            cells += cells_of(run, problem)
            if "stopped" not in run and problem is places:
                plot.add("Vinculum dop853", n, run["lowest"])
        table.rows.append(cells)
    return [table, plot]
