"""Tests values of texture environments against numbers worked out by hand from the tables of the
specifications (notes/facts/texenv.md)."""
import os
import sys
import unittest
from fractions import Fraction as Q


sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.common.errors import Refused  # noqa: E402
from oracle.common.vectors import Single  # noqa: E402
from oracle.texenv import stages  # noqa: E402
from oracle.texenv.state import make_policy  # noqa: E402
from oracle.texenv.texenv_eval import color_sum, evaluate  # noqa: E402


def single(**colours):
    """Builds a single input: single(T0=(r, g, b, a), F=.., C0=.., S=..)"""
    values = {}
    for name, v in colours.items():
        v = [Q(x).limit_denominator(1000) for x in v]
        for c, x in enumerate(v):
            if name[0] == 'T':
                values['tex', int(name[1]), c] = x
            elif name[0] == 'C':
                values['env', int(name[1]), c] = x
            elif name[0] == 'D':
                values['shadow', int(name[1]), c] = x
            else:
                values['primary' if name == 'F' else 'secondary', 0, c] = x
    return Single(values)


T0, F, C0, T1 = (.25, .5, .75, .125), (.5, .625, 0, .75), (1, .5, .25, .375), (.75, .25, 1, .5)
INPUT = single(T0=T0, F=F, C0=C0, T1=T1, S=(.5, .75, .25, 0), D0=(1, 0, 0, 0))


def value(text, policy=(), inputs=INPUT):
    (state, _), = stages.read(text)
    return [float(x) for x in evaluate(state, inputs, make_policy(policy))]


class Combine(unittest.TestCase):
    def check(self, text, *want, policy=()):
        self.assertEqual(value(text, policy), list(want), text)

    def test_functions(self):
        self.check('{T}', .25, .5, .75, .125)
        self.check('{T*F}', .125, .3125, 0, .09375)
        self.check('{T+F}', .75, 1, .75, .875)                              # 1.125 clamps
        self.check('{T+F-0.5}', .25, .625, .25, .375)
        self.check('{T-F}', 0, 0, .75, 0)
        self.check('{F-T}', .25, .125, 0, .625)
        # lerp: a*f + b*(1-f): .25*1+.5*0, .5*.5+.625*.5, .75*.25+0*.75, .125*.375+.75*.625
        self.check('{lerp(T,F,C)}', .25, .5625, .1875, .515625)
        self.check('{T*F+C}', 1, .8125, .25, .46875)
        self.check('{T*F+C-0.5}', .625, .3125, 0, 0)
        self.check('{C*C-T}', .75, 0, 0, .015625)

    def test_gl_argument_order(self):
        (state, _), = stages.read('{T*F+C}')
        half = state.units[0].rgb                                           # Arg0*Arg2 + Arg1
        self.assertEqual((half.func, half.args), ('modulate_add', (('T0', 'c'), ('C', 'c'), ('F', 'c'))))

    def test_scales(self):
        self.check('{T*F}*2;4', .25, .625, 0, .375)
        self.check('{T+F-0.5}*4', 1, 1, 1, 1)
        self.check('{T+F-0.5}*2', .5, 1, .5, .75)

    def test_operands(self):
        self.check('{~T}', .75, .5, .25, .875)
        self.check('{T.a}', .125, .125, .125, .125)
        self.check('{~T.a; ~F}', .875, .875, .875, .25)
        self.check('{1; 0}', 1, 1, 1, 0)
        self.check('{~0; ~1}', 1, 1, 1, 0)
        self.check('{F.a*T}', .1875, .375, .5625, .09375)

    def test_dots(self):
        # 4*((-.25)(0) + 0*.125 + .25*(-.5)) = -.5; complement of one side gives +.5
        self.check('{dot3(T,F)}', 0, 0, 0, .75)
        self.check('{dot3(~T,F)}', .5, .5, .5, .75)
        self.check('{dot3(~T,F)}*2;1', 1, 1, 1, .75)
        self.check('{dot3_ext(~T,F)}*2', .5, .5, .5, 1)                     # alpha keeps ALPHA_SCALE: 2*.75
        self.check('{dot3a(~T,F)}*1;2', .5, .5, .5, 1)
        self.check('{dot3a(~T,F)}*2;1', 1, 1, 1, .5)
        self.check('{dot3a(~T,F)}*2;1', 1, 1, 1, 1, policy=['dot3-alpha=rgb'])
        self.check('{dot3a_ext(~T,F)}*4;4', .5, .5, .5, .5)
        self.check('{dot3(~T,F); T}', .5, .5, .5, .125)

    def test_combine4(self):
        self.check('{T*F+C*C}', 1, .5625, .0625, .234375)
        self.check('{T*F+C*~C-0.5}', 0, .0625, 0, 0)
        self.check('{T*F+C*~C}*2', .25, 1, .375, .65625)
        self.check('{T*F+C*C; P}', 1, .5625, .0625, .75)

    def test_stages_clamp_between(self):
        self.check('{T+F} {P-F}', .25, .375, .75, .125)
        self.check('{T-F} {P+F}', .5, .625, .75, .75)

    def test_previous_alpha_and_primary(self):
        self.check('{T} {P.a*F}', .0625, .078125, 0, .09375)
        self.check('{T} {} {F}', .5, .625, 0, .75)

    def test_crossbar(self):
        self.check('{T1*T0} {P}', .1875, .125, .75, .0625)
        off = '{T1+T0; F} {}'
        self.check(off, .5, .625, 0, .75)  # the stage passes its input through, alpha too
        self.check(off, 1, 1, 1, .75, policy=['crossbar-off=one'])
        self.check(off, .25, .5, .75, .75, policy=['crossbar-off=zero'])
        with self.assertRaises(Refused):
            value(off, ['crossbar-off=refuse'])
        self.check('{T1*T0+0*0; F} {}', .25, .5, .75, .75)  # COMBINE4: missing texture reads as 1
        self.check('{T1*T0+0*0; F} {}', .5, .625, 0, .75, policy=['crossbar-off=pass'])

    def test_a_passing_unit_still_has_its_texture(self):
        self.check('{T1} {T2} {}', .75, .25, 1, .5)

    def test_depth_and_shadow(self):
        self.check('{T @depth}', .25, .25, .25, 1)
        # the alpha of the texture stands for the depth comparison's result
        self.check('{T @depth:alpha}', 0, 0, 0, .125)
        self.check('{T @depth:red}', .25, 0, 0, 1)
        self.check('{T @shadow:intensity}', 1, 1, 1, 1)

    def test_formats(self):
        for fmt, want in {'alpha': (0, 0, 0, .125), 'luminance': (.25, .25, .25, 1),
                          'luminance_alpha': (.25, .25, .25, .125),
                          'intensity': (.25,) * 4, 'rgb': (.25, .5, .75, 1), 'red': (.25, 0, 0, 1),
                          'rg': (.25, .5, 0, 1)}.items():
            self.check('{T @%s}' % fmt, *want)

    def test_color_sum(self):
        (state, _), = stages.read('{T} colorsum')
        out = color_sum(INPUT.dom, evaluate(state, INPUT), INPUT)
        self.assertEqual([float(x) for x in out], [.75, 1, 1, .125])


class Classic(unittest.TestCase):
    """Every row of the table of classic modes, with the texel r=.25 (also L and I), rgb=(.25,.5,.75), a=.125;
    the previous value is F, the constant C0."""

    ROWS = {
        ('alpha', 'replace'): (.5, .625, 0, .125), ('alpha', 'modulate'): (.5, .625, 0, .09375),
        ('alpha', 'decal'): (.5, .625, 0, .75), ('alpha', 'blend'): (.5, .625, 0, .09375),
        ('alpha', 'add'): (.5, .625, 0, .09375),
        ('luminance', 'replace'): (.25, .25, .25, .75), ('luminance', 'modulate'): (.125, .15625, 0, .75),
        ('luminance', 'decal'): (.5, .625, 0, .75), ('luminance', 'blend'): (.625, .59375, .0625, .75),
        ('luminance', 'add'): (.75, .875, .25, .75),
        ('luminance_alpha', 'replace'): (.25, .25, .25, .125), ('luminance_alpha', 'modulate'): (.125, .15625,
            0, .09375),
        ('luminance_alpha', 'decal'): (.5, .625, 0, .75), ('luminance_alpha', 'blend'): (.625, .59375, .0625,
            .09375),
        ('luminance_alpha', 'add'): (.75, .875, .25, .09375),
        ('intensity', 'replace'): (.25, .25, .25, .25), ('intensity', 'modulate'): (.125, .15625, 0, .1875),
        ('intensity', 'decal'): (.5, .625, 0, .75), ('intensity', 'blend'): (.625, .59375, .0625, .65625),
        ('intensity', 'add'): (.75, .875, .25, 1),
        ('rgb', 'replace'): (.25, .5, .75, .75), ('rgb', 'modulate'): (.125, .3125, 0, .75),
        ('rgb', 'decal'): (.25, .5, .75, .75),
        ('rgb', 'blend'): (.625, .5625, .1875, .75), ('rgb', 'add'): (.75, 1, .75, .75),
        ('rgba', 'replace'): (.25, .5, .75, .125), ('rgba', 'modulate'): (.125, .3125, 0, .09375),
        ('rgba', 'decal'): (.46875, .609375, .09375, .75), ('rgba', 'blend'): (.625, .5625, .1875, .09375),
        ('rgba', 'add'): (.75, 1, .75, .09375),
        ('red', 'replace'): (.25, 0, 0, .75), ('rg', 'modulate'): (.125, .3125, 0, .75),
        ('red', 'add'): (.75, .625, 0, .75),
        ('rg', 'decal'): (.25, .5, 0, .75),
    }

    def test_rows(self):
        for (fmt, mode), want in self.ROWS.items():
            self.assertEqual(value('{%s @%s}' % (mode, fmt)), list(want), (fmt, mode))

    def test_depth_uses_the_row_of_its_mode(self):
        self.assertEqual(value('{blend @depth:intensity}'), [.625, .59375, .0625, .65625])
        self.assertEqual(value('{modulate @depth:alpha}'), [.5, .625, 0, .09375])


if __name__ == '__main__':
    unittest.main()
