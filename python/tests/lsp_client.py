"""A client of the language server over standard input and output, for tests."""

import json
import os
import queue
import subprocess
import sys
import threading

TIMEOUT = 20  # [s] for one answer; a slow machine needs a fraction of a second


class Client:
    """A session with `python -m vinculum.lsp`.

    diagnostics  the last published list by document
    """

    def __init__(self, encodings=("utf-16",)):
        self._process = subprocess.Popen(
            [sys.executable, "-m", "vinculum.lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ
        )
        self._messages = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self._id, self._version, self.diagnostics = 0, 0, {}
        general = {"positionEncodings": list(encodings)}
        self.capabilities = self.ask(
            "initialize", {"processId": None, "rootUri": None, "capabilities": {"general": general}}
        )["capabilities"]
        self.tell("initialized", {})

    def _read(self):
        stream = self._process.stdout
        while header := stream.readline():
            length = int(header.split(b":")[1]) if header.lower().startswith(b"content-length") else None
            while stream.readline().strip():
                pass
            if length is not None:
                self._messages.put(json.loads(stream.read(length)))

    def _send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def tell(self, method, parameters):
        self._send({"method": method, "params": parameters})

    def ask(self, method, parameters):
        """The result of a request. Diagnostics that arrive before it are kept."""
        self._id += 1
        self._send({"id": self._id, "method": method, "params": parameters})
        while (message := self._next()).get("id") != self._id:
            pass
        if "error" in message:
            raise AssertionError(message["error"])
        return message["result"]

    def _next(self):
        message = self._messages.get(timeout=TIMEOUT)
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        return message

    def open(self, uri, text):
        document = {"uri": uri, "languageId": "vinculum", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return self.settled(uri)

    def change(self, uri, text):
        self._version += 1
        document = {"uri": uri, "version": self._version}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        while self._next().get("params", {}).get("uri") != uri:
            pass
        return self.diagnostics[uri]

    def close(self, uri):
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    def settled(self, uri):
        """Diagnostics of a document after everything that was sent: a request is answered after them."""
        self.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        return self.diagnostics.get(uri)

    def format(self, uri):
        options = {"tabSize": 8, "insertSpaces": False}
        return self.ask("textDocument/formatting", {"textDocument": {"uri": uri}, "options": options})

    def at(self, method, uri, line, character):
        return self.ask(f"textDocument/{method}", _at(uri, line, character))

    def end(self):
        """Says goodbye. Returns the exit status."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        status = self._process.wait(timeout=TIMEOUT)
        self._process.stdin.close()
        self._process.stdout.close()
        return status


def _at(uri, line, character):
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
