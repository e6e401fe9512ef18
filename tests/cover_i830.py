#!/usr/bin/env python3
"""Is there a cover of a texture environment in four blend stages of the i830? An independent judge of refusals, and of stage counts.

Each pipe is searched alone: a pipe without a cover shows that the state has none. Where both have some, they are put together, packed as packets, executed by
the oracle's interpreter and compared with the state.

    shown   one pipe has no cover: the state cannot be rendered in four stages over the alphabet
    cover   packets that render it (printed)
    open    each pipe has candidates alone, and none is found that go together (they share CURRENT, factors or a dot), or the search ran out of time

Two searches. tests/cover_i830/local.c looks where no clamp acts, in parts of the input space chosen by i830_region.py: there everything is a polynomial, and the search
is complete and quick. tests/cover_i830/search.c knows clamps and dots, goes backwards by intervals, and is slow; it is asked where dots take part, and where
programs exist that are right in every part chosen and wrong elsewhere (its problems: i830_intervals.py). What a pipe can depend on: i830_pipes.py. Both pipes
put together: i830_joint.py.

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
import subprocess
import sys
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from oracle import chips, stages_print                                                                     # noqa: E402
from oracle.errors import ProgramError                                                                     # noqa: E402
from oracle.stages import read                                                                             # noqa: E402
import classic_i830                                                                                        # noqa: E402
import i830_region                                                                                         # noqa: E402
from i830_intervals import problem                                                                         # noqa: E402
from i830_joint import Joint, failing, pack                                                                # noqa: E402
from i830_pipes import STAGES, dependencies, has_dots, prefix                                              # noqa: E402

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
