"""Executes ir3's instructions over any number domain, and checks when results are available (B.1): reading a
register too early is an error.

Issue slots: an instruction of categories 0 to 3 takes one slot, plus one per repeat and N for a following
(nopN); functions and lookups take none (Mesa's count_instruction: is_alu, i.e. categories 1 to 3, and
is_flow). There must be 3 slots between an instruction of categories 1 to 3 and a read of its result; 1 slot
is enough if the result is the third operand of `mad` (of any category 3 instruction according to the facts,
but Mesa's ir3_delayslots names only multiply-adds); 6 slots if the reader is a function, lookup or kill. The
result of a function is available after an (ss), that of a lookup after an (sy). Two rules are from Mesa's
ir3_legalize.c, not from the facts: a register that a function or lookup reads may be overwritten only after
an (ss); a preamble ends with both (ss) and (sy).
"""
from collections import namedtuple
from fractions import Fraction

from ..common.errors import ProgramError
from .ir3_words import P0

ALU, LAST, OTHERS = 3, 1, 6
Made = namedtuple('Made', 'value slot kind where')      # kind: alu, function, lookup
Flag = namedtuple('Flag', 'cond a b')                   # the result of cmps
Unsigned = namedtuple('Unsigned', 'value')              # an integer
IJ = object()


def name(reg):
    return '%s.%s' % ('p0' if reg >= P0 else 'r%d' % (reg // 4), 'xyzw'[reg % 4])


def preamble(program):
    """Returns (the components that alias.rt binds, the position after the preamble)."""
    bound = {}
    if not program or program[0].op != 'shps':
        return bound, 0
    for n, i in enumerate(program[1:], 1):
        if i.op == 'shpe':
            if program[0].extra != n + 1 or not program[n + 1].jp:
                raise ProgramError('%s: shps does not lead to what follows shpe' % i.where)
            if not (i.ss and i.sy):
                raise ProgramError('%s: shpe without (ss) and (sy)' % i.where)
            return bound, n + 1
        if i.op != 'alias' or i.extra.scope != 'rt' or i.dest > 31 or i.dest in bound or i.extra.size or \
                i.sources[0].kind == 'gpr':
            raise ProgramError('%s: in a preamble' % i.where)
        bound[i.dest] = i.sources[0]
    raise ProgramError('a preamble without end')


class Run:
    """One execution. math: arithmetic; varying(place); constant(place); start: {register: value};
    texel(instruction, read, bias): returns four values; read(k) is component k of the lookup's first group of
    operands."""

    def __init__(self, math, varying, constant, texel, start=None):
        self.math, self.varying, self.constant, self.texel = math, varying, constant, texel
        self.made, self.reading, self.table = {}, {}, {}
        self.slot, self.kills, self.ended, self.last_bary = 0, [], False, None
        for reg, value in {0: IJ, 1: IJ, **(start or {})}.items():
            self.made[reg] = Made(value, -100, 'alu', 'start')

    # ---- registers ----

    def register(self, reg, slots, where):
        made = self.made.get(reg)
        if made is None:
            raise ProgramError('%s: nothing has written %s' % (where, name(reg)))
        if made.kind != 'alu' and slots is not None:
            raise ProgramError('%s: reads %s without %s, which %s writes' % (
                where, name(reg), '(ss)' if made.kind == 'function' else '(sy)', made.where))
        if slots is not None and self.slot - made.slot - 1 < slots:
            raise ProgramError('%s: reads %s, which %s writes, %d slots too early' % (
                where, name(reg), made.where, slots - (self.slot - made.slot - 1)))
        return made.value

    def write(self, reg, value, kind, where):
        made = self.made.get(reg)
        if made is not None and made.kind != 'alu':
            raise ProgramError('%s: overwrites %s before %s has' % (where, name(reg), made.where))
        if reg in self.reading:
            raise ProgramError('%s: overwrites %s, which %s may still read' % (
                where, name(reg), self.reading[reg]))
        if 48 * 4 <= reg < P0:  # by a repeat or mask; the decoder has checked the first register
            raise ProgramError('%s: there is no %s' % (where, name(reg)))
        self.made[reg] = Made(value, self.slot, kind, where)

    def wait(self, i):
        """Executes (ss) and (sy): marks the results for which they wait as ready."""
        kinds = {kind for kind, flag in (('function', i.ss), ('lookup', i.sy)) if flag}
        for reg, made in self.made.items():
            if made.kind in kinds:
                self.made[reg] = made._replace(kind='alu', slot=-100)
        if i.ss:
            self.reading = {}

    def operand(self, i, n, step, slots):
        src = i.sources[n]
        place = src.value + (step if src.r else 0)
        if src.kind == 'gpr':
            v = self.register(place, slots, i.where)
        elif src.kind == 'const':
            v = self.constant(place)
        else:
            if src.r and src.kind == 'imm':
                raise ProgramError('%s: (r) of a number' % i.where)
            v = self.math.const(src.value)
        v = self.math.absolute(v) if src.absolute else v
        return self.math.neg(v) if src.neg else v

    # ---- categories ----

    def bary(self, i, step):
        place, ij = i.sources
        if place.kind != 'int' or ij.kind != 'gpr' or ij.value or ij.r or place.neg or place.absolute:
            raise ProgramError('%s: operands of bary.f' % i.where)
        if any(self.register(reg, 0, i.where) is not IJ for reg in (0, 1)):
            raise ProgramError('%s: r0.xy is overwritten' % i.where)
        if self.last_bary is not None:
            raise ProgramError('%s: bary.f after (ei)' % i.where)
        return self.varying(place.value + (step if place.r else 0))

    def alu(self, i, step):
        m, op = self.math, i.op
        if op == 'bary':
            return self.bary(i, step)
        if i.cat == 2 and len([s for s in i.sources if s.kind != 'gpr']) > 1:
            raise ProgramError('%s: two operands from outside' % i.where)
        v = [self.operand(i, n, step, LAST if i.op == 'mad' and n == 2 else ALU) for n in range(len(i.sources))]
        if op == 'sel':
            if not isinstance(v[1], Flag) or i.sources[0].neg or i.sources[2].neg or i.sat:
                raise ProgramError('%s: operands of sel' % i.where)
            return m.choose(v[1].cond, v[1].a, v[1].b, v[0], v[2])
        if op == 'cov':
            if not isinstance(v[0], Unsigned) or i.sources[0].neg:
                raise ProgramError('%s: converts what is no whole number' % i.where)
            return v[0].value
        if any(isinstance(x, (Flag, Unsigned)) or x is IJ for x in v):
            raise ProgramError('%s: reads what is no float' % i.where)
        out = {'mov': lambda: v[0], 'absneg': lambda: v[0], 'add': lambda: m.add(v[0], v[1]),
               'mul': lambda: m.mul(v[0], v[1]), 'mad': lambda: m.add(m.mul(v[0], v[1]), v[2]),
               'min': lambda: m.least(v[0], v[1]), 'max': lambda: m.most(v[0], v[1]),
               'floor': lambda: m.floor(v[0]), 'cmps': lambda: Flag(i.cond, v[0], v[1])}[op]()
        return m.sat(out) if i.sat else out

    def function(self, i, step):
        src = i.sources[0]
        if src.kind != 'gpr' or i.sat:
            raise ProgramError('%s: a function of what is in no register, or clamped' % i.where)
        self.used = [src.value + (step if src.r else 0)]
        return self.math.function(i.op, self.operand(i, 0, step, OTHERS), False)

    def lookup(self, i):
        x, used = i.extra, []

        def read(base, k):
            entry = self.table.get(base + k)
            if entry is None or entry.kind == 'gpr':
                reg = base + k if entry is None else entry.value
                used.append(reg)
                return self.register(reg, OTHERS, i.where)
            return self.constant(entry.value) if entry.kind == 'const' else self.math.const(entry.value)
        texel = self.texel(i, lambda k: read(x.first, k), read(x.second, 0) if i.op == 'samb' else None)
        for c in range(4):
            if x.mask >> c & 1:
                self.write(i.dest + c, texel[c], 'lookup', i.where)
        for reg in used:
            self.reading[reg] = i.where

    def kill(self, i):
        flag = self.register(P0 + i.extra, OTHERS, i.where)
        if flag.cond != 'LT':
            raise ProgramError('%s: condition %s' % (i.where, flag.cond))
        self.kills.append(self.math.sub(flag.a, flag.b))

    def step(self, i):
        self.wait(i)
        for step in range(i.repeat + 1):
            if i.cat in (1, 2, 3):
                self.write(i.dest + step, self.alu(i, step), 'alu', i.where)
            elif i.cat == 4:
                value = self.function(i, step)
                self.write(i.dest + step, value, 'function', i.where)
                for reg in self.used:
                    self.reading[reg] = i.where
            elif i.cat == 5:
                self.lookup(i)
            elif i.op == 'kill':
                self.kill(i)
            elif i.op not in ('nop', 'end'):
                raise ProgramError('%s: %s in the program' % (i.where, i.op))
            self.slot += i.cat < 4
        self.slot += i.nops
        if i.ei:
            self.last_bary = i.where

    def run(self, program):
        """Executes instructions up to `end`."""
        n = 0
        while n < len(program):
            i = program[n]
            count = 0
            while i.op == 'alias':
                if not count:
                    self.wait(i)
                    size = i.extra.size + 1
                if i.extra.scope != 'tex' or i.dest in self.table or (count and (i.extra.size or i.ss or i.sy)):
                    raise ProgramError('%s: in an alias table' % i.where)
                self.table[i.dest] = i.sources[0]
                count, n = count + 1, n + 1
                i = program[n]
            if count and (i.cat != 5 or count != size):
                raise ProgramError('%s: an alias table of %d before %s' % (i.where, count, i.op))
            self.step(i)
            self.table = {}
            n += 1
            if i.op == 'end':
                break
        if n != len(program) or program[-1].op != 'end':
            raise ProgramError('end is not the end')
        if any(i.op == 'bary' for i in program) and self.last_bary is None:
            raise ProgramError('no (ei)')

    def output(self, bound, base, target=0):
        """Returns the four channels of a render target, or the depth if bound is None."""
        if target is None:
            return [self.register(base, 0, 'end')]
        out = []
        for c in range(4):
            source = bound.get(4 * target + c)
            if source is None:
                out.append(self.register(base + c, 0, 'end'))
            else:
                out.append(self.constant(source.value) if source.kind == 'const'
                           else self.math.const(Fraction(source.value)))
        return out
