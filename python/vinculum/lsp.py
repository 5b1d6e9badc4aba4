"""Language server for model texts: `python -m vinculum.lsp`, on standard input and output (docs/editors.md).

It reads the text in the editor, the files that the text includes and its tables; it compiles and runs nothing. Needs
pygls, which the extra `vinculum[lsp]` installs.
"""

import collections
import json
import os
import pathlib
import re
import sys

try:
    from lsprotocol import types
    from pygls import uris
    from pygls.lsp.server import LanguageServer
except ImportError as error:
    raise SystemExit(f"vinculum.lsp needs pygls: pip install 'vinculum[lsp]' ({error})") from None

from ._editor_completion import complete
from ._editor_hover import hover
from ._editor_outline import Outline
from ._editor_place import Place
from ._editor_text import Text
from ._errors import ModelError
from ._vinculum import __version__, format_text

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "notice": types.DiagnosticSeverity.Information,
}
_SYMBOLS = {
    "model": types.SymbolKind.Module,
    "parameter": types.SymbolKind.Constant,
    "argument": types.SymbolKind.Constant,
    "index": types.SymbolKind.Constant,
    "frame": types.SymbolKind.Namespace,
    "point": types.SymbolKind.Field,
    "particle": types.SymbolKind.Object,
    "body": types.SymbolKind.Object,
    "constraint": types.SymbolKind.Interface,
    "joint": types.SymbolKind.Interface,
    "event": types.SymbolKind.Event,
    "component": types.SymbolKind.Class,
    "use": types.SymbolKind.Object,
    "revealed force": types.SymbolKind.Property,
    "output": types.SymbolKind.Property,
}
_COMPLETIONS = {
    "keyword": types.CompletionItemKind.Keyword,
    "function": types.CompletionItemKind.Function,
    "unit": types.CompletionItemKind.Unit,
    "parameter": types.CompletionItemKind.Constant,
    "frame": types.CompletionItemKind.Module,
    "point": types.CompletionItemKind.Field,
    "particle": types.CompletionItemKind.Class,
    "body": types.CompletionItemKind.Class,
    "component": types.CompletionItemKind.Class,
    "constraint": types.CompletionItemKind.Interface,
    "axis": types.CompletionItemKind.Field,
}
_FRAGMENT = (
    "without `model` this is a file for `include`: its names and units are checked in an open model that includes it"
)


def _range(span):
    return types.Range(types.Position(*span[0]), types.Position(*span[1]))


class Document:
    """An open text with its outline.

    text, outline  Text; Outline
    path           of the file, which need not exist
    is_fragment    whether it is a file for `include`
    """

    def __init__(self, uri, source, encoding, unsaved):
        self.text = Text(source, encoding)
        unsaved_path = os.path.join(os.sep, "unsaved", re.sub(r"\W+", "_", uri) + ".vin")
        self.path = os.path.realpath(uris.to_fs_path(uri) or unsaved_path)
        self.outline = Outline(self.text.text, self.path, unsaved)
        self.is_fragment = not re.search(r"^\s*model\b", self.text.text, re.M)

    def diagnostics(self):
        """Those of the outline; of a file for `include` only those about its syntax."""
        if not self.is_fragment:
            return self.outline.diagnostics
        notice = {"file": self.path, "line": 1, "column": 1, "end_column": 2, "severity": "notice", "hint": ""}
        found = [{**notice, "kind": "missing-statement", "message": _FRAGMENT}] if self.text.text.strip() else []
        try:
            format_text(self.text.text, self.path)
        except ModelError as error:
            found += json.loads(error.error.json)
        return found

    def place(self, position):
        """(Place, line from 1) at a position of the protocol."""
        offset = self.text.offset_of(position.line, position.character)
        return Place(self.text.text, offset), self.text.line_of(offset)


class Workspace:
    """All open documents, and the diagnostics that were published for them."""

    def __init__(self, server):
        self._server = server
        self._documents = {}
        self._reports = {}  # document → file → diagnostics
        self._published = set()

    def document(self, uri):
        """The Document at its present state."""
        return self._documents[uri]

    def change(self, uri):
        """Reads the text of a document that was opened or changed, and the models that include it."""
        self._read(uri)
        path = self._documents[uri].path
        for other, document in list(self._documents.items()):
            if other != uri and path in map(os.path.realpath, document.outline.files[1:]):
                self._read(other)
        self._publish()

    def close(self, uri):
        """Forgets a document."""
        path = self._documents.pop(uri).path
        self._reports.pop(uri)
        for other, document in list(self._documents.items()):
            if path in map(os.path.realpath, document.outline.files[1:]):
                self._read(other)
        self._publish()

    def text_of(self, file):
        """(uri, Text) of a file of a model: from the editor if it is open, else as saved."""
        path = os.path.realpath(file)
        for uri, document in self._documents.items():
            if document.path == path:
                return uri, document.text
        try:
            saved = pathlib.Path(path).read_bytes().decode("utf-8", "replace")
        except OSError:
            saved = ""
        return uris.from_fs_path(path), Text(saved, self._encoding())

    def _encoding(self):
        encoding = self._server.workspace.position_encoding
        return getattr(encoding, "value", encoding) or "utf-16"

    def _read(self, uri):
        source = self._server.workspace.get_text_document(uri).source
        unsaved = {one.path: one.text.text for other, one in self._documents.items() if other != uri}
        document = self._documents[uri] = Document(uri, source, self._encoding(), unsaved)
        report = self._reports[uri] = {}
        for one in document.diagnostics():
            report.setdefault(one["file"], []).append(one)

    def _publish(self):
        """Sends the diagnostics of all files. Files that an open model includes have those of the models."""
        models = self._documents.values()
        included = {os.path.realpath(file) for document in models for file in document.outline.files[1:]}
        found = {uri: {} for uri in self._documents}
        for uri, report in self._reports.items():
            document = self._documents[uri]
            if document.is_fragment and document.path in included:
                continue
            for file, diagnostics in report.items():
                target, text = (uri, document.text) if file == document.path else self.text_of(file)
                for one in diagnostics:
                    diagnostic = self._diagnostic(one, text)
                    found.setdefault(target, {})[(one["line"], one["column"], one["message"])] = diagnostic
        for uri in set(found) | self._published:
            diagnostics = list(found.get(uri, {}).values())
            self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))
        self._published = {uri for uri, diagnostics in found.items() if diagnostics}

    @staticmethod
    def _diagnostic(one, text):
        hint = f"\nhint: {one['hint']}" if one["hint"] else ""
        return types.Diagnostic(
            _range(text.span(one["line"], one["column"], one["end_column"])),
            one["message"] + hint,
            severity=_SEVERITIES[one["severity"]],
            code=one["kind"],
            source="vinculum",
        )


class Server(LanguageServer):
    """The server with its documents. Each change sends the whole text, which is a few kilobytes."""

    def __init__(self):
        super().__init__("vinculum", __version__, types.TextDocumentSyncKind.Full)
        self.models = Workspace(self)


server = Server()


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def did_open(its: Server, params):
    """Reads a text that was opened."""
    its.models.change(params.text_document.uri)


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def did_change(its: Server, params):
    """Reads a text again."""
    its.models.change(params.text_document.uri)


@server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
def did_close(its: Server, params):
    """Forgets a text."""
    its.models.close(params.text_document.uri)


@server.feature(types.TEXT_DOCUMENT_FORMATTING)
def formatting(its: Server, params):
    """The layout of `vinculum format`, as one edit; none if the text has errors."""
    text = its.models.document(params.text_document.uri).text
    try:
        formatted = format_text(text.text)
    except ModelError:
        return None
    return [] if formatted == text.text else [types.TextEdit(_range(((0, 0), text.end)), formatted)]


@server.feature(types.TEXT_DOCUMENT_HOVER)
def show_hover(its: Server, params):
    """Unit and documentation of the word at a place."""
    document = its.models.document(params.text_document.uri)
    place, line = document.place(params.position)
    markdown, _ = hover(document.outline, place, document.path, line)
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, markdown)) if markdown else None


@server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[".", "["]))
def completion(its: Server, params):
    """Words that may follow, names of the model first."""
    document = its.models.document(params.text_document.uri)
    place, line = document.place(params.position)
    return [
        types.CompletionItem(
            item.label,
            kind=_COMPLETIONS.get(item.kind, types.CompletionItemKind.Variable),
            detail=item.detail or None,
            documentation=item.about or None,
            sort_text=("1" if item.kind in ("keyword", "function", "unit") else "0") + item.label,
        )
        for item in complete(document.outline, place, document.path, line)
    ]


@server.feature(types.TEXT_DOCUMENT_DEFINITION)
def definition(its: Server, params):
    """The declaration of a name, or an included file."""
    document = its.models.document(params.text_document.uri)
    place, line = document.place(params.position)
    file = place.string()
    if file is not None and place.whole_line.lstrip().startswith("include"):
        return _start_of(os.path.join(os.path.dirname(document.path), file))
    name, _ = place.word()
    found = None if name is None or place.is_quoted else document.outline.resolve(name, document.path, line)
    if found is None:
        return None
    uri, text = its.models.text_of(found["file"])
    return types.Location(uri, _range(text.span(found["line"], found["column"], found["end_column"])))


def _start_of(path):
    if not os.path.isfile(path):
        return None
    return types.Location(uris.from_fs_path(os.path.realpath(path)), _range(((0, 0), (0, 0))))


@server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def document_symbols(its: Server, params):
    """The names that a text declares; those of a component are below it."""
    document = its.models.document(params.text_document.uri)
    text = document.text
    found: list[types.DocumentSymbol] = []
    components: list[tuple[int, int, types.DocumentSymbol]] = []
    names = document.outline.is_declared_in(document.path)
    on_line = collections.Counter(one["first_line"] for one in names)
    for name in names:
        span = text.span(name["line"], name["column"], name["end_column"])
        around = span
        if on_line[name["first_line"]] == 1 or name["kind"] == "component":
            last = text.position(text.offset(name["last_line"] + 1, 1))
            around = text.position(text.offset(name["first_line"], 1)), max(last, span[1])
        symbol = types.DocumentSymbol(
            name["name"].rpartition(".")[2] if name["kind"] != "constraint" else name["name"],
            _SYMBOLS.get(name["kind"], types.SymbolKind.Variable),
            _range(around),
            _range(span),
            detail=f"{name['kind']} {name['unit']}".rstrip(),
            children=[],
        )
        outer = [one for first, last, one in components if first <= name["line"] <= last]
        (outer[-1].children if outer else found).append(symbol)
        if name["kind"] == "component":
            components.append((name["first_line"], name["last_line"], symbol))
    return found


def main():
    """Serves one editor on standard input and output until the client exits."""
    server.start_io()


if __name__ == "__main__":
    sys.exit(main())
