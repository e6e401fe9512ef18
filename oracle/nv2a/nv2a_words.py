"""Decodes methods of the NV2A's register combiners (notes/facts/nv2a.md 1 and 2): the meaning of each bit,
and which bits may be set. Words are pairs (method of class 0x97, value), in the order in which they are
written.
"""
from collections import namedtuple

from ..common.errors import ProgramError

STAGES = 8
ALPHA_ICW, COLOR_ICW, ALPHA_OCW, COLOR_OCW, FACTOR0, FACTOR1 = 0x0260, 0x0AC0, 0x0AA0, 0x1E40, 0x0A60, 0x0A80
CW0, CW1, FINAL0, FINAL1, CONTROL, PROGRAM = 0x0288, 0x028C, 0x1E20, 0x1E24, 0x1E60, 0x1E70
PER_STAGE = {ALPHA_ICW: 0xFFFFFFFF, COLOR_ICW: 0xFFFFFFFF, ALPHA_OCW: 0x0003CFFF, COLOR_OCW: 0x000FFFFF,
             FACTOR0: 0xFFFFFFFF, FACTOR1: 0xFFFFFFFF}
SINGLE = {CW0: 0x3F3F3F3F, CW1: 0x3F3F3FE0, FINAL0: 0xFFFFFFFF, FINAL1: 0xFFFFFFFF, CONTROL: 0x0001110F,
          PROGRAM: 0x000FFFFF}

ZERO, C0, C1, FOG, V0, V1, T0, T3, R0, R1, SUM, EF = 0, 1, 2, 3, 4, 5, 8, 0xB, 0xC, 0xD, 0xE, 0xF
NAMES = {0: 'zero', 1: 'c0', 2: 'c1', 3: 'fog', 4: 'v0', 5: 'v1', 8: 't0', 9: 't1', 10: 't2', 11: 't3',
         12: 'r0', 13: 'r1', 14: 'v1+r0', 15: 'E*F'}
WRITTEN = frozenset((V0, V1, T0, T0 + 1, T0 + 2, T3, R0, R1))
# texture mode (notes/facts/nv2a.md 6): the targets that it samples; mode 2 compares depth textures of mode
# 1's targets
MODES = {0: (), 1: ('1d', '2d', 'rect'), 2: ('3d', '1d', '2d', 'rect'), 3: ('cube',)}
OPS = (0, 1, 2, 3, 4, 6)

# mapping: code of bits 7:5; single: bit 4; in rgb halves it selects alpha for all channels, in alpha halves
# alpha instead of blue
Input = namedtuple('Input', 'register single mapping')
# cd, ab, third: registers written; a dot replicates to rgb; blue: the register's alpha becomes its blue
Output = namedtuple('Output', 'cd ab third cd_dot ab_dot mux op cd_blue ab_blue')
Half = namedtuple('Half', 'inputs output')
Stage = namedtuple('Stage', 'rgb alpha')
Final = namedtuple('Final', 'abcd efg clamp_sum invert_v1 invert_r0')
# factors[k][i]: the Word of constant k that stage i reads; final_factors[k]: the one that the final combiner
# reads; modes: texture modes
Program = namedtuple('Program', 'stages final factors final_factors mux_msb modes')
Word = namedtuple('Word', 'index value')


def methods_of(words):
    """Returns {method: Word}. Raises ProgramError for an unknown method, one written twice, or reserved bits.
    """
    allowed = dict(SINGLE)
    for base, bits in PER_STAGE.items():
        allowed.update((base + 4 * i, bits) for i in range(STAGES))
    out = {}
    for index, (method, value) in enumerate(words):
        if method not in allowed:
            name = 'a word without a method' if method is None else '%04X' % method
            raise ProgramError('word %d: %s is no method of the combiners' % (index, name))
        if method in out:
            raise ProgramError('word %d: method %04X is written twice' % (index, method))
        if value & ~allowed[method]:
            raise ProgramError('word %d: %08X has bits that method %04X has not' % (index, value, method))
        out[method] = Word(index, value)
    return out


def inputs_of(value, count):
    """Returns the inputs in the bytes of a word, from bits 31:24 downwards."""
    bytes_ = [value >> 24 - 8 * i & 0xFF for i in range(count)]
    return tuple(Input(b & 15, b >> 4 & 1, b >> 5) for b in bytes_)


def output_of(value):
    bit = lambda n: value >> n & 1
    return Output(value & 15, value >> 4 & 15, value >> 8 & 15, bit(12), bit(13), bit(14), value >> 15 & 7,
                  bit(18), bit(19))


def check_half(half, where, is_rgb):
    for i in half.inputs:
        if i.register not in NAMES or i.register in (SUM, EF):
            raise ProgramError('%s: register %X cannot be read' % (where, i.register))
        if i.register == FOG and i.single == is_rgb:
            raise ProgramError("%s: the fog factor is the final combiner's alone" % where)
    out = half.output
    targets = [r for r in (out.cd, out.ab, out.third) if r != ZERO]
    for r in targets:
        if r not in WRITTEN:
            raise ProgramError('%s: register %X cannot be written' % (where, r))
    if len(set(targets)) != len(targets):
        raise ProgramError('%s: two results go to one register' % where)
    if (out.cd_dot or out.ab_dot) and out.third != ZERO:
        raise ProgramError('%s: a third result beside a dot product' % where)
    if out.op not in OPS:
        raise ProgramError('%s: operation %d on results has no known meaning' % (where, out.op))


def stage_of(value, n):
    rgb = Half(inputs_of(value(COLOR_ICW + 4 * n), 4), output_of(value(COLOR_OCW + 4 * n)))
    alpha = Half(inputs_of(value(ALPHA_ICW + 4 * n), 4), output_of(value(ALPHA_OCW + 4 * n)))
    check_half(rgb, 'stage %d, rgb' % n, True)
    check_half(alpha, 'stage %d, alpha' % n, False)
    written = (alpha.output.cd, alpha.output.ab, alpha.output.third)
    for blue, register in ((rgb.output.cd_blue, rgb.output.cd), (rgb.output.ab_blue, rgb.output.ab)):
        if blue and register == ZERO:
            raise ProgramError('stage %d: the blue of a result that is discarded' % n)
        if blue and register in written:
            raise ProgramError('stage %d: both portions write the alpha of %s' % (n, NAMES[register]))
    return Stage(rgb, alpha)


def final_of(cw0, cw1):
    final = Final(inputs_of(cw0, 4), inputs_of(cw1, 3), cw1 >> 7 & 1, cw1 >> 6 & 1, cw1 >> 5 & 1)
    for name, i in zip('ABCDEFG', final.abcd + final.efg):
        if i.register not in NAMES or name in 'EFG' and i.register in (SUM, EF):
            raise ProgramError('final combiner, %s: register %X cannot be read' % (name, i.register))
    return final


def modes_of(value):
    modes = [value >> 5 * i & 31 for i in range(4)]
    for i, mode in enumerate(modes):
        if mode not in MODES:
            raise ProgramError('texture %d: mode %X is no mode of fixed function' % (i, mode))
    return modes


def decode(words, whole=True):
    """Decodes a list of words. whole: every word on which a program relies must be written; otherwise missing
    words are 0."""
    methods = methods_of(words)

    def value(method):
        if method not in methods:
            if whole:
                raise ProgramError('method %04X is not written' % method)
            return 0
        return methods[method].value

    control = value(CONTROL)
    count = control & 0xFF
    if not 1 <= count <= STAGES:
        raise ProgramError('a count of %d stages' % count)
    if whole and value(CW0) == 0 and value(CW1) == 0:
        raise ProgramError('both words of the final combiner are 0, whose meaning is not known')
    stages = [stage_of(value, n) for n in range(count)]
    # with "same", every stage uses the constant of stage 0
    own = (control >> 12 & 1, control >> 16 & 1)
    factors = [[methods.get(base + 4 * (n if each else 0)) for n in range(count)]
               for base, each in zip((FACTOR0, FACTOR1), own)]
    final = final_of(value(CW0), value(CW1))
    return Program(stages, final, factors, [methods.get(FINAL0), methods.get(FINAL1)], control >> 8 & 1,
                   modes_of(value(PROGRAM)))


def color_bytes(value):
    """Returns bytes r, g, b, a of an A8R8G8B8 word."""
    return [value >> s & 0xFF for s in (16, 8, 0, 24)]
