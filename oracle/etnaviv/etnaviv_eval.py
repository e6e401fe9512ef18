"""Decodes and executes instructions of Vivante's shader core, from notes/facts/etnaviv.md, over any number
domain, for texture environments.

Each instruction reads its sources before it writes. Reading a channel that was not written is an error, even
if the result does not depend on it. Anything that the facts do not describe is an error, too. The facts leave
open the argument of SIN and COS. According to Mesa's driver (etnaviv_nir.c, etna_lower_alu) it is the angle
times 2/pi, or in the new form of these operations times 1/pi. The new forms of LOG, SIN and COS return two
factors of the result. Here the factors are the result and 1, so a program that wrongly reads only the first
one is not detected.
"""
from collections import namedtuple
from fractions import Fraction

from ..common.errors import ProgramError, Unsupported
from ..common.numbers import float_bits
from ..hw import lanes
from ..hw.chips import Assumption
from ..hw.coordinates import Coordinate, Exact, Math

MODELS = ('real',)
ASSUMPTIONS = {
    'immediates': Assumption('the core is of halti 2 or later: sources may be immediates'),
    'many-uniforms': Assumption('the core reads more than one uniform an instruction'),
}
UNIFORMS = 0x7000
NAMES = 'xyzw'
OPS = {0x01: 'ADD', 0x02: 'MAD', 0x03: 'MUL', 0x05: 'DP3', 0x06: 'DP4', 0x09: 'MOV', 0x0c: 'RCP', 0x0d: 'RSQ',
       0x0f: 'SELECT', 0x10: 'SET', 0x11: 'EXP', 0x12: 'LOG', 0x13: 'FRC', 0x17: 'TEXKILL', 0x18: 'TEXLD',
       0x19: 'TEXLDB', 0x22: 'SIN', 0x23: 'COS', 0x25: 'FLOOR'}
# the operand slots that an operation reads (A.3)
SLOTS = {'ADD': (0, 2), 'MAD': (0, 1, 2), 'MUL': (0, 1), 'DP3': (0, 1), 'DP4': (0, 1), 'MOV': (2,),
         'RCP': (2,), 'RSQ': (2,), 'SELECT': (0, 1, 2), 'SET': (0, 1), 'EXP': (2,), 'LOG': (2,), 'FRC': (2,),
         'TEXKILL': (0,), 'TEXLD': (0,), 'TEXLDB': (0, 1), 'SIN': (2,), 'COS': (2,), 'FLOOR': (2,)}
FUNCTIONS = ('RCP', 'RSQ', 'EXP', 'LOG', 'SIN', 'COS')
CONDS = ('TRUE', 'GT', 'LT', 'GE', 'LE', 'EQ', 'NE', 'AND', 'OR', 'XOR', 'NOT', 'NZ', 'GEZ', 'GZ', 'LEZ',
         'LZ')
CONDITIONAL = ('SELECT', 'SET', 'TEXKILL')
UNARY = {'GEZ': 'GE', 'GZ': 'GT', 'LEZ': 'LE', 'LZ': 'LT'}
Source = namedtuple('Source', 'group reg swizzle neg absolute')      # for an immediate, reg is its value
Instruction = namedtuple('Instruction', 'op cond sat dest mask tex texel round sources where')
COORDINATES = {'1d': 1, '2d': 2, '3d': 3, 'cube': 3}


def bits(word, low, width):
    return word >> low & (1 << width) - 1


def immediate(low, swizzle, neg, absolute, amode):
    value = low | swizzle << 9 | neg << 17 | absolute << 18 | (amode & 1) << 19
    if amode >> 1:
        raise ProgramError('an immediate that is no float')
    exponent, mantissa = bits(value, 11, 8), bits(value, 0, 11)
    if not exponent:
        return Fraction(0)
    return (-1) ** (value >> 19) * (1 + Fraction(mantissa, 2 ** 11)) * Fraction(2) ** (exponent - 127)


def source(use, reg, swizzle, neg, absolute, amode, group):
    if not use:
        if reg or swizzle or neg or absolute or amode or group:
            raise ProgramError('a source that is not used has bits set')
        return None
    if group == 7:
        return Source('imm', immediate(reg, swizzle, neg, absolute, amode), (0,) * 4, 0, 0)
    if amode or group not in (0, 2):
        raise ProgramError('address mode %d, group %d' % (amode, group))
    return Source('temp' if group == 0 else 'uniform', reg, tuple(swizzle >> 2 * p & 3 for p in range(4)),
                  neg, absolute)


def decode_one(n, w):
    where = 'instruction %d' % n
    op = OPS.get(bits(w[0], 0, 6))
    if op is None or bits(w[2], 16, 1):
        raise ProgramError('%s: unknown operation' % where)
    others = (0, 13, 3), (1, 2, 1), (1, 21, 1), (2, 30, 2), (3, 31, 1), (3, 13, 1), (3, 24, 1)
    if any(bits(w[k], low, width) for k, low, width in others):
        raise ProgramError('%s: address mode, type or selection' % where)
    sources = (source(bits(w[1], 11, 1), bits(w[1], 12, 9), bits(w[1], 22, 8), bits(w[1], 30, 1),
                      bits(w[1], 31, 1), bits(w[2], 0, 3), bits(w[2], 3, 3)),
               source(bits(w[2], 6, 1), bits(w[2], 7, 9), bits(w[2], 17, 8), bits(w[2], 25, 1),
                      bits(w[2], 26, 1), bits(w[2], 27, 3), bits(w[3], 0, 3)),
               source(bits(w[3], 3, 1), bits(w[3], 4, 9), bits(w[3], 14, 8), bits(w[3], 22, 1),
                      bits(w[3], 23, 1), bits(w[3], 25, 3), bits(w[3], 28, 3)))
    if tuple(s for s in range(3) if sources[s]) != SLOTS[op]:
        raise ProgramError('%s: %s reads other sources' % (where, op))
    use, mask = bits(w[0], 12, 1), bits(w[0], 23, 4)
    if use and not bits(w[0], 16, 7):
        raise ProgramError('%s: writes t0, the position' % where)
    if (op != 'TEXKILL') != bool(use and mask) or bits(w[0], 16, 7) > 63:
        raise ProgramError('%s: %s with such a destination' % (where, op))
    cond, lookup = bits(w[0], 6, 5), bits(w[0], 27, 5) or bits(w[1], 3, 8)
    if cond >= len(CONDS) or (cond and op not in CONDITIONAL) or (lookup and op not in ('TEXLD', 'TEXLDB')):
        raise ProgramError('%s: %s with a condition or a texture' % (where, op))
    return Instruction(op, CONDS[cond], bits(w[0], 11, 1), bits(w[0], 16, 7),
                       tuple(p for p in range(4) if mask >> p & 1), bits(w[0], 27, 5),
                       tuple(bits(w[1], 3 + 2 * p, 2) for p in range(4)), bits(w[1], 0, 2), sources, where)


def decode(words, assume):
    """Decodes words; returns instructions and {(uniform, channel): word}."""
    stream = [w for a, w in words if a is None]
    if any(a is None for a, w in words[len(stream):]) or len(stream) % 4 or not stream:
        raise ProgramError('instructions of other than four words')
    program = [decode_one(i // 4, stream[i:i + 4]) for i in range(0, len(stream), 4)]
    uniforms = {}
    for a, w in words[len(stream):]:
        if a % 4 or not UNIFORMS <= a < UNIFORMS + 16 * 256 or divmod((a - UNIFORMS) // 4, 4) in uniforms:
            raise ProgramError('%x is no uniform, or written twice' % a)
        uniforms[divmod((a - UNIFORMS) // 4, 4)] = w
    for i in program:
        read = {s.reg for s in i.sources if s and s.group == 'uniform'}
        if 'many-uniforms' not in assume and len(read) > 1:
            raise ProgramError('%s: reads uniforms %s' % (i.where, sorted(read)))
        if 'immediates' not in assume and any(s and s.group == 'imm' for s in i.sources):
            raise ProgramError('%s: an immediate' % i.where)
    return program, uniforms


class Run:
    """One execution. temps: {(temporary, channel): value}; math: arithmetic; uniform(reg, channel);
    texel(instruction, coordinates, bias)."""

    def __init__(self, math, temps, uniform, texel):
        self.math, self.temps, self.uniform, self.texel, self.kills = math, dict(temps), uniform, texel, []

    def read(self, i, s, p):
        src = i.sources[s]
        c = src.swizzle[p]
        if src.group == 'imm':
            return self.math.const(src.reg)
        if src.group == 'uniform':
            v = self.uniform(src.reg, c)
        elif (src.reg, c) not in self.temps:
            raise ProgramError('%s: nothing has written t%d.%s' % (i.where, src.reg, NAMES[c]))
        else:
            v = self.temps[src.reg, c]
        v = self.math.absolute(v) if src.absolute else v
        return self.math.neg(v) if src.neg else v

    def channel(self, i, p):
        m, op = self.math, i.op
        if op in ('DP3', 'DP4'):
            out = m.mul(self.read(i, 0, 0), self.read(i, 1, 0))
            for k in range(1, int(op[2])):
                out = m.add(out, m.mul(self.read(i, 0, k), self.read(i, 1, k)))
            return out
        a = [self.read(i, s, p) if i.sources[s] else None for s in range(3)]
        if op in FUNCTIONS:
            if len({i.sources[2].swizzle[k] for k in range(4)}) > 1:
                raise ProgramError('%s: a function of several channels' % i.where)
            if i.round and op in ('LOG', 'SIN', 'COS'):
                if i.mask not in ((0, 1), (2, 3)):
                    raise ProgramError('%s: halves in %s' % (i.where, i.mask))
                if p in (1, 3):
                    return m.const(Fraction(1))
            return m.function(op, a[2], bool(i.round))
        if op in ('SELECT', 'SET'):
            one, zero = m.const(Fraction(1)), m.const(Fraction(0))
            x, y = (a[1], a[2]) if op == 'SELECT' else (one, zero)
            if i.cond in UNARY and op == 'SELECT':
                return m.choose(UNARY[i.cond], a[0], zero, x, y)
            if i.cond not in ('GE', 'GT', 'LT', 'LE'):
                raise ProgramError('%s: condition %s' % (i.where, i.cond))
            return m.choose(i.cond, a[0], a[1], x, y)
        return {'ADD': lambda: m.add(a[0], a[2]), 'MUL': lambda: m.mul(a[0], a[1]), 'MOV': lambda: a[2],
                'MAD': lambda: m.add(m.mul(a[0], a[1]), a[2]), 'FRC': lambda: m.sub(a[2], m.floor(a[2])),
                'FLOOR': lambda: m.floor(a[2])}[op]()

    def step(self, i):
        if i.op == 'TEXKILL':
            if i.cond != 'LZ':
                raise ProgramError('%s: condition %s' % (i.where, i.cond))
            self.kills += [self.read(i, 0, p) for p in range(4)]
            return
        if i.op in ('TEXLD', 'TEXLDB'):
            texel = self.texel(i, self.coordinates(i), self.read(i, 1, 0) if i.op == 'TEXLDB' else None)
            out = {p: texel[i.texel[p]] for p in i.mask}
        else:
            out = {p: self.channel(i, p) for p in i.mask}
        for p, v in out.items():
            self.temps[i.dest, p] = self.math.sat(v) if i.sat else v

    def coordinates(self, i):
        out = []
        for p in range(4):
            try:
                out.append(self.read(i, 0, p))
            except ProgramError as e:
                out.append(e)
        return out


def check(code):
    try:
        program, uniforms = decode(code.words, ASSUMPTIONS)
    except ProgramError as e:
        return [str(e)]
    problems = []
    for c in code.constants:
        for k in range(4):
            if uniforms.pop((c.slot, k), None) != float_bits(c.value[k]):
                problems.append('constant %d.%s is not uploaded as it is listed' % (c.slot, NAMES[k]))
        if code.words[c.word][0] != UNIFORMS + 16 * c.slot:
            problems.append('constant %d is not at word %d' % (c.slot, c.word))
    if uniforms:
        problems.append('a uniform that is not listed')
    if code.stats.get('instructions') != len(program):
        problems.append('the number of instructions is wrong')
    return problems


def evaluate(code, inputs, model='real', assume=()):
    dom = inputs.dom
    program, _ = decode(code.words, assume)
    start = {}
    if [item.temp for item in code.inputs] != list(range(1, 1 + len(code.inputs))):
        raise ProgramError('inputs do not follow t0')
    for item in code.inputs:
        kind, number = item.name[:5], int(item.name[5:])
        for c in range(4):
            if kind == 'coord':
                start[item.temp, c] = Coordinate(number, c) if not hasattr(inputs, 'sample') \
                    else inputs.coord(number, c)
            elif number == 0:
                start[item.temp, c] = inputs.primary(c)
            elif c < 3:
                start[item.temp, c] = inputs.secondary(c)
    slots = {c.slot: c for c in code.constants}
    textures = {t.slot: t for t in code.textures}

    def uniform(slot, c):
        lane = slots[slot].lanes[c] if slot in slots else None
        if lane is None:
            raise ProgramError('u%d.%s is read and not listed' % (slot, NAMES[c]))
        return lanes.lane_of(lane, inputs)

    def texel(i, coords, bias):
        entry = textures[i.tex]
        used = coords[:COORDINATES[entry.target]]
        for k, x in enumerate(used):
            if isinstance(x, ProgramError):
                raise x
        if hasattr(inputs, 'sample'):
            return inputs.sample(entry.unit, used)
        for k, x in enumerate(used):
            if not isinstance(x, Coordinate):
                raise Unsupported('dependent lookups have no value here')
            if (x.set, x.ch, x.divided) != (entry.coord, k, entry.target != 'cube'):
                raise ProgramError('%s: coordinate %s is not that of set %d'
                                   % (i.where, 'str'[k], entry.coord))
        return inputs.texture(entry.unit)

    math = Math(dom) if not hasattr(inputs, 'sample') else Exact(dom)
    run = Run(math, start, uniform, texel)
    for i in program:
        run.step(i)
    if run.kills:
        raise ProgramError('a texture environment that kills')
    out = code.stats['output']
    return [run.temps[out, c] for c in range(4)]


def bounds(code, inputs, model, assume=()):
    raise Unsupported('one model')
