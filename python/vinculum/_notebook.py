"""Representation of models and equations in notebooks."""

import html as _html
import re

_EQUATION = re.compile(r"\\begin\{equation\}\\tag\{(\d+)\}\n(.*?)\\end\{equation\}", re.S)


def latex(derivation):
    """The numbered equations of a derivation as one display equation for MathJax and KaTeX."""
    lines = [rf"{body.strip()} \tag{{{number}}}" for number, body in _EQUATION.findall(derivation.latex)]
    return "$$\\begin{gather}\n" + " \\\\\n".join(lines) + "\n\\end{gather}$$"


def html(model):
    """An HTML table of the names, units and values of a model."""

    def cells(tag, *texts):
        return "<tr>" + "".join(f"<{tag}>{_html.escape(text)}</{tag}>" for text in texts) + "</tr>"

    rows = []
    for title, entities in (
        ("parameter", model.parameters),
        ("coordinate", model.coordinates),
        ("speed", model.speeds),
        ("state", model.states),
        ("constraint", model.constraints),
        ("output", model.outputs),
    ):
        for one in entities:
            rows.append(cells("td", title, one.name, f"{one.value:.6g}" if hasattr(one, "value") else "", one.unit))
    head = cells("th", "", "name", "value", "unit")
    caption = f"<caption>{_html.escape(model.name)}</caption>"
    return f'<table class="vinculum-model">{caption}<thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>'
