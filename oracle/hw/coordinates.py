"""Arithmetic for chips whose programs handle texture coordinates themselves, over a domain: a coordinate is
represented by its set, its channel and whether it is divided by q.
"""
from fractions import Fraction

from ..common.errors import Unsupported


class Coordinate:
    """Channel ch of an interpolated coordinate set, `divided` by q or not; with ch None: 1/q."""

    def __init__(self, number, ch, divided=False):
        self.set, self.ch, self.divided = number, ch, divided


class Math:
    """A domain with the operation that texture environments apply to coordinates: s times 1/q."""

    def __init__(self, dom):
        self.dom = dom
        self.const, self.absolute = dom.const, dom.absolute

    def neg(self, a):
        return self.dom.sub(self.dom.const(Fraction(0)), a)

    def add(self, a, b):
        return self.dom.add(a, b)

    def sub(self, a, b):
        return self.dom.sub(a, b)

    def sat(self, a):
        return self.dom.sat(a)

    def mul(self, a, b):
        if not isinstance(a, Coordinate) and not isinstance(b, Coordinate):
            return self.dom.mul(a, b)
        if isinstance(a, Coordinate) and a.ch is None:
            a, b = b, a
        if not isinstance(a, Coordinate) or not isinstance(b, Coordinate) or b.ch is not None or \
                a.divided or a.set != b.set:
            raise Unsupported('arithmetic on coordinates')
        return Coordinate(a.set, a.ch, True)

    def function(self, op, a, new):
        if op != 'RCP' or not isinstance(a, Coordinate) or a.ch != 3:
            raise Unsupported('%s has no value here' % op)
        return Coordinate(a.set, None)

    def floor(self, a):
        raise Unsupported('a floor has no value here')

    def least(self, a, b):
        return a if a is b else self.choose('LT', a, b, a, b)

    def most(self, a, b):
        return a if a is b else self.choose('GT', a, b, a, b)

    def choose(self, cond, a, b, x, y):
        sub, choose = self.dom.sub, self.dom.select_ge_zero
        return {'GE': lambda: choose(sub(a, b), x, y), 'LE': lambda: choose(sub(b, a), x, y),
                'LT': lambda: choose(sub(a, b), y, x), 'GT': lambda: choose(sub(b, a), y, x)}[cond]()


class Exact(Math):
    """For programs of ATI_fragment_shader, in which coordinates are numbers."""

    def mul(self, a, b):
        return self.dom.mul(a, b)

    def function(self, op, a, new):
        if op != 'RCP':
            raise Unsupported('%s has no value here' % op)
        return 1 / a
