"""Shared by the interpreters of chips for ARB fragment programs: computes the value of an input, or of a lane
of a constant, which the tables that accompany the words describe (lanes.py), for numbers of any size.
"""
import math
import re
from fractions import Fraction

from ..common import spans as n
from ..common.errors import InputError, ProgramError
from ..common.numbers import to_single
from ..common.spans import Poison, Span, Undecided, ZERO
from ..lang import arb_bindings, arb_text
from . import lanes
from .chips import Input

TARGETS = {'1d': '1D', '2d': '2D', '3d': '3D', 'cube': 'CUBE', 'rect': 'RECT'}
# Attributes by their name in the table of inputs, with the name that us_code.py uses for the rasteriser's
# output: fog coordinate and position are passed as texture coordinates.
ATTRIBUTES = {'color': ('fragment.color.primary', 'color0'), 'color0': ('fragment.color.primary', 'color0'),
              'secondary': ('fragment.color.secondary', 'color1'),
              'color1': ('fragment.color.secondary', 'color1'),
              'fogcoord': ('fragment.fogcoord', 'coord100'), 'position': ('fragment.position', 'coord101')}
TWO_PI = Span(n.below(2 * math.pi), n.above(2 * math.pi))
# Irrational numbers. A constant that is the nearest single to one of them is treated as that number.
REALS = [f * x for x in (math.pi, math.log(2), math.log(10), math.e, math.sqrt(2), math.sqrt(3))
         for f in (1, 2, .5, .25)]
IRRATIONAL = {to_single(sign * x): sign * x for y in REALS for x in (y, 1 / y) for sign in (1, -1)}


# ---- constants ----

def value_of(x):
    """Returns the value of a number in the tables."""
    single = to_single(float(x))
    real = IRRATIONAL.get(single)
    if real is None:
        return Fraction(single)
    room = abs(real) * 2.0 ** -24
    return Span(n.below(real - room), n.above(real + room))


class SpanNumbers:
    """Arithmetic for expressions in constants."""

    add, sub, mul, negate = staticmethod(n.add), staticmethod(n.sub), staticmethod(n.mul), staticmethod(n.neg)
    literal, sat = staticmethod(value_of), staticmethod(n.sat)

    @staticmethod
    def divide(a, b):
        return n.mul(a, n.reciprocal(b))


CANONICAL = {}
# Limits for bindings in tables, which may refer to more units, lights and so on than an implementation must
# have.
ROOM = arb_bindings.Limits(texcoords=32, **dict.fromkeys(
    ('texture_units', 'lights', 'clip_planes', 'program_matrices', 'env', 'local', 'modelviews', 'palettes'), 4096))


def canonical(binding):
    """Returns the binding of a parameter or attribute with its defaults written out."""
    got = CANONICAL.get(binding)
    if got is None:
        kind = 'ATTRIB' if binding.startswith(('fragment', 'vertex')) else 'PARAM'
        # vertex programs can bind all state that fragment programs can, and more
        stage = 'fp' if binding.startswith('fragment') else 'vp'
        stage = 'fp' if binding.startswith(('state.texenv', 'state.depth')) else stage
        try:
            program = arb_text.parse('!!ARB%s1.0 %s x = %s; END' % (stage, kind, binding), ROOM)
        except InputError as e:
            raise ProgramError('no binding %r: %s' % (binding, e.message)) from None
        got = CANONICAL[binding] = program.variables['x'].what
        if not isinstance(got, str):
            raise ProgramError('%r is no binding' % binding)
    return got


def lane_value(lane, inputs):
    """Returns the value of a lane of a constant."""
    def leaf(binding, c):
        return inputs.vector(canonical(binding))[c]
    if lane is None:
        return Poison('a lane of a constant that is not used')
    return lanes.value(lane, leaf, SpanNumbers)


# ---- results ----

def killed(before, coords):
    """Returns whether TEXKILL kills: any component < 0."""
    tests = [None if isinstance(x, Poison) else n.less(x, ZERO) for x in coords]
    if True in tests or before is True:
        return True
    if None in tests:
        return n.poisoned(*coords) or Undecided('KIL')
    return before


class Result:
    def __init__(self, out, fragment_killed):
        self.out, self.killed = out, fragment_killed


# ---- inputs ----

class ArbInput(Input):
    binding = None


def input_of(o):
    name = o['is']
    m = re.match(r'(?:texcoord|coord)(\d+)$', name)
    if m:
        binding, known = 'fragment.texcoord[%s]' % m.group(1), 'coord' + m.group(1)
    elif name in ATTRIBUTES:
        binding, known = ATTRIBUTES[name]
    else:
        raise ProgramError('inputs: %r is no attribute' % name)
    got = ArbInput(o['temp'], known)
    got.binding = binding
    return got


def least(a, b):
    """Returns A < B ? A : B."""
    return (a if a < b else b) if n.both_exact(a, b) else n.least(a, b)


def most(a, b):
    """Returns A >= B ? A : B."""
    return (a if a >= b else b) if n.both_exact(a, b) else n.most(a, b)


class SpanMath:
    """Arithmetic on spans, for instructions on scalars and vectors."""

    const, sat, absolute = staticmethod(value_of), staticmethod(n.sat), staticmethod(n.absolute)
    neg, add, sub, mul = staticmethod(n.neg), staticmethod(n.add), staticmethod(n.sub), staticmethod(n.mul)
    floor, least, most = staticmethod(n.floor), staticmethod(least), staticmethod(most)

    @staticmethod
    def function(op, a, new):
        return {'RCP': n.reciprocal, 'RSQ': n.reciprocal_root, 'EXP': n.exp2, 'LOG': n.log2, 'SIN': n.sine,
                'COS': n.cosine}[op](a)

    @staticmethod
    def choose(cond, a, b, x, y):
        if n.both_exact(a, b):
            return x if {'GE': a >= b, 'GT': a > b, 'LE': a <= b, 'LT': a < b}[cond] else y
        return {'GE': lambda: n.choose(a, b, y, x), 'LT': lambda: n.choose(a, b, x, y),
                'GT': lambda: n.choose(b, a, x, y), 'LE': lambda: n.choose(b, a, y, x)}[cond]()
