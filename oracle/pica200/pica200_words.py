"""Decodes registers of the PICA200's texture combiner (notes/facts/pica200.md 1): the meaning of each bit,
and which bits may be set. Words are pairs (register id, value), in the order in which they are written.
UPDATE_BUFFER is written with the byte mask 2 (header 000200E0): its other bytes belong to fog and are 0 here.
TEXUNIT_CONFIG may be among the words, for the texture units that are read; any other register outside the
combiner is an error.
"""
from collections import namedtuple

from ..common.errors import ProgramError

STAGE_BASE = (0x0C0, 0x0C8, 0x0D0, 0x0D8, 0x0F0, 0x0F8)
SOURCE, OPERAND, COMBINER, COLOR, SCALE = range(5)
UPDATE_BUFFER, BUFFER_COLOR, TEXUNIT_CONFIG = 0x0E0, 0x0FD, 0x080
STAGES = len(STAGE_BASE)
BUFFER_SLOT = STAGES        # slots of constants: the COLOR of stages 0 to 5, then BUFFER_COLOR

SOURCES = {0: 'PRIMARY', 1: 'LIGHT_PRIMARY', 2: 'LIGHT_SECONDARY', 3: 'TEXTURE0', 4: 'TEXTURE1',
           5: 'TEXTURE2', 6: 'TEXTURE3', 0xD: 'BUFFER', 0xE: 'CONSTANT', 0xF: 'PREVIOUS'}
OPS = dict(enumerate(('REPLACE', 'MODULATE', 'ADD', 'ADD_SIGNED', 'INTERPOLATE', 'SUBTRACT', 'DOT3_RGB',
                      'DOT3_RGBA', 'MULTIPLY_ADD', 'ADD_MULTIPLY')))
SHIFTS = {0: 0, 1: 1, 2: 2}         # scale code -> power of 2
ARGUMENTS = {'REPLACE': 1, 'INTERPOLATE': 3, 'MULTIPLY_ADD': 3, 'ADD_MULTIPLY': 3}      # the others: 2

# operand code -> (channel read, complement); 'c' is the channel that is computed
RGB_OPERANDS = {0x0: ('c', False), 0x1: ('c', True), 0x2: ('a', False), 0x3: ('a', True),
                0x4: ('r', False), 0x5: ('r', True), 0x8: ('g', False), 0x9: ('g', True),
                0xC: ('b', False), 0xD: ('b', True)}
ALPHA_OPERANDS = {0: ('a', False), 1: ('a', True), 2: ('r', False), 3: ('r', True),
                  4: ('g', False), 5: ('g', True), 6: ('b', False), 7: ('b', True)}

# bits of each register that may be set; all of them are fields of the facts
STAGE_BITS = (0x0FFF0FFF, 0x00777FFF, 0x000F000F, 0xFFFFFFFF, 0x00030003)
CONFIG_BITS = 0x00013707        # units 0 to 2; unit 3, its set; the bit that is 1; unit 2's set; clear cache
STORE_BITS = 0x0000FF00

Argument = namedtuple('Argument', 'source channel invert')
Pipe = namedtuple('Pipe', 'op arguments scale')         # arguments: those that are read; scale: power of 2
# held: the sources in all three slots of both pipes, used or not
Stage = namedtuple('Stage', 'rgb alpha held')
Program = namedtuple('Program', 'stages colors stores config')
Word = namedtuple('Word', 'index value')


def registers_of(words):
    """Returns {register id: Word}. Raises ProgramError for an unknown register, one written twice, or
    reserved bits."""
    allowed = {UPDATE_BUFFER: STORE_BITS, BUFFER_COLOR: 0xFFFFFFFF, TEXUNIT_CONFIG: CONFIG_BITS}
    for base in STAGE_BASE:
        allowed.update((base + i, bits) for i, bits in enumerate(STAGE_BITS))
    out = {}
    for index, (address, value) in enumerate(words):
        where = 'word %d' % index
        if address not in allowed:
            name = 'an address-less word' if address is None else '%03X' % address
            raise ProgramError('%s: %s is no register of the combiner' % (where, name))
        if address in out:
            raise ProgramError('%s: register %03X is written twice' % (where, address))
        if value & ~allowed[address]:
            raise ProgramError('%s: %08X has bits that register %03X has not' % (where, value, address))
        out[address] = Word(index, value)
    return out


def field(table, code, what):
    """Returns the meaning of a code; raises ProgramError if the facts do not define it."""
    if code not in table:
        raise ProgramError('%s: code %X has no known meaning' % (what, code))
    return table[code]


def pipe_of(values, shift, operands, width, where):
    """Returns (Pipe, sources of all slots) of one half of a stage's registers."""
    sources = [field(SOURCES, values[SOURCE] >> shift + 4 * i & 15, '%s: source %d' % (where, i))
               for i in range(3)]
    codes = [values[OPERAND] >> (12 if shift else 0) + 4 * i & (1 << width) - 1 for i in range(3)]
    modifiers = [field(operands, code, '%s: operand %d' % (where, i)) for i, code in enumerate(codes)]
    op = field(OPS, values[COMBINER] >> shift & 15, '%s: operation' % where)
    scale = field(SHIFTS, values[SCALE] >> shift & 3, '%s: scale' % where)
    arguments = [Argument(s, *m) for s, m in zip(sources, modifiers)][:ARGUMENTS.get(op, 2)]
    return Pipe(op, tuple(arguments), scale), sources


def stage_of(registers, n):
    values = []
    for i, name in enumerate(('SOURCE', 'OPERAND', 'COMBINER', None, 'SCALE')):
        word = registers.get(STAGE_BASE[n] + i)
        if word is None and name:
            raise ProgramError('stage %d: %s is not set, and all six stages run' % (n, name))
        values.append(word and word.value)
    rgb, held = pipe_of(values, 0, RGB_OPERANDS, 4, 'stage %d, rgb' % n)
    alpha, more = pipe_of(values, 16, ALPHA_OPERANDS, 3, 'stage %d, alpha' % n)
    return Stage(rgb, alpha, tuple(held + more))


def decode(words):
    """Decodes a list of words: six stages, words of constants by slot, store bits, texture units."""
    registers = registers_of(words)
    colors = [registers.get(base + COLOR) for base in STAGE_BASE] + [registers.get(BUFFER_COLOR)]
    return Program([stage_of(registers, n) for n in range(STAGES)], colors, registers.get(UPDATE_BUFFER),
                   registers.get(TEXUNIT_CONFIG))


def color_bytes(value):
    """Returns bytes r, g, b, a of a COLOR word."""
    return [value >> s & 0xFF for s in (0, 8, 16, 24)]
