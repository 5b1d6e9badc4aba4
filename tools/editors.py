#!/usr/bin/env python3
"""Writes what editors and Pygments need to know about the language, from the tables of the program: a TextMate grammar,
the folder editors/vscode, and the lexer of the Python package.

    python tools/editors.py           writes the files
    python tools/editors.py --check   fails if a file differs

Needs the Python package (docs/python.md), which gives the tables. docs/editors.md describes the results.
"""

import argparse
import json
import pathlib
import re
import sys

from vinculum import vocabulary

ROOT = pathlib.Path(__file__).resolve().parents[1]
PREFIXES = "YZEPTGMkhdcmunpfazy"
# Words in forms that name something else: arguments, and remarks about the form.
FORM_WORDS = {"args", "several", "braces"}
# Classes are written out: in TextMate grammars, \w, \d and \s contain characters that the language does not know.
NAME = r"[A-Za-z_][A-Za-z0-9_]*"
INDICES = r"(?:\[[^\]\n]*\])?"
NUMBER = r"(?:[0-9]+(?:\.(?!\.)[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
SYMBOL = r"==|!=|<=|>=|\.\.|\+-|(?<!/)/(?!/)|[-+*^=<>~,:;.()\[\]{}|±−]"
PRIMES = r"(?<=[A-Za-z0-9_\]])'+"
SEQUENCE = r"(?:body|space)[1-3]{3}"
# Statements whose next word is a new name.
DECLARING = (
    "model param coord speed let frame point particle body constraint joint reveal output state input event component"
).split()


def alternatives(words):
    """A pattern for one of the words; longer ones first, so that none hides another."""
    return "|".join(re.escape(word) for word in sorted(set(words), key=lambda word: (-len(word), word)))


class Words:
    """Patterns for the words of the language."""

    def __init__(self):
        tables = json.loads(vocabulary())
        rows = {table: rows for table, rows in tables.items() if isinstance(rows[0], dict)}
        heads = {table: [row["word"] for row in rows[table]] for table in rows}
        self.first = alternatives(heads["statements"] + heads["clauses"] + heads["view"] + ["else"])
        self.laws = alternatives(heads["laws"])
        self.joints = alternatives(heads["joints"])
        self.functions = alternatives(row["word"] for row in tables["functions"] if not row["is_quantity"])
        self.quantities = alternatives(row["word"] for row in tables["functions"] if row["is_quantity"])
        self.operators = alternatives(tables["operators"])
        self.inner = alternatives(self._inner(tables, heads))
        self.colours = alternatives(heads["colours"])
        whole = alternatives(heads["units"])
        prefixed = alternatives(row["word"] for row in tables["units"] if row["takes_prefixes"])
        factor = rf"(?:(?:{whole}|[{PREFIXES}](?:{prefixed}))(?![A-Za-z_]))"
        power = r"(?:\^(?:-?[0-9]+(?:/[0-9]+)?|\(\s*-?[0-9]+(?:\s*/\s*[0-9]+)?\s*\)))?"
        self.unit = rf"\[\s*(?:1\s*/\s*)?{factor}{power}(?:\s*[*/]\s*{factor}{power})*\s*\]|\[\s*1\s*\](?=\s|$|,)"
        self.blocks = alternatives(row["word"] for row in tables["statements"] if "{" in row["form"])

    @staticmethod
    def _inner(tables, heads):
        """Words inside statements, such as `mass` and `rotated`: the small words of the forms."""
        forms = [row["form"] for table in ("statements", "clauses", "view", "laws", "joints") for row in tables[table]]
        found = set()
        for form in forms:
            found |= set(re.findall(r"(?<![\w\"])[a-z][a-z]+2?(?![\w(.])", re.sub(r'"[^"]*"', "", form)))
        known = {row["word"] for row in tables["functions"]} | FORM_WORDS | set(tables["operators"])
        return found - known | set(heads["methods"]) | set(heads["formulations"]) | set(tables["connectives"]) - known


def grammar(words):
    """The TextMate grammar."""
    name = "vinculum"

    def rule(pattern, scope):
        return {"match": pattern, "name": f"{scope}.{name}"}

    def rules(pattern, *scopes):
        captures = {str(i + 1): {"name": f"{scope}.{name}"} for i, scope in enumerate(scopes)}
        return {"match": pattern, "captures": captures}

    keyword, declared = "keyword.control", "entity.name.type"
    patterns = [
        rule(r"#.*$", "comment.line.number-sign"),
        {**rule(r'"[^"\n]*"', "string.quoted.double")},
        rule(words.unit, "constant.other.unit"),
        rules(rf"^\s*(joint)\s+({NAME}{INDICES})\s*:\s*({words.joints})\b", keyword, declared, "support.type"),
        rules(rf"^\s*({alternatives(DECLARING)})\s+({NAME})", keyword, declared),
        rules(rf"(?:^\s*)?\b(law)\s+({words.laws})\b", keyword, "support.type"),
        rules(rf"^\s*({words.first})\b", keyword),
        rules(rf"\b(colour)\s+({words.colours})\b", "keyword.other", "constant.other.colour"),
        rule(rf"\b{SEQUENCE}\b", "support.function"),
        rule(rf"\b(?:{words.functions})(?=\s*\()", "support.function"),
        rule(rf"\b(?:{words.operators})\b", "keyword.operator.word"),
        rule(rf"(?<![.\w])(?:{words.inner})\b(?!\s*[=('\[.])", "keyword.other"),
        rule(rf"(?<![.\w])(?:{words.quantities})\b", "support.variable"),
        rule(r"(?<![.\w])(?:t|pi)\b", "constant.language"),
        rule(NUMBER, "constant.numeric"),
        rule(rf"{NAME}'*", "variable.other"),
        rule(PRIMES, "keyword.operator.prime"),
        rule(SYMBOL, "keyword.operator"),
        rule(r"[^ \t\r\f\ufeff]", "invalid.illegal"),
    ]
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "comment": "Written by tools/editors.py; do not edit.",
        "name": "Vinculum",
        "scopeName": "source.vinculum",
        "fileTypes": ["vin"],
        "patterns": patterns,
    }


def lexer(words):
    """The source of the Pygments lexer."""

    def quoted(name, pattern):
        """An assignment of a pattern, in the layout of ruff: lines of at most 120 columns."""
        whole = json.dumps(pattern, ensure_ascii=False)
        if len(f"{name} = {whole}") <= 120:
            return f"{name} = {whole}"
        parts = [pattern] if len(whole) <= 116 else [pattern[i : i + 96] for i in range(0, len(pattern), 96)]
        return "\n".join([f"{name} = (", *(f"    {json.dumps(part, ensure_ascii=False)}" for part in parts), ")"])

    constants = {
        "_FIRST": words.first,
        "_INNER": words.inner,
        "_FUNCTIONS": words.functions,
        "_QUANTITIES": words.quantities,
        "_JOINTS": words.joints,
        "_LAWS": words.laws,
        "_COLOURS": words.colours,
        "_OPERATORS": words.operators,
        "_UNIT": words.unit,
        "_DECLARING": alternatives(DECLARING),
        "_SYMBOL": SYMBOL,
        "_NUMBER": NUMBER,
    }
    return (
        '"""Lexer of the model language for Pygments: `vin` in Sphinx, MkDocs and notebooks.\n\n'
        'Written by tools/editors.py from the tables of the language; do not edit.\n"""\n\n'
        "import re\n\nfrom pygments.lexer import RegexLexer, bygroups\n"
        "from pygments.token import Comment, Keyword, Name, Number, Operator, String, Whitespace\n\n"
        + "\n".join(quoted(name, pattern) for name, pattern in constants.items())
        + f'''


class VinculumLexer(RegexLexer):
    """The model language. Characters that no token begins with are error tokens."""

    name = "Vinculum"
    aliases = ["vin", "vinculum"]
    filenames = ["*.vin"]
    flags = re.MULTILINE | re.ASCII
    tokens = {{
        "root": [
            (r"#[^\\n]*", Comment.Single),
            (r'"[^"\\n]*"', String),
            (_UNIT, Name.Attribute),
            (
                rf"^([ \\t]*)(joint)([ \\t]+)({NAME}{INDICES})([ \\t]*)(:)([ \\t]*)({{_JOINTS}})\\b",
                bygroups(Whitespace, Keyword, Whitespace, Name.Class, Whitespace, Operator, Whitespace, Keyword.Type),
            ),
            (
                rf"^([ \\t]*)({{_DECLARING}})([ \\t]+)({NAME})",
                bygroups(Whitespace, Keyword, Whitespace, Name.Class),
            ),
            (
                rf"(^[ \\t]*)?\\b(law)([ \\t]+)({{_LAWS}})\\b",
                bygroups(Whitespace, Keyword, Whitespace, Keyword.Type),
            ),
            (rf"^([ \\t]*)({{_FIRST}})\\b", bygroups(Whitespace, Keyword)),
            (rf"\\b(colour)([ \\t]+)({{_COLOURS}})\\b", bygroups(Keyword.Pseudo, Whitespace, Name.Constant)),
            (r"\\b{SEQUENCE}\\b", Name.Builtin),
            (rf"\\b(?:{{_FUNCTIONS}})(?=\\s*\\()", Name.Builtin),
            (rf"\\b(?:{{_OPERATORS}})\\b", Operator.Word),
            (rf"(?<![.\\w])(?:{{_INNER}})\\b(?!\\s*[=('\\[.])", Keyword.Pseudo),
            (rf"(?<![.\\w])(?:{{_QUANTITIES}})\\b", Name.Builtin.Pseudo),
            (r"(?<![.\\w])(?:t|pi)\\b", Name.Constant),
            (_NUMBER, Number),
            (r"{NAME}", Name),
            (r"{PRIMES}", Operator),
            (_SYMBOL, Operator),
            (r"[ \\t\\r\\n\\f\\ufeff]+", Whitespace),
        ]
    }}
'''
    )


def version():
    """Version of the project."""
    return re.search(r"project\(Vinculum VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def package():
    """package.json of the folder for VS Code."""
    return {
        "name": "vinculum",
        "displayName": "Vinculum",
        "description": "Models of constrained motion: colors, diagnostics, units, completion",
        "version": version(),
        "publisher": "vinculum",
        "license": "Apache-2.0",
        "private": True,
        "engines": {"vscode": "^1.91.0"},
        "categories": ["Programming Languages", "Linters", "Formatters"],
        "main": "./extension.js",
        "scripts": {"test": "node --test test/"},
        "contributes": {
            "languages": [
                {
                    "id": "vinculum",
                    "aliases": ["Vinculum", "vin"],
                    "extensions": [".vin"],
                    "configuration": "./language-configuration.json",
                }
            ],
            "grammars": [
                {
                    "language": "vinculum",
                    "scopeName": "source.vinculum",
                    "path": "./syntaxes/vinculum.tmLanguage.json",
                }
            ],
            "configuration": {
                "title": "Vinculum",
                "properties": {
                    "vinculum.python": {
                        "type": "string",
                        "default": "python3",
                        "scope": "machine",
                        "description": "Python with the package vinculum[lsp], which runs the language server",
                    }
                },
            },
        },
        "dependencies": {"vscode-languageclient": "9.0.1"},
        "devDependencies": {"vscode-oniguruma": "2.0.1", "vscode-textmate": "9.3.2"},
    }


def configuration(words):
    """Brackets, comments and indentation for VS Code."""
    pairs = [["{", "}"], ["[", "]"], ["(", ")"]]
    return {
        "comments": {"lineComment": "#"},
        "brackets": pairs,
        "autoClosingPairs": [
            *({"open": a, "close": b} for a, b in pairs),
            {"open": '"', "close": '"', "notIn": ["string"]},
        ],
        "surroundingPairs": [*pairs, ['"', '"'], ["|", "|"]],
        "wordPattern": r"[A-Za-z_]\w*",
        "indentationRules": {
            "increaseIndentPattern": rf"^\s*(?:\}}\s*)?(?:{words.blocks}|else)\b[^#\"]*\{{\s*(?:#.*)?$",
            "decreaseIndentPattern": r"^\s*\}",
        },
    }


def files():
    """Text of each file by its path below the root."""
    words = Words()

    def text(value):
        return json.dumps(value, indent=2, ensure_ascii=False) + "\n"

    return {
        "editors/vscode/package.json": text(package()),
        "editors/vscode/language-configuration.json": text(configuration(words)),
        "editors/vscode/syntaxes/vinculum.tmLanguage.json": text(grammar(words)),
        "python/vinculum/highlight.py": lexer(words),
    }


def main():
    """Writes or compares the files. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="only compare")
    check = parser.parse_args().check
    differing = [
        path for path, text in files().items() if not (ROOT / path).is_file() or (ROOT / path).read_text() != text
    ]
    for path in differing:
        if check:
            print(f"{path} differs from the tables of the language: run tools/editors.py", file=sys.stderr)
        else:
            (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / path).write_text(files()[path])
            print(path)
    return 1 if check and differing else 0


if __name__ == "__main__":
    sys.exit(main())
