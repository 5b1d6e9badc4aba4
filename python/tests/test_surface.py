"""Names equal to those of C++, docstrings, stubs; SymPy, pandas, pyarrow and notebooks, each skipped if its package is
not installed."""

import json
import pathlib
import re
import unittest

import numpy as np

import vinculum as vn

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"

# Names that differ in Python, with the reason; None: not available in Python.
OTHERWISE = {
    "Model": {"with": "with_values"},  # `with` is a keyword of Python
    "Forces": {"lambda": "multipliers", "lambda_ideal": None, "lambda_is_unique": None},  # `lambda` is a keyword
    "Instant": {},
    "Sensitivity": {"columns": "names"},
    "Column": {"components": None, "size": "__len__"},  # given by numpy
    "Statistics": {"seconds_read": None, "seconds_derive": None, "seconds_compile": None},
    "Audit": {"lines": None, "is_held": None, "rendered": None, "rendered_list": None, "rendered_json": None},
    "Builder": {},
    "View": {},
    "Trajectory": {"scene": None},  # Model.show and Comparison.page return the page that contains it
    "Simulation": {"set_state": "state", "accelerations": None},  # available as forces.u_dot
    "Matrices": {},
    "Derivation": {"program_json": "program"},
    "Linearization": {"shared": None},
    "PeriodicMotion": {"shared": None},
    "RootLocus": {},
}


def declared(name):
    """Public members of a class of the public API, parsed from its header."""
    text = "".join(path.read_text() for path in sorted((ROOT / "include" / "vinculum").glob("*.hpp")))
    text = re.sub(r"//.*", "", text)
    body = re.search(rf"\n(?:class|struct) {name}\b[^;{{]*{{\n(.*?)\n}};", text, re.S).group(1).split("\n private:")[0]
    body = re.sub(r"\n  struct \w+ {.*?\n  };", "", body, flags=re.S)
    body = re.sub(r"\{[^{}]*\}", "", body)
    while (shorter := re.sub(r"<[^<>]*>", "", body)) != body:
        body = shorter
    functions = set(re.findall(r"[\s&*](\w+)\([^()]*\)(?: const)?[;\s]", re.sub(r"\([^()]*\)", "()", body)))
    members = set()
    for line in body.split(";"):
        if "(" not in line:
            names = re.sub(r"^\s*(?:public:)?\s*(?:const )?[\w:]+ ", "", line.strip())
            members |= set(re.findall(r"(\w+)\s*(?:=[^,]*)?(?:,|$)", names))
    found = functions | members
    nested = {one for one in found if one[:1].isupper() and len(one) > 2 and "_" not in one}  # types: Line, Own, Shared
    return found - nested - {"operator", "default", "shared_", ""}


class Names(unittest.TestCase):
    def test_are_those_of_the_headers(self):
        for name, otherwise in OTHERWISE.items():
            with self.subTest(name):
                there = set(dir(getattr(vn, name)))
                names = declared(name)
                self.assertGreater(len(names), 1, "the header was not understood")
                for one in sorted(names):
                    wanted = otherwise.get(one, one)
                    if wanted is not None:
                        self.assertTrue(wanted in there, f"Python has no {name}.{wanted}")

    def test_of_things_of_a_model_are_those_of_the_header(self):
        for one in declared("ModelNames") - {"ModelNames"}:
            self.assertTrue(hasattr(vn.Model, one), f"Python has no Model.{one}")

    def test_of_terms_are_those_of_the_header(self):
        text = (ROOT / "include" / "vinculum" / "builder.hpp").read_text()
        for one in re.findall(r"\]\] Term (\w+)\(Term", text):
            if one not in ("operator", "rate", "speed"):
                self.assertTrue(callable(getattr(vn, one)), one)

    def test_all_is_documented(self):
        for name in vn.__all__:
            self.assertTrue(getattr(vn, name).__doc__, name)

    def test_stubs_are_python_and_name_what_is_there(self):
        import ast

        stub = pathlib.Path(vn.__file__).with_name("_vinculum.pyi")
        tree = ast.parse(stub.read_text())
        classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
        self.assertLessEqual({"Model", "Trajectory", "Simulation", "State", "Matrices", "Forces", "Column"}, classes)
        self.assertTrue(vn.SymbolicEquations.__doc__)

    def test_import_star_leaves_the_builtins(self):
        scope = {}
        exec("from vinculum import *", scope)
        self.assertFalse("max" in scope)
        self.assertTrue("Builder" in scope)


@unittest.skipUnless(__import__("importlib.util").util.find_spec("sympy"), "sympy is not installed")
class Symbols(unittest.TestCase):
    def test_matrices_have_the_numbers_of_the_library(self):
        names = (
            "double_pendulum",
            "knife_edge_viscous",
            "pucks_parallel",
            "appell_rising",
            "pendulum_stiff",
            "rheonomic_ideal",
        )
        for name in names:
            with self.subTest(name):
                model = vn.Model.load(MODELS / f"{name}.vin", backend="tape")
                equations = model.to_sympy()
                near = model.assemble()
                rng = np.random.default_rng(3)
                state = vn.State(0.3, near.q + 0.1 * rng.random(len(near.q)), near.u + rng.random(len(near.u)), near.z)
                at = model.matrices(state)
                numbers = equations.at(state)
                for symbolic, number in (
                    (equations.M, at.M),
                    (equations.f, at.f + at.C),
                    (equations.A, at.A),
                    (equations.b, at.b),
                    (equations.q_dot, at.q_dot),
                ):
                    found = np.array(symbolic.subs(numbers).evalf(), dtype=float).reshape(number.shape)
                    scale = max(1.0, np.abs(number).max(initial=0.0))
                    self.assertLess(np.abs(found - number).max(initial=0.0), 1e-12 * scale)

    def test_symbols_are_named_as_in_the_model(self):
        import sympy

        equations = vn.Model.load(MODELS / "double_pendulum.vin", backend="tape").to_sympy()
        self.assertEqual(equations.M[0, 0], equations.symbols["m"])
        x, y = equations.symbols["x1"], equations.symbols["y1"]
        self.assertEqual(sympy.expand(equations.A[0, 0]), 2 * x)
        self.assertEqual(sympy.expand(equations.A[0, 1]), 2 * y)
        self.assertIn("x1'", equations.symbols)
        self.assertEqual(equations.values["g"], 9.81)


class Tables(unittest.TestCase):
    def setUp(self):
        self.run = vn.Model.load(MODELS / "double_pendulum.vin", backend="tape").run(until=0.5)

    @unittest.skipUnless(__import__("importlib.util").util.find_spec("pandas"), "pandas is not installed")
    def test_pandas_has_what_the_csv_has(self):
        frame = self.run.to_pandas()
        self.assertEqual(list(frame.columns), self.run.names)
        for name in self.run.names:
            self.assertTrue(np.array_equal(frame[name].to_numpy(), self.run[name]))
        self.assertTrue(np.array_equal(frame.index.to_numpy(), self.run.t))
        self.assertEqual(frame.attrs["units"]["x1"], "m")

    @unittest.skipUnless(__import__("importlib.util").util.find_spec("pyarrow"), "pyarrow is not installed")
    def test_arrow_has_units_and_provenance(self):
        import json

        table = self.run.to_arrow()
        self.assertEqual(table.column_names, ["t", *self.run.names])
        self.assertTrue(np.array_equal(table["x1"].to_numpy(), self.run["x1"]))
        self.assertEqual(table.schema.field("x1").metadata[b"unit"], b"m")
        self.assertEqual(json.loads(table.schema.metadata[b"provenance"]), self.run.provenance)


class Notebooks(unittest.TestCase):
    def test_models_show_their_names_and_equations(self):
        model = vn.Model.load(MODELS / "double_pendulum.vin", backend="tape")
        page = model._repr_html_()
        self.assertTrue(page.startswith("<table"))
        for one in (*model.parameters, *model.coordinates, *model.constraints):
            self.assertIn(f"<td>{one.name}</td>", page.replace("&#x27;", "'"))
        for form in ("explicit", "augmented", "minimal"):
            shown = model.derive(form)._repr_latex_()
            self.assertTrue(shown.startswith("$$\\begin{gather}"))
            self.assertGreater(shown.count("\\tag"), 4)
            self.assertNotIn("\\begin{equation}", shown)
        self.assertEqual(model._repr_latex_(), model.derive()._repr_latex_())

    @staticmethod
    def scene_of(page):
        return json.loads(re.search(r'id="scene">(.*?)</script>', page.html, re.S).group(1))

    def test_motions_show_their_lines(self):
        run = vn.Model.load(MODELS / "double_pendulum.vin", backend="tape").run(until=0.5)
        self.assertTrue(run._repr_svg_().startswith("<svg"))

    @unittest.skipUnless(pathlib.Path(vn.__file__).with_name("page.html").exists(), "built without npm")
    def test_pages_are_those_of_the_command_in_a_frame_of_their_own(self):
        import html
        import tempfile

        page = vn.Model.load(MODELS / "double_pendulum.vin", backend="tape").show(until=0.5)
        scene = self.scene_of(page)
        self.assertEqual(scene["format"], "vinculum-scene/1")
        self.assertEqual({one["constraint"] for one in scene["forces"]}, {"upper", "lower"})
        frame = re.fullmatch(
            r"<iframe sandbox='allow-scripts allow-downloads' .* srcdoc='([^']*)'></iframe>", page._repr_html_(), re.S
        )
        self.assertEqual(html.unescape(frame.group(1)), page.html)
        self.assertNotRegex(page.html, r"<(script|link)[^>]*(src|href)=[\"']?http")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "motion.html")
            page.write(path)
            self.assertEqual(path.read_text(encoding="utf-8"), page.html)
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [path])

    @unittest.skipUnless(pathlib.Path(vn.__file__).with_name("page.html").exists(), "built without npm")
    def test_comparisons_show_their_motions(self):
        model = vn.Model.load(MODELS / "knife_edge_viscous.vin", backend="tape")
        page = model.compare("ideal,viscous(kappa=10)", until=0.5, scene=True).page()
        self.assertEqual([one["name"] for one in self.scene_of(page)["motions"]], ["ideal", "viscous(kappa=10)"])


if __name__ == "__main__":
    unittest.main()
