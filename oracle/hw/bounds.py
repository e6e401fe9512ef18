"""A number domain for error analysis. A value is the range of an exact value, with a bound of the error of
the computed value. An evaluator over this domain bounds the difference between a number model and exact
arithmetic, for all inputs in the given ranges.
"""
from collections import namedtuple
from fractions import Fraction

# the exact value is in [lo, hi], the computed value differs by at most err
Bound = namedtuple('Bound', 'lo hi err')


def width(a):
    return max(abs(a.lo), abs(a.hi))


class Bounds:
    """The interface of domain.Exact over Bound."""

    zero, one, half = (Bound(Fraction(x), Fraction(x), Fraction(0)) for x in (0, 1, Fraction(1, 2)))

    @staticmethod
    def const(x):
        return Bound(Fraction(x), Fraction(x), Fraction(0))

    @staticmethod
    def between(lo, hi, err=0):
        return Bound(Fraction(lo), Fraction(hi), Fraction(err))

    @staticmethod
    def add(a, b):
        return Bound(a.lo + b.lo, a.hi + b.hi, a.err + b.err)

    @staticmethod
    def sub(a, b):
        return Bound(a.lo - b.hi, a.hi - b.lo, a.err + b.err)

    @staticmethod
    def mul(a, b):
        corners = [x * y for x in a[:2] for y in b[:2]]
        return Bound(min(corners), max(corners), width(a) * b.err + width(b) * a.err + a.err * b.err)

    @staticmethod
    def shift(a, k):
        factor = Fraction(2) ** k
        return Bound(a.lo * factor, a.hi * factor, a.err * factor)

    @staticmethod
    def _clamp(a, lo, hi):
        cut = lambda x: min(Fraction(hi), max(Fraction(lo), x))
        return Bound(cut(a.lo), cut(a.hi), min(a.err, Fraction(hi - lo)))

    def sat(self, a):
        return self._clamp(a, 0, 1)

    def sat8(self, a):
        return self._clamp(a, -8, 8)

    @staticmethod
    def absolute(a):
        low = Fraction(0) if a.lo <= 0 <= a.hi else min(abs(a.lo), abs(a.hi))
        return Bound(low, width(a), a.err)

    @staticmethod
    def _select(sure_a, sure_b, a, b):
        """Returns a or b, whichever is sure to be selected. If neither is, returns a value that covers both,
        whose error is their distance.
        """
        if sure_a:
            return a
        if sure_b:
            return b
        lo, hi = min(a.lo, b.lo), max(a.hi, b.hi)
        return Bound(lo, hi, hi - lo + max(a.err, b.err))

    def select_gt_half(self, c, a, b):
        return self._select(c.lo - c.err > Fraction(1, 2), c.hi + c.err <= Fraction(1, 2), a, b)

    def select_ge_zero(self, c, a, b):
        return self._select(c.lo - c.err >= 0, c.hi + c.err < 0, a, b)

    @staticmethod
    def in_unit_range(a):
        return True     # only the exact evaluation checks this

    @staticmethod
    def round_fixed(a, bits):
        return a._replace(err=a.err + Fraction(1, 2 << bits))

    @staticmethod
    def round_float(a, bits):
        """Rounds to nearest, with an error of half a unit in the last place of the largest magnitude."""
        top = width(a) + a.err
        if top == 0:
            return a
        exponent = 0
        while Fraction(2) ** exponent <= top:
            exponent += 1
        while Fraction(2) ** (exponent - 1) > top:
            exponent -= 1
        return a._replace(err=a.err + Fraction(2) ** (exponent - 1 - bits))

    @staticmethod
    def first_difference(a, b):
        """Returns -1: equal. Whether two interpretations of a program agree is decided with exact values, not
        here."""
        return -1


class BoundInputs:
    """Inputs of an evaluator over Bounds: texels and colours may have any value in [0,1]; environment colours
    have the values of a state."""

    dom = Bounds()

    def __init__(self, inputs):
        """`inputs` is a chips.Inputs whose state gives textures and colours."""
        self.inputs, self.state = inputs, inputs.state
        self.base_format = inputs.base_format

    def texture(self, unit):
        self.inputs.texture(unit)               # raises for units without texture
        return [self.dom.between(0, 1)] * 4

    def primary(self, ch):
        return self.dom.between(0, 1)

    secondary = primary

    def env(self, unit, ch):
        u = self.state.units[unit] if self.state is not None else None
        return self.dom.const(Fraction(u.color[ch])) if u is not None else self.dom.between(0, 1)

    def coord(self, n, ch):
        return self.dom.between(-8, 8)
