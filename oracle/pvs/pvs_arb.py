"""Executes ARB vertex programs compiled to words of the vertex engine (`convert --to r300 --format json`) on
the inputs of the program itself, over numbers of any size. Facts: notes/facts/r300-vertex.md.
"""
import json
import struct
from fractions import Fraction

from ..common import spans as n
from ..common.errors import ProgramError
from ..common.spans import ONE, Poison, Span, Undecided, ZERO
from ..hw.arb_words import Result, lane_value
from ..hw.chips import number
from ..lang import arb_run
from . import pvs_code

LANES = 'xyzw'
NAMES = {'position': 'vertex.position', 'weight': 'vertex.weight[0]', 'normal': 'vertex.normal',
         'color': 'vertex.color.primary', 'secondary': 'vertex.color.secondary', 'fogcoord': 'vertex.fogcoord',
         'matrixindex': 'vertex.matrixindex[0]'}
RESULTS = {'position': 'result.position', 'color0': 'result.color.front.primary',
           'color1': 'result.color.front.secondary', 'back_color0': 'result.color.back.primary',
           'back_color1': 'result.color.back.secondary', 'fogcoord': 'result.fogcoord',
           'pointsize': 'result.pointsize'}
SMALLEST = Fraction(1, 2 ** 126)


class ChipLit(arb_run.Exact):
    """LIT with 0^w computed as (2^-126)^w, because the compiled program replaces a base of 0, which is
    documented as unsafe (notes/facts/r300-vertex.md 3)."""

    @staticmethod
    def zero_power(exponent):
        high = n.exp2(n.mul(Fraction(-126), exponent))
        return high if isinstance(high, Poison) else Span(0.0, float(n.bounds(high)[1]))


def tolerance(_):
    return ChipLit


def widest(_):
    return arb_run.WIDEST


def numbered(name, table, pattern):
    if name in table:
        return table[name]
    for word in ('texcoord', 'attrib'):
        if name.startswith(word) and name[len(word):].isdigit():
            return pattern % (word, int(name[len(word):]))
    raise ProgramError('%r is no attribute or result' % name)


# ---- operations ----

def power(a, e):
    """POWER: tests for base 0 first, then for exponent 0 (notes/facts/r300-vertex.md 1.2)."""
    bad = n.poisoned(a, e)
    if bad:
        return bad
    lo, hi = n.bounds(a)
    if hi == 0:
        return Poison('0 to a power < 0') if n.bounds(e)[0] < 0 else ZERO
    if isinstance(e, Fraction) and e == 0:
        return ONE
    if hi < 0:
        return Poison('a power of a negative number')
    if lo <= 0:
        return Undecided('a power of %r' % a)
    return n.exp2(n.mul(e, n.log2(a)))


def limited(x, bound):
    return n.most(n.least(x, Fraction(bound)), Fraction(-bound))


def lit(a, b, c):
    third = n.choose(ZERO, b, power(n.most(a, ZERO), limited(c, 128)), ZERO)
    return [ONE, n.most(b, ZERO), third, ONE]


def exp(a):
    whole = n.floor(a)
    return [n.exp2(whole), n.sub(a, whole), n.exp2(a), ONE]


def log(a):
    size = n.absolute(a)
    if not isinstance(size, Poison) and n.bounds(size)[1] == 0:
        return [Poison('LOG of 0')] * 4
    whole = n.floor(n.log2(size))
    return [whole, n.mul(size, n.exp2(n.neg(whole))), n.log2(size), ONE]


def dot(a, b):
    total = ZERO
    for x, y in zip(a, b):
        total = n.add(total, n.mul(x, y))
    return [total] * 4


MATH = {'RCP': n.reciprocal, 'RSQ': lambda a: n.reciprocal_root(n.absolute(a)), 'EX2': n.exp2,
        'LG2': lambda a: n.log2(n.absolute(a)), 'MULS': n.mul, 'POW': lambda a, b, c: power(a, c),
        'SIN': n.sine, 'COS': n.cosine}
MATH_VECTORS = {'LIT': lit, 'EXP': exp, 'LOG': log}
EACH = {'MUL': n.mul, 'ADD': n.add, 'MAD': lambda a, b, c: n.add(n.mul(a, b), c),
        'MAD2': lambda a, b, c: n.add(n.mul(n.mul(Fraction(2), a), b), c), 'FRC': lambda a: n.sub(a, n.floor(a)),
        'MAX': n.most, 'MIN': n.least, 'SGE': lambda a, b: n.choose(a, b, ZERO, ONE),
        'SLT': lambda a, b: n.choose(a, b, ONE, ZERO), 'SGT': lambda a, b: n.choose(b, a, ONE, ZERO),
        'CMP_GE': lambda a, b, c: n.choose(a, ZERO, c, b), 'ARL': n.floor,
        'ARR': lambda a: n.floor(n.add(a, Fraction(1, 2)))}


class VertexRun:
    """An execution on one input vector."""

    def __init__(self, words, inputs):
        self.words, self.inputs = words, inputs
        self.memory = {name: {} for name in ('temp', 'alt', 'out', 'address')}
        self.values = {}

    # ---- reading ----

    def constant(self, index):
        got = self.values.get(index)
        if got is None:
            lanes = self.words.lanes.get(index)
            outside = index > max(self.words.program.constants, default=-1) or index < 0
            got = ([ZERO] * 4 if outside else [Poison('constant %d is not listed' % index)] * 4 if lanes is None
                   else [lane_value(lane, self.inputs) for lane in lanes])
            self.values[index] = got
        return got

    def register(self, s, where):
        index = s.index
        if s.relative is not None:
            if s.file != 'const':
                raise ProgramError('%s: only constants are addressed relatively here' % where)
            a = self.memory['address'].get('xyzw'[s.relative], Poison('%s: no address' % where))
            if isinstance(a, Poison):
                return [a] * 4
            index += int(a)
        if s.file == 'const':
            return self.constant(index)
        if s.file == 'input':
            if index not in self.words.inputs:
                raise ProgramError('%s: input %d is not listed' % (where, index))
            return list(self.inputs.vector(self.words.inputs[index]))
        return [self.memory[s.file].get((index, c), Poison('%s: nothing has written %s %d.%s' % (
            where, s.file, index, c))) for c in LANES]

    def read(self, s, where):
        v = self.register(s, where)
        got = []
        for select, negate in zip(s.select, s.negate):
            x = ZERO if select == '0' else ONE if select == '1' else v[LANES.index(select)]
            x = n.absolute(x) if s.absolute else x
            got.append(n.neg(x) if negate else x)
        return got

    # ---- instructions ----

    def half(self, h, where):
        """Executes one half; returns [(lane of the target, value)]."""
        a = [self.read(s, where) for s in h.sources]
        if h.op in MATH_VECTORS:
            got = MATH_VECTORS[h.op](*(x[3] for x in a))
        elif h.math:
            got = [MATH[h.op](*(x[3] for x in a))] * 4
        elif h.op == 'DOT':
            got = dot(*a)
        elif h.op == 'DST':
            got = [ONE, n.mul(a[0][1], a[1][1]), a[0][2], a[1][3]]
        elif h.op in EACH:
            got = [EACH[h.op](*lane) for lane in zip(*a)]
        else:
            raise ProgramError('%s: %s has no value here' % (where, h.op))
        if h.saturate:
            got = [n.sat(x) for x in got]
        if h.target.file == 'out_x':
            got = [got[0]] * 4
        return [(c, got[LANES.index(c)]) for c in h.target.mask]

    def store(self, target, values):
        for c, x in values:
            if target.file == 'address':
                self.memory['address'][c] = x
            else:
                self.memory[target.file.split('_')[0]][target.index, c] = x

    def run(self):
        for i in self.words.program.code:
            if i.first.op == 'NOP':
                continue
            got = self.half(i.first, i.where)
            more = self.half(i.second, i.where) if i.second else []
            self.store(i.first.target, got)
            if i.second:
                self.store(i.second.target, more)
        out = {}
        for slot, name in self.words.outputs.items():
            missing = Poison('output %s is not written' % name)
            lanes = [self.memory['out'].get((slot, c), missing) for c in LANES]
            if any(x is not missing for x in lanes):
                if name.startswith('result.color'):     # GL clamps colours after the program
                    lanes = [n.sat(x) for x in lanes]
                out[name] = lanes[:1] if name in ('result.fogcoord', 'result.pointsize') else lanes
        return Result(out, False)


class VertexWords:
    """The decoded words of a vertex program, and the tables beside them."""

    def __init__(self, o):
        try:
            self.program = pvs_code.Program(o['target'], [(number(a), number(w)) for a, w in o['words']])
            self.inputs = {i['slot']: numbered(i['is'], NAMES, 'vertex.%s[%d]') for i in o['inputs']}
            self.outputs = {i['slot']: numbered(i['is'], RESULTS, 'result.%s[%d]') for i in o['outputs']}
            self.lanes = {c['slot']: c['lanes'] for c in o['constants']}
            values = {c['slot']: c['value'] for c in o['constants']}
        except (KeyError, TypeError, ValueError) as e:
            raise ProgramError('bad object: %s %s' % (type(e).__name__, e)) from None
        if len(self.outputs) != self.program.outputs or set(self.outputs) != set(range(self.program.outputs)):
            raise ProgramError('outputs: %s' % sorted(self.outputs))
        for slot, lanes in self.lanes.items():
            for c, lane in enumerate(lanes):
                if lane and 'value' in lane and self.program.constants[slot][c] != bits(lane['value']):
                    raise ProgramError('constant %d.%s is not its value' % (slot, LANES[c]))
                if lane and 'from' in lane and self.program.constants[slot][c] != bits(values[slot][c]):
                    raise ProgramError('constant %d.%s is not its value' % (slot, LANES[c]))
        stats = o.get('stats', {})
        seen = {'instructions': len([i for i in self.program.code if i.first.op != 'NOP']),
                'temporaries': self.program.count('temp'), 'alternates': self.program.count('alt'),
                'controllers': self.program.controllers(), 'dual': len([i for i in self.program.code if i.second])}
        for name, value in seen.items():
            if stats.get(name) != value:
                raise ProgramError('stats: %s is %s, counted %d' % (name, stats.get(name), value))

    def evaluate(self, inputs, tolerance_=None):
        return VertexRun(self, inputs).run()


def bits(value):
    return struct.unpack('<I', struct.pack('<f', value))[0]


def parse(text):
    return VertexWords(json.loads(text) if isinstance(text, str) else text)


def is_vertex(text):
    """Returns whether the object is of a vertex program."""
    return '"outputs"' in text
