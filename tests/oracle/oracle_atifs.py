"""ATI_fragment_shader programs: operations, modifiers, pairing and rules, against values worked out by hand
(notes/facts/atifs.md)."""
import os
import sys
import unittest
from fractions import Fraction as Q


sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.atifs import atifs_lint, atifs_text  # noqa: E402
from oracle.atifs.atifs_eval import evaluate  # noqa: E402
from oracle.common.errors import InputError, ProgramError  # noqa: E402
from oracle.common.vectors import Single  # noqa: E402

VALUES = {}
for _i, _v in enumerate((Q(1, 4), Q(1, 2), Q(3, 4), Q(1, 8))):
    VALUES['tex', 0, _i] = _v
for _i, _v in enumerate((Q(1, 2), Q(5, 8), Q(0), Q(3, 4))):
    VALUES['primary', 0, _i] = _v
for _i, _v in enumerate((Q(1), Q(1, 4), Q(1, 8))):
    VALUES['secondary', 0, _i] = _v
INPUT = Single(VALUES)


def program(body, consts=''):
    if consts:
        consts = 'StartConstants;\n%s\nEndConstants;\n' % consts
    return atifs_text.parse('!!ATIfs1.0\n%sStartOutputPass;\nSampleMap r0, t0.stq_dq;\n%s\nEndPass;\n'
                            % (consts, body))


def run(body, consts='', mesa=False):
    return [float(x) for x in evaluate(program(body, consts), INPUT, mesa=mesa)]


def problems(body, consts='', **options):
    return atifs_lint.lint(program(body, consts), promises=False, **options)


class Operations(unittest.TestCase):
    def check(self, body, *want, consts=''):
        self.assertEqual(run(body, consts), list(want), body)

    def test_all(self):
        self.check('MOV r0, color0;', .5, .625, 0, .75)
        self.check('ADD r0, r0, color0;', .75, 1.125, .75, .875)
        self.check('MUL r0, r0, color0;', .125, .3125, 0, .09375)
        self.check('SUB r0, r0, color0;', -.25, -.125, .75, -.625)
        self.check('MAD r0, r0, color0, r0;', .375, .8125, .75, .21875)
        self.check('LERP r0, r0, color0, 0;', .125, .3125, 0, .09375)
        self.check('LERP r0, r0, 0, color0;', .375, .3125, 0, .65625)
        self.check('CND r0, 1, 0, r0;', 0, 0, 1, 0)                          # strictly greater than one half
        self.check('CND0 r0, 1, 0, r0.neg;', 0, 0, 0, 0)
        self.check('CND0 r0, 1, 0, color0.neg;', 0, 0, 1, 0)                 # zero counts as >= 0
        self.check('DOT3 r0, r0, color0;', .4375, .4375, .4375, .4375)
        self.check('DOT4 r0, r0, color0;', .53125, .53125, .53125, .53125)
        # .125 + .3125 + .75, the blue of the third argument
        self.check('DOT2ADD r0, r0, color0, r0;', 1.1875, 1.1875, 1.1875, 1.1875)

    def test_argument_modifiers(self):
        self.check('MOV r0, r0.comp;', .75, .5, .25, .875)
        self.check('MOV r0, r0.bias;', -.25, 0, .25, -.375)
        self.check('MOV r0, r0.2x;', .5, 1, 1.5, .25)
        self.check('MOV r0, r0.neg;', -.25, -.5, -.75, -.125)
        self.check('MOV r0, r0.neg.2x.bias.comp;', -.5, 0, .5, -.75)         # -(2*((1-s)-.5))
        self.check('MOV r0, r0.g;', .5, .5, .5, .5)
        self.check('MOV r0, 1.bias;', .5, .5, .5, .5)
        self.check('MOV r0, color1.g;', .25, .25, .25, .25)

    def test_destination_modifiers(self):
        self.check('MOV r0.2x, r0;', .5, 1, 1.5, .25)
        self.check('MOV r0.4x.sat, r0;', 1, 1, 1, .5)
        self.check('MOV r0.8x, r0;', 2, 4, 6, 1)
        self.check('MOV r0.half, r0;', .125, .25, .375, .0625)
        self.check('MOV r0.quarter, r0;', .0625, .125, .1875, .03125)
        self.check('MOV r0.eighth, r0;', .03125, .0625, .09375, .015625)
        self.check('MOV r0.rg.8x.sat, r0;', 1, 1, .75, .125)
        self.check('SUB r0.sat, r0, color0;', 0, 0, .75, 0)

    def test_range_is_eight(self):
        self.check('MOV r1.8x, 1; MUL r1, r1, r1; MOV r0.eighth, r1;', 1, 1, 1, 1)

    def test_constants(self):
        self.check('MOV r0, c1;', .5, .25, 0, 1, consts='CONSTANT c1 = {.5, 0.25, 0, 1};')
        self.check('MOV r0, c1;', .5, 0, 0, 1, consts='CONSTANT c1 = {.5};')

    def test_halves_run_in_parallel(self):
        self.check('MOV r0.rgb, 1; MOV r0.a, r0.r;', 1, 1, 1, .25)
        self.check('MOV r0.a, 1; MOV r0.rgb, r0.a;', 1, 1, 1, 1)  # alpha first, then colour: two pairs
        self.check('MOV r0.rgb, r0.a; MOV r0.a, 1;', .125, .125, .125, 1)
        self.assertEqual(run('MOV r0.rgb, 1; MOV r0.a, r0.r;', mesa=True)[3], 1)

    def test_dot_companion_takes_the_colour_dot(self):
        self.check('DOT3 r0, r0, color0;', .4375, .4375, .4375, .4375)
        self.assertNotEqual(run('DOT3 r0, r0, color0;', mesa=True)[3], .4375)

    def test_undefined_values(self):
        for body in ('MOV r0, r1;', 'MOV r1.r, 1; MOV r0, r1;', 'DOT4 r0.rgb, r1, r1;'):
            with self.assertRaises(ProgramError, msg=body):
                run(body)
        self.check('MOV r1.r, 1; MOV r0, r1.r;', 1, 1, 1, 1)
        with self.assertRaises(ProgramError):
            run('MOV r0.2x, 1; LERP r0, r0, 0, 0;')


class Rules(unittest.TestCase):
    def test_grammar(self):
        for body in ('MOV r6, r0;', 'MOV r0, r0.comp.neg;', 'ADD r0, r0;', 'MOV r0.gr, r0;',
                     'MOV r0.sat.2x, r0;', 'FOO r0, r0;',
                     'MOV r0, r0', 'MOV r0, c8;', 'MOV r0, 2;',
                     'SampleMap r1, t0.str; MOV r0, r0; SampleMap r2, t2.str;'):
            with self.assertRaises(InputError, msg=body):
                program(body)
        for consts in ('CONSTANT c0 = {2};', 'CONSTANT c0 = {0}; CONSTANT c0 = {1};',
                       'CONSTANT c0 = program.env[8];'):
            with self.assertRaises(InputError, msg=consts):
                program('MOV r0, r0;', consts)
        with self.assertRaises(InputError) as caught:
            atifs_text.parse('!!ATIfs1.0\nStartOutputPass;\n  MOV r0, r9;\nEndPass;\n')
        self.assertEqual((caught.exception.line, caught.exception.col), (3, 3))
        self.assertEqual(run('MOV r0 r0;  # a comment; with a semicolon\n'), [.25, .5, .75, .125])

    def test_lint(self):
        good = ['MOV r0, color1.g;', 'MOV r0.rgb, color1;', 'DOT3 r1, r0, color0; MOV r0, r1;']
        for body in good:
            self.assertEqual(problems(body), [], body)
        bad = ['MOV r0, color1;', 'MOV r0.a, color1;', 'MOV r0.rgb, color1.a;', 'DOT4 r0.rgb, color1, r0;',
               'MOV r0, c0;',
               'DOT3 r0.a, r0, r0;', 'DOT4 r0.rgb, r0, r0; MOV r0.a, r0;', 'MOV r0.rgb, 1; MOV r0.a, r0.r;',
               'MOV r0, r0;' * 9]
        for body in bad:
            self.assertNotEqual(problems(body), [], body)
        self.assertNotEqual(problems('DOT3 r0, r0, color0;', avoid_mesa=True), [])
        three = 'CONSTANT c0 = {0}; CONSTANT c1 = {1}; CONSTANT c2 = {0};'
        self.assertNotEqual(problems('MAD r0, c0, c1, c2;', three), [])
        self.assertEqual(problems('MAD r0, c0, c1, c1;', three), [])

    def test_promises(self):
        def found(body):
            return atifs_lint.lint(atifs_text.parse('!!ATIfs1.0\n# bind r0 texture=0 '
                                                    'coord=0\nStartOutputPass;\n'
                                                    'SampleMap r0, t0.stq_dq;\n%s\nEndPass;' % body))
        self.assertEqual(found('MOV r0.sat, r0;'), [])
        self.assertEqual(found('ADD r0.sat, r0, 1.bias;'), [])
        for body in ('MOV r0, r0;', 'MOV r0.rgb.sat, r0;', 'ADD r0.sat, r0, 0.comp;',
                     'ADD r0.sat, r0, 1.comp;', 'MOV r0.sat, color0;'):
            self.assertNotEqual(found(body), [], body)

    def test_two_passes(self):
        text = '!!ATIfs1.0\nStartPrelimPass;\nSampleMap r1, t1.str;\nMOV r1, %s;\nEndPass;\nStartOutputPass;\n%sMOV r0, r1;\nEndPass;'
        p = atifs_text.parse(text % ('r1', 'PassTexCoord r1, r1.str;\n'))
        self.assertEqual(atifs_lint.lint(p, promises=False), [])
        with self.assertRaises(ProgramError):  # alpha does not survive the end of the first pass
            evaluate(p, INPUT)
        p = atifs_text.parse(text % ('color0', ''))
        self.assertIn('last pass', ' '.join(atifs_lint.lint(p, promises=False)))
        # a register that is not passed on does not survive
        with self.assertRaises(ProgramError):
            evaluate(p, INPUT)


if __name__ == '__main__':
    unittest.main()
