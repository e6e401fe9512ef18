"""The command `equiv`: two inputs of any form, state by state."""
import sys

from . import atifs_eval, inputs, ir_eval
from .errors import OracleError
from .shrink import show_colour
from .show import programs
from .state import make_policy
from .texenv_eval import color_sum, evaluate
from .vectors import Single, VectorSet, WithColours


class Side:
    """One input: a sequence of things with a value."""

    def __init__(self, path, kind, policy):
        text = inputs.load(path)
        self.path, self.policy = path, policy
        self.kind = kind or inputs.detect(text)
        self.things = programs(text, self.kind) if self.kind in ('ir', 'atifs') else \
            [item.state for item in inputs.read_text(text, self.kind, path)]

    def has_state(self):
        return self.kind not in ('ir', 'atifs')

    def value(self, i, given, other, real):
        """Value of thing i. `other` is the state of the other side, for texture formats; `real`: the literal colours count."""
        thing = self.things[i]
        if self.kind == 'atifs':
            return atifs_eval.evaluate(thing, given, other, literal_constants=real)
        if self.kind == 'ir':
            if real:
                thing = literal_ir(thing)
            return ir_eval.evaluate(thing, given)
        own = WithColours(given, thing) if real else given
        out = evaluate(thing, own, self.policy)
        return out


def literal_ir(program):
    return program._replace(constants=tuple(tuple(c._replace(unit=None) for c in k) for k in program.constants))


def named_constants(thing, kind):
    """Whether every constant says which unit it belongs to."""
    return kind != 'atifs' or set(thing.constants) <= set(thing.const_units)


def difference(a, b, i, vectors):
    """First failing vector of state i, None if equal. Colours are compared as values; where every constant has an owner, also symbolically."""
    other_a = b.things[i] if b.has_state() else None
    other_b = a.things[i] if a.has_state() else None
    modes = [True]
    if named_constants(a.things[i], a.kind) and named_constants(b.things[i], b.kind):
        modes.append(False)
    for real in modes:
        given = VectorSet(5, vectors)
        x, y = sums(a, b, i, given, other_a, other_b, real)
        for p, q in zip(x, y):
            k = given.dom.first_difference(p, q)
            if k >= 0:
                return given.vector(k), real
    return None


def sums(a, b, i, given, other_a, other_b, real):
    """Both values, with the colour sum on both sides when one side has done it in the program."""
    x, y = a.value(i, given, other_a, real), b.value(i, given, other_b, real)
    in_a = a.kind == 'atifs' and a.things[i].color_sum
    in_b = b.kind == 'atifs' and b.things[i].color_sum
    if in_a and not in_b:
        y = color_sum(given.dom, y, given)
    if in_b and not in_a:
        x = color_sum(given.dom, x, given)
    return x, y


def reduce_input(a, b, i, single, real):
    """Simpler values that still differ."""
    other_a = b.things[i] if b.has_state() else None
    other_b = a.things[i] if a.has_state() else None
    values = dict(single.values)
    for name in list(values):
        for simple in (0, 1):
            trial = dict(values)
            trial[name] = single.get(name) * 0 + simple
            try:
                x, y = sums(a, b, i, Single(trial), other_a, other_b, real)
            except OracleError:
                continue
            if x != y:
                values = trial
                break
    return Single(values)


def equiv_command(args):
    policy = make_policy(args.policy)
    a, b = Side(args.a, args.from_a, policy), Side(args.b, args.from_b, policy)
    if len(a.things) != len(b.things):
        print('%s has %d states, %s has %d' % (a.path, len(a.things), b.path, len(b.things)))
        return 1
    for i in range(len(a.things)):
        if a.things[i] is None or b.things[i] is None:
            if (a.things[i] is None) != (b.things[i] is None):
                print('state %d is refused on one side' % (i + 1))
                return 1
            continue
        if a.has_state() and b.has_state():
            s, t = a.things[i], b.things[i]
            if (s.fog, s.colorsum) != (t.fog, t.colorsum):
                print('state %d: fog or colour sum differ' % (i + 1))
                return 1
        found = difference(a, b, i, args.vectors)
        if found is None:
            continue
        single, real = found
        single = reduce_input(a, b, i, single, real)
        other_a = b.things[i] if b.has_state() else None
        other_b = a.things[i] if a.has_state() else None
        x, y = sums(a, b, i, single, other_a, other_b, real)
        print('state %d differs at the input' % (i + 1))
        for (kind, unit, c), v in sorted(single.values.items()):
            if v and c == 0 or any(single.get((kind, unit, k)) for k in range(4)) and c == 0:
                if kind != 'coord' and not (real and kind == 'env'):
                    print('  %s%s = %s' % (kind, '' if kind in ('primary', 'secondary') else ' %d' % unit,
                                           show_colour([single.get((kind, unit, k)) for k in range(4)])))
        print('  %s: %s' % (a.path, show_colour(x)))
        print('  %s: %s' % (b.path, show_colour(y)))
        return 1
    print('equal: %d states' % len(a.things))
    return 0


def add_commands(commands):
    p = commands.add_parser('equiv', help='compare two inputs of any form', description='Compare two inputs state by state. For programs, '
                            'textures are those of the "# bind" comments (else rD is texture D), constants those of the "# const" comments.')
    p.add_argument('a', metavar='A')
    p.add_argument('b', metavar='B')
    kinds = inputs.STATE_KINDS + ('ir', 'atifs')
    p.add_argument('--from-a', choices=kinds)
    p.add_argument('--from-b', choices=kinds)
    p.add_argument('--policy', action='append', default=[], metavar='NAME=VALUE')
    p.add_argument('--vectors', type=int, default=256)
    p.set_defaults(run=equiv_command)


__all__ = ['add_commands', 'sys']
