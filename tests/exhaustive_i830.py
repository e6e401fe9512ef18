#!/usr/bin/env python3
"""texenvc convert --to i830, all programs tried: what it finds is executed, what it refuses is held against an independent judge.

The states that texenvc --quick refuses for want of a cover are converted without it. A table row says what became of them:

    covered     a cover was found: the oracle's interpreter executes it and compares it with the state (tests/i830_vectors.py)
    colour      of all programs for the colour none is right
    own         the same of those that read no alpha but the state's own: a smaller bound
    alpha       of all programs for alpha none is right
    together    of all programs for colour and alpha none go together
    short       the same of those of up to three stages; not all of four could be tried
    not all     not all programs could be tried
    late        the time limit was met

Exit 1 if a cover is wrong, if a refusal says none of these or that not all programs could be tried, if texenvc refuses what a quick run covers or needs more stages, or if the judge disagrees
(--judge: tests/cover_i830.py, which knows nothing of texenvc's search): what texenvc covers must not be shown to have no cover, and what the judge has a cover
for must be covered.

    exhaustive_i830.py --texenvc PROGRAM --level LEVEL [--population NAME] [--count N] [--seed S] [--limit N] [--judge --local P --point P]
    exhaustive_i830.py --texenvc PROGRAM --alone PROGRAM --level LEVEL [--population NAME] [--count N] [--seed S] [--limit N]
                                                        what a quick run covers: the search by itself must not say that there is no cover; with --known instead: states with covers by hand
    exhaustive_i830.py --texenvc PROGRAM --known        states with known answers (tests/exhaustive_known.py); --known-long: those that take seconds each
"""
import argparse
import os
import subprocess
import sys
import time
from collections import Counter, namedtuple

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from oracle.commands import jobs  # noqa: E402
from oracle.commands.compare import DEFAULT_OPTIONS  # noqa: E402
from oracle.common.errors import ProgramError, Unsupported  # noqa: E402
from oracle.hw import chips  # noqa: E402
from oracle.texenv import random_states, stages_print  # noqa: E402
from oracle.texenv.stages import read  # noqa: E402
import classic_i830                                                                                        # noqa: E402
import cover_i830                                                                                          # noqa: E402
from exhaustive_known import ALONE, COVERED, COVERED_LONG, NONE, NONE_LONG                                    # noqa: E402
from i830_joint import pack                                                                               # noqa: E402
from i830_known import FALSE                                                                              # noqa: E402
from i830_vectors import Vectors                                                                           # noqa: E402

CODES = ('stages', 'search', 'constants', 'full')           # refusals for want of a cover
ENDINGS = [('colour', '; of all programs for the colour none is right'), ('own', "; of all programs whose colour reads no alpha but the state's own none is right"),
           ('alpha', '; of all programs for alpha none is right'),
           ('short colour', '; of programs of up to three stages and chains of four none is right for the colour'),
           ('short alpha', '; of programs of up to three stages and chains of four none is right for alpha'),
           ('together', '; of all programs for colour and alpha none go together'),
           ('short', '; of all programs of up to three stages for colour and alpha none go together'), ('not all', '; not all programs could be tried')]
UNDECIDED = ('short colour', 'short alpha', 'short', 'not all', 'late')
OUTCOMES = ('covered', *(name for name, _ in ENDINGS), 'late')
LIMIT = 300                                                 # seconds for a state
NAMED_ONLY = {'modulate-and-add', 'accum'}

# outcome: of OUTCOMES, or 'wrong'; problem: text or None; verdict: the judge's, or None
Result = namedtuple('Result', 'outcome stages seconds problem verdict')


def convert(program, text, level, words=(), seconds=None):
    """(json objects' text, seconds); None for the text if it took too long."""
    start = time.time()
    try:
        done = subprocess.run([program, 'convert', '-', '--from', 'stages', '--to', 'i830', '--i830', level, '--format', 'json', '-q', *words], input=text + '\n',
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, time.time() - start
    if done.returncode not in (0, 3):
        raise SystemExit('texenvc ended with status %d: %s%s' % (done.returncode, text[:300], done.stderr[-2000:]))
    return done.stdout, time.time() - start


def wrong_cover(state, code, level, vectors):
    """What is wrong with packets, or None."""
    options = DEFAULT_OPTIONS._replace(to='i830', assume=('full',) if level == 'full' else ())
    if level != 'full' and NAMED_ONLY & set(code.assumed):
        return 'rests on %s' % ' '.join(code.assumed)
    try:
        return chips.problems(code, state, options) or vectors.difference(state, code)
    except (ProgramError, Unsupported) as e:
        return str(e)


def disagreement(outcome, verdict):
    """Of a state's outcome and the judge's verdict: what is the matter, or None."""
    if outcome == 'covered' and verdict == 'shown':
        return 'covered, and the judge shows that there is no cover'
    if outcome != 'covered' and verdict == 'cover':
        return 'the judge has a cover'
    return None


class Trial:
    """One state, converted with all programs tried: call it."""

    def __init__(self, program, level, tools=None, seconds=LIMIT):
        self.program, self.level, self.tools, self.seconds = program, level, tools, seconds
        self.vectors = Vectors()

    def __call__(self, job):
        state, judged = job
        out, seconds = convert(self.program, stages_print.state_text(state), self.level, (), self.seconds)
        if out is None:
            outcome, stages, problem = 'late', None, None
        else:
            outcome, stages, problem = self.outcome(state, out)
        verdict = None
        if self.tools and judged:
            verdict, why = cover_i830.judge(self.tools, state, self.level == 'full')
            matter = disagreement(outcome, verdict)
            problem = problem or matter and '%s: %s' % (matter, why)
        return Result(outcome, stages, seconds, problem, verdict)

    def outcome(self, state, out):
        """(outcome, stages, problem)."""
        (block,) = chips.blocks(out)
        got = chips.parse(block.text)
        if block.refused is None:
            return 'covered', got.stats.get('stages'), wrong_cover(state, got, self.level, self.vectors)
        for name, ending in ENDINGS:
            if got.reason.endswith(ending):
                return name, None, None if got.code in CODES else 'refused with code %s' % got.code
        return 'wrong', None, 'no such ending: %s' % got.reason


class Alone:
    """What the search says of a state that needs it not (tests/i830_alone.c)."""

    def __init__(self, program, level, seconds):
        self.program, self.level, self.seconds = program, level, seconds

    def __call__(self, state):
        start = time.time()
        try:
            done = subprocess.run([self.program, self.level], input=stages_print.state_text(state) + '\n', stdout=subprocess.PIPE, text=True, timeout=self.seconds)
            outcome = done.stdout.strip() if done.returncode == 0 else 'status %d' % done.returncode
        except subprocess.TimeoutExpired:
            outcome = 'late'
        return Result(outcome, None, time.time() - start, None, None)


def alone(args):
    """The search must not say that there is no cover where a quick run has one that is right."""
    states = population(args.population, args.count, args.seed)
    vectors, problems, counts, seconds, asked = Vectors(), [], Counter(), [], []
    for state, quick in zip(states, batch(args.texenvc, states, args.level)):
        if not isinstance(quick, chips.Refusal) and quick.stats['stages'] >= args.least and len(asked) < args.limit:
            wrong = wrong_cover(state, quick, args.level, vectors)
            asked += [] if wrong else [state]
            problems += [(state, wrong)] if wrong else []
    for state, result in zip(asked, jobs.run(Alone(args.alone, args.level, args.seconds), asked, args.jobs)):
        counts[result.outcome] += 1
        seconds.append(result.seconds)
        if result.outcome in UNDECIDED:
            print('  %s, %.1f s: %s' % (result.outcome, result.seconds, stages_print.state_text(state)), flush=True)
        elif result.outcome != 'covered':
            problems.append((state, 'has a cover; the search by itself: %s' % result.outcome))
        progress(len(seconds), len(asked), counts)
    print('%s, %s: covered in at least %d stages: %d; by the search alone: %s; mean %.2f s, longest %.1f s' % (
        args.population, args.level, args.least, len(asked), dict(counts), sum(seconds) / max(1, len(seconds)), max(seconds, default=0)))
    return report(problems)


def alone_known(args):
    problems = []
    for text, level in ALONE:
        (state, _), = read(text)
        result = Alone(args.alone, level, args.seconds)(state)
        if args.verbose:
            print('%-10s %-10s %6.2f s  %s' % (level, result.outcome, result.seconds, text), flush=True)
        if result.outcome != 'covered':
            problems.append((state, '%s: has a cover; the search by itself: %s' % (level, result.outcome)))
    return report(problems)


def population(name, count, seed):
    if name == 'random':
        return list(random_states.RandomStates(count, seed, 4, colors='8bit', texture_units=4))
    if name == 'chains':
        return [random_states.FullChains(count, 1 + i % 4, seed, '8bit')[i] for i in range(count)]
    return classic_i830.corpus(name + '.stages')


def batch(program, states, level, words=('--quick',)):
    out, _ = convert(program, '\n'.join(map(stages_print.state_text, states)), level, words)
    blocks = list(chips.blocks(out)) if states else []
    if len(blocks) != len(states):
        raise SystemExit('texenvc gives %d states of %d' % (len(blocks), len(states)))
    return [chips.parse(b.text) for b in blocks]


def needless(program, states, quick, level):
    """States that a quick run covers, or refuses for another reason: without --quick they must be no worse. Problems."""
    problems = []
    for state, before, after in zip(states, quick, batch(program, states, level, ())):
        if isinstance(before, chips.Refusal):
            if before != after:
                problems.append((state, 'refused (%s), without --quick: %s' % (before.reason, after)))
        elif isinstance(after, chips.Refusal):
            problems.append((state, 'covered, and refused without --quick: %s' % after.reason))
        elif after.stats['stages'] > before.stats['stages']:
            problems.append((state, '%d stages, without --quick %d' % (before.stats['stages'], after.stats['stages'])))
    return problems


def progress(done, total, counts):
    if sys.stderr.isatty():
        print('\r%d of %d %s ' % (done, total, dict(counts)), end='' if done < total else '\n', file=sys.stderr, flush=True)


def table(args, tools):
    states = population(args.population, args.count, args.seed)
    quick = batch(args.texenvc, states, args.level)
    wanting = [isinstance(q, chips.Refusal) and q.code in CODES for q in quick]
    refused = [s for s, w in zip(states, wanting) if w]
    others = [(s, q) for s, q, w in zip(states, quick, wanting) if not w]
    problems = needless(args.texenvc, [s for s, _ in others], [q for _, q in others], args.level) if not args.skip else []
    asked = refused[args.skip:][:args.limit]
    counts, verdicts, seconds = Counter(), Counter(), []
    trial = Trial(args.texenvc, args.level, tools, args.seconds)
    progress(0, len(asked), counts)
    for state, result in zip(asked, jobs.run(trial, [(s, n < args.judged) for n, s in enumerate(asked)], args.jobs)):
        counts[result.outcome] += 1
        verdicts[result.verdict] += 1
        seconds.append(result.seconds)
        if result.problem or result.outcome == 'not all':
            problems.append((state, '%s: %s' % (result.outcome, result.problem)))
        if args.verbose or result.outcome in ('covered', *UNDECIDED) or result.problem or result.verdict == 'open':
            print('  %s%s%s, %.1f s: %s%s' % (result.outcome, ' in %s stages' % result.stages if result.stages else '', ', judge: %s' % result.verdict if result.verdict else '', result.seconds,
                                            stages_print.state_text(state), ': %s' % result.problem if result.problem else ''), flush=True)
        progress(len(seconds), len(asked), counts)
    print('%-22s %-10s %6s %7s %7s  %s  %6s %7s' % ('', '', 'states', 'refused', 'asked', ' '.join('%*s' % (max(8, len(o)), o) for o in OUTCOMES), 'mean s', 'longest'))
    print('%-22s %-10s %6d %7d %7d  %s  %6.2f %7.1f' % (
        '%s%s' % (args.population, ', seed %d' % args.seed if args.population in ('random', 'chains') else ''), args.level, len(states), len(refused), len(asked),
        ' '.join('%*d' % (max(8, len(o)), counts[o]) for o in OUTCOMES), sum(seconds) / max(1, len(seconds)), max(seconds, default=0)))
    if tools:
        print('judged %d: %s' % (sum(n for v, n in verdicts.items() if v), {v: n for v, n in sorted(verdicts.items(), key=str) if v}))
    return report(problems)


def report(problems):
    for state, problem in problems[:40]:
        print('PROBLEM %s: %s' % (problem, stages_print.state_text(state)))
    print('exhaustive_i830: %d problems' % len(problems))
    return 1 if problems else 0


def self_test(problems):
    """What is nearly a cover is told from one, and what the judge says otherwise is a problem."""
    vectors = Vectors()
    for text, *programs in FALSE:
        (state, _), = read(text)
        if vectors.difference(state, pack(state, programs, 4)) is None:
            problems.append((state, 'a false cover passes: %s' % ' ; '.join(programs)))
    for outcome, verdict, wrong in (('covered', 'shown', 1), ('colour', 'cover', 1), ('not all', 'cover', 1), ('late', 'cover', 1), ('covered', 'cover', 0), ('alpha', 'shown', 0),
                                    ('together', 'open', 0), ('covered', 'open', 0)):
        if bool(disagreement(outcome, verdict)) != wrong:
            raise SystemExit('disagreement(%s, %s)' % (outcome, verdict))


def known(args):
    """Covers that must be found, and states for which there is none, with the reason."""
    problems = []
    self_test(problems)
    covered, none = (COVERED_LONG, NONE_LONG) if args.known_long else (COVERED, NONE)
    wanted = [(text, level, ('covered',)) for text, level in covered] + [(text, level, endings) for text, level, endings, _ in none]
    wanted = [w for w in wanted if w[0].startswith(args.only)]
    if not wanted:
        raise SystemExit('exhaustive_i830: no known state begins with %s' % args.only)
    cases = [(next(read(text))[0], level, outcomes) for text, level, outcomes in wanted]
    for level in ('documented', 'full'):
        some = [c for c in cases if c[1] == level]
        trial = Trial(args.texenvc, level, None, args.seconds)
        for (state, _, outcomes), result in zip(some, jobs.run(trial, [(c[0], False) for c in some], args.jobs)):
            if result.problem or result.outcome not in outcomes:
                problems.append((state, '%s: %s: %s' % (level, result.outcome, result.problem or 'not %s' % ' or '.join(outcomes))))
            if args.verbose:
                print('%-10s %-10s %6.2f s  %s' % (level, result.outcome, result.seconds, stages_print.state_text(state)), flush=True)
    print('exhaustive_i830: %d states with known answers' % len(cases))
    return report(problems)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--texenvc', required=True, metavar='PROGRAM', help='the program, built')
    parser.add_argument('--level', choices=('documented', 'full'), default='documented')
    parser.add_argument('--population', choices=('recorded', 'public', 'random', 'chains'), default='random', help='a corpus, random states, full chains of 1 to 4 units')
    parser.add_argument('--count', type=int, default=1000, metavar='N', help='random states (default 1000)')
    parser.add_argument('--seed', type=int, default=1, metavar='S')
    parser.add_argument('--skip', type=int, default=0, metavar='N', help='pass over the first refused ones, and all that a quick run covers')
    parser.add_argument('--limit', type=int, default=1 << 30, metavar='N', help='of those that are refused, ask for so many')
    parser.add_argument('--seconds', type=float, default=LIMIT, metavar='S', help='for each state (default %d)' % LIMIT)
    parser.add_argument('--judge', action='store_true', help='ask tests/cover_i830.py, too')
    parser.add_argument('--judged', type=int, default=1 << 30, metavar='N', help='only about the first N')
    parser.add_argument('--patience', type=float, default=20, metavar='S', help='of the judge, for each pipe (default 20)')
    parser.add_argument('--local', metavar='PROGRAM', help='cover_i830_local, built')
    parser.add_argument('--point', metavar='PROGRAM', help='cover_i830_point, built')
    parser.add_argument('--alone', metavar='PROGRAM', help='i830_alone, built: ask its search about what a quick run covers')
    parser.add_argument('--least', type=int, default=2, metavar='N', help='with --alone: in at least N stages (default 2)')
    parser.add_argument('--jobs', type=int, default=1, metavar='N', help='processes')
    parser.add_argument('--known', action='store_true', help='states with known answers')
    parser.add_argument('--known-long', action='store_true', help='those that take seconds each')
    parser.add_argument('--only', default='', metavar='TEXT', help='of states with known answers, those that begin so')
    parser.add_argument('--verbose', action='store_true', help='what became of each')
    args = parser.parse_args()
    if args.judge and not (args.local and args.point):
        parser.error('--judge needs --local and --point')
    if args.alone:
        return (alone_known if args.known else alone)(args)
    if args.known or args.known_long:
        return known(args)
    return table(args, cover_i830.Tools(args.local, args.point, args.patience) if args.judge else None)


if __name__ == '__main__':
    sys.exit(main())
