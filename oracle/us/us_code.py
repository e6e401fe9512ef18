"""Shared by the interpreters of r300, r400 and r500, except for instructions: fields of words, the
rasteriser's routing, the tables of inputs, constants and textures beside the words, and the start of a
program (notes/facts/r300.md 2, 3.2b, 5).
"""
from fractions import Fraction

from ..common.errors import ProgramError, Unsupported
from ..common.numbers import to_single
from ..hw import lanes
from ..hw.bounds import BoundInputs, Bounds
from ..hw.chips import Assumption
from .us_eval import Coordinate, OPEN, Run

# The channels of (s, t, r, q) that a lookup reads, per target: notes/facts/texenv.md 11.9 for cube maps; for
# others q is the divisor.
PROJECTIVE = {'1d': (0, 3), '2d': (0, 1, 3), 'rect': (0, 1, 3), '3d': (0, 1, 2, 3), 'cube': (0, 1, 2)}


def assumptions():
    """Returns the assumptions: one for each open question. Those that change texenvc's output are passed to
    it."""
    return {name: Assumption(about, name in ('three-constants', 'presub-part', 'dot-copy')) for name,
            about in OPEN.items()}


def unpack(value, fields, problems, where):
    """Returns {name: number}; bits that belong to no field are reserved and must be zero."""
    known, out = 0, {}
    for name, (low, width) in fields.items():
        known |= ((1 << width) - 1) << low
        out[name] = value >> low & ((1 << width) - 1)
    if value & ~known:
        problems.append('%s: reserved bits %08x are set' % (where, value & ~known))
    return out


def channels(mask):
    """Returns the channels of a write mask."""
    return tuple(c for c in range(4) if mask >> c & 1)


# ---- constants in the chips' formats ----

def float24(value):
    """Returns the 24 bits of a constant (notes/facts/r300.md 1.1): seven bits of the single's mantissa are
    dropped. Returns None if the exponent does not fit."""
    import struct
    bits, = struct.unpack('<I', struct.pack('<f', to_single(float(value))))
    if bits & 0x7fffffff == 0:
        return 0
    exponent = (bits >> 23 & 255) - 127 + 63
    if not 0 <= exponent <= 127:
        return None
    return (bits >> 31) << 23 | exponent << 16 | (bits & 0x7fffff) >> 7


def float24_value(word):
    if word == 0:
        return Fraction(0)
    value = Fraction(65536 + (word & 0xffff), 65536) * Fraction(2) ** ((word >> 16 & 127) - 63)
    return -value if word >> 23 & 1 else value


def float32(value):
    import struct
    return struct.unpack('<I', struct.pack('<f', to_single(float(value))))[0]


def float32_value(word):
    import struct
    return Fraction(struct.unpack('<f', struct.pack('<I', word))[0])


# ---- the rasteriser (notes/facts/r300.md 5) ----

COUNT = {'tex': (0, 7), 'colours': (7, 4), 'w_addr': (12, 6), 'hires': (18, 1)}
INST_COUNT = {'count': (0, 4), 'tx_offset': (5, 3)}
R300_IP = {'tex': (0, 6), 'colour': (6, 3), 'format': (9, 4), 's': (13, 3), 't': (16, 3), 'r': (19, 3),
           'q': (22, 3)}
R300_INST = {'tex_id': (0, 3), 'tex_write': (3, 1), 'tex_dest': (6, 5), 'colour_id': (11, 3),
             'colour_write': (14, 1), 'colour_dest': (17, 5),
             'tex_adj': (22, 1)}
R500_IP = {'s': (0, 6), 't': (6, 6), 'r': (12, 6), 'q': (18, 6), 'colour': (24, 3), 'format': (27, 4),
           'offset': (31, 1)}
R500_INST = {'tex_id': (0, 4), 'tex_write': (4, 1), 'tex_dest': (5, 7), 'colour_id': (12, 4),
             'colour_write': (16, 2), 'colour_dest': (18, 7),
             'tex_adj': (25, 1), 'w_cn': (26, 1)}
RS_COUNT, RS_INST_COUNT = 0x4300, 0x4304
FG_DEPTH_SRC, US_W_FMT, TX_ENABLE = 0x4bd8, 0x46b4, 0x4104
R300_RS = (0x4310, R300_IP, 0x4330, R300_INST, 8)
R500_RS = (0x4074, R500_IP, 0x4320, R500_INST, 16)


def is_rasteriser(address, layout):
    ip, _, inst, _, count = layout
    return (address in (RS_COUNT, RS_INST_COUNT) or ip <= address < ip + 4 * count
            or inst <= address < inst + 4 * count)


def routing(registers, layout, problems):
    """Returns the temporaries that the rasteriser writes according to the words, as {temp: ('coord', pointer
    of s) or ('color', pointer)}; None if there are no words for the rasteriser."""
    ip_base, ip_fields, inst_base, inst_fields, _ = layout
    if not any(is_rasteriser(a, layout) for a in registers):
        return None
    for need in (RS_COUNT, RS_INST_COUNT):
        if need not in registers:
            problems.append('RS: register %04x is not written' % need)
            return None
    count = unpack(registers[RS_COUNT], COUNT, problems, 'RS_COUNT')
    number = unpack(registers[RS_INST_COUNT], INST_COUNT, problems, 'RS_INST_COUNT')['count'] + 1
    out, sets, colours = {}, set(), set()
    for i in range(number):
        if inst_base + 4 * i not in registers:
            problems.append('RS_INST_%d is not written' % i)
            continue
        inst = unpack(registers[inst_base + 4 * i], inst_fields, problems, 'RS_INST_%d' % i)
        for kind in ('tex', 'colour'):
            if not inst[kind + '_write']:
                continue
            ip = registers.get(ip_base + 4 * inst[kind + '_id'])
            if ip is None:
                problems.append('RS_INST_%d uses RS_IP_%d, which is not written' % (i, inst[kind + '_id']))
                continue
            ip = unpack(ip, ip_fields, problems, 'RS_IP_%d' % inst[kind + '_id'])
            dest = inst[kind + '_dest']
            if dest in out:
                problems.append('RS writes temporary %d twice' % dest)
            if kind == 'colour':
                out[dest] = ('color', ip['colour'])
                colours.add(ip['colour'])
                if inst['colour_write'] != 1 or ip['format'] not in (0, 2):
                    problems.append('RS_INST_%d: the colour is not written as RGBA' % i)
            else:
                start = ip['tex'] if 'tex' in ip else ip['s']
                selects = (ip['s'], ip['t'], ip['r'], ip['q'])
                if selects != ((0, 1, 2, 3) if 'tex' in ip else tuple(range(start, start + 4))):
                    problems.append('RS_IP_%d: s, t, r, q are not four components in order' % inst['tex_id'])
                out[dest] = ('coord', start)
                sets.add(start)
    if count['tex'] != 4 * len(sets) or count['colours'] != len(colours):
        problems.append('RS_COUNT: %d components and %d colours, but %d sets and %d colours are routed' % (
            count['tex'], count['colours'], len(sets), len(colours)))
    if not sets and not colours:
        problems.append('RS: nothing is rasterised')
    return out


def check_inputs(code, routed, problems):
    """Checks the words' routing against the table of inputs: the same temporaries, and the same order of
    pointers and numbers."""
    if routed is None:
        return
    table = inputs_of(code)
    spare = {t for t in routed if t not in table}
    if set(table) - set(routed):
        problems.append('inputs: temporary %d is not written by the rasteriser'
                        % min(set(table) - set(routed)))
    # one input must be rasterised even if nothing is read
    if spare and (table or len(spare) > 1):
        problems.append('inputs: the rasteriser writes temporary %d, which is not listed' % min(spare))
    for kind in ('color', 'coord'):
        pairs = sorted({(table[t][1], routed[t][1]) for t in table if t in routed and table[t][0] == kind})
        if any(routed[t][0] != table[t][0] for t in table if t in routed):
            problems.append('inputs: a temporary is listed as another kind than the rasteriser writes')
        numbers, pointers = [n for n, _ in pairs], [p for _, p in pairs]
        step = 4 if kind == 'coord' else 1
        if pointers not in ([step * n for n in numbers], [step * i for i in range(len(numbers))]):
            problems.append('inputs: %s sets %s are routed from %s' % (kind, numbers, pointers))


# ---- the tables that come with the words ----

def inputs_of(code):
    """Returns {temp: (kind, number)} of the table of inputs."""
    out = {}
    for item in code.inputs:
        out[item.temp] = (item.name[:5], int(item.name[5:]))
    return out


def start(code, inputs):
    """Returns {(temp, channel): value} before the first instruction."""
    out = {}
    for temp, (kind, number) in inputs_of(code).items():
        for c in range(4):
            if kind == 'coord':
                out[temp, c] = Coordinate(number, c)
            elif number == 0:
                out[temp, c] = inputs.primary(c)
            elif c < 3:
                # the secondary colour has no alpha (notes/facts/texenv.md 11.10)
                out[temp, c] = inputs.secondary(c)
    return out


def constants(code, inputs, model, held, to_value):
    """Returns a function (slot, channel) -> value. held: the uploaded words, as {(slot, ch): word}. In the
    exact model an environment colour may have any value, and an immediate its value before rounding."""
    table = {item.slot: item for item in code.constants}

    def constant(slot, c):
        if slot not in table or (slot, c) not in held:
            raise ProgramError('constant %d.%s is read but not uploaded' % (slot, 'xyzw'[c]))
        unit, own = table[slot].unit, Fraction(to_single(table[slot].value[c]))
        if table[slot].param is not None:
            return inputs.parameter(*table[slot].param, c)
        lane = table[slot].lanes[c] if table[slot].lanes else None
        if model == 'real' and lane and 'value' not in lane:
            return lanes.lane_of(lane, inputs)
        if model == 'real':
            return inputs.env(unit, c) if unit is not None else inputs.dom.const(own)
        return inputs.dom.rounded_const(to_value(held[slot, c]), own)
    return constant


def check_constants(code, held, to_word, problems):
    """Checks that each listed constant is uploaded, at the position that the table says, and rounded as the
    format requires."""
    slots = {item.slot for item in code.constants}
    if len(slots) != len(code.constants):
        problems.append('constants: a slot is listed twice')
    for slot, c in sorted(held):
        if slot not in slots:
            problems.append('constant %d is uploaded but not listed' % slot)
            break
    for item in code.constants:
        for c in range(4):
            word = held.get((item.slot, c))
            if word is None:
                problems.append('constant %d is listed but not uploaded' % item.slot)
                break
            if item.value[c] is None:       # not an immediate: the program that uploads the words fills it in
                continue
            want = to_word(item.value[c])
            if want is None or want != word:
                problems.append('constant %d.%s: %s is uploaded as %08x, not %s' % (
                    item.slot, 'xyzw'[c], item.value[c], word, 'in range' if want is None else '%08x' % want))
                break


def lookup(code, inputs):
    """Returns a function (tex, coords) -> four channels of the texel. A lookup at a coordinate set as the
    rasteriser delivers it gives the input that the texture environment reads. Any other lookup is dependent;
    its value is `inputs.sample(unit, coordinates)` if the inputs have this function (single vectors only).
    """
    table = {item.slot: item for item in code.textures}

    def value(tex, coords):
        entry = table.get(tex.sampler)
        if entry is None:
            raise ProgramError('%s: sampler %d is not among the textures' % (tex.where, tex.sampler))
        needed = PROJECTIVE[entry.target]
        if tex.unscaled not in (None, entry.target == 'rect'):
            raise ProgramError('%s: UNSCALED is wrong for a %s texture' % (tex.where, entry.target))
        if hasattr(inputs, 'sample'):
            return sampled(tex, [inputs.coord(v.set, v.ch) if isinstance(v, Coordinate) else v
                                 for v in coords], entry)
        for i in needed:
            if coords[i] is None:
                raise ProgramError('%s: temporary %d has no coordinate %s' % (tex.where, tex.src, 'strq'[i]))
        if not all(isinstance(coords[i], Coordinate) for i in needed):
            raise Unsupported('%s: dependent lookups have no value here' % tex.where)
        for i in needed:
            if (coords[i].set, coords[i].ch) != (entry.coord, i):
                raise ProgramError('%s: coordinate %s is coord%d.%s'
                                   % (tex.where, 'strq'[i], coords[i].set, 'strq'[coords[i].ch]))
        # lookups of a texture environment divide by q
        if 3 in needed and tex.op != 'TXP' and inputs.state is not None:
            raise ProgramError('%s: %s does not divide by q' % (tex.where, tex.op))
        return inputs.texture(entry.unit)

    def sampled(tex, coords, entry):
        """Returns a texel as a function of its coordinates: s and t, for 3D textures and cube maps also r;
        coordinates that the target does not use may be undefined."""
        used = [c for c in PROJECTIVE[entry.target] if c < 3]
        if any(coords[c] is None for c in used):
            raise ProgramError('%s: temporary %d has no coordinates' % (tex.where, tex.src))
        if tex.op != 'TXP' or entry.target == 'cube':
            return inputs.sample(entry.unit, [coords[c] for c in used])
        if not coords[3]:
            raise ProgramError('%s: divides by an undefined coordinate' % tex.where)
        return inputs.sample(entry.unit, [coords[c] / coords[3] for c in used])
    return value


def writes(pairs, channels_asked):
    """Returns whether a pair writes one of these channels of the output."""
    return any(c in channels_asked for p in pairs for h in (p.rgb, p.alpha) for c in h.out)


def fixed_registers(registers, code, depth, problems):
    """Checks registers that have one correct value for a program that writes one colour, and perhaps the
    depth (then the shader is the source of the depth, in 24 bits)."""
    for address in (FG_DEPTH_SRC, US_W_FMT):
        want = int(depth)
        if registers.get(address, 0) != want:
            problems.append('%04x is %08x, not %08x' % (address, registers.get(address, 0), want))
    if TX_ENABLE in registers and registers[TX_ENABLE] != sum({1 << t.slot for t in code.textures}):
        problems.append('TX_ENABLE is %08x' % registers[TX_ENABLE])


def check_stats(code, facts, problems):
    """Checks the statistics of the output against the words."""
    for name, want in facts.items():
        if name in code.stats and code.stats[name] != want:
            problems.append('stats: %s is said to be %s, the words have %s' % (name, code.stats[name], want))


# ---- number models ----

class Rounding:
    """Wraps a domain and rounds every product and every sum to `bits` bits after the leading one. How the
    chips' ALUs round is not known (notes/facts/hw-open.md r300.1). Here they round to nearest, and the bounds
    allow for an error of one unit in the last place. Exponents are not limited, because values of texture
    environments are neither very large nor very small."""

    def __init__(self, dom, bits):
        self.dom, self.bits = dom, bits
        self.zero, self.one, self.half, self.const = dom.zero, dom.one, dom.half, dom.const
        self.shift, self.sat, self.absolute = dom.shift, dom.sat, dom.absolute
        self.select_gt_half, self.select_ge_zero = dom.select_gt_half, dom.select_ge_zero
        self.first_difference, self.in_unit_range = dom.first_difference, dom.in_unit_range

    def rounded(self, a):
        """Rounds to nearest. Over Bounds the error is one unit in the last place, twice as much as rounding
        to nearest gives.
        """
        once = self.dom.round_float(a, self.bits)
        return once._replace(err=2 * once.err - a.err) if isinstance(self.dom, Bounds) else once

    def rounded_const(self, value, exact):
        return (self.dom.between(exact, exact, abs(exact - value)) if isinstance(self.dom, Bounds)
                else self.dom.const(value))

    def add(self, a, b):
        return self.rounded(self.dom.add(a, b))

    def sub(self, a, b):
        return self.rounded(self.dom.sub(a, b))

    def mul(self, a, b):
        return self.rounded(self.dom.mul(a, b))


class RoundedInputs:
    """Inputs in a chip's format, over the rounding domain."""

    def __init__(self, inputs, bits):
        self.inputs, self.dom, self.state = inputs, Rounding(inputs.dom, bits), inputs.state

    def texture(self, unit):
        return [self.dom.rounded(v) for v in self.inputs.texture(unit)]

    def primary(self, ch):
        return self.dom.rounded(self.inputs.primary(ch))

    def secondary(self, ch):
        return self.dom.rounded(self.inputs.secondary(ch))

    def env(self, unit, ch):
        return self.dom.rounded(self.inputs.env(unit, ch))

    def coord(self, n, ch):
        return self.dom.rounded(self.inputs.coord(n, ch))


def run_of(chip, code, inputs, model, assume, held, to_value, bits):
    """Returns the machine at the start of a program."""
    if model != 'real':
        inputs = RoundedInputs(inputs, bits)
    everything = set(assume) | set(code.assumed)        # the output lists its own assumptions
    # whether a program relies on an assumption is checked in the exact model only
    if model != 'real':
        everything |= set(OPEN)
    return Run(chip, inputs.dom, start(code, inputs), constants(code, inputs, model, held, to_value),
               lookup(code, inputs),
               lambda c: inputs.coord(c.set, c.ch), everything)


def bounds_of(evaluate, code, inputs, model, assume):
    """Returns the maximum differences of the four channels from the exact values for all inputs in [0,1],
    derived from ranges."""
    return [v.err for v in evaluate(code, BoundInputs(inputs), model, assume)]
