"""Exceptions of the oracle. Each contains the data to find the position of the error."""


class OracleError(Exception):
    """Base of all exceptions that the oracle raises on purpose."""


class InputError(OracleError):
    """Malformed input, with its position (`file:line:col: error: ...`, counted from 1)."""

    def __init__(self, message, line=0, col=0, path=None):
        super().__init__(message)
        self.message, self.line, self.col, self.path = message, line, col, path

    def __str__(self):
        where = self.path or '<input>'
        if self.line:
            where += ':%d:%d' % (self.line, self.col)
        return '%s: error: %s' % (where, self.message)


class Refused(OracleError):
    """A policy (crossbar-off=refuse) refuses the state."""


class ProgramError(OracleError):
    """The program breaks a rule or reads an undefined value; the message says which."""


class Unsupported(OracleError):
    """Legal input for which the evaluator has no value (dependent reads, for instance)."""


def place(text, offset):
    """Returns (line, column) of an offset, both counted from 1; a tab counts as one column
    (notes/formats.md)."""
    line = text.count('\n', 0, offset) + 1
    return line, offset - (text.rfind('\n', 0, offset) + 1) + 1
