"""Executes ARB fragment programs compiled to ir3's instructions, on the inputs of the program itself."""
import json
from fractions import Fraction

from ..common import spans as n
from ..common.errors import ProgramError
from ..common.spans import Poison, ZERO
from ..hw.arb_words import Result, SpanMath, TARGETS, input_of, killed, lane_value
from ..hw.chips import number
from .ir3_eval import check_aliased, compared
from .ir3_run import Run, Unsigned, preamble
from .ir3_words import decode


class Entry:
    def __init__(self, t):
        self.unit, self.target = t['unit'], t['target'].lower()


class Words:
    def __init__(self, o):
        self.o = o
        self.program, _, registers = decode(tuple((number(a), number(w)) for a, w in o['words']))
        self.bound, self.begin = preamble(self.program)
        check_aliased(self.bound, registers, o['stats'])
        self.lanes = {4 * c['slot'] + k: lane for c in o['constants'] for k, lane in enumerate(c['lanes'])}
        self.textures = {t['slot']: Entry(t) for t in o['textures']}
        self.inputs = {i['temp']: input_of(i) for i in o['inputs'] if i['is'] != 'position'}
        self.position = [i['temp'] for i in o['inputs'] if i['is'] == 'position']

    def start(self, inputs):
        """Returns window x and y as integers in units of a sixteenth of a pixel (Mesa, ir3_compiler_nir.c).
        """
        out = {}
        for first in self.position:
            for c, x in enumerate(inputs.vector('fragment.position')):
                out[first + c] = Unsigned(n.mul(x, Fraction(16))) if c < 2 else x
        return out

    def evaluate(self, inputs, tolerance=None):
        math = SpanMath()

        def varying(place):
            if place // 4 not in self.inputs:
                raise ProgramError('varying number %d is not listed' % place)
            return inputs.vector(self.inputs[place // 4].binding)[place % 4]

        def constant(place):
            if self.lanes.get(place) is None:
                raise ProgramError('c%d.%d is not listed' % divmod(place, 4))
            return lane_value(self.lanes[place], inputs)

        def texel(i, read, bias):
            t = self.textures[i.extra.texture]
            target = ('SHADOW' if i.extra.shadow else '') + TARGETS[t.target]
            used = compared(math, None, i, t, read)
            return inputs.lookup(t.unit, target, used, ZERO if bias is None else bias, bool(i.extra.shadow))
        run = Run(math, varying, constant, texel, self.start(inputs))
        run.run(self.program[self.begin:])
        out = {'result.color[0]': run.output(self.bound, self.o['output']['register'])}
        for o in self.o.get('outputs', ()):
            target = None if o['is'] == 'depth' else int(o['is'].removeprefix('target'))
            out['result.depth' if target is None else 'result.color[%d]' % target] = run.output(
                self.bound, o['slot'], target)
        out = {word: [v if isinstance(v, Poison) else n.sat(v) for v in values]
               for word, values in out.items()}
        return Result(out, killed(False, run.kills))


def parse(text):
    return Words(json.loads(text) if isinstance(text, str) else text)


