"""Executes ARB fragment programs compiled to Vivante's instructions, on the inputs of the program itself."""
import json
from fractions import Fraction

from ..common import spans as n
from ..common.errors import ProgramError
from ..common.spans import Poison, ZERO
from ..hw.arb_words import Result, SpanMath, TARGETS, TWO_PI, input_of, killed, lane_value
from ..hw.chips import number
from ..lang.arb_run import COORDINATES
from .etnaviv_eval import Run, decode

HALF_PI, PI = n.mul(TWO_PI, Fraction(1, 4)), n.mul(TWO_PI, Fraction(1, 2))


class Spans(SpanMath):
    @staticmethod
    def function(op, a, new):
        if op in ('SIN', 'COS'):
            return SpanMath.function(op, n.mul(a, PI if new else HALF_PI), new)
        return SpanMath.function(op, a, new)


class Words:
    def __init__(self, o):
        self.o = o
        self.program, _ = decode(tuple((number(a), number(w)) for a, w in o['words']), frozenset())
        self.lanes = {(c['slot'], k): lane for c in o['constants'] for k, lane in enumerate(c['lanes'])}
        self.textures = {t['slot']: t for t in o['textures']}

    def evaluate(self, inputs, tolerance=None):
        start = {}
        for i in self.o['inputs']:
            item = input_of(i)
            if (item.temp == 0) != (item.binding == 'fragment.position'):
                raise ProgramError('%s in t%d' % (item.binding, item.temp))
            for c, v in enumerate(inputs.vector(item.binding)):
                start[item.temp, c] = v

        def uniform(slot, c):
            if self.lanes.get((slot, c)) is None:
                raise ProgramError('u%d.%d is not listed' % (slot, c))
            return lane_value(self.lanes[slot, c], inputs)

        def texel(i, coords, bias):
            t = self.textures[i.tex]
            target = TARGETS[t['target'].lower()]
            used = coords[:COORDINATES[target]]
            for x in used:
                if isinstance(x, ProgramError):
                    raise x
            if bias is not None and coords[3] is not bias and coords[3] != bias:
                raise ProgramError('the bias is not in w')
            return inputs.lookup(t['unit'], target, used, ZERO if bias is None else bias, False)
        run = Run(Spans(), start, uniform, texel)
        for i in self.program:
            run.step(i)
        out = [run.temps.get((self.o['output']['register'], c), Poison('not written')) for c in range(4)]
        return Result({'result.color[0]': [n.sat(v) for v in out]}, killed(False, run.kills))


def parse(text):
    return Words(json.loads(text) if isinstance(text, str) else text)
