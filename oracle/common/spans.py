"""Numbers of programs whose operations are not all rational: exact fractions where the operation is,
intervals of binary64 that hold the true value where not, and named poison where a result is undefined.

A value is a Fraction (exact), a Span (the true value lies in it), or a Poison. Every operation takes and
gives these; poison of an operand is the result. An operation that jumps inside an operand's interval gives
Poison whose `undecided` is true: nothing is known of the lane, and it is not to be compared.
"""
import math
from fractions import Fraction

BITS = 384              # exact numbers with more are rounded outward to a Span: else they double at each MUL
LARGEST = 2.0 ** 1000   # beyond it a value is poison: no extension says anything about overflow
ZERO, ONE = Fraction(0), Fraction(1)


class Poison:
    """An undefined result; why."""

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
    """A Span, or poison if it overflows."""
    if not (-LARGEST < lo <= hi < LARGEST):
        return Poison('overflow')
    return Span(lo, hi)


def trim(x):
    """A Fraction, as a Span if it is too long to go on exactly."""
    n, d = x.numerator, x.denominator
    if n.bit_length() + d.bit_length() <= BITS:
        return x
    if n.bit_length() - d.bit_length() > 990:
        return Poison('overflow')
    return span_of(x)


def poisoned(*values):
    """The poison among values, undecided last, or None."""
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
    if a == 0 or b == 0:        # 0*x = 0 of finite x is demanded
        return ZERO
    if a == 1 or b == 1:
        return b if a == 1 else a
    a, b = span_of(a), span_of(b)
    corners = (a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi)
    return make(below(min(corners)), above(max(corners)))


def bounds(a):
    """Lowest and highest value that a may have."""
    return (a.lo, a.hi) if isinstance(a, Span) else (a, a)


def less(a, b):
    """True, False, or None where the intervals do not decide a < b."""
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
    """a < b ? yes : no. The arm that is not chosen may be poison."""
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
    """The square root of a fraction: a Fraction where it is one."""
    n, d = math.isqrt(a.numerator), math.isqrt(a.denominator)
    if n * n == a.numerator and d * d == a.denominator:
        return Fraction(n, d)
    near = span_of(a)
    return Span(below(math.sqrt(near.lo)), above(math.sqrt(near.hi)))


def root(a):
    """sqrt; of a negative number poison."""
    if isinstance(a, Poison):
        return a
    if bounds(a)[0] < 0:
        return Undecided('sqrt of %r' % a) if bounds(a)[1] >= 0 else Poison('sqrt of a negative number')
    return root_of(a) if isinstance(a, Fraction) else Span(below(math.sqrt(a.lo)), above(math.sqrt(a.hi)))


def reciprocal_root(a):
    """1/sqrt(a)."""
    r = root(a)
    return Poison('RSQ of 0') if isinstance(r, Fraction) and r == 0 else reciprocal(r)


def looser(lo, hi, ulps=4):
    """The interval with room for what the C library's functions may be off."""
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
    """n with a = 2^n, or None."""
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
    """sin or cos: both change no faster than their argument."""
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
    """a with a tolerance around it."""
    if isinstance(a, Poison) or amount == 0:
        return a
    lo, hi = bounds(span_of(a))
    return make(below(lo - amount), above(hi + amount))


def magnitude(*values):
    """The largest absolute value that one of them may have."""
    known = [bounds(v) for v in values if not isinstance(v, Poison)]
    return max((abs(float(x)) for ends in known for x in ends), default=0.0)


def width(a):
    return 0.0 if isinstance(a, Fraction) else a.hi - a.lo


def meet(a, b):
    """Whether two values that are no poison may be the same number."""
    (alo, ahi), (blo, bhi) = bounds(a), bounds(b)
    return alo <= bhi and blo <= ahi
