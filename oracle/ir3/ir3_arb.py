"""ARB fragment programs compiled to ir3's instructions, executed on the inputs of the program itself."""
import json

from ..common import spans as n
from ..common.errors import ProgramError
from ..common.spans import Poison, ZERO
from ..etnaviv import etnaviv_arb
from ..hw.arb_words import Result, TARGETS, input_of, killed, lane_value
from ..hw.chips import number
from ..us.us_arb import least, most
from .ir3_eval import check_aliased, compared
from .ir3_run import Run, preamble
from .ir3_words import decode


class Spans(etnaviv_arb.Spans):
    least, most = staticmethod(least), staticmethod(most)

    @staticmethod
    def function(op, a, new):
        if op in ('SIN', 'COS'):
            return (n.sine if op == 'SIN' else n.cosine)(a)
        return etnaviv_arb.Spans.function(op, a, new)


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
        self.inputs = {i['temp']: input_of(i) for i in o['inputs']}

    def evaluate(self, inputs, tolerance=None):
        math = Spans()

        def varying(place):
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
        run = Run(math, varying, constant, texel)
        run.run(self.program[self.begin:])
        outs = [(0, self.o['output']['register'])]
        outs += [(o['is'], o['slot']) for o in self.o.get('outputs', ())]
        out = {}
        for target, base in outs:
            out['result.color[%d]' % target] = [
                v if isinstance(v, Poison) else n.sat(v) for v in run.output(self.bound, base, target)]
        return Result(out, killed(False, run.kills))


def parse(text):
    return Words(json.loads(text) if isinstance(text, str) else text)


