"""Executes words of R200's pixel pipeline, written from its facts (notes/facts/r200.md) and the open
questions about the chip (notes/facts/hw-open.md r200).

If the facts leave a question open, either there is a named assumption, or it is an error if a program relies
on it (reads of undefined components, undefined source and field codes, the wrapping clamp). If there are two
interpretations, both are evaluated and must agree.

Number models. `real` is exact, and a constant has the value of its unit's environment colour (check() tests
that the words contain its correct rounding). `fixed`: constants are the 8 bits of the words; inputs and
constants are rounded to 12 bits of fraction (s3.12 is commonly quoted and not documented,
notes/facts/hw-open.md r200.1), and the result of each half is rounded likewise after its scale; intermediate
values of an operation are exact.
"""
from fractions import Fraction
from functools import lru_cache

from ..common.domain import Exact
from ..common.errors import ProgramError, Unsupported
from ..common.numbers import colour_component
from ..hw.bounds import BoundInputs
from ..hw.chips import Assumption
from . import r200_words as w
from .r200_schedule import judge

FRACTION = 12
MODELS = ('real', 'fixed')
ASSUMPTIONS = {
    'limited-output': Assumption('a result beyond [0,1] is limited after the program (the driver limits '
                                 'the last writes itself: notes/facts/r200.md 4)', True),
    'primary-in-first-pass': Assumption('primary and secondary colour are readable in the first pass '
                                        '(notes/facts/hw-open.md r200.9)', True),
    'alpha-dot-modifiers=colour': Assumption('a DOT_ALPHA result takes the colour half\'s scale and clamp '
                                             '(notes/facts/hw-open.md r200.5; default: both readings agree)'),
    'alpha-dot-modifiers': Assumption('a DOT_ALPHA result takes the alpha half\'s own scale and clamp', True),
    'alpha-replicate-even': Assumption('in an alpha word, replicate red and green do not depend on the '
                                       'lowest bit of the source (notes/facts/hw-open.md r200.4)'),
    'output-rotate': Assumption('OUTPUT_ROTATE writes a, r, g or g, b, a or r, g, a to red, green, blue; '
                                'alpha is not written then (notes/facts/hw-open.md r200.7)'),
    'wide-arguments': Assumption('arguments beyond [-8,8] after their modifiers are exact '
                                 '(notes/facts/hw-open.md r200.3)'),
    'wide-sums': Assumption('results beyond [-8,8] are exact up to their scale (notes/facts/hw-open.md r200.1)'),
    'alpha-texture-rgb=zero': Assumption('the red, green and blue of a texture of base format ALPHA are 0 '
                                         '(default: undefined, since the chip\'s A8 '
                                         'has alpha there; notes/facts/r200.md 2.3)'),
}
PRIMARY_SET = 'primary-texcoord=%d'
ASSUMPTIONS.update((PRIMARY_SET % n,
                    Assumption('coordinate set %d is the primary colour, as --primary-texcoord asks the '
                               'user for' % n)) for n in range(6))
# also true for programs of ATI_fragment_shader: the last writes to R0 are clamped to [0,1]
# (notes/facts/r200.md 4)
CLAMPED_RESULT = True
ROTATE = {1: (3, 0, 1), 2: (1, 2, 3), 3: (0, 1, 3)}


@lru_cache(maxsize=4096)
def decode(words):
    reader = w.Reader(words)
    program = reader.program()
    return program, tuple(reader.problems)


class Run:
    """One evaluation."""

    def __init__(self, code, inputs, model, assume):
        self.code, self.inputs, self.dom, self.assume = code, inputs, inputs.dom, assume
        self.fixed = model != 'real'
        self.program, problems = decode(code.words)
        if problems:
            raise ProgramError(problems[0])
        self.textures = code.textures
        self.regs = []
        self.last = True
        self.where = ''
        self.factor_cache, self.cache = {}, {}

    def fail(self, message):
        raise ProgramError('%s: %s' % (self.where, message) if self.where else message)

    def agree(self, name, a, b):
        """Returns the value on which both interpretations of an open question agree; fails if they differ."""
        if a is not b and self.dom.first_difference(a, b) >= 0:
            self.fail('the result depends on ' + name)
        return a

    def rounded(self, v):
        return self.dom.round_fixed(v, FRACTION) if self.fixed else v

    def entry(self, channels):
        """Returns values rounded as they enter the pipeline."""
        return [None if v is None else self.rounded(v) for v in channels]

    # ---- passes ----

    def result(self):
        before = None
        for number, p in enumerate(self.program.passes):
            self.last = number == len(self.program.passes) - 1
            self.regs = self.start(p, before)
            self.cache = {}
            for stage in p.stages:
                self.stage(stage)
            before = self.regs
        self.where = 'the end'
        if None in self.regs[0]:
            self.fail('R0.%s is not defined' % 'rgba'[self.regs[0].index(None)])
        return [self.dom.sat(v) for v in self.regs[0]] if 'limited-output' in self.assume else self.regs[0]

    def start(self, p, before):
        """Returns the registers at the start of a pass: the results of the texture units (notes/facts/r200.md
        1, 3.5); all other registers are undefined."""
        regs = [[None] * 4 for _ in range(6)]
        for r in p.routes:
            self.where = 'unit %d' % r.unit
            regs[r.unit] = self.texel(r, before) if r.lookup else self.coordinates(r, before)
        return regs

    def texel(self, r, before):
        listed = [t for t in self.textures if t.slot == r.unit]
        if not listed:
            self.fail('a lookup without a texture')
        # the two passes may use different coordinate sets
        t = next((t for t in listed if t.coord == r.coord), listed[0])
        if r.reg is None and PRIMARY_SET % r.coord in self.assume:
            self.fail('a lookup at coordinate set %d, which is the primary colour' % r.coord)
        if r.reg is None and r.coord != t.coord:
            self.fail('coordinate set %d is routed to it, the output says %d' % (r.coord, t.coord))
        if hasattr(self.inputs, 'sample'):
            return self.entry(self.sampled(r, t, before))
        if r.reg is not None:
            raise Unsupported('unit %d: a dependent lookup has no value here' % r.unit)
        if r.kind not in w.LOOKUPS[t.target]:
            self.fail('coordinate type %d for a %s texture' % (r.kind, t.target))
        if self.program.third is not None and self.third(r) != (2 if t.target in ('3d', 'cube') else 3):
            self.fail('RE_CNTL takes %s as the third coordinate of set %d' % ('rgba'[self.third(r)], r.coord))
        channels = self.inputs.texture(t.unit)
        if self.inputs.base_format(t.unit) == 'alpha' and 'alpha-texture-rgb=zero' not in self.assume:
            channels = [None] * 3 + channels[3:]
        return self.entry(channels)

    def third(self, r):
        """Returns the channel of a coordinate set that is its third coordinate: r if RE_CNTL selects it, else
        q (notes/facts/r200.md 3.6)."""
        if self.program.third is None:
            self.fail('RE_CNTL counts and is not written')
        return 2 if self.program.third >> (16 + 2 * r.coord) & 1 else 3

    def three(self, r, before):
        """Returns the three coordinates that a unit receives."""
        if r.reg is not None:
            return before[r.reg][:3]
        lanes = (0, 1, self.third(r))
        if PRIMARY_SET % r.coord in self.assume:
            return [self.inputs.primary(c) for c in lanes]
        return [self.inputs.coord(r.coord, c) for c in lanes]

    def divided(self, coords):
        """Divides s and t by the third coordinate; on single vectors only."""
        if not hasattr(self.inputs, 'sample'):
            raise Unsupported('%s: a coordinate divide has no exact value here' % self.where)
        if not coords[2]:
            self.fail('divides by an undefined coordinate')
        return [None if c is None else c / coords[2] for c in coords[:2]] + [1 / coords[2]]

    def sampled(self, r, t, before):
        """Returns a texel as a function of the coordinates."""
        coords = self.three(r, before)
        if r.kind in (w.PROJ, w.ONE_D_PROJ):
            coords = self.divided(coords)
        elif r.kind not in (w.NONPROJ, w.ONE_D, w.VOLUME, w.CUBIC_ENV):
            self.fail('coordinate type %d' % r.kind)
        if None in coords[:2]:
            self.fail('undefined coordinates')
        return self.inputs.sample(t.unit, coords[:2])

    def coordinates(self, r, before):
        """Returns the result of a unit without lookup: coordinates, without alpha (notes/facts/r200.md 3.5).
        """
        if r.kind not in (w.VOLUME, w.PROJ):
            # such a unit is enabled by the workaround of notes/facts/r200.md 6, and its result must not be
            # used
            return [None] * 4
        coords = self.three(r, before)
        if r.kind == w.PROJ:
            coords = self.divided(coords)
        return (coords if r.reg is not None else self.entry(coords)) + [None]

    # ---- arguments ----

    def factor(self, n):
        """Returns the four channels of constant n."""
        got = self.factor_cache.get(n)
        if got is None:
            constant = next((c for c in self.code.constants if c.slot == n), None)
            if constant is None:
                self.fail('constant %d is read, and the output does not say what it is' % n)
            if self.fixed:
                word = self.program.factors[n]
                got = [self.dom.const(Fraction((word >> s & 255) * 2 ** (FRACTION + 1) + 255,
                                               510).__floor__() * Fraction(1, 1 << FRACTION))
                       for s in (16, 8, 0, 24)]
            elif constant.param is not None:
                got = [self.inputs.parameter(*constant.param, c) for c in range(4)]
            elif constant.unit is not None:
                got = [self.inputs.env(constant.unit, c) for c in range(4)]
            else:
                got = [self.dom.const(Fraction(colour_component(v))) for v in constant.value]
            self.factor_cache[n] = got
        return got

    def colour_input(self, name, read, c):
        if not self.last and 'primary-in-first-pass' not in self.assume:
            self.fail('the %s colour is read in the first pass' % name)
        if not self.last and 'primary-in-first-pass' not in self.code.assumed:
            self.fail('the %s colour is read in the first pass, and the output does not say so' % name)
        return self.rounded(read(c))

    def selected(self, arg, half, alpha, c):
        """Returns the value that an argument selects for channel c (notes/facts/r200.md 3.3: even and odd
        sources, replicate)."""
        if arg.source == 0:
            return self.dom.zero
        if alpha and arg.repl:
            if not arg.odd and 'alpha-replicate-even' not in self.assume:
                self.fail('an even source with a replicate field in an alpha word')
            pick = arg.repl - 1
        elif alpha:
            pick = 2 if arg.odd else 3
        elif arg.odd:
            pick = 3
        else:
            pick = arg.repl - 1 if arg.repl else c
        if arg.source == 4:
            return self.colour_input('primary', self.inputs.primary, pick)
        if arg.source == 6:
            if pick == 3:
                self.fail('the alpha of the secondary colour does not exist')
            return self.colour_input('secondary', self.inputs.secondary, pick)
        if arg.source in (8, 26):
            return self.factor(half.factors[arg.source == 26])[pick]
        reg = (arg.source - 10) // 2
        v = self.regs[reg][pick]
        if v is None:
            self.fail('R%d.%s is read and not defined' % (reg, 'rgba'[pick]))
        return v

    def argument(self, half, k, alpha, c):
        """Returns an argument: select, replicate, then COMP, BIAS, SCALE, NEG (notes/facts/r200.md 2.1)."""
        dom, arg = self.dom, half.args[k]
        v = self.selected(arg, half, alpha, c)
        if arg.comp:
            v = dom.sub(dom.one, v)
        if arg.bias:
            v = dom.sub(v, dom.half)
        if arg.x2:
            v = dom.shift(v, 1)
        if arg.neg:
            v = dom.sub(dom.zero, v)
        return (v if 'wide-arguments' in self.assume
                else self.agree('an argument beyond [-8,8]', v, self.limited(v)))

    # ---- operations ----

    def dot(self, stage):
        """Returns the dot product of the colour half, before scale and clamp."""
        dom, h = self.dom, stage.colour
        total = self.argument(h, 2, False, 2) if h.op == w.DOT2ADD else None
        for c in range(2 if h.op == w.DOT2ADD else 3):
            term = dom.mul(self.argument(h, 0, False, c), self.argument(h, 1, False, c))
            total = term if total is None else dom.add(total, term)
        if h.op == w.DOT4:
            total = dom.add(total, dom.mul(self.argument(stage.alpha, 0, True, 3),
                                           self.argument(stage.alpha, 1, True, 3)))
        return total

    def operate(self, h, alpha, c):
        dom = self.dom
        if h.op == w.MADD:
            product = self.product(h, alpha, c)
            return (self.argument(h, 2, alpha, c) if product is None
                    else dom.add(product, self.argument(h, 2, alpha, c)))
        x, y, z = (self.argument(h, k, alpha, c) for k in range(3))
        if h.op == w.LERP:
            if not dom.in_unit_range(z):
                self.fail('the LERP factor leaves [0,1]')
            return dom.add(dom.mul(z, y), dom.mul(dom.sub(dom.one, z), x))
        return dom.select_gt_half(z, x, y) if h.op == w.CND else dom.select_ge_zero(z, x, y)

    def product(self, h, alpha, c):
        """Returns A * B, or None if A or B is the constant 0; the other one is then not read."""
        zero = [a.source == 0 and not (a.comp or a.bias) for a in h.args[:2]]
        if zero[0] and zero[1]:
            return None
        return self.dom.mul(self.argument(h, 0, alpha, c), self.argument(h, 1, alpha, c))

    def finish(self, h, v):
        """Scales and clamps (notes/facts/r200.md 2.2); whether the sum is clamped before the scale is not
        known (notes/facts/hw-open.md r200.1)."""
        dom = self.dom
        clamp = dom.sat if h.clamp == w.CLAMP_01 else dom.sat8
        first = self.rounded(clamp(dom.shift(v, w.SHIFTS[h.scale])))
        if 'wide-sums' in self.assume:
            return first
        return self.agree('a sum beyond [-8,8]', first,
                          self.rounded(clamp(dom.shift(self.limited(v), w.SHIFTS[h.scale]))))

    def limited(self, v):
        """Returns a value under the other interpretation: clamped to [-8,8]."""
        return Exact.sat8(v) if isinstance(v, Fraction) else self.dom.sat8(v)

    def alpha_dot(self, stage, dot):
        """Returns a DOT_ALPHA result; it is not known which half's scale and clamp it takes."""
        if 'alpha-dot-modifiers=colour' in self.assume:
            return self.finish(stage.colour, dot)
        own = self.finish(stage.alpha, dot)
        if 'alpha-dot-modifiers' in self.assume:
            return own
        return self.agree('whose scale and clamp an alpha dot takes', own, self.finish(stage.colour, dot))

    def stage(self, stage):
        """Executes a stage: both halves read the registers, then both write."""
        self.where = 'stage %d' % stage.slot
        colour, alpha, writes = stage.colour, stage.alpha, []
        needs_dot = colour.op in w.DOTS and (colour.reg is not None and w.MASKS[colour.mask]
                                             or alpha.dot_alpha and alpha.reg is not None)
        dot = self.dot(stage) if needs_dot else None
        alpha_value = None
        if alpha.reg is not None:
            alpha_value = (self.alpha_dot(stage, dot) if alpha.dot_alpha
                           else self.finish(alpha, self.operate(alpha, True, 3)))
            writes.append((alpha.reg, 3, alpha_value))
        if colour.reg is not None:
            value = {}
            for c in w.MASKS[colour.mask]:
                pick = c
                if colour.rotate:
                    if 'output-rotate' not in self.assume:
                        self.fail('OUTPUT_ROTATE')
                    pick = ROTATE[colour.rotate][c]
                if pick == 3:
                    if alpha_value is None:
                        self.fail('OUTPUT_ROTATE takes an alpha that nothing computes')
                    writes.append((colour.reg, c, alpha_value))
                    continue
                if pick not in value:
                    value[pick] = self.finish(colour, dot if dot is not None
                                              else self.operate(colour, False, pick))
                writes.append((colour.reg, c, value[pick]))
        if colour.rotate:
            writes = [x for x in writes if x[1] != 3]
        for reg, c, v in writes:
            self.regs[reg][c] = v


def evaluate(code, inputs, model='real', assume=frozenset()):
    """Returns the four channels of R0 at the end."""
    return Run(code, inputs, model, assume).result()


class BoundRun(Run):
    """The same evaluation over ranges and error bounds."""

    def factor(self, n):
        exact = self.exact_factor(n)
        return [self.dom.between(e, e, abs(e - g.lo)) for e, g in zip(exact, super().factor(n))]

    def exact_factor(self, n):
        constant = next((c for c in self.code.constants if c.slot == n), None)
        if constant is None:
            self.fail('constant %d is read, and the output does not say what it is' % n)
        return [Fraction(colour_component(v)) for v in constant.value]


def bounds(code, inputs, model, assume):
    """Returns per channel the maximum difference between the model 'fixed' and exact arithmetic: errors of
    inputs, constants and results are propagated through the program."""
    return [v.err for v in BoundRun(code, BoundInputs(inputs), model, assume).result()]


# ---- what an output says of itself ----

def factor_problems(code, program):
    """Checks that the words contain the correct rounding of each listed constant, and no other constants."""
    for c in code.constants:
        address, word = code.words[c.word]
        if address != w.TFACTOR + 4 * c.slot or c.slot not in range(8):
            yield 'constant %s: word %d is not its register' % (c.slot, c.word)
            continue
        for name, shift, value in zip('rgba', (16, 8, 0, 24), c.value):
            byte = word >> shift & 255
            if abs(byte - 255 * Fraction(colour_component(value))) > Fraction(1, 2):
                yield 'constant %d: %s is %d, and 255 * %s is not nearest to it' % (c.slot, name, byte, value)
    slots = [c.slot for c in code.constants]
    if len(set(slots)) != len(slots):
        yield 'a constant is listed twice'
    for n in sorted(set(program.factors) - set(slots)):
        yield 'PP_TFACTOR_%d is written and not listed' % n


def last_writes(p):
    """Returns the half that writes each channel of R0 last."""
    last = {}
    for stage in p.stages:
        if stage.colour.reg == 0:
            for c in w.MASKS[stage.colour.mask]:
                last[c] = stage.colour
        if stage.alpha.reg == 0:
            last[3] = stage.alpha
    return last


def stat_problems(code, program):
    passes = program.passes
    lookups = [(n, r.unit) for n, p in enumerate(passes) for r in p.routes if r.lookup]
    want = {'passes': len(passes), 'stages': sum(len(p.stages) for p in passes), 'lookups': len(lookups),
            'constants': len(code.constants)}
    for name, value in want.items():
        if name in code.stats and code.stats[name] != value:
            yield 'stats: %s is %s, the words have %d' % (name, code.stats[name], value)
    units = {u for _, u in lookups}
    for t in code.textures:
        if t.slot not in units:
            yield 'texture slot %s is listed and not looked up' % t.slot


def check(code):
    """Returns problems of the words and of the tables beside them."""
    program, found = decode(code.words)
    found = list(found)
    if found:
        return found
    found += factor_problems(code, program)
    found += stat_problems(code, program)
    return found


def check_result(code):
    """Returns problems of words for a texture environment: the last writes of the result must be clamped."""
    found, sets = [], {}
    for t in code.textures:
        if sets.setdefault(t.coord, t.unit) != t.unit:
            found.append('coordinate set %d is that of two units' % t.coord)
    return found + ['the last write to R0.%s is not clamped to [0,1] (notes/facts/r200.md 4)' % 'rgba'[c]
                    for c, h in sorted(last_writes(decode(code.words)[0].passes[-1]).items())
                    if h.clamp != w.CLAMP_01]


__all__ = ['ASSUMPTIONS', 'MODELS', 'bounds', 'check', 'check_result', 'evaluate', 'judge']
