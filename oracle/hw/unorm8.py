"""Eight bits per channel: the constants of chips with that format, and the number model 'unorm8', which
rounds every result to the nearest multiple of 1/255.
"""
from fractions import Fraction
from math import floor

from ..common.domain import Columns, Node
from ..common.errors import ProgramError
from ..common.numbers import colour_component
from .bounds import Bounds

GRID = 40           # in a domain of binary fractions, multiples of 1/255 are approximated to 2^-41


def to_unorm8(dom, v):
    """Rounds to the nearest multiple of 1/255."""
    if isinstance(dom, Columns):
        def nearest(x):
            return ((2 * 255 * x + (1 << v.f) >> v.f + 1) << GRID + 1) // 255 + 1 >> 1
        return Node(GRID, [nearest(x) for x in v.col])
    if isinstance(dom, Bounds):
        return v._replace(err=v.err + Fraction(1, 510) + Fraction(1, 1 << GRID))
    return Fraction(floor(255 * v + Fraction(1, 2)), 255)


def nearest_byte(value):
    """Returns the byte for a colour component."""
    return floor(Fraction(colour_component(value)) * 255 + Fraction(1, 2))


def near(dom, value, exact):
    """Returns a constant that approximates an exact one."""
    if isinstance(dom, Bounds):
        return dom.between(exact, exact, abs(value - exact) + Fraction(1, 1 << GRID))
    if isinstance(dom, Columns):
        return dom.const(Fraction(floor(value * (1 << GRID) + Fraction(1, 2)), 1 << GRID))
    return value


def is_own(constant):
    """Returns whether a constant is an immediate of the program, not an environment colour or a parameter."""
    return constant is None or constant.unit is None and constant.param is None


def constant_channel(run, constant, c, byte, at):
    """Returns channel c of a constant, whose byte is in word `at`; constant: its entry in the output, or
    None. In the model 'real', an environment colour has the unit's exact value whatever its byte; an
    immediate is exact.
    """
    dom = run.dom
    if run.model != 'real':
        exact = Fraction(colour_component(constant.value[c])) if constant else Fraction(byte, 255)
        return near(dom, Fraction(byte, 255), exact)
    if not is_own(constant):
        if constant.param is not None:
            return run.inputs.parameter(*constant.param, c)
        return run.inputs.env(constant.unit, c)
    if constant is not None and colour_component(constant.value[c]) != colour_component(byte / 255):
        raise ProgramError('word %d: %s is not exact in 8 bits' % (at, constant.value[c]))
    dyadic = isinstance(dom, Columns)
    return dom.const(Fraction(colour_component(byte / 255)) if dyadic else Fraction(byte, 255))
