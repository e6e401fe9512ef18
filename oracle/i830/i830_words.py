"""Packets of the i830's texture blend units (notes/facts/i830.md 3), one table row per packet, decoded
strictly.
"""
from collections import namedtuple

from ..common.errors import ProgramError

Field = namedtuple('Field', 'name low width allowed')
# body: None (one dword), or the fields of the second dword
Row = namedtuple('Row', 'name header fields body')
# at: index of the header word; value: the second dword, None if there is none
Packet = namedtuple('Packet', 'at name fields value')

# Operations (notes/facts/i830.md 2). 0, 4 and 5 have no name; BLEND_AND_ADD has a name and no formula.
OPS = {0x1: 'ARG1', 0x2: 'ARG2', 0x3: 'MODULATE', 0x6: 'ADD', 0x7: 'ADDSIGNED', 0x8: 'BLEND',
       0x9: 'BLEND_AND_ADD', 0xa: 'SUBTRACT', 0xb: 'DOT3',
       0xc: 'DOT4', 0xd: 'MODULATE_AND_ADD', 0xe: 'MODULATE_2X_AND_ADD', 0xf: 'MODULATE_4X_AND_ADD'}
# The arguments that an operation reads (the hardware's numbers).
READS = {'ARG1': (1,), 'ARG2': (2,), 'MODULATE': (1, 2), 'ADD': (1, 2), 'ADDSIGNED': (1, 2),
         'BLEND': (0, 1, 2), 'SUBTRACT': (1, 2), 'DOT3': (1, 2), 'DOT4': (1, 2),
         'MODULATE_AND_ADD': (0, 1, 2), 'MODULATE_2X_AND_ADD': (0, 1, 2), 'MODULATE_4X_AND_ADD': (0, 1, 2)}
SOURCES = {0: 'ONE', 1: 'FACTOR', 2: 'ACCUM', 3: 'DIFFUSE', 4: 'SPEC', 5: 'CURRENT', 6: 'TEXEL0',
           7: 'TEXEL1', 8: 'TEXEL2', 9: 'TEXEL3', 0xe: 'FACTOR_N'}
COLOR, ALPHA, KILL = range(3)


def bit(name, low):
    return Field(name, low, 1, None)


STAGE, PIPE, UNIT = Field('stage', 20, 3, range(4)), Field('pipe', 18, 2, range(3)), Field('unit', 16, 3,
                                                                                           range(4))
ANY = (Field('value', 0, 32, None),)
ROWS = (
    Row('MAP_BLEND_OP', 0x6D000000, (STAGE, PIPE, bit('out_valid', 17), Field('out', 15, 2, (0, 1)),
                                     bit('control_valid', 12), bit('control', 11),
                                     Field('scale', 9, 2, range(3)), bit('modify', 8), bit('last', 7),
                                     Field('op', 0, 4, (0, *OPS))), None),
    Row('MAP_BLEND_ARG', 0x6E000000, (STAGE, PIPE, Field('arg', 15, 2, None), bit('modify', 6),
                                      bit('replicate', 5), bit('invert', 4),
                                      Field('source', 0, 4, tuple(SOURCES))), None),
    Row('COLOR_FACTOR', 0x7D010000, (), ANY),
    Row('COLOR_FACTOR_N', 0x7D900000, (Field('stage', 16, 2, None),), ANY),
    Row('DFLT_DIFFUSE', 0x7D990000, (), ANY),
    Row('DFLT_SPEC', 0x7D9A0000, (), ANY),
    Row('CONST_BLEND_COLOR', 0x7D880000, (), ANY),
    Row('MAP_COORD_SETBIND', 0x7D020000, (), tuple(Field('set%d' % n, 4 * n, 4, (0, 1, *range(8, 16)))
                                                   for n in range(8))),
    Row('MAP_COORD_TRANSFORM', 0x7D8C0000, (), (Field('set', 29, 3, None), bit('disable', 28))),
    Row('MAP_COORD_SET', 0x7C080000, (UNIT, bit('params_valid', 15), bit('normalized', 14),
                                      Field('type', 11, 3, range(3)), bit('v_valid', 7),
                                      Field('v', 4, 3, range(5)), bit('u_valid', 3),
                                      Field('u', 0, 3, range(5))), None),
    Row('MAP_TEX_STREAM', 0x7C280000, (UNIT, bit('bump_valid', 12), bit('bump', 11), bit('modify', 8),
                                       bit('set_valid', 7), Field('set', 4, 3, None),
                                       bit('map_valid', 3), Field('map', 0, 3, range(4))), None),
    Row('MAP_CUBE', 0x7C500000, (UNIT, Field('faces', 0, 6, None)), None),
)


def mask(fields):
    return sum(((1 << f.width) - 1) << f.low for f in fields)


def fields_of(fields, word, where):
    out = {}
    for f in fields:
        out[f.name] = word >> f.low & (1 << f.width) - 1
        if f.allowed is not None and out[f.name] not in f.allowed:
            raise ProgramError('%s: %s is %d, which has no meaning' % (where, f.name, out[f.name]))
    return out


def decode(words):
    """Decodes a stream of words (None, value) into packets. Raises ProgramError for anything that the facts
    do not describe: unknown headers, reserved bits, undefined values, and a stream that ends within a packet.
    """
    out, i = [], 0
    while i < len(words):
        address, word = words[i]
        where = 'word %d (%08x)' % (i, word)
        if address is not None:
            raise ProgramError('%s has an address in a packet stream' % where)
        row = next((r for r in ROWS if (word ^ r.header) & ~mask(r.fields) & 0xFFFFFFFF == 0), None)
        if row is None or not 0 <= word < 1 << 32:
            near = next((r.name for r in ROWS if r.header >> 24 == word >> 24
                         and (word >> 24 != 0x7D or (word ^ r.header) & 0xFF0000 == 0)), None)
            raise ProgramError('%s is %s' % (where, 'a %s with reserved bits set' % near if near
                                             else 'no known packet'))
        fields = fields_of(row.fields, word, '%s, %s' % (where, row.name))
        if row.name == 'MAP_BLEND_OP' and fields['modify'] and fields['op'] == 0:
            raise ProgramError('%s, %s: op is 0, which has no meaning' % (where, row.name))
        value = None
        if row.body is not None:
            if i + 1 == len(words):
                raise ProgramError('%s: the stream ends within %s' % (where, row.name))
            value = words[i + 1][1]
            if (words[i + 1][0] is not None or value & ~mask(row.body) & 0xFFFFFFFF
                or not 0 <= value < 1 << 32):
                raise ProgramError('word %d (%08x): not a value of %s' % (i + 1, value, row.name))
            fields.update(fields_of(row.body, value, 'word %d, %s' % (i + 1, row.name)))
        out.append(Packet(i, row.name, fields, value))
        i += 1 if row.body is None else 2
    return out


def channels(argb):
    """Returns bytes r, g, b, a of an ARGB8888 word."""
    return [argb >> s & 0xFF for s in (16, 8, 0, 24)]
