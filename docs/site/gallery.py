"""Writes a page for each model under models/: lesson, text, equations, plots, and the motion to play.

The command computes everything.
"""

import concurrent.futures
import csv
import html
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import matplotlib

matplotlib.use("svg")
import matplotlib.figure  # noqa: E402
from cards import cards  # noqa: E402

CURVES = 6  # largest number of curves in a panel; further ones are not drawn


def asked(command, *arguments):
    """Output of the command. Status 1, a motion that ends with a failure, is accepted: it is shown up to its end."""
    done = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{arguments}: {done.stderr}")
    return done.stdout


def columns_of(path):
    """Names, units and values of a trajectory.csv."""
    with path.open() as file:
        lines = list(csv.reader(file))
    names, units = lines[0], [unit.removeprefix("# ") for unit in lines[1]]
    rows = [[float(x) for x in line] for line in lines[2:] if not line[0].startswith("#")]
    return names, units, list(zip(*rows))


def picture(folder, target):
    """Draws coordinates and outputs of a run over time. Returns False if there is no motion to draw."""
    if not (folder / "trajectory.csv").exists():
        return False
    names, units, values = columns_of(folder / "trajectory.csv")
    rates = [i for i, name in enumerate(names) if name.endswith("'")]
    if not values or len(values[0]) < 2 or not rates:
        return False
    panels = [range(1, rates[0]), [i for i in range(rates[-1] + 1, len(names)) if not names[i].startswith("residual")]]
    panels = [list(panel)[:CURVES] for panel in panels if len(list(panel))]
    figure = matplotlib.figure.Figure(figsize=(7, 2.4 * len(panels)), layout="constrained")
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for axis, panel in zip(axes, panels):
        for i in panel:
            label = names[i] if units[i] in ("", "1") else f"{names[i]}  [{units[i]}]"
            axis.plot(values[0], values[i], linewidth=1.2, label=label)
        axis.legend(fontsize="small", loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
        axis.grid(alpha=0.3)
    axes[-1].set_xlabel("t [s]")
    figure.savefig(target, format="svg", metadata={"Date": None})
    return True


# A page of `vinculum show` without its script and styles, which are the same for all pages and stored once.
MOTION = """<!doctype html>
<html lang="en" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' file:;
 style-src 'self' file: 'unsafe-inline'; font-src data:; img-src data: blob:">
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="page.css">
</head>
<body>
<div id="app"></div>
<template id="licences">{licences}</template>
<script type="application/json" id="scene">{scene}</script>
<script type="text/plain" id="columns">{columns}</script>
<script src="page.js"></script>
</body>
</html>
"""


def motion(command, path, target, folder):
    """Writes the motion of `show` into the folder of motions. Returns False if there is none."""
    asked(command, "show", path, "-o", folder)
    if not (folder / "report.html").exists():
        return False
    text = (folder / "report.html").read_text()
    part = {
        name: re.search(rf"<{tag}[^>]*>(.*?)</{tag.split()[0]}>", text, re.S).group(1)
        for name, tag in (
            ("title", "title"),
            ("style", "style"),
            ("licences", 'template id="licences"'),
            ("scene", 'script type="application/json" id="scene"'),
            ("columns", 'script type="text/plain" id="columns"'),
        )
    }
    script = text[text.rindex("\n<script>") + len("\n<script>") : text.rindex("</script>\n</body>")]
    for name, content in ("page.js", script), ("page.css", part["style"]):
        if not (target / name).exists():
            (target / name).write_text(content)
    (target / f"{path.stem}.html").write_text(MOTION.format(**part))
    return True


def equations(command, path):
    """The derived equations as blocks of LaTeX, without the statements, which are in the text of the model."""
    body = asked(command, "derive", path, "--to", "latex")
    begin = body.find(r"\subsection*{Kinematics}")
    found = []
    for equation in re.findall(r"\\begin\{equation\}(.*?)\\end\{equation\}", body[max(begin, 0) :], re.S):
        found.append("$$\n" + "\n".join(line for line in equation.strip().splitlines() if line.strip()) + "\n$$\n")
    return found


def page(command, models, card, target, motions):
    """Writes the page of one model, its picture into the same folder, and its motion."""
    path = models / f"{card.name}.vin"
    lines = [f"# {card.title}", "", card.lesson, ""]
    if card.sources:
        lines += ["*Source: " + "; ".join(card.sources) + "*", ""]
    with tempfile.TemporaryDirectory() as folder:
        if motion(command, path, motions, pathlib.Path(folder)):
            lines += [
                "```{raw} html",
                f'<iframe src="../{motions.parent.name}/{motions.name}/{card.name}.html" title="{card.name}, to play" '
                'loading="lazy" class="motion"></iframe>',
                "```",
                "",
            ]
        asked(command, "run", path, "-o", folder)
        if picture(pathlib.Path(folder), target / f"{card.name}.svg"):
            lines += [f"![coordinates and outputs of {card.name} over the time]({card.name}.svg)", ""]
        else:
            lines += ["Its motion has no start, or no time to go on: there is nothing to draw.", ""]
    lines += [f"`vinculum run models/{card.name}.vin`", "", "## The model", "", "```vin", card.text.rstrip(), "```", ""]
    found = equations(command, path)
    shown = [one for one in found if len(one) < 600][:24]
    lines += ["## Its equations", "", f"`vinculum derive models/{card.name}.vin` prints them all.", ""]
    if len(shown) < len(found):
        lines += [f"{len(found) - len(shown)} of the {len(found)} lines, which are long, are left out here.", ""]
    lines += shown
    (target / f"{card.name}.md").write_text("\n".join(lines) + "\n")


def draw_thumbnails(motions, target, count):
    """Draws a picture of each motion at one instant, or only of the first `count`; nothing without Node.js, Chromium or
    the packages of page/.
    """
    script = pathlib.Path(__file__).parents[2] / "page/thumbnails.mjs"
    try:
        subprocess.run(["node", script, motions, target, *([] if count is None else [str(count)])], check=False)
    except FileNotFoundError:
        print("the gallery has plots instead of pictures: no Node.js")


def tile(number, name, title, target):
    """A model in the gallery: a picture of its motion or, without one, its plot, and its title."""
    file = next((f"{name}.{kind}" for kind in ("png", "svg") if (target / f"{name}.{kind}").exists()), None)
    # in the folder of images that Sphinx copies, not beside the page
    picture = f'<img src="../_static/gallery/{file}" alt="" loading="lazy">' if file else '<span class="empty"></span>'
    return (
        f'<a class="tile" href="{name}.html">{picture}<b>{html.escape(title)}</b>'
        f"<small>{number} · {html.escape(name)}</small></a>"
    )


def with_tiles(index, target):
    """The index of the models with tiles instead of its tables."""

    def tiles(found):
        rows = re.findall(r"^\| *(\d+) *\| *\[(\w+)\]\(\w+\.md\) *\| *(.*?) *\|$", found.group(0), re.M)
        return "\n".join(
            ["```{raw} html", '<div class="tiles">', *(tile(*row, target) for row in rows), "</div>", "```", ""]
        )

    return re.sub(r"^\| lesson \|.*\n\|[-:|]+\|\n(?:\|.*\n?)+", tiles, index, flags=re.M)


def write(command, models, target, motions, pictures=None):
    """Writes a page for each model into the folder, and gallery/index.md: the models' own index, in its order, with a
    picture of each.

    pictures  number of models whose motion is drawn; the others get their plots. None: all
    """
    target.mkdir(parents=True, exist_ok=True)
    motions.mkdir(parents=True, exist_ok=True)
    every = cards(models)
    page(command, models, every[0], target, motions)  # also writes script and styles for all motions
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda card: page(command, models, card, target, motions), every[1:]))
    index = (
        (models / "README.md")
        .read_text()
        .replace("(../docs/", "(../")
        .replace(".vin)", ".md)")
        .replace("[tests/reference](../tests/reference)", "`tests/reference`")
    )
    order = re.findall(r"\]\((\w+)\.md\) \|", index)
    draw_thumbnails(motions, target, pictures)
    index = with_tiles(index, target)
    pictures = motions.parent / "gallery"
    pictures.mkdir(exist_ok=True)
    for card in every:
        for kind in ("png", "svg"):
            if (target / f"{card.name}.{kind}").exists():
                shutil.copy(target / f"{card.name}.{kind}", pictures)
                break
    (target / "index.md").write_text("\n".join([index, "```{toctree}", ":hidden:", "", *order, "```"]) + "\n")
