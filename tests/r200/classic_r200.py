"""A model of the classic r200 driver's texture environment (notes/facts/r200.md 5): which states it accepted,
how many stages it needed, and which words it wrote, including its defects. Written from the facts; nothing is
shared with texenvc.

    accepted states     units 0..5, COMBINE with the functions of combine, dot3 and ATI combine3, crossbar to
                        units 0..5; no COMBINE4, no depth textures
    stages              units whose result is not read are dropped; a unit with REPLACE in both halves is
                        folded into the next one (a folded unit is not folded again)
    registers           assigned from the last stage to the first: each writes the lowest register that no
                        later stage reads as a texture
"""
from collections import namedtuple

from oracle.hw.chips import Code, Constant, Texture
from oracle.texenv.state import CLASSIC, Half, used_args

COLOUR, ALPHA = 1, 2
OPS = {'c': 0, '~c': 1, 'a': 2, '~a': 3}
NAMES = ('c', '~c', 'a', '~a')
MADD, LERP, DOT3 = 0, 3, 4
COMP, BIAS, X2, NEG = 1, 2, 4, 8

Answer = namedtuple('Answer', 'accepted reason stages code')
P, T, C = ('P', 'c'), ('T', 'c'), ('C', 'c')
PA, TA, CA = ('P', 'a'), ('T', 'a'), ('C', 'a')


def as_combine(unit, n):
    """Returns (colour half, alpha half) of a unit; a classic mode becomes COMBINE, as core Mesa passes it to
    the driver."""
    if unit.mode not in CLASSIC:
        return unit.rgb, unit.alpha
    fmt = 'rgb' if unit.fmt in ('red', 'rg') else unit.fmt
    has_alpha = fmt in ('alpha', 'luminance_alpha', 'intensity', 'rgba')
    same = {'replace': ('replace', T), 'modulate': ('modulate', T, P), 'add': ('add', T, P),
            'blend': ('interpolate', C, P, T),
            'decal': ('interpolate', T, P, TA)}[unit.mode]
    rgb, alpha = same, ('modulate', TA, PA)
    if unit.mode == 'replace':
        alpha = ('replace', TA)
    elif unit.mode == 'blend' and fmt == 'intensity':
        alpha = ('interpolate', CA, PA, TA)
    elif unit.mode == 'add' and fmt == 'intensity':
        alpha = ('add', TA, PA)
    elif unit.mode == 'decal':
        has_alpha = False
    if fmt == 'alpha' or unit.mode == 'decal' and fmt not in ('rgb', 'rgba'):
        rgb = ('replace', P)
    if not has_alpha:
        alpha = ('replace', PA)

    def half(words):
        return Half(words[0], tuple(('T%d' % n if s == 'T' else s, o) for s, o in words[1:]), 1)

    return half(rgb), half(alpha)


def refusal(state):
    """Returns the reason why the driver does not handle a state, or None."""
    for n, unit in enumerate(state.units):
        if unit is None:
            continue
        if n > 5:
            return 'unit %d' % n
        if unit.mode == 'combine4':
            return 'combine4'
        if unit.depth or unit.shadow or unit.fmt in ('red', 'rg'):
            return 'texture format'
        if unit.rgb is not None:
            for half in (unit.rgb, unit.alpha):
                if half is not None and any(s in ('T6', 'T7') for s, _ in half.args):
                    return 'crossbar beyond unit 5'
    return None


def is_dot_rgba(half):
    return half.func.startswith('dot3_rgba')


def analyse(halves):
    """Returns (output register of each unit or None, references to each unit's result, next referenced unit,
    texture registers read), or None if no register is free. halves: {unit: (colour, alpha)}."""
    top = max(halves)
    out, ref, following = [None] * 6, [0] * 7, [None] * 6
    read, later = set(), None
    ref[top + 1] = COLOUR | ALPHA
    for n in range(top, -1, -1):
        if not ref[n + 1]:
            continue
        free = [r for r in range(6) if r not in read]
        if not free:
            return None
        out[n] = free[0]
        following[n] = later
        if n not in halves:
            ref[n] = COLOUR | ALPHA
            continue
        later = n
        colour, alpha = halves[n]
        wanted = []
        if ref[n + 1] & COLOUR or is_dot_rgba(colour):
            wanted += [(s, ALPHA if o[-1] == 'a' else COLOUR) for s, o in colour.args]
        if ref[n + 1] & ALPHA and not is_dot_rgba(colour):
            wanted += [(s, ALPHA) for s, _ in alpha.args]
        for source, what in wanted:
            if source == 'P':
                ref[n] |= what
            elif source[0] == 'T':
                read.add(int(source[1:]))
    return out, ref, following, read


class Encoder:
    """Makes the words of one stage: unit n in `slot`. folded: the unit that is folded into n; n if none
    is."""

    def __init__(self, halves, out, n, slot, folded):
        self.halves, self.out, self.n, self.slot, self.folded = halves, out, n, slot, folded
        self.codes = []

    def arg(self, alpha, source, operand):
        """Returns (code of the source, whether it is complemented) of an argument."""
        op, unit = OPS[operand], self.n
        if source == 'P' and self.folded != self.n:
            colour, other = self.halves[self.folded]
            unit = self.folded
            if alpha:
                source, more = other.args[0]
                op ^= OPS[more] & 1
            # the driver's defect: for the alpha of the folded unit it reads the source of the colour half
            elif op >= 2:
                source, op = colour.args[0][0], op ^ OPS[other.args[0][1]] & 1
            else:
                source, more = colour.args[0]
                op ^= OPS[more]
        odd = op >> 1 if not alpha else 0
        if source in '01':
            return 0, op & 1 ^ (source == '1')
        if source == 'F' or source == 'P' and self.slot == 0:
            base = 4
        elif source == 'P':
            base = 10 + 2 * self.out[unit - 1]
        elif source == 'C':
            base = 8 if unit == self.n else 26
        else:
            base = 10 + 2 * int(source[1:])
        return base | odd, op & 1

    def half(self, alpha):
        """Returns (first word, code of the scale) of a half."""
        h = self.halves[self.n][alpha]
        a = [self.arg(alpha, s, o) for s, o in h.args]
        zero, one = (0, 0), (0, 1)
        bits = [0, 0, 0]
        op = MADD
        if h.func == 'replace':
            slots = [zero, zero, a[0]]
        elif h.func == 'modulate':
            slots = [a[0], a[1], zero]
        elif h.func in ('add', 'add_signed', 'subtract'):
            slots = [a[0], one, a[1]]
        elif h.func == 'interpolate':
            slots, op = [a[1], a[0], a[2]], LERP
        elif h.func in ('modulate_add', 'modulate_signed_add', 'modulate_subtract'):
            slots = [a[0], a[2], a[1]]
        else:
            slots, op = [a[0], a[1], zero], DOT3
            bits[0] = bits[1] = BIAS | X2
        if 'signed' in h.func:
            bits[2] = BIAS
        elif 'subtract' in h.func:
            bits[2] = NEG
        word = op << 28
        for k, ((code, comp), more) in enumerate(zip(slots, bits)):
            word |= code << 5 * k | (comp | more) << 16 + 4 * k
        return word, {1: 0, 2: 1, 4: 2}[1 if h.func.endswith('_ext') else h.scale]

    def words(self):
        colour = self.halves[self.n][0]
        word, scale = self.half(0)
        common = 0x1000 | (self.out[self.n] + 1) << 16 | self.n | self.folded << 4
        if is_dot_rgba(colour):
            return [word, common | scale << 8, 0, common | scale << 8 | 1 << 20]
        alpha, alpha_scale = self.half(1)
        return [word, common | scale << 8, alpha, common | alpha_scale << 8]


def colour_word(color):
    r, g, b, a = (int(255 * c + .5) for c in color)
    return a << 24 | r << 16 | g << 8 | b


def classic(state):
    """Returns what the driver makes of a state, as Answer."""
    reason = refusal(state)
    if reason:
        return Answer(False, reason, None, None)
    halves = {n: as_combine(u, n) for n, u in enumerate(state.units) if u is not None}
    if not halves:
        words = [0x1000, 0x11000, 0x1000, 0x11000]
        return Answer(True, None, 1, assemble(state, [words], set()))
    found = analyse(halves)
    if found is None:
        return Answer(False, 'no free register', None, None)
    out, ref, following, read = found
    stages, n = [], 0
    while n <= max(halves):
        if n in halves and ref[n + 1]:
            colour, alpha = halves[n]
            folded = n
            replaces = colour.func == 'replace' and alpha.func == 'replace'
            if replaces and colour.scale == alpha.scale == 1 and following[n] is not None:
                n = following[n]
            stages.append(Encoder(halves, out, n, len(stages), folded).words())
        n += 1
    return Answer(True, None, len(stages), assemble(state, stages, read))


def assemble(state, stages, read):
    """Returns the words as Code for the oracle's interpreter, with the lookups of enabled units whose
    register is read, and all six constants."""
    units = [n for n in sorted(read) if state.units[n] is not None]
    words = [(0x1c38, sum(16 << n for n in units) | ((1 << len(stages)) - 1) << 12), (0x2cc4, 0)]
    for n in units:
        kind = {'3d': 2, 'cube': 1}.get(state.units[n].target, 3)
        words += [(0x2c04 + 32 * n, n << 24), (0x2c08 + 32 * n, kind << 16), (0x2c1c + 32 * n, 0)]
    for slot, four in enumerate(stages):
        words += [(0x2f00 + 16 * slot + 4 * k, w) for k, w in enumerate(four)]
    constants = []
    for n in range(6):
        on = state.units[n] is not None
        color = state.units[n].color if on else (0.0,) * 4
        constants.append(Constant(n, n if on else None, color, len(words)))
        words.append((0x2ee0 + 4 * n, colour_word(color)))
    return Code('r200', tuple(words), tuple(constants), tuple(Texture(n, n, n, state.units[n].target)
                                                              for n in units), (), (), {}, False)


def known_wrong(state):
    """Returns the reason why the driver's words are known to be wrong for a state, or None: DOT3_RGBA scales
    alpha by the colour's scale; the defect of folded REPLACEs; or a unit reads the texture of a disabled
    unit, whose register is undefined (in GL the unit passes its input through)."""
    if any(s[0] == 'T' and state.units[int(s[1:])] is None for u in state.units if u is not None for s, _,
           _ in used_args(u)):
        return 'crossbar to a disabled unit'
    halves = {n: as_combine(u, n) for n, u in enumerate(state.units) if u is not None}
    found = analyse(halves) if halves else None
    if found is None:
        return None
    _, ref, following, _ = found
    for n, (colour, alpha) in halves.items():
        if colour.func == 'dot3_rgba' and alpha.scale != colour.scale:
            return 'dot3_rgba'
        replaces = colour.func == 'replace' and alpha.func == 'replace'
        if ref[n + 1] and following[n] and replaces and colour.args[0][0] != alpha.args[0][0]:
            if any(s == 'P' and o[-1] == 'a' for s, o in halves[following[n]][0].args):
                return 'folded replace'
    return None
