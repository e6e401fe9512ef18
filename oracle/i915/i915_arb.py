"""Executes ARB fragment programs compiled to words of i915, on the inputs of the program itself."""
import json

from ..common import spans as n
from ..common.errors import ProgramError
from ..common.spans import Poison, Undecided, ZERO
from ..hw.arb_words import Result, SpanMath, TARGETS, input_of, killed, lane_value
from ..hw.chips import number
from .i915_eval import COORDINATES, check_constants, check_tables, divided
from .i915_run import Run
from .i915_words import NAMES, decode


class Words:
    def __init__(self, o):
        self.o = o
        self.program = decode(tuple((number(a), number(w)) for a, w in o['words']))
        self.lanes = {(c['slot'], k): lane for c in o['constants'] for k, lane in enumerate(c['lanes'])}
        self.textures = {t['slot']: (t['unit'], t['target'].lower()) for t in o['textures']}
        problems = check_tables(self.program, [(i['temp'], i['is']) for i in o['inputs']],
                                [(t['slot'], t['target'].lower()) for t in o['textures']], o['stats'])
        problems += check_constants(self.program, [
            (c['slot'], c['word'], [lane.get('value') if lane else None for lane in c['lanes']])
            for c in o['constants']])
        if problems:
            raise ProgramError(problems[0])

    def start(self, inputs):
        out = {}
        for i in self.o['inputs']:
            values = inputs.vector(input_of(i).binding)
            if i['temp'] == 10:                     # the fog coordinate is only in w
                out[10, 3] = values[0]
            else:
                out.update({(i['temp'], c): v for c, v in enumerate(values)})
        return out

    def evaluate(self, inputs, tolerance=None):
        math = SpanMath()

        def constant(slot, c):
            if self.lanes.get((slot, c)) is None:
                raise ProgramError('C%d.%s is read and not listed' % (slot, NAMES[c]))
            return lane_value(self.lanes[slot, c], inputs)

        def texel(i, coords, w):
            unit, target = self.textures[i.sampler]
            if i.op == 'TEXLDP' and not isinstance(w, Poison) and n.bounds(w)[0] <= 0:
                return [Poison('w <= 0') if n.bounds(w)[1] <= 0 else Undecided('w')] * 4
            used = divided(math, i, coords, w)[:COORDINATES[target]]
            return inputs.lookup(unit, TARGETS[target], used, w if i.op == 'TEXLDB' else ZERO, False)

        run = Run(math, self.start(inputs), constant, texel)
        run.run(self.program)
        out = {'result.color[0]': [n.sat(run.registers['oC', 0, c]) if c in self.program.written else
                                   Poison('oC.%s is not written' % NAMES[c]) for c in range(4)]}
        if self.program.depth:
            out['result.depth'] = [n.sat(run.registers['oD', 0, 3])]
        return Result(out, killed(False, run.kills))


def parse(text):
    return Words(json.loads(text) if isinstance(text, str) else text)
