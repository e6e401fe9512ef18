"""Tests the oracle's evaluators of ARB programs, of the GLSL made from them, and of words of r300, r400 and
r500, against values worked out by hand (ARB_fragment_program 3.11.5; notes/facts/r300.md 2 to 4)."""
import os
import subprocess
import sys
import tempfile
import unittest
from collections import namedtuple
from fractions import Fraction as Q


sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from us_words import inputs as state_inputs  # noqa: E402
from us_words import ONE, OUT0, ZERO, addr, inst, pair5, r300, r500, tex5, tex_word  # noqa: E402
from oracle.commands import arb, texenvc  # noqa: E402
from oracle.common.errors import OracleError, ProgramError  # noqa: E402
from oracle.common.spans import Poison, Span, Undecided, bounds  # noqa: E402
from oracle.lang import arb_glsl, arb_run, arb_text  # noqa: E402
from oracle.lang.arb_inputs import Inputs  # noqa: E402
from oracle.hw import arb_words, chips  # noqa: E402
from oracle.us import r300_eval, us_arb  # noqa: E402

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
A = (Q(3), Q(-7, 4), Q(1, 2), Q(4))
B = (Q(-2), Q(5), Q(1, 4), Q(1, 2))
OWN = {'fragment.texcoord[0]': A, 'fragment.texcoord[1]': B, 'fragment.fogcoord': (Q(3, 8), Q(0), Q(0), Q(1)),
       'program.local[3]': (Q(2), Q(-1), Q(1, 8), Q(9)), 'state.texenv[0].color': (Q(3, 4), Q(0), Q(1), Q(1, 2)),
       'fragment.color.primary': (Q(1, 2), Q(1, 4), Q(0), Q(1)),
       'fragment.color.secondary': (Q(1, 8), Q(1), Q(3, 4), Q(1, 16)),
       'fragment.position': (Q(21, 2), Q(7, 2), Q(1, 4), Q(2))}


def program(body, inputs=None):
    text = '!!ARBfp1.0\nTEMP t, u;\nATTRIB a = fragment.texcoord[0];\nATTRIB b = fragment.texcoord[1];\n%s\nEND\n'
    return arb_run.evaluate(arb_text.parse(text % body), inputs or Inputs(1, OWN))


def value(operation):
    """Returns the value of the temporary after one instruction."""
    return program(operation % 't').regs['t']


class Programs(unittest.TestCase):
    def test_operations(self):
        for operation, want in {
            'ABS %s, a': (3, Q(7, 4), Q(1, 2), 4), 'FLR %s, a': (3, -2, 0, 4), 'FRC %s, a': (0, Q(1, 4), Q(1, 2), 0),
            'ADD %s, a, b': (1, Q(13, 4), Q(3, 4), Q(9, 2)), 'SUB %s, a, -b.x': (1, Q(-15, 4), Q(-3, 2), 2),
            'MUL %s, a, b.w': (Q(3, 2), Q(-7, 8), Q(1, 4), 2), 'MAD %s, a, 2, b': (4, Q(3, 2), Q(5, 4), Q(17, 2)),
            'MAX %s, a, b': (3, 5, Q(1, 2), 4), 'MIN %s, a, b': (-2, Q(-7, 4), Q(1, 4), Q(1, 2)),
            'SLT %s, b, a': (1, 0, 1, 1), 'SGE %s, b, a': (0, 1, 0, 0), 'SGE %s, a, a': (1,) * 4,
            'LRP %s, b.z, a, b': (Q(-3, 4), Q(53, 16), Q(5, 16), Q(11, 8)),
            'CMP %s, a, 1, b': (-2, 1, Q(1, 4), Q(1, 2)), 'DP3 %s, a, b': (Q(-117, 8),) * 4,
            'DP4 %s, a, b': (Q(-101, 8),) * 4, 'DPH %s, a, b': (Q(-113, 8),) * 4,
            'DST %s, a, b': (1, Q(-35, 4), Q(1, 2), Q(1, 2)), 'RCP %s, a.w': (Q(1, 4),) * 4,
            'RSQ %s, -a.w': (Q(1, 2),) * 4, 'EX2 %s, b.x': (Q(1, 4),) * 4, 'LG2 %s, a.z': (-1,) * 4,
            'POW %s, a.w, a.z': (2,) * 4, 'SWZ %s, a, 0, -w, 1, -x': (0, -4, 1, -3),
            'MAD_SAT %s, a, b, 1': (0, 0, 1, 1), 'COS %s, fragment.fogcoord.y': (1,) * 4,
        }.items():
            got = value(operation + ';')
            self.assertEqual([bounds(x)[0] <= Q(y) <= bounds(x)[1] and bounds(x)[1] - bounds(x)[0] < 1e-12
                              for x, y in zip(got, want)], [True] * 4, '%s: %s' % (operation, got))

    def test_lit(self):
        """LIT of (3, -7/4, 1/2, 4) is 1, 3, 0^4, 1; LIT of (1/2, 4, -, 1/2) has 4^(1/2) as its third
        component."""
        self.assertEqual(value('LIT %s, a;'), [1, 3, 0, 1])
        z = value('LIT %s, a.zwww;')[2]
        self.assertTrue(bounds(z)[0] <= 256 <= bounds(z)[1])

    def test_cross(self):
        got = value('XPD %s, a, b;')
        self.assertEqual(got[:3], [Q(-7, 16) - Q(5, 2), -1 - Q(3, 4), 15 - Q(7, 2)])
        self.assertIsInstance(got[3], Poison)

    def test_undefined(self):
        for operation in ('RCP %s, fragment.fogcoord.y;', 'RSQ %s, fragment.fogcoord.y;', 'LG2 %s, a.y;',
                          'POW %s, b.x, 2.0;'.replace('2.0', '{2}.x'), 'SCS %s, a.w;', 'MOV %s, u;'):
            self.assertIsInstance(value(operation)[0], Poison, operation)

    def test_kill(self):
        self.assertIs(program('KIL a;').killed, True)
        self.assertIs(program('KIL a.xzwx;').killed, False)
        self.assertIs(program('KIL -fragment.fogcoord.y;').killed, False)       # -0 is not below 0

    def test_lookup_divides(self):
        inputs = Inputs(1, OWN)
        got = program('TXP t, a, texture[2], 2D;', inputs).regs['t']
        self.assertEqual(got, inputs.lookup(2, '2D', (Q(3, 4), Q(-7, 16)), Q(0), False))
        self.assertNotEqual(got, inputs.lookup(2, '2D', A[:2], Q(0), False))

    def test_places_that_may_be_equal(self):
        """Lookups whose coordinates are known roughly: in the program, one that may be at the place of
        another is undecided; a conversion's has the texel of the only place that it may mean."""
        inputs, span = Inputs(1, OWN), lambda lo, hi: (Span(lo, hi), Q(0))
        look = lambda place: inputs.lookup(2, '2D', place, Q(0), False)
        first, far = look(span(0.0, 0.25)), look(span(2.0, 2.5))
        self.assertEqual(first, look(span(0.0, 0.25)))
        self.assertIsInstance(look(span(0.125, 0.5))[0], Undecided)
        inputs.settled = True
        self.assertEqual(far, look((Q(9, 4), Q(0))))
        self.assertEqual(first, look((Q(1, 16), Q(0))))
        self.assertIsInstance(look((Q(3, 16), Q(0)))[0], Undecided)
        self.assertNotIn(look((Q(3), Q(0))), (first, far))

    def test_cube_map_by_direction(self):
        inputs = Inputs(1, OWN)
        got = inputs.lookup(0, 'CUBE', A[:3], Q(0), False)
        self.assertEqual(got, inputs.lookup(0, 'CUBE', tuple(5 * x for x in A[:3]), Q(0), False))
        self.assertNotEqual(got, inputs.lookup(0, 'CUBE', tuple(-x for x in A[:3]), Q(0), False))

    def test_fog(self):
        """f = (end - c) * scale with fog.params (-, -, 1, 2): for c = 3/8 it is 5/4, limited to 1; for c =
        3/4 it is 1/2."""
        text = '!!ARBfp1.0 OPTION ARB_fog_linear; MOV result.color, fragment.color; END'
        for c, f in ((Q(3, 8), 1), (Q(3, 4), Q(1, 2))):
            inputs = Inputs(1, {**OWN, 'fragment.fogcoord': (c, Q(0), Q(0), Q(1)),
                                'state.fog.params': (Q(1), Q(1, 2), Q(1), Q(2)),
                                'state.fog.color': (Q(1), Q(0), Q(1), Q(0))})
            got = arb_run.evaluate(arb_text.parse(text), inputs).out['result.color[0]']
            self.assertEqual(got, [f * Q(1, 2) + 1 - f, f * Q(1, 4), 1 - f, 1])


class Glsl(unittest.TestCase):
    def run_lines(self, *lines, language='glsl', head=()):
        text = '\n'.join(['#version %s' % arb_glsl.VERSIONS[language], *head, '', 'void main()', '{', *lines, '}'])
        return arb_glsl.parse(text, language).evaluate(Inputs(1, OWN))

    def colour(self, expression, **more):
        return self.run_lines('    gl_FragColor = %s;' % expression, **more).out['result.color[0]']

    def test_functions(self):
        for expression, want in {
            'vec4(fract(gl_TexCoord[0].y))': Q(1, 4), 'vec4(floor(gl_TexCoord[0].y) + 2.25)': Q(1, 4),
            'vec4(gl_TexCoord[0].y < 0.0 ? 0.25 : 0.5)': Q(1, 4),
            'vec4(gl_TexCoord[0].x <= 3.0 ? 0.25 : 0.5)': Q(1, 4),
            'vec4(mix(0.5, 0.25, gl_TexCoord[0].z))': Q(3, 8), 'vec4(1.0 / gl_TexCoord[0].w)': Q(1, 4),
            'vec4(inversesqrt(abs(-gl_TexCoord[0].w)))': Q(1, 2), 'vec4(float(2.0 >= 3.0) + 0.5)': Q(1, 2),
            'vec4(exp2(gl_TexCoord[1].x))': Q(1, 4), 'vec4(dot(gl_TexCoord[0].zw, vec2(0.25, 0.125)))': Q(5, 8),
            'vec4(clamp(gl_FogFragCoord, 0.0, 0.25))': Q(1, 4), 'gl_TexCoord[1].wwww': Q(1, 2),
            'vec4(max(gl_TexCoord[1].x, 0.5))': Q(1, 2), 'vec4(min(gl_TexCoord[1].y, 0.5))': Q(1, 2),
        }.items():
            self.assertEqual(self.colour(expression), [want] * 4, expression)

    def test_undefined(self):
        for expression in ('vec4(pow(gl_TexCoord[0].y, 2.0))', 'vec4(log2(gl_TexCoord[0].y))',
                           'vec4(inversesqrt(gl_TexCoord[1].x))'):
            self.assertIsInstance(self.colour(expression)[0], Poison, expression)

    def test_discard(self):
        for test, want in (('any(lessThan(gl_TexCoord[0], vec4(0.0)))', True), ('gl_TexCoord[0].x < 0.0', False)):
            self.assertIs(self.run_lines('    if (%s)' % test, '        discard;').killed, want)

    def test_lookup(self):
        inputs = Inputs(1, OWN)
        text = '\n'.join(['#version 120', 'uniform sampler3D texture4;', 'void main()', '{',
                          '    gl_FragColor = texture3DProj(texture4, gl_TexCoord[0]);', '}'])
        got = arb_glsl.parse(text, 'glsl').evaluate(inputs).out['result.color[0]']
        self.assertEqual(got, inputs.lookup(4, '3D', tuple(x / 4 for x in A[:3]), Q(0), False))

    def test_refused(self):
        for line in ('    gl_FragColor = vec4(1.0, 2.0);', '    vec4 v = gl_TexCoord[0].xy;',
                     '    gl_FragColor = nothing;', '    gl_FragColor = vec4(atan(1.0));',
                     '    gl_FragColor.xy = vec2(1.0);', '    while (true)'):
            with self.assertRaises(OracleError, msg=line):
                self.run_lines(line)


# ---- words ----

LANES = [{'value': .25}, {'from': 'program.local[3]', 'lane': 'y'},
         {'expr': '2*state.texenv[0].color.x-(1+program.local[3].b)/2'}, None]
# the components are 1/4, -1 and 3/2 - 9/16
CONSTANT = (Q(1, 4), Q(-1), Q(15, 16))
INPUTS = ((0, 'texcoord0'), (1, 'texcoord1'))


def words(code, lanes=None, temps=INPUTS, textures=()):
    """Returns the JSON object of code that is assembled by hand."""
    constants = [{'slot': 0, 'word': 0, 'lanes': lanes}] if lanes else []
    return {'target': code.target, 'fits': True, 'words': [[hex(a), hex(w)] for a, w in code.words],
            'constants': constants, 'inputs': [{'temp': t, 'is': n} for t, n in temps], 'assumed': [],
            'textures': [{'slot': s, 'unit': u, 'coord': None, 'target': t} for s, u, t in textures],
            'stats': {}}


def run_words(o, inputs=None):
    return us_arb.parse(o).evaluate(inputs or Inputs(1, OWN))


def known(x):
    return x if isinstance(x, Q) else repr(x) if isinstance(x, Poison) else (x.lo, x.hi)


class R300Words(unittest.TestCase):
    """Temporary 0 is (3, -7/4, 1/2, 4), temporary 1 is (-2, 5, 1/4, 1/2); outputs are limited to [0,1]."""

    def colour(self, rgb, alpha, sources=((0, 1), ()), lanes=None, chip='r300', **more):
        """sources: the register numbers of the rgb and of the alpha addresses; unused addresses must be 0."""
        pairs = [(addr(*sources[0], out=7), addr(*sources[1], out=1, alpha=True), rgb, alpha)]
        constants = ((0, None, (.25, 0, 0, 0)),) if lanes else ()
        got = run_words(words(r300(pairs, constants=constants, temps=(), chip=chip, **more), lanes))
        return [known(x) for x in got.out['result.color[0]']]

    def test_operations(self):
        halves = inst(0, 16, 16, 16)
        for rgb, want in (
            (inst(4, 0, 4), [0, 0, Q(1, 4)]),                       # MIN
            (inst(5, 0, 4), [1, 1, Q(1, 2)]),                       # MAX
            (inst(9, 0), [0, Q(1, 4), Q(1, 2)]),                    # FRC
            (inst(8, 22, ONE, 0), [Q(1, 2), 1, Q(1, 2)]),           # CMP: C >= 0 ? A : B
            (inst(7, 22, ONE, 0), [Q(1, 2), 1, 1]),                 # CND: C > 1/2 ? A : B
            (inst(0, 0, 22, 4), [0, 1, Q(1, 2)]),                   # MAD: -1/2, 33/8, 1/2
            (inst(0, 0 | 32, 22, ONE), [0, 1, Q(3, 4)]),            # negated
            (inst(0, 0 | 96, 22, ONE), [0, Q(1, 8), Q(3, 4)]),      # minus the absolute value
            (inst(0, 0, 0, ZERO, omod=6), [1, Q(49, 128), Q(1, 32)]),       # an eighth
            (inst(0, 0, ONE, ZERO, clamp=1, omod=4), [1, 0, Q(1, 4)]),
        ):
            reads = any(rgb >> low & 31 == 4 for low in (0, 7, 14))
            self.assertEqual(self.colour(rgb, halves, ((0, int(reads)), ()))[:3], want, hex(rgb))

    def test_dots(self):
        """DP3 of halved operands: (-2 + 5 + 1/4) / 2 = 13/8; DP4 adds the product of the alpha half's A and
        B, 1/2 * 1/2."""
        alpha = inst(0, 18, 10, 16)
        for op, want in ((1, Q(13, 32)), (2, Q(15, 32))):
            got = self.colour(inst(op, 22, 4, 0, omod=5), alpha, ((0, 1), (0, 1)))
            self.assertEqual(got, [want] * 3 + [Q(1, 4)])
        copies = inst(1, 18, 10, 0, omod=5)
        got = self.colour(inst(2, 22, 4, 0), copies, ((0, 1), (0, 1)))
        self.assertEqual(got, [1] * 3 + [Q(15, 32)])
        # unknown: whether the copy is taken before or after the output modifier
        with self.assertRaises(ProgramError):
            self.colour(inst(2, 22, 4, 0, omod=5), copies, ((0, 1), (0, 1)))

    def test_scalar(self):
        for op, select, want in ((10, 9, Q(1, 4)), (11, 9, Q(1, 2)), (8, 3, Q(1, 4))):   # RCP, RSQ, EX2
            sources = ((0, int(select == 3)), ())
            self.assertEqual(self.colour(inst(10), inst(op, select), sources), [want] * 4)
        got = self.colour(inst(0, 22, ONE, ZERO), inst(9, 9, omod=6), ((), (0,)))
        self.assertEqual(got, [Q(1, 2)] * 3 + [Q(1, 4)])            # LG2 of 4, an eighth
        # unknown: whether REPL copies before or after the output modifier
        with self.assertRaises(ProgramError):
            self.colour(inst(10), inst(9, 9, omod=6), ((), (0,)))

    def test_undefined(self):
        got = self.colour(inst(10), inst(9, 1), ((0,), ()))         # LG2 of -7/4
        self.assertTrue(all('poison' in x for x in got), got)

    def test_constant_lanes(self):
        got = self.colour(inst(0, 0, ONE, 22), inst(0, 9, 17, 16), ((32,), (32,)), LANES)
        self.assertEqual(got[:3], [Q(3, 4), 0, 1])
        self.assertIn('not used', got[3])
        got = self.colour(inst(0, 0 | 96, 22, ONE), inst(0, 0, 17, 16), ((32,), ()), LANES)
        self.assertEqual(got, [1 - x / 2 for x in (Q(1, 4), 1, Q(15, 16))] + [Q(1, 4)])

    def test_constant_of_another_word(self):
        lanes = [{'value': .5}] + LANES[1:]
        with self.assertRaises(ProgramError):
            self.colour(inst(0, 0, ONE, 22), inst(0, 9, 17, 16), ((32,), (32,)), lanes)

    def test_presubtraction(self):
        got = self.colour(inst(0, 15, 22, ZERO, presub=1), inst(0, 15, 17, 16, presub=1),  # src1-src0
                          ((0, 1), (0, 1)))
        self.assertEqual(got, [0, 1, 0, 0])                         # -5/2, 27/8, -1/8; -7/2
        got = self.colour(inst(0, 15 | 32, 22, ONE, presub=0), inst(0, 15, 18, 16, presub=2, omod=5),
                          ((0,), (0, 1)))
        self.assertEqual(got, [1, 0, 1, Q(9, 16)])                  # 1 - (1-2a)/2 = 1/2 + a; (4 + 1/2)/8

    def two_nodes(self, word, textures=((3, 4, '2d'),), first=()):
        """Returns a node that moves half of temporary 0, then a node that looks it up, and returns the
        texel."""
        copy = (addr(0, dest=2, write=7), addr(0, dest=2, write=1, alpha=True), inst(0, 0, 22, ZERO),
                inst(0, 9, 18, 16))
        out = (addr(3, out=7), addr(3, out=1, alpha=True), OUT0[2], OUT0[3])
        code = r300([copy, out], [((), 1), ((word,), 1)], temps=(), highest=3, change={0x4104: 8})
        return words(code, textures=textures)

    def test_lookups(self):
        half = tuple(x / 2 for x in A)
        for op, coordinates, bias in ((1, half[:2], Q(0)), (3, (Q(3, 4), Q(-7, 16)), Q(0)),
                                      (4, half[:2], Q(2))):
            inputs = Inputs(1, OWN)
            got = run_words(self.two_nodes(tex_word(2, 3, 3, op)), inputs)
            self.assertEqual(got.out['result.color[0]'], inputs.lookup(4, '2D', coordinates, bias, False), op)

    def test_rectangle_is_refused(self):
        with self.assertRaises(ProgramError):
            run_words(self.two_nodes(tex_word(2, 3, 3, 1), ((3, 4, 'rect'),)))

    def test_kill(self):
        for source, want in ((0, True), (1, True), (4, False)):
            code = r300([OUT0], [((tex_word(source, 0, 0, 2),), 1)], temps=(), highest=max(source, 1))
            temps = INPUTS + ((4, 'color'),)
            got = run_words(words(r300([OUT0], [((tex_word(source, 0, 0, 2),), 1)], temps=(),
                                       highest=4), temps=temps))
            self.assertIs(got.killed, want)
        self.assertEqual(code.target, 'r300')

    def test_depth(self):
        out = (addr(0, 1, out=7), addr(alpha=True) | 1 << 27, OUT0[2], inst(0, 5, 17, 16))
        change = {0x461c: 0x00c00000, 0x4bd8: 1, 0x46b4: 1}
        got = run_words(words(r300([out], temps=(), change=change)))
        self.assertEqual(got.out['result.depth'], [Q(1, 4)])  # select 5: the z component of source 1
        for address, wrong in ((0x461c, 0x00400000), (0x4bd8, 0), (0x46b4, 0)):
            with self.assertRaises(ProgramError):
                run_words(words(r300([out], temps=(), change={**change, address: wrong})))

    def test_inputs(self):
        pair = [(addr(0, 1, out=7), addr(0, 1, out=1, alpha=True), inst(0, 0, 4, ZERO), inst(0, 9, 10, 16))]
        for names, want in ((('color', 'secondary'), [Q(1, 16), Q(1, 4), 0, Q(1, 16)]),
                            (('fogcoord', 'color'), [Q(3, 16), 0, 0, 1]),
                            (('position', 'color'), [1, Q(7, 8), 0, 1])):
            got = run_words(words(r300(pair, temps=()), temps=tuple(enumerate(names))))
            self.assertEqual(got.out['result.color[0]'], want)
        with self.assertRaises(ProgramError):
            run_words(words(r300(pair, temps=()), temps=((0, 'normal'), (1, 'color'))))

    def test_unwritten_temporary(self):
        got = run_words(words(r300([OUT0], temps=(), highest=1), temps=((1, 'color'),)))
        self.assertIsInstance(got.out['result.color[0]'][0], Poison)

    def test_against_a_program(self):
        """MAD of two coordinate sets, with modifiers; then the same words with one select changed."""
        text = ('!!ARBfp1.0\nTEMP t;\nMAD t, fragment.texcoord[0], 0.5, fragment.texcoord[1];\n'
                'MUL result.color, t, 0.125;\nEND\n')
        reference = arb.Reference(text, 'x', 6)
        for b, same in ((22, True), (ONE, False)):
            pair = (addr(0, 1, out=7), addr(0, 1, out=1, alpha=True), inst(0, 0, b, 4, omod=6),
                    inst(0, 9, 18, 10, omod=6))
            why = reference.difference(us_arb.parse(words(r300([pair], temps=()))), 'r300', arb.Totals())
            self.assertEqual(why is None, same, why)


class R500Words(unittest.TestCase):
    def colour(self, rgb, alpha, sources, before=(), highest=1, **more):
        out = pair5(rgb, sources[0], alpha, sources[1], out='rgba', wait=1)
        return run_words(words(r500([*before, out], temps=(), highest=highest), **more)).out['result.color[0]']

    def test_sine(self):
        """SIN and COS take turns: for 1/4 (temporary 1, blue) they are 1 and 0; arguments outside of one turn
        are not documented."""
        for op, want in ((12, 1), (13, 0)):
            got = self.colour((10,), (op, (1, 'b', 0)), ((0x80, 1), ()))
            for x in got:
                self.assertTrue(bounds(x)[0] - 1e-12 <= want <= bounds(x)[1] + 1e-12)
        self.assertIsInstance(self.colour((10,), (12, (0, 'a', 0)), ((), (0,)))[3], Poison)

    def test_swizzles(self):
        got = self.colour((0, (0, 'b1a', 1), (1, 'aah', 0), (0, '1h1', 0)), (3, (0, 'g', 2), (1, 'a', 0)),
                          ((0,), (0, 1)))
        self.assertEqual(got[:3], [Q(3, 4), 0, 0])                  # 1 - 1/4; 1/2 - 1/2; 1 - 2
        self.assertEqual(got[3], 1)                                 # MAX(|-7/4|, 1/2)

    def test_lookups(self):
        for op, coordinates, bias in ((1, A[:2], Q(0)), (3, tuple(x / 4 for x in A[:2]), Q(0)),
                                      (4, A[:2], Q(4))):
            inputs = Inputs(1, OWN)
            read = tex5(0, 2, 3, coords='rgba', op=op)
            out = pair5((0, (0, 'rgb', 0), (0, '111', 0), (0, '000', 0)), (2,),
                        (0, (0, 'a', 0), (0, '1', 0), (0, '0', 0)), (2,), out='rgba', wait=1)
            o = words(r500([read, out], temps=(), highest=2), textures=((3, 2, '2d'),))
            self.assertEqual(run_words(o, inputs).out['result.color[0]'],
                             inputs.lookup(2, '2D', coordinates, bias, False))

    def test_kill_of_minus_zero(self):
        """r500 kills by -0, which a negated operand of CMP can give; MAD adds +0, so its result is not -0."""
        kill = tex5(2, 0, 0, coords='rgba', op=2, mask='')
        one, zero = (0, '111', 0), (0, '000', 0)
        one_a = (0, '1', 0)
        for rgb, sources, want in (((8, (0, 'g0b', 1), one, one), (0,), True),          # CMP: -(1/4), -0, -0
                                   ((8, (0, '00b', 1), one, one), (0,), True),          # -0, -0, -0
                                   ((0, (0, '00b', 1), one, zero), (0,), False),
                                   ((0, (0, '00b', 1), one, (0, '000', 1)), (0,), True),        # -0 + -0
                                   ((8, (0, '00b', 0), one, one), (0,), False)):
            alpha = (0, one_a, one_a, (0, '0', 0))
            make = pair5(rgb, sources, alpha, (), write='rgba', dest=2, adest=2)
            copy = (0, (0, 'rgb', 0), one, zero), (0,), (0, (0, 'a', 0), one_a, (0, '0', 0)), (0,)
            out = pair5(*copy, out='rgba', wait=1)
            o = words(r500([make, kill, out], temps=(), highest=2), temps=((0, 'color'), (1, 'secondary')))
            self.assertIs(run_words(o).killed, want, rgb)

    def test_kill_and_depth(self):
        copy = (0, (0, 'rgb', 0), (0, '111', 0), (0, '000', 0)), (0,), (0, (1, 'b', 0), (0, '1', 0), (0, '0', 0))
        copy = copy[0], (0, 1), copy[2]
        out = pair5(*copy, (), out='rgb', wait=1)
        out = out[:4] + (out[4] | 1 << 31,) + out[5:]
        kill = tex5(0, 0, 0, coords='rgba', op=2, mask='')
        o = words(r500([kill, out], temps=(), change={0x4bd8: 1, 0x46b4: 1}))
        got = run_words(o)
        self.assertIs(got.killed, True)
        self.assertEqual(got.out['result.depth'], [Q(1, 4)])
        with self.assertRaises(ProgramError):  # depth is not taken from the shader here
            run_words(words(r500([kill, out], temps=())))


class Constants(unittest.TestCase):
    def test_irrational(self):
        """The single-precision number nearest to 1/(2 pi) counts as that value; other singles do not."""
        for x in (0.15915494, -0.15915494, 1.442695, 6.2831853):
            self.assertIsInstance(arb_words.value_of(x), Span, x)
        for x in (0, .5, 1, 2, .25, 3.25):
            self.assertEqual(arb_words.value_of(x), x)

    def test_expressions(self):
        inputs = Inputs(1, OWN)
        for text, want in (('-(1-program.local[3].x)*2', 2), ('program.local[3].a/4-.25', 2), ('1.5e1', 15),
                           ('2*3-4/8', Q(11, 2)), ('state.texenv.color.x', Q(3, 4))):
            self.assertEqual(us_arb.lane_value({'expr': text}, inputs), want, text)
        for text in ('2*', '(1', 'state.nothing.x', '1 2', 'program.local[3]', '1-%', ''):
            with self.assertRaises(ProgramError, msg=text):
                us_arb.lane_value({'expr': text}, inputs)


class DerivedConstants(unittest.TestCase):
    """Programs of texture environments: environment colour 2 is (1/16, 2/16, 3/16, 4/16) here."""

    LANES = [{'expr': '1-2*state.texenv[2].color.x'}, {'from': 'state.texenv[2].color', 'lane': 'w'},
             {'expr': 'state.texenv[2].color.g*state.texenv[2].color.b/2'}, {'value': .5}]
    WANT = [Q(7, 8), Q(1, 4), Q(3, 256), Q(1, 2)]

    def test_values(self):
        own = tuple(float(x) for x in self.WANT)
        pair = (addr(32, out=7), addr(32, out=1, alpha=True), OUT0[2], OUT0[3])
        for make, change in (('real', lambda lanes: lanes), ('wrong', lambda lanes: [lanes[1]] + lanes[1:])):
            code = r300([pair], constants=((0, None, own),), highest=1)
            code = code._replace(constants=(code.constants[0]._replace(lanes=change(self.LANES)),))
            got = [Q(v) for v in r300_eval.evaluate(code, state_inputs())]
            self.assertEqual(got == self.WANT, make == 'real', got)

    def test_against_the_state(self):
        unit = namedtuple('Unit', 'color')((Q(1, 2), Q(1, 4), Q(1), Q(1, 8)))
        state = namedtuple('State', 'units')((unit,) + (None,) * 7)
        made = chips.Constant(0, 0, (0, .25, 1, .125), 0, lanes=[
            {'expr': '2*state.texenv.color.x-1'}, {'from': 'state.texenv[0].color', 'lane': 'y'}, None,
            {'from': 'state.texenv[0].color', 'lane': 'w'}])
        self.assertIsNone(chips.wrong_lane(made, state))
        self.assertEqual(chips.wrong_lane(made._replace(value=(0, .25, 1, .25)), state), 3)
        self.assertEqual(chips.wrong_lane(made._replace(value=(.5, .25, 1, .125)), state), 0)
        other = made._replace(lanes=[{'from': 'state.texenv[1].color', 'lane': 'x'}] + made.lanes[1:])
        with self.assertRaises(ProgramError):
            chips.wrong_lane(other, state)


class Command(unittest.TestCase):
    """Tests the command arb-check itself, with a texenvc that makes deliberate errors."""

    TEXT = '!!ARBfp1.0\nTEMP t;\nMUL t, fragment.color, 0.5;\nADD result.color, t, 0.25;\nEND\n'

    def check(self, change, *more):
        with tempfile.TemporaryDirectory() as folder:
            mock, source = os.path.join(folder, 'mock'), os.path.join(folder, 'x.arbfp')
            with open(mock, 'w') as f:
                f.write('#!/bin/sh\n"%s" "$@" | sed \'%s\'\n' % (texenvc.program(), change))
            os.chmod(mock, 0o755)
            with open(source, 'w') as f:
                f.write(self.TEXT)
            done = subprocess.run([sys.executable, '-m', 'oracle', 'arb-check', *more, source], cwd=TOP,
                                  env={**os.environ, 'TEXENVC': mock}, stdout=subprocess.PIPE)
        return done.returncode, done.stdout.decode()

    def test_right_and_wrong(self):
        self.assertEqual(self.check('')[0], 0)
        for change, form, count in (('s/0\\.25/0.375/', 'arbfp', 2), ('s/0\\.25/0.375/', 'glsl', 2),
                                    ('s/ADD/SUB/', 'arbfp', 1)):  # at -O2 the program has a MAD instead
            status, out = self.check(change, '--to', form)
            self.assertEqual(status, 1)
            self.assertIn('%d mismatches' % count, out)

    def test_refused(self):
        status, out = self.check('1s/.*/# state 1 x:1 refused: no reason/;2,$d', '--to', 'arbfp')
        self.assertEqual((status, 'refused 2: arbfp: no reason' in out), (0, True))


if __name__ == '__main__':
    try:
        texenvc.program()
    except OracleError:
        del Command
    unittest.main()
