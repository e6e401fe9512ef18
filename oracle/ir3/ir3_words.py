"""Decodes words of ir3 by notes/facts/ir3.md: each bit of an instruction belongs to a field or is zero. Two
things are from Mesa instead: the instructions around a preamble (shps, shpe) and the bit OPC_HI
(ir3-cat0.xml), and that category 5 has no (ss) and no (ul), since its type field occupies these bits
(ir3-cat5.xml).
"""
from collections import namedtuple
from fractions import Fraction

from ..common.errors import ProgramError

CONTROL, ALIASED = 0xaa02, 0xaa03
P0 = 62 * 4
TABLE = {0: Fraction(0), 1: Fraction(1, 2), 2: Fraction(1), 3: Fraction(2), 11: Fraction(4)}
CAT0 = {(0, 0): 'nop', (6, 0): 'end', (5, 0): 'kill', (7, 1): 'shps', (8, 1): 'shpe'}
CAT2 = {0: 'add', 1: 'min', 2: 'max', 3: 'mul', 5: 'cmps', 6: 'absneg', 9: 'floor', 0x39: 'bary'}
CAT3 = {7: 'mad', 9: 'sel'}
CAT4 = {0: 'RCP', 1: 'RSQ', 2: 'LOG', 3: 'EXP', 4: 'SIN', 5: 'COS'}
CAT5 = {3: 'sam', 4: 'samb'}
CONDS = ('LT', 'LE', 'GT', 'GE', 'EQ', 'NE')
ONE_SOURCE = ('absneg', 'floor')

# a source: kind gpr, const, imm (value), int; r: its register advances with repeats
Source = namedtuple('Source', 'kind value neg absolute r')
Instruction = namedtuple('Instruction', 'cat op dest repeat nops ss sy jp sat cond ei sources extra where')


class Bits:
    def __init__(self, word, where):
        self.word, self.where, self.left = word, where, word

    def take(self, low, width=1):
        mask = (1 << width) - 1 << low
        self.left &= ~mask
        return (self.word & mask) >> low

    def end(self):
        if self.left:
            raise ProgramError('%s: bits %x are of no field' % (self.where, self.left))


def single(bits):
    exponent, mantissa = bits >> 23 & 255, bits & (1 << 23) - 1
    if exponent == 255:
        raise ProgramError('a number that is none')
    if not exponent:
        return (-1) ** (bits >> 31) * Fraction(mantissa, 2 ** 149)
    return (-1) ** (bits >> 31) * (1 + Fraction(mantissa, 2 ** 23)) * Fraction(2) ** (exponent - 127)


def source_16(bits, r, where):
    """Decodes a source of categories 2 and 4."""
    kind, value, mod = bits >> 11 & 7, bits & 0x7ff, bits >> 14
    neg, absolute = mod & 1, mod >> 1
    if kind == 0 and value < 256:
        return Source('gpr', value, neg, absolute, r)
    if kind & 3 == 2:
        return Source('const', value, neg, absolute, r)
    if kind == 4:
        return Source('int', value, neg, absolute, r)
    if kind == 5 and value in TABLE:
        return Source('imm', TABLE[value], neg, absolute, r)
    raise ProgramError('%s: operand %04x' % (where, bits))


def source_13(bits, neg, r, where):
    """Decodes a source of category 3."""
    kind, value = bits >> 11 & 3, bits & 0x7ff
    if kind == 0 and value < 256:
        return Source('gpr', value, neg, 0, r)
    if kind == 2:
        return Source('const', value, neg, 0, r)
    raise ProgramError('%s: operand %04x' % (where, bits))


def source_32(kind, value, r):
    """Decodes a source of categories 1 and 7."""
    return Source(('gpr', 'const', 'imm')[kind], single(value) if kind == 2 else value, 0, 0, r)


def named(table, code, where):
    if code not in table:
        raise ProgramError('%s: unknown operation %s' % (where, code))
    return table[code]


def cat0(b):
    op = named(CAT0, (b.take(55, 4), b.take(49)), b.where)
    extra = b.take(0, 32) if op == 'shps' else b.take(53, 2) if op == 'kill' else None
    return Instruction(0, op, None, b.take(40, 3) if op == 'nop' else 0, 0, b.take(44), b.take(60),
                       b.take(59), 0, None, 0, (), extra, b.where)


def cat1(b):
    kinds = b.take(50, 3), b.take(46, 3)
    if kinds not in ((1, 1), (3, 1)):
        raise ProgramError('%s: other than 32 bit floats, or an unsigned number to one' % b.where)
    kind, r = b.take(53, 2), b.take(43)
    value = b.take(0, (8, 11, 32)[min(kind, 2)])
    if kind == 3:
        raise ProgramError('%s: operand' % b.where)
    source = source_32(kind, value, r)
    op = 'mov' if kinds[0] == 1 else 'cov'
    return Instruction(1, op, b.take(32, 8), b.take(40, 2), 0, b.take(44), b.take(60), b.take(59), 0, None,
                       0, (source,), None, b.where)


def repeats(b, *r):
    """Returns (repeats, empty slots, r of each source): without repeats the r bits encode empty slots."""
    repeat = b.take(40, 2)
    return (repeat, 0, r) if repeat else (0, r[0] | r[1] << 1, (0,) * len(r))


def cat2(b):
    op = named(CAT2, b.take(53, 6), b.where)
    repeat, nops, r = repeats(b, b.take(43), b.take(51))
    if not b.take(52):
        raise ProgramError('%s: half registers' % b.where)
    low = b.take(0, 32)
    sources = [source_16(low & 0xffff, r[0], b.where)]
    if op not in ONE_SOURCE:
        sources.append(source_16(low >> 16, r[1], b.where))
    elif low >> 16:
        raise ProgramError('%s: a second operand' % b.where)
    cond = b.take(48, 3) if op == 'cmps' else 0
    return Instruction(2, op, b.take(32, 8), repeat, nops, b.take(44), b.take(60), b.take(59), b.take(42),
                       named(dict(enumerate(CONDS)), cond, b.where), b.take(47) if op == 'bary' else 0,
                       tuple(sources), None, b.where)


def cat3(b):
    op = named(CAT3, b.take(55, 4), b.where)
    repeat, nops, r = repeats(b, b.take(43), b.take(15))
    third = b.take(29)
    if third and not repeat:
        raise ProgramError('%s: (r) without repeats' % b.where)
    sources = (source_13(b.take(0, 13), b.take(14), r[0], b.where),
               Source('gpr', b.take(47, 8), b.take(30), 0, r[1]),
               source_13(b.take(16, 13), b.take(31), third, b.where))
    return Instruction(3, op, b.take(32, 8), repeat, nops, b.take(44), b.take(60), b.take(59), b.take(42),
                       None, 0, sources, None, b.where)


def cat4(b):
    if not b.take(52):
        raise ProgramError('%s: half registers' % b.where)
    source = source_16(b.take(0, 16), b.take(43), b.where)
    return Instruction(4, named(CAT4, b.take(53, 6), b.where), b.take(32, 8), b.take(40, 2), 0, b.take(44),
                       b.take(60), b.take(59), b.take(42), None, 0, (source,), None, b.where)


Lookup = namedtuple('Lookup', 'mask first second sampler texture three shadow')


def cat5(b):
    if not b.take(0) or b.take(44, 3) != 1:
        raise ProgramError('%s: other than 32 bit floats' % b.where)
    op = named(CAT5, b.take(54, 5), b.where)
    first, second = b.take(1, 8), b.take(9, 8)
    if second and op == 'sam':
        raise ProgramError('%s: a second group' % b.where)
    extra = Lookup(b.take(40, 4), first, second, b.take(21, 4), b.take(25, 7), b.take(48), b.take(50))
    return Instruction(5, op, b.take(32, 8), 0, 0, 0, b.take(60), b.take(59), 0, None, 0, (), extra, b.where)


Alias = namedtuple('Alias', 'scope size')


def cat7(b):
    kind = b.take(51, 2)
    if b.take(55, 4) != 8 or not b.take(50) or b.take(49) or kind == 3:
        raise ProgramError('%s: no alias of 32 bits' % b.where)
    b.take(48)              # only affects how a number is printed
    b.take(53, 2)           # unused bits
    value = b.take(0, (8, 11, 32)[kind])
    source = source_32(kind, value, 0)
    extra = Alias(('tex', 'rt')[b.take(47)], b.take(40, 4))
    return Instruction(7, 'alias', b.take(32, 8), 0, 0, b.take(44), b.take(60), b.take(59), 0, None, 0,
                       (source,), extra, b.where)


CATEGORIES = {0: cat0, 1: cat1, 2: cat2, 3: cat3, 4: cat4, 5: cat5, 7: cat7}


def decode_one(n, word):
    b = Bits(word, 'instruction %d' % n)
    i = named(CATEGORIES, b.take(61, 3), b.where)(b)
    b.end()
    if i.cat in (1, 2, 3, 4) and not (i.dest < 48 * 4 or P0 <= i.dest < P0 + 4 and i.op == 'cmps'):
        raise ProgramError('%s: destination %d' % (b.where, i.dest))
    return i


def decode(words):
    """Returns (instructions, {4*c + component: bits}, {register: value})."""
    stream = [w for a, w in words if a is None]
    rest = words[len(stream):]
    if any(a is None for a, w in rest) or len(stream) % 2 or not stream:
        raise ProgramError('instructions of other than two words')
    program = [decode_one(k // 2, stream[k] | stream[k + 1] << 32) for k in range(0, len(stream), 2)]
    constants, registers = {}, {}
    for a, w in rest:
        kind, key = (registers, a) if a in (CONTROL, ALIASED) else (constants, a // 4)
        if key in kind or kind is constants and (a % 4 or a >= 16 * 512):
            raise ProgramError('%x is no constant, or written twice' % a)
        kind[key] = w
    return program, constants, registers
