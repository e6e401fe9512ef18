#!/usr/bin/env python3
"""Compares the length of texenvc's r300, r400 and r500 programs with a model of a current driver's compiler
(plain_r300.py), with measured lengths of such a driver, and with the optimum.

    length_r300.py table [--target r300]                 prints pairs, temporaries, constants and nodes of
                                                         texenvc and of the model for each population; status
                                                         1 if any state has more pairs than in the model
    length_r300.py driver [--target r300]                compares with a current driver's measured pairs
                                                         (driver_pairs.txt): status 1 if any state has more,
                                                         or if the sum is not 30 % less
    length_r300.py least [--target r300]                 compiles states whose least number of pairs is known
                                                         (least_pairs.stages): status 1 if any takes more
                                                         pairs than that file allows: the least number or, if
                                                         the file has one, the number that it calls "found"
    length_r300.py optimum SEARCH [--stride N] [...]     runs SEARCH (pair_search/search.c), which looks for
                                                         programs of one and two pairs, on every N-th state of
                                                         one unit: status 1 if it cannot decide, or if it
                                                         finds a shorter program for more than 5 % of the
                                                         states
    length_r300.py known SEARCH                          tests SEARCH itself, on states whose least number of
                                                         pairs is known

TEXENVC names the program."""
import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from itertools import combinations_with_replacement, product

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
import plain_r300                                                                               # noqa: E402
from oracle.commands import inputs  # noqa: E402
from oracle.texenv import random_states, stages_print, state_sets  # noqa: E402
from oracle.texenv.state import CLASSIC, DEFAULT_POLICY, DOTS, Half  # noqa: E402

TEXENVC = os.environ.get('TEXENVC', os.path.join(HERE, '..', '..', 'build', 'texenvc'))
FIGURES = ('pairs', 'temporaries', 'constants', 'nodes')
CHUNK = 500


def convert(states, target, options=()):
    """Yields (state, statistics or the reason of a refusal) for each state."""
    states = list(states)
    for at in range(0, len(states), CHUNK):
        chunk = states[at:at + CHUNK]
        text = '\n'.join(map(stages_print.state_text, chunk)) + '\n'
        done = subprocess.run([TEXENVC, 'convert', '--from', 'stages', '--to', target, '--format', 'json',
                               *options, '-'], input=text,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode not in (0, 3):
            sys.exit('texenvc ended with status %d: %s' % (done.returncode, done.stderr[-500:]))
        answers = json.loads(done.stdout)
        if len(answers) != len(chunk):
            sys.exit('texenvc gives %d of %d states' % (len(answers), len(chunk)))
        for state, answer in zip(chunk, answers):
            yield state, answer['stats'] if answer['fits'] else answer['reason']


def corpus(name):
    return [item.state for item in inputs.read_file(os.path.join(HERE, '..', 'corpus', name))]


def populations(scale=1):
    yield 'corpus recorded', corpus('recorded.stages')
    yield 'corpus public', corpus('public.stages')
    yield 'random, 1 to 8 units', random_states.RandomStates(600 * scale, 1, 8)
    one = state_sets.SETS['one-unit']()
    yield 'one unit, every %d' % (149 // scale), [one[i] for i in range(0, len(one), 149 // scale)]
    yield 'two units', state_sets.two_unit()[::max(1, 5 // scale)]
    for n in (1, 2, 3, 4, 6, 8):
        yield 'full chains of %d' % n, random_states.FullChains(50 * scale, n)


def row(name, states, target, options, longer):
    model, ours, refused, worse = Counter(), Counter(), 0, 0
    for state, stats in convert(states, target, options):
        want = plain_r300.cost(state, DEFAULT_POLICY, target)
        if isinstance(stats, str):
            refused += 1
            continue
        model.update(want._asdict())
        ours.update({k: stats[k] for k in FIGURES if k in stats})
        if stats['pairs'] > want.pairs:
            worse += 1
            longer.append('%s: %d pairs, the model %d: %s' % (name, stats['pairs'], want.pairs,
                                                              stages_print.state_text(state).strip()))
    less = 100 * (1 - ours['pairs'] / model['pairs']) if model['pairs'] else 0
    cells = ['%-24s %6d %5d' % (name, len(states), refused)] + ['%7d %7d' % (model[k], ours[k])
                                                                for k in FIGURES]
    print('  '.join(cells) + '  %6d  %5.1f %%' % (worse, less), flush=True)
    return model, ours


def table(args):
    longer, model, ours = [], Counter(), Counter()
    print('%-24s states  ref.  %s  longer  pairs' % (args.target, '  '.join('%-15s' % ('   %s' % k)
        for k in FIGURES)))
    print(' ' * 38 + '  '.join('  model    ours' for _ in FIGURES) + '          saved')
    for name, states in populations(args.scale):
        m, o = row(name, states, args.target, args.passed, longer)
        model += m
        ours += o
    saved = 100 * (1 - ours['pairs'] / model['pairs'])
    print('sum: %d pairs, the model %d: %.1f %% fewer; %d states longer' % (ours['pairs'], model['pairs'],
        saved, len(longer)))
    for line in longer[:20]:
        print(line)
    return 1 if longer or saved < args.saved else 0


# ---- measured lengths of a real driver ----

# States of three pairs, derived by hand. In the alpha half, the first pair computes T - 1/2 beside the first
# product, the second pair adds (1-a)*b to it, and the third pair computes the last unit.
BY_HAND = ('3 3 {blend} {1*~P+~T1.a; ~C*P+T1-0.5}*1;4 {C-F; lerp(0,P,P)}\n',
           '3 3 {~F.a*~1.a+1*~T0; P*P+0*T2 @alpha} {C*~P.a+C.a*P; T3*T2+~F*P-0.5 @alpha}*4;2 {modulate} '
           '{replace @rgb}\n')


def driver(args):
    column, texts, want = args.target == 'r500', [], []
    with open(os.path.join(HERE, 'driver_pairs.txt')) as f:
        for line in (*f, *BY_HAND):
            if line[0] != '#':
                *pairs, text = line.split(' ', 2)
                want.append(int(pairs[column]))
                texts.append(text)
    states = [item.state for item in inputs.read_text(''.join(texts), 'stages')]
    longer, ours = [], 0
    for (state, stats), most in zip(convert(states, args.target, args.passed), want):
        pairs = most + 1 if isinstance(stats, str) else stats['pairs']
        ours += pairs
        if pairs > most:
            longer.append('%s, the driver %d: %s' % (pairs if not isinstance(stats, str) else stats, most,
                                                     stages_print.state_text(state).strip()))
    saved = 100 * (1 - ours / sum(want))
    print('%s: %d states: %d pairs, the driver %d: %.1f %% fewer; %d states longer'
          % (args.target, len(want), ours, sum(want), saved, len(longer)))
    for line in longer[:20]:
        print(line)
    return 1 if longer or saved < args.saved else 0


# ---- states whose least number of pairs is known ----

def least_pairs(target):
    """Returns the states of least_pairs.stages, their least number of pairs, and the number that texenvc
    finds."""
    with open(os.path.join(HERE, 'least_pairs.stages')) as f:
        lines = [line for line in f if line[0] != '#']
    figures = [[int(part.split()[target == 'r500']) for part in line.split('#')[1].split(', found ')]
               for line in lines]
    states = [item.state for item in inputs.read_text(''.join(lines), 'stages')]
    return states, [f[0] for f in figures], [f[-1] for f in figures]


def least(args):
    states, _, want = least_pairs(args.target)
    other = ['%s, not %d: %s' % (stats if isinstance(stats, str) else stats['pairs'], pairs,
                                 stages_print.state_text(state).strip())
             for (state, stats), pairs in zip(convert(states, args.target, args.passed), want)
             if isinstance(stats, str) or stats['pairs'] > pairs]
    print('%s: %d states; %d take more than written' % (args.target, len(want), len(other)))
    for line in other:
        print(line)
    return 1 if other else 0


# ---- one-unit states against the exhaustive search ----

class OneCombine4:
    """All states of one unit with COMBINE4: sums of two products, with both functions and all scales. The
    factors are T0, C and F, each with its four operands (in the alpha half two), 0 and 1. Each colour half is
    combined with one alpha half, going through the alpha halves by STRIDE."""
    STRIDE = 7919  # coprime to the number of alpha halves

    def __init__(self):
        self.rgb, self.alpha = (self.halves(ops) for ops in (state_sets.RGB_OPS, state_sets.ALPHA_OPS))

    @staticmethod
    def halves(ops):
        args = [*product(('T0', 'C', 'F'), ops), *product('0', ops[-2:])]
        sums = combinations_with_replacement(combinations_with_replacement(args, 2), 2)
        return [Half(func, (*p, *q), scale) for p, q in sums for func in ('add', 'add_signed')
                for scale in state_sets.SCALES]

    def __len__(self):
        return len(self.rgb)

    def __getitem__(self, i):
        alpha = self.alpha[i * self.STRIDE % len(self.alpha)]
        return state_sets.state(state_sets.unit(self.rgb[i], alpha, 'combine4', color=state_sets.COLORS[i
            % 4]))


def one_classic():
    """Returns states of one unit: every classic mode with every kind of texture."""
    looks = [dict(zip(('fmt', 'depth', 'shadow', 'target'), kind)) for kind in state_sets.texture_kinds()
             if not kind[2]]
    return [state_sets.state(state_sets.classic(mode, **look)) for look in looks for mode in CLASSIC]


SETS = {'one-unit': state_sets.SETS['one-unit'], 'combine4': OneCombine4, 'classic': one_classic}


def searched(unit):
    """Returns the halves of a unit in the notation of the search: PREVIOUS of the first unit is the primary
    colour, and a literal has a single operand."""
    def text(half, name):
        args = []
        for source, op in half.args:
            source = 'F' if source == 'P' else source
            if source in '01':
                source, op = str(int(source) ^ (op[0] == '~')), op[op[0] == '~':]
            args.append('%s:%s' % (source, op))
        return ' '.join((name, *args, str(half.scale)))

    rgb, alpha = unit.rgb, unit.alpha
    if rgb.func in DOTS:
        name = 'dot3_rgb_ext' if rgb.func.endswith('_ext') else 'dot3_rgb'
        rgb_text = text(rgb, name)
        if rgb.func.startswith('dot3_rgba'):
            return '%s ; %s' % (rgb_text, text(rgb._replace(scale=rgb.scale if alpha is None
                                                            else alpha.scale), name))
    else:
        rgb_text = text(rgb, 'combine4_' + rgb.func if unit.mode == 'combine4' else rgb.func)
    return '%s ; %s' % (rgb_text, text(alpha, 'combine4_' + alpha.func if unit.mode == 'combine4'
                                       else alpha.func))


def judged(args, states):
    """Asks the search about states of more than one pair: [(state, number of pairs)]. Returns [(state, its
    text with the number of pairs, the answer)]."""
    words = [word for word in ('dot-copy',) if word in args.assume] + args.word
    # without the assumption, both words must have the same presubtraction, as it is unknown which one applies
    if args.target != 'r500' and 'presub-part' not in args.assume:
        words.append('same')
    if not states:
        return []
    lines = ''.join('%d %s\n' % (pairs, searched(state.units[0])) for state, pairs in states)
    done = subprocess.run([args.search, *words], input=lines, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)
    answers = done.stdout.splitlines()
    if done.returncode or len(answers) != len(states):
        sys.exit('the search ended with status %d after %d of %d states: %s' % (done.returncode, len(answers),
            len(states), done.stderr))
    print(done.stderr.strip())
    return [(state, '%d pairs: %s' % (pairs, stages_print.state_text(state).strip()), answer)
            for (state, pairs), answer in zip(states, answers)]


def optimum(args):
    args.passed += [word for name in args.assume for word in ('--assume', name)]
    full = SETS[args.set]()
    states = [full[i] for i in range(args.start, len(full), args.stride)]
    count, refused, more = Counter(), [], []
    for state, stats in convert(states, args.target, args.passed):
        if isinstance(stats, str):
            refused.append('refused: %s: %s' % (stats, stages_print.state_text(state).strip()))
            continue
        count[stats['pairs']] += 1
        if stats['pairs'] < args.pretend if args.pretend else stats['pairs'] > 1:
            more.append((state, args.pretend or stats['pairs']))
    said = judged(args, more)
    if args.pretend:
        lines = ['not found with less: %s    %s' % (text, answer) for _, text, answer in said
                 if answer.split()[0] != 'less']
        print('%s: %s: %d states of fewer than %d pairs, for which as much is found: %d'
              % (args.target, args.set, len(said), args.pretend, len(said) - len(lines)))
    else:
        verdicts = Counter(answer.split()[0] for _, _, answer in said)
        bad = ('open', 'less') if 100 * verdicts['less'] > args.longer * len(states) else ('open',)
        lines = ['%s    %s' % (text, answer) for _, text, answer in said if answer.split()[0] in bad] + refused
        print('%s: %s: %d states; pairs and states: %s' % (args.target, args.set, len(states),
                                                           '  '.join('%d: %d' % kv
                                                                     for kv in sorted(count.items()))))
        print('as short as possible: %d of one pair, %d by search; %d for which the search finds less, %d '
              'not known, %d refused' % (
            count[1], verdicts['none'], verdicts['less'], verdicts['open'], len(refused)))
    for line in lines[:args.show]:
        print(line)
    return 1 if lines or not states else 0


# Options of the search, a state in its notation, and the expected answer; derived by hand from the facts
# about the chip.
KNOWN = (
    ((), '2 interpolate T0:c F:c C:c 1 ; replace F:a 1', 'less'),               # b + c*(a - b)
    (('plain',), '2 interpolate T0:c F:c C:c 1 ; replace F:a 1', 'none'),
    (('plain',), '3 interpolate T0:c F:c C:c 1 ; replace F:a 1', 'less'),       # -b*c + b, + a*c
    # one pair would need two different alpha presubtractions
    ((), '2 interpolate T0:a C:a F:c 1 ; interpolate T0:a F:a C:a 1', 'none'),
    ((), '3 interpolate T0:a C:a F:c 1 ; interpolate T0:a F:a C:a 1', 'less'),
    # DP3 of 1 - 2x and 1 - 2y: one pair has only one presubtraction for both
    ((), '2 dot3_rgb T0:c F:c 1 ; replace F:a 1', 'none'),
    ((), '3 dot3_rgb T0:c F:c 1 ; replace F:a 1', 'less'),
    (('plain',), '3 dot3_rgb T0:c F:c 1 ; replace F:a 1', 'none'),
    # possible, since the alpha half copies the dot product
    ((), '2 dot3_rgb T0:c 1:c 1 ; dot3_rgb T0:c 1:c 1', 'less'),
    # the first pair's alpha half computes a sum of two channels
    ((), '3 dot3_rgb T0:c F:c 4 ; dot3_rgb T0:c F:c 2', 'less'),
    ((), '2 combine4_add T0:c F:c C:c T0:a 1 ; replace F:a 1', 'none'),         # two products
    ((), '3 combine4_add T0:c F:c C:c T0:a 1 ; combine4_add T0:a F:a C:a C:a 1', 'less'),
    ((), '2 add_signed T0:a T0:~a 1 ; replace F:a 1', 'less'),                  # the constant 1/2
    # the presubtraction x + x takes two of the three alpha addresses
    ((), '2 combine4_add T0:~c T0:a T0:a F:~c 4 ; combine4_add_signed C:a F:~a C:~a 1:a 2', 'none'),
    # here one alpha address is left for C
    ((), '2 combine4_add T0:~c T0:a T0:a F:~c 4 ; replace C:a 2', 'less'),
    # one half reads both values of the first pair, the other half one of them
    ((), '3 combine4_add C:c C:~c C:~a F:~a 4 ; combine4_add T0:~a T0:~a C:~a F:~a 2', 'less'),
    ((), '3 combine4_add T0:c T0:c T0:~a T0:a 2 ; combine4_add T0:~a F:~a C:~a F:~a 4', 'less'),
)


def known(args):
    wrong = 0
    for words, line, want in KNOWN:
        done = subprocess.run([args.search, 'narrow', *words], input=line + '\n', stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
        if done.returncode or done.stdout.split()[:1] != [want]:
            print('%s %s: %s, not %s %s' % (' '.join(words), line, done.stdout.strip(), want, done.stderr))
            wrong += 1
    for line in ('2 replace T0:c 1', 'x', '2 replace T9:c 1 ; replace F:a 1',
                 '2 modulate T0:c 1 ; replace F:a 1', '2 replace T0:c 0 ; replace F:a 1'):
        if not subprocess.run([args.search, 'plain', 'narrow'], input=line + '\n', stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True).returncode:
            print('taken for a state: ' + line)
            wrong += 1
    print('pair_search: %d known answers, %d wrong' % (len(KNOWN), wrong))
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest='command', required=True)
    t, d, l, o, k = (commands.add_parser(name) for name in ('table', 'driver', 'least', 'optimum', 'known'))
    for p in (t, d, l, o):
        p.add_argument('--target', default='r300', choices=('r300', 'r400', 'r500'))
        p.add_argument('--pass', dest='passed', action='append', default=[],
                       help='a further word for texenvc')
    t.add_argument('--scale', type=int, default=1, choices=range(1, 100), metavar='N',
                   help='size of the populations')
    for p in (t, d):
        p.add_argument('--saved', type=float, default=30, help='least percentage of pairs saved in sum')
    for p in (o, k):
        p.add_argument('search', metavar='SEARCH')
    o.add_argument('--set', default='one-unit', choices=SETS)
    o.add_argument('--stride', type=int, default=1)
    o.add_argument('--start', type=int, default=0)
    o.add_argument('--show', type=int, default=10)
    o.add_argument('--longer', type=float, default=5, metavar='PERCENT')
    o.add_argument('--pretend', type=int, default=0, metavar='PAIRS',
                   help='judge as if every state took so many: what takes less must be found')
    o.add_argument('--word', action='append', default=[], help='a further word for the search')
    o.add_argument('--assume', action='append', default=[], choices=('presub-part', 'dot-copy'))
    args = parser.parse_args()
    return {'table': table, 'driver': driver, 'least': least, 'optimum': optimum,
            'known': known}[args.command](args)


if __name__ == '__main__':
    sys.exit(main())
