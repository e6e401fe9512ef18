#!/usr/bin/env python3
"""Compares published expectations of older test suites, expressed as states and inputs of conformance
vectors, with the colours that oracle/texenv/vector_inputs.py gives. Values and formulas are facts of those
suites:

    Wine, dlls/d3d9/tests/visual.c, texop_test: operations of Direct3D stages as Windows draws them
    ScummVM, test/graphics/tinygl_texenv.h: one unit with values of 8 bits
    glean, ttexenv.cpp: classic modes by base formats at components of 0, 1/2 and 1
    piglit/tests/texturing/crossbar.c: two units that read each other's textures, all grey

Where a suite and OpenGL disagree, the case says why, and the value of OpenGL is the expected one."""
import itertools

import os
import sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool
from oracle.texenv import vector_inputs, vector_states
from oracle.texenv.state import Half
from oracle.texenv.vector_states import classic, state, unit

checks = tool.Checks('suites')
COUNT = {}  # suite -> [number of cases, number of cases where it disagrees with OpenGL]


def vector(made, texels, colors, primary):
    case = vector_states.Case('', '', made)
    return vector_inputs.Vector(case, texels, colors, primary, (0, 0, 0, 0), None, 0, None, (), 1)


def agree(suite, name, given, want, steps, channels=4, why=None):
    """why: set if the suite disagrees with OpenGL; then `want` is the value of the suite, and the result must
    differ from it."""
    got = vector_inputs.wanted(given)
    near = all(abs(g - w) <= steps for g, w in zip(got[:channels], want))
    done = COUNT.setdefault(suite, [0, 0])
    done[0] += 1
    done[1] += why is not None
    checks.check(near == (why is None), '%s, %s: the suite has %s, the oracle %s%s'
                 % (suite, name, want, got, ' (no longer a disagreement)' if why else ''))


# ---- Wine ----

def wine():
    """arg1: the texture, arg2: the factor, arg0: the diffuse colour; alpha is not compared. The suite allows
    3 steps."""
    t, c, f, p, ta, not_ta = ('T0', 'c'), ('C', 'c'), ('F', 'c'), ('P', 'a'), ('T0', 'a'), ('T0', '~a')
    rows = (
        ('SELECTARG1', 'replace', (t,), 1, 0x00ff00), ('SELECTARG2', 'replace', (c,), 1, 0x333333),
        ('MODULATE', 'modulate', (t, c), 1, 0x003300), ('MODULATE2X', 'modulate', (t, c), 2, 0x006600),
        ('MODULATE4X', 'modulate', (t, c), 4, 0x00cc00), ('ADD', 'add', (t, c), 1, 0x33ff33),
        ('ADDSIGNED', 'add_signed', (t, c), 1, 0x00b200), ('ADDSIGNED2X', 'add_signed', (t, c), 2, 0x00ff00),
        ('SUBTRACT', 'subtract', (t, c), 1, 0x00cc00),
        ('ADDSMOOTH', 'modulate_add', (c, t, ('T0', '~c')), 1, 0x33ff33),
        ('BLENDDIFFUSEALPHA', 'interpolate', (t, c, ('F', 'a')), 1, 0x227722),
        ('BLENDTEXTUREALPHA', 'interpolate', (t, c, ta), 1, 0x14ad14),
        ('BLENDFACTORALPHA', 'interpolate', (t, c, ('C', 'a')), 1, 0x07e407),
        ('BLENDTEXTUREALPHAPM', 'modulate_add', (c, t, not_ta), 1, 0x14ff14),
        ('BLENDCURRENTALPHA', 'interpolate', (t, c, p), 1, 0x227722),
        ('MODULATEALPHA_ADDCOLOR', 'modulate_add', (c, t, ta), 1, 0x1fff1f),
        ('MODULATECOLOR_ADDALPHA', 'modulate_add', (t, ta, c), 1, 0x99cc99),
        ('MODULATEINVALPHA_ADDCOLOR', 'modulate_add', (c, t, not_ta), 1, 0x14ff14),
        ('MODULATEINVCOLOR_ADDALPHA', 'modulate_add', (c, ta, ('T0', '~c')), 1, 0xcc99cc),
        ('DOTPRODUCT3', 'dot3_rgb', (t, c), 1, 0x999999),
        ('MULTIPLYADD', 'modulate_add', (t, f, c), 1, 0xff3300),
        ('LERP', 'interpolate', (t, c, f), 1, 0x003333))
    for name, function, arguments, scale, want in rows:
        given = vector(state(unit(Half(function, arguments, scale))), [(0, 0xff, 0, 0x99)],
                       [(0x33, 0x33, 0x33, 0xdd)], (0xff, 0, 0, 0x55))
        agree('Wine', name, given, (want >> 16, want >> 8 & 255, want & 255), 1, 3)


# ---- ScummVM ----

REPLACE_ALPHA = {'T': Half('replace', (('T0', 'a'),), 1), 'F': Half('replace', (('F', 'a'),), 1)}


def pair(function):
    return unit(Half(function, (('T0', 'c'), ('F', 'c')), 1), Half(function, (('T0', 'a'), ('F', 'a')), 1))


def scummvm():
    """Components in the order in which the suite compares them; the fourth one is alpha whatever the suite
    calls it."""
    plain = unit(Half('replace', (('T0', 'c'),), 1), REPLACE_ALPHA['T'])
    rows = (
        ('Modulate', classic('modulate'), (255, 128, 0, 255), (255, 255, 255, 128), (255, 128, 0, 128), None),
        ('Replace', classic('replace'), (255, 128, 0, 255), (255, 255, 255, 128), (255, 128, 0, 255), None),
        ('Decal', classic('decal'), (200, 100, 0, 192), (100, 200, 255, 123), (175, 125, 67, 123),
         'blue is 255 * 63/255 + 0 = 63; TinyGL has 67'),
        ('Add', classic('add'), (25, 50, 150, 200), (50, 100, 150, 100), (75, 150, 255, 1),
         'alpha is 100/255 * 200/255, which is 78 steps; the suite shifts a sum to the right by 8'),
        ('CombineArgTexture', plain, (13, 37, 42, 24), (0, 0, 0, 0), (13, 37, 42, 24), None),
        ('CombineArgPrimaryColor', unit(Half('replace', (('F', 'c'),), 1), REPLACE_ALPHA['F']), (13, 37, 42, 24),
         (12, 34, 56, 78), (12, 34, 56, 78), None),
        ('CombineOpOneMinus', unit(Half('replace', (('T0', '~c'),), 1), Half('replace', (('T0', '~a'),), 1)),
         (13, 37, 42, 24), (0, 0, 0, 0), (242, 218, 213, 231), None),
        ('CombineOpSrcAlpha', unit(Half('replace', (('T0', 'a'),), 1), Half('replace', (('T0', '~a'),), 1)),
         (13, 37, 42, 24), (0, 0, 0, 0), (24, 24, 24, 231), None),
        ('CombineReplace', plain, (13, 37, 42, 24), (12, 34, 56, 78), (13, 37, 42, 24), None),
        ('CombineModulate', pair('modulate'), (255, 128, 0, 255), (255, 255, 255, 128), (255, 128, 0, 128), None),
        ('CombineAdd', pair('add'), (25, 50, 150, 200), (50, 100, 150, 100), (75, 150, 255, 255), None))
    for name, made, texel, primary, want, why in rows:
        agree('ScummVM', name, vector(state(made), [texel], [(0, 0, 0, 0)], primary), want, 1, why=why)


# ---- glean ----

COLORS = ((255, 0, 128, 128), (0, 128, 255, 0), (128, 255, 0, 255))     # some colours of glean's grid
# Colour and alpha by mode, as functions of fragment f, texel t and constant c.
FORMULAS = {
    'replace': (lambda f, t, c: t, lambda f, t, c: t),
    'modulate': (lambda f, t, c: f * t, lambda f, t, c: f * t),
    'blend': (lambda f, t, c: f * (1 - t) + c * t, lambda f, t, c: f * t),
    'add': (lambda f, t, c: min(1, f + t), lambda f, t, c: f * t),
}
GREY, WITHOUT_ALPHA = ('luminance', 'luminance_alpha', 'intensity'), ('rgb', 'luminance')


def glean_color(mode, fmt, texel, constant, fragment):
    f, t, c = ([x / 255 for x in four] for four in (fragment, texel, constant))
    t = [t[0]] * 3 + [t[0] if fmt == 'intensity' else t[3]] if fmt in GREY else t
    if mode == 'decal':
        a = 1 if fmt == 'rgb' else t[3]
        return [f[i] * (1 - a) + t[i] * a for i in range(3)] + [f[3]]
    color, alpha = FORMULAS[mode]
    if fmt == 'intensity' and mode in ('blend', 'add'):
        alpha = color
    rgb = f[:3] if fmt == 'alpha' else [color(*x) for x in zip(f[:3], t, c)]
    return [*rgb, f[3] if fmt in WITHOUT_ALPHA else alpha(f[3], t[3], c[3])]


def glean():
    modes = [(m, f) for m in FORMULAS for f in vector_states.FORMATS] + [('decal', 'rgb'), ('decal', 'rgba')]
    for (mode, fmt), (texel, constant, fragment) in itertools.product(modes, itertools.permutations(COLORS)):
        given = vector(state(classic(mode, fmt)), [texel], [constant], fragment)
        want = [int(x * 255 + .5) for x in glean_color(mode, fmt, texel, constant, fragment)]
        agree('glean', '%s %s' % (mode, fmt), given, want, 1)


# ---- piglit ----

def piglit():
    f, t0, t1, p = ('F', 'c'), ('T0', 'c'), ('T1', 'c'), ('P', 'c')
    black, grey, white, dark = ((x,) * 4 for x in (0, 0x7f, 0xff, 0x3f))
    rows = ((black, ('replace', f), grey, ('replace', t1)), (white, ('replace', f), grey, ('subtract', t0, t1)),
            (grey, ('replace', f), grey, ('replace', t0)), (grey, ('replace', f), black, ('subtract', t0, t1)),
            (white, ('add', t1, t1), grey, ('modulate', t1, p)),
            (white, ('add', t1, t1), dark, ('modulate', t0, p)))
    for number, (first, one, second, two) in enumerate(rows):
        units = [unit(Half(function, tuple(arguments), 1), None, n)
                 for n, (function, *arguments) in enumerate((one, two))]
        given = vector(state(*units), [first, second], [black, black], (230, 0, 0, 255))
        agree('piglit', 'crossbar %d' % number, given, (128, 128, 128), 2, 3)  # the suite's tolerance is 0.01


def main():
    for suite in (wine, scummvm, glean, piglit):
        suite()
    total = sum(cases for cases, _ in COUNT.values())
    checks.check(total >= 80, 'only %d cases' % total)
    checks.finish(', ' + ', '.join('%s %d (%d disagree)' % (name, *done) for name, done in COUNT.items()))


if __name__ == '__main__':
    main()
