"""Compares states, as the oracle reads them, with the programs that texenvc converts them to. Used by the
command `check` and others.
"""
import sys
import time
from collections import Counter, namedtuple

from ..common import framing
from ..common.errors import OracleError, Refused
from ..hw import chips
from ..lang import languages
from ..texenv.liveness import refusal_holds
from ..texenv.state import DEFAULT_POLICY, make_policy
from . import inputs, texenvc
from .compare import Comparer, Difference, Options

Failure = namedtuple('Failure', 'item difference text')
BATCH_FILES = 400


class Totals:
    """Counts the states of a run by outcome."""

    def __init__(self):
        self.states = self.equal = self.refused = self.mismatches = 0
        self.notes = []
        self.reasons = Counter()
        self.first = None
        self.start = time.time()

    def fail(self, failure):
        self.mismatches += 1
        if self.first is None:
            self.first = failure

    def add(self, other):
        self.states += other.states
        self.equal += other.equal
        self.refused += other.refused
        self.mismatches += other.mismatches
        self.reasons.update(other.reasons)
        self.notes += other.notes
        if self.first is None:
            self.first = other.first

    def line(self):
        return '%d states, %d equal, %d refused, %d mismatches, %.1f s' % (
            self.states, self.equal, self.refused, self.mismatches, time.time() - self.start)


def add_options(parser):
    """Adds the command-line options that are shared by all commands that run texenvc."""
    parser.add_argument('--to', choices=('atifs', 'ir', *languages.LANGUAGES, *chips.CHIPS), default='atifs',
                        help='form that texenvc converts to (default atifs)')
    parser.add_argument('--policy', action='append', default=[], metavar='NAME=VALUE',
                        help='crossbar-off=pass|one|zero|refuse, dot3-alpha=alpha|rgb')
    parser.add_argument('--bind', choices=('keep', 'compact'), default='keep',
                        help='texture to register binding')
    parser.add_argument('--avoid', choices=('mesa',),
                        help='also evaluate as Mesa 22.3.6 does and demand its stricter rules')
    parser.add_argument('--constants', choices=('local', 'literal'), default='literal',
                        help='form of the constants')
    parser.add_argument('-O', dest='level', choices=('0', '1', '2', '3'), default=None,
                        help='how much texenvc optimises (default its own)')
    parser.add_argument('--each', action='store_true',
                        help='compare the intermediate program after each pass of texenvc')
    parser.add_argument('--fold-constants', dest='fold', action='store_true',
                        help='texenvc may fold the values of the environment colours')
    parser.add_argument('--model', default='real', metavar='MODEL',
                        help='number model of a chip: real (exact, default), or one of its own')
    parser.add_argument('--assume', action='append', default=[], metavar='NAME',
                        help='a reading of what is not known of a chip')
    parser.add_argument('--pass', dest='extra', action='append', default=[], metavar='WORD',
                        help='a further word of texenvc\'s command line')
    parser.add_argument('--judge', action='store_true',
                        help='of a chip: look for a schedule of each refused state, where there is a search')
    parser.add_argument('--vectors', type=int, default=None, metavar='N', help='input vectors per state')
    parser.add_argument('--steep', type=int, default=None, metavar='N',
                        help='search input vectors for one in N of the states with steep '
                        'stages, between their clamps (default 1, of generated states 16; 0: none)')
    parser.add_argument('--seed', type=int, default=1, help='seed of the vectors (and of random states)')
    parser.add_argument('--jobs', type=int, default=1, metavar='N', help='worker processes')


def options_of(args):
    options = Options('ir' if args.each else args.to, make_policy(args.policy), args.bind,
                      args.avoid == 'mesa', args.constants, args.level, args.each,
                      args.fold, args.model, tuple(args.assume), tuple(args.extra), args.judge)
    if options.to in chips.CHIPS:
        chips.check_names(options)
    elif options.model != 'real' or options.assume:
        raise ValueError('--model and --assume belong to chips')
    return options


def texenvc_options(kind, options):
    """Returns the command line of texenvc for these options."""
    out = (['--from', kind] if kind else []) + ['--to', options.to]
    policy = options.policy
    if policy.crossbar_off != 'default':
        out += ['--policy', 'crossbar-off=' + policy.crossbar_off]
    if policy.dot3_alpha != DEFAULT_POLICY.dot3_alpha:
        out += ['--policy', 'dot3-alpha=' + policy.dot3_alpha]
    if options.bind != 'keep':
        out += ['--bind', options.bind]
    if options.avoid_mesa:
        out += ['--avoid', 'mesa']
    if options.level is not None:
        out += ['-O', options.level]
    if options.fold:
        out += ['--fold-constants']
    if options.each:
        out += ['--print-after=all']
    if options.constants != 'literal':
        out += ['--constants', options.constants]
    if options.to in chips.CHIPS:
        names = chips.module(options.to).ASSUMPTIONS
        out += ['--format', 'json']
        for name in options.assume:
            if names[name].option:
                out += ['--assume', name]
    return out + list(options.extra)


def output_blocks(text, options):
    """Splits an output into blocks, one per state."""
    return list(chips.blocks(text) if options.to in chips.CHIPS else framing.blocks(text.splitlines(True)))


def judge_refusal(block, state, options):
    """Judges a refusal: returns (class, problem or None)."""
    if options.to in chips.CHIPS:
        return chips.judge(block.text, state, options)
    if options.to in languages.LANGUAGES:
        return languages.refusal(block.refused, state, options.to)
    return refusal_holds(block.refused, state, options.policy, options.bind,
                         options.avoid_mesa and state.colorsum)


def check_one(item, block, comparer, totals):
    """Checks one state against its block of the output."""
    totals.states += 1
    options = comparer.options
    if block.refused is not None:
        try:
            kind, problem = judge_refusal(block, item.state, options)
        except Refused:
            kind, problem = 'policy', None
        if options.to == 'ir' and not options.each and problem is None and kind not in ('policy',):
            problem = 'the intermediate program has no such limit'
        totals.refused += 1
        totals.reasons[kind if kind != 'other' else block.refused] += 1
        if problem:
            totals.fail(Failure(item, Difference('refused: %s; but %s' % (block.refused, problem), None), ''))
        return
    try:
        difference = comparer.compare(item.state, block.text)
    except Refused as e:
        difference = Difference('converted, but %s' % e, None)
    if difference is None:
        totals.equal += 1
    else:
        totals.fail(Failure(item, difference, block.text))


def align(items, blocks):
    """Checks that both readings have the same states; yields pairs, raises if the counts differ."""
    if len(blocks) != len(items):
        raise OracleError('texenvc gives %d states, the oracle reads %d' % (len(blocks), len(items)))
    for n, (item, block) in enumerate(zip(items, blocks), 1):
        if block.number is not None and block.number != n:
            raise OracleError('texenvc numbers state %d as %d' % (n, block.number))
        yield item, block


def align_trace(items, blocks, comparer):
    """Pairs the states of a trace. Both sides merge equal states, but texenvc may recognise more states as
    equal than the oracle does. A state of the oracle without a block of its own is paired with an earlier
    block, which must have the same value. The numbers of draws must agree."""
    one_file = len({block.file for block in blocks}) == 1      # the file's name may be spelled differently
    own = {(one_file or block.file, block.call): block for block in blocks}
    met = set()
    for item in items:
        key = (one_file or item.file, item.call)
        if key in own:
            met.add(key)
            if own[key].draws < item.draws:
                raise OracleError('%s: texenvc counts %d draws for the state of call %d, the oracle %d' % (
                    item.file, own[key].draws, item.call, item.draws))
        else:
            equal = (k for k in own if k[0] == key[0] and k[1] < item.call
                     and same_value(item, own[k], comparer))
            key = next(equal, None)
            if key is None:
                raise OracleError('%s: texenvc has no state for that of call %d' % (item.file, item.call))
        yield item, own[key]
    extra = sorted(set(own) - met)
    if extra:
        raise OracleError('%s: the oracle has no state for that of call %d'
                          % (own[extra[0]].file, extra[0][1]))
    draws, expected = sum(block.draws for block in blocks), sum(item.draws for item in items)
    if draws != expected:
        raise OracleError('texenvc counts %d draws, the oracle %d' % (draws, expected))


def same_value(item, block, comparer):
    return block.refused is None and comparer.compare(item.state, block.text) is None


def position_note(item, block):
    """Returns a note if the positions differ."""
    if block.line is not None and item.line is not None and block.line != item.line:
        return '%s: texenvc says line %d, the oracle line %d' % (item.file, block.line, item.line)
    return None


def check_batch(files, items, kind, options, totals, comparer, progress=None):
    """Converts these files in one run of texenvc and compares the results."""
    _, out, _ = texenvc.convert(files, texenvc_options(kind, options))
    blocks = output_blocks(out, options)
    trace = blocks and blocks[0].call is not None
    for item, block in align_trace(items, blocks, comparer) if trace else align(items, blocks):
        note = position_note(item, block)
        if note:
            totals.notes.append(note)
        assumed = '# textures assumed complete' in block.text
        expected = item.state.assumed and any(u is not None for u in item.state.units)
        if block.refused is None and options.to == 'atifs' and expected != assumed and kind != 'stages' and \
                '# textures assumed' in out:
            totals.notes.append('%s: "textures assumed complete" is said %s' % (
                item.file, 'wrongly' if assumed else 'not at all'))
        check_one(item, block, comparer, totals)
        if progress and totals.states % 500 == 0:
            progress(totals)


def batches(paths, kind, policy):
    """Yields (files, items, kind): consecutive files of one kind."""
    files, items, current = [], [], None
    for path in paths:
        text = inputs.load(path)
        this = kind or inputs.detect(text)
        if files and (this != current or len(files) >= BATCH_FILES):
            yield files, items, current
            files, items = [], []
        current = this
        files.append(path)
        items += list(inputs.read_text(text, this, path, policy))
    if files:
        yield files, items, current


def check_files(paths, kind, options, vectors=64, seed=1, progress=None, share=1):
    """Checks files; returns Totals."""
    totals = Totals()
    comparer = Comparer(options, vectors, seed, share)
    for files, items, this in batches(paths, kind, options.policy):
        check_batch(files, items, this, options, totals, comparer, progress)
    return totals


def check_states(states, options, comparer, totals, via='stages'):
    """Checks generated states: prints them, converts the text in one run of texenvc, and compares."""
    from ..gl import gl_print
    from ..texenv import stages_print
    states = list(states)
    if via == 'stages':
        text = '\n'.join(map(stages_print.state_text, states)) + '\n'
    elif via == 'gl':
        text = gl_print.scripts(states)
    else:
        text = gl_print.trace(states)
    _, out, _ = texenvc.convert(['-'], texenvc_options(via, options), stdin=text)
    blocks = output_blocks(out, options)
    # a trace merges equal states, so the states are those that the oracle reads from it
    if via == 'apitrace':
        pairs = align_trace(list(inputs.read_text(text, via, '<stdin>', options.policy)), blocks, comparer)
    else:
        pairs = align([inputs.Item(s, '-', None, None, 1) for s in states], blocks)
    for item, block in pairs:
        check_one(item, block, comparer, totals)


def terminal_progress(totals):
    if sys.stderr.isatty():
        sys.stderr.write('\r%s ' % totals.line())
        sys.stderr.flush()


def report(totals, options, via, out=None):
    """Prints totals and the first mismatch, shrunk; returns the exit status."""
    from .shrink import describe, shrink_failure
    out = out or sys.stdout
    if sys.stderr.isatty():
        sys.stderr.write('\r')
    print(totals.line(), file=out)
    for reason, count in sorted(totals.reasons.items()):
        print('  refused %d: %s' % (count, reason), file=out)
    for note in totals.notes[:5]:
        print('  note: ' + note, file=out)
    if len(totals.notes) > 5:
        print('  and %d more notes' % (len(totals.notes) - 5), file=out)
    if totals.first is None:
        return 0
    item = totals.first.item
    where = item.file + (':%d' % item.line if item.line else ':call %s' % item.call if item.call else '')
    print('\nfirst mismatch: %s: %s' % (where, totals.first.difference.message), file=out)
    for line in describe(shrink_failure(totals.first, options, via), options):
        print(line, file=out)
    return 1


def share_of(args, default):
    return default if args.steep is None else args.steep


def check_command(args):
    options, share = options_of(args), share_of(args, 1)
    paths = inputs.find_files(args.files)
    if args.jobs > 1 and len(paths) > 1:
        from .jobs import parallel_files
        totals = parallel_files(paths, args.kind, options, args.vectors or 64, args.seed, args.jobs, share)
    else:
        totals = check_files(paths, args.kind, options, args.vectors or 64, args.seed, terminal_progress,
                             share)
    return report(totals, options, None)
