"""Numbers for programs whose operations are not all rational: exact fractions where an operation is rational,
intervals of doubles that contain the true value where it is not, and poison with a reason where a result is
undefined.

A value is a Fraction (exact), a Span (contains the true value), or a Poison. Every operation takes and
returns these; with poison as an operand the result is poison. If an operation is discontinuous inside an
operand's interval, the result is a Poison whose `undecided` is true: nothing is known of the lane, and it
must not be compared.
"""
import math
from fractions import Fraction

BITS = 384  # exact numbers with more bits are rounded outward to a Span, since each MUL doubles the bits
LARGEST = 2.0 ** 1000   # larger values are poison: no extension specifies overflow
ZERO, ONE = Fraction(0), Fraction(1)


class Poison:
    """An undefined result, with the reason."""

    undecided = False

    def __init__(self, why):
        self.why = why

    def __repr__(self):
        return 'poison (%s)' % self.why


class Undecided(Poison):
    undecided = True


class Span:
    """The closed interval of the doubles lo and hi."""

    __slots__ = ('lo', 'hi')

    def __init__(self, lo, hi):
        self.lo, self.hi = lo, hi

    def __repr__(self):
        return '[%.9g, %.9g]' % (self.lo, self.hi)


def below(x):
    return math.nextafter(x, -math.inf)


def above(x):
    return math.nextafter(x, math.inf)


def span_of(x):
    if isinstance(x, Span):
        return x
    near = float(x)
    if near == x:
        return Span(near, near)
    return Span(below(near), above(near))


def make(lo, hi):
    """Returns a Span, or poison if it overflows."""
    if not (-LARGEST < lo <= hi < LARGEST):
        return Poison('overflow')
    return Span(lo, hi)


def trim(x):
    """Returns x, or a Span that contains x if the fraction has too many bits."""
    n, d = x.numerator, x.denominator
    if n.bit_length() + d.bit_length() <= BITS:
        return x
    if n.bit_length() - d.bit_length() > 990:
        return Poison('overflow')
    return span_of(x)


def poisoned(*values):
    """Returns the poison among values (undecided ones last), or None."""
    found = None
    for v in values:
        if isinstance(v, Poison):
            if not v.undecided:
                return v
            found = v
    return found


def both_exact(a, b):
    return isinstance(a, Fraction) and isinstance(b, Fraction)


def neg(a):
    if isinstance(a, Fraction):
        return -a
    return a if isinstance(a, Poison) else Span(-a.hi, -a.lo)


def add(a, b):
    if both_exact(a, b):
        return trim(a + b)
    bad = poisoned(a, b)
    if bad:
        return bad
    if a == 0 or b == 0:
        return b if a == 0 else a
    a, b = span_of(a), span_of(b)
    return make(below(a.lo + b.lo), above(a.hi + b.hi))


def sub(a, b):
    return add(a, neg(b))


def mul(a, b):
    if both_exact(a, b):
        return trim(a * b)
    bad = poisoned(a, b)
    if bad:
        return bad
    if a == 0 or b == 0:        # the extensions require 0*x = 0 for finite x
        return ZERO
    if a == 1 or b == 1:
        return b if a == 1 else a
    a, b = span_of(a), span_of(b)
    corners = (a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi)
    return make(below(min(corners)), above(max(corners)))


def bounds(a):
    """Returns the lowest and the highest value that a may have."""
    return (a.lo, a.hi) if isinstance(a, Span) else (a, a)


def less(a, b):
    """Returns True, False, or None if the intervals do not decide a < b."""
    (alo, ahi), (blo, bhi) = bounds(a), bounds(b)
    return True if ahi < blo else False if alo >= bhi else None


def least(a, b):
    bad = poisoned(a, b)
    if bad:
        return bad
    if both_exact(a, b):
        return min(a, b)
    first = less(a, b)
    if first is not None:
        return a if first else b
    a, b = span_of(a), span_of(b)
    return Span(min(a.lo, b.lo), min(a.hi, b.hi))


def most(a, b):
    return neg(least(neg(a), neg(b)))


def absolute(a):
    return most(a, neg(a))


def sat(a):
    return least(most(a, ZERO), ONE)


def choose(a, b, yes, no):
    """Returns a < b ? yes : no. The value that is not chosen may be poison."""
    bad = poisoned(a, b)
    if bad:
        return bad
    test = less(a, b)
    if test is None:
        return yes if yes is no or both_exact(yes, no) and yes == no else Undecided('a comparison of %r and %r' % (a, b))
    return yes if test else no


def floor(a):
    if isinstance(a, Poison):
        return a
    lo, hi = (math.floor(x) for x in bounds(a))
    return Fraction(lo) if lo == hi else Undecided('the floor of %r' % a)


def reciprocal(a):
    if isinstance(a, Poison):
        return a
    if isinstance(a, Fraction):
        return 1 / a if a else Poison('RCP of 0')
    if a.lo <= 0 <= a.hi:
        return Undecided('RCP of %r' % a)
    return make(below(1 / a.hi), above(1 / a.lo))


def root_of(a):
    """Returns the square root of a fraction, as a Fraction if it is rational."""
    n, d = math.isqrt(a.numerator), math.isqrt(a.denominator)
    if n * n == a.numerator and d * d == a.denominator:
        return Fraction(n, d)
    near = span_of(a)
    return Span(below(math.sqrt(near.lo)), above(math.sqrt(near.hi)))


def root(a):
    """Returns the square root; of a negative number poison."""
    if isinstance(a, Poison):
        return a
    if bounds(a)[0] < 0:
        return Undecided('sqrt of %r' % a) if bounds(a)[1] >= 0 else Poison('sqrt of a negative number')
    return root_of(a) if isinstance(a, Fraction) else Span(below(math.sqrt(a.lo)), above(math.sqrt(a.hi)))


def reciprocal_root(a):
    """Returns 1/sqrt(a)."""
    r = root(a)
    return Poison('RSQ of 0') if isinstance(r, Fraction) and r == 0 else reciprocal(r)


def looser(lo, hi, ulps=4):
    """Widens an interval by the error that functions of the C library may have."""
    room = ulps * 2.0 ** -52
    return make(below(lo - abs(lo) * room), above(hi + abs(hi) * room))


def exp2(a):
    if isinstance(a, Poison):
        return a
    if isinstance(a, Fraction) and a.denominator == 1 and abs(a) <= 200:
        return Fraction(2) ** int(a)
    a = span_of(a)
    if a.hi > 990:
        return Poison('overflow')
    if a.hi < -1000:
        return Span(0.0, 2.0 ** -1000)
    return looser(2.0 ** max(a.lo, -1020.0), 2.0 ** a.hi)


def power_of_two(a):
    """Returns n if a = 2^n, else None."""
    n, d = a.numerator, a.denominator
    if n & (n - 1) or d & (d - 1):
        return None
    return n.bit_length() - d.bit_length()


def log2(a):
    if isinstance(a, Poison):
        return a
    lo, hi = bounds(a)
    if lo <= 0:
        return Poison('LG2 of a number <= 0') if hi <= 0 else Undecided('LG2 of %r' % a)
    if isinstance(a, Fraction):
        n = power_of_two(a)
        if n is not None:
            return Fraction(n)
    a = span_of(a)
    got = looser(math.log2(a.lo), math.log2(a.hi))
    return make(got.lo - 1e-16, got.hi + 1e-16)


def wave(function, a):
    """Computes sin or cos of an interval, using that neither changes faster than its argument."""
    if isinstance(a, Poison):
        return a
    if a == 0:
        return Fraction(int(function(0.0)))
    a = span_of(a)
    if max(abs(a.lo), abs(a.hi)) > 2.0 ** 30:
        return Undecided('the sine of %r' % a)
    middle = (a.lo + a.hi) / 2
    room = (a.hi - a.lo) / 2 + 2.0 ** -50
    return Span(max(-1.0, function(middle) - room), min(1.0, function(middle) + room))


def sine(a):
    return wave(math.sin, a)


def cosine(a):
    return wave(math.cos, a)


def widen(a, amount):
    """Widens a by a tolerance."""
    if isinstance(a, Poison) or amount == 0:
        return a
    lo, hi = bounds(span_of(a))
    return make(below(lo - amount), above(hi + amount))


def magnitude(*values):
    """Returns the largest absolute value that any of the values may have."""
    known = [bounds(v) for v in values if not isinstance(v, Poison)]
    return max((abs(float(x)) for ends in known for x in ends), default=0.0)


def width(a):
    return 0.0 if isinstance(a, Fraction) else a.hi - a.lo


def meet(a, b):
    """Returns whether two values (not poison) may be the same number."""
    (alo, ahi), (blo, bhi) = bounds(a), bounds(b)
    return alo <= bhi and blo <= ahi
