"""What is raised where the C++ library returns an Error."""


class VinculumError(Exception):
    """Base of all. `error` holds kind, message, t, place, diagnostics; str() is the text with line and caret."""

    def __init__(self, error):
        super().__init__(error.text.rstrip())
        self.error = error
        self.kind = error.kind
        self.diagnostics = error.diagnostics


class CallError(VinculumError, ValueError):
    """What was asked for is not possible: a file that is not there, a name that the model does not have."""


class BuildError(CallError):
    """A call of a Builder or between its Terms cannot be: the text names the call and says what it takes."""

    def __init__(self, message):
        Exception.__init__(self, message)
        self.error, self.kind, self.diagnostics = None, "builder", []


class ModelError(VinculumError):
    """The model's text is wrong: see `diagnostics`."""


class MotionError(VinculumError):
    """The motion cannot start or go on at `t`."""

    def __init__(self, error):
        super().__init__(error)
        self.t = error.t
