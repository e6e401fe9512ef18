"""Tests the interpreter of the i915's fragment programs with words that are given in notes/facts/i915.md 9 or
are assembled here (section 4 there), with values worked out by hand, and with words that must be refused."""
import json
import os
import sys
import unittest
from fractions import Fraction as Q

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.commands import arb  # noqa: E402
from oracle.commands.compare import Comparer, DEFAULT_OPTIONS  # noqa: E402
from oracle.common.errors import ProgramError, Unsupported  # noqa: E402
from oracle.common.vectors import Single  # noqa: E402
from oracle.hw import chips  # noqa: E402
from oracle.hw.arb_words import SpanMath  # noqa: E402
from oracle.i915 import i915_arb, i915_eval, i915_words  # noqa: E402
from oracle.i915.i915_run import Run  # noqa: E402
from oracle.texenv.stages import read  # noqa: E402

S0, CUBE0, VOLUME0, S1 = 0x19180000, 0x19580000, 0x19980000, 0x19184000
T0, T1, T8, T9, T10 = 0x19083C00, 0x19087C00, 0x190A3C00, 0x190A5C00, 0x190AA000

# notes/facts/i915.md 9
DIFFUSE = 0x7D050005, T8, 0, 0, 0x02203CA0, 0x01230000, 0
REPLACE = 0x7D050008, S0, 0, 0, T0, 0, 0, 0x16200000, 0x01000000, 0
MODULATE = (0x7D05000E, S0, 0, 0, T0, 0, 0, T8, 0, 0, 0x16000000, 0x01000000, 0, 0x03203C00, 0x01232801,
            0x23000000)
SPECULAR = 0x7D050008, T8, 0, 0, T9, 0, 0, 0x01203CA0, 0x01232901, 0x24000000
DEPENDENT = (0x7D050017, S0, 0, 0, S1, 0, 0, T0, 0, 0, T8, 0, 0, 0, 0, 0, 0x15000000, 0x01000000, 0,
             0x15000001, 0, 0, 0x03203C00, 0x01232801, 0x23000000)
GL_ADD = MODULATE[:-3] + (0x04603C00, 0x55532801, 0x23000124)
CONSTANTS = (0x7D050008, 0x02303D04, 0x01230000, 0, 0x02307D08, 0x01230000, 0, 0x04203D00, 0x0123C001,
             0x23C10123)
FAILED = 0x7D050002, 0x02203C00, 0x54450000, 0
KILL = 0x18300000, 0x00040000, 0
CMP = 0x0D203C02, 0x89AB2901, 0x25280123        # with the bit that Mesa's packing leaves in bits 1:0
DEPTH = 0x02282280, 0x01220000, 0

OPS = dict(ADD=1, MOV=2, MUL=3, MAD=4, DP2ADD=5, DP3=6, DP4=7, FRC=8, RCP=9, RSQ=10, EXP=11, LOG=12, CMP=13,
           MIN=14, MAX=15, FLR=16, TRC=18, SGE=19, SLT=20, NOP=0, MOD=17)
TEX = dict(TEXLD=0x15, TEXLDP=0x16, TEXLDB=0x17, TEXKILL=0x18)
TYPES = dict(R=0, T=1, C=2, S=3, oC=4, oD=5, U=6)


def name_of(text):
    kind = text.rstrip('0123456789')
    return TYPES[kind], int(text[len(kind):] or 0)


def operand(text):
    """Parses an operand such as 'R1.xy-z1'; returns its type, its number and the four selects."""
    name, _, selects = text.partition('.')
    out, negative = [], 0
    for c in selects or 'xyzw':
        if c == '-':
            negative = 8
        else:
            out.append('xyzw01'.index(c) | negative)
            negative = 0
    return (*name_of(name), out)


def alu(op, dest, *sources, sat=False):
    """Assembles an arithmetic instruction, as in alu('MUL', 'R0.xyz', 'T8', 'C1.1111'); returns three
    words."""
    name, _, mask = dest.partition('.')
    kind, number = name_of(name)
    s = [operand(x) for x in sources] + [(0, 0, [0, 0, 0, 0])] * (3 - len(sources))
    places = sum(1 << 'xyzw'.index(c) for c in mask or 'xyzw')
    first = OPS[op] << 24 | sat << 22 | kind << 19 | number << 14 | places << 10
    first |= s[0][0] << 7 | s[0][1] << 2
    x, y, z, w = s[0][2]
    second = x << 28 | y << 24 | z << 20 | w << 16 | s[1][0] << 13 | s[1][1] << 8
    second |= s[1][2][0] << 4 | s[1][2][1]
    x, y, z, w = s[2][2]
    return first, second, (s[1][2][2] << 28 | s[1][2][3] << 24 | s[2][0] << 21 | s[2][1] << 16 | x << 12 |
                           y << 8 | z << 4 | w)


def tex(op, dest, sampler, coordinate):
    kind, number = name_of(dest)
    where, which = name_of(coordinate)
    return TEX[op] << 24 | kind << 19 | number << 14 | sampler, where << 24 | which << 17, 0


def program(*parts, constants=None):
    """Assembles a program from declarations (of one word, given as ints), instructions (of three words) and
    constants {number: four words}."""
    body = [w for part in parts for w in ((part, 0, 0) if isinstance(part, int) else part)]
    out = [0x7D050000 | len(body) - 1, *body]
    if constants:
        out += [0x7D060000 | 4 * len(constants), sum(1 << n for n in constants)]
        out += [w for n in sorted(constants) for w in constants[n]]
    return out


def stream(words):
    return tuple((None, w) for w in words)


def counts(words):
    """Returns the statistics that the compiler must report for a program, counted from its words."""
    n = (words[0] & 0x1FF) // 3
    ops = [words[1 + 3 * k] for k in range(n + 1)]
    alus = [w for w in ops if w >> 24 < 0x15]
    temps = {w >> 14 & 15 for w in ops if w >> 24 != 0x19 and w >> 19 & 7 == 0}
    rest = words[3 * n + 4:]
    return {'alu': len(alus), 'tex': sum(w >> 24 in range(0x15, 0x19) for w in ops),
            'temporaries': len(temps), 'constants': bin(rest[1]).count('1') if rest else 0}


def object_of(words, phases=1, inputs=(), textures=(), constants=(), **change):
    """Returns the compiler's JSON for a program. inputs: (T number, name); textures: (sampler, unit,
    coordinate set, target)."""
    return {'state': 1, 'target': 'i915', 'fits': True, 'words': [[None, '0x%08x' % w] for w in words],
            'stats': {**counts(words), 'phases': phases}, 'constants': list(constants),
            'inputs': [{'temp': t, 'is': name} for t, name in inputs],
            'textures': [dict(zip(('slot', 'unit', 'coord', 'target'), t)) for t in textures], 'assumed': [],
            **change}


ONE_TEXTURE = {'inputs': ((0, 'coord0'), (8, 'color0')), 'textures': ((0, 0, 0, '2d'),)}


def difference(text, words, **tables):
    """Returns the error that `check --to i915` finds in words for the environment (in stage notation), or
    None."""
    (state, _), = read(text)
    block, = chips.blocks(json.dumps([object_of(words, **tables)]))
    found = Comparer(DEFAULT_OPTIONS._replace(to='i915'), 32).compare(state, block.text)
    return found and found.message


def constant(slot, word, *lanes):
    """Returns an entry of the table of constants. Each lane is (number,) or, for an environment colour,
    (unit, channel); these colours are 0."""
    said = [lane and ({'value': lane[0]} if len(lane) == 1 else
                      {'from': 'state.texenv[%d].color' % lane[0], 'lane': lane[1]}) for lane in lanes]
    return {'slot': slot, 'unit': None, 'value': [(lane or {}).get('value', 0) for lane in said],
            'lanes': said, 'word': word}


COLOUR = [(0, c) for c in 'xyzw']
TEXEL = tex('TEXLDP', 'R0', 0, 'T0')


class Golden(unittest.TestCase):
    """The words of notes/facts/i915.md 9 do what is said of them there."""

    def test_assembled(self):
        """This file's assembler produces these words."""
        one = tex('TEXLD', 'R0', 0, 'T0'), tex('TEXLD', 'R0', 1, 'R0')
        for want, got in (
                (DIFFUSE, program(T8, alu('MOV', 'oC', 'T8'))),
                (REPLACE, program(S0, T0, tex('TEXLDP', 'oC', 0, 'T0'))),
                (MODULATE, program(S0, T0, T8, TEXEL, alu('MUL', 'oC', 'R0', 'T8'))),
                (SPECULAR, program(T8, T9, alu('ADD', 'oC', 'T8', 'T9.xyz0'))),
                (DEPENDENT[16:], program(*one, alu('MUL', 'oC', 'R0', 'T8'))[1:]),
                (GL_ADD[13:], alu('MAD', 'oC', 'R0.111w', 'T8', 'R0.xyz0', sat=True)),
                (CONSTANTS, program(alu('MOV', 'U0', 'C1'), alu('MOV', 'U1', 'C2'),
                                    alu('MAD', 'oC', 'C0', 'U0', 'U1'))),
                (FAILED, program(alu('MOV', 'oC', 'R0.1001'))), (KILL, tex('TEXKILL', 'U0', 0, 'R2')),
                ((CMP[0] & ~3, *CMP[1:]), alu('CMP', 'oC', 'R0.-x-y-z-w', 'T9.xyz1', 'T8')),
                (DEPTH, alu('MOV', 'oD.w', 'oD.xyzz'))):
            # the row of DEPENDENT does not include its declarations
            self.assertEqual(tuple(got), tuple(want), got)

    def test_environments(self):
        plain = {'inputs': ((8, 'color0'),)}
        self.assertIsNone(difference('{P}', DIFFUSE, **plain))
        self.assertIsNotNone(difference('{P; 1}', DIFFUSE, **plain))
        texture = {'inputs': ((0, 'coord0'),), 'textures': ((0, 0, 0, '2d'),), 'phases': 2}
        self.assertIsNone(difference('{replace}', REPLACE, **texture))
        self.assertIsNone(difference('{modulate}', MODULATE, **ONE_TEXTURE))
        self.assertIsNone(difference('{add}', GL_ADD, **ONE_TEXTURE))
        self.assertIsNotNone(difference('{modulate}', GL_ADD, **ONE_TEXTURE))

    def test_specular(self):
        got = evaluated(SPECULAR, inputs=((8, 'color0'), (9, 'color1')))
        self.assertEqual(got, [Q(1, 2) + 1, Q(5, 8) + Q(1, 4), Q(1, 8), Q(3, 4)])

    def test_red(self):
        self.assertEqual(evaluated(FAILED), [1, 0, 0, 1])

    def test_constants(self):
        """C0 * C1 + C2, where C0.x = 2, C1.x = 1/4, C2.x = 1/8, and all other channels are 0."""
        values = {0: 0x40000000, 1: 0x3E800000, 2: 0x3E000000}
        words = [*CONSTANTS, 0x7D06000C, 7] + [w for n in range(3) for w in (values[n], 0, 0, 0)]
        table = [constant(n, 12 + 4 * n, (x,), (0,), (0,), (0,)) for n, x in enumerate((2, .25, .125))]
        self.assertEqual(evaluated(words, constants=table), [Q(5, 8), 0, 0, 0])
        with self.assertRaisesRegex(ProgramError, r'instruction 0 .*MOV: C1.x is not loaded'):
            i915_words.decode(stream(CONSTANTS))

    def test_depth(self):
        """The depth is first moved to oD.z."""
        words = program(T8, alu('MOV', 'oD.z', 'T8.xyzz'), DEPTH, alu('MOV', 'oC', 'T8'))
        got = i915_words.decode(stream(words))
        self.assertTrue(got.depth)
        self.assertEqual((got.alu, got.tex, got.phases, got.written), (3, 0, 1, {0, 1, 2, 3}))

    def test_leaked_bits(self):
        with self.assertRaisesRegex(ProgramError, r'CMP: bits 00000002 of its word 0'):
            i915_words.decode(stream(program(T8, T9, alu('MOV', 'R0', 'T8'), CMP)))


IN = Single({(name, 0, c): v for name, values in (
    ('tex', (Q(1, 4), Q(1, 2), Q(3, 4), Q(1, 8))), ('primary', (Q(1, 2), Q(5, 8), Q(0), Q(3, 4))),
    ('secondary', (Q(1), Q(1, 4), Q(1, 8)))) for c, v in enumerate(values)})


def evaluated(words, inputs=(), **tables):
    code = chips.parse(object_of(words, inputs=inputs, **tables))
    problems = i915_eval.check(code)
    if problems:
        raise ProgramError(problems[0])
    return i915_eval.evaluate(code, chips.Inputs(IN))


class Environments(unittest.TestCase):
    """The short programs of notes/facts/i915.md 8 compute their environments."""

    def equal(self, text, *instructions, constants=None, listed=(), **tables):
        words = program(S0, T0, T8, TEXEL, *instructions, constants=constants)
        self.assertIsNone(difference(text, words, constants=listed, **{**ONE_TEXTURE, **tables}), text)

    def test_one_unit(self):
        self.equal('{decal}', alu('ADD', 'R1', 'R0.xyz0', 'T8.-x-y-z0'),
                   alu('MAD', 'oC', 'R1', 'R0.wwww', 'T8'))
        self.equal('{T0-F; T0*F}', alu('MAD', 'oC', 'R0.xyz-w', 'T8.111-w', 'T8.-x-y-z0', sat=True))
        self.equal('{T0*F; T0.a}', alu('MUL', 'oC', 'R0', 'T8.xyz1'))

    def test_constants(self):
        """GL_BLEND, and ADD_SIGNED with the constant -1/2."""
        at = 1 + 3 * 6 + 2
        self.equal('{blend}', alu('ADD', 'R1', 'C3.xyz0', 'T8.-x-y-zw'),
                   alu('MAD', 'oC', 'R0', 'R1', 'T8.xyz0'), constants={3: (0, 0, 0, 0)},
                   listed=[constant(3, at, *COLOUR[:3], None)])
        half = 0xBF000000
        self.equal('{T0+F-0.5; T0*F}', alu('MAD', 'R0', 'R0', 'T8.111w', 'C0.xxx0'),
                   alu('MAD', 'oC', 'T8.xyz0', 'R0.111w', 'R0', sat=True),
                   constants={0: (half, 0, 0, 0)}, listed=[constant(0, at, (-.5,), None, None, None)])

    def test_dot3(self):
        """The texel is fetched into oC, whose alpha is kept. This begins a second phase."""
        words = program(S0, T0, T8, tex('TEXLDP', 'oC', 0, 'T0'),
                        alu('MAD', 'R0', 'oC', 'C0.xxxx', 'C0.-y-y-y-y'),
                        alu('MAD', 'R1', 'T8', 'C0.xxxx', 'C0.-y-y-y-y'),
                        alu('DP3', 'oC.xyz', 'R0', 'R1', sat=True),
                        constants={0: (0x40000000, 0x3F800000, 0, 0)})
        at = 1 + 3 * 7 + 2
        self.assertIsNone(difference('{dot3(T0,F); T0}', words, phases=2, constants=[
            constant(0, at, (2.,), (1.,), None, None)], **ONE_TEXTURE))

    def test_lookups(self):
        """Coordinates are divided by q except for cube maps. The coordinate set in the table must be that in
        the words. """
        cube = program(CUBE0, T0, T8, tex('TEXLD', 'R0', 0, 'T0'), alu('MUL', 'oC', 'R0', 'T8'))
        tables = {'inputs': ONE_TEXTURE['inputs'], 'textures': ((0, 0, 0, 'cube'),)}
        self.assertIsNone(difference('{modulate @cube}', cube, **tables))
        divided = program(CUBE0, T0, T8, TEXEL, alu('MUL', 'oC', 'R0', 'T8'))
        self.assertIn('TEXLDP: in a cube texture', difference('{modulate @cube}', divided, **tables))
        whole = program(S0, T0, T8, tex('TEXLD', 'R0', 0, 'T0'), alu('MUL', 'oC', 'R0', 'T8'))
        self.assertIn('TEXLD: in a 2d texture', difference('{modulate}', whole, **ONE_TEXTURE))
        volume = program(VOLUME0, T0, T8, TEXEL, alu('MUL', 'oC', 'R0', 'T8'))
        tables['textures'] = ((0, 0, 0, '3d'),)
        self.assertIsNone(difference('{modulate @3d}', volume, **tables))
        tables['textures'] = ((0, 0, 0, '2d'),)
        self.assertIn('textures', difference('{modulate}', volume, **tables))
        # the coordinate set may be in another T register, and must be the unit's
        moved = program(S0, T1, T8, tex('TEXLDP', 'R0', 0, 'T1'), alu('MUL', 'oC', 'R0', 'T8'))
        tables['inputs'] = ((1, 'coord0'), (8, 'color0'))
        self.assertIsNone(difference('{modulate}', moved, **tables))
        tables['inputs'] = ((1, 'coord1'), (8, 'color0'))
        self.assertIn('coordinate s is not that of set 0', difference('{modulate}', moved, **tables))

    def test_tables(self):
        for change, said in (
                ({'inputs': ((0, 'coord0'),)}, 'inputs'),
                ({'inputs': ((0, 'coord0'), (8, 'color1'))}, 'color1 in T8'),
                ({'inputs': ((0, 'color0'), (8, 'color0'))}, 'color0 in T0'),
                ({'inputs': ((0, 'coord0'), (8, 'coord1'))}, 'coord1 in T8'),
                ({'textures': ()}, 'textures'), ({'textures': ((1, 0, 0, '2d'),)}, 'textures'),
                ({'phases': 2}, 'phases: 1, said are 2'), ({'stats': {}}, 'alu: 1'),
                ({'constants': [constant(0, 15, (0,), (0,), (0,), (0,))]}, 'C0 is not at')):
            self.assertIn(said, difference('{modulate}', MODULATE, **{**ONE_TEXTURE, **change}) or '', change)
        words = [*DIFFUSE[:4], *alu('MUL', 'oC', 'T8', 'C2'), 0x7D060004, 4, 0x3F800000, 0, 0, 0]
        table = {'inputs': ((8, 'color0'),), 'constants': [constant(2, 9, (1.,), (0.,), (0.,), (0.,))]}
        self.assertEqual(evaluated(words, **table), [Q(1, 2), 0, 0, 0])
        table['constants'] = [constant(2, 9, (1.,), (.5,), (0.,), (0.,))]
        with self.assertRaisesRegex(ProgramError, 'C2 is not loaded as it is listed'):
            evaluated(words, **table)
        table['constants'] = []
        with self.assertRaisesRegex(ProgramError, r'constants \[2\] are not listed'):
            evaluated(words, **table)
        # a lane that is not listed is not read
        table['constants'] = [constant(2, 9, (1.,), None, (0.,), (0.,))]
        with self.assertRaisesRegex(ProgramError, 'C2.y is read and not listed'):
            evaluated(words, **table)

    def test_other_results(self):
        tables = {'inputs': ((8, 'color0'),)}
        for words, said in ((program(T8, alu('MOV', 'oC', 'T8'), tex('TEXKILL', 'U0', 0, 'T8')), 'kills'),
                            (program(T8, alu('MOV', 'oC', 'T8'), alu('MOV', 'oD.w', 'T8')), 'depth'),
                            (program(T8, alu('MOV', 'oC.xyz', 'T8')), r'oC.xyz is all')):
            with self.assertRaisesRegex(ProgramError, said):
                evaluated(words, **tables)
        with self.assertRaises(Unsupported):
            evaluated(program(T8, alu('FRC', 'oC', 'T8')), **tables)


class Operations(unittest.TestCase):
    """Each operation on numbers worked out by hand. R0 = (-5/4, 3, 1/2, -2), R1 = (2, 3, -1/4, 0)."""

    VALUES = {'R0': (Q(-5, 4), Q(3), Q(1, 2), Q(-2)), 'R1': (Q(2), Q(3), Q(-1, 4), Q(0))}

    def run_one(self, op, *sources, dest='oC', sat=False):
        _, _, code = i915_words.instructions(alu(op, dest, *sources, sat=sat))
        run = Run(SpanMath(), {}, lambda number, c: Q(number, 4) + c, None)
        run.registers.update({('R', int(name[1]), c): v for name, values in self.VALUES.items()
                              for c, v in enumerate(values)})
        run.run(i915_words.Program({}, {}, code, {}, {}, 1, 0, 1, 0, False, set()))
        return [run.registers.get(('oC', 0, c)) for c in range(4)]

    def test_operations(self):
        for op, sources, want in (
                ('ADD', ('R0', 'R1'), (Q(3, 4), 6, Q(1, 4), -2)),
                ('MOV', ('R0.w-y10',), (-2, -3, 1, 0)),
                ('MOV', ('R0.-1x0-z',), (-1, Q(-5, 4), 0, Q(-1, 2))),
                ('MUL', ('R0', 'R1.yxwz'), (Q(-15, 4), 6, 0, Q(1, 2))),
                ('MUL', ('R0', 'C6'), (Q(-15, 8), Q(15, 2), Q(7, 4), -9)),
                ('MAD', ('R0', 'R1', 'R0.1111'), (Q(-3, 2), 10, Q(7, 8), 1)),
                ('DP2ADD', ('R0', 'R1', 'R1.zzzz'), (Q(25, 4),) * 4),
                ('DP3', ('R0', 'R1'), (Q(51, 8),) * 4),
                ('DP4', ('R0', 'R1.xyz1'), (Q(35, 8),) * 4),
                ('FRC', ('R0',), (Q(3, 4), 0, Q(1, 2), 0)),
                ('RCP', ('R0.xxxx',), (Q(-4, 5),) * 4),
                ('RSQ', ('R1.zzzz',), (Q(2),) * 4),
                ('EXP', ('R0.wwww',), (Q(1, 4),) * 4),
                ('LOG', ('R1.zzzz',), (Q(-2),) * 4),
                ('CMP', ('R0', 'R0.0000', 'R0.1111'), (1, 0, 0, 1)),
                ('CMP', ('R1.wwww', 'R1.xyz1', 'R0'), (2, 3, Q(-1, 4), 1)),
                ('MIN', ('R0', 'R1'), (Q(-5, 4), 3, Q(-1, 4), -2)),
                ('MAX', ('R0', 'R1'), (2, 3, Q(1, 2), 0)),
                ('FLR', ('R0',), (-2, 3, 0, -2)),
                ('TRC', ('R0',), (-1, 3, 0, -2)),
                ('SGE', ('R0', 'R1'), (0, 1, 1, 0)),
                ('SLT', ('R0', 'R1'), (1, 0, 0, 1))):
            self.assertEqual(self.run_one(op, *sources), list(want), (op, sources))

    def test_saturate_and_mask(self):
        self.assertEqual(self.run_one('ADD', 'R0', 'R1', sat=True), [Q(3, 4), 1, Q(1, 4), 0])
        self.assertEqual(self.run_one('MOV', 'R0', dest='oC.yw'), [None, 3, None, -2])

    def test_own_source(self):
        """All sources are read before the result is written."""
        _, _, code = i915_words.instructions(alu('MOV', 'R0', 'R0.yxwz'))
        run = Run(SpanMath(), {}, None, None)
        run.registers.update({('R', 0, c): Q(c) for c in range(4)})
        run.run(i915_words.Program({}, {}, code, {}, {}, 1, 0, 1, 0, False, set()))
        self.assertEqual([run.registers['R', 0, c] for c in range(4)], [1, 0, 3, 2])


class Programs(unittest.TestCase):
    """ARB programs: inputs, lookups, kill and depth."""

    def differs(self, text, words, **tables):
        reference = arb.Reference('!!ARBfp1.0\n%s\nEND\n' % text, 'i915', 64)
        return reference.difference(i915_arb.parse(object_of(words, **tables)), 'i915', arb.Totals())

    def test_lookups(self):
        words = program(S0, S1, T0, T8, tex('TEXLD', 'R0', 0, 'T0'), tex('TEXLD', 'R0', 1, 'R0'),
                        alu('MUL', 'oC', 'R0', 'T8'))
        tables = {'phases': 2, 'inputs': ((0, 'coord0'), (8, 'color0')),
                  'textures': ((0, 0, 0, '2d'), (1, 5, 0, '2d'))}
        text = ('TEMP a; TEX a, fragment.texcoord, texture[0], 2D; TEX a, a, texture[%d], 2D;'
                'MUL result.color, a, fragment.color;')
        self.assertIsNone(self.differs(text % 5, words, **tables))
        self.assertIsNotNone(self.differs(text % 1, words, **tables))
        for op, arb_op in (('TEXLDP', 'TXP'), ('TEXLDB', 'TXB'), ('TEXLD', 'TEX')):
            words = program(VOLUME0, T0, tex(op, 'oC', 0, 'T0'))
            for said in ('TXP', 'TXB', 'TEX'):
                got = self.differs(said + ' result.color, fragment.texcoord, texture[0], 3D;', words,
                                   phases=2, inputs=((0, 'coord0'),), textures=((0, 0, 0, '3d'),))
                self.assertEqual(got is None, said == arb_op, (op, said))

    def test_inputs(self):
        """The fog coordinate is T10.w, the position in any coordinate register."""
        words = program(T10, T1, alu('MOV', 'oC', 'T10.wwww'), alu('MOV', 'oC.x', 'T1'))
        tables = {'inputs': ((10, 'fogcoord'), (1, 'position'))}
        self.assertIsNone(self.differs('MOV result.color, fragment.fogcoord.x; MOV result.color.x, '
                                       'fragment.position;', words, **tables))
        with self.assertRaisesRegex(ProgramError, 'fogcoord in T1'):
            self.differs('MOV result.color, fragment.color;', words,
                         inputs=((1, 'fogcoord'), (10, 'position')))
        words = program(T9, alu('MOV', 'oC', 'T9.xyz1'))
        self.assertIsNotNone(self.differs('MOV result.color, fragment.color.secondary;', words,
                                          inputs=((9, 'color1'),)))

    def test_kill_and_depth(self):
        words = program(T0, T8, tex('TEXKILL', 'U0', 0, 'T0'), alu('MOV', 'oD.w', 'T0.xyzz'),
                        alu('MOV', 'oC', 'T8'))
        tables = {'inputs': ((0, 'coord0'), (8, 'color0'))}
        text = 'KIL fragment.texcoord; MOV result.color, fragment.color;'
        self.assertIsNone(self.differs(text + 'MOV result.depth.z, fragment.texcoord;', words, **tables))
        self.assertIn('depth', self.differs(text, words, **tables))
        self.assertIsNotNone(self.differs(text.replace('texcoord', 'texcoord.xyzx') +
                                          'MOV result.depth.z, fragment.texcoord;', words, **tables))

    def test_constants(self):
        """The words of a program's own constants are checked; other lanes are filled in by the driver."""
        own = program(T8, alu('MUL', 'oC', 'T8', 'C0'), constants={0: (0x3F000000, 0, 0, 0x40000000)})
        lanes = [{'value': .5}, {'from': 'program.local[2]', 'lane': 'w'},
                 {'from': 'state.fog.color', 'lane': 'x'}, {'value': 2}]
        table = {'slot': 0, 'unit': None, 'value': [.5, 0, 0, 2], 'lanes': lanes, 'word': 9}
        text = ('PARAM p = program.local[2]; TEMP a; MUL a.x, fragment.color, 0.5;'
                'MUL a.y, fragment.color, p.w; MUL a.z, fragment.color, state.fog.color.x;'
                'MUL a.w, fragment.color, 2; MOV result.color, a;')
        tables = {'inputs': ((8, 'color0'),), 'constants': [table]}
        self.assertIsNone(self.differs(text, own, **tables))
        self.assertIsNotNone(self.differs(text.replace('p.w', 'p.x'), own, **tables))
        with self.assertRaisesRegex(ProgramError, 'C0 is not loaded'):
            self.differs(text, [*own[:-1], 0x3F800000], **tables)


MOVE = alu('MOV', 'oC', 'T8')
LOOK = tex('TEXLD', 'R0', 0, 'T0')


def flipped(instruction, word, bit):
    return tuple(w ^ (k == word and 1 << bit) for k, w in enumerate(instruction))


def moves(n):
    return [alu('MOV', 'R1', 'T8')] * n


class Refused(unittest.TestCase):
    """Words that the facts do not allow give an error that names their place."""

    def refused(self, words, said, assume=frozenset()):
        with self.assertRaisesRegex(ProgramError, said):
            i915_words.decode(stream(words), assume)
            self.fail('accepted: ' + ' '.join('%08x' % w for w in words))

    def accepted(self, *parts, assume=frozenset(), **rest):
        return i915_words.decode(stream(program(*parts, **rest)), assume)

    def test_packets(self):
        self.refused([], 'word 0')
        self.refused(DIFFUSE[:-1], 'word 0')
        self.refused((0x7D050004, *DIFFUSE[1:]), 'word 0')
        self.refused((0x7D058005, *DIFFUSE[1:]), 'word 0')                  # "retain"
        self.refused((0x7D060005, *DIFFUSE[1:]), 'word 0')
        self.refused((*DIFFUSE, 0), 'word 7')
        body = program(T8, alu('MUL', 'oC', 'T8', 'C1'))
        good = [0x7D060004, 2, 0, 0, 0, 0]
        i915_words.decode(stream(body + good))
        for wrong in ([0x7D060008, *good[1:]], [0x7D060004, 6, *good[2:]], [0x7D060000, 0], good[:-1],
                      good + [0], [0x7D070004, *good[1:]], [0x7D060004]):
            self.refused(body + wrong, 'word 7')
        self.refused(body + [0x7D060004, 1, 0, 0, 0, 0], 'C1.x is not loaded')
        self.refused(body + [0x7D060008, 3] + 8 * [0], r'constants \[0\] are loaded and not read')
        with self.assertRaisesRegex(ProgramError, 'word 2'):
            i915_words.decode(((None, DIFFUSE[0]), (None, T8), (4, 0)))
        self.refused((*DIFFUSE[:4], 1 << 32, 0, 0), 'word 4')

    def test_reserved_bits(self):
        """Refused: every bit that belongs to no field, and every bit in sources that are not read."""
        for bit in (0, 1, 18, 23):
            self.refused(program(T8, flipped(MOVE, 0, bit)), r'instruction 1 .*, MOV: bits %08x of its word 0'
                         % (1 << bit))
        for bit in (29, 30, 31):
            self.refused(program(T8, flipped(MOVE, 0, bit)), 'instruction 1 .*: no known operation')
        for word, bit in [(1, b) for b in range(16)] + [(2, b) for b in range(24, 32)]:
            self.refused(program(T8, flipped(MOVE, word, bit)), 'instruction 1 .*: source 1 is not read')
        for bit in range(24):
            self.refused(program(T8, flipped(MOVE, 2, bit)), 'instruction 1 .*: source 2 is not read')
        for word, some in ((0, [*range(4, 14), 18, 22, 23]),
                           (1, [*range(17), *range(21, 24), *range(27, 32)]), (2, range(32))):
            for bit in some:
                self.refused(program(S0, T0, flipped(LOOK, word, bit), alu('MOV', 'oC', 'R0')),
                             'instruction 2 .*, TEXLD: bits %08x of its word %d' % (1 << bit, word))
        for bit in (*range(10), 18, 22, 23):
            self.refused(program(T0 ^ 1 << bit), 'instruction 0 .*, DCL: bits %08x' % (1 << bit))
        for bit in range(14):
            self.refused(program(S0 ^ 1 << bit), 'instruction 0 .*, DCL: bits %08x' % (1 << bit))
        for bit in range(32):
            self.refused(program((T8, 1 << bit, 0)), 'its word 1')
            self.refused(program((T8, 0, 1 << bit)), 'its word 2')

    def test_declarations(self):
        for n in range(8):
            for mask in range(16):
                word = 0x19080000 | n << 14 | mask << 10
                if mask in (1, 3, 7, 8, 15):
                    self.accepted(word)
                else:
                    self.refused(program(word), 'T%d is declared with mask %x' % (n, mask))
        self.refused(program(0x190A2800), 'T8 is declared with mask a')
        self.refused(program(0x190A7C00), 'T9 is declared with mask f')
        self.refused(program(0x190A9C00), 'T10 is declared with mask 7')
        self.refused(program(0x190AFC00), 'register 11 of type 1 does not exist')
        self.refused(program(0x19D80000), 'sampler type 3')
        for kind in (0, 2, 4, 5, 6):
            self.refused(program(0x19000000 | kind << 19), 'cannot stand here')
        self.refused(program(0x19380000), 'register 0 of type 7')
        self.refused(program(T8, T8), 'T8 is declared twice')
        self.refused(program(S0, CUBE0), 'S0 is declared twice')
        self.refused(program(T8, MOVE, T9), r'instruction 2 .*, DCL: it follows an instruction')

    def test_operations(self):
        for op in ('NOP', 'MOD'):
            self.refused(program(alu(op, 'R0', 'R0.1111')), 'instruction 0 .*: no known operation')
        for op in range(0x1A, 0x20):
            self.refused(program((op << 24, 0, 0)), 'no known operation')

    def test_registers(self):
        for dest in ('T8', 'C0', 'S0'):
            self.refused(program(T8, alu('MOV', dest, 'T8')), 'cannot stand here')
        for dest, bad in (('U3', 3), ('oC1', 1), ('oD1', 1)):
            self.refused(program(T8, alu('MOV', dest, 'T8')), 'register %d of type' % bad)
        self.refused(program(T8, alu('MOV', 'oC', 'S0')), 'S0 cannot stand here')
        for source in ('R16', 'T11', 'U3', 'oC8', 'oD1', 'S16'):
            self.refused(program(T8, alu('ADD', 'oC', 'T8', source)), 'does not exist')
        self.refused(program(T8, flipped(flipped(flipped(MOVE, 0, 21), 0, 20), 0, 19)), 'cannot stand here')
        self.refused(program(T8, (MOVE[0] | 7 << 19, *MOVE[1:])), 'of type 7')
        self.refused(program(T8, alu('MOV', 'oC', 'T8.0110')), 'T8 is named, and none of it read')
        self.refused(program(T8, (MOVE[0] & ~(15 << 10), *MOVE[1:])), 'writes no channel')

    def test_selects(self):
        for nibble in (6, 7, 12, 14, 15):
            self.refused(program(T8, (MOVE[0], nibble << 28 | 0x01230000, 0)), 'MOV: select %x' % nibble)
            self.refused(program(T8, alu('MUL', 'oC', 'T8', 'T8')[:2] + (nibble << 24 | 0x20000000,)),
                         'MUL: select %x' % nibble)
            mad = alu('MAD', 'oC', 'T8', 'T8', 'T8')
            self.refused(program(T8, (mad[0], mad[1], mad[2] & ~15 | nibble)), 'MAD: select %x' % nibble)
        for op in ('RCP', 'RSQ', 'EXP', 'LOG'):
            self.accepted(T8, alu(op, 'oC', 'T8.-y-y-y-y'))
            for selects in ('xyzw', 'xxxy', '-xxxx', 'x-xxx', 'wwzw'):
                self.refused(program(T8, alu(op, 'oC', 'T8.' + selects)), '%s: the four selects' % op)
        self.accepted(T8, alu('DP2ADD', 'oC', 'T8', 'T8', 'R0.0000'))
        self.refused(program(T8, alu('DP2ADD', 'oC', 'T8', 'T8', 'T8')), 'DP2ADD: the four selects')

    def test_constants(self):
        own = {n: (0, 0, 0, 0) for n in (1, 2)}
        self.accepted(T8, alu('MAD', 'R0', 'C1', 'C1.wzyx', 'C1'), alu('MOV', 'oC', 'C2'), constants=own)
        self.refused(program(T8, alu('MAD', 'oC', 'C1', 'T8', 'C2'), constants=own),
                     r'instruction 1 .*, MAD: reads constants 1 and 2')

    def test_read_before_written(self):
        for parts, said in (
                ((alu('MOV', 'oC', 'T8'),), r'instruction 0 .*MOV: T8.x is not declared'),
                ((T9, alu('MOV', 'oC', 'T9')), 'T9.w is not declared'),
                ((T10, alu('MOV', 'oC', 'T10')), 'T10.x is not declared'),
                ((alu('MOV', 'oC', 'R3'),), 'nothing has written R3.x'),
                ((T8, alu('MOV', 'R3.xyw', 'T8'), alu('MOV', 'oC', 'R3')), 'nothing has written R3.z'),
                ((T8, alu('MOV', 'U1', 'T8'), alu('MOV', 'oC', 'U0')), 'nothing has written U0.x'),
                ((alu('MOV', 'oD.w', 'oD.xyzz'),), 'nothing has written oD0.z'),
                ((T8, alu('MOV', 'R3.x', 'T8'), alu('DP3', 'oC', 'T8', 'R3.xyxx')), 'written R3.y'),
                ((T8, alu('MOV', 'R3.xyz', 'T8'), alu('DP4', 'oC', 'T8', 'R3')), 'written R3.w'),
                ((T8, alu('MOV', 'R3.x', 'T8'), alu('DP2ADD', 'oC', 'T8', 'R3', 'R3.xxxx')), 'written R3.y'),
                ((LOOK,), 'S0 is not declared'), ((S0, LOOK), 'T0.x is not declared'),
                ((S0, 0x19080400, LOOK), 'T0.y is not declared'),
                ((CUBE0, 0x19080C00, LOOK), 'T0.z is not declared'),
                ((S0, 0x19080C00, TEXEL), 'T0.w is not declared'),
                ((S0, 0x19081C00, tex('TEXLDB', 'R0', 0, 'T0')), 'T0.w is not declared'),
                ((0x19081C00, tex('TEXKILL', 'U0', 0, 'T0')), 'T0.w is not declared'),
                ((S0, T8, alu('MOV', 'R3.x', 'T8'), tex('TEXLD', 'R0', 0, 'R3')), 'written R3.y')):
            self.refused(program(*parts), said)
        # channels that have no influence on the result
        self.accepted(T8, alu('MOV', 'R3.x', 'T8'), alu('MOV', 'oC.xw', 'R3.xyzx'))
        self.accepted(T8, alu('MOV', 'R3.xyz', 'T8'), alu('DP3', 'oC', 'T8', 'R3'))
        self.accepted(T8, alu('MOV', 'R3.xy', 'T8'), alu('DP2ADD', 'oC', 'T8', 'R3', 'T8.wwww'))
        self.accepted(S0, 0x19080C00, LOOK)
        self.accepted(S0, T8, alu('MOV', 'R3.xy', 'T8'), tex('TEXLD', 'R0', 0, 'R3'))
        self.accepted(VOLUME0, 0x19081C00, LOOK)

    def test_lookups(self):
        for place in ('U0', 'oC', 'oD', 'C0', 'S0'):
            writes = [alu('MOV', dest, 'T8') for dest in ('U0', 'oC', 'oD')]
            self.refused(program(S0, T8, *writes, tex('TEXLD', 'R0', 0, place)), 'cannot stand here')
        for dest in ('T0', 'C0', 'S0'):
            self.refused(program(S0, T0, tex('TEXLD', dest, 0, 'T0')), 'cannot stand here')
        self.refused(program(S0, T0, tex('TEXLD', 'U3', 0, 'T0')), 'register 3 of type 6')
        self.refused(program(S1, T0, tex('TEXKILL', 'U0', 1, 'T0')), 'TEXKILL: it names a sampler')
        # TEXKILL overwrites its destination
        kill = tex('TEXKILL', 'U0', 0, 'T8')
        self.refused(program(T8, alu('MOV', 'U0', 'T8'), kill, alu('MOV', 'oC', 'U0')), 'written U0.x')
        self.accepted(T8, alu('MOV', 'U1', 'T8'), kill, alu('MOV', 'oC', 'U1'))

    def test_limits(self):
        self.assertEqual(self.accepted(T8, *moves(64)).alu, 64)
        self.refused(program(T8, *moves(65)), '0 texture and 65 arithmetic')
        self.assertEqual(self.accepted(S0, T0, *[LOOK] * 32).tex, 32)
        self.refused(program(S0, T0, *[LOOK] * 33), '33 texture and 0 arithmetic')
        full = [0x19180000 | n << 14 for n in range(16)] + [0x19082000 | n << 14 for n in range(8)]
        self.accepted(*full, T8, T9, T10, *[tex('TEXKILL', 'U0', 0, 'T8')] * 32, *moves(64))

    def test_phases(self):
        """Section 6: a lookup whose coordinate is an R written in the same phase begins a phase, and so does
        a lookup into oC."""
        chain = [tex('TEXLD', 'R%d' % (n + 1), 0, 'R%d' % n) for n in range(5)]
        self.assertEqual(self.accepted(S0, T0, LOOK, *chain[:3]).phases, 4)
        self.refused(program(S0, T0, LOOK, *chain[:4]), r'instruction 6 .*, TEXLD: begins phase 5')
        # of two lookups by registers of one phase, only the first begins a new phase
        both = tex('TEXLD', 'R2', 0, 'R0'), tex('TEXLD', 'R3', 0, 'R1')
        first = LOOK, tex('TEXLD', 'R1', 0, 'T0')
        self.assertEqual(self.accepted(S0, T0, *first, *both).phases, 2)
        self.assertEqual(self.accepted(S0, T0, first[0], both[0], first[1], both[1]).phases, 3)
        # a write by arithmetic counts like one by a lookup
        move = alu('MOV', 'R5.xy', 'T0')
        self.assertEqual(self.accepted(S0, T0, move, tex('TEXLD', 'R0', 0, 'R5')).phases, 2)
        self.assertEqual(self.accepted(S0, T0, move, LOOK, both[0], tex('TEXLD', 'R6', 0, 'R5')).phases, 2)
        # a lookup into oC with a coordinate from its own phase begins one phase, not two
        for dest in ('oC', 'oD'):
            self.assertEqual(self.accepted(S0, T0, tex('TEXLD', dest, 0, 'T0')).phases, 2)
            self.assertEqual(self.accepted(S0, T0, LOOK, tex('TEXLD', dest, 0, 'R0')).phases, 2)
        self.assertEqual(self.accepted(S0, T0, LOOK, tex('TEXLD', 'R0', 0, 'R0')).phases, 2)

    def test_lost_temporaries(self):
        """U registers do not keep their values beyond a phase, however the facts on phases are read."""
        move, use = alu('MOV', 'U0', 'T8'), alu('MOV', 'oC', 'U0')
        self.accepted(S0, T0, T8, move, LOOK, use)
        self.refused(program(S0, T0, T8, LOOK, move, tex('TEXLD', 'R1', 0, 'R0'), use), 'written U0.x')
        self.refused(program(S0, T0, T8, move, tex('TEXLD', 'oC', 0, 'T0'), use), 'written U0.x')
        # R0 was written in an earlier phase: drivers count no boundary, the words of the header mean one
        first, second = tex('TEXLD', 'R1', 0, 'R0'), tex('TEXLD', 'R2', 0, 'R0')
        self.refused(program(S0, T0, T8, LOOK, first, move, second, use), 'written U0.x')

    def test_order(self):
        """A lookup may be done before the arithmetic of its phase, which must therefore not use its
        destination."""
        last = alu('MOV', 'oC', 'R0')
        for parts in ((alu('MOV', 'R0', 'T8'), LOOK), (alu('MOV', 'R0', 'T8'), alu('MOV', 'R1', 'R0'), LOOK),
                      (tex('TEXLD', 'R1', 0, 'T0'), alu('MOV', 'R0', 'R1'), LOOK),
                      (LOOK, alu('MOV', 'R1', 'R0'), LOOK)):
            self.refused(program(S0, T0, T8, *parts, last), 'TEXLD: R0 is used in its phase before')
            self.accepted(S0, T0, T8, *parts, last, assume={'in-order'})
        self.refused(program(S0, T0, T8, MOVE, tex('TEXLD', 'oC', 0, 'T0')), 'oC0 is used in its phase')
        self.accepted(S0, T0, T8, alu('MOV', 'R1', 'T8'), LOOK, last)
        # allowed with a boundary in between
        self.accepted(S0, T0, T8, alu('MOV', 'R0', 'T8'), alu('MOV', 'R1.xy', 'R0'),
                      tex('TEXLD', 'R0', 0, 'R1'), last)
        self.accepted(S0, T0, T8, alu('MOV', 'R0', 'T8'), tex('TEXLD', 'R0', 0, 'R0'), last)
        moves = alu('MOV', 'R0', 'T8'), alu('MOV', 'R1', 'R0')
        self.accepted(S0, T0, T8, *moves, tex('TEXLD', 'oC', 0, 'R1'), LOOK)
        self.refused(program(S0, T0, T8, *moves, tex('TEXLD', 'oC', 0, 'T0'), LOOK), 'R0 is used')


if __name__ == '__main__':
    unittest.main()
