"""Decodes the words of i915 fragment programs strictly (notes/facts/i915.md 2 to 4) and makes the checks that
need no values: of registers that are read before they are written, of limits, and of phases
(notes/facts/i915.md 6).

As a program has no branches, these checks hold for all its executions. Where the facts are ambiguous, a
program must be correct under each interpretation. ASSUMPTIONS lists interpretations on which a program may
rely.
"""
from collections import namedtuple

from ..common.errors import ProgramError
from ..hw.chips import Assumption

ASSUMPTIONS = {'in-order': Assumption('a lookup is not done before the arithmetic that precedes it in its '
                                      'phase')}
PROGRAM, CONSTANTS = 0x7D050000, 0x7D060000
NAMES = 'xyzw'
KINDS = ('R', 'T', 'C', 'S', 'oC', 'oD', 'U')
COUNTS = {'R': 16, 'T': 11, 'C': 32, 'S': 16, 'oC': 1, 'oD': 1, 'U': 3}
WRITABLE = ('R', 'oC', 'oD', 'U')
ARITHMETIC = {0x01: 'ADD', 0x02: 'MOV', 0x03: 'MUL', 0x04: 'MAD', 0x05: 'DP2ADD', 0x06: 'DP3', 0x07: 'DP4',
              0x08: 'FRC', 0x09: 'RCP', 0x0A: 'RSQ', 0x0B: 'EXP', 0x0C: 'LOG', 0x0D: 'CMP', 0x0E: 'MIN',
              0x0F: 'MAX', 0x10: 'FLR', 0x12: 'TRC', 0x13: 'SGE', 0x14: 'SLT'}
OPERANDS = {**dict.fromkeys(('MOV', 'FRC', 'RCP', 'RSQ', 'EXP', 'LOG', 'FLR', 'TRC'), 1),
            **dict.fromkeys(('MAD', 'DP2ADD', 'CMP'), 3)}       # all others: 2
SCALAR = ('RCP', 'RSQ', 'EXP', 'LOG')
TEXTURE = {0x15: 'TEXLD', 0x16: 'TEXLDP', 0x17: 'TEXLDB', 0x18: 'TEXKILL'}
DCL = 0x19
SAMPLERS = ('2D', 'CUBE', 'VOLUME')
# the channel masks that each T register may be declared with
XYZ, XYZW = (0b0001, 0b0011, 0b0111), (0b0001, 0b0011, 0b0111, 0b1000, 0b1111)
MASKS = {**{n: XYZW for n in range(9)}, 9: XYZ, 10: (0b1000,)}
MOST_ALU, MOST_TEX, MOST_PHASES = 64, 32, 4

# of: a channel ('x', 'y', 'z', 'w'), '0' or '1'; negative: whether its sign is changed
Select = namedtuple('Select', 'of negative')
Source = namedtuple('Source', 'kind number selects')
# mask: the channels that are written; sampler: only for lookups, whose only source is the coordinate
Instruction = namedtuple('Instruction', 'op saturate kind number mask sources sampler where')
# declared: {T number: channels}; samplers: {number: kind}; constants: {(number, channel): word} and
# places: {number: index of its first word}; alu, tex, phases, temporaries: counts; depth: oD.w is written;
# written: the channels of oC that are written
Program = namedtuple('Program', 'declared samplers code constants places alu tex phases temporaries depth '
                                'written')


def bits(word, low, width):
    return word >> low & (1 << width) - 1


def channels(mask):
    return tuple(p for p in range(4) if mask >> p & 1)


def register(kind, number, allowed, where):
    """Returns the name of a register's kind; raises if it does not exist or is not allowed here."""
    name = KINDS[kind] if kind < len(KINDS) else None
    if name is None or number >= COUNTS[name]:
        raise ProgramError('%s: register %d of type %d does not exist' % (where, number, kind))
    if name not in allowed:
        raise ProgramError('%s: %s%d cannot stand here' % (where, name, number))
    return name


def reserved(words, fields, where):
    """Raises an error if words have bits set outside their fields. fields: [(low, width)] for each word."""
    for k, (word, known) in enumerate(zip(words, fields)):
        rest = word & ~sum((1 << width) - 1 << low for low, width in known)
        if rest:
            raise ProgramError('%s: bits %08x of its word %d are not zero' % (where, rest, k))


# ---- instructions ----

def select(nibble, where):
    if nibble & 7 > 5 or nibble == 12:
        raise ProgramError('%s: select %x' % (where, nibble))
    return Select('xyzw01'[nibble & 7], bool(nibble & 8))


def source(kind, number, nibbles, where):
    selects = tuple(select(x, where) for x in nibbles)
    name = register(kind, number, ('R', 'T', 'C', 'oC', 'oD', 'U'), where)
    if all(s.of in '01' for s in selects) and (kind or number):
        raise ProgramError('%s: %s%d is named, and none of it read' % (where, name, number))
    return Source(name, number, selects)


def arithmetic(op, w, where):
    first = (24, 5), (22, 1), (19, 3), (14, 4), (10, 4), (7, 3), (2, 5)
    reserved(w, (first, ((0, 32),), ((0, 32),)), where)
    fields = ((bits(w[0], 7, 3), bits(w[0], 2, 5), [bits(w[1], 28 - 4 * k, 4) for k in range(4)]),
              (bits(w[1], 13, 3), bits(w[1], 8, 5), [bits(w[1], 4, 4), bits(w[1], 0, 4),
                                                     bits(w[2], 28, 4), bits(w[2], 24, 4)]),
              (bits(w[2], 21, 3), bits(w[2], 16, 5), [bits(w[2], 12 - 4 * k, 4) for k in range(4)]))
    count = OPERANDS.get(op, 2)
    for k, (kind, number, nibbles) in enumerate(fields[count:], count):
        if kind or number or any(nibbles):
            raise ProgramError('%s: source %d is not read, and has bits set' % (where, k))
    sources = tuple(source(*field, where) for field in fields[:count])
    one = sources[0] if op in SCALAR else sources[2] if op == 'DP2ADD' else None
    if one and len(set(one.selects)) > 1:
        raise ProgramError('%s: the four selects of a scalar differ' % where)
    read = sorted({s.number for s in sources if s.kind == 'C'})
    if len(read) > 1:
        raise ProgramError('%s: reads constants %s' % (where, ' and '.join(map(str, read))))
    kind, number, mask = bits(w[0], 19, 3), bits(w[0], 14, 4), channels(bits(w[0], 10, 4))
    if not mask:
        raise ProgramError('%s: writes no channel' % where)
    return Instruction(op, bool(bits(w[0], 22, 1)), register(kind, number, WRITABLE, where), number, mask,
                       sources, None, where)


def texture(op, w, where):
    reserved(w, (((24, 5), (19, 3), (14, 4), (0, 4)), ((24, 3), (17, 4)), ()), where)
    kind, number = bits(w[0], 19, 3), bits(w[0], 14, 4)
    coordinate, which = bits(w[1], 24, 3), bits(w[1], 17, 4)
    name = register(coordinate, which, ('R', 'T'), where)
    if op == 'TEXKILL' and bits(w[0], 0, 4):
        raise ProgramError('%s: it names a sampler' % where)
    read = Source(name, which, tuple(Select(c, False) for c in NAMES))
    return Instruction(op, False, register(kind, number, WRITABLE, where), number, (0, 1, 2, 3), (read,),
                       bits(w[0], 0, 4), where)


def declaration(w, declared, samplers, where):
    kind, number = bits(w[0], 19, 3), bits(w[0], 14, 4)
    name = register(kind, number, ('T', 'S'), where)
    own = (10, 4) if name == 'T' else (22, 2)
    reserved(w, (((24, 5), (19, 3), (14, 4), own), (), ()), where)
    if number in (declared if name == 'T' else samplers):
        raise ProgramError('%s: %s%d is declared twice' % (where, name, number))
    if name == 'S':
        if bits(w[0], 22, 2) >= len(SAMPLERS):
            raise ProgramError('%s: sampler type 3' % where)
        samplers[number] = SAMPLERS[bits(w[0], 22, 2)]
        return
    mask = bits(w[0], 10, 4)
    if mask not in MASKS[number]:
        raise ProgramError('%s: T%d is declared with mask %x' % (where, number, mask))
    declared[number] = channels(mask)


def instructions(stream):
    """Returns (declared, samplers, instructions) of the words of a program."""
    declared, samplers, code = {}, {}, []
    for n in range(len(stream) // 3):
        w = stream[3 * n:3 * n + 3]
        op = bits(w[0], 24, 8)
        name = 'DCL' if op == DCL else ARITHMETIC.get(op) or TEXTURE.get(op)
        where = 'instruction %d (%08x %08x %08x)' % (n, *w)
        if name is None:
            raise ProgramError('%s: no known operation' % where)
        where += ', ' + name
        if op != DCL:
            code.append((texture if op in TEXTURE else arithmetic)(name, w, where))
        elif code:
            raise ProgramError('%s: it follows an instruction' % where)
        else:
            declaration(w, declared, samplers, where)
    return declared, samplers, code


# ---- packets ----

def packets(words):
    """Returns the words of the program, {(constant, channel): word} and {constant: index of its first word}.
    """
    for at, (address, word) in enumerate(words):
        if address is not None or not 0 <= word < 1 << 32:
            raise ProgramError('word %d: it has an address in a stream, or more than 32 bits' % at)
    stream = [w for _, w in words]
    head = stream[0] if stream else 0
    count = (head & 0x1FF) + 1
    if head & ~0x1FF != PROGRAM or count % 3 or count + 1 > len(stream):
        raise ProgramError('word 0 (%08x): no program of such a length' % head)
    constants, places, rest, at = {}, {}, stream[count + 1:], count + 1
    if rest:
        registers = [n for n in range(32) if len(rest) > 1 and rest[1] >> n & 1]
        if not registers or rest[0] != CONSTANTS | 4 * len(registers) or len(rest) != 2 + 4 * len(registers):
            raise ProgramError('word %d (%08x): no constants of such a number' % (at, rest[0]))
        for k, n in enumerate(registers):
            places[n] = at + 2 + 4 * k
            constants.update({(n, c): rest[2 + 4 * k + c] for c in range(4)})
    return stream[1:count + 1], constants, places


# ---- checks that registers are written before they are read, and of phases ----

def places_read(i, s):
    """Returns the positions (0 to 3) of source s that an arithmetic instruction reads."""
    if i.op in SCALAR or i.op == 'DP2ADD' and s == 2:
        return (0,)
    return {'DP2ADD': (0, 1), 'DP3': (0, 1, 2), 'DP4': (0, 1, 2, 3)}.get(i.op, i.mask)


def channels_read(i, samplers):
    """Returns the channels of the coordinate that a texture instruction reads."""
    if i.op == 'TEXKILL':
        return (0, 1, 2, 3)
    if i.sampler not in samplers:
        raise ProgramError('%s: S%d is not declared' % (i.where, i.sampler))
    return ((0, 1) if samplers[i.sampler] == '2D' else (0, 1, 2)) + (() if i.op == 'TEXLD' else (3,))


class Walk:
    """Walks through a program once. phase_of: the phase in which each R register was last written; touched:
    the registers that arithmetic has read or written since the last phase boundary that exists under all
    interpretations of the facts."""

    def __init__(self, declared, samplers, constants, assume):
        self.defined = {('T', n, c) for n, mask in declared.items() for c in mask}
        self.defined |= {('C', n, c) for n, c in constants}
        self.samplers, self.assume = samplers, assume
        self.phase, self.phase_of, self.touched = 1, {}, set()

    def need(self, i, kind, number, c):
        if (kind, number, c) not in self.defined:
            what = {'T': 'T%d.%s is not declared', 'C': 'C%d.%s is not loaded'}.get(
                kind, 'nothing has written %s%%d.%%s' % kind)
            raise ProgramError('%s: %s' % (i.where, what % (number, NAMES[c])))

    def arithmetic(self, i):
        for s, src in enumerate(i.sources):
            for p in places_read(i, s):
                if src.selects[p].of in NAMES:
                    self.need(i, src.kind, src.number, NAMES.index(src.selects[p].of))
            self.touched.add((src.kind, src.number))
        self.touched.add((i.kind, i.number))
        self.defined |= {(i.kind, i.number, p) for p in i.mask}

    def texture(self, i):
        coordinate, to_output = i.sources[0], i.kind in ('oC', 'oD')
        waits = coordinate.kind == 'R' and self.phase_of.get(coordinate.number) == self.phase
        self.phase += to_output or waits
        if waits:
            self.touched.clear()
        if self.phase > MOST_PHASES:
            raise ProgramError('%s: begins phase %d' % (i.where, self.phase))
        for c in channels_read(i, self.samplers):
            self.need(i, coordinate.kind, coordinate.number, c)
        if (i.kind, i.number) in self.touched and i.op != 'TEXKILL' and 'in-order' not in self.assume:
            raise ProgramError('%s: %s%d is used in its phase before' % (i.where, i.kind, i.number))
        if to_output or coordinate.kind == 'R':
            self.defined = {d for d in self.defined if d[0] != 'U'}
        written = {(i.kind, i.number, p) for p in i.mask}
        self.defined = self.defined - written if i.op == 'TEXKILL' else self.defined | written

    def step(self, i):
        (self.texture if i.op in TEXTURE.values() else self.arithmetic)(i)
        if i.kind == 'R':
            self.phase_of[i.number] = self.phase


def decode(words, assume=frozenset()):
    """Decodes the two packets and checks the program."""
    stream, constants, places = packets(words)
    declared, samplers, code = instructions(stream)
    tex = sum(i.op in TEXTURE.values() for i in code)
    if tex > MOST_TEX or len(code) - tex > MOST_ALU:
        raise ProgramError('%d texture and %d arithmetic instructions' % (tex, len(code) - tex))
    walk = Walk(declared, samplers, constants, assume)
    for i in code:
        walk.step(i)
    unread = set(places) - {s.number for i in code for s in i.sources if s.kind == 'C'}
    if unread:
        raise ProgramError('constants %s are loaded and not read' % sorted(unread))
    return Program(declared, samplers, code, constants, places, len(code) - tex, tex, walk.phase,
                   len({i.number for i in code if i.kind == 'R'}), ('oD', 0, 3) in walk.defined,
                   {c for kind, _, c in walk.defined if kind == 'oC'})
