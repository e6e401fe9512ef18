"""Decodes words of R200's pixel pipeline (notes/facts/r200.md 2.2 and 3) to registers and fields, and lists
errors in them.
"""
from collections import namedtuple

PP_CNTL, PP_CNTL_X, RE_CNTL = 0x1c38, 0x2cc4, 0x1c50
BLEND, TFACTOR, UNIT = 0x2f00, 0x2ee0, 0x2c00
TXFORMAT, TXFORMAT_X, TXMULTI_CTL = 0x04, 0x08, 0x1c            # offsets from a texture unit's registers
NONPROJ, CUBIC_ENV, VOLUME, PROJ, DEPTH, ONE_D_PROJ, ONE_D, ZERO = range(8)      # texture coordinate types
LOOKUPS = {'1d': (PROJ, ONE_D_PROJ), '2d': (PROJ,), 'rect': (PROJ,), '3d': (VOLUME,), 'cube': (CUBIC_ENV,)}

MADD, CND0, LERP, DOT3, DOT4, CND, DOT2ADD = 0, 2, 3, 4, 5, 6, 7
DOTS = (DOT3, DOT4, DOT2ADD)
SHIFTS = {0: 0, 1: 1, 2: 2, 3: 3, 5: -1, 6: -2, 7: -3}          # scale field -> power of two
CLAMP_01, CLAMP_8 = 1, 2
MASKS = {0: (0, 1, 2), 1: (0, 1), 2: (0, 2), 3: (0,), 4: (1, 2), 5: (1,), 6: (2,), 7: ()}

# bits with a defined meaning
BITS_WORD1 = 0x7fff7fff
BITS_COLOUR2, BITS_ALPHA2 = 0xff773777, 0xfc173777
# bits for textures, stages and two passes; the other bits (filter rounding, colour sum, fog, alpha test,
# lines) do not belong to a program
BITS_CNTL = 0x000ffbf0
BITS_CNTL_X = 0x000fffff
BITS_MULTI = 0x0700007f
BITS_FORMAT, BITS_FORMAT_X = 0x7fffffff, 0xffffff1f
BITS_RE_CNTL = sum(1 << (16 + 2 * n) for n in range(6))

Arg = namedtuple('Arg', 'source odd repl comp bias x2 neg')     # source: code without its lowest bit
# factors: (TFACTOR_SEL, TFACTOR1_SEL); reg: 0..5 or None
Half = namedtuple('Half', 'op args factors scale clamp reg mask rotate dot_alpha')
Stage = namedtuple('Stage', 'slot colour alpha')
# a unit in one pass; reg: the register of the first pass from which the coordinates come, or None
Route = namedtuple('Route', 'unit lookup kind coord reg')
Pass = namedtuple('Pass', 'routes stages')
# factors: {n: word}; outputs: registers of PPX_OUTPUT_REG; third: RE_CNTL or None
Program = namedtuple('Program', 'passes factors outputs third')


def bits(word, low, count):
    return word >> low & ((1 << count) - 1)


def known_bits(address):
    """Returns (name, defined bits) of a register, or None for one that does not belong to a program."""
    if address == PP_CNTL:
        return 'PP_CNTL', BITS_CNTL
    if address == PP_CNTL_X:
        return 'PP_CNTL_X', BITS_CNTL_X
    if address == RE_CNTL:
        return 'RE_CNTL', BITS_RE_CNTL
    if BLEND <= address < BLEND + 0x100 and address % 4 == 0:
        n, word = divmod(address - BLEND, 16)
        name, mask = (('TXCBLEND', BITS_WORD1), ('TXCBLEND2', BITS_COLOUR2), ('TXABLEND', BITS_WORD1),
                      ('TXABLEND2', BITS_ALPHA2))[word // 4]
        return 'PP_%s_%d' % (name, n), mask
    if TFACTOR <= address < TFACTOR + 0x20 and address % 4 == 0:
        return 'PP_TFACTOR_%d' % ((address - TFACTOR) // 4), 0xffffffff
    if UNIT <= address < UNIT + 6 * 0x20:
        n, offset = divmod(address - UNIT, 0x20)
        for want, name, mask in ((TXFORMAT, 'TXFORMAT', BITS_FORMAT),
                                 (TXFORMAT_X, 'TXFORMAT_X', BITS_FORMAT_X),
                                 (TXMULTI_CTL, 'TXMULTI_CTL', BITS_MULTI)):
            if offset == want:
                return 'PP_%s_%d' % (name, n), mask
    return None


def half(word1, word2, alpha):
    """Decodes one half of a stage. Undefined field values are kept; half_problems reports them."""
    args = []
    for k in range(3):
        code, mods = bits(word1, 5 * k, 5), bits(word1, 16 + 4 * k, 4)
        args.append(Arg(code & ~1, code & 1, bits(word2, 26 + 2 * k, 2), bool(mods & 1), bool(mods & 2),
                        bool(mods & 4), bool(mods & 8)))
    reg = bits(word2, 16, 3)
    return Half(bits(word1, 28, 3), tuple(args), (bits(word2, 0, 3), bits(word2, 4, 3)), bits(word2, 8, 3),
                bits(word2, 12, 2), reg - 1 if reg else None,
                0 if alpha else bits(word2, 20, 3), 0 if alpha else bits(word2, 24, 2),
                bool(alpha and word2 >> 20 & 1))


def arg_problem(arg, alpha):
    code = arg.source | arg.odd
    if code == 1 or 22 <= code <= 25 or code >= 28:
        return 'source code %d is not explained' % code
    if arg.source == 2:
        return 'source CURRENT is not explained'
    if arg.source == 6 and alpha and not arg.odd and not arg.repl:
        return 'the alpha of the secondary colour does not exist'
    if arg.source == 6 and not alpha and arg.odd:
        return 'the alpha of the secondary colour does not exist'
    if alpha and arg.repl == 3:
        return 'replicate 3 in an alpha word is not explained'
    if not alpha and arg.repl and arg.odd:
        return 'a replicate field beside an alpha source is not explained'
    return None


def args_of(h, stage, alpha):
    """Returns the indices of the arguments that the operation uses."""
    if alpha and h.dot_alpha:
        return (0, 1) if stage.colour.op == DOT4 else ()
    if alpha and stage.colour.op == DOT4:
        return (0, 1, 2)
    return (0, 1) if h.op in (DOT3, DOT4) else (0, 1, 2)


def half_problems(stage, alpha):
    h = stage.alpha if alpha else stage.colour
    where = 'stage %d, %s: ' % (stage.slot, 'alpha' if alpha else 'colour')
    if alpha and h.dot_alpha:
        if stage.colour.op not in DOTS:
            yield where + 'DOT_ALPHA, and the colour half has no dot'
    elif h.op == 1 or alpha and h.op in DOTS:
        yield where + 'operation %d is not explained' % h.op
    elif alpha and stage.colour.op == DOT4 and h.reg is not None:
        yield where + 'what it writes beside a DOT4 without DOT_ALPHA is not known'
    if h.scale not in SHIFTS:
        yield where + 'scale 4 is not explained'
    if h.clamp not in (CLAMP_01, CLAMP_8):
        yield where + 'clamp %d is not explained' % h.clamp
    if h.reg == 6:
        yield where + 'output register 7 is not explained'
    for k in args_of(h, stage, alpha):
        problem = arg_problem(h.args[k], alpha)
        if problem:
            yield where + 'argument %s: %s' % ('ABC'[k], problem)


class Reader:
    """Decodes a list of words; `problems` collects the errors."""

    def __init__(self, words):
        self.problems, self.regs = [], {}
        for address, word in words:
            known = known_bits(address) if address is not None else None
            if known is None:
                self.problems.append('a write to %s' % ('0x%04x' % address if address is not None
                                                        else 'no register'))
                continue
            if address in self.regs:
                self.problems.append('%s is written twice' % known[0])
            if word & ~known[1]:
                self.problems.append('%s: bits 0x%08x have no meaning here' % (known[0], word & ~known[1]))
            self.regs[address] = word

    def need(self, address):
        """Returns a register that must be written, because its earlier content is unknown."""
        if address not in self.regs:
            self.problems.append('%s counts and is not written' % known_bits(address)[0])
            return 0
        return self.regs[address]

    def stages(self, first, enabled):
        """Returns the stages of one pass; `enabled` has a bit for each, in order."""
        if enabled & (enabled + 1):
            self.problems.append('the stages enabled (0x%02x) are not the first ones' % enabled)
        out = []
        for n in range(8):
            if enabled >> n & 1:
                w = [self.need(BLEND + 16 * (first + n) + 4 * k) for k in range(4)]
                stage = Stage(first + n, half(w[0], w[1], False), half(w[2], w[3], True))
                self.problems += list(half_problems(stage, False)) + list(half_problems(stage, True))
                out.append(stage)
        return tuple(out)

    def route(self, n, first):
        """Decodes the routing of unit n in the first of two passes, or in the last one."""
        base = UNIT + 0x20 * n
        multi = self.need(base + TXMULTI_CTL)
        if first:
            return self.checked(Route(n, not multi & 1, bits(multi, 1, 3), bits(multi, 4, 3), None))
        form, form_x = self.need(base + TXFORMAT), self.need(base + TXFORMAT_X)
        reg = bits(multi, 24, 3)
        if reg == 1:
            self.problems.append('TXMULTI_CTL_%d: PASS2_COORDS_REG 1 is not explained' % n)
        return self.checked(Route(n, not form >> 27 & 1, bits(form_x, 16, 3), bits(form, 24, 3),
                                  reg - 2 if reg >= 2 else None))

    def checked(self, route):
        if route.coord > 5 and route.reg is None:
            self.problems.append('unit %d: there is no coordinate set %d' % (route.unit, route.coord))
        return route

    def program(self):
        cntl, cntl_x = self.need(PP_CNTL), self.need(PP_CNTL_X)
        two = bool(cntl >> 19 & 1)
        last = Pass(tuple(self.route(n, False) for n in range(6) if cntl >> (4 + n) & 1),
                    self.stages(0, bits(cntl, 12, 7) | bits(cntl, 11, 1) << 7))
        if not last.stages:
            self.problems.append('the last pass has no stage')
        outputs = {n for n in range(6) if cntl_x >> (6 + n) & 1}
        factors = {(a - TFACTOR) // 4: w for a, w in self.regs.items() if TFACTOR <= a < TFACTOR + 0x20}
        third = self.regs.get(RE_CNTL)
        if not two:
            if cntl_x:
                self.problems.append('PP_CNTL_X is not 0 in a program of one pass')
            self.problems += ['TXMULTI_CTL_%d is not 0 in a program of one pass' % n for n in range(6)
                              if self.regs.get(UNIT + 0x20 * n + TXMULTI_CTL)]
            return Program((last,), factors, outputs, third)
        first = Pass(tuple(self.route(n, True) for n in range(6) if cntl_x >> n & 1),
                     self.stages(8, bits(cntl_x, 12, 8)))
        if not first.stages:
            self.problems.append('the first of two passes has no stage')
        used = {r.reg for r in last.routes if r.reg is not None}
        if outputs != used:
            self.problems.append('PP_CNTL_X passes on registers %s, the second pass takes %s'
                                 % (sorted(outputs), sorted(used)))
        return Program((first, last), factors, outputs, third)
