"""Assembles words of r300 and r500 for the oracle's tests, by the bit positions in the facts
(notes/facts/r300.md 3 and 4)."""
import os
import struct
import sys
from fractions import Fraction as Q


sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.common.vectors import Single  # noqa: E402
from oracle.hw import chips  # noqa: E402

COLOR0 = (Q(1, 2), Q(5, 8), Q(0), Q(3, 4))
COLOR1 = (Q(1), Q(1, 4), Q(1, 8))
TEXEL = {n: tuple(Q(n * 4 + c + 1, 64) for c in range(4)) for n in range(5)}
VALUES = {('primary', 0, c): v for c, v in enumerate(COLOR0)}
VALUES.update({('secondary', 0, c): v for c, v in enumerate(COLOR1)})
VALUES.update({('tex', n, c): v for n in TEXEL for c, v in enumerate(TEXEL[n])})
VALUES.update({('coord', n, c): Q(n + 2 * c + 1, 8) for n in range(5) for c in range(4)})
VALUES.update({('env', 2, c): Q(c + 1, 16) for c in range(4)})
OWN = (0.25, -2.0, 3.0, 0.5)


class Dependent(Single):
    """Inputs whose texels are a function of the coordinates: the coordinates plus an offset for each unit."""

    def sample(self, unit, coords):
        return [c + unit for c in coords[:2]] + [Q(len(coords)), Q(1)]


def inputs(cls=Single):
    return chips.Inputs(cls(VALUES))


def float_bits(x):
    return struct.unpack('<I', struct.pack('<f', x))[0]


def make(target, words, constants=(), textures=(), temps=(), stats=None, assumed=()):
    return chips.Code(target, tuple(words), tuple(chips.Constant(s, u, tuple(v), 0) for s, u, v in constants),
                      tuple(chips.Texture(s, u, c, t) for s, u, c, t in textures),
                      tuple(chips.Input(t, n) for t, n in temps), tuple(assumed),
                      stats or {}, False)


# ---- r300 ----

def addr(s0=0, s1=0, s2=0, dest=0, write=0, out=0, alpha=False):
    """Encodes RGB_ADDR or ALPHA_ADDR; a source is the number of a temporary, or 32 + the number of a
    constant."""
    return s0 | s1 << 6 | s2 << 12 | dest << 18 | write << 23 | out << (24 if alpha else 26)


def inst(op, a=0, b=0, c=0, presub=0, omod=0, clamp=0, nop=0):
    """Encodes RGB_INST or ALPHA_INST; an argument is a select + 32 * modifier."""
    return a | b << 7 | c << 14 | presub << 21 | op << 23 | omod << 27 | clamp << 30 | nop << 31


ZERO, ONE, HALF = 20, 21, 22  # rgb selects; the alpha selects are 4 less
NOTHING = (addr(), addr(), inst(0, ZERO, ZERO, ZERO), inst(0, 16, 16, 16))
# golden words of notes/facts/r300.md 3.3: colour 0 is temporary 0
OUT0 = (0x1C000000, 0x01000000, 0x00050A80, 0x00040889)


def tex_word(src, dest, sampler, op=3):
    return src | dest << 6 | sampler << 11 | op << 15


def r300(pairs, nodes=None, temps=((0, 'color0'), (1, 'color1')), constants=(), textures=(), change=None,
         chip='r300', highest=None, extra=(), rs=()):
    """Returns a chips.Code of pairs (rgb_addr, alpha_addr, rgb_inst, alpha_inst). nodes: [(lookups, number of
    pairs)], by default one node without lookups. change: {address: value} of registers with other values."""
    nodes = nodes or [((), len(pairs))]
    tex = [t for reads, _ in nodes for t in reads]
    regs = {0x4600: len(nodes) - 1 | 8 * bool(nodes[0][0]), 0x4604: highest if highest is not None else 1,
            0x4608: len(pairs) - 1 << 6 | max(0, len(tex) - 1) << 18, **{0x4610 + 4 * j: 0 for j in range(4)}}
    if chip == 'r400':
        regs[0x46bc] = 0
    alu = read = 0
    for j, (reads, count) in enumerate(nodes, 4 - len(nodes)):
        out = any(p[0] >> 26 & 7 or p[1] >> 24 & 1 for p in pairs[alu:alu + count])
        regs[0x4610 + 4 * j] = alu | count - 1 << 6 | (read << 12 | len(reads) - 1 << 17 if reads
                                                       else 0) | out << 22
        alu, read = alu + count, read + len(reads)
    for base, k in ((0x46c0, 0), (0x47c0, 1), (0x48c0, 2), (0x49c0, 3)):
        regs.update({base + 4 * i: p[k] for i, p in enumerate(pairs)})
    regs.update({0x4620 + 4 * i: t for i, t in enumerate(tex)})
    for slot, _, value in constants:
        for c in range(4):
            bits = float_bits(value[c])
            regs[0x4c00 + 16 * slot + 4 * c] = (bits >> 31 << 23 | (bits >> 23 & 255) - 64 << 16
                                                | bits >> 7 & 0xffff) if bits & 0x7fffffff else 0
    regs.update(change or {})
    words = [(a, v) for a, v in regs.items() if v is not None] + list(rs) + list(extra)
    return make(chip, words, constants, textures, temps)


# ---- r500 ----

def swz(text):
    return sum('rgba0h1_'.index(c) << 3 * i for i, c in enumerate(text))


UNUSED = 0x80 | 0x80 << 10 | 0x80 << 20


def addr5(s0=0x80, s1=0x80, s2=0x80, presub=0):
    """A source is the number of a temporary, 128 + an inline constant, or 256 + the number of a constant."""
    return s0 | s1 << 10 | s2 << 20 | presub << 30


def pair5(rgb, rgb_src, alpha, alpha_src, write='', out='', dest=0, adest=0, omod=0, aomod=0, clamp=0,
          aclamp=0, nop=0, wait=0, presub=0, apresub=0):
    """Returns the six dwords of an instruction. rgb: (op, a, b, c), alpha likewise; an operand is (select,
    swizzle, modifier)."""
    def mask(text):
        return sum(1 << 'rgba'.index(c) for c in text)
    (op, *args), (aop, *aargs) = rgb, alpha
    a, b, c = [s | swz(z) << 2 | m << 11 for s, z, m in args] + [0] * (3 - len(args))
    x, y, z3 = [s | swz(z) << 2 | m << 5 for s, z, m in aargs] + [0] * (3 - len(aargs))
    return (int(bool(out)) | wait << 2 | nop << 9 | mask(write) << 11 | mask(out) << 15 | clamp << 19
            | aclamp << 20,
            addr5(*rgb_src, presub=presub), addr5(*alpha_src, presub=apresub),
            a | b << 13 | omod << 26, aop | adest << 4 | x << 12 | y << 19 | aomod << 26,
            op | dest << 4 | c << 12 | z3 << 25)


def tex5(src, dest, sampler, coords='rgaa', op=3, mask='rgba', result='rgba', acquire=1, wait=1, unscaled=0):
    two = lambda text: sum('rgba'.index(c) << 2 * i for i, c in enumerate(text))
    return (3 | wait << 2 | sum(1 << 'rgba'.index(c) for c in mask) << 11, sampler << 16 | op << 22
            | acquire << 25 | unscaled << 27,
            src | two(coords) << 8 | dest << 16 | two(result) << 24, 0, 0, 0)


def r500(instructions, temps=((0, 'color0'), (1, 'color1')), constants=(), textures=(), change=None,
         highest=1, rs=()):
    regs = {0x4600: 2, 0x4604: highest, 0x4630: len(instructions) - 1 << 16,
            0x4634: len(instructions) - 1 << 16, 0x4638: 0, **(change or {})}
    words = [(a, v) for a, v in regs.items() if v is not None] + list(rs) + [(0x4250, 0)]
    words += [(0x4254, w) for i in instructions for w in i]
    for slot, _, value in constants:
        words += [(0x4250, 1 << 16 | slot)] + [(0x4254, float_bits(x)) for x in value]
    return make('r500', words, constants, textures, temps)
