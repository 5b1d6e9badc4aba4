"""Prepares the source folder of Sphinx: lay_out.py ROOT BIN TARGET [PICTURES].

BIN is the folder with the programs vinculum and reference_pages. TARGET gets the pages of docs/ and ROOT_PAGES, in
which links to models lead to the gallery; the pages of the reference and of the gallery, written by the programs; and
the notebooks with the models that they read. PICTURES is the number of models whose motion is drawn, all by default.
"""

import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys

import gallery

# Pages of the root folder that the site shows: {file: name on the site}.
ROOT_PAGES = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}


def main():
    root, programs, target = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    pictures = int(sys.argv[4]) if len(sys.argv) > 4 else None
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(
        root / "docs", target, ignore=shutil.ignore_patterns("site", "programs", "*.cpp", "*.hpp", "CMakeLists.txt")
    )
    (target / "gallery.md").unlink()  # the site has a gallery with motions
    shutil.copy(root / "docs/site/conf.py", target / "conf.py")
    for name, copied in ROOT_PAGES.items():
        shutil.copy(root / name, target / copied)
    mathjax = importlib.util.find_spec("jupyter_server_mathjax").submodule_search_locations[0]
    (target / "_static").mkdir()
    shutil.copytree(pathlib.Path(mathjax, "static"), target / "_static/mathjax")
    shutil.copy(root / "docs/site/site.css", target / "_static/site.css")
    subprocess.run([programs / "reference_pages", target / "reference"], check=True)
    gallery.write(programs / "vinculum", root / "models", target / "gallery", target / "_static/motions", pictures)
    for folder in "errors", "howto":
        pages = sorted(path.stem for path in (target / folder).glob("*.md") if path.stem != "README")
        append(target / folder / "README.md", tree(pages, ":hidden:"))
    names = [name.removesuffix(".md") for name in ROOT_PAGES.values()]
    append(target / "index.md", tree(names, ":hidden:", ":caption: Project"))
    index = target / "index.md"
    index.write_text(front_page(index.read_text()))
    models = target.parent / "models"  # notebooks find the models by the same relative path as in docs/notebooks
    shutil.rmtree(models, ignore_errors=True)
    shutil.copytree(root / "models", models)
    for page in target.rglob("*.md"):
        page.write_text(with_links_of_the_site(page, target, root))


def front_page(text):
    """The first page with its model beside the result, and its table of links as cards (site.css lays them out)."""

    def block(name, content):
        return f'```{{raw}} html\n<div class="{name}">\n```\n\n{content.strip()}\n\n```{{raw}} html\n</div>\n```\n\n'

    model = re.search(r"^```vin\n.*?^```\n+.*?(?=^\|)", text, re.M | re.S)
    table = re.search(r"^\| *\| *\|\n(?:\|.*\n)+", text, re.M)
    if not model or not table:
        raise RuntimeError("index.md has no model, or no table of links, for the front page")
    code, result = re.fullmatch(r"(```vin\n.*?```\n)\s*(.*)", model.group(0), re.S).groups()
    entries = [cell.strip() for row in table.group(0).splitlines()[2:] for cell in row.strip("| ").split(" | ")]
    beside = block("beside", code + "\n" + block("result", result))
    cards = block("cards", "".join(block("card", entry.replace("**: ", "**\n\n", 1)) for entry in entries))
    return text.replace(model.group(0), beside).replace(table.group(0), cards)


def tree(names, *options):
    """A toctree of these pages."""
    return "\n".join(["", "```{toctree}", *options, "", *names, "```", ""])


def append(page, text):
    """Adds text at the end of a page."""
    page.write_text(page.read_text() + text)


def with_links_of_the_site(page, target, root):
    """The text of a page. Links out of docs/ lead to the gallery, or become plain text if the site has no such page."""
    up = "../" * (len(page.relative_to(target).parts) - 1)
    is_of_root = page.parent == target and page.name in ROOT_PAGES.values()
    place = root if is_of_root else root / "docs" / page.relative_to(target).parent

    def turned(found):
        words, link = found.groups()
        path = link.split("#")[0]
        if not path or ":" in path or (not is_of_root and (page.parent / path).is_file()):
            return found.group(0)
        meant = (place / path).resolve()
        if meant.parent == root and meant.name in ROOT_PAGES:
            return f"[{words}]({up}{ROOT_PAGES[meant.name]})"
        if is_of_root and (target / path.removeprefix("docs/")).is_file():
            return f"[{words}]({link.removeprefix('docs/')})"
        if meant in (root / "models", root / "models/README.md", root / "docs/gallery.md"):
            return f"[{words}]({up}gallery/index.md)"
        if meant.parent == root / "models" and meant.suffix == ".vin":
            return f"[{words}]({up}gallery/{meant.stem}.md)"
        if meant == root / "docs/errors":
            return f"[{words}]({up}errors/README.md)"
        return f"{words} (`{meant.relative_to(root)}`)"

    return re.sub(r"(?<!!)\[([^\]\[]+)\]\(([^)\s]+)\)", turned, page.read_text())


if __name__ == "__main__":
    main()
