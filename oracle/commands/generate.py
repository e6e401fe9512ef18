"""The commands `enumerate`, `random` and `gl-check`: convert generated states by texenvc and compare."""
import sys

from ..gl import gl_print
from ..texenv import stages_print
from ..texenv.random_states import ALL, DEFAULT, DenseChains, FullChains, RandomStates, UniformChains
from ..texenv.state_sets import SETS
from . import check
from .compare import Comparer
from .jobs import run

CHUNK = 2000
GL_CHUNK = 300
STEEP_SHARE = 16        # searching all steep states would take several times as long as all other checks
_work = {}


def _chunk(job):
    """Worker process: checks states [start, stop) of the current sequence."""
    start, stop, via, options, vectors, seed, share = job
    sequence = _work['sequence']
    totals = check.Totals()
    comparer = _work.setdefault(('comparer', options, vectors), None)
    if comparer is None or comparer.done > 200000:
        comparer = _work['comparer', options, vectors] = Comparer(options, vectors, seed, share)
    check.check_states([sequence[i] for i in range(start, stop)], options, comparer, totals, via)
    return totals


def check_sequence(sequence, options, via, vectors, seed, jobs, share):
    """Checks a whole sequence and returns Totals; stops after the chunk that has the first mismatch."""
    _work.clear()
    _work['sequence'] = sequence
    size = CHUNK if via == 'stages' else GL_CHUNK
    parts = [(i, min(i + size, len(sequence)), via, options, vectors, seed + i // size, share)
             for i in range(0, len(sequence), size)]
    totals = check.Totals()
    for part in run(_chunk, parts, jobs):
        totals.add(part)
        check.terminal_progress(totals)
        if totals.first is not None:
            break
    return totals


def emit(sequence, path, via):
    """Writes the texts of a sequence without checking them."""
    out = sys.stdout if path == '-' else open(path, 'w')
    try:
        if via == 'stages':
            for i in range(len(sequence)):
                out.write(stages_print.state_text(sequence[i]) + '\n')
        else:
            states = [sequence[i] for i in range(len(sequence))]
            out.write((gl_print.scripts if via == 'gl' else gl_print.trace)(states))
    finally:
        if out is not sys.stdout:
            out.close()


def handle(sequence, args):
    print('%s: %d states (%s)' % (sequence.name, len(sequence), sequence.about()), flush=True)
    if args.count_only:
        return 0
    if args.emit:
        emit(sequence, args.emit, args.via)
        return 0
    options = check.options_of(args)
    totals = check_sequence(sequence, options, args.via, args.vectors or 16, args.seed, args.jobs,
                            check.share_of(args, STEEP_SHARE))
    return check.report(totals, options, args.via)


def enumerate_command(args):
    if args.list:
        for name in SETS:
            print(name)
        return 0
    names = args.sets or [n for n in SETS if n != 'long']
    for name in names:
        if name not in SETS:
            raise ValueError('unknown set %r (known: %s)' % (name, ' '.join(SETS)))
    status = 0
    for name in names:
        sequence = SETS[name]()
        if args.limit and len(sequence) > args.limit:
            sequence = Sample(sequence, args.limit)
        status = max(status, handle(sequence, args))
    return status


class Sample:
    """Every k-th member of a sequence."""

    def __init__(self, sequence, limit):
        self.sequence, self.name = sequence, sequence.name
        self.picks = range(0, len(sequence), -(-len(sequence) // limit))

    def __len__(self):
        return len(self.picks)

    def __getitem__(self, i):
        return self.sequence[self.picks[i]]

    def about(self):
        return 'a sample of %d' % len(self.sequence)


def random_command(args):
    features = DEFAULT if not args.features else args.features.split(',')
    if args.chains:
        sequence = {'full': FullChains, 'uniform': UniformChains,
                    'dense': DenseChains}[args.chains](args.count, args.max_units, args.seed, args.colors)
    else:
        sequence = RandomStates(args.count, args.seed, args.max_units, features, args.colors,
                                args.texture_units)
    return handle(sequence, args)


def gl_check_command(args):
    args.count_only = False
    if args.via == 'stages':
        raise ValueError('gl-check goes through gl or apitrace')
    return random_command(args)


def add_commands(commands):
    p = commands.add_parser('enumerate', help='check systematic sets of states',
                            description='Check systematic sets of states through '
                            'texenvc. Sets: %s (without a name: all but long).' % ' '.join(SETS))
    p.add_argument('sets', nargs='*', metavar='SET')
    p.add_argument('--list', action='store_true', help='print the names of the sets')
    p.add_argument('--count', dest='count_only', action='store_true', help='print the numbers of states only')
    p.add_argument('--limit', type=int, metavar='N', help='take an even sample of about N states of each set')
    p.set_defaults(run=enumerate_command)
    q = commands.add_parser('random', help='check random states',
                            description='Check seeded random states through texenvc.')
    q.set_defaults(run=random_command, count_only=False)
    g = commands.add_parser('gl-check', help='check random states written as GL calls',
                            description='Like random, but the states go to '
                            'texenvc as GL calls in many spellings, with attribute stacks and display lists.')
    g.set_defaults(run=gl_check_command)
    for x in (q, g):
        x.add_argument('--count', type=int, default=1000, metavar='N', help='number of states (default 1000)')
        x.add_argument('--max-units', type=int, default=8, choices=range(1, 9), metavar='N',
                       help='units, 1 to 8')
        x.add_argument('--colors', choices=('any', '8bit'), default='any',
                       help='environment colours: 8bit are k/255')
        x.add_argument('--texture-units', type=int, default=8, choices=range(1, 9), metavar='N',
                       help='no unit from N on has its texture read')
        x.add_argument('--chains', choices=('full', 'uniform', 'dense'),
                       help='chains of exactly --max-units stages, in which each reads its predecessor '
                       '(uniform: over functions, sources, operands and scales; dense: of two textures)')
        x.add_argument('--features', metavar='A,B,...', help='what may occur: %s' % ' '.join(ALL))
    for x in (p, q, g):
        x.add_argument('--via', choices=('stages', 'gl', 'apitrace'), default='gl' if x is g else 'stages',
                       help='form in which the states go to texenvc')
        x.add_argument('--emit', metavar='FILE', help='only write the texts (- is standard output)')
        check.add_options(x)
