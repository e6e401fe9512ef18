"""The commands `vertex-check` and `vertex-random`: convert states of the vertex half by texenvc and compare
every program with fixed function on the same vertices.
"""
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

from ..common import framing
from ..common.errors import OracleError
from ..common.spans import Poison, Span
from ..hw import chips
from ..lang import arb_run, glsl_vertex
from ..pvs import pvs_arb
from ..vertex import fixed_vertex, vertex_draws, vertex_words
from ..vertex.gl_values import Bindings
from . import arb, texenvc
from .jobs import run

ARB = ('arbvp', 'arbfp')
CHIPS = ('r300', 'r400', 'r500')
FORMS = (*ARB, *glsl_vertex.VERSIONS, *CHIPS)
BATCH = 40
TIMEOUT = 120           # seconds for a batch
ROUNDS = 200            # how many programs are tried to make a failing state smaller
WIDEST = 1e-6           # lanes whose value the oracle knows less precisely are not compared


class Totals(arb.Totals):
    def line(self):
        return ('%d states, %d conversions: %d equal, %d refused, %d mismatches; components: %d compared, %d '
                'undecided, %.1f s' % (self.programs, self.conversions, self.equal, self.refused, self.mismatches,
                                       self.compared, self.undecided, self.time()))


class Reference:
    """A state's results for some vertices."""

    def __init__(self, words, name, vectors):
        self.words, self.name, self.state = words, name, vertex_words.read(' '.join(words), name)
        self.drawn = [vertex_draws.draw('%s %d' % (name, k), self.state) for k in range(vectors)]
        self.bindings, self.known = [Bindings(gl) for gl in self.drawn], {}

    def results(self, chip):
        got = self.known.get(chip)
        if got is None:
            zero = pvs_arb.ChipLit.zero_power if chip else fixed_vertex.no_power
            got = self.known[chip] = [fixed_vertex.evaluate(self.state, gl, zero) for gl in self.drawn]
        return got

    def difference(self, program, form, totals):
        """Returns (vertex, description) of the first difference, or None."""
        for k, wanted in enumerate(self.results(form in CHIPS)):
            verdict = arb_run.Verdict(WIDEST)
            compare(verdict, wanted, program.evaluate(self.bindings[k]).out)
            totals.compared += verdict.compared
            totals.undecided += verdict.undecided
            if verdict.difference:
                return k, verdict.difference
        return None


def compare(verdict, wanted, got):
    for name, lanes in wanted.items():
        missing = Poison('%s was not written' % name)
        other = list(got.get(name, ()))
        for k, want in enumerate(lanes):
            if want is not None:
                given = other[k] if k < len(other) else missing
                arb_run.compare_lane(verdict, '%s.%s' % (name, 'xyzw'[k]), want, given)


class ArbProgram(arb.ArbProgram):
    def __init__(self, text):
        super().__init__(text)
        if self.program.kind != 'vp':
            raise OracleError('no vertex program')


def read(text, form):
    """Reads a conversion; the returned object has evaluate(inputs)."""
    if form in CHIPS:
        return pvs_arb.parse(text)
    return ArbProgram(text) if form in ARB else glsl_vertex.parse(text, form)


# ---- texenvc ----

def convert(texts, form, level, extra=()):
    """Converts texts of words by texenvc; returns [(output, reason of a refusal)] in order."""
    words = ['--from', 'vertex', '--stage', 'vertex', '--to', form, '-O', level, *extra]
    words += ['--format', 'json'] if form in CHIPS else []
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for k, text in enumerate(texts):
            paths.append(os.path.join(folder, '%d.vertex' % k))
            with open(paths[-1], 'w', encoding='ascii') as f:
                f.write(text)
        try:
            _, out, _ = texenvc.convert(paths, words, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            raise OracleError('texenvc does not end') from None
    blocks = list(chips.blocks(out) if form in CHIPS else framing.split(out))
    if len(blocks) != len(texts) or len(texts) > 1 and [b.file for b in blocks] != paths:
        raise OracleError('texenvc gives %d programs for %d states' % (len(blocks), len(texts)))
    return [(b.text, b.refused) for b in blocks]


def convert_each(texts, form, level, extra):
    """Does the same as convert() with one run per text if a common run fails. The result for a text with
    which texenvc fails is (OracleError, None)."""
    try:
        return convert(texts, form, level, extra)
    except OracleError as e:
        if len(texts) == 1:
            return [(e, None)]
    half = len(texts) // 2
    return convert_each(texts[:half], form, level, extra) + convert_each(texts[half:], form, level, extra)


# ---- checks ----

def judge(reference, converted, form, totals):
    """Returns why a conversion is wrong, as (vertex or None, description), or None."""
    if isinstance(converted, OracleError):
        return None, str(converted)
    try:
        return reference.difference(read(converted, form), form, totals)
    except OracleError as e:
        return None, str(e)


def check_form(references, form, level, options, totals):
    texts = [' '.join(r.words) for r in references]
    for reference, (converted, refused) in zip(references, convert_each(texts, form, level, options.extra)):
        totals.conversions += 1
        if refused is not None:
            totals.refused += 1
            totals.reasons['%s: %s' % (form, refused)] += 1
            continue
        wrong = judge(reference, converted, form, totals)
        if wrong is None:
            totals.equal += 1
        else:
            totals.mismatches += 1
            totals.failures.append((reference.words, reference.name, form, level))


def check_references(references, options, totals):
    totals.programs += len(references)
    for form in options.to:
        for level in options.levels:
            check_form(references, form, level, options, totals)


# ---- a failing state ----

def fails(words, name, form, level, options):
    """Returns (reference, text, vertex, description) of a failure, or None."""
    try:
        reference = Reference(words, name, options.vectors)
    except (OracleError, ValueError):
        return None
    (converted, refused), = convert_each([' '.join(words)], form, level, options.extra)
    if refused is not None:
        return None
    wrong = judge(reference, converted, form, Totals())
    return wrong and (reference, converted, *wrong)


def shrunk(words, name, form, level, options):
    """Returns the failure of the smallest state that was found."""
    best = fails(words, name, form, level, options)
    tries = 0
    while best:
        for words in vertex_words.smaller(best[0].words):
            tries += 1
            found = fails(words, name, form, level, options) if tries < ROUNDS else None
            if found:
                best = found
                break
        else:
            break
    return best


def shown(x):
    if isinstance(x, Fraction):
        return str(x)
    return '[%.9g, %.9g]' % (x.lo, x.hi) if isinstance(x, Span) else repr(x)


def describe(failure, options):
    words, name, form, level = failure
    best = shrunk(words, name, form, level, options)
    if best is None:
        return '---- state %s as %s -O%s: only in a batch' % (name, form, level)
    small, text, vertex, why = best
    lines = ['---- state %s as %s -O%s: %s%s' % (name, form, level,
                                                 '' if vertex is None else 'vertex %d: ' % vertex, why),
             'of:     %s' % ' '.join(words), 'shrunk: %s' % ' '.join(small.words)]
    if vertex is not None:
        lines += ['  %s = (%s)' % (name, ', '.join(map(shown, value)))
                  for name, value in sorted(small.bindings[vertex].known.items())]
    return '\n'.join(lines + [str(text).rstrip('\n')])


def report(totals, options):
    print(totals.line())
    for reason, count in totals.reasons.most_common(12):
        print('  refused %d: %s' % (count, reason))
    for failure in totals.failures[:options.show]:
        print(describe(failure, options))
    return 1 if totals.mismatches or not totals.programs or not totals.equal + totals.refused else 0


# ---- commands ----

def check_command(args):
    totals, references = Totals(), []
    for path in args.files:
        try:
            with open(path, encoding='utf-8') as f:
                references.append(Reference(vertex_words.split(f.read()), path, args.vectors))
        except OSError as e:
            raise OracleError('%s: %s' % (path, e.strerror)) from None
    check_references(references, args, totals)
    return report(totals, args)


def random_reference(options, i):
    name = '%d.%d' % (options.seed, i)
    return Reference(vertex_words.random_words(random.Random('vertex ' + name)), name, options.vectors)


def _chunk(job):
    options, first, last = job
    totals = Totals()
    check_references([random_reference(options, i) for i in range(first, last)], options, totals)
    return totals


def random_command(args):
    if args.emit is not None:
        sys.stdout.write(' '.join(random_reference(args, args.emit).words) + '\n')
        return 0
    totals, last = Totals(), args.first + args.count
    jobs = [(args, i, min(i + BATCH, last)) for i in range(args.first, last, BATCH)]
    for part in run(_chunk, jobs, args.jobs):
        totals.add(part)
    return report(totals, args)


def add_options(p):
    p.add_argument('--to', type=arb.choices(FORMS), default=['arbvp', 'glsl'], metavar='FORM,...',
                   help='forms that texenvc converts to, of %s (default arbvp,glsl)' % ', '.join(FORMS))
    p.add_argument('-O', dest='levels', type=arb.choices(('0', '1', '2', '3')), default=['2'], metavar='N,...',
                   help='how much texenvc optimises (default 2)')
    p.add_argument('--vectors', type=int, default=3, metavar='N', help='vertices a state (default 3)')
    p.add_argument('--show', type=int, default=3, metavar='N', help='mismatches that are printed (default 3)')
    p.add_argument('--pass', dest='extra', action='append', default=[], metavar='WORD',
                   help='a further word of texenvc\'s command line')


def add_commands(commands):
    p = commands.add_parser('vertex-check', help='check the vertex programs of states of fixed function',
                            description='Convert states of the vertex half (words) with texenvc and '
                            'compare each program with what the OpenGL 2.1 specification makes of the same vertices: '
                            'exactly where its formulas are rational, else within the rounding of doubles (and, of '
                            'r300 to r500, what LIT makes of powers of 0).')
    p.add_argument('files', nargs='+', metavar='FILE')
    add_options(p)
    p.set_defaults(run=check_command)
    p = commands.add_parser('vertex-random', help='check the vertex programs of random states')
    add_options(p)
    p.add_argument('--count', type=int, default=100)
    p.add_argument('--first', type=int, default=0, metavar='I', help='index of the first state')
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--jobs', type=int, default=1, metavar='N', help='processes')
    p.add_argument('--emit', type=int, metavar='I', help='print the words of state I and do nothing else')
    p.set_defaults(run=random_command)
