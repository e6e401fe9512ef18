#!/usr/bin/env python3
"""Is there a cover of a texture environment in four blend stages of the i830? An independent judge of refusals.

tests/cover_i830.c searches each pipe alone, backwards and exhaustively over its alphabet, at points chosen here. A pipe without a cover shows that the
state has none. Where both have one, the two are put together, packed as packets, executed by the oracle's interpreter and compared with the state.

    shown   one pipe has no cover: the state cannot be rendered in four stages over the alphabet
    cover   packets that render it (printed)
    open    each pipe has a candidate alone, and they are not put together here (they share CURRENT, ACCUM or a dot), or the search ran out of time

The alphabet: see cover_i830.c. The leaves are the textures, colours and the primary that the pipe's result depends on by structure: a program that reads
another one computes the same with that one set to 0. Further leaves of the colour pipe: alpha values of the state's own stages that it reads (from the third stage on).
Not in the alphabet: a second live value of more than one stage, two borrowed values, DOT4 with other alpha terms than one half, SPEC.

    cover_i830.py --search PROGRAM --state TEXT [--full]         judges one state
    cover_i830.py --search PROGRAM --level LEVEL [--count N]     what texenvc refuses in random states; exit 1 if a refused state has a cover
    cover_i830.py --search PROGRAM --self                        states with known answers
"""
import argparse
import os
import random
import re
import subprocess
import sys
from collections import Counter
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from oracle import chips, i830_eval, stages_print, steep                                                   # noqa: E402
from oracle.domain import Columns, Node                                                                    # noqa: E402
from oracle.errors import ProgramError                                                                     # noqa: E402
from oracle.stages import read                                                                             # noqa: E402
from oracle.state import CLASSIC, DEFAULT_POLICY, State, canonical                                         # noqa: E402
from oracle.texenv_eval import crossbar_rule, evaluate                                                     # noqa: E402
from oracle.vectors import Named, VectorSet                                                                # noqa: E402
import classic_i830                                                                                        # noqa: E402

STAGES = 4
DOTS = ('dot3_rgb', 'dot3_rgba', 'dot3_rgb_ext', 'dot3_rgba_ext')


# ---- what a pipe can depend on ----

def halves(state, number):
    """(rgb, alpha) of a unit, None for one that passes through."""
    unit = state.units[number]
    if unit is None or unit.rgb is not None and crossbar_rule(state, unit, DEFAULT_POLICY) == 'pass':
        return None
    return classic_i830.of_classic(unit, number) if unit.mode in CLASSIC else (unit.rgb, unit.alpha)


def dependencies(state, kind):
    """Inputs ('T'|'C'|'F', unit, 'c'|'a') that a pipe's result depends on by structure, and the units whose alpha a live colour half reads."""
    wanted, found, borrowed = {kind}, set(), set()
    for number in range(7, -1, -1):
        pair = halves(state, number)
        if pair is None:
            continue
        args = []
        if 'c' in wanted:
            args += [(s, o[-1], True) for s, o in pair[0].args]
        if 'a' in wanted:
            half = pair[0] if pair[0].func in ('dot3_rgba', 'dot3_rgba_ext') else pair[1]
            args += [(s, o[-1], False) for s, o in half.args]
        wanted = set()
        for source, letter, colour in args:
            if source == 'P':
                wanted.add(letter)
                if colour and letter == 'a':
                    borrowed.add(number)
            elif source[0] == 'T':
                if state.units[int(source[1:])] is not None:
                    found.add(('T', int(source[1:]), letter))
            elif source == 'C':
                found.add(('C', number, letter))
            elif source == 'F':
                found.add(('F', 0, letter))
    found.update(('F', 0, letter) for letter in wanted)
    return found, borrowed


# ---- points ----

class Points(Named):
    """Input vectors from {name: [Fraction]}."""

    def __init__(self, columns, count):
        self.dom, self.count = Columns(count), count
        self.columns = {name: Node(40, [int(v * (1 << 40)) for v in column]) for name, column in columns.items()}

    def get(self, name):
        return self.columns.get(name) or self.dom.zero


def names_of(inputs):
    out = []
    for what, unit, _ in inputs:
        for c in range(4):
            out.append(({'T': 'tex', 'C': 'env', 'F': 'primary'}[what], unit, c))
    return sorted(set(out))


def values(node, count):
    return [v / (1 << node.f) for v in node.col] if isinstance(node, Node) else [float(node)] * count


def choose(state, inputs, channels, dots, extra, count=36):
    """Points at which the wanted channels lie strictly between their bounds, as far as such are found; and some at which they do not."""
    names = names_of(inputs)
    rng = random.Random('points %s' % (state,))
    pool = []
    for i in range(600):
        kind = i % 3
        pool.append({n: Fraction(rng.randrange(4, 61), 64) if kind else Fraction(rng.randrange(1, 1000), 1000 * 1) for n in names})
    pool = [{n: Fraction(int(v * 4096), 4096) for n, v in p.items()} for p in pool]
    found = steep.search(lambda vectors: evaluate(state, vectors), steep.mark(state), 24, 4)
    if found is not None:
        some = {n: found.get(n).values() for n in names}
        pool += [{n: some[n][i] for n in names} for i in range(found.count)]
    if dots:            # for a dot with this input: two of its channels at one half
        for what, unit, letter in inputs:
            for c in range(3) if letter == 'c' else ():
                for _ in range(60):
                    p = dict(rng.choice(pool))
                    for k in range(3):
                        p[({'T': 'tex', 'C': 'env', 'F': 'primary'}[what], unit, k)] = Fraction(rng.choice((0, 1, 2, 14, 15, 16)), 16) if k == c else Fraction(1, 2)
                    p['special'] = (what, unit, c)
                    pool.append(p)
    columns = {n: [p[n] for p in pool] for n in names}
    out = evaluate(state, Points(columns, len(pool)))
    got = [values(out[c], len(pool)) for c in channels]
    score = [sum(1e-6 < column[i] < 1 - 1e-6 for column in got) for i in range(len(pool))]
    order = sorted(range(len(pool)), key=lambda i: (-score[i], i % 3 != 1, i))
    picked, special = [], Counter()
    for i in order:
        tag = pool[i].get('special')
        if tag is None and len(picked) - sum(special.values()) < count - 6 or tag is not None and special[tag] < 2:
            picked.append(i)
            special[tag] += tag is not None
    picked += [i for i in range(600) if i not in picked][:6]                  # and saturated ones
    picked = picked[:120 - len(extra)]
    return Points({n: [v.get(n) for v in extra] + [pool[i][n] for i in picked] for n in names}, len(picked) + len(extra))


# ---- the search's problem ----

def leaf_channels(kind, source, points, state):
    """Four channels of an input at all points."""
    what, unit = source
    if what == 'T':
        return chips.Inputs(points, state).texture(unit)
    return [points.env(unit, c) if what == 'C' else points.primary(c) for c in range(4)]


def row(name, mask, avail, columns):
    """A leaf's line; columns: one list of values a channel."""
    return '%s %d %d %s' % (name, mask, avail, ' '.join('%.17g' % v for vs in zip(*columns) for v in vs))


def prefix(state, number):
    """The state before a unit."""
    return canonical(State(state.units[:number] + (None,) * (8 - number), None, False, False))


def problem(state, kind, full, seconds, more=True, extra=()):
    """Text for the search; more: with the leaves that the other pipe gives, and ACCUM."""
    inputs, borrowed = dependencies(state, kind)
    order = sorted(inputs)
    alpha_dots = kind == 'a' and any(letter == 'c' for _, _, letter in inputs)
    channels = (0, 1, 2) if kind == 'c' else (3,)
    points = choose(state, inputs, channels, kind == 'c' or alpha_dots, extra)
    n = points.count
    bits = {source: 1 << i for i, source in enumerate(order)}
    colour, alpha = [], []
    for source in order:
        what, unit, letter = source
        four = [values(v, n) for v in leaf_channels(kind, source[:2], points, state)]
        name = (what if what == 'F' else '%s%d' % (what, unit)) + ('.a' if letter == 'a' else '')
        if kind == 'c' or alpha_dots:
            colour.append(row(name, bits[source], 1, four[:3] if letter == 'c' else [four[3]] * 3))
        if letter == 'a':
            alpha.append(row(name, bits[source], 1, four[3:]))
    alphas = any(letter == 'a' for _, _, letter in inputs)
    if kind == 'c' and more:
        for number in sorted(borrowed):
            before = prefix(state, number)
            four = evaluate(before, points)
            needs, _ = dependencies(before, 'a')
            colour.append(row('own%d' % number, sum(bits.get(s, 0) for s in needs), 3, [values(four[3], n)] * 3))
        if not alphas:                      # then the alpha pipe can only give numbers
            colour.append(row('<1+0-.5>', 0, 2, [[.5] * n] * 3))
            colour.append(row('fourth', 0, 3, [[.25] * n] * 3))
    out = evaluate(state, points)
    target = [values(out[c], n) for c in channels]
    essential = sum(bits[s] for s in order if matters(state, inputs, s, channels))
    head = '%d %d %d %d %d %d %d %d %g' % (kind == 'a', n, len(colour), len(alpha), STAGES, full, full and more, more and kind == 'c' and alphas, seconds)
    return '\n'.join([head, *colour, *alpha, '%d %s' % (essential, ' '.join('%.17g' % v for vs in zip(*target) for v in vs))]) + '\n'


def matters(state, inputs, source, channels):
    """Whether some points show that the channels depend on an input."""
    rng = random.Random('matters %s' % (source,))
    names = names_of(inputs)
    base = {n: [Fraction(rng.randrange(0, 65), 64) for _ in range(150)] for n in names}
    what, unit, letter = source
    changed = dict(base)
    for c in range(3) if letter == 'c' else (3,):
        name = ({'T': 'tex', 'C': 'env', 'F': 'primary'}[what], unit, c)
        changed[name] = [Fraction(rng.randrange(0, 65), 64) for _ in range(150)]
        if what == 'T' and state.units[unit].fmt not in ('rgb', 'rgba', 'rg', 'red', 'alpha', 'luminance_alpha'):
            return False                    # one stored component makes colour and alpha: not to be told apart
    a, b = evaluate(state, Points(base, 150)), evaluate(state, Points(changed, 150))
    return any(values(a[c], 150) != values(b[c], 150) for c in channels)


# ---- putting both pipes together ----

TERM = r'~*(?:[TCFP]\d?(?:\.a)?|A|0|1)'
FORMS = [(r'(%s)' % TERM, 1, (1,)), (r'(%s)\*(%s)' % (TERM, TERM), 3, (1, 2)), (r'(%s)\+(%s)' % (TERM, TERM), 6, (1, 2)),
         (r'(%s)\+(%s)-\.5' % (TERM, TERM), 7, (1, 2)), (r'(%s)-(%s)' % (TERM, TERM), 0xa, (1, 2)),
         (r'blend\((%s),(%s),(%s)\)' % (TERM, TERM, TERM), 8, (0, 1, 2)), (r'(%s)\*(%s)\+(%s)' % (TERM, TERM, TERM), 0xd, (1, 2, 0)),
         (r'2(%s)\*(%s)\+(%s)' % (TERM, TERM, TERM), 0xe, (1, 2, 0)), (r'4(%s)\*(%s)\+(%s)' % (TERM, TERM, TERM), 0xf, (1, 2, 0)),
         (r'dot\((%s),(%s)\)' % (TERM, TERM), 0xb, (1, 2))]


class Joint(Exception):
    """The two programs do not go together here."""


def parse_stage(text):
    """(operation, {argument number: term}, scale)."""
    for pattern, op, numbers in FORMS:
        m = re.fullmatch(pattern + r'(?:\*([24]))?', text)
        if m and not (op == 3 and m.group(2) in ('2', '4')):
            return op, dict(zip(numbers, m.groups())), int(m.groups()[-1] or 1)
    raise Joint(text)


PASS = (1, {1: 'P'}, 1, 0)


def program_of(text):
    """Stages (operation, arguments, scale, output); a value of ACCUM, [...], is computed first."""
    accum = set(re.findall(r'\[([^\]]*)\]', text))
    if len(accum) > 1:
        raise Joint('two values in ACCUM')
    out = [(*parse_stage(s), 1) for s in accum]
    return out + [(*parse_stage(s), 0) for s in re.findall(r'\{([^}]*)\}', re.sub(r'\[[^\]]*\]', 'A', text))]


def together(texts):
    """Programs of both pipes, of equal length, from what the searches found. The colour pipe may read the alpha of CURRENT: P.a, computed by all stages before,
    or <...>, computed by one stage; a dot in the alpha pipe is the colour pipe's."""
    colour, alpha = texts
    lent = set(re.findall(r'<([^>]*)>', colour))
    if lent or 'P.a' in colour:
        if len(lent) > 1 or lent and 'P.a' in colour:
            raise Joint('two borrowed values')
        stages = program_of(re.sub(r'<[^>]*>', 'P.a', colour))
        reads = [i for i, s in enumerate(stages) if 'P.a' in [t.lstrip('~') for t in s[1].values()]]
        if lent:
            first, rest = [(*parse_stage(lent.pop()), 0)] + [PASS] * (reads[-1] - 1), stages
        else:
            first, stages = stages[:reads[0]], [PASS] * reads[0] + stages[reads[0]:]
        programs = [stages, first + program_of(alpha)]
        if 'dot' in alpha:
            raise Joint('a dot in the alpha pipe')
        length = max(map(len, programs))
        return [p + [PASS] * (length - len(p)) for p in programs]
    programs = [program_of(colour), program_of(alpha)]
    dots = [i for i, s in enumerate(programs[1]) if s[0] == 0xb]
    if dots:
        n = dots[-1] + 1
        a, b = programs[0][:n], programs[1][:n]
        if [s[:2] for s in a] != [s[:2] for s in b] or [s[2] for s in a[:-1]] != [s[2] for s in b[:-1]]:
            raise Joint('a dot in the alpha pipe')
        scale = min(a[-1][2], b[-1][2])
        rest = [p[n:] if p[n - 1][2] == scale else [(1, {1: 'P'}, p[n - 1][2] // scale, 0)] + p[n:] for p in programs]
        programs = [[*a[:-1], (0xc, *a[-1][1:2], scale, 0)] + rest[0], [PASS] * (n - 1) + [(0xc, {1: 'H', 2: 'H'}, 1, 0)] + rest[1]]
        length = max(map(len, programs))
        return [p + [PASS] * (length - len(p)) for p in programs]
    length = max(map(len, programs))
    return [[PASS] * (length - len(p)) + p for p in programs]


def pack(state, texts):
    """chips.Code of a colour and an alpha program."""
    parsed = together(texts)
    count = len(parsed[0])
    if count > STAGES:
        raise Joint('%d stages' % count)
    words, constants, used = [], [], set()
    # What the factors hold: the unit of their rgb and of their alpha ('H': one half). The global one takes what does not fit into a stage's own.
    everywhere = {'a': 'H'} if any('H' in half[1].values() for half in parsed[1]) else {}
    held = []
    for stage in range(count):
        own = {}
        for alpha in (0, 1):
            for term in parsed[alpha][stage][1].values():
                name = term.lstrip('~')
                if name[0] != 'C':
                    continue
                unit, letter = int(name[1]), 'a' if alpha or name.endswith('.a') else 'c'
                if own.setdefault(letter, unit) != unit and everywhere.setdefault(letter, unit) != unit:
                    raise Joint('too many colours')
        held.append(own)
    for stage in range(count):
        for alpha in (0, 1):
            op, args, scale, out = parsed[alpha][stage]
            words.append(classic_i830.operation(stage, alpha, op, scale) | out << 15 | (0x80 if stage == count - 1 and not alpha else 0))
            for number, term in sorted(args.items()):
                name = term.lstrip('~')
                invert = len(term) - len(name) & 1
                if name in ('0', '1'):
                    source, invert = 0, invert ^ (name == '0')
                elif name[0] == 'C':
                    source = 0xe if held[stage]['a' if alpha or name.endswith('.a') else 'c'] == int(name[1]) else 1
                elif name[0] == 'T':
                    if int(name[1]) > 3:
                        raise Joint('unit %s' % name[1])
                    source = 6 + int(name[1])
                    used.add(int(name[1]))
                else:
                    source = {'P': 5, 'F': 3, 'A': 2, 'H': 1}[name[0]]
                words.append(0x6E000040 | stage << 20 | alpha << 18 | number << 15 | (0x20 if name.endswith('.a') and not alpha else 0) | invert << 4 | source)
    for stage, own in [*enumerate(held), (4, everywhere)]:
        if own:
            words += [0x7D900000 | stage << 16 if stage < 4 else 0x7D010000, 0x80000000]
            constants += [chips.Constant(stage, unit, (0, 0, 0, 0), len(words) - 1, 'a' if letter == 'a' else 'rgb') for letter, unit in own.items() if unit != 'H']
    textures = tuple(chips.Texture(n, n, n, '2d') for n in sorted(used))
    return chips.Code('i830', tuple((None, w) for w in words), tuple(constants), textures, (), (), {}, False)


def failing(state, code):
    """None if the packets compute the state, else input vectors ({name: value}) of which some show that they do not."""
    vectors = [VectorSet(97, 64), steep.search(lambda v: evaluate(state, v), steep.mark(state), 12, 3)]
    for v in vectors:
        if v is not None:
            got = i830_eval.evaluate(code, chips.Inputs(v, state), 'real', frozenset())
            wanted = evaluate(state, v)
            bad = [i for i in range(len(values(wanted[0], 1))) if any(values(a, 1)[i] != values(b, 1)[i] for a, b in zip(wanted, got))] \
                if any(v.dom.first_difference(a, b) >= 0 for a, b in zip(wanted, got)) else []
            if bad:
                return [v.vector(i) for i in bad[:8]]
    return None


# ---- judging ----

def search(program, text):
    done = subprocess.run([program], input=text, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit('%s: status %d' % (program, done.returncode))
    return done.stdout.strip()


def judge(program, state, full, seconds=20):
    """(verdict, explanation)."""
    extra = []
    for _ in range(6):
        verdict, why = judge_at(program, state, full, seconds, extra)
        if verdict is not None:
            return verdict, why
        extra += why                        # right at the points, and not elsewhere: more points
    return 'open', 'not equal'


def judge_at(program, state, full, seconds, extra):
    answers = {}
    for kind, name in (('a', 'alpha'), ('c', 'colour')):
        for more in (False, True):
            answers[kind] = search(program, problem(state, kind, full, seconds, more, extra))
            if answers[kind] not in ('none', 'budget'):
                break
        if answers[kind] == 'none':
            return 'shown', '%s has no cover' % name
    if 'budget' in answers.values():
        return 'open', 'time: %s' % answers
    programs = [answers['c'].split(' ', 1)[1], answers['a'].split(' ', 1)[1]]
    try:
        code = pack(state, programs)
        bad = failing(state, code)
        if bad is None:
            return 'cover', ' ; '.join(programs) + '   ' + ' '.join('%08x' % w for _, w in code.words)
        return None, bad
    except (Joint, ProgramError) as e:
        return 'open', '%s: %s' % (e, programs)


KNOWN = [       # state, documented, full
    ('{T*P}', 'cover', 'cover'), ('{T*P+F}', 'cover', 'cover'), ('{T*P+F} {T*P+F}', 'cover', 'cover'),
    ('{T0*P+T0*C}', 'cover', 'cover'),                              # (P+C)/2 by a blend with one half, then 2*T0*P
    ('{T0*T1+P*F.a}', 'shown', 'cover'),                            # no documented operation adds a product to CURRENT
    ('{T0*T1-T2} {P+T3} {P*C} {P+T0} C2=(1,0,0,0)', 'shown', 'cover'),
    ('{T*P} {dot3a(P,T)}*2;4', 'cover', 'cover'), ('{dot3a(C,P)} {P*C}*2', 'cover', 'cover'), ('{C.a*~C.a; C}', 'cover', 'cover'),
    ('{T0*T1+P*F} {T1*T2+P*F} {T2*T3+P*F}', 'shown', None),
]


def self_test(program):
    failed = 0
    for text, *wanted in KNOWN:
        (state, _), = read(text)
        for full in (0, 1):
            verdict, why = judge(program, state, full, 60) if wanted[full] else (None, None)
            if wanted[full] not in (verdict, None):
                failed += 1
                print('%s, %s: %s instead of %s: %s' % (text, ('documented', 'full')[full], verdict, wanted[full], why))
    print('cover_i830: %d checks, %d failed' % (2 * len(KNOWN), failed))
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--search', required=True, metavar='PROGRAM', help='cover_i830, built')
    parser.add_argument('--state', metavar='TEXT')
    parser.add_argument('--full', action='store_true')
    parser.add_argument('--level', choices=('documented', 'full'))
    parser.add_argument('--count', type=int, default=500, metavar='N', help='random states of each population')
    parser.add_argument('--seconds', type=float, default=20, metavar='S', help='for each pipe of a state')
    parser.add_argument('--limit', type=int, default=100, metavar='N', help='refusals judged of each population')
    parser.add_argument('--self', action='store_true')
    args = parser.parse_args()
    if args.self:
        return self_test(args.search)
    if args.state:
        (state, _), = read(args.state)
        print(*judge(args.search, state, args.full, args.seconds), sep=': ')
        return 0
    return refusals(args)


def refusals(args):
    """What texenvc refuses in random states."""
    wrong = 0
    for name, states in classic_i830.populations(args.count):
        blocks = classic_i830.ours(states, args.level)
        refused = [(s, chips.parse(b.text)) for s, b in zip(states, blocks) if b.refused is not None]
        reasons = Counter(r.code for _, r in refused)
        verdicts = Counter()
        judged = [s for s, r in refused if r.code in ('stages', 'search', 'constants') or r.code == 'full' and args.level == 'documented'][:args.limit]
        for state in judged:
            verdict, why = judge(args.search, state, args.level == 'full', args.seconds)
            verdicts[verdict] += 1
            if verdict != 'shown':
                wrong += verdict == 'cover'
                print('  %s: %s: %s' % (verdict, stages_print.state_text(state), why), flush=True)
        print('%-30s %s: %d states, refused: %s; judged %d: %s' % (name, args.level, len(states), dict(reasons), len(judged), dict(verdicts)), flush=True)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
