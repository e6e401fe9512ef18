#!/usr/bin/env python3
"""Searches for covers of a texture environment in four blend stages of the i830. It is an independent check
of the states that texenvc refuses, and of the number of stages that it needs. (A cover is an assignment of
operations to the stages of both pipes, colour and alpha, that computes the state.)

Each pipe is searched separately. If one pipe has no cover, the state has none. If both have covers, these are
combined, encoded as packets, executed by the oracle's interpreter and compared with the state. The verdict on
a state is one of these:

    shown   proved: one pipe has no cover, or no covers of both pipes can be combined; the state cannot be
            rendered in four stages, within the bounds below
    cover   packets that render the state (they are printed)
    open    each pipe has candidates, but none were found that can be combined (the pipes share CURRENT,
            factors and dot products), or the search ran out of time

Two programs search. The local search (tests/i830/cover/local.c) looks at parts of the input space where
nothing is clamped, chosen by i830_region.py. State and programs are polynomials there (also a dot product of
colours with equal channels), so that all programs can be tried. To prove quickly that there is no cover, most
inputs are replaced by numbers or by each other (special inputs, i830_special.py): a program that computes the
state also computes it for these. If the colour pipe may read values of the alpha pipe
(tests/i830/cover/borrow.c, dots.c), all sequences of values that successive stages of the alpha pipe can
compute are tried; if the alpha pipe must also compute its own result, only sequences that end with it.

The search at one point (i830_point.py, tests/i830/cover/point.c) uses special inputs, too. At the level
documented it runs before the local search, for states without dot products; at the level full it is the only
one that proves that there is no cover. i830_pipes.py computes which inputs a pipe can depend on;
i830_joint.py combines the covers of both pipes.

"Shown" holds within these bounds:
- Programs have up to four stages. Operands are those textures, environment colours and primary colour on
  which the pipe's result depends, their complements, 0 and 1. (In a program that reads other inputs, these
  can be replaced by 0.) Environment colours are treated as unknown: programs that are right only for some of
  their values are not searched.
- All operations of the level (documented or full, see below) are tried, with all scales and with CURRENT as
  any argument. DOT3, and DOT4 whose alpha term is 0, are not tried if a texture's format makes the channels
  of its colour differ for all special inputs (a format that has only red).
- documented: each stage of the colour pipe can read the alpha of CURRENT: all sequences of alpha values of
  one, two and three stages are tried, also with a DOT4 (of alphas only if the state has no dot product,
  because then no channel of the result depends on the others). A stage is assumed to be clamped at all of the
  twelve points of a part or at none. --counts judges numbers of stages within this bound.
- full: either ACCUM holds a value of one or two stages (all programs of four stages with two live values), or
  the colour pipe reads values of one stage of the alpha pipe, any number of times, but at most one in each
  stage. If the colour half of a unit reads the previous alpha, that alpha of the state is an input of all
  programs.
Not tried: the operand SPEC; a colour pipe that reads the alpha pipe's ACCUM. Not tried at the level full:
ACCUM together with values of the alpha pipe, and values of several alpha stages (both are tried if with
special inputs the alpha pipe can read only 0, 1/2 and 1); dot products of values computed by both pipes; a
dot product that the alpha pipe keeps for the colour pipe.

    cover_i830.py --local PROGRAM --point PROGRAM --state TEXT [--full]         judges one state
    cover_i830.py ... --level LEVEL [--count N]     judges random states that texenvc refuses; exit 1 if one
                                                    has a cover
    cover_i830.py ... --level LEVEL --counts        searches for covers with fewer stages than texenvc's, for
                                                    random states that it covers in several stages
    cover_i830.py ... --level LEVEL --accepted      judges random states that texenvc covers; exit 1 if one
                                                    is shown to have no cover
    cover_i830.py ... --self, --self-long, --operations, --lent  judges states with known answers
"""
import argparse
import os
import random
import subprocess
import sys
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.common.errors import ProgramError  # noqa: E402
from oracle.hw import chips  # noqa: E402
from oracle.texenv import stages_print  # noqa: E402
from oracle.texenv.stages import read  # noqa: E402
import classic_i830
import i830_region
import i830_special
import i830_point
import i830_programs
from i830_known import FALSE, KNOWN, KNOWN_LONG, LENT, OPERATIONS, APART_ALONE
from i830_joint import Joint, failing, pack
from i830_pipes import STAGES, dependencies, has_dots, prefix

# special inputs to try: number of unknowns, argument `alphas` of i830_special.choices, number of choices
SPECIAL = [(2, 'apart', 6), (3, 'apart', 6), (2, 'corners', 3), (2, 'any', 8), (3, 'any', 8), (4, 'any', 6)]
# the same with i830_special.apart: its arguments `alphas` and `unknowns`, number of choices
APART = [('halves', 3, 8), ('halves', 2, 5), ('quarters', 2, 4), ('thirds', 2, 4), (1, 2, 8),
         ('halves', 4, 4), ('quarters', 3, 6), ('thirds', 3, 4), (1, 3, 6), (1, 1, 4),
         (2, 2, 5), (2, 1, 4), (2, 3, 3)]
# time limits in multiples of --seconds: all special inputs are tried with the first limit, then those that
# ran out of time with the next one
PATIENCE = (.1, .5, 3, 8)
# rows like those of APART, for proofs that no covers of both pipes can be combined
TOGETHER = [(3, 2, 4), (2, 2, 4), (3, 3, 4), (2, 3, 3), (4, 2, 3), (1, 2, 3), (3, 1, 3), (2, 1, 3),
            ('halves', 3, 3), ('quarters', 3, 3), ('thirds', 2, 3), (4, 3, 2)]
BORROWED = 400000  # limit for the number of values of the alpha pipe
ENOUGH = 2  # number of parts to find for each row of SPECIAL


def run(program, text):
    done = subprocess.run([program], input=text, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit('%s: status %d' % (program, done.returncode))
    return done.stdout.strip()


class Tools:
    """The search programs, and their time limits."""

    def __init__(self, local, point, seconds, patience=PATIENCE):
        self.local, self.point, self.seconds, self.patience = local, point, seconds, patience

    def hasty(self):
        """Returns the same programs with shorter limits, for states that are expected to have covers: there
        no search succeeds, so all special inputs are tried."""
        return Tools(self.local, self.point, 2, PATIENCE[:2])


class Answer:
    """The output of a search program (described in local.c). of: its last word, 'none', 'local', 'budget' or
    'cover'; programs: (number of stages, text) of each cover; lent: the number of alpha stages whose values
    were all tried."""

    def __init__(self, lines):
        last = lines[-1].split()
        self.programs = sorted((int(line.split()[1]), line.split(' ', 2)[2]) for line in lines
                               if line.startswith('cover'))
        self.of = 'cover' if self.programs else last[0]
        self.lent = int(last[1]) if last[0] == 'none' else 0
        self.shortest = int(last[2]) if last[0] == 'local' else 0


class Pipe:
    """Searches for programs of up to `most` stages that compute one pipe of a state at all samples, or for a
    proof that there are none."""

    def __init__(self, state, kind, full, tools, most=STAGES):
        self.state, self.kind, self.full, self.tools, self.most = state, kind, full, tools, most
        self.inputs, borrowed = dependencies(state, kind)
        self.own = [(n, prefix(state, n)) for n in sorted(borrowed)] if kind == 'c' else []
        self.channels = (0, 1, 2) if kind == 'c' else (3,)
        self.channel = self.channels[0]
        self.parts, self.samples = i830_region.parts(state, self.inputs, self.channel, 12)
        self.at_point = i830_point.Finder(tools.point, state, kind, self.inputs, full, most)

    def ask(self, part, samples, merge=False, **question):
        question.setdefault('seconds', self.tools.seconds)
        q = i830_region.Question(self.full, most=self.most, **question)
        return Answer(run(self.tools.local, i830_region.problem(self.state, self.kind, self.inputs, part,
                                                                samples, q, self.own, merge)).split('\n'))

    def plain(self):
        """Returns programs without alpha values and ACCUM, or the parts of the input space that prove that
        there are none."""
        empty, self.none = [], []
        for part in self.parts:
            got = self.ask(part, self.samples, seconds=8)
            if got.programs:
                return got.programs
            if got.of == 'none' or got.of == 'local' and got.shortest >= self.most - 2:
                empty.append(part)
                self.none += [part] if got.of == 'none' else []
            if len(self.none) == 2 or len(empty) == 6:
                break
        return empty

    def specials(self):
        """Yields parts in which no program without alpha values and ACCUM exists: parts of special inputs,
        simple ones first, then others."""
        rng = random.Random('special %s' % self.kind)
        for unknowns, alphas, count in SPECIAL:
            kept = 0
            if unknowns < len(self.inputs) and (alphas == 'any' or self.kind == 'c'):
                for special in i830_special.choices(self.inputs, rng, count, unknowns, alphas):
                    found = i830_special.part(self.state, special, self.channels[:1],
                                              rng) if kept < ENOUGH else None
                    if found and self.ask(*found, merge=True, wanted=1, seconds=2).of == 'none':
                        kept += 1
                        yield found
        for part in self.none[:2]:
            yield part, self.samples

    def apart(self, joint, rows):
        """Yields parts of special inputs in which colours do not share unknowns with inputs of the alpha pipe
        (i830_special.py)."""
        rng, colours = random.Random('apart'), sum(s[2] == 'c' for s in self.inputs)
        for alphas, unknowns, count in rows or (TOGETHER if joint else APART):
            if unknowns <= max(1, colours):
                for special in i830_special.apart(self.inputs, rng, count, unknowns, alphas):
                    found = i830_special.part(self.state, special, (0, 3) if joint else self.channels[:1],
                                              rng)
                    if found:
                        yield found

    def borrows(self, joint=0, rows=None):
        """Returns whether special inputs prove that there is no cover, not even one that reads values of the
        alpha pipe. joint: the alpha pipe must also compute its own result (2: with a dot product)."""
        left, any_dots = self.apart(joint, rows), has_dots(self.state, 'c')
        for share in self.tools.patience:
            late = []
            for found in left:
                got = self.ask(*found, merge=True, wanted=1, borrow=BORROWED, colours=any_dots, joint=joint,
                               seconds=share * self.tools.seconds)
                if got.of == 'none':
                    return True
                late += [found] if got.of == 'budget' else []
            left = late
        return False

    def special(self):
        """Returns whether the local search with special inputs proves that there is no cover; for documented
        operations only."""
        if self.kind == 'c' and self.most > 1:
            return self.borrows()
        return bool(self.none) or next(self.specials(), None) is not None

    def shown_at_point(self):
        """Returns whether the search at one point proves that there is no cover; with documented operations,
        only for states without dot products."""
        return (self.full or not has_dots(self.state, self.kind)) and self.at_point.is_none()

    def shown(self):
        """Returns whether any of the searches proves that there is no cover."""
        return self.shown_at_point() or not self.full and bool(self.parts) and self.special()

    def decide(self):
        """Returns 'none' (proved), 'open', or programs of this pipe."""
        if not self.parts:
            constant = i830_region.constant(self.state, self.samples, self.channels)
            return [(1, '{%d}' % constant)] if constant is not None else 'open'
        if self.full and not has_dots(self.state, self.kind):
            found = self.at_point.covers([i830_region.grey(p) for p in self.samples], self.tools.seconds)
            if found:
                return [(text.count('{'), text) for text in found]
        got = self.plain()
        if is_found(got):
            return got
        if not self.full and self.special():
            return 'none'
        for lent, second in (((40, 20), False), ((0, 0), True))[self.kind == 'a':1 + self.full]:
            for part in (got or self.parts)[:2]:
                some = self.ask(part, self.samples, lent=lent, second=second, seconds=self.tools.seconds / 2)
                if some.programs:
                    return some.programs
        return 'open'

    def others(self, least):
        """Searches for more programs, with at least `least` stages."""
        out = []
        for part in self.parts[:2]:
            for lent, second in (((0, 0), False), ((40, 20), False), ((0, 0), True)):
                if (not lent[0] or self.kind == 'c') and (not second or self.full):
                    out += self.ask(part, self.samples, lent=lent, second=second, least=least).programs
        return out


def is_found(got):
    """Returns whether Pipe.plain has returned programs, not parts."""
    return bool(got) and isinstance(got[0][0], int)


def fit(state, colours, alphas, most):
    """Combines programs of both pipes. Returns (text of a cover, None, ()) or (None, the reason why no two of
    them can be combined, input vectors at which combinations are wrong)."""
    why, bad = None, []
    for colour in colours:
        for alpha in alphas:
            try:
                code = pack(state, [colour, alpha], most)
                wrong = failing(state, code)
                if wrong is None:
                    return '%s ; %s   %s' % (colour, alpha, ' '.join('%08x' % w for _,
                                                                     w in code.words)), None, ()
                bad = bad or wrong
                why = why or 'not equal everywhere: %s ; %s' % (colour, alpha)
            except (Joint, ProgramError) as e:
                why = why or '%s: %s ; %s' % (e, colour, alpha)
    return None, why, bad


def judge(tools, state, full, most=STAGES):
    """Judges a state: returns (verdict, explanation)."""
    pipes, programs = {}, {}
    for kind, name in (('a', 'alpha'), ('c', 'colour')):
        pipe = pipes[kind] = Pipe(state, kind, full, tools, most)
        if pipe.shown_at_point():
            return 'shown', '%s has no cover' % name
    for kind, name in (('a', 'alpha'), ('c', 'colour')):
        pipe = pipes[kind]
        programs[kind] = pipe.decide()
        if programs[kind] == 'none':
            return 'shown', '%s has no cover' % name
    if 'open' in programs.values():
        return 'open', '; '.join('%s: %s' % (k, v if isinstance(v, str) else v[0][1]) for k,
                                 v in programs.items())
    plain = {k: [p for _, p in v] for k, v in programs.items()}
    found, why, _ = fit(state, plain['c'], plain['a'], most)
    if found is None and not full and most == STAGES:
        both = pipes['c']
        both.inputs = both.inputs | pipes['a'].inputs
        if both.borrows(2 if has_dots(state, 'a') else 1):
            return 'shown', 'no covers go together'
    for kind in 'ca':  # programs that share CURRENT or factors may fit together if they are longer
        if found is None:
            for n in range(programs[kind][0][0], most + 1):
                plain[kind] += [p for _, p in pipes[kind].others(n)]
            plain[kind] = list(dict.fromkeys(plain[kind]))
            found, _, _ = fit(state, plain['c'], plain['a'], most)
    return ('cover', found) if found else ('open', why)


def lent(tools):
    """Tests the judge: no search may show that a state of LENT has no cover (it has one that reads the alpha
    pipe); the states of APART_ALONE must be shown to have none."""
    failed = 0
    for text in LENT:
        (state, _), = read(text)
        for joint in 0, 2 if has_dots(state, 'a') else 1:
            pipe = Pipe(state, 'c', 0, Tools(tools.local, tools.point, 5, (1,)))
            pipe.inputs |= dependencies(state, 'a')[0] if joint else set()
            if pipe.borrows(joint, [('halves', 2, 2), (1, 1, 2), (2, 1, 2), (1, 2, 3)]):
                failed += 1
                print('%s: shown%s' % (text, ' together' if joint else ''))
    for text in APART_ALONE:
        (state, _), = read(text)
        verdict, why = judge(tools, state, 0)
        if verdict != 'shown':
            failed += 1
            print('%s: %s: %s' % (text, verdict, why))
    print('cover_i830: %d states that read the alpha pipe, %d failed' % (len(LENT) + len(APART_ALONE),
        failed))
    return 1 if failed else 0


def operations(tools):
    """Tests the judge: it must find a cover of each state of OPERATIONS, no search may show that there is
    none, and the wrong covers of FALSE must be rejected."""
    failed = 0
    for text, *programs in FALSE:
        (state, _), = read(text)
        if fit(state, programs[:1], programs[1:], STAGES)[0]:
            failed += 1
            print('%s: a false cover' % text)
    for text, full in OPERATIONS:
        (state, _), = read(text)
        most = text.count('{') + (full and text.count('*') > 1)
        verdict, why = judge(tools, state, full, most)
        for kind in 'ac':
            pipe = Pipe(state, kind, full, tools.hasty(), most)
            pipe.plain()
            if pipe.shown():
                verdict, why = 'shown', kind
        if verdict != 'cover':
            failed += 1
            print('%s: %s: %s' % (text, verdict, why))
    failed += i830_programs.check(tools.point, 10)
    print('cover_i830: %d operations, %d failed' % (len(OPERATIONS), failed))
    return 1 if failed else 0


def self_test(tools, known):
    failed = 0
    for text, *wanted in known:
        (state, _), = read(text)
        for full in (0, 1):
            verdict, why = judge(tools, state, full) if wanted[full] else (None, None)
            if wanted[full] not in (verdict, None):
                failed += 1
                print('%s, %s: %s instead of %s: %s' % (text, ('documented', 'full')[full], verdict,
                                                        wanted[full], why))
    print('cover_i830: %d checks, %d failed' % (sum(w is not None for k in known for w in k[1:]), failed))
    return 1 if failed else 0


def accepted(args, tools):
    """Tests the judge on states that texenvc covers: no search may show that there is no cover."""
    wrong, verdicts = 0, Counter()
    for name, states in classic_i830.populations(args.count, args.only):
        some = [(s, chips.parse(b.text).stats['stages']) for s, b in zip(states, classic_i830.ours(states,
            args.level)) if b.refused is None]
        for state, n in [(s, n) for s, n in some if n > 1][:args.limit]:
            verdict, why = judge(tools, state, args.level == 'full')
            for kind in 'ac':
                pipe = Pipe(state, kind, args.level == 'full', tools.hasty())
                pipe.plain()
                if pipe.shown():
                    verdict, why = 'shown', kind
            verdicts[verdict] += 1
            if verdict != 'cover':
                wrong += verdict == 'shown'
                print('  ' + verdict + ': texenvc has a cover in %d stages: %s: %s'
                      % (n, stages_print.state_text(state), why), flush=True)
    print('%s: %d states of several stages: %s' % (args.level, sum(verdicts.values()), dict(verdicts)))
    return 1 if wrong or 10 * verdicts['cover'] < 8 * sum(verdicts.values()) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--local', required=True, metavar='PROGRAM', help='cover_i830_local, built')
    parser.add_argument('--point', required=True, metavar='PROGRAM', help='cover_i830_point, built')
    parser.add_argument('--state', metavar='TEXT')
    parser.add_argument('--full', action='store_true')
    parser.add_argument('--level', choices=('documented', 'full'))
    parser.add_argument('--count', type=int, default=500, metavar='N',
                        help='random states of each population')
    parser.add_argument('--seconds', type=float, default=20, metavar='S', help='for each pipe of a state')
    parser.add_argument('--limit', type=int, default=100, metavar='N',
                        help='refusals judged of each population')
    parser.add_argument('--only', default='', metavar='TEXT', help='only populations whose names begin so')
    parser.add_argument('--counts', action='store_true', help='judge numbers of stages instead of refusals')
    parser.add_argument('--accepted', action='store_true',
                        help='ask about what texenvc covers: exit 1 if that is shown to have no cover')
    parser.add_argument('--operations', action='store_true',
                        help='states that need each operation, scale and inversion, and random programs: '
                             'quick')
    parser.add_argument('--lent', action='store_true',
                        help='states that read the alpha pipe, and such as have covers of each pipe, but '
                             'none of both')
    parser.add_argument('--self', action='store_true', help='states with known answers')
    parser.add_argument('--self-long', action='store_true', help='those that take minutes')
    args = parser.parse_args()
    tools = Tools(args.local, args.point, args.seconds)
    if args.self or args.self_long:
        return self_test(tools, KNOWN if args.self else KNOWN_LONG)
    if args.operations or args.lent:
        return (lent if args.lent else operations)(tools)
    if args.state:
        (state, _), = read(args.state)
        print(*judge(tools, state, args.full), sep=': ')
        return 0
    return (counts if args.counts else accepted if args.accepted else refusals)(args, tools)


def counts(args, tools):
    """Searches for covers with fewer stages for states that texenvc covers in several stages."""
    verdicts = Counter()
    for name, states in classic_i830.populations(args.count, args.only):
        several = [(s, chips.parse(b.text).stats['stages']) for s, b in zip(states,
            classic_i830.ours(states, args.level)) if b.refused is None]
        several = [(s, n) for s, n in several if n > 1 and not has_dots(s, 'c') and not has_dots(s,
            'a')][:args.limit]
        here = Counter()
        for state, n in several:
            verdict, why = judge(tools, state, args.level == 'full', n - 1)
            here[verdict] += 1
            if verdict == 'cover':
                print('  fewer than %d: %s: %s' % (n, stages_print.state_text(state), why), flush=True)
        verdicts += here
        print('%-30s %s: %d states of several stages: %s' % (name, args.level, len(several), dict(here)),
              flush=True)
    print('%s: %s (shown: none in fewer stages)' % (args.level, dict(verdicts)))
    return 0


def refusals(args, tools):
    """Judges the random states that texenvc refuses."""
    wrong = 0
    for name, states in classic_i830.populations(args.count, args.only):
        blocks = classic_i830.ours(states, args.level, ())
        refused = [(s, chips.parse(b.text)) for s, b in zip(states, blocks) if b.refused is not None]
        reasons = Counter(r.code for _, r in refused)
        verdicts = Counter()
        judged = [s for s, r in refused if r.code in ('stages', 'search', 'constants') or r.code == 'full'
                  and args.level == 'documented'][:args.limit]
        for state in judged:
            verdict, why = judge(tools, state, args.level == 'full')
            verdicts[verdict] += 1
            if verdict != 'shown':
                wrong += verdict == 'cover'
                print('  %s: %s: %s' % (verdict, stages_print.state_text(state), why), flush=True)
        print('%-30s %s: %d states, refused: %s; judged %d: %s' % (name, args.level, len(states),
                                                                   dict(reasons), len(judged),
                                                                   dict(verdicts)), flush=True)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
