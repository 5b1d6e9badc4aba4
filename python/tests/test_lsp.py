"""The language server in a scripted session over standard input and output; skipped without pygls."""

import importlib.util
import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

from lsp_client import Client

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("VINCULUM_COMMAND", "")

PENDULUM = """model pendulum "A pendulum"
frame N newtonian
point O fixed in N
# length of the rod
param l = 0.8 [m], m = 500 [g]
coord a [deg]  # from the vertical
frame A = N rotated a about z
point P = O - l*A.y
particle bob mass m at P
gravity -9.81 [m/s^2]*N.y
let height = dot(pos(P, O), N.y)
output E = energy
run 1 [s]
"""


def place_of(text, part, skip=0):
    """(line, character in UTF-16) of the first occurrence of a part of a text, `skip` characters after its begin."""
    offset = text.index(part) + skip
    line = text.count("\n", 0, offset)
    return line, len(text[text.rfind("\n", 0, offset) + 1 : offset].encode("utf-16-le")) // 2


@unittest.skipUnless(importlib.util.find_spec("pygls"), "pygls is not installed")
class Session(unittest.TestCase):
    def setUp(self):
        self.client = Client()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.uri = (self.folder / "model.vin").as_uri()  # the file does not exist: the text is not saved

    def tearDown(self):
        self.assertEqual(self.client.end(), 0)

    def hover(self, text, part, skip=0):
        found = self.client.at("hover", self.uri, *place_of(text, part, skip))
        return found and found["contents"]["value"]

    def labels(self, text, part=None):
        """Labels offered at the end of a part of a text, or at the end of the text."""
        self.client.change(self.uri, text)
        place = place_of(text, part, len(part)) if part else place_of(text + "\0", "\0")
        return [one["label"] for one in self.client.at("completion", self.uri, *place)]

    def test_a_right_model_has_no_diagnostics(self):
        self.assertEqual(self.client.open(self.uri, PENDULUM), [])

    def test_diagnostics_have_the_range_and_the_hint_of_check(self):
        text = PENDULUM.replace("dot(pos(P, O)", "dot(pos(bop, O)")
        (one,) = self.client.open(self.uri, text)
        line, character = place_of(text, "bop, O")
        self.assertEqual(one["range"]["start"], {"line": line, "character": character})
        self.assertEqual(one["range"]["end"], {"line": line, "character": character + 3})
        self.assertEqual(one["code"], "unknown-name")
        self.assertIn("unknown name `bop`", one["message"])
        self.assertRegex(one["message"], "\nhint: did you mean `bob`")
        self.assertEqual(self.client.change(self.uri, PENDULUM), [])

    @unittest.skipUnless(COMMAND, "no command")
    def test_every_mistake_of_the_golden_tests_is_reported_as_by_check(self):
        for path in sorted((ROOT / "tests/golden/mistakes").glob("*.vin"))[::4]:
            done = subprocess.run([COMMAND, "check", "--json", path], capture_output=True, text=True, check=False)
            expected = [(one["line"] - 1, one["kind"]) for one in json.loads(done.stdout) if one["file"] == str(path)]
            found = self.client.open(path.as_uri(), path.read_bytes().decode("utf-8", "replace"))
            codes = [(one["range"]["start"]["line"], one["code"]) for one in found]
            if any(line == "model" for line in path.read_text(errors="replace").split()):
                with self.subTest(path.name):
                    self.assertEqual(sorted(codes), sorted(expected))

    def test_columns_are_those_of_the_encoding(self):
        text = PENDULUM.replace("let height", 'output s = "𝄞é" + nothing\nlet height')
        for encoding, units in (("utf-16", 2), ("utf-8", 4), ("utf-32", 1)):
            with self.subTest(encoding):
                client = Client((encoding,))
                self.assertEqual(client.capabilities["positionEncoding"], encoding)
                client.open(self.uri, text)
                model = PENDULUM.replace("run 1 [s]", "# 𝄞\nlet 𝄞 = 1\nrun 1 [s]")
                (one,) = client.change(self.uri, model)
                self.assertEqual(one["range"]["start"]["character"], 4)
                self.assertEqual(one["range"]["end"]["character"], 4 + units)
                self.assertEqual(client.end(), 0)

    def test_places_after_wide_characters_are_found(self):
        text = PENDULUM.replace('"A pendulum"', '"𝄞𝄞 a pendulum"').replace("[deg]  # from", "[deg]  # 𝄞 from")
        text += 'view {\n  shape bob = sphere(0.1 [m]) colour blue # 𝄞\n}\nsource "𝄞" \n'
        found = self.client.open(self.uri, text)
        self.assertEqual(found[0]["range"]["start"], dict(zip(("line", "character"), place_of(text, 'source "𝄞"'))))
        self.assertIsNone(self.hover(text, "a pendulum"))

    def test_line_ends_may_be_those_of_windows(self):
        text = PENDULUM.replace("\n", "\r\n").replace("pos(P, O)", "pos(Q, O)")
        (one,) = self.client.open(self.uri, text)
        self.assertEqual(one["range"]["start"], dict(zip(("line", "character"), place_of(text, "Q, O"))))
        self.assertIn("unit m", self.hover(text, "l*A.y"))
        good = PENDULUM.replace("\n", "\r\n")
        self.client.change(self.uri, good)
        (edit,) = self.client.format(self.uri)
        self.assertEqual(edit["newText"], self.formatted(PENDULUM))
        self.assertEqual(edit["range"]["end"], {"line": good.count("\n"), "character": 0})

    def formatted(self, text):
        path = self.folder / "formatted.vin"
        path.write_text(text)
        import vinculum

        return vinculum.format(path)

    @unittest.skipUnless(COMMAND, "no command")
    def test_formatting_is_that_of_the_command(self):
        for path in sorted((ROOT / "models").glob("*.vin"))[::9]:
            text = path.read_text().replace(" = ", "  =   ").replace("\n\n", "\n\n\n")
            copy = self.folder / path.name
            copy.write_text(text)
            done = subprocess.run([COMMAND, "format", copy], check=True, capture_output=True, text=True)
            self.client.open(path.as_uri(), text)
            edits = self.client.format(path.as_uri())
            with self.subTest(path.name):
                self.assertEqual(edits[0]["newText"] if edits else text, done.stdout)

    def test_a_broken_text_is_not_formatted(self):
        self.client.open(self.uri, PENDULUM + "force on P = (\n")
        self.assertIsNone(self.client.format(self.uri))

    def test_hover_says_kind_unit_and_comment_of_names(self):
        self.client.open(self.uri, PENDULUM)
        length = self.hover(PENDULUM, "l*A.y")
        self.assertIn("parameter `l`, 0.8 m, unit m", length)
        self.assertIn("length of the rod", length)
        self.assertIn("0.5 kg, unit g (SI: kg)", self.hover(PENDULUM, "m at P"))
        self.assertIn("coordinate `a`, unit deg (SI: rad)\n\nfrom the vertical", self.hover(PENDULUM, "a about z"))
        self.assertIn("let `height`, unit m", self.hover(PENDULUM, "height"))
        self.assertIn("point `P`", self.hover(PENDULUM, "P, O"))
        self.assertIn("unit vector `y` of the frame `A`", self.hover(PENDULUM, "A.y", 2))
        self.assertIn("frame `A`", self.hover(PENDULUM, "A.y"))

    def test_hover_explains_keywords_functions_and_units(self):
        self.client.open(self.uri, PENDULUM)
        self.assertIn("a point with mass", self.hover(PENDULUM, "particle bob", 3))
        self.assertIn("scalar product of two vectors", self.hover(PENDULUM, "dot("))
        self.assertIn("`m`: metre", self.hover(PENDULUM, "[m]", 1))
        self.assertIn("0.0174533 rad", self.hover(PENDULUM, "[deg]", 1))
        self.assertIn("particle P mass m", self.hover(PENDULUM, "mass m at P"))
        self.assertIsNone(self.hover(PENDULUM, "# length", 3))

    def test_completion_offers_what_fits_the_place(self):
        self.client.open(self.uri, PENDULUM)
        head = PENDULUM[: PENDULUM.index("output")]
        self.assertIn("particle", self.labels(head + "part"))
        self.assertEqual(self.labels(head + "point Q fixed in "), ["N", "A"])
        self.assertEqual(set(self.labels(head + "force on ")), {"O", "P", "bob"})
        self.assertEqual(self.labels(head + "let x = A."), ["x", "y", "z"])
        self.assertIn("kg", self.labels(head + "param k = 3 ["))
        self.assertIn("dop853", self.labels(head + "run 1 [s] method "))
        self.assertIn("revolute", self.labels(head + "joint J: "))
        self.assertEqual(self.labels(head + "coord "), [])
        self.assertEqual(self.labels(head + "# wor"), [])
        in_expression = self.labels(head + "let b = 2*")
        self.assertTrue({"l", "m", "a", "height", "sin", "pi"} <= set(in_expression))
        self.assertIn("law", self.labels(head + "constraint c: a = 0\n  "))
        self.assertEqual(self.labels(head + "constraint c: a = 0\n  law ")[0], "ideal")
        view = self.labels(head + "view {\n  ")
        self.assertIn("shape", view)
        self.assertNotIn("param", view)
        self.assertIn("sphere", self.labels(head + "view {\n  shape bob = "))

    def test_completion_does_not_offer_what_is_declared_later(self):
        self.client.open(self.uri, PENDULUM)
        labels = self.labels(PENDULUM.replace("frame A = N", "frame B = \nframe A = N"), "frame B = ")
        self.assertEqual(labels, ["N"])

    def test_definition_goes_to_the_declaration(self):
        self.client.open(self.uri, PENDULUM)
        found = self.client.at("definition", self.uri, *place_of(PENDULUM, "bob mass"))
        self.assertEqual(found["uri"], self.uri)
        found = self.client.at("definition", self.uri, *place_of(PENDULUM, "l*A.y"))
        line, character = place_of(PENDULUM, "l = 0.8")
        self.assertEqual(found["range"]["start"], {"line": line, "character": character})
        self.assertIsNone(self.client.at("definition", self.uri, *place_of(PENDULUM, "energy")))

    def test_symbols_are_the_names_in_order(self):
        self.client.open(self.uri, PENDULUM)
        symbols = self.client.ask("textDocument/documentSymbol", {"textDocument": {"uri": self.uri}})
        names = [one["name"] for one in symbols]
        self.assertEqual(names, ["pendulum", "N", "O", "l", "m", "a", "A", "P", "bob", "height", "E"])
        self.assertEqual(symbols[5]["detail"], "coordinate deg")

    def test_names_of_components_are_local(self):
        component = "component link(k, O) {\n  param stiff = 3*k\n  point T = O + 0*stiff*pos(O, O)/k\n}\n"
        text = PENDULUM.replace("gravity", component + "use link(l, P) as first\ngravity")
        self.assertEqual(self.client.open(self.uri, text), [])
        symbols = self.client.ask("textDocument/documentSymbol", {"textDocument": {"uri": self.uri}})
        (link,) = [one for one in symbols if one["name"] == "link"]
        self.assertEqual([one["name"] for one in link["children"]], ["k", "O", "stiff", "T"])
        found = self.client.at("definition", self.uri, *place_of(text, "stiff*pos"))
        self.assertEqual(found["range"]["start"], dict(zip(("line", "character"), place_of(text, "stiff = 3"))))
        labels = self.labels(text.replace("gravity", "let s = first.\ngravity"), "let s = first.")
        self.assertEqual(sorted(labels), ["T", "stiff"])
        self.assertNotIn("stiff", self.labels(text.replace("gravity", "let s = \ngravity"), "let s = "))
        self.assertIn("link", self.labels(text.replace("gravity", "use \ngravity"), "\nuse "))
        inside = self.labels(text.replace("  point T", "  let s = \n  point T"), "let s = ")
        self.assertTrue({"k", "O", "stiff", "sin"} <= set(inside))
        self.assertFalse({"P", "l", "bob", "A"} & set(inside))

    def test_includes_are_read_from_disk_and_from_the_editor(self):
        part = self.folder / "part.vin"
        part.write_text("param k = 2 [m]\n")
        text = PENDULUM.replace("coord a", 'include "part.vin"\ncoord a').replace("let height = ", "let height = k + ")
        self.assertEqual(self.client.open(self.uri, text), [])
        found = self.client.at("definition", self.uri, *place_of(text, "k + "))
        self.assertEqual((found["uri"], found["range"]["start"]), (part.as_uri(), {"line": 0, "character": 6}))
        found = self.client.at("definition", self.uri, *place_of(text, "part.vin"))
        self.assertEqual(found["uri"], part.as_uri())
        self.client.open(part.as_uri(), "param k = 2 [kg]\n")  # not saved
        self.assertIn("height", self.hover(text, "height"))
        (one,) = self.client.settled(self.uri)
        self.assertEqual(one["code"], "dimension-mismatch")
        self.client.change(part.as_uri(), "param k = 2 [m\n")
        self.assertEqual(self.client.diagnostics[part.as_uri()][0]["code"], "unclosed-bracket")
        self.client.close(part.as_uri())
        self.assertEqual(self.client.settled(self.uri), [])

    def test_a_file_for_include_alone_is_checked_for_syntax_only(self):
        found = self.client.open(self.uri, "param k = 2*unknown\npoint P = O + \n")
        self.assertEqual([one["code"] for one in found], ["missing-statement", "unexpected-token"])
        self.assertEqual(found[0]["severity"], 3)

    def test_any_beginning_of_a_model_is_answered(self):
        self.client.open(self.uri, "")
        text = (ROOT / "models/clutch.vin").read_text() if (ROOT / "models/clutch.vin").exists() else PENDULUM
        for end in range(0, len(text), 61):
            cut = text[:end]
            self.client.change(self.uri, cut)
            place = place_of(cut + "\0", "\0")
            for method in ("hover", "completion", "definition"):
                self.client.at(method, self.uri, *place)
        for text in (
            "\ufeffmodel m\n",
            "\r\r",
            "model \ud800 x\n",
            '}{[("',
            "a." * 300,
            "\u2028model m",
            "view {\n shape",
        ):
            self.client.change(self.uri, text)
            self.client.at("completion", self.uri, 0, len(text))
            self.client.at("hover", self.uri, 99, 99)

    def test_a_text_without_a_file_is_answered(self):
        self.assertEqual(self.client.open("untitled:Untitled-1", PENDULUM), [])
        self.assertIn("file-not-found", str(self.client.change("untitled:Untitled-1", PENDULUM + 'include "x.vin"\n')))

    def test_prints_the_time_of_a_keystroke(self):
        count = 130
        bodies = "".join(
            f"coord b{i} [rad]\nframe B{i} = N rotated b{i} about z\npoint C{i} = O + l*B{i}.x\n"
            f"particle p{i} mass m at C{i}\noutput h{i} = dot(pos(C{i}, O), N.y)\n"
            for i in range(count)
        )
        text = PENDULUM.replace("let height", bodies + "let height")
        self.assertEqual(self.client.open(self.uri, text), [])
        times = []
        for k in range(8):
            begin = time.perf_counter()
            found = self.client.change(self.uri, text + f"output g = nothing{k}\n")
            times.append(time.perf_counter() - begin)
            self.assertEqual([one["code"] for one in found], ["unknown-name"])
        lines, milliseconds = text.count("\n"), 1e3 * sorted(times)[4]
        print(f"{lines} lines: median {milliseconds:.1f} ms from a keystroke to its diagnostics")


if __name__ == "__main__":
    unittest.main()
