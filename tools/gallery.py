#!/usr/bin/env python3
"""Writes docs/gallery.md: all models by topic, with a picture and a sentence each, from models/README.md and models.

    tools/gallery.py                      writes the page
    tools/gallery.py --check              fails if the page differs, or if a model has no picture
    tools/gallery.py --pictures COMMAND   first makes missing pictures with the command `vinculum`

Pictures are files of docs/figures/models; remove one to have it made again. They need Node.js, Chromium and the
packages of page/, as page/thumbnails.mjs says.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs/site"))
from cards import cards  # noqa: E402

PICTURES = ROOT / "docs/figures/models"
PAGE = ROOT / "docs/gallery.md"
COLUMNS = 4
LONGEST = 32  # [words] of the sentence of a model; a longer one is left out
WIDTH = 320  # [pixels] of a picture; it is shown at most 200 wide
HEAD = """# Gallery of models

This page shows all models that come with Vinculum, by topic. Each picture is one instant of the motion that
`vinculum show` plays, with the forces of constraints as red arrows, or a plot if the model states equations only.
Click a picture for the text of the model. [The index of models](../models/README.md) numbers the lessons in the order
in which one may read them.
"""


def topics():
    """[(heading, [names of models])] in the order of models/README.md."""
    found = []
    for line in (ROOT / "models/README.md").read_text().splitlines():
        if line.startswith("## "):
            found.append((line[3:], []))
        elif row := re.match(r"\| *\d+ \| \[(\w+)\]", line):
            found[-1][1].append(row.group(1))
    return [one for one in found if one[1]]


def cell(card):
    """A model in the table: picture, title, sentence."""
    picture = f"figures/models/{card.name}.webp"
    shown = f'<img src="{picture}" width="200" alt="">' if (ROOT / "docs" / picture).is_file() else "(no motion)"
    text = f"[{shown}](../models/{card.name}.vin)<br>**{card.title}.**"
    is_short = 0 < len(card.sentence.split()) <= LONGEST
    return (text + (f" <br>{card.sentence}" if is_short else "")).replace("|", "\\|")


def page():
    """The text of the page."""
    every = {card.name: card for card in cards(ROOT / "models")}
    text = HEAD
    for heading, names in topics():
        cells = [cell(every[name]) for name in names]
        cells += [""] * (-len(cells) % COLUMNS)
        rows = [cells[i : i + COLUMNS] for i in range(0, len(cells), COLUMNS)]
        text += f"\n## {heading}\n\n" + "| " * COLUMNS + "|\n" + "|---" * COLUMNS + "|\n"
        text += "".join(f"| {' | '.join(row)} |\n" for row in rows)
    return text


def make_pictures(command):
    """Makes the pictures that are missing: the drawing of the motion, or else its plot."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for kind in "html", "svg":
        with tempfile.TemporaryDirectory() as folder:
            for card in cards(ROOT / "models"):
                if not (PICTURES / f"{card.name}.webp").exists():
                    draw(command, card.name, pathlib.Path(folder), kind)
            script = ROOT / "page/thumbnails.mjs"
            subprocess.run(["node", script, folder, PICTURES, "--webp", str(WIDTH)], check=True)


def draw(command, name, folder, kind):
    """Writes the page (html) or the plot (svg) of a motion into a folder; nothing if the model has no motion."""
    with tempfile.TemporaryDirectory() as results:
        verb = ["show"] if kind == "html" else ["run", "--svg", folder / f"{name}.svg"]
        subprocess.run([command, *verb, ROOT / f"models/{name}.vin", "-o", results], capture_output=True, check=False)
        report = pathlib.Path(results, "report.html")
        if kind == "html" and report.exists():
            (folder / f"{name}.html").write_bytes(report.read_bytes())


def main():
    """Writes or compares the page. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="only compare")
    parser.add_argument("--pictures", metavar="COMMAND", help="make missing pictures with this command")
    arguments = parser.parse_args()
    if arguments.pictures:
        make_pictures(arguments.pictures)
    text = page()
    if not arguments.check:
        PAGE.write_text(text)
        return 0
    if PAGE.read_text() != text:
        print("docs/gallery.md differs from the models: run tools/gallery.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
