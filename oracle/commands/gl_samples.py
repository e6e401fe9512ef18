"""The command `gl-samples`: compares what a real GL drew with fixed function (texenv-gldiff --samples) with
the oracle's value of the same states.
"""
import struct
import sys
from fractions import Fraction

from ..common.domain import Columns, Node
from ..common.errors import OracleError
from ..common.vectors import Named, WithColours
from ..texenv import stages
from ..texenv.texenv_eval import color_sum, evaluate

POINTS = 16
F = 48              # precision: inputs are single-precision numbers in [0,1], 0 or at least 2^-24


def single(text):
    """Returns the single-precision number with this nine-digit decimal."""
    return struct.unpack('f', struct.pack('f', float(text)))[0]


class Bank(Named):
    """The inputs of one bank of points, in columns."""

    def __init__(self, rows):
        self.dom = Columns(POINTS)
        names = [('primary', 0, c) for c in range(4)] + [('secondary', 0, c) for c in range(3)]
        names += [('tex', u, c) for u in range(8) for c in range(4)]
        self.columns = {}
        for name, values in zip(names, zip(*rows)):
            column = [Fraction(v) * (1 << F) for v in values]
            if any(v.denominator != 1 for v in column):
                raise OracleError('an input is no multiple of 2^-%d' % F)
            self.columns[name] = Node(F, [int(v) for v in column])

    def get(self, name):
        if name[0] == 'shadow':             # r is 0 everywhere, and 0 <= depth
            return self.dom.one
        return self.columns[name]


def gain_of(state):
    """Returns the factor by which an error of the first stage can grow: the product of the scales, where a
    dot product counts as a scale of 4."""
    gain = 1
    for unit in state.units:
        if unit is None or unit.mode not in ('combine', 'combine4'):
            continue
        gain *= max((4 if half.func.startswith('dot3') else 1) * (half.scale or 1)
                    for half in (unit.rgb, unit.alpha) if half is not None)
    return gain


def read_samples(lines):
    """Yields (bank, number, state text, 16 rows of 4 floats)."""
    rows, banks = {}, {}
    lines = iter(lines)
    for line in lines:
        kind, _, rest = line.partition(' ')
        if kind == 'input':
            fields = rest.split()
            rows.setdefault(int(fields[0]), []).append([single(x) for x in fields[2:]])
            continue
        if kind != 'state':
            raise OracleError('no sample: %s' % line.strip()[:60])
        number, bank, text = rest.rstrip('\n').split(' ', 2)
        flat = [single(x) for x in next(lines).split()]
        values = [flat[i:i + 4] for i in range(0, 4 * POINTS, 4)]
        if int(bank) not in banks:
            banks[int(bank)] = Bank(rows[int(bank)])
        yield banks[int(bank)], int(number), text, values


def command(args):
    states, over, most, first = 0, 0, 0.0, None
    for bank, number, text, values in read_samples(sys.stdin):
        state = next(stages.read(text))[0]
        inputs = WithColours(bank, state)
        result = evaluate(state, inputs)
        if state.colorsum:
            result = color_sum(bank.dom, result, inputs)
        bank.dom.trim()
        states += 1
        worst = 0.0
        for c in range(4):
            for p, exact in enumerate(result[c].values()):
                got = values[p][c]
                if state.colorsum:          # the framebuffer clamps the sum
                    got, exact = min(1.0, max(0.0, got)), min(Fraction(1), max(Fraction(0), exact))
                distance = abs(got - float(exact))
                worst = max(worst, distance if distance == distance else float('inf'))
        most = max(most, worst)
        if worst > args.tolerance * gain_of(state):
            over += 1
            if first is None:
                first = 'state %d: %s differs by %g' % (number, text, worst)
    print('%d states, %d over, largest difference %g' % (states, over, most))
    if first:
        print(first)
    return 1 if over or not states else 0


def add_commands(commands):
    p = commands.add_parser('gl-samples',
                            help='compare what texenv-gldiff --samples printed (standard input) with the '
                                 'oracle',
                            description='Every state is evaluated exactly at the points that were drawn. A '
                                        'state is over if it differs by more than the tolerance times '
                            'its gain (the product of its scales, and 4 for a dot product).')
    p.add_argument('--tolerance', type=float, default=2e-6)
    p.set_defaults(run=command)
