"""Output of the results: JSON and SVG plots in a folder, Markdown tables in docs/benchmarks.md."""

import dataclasses
import json
import re


@dataclasses.dataclass
class Table:
    name: str
    title: str
    columns: list
    rows: list = dataclasses.field(default_factory=list)
    versions: set = dataclasses.field(default_factory=set)

    def markdown(self):
        lines = ["| " + " | ".join(self.columns) + " |", "|" + "---|" * len(self.columns)]
        for row in self.rows:
            cells = list(row) + [""] * (len(self.columns) - len(row))
            lines.append("| " + " | ".join(cells) + " |")
        return "\n".join(lines)


@dataclasses.dataclass
class Plot:
    """Lines of points on logarithmic axes."""

    name: str
    title: str
    across: str
    up: str
    lines: dict = dataclasses.field(default_factory=dict)

    def add(self, line, x, y):
        self.lines.setdefault(line, []).append((x, y))


def seconds_text(seconds):
    """The time with three digits, in a suitable unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def draw(plot, path):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": plot.name, "font.size": 9, "svg.fonttype": "none"})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(5.4, 3.8))
    for (name, points), marker in zip(plot.lines.items(), "osD^vPX*<>"):
        axes.loglog(*zip(*points), marker=marker, markersize=4, linewidth=1.2, label=name)
    axes.set(title=plot.title, xlabel=plot.across, ylabel=plot.up)
    axes.grid(True, which="major", linewidth=0.3)
    axes.legend(fontsize=8, frameon=False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def write(found, folder):
    """Writes all plots, and all tables as JSON; tables of earlier runs that were not measured again are kept.

    Returns notes on files that could not be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "benchmarks.json"
    data = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for each in found:
        data.setdefault(each.name, {})[type(each).__name__.lower()] = dataclasses.asdict(each)
    path.write_text(json.dumps(data, indent=1, default=sorted, ensure_ascii=False) + "\n", encoding="utf-8")
    for plot in (each for each in found if isinstance(each, Plot) and each.lines):
        try:
            draw(plot, folder / (plot.name + ".svg"))
        except ImportError as why:
            return [f"no plots: {why}"]
    return []


def fill(page, found):
    """Writes tables into a page between `<!-- NAME -->` and `<!-- end -->`. Tables that were not measured are kept."""
    text = page.read_text(encoding="utf-8")
    for table in (each for each in found if isinstance(each, Table)):
        place = re.compile(rf"(<!-- {re.escape(table.name)} -->\n).*?(<!-- end -->)", re.S)
        text = place.sub(lambda m, table=table: m[1] + "\n" + table.markdown() + "\n\n" + m[2], text)
    page.write_text(text, encoding="utf-8")
