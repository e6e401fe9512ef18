"""Generates random programs of ATI_fragment_shader as text. They are legal, have one or two passes, and read
nothing undefined (notes/facts/atifs.md).
"""
from .atifs_text import OPS

SWIZZLES = {'str': ('str', 'str_dr'), 'stq': ('stq', 'stq_dq')}
TARGETS = ('2d', '2d', '2d', '1d', 'rect', '3d', 'cube')
SCALES = ('', '', '', '.2x', '.4x', '.8x', '.half', '.quarter', '.eighth')
OF_CONSTANTS = 0.2      # share of instructions that read constants only
WHOLE_DOT = 0.2         # share of programs that end with a dot product into colour and alpha of the result
COLOUR_OPS = ('MOV', 'ADD', 'MUL', 'SUB', 'MAD', 'LERP', 'CND', 'CND0', 'DOT3', 'DOT4', 'DOT2ADD')


class Maker:
    """Generates one program. Tracks for each channel of each register whether it is None (undefined), 'unit'
    (in [0,1]) or 'any'."""

    def __init__(self, rng, plain=False):
        self.rng, self.plain = rng, plain
        self.lines, self.consts = [], []
        self.binds, self.targets, self.classes = {}, {}, {}
        self.regs = [[None] * 4 for _ in range(6)]
        self.last = True                                    # in the last pass

    # ---- setup ----

    def setups(self, second):
        rng, before = self.rng, self.regs
        self.regs = [[None] * 4 for _ in range(6)]
        chosen = [d for d in range(6) if rng.random() < 0.6] or [0]
        for d in chosen:
            sample = rng.random() < 0.7
            target = self.targets.setdefault(d,
                                             '2d' if self.plain else rng.choice(TARGETS)) if sample else '2d'
            three = target in ('3d', 'cube')
            source = None
            if second and rng.random() < 0.6:
                source = self.from_register(before, three or not sample)
            if source is None:
                t = rng.randrange(6)
                kind = self.classes.setdefault(t, rng.choice(('str', 'stq')))
                source = 't%d.%s' % (t, kind if sample and three else rng.choice(SWIZZLES[kind]))
            self.lines.append('  %s r%d, %s;' % ('SampleMap' if sample else 'PassTexCoord', d, source))
            if sample:
                coord = int(source[1]) if source[0] == 't' else None
                if self.binds.get(d) is None:
                    self.binds[d] = coord
                self.regs[d] = ['unit'] * 4
            elif source[0] == 'r' and not source.endswith('_dr'):
                self.regs[d] = before[int(source[1])][:3] + [None]
            else:
                self.regs[d] = ['any'] * 3 + [None]

    def from_register(self, before, three):
        """Returns a register whose coordinates are defined, with a swizzle; None if there is none."""
        rng = self.rng
        found = []
        for n, reg in enumerate(before):
            if reg[0] and reg[1] and reg[2]:
                found += ['r%d.str' % n, 'r%d.str_dr' % n]
            elif reg[0] and reg[1] and not three:
                found.append('r%d.str' % n)
        if three:
            found = [f for f in found if f.endswith('.str') or rng.random() < 0.2]
        return rng.choice(found) if found else None

    # ---- arithmetic ----

    def range_of(self, base, channels):
        if base[0] == 'r' and base[1:].isdigit():
            got = [self.regs[int(base[1:])][c] for c in channels]
            return None if None in got else 'any' if 'any' in got else 'unit'
        return 'unit'

    def argument(self, channels, alpha, unit, used, constant):
        """Returns the text of an argument of which the operation reads these channels. used: the constants
        that the instruction has used so far; constant: the argument must be no register and no colour."""
        rng = self.rng
        while True:
            base = rng.choice((['r%d' % rng.randrange(6)] * 5 if not constant else [])
                              + ['c%d' % rng.randrange(len(self.consts) or 1)] * (6 if constant else 2)
                              + ['0', '1'] +
                              (['color0', 'color0', 'color1'] if self.last and not constant else []))
            if base[0] == 'c' and base[1:].isdigit():
                if not self.consts or base not in used and len(used) == 2:
                    continue
            rep = rng.choice((None, None, 0, 1, 2, 3))
            read = channels if rep is None else [rep]
            if base == 'color1' and (3 in read or alpha and rep is None):
                continue
            kind = self.range_of(base, read)
            if kind is None or unit and kind != 'unit':
                continue
            if base[0] == 'c' and base[1:].isdigit():
                used.add(base)
            mods = ''.join(m for m in ('.neg', '.2x', '.bias', '.comp')
                           if rng.random() < 0.2) if not unit else rng.choice(('', '.comp'))
            return base + ('' if rep is None else '.' + 'rgba'[rep]) + mods

    def operation(self, op, channels, alpha):
        """Returns the arguments of an operation, and the channels that it reads of each."""
        used, constant = set(), self.rng.random() < OF_CONSTANTS
        per = {'DOT3': [[0, 1, 2]] * 2, 'DOT4': [[0, 1, 2, 3]] * 2, 'DOT2ADD': [[0, 1], [0, 1],
            [2]]}.get(op) or [channels] * OPS[op]
        return [self.argument(read, alpha and op not in ('DOT3', 'DOT4', 'DOT2ADD'), op == 'LERP' and n == 0,
                              used, constant) for n, read in enumerate(per)]

    def pair(self, previous_alpha, whole=False):
        """Writes one pair; returns whether it has an alpha half. whole: the pair is a dot product that writes
        all of r0.
        """
        rng = self.rng
        writes, text = [], []
        with_colour = whole or not previous_alpha or rng.random() < 0.85
        with_alpha = not with_colour or rng.random() < 0.55
        op = None
        if with_colour:
            op = rng.choice(('DOT3', 'DOT4') if whole else COLOUR_OPS)
            mask = 'rgb' if whole else rng.choice(['rgb', 'rgb', 'rgb', 'r', 'g', 'b', 'rg', 'rb', 'gb'])
            channels = ['rgb'.index(c) for c in mask]
            args = self.operation(op, channels, False)
            dst, mods = 0 if whole else rng.randrange(6), rng.choice(SCALES) + rng.choice(('', '.sat'))
            dot = op.startswith('DOT')
            join = whole or dot and with_alpha and rng.random() < 0.5
            if op == 'DOT4' and with_alpha:
                join = True
            if join and any(a.startswith('color1') and a.split('.')[1:2] not in (['r'], ['g'], ['b'])
                            for a in args):
                join = with_alpha = False
            text.append('  %s r%d.%s%s, %s;' % (op, dst, mask + 'a' if join else mask, mods, ', '.join(args)))
            writes.append((dst, channels + [3] * join, 'unit' if mods.endswith('.sat') else 'any'))
            if join:
                with_alpha = False
                previous_alpha = True
            elif op == 'DOT4':
                with_alpha = False
        if with_alpha:
            alpha_op = rng.choice([o for o in COLOUR_OPS if not o.startswith('DOT')])
            args = self.operation(alpha_op, [3], True)
            dst, mods = rng.randrange(6), rng.choice(SCALES) + rng.choice(('', '.sat'))
            text.append('  %s r%d.a%s, %s;' % (alpha_op, dst, mods, ', '.join(args)))
            writes.append((dst, [3], 'unit' if mods.endswith('.sat') else 'any'))
        self.lines += text
        for dst, channels, kind in writes:
            for c in channels:
                self.regs[dst][c] = kind
        if op == 'DOT4' and not with_alpha and not (text
                                                    and 'a' in text[0].split('.')[1].split(',')[0].split(' ')[0]):
            return False
        return with_alpha or (bool(text) and len(writes[0][1]) > 0 and 3 in writes[0][1])

    def arithmetic(self, most):
        had_alpha = True
        count = self.rng.randint(1, most)
        for i in range(count):
            had_alpha = self.pair(had_alpha and i > 0, self.last and i == count - 1
                                  and self.rng.random() < WHOLE_DOT)

    def program(self):
        rng = self.rng
        for n in range(rng.choice((0, 0, 1, 2, 3))):
            kind = rng.random()
            self.consts.append('  CONSTANT c%d = %s;' % (n, 'program.env[%d]' % n if self.plain
                                                         and kind < 0.4 else 'program.%s[%d]'
                                                         % (rng.choice(('env', 'local')), rng.randrange(8))
                                                         if kind < 0.4 else
                                                          '{%s}' % ', '.join(str(rng.choice((0, 1, 0.5, 0.25,
                                                              0.75, 0.1))) for _ in range(4))))
        two = rng.random() < 0.6
        if two:
            self.last = False
            self.lines.append('StartPrelimPass;')
            self.setups(False)
            self.arithmetic(8)
            self.lines.append('EndPass;')
        self.last = True
        self.lines.append('StartOutputPass;')
        self.setups(two)
        self.arithmetic(6)
        for channels, mask in (([0, 1, 2], 'rgb'), ([3], 'a')):
            if None in [self.regs[0][c] for c in channels]:
                if mask == 'a':                             # begin a new pair for it
                    self.lines.append('  MOV r0.b, r0.b;')
                self.lines.append('  MOV r0.%s, color0;' % mask)
                for c in channels:
                    self.regs[0][c] = 'unit'
        self.lines.append('EndPass;')
        binds = ['# bind r%d texture=%d%s%s' % (d, d, '' if c is None else ' coord=%d' % c,
                                                '' if self.targets[d] == '2d' else ' target='
                                                + self.targets[d])
                 for d, c in sorted(self.binds.items())]
        consts = ['StartConstants;', *self.consts, 'EndConstants;'] if self.consts else []
        return '\n'.join(['!!ATIfs1.0', *([] if self.plain else binds), *consts, *self.lines]) + '\n'


def program(rng, plain=False):
    """Returns the text of a program. plain: without features that only comments or the text form can express.
    """
    return Maker(rng, plain).program()
