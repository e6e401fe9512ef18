"""The command `eval`: prints values for a person."""
import re
from fractions import Fraction

from ..atifs import atifs_eval, atifs_text
from ..common import framing
from ..common.errors import InputError, OracleError
from ..common.vectors import Single, WithColours
from ..ir import ir_eval, ir_text
from ..lang import languages
from ..texenv import stages_print
from ..texenv.state import make_policy
from ..texenv.texenv_eval import color_sum, evaluate
from . import inputs
from .shrink import show_colour

NAMES = {'T': 'tex', 'S': 'shadow', 'C': 'env'}


def parse_input(items):
    """Parses ['T0=.5,.25,1,1', 'F=...', 'sec=...'] to a Single."""
    values = {}
    for item in items:
        name, eq, numbers = item.partition('=')
        m = re.fullmatch(r'([TSC])([0-7])|(F|sec)', name.strip())
        try:
            parts = [Fraction(x) for x in numbers.split(',')]
        except (ValueError, ZeroDivisionError):
            parts = []
        if not m or not eq or not 1 <= len(parts) <= 4:
            raise ValueError('bad input %r (T0=r,g,b,a  S0=compare  C0=r,g,b,a  F=r,g,b,a  sec=r,g,b)' % item)
        parts += parts[-1:] * (4 - len(parts))
        for c in range(4):
            if m.group(3):
                values['primary' if m.group(3) == 'F' else 'secondary', 0, c] = parts[c]
            else:
                values[NAMES[m.group(1)], int(m.group(2)), c] = parts[c]
    return Single(values)


def programs(text, kind):
    """Yields the programs of an ir, atifs or language text with any framing."""
    out = []
    for n, block in enumerate(framing.split(text), 1):
        if block.refused is not None:
            out.append(None)
            continue
        body = block.text
        lead = len(body) - len(body.lstrip('\n'))
        try:
            out.append(atifs_text.parse(body[lead:]) if kind == 'atifs' else ir_text.parse(body)
                       if kind == 'ir' else languages.parse(body[lead:], None))
        except InputError as e:
            raise InputError('state %d: %s' % (block.number or n, e.message), e.line + lead, e.col) from None
    return out


def eval_command(args):
    text = inputs.load(args.file)
    kind = args.kind or inputs.detect(text)
    given = parse_input(args.input)
    if kind in ('ir', 'atifs'):
        found = programs(text, kind)
    else:
        found = list(inputs.read_text(text, kind, args.file))
    if not 1 <= args.state <= len(found):
        raise OracleError('%s has %d states' % (args.file, len(found)))
    item = found[args.state - 1]
    if item is None:
        raise OracleError('state %d was refused' % args.state)
    if kind == 'atifs':
        result = atifs_eval.evaluate(item, given, literal_constants=not any(k[0] == 'env'
                                                                            for k in given.values))
    elif kind == 'ir':
        result = ir_eval.evaluate(item, given)
    else:
        print(stages_print.state_text(item.state))
        own = given if any(k[0] == 'env' for k in given.values) else WithColours(given, item.state)
        result = evaluate(item.state, own, make_policy(args.policy))
        if item.state.colorsum:
            print('with colour sum: ' + show_colour(color_sum(own.dom, result, own)))
    print(show_colour(result))
    return 0


def add_commands(commands):
    p = commands.add_parser('eval', help='print the colour of one state or program',
                            description='Evaluate one state or program exactly. '
                            'Inputs that are not given are 0; environment colours default to those of the '
                            'state.')
    p.add_argument('file', metavar='FILE')
    p.add_argument('--from', dest='kind', choices=inputs.STATE_KINDS + ('ir', 'atifs'))
    p.add_argument('--state', type=int, default=1, metavar='N')
    p.add_argument('--input', nargs='*', default=[], metavar='NAME=r,g,b,a',
                   help='T0..T7 S0..S7 (comparison) C0..C7 F sec')
    p.add_argument('--policy', action='append', default=[], metavar='NAME=VALUE')
    p.set_defaults(run=eval_command)
