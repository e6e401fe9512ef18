"""Executes decoded i915 instructions (notes/facts/i915.md 4) over any arithmetic with the operations of
hw.coordinates.Math."""
from fractions import Fraction

from ..common.errors import ProgramError
from .i915_words import NAMES, SCALAR, TEXTURE, channels_read

SUMS = {'DP2ADD': 2, 'DP3': 3, 'DP4': 4}


class Run:
    """One execution. start: {(T number, channel): value}; constant(number, channel); texel(instruction,
    coordinates, w), where w is the divisor of a projection or the bias, and None if the lookup does not read
    it."""

    def __init__(self, math, start, constant, texel):
        self.math, self.constant, self.texel, self.kills = math, constant, texel, []
        self.registers = {('T', number, c): v for (number, c), v in start.items()}
        self.zero, self.one = math.const(Fraction(0)), math.const(Fraction(1))

    def register(self, i, kind, number, c):
        if kind == 'C':
            return self.constant(number, c)
        if (kind, number, c) not in self.registers:
            raise ProgramError('%s: %s%d.%s has no value' % (i.where, kind, number, NAMES[c]))
        return self.registers[kind, number, c]

    def read(self, i, s, p):
        of, negative = i.sources[s].selects[p]
        if of in '01':
            v = self.one if of == '1' else self.zero
        else:
            v = self.register(i, i.sources[s].kind, i.sources[s].number, NAMES.index(of))
        return self.math.neg(v) if negative else v

    def truncated(self, a):
        m = self.math
        return m.choose('GE', a, self.zero, m.floor(a), m.neg(m.floor(m.neg(a))))

    def channel(self, i, p):
        m, op = self.math, i.op
        if op in SUMS:
            out = None
            for k in range(SUMS[op]):
                product = m.mul(self.read(i, 0, k), self.read(i, 1, k))
                out = product if out is None else m.add(out, product)
            return m.add(out, self.read(i, 2, 0)) if op == 'DP2ADD' else out
        if op in SCALAR:
            a = self.read(i, 0, 0)
            return m.function(op, m.absolute(a) if op in ('RSQ', 'LOG') else a, False)
        a = [self.read(i, s, p) for s in range(len(i.sources))]
        return {'ADD': lambda: m.add(a[0], a[1]), 'MOV': lambda: a[0], 'MUL': lambda: m.mul(a[0], a[1]),
                'MAD': lambda: m.add(m.mul(a[0], a[1]), a[2]), 'FRC': lambda: m.sub(a[0], m.floor(a[0])),
                'CMP': lambda: m.choose('GE', a[0], self.zero, a[1], a[2]),
                'MIN': lambda: m.least(a[0], a[1]), 'MAX': lambda: m.most(a[0], a[1]),
                'FLR': lambda: m.floor(a[0]), 'TRC': lambda: self.truncated(a[0]),
                'SGE': lambda: m.choose('GE', a[0], a[1], self.one, self.zero),
                'SLT': lambda: m.choose('LT', a[0], a[1], self.one, self.zero)}[op]()

    def lookup(self, i, samplers):
        source = i.sources[0]
        read = {c: self.register(i, source.kind, source.number, c) for c in channels_read(i, samplers)}
        if i.op == 'TEXKILL':
            self.kills += [read[c] for c in range(4)]
            return {}
        texel = self.texel(i, [read[c] for c in range(3) if c in read], read.get(3))
        return dict(enumerate(texel))

    def run(self, program):
        for i in program.code:
            if i.op in TEXTURE.values():
                out = self.lookup(i, program.samplers)
            else:
                out = {p: self.channel(i, p) for p in i.mask}
            for p, v in out.items():
                self.registers[i.kind, i.number, p] = self.math.sat(v) if i.saturate else v
