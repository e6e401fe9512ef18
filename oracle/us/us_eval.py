"""Executes decoded programs of the fragment units of r300, r400 and r500 (notes/facts/r300.md 2), over any
number domain.

A pair has an rgb half and an alpha half. Both read before either writes. Each half reads operands from three
rgb addresses and three alpha addresses that the halves share: channels r, g and b of "source n" come from rgb
address n, channel a from alpha address n, in both halves. Reading a channel that was never written is an
error, even if it is multiplied by 0.

Where the documents leave a question open (notes/facts/hw-open.md r300), both interpretations are computed. If
they differ, the program relies on one of them, which is an error unless the question's name is among the
assumptions."""
from collections import namedtuple
from fractions import Fraction
from math import isqrt

from ..common.errors import ProgramError, Unsupported

# Open questions: name -> description. A name in `assume` selects the first interpretation.
OPEN = {
    'presub-part': 'a presubtracted channel takes the op of the word that its part belongs to (alpha: the '
                   'alpha word), on r300 as on r500',
    'dot-copy': "alpha DP and REPL_ALPHA copy the other half's result before its output modifier and clamp",
    'three-constants': 'a pair may read more than two different constants',
    'd2a': 'r300 and r400 have D2A as r500 documents it',
    'inline-denormal': 'an inline constant with exponent field 0 is a denormal',
    'code-ext': 'US_CODE_EXT: field 0 belongs to CODE_ADDR_3, field 3 to CODE_ADDR_0, whatever the number '
                'of nodes',
}

# 'temp', 'const' with a number; 'inline' with the field's seven bits
Source = namedtuple('Source', 'kind index')
# parts: one per channel, (base, channel), ('zero', 0), ('half', 0), ('one', 0), None: none
Operand = namedtuple('Operand', 'parts modifier')
# write, out: channels; target: colour output of `out`
Half = namedtuple('Half', 'op args omod clamp dest write out target', defaults=(0,))
Pair = namedtuple('Pair', 'rgb alpha rgb_src alpha_src rgb_presub alpha_presub nop wait is_out where')
# coords: channel of the source for s, t, r, q; result: channel of the texel for each written channel
Tex = namedtuple('Tex', 'op sampler src coords dest write result unscaled acquire wait where')
# a node of r300 and r400: its lookups (tex) and pairs (alu); r500 has a single list of instructions
Node = namedtuple('Node', 'tex alu')
SRCP = 3
SCALE = (0, 1, 2, 3, -1, -2, -3)                    # output modifiers 0 to 6 as powers of two
PRESUB_READS = ((0,), (0, 1), (0, 1), (0,))
MODIFIERS = ('', 'neg', 'abs', '-abs')
DOTS = ('DP3', 'DP4', 'D2A')
SCALAR = ('EX2', 'LG2', 'RCP', 'RSQ', 'SIN', 'COS')
ARGS = {'MAD': 3, 'DP3': 2, 'DP4': 2, 'D2A': 3, 'MIN': 2, 'MAX': 2, 'CND': 3, 'CMP': 3, 'FRC': 1, 'REPL': 0,
        'DP': 0, 'MDH': 0, 'MDV': 0,
        'EX2': 1, 'LG2': 1, 'RCP': 1, 'RSQ': 1, 'SIN': 1, 'COS': 1}
NAMES = 'rgba'
DEPTH = 4                                           # the depth output, which the alpha half may write


class Coordinate:
    """One channel of an interpolated coordinate set, which only a lookup can use as such."""
    __slots__ = ('set', 'ch')

    def __init__(self, number, ch):
        self.set, self.ch = number, ch


def read_parts(half, channels):
    """Returns (operand number, part) of everything that a half reads for these result channels; `half` is rgb
    if it has three parts."""
    for n, arg in enumerate(half.args[:ARGS[half.op]]):
        if len(arg.parts) == 1:
            yield n, arg.parts[0]
        elif half.op == 'D2A':
            for c in (2,) if n == 2 else (0, 1):
                yield n, arg.parts[c]
        else:
            for c in (0, 1, 2) if half.op in DOTS else channels:
                yield n, arg.parts[c]


def is_dot_for_alpha(pair):
    return pair.alpha.op == 'DP' and bool(pair.alpha.write or pair.alpha.out)


def used_parts(pair):
    """Returns every part that a pair reads, without repetition."""
    rgb, alpha, out = pair.rgb, pair.alpha, []
    channels = tuple(sorted(set(rgb.write) | set(rgb.out)))
    if channels or is_dot_for_alpha(pair):
        out += [p for _, p in read_parts(rgb, channels)]
        if rgb.op == 'DP4':
            out += [a.parts[0] for a in alpha.args[:2]]
    if alpha.write or alpha.out or (channels and rgb.op == 'REPL'):
        out += [p for _, p in read_parts(alpha, (3,))]
    return [p for i, p in enumerate(out) if p not in out[:i]]


def sources_of(pair, part):
    """Returns the sources of a part. If the part is a presubtraction, these are the sources that it reads."""
    if part is None or part[0] in ('zero', 'half', 'one'):
        return []
    base, c = part
    table, op = (pair.alpha_src, pair.alpha_presub) if c == 3 else (pair.rgb_src, pair.rgb_presub)
    return [table[n] for n in (PRESUB_READS[op] if base == SRCP else (base,))]


def all_sources(pair):
    return {s for part in used_parts(pair) for s in sources_of(pair, part)}


def read_channels(pair):
    """Returns {(temporary, channel)} that a pair reads."""
    return {(s.index, part[1]) for part in used_parts(pair) for s in sources_of(pair, part)
            if s.kind == 'temp'}


def presub_temps(pair):
    """Returns the numbers of the temporaries in a presubtraction that the pair reads."""
    out = set()
    for part in used_parts(pair):
        if part is not None and part[0] == SRCP:
            out |= {s.index for s in sources_of(pair, part) if s.kind == 'temp'}
    return out


def written_channels(pair):
    return {(h.dest, c) for h in (pair.rgb, pair.alpha) for c in h.write}


def written_temps(pair):
    return {temp for temp, _ in written_channels(pair)}


class Run:
    """One execution. `constant(slot, ch)` and `lookup(tex, coords)` give values; `start` {(temp, ch): value}
    are the values that the rasteriser wrote; `chip` is 'r300', 'r400' or 'r500'."""

    def __init__(self, chip, dom, start, constant, lookup, coordinate, assume=()):
        self.chip, self.dom = chip, dom
        self.constant, self.lookup, self.coordinate = constant, lookup, coordinate
        self.assume = frozenset(assume)
        self.temps = dict(start)
        self.out = [None] * 5           # the fifth is the depth
        self.more = {}                  # {(target, channel)} of colour outputs 1 to 3
        self.previous = None            # the previous pair, if no lookup is in between

    def both(self, name, value, other, where):
        """Returns the value under the first interpretation. Raises an error if the second interpretation
        gives another value, unless the first one is assumed."""
        if name in self.assume or value is other or self.dom.first_difference(value, other) < 0:
            return value
        raise ProgramError('%s: relies on "%s" (%s)' % (where, name, OPEN[name]))

    def rely(self, name, where):
        if name not in self.assume:
            raise ProgramError('%s: relies on "%s" (%s)' % (where, name, OPEN[name]))

    # ---- operands ----

    def source(self, source, c, where):
        if source.kind == 'const':
            return self.constant(source.index, c)
        if source.kind == 'inline':
            return self.inline(source.index, where)
        v = self.temps.get((source.index, c))
        if v is None:
            raise ProgramError('%s: temporary %d.%s is read but nothing has written it'
                               % (where, source.index, NAMES[c]))
        return self.coordinate(v) if isinstance(v, Coordinate) else v

    def inline(self, bits, where):
        """Returns an inline constant: four bits of exponent (bias 7), three of mantissa (notes/facts/r300.md
        1.2)."""
        e, m = bits >> 3, bits & 7
        if e:
            return self.dom.const(Fraction(8 + m, 8) * Fraction(2) ** (e - 7))
        denormal = self.dom.const(Fraction(m, 8) * Fraction(2) ** -6)
        return self.both('inline-denormal', denormal, self.dom.const(Fraction(8 + m, 8) * Fraction(2) ** -7),
                         where)

    def presub(self, pair, op, c):
        dom = self.dom
        table = pair.alpha_src if c == 3 else pair.rgb_src
        a = [self.source(table[n], c, pair.where) for n in PRESUB_READS[op]]
        if op == 0:
            return dom.sub(dom.one, dom.shift(a[0], 1))
        if op == 1:
            return dom.sub(a[1], a[0])
        if op == 2:
            return dom.add(a[1], a[0])
        return dom.sub(dom.one, a[0])

    def part(self, pair, part, in_alpha):
        """Returns one channel of an operand before its modifier."""
        dom = self.dom
        if part is None:
            raise ProgramError('%s: an unused channel of an operand is read' % pair.where)
        base, c = part
        if base in ('zero', 'half', 'one'):
            return getattr(dom, base)
        if base != SRCP:
            return self.source((pair.alpha_src if c == 3 else pair.rgb_src)[base], c, pair.where)
        by_part, by_half = (pair.alpha_presub if which else pair.rgb_presub for which in (c == 3, in_alpha))
        value = self.presub(pair, by_part, c)
        if by_half == by_part or self.chip == 'r500' or 'presub-part' in self.assume:
            return value
        return self.both('presub-part', value, self.presub(pair, by_half, c), pair.where)

    def operand(self, pair, half, n, c):
        """Returns operand n of a half for channel c."""
        arg, dom = half.args[n], self.dom
        in_alpha = len(arg.parts) == 1
        v = self.part(pair, arg.parts[0 if in_alpha else c], in_alpha)
        if arg.modifier & 2:
            v = dom.absolute(v)
        return self.negate(v) if arg.modifier & 1 else v

    def negate(self, v):
        return self.dom.sub(self.dom.zero, v)

    # ---- operations ----

    def dot(self, pair):
        """Returns DP3, DP4 or D2A, before output modifier and clamp."""
        dom, rgb = self.dom, pair.rgb
        total = None
        for c in (0, 1) if rgb.op == 'D2A' else (0, 1, 2):
            term = dom.mul(self.operand(pair, rgb, 0, c), self.operand(pair, rgb, 1, c))
            total = term if total is None else dom.add(total, term)
        if rgb.op == 'D2A':
            if self.chip != 'r500':
                self.rely('d2a', pair.where)
            return dom.add(total, self.operand(pair, rgb, 2, 2))
        if rgb.op == 'DP4':
            total = dom.add(total, dom.mul(self.operand(pair, pair.alpha, 0, 3),
                                           self.operand(pair, pair.alpha, 1, 3)))
        return total

    def operate(self, pair, half, c):
        """Returns one channel of any other operation."""
        dom, op = self.dom, half.op
        a = [self.operand(pair, half, n, c) for n in range(ARGS[op])]
        if op == 'MAD':
            return dom.add(dom.mul(a[0], a[1]), a[2])
        if op == 'MIN':
            return dom.select_ge_zero(dom.sub(a[0], a[1]), a[1], a[0])
        if op == 'MAX':
            return dom.select_ge_zero(dom.sub(a[0], a[1]), a[0], a[1])
        if op == 'CND':
            return dom.select_gt_half(a[2], a[0], a[1])
        if op == 'CMP':
            return dom.select_ge_zero(a[2], a[0], a[1])
        if op == 'FRC':
            return fraction_of(dom, a[0])
        if op in SCALAR:
            return transcendental(op, a[0], pair.where)
        raise Unsupported('%s: %s reads neighbouring pixels, which has no value here' % (pair.where, op))

    def raw(self, pair):
        """Returns {channel: value} of both halves before output modifiers."""
        rgb, alpha = pair.rgb, pair.alpha
        channels = sorted(set(rgb.write) | set(rgb.out))
        want_alpha = bool(alpha.write or alpha.out)
        out, scalar = {}, None
        if want_alpha and alpha.op == 'DP' and rgb.op not in DOTS:
            raise ProgramError('%s: alpha DP without a dot product in the rgb half' % pair.where)
        if rgb.op in DOTS and (channels or want_alpha and alpha.op == 'DP'):
            dot = self.dot(pair)
            out = {c: dot for c in channels}
            if alpha.op == 'DP':
                scalar = dot
        elif channels and rgb.op == 'REPL':
            if alpha.op not in SCALAR:
                raise ProgramError('%s: REPL_ALPHA needs a transcendental operation in the alpha half'
                                   % pair.where)
            scalar = self.operate(pair, alpha, 3)
            out = {c: self.both('dot-copy', scalar, self.finish(alpha, scalar), pair.where) for c in channels}
        else:
            out = {c: self.operate(pair, rgb, c) for c in channels}
        if want_alpha:
            if alpha.op == 'DP':
                other = self.finish(rgb, scalar)
                # clamping twice is the same as once
                if self.dom.first_difference(self.finish(alpha, scalar), self.finish(alpha, other)) >= 0:
                    self.both('dot-copy', scalar, other, pair.where)
            elif scalar is None:
                scalar = self.operate(pair, alpha, 3)
            out[3] = scalar
        return out

    def finish(self, half, v):
        """Applies the output modifier, then the clamp (notes/facts/r300.md 2)."""
        if half.omod == 7:
            return v
        v = self.dom.shift(v, SCALE[half.omod])
        return self.dom.sat(v) if half.clamp else v

    def pair(self, pair):
        self.rules(pair)
        raw = self.raw(pair)
        temps, outs = [], []
        for c, v in raw.items():
            half = pair.alpha if c == 3 else pair.rgb
            if c in half.write:
                temps.append(((half.dest, c), self.finish(half, v)))
            if c in half.out:
                outs.append((half.target, c, self.finish(half, v)))
            if c == 3 and DEPTH in half.out:
                outs.append((0, DEPTH, self.finish(half, v)))
        self.temps.update(temps)
        for target, c, v in outs:
            if target:
                self.more[target, c] = v
            else:
                self.out[c] = v
        self.previous = pair

    def rules(self, pair):
        """Checks rules for the words that do not depend on values."""
        if self.previous is not None and not self.previous.nop:
            hit = presub_temps(pair) & written_temps(self.previous)
            if hit:
                raise ProgramError('%s: presubtracts temporary %d, which the pair before has written '
                                   'without a NOP after it' % (pair.where, min(hit)))
        if len({s.index for s in all_sources(pair) if s.kind == 'const'}) > 2:
            self.rely('three-constants', pair.where)
        for half in (pair.rgb, pair.alpha):
            if half.omod == 7 and (half.write or half.out) and half.op not in ('MIN', 'MAX', 'CMP', 'CND'):
                raise ProgramError('%s: output modifier 7 with %s' % (pair.where, half.op))

    # ---- lookups ----

    def tex(self, tex):
        """Executes a lookup: returns {channel: value}."""
        if tex.op == 'NOP':
            return {}
        coords = []
        for c in tex.coords:
            v = self.temps.get((tex.src, c))
            coords.append(v)
        texel = self.lookup(tex, coords)
        return {c: texel[r] for c, r in zip(tex.write, tex.result)}

    def write_tex(self, tex, value):
        for c in range(4):
            if c in value:
                self.temps[tex.dest, c] = value[c]

    def result(self):
        for c, v in zip(NAMES, self.out):
            if v is None:
                raise ProgramError('output %s is never written' % c)
        return self.out[:4]


def fraction_of(dom, a):
    """Computes FRC, a - floor(a), in both exact domains."""
    if isinstance(a, Fraction):
        return a - (a.numerator // a.denominator)
    if hasattr(a, 'col'):
        return type(a)(a.f, [v & ((1 << a.f) - 1) for v in a.col])
    raise Unsupported('FRC has no bounds')


def transcendental(op, a, where):
    """Returns the exact value of a transcendental function if it is rational; raises Unsupported
    otherwise."""
    if isinstance(a, Fraction):
        if op == 'RCP' and a:
            return 1 / a
        if op == 'RSQ' and a > 0:
            root = Fraction(isqrt(a.numerator), isqrt(a.denominator))
            if root * root == a:
                return 1 / root
        if op == 'EX2' and a.denominator == 1:
            return Fraction(2) ** int(a)
        if op == 'LG2' and a > 0:
            for x, sign in ((a, 1), (1 / a, -1)):
                if x.denominator == 1 and x.numerator & (x.numerator - 1) == 0:
                    return Fraction(sign * (x.numerator.bit_length() - 1))
        if op in ('SIN', 'COS') and (4 * a).denominator == 1:       # the argument is in turns
            return Fraction((0, 1, 0, -1)[(int(4 * a) + (op == 'COS')) % 4])
    raise Unsupported('%s: %s has no exact value here' % (where, op))
