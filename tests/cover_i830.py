#!/usr/bin/env python3
"""Is there a cover of a texture environment in four blend stages of the i830? An independent judge of refusals, and of stage counts.

Each pipe is searched alone: a pipe without a cover shows that the state has none. Where both have some, they are put together, packed as packets, executed by
the oracle's interpreter and compared with the state.

    shown   one pipe has no cover: the state cannot be rendered in four stages over the alphabet
    cover   packets that render it (printed)
    open    each pipe has candidates alone, and none is found that go together (they share CURRENT, factors or a dot), or the search ran out of time

Two searches. tests/cover_i830/local.c looks where no clamp acts, in parts of the input space chosen by i830_region.py: there everything is a polynomial, and the search
is complete and quick. tests/cover_i830/search.c knows clamps and dots, goes backwards by intervals, and is slow; it is asked where dots take part, and where
programs exist that are right in every part chosen and wrong elsewhere.

The alphabet: see these two files. The leaves are the textures, colours and the primary that the pipe's result depends on by structure: a program that reads
another one computes the same with that one set to 0. Environment colours are unknowns: what only holds for some values of them is not looked for. Further leaves of
the colour pipe: values of one stage of the alpha pipe, up to LENT of them, without complements, simplest first; from the third stage on the alpha that the state itself
has before a unit whose colour reads it. ACCUM is tried without these.
Not in the alphabet: dots for states without; an ACCUM that changes twice; two values of the alpha pipe that need ACCUM; DOT4 with other alpha terms than one half; SPEC.

    cover_i830.py --search PROGRAM --local PROGRAM --state TEXT [--full]         judges one state
    cover_i830.py ... --level LEVEL [--count N]     what texenvc refuses in random states; exit 1 if a refused state has a cover
    cover_i830.py ... --level LEVEL --counts        what it covers in several stages: are there covers in fewer?
    cover_i830.py ... --self                        states with known answers
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
import i830_region                                                                                         # noqa: E402
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


def problem(state, kind, full, seconds, more=True, extra=(), most=STAGES):
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
    head = '%d %d %d %d %d %d %d %d %g' % (kind == 'a', n, len(colour), len(alpha), most, full, full and more, more and kind == 'c' and alphas, seconds)
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
    if '}>A' in text:                       # what a stage leaves in ACCUM
        return [(*parse_stage(s), int(bool(a))) for s, a in re.findall(r'\{([^}]*)\}(>A)?', text)]
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
            first = [(*parse_stage(s), 0) for s in lent.pop().split('|')]
            late = max(0, len(first) - reads[0])
            stages, reads = [PASS] * late + stages, [i + late for i in reads]
            first += [PASS] * (reads[-1] - len(first))
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


def pack(state, texts, most=STAGES):
    """chips.Code of a colour and an alpha program."""
    parsed = together(texts)
    count = len(parsed[0])
    if count > most:
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

LENT = {False: 40, True: 24}            # values of the alpha pipe among the inputs of the local search, by level


def run(program, text):
    done = subprocess.run([program], input=text, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit('%s: status %d' % (program, done.returncode))
    return done.stdout.strip()


class Tools:
    """The two searches, and how long each may take."""

    def __init__(self, local, search, seconds):
        self.local, self.search, self.seconds = local, search, seconds


def has_dots(state, kind):
    """Whether a dot takes part in what a pipe computes."""
    wanted = {kind}
    for number in range(7, -1, -1):
        pair = halves(state, number)
        if pair is None:
            continue
        dot = pair[0].func in DOTS
        if dot and ('c' in wanted or 'a' in wanted and pair[0].func in ('dot3_rgba', 'dot3_rgba_ext')):
            return True
        args = (pair[0].args if 'c' in wanted else ()) + (pair[1].args if 'a' in wanted else ())
        colour = len(pair[0].args) if 'c' in wanted else 0
        wanted = {'a' if i >= colour else o[-1] for i, (s, o) in enumerate(args) if s == 'P'}
    return False


class Pipe:
    """What is known of one pipe of a state: `none` of up to `most` stages, or programs that are right at all samples."""

    def __init__(self, state, kind, full, tools, most=STAGES):
        self.state, self.kind, self.full, self.tools, self.most = state, kind, full, tools, most
        self.inputs, borrowed = dependencies(state, kind)
        self.own = [(n, prefix(state, n)) for n in sorted(borrowed)] if kind == 'c' else []
        self.channels = (0, 1, 2) if kind == 'c' else (3,)
        self.parts, self.samples = ((), ()) if has_dots(state, kind) else i830_region.parts(state, self.inputs, self.channels[0], 12)
        self.late = False

    def ask(self, part, lent, second, least=1, seconds=None):
        """'none', 'local' or 'budget', or a list of (stages, program); 'nearly': programs that are right in the part alone, and none behind stages that are clamped there,
        which proves as much as 'none' but for lent values that are clamped all over the part (see local.c)."""
        text, _ = i830_region.problem(self.state, self.inputs, self.channels, part, self.samples, self.full, self.own, LENT[self.full] if lent else 0, second,
                                      least, self.most, seconds or self.tools.seconds)
        out = run(self.tools.local, text).split('\n')
        if out[-1] != 'done' and not out[0].startswith('cover'):
            self.late |= out[-1] == 'budget'
            enough = self.most if second else max(1, self.most - 2)
            return 'nearly' if out[-1].startswith('local') and int(out[-1].split()[2]) >= enough else out[-1].split()[0]
        return sorted((int(line.split()[1]), line.split(' ', 2)[2]) for line in out if line.startswith('cover'))

    def plain(self):
        """Without lent values and ACCUM: the index of a part that shows that there is none, None if no part does, or programs."""
        for i, part in enumerate(self.parts):
            got = self.ask(part, False, False, 1, 8)
            if isinstance(got, list):
                return got
            if got in ('none', 'nearly'):
                return i
        return None

    def decide(self):
        """'none', 'open', or programs."""
        first = self.plain()
        if isinstance(first, list):
            return first
        parts = [] if first is None else (self.parts[first:] + self.parts[:first])[:6]
        for second in (False, True)[:1 + self.full]:
            if second or self.kind == 'c':
                nearly = 0                      # twice is enough: in another part another lent value is clamped
                for part in parts:
                    got = self.ask(part, not second, second)
                    if isinstance(got, list):
                        return got
                    nearly += got == 'nearly'
                    if got == 'none' or nearly == (1 if second else 2):
                        break
                else:
                    return 'open'
        return 'none' if parts else 'open'

    def others(self, least):
        """Further programs, of at least so many stages."""
        out = []
        for part in self.parts[:2]:
            for lent, second in ((False, False), (True, False), (False, True)):
                if (not lent or self.kind == 'c') and (not second or self.full):
                    got = self.ask(part, lent, second, least)
                    out += got if isinstance(got, list) else []
        return out


def fit(state, colours, alphas, most):
    """(explanation of a cover, None, ()) or (None, why these do not go together, input vectors at which some are wrong)."""
    why, bad = None, []
    for colour in colours:
        for alpha in alphas:
            try:
                code = pack(state, [colour, alpha], most)
                wrong = failing(state, code)
                if wrong is None:
                    return '%s ; %s   %s' % (colour, alpha, ' '.join('%08x' % w for _, w in code.words)), None, ()
                bad = bad or wrong
                why = why or 'not equal everywhere: %s ; %s' % (colour, alpha)
            except (Joint, ProgramError) as e:
                why = why or '%s: %s ; %s' % (e, colour, alpha)
    return None, why, bad


def judge(tools, state, full, most=STAGES):
    """(verdict, explanation)."""
    pipes, programs, extra = {}, {}, []
    for kind, name in (('a', 'alpha'), ('c', 'colour')):
        pipe = pipes[kind] = Pipe(state, kind, full, tools, most)
        got = pipe.decide() if pipe.parts else 'open'
        if got == 'open':
            pipe.parts = ()
            got = by_intervals(tools, state, kind, full, most, extra)
        if got == 'none':
            return 'shown', '%s has no cover' % name
        programs[kind] = got
    for _ in range(6):
        if isinstance(programs['c'], str) or isinstance(programs['a'], str):
            return 'open', '; '.join('%s: %s' % (k, v if isinstance(v, str) else v[0][1]) for k, v in programs.items())
        plain = {k: [p for _, p in v] for k, v in programs.items()}
        found, why, bad = fit(state, plain['c'], plain['a'], most)
        for kind in 'ca':                   # they share CURRENT or factors: longer ones
            if found is None and pipes[kind].parts:
                for n in range(programs[kind][0][0], most + 1):
                    plain[kind] += [p for _, p in pipes[kind].others(n)]
                plain[kind] = list(dict.fromkeys(plain[kind]))
                found, _, _ = fit(state, plain['c'], plain['a'], most)
        again = [k for k in 'ca' if not pipes[k].parts]
        if found or not bad or not again:
            return ('cover', found) if found else ('open', why)
        extra += bad                        # the search by intervals knows only its points: more points
        for kind in again:
            programs[kind] = by_intervals(tools, state, kind, full, most, extra)
            if programs[kind] == 'none':
                return 'shown', '%s has no cover' % {'a': 'alpha', 'c': 'colour'}[kind]
    return 'open', why


def by_intervals(tools, state, kind, full, most, extra):
    """The other search: 'none', a list of one program that is right at its points, or 'time'."""
    for more in (False, True):
        got = run(tools.search, problem(state, kind, full, tools.seconds, more, extra, most))
        if got not in ('none', 'budget'):
            n, program = got.split(' ', 1)
            return [(int(n), program)]
    return {'none': 'none', 'budget': 'time'}[got]


KNOWN = [       # state, documented, full
    ('{T*P}', 'cover', 'cover'), ('{T*P+F}', 'cover', 'cover'), ('{T*P+F} {T*P+F}', 'cover', 'cover'),
    ('{T0*P+T0*C}', 'cover', 'cover'),                              # (P+C)/2 by a blend with one half, then 2*T0*P
    ('{T0*T1+P*F.a}', 'shown', 'cover'),                            # no documented operation adds a product to CURRENT
    ('{T0*T1-T2} {P+T3} {P*C} {P+T0} C2=(1,0,0,0)', 'shown', 'cover'),
    ('{T*P} {dot3a(P,T)}*2;4', 'cover', 'cover'), ('{dot3a(C,P)} {P*C}*2', 'cover', 'cover'), ('{C.a*~C.a; C}', 'cover', 'cover'),
    ('{T0*T1+P*F} {T1*T2+P*F} {T2*T3+P*F}', 'shown', None),
    ('{T0*F+T1*C} {P*P+P-0.5}', 'shown', 'cover'),                  # a value of two stages kept in ACCUM
    ('{P; C*T0} {T0; ~P*~P+~P}*1;2', 'cover', 'cover'),               # by a square and what (1+0-.5) takes away
]


def self_test(tools):
    failed = 0
    for text, *wanted in KNOWN:
        (state, _), = read(text)
        for full in (0, 1):
            verdict, why = judge(tools, state, full) if wanted[full] else (None, None)
            if wanted[full] not in (verdict, None):
                failed += 1
                print('%s, %s: %s instead of %s: %s' % (text, ('documented', 'full')[full], verdict, wanted[full], why))
    print('cover_i830: %d checks, %d failed' % (2 * len(KNOWN), failed))
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--search', required=True, metavar='PROGRAM', help='cover_i830, built')
    parser.add_argument('--local', required=True, metavar='PROGRAM', help='cover_i830_local, built')
    parser.add_argument('--state', metavar='TEXT')
    parser.add_argument('--full', action='store_true')
    parser.add_argument('--level', choices=('documented', 'full'))
    parser.add_argument('--count', type=int, default=500, metavar='N', help='random states of each population')
    parser.add_argument('--seconds', type=float, default=20, metavar='S', help='for each pipe of a state')
    parser.add_argument('--limit', type=int, default=100, metavar='N', help='refusals judged of each population')
    parser.add_argument('--only', default='', metavar='TEXT', help='only populations whose names begin so')
    parser.add_argument('--counts', action='store_true', help='judge numbers of stages instead of refusals')
    parser.add_argument('--self', action='store_true', help='states with known answers')
    args = parser.parse_args()
    tools = Tools(args.local, args.search, args.seconds)
    if args.self:
        return self_test(tools)
    if args.state:
        (state, _), = read(args.state)
        print(*judge(tools, state, args.full), sep=': ')
        return 0
    return (counts if args.counts else refusals)(args, tools)


def counts(args, tools):
    """Whether what texenvc covers in several stages has a cover in fewer."""
    verdicts = Counter()
    for name, states in classic_i830.populations(args.count):
        if not name.startswith(args.only):
            continue
        several = [(s, chips.parse(b.text).stats['stages']) for s, b in zip(states, classic_i830.ours(states, args.level)) if b.refused is None]
        several = [(s, n) for s, n in several if n > 1 and not has_dots(s, 'c') and not has_dots(s, 'a')][:args.limit]
        here = Counter()
        for state, n in several:
            verdict, why = judge(tools, state, args.level == 'full', n - 1)
            here[verdict] += 1
            if verdict == 'cover':
                print('  fewer than %d: %s: %s' % (n, stages_print.state_text(state), why), flush=True)
        verdicts += here
        print('%-30s %s: %d states of several stages: %s' % (name, args.level, len(several), dict(here)), flush=True)
    print('%s: %s (shown: none in fewer stages)' % (args.level, dict(verdicts)))
    return 0


def refusals(args, tools):
    """What texenvc refuses in random states."""
    wrong = 0
    for name, states in classic_i830.populations(args.count):
        if not name.startswith(args.only):
            continue
        blocks = classic_i830.ours(states, args.level)
        refused = [(s, chips.parse(b.text)) for s, b in zip(states, blocks) if b.refused is not None]
        reasons = Counter(r.code for _, r in refused)
        verdicts = Counter()
        judged = [s for s, r in refused if r.code in ('stages', 'search', 'constants') or r.code == 'full' and args.level == 'documented'][:args.limit]
        for state in judged:
            verdict, why = judge(tools, state, args.level == 'full')
            verdicts[verdict] += 1
            if verdict != 'shown':
                wrong += verdict == 'cover'
                print('  %s: %s: %s' % (verdict, stages_print.state_text(state), why), flush=True)
        print('%-30s %s: %d states, refused: %s; judged %d: %s' % (name, args.level, len(states), dict(reasons), len(judged), dict(verdicts)), flush=True)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
