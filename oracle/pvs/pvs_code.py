"""Decodes words of the vertex engine of r300, r400 and r500, and checks the rules that a program must obey.
Written from notes/facts/r300-vertex.md 1 and 2.
"""
from collections import namedtuple

from ..common.errors import ProgramError

VECTOR = {0: 'NOP', 1: 'DOT', 2: 'MUL', 3: 'ADD', 4: 'MAD', 5: 'DST', 6: 'FRC', 7: 'MAX', 8: 'MIN', 9: 'SGE', 10: 'SLT',
          11: 'MAD2', 12: 'MULTIPLY_CLAMP', 13: 'ARL', 14: 'ARR'}
VECTOR_R500 = {23: 'CMP_EQ', 24: 'CMP_GT', 25: 'CMP_GE', 26: 'SGT', 27: 'SEQ', 28: 'SNE'}
MATH = {0: 'NOP', 1: 'EXP', 2: 'LOG', 3: 'EXP_E', 4: 'LIT', 5: 'POW', 6: 'RCP', 7: 'RCP_FF', 8: 'RSQ', 9: 'RSQ_FF',
        10: 'MULS', 11: 'EX2', 12: 'LG2', 16: 'SIN', 17: 'COS'}
MACRO = {0: 'MAD', 1: 'MAD2'}
SOURCES = {'NOP': 0, 'FRC': 1, 'ARL': 1, 'ARR': 1, 'MAD': 3, 'MAD2': 3, 'MULTIPLY_CLAMP': 3, 'CMP_EQ': 3,
           'CMP_GT': 3, 'CMP_GE': 3, 'LIT': 3, 'POW': 3, 'EXP': 1, 'LOG': 1, 'EXP_E': 1, 'RCP': 1, 'RCP_FF': 1,
           'RSQ': 1, 'RSQ_FF': 1, 'EX2': 1, 'LG2': 1, 'SIN': 1, 'COS': 1}
FILES = ('temp', 'input', 'const', 'alt')
TARGETS = {0: 'temp', 1: 'address', 2: 'out', 3: 'out_x', 4: 'alt'}
VECTORS = ('EXP', 'LOG', 'LIT')         # math operations whose result has four lanes

Chip = namedtuple('Chip', 'r500 instructions memory constants_at')
CHIPS = {'r300': Chip(False, 256, 72, 512), 'r400': Chip(False, 256, 72, 512), 'r500': Chip(True, 1024, 128, 1024)}

# select: per lane one of 'xyzw01'; negate: per lane; relative: component of A0, or None
Source = namedtuple('Source', 'file index select negate absolute relative')
Target = namedtuple('Target', 'file index mask')
Half = namedtuple('Half', 'op math target sources saturate')
Instruction = namedtuple('Instruction', 'where first second macro read')


def bit(word, n):
    return word >> n & 1


def field(word, low, width):
    return word >> low & ((1 << width) - 1)


def relative(word, low, high):
    """Returns the component of A0 by which a source or destination is addressed, or None. The address mode is
    encoded in two bits."""
    mode = bit(word, low) | bit(word, high) << 1
    if mode > 1:
        raise ProgramError('address mode %d' % mode)
    return field(word, 29, 2) if mode else None


def select_of(code):
    if code > 5:
        raise ProgramError('select %d is not of this memory' % code)
    return 'xyzw01'[code]


def source_of(word, chip):
    if bit(word, 2):
        raise ProgramError('the spare bit of a source is set')
    if bit(word, 3) and not chip.r500:
        raise ProgramError('|x| is of r500 only')
    select = [select_of(field(word, 13 + 3 * c, 3)) for c in range(4)]
    return Source(FILES[word & 3], field(word, 5, 8), select, [bool(bit(word, 25 + c)) for c in range(4)],
                  bool(bit(word, 3)), relative(word, 4, 31))


def second_of(word, chip, saturate):
    """Decodes the math half of a dual instruction: one operand register, one lane of an alternate temporary.
    """
    code = field(word, 21, 4) | bit(word, 2) << 4
    if code not in MATH or code == 0:
        raise ProgramError('math operation %d' % code)
    op = MATH[code]
    if bit(word, 3) and not chip.r500:
        raise ProgramError('|x| is of r500 only')
    common = (FILES[word & 3], field(word, 5, 8))
    a, b = (Source(*common, [select_of(field(word, at, 3))] * 4, [bool(bit(word, neg))] * 4,
                   bool(bit(word, 3)), relative(word, 4, 31)) for at, neg in ((13, 25), (16, 26)))
    target = Target('alt', field(word, 19, 2), 'xyzw'[field(word, 27, 2)])
    return Half(op, True, target, [a, b, b][:SOURCES.get(op, 2)], saturate)


def half_of(words, chip):
    d = words[0]
    code, math, macro = field(d, 0, 6), bool(bit(d, 6)), bool(bit(d, 7))
    table = MACRO if macro else MATH if math else {**VECTOR, **(VECTOR_R500 if chip.r500 else {})}
    if code not in table:
        raise ProgramError('%s operation %d' % ('macro' if macro else 'math' if math else 'vector', code))
    if field(d, 8, 4) not in TARGETS:
        raise ProgramError('destination of type %d' % field(d, 8, 4))
    if bit(d, 12) or bit(d, 31):
        raise ProgramError('a relative destination')
    if bit(d, 26) or bit(d, 27):
        raise ProgramError('a predicate')
    if (bit(d, 24) or bit(d, 25)) and not chip.r500:
        raise ProgramError('a clamp is of r500 only')
    op = table[code]
    mask = ''.join(c for k, c in enumerate('xyzw') if bit(d, 20 + k))
    target = Target(TARGETS[field(d, 8, 4)], field(d, 13, 7), mask)
    used = SOURCES.get(op, 2)
    return op, math, target, used, bool(bit(d, 25 if math else 24)), macro


def same_place(a, b):
    return (a.file, a.index, a.relative) == (b.file, b.index, b.relative)


def check_reads(where, read, macro):
    """Checks that an instruction reads at most one register each of inputs, constants and alternate
    temporaries, and two temporaries (three in a macro). All three sources count, even if they select only 0
    or 1."""
    for name in ('input', 'const', 'alt', 'temp'):
        places = []
        for s in read:
            if s.file == name and not any(same_place(s, other) for other in places):
                places.append(s)
        most = 1 if name != 'temp' else 3 if macro else 2
        if len(places) > most:
            raise ProgramError('%s: reads %d different registers of %s' % (where, len(places), name))
    moving = [s for s in read if s.relative is not None]
    users = [s for s in moving if any(c in 'xyzw' for c in s.select)]
    if len(users) > 1 or (macro and moving):
        raise ProgramError('%s: two relative reads, or one in a macro' % where)


def instruction(number, words, chip):
    where = 'instruction %d' % number
    try:
        op, math, target, used, saturate, macro = half_of(words, chip)
        if all(w == 0 for w in words):
            return Instruction(where, Half('NOP', False, target, [], False), None, False, [])
        dual = bool(bit(words[0], 28))
        if dual and (math or macro or used > 2):
            raise ProgramError('a second half beside %s' % op)
        sources = [source_of(w, chip) for w in words[1:3 if dual else 4]]
        second = second_of(words[3], chip, bool(bit(words[0], 25))) if dual else None
        if bit(words[0], 25) and not math and not dual:
            raise ProgramError('the math half is clamped, and there is none')
        if op in ('ARL', 'ARR') and target.file != 'address' or target.file == 'address' and op not in ('ARL', 'ARR'):
            raise ProgramError('%s into %s' % (op, target.file))
        if target.file == 'temp' and target.index >= 32 or target.file == 'alt' and target.index >= 20:
            raise ProgramError('%s %d does not exist' % (target.file, target.index))
        read = sources + (second.sources[:1] if second else [])
        for s in read:
            if s.file == 'temp' and s.index >= 32 or s.file == 'alt' and s.index >= 20:
                raise ProgramError('%s %d does not exist' % (s.file, s.index))
        if (second and (target.file, target.index) == ('alt', second.target.index)
                and second.target.mask in target.mask):
            raise ProgramError('both halves write one lane')
    except ProgramError as e:
        raise ProgramError('%s: %s' % (where, e)) from None
    check_reads(where, read, macro)
    if macro and len({s.index for s in sources if s.file == 'temp'}) < 3:
        raise ProgramError('%s: a macro without three temporaries' % where)
    return Instruction(where, Half(op, math, target, sources[:used], saturate), second, macro, read)


class Program:
    """The instructions of a program, its constants (slot: four words), and other registers."""

    def __init__(self, target, words):
        self.chip = chip = CHIPS[target]
        self.registers, self.constants, code, at, data = {}, {}, [], None, []
        for address, value in words:
            if address != 0x2208:
                self.upload(at, data, code)
                at, data = (value if address == 0x2200 else None), []
                if address != 0x2200:
                    if address in self.registers:
                        raise ProgramError('register %#x is written twice' % address)
                    self.registers[address] = value
            else:
                data.append(value)
        self.upload(at, data, code)
        self.code = [instruction(k, code[4 * k:4 * k + 4], chip) for k in range(len(code) // 4)]
        self.check_control()

    def upload(self, at, data, code):
        if not data:
            return
        if at is None or len(data) % 4:
            raise ProgramError('data without an index, or no whole instructions')
        if at == 0:
            code += data
            return
        if at < self.chip.constants_at:
            raise ProgramError('data at %d' % at)
        for k in range(len(data) // 4):
            self.constants[at - self.chip.constants_at + k] = data[4 * k:4 * k + 4]

    def check_control(self):
        chip, n, regs = self.chip, len(self.code), self.registers
        if not 1 <= n <= chip.instructions or (n < 4 and not chip.r500):
            raise ProgramError('%d instructions' % n)
        if set(regs) != {0x2080, 0x2090, 0x2094, 0x2284, 0x22d0, 0x22d4, 0x22d8, 0x22dc}:
            raise ProgramError('registers %s' % sorted(map(hex, regs)))
        control, inputs_end = regs[0x22d0], regs[0x22d8]
        if control & 0x3ff or field(control, 20, 10) != n - 1:
            raise ProgramError('CODE_CNTL_0 %#x of %d instructions' % (control, n))
        writes = [k for k, i in enumerate(self.code) if i.first.target.file in ('out', 'out_x')
                  and i.first.target.index == 0 and i.first.op != 'NOP']
        reads = [k for k, i in enumerate(self.code) if any(s.file == 'input' for s in i.read)]
        if field(control, 10, 10) != max(writes, default=0):
            raise ProgramError('CODE_CNTL_0: the last write of the position')
        if inputs_end != max(reads, default=0):
            raise ProgramError('CODE_CNTL_1: the last read of an input')
        if regs[0x22dc] or regs[0x2284] or field(regs[0x22d4], 0, 8):
            raise ProgramError('flow control, flush or the base of constants')
        used = [s.index for i in self.code for s in i.read if s.file == 'const' and s.relative is None]
        last = field(regs[0x22d4], 16, 8)
        if max(used, default=0) > last or max(self.constants, default=0) != last:
            raise ProgramError('CONST_CNTL: %d is the last constant' % last)
        self.check_concurrency()

    def count(self, name):
        """Returns how many registers of a memory are in use: the highest one and all below."""
        halves = [h for i in self.code for h in (i.first, i.second) if h]
        used = [h.target.index for h in halves if h.target.file == name and h.op != 'NOP']
        return max(used + [s.index for i in self.code for s in i.read if s.file == name], default=-1) + 1

    def controllers(self):
        temps, alternates = self.count('temp'), self.count('alt')
        return min(5, self.chip.memory // max(temps, 1), 20 // max(alternates, 1))

    def check_concurrency(self):
        word, formats = self.registers[0x2080], self.registers[0x2090]
        outputs = bin(formats & 0x1f).count('1') + bit(formats, 16)
        texcoords = self.registers[0x2094]
        while texcoords:
            if texcoords & 7 != 4:
                raise ProgramError('VTX_FMT_1: a coordinate of %d components' % (texcoords & 7))
            outputs, texcoords = outputs + 1, texcoords >> 3
        self.outputs = outputs
        slots = min(10, self.chip.memory // max(1, self.count('input')), self.chip.memory // max(1, outputs))
        if field(word, 0, 4) != slots or field(word, 4, 4) != self.controllers():
            raise ProgramError('VAP_CNTL: %d slots and %d controllers, not %d and %d' % (
                field(word, 0, 4), field(word, 4, 4), slots, self.controllers()))
        if not formats & 1 or self.count('out') > outputs:
            raise ProgramError('VTX_FMT: %d outputs, %d are written' % (outputs, self.count('out')))
