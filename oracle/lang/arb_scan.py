"""Scanner for ARB_fragment_program and ARB_vertex_program texts. The parser requests tokens of a given kind,
since the meaning of a digit depends on the context (`2D`, `0..3`, a component of SWZ).
"""
import re

from ..common.errors import InputError, place

BLANK = re.compile(r'(?:[ \t\r\n]|#[^\r\n]*)*')
WORD = re.compile(r'[A-Za-z_$][A-Za-z0-9_$]*')
# the decimal point is not the first point of `..`
NUMBER = re.compile(r'(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][-+]?\d+)?')
INTEGER = re.compile(r'\d+')
TARGET = re.compile(r'[A-Za-z0-9_$]+')


class Scanner:
    def __init__(self, text, at=0):
        self.text, self.at = text, at
        self.last = at              # start of the last token

    def fail(self, message, at=None):
        at = self.here() if at is None else at
        e = InputError(message, *place(self.text, at))
        e.offset = at
        raise e

    def here(self):
        """Returns the start of the next token."""
        self.at = BLANK.match(self.text, self.at).end()
        return self.at

    def take(self, pattern):
        """Takes and returns the next token if it matches the pattern, else None."""
        m = pattern.match(self.text, self.here())
        if not m:
            return None
        self.last, self.at = self.at, m.end()
        return m.group()

    def word(self):
        return self.take(WORD)

    def peek_word(self, after=''):
        """Returns the next word, without taking it, if it is preceded by `after`."""
        at, last = self.at, self.last
        found = self.word() if not after or self.accept(after) else None
        self.at, self.last = at, last
        return found

    def accept(self, sign):
        if not self.text.startswith(sign, self.here()):
            return False
        self.last, self.at = self.at, self.at + len(sign)
        return True

    def expect(self, sign):
        if not self.accept(sign):
            self.fail('expected "%s"' % sign)

    def keyword(self, *words):
        """Takes one of the words, or raises an error."""
        at = self.here()
        found = self.word()
        if found not in words:
            self.fail('expected %s' % ' or '.join(words), at)
        return found

    def dotted(self, *words):
        """If a point and one of the words follow, takes both and returns the word; else returns None and
        takes nothing."""
        if self.peek_word('.') not in words:
            return None
        self.accept('.')
        return self.word()

    def integer(self):
        at = self.here()
        found = self.take(INTEGER)
        if found is None:
            self.fail('expected a number', at)
        return int(found)

    def index(self, limit, what):
        """Parses [n] with n < limit."""
        self.expect('[')
        at = self.here()
        n = self.integer()
        if n >= limit:
            self.fail('%s %d is beyond %d' % (what, n, limit - 1), at)
        self.expect(']')
        return n

    def index_if(self, limit, what, default=0):
        return self.index(limit, what) if self.text.startswith('[', self.here()) else default
