#!/usr/bin/env python3
"""How long programs of r300, r400 and r500 are: against a model of a current driver's compiler (plain_r300.py), against what such a driver was seen to need, and against what
is possible at all.

    length_r300.py table [--target r300]                 per population: pairs, temporaries, constants, nodes of the model and ours; status 1 if any
                                                         state has more pairs than the model's
    length_r300.py driver [--target r300]                a current driver's measured pairs (driver_pairs.txt): status 1 if any state has more, or the
                                                         sum is not 30 % less
    length_r300.py least [--target r300]                 states of which the least number of pairs is known (least_pairs.stages): status 1 if any has more
    length_r300.py optimum SEARCH [--stride N] [...]     every N-th one-unit state against the lower bound that SEARCH (pair_search.c) finds; status 1 if
                                                         a state takes two pairs that one could do, or three

TEXENVC names the program. A lower bound of 2 means that no single pair computes the state over the search's alphabet; two pairs are known to do for
every one-unit state."""
import argparse
import json
import os
import subprocess
import sys
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]
import plain_r300                                                                               # noqa: E402
from oracle import inputs, random_states, stages_print, state_sets                              # noqa: E402
from oracle.state import DEFAULT_POLICY, DOTS                                                   # noqa: E402

TEXENVC = os.environ.get('TEXENVC', os.path.join(os.path.dirname(HERE), 'build', 'texenvc'))
FIGURES = ('pairs', 'temporaries', 'constants', 'nodes')
CHUNK = 500


def convert(states, target, options=()):
    """Yield (state, stats or the reason of a refusal)."""
    states = list(states)
    for at in range(0, len(states), CHUNK):
        chunk = states[at:at + CHUNK]
        text = '\n'.join(map(stages_print.state_text, chunk)) + '\n'
        done = subprocess.run([TEXENVC, 'convert', '--from', 'stages', '--to', target, '--format', 'json', *options, '-'], input=text,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode not in (0, 3):
            sys.exit('texenvc ended with status %d: %s' % (done.returncode, done.stderr[-500:]))
        answers = json.loads(done.stdout)
        if len(answers) != len(chunk):
            sys.exit('texenvc gives %d of %d states' % (len(answers), len(chunk)))
        for state, answer in zip(chunk, answers):
            yield state, answer['stats'] if answer['fits'] else answer['reason']


def corpus(name):
    return [item.state for item in inputs.read_file(os.path.join(HERE, 'corpus', name))]


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
            longer.append('%s: %d pairs, the model %d: %s' % (name, stats['pairs'], want.pairs, stages_print.state_text(state).strip()))
    less = 100 * (1 - ours['pairs'] / model['pairs']) if model['pairs'] else 0
    cells = ['%-24s %6d %5d' % (name, len(states), refused)] + ['%7d %7d' % (model[k], ours[k]) for k in FIGURES]
    print('  '.join(cells) + '  %6d  %5.1f %%' % (worse, less), flush=True)
    return model, ours


def table(args):
    longer, model, ours = [], Counter(), Counter()
    print('%-24s states  ref.  %s  longer  pairs' % (args.target, '  '.join('%-15s' % ('   %s' % k) for k in FIGURES)))
    print(' ' * 38 + '  '.join('  model    ours' for _ in FIGURES) + '          saved')
    for name, states in populations(args.scale):
        m, o = row(name, states, args.target, args.passed, longer)
        model += m
        ours += o
    saved = 100 * (1 - ours['pairs'] / model['pairs'])
    print('sum: %d pairs, the model %d: %.1f %% fewer; %d states longer' % (ours['pairs'], model['pairs'], saved, len(longer)))
    for line in longer[:20]:
        print(line)
    return 1 if longer or saved < args.saved else 0


# ---- a real driver's counts ----

# Two units in the alpha half whose sum is not a chain: T - 1/2 can be had beside the first product, then (1-a)*b + that, then the last unit: three pairs by hand.
BY_HAND = ('3 3 {blend} {1*~P+~T1.a; ~C*P+T1-0.5}*1;4 {C-F; lerp(0,P,P)}\n',
           '3 3 {~F.a*~1.a+1*~T0; P*P+0*T2 @alpha} {C*~P.a+C.a*P; T3*T2+~F*P-0.5 @alpha}*4;2 {modulate} {replace @rgb}\n')


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
            longer.append('%s, the driver %d: %s' % (pairs if not isinstance(stats, str) else stats, most, stages_print.state_text(state).strip()))
    saved = 100 * (1 - ours / sum(want))
    print('%s: %d states: %d pairs, the driver %d: %.1f %% fewer; %d states longer' % (args.target, len(want), ours, sum(want), saved, len(longer)))
    for line in longer[:20]:
        print(line)
    return 1 if longer or saved < args.saved else 0


# ---- states whose least number of pairs is known ----

def least(args):
    with open(os.path.join(HERE, 'least_pairs.stages')) as f:
        lines = [line for line in f if line[0] != '#']
    want = [int(line.split('#')[1].split()[args.target == 'r500']) for line in lines]
    states = [item.state for item in inputs.read_text(''.join(lines), 'stages')]
    other = ['%s, can be %d: %s' % (stats if isinstance(stats, str) else stats['pairs'], pairs, stages_print.state_text(state).strip())
             for (state, stats), pairs in zip(convert(states, args.target, args.passed), want) if isinstance(stats, str) or stats['pairs'] != pairs]
    print('%s: %d states; %d not as short as they can be' % (args.target, len(want), len(other)))
    for line in other:
        print(line)
    return 1 if other else 0


# ---- one-unit states against the exhaustive search ----

class Bounds:
    """What the search printed: whether a half, or two together, fit into one pair."""

    def __init__(self, search, *words, dot_copy=False):
        self.dot_copy = dot_copy                # assumed: before
        self.of = {}
        self.functions = [0, 0]
        for half in ('rgb', 'alpha'):
            ports = {}
            done = subprocess.run([search, half, *words], stdout=subprocess.PIPE, text=True, check=True)
            for line in done.stdout.splitlines():
                kind, *words = line.split()
                if kind == 'function':
                    ports[words[0]] = int(words[1], 16), words[2], words[3] == 'dot'
                else:
                    self.of[(half, *words[:-1])] = ports[words[-1]]
            print('%s: %d distinct functions, of which one pair computes %d' % (half, len(ports), sum(v[0] != 0 for v in ports.values())), flush=True)

    @staticmethod
    def key(name, half):
        """As the search writes a half: PREVIOUS of the first unit is the primary colour, and literals have one operand."""
        out = [name, half.func]
        for source, op in half.args:
            source = 'F' if source == 'P' else source
            if source in '01':
                source = str(int(source) ^ (op[0] == '~'))
                op = 'c' if name == 'rgb' else 'a'
            out.append('%s:%s' % (source, op))
        return tuple(out + [str(half.scale)])

    def least(self, unit):
        """Lower bound of the pairs of a one-unit COMBINE state, and single pairs for its halves."""
        rgb, alpha = unit.rgb, unit.alpha
        if rgb.func in DOTS:
            plain = rgb._replace(func='dot3_rgb_ext' if rgb.func.endswith('_ext') else 'dot3_rgb')
            ports, pair, dot = self.of[self.key('rgb', plain)]
            if rgb.func.startswith('dot3_rgba'):        # the alpha half takes the dot over, before or after the colour half's output modifier
                equal = alpha is None or alpha.scale == rgb.scale
                return (1 if ports and (self.dot_copy or dot and equal) else 2), pair
        else:
            ports, pair, _ = self.of[self.key('rgb', rgb)]
        alpha_ports, alpha_pair, _ = self.of[self.key('alpha', alpha)]
        return (1 if ports & alpha_ports else 2), '%s; %s' % (pair, alpha_pair)


def optimum(args):
    any_op = args.target == 'r500' or 'presub-part' in args.assume      # r300: which word's presubtraction counts is not known
    bounds = Bounds(args.search, *([] if any_op else ['same']), dot_copy='dot-copy' in args.assume)
    args.passed += [word for name in args.assume for word in ('--assume', name)]
    one = state_sets.SETS['one-unit']()
    states = [one[i] for i in range(args.start, len(one), args.stride)]
    count, missed, longer, below = Counter(), [], [], []
    for state, stats in convert(states, args.target, args.passed):
        if isinstance(stats, str):
            missed.append('refused: %s: %s' % (stats, stages_print.state_text(state).strip()))
            continue
        (least, single), pairs = bounds.least(state.units[0]), stats['pairs']
        count[least, pairs] += 1
        text = '%d pairs: %s' % (pairs, stages_print.state_text(state).strip())
        if pairs < least:
            below.append(text)
        if least == 1 and pairs > 1:
            missed.append('%s    halves: %s' % (text, single))
        elif pairs > 2:
            longer.append(text)
    print('one-unit states: %d; least pairs and ours: %s' % (len(states), '  '.join('%d/%d: %d' % (*k, n) for k, n in sorted(count.items()))))
    reached = sum(n for (least, pairs), n in count.items() if least >= pairs)
    print('%.2f %% are as short as can be; %d of these are shorter than the search knows, by constants beyond its alphabet' % (
        100 * reached / max(1, len(states)), len(below)))
    print('%d that one pair could do; %d of three pairs or more' % (len(missed), len(longer)))
    for line in missed[:args.show] + longer[:args.show] + below[:args.show // 4]:
        print(line)
    return 1 if missed or longer else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest='command', required=True)
    t, d, l, o = (commands.add_parser(name) for name in ('table', 'driver', 'least', 'optimum'))
    for p in (t, d, l, o):
        p.add_argument('--target', default='r300', choices=('r300', 'r400', 'r500'))
        p.add_argument('--pass', dest='passed', action='append', default=[], help='a further word for texenvc')
    t.add_argument('--scale', type=int, default=1, choices=range(1, 100), metavar='N', help='size of the populations')
    for p in (t, d):
        p.add_argument('--saved', type=float, default=30, help='least percentage of pairs saved in sum')
    o.add_argument('search', metavar='SEARCH')
    o.add_argument('--stride', type=int, default=1)
    o.add_argument('--start', type=int, default=0)
    o.add_argument('--show', type=int, default=10)
    o.add_argument('--assume', action='append', default=[], choices=('presub-part', 'dot-copy'))
    args = parser.parse_args()
    return {'table': table, 'driver': driver, 'least': least, 'optimum': optimum}[args.command](args)


if __name__ == '__main__':
    sys.exit(main())
