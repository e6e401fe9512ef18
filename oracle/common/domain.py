"""Two exact number domains with one interface; evaluators are written once, for the interface.

`Exact` computes with fractions.Fraction: the reference. `Columns` does the same operations on a whole batch
of vectors at once. A value is a column of Python integers with a common binary exponent (value = integer /
2^f), so every operation is exact at any length: nothing needs to fit into 53 bits. Values are hash-consed: a
subexpression that occurs several times, in a state, in its program or in a later state, is computed only
once. The tests compare `Columns` with `Exact`.

None stands for an undefined value in the evaluators and is never passed to a domain.
"""
from fractions import Fraction
from math import floor
from operator import add as _add, mul as _mul, sub as _sub

HALF = Fraction(1, 2)


def round_float(numerator, denominator, bits):
    """Returns the nearest float with `bits` bits after the leading one, ties to even."""
    sign, n = (-1, -numerator) if numerator < 0 else (1, numerator)
    exponent = n.bit_length() - denominator.bit_length()        # exponent of the leading one, or that plus 1
    if n << max(0, -exponent) < denominator << max(0, exponent):
        exponent -= 1
    # the last bit of n / denominator * 2^scale has the value 1
    scale = bits - exponent
    q, r = divmod(n << max(0, scale), denominator << max(0, -scale))
    twice, full = 2 * r, denominator << max(0, -scale)
    q += twice > full or twice == full and q & 1
    return sign * q * Fraction(2) ** -scale


class NotDyadic(ValueError):
    """Raised if a value is not a dyadic fraction; it must then be computed in `Exact`, vector by vector."""


class Exact:
    """The reference: arithmetic on single values."""

    zero, one, half = Fraction(0), Fraction(1), HALF

    @staticmethod
    def const(x):
        return Fraction(x)

    @staticmethod
    def add(a, b):
        return a + b

    @staticmethod
    def sub(a, b):
        return a - b

    @staticmethod
    def mul(a, b):
        return a * b

    @staticmethod
    def shift(a, k):
        """Returns a * 2^k."""
        return a * Fraction(2) ** k

    @staticmethod
    def sat(a):
        return min(Fraction(1), max(Fraction(0), a))

    @staticmethod
    def sat8(a):
        return min(Fraction(8), max(Fraction(-8), a))

    @staticmethod
    def absolute(a):
        return abs(a)

    @staticmethod
    def select_gt_half(c, a, b):
        return a if c > HALF else b

    @staticmethod
    def select_ge_zero(c, a, b):
        return a if c >= 0 else b

    @staticmethod
    def in_unit_range(a):
        return 0 <= a <= 1

    @staticmethod
    def round_fixed(a, bits):
        """Rounds to the nearest multiple of 2^-bits, ties upwards."""
        return Fraction(floor(a * (1 << bits) + HALF), 1 << bits)

    @staticmethod
    def round_float(a, bits):
        """Rounds to the nearest number with `bits` bits after the leading one, ties to even; exponents are
        not limited."""
        return round_float(a.numerator, a.denominator, bits) if a else a

    @staticmethod
    def first_beyond(a, b, bound):
        """Returns -1 if a and b differ by at most the bound, else the index of the first vector where they
        differ by more."""
        return -1 if abs(a - b) <= bound else 0

    def div(a, b):
        """Returns a / b; a / 0 is unspecified (here 0)."""
        return a / b if b else Fraction(0)

    @staticmethod
    def opaque(key, operands, function):
        """Returns function(*operands); key identifies the function."""
        return function(*operands)

    @staticmethod
    def first_difference(a, b):
        """Returns -1 if equal, else the index of the first vector where a and b differ."""
        return -1 if a == b else 0


class Node:
    """A column: value[i] = col[i] / 2**f."""

    __slots__ = ('f', 'col')

    def __init__(self, f, col):
        self.f, self.col = f, col

    def values(self):
        return [Fraction(c, 1 << self.f) for c in self.col]


class Columns:
    """Batch arithmetic on columns of `count` integers, with hash-consing."""

    LIMIT = 100000          # when more values than this are memoised, all are dropped

    def __init__(self, count):
        self.count = count
        self.memo = {}
        self.keep = []
        self.zero = Node(0, [0] * count)
        self.one = Node(0, [1] * count)
        self.half = Node(1, [1] * count)

    def trim(self):
        """To be called between states: clears the memory if it has grown too large."""
        if len(self.memo) > self.LIMIT:
            self.memo = {}
            self.keep = []
            return True
        return False

    def const(self, x):
        x = Fraction(x)
        key = ('k', x)
        node = self.memo.get(key)
        if node is None:
            f = x.denominator.bit_length() - 1
            if x.denominator != 1 << f:
                raise ValueError('%s is not dyadic' % x)
            node = self.memo[key] = Node(f, [x.numerator] * self.count)
        return node

    @staticmethod
    def aligned(a, b):
        """Returns both columns with a common exponent."""
        d = a.f - b.f
        if d == 0:
            return a.f, a.col, b.col
        if d > 0:
            return a.f, a.col, [v << d for v in b.col]
        d = -d
        return b.f, [v << d for v in a.col], b.col

    def add(self, a, b):
        key = (1, id(a), id(b))
        node = self.memo.get(key)
        if node is None:
            f, x, y = self.aligned(a, b)
            node = self._put(key, f, list(map(_add, x, y)), a, b)
        return node

    def sub(self, a, b):
        key = (2, id(a), id(b))
        node = self.memo.get(key)
        if node is None:
            f, x, y = self.aligned(a, b)
            node = self._put(key, f, list(map(_sub, x, y)), a, b)
        return node

    def mul(self, a, b):
        key = (3, id(a), id(b))
        node = self.memo.get(key)
        if node is None:
            node = self._put(key, a.f + b.f, list(map(_mul, a.col, b.col)), a, b)
        return node

    def shift(self, a, k):
        if k == 0:
            return a
        key = (4, id(a), k)
        node = self.memo.get(key)
        if node is None:
            f, col = a.f - k, a.col
            if f < 0:
                f, col = 0, [v << -f for v in col]
            node = self._put(key, f, col, a, None)
        return node

    def sat(self, a):
        key = (5, id(a))
        node = self.memo.get(key)
        if node is None:
            one = 1 << a.f
            if min(a.col) >= 0 and max(a.col) <= one:
                node = a
            else:
                node = Node(a.f, [0 if v < 0 else one if v > one else v for v in a.col])
            self.memo[key] = node
            self.keep.append(a)
        return node

    def sat8(self, a):
        top = 8 << a.f
        if max(a.col) <= top and min(a.col) >= -top:
            return a
        key = (6, id(a))
        node = self.memo.get(key)
        if node is None:
            node = self._put(key, a.f, [-top if v < -top else top if v > top else v for v in a.col], a, None)
        return node

    def absolute(self, a):
        return self._put((7, id(a)), a.f, [abs(v) for v in a.col], a, None)

    def select_gt_half(self, c, a, b):
        f, x, y = self.aligned(a, b)
        return self._put((8, id(a), id(b), id(c)), f, [p if 2 * t > 1 << c.f else q
                                                       for t, p, q in zip(c.col, x, y)],
                         a, (b, c))

    def select_ge_zero(self, c, a, b):
        f, x, y = self.aligned(a, b)
        return self._put((9, id(a), id(b), id(c)), f, [p if t >= 0 else q for t, p, q in zip(c.col, x, y)],
                         a, (b, c))

    def round_fixed(self, a, bits):
        d = a.f - bits
        if d <= 0:
            return a
        key = (10, id(a), bits)
        node = self.memo.get(key)
        if node is None:
            half = 1 << (d - 1)
            node = self._put(key, bits, [(v + half) >> d for v in a.col], a, None)
        return node

    def round_float(self, a, bits):
        key = (11, id(a), bits)
        node = self.memo.get(key)
        if node is None:
            if max(map(abs, a.col)) >> (bits + 1) == 0:
                return a
            node = self._put(key, a.f, [self.round_integer(v, bits) for v in a.col], a, None)
        return node

    @staticmethod
    def round_integer(v, bits):
        """Rounds an integer to `bits` bits after its leading one, ties to even."""
        n = -v if v < 0 else v
        d = n.bit_length() - 1 - bits
        if d <= 0:
            return v
        q, r = n >> d, n & ((1 << d) - 1)
        half = 1 << (d - 1)
        q += r > half or r == half and q & 1
        return -(q << d) if v < 0 else q << d

    @staticmethod
    def in_unit_range(a):
        return min(a.col) >= 0 and max(a.col) <= 1 << a.f

    def div(self, a, b):
        raise NotDyadic()

    def opaque(self, key, operands, function):
        """Applies function to each vector's exact values; its results are multiples of 1/65536."""
        key = ('o', key, *map(id, operands))
        node = self.memo.get(key)
        if node is None:
            results = [function(*(Fraction(o.col[i], 1 << o.f) for o in operands)) for i in range(self.count)]
            node = self._put(key, 16, [int(r * 65536) for r in results], operands, None)
        return node

    def first_difference(self, a, b):
        if a is b:
            return -1
        _, x, y = self.aligned(a, b)
        if x == y:
            return -1
        for i, (p, q) in enumerate(zip(x, y)):
            if p != q:
                return i
        return -1

    def first_beyond(self, a, b, bound):
        """Returns -1 if a and b differ by at most the bound (a Fraction) in all vectors, else the index of
        the first vector where they differ by more."""
        f, x, y = self.aligned(a, b)
        top, scale = bound.numerator << f, bound.denominator
        for i, (p, q) in enumerate(zip(x, y)):
            if abs(p - q) * scale > top:
                return i
        return -1

    def _put(self, key, f, col, a, b):
        """Memoises a value. Keys contain object identities, so the operands must stay alive."""
        node = self.memo[key] = Node(f, col)
        self.keep.append((a, b))
        return node
