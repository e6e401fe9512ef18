"""The command `equiv`: compares two inputs of any form, state by state."""
import argparse
from fractions import Fraction

from ..atifs import atifs_eval
from ..common.domain import NotDyadic
from ..common.errors import OracleError, ProgramError
from ..common.numbers import colour_component
from ..common.vectors import Single, VectorSet
from ..gl import gl_text
from ..ir import ir_eval
from ..lang import languages
from ..texenv import steep
from ..texenv.state import BLACK, State, make_policy
from ..texenv.texenv_eval import color_sum, evaluate
from . import equiv_programs, inputs
from .show import programs
from .shrink import show_colour


PROGRAMS = ('ir', 'atifs', 'language')


class Colours:
    """Inputs whose environment colours are fixed where `fixed` ({unit: colour}) has them, and free elsewhere.
    """

    def __init__(self, given, fixed, by_coordinates=False):
        self.by_coordinates = by_coordinates
        self.given, self.dom, self.fixed = given, given.dom, fixed
        self.texel, self.primary = given.texel, given.primary
        self.secondary, self.coord = given.secondary, given.coord
        self.parameter, self.get = given.parameter, given.get

    def env(self, unit, ch):
        color = self.fixed.get(unit)
        return self.given.env(unit, ch) if color is None else self.dom.const(Fraction(color[ch]))


def has_call(text):
    return any(gl_text.known_name(name) for name, *_ in gl_text.statements(text))


class Side:
    """One input: a sequence of states or programs ("things")."""

    def __init__(self, path, kind, policy, name=None):
        text = inputs.load(path)
        self.name, self.policy = name or path, policy
        self.kind = kind or inputs.detect(text)
        if not text.strip():
            raise OracleError('%s: no state or program in it' % self.name)
        try:
            self.things = programs(text, self.kind) if not self.has_state() else \
                [item.state for item in inputs.read_text(text, self.kind, path)]
        except (OracleError, ValueError) as e:
            raise OracleError(str(e) if self.has_state() else '%s: %s' % (self.name, e)) from None
        if self.kind == 'gl' and not has_call(text):
            raise OracleError('%s: no state or program in it' % self.name)

    def has_state(self):
        return self.kind not in PROGRAMS

    def named(self, i):
        """Returns whether every constant states which unit's colour it is."""
        thing = self.things[i]
        if self.kind == 'atifs':
            return set(thing.constants) <= set(thing.const_units)
        # a state always does; an immediate of an intermediate program has no unit
        return True

    def colours(self, i):
        """Returns {unit: colour} as written in thing i, with zeros for channels that are not written."""
        thing, out = self.things[i], {}
        if self.has_state():
            return {n: u.color for n, u in enumerate(thing.units) if u is not None}
        if self.kind == 'atifs':
            for name, unit in thing.const_units.items():
                kind, value = thing.constants.get(name, (None, None))
                out[unit] = tuple(map(colour_component, value)) if kind == 'literal' else out.get(unit, BLACK)
            return out
        # programs in shading languages contain no values
        for constant in thing.constants if self.kind == 'ir' else ():
            for c in constant:
                if c.unit is not None:
                    color = list(out.get(c.unit, BLACK))
                    color[c.ch] = c.value
                    out[c.unit] = tuple(color)
        return out

    def without_owners(self, thing, units):
        """Returns the program in which the constants of these units are treated as literals."""
        if self.kind == 'language':
            return thing
        if self.kind == 'ir':
            return thing._replace(constants=tuple(tuple(c._replace(unit=None) if c.unit in units else c
                                                        for c in k) for k in thing.constants))
        return thing._replace(const_units={n: u for n, u in thing.const_units.items()
                                           if u not in units
                                           or thing.constants.get(n, ('',))[0] != 'literal'})


class Pair:
    """Thing i of both sides, with its environment colours: `fixed_a` and `fixed_b` have those that are not
    free inputs."""

    def __init__(self, a, b, i, colors):
        self.a, self.b = a, b
        self.x, self.y = a.things[i], b.things[i]
        own_a, own_b = a.colours(i), b.colours(i)
        self.fixed_a, self.fixed_b = {}, {}
        self.undefined = set()                  # channels that a side did not write in the last evaluation
        if colors == 'free' and a.named(i) and b.named(i):
            return
        for unit in range(8):
            fixed = [bool(own.get(unit) and any(own[unit])) for own in (own_a, own_b)]
            # a program whose text has no colours uses those of the other side, from which it was converted
            for k, (side, other) in enumerate(((a, b), (b, a))):
                mine, theirs = (own_a, own_b)[k], (own_b, own_a)[k]
                if not side.has_state() and not fixed[k]:
                    fixed[k] = fixed[1 - k] or unit not in mine
                elif side.has_state() and not other.has_state() and unit not in theirs:
                    # the other side does not read the colour or has folded it: fixes it to the written value
                    fixed[k] = True
            programs_only = not a.has_state() and not b.has_state()
            for k, fix in enumerate((self.fixed_a, self.fixed_b)):
                if fixed[k] or programs_only and any(fixed):
                    side, mine, theirs = (a, b)[k], (own_a, own_b)[k], (own_b, own_a)[k]
                    literal = side.has_state() or any(mine.get(unit, BLACK))
                    fix[unit] = mine.get(unit, BLACK) if literal else theirs.get(unit, BLACK)
        if not a.has_state():
            self.x = a.without_owners(self.x, self.fixed_a)
        if not b.has_state():
            self.y = b.without_owners(self.y, self.fixed_b)

    def value(self, side, thing, other, given, fixed):
        own = Colours(given, fixed, not self.a.has_state() and not self.b.has_state())
        if side.kind == 'atifs':
            return atifs_eval.evaluate(thing, own, other if isinstance(other, State) else None, partial=True)
        if side.kind == 'ir':
            return ir_eval.evaluate(thing, own)
        if side.kind == 'language':
            return languages.evaluate(thing, own)
        return evaluate(thing, own, side.policy)

    def values(self, given):
        """Returns both values; applies the colour sum to both if one side includes it in the program."""
        x = self.value(self.a, self.x, self.y, given, self.fixed_a)
        y = self.value(self.b, self.y, self.x, given, self.fixed_b)
        self.undefined = {c for c in range(4) if x[c] is None or y[c] is None}
        if len(self.undefined) == 4:
            raise ProgramError('no channel is defined on both sides')
        x, y = ([given.dom.zero if c in self.undefined else value[c] for c in range(4)] for value in (x, y))
        in_a = self.a.kind == 'atifs' and self.x.color_sum
        in_b = self.b.kind == 'atifs' and self.y.color_sum
        if in_a and not in_b:
            y = color_sum(given.dom, y, given)
        if in_b and not in_a:
            x = color_sum(given.dom, x, given)
        x, y = list(x), list(y)
        for c in self.undefined:
            x[c] = y[c] = given.dom.zero
        return x, y

    def difference(self, vectors):
        """Returns (failing vector or None, number of vectors compared)."""
        try:
            return self.columns_difference(vectors)
        except NotDyadic:                                                # coordinates were divided
            return self.single_difference(vectors)

    def single_difference(self, vectors):
        given = VectorSet(5, vectors)
        for i in range(vectors):
            single = given.vector(i)
            x, y = self.values(single)
            if x != y:
                return single, i + 1
        return None, vectors

    def columns_difference(self, vectors):
        given, count = VectorSet(5, vectors), 0
        while given is not None:
            count += given.count
            for p, q in zip(*self.values(given)):
                k = given.dom.first_difference(p, q)
                if k >= 0:
                    return given.vector(k), count
            given = steep.search(self.values, 5, 24, 6) if isinstance(given, VectorSet) else None
        return None, count

    def differs(self, values):
        try:
            x, y = self.values(Single(values))
        except OracleError:
            return False
        return x != y

    def reduce(self, single):
        """Simplifies a failing input while the sides still differ: drops inputs that are not read, and
        replaces values by 0, 1 or 1/2, by the nearest multiple of 1/255, or by numbers of few bits."""
        meter = Meter(single.values)
        self.values(meter)
        values = {name: single.get(name) for name in meter.read}
        for name in values:
            v = values[name]
            for simple in (Fraction(0), Fraction(1), Fraction(1, 2), Fraction(round(v * 255), 255),
                           *(Fraction(round(v * 2 ** k), 2 ** k) for k in (2, 4, 8, 12, 16, 24))):
                if simple == v or self.differs({**values, name: simple}):
                    values[name] = simple
                    break
        return Single(values)


class Meter(Single):
    """Records which inputs are read."""

    def __init__(self, values):
        super().__init__(values)
        self.read = {}

    def get(self, name):
        self.read[name] = True
        return super().get(name)


NAMES = {'tex': 'T%d', 'shadow': 'comparison result of unit %d', 'env': 'C of unit %d', 'primary': 'F',
         'secondary': 'secondary'}
ORDER = list(NAMES)


def input_lines(single):
    """Describes the inputs for a person."""
    if not any(single.values.values()):
        return ['  all inputs 0']
    vectors = sorted({name[:2] for name in single.values if name[0] in NAMES},
                     key=lambda n: (ORDER.index(n[0]), n[1]))
    lines = []
    for kind, unit in vectors:
        name = NAMES[kind] % unit if '%' in NAMES[kind] else NAMES[kind]
        lines.append('  %s = %s' % (name, show_colour([single.get((kind, unit, c)) for c in range(4)])))
    return lines


def compare_pair(a, b, i, args):
    """Returns lines about the difference of state i, or the number of vectors on which there is none."""
    if a.has_state() and b.has_state():
        s, t = a.things[i], b.things[i]
        if (s.fog, s.colorsum) != (t.fog, t.colorsum):
            return ['state %d: fog or colour sum differ' % (i + 1)], 0
    pair = Pair(a, b, i, args.colors)
    single, count = pair.difference(args.vectors)
    if pair.undefined:
        print('state %d: not compared, since a program leaves it undefined: %s'
              % (i + 1, ' '.join(('red', 'green', 'blue', 'alpha')[c] for c in sorted(pair.undefined))))
    if single is None:
        return None, count
    single = pair.reduce(single)
    x, y = pair.values(single)
    return ['state %d differs at the input' % (i + 1), *input_lines(single),
            '  %s: %s' % (a.name, show_colour(x)), '  %s: %s' % (b.name, show_colour(y))], count


def equiv_states(args):
    policy = make_policy(args.policy)
    a, b = Side(args.a, args.from_a, policy, args.name_a), Side(args.b, args.from_b, policy, args.name_b)
    if len(a.things) != len(b.things):
        print('%s has %d states, %s has %d' % (a.name, len(a.things), b.name, len(b.things)))
        return 1
    total = 0
    for i in range(len(a.things)):
        if a.things[i] is None or b.things[i] is None:
            if (a.things[i] is None) != (b.things[i] is None):
                print('state %d is refused on one side' % (i + 1))
                return 1
            continue
        try:
            lines, count = compare_pair(a, b, i, args)
        except OracleError as e:
            raise OracleError('%s, %s: %s' % (a.name, b.name, e)) from None
        if lines is not None:
            print('\n'.join(lines))
            return 1
        total += count
    print('no difference on %d inputs (%d state%s)' % (total, len(a.things),
                                                       '' if len(a.things) == 1 else 's'))
    return 0


def equiv_command(args):
    paths, told = (args.a, args.b), (args.from_a, args.from_b)
    texts = [inputs.load(path) for path in paths]
    programs_too = equiv_programs.applies(paths, texts, told)
    if equiv_programs.WORDS not in told and not any(path.endswith('.vertex') for path in paths):
        try:
            return equiv_states(args)
        except OracleError:
            if not programs_too:
                raise
    # the inputs are programs of a kind that texenvc does not print for states
    return equiv_programs.compare(paths, [args.name_a or args.a, args.name_b or args.b], texts, told,
                                  args.vectors)


ABOUT = """Compare two inputs state by state. For programs, textures are those of the "# bind" comments (else
rD is texture D), constants those of the "# const" comments.

Exact: every value, in integers and fractions; there is no rounding and no tolerance. Fog, colour sum and
refusals are compared as they are. Three kinds of inputs are compared only with one another, component by
component of what they write: ARB programs that are more general than what texenvc prints for a state, GLSL
that was made of such programs (vertex programs, too), and vertex halves (FILE.vertex). Sampled: the inputs.
There are N ordinary vectors (--vectors), and vectors that are searched so that the values before the clamps
of both sides lie between 0 and 1, for a steep stage hides what is before it everywhere else. A difference
that is printed is one; "no difference" says that none of these inputs shows one."""


def add_commands(commands):
    p = commands.add_parser('equiv', help='compare two inputs of any form', description=ABOUT,
                            formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('a', metavar='A')
    p.add_argument('b', metavar='B')
    kinds = inputs.STATE_KINDS + PROGRAMS + (equiv_programs.WORDS,)
    p.add_argument('--from-a', choices=kinds)
    p.add_argument('--from-b', choices=kinds)
    p.add_argument('--name-a', metavar='NAME', help='name of A in what is printed (default its path)')
    p.add_argument('--name-b', metavar='NAME', help='name of B in what is printed (default its path)')
    p.add_argument('--colors', choices=('given', 'free'), default='given',
                   help='given: environment colours and "# const" constants have the '
                   'values that are written, those that are all 0 are free inputs; free: all are free '
                   'inputs, except where a program has '
                   'constants of no unit (default given)')
    p.add_argument('--policy', action='append', default=[], metavar='NAME=VALUE')
    p.add_argument('--vectors', type=int, default=256, metavar='N',
                   help='ordinary input vectors per state (default 256)')
    p.set_defaults(run=equiv_command)
