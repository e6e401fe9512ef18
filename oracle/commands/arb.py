"""The commands `arb-check` and `arb-random`, which convert ARB programs by texenvc and compare every
conversion with the program, and `arb-accept`, which compares which texts the oracle's parser and texenvc's
reader accept as programs.
"""
import argparse
import subprocess
import sys
import time
from collections import Counter, namedtuple

from ..common import framing
from ..common.errors import InputError, OracleError
from ..hw import chips
from ..lang import (arb_bindings, arb_glsl, arb_run, arb_text, every_arb, glsl_vertex, random_arb,
                    random_arb_vertex, random_ir)
from ..lang.arb_inputs import Inputs
from ..etnaviv import etnaviv_arb
from ..i915 import i915_arb
from ..ir3 import ir3_arb
from ..pvs import pvs_arb
from ..us import us_arb
from . import texenvc
from .jobs import run

LANGUAGES = ('arbfp', *glsl_vertex.VERSIONS)
CHIPS = {**us_arb.CHIPS, 'etnaviv': None, 'ir3': None, 'i915': None}
FORMS = (*LANGUAGES, *CHIPS)
BATCH = 50
TIMEOUT = 20            # seconds for one program; texenvc needs milliseconds

Failure = namedtuple('Failure', 'name form why text converted')


# The limits of texenvc's reader (notes/formats/arbfp.md), which are larger than those of its targets.
ROOM = arb_bindings.Limits(images=32, draw_buffers=32, env=4096, local=4096)


class ArbProgram:
    def __init__(self, text):
        self.program = arb_text.parse(text, ROOM)

    def evaluate(self, inputs, tolerance=arb_run.Exact):
        return arb_run.evaluate(self.program, inputs, tolerance)


def read(text, form, kind='fp'):
    """Reads a conversion of a program of kind 'vp' or 'fp'. The returned object has evaluate(inputs)."""
    if form == 'arbfp':
        return ArbProgram(text)
    own = {'etnaviv': etnaviv_arb, 'ir3': ir3_arb, 'i915': i915_arb}.get(form)
    if own:
        return own.parse(text)
    if form in CHIPS:
        return (pvs_arb if pvs_arb.is_vertex(text) else us_arb).parse(text)
    return (glsl_vertex if kind == 'vp' else arb_glsl).parse(text, form)


class Totals:
    COUNTS = ('programs', 'conversions', 'equal', 'refused', 'mismatches', 'compared', 'undefined', 'undecided',
              'killed')

    def __init__(self):
        for name in self.COUNTS:
            setattr(self, name, 0)
        self.reasons, self.failures, self.start = Counter(), [], time.time()

    def add(self, other):
        for name in self.COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.reasons.update(other.reasons)
        self.failures += other.failures

    def time(self):
        return time.time() - self.start

    def line(self):
        return ('%d programs, %d conversions: %d equal, %d refused, %d mismatches; components: %d compared, %d '
                'undefined, %d undecided; %d fragments killed, %.1f s' % (
                    self.programs, self.conversions, self.equal, self.refused, self.mismatches, self.compared,
                    self.undefined, self.undecided, self.killed, self.time()))


class Reference:
    """A program's results for some input vectors, evaluated once for each tolerance."""

    def __init__(self, text, name, vectors, program=None):
        self.program, self.name, self.vectors, self.known = program or ArbProgram(text), name, vectors, {}
        self.vertex = not program and self.program.program.kind == 'vp'

    def results(self, tolerance):
        """Returns [(inputs, run)]."""
        got = self.known.get(tolerance)
        if got is None:
            got = self.known[tolerance] = []
            for k in range(self.vectors):
                inputs = Inputs('%s %d' % (self.name, k))
                got.append((inputs, self.program.evaluate(inputs, tolerance)))
                inputs.settled = True
        return got

    def difference(self, conversion, form, totals):
        """Returns how the conversion differs from the program, or None."""
        chip = pvs_arb if self.vertex and form in CHIPS else us_arb
        for k, (inputs, wanted) in enumerate(self.results(chip.tolerance(form))):
            verdict = arb_run.Verdict(chip.widest(form))
            arb_run.compare(verdict, wanted, conversion.evaluate(inputs))
            totals.compared += verdict.compared
            totals.undefined += verdict.undefined
            totals.undecided += verdict.undecided
            totals.killed += wanted.killed is True
            if verdict.difference:
                return 'vector %d: %s' % (k, verdict.difference)
        return None


def convert(text, form, level, extra):
    """Converts a program by texenvc; returns (its output, the reason of a refusal)."""
    words = ['--from', 'ir' if text.startswith('!!texir') else 'arbfp', '--to', form, '-O', level, *extra]
    words += ['--format', 'json'] if form in CHIPS else []
    try:
        _, out, _ = texenvc.convert(['-'], words, stdin=text, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        raise OracleError('texenvc does not end') from None
    blocks = list(chips.blocks(out) if form in CHIPS else framing.split(out))
    if len(blocks) != 1:
        raise OracleError('texenvc gives %d programs for one' % len(blocks))
    return blocks[0].text, blocks[0].refused


def check_form(reference, text, form, level, options, totals):
    totals.conversions += 1
    converted, name = '', '%s -O%s' % (form, level)
    try:
        converted, refused = convert(text, form, level, options.extra)
        if refused is not None:
            totals.refused += 1
            totals.reasons['%s: %s' % (form, refused)] += 1
            return
        why = reference.difference(read(converted, form, reference.program.program.kind), form, totals)
    except OracleError as e:
        why = str(e)
    if why is None:
        totals.equal += 1
    else:
        totals.mismatches += 1
        totals.failures.append(Failure(reference.name, name, why, text, converted))


def check_text(text, name, options, totals, program=None):
    totals.programs += 1
    try:
        reference = Reference(text, name, options.vectors, program)
    except InputError as e:
        totals.mismatches += 1
        totals.failures.append(Failure(name, 'oracle', '%d:%d: %s' % (e.line, e.col, e.message), text, ''))
        return
    for form in options.to:
        for level in options.levels:
            check_form(reference, text, form, level, options, totals)


def report(totals, options):
    print(totals.line())
    for reason, count in totals.reasons.most_common(12):
        print('  refused %d: %s' % (count, reason))
    for name, form, why, text, converted in totals.failures[:options.show]:
        print('---- program %s as %s: %s' % (name, form, why))
        print(text.rstrip('\n'))
        print('---- as %s' % form)
        print(converted.rstrip('\n'))
    return 1 if totals.mismatches or not totals.programs or not totals.equal + totals.refused else 0


def check_command(args):
    totals = Totals()
    for path in args.files:
        try:
            with open(path, newline='', encoding='utf-8', errors='surrogateescape') as f:
                text = f.read()
        except OSError as e:
            raise OracleError('%s: %s' % (path, e.strerror)) from None
        check_text(text, path, args, totals)
    return report(totals, args)


def random_text(options, i):
    if options.every:
        kind = 'vp' if options.vertex else 'fp'
        return every_arb.program(kind, i * options.every % every_arb.count(kind))
    if options.window:
        return random_arb_vertex.pressing(options.seed, i, options.longest, options.window,
                                           parts=options.functions, functions=options.functions)
    features = {'plain': options.plain}
    if options.vertex:
        features['writer'] = random_arb_vertex.VertexWriter
    return random_arb.program(options.seed, i, options.shortest, options.longest, **features)


def ir_program(options, i):
    return random_ir.RandomIr(options.seed, i, options.longest, options.bounded)


def _chunk(job):
    options, first, last = job
    totals = Totals()
    for i in range(first, last):
        program = ir_program(options, i) if options.ir or options.bounded else None
        text = program.text() if program else random_text(options, i)
        check_text(text, '%d.%d' % (options.seed, i), options, totals, program)
    return totals


def random_command(args):
    if args.emit is not None:
        sys.stdout.write(ir_program(args, args.emit).text() if args.ir or args.bounded
                         else random_text(args, args.emit))
        return 0
    totals = Totals()
    if args.every:
        args.count = -(-every_arb.count('vp' if args.vertex else 'fp') // args.every) - args.first
    last = args.first + args.count
    jobs = [(args, i, min(i + BATCH, last)) for i in range(args.first, last, BATCH)]
    for part in run(_chunk, jobs, args.jobs):
        totals.add(part)
    return report(totals, args)


# ---- acceptance ----

def accepted(text):
    """Returns None if the text is accepted, else (line, column, message)."""
    try:
        arb_text.parse(text, ROOM)
    except InputError as e:
        return e.line, e.col, e.message
    return None


def texenvc_accepts(text):
    """Returns None if the text is accepted, else (line, column, message)."""
    try:
        status, _, err = texenvc.convert(['-'], ['--from', 'arbfp', '--to', 'arbfp'], stdin=text,
                                         statuses=(0, 1, 3), timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return 0, 0, 'texenvc does not end'
    if status != 1:
        return None
    for line in err.split('\n'):
        parts = line.split(':', 4)
        if len(parts) == 5 and parts[3].strip() == 'error':
            return int(parts[1]), int(parts[2]), parts[4].strip()
    return 0, 0, err


def accept_command(args):
    both = neither = 0
    places, wrong = 0, []
    for i in range(args.count):
        features = {'writer': random_arb_vertex.VertexWriter} if i % 3 == 2 else {}
        text = random_arb.program(args.seed, i, 1, args.longest, **features)
        if i % 5:
            text = random_arb.mutate(args.seed, i, text)
        ours, theirs = accepted(text), texenvc_accepts(text)
        if (ours is None) != (theirs is None):
            wrong.append((i, ours, theirs, text))
            continue
        both += ours is None
        neither += ours is not None
        places += ours is not None and ours[:2] == theirs[:2]
    print('%d texts: %d programs to both, %d to neither (%d with the same place), %d to one alone' % (
        args.count, both, neither, places, len(wrong)))
    for i, ours, theirs, text in wrong[:args.show]:
        at = ours or theirs
        lines = text.split('\n')
        print('  text %d: oracle %s, texenvc %s: %r' % (i, ours, theirs, lines[at[0] - 1][max(0, at[1] - 40):at[1] + 40]
                                                      if 0 < at[0] <= len(lines) else ''))
    return 1 if wrong else 0


def choices(known):
    """Returns the type of an option whose value is a comma-separated list of known words."""
    def words(text):
        got = text.split(',')
        unknown = [x for x in got if x not in known]
        if unknown:
            raise argparse.ArgumentTypeError('%r is none of %s' % (unknown[0], ', '.join(known)))
        return got
    return words


def add_options(p):
    p.add_argument('--to', type=choices(FORMS), default=['arbfp', 'glsl'], metavar='FORM,...',
                   help='forms that texenvc converts to, of %s (default arbfp,glsl)' % ', '.join(FORMS))
    p.add_argument('-O', dest='levels', type=choices(('0', '1', '2', '3')), default=['0', '2'], metavar='N,...',
                   help='how much texenvc optimises (default 0,2)')
    p.add_argument('--vectors', type=int, default=6, metavar='N', help='vectors of inputs a program (default 6)')
    p.add_argument('--show', type=int, default=3, metavar='N', help='mismatches that are printed (default 3)')
    p.add_argument('--pass', dest='extra', action='append', default=[], metavar='WORD',
                   help='a further word of texenvc\'s command line')


def add_commands(commands):
    p = commands.add_parser('arb-check', help='check ARB programs against their conversions',
                            description='Convert ARB fragment programs with texenvc and compare each conversion '
                            'with the program: exactly where the operations are rational, else within the '
                            'rounding of doubles (and, of chips, what their operations are stated to be off). '
                            'What the program leaves undefined is not compared. Refusals are counted by reason.')
    p.add_argument('files', nargs='+', metavar='FILE')
    add_options(p)
    p.set_defaults(run=check_command)
    p = commands.add_parser('arb-random', help='check random ARB programs against their conversions')
    add_options(p)
    p.add_argument('--count', type=int, default=100)
    p.add_argument('--first', type=int, default=0, metavar='I', help='index of the first program')
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--shortest', type=int, default=5, metavar='N', help='instructions')
    p.add_argument('--longest', type=int, default=300, metavar='N')
    p.add_argument('--plain', action='store_true',
                   help='no rectangle textures and no comparisons in lookups, which chips refuse; of vertex programs '
                   'no weights and colours of back sides, which languages refuse, and no elements beyond an array')
    p.add_argument('--vertex', action='store_true', help='vertex programs')
    p.add_argument('--every', type=int, metavar='N',
                   help='not random ones: those of every operation with every mask and kind of operands, each Nth')
    p.add_argument('--ir', action='store_true', help='assembly programs in the intermediate text')
    p.add_argument('--bounded', action='store_true',
                   help='the same with operations and inputs of texture environments only')
    p.add_argument('--window', type=int, metavar='W',
                   help='vertex programs of --longest single assignments, of which each reads the last W')
    p.add_argument('--functions', action='store_true',
                   help='of these: of one to four components, of which some are functions')
    p.add_argument('--emit', type=int, metavar='I', help='only print program I')
    p.add_argument('--jobs', type=int, default=1)
    p.set_defaults(run=random_command)
    p = commands.add_parser('arb-accept', help='which texts are ARB programs, by both readers')
    p.add_argument('--count', type=int, default=200)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--longest', type=int, default=30, metavar='N')
    p.add_argument('--show', type=int, default=10, metavar='N')
    p.set_defaults(run=accept_command)
