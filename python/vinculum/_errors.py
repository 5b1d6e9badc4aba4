"""Exceptions, raised when the C++ library returns an Error."""


class VinculumError(Exception):
    """Base class of all exceptions. str() is the text for people, with line and caret.

    error        the Error: kind, message, t, place, diagnostics
    kind         such as "not-unique"
    diagnostics  list of Diagnostic; empty unless the text of a model is wrong
    """

    def __init__(self, error):
        super().__init__(error.text.rstrip())
        self.error = error
        self.kind = error.kind
        self.diagnostics = error.diagnostics


class CallError(VinculumError, ValueError):
    """The call is not possible: a missing file, a name that the model does not have."""


class BuildError(CallError):
    """A call of a Builder, or an operation on its Terms, is not possible. The text names the call and its arguments."""

    def __init__(self, message):
        Exception.__init__(self, message)
        self.error, self.kind, self.diagnostics = None, "builder", []


class DesignError(CallError):
    """The design of a sweep or study, or the data of a fit, are not possible. The text names the column and the row."""

    def __init__(self, message):
        Exception.__init__(self, message)
        self.error, self.kind, self.diagnostics = None, "design", []


class StudyError(CallError):
    """A study cannot be created, continued or read. The text names the file and says what to do."""

    def __init__(self, message):
        Exception.__init__(self, message)
        self.error, self.kind, self.diagnostics = None, "study", []


class FmuError(CallError):
    """An FMU cannot be written. The text gives the reason."""

    def __init__(self, message):
        Exception.__init__(self, message)
        self.error, self.kind, self.diagnostics = None, "fmu", []


class ExportError(CallError):
    """A motion cannot be written for another program. The text gives the reason."""

    def __init__(self, message):
        Exception.__init__(self, message)
        self.error, self.kind, self.diagnostics = None, "export", []


class ModelError(VinculumError):
    """The text of a model is wrong; see `diagnostics`."""


class MotionError(VinculumError):
    """The motion cannot start, or cannot continue at time `t` [s]."""

    def __init__(self, error):
        super().__init__(error)
        self.t = error.t
