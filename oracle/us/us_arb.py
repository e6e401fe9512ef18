"""Executes ARB fragment programs compiled to words of r300, r400 and r500 (`convert --to r300 --format json`)
on the inputs of the program itself (arb_inputs.py), over numbers of any size. The tables beside the words
describe inputs and constants (lanes.py). The words also contain numbers, which must be the numbers of the
tables in the chip's format. The evaluation uses the numbers of the tables and ignores the rounding, like the
exact model of texture environments.
"""
import json
from fractions import Fraction

from ..common import spans as n
from ..common.errors import ProgramError, Unsupported
from ..common.spans import ONE, Poison, Undecided, ZERO
from ..hw.arb_words import Result, TARGETS, TWO_PI, input_of, killed, lane_value, least, most
from ..hw.chips import Code, Constant, Texture, number
from ..lang import arb_run
from ..lang.arb_run import COORDINATES, HALF
from . import r300_eval, r500_eval
from .us_eval import NAMES, OPEN, Run

CHIPS = {'r300': r300_eval, 'r400': r300_eval, 'r500': r500_eval}
SINES = 1.5e-3          # error of the sine polynomials of r300 and r400 (notes/facts/arb-programs.md 6)


class ChipWaves(arb_run.Exact):
    """Tolerances for r300 and r400, which have no sine and use a short polynomial."""

    @staticmethod
    def wave(value, operand):
        return n.widen(value, SINES)


def tolerance(form):
    """Returns the tolerance of a conversion to this form."""
    return ChipWaves if form in ('r300', 'r400') else arb_run.Exact


def widest(form):
    """Returns the maximum imprecision of lanes that are compared."""
    return 8 * SINES if form in ('r300', 'r400') else arb_run.WIDEST


# ---- numbers ----

class MinusZero(Fraction):
    """The number -0, which only r500's kill distinguishes from 0. The sign of a zero is known only if the
    operands are exact; all other zeros count as +0."""


MINUS_ZERO = MinusZero(0)


def is_negative(v):
    return isinstance(v, MinusZero) or not isinstance(v, Poison) and n.bounds(v)[1] < 0


def negated(v):
    """Negates a number as the operand modifier does: +0 becomes -0."""
    plain = isinstance(v, Fraction) and v == 0 and not isinstance(v, MinusZero)
    return MINUS_ZERO if plain else n.neg(v)


class Numbers:
    """The numbers of spans.py with the interface of the other domains, and with signed zeros."""

    zero, one, half = ZERO, ONE, HALF
    sat, absolute, const = staticmethod(n.sat), staticmethod(n.absolute), staticmethod(Fraction)

    @staticmethod
    def add(a, b):
        return MINUS_ZERO if isinstance(a, MinusZero) and isinstance(b, MinusZero) else n.add(a, b)

    def sub(self, a, b):
        return self.add(a, negated(b))

    @staticmethod
    def mul(a, b):
        got = n.mul(a, b)
        zero = isinstance(got, Fraction) and got == 0
        return MINUS_ZERO if zero and is_negative(a) != is_negative(b) else got

    def shift(self, a, k):
        return self.mul(a, Fraction(2) ** k)

    @staticmethod
    def select_ge_zero(c, a, b):
        return n.choose(c, ZERO, b, a)

    @staticmethod
    def select_gt_half(c, a, b):
        return n.choose(HALF, c, a, b)

    @staticmethod
    def first_difference(a, b):
        """Returns -1 if a and b may be the same number, else 0."""
        bad = [isinstance(x, Poison) for x in (a, b)]
        return -1 if all(bad) or not any(bad) and n.meet(a, b) else 0


def turns(function, a):
    """Computes r500's SIN and COS, whose argument is in turns. Arguments outside of one turn are
    undefined."""
    if not isinstance(a, Poison) and (n.bounds(a)[0] < -1 or n.bounds(a)[1] > 1):
        return Poison('a sine of more than one turn')
    return function(n.mul(a, TWO_PI))


SCALAR = {'RCP': n.reciprocal, 'RSQ': n.reciprocal_root, 'EX2': n.exp2, 'LG2': n.log2,
          'SIN': lambda a: turns(n.sine, a), 'COS': lambda a: turns(n.cosine, a)}


class ArbRun(Run):
    """An execution on one input vector."""

    def __init__(self, code, inputs):
        self.bindings = {i.temp: i.binding for i in code.inputs}
        start = {(temp, c): x for temp, binding in self.bindings.items()
                 for c, x in enumerate(inputs.vector(binding))}
        self.inputs, self.killed, self.constants = inputs, False, {}
        self.lanes = {(c.slot, k): lane for c in code.constants for k, lane in enumerate(c.lanes)}
        self.textures = {t.slot: t for t in code.textures}
        super().__init__(code.target, Numbers(), start, self.constant_lane, self.texel, lambda v: v,
                         set(code.assumed))

    def constant_lane(self, slot, c):
        got = self.constants.get((slot, c))
        if got is None:
            if (slot, c) not in self.lanes:
                raise ProgramError('constant %d.%s is read but not listed' % (slot, 'xyzw'[c]))
            got = self.constants[slot, c] = lane_value(self.lanes[slot, c], self.inputs)
        return got

    def source(self, source, c, where):
        if source.kind == 'temp' and (source.index, c) not in self.temps:
            return Poison('%s: nothing has written temporary %d.%s' % (where, source.index, NAMES[c]))
        return super().source(source, c, where)

    def operate(self, pair, half, c):
        if half.op in ('MIN', 'MAX', 'FRC') or half.op in SCALAR:
            a = [self.operand(pair, half, k, c) for k in range(2 if half.op in ('MIN', 'MAX') else 1)]
            if half.op == 'FRC':
                return n.sat(n.sub(a[0], n.floor(a[0])))        # the clamp keeps an interval within [0,1]
            return {'MIN': least, 'MAX': most, **SCALAR}[half.op](*a)
        return super().operate(pair, half, c)

    def negate(self, v):
        return negated(v)

    # ---- lookups ----

    def tex(self, tex):
        coords = [self.temps.get((tex.src, c), Poison('%s: temporary %d.%s is not written' % (
            tex.where, tex.src, NAMES[c]))) for c in tex.coords]
        if tex.op == 'NOP':
            return {}
        if tex.op == 'KIL':
            below = [isinstance(x, MinusZero) and self.chip == 'r500' for x in coords]
            self.killed = any(below) or killed(self.killed, coords)
            return {}
        texel = self.lookup(tex, coords)
        return {c: texel[r] for c, r in zip(tex.write, tex.result)}

    def texel(self, tex, coords):
        entry = self.textures.get(tex.sampler)
        if entry is None:
            raise ProgramError('%s: sampler %d is not among the textures' % (tex.where, tex.sampler))
        if entry.target not in TARGETS:
            raise Unsupported('%s: lookups of %s have no value here' % (tex.where, entry.target))
        if tex.unscaled not in (None, entry.target == 'rect'):
            raise ProgramError('%s: UNSCALED is wrong for a %s texture' % (tex.where, entry.target))
        if tex.unscaled is None and entry.target == 'rect':
            raise ProgramError('%s: a rectangle texture takes coordinates from 0 to 1 here' % tex.where)
        target, q = TARGETS[entry.target], coords[3]
        coords = coords[:COORDINATES[target]]
        if tex.op == 'TXP':
            if isinstance(q, Poison):
                return [q] * 4
            if n.bounds(q)[0] <= 0:
                return [Poison('%s: q <= 0' % tex.where) if n.bounds(q)[1] <= 0 else Undecided('q')] * 4
            coords = [n.mul(x, n.reciprocal(q)) for x in coords]
        return self.inputs.lookup(entry.unit, target, coords, q if tex.op == 'TXB' else ZERO, False)

    def outputs(self):
        """Returns {result: components}; a fixed-point target clamps to [0,1]."""
        missing = [Poison('output %s is not written' % c) for c in NAMES]
        colour = [m if v is None else n.sat(v) for m, v in zip(missing, self.out)]
        out = {'result.color[0]': colour}
        for (target, c), v in self.more.items():
            out.setdefault('result.color[%d]' % target, list(missing))[c] = n.sat(v)
        if self.out[4] is not None:
            out['result.depth'] = [n.sat(self.out[4])]
        return out


# ---- the object ----

def constant_of(o):
    if len(o['lanes']) != 4:
        raise ProgramError('constant %d has %d lanes' % (o['slot'], len(o['lanes'])))
    value = tuple(lane['value'] if lane and 'value' in lane else None for lane in o['lanes'])
    return Constant(o['slot'], None, value, o.get('word'), lanes=o['lanes'])


class Words:
    """The decoded words of a program."""

    def __init__(self, o):
        try:
            self.code = Code(
                o['target'], tuple((number(a), number(w)) for a, w in o['words']),
                tuple(constant_of(c) for c in o['constants']),
                tuple(Texture(t['slot'], t['unit'], t.get('coord'), t['target'].lower()) for t in o['textures']),
                tuple(input_of(i) for i in o['inputs']), tuple(o.get('assumed', ())), o.get('stats', {}), False,
                True)
        except (KeyError, TypeError, ValueError) as e:
            raise ProgramError('bad object: %s %s' % (type(e).__name__, e)) from None
        for name in self.code.assumed:
            if name not in OPEN:
                raise ProgramError('unknown assumption %s' % name)
        self.chip = CHIPS[self.code.target]
        self.program = self.chip.decode(self.code)
        if self.program.problems:
            raise ProgramError(self.program.problems[0])

    def evaluate(self, inputs, tolerance=None):
        run = ArbRun(self.code, inputs)
        self.chip.execute(self.program, run)
        return Result(run.outputs(), run.killed)


def parse(text):
    """Parses one object of `--format json`, given as text or as parsed JSON."""
    return Words(json.loads(text) if isinstance(text, str) else text)
