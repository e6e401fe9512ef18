"""Exceptions of the oracle. Each carries what a person needs to find the place."""


class OracleError(Exception):
    """Base of everything that the oracle raises on purpose."""


class InputError(OracleError):
    """Malformed input, with its place (`file:line:col: error: ...`, counted from 1)."""

    def __init__(self, message, line=0, col=0, path=None):
        super().__init__(message)
        self.message, self.line, self.col, self.path = message, line, col, path

    def __str__(self):
        where = self.path or '<input>'
        if self.line:
            where += ':%d:%d' % (self.line, self.col)
        return '%s: error: %s' % (where, self.message)


class Refused(OracleError):
    """A policy refuses the state (crossbar-off=refuse)."""


class ProgramError(OracleError):
    """The program breaks a rule or reads an undefined value; the message says which."""


class Unsupported(OracleError):
    """Legal, but the evaluator has no value for it (dependent reads, for instance)."""


def place(text, offset):
    """(line, column) of an offset, both from 1; a tab is one column (notes/formats.md)."""
    line = text.count('\n', 0, offset) + 1
    return line, offset - (text.rfind('\n', 0, offset) + 1) + 1
