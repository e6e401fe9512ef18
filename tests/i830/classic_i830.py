#!/usr/bin/env python3
"""Compares what the classic i830 driver made of a texture environment with what texenvc makes of it: the
table of fallbacks (notes/facts/i830.md 4).

The driver is modelled from these facts: one blend stage for each enabled unit; a unit with a setting that the
driver does not know passes CURRENT through, without an error; 3D textures are drawn by software. The oracle's
interpreter executes the driver's packets and compares the results with the texture environment on exact
inputs. Each state is then classified:

    right      the packets compute the texture environment
    wrong      they do not, in silence
    fallback   software draws it
    beyond     the driver's GL does not offer what the state uses: more than 4 units, depth textures, or
               reading the texture of a disabled unit

    classic_i830.py [--count N] [--self]     prints the table; exit 1 if texenvc computes a wrong result,
                                             refuses a state that the driver renders right, or needs more
                                             stages than the driver for it
"""
import argparse
import os
import sys
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.commands import compare, inputs, texenvc  # noqa: E402
from oracle.common.vectors import VectorSet  # noqa: E402
from oracle.hw import chips  # noqa: E402
from oracle.i830 import i830_eval  # noqa: E402
from oracle.texenv import random_states, stages_print, steep  # noqa: E402
from oracle.texenv.state import CLASSIC, DEFAULT_POLICY, Half  # noqa: E402
from oracle.texenv.texenv_eval import crossbar_rule, evaluate  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
UNITS = 4
OPS = {'replace': 0x1, 'modulate': 0x3, 'add': 0x6, 'add_signed': 0x7, 'interpolate': 0x8, 'subtract': 0xa,
       'dot3_rgb': 0xb, 'dot3_rgb_ext': 0xb,
       'dot3_rgba': 0xc, 'dot3_rgba_ext': 0xc}
SOURCES = {'F': 3, 'P': 5, 'C': 0xe, 'T0': 6, 'T1': 7, 'T2': 8, 'T3': 9}
LOG2 = {1: 0, 2: 1, 4: 2}
GLOBAL = 1  # source FACTOR: the factor shared by all stages, which the driver sets to 0x80808080 once
ONE_HALF = [0x7D010000, 0x80808080]


def of_classic(unit, number):
    """Returns a classic mode as COMBINE halves, from the table of notes/facts/texenv.md 3 (as core Mesa
    passes it to the driver)."""
    fmt = 'rgb' if unit.fmt in ('red', 'rg') else unit.fmt
    texture, mode = 'T%d' % number, unit.mode

    def half(letter, has, blends):
        t, p, c, keep = (texture, letter), ('P', letter), ('C', letter), Half('replace', (('P', letter),), 1)
        if mode == 'decal':
            if letter == 'a' or fmt not in ('rgb', 'rgba'):
                return keep
            return Half('replace', (t,), 1) if fmt == 'rgb' else Half('interpolate', (t, p, (texture, 'a')),
                1)
        if not has:
            return keep
        if mode == 'replace':
            return Half('replace', (t,), 1)
        if blends and mode == 'blend':
            return Half('interpolate', (c, p, t), 1)
        return Half('add' if blends and mode == 'add' else 'modulate', (p, t), 1)

    return half('c', fmt != 'alpha', True), half('a', fmt in ('alpha', 'luminance_alpha', 'intensity',
                                                              'rgba'), fmt == 'intensity')


def arguments(stage, alpha, args):
    """Returns the words of arguments; GL's arguments 0, 1, 2 are arguments 1, 2, 0 of the chip."""
    out = []
    for i, (source, operand) in enumerate(args):
        modifiers = (0x10 if operand[0] == '~' else 0) | (0x20 if operand[-1] == 'a' and not alpha else 0)
        out.append(0x6E000040 | stage << 20 | alpha << 18 | (i + 1) % 3 << 15 | modifiers
                   | (source if isinstance(source, int) else SOURCES[source]))
    return out


def operation(stage, alpha, op, scale):
    return 0x6D020100 | stage << 20 | alpha << 18 | (0 if alpha else 0x1000) | LOG2[scale] << 9 | op


def stage_words(stage, unit, number):
    """Returns (words, whether the driver knows all settings of the unit)."""
    rgb, alpha = of_classic(unit, number) if unit.mode in CLASSIC else (unit.rgb, unit.alpha)
    dot = rgb.func in ('dot3_rgba', 'dot3_rgba_ext')
    halves = [rgb] if dot else [rgb, alpha]
    if unit.mode == 'combine4' or any(h.func not in OPS or any(s not in SOURCES for s, _ in h.args)
                                      for h in halves):
        return [operation(stage, 0, 1, 1), operation(stage, 1, 1, 1)] + arguments(stage, 0,
            [('P', 'c')]) + arguments(stage, 1, [('P', 'a')]), False
    words = [operation(stage, 0, OPS[rgb.func], rgb.scale if not rgb.func.endswith('_ext') else 1)]
    if dot:  # a DOT4 in both pipes; that of the alpha pipe has no scale, and one half as its arguments
        words += [operation(stage, 1, 0xc, 1)] + arguments(stage, 0, rgb.args) + arguments(stage, 1,
            [(GLOBAL, 'a')] * 2)
    else:
        words += [operation(stage, 1, OPS[alpha.func], alpha.scale)] + arguments(stage, 0,
            rgb.args) + arguments(stage, 1, alpha.args)
    return words, True


def emit(state):
    """Returns the driver's packets as chips.Code, with 'silent' in its stats if a unit with unknown settings
    became a pass-through; or the class 'fallback' or 'beyond'."""
    enabled = [n for n, u in enumerate(state.units) if u is not None]
    for n in enabled:
        unit = state.units[n]
        sources = [] if unit.rgb is None else [s for h in (unit.rgb, unit.alpha) if h for s, _ in h.args]
        if n >= UNITS or unit.depth or unit.shadow or any(s[0] == 'T' and int(s[1:]) >= UNITS
                                                          for s in sources):
            return 'beyond'
        if unit.rgb is not None and crossbar_rule(state, unit, DEFAULT_POLICY):
            return 'beyond'
    if any(state.units[n].target == '3d' for n in enabled):
        return 'fallback'
    words, constants, silent = list(ONE_HALF), [], False
    last = 0
    for stage, n in enumerate(enabled):
        last = len(words)
        more, known = stage_words(stage, state.units[n], n)
        silent |= not known
        words += more
        if 0xe in [w & 15 for w in more if w >> 24 == 0x6E]:
            color = state.units[n].color
            bytes_ = [int(Fraction(c) * 255 + Fraction(1, 2)) for c in color]
            words += [0x7D900000 | stage << 16, bytes_[3] << 24 | bytes_[0] << 16 | bytes_[1] << 8
                      | bytes_[2]]
            constants.append(chips.Constant(stage, n, color, len(words) - 1))
    if not enabled:
        last = len(words)
        words += [0x6D021101, 0x6D060101, 0x6E008045, 0x6E048045]
    words[last] |= 0x80
    textures = tuple(chips.Texture(n, n, n, state.units[n].target) for n in enabled)
    return chips.Code('i830', tuple((None, w) for w in words), tuple(constants), textures, (), (),
                      {'stages': max(1, len(enabled)), 'dwords': len(words), 'silent': silent}, False)


class Judge:
    """Classifies states. Values are compared on random vectors, and, if the driver did not know a setting,
    also on vectors found by a search for differences."""

    def __init__(self, first=32, more=480):
        self.inputs = VectorSet(71, first), VectorSet(72, more)  # most wrong states fail on the first set

    def same(self, state, code, vectors):
        wanted = evaluate(state, vectors)
        got = i830_eval.evaluate(code, chips.Inputs(vectors, state), 'real', frozenset())
        return all(vectors.dom.first_difference(a, b) < 0 for a, b in zip(wanted, got))

    def classify(self, state):
        """Returns (class, number of stages)."""
        code = emit(state)
        if isinstance(code, str):
            return code, None
        for some_inputs in self.inputs:
            some_inputs.dom.trim()
        right = all(self.same(state, code, i) for i in self.inputs)
        if right and steep.chosen(state, 1):
            found = steep.search(lambda vectors: evaluate(state, vectors), steep.mark(state), 12, 3)
            right = found is None or self.same(state, code, found)
        return 'right' if right else 'wrong', code.stats['stages']


# ---- populations ----

def offered(state):
    """Returns whether the GL of that driver supports everything that the state uses."""
    return all(u is None or u.mode in CLASSIC or u.mode == 'combine' and all(
        h is None or h.func in (*OPS, 'dot') and all(s in SOURCES for s, _ in h.args)
        for h in (u.rgb, u.alpha)) for u in state.units)


def corpus(name):
    return [item.state for item in inputs.read_file(os.path.join(HERE, '..', 'corpus', name))]


def some(sequence, count, wanted=lambda state: True, skip=0):
    out, i = [], skip
    while len(out) < count and i < len(sequence):
        state = sequence[i]
        if wanted(state):
            out.append(state)
        i += 1
    return out


def populations(count, only='', seed=1, skip=0):
    """Returns (name, states) of the populations whose name begins with `only`; seed and skip are those of
    random states."""
    random = random_states.RandomStates
    plain = ('classic', 'combine', 'dot3', 'formats', 'crossbar', 'scales', 'constants', 'disabled')
    makers = [('corpus recorded', lambda: corpus('recorded.stages')), ('corpus public',
        lambda: corpus('public.stages')),
              ('random, 1 to 4 units', lambda: some(random(skip + count, seed, 4, colors='8bit',
                                                           texture_units=4), count, skip=skip))]
    for n in range(1, 5):
        makers.append(('full chains of %d' % n, lambda n=n: some(random_states.FullChains(count // 2, n, 1,
            '8bit'), count // 2)))
    makers.append(('what its GL has, 1 to 4', lambda: some(random(10 * count, 2, 4, plain, '8bit', 4), count,
                                                           offered)))
    makers.append(('what its GL has, chains of 4', lambda: some(random_states.FullChains(200 * count, 4, 3,
        '8bit'), count // 4, offered)))
    return ((name, make()) for name, make in makers if name.startswith(only))


def ours(states, level, words=()):
    """Returns what texenvc makes of each state, as JSON objects."""
    text = '\n'.join(map(stages_print.state_text, states)) + '\n'
    _, out, _ = texenvc.convert(['-'], ['--from', 'stages', '--to', 'i830', '--i830', level, '--format',
                                        'json', '-q', *words], stdin=text)
    blocks = list(chips.blocks(out))
    if len(blocks) != len(states):
        raise SystemExit('texenvc gives %d states of %d' % (len(blocks), len(states)))
    return blocks


LEVELS = ('documented', 'full')
CLASSES = ('right', 'wrong', 'fallback', 'beyond')


def row(name, states, judge, comparer, problems):
    classes = [judge.classify(s) for s in states]
    cells = ['%-30s %6d' % (name, len(states))] + ['%6d' % sum(c == k for c, _ in classes) for k in CLASSES]
    rights = [n for n, (c, _) in enumerate(classes) if c == 'right']
    means = ['%6.3f' % (sum(classes[n][1] for n in rights) / len(rights)) if rights else '     -']
    for level in LEVELS:
        fits, total, mean = 0, 0, 0
        for n, block in enumerate(ours(states, level)):
            text = stages_print.state_text(states[n])
            if block.refused is not None:
                if classes[n][0] == 'right':
                    problems.append('%s refuses what the driver renders right: %s (%s)'
                                    % (level, text, block.refused))
                continue
            difference = comparer.compare_program(states[n], block.text)
            if difference is not None:
                problems.append('%s: %s: %s' % (level, difference.message, text))
            fits += 1
            stages = chips.parse(block.text).stats.get('stages', 99)
            total += stages
            if classes[n][0] == 'right':
                mean += stages
                if stages > classes[n][1]:
                    problems.append('%s needs %d stages, the driver %d: %s' % (level, stages, classes[n][1],
                        text))
        cells += ['%6d %6d' % (fits, len(states) - fits)]
        means.append('%6.3f' % (mean / len(rights)) if rights else '     -')
        means.append('%6.3f' % (total / fits) if fits else '     -')
    return '  '.join(cells), '  '.join(['%-30s %6d' % (name, len(rights)), *means])


def table(count, only, seed, skip):
    judge = Judge()
    problems, second = [], []
    comparer = compare.Comparer(compare.DEFAULT_OPTIONS._replace(to='i830'), 16, 5, 16)
    print('%-30s %6s  %s  %s' % ('', 'states', 'the driver renders' + ' ' * 12, 'texenvc documented, full'))
    print('%-30s %6s  %s  %s' % ('', '', '  '.join('%6s' % k[:6] for k in CLASSES),
                                 '  '.join(['  fits refuse'] * 2)))
    for name, states in populations(count, only, seed, skip):
        first, last = row(name, states, judge, comparer, problems)
        print(first, flush=True)
        second.append(last)
    print('\nmean stages of the states that\nthe driver renders right%6s %6s  driver  docum.   (all)    full '
          '  (all)' % ('', 'states'))
    print('\n'.join(second))
    for problem in problems[:40]:
        print(problem)
    print('%d problems' % len(problems))
    return 1 if problems else 0


# ---- the model against hand-written packets ----

GOLDEN = [  # notes/facts/i830.md 4, and known peculiarities of the driver
    ('{}', '6D021181 6D060101 6E008045 6E048045'),
    ('{T*P}', '6D021183 6D060103 6E008046 6E010045 6E048046 6E050045'),
    ('{T}', '6D021181 6D060101 6E008046 6E048046'),
    ('{lerp(T,P,C.a); T} C0=(1,0,0.2,0.4)', '6D021188 6D060101 6E008046 6E010045 6E00006E 6E048046 7D900000 '
                                            '66FF0033'),
    ('{dot3a(T,P)}', '6D02118C 6D06010C 6E008046 6E010045 6E048041 6E050041'),
    # the alpha operation has no scale
    ('{dot3a(T,P)}*2', '6D02138C 6D06010C 6E008046 6E010045 6E048041 6E050041'),
    ('{T*P+P*F}', '6D021181 6D060101 6E008045 6E048045'),                                       # COMBINE4
    # unit 1 alone takes stage 0, which reads TEXEL1
    ('{} {T1}', '6D021181 6D060101 6E008047 6E048047'),
    # the driver does not know literals: the second unit passes its input through
    ('{T*P} {1-P}', '6D021103 6D060103 6E008046 6E010045 6E048046 6E050045 6D121181 6D160101 6E108045 '
                    '6E148045'),
]
VERDICTS = [    # state, class, stages
    ('{T*P}', 'right', 1), ('{modulate}', 'right', 1), ('{decal}', 'right', 1),
    ('{blend @intensity} C0=(1,0,0.2,0.4)', 'right', 1), ('{add @alpha}', 'right', 1),
    ('{add @luminance_alpha}', 'right', 1), ('{decal @rgb}', 'right', 1), ('{replace @luminance}', 'right',
        1), ('{dot3a(T,P)}*2', 'right', 1),
    ('{dot3a(T,P)}*2;4', 'wrong', 1), ('{T*P+F}', 'wrong', 1), ('{1-T}', 'wrong', 1),
    ('{T*P+1*0}', 'wrong', 1), ('{T @3d}', 'fallback', None),
    ('{} {} {} {} {T4}', 'beyond', None), ('{T1} {}', 'beyond', None), ('{T1}', 'right', 2),
    ('{T0} {} {T1*T3+P} {T3}', 'beyond', None),
    # at T2.a = 1, F.a = 0.9 the state's alpha is 0 and the driver's 0.4; few other inputs show a difference
    ('{~C; P*P-~P}*2 {~T1*C+~F.a*~0.a; F*P+0*P-0.5}*1;4 {lerp(~T1,C,~C); ~T2+~P}*4 '
     'C0=(0.53333336,0.14117648,0.3882353,0.42745098) C1=(0.89411765,0.6509804,0.30588236,0.7294118) '
     'C2=(0.011764706,0.047058824,0.23921569,0.4392157)', 'wrong', 3),
    ('{T*P+F} {T}', 'right', 2), ('{lerp(T,P,C.a)}*2;4 {~T+P.a-0.5} {P-T0}*4', 'right', 3),
]


def self_test():
    from oracle.texenv.stages import read
    failed = 0
    for text, wanted in GOLDEN:
        (state, _), = read(text)
        got = ' '.join('%08X' % w for _, w in emit(state).words[2:])
        if got != wanted:
            failed += 1
            print('%s: %s instead of %s' % (text, got, wanted))
    judge = Judge()
    for text, *wanted in VERDICTS:
        try:
            (state, _), = read(text)
        except Exception as e:
            print(text, e)
            failed += 1
            continue
        got = judge.classify(state)
        if got != tuple(wanted):
            failed += 1
            print('%s: %s instead of %s' % (text, got, tuple(wanted)))
    # the driver renders every classic mode correctly
    for fmt in ('alpha', 'luminance', 'luminance_alpha', 'intensity', 'rgb', 'rgba'):
        for mode in CLASSIC:
            (state, _), = read('{%s @%s} C0=(1,0,0.2,0.4)' % (mode, fmt))
            failed += judge.classify(state) != ('right', 1)
    print('classic_i830: %d checks, %d failed' % (len(GOLDEN) + len(VERDICTS) + 30, failed))
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--count', type=int, default=2000, metavar='N', help='random states (default 2000)')
    parser.add_argument('--only', default='', metavar='NAME', help='only populations whose name begins so')
    parser.add_argument('--seed', type=int, default=1, metavar='S',
                        help='of "random, 1 to 4 units" (default 1)')
    parser.add_argument('--skip', type=int, default=0, metavar='N', help='of the same: pass over the first N')
    parser.add_argument('--self', action='store_true', help='only test the model of the driver itself')
    args = parser.parse_args()
    return self_test() if args.self else table(args.count, args.only, args.seed, args.skip)


if __name__ == '__main__':
    sys.exit(main())
