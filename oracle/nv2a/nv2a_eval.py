"""Evaluates the NV2A's register combiners (notes/facts/nv2a.md 3 to 5), over any arithmetic.

Each stage reads all registers before it writes. It is an error if a program relies on state that it has not
set, or on behaviour that the facts call unknown. There are two arithmetics. `Real` is exact arithmetic over a
number domain: the model 'real', in which an environment colour has its unit's value, whatever its bytes.
`Units` computes with integers in units of 1/255, as the hardware does, from inputs in bytes; details that no
known picture from the hardware shows are named assumptions. Since the two have no common number domain,
`units` is a separate function and not a model of hw/chips.py.
"""
from ..common.errors import ProgramError, Unsupported
from ..hw.chips import Assumption
from ..hw.unorm8 import constant_channel, nearest_byte
from ..lang import fog
from .nv2a_words import (C0, C1, EF, FACTOR0, FACTOR1, FINAL0, FINAL1, FOG, MODES, NAMES, PER_STAGE, R0,
                         STAGES, SUM, T0, T3, V0, V1, ZERO, color_bytes, decode)

MODELS = ('real',)
CHANNELS = 'rgba'
# also true for programs of ATI_fragment_shader: the final combiner reads values below 0 as 0
CLAMPED_RESULT = True
# For Units only. Each text is "A, not B": A holds with the assumption, B without it.
ASSUMPTIONS = {
    'expand-256': Assumption('expand normal is 2x-256 in units, not 2x-255'),
    'half-bias-127': Assumption('half-bias normal subtracts 127, not 128 as the bias of results does'),
    'round-each': Assumption('each product of a sum is rounded, not the sum'),
    'negative-half-down': Assumption('half of a negative odd number is rounded away from 0, not upwards'),
    'lower-256': Assumption('results are clamped at -256, not -255'),
}


class Real:
    """Exact arithmetic over a number domain."""

    def __init__(self, dom):
        self.dom, self.zero, self.one, self.half = dom, dom.zero, dom.one, dom.half
        self.add, self.sub, self.sat = dom.add, dom.sub, dom.sat

    def positive(self, a):
        return self.dom.select_ge_zero(a, a, self.zero)

    def expand(self, a):
        return self.sub(self.dom.shift(a, 1), self.one)

    def half_bias(self, a):
        return self.sub(a, self.half)

    def products(self, *pairs):
        total = None
        for a, b in pairs:
            v = self.dom.mul(a, b)
            total = v if total is None else self.add(total, v)
        return total

    def scale(self, a, op):
        if op & 1:
            a = self.sub(a, self.half)
        return self.dom.shift(a, (0, 1, 2, -1)[op >> 1])

    def clamp(self, a):
        """Clamps to [-1,1]."""
        dom = self.dom
        return dom.sub(dom.shift(dom.sat(dom.shift(dom.add(a, dom.one), -1)), 1), dom.one)

    def mux(self, control, msb, ab, cd):
        if not msb:
            raise Unsupported('the lowest bit of a byte chooses: no value in exact arithmetic')
        return self.dom.select_ge_zero(self.dom.sub(control, self.half), cd, ab)


class Units:
    """Integers, where 255 is 1 (notes/facts/nv2a.md 5)."""

    zero, one = 0, 255

    def __init__(self, assume=frozenset()):
        self.assume = assume

    @staticmethod
    def add(a, b):
        return a + b

    @staticmethod
    def sub(a, b):
        return a - b

    @staticmethod
    def positive(a):
        return max(a, 0)

    @staticmethod
    def sat(a):
        return min(255, max(0, a))

    def expand(self, a):
        return 2 * a - (256 if 'expand-256' in self.assume else 255)

    def half_bias(self, a):
        return a - (127 if 'half-bias-127' in self.assume else 128)

    def products(self, *pairs):
        """Returns the rounded sum of products. As 255 is odd, no quotient is half way between two
        integers."""
        if 'round-each' in self.assume:
            return sum(self.nearest(a * b) for a, b in pairs)
        return self.nearest(sum(a * b for a, b in pairs))

    @staticmethod
    def nearest(x):
        return (2 * x + 255) // 510

    def scale(self, a, op):
        if op & 1:
            a -= 128
        if op >> 1 == 3:
            return a >> 1 if a < 0 and 'negative-half-down' in self.assume else (a + 1) >> 1
        return a << (op >> 1)

    def clamp(self, a):
        return min(255, max(-256 if 'lower-256' in self.assume else -255, a))

    @staticmethod
    def mux(control, msb, ab, cd):
        if control < 0:
            raise Unsupported('a negative r0.a chooses: what it does is not known')
        return cd if (control >= 128 if msb else control & 1) else ab


class Run:
    """One evaluation. given(register, c): channel c of an input register; constant(word, c): channel c of a
    constant."""

    def __init__(self, program, arithmetic, given, constant):
        self.program, self.num, self.given, self.constant = program, arithmetic, given, constant
        self.registers = {}         # (register, channel) that a stage wrote: value
        self.stage_number = None    # None: the final combiner

    def result(self):
        for n, stage in enumerate(self.program.stages):
            self.stage_number = n
            self.registers.update(self.stage(stage))
        self.stage_number = None
        return self.final(self.program.final)

    def stage(self, stage):
        """Returns the values that a stage writes: {(register, channel): value}."""
        writes, num = {}, self.num
        for half, channels in ((stage.rgb, (0, 1, 2)), (stage.alpha, (3,))):
            out = half.output
            for register, results, blue in zip((out.ab, out.cd, out.third), self.results(half, channels),
                                               (out.ab_blue, out.cd_blue, 0)):
                if register == ZERO:
                    continue
                values = [num.clamp(num.scale(results(c), out.op)) for c in channels]
                writes.update(((register, c), v) for c, v in zip(channels, values))
                if blue and len(channels) == 3:
                    writes[register, 3] = values[2]
        return writes

    def results(self, half, channels):
        """Returns three functions that map a channel to the result AB, CD or the third one, before the
        operation on results.
        """
        out, num = half.output, self.num
        operand = lambda i, c: self.read(half.inputs[i], c)

        def pair(first, c):
            return operand(first, c), operand(first + 1, c)

        def product(first, dot):
            if dot:
                total = num.products(*(pair(first, c) for c in channels))
                return lambda c: total
            return lambda c: num.products(pair(first, c))

        def third(c):
            if out.mux:
                return num.mux(self.register(R0, 3), self.program.mux_msb, num.products(pair(0, c)),
                               num.products(pair(2, c)))
            return num.products(pair(0, c), pair(2, c))

        needed = [out.ab != ZERO, out.cd != ZERO]
        return [product(first, dot) if need else None
                for first, dot, need in ((0, out.ab_dot, needed[0]), (2, out.cd_dot, needed[1]))] + [third]

    def read(self, i, c):
        """Returns an input of a general stage after its mapping."""
        if i.register == ZERO:
            v = self.num.zero
        elif c < 3:
            v = self.register(i.register, 3 if i.single else c)
        else:
            v = self.register(i.register, 3 if i.single else 2)
        return self.map(v, i.mapping)

    def map(self, v, mapping):
        num = self.num
        if mapping >= 6:
            return num.sub(num.zero, v) if mapping == 7 else v
        if mapping == 1:
            return num.sub(num.one, num.sat(v))
        v = num.positive(v)
        if mapping >= 2:
            v = num.expand(v) if mapping < 4 else num.half_bias(v)
        return num.sub(num.zero, v) if mapping in (3, 5) else v

    def register(self, register, c):
        if (register, c) in self.registers:
            return self.registers[register, c]
        if register in (C0, C1):
            word = self.constant_word(register - C0)
            if word is None:
                raise ProgramError('%s reads %s, which is not written' % (self.where(), NAMES[register]))
            return self.constant(word, c)
        if register in (V0, V1) or T0 <= register <= T3 or register == FOG:
            return self.given(register, c)
        if (register, c) == (R0, 3):
            return self.given(T0, 3)        # t0 is 1 without texture 0
        raise ProgramError('%s reads %s.%s, which nothing has written'
                           % (self.where(), NAMES[register], CHANNELS[c]))

    def constant_word(self, k):
        if self.stage_number is None:
            return self.program.final_factors[k]
        return self.program.factors[k][self.stage_number]

    def where(self):
        return 'the final combiner' if self.stage_number is None else 'stage %d' % self.stage_number

    def final(self, final):
        num, cache = self.num, {}

        def sum_(c):
            if c == 3:
                return num.zero
            terms = [num.positive(self.register(register, c)) for register in (R0, V1)]
            terms = [num.sub(num.one, num.sat(v)) if invert else v
                     for v, invert in zip(terms, (final.invert_r0, final.invert_v1))]
            total = num.add(*terms)
            return num.sat(total) if final.clamp_sum else total

        def read(i, c, alpha=False):
            key = i, c, alpha
            if key not in cache:
                if i.register == ZERO:
                    v = num.zero
                elif alpha:
                    v = self.register(i.register, 3 if i.single else 2)
                else:
                    at = 3 if i.single else c
                    if i.register == SUM:
                        v = sum_(at)
                    elif i.register == EF:
                        e, f = final.efg[:2]
                        v = num.zero if at == 3 else num.products((read(e, at), read(f, at)))
                    else:
                        v = self.register(i.register, at)
                cache[key] = num.sub(num.one, num.sat(v)) if i.mapping else num.positive(v)
            return cache[key]

        out = []
        for c in range(3):
            a, b, third, d = (read(i, c) for i in final.abcd)
            mixed = num.products((a, b), (num.sub(num.one, num.sat(a)), third))
            out.append(num.sat(num.add(mixed, d)))
        return out + [num.sat(read(final.efg[2], 3, True))]


def evaluate(code, inputs, model='real', assume=frozenset()):
    """Returns the four channels of the final combiner's result, in exact arithmetic."""
    dom = inputs.dom
    run = RealInputs(code, inputs)
    return Run(run.program, Real(dom), run.given, run.constant).result()


class RealInputs:
    """Registers before the first stage, and constants, over the number domain of the inputs."""

    model = 'real'

    def __init__(self, code, inputs):
        self.code, self.inputs, self.dom = code, inputs, inputs.dom
        self.program = decode(code.words)
        self.units = {t.slot: t for t in code.textures}
        self.constants = {(c.word, CHANNELS.index(name)): c for c in code.constants for name in c.channels}

    def given(self, register, c):
        if register == V0:
            return self.inputs.primary(c)
        if register == V1:
            return self.inputs.secondary(c)
        if register == FOG:
            return self.fog(c)
        return self.texture(register - T0, c)

    def fog(self, c):
        state = self.inputs.state
        if state is None or not state.fog:
            raise ProgramError('the final combiner reads fog, and there is none')
        inputs = self.inputs.inputs
        return inputs.get(('fog', 0, c)) if c < 3 else fog.factor(inputs, state.fog[0])

    def texture(self, slot, c):
        if not self.program.modes[slot]:
            return self.dom.one if c == 3 else self.dom.zero
        if slot not in self.units:
            raise ProgramError('texture %d has a mode, and no unit' % slot)
        unit = self.units[slot].unit
        if self.program.modes[slot] == 2 and self.units[slot].target != '3d':
            four = self.inputs.compared(unit)       # all channels are the result of the comparison
            return four[3] if self.inputs.state.units[unit].fmt == 'alpha' else four[0]
        if c < 3 and self.inputs.base_format(unit) == 'alpha':
            return self.dom.one                     # A8 is (1,1,1,a)
        return self.inputs.texture(unit)[c]

    def constant(self, word, c):
        byte = color_bytes(word.value)[c]
        return constant_channel(self, self.constants.get((word.index, c)), c, byte, word.index)


def units(words, inputs, assume=frozenset(), whole=True):
    """Returns the result in units of 1/255, as the hardware computes it. inputs: {register: four integers}; a
    texture without an entry is disabled."""
    off = (0, 0, 0, 255)

    def given(register, c):
        if T0 <= register <= T3:
            return inputs.get(register, off)[c]
        if register not in inputs:
            raise ProgramError('%s is not given' % NAMES[register])
        return inputs[register][c]

    def constant(word, c):
        return color_bytes(word.value)[c]

    return Run(decode(words, whole), Units(assume), given, constant).result()


def slots_of_constants():
    """Returns {method: slot}: two slots per stage, then those of the final combiner."""
    out = {base + 4 * n: 2 * n + k for n in range(STAGES) for k, base in enumerate((FACTOR0, FACTOR1))}
    out.update({FINAL0: 2 * STAGES, FINAL1: 2 * STAGES + 1})
    return out


def constant_problems(code):
    slots, seen = slots_of_constants(), set()
    for c in code.constants:
        method, value = code.words[c.word]
        if slots.get(method) != c.slot:
            yield 'constant %d: word %d is no word of it' % (c.slot, c.word)
            continue
        for i in map(CHANNELS.index, c.channels):
            if (c.word, i) in seen:
                yield 'constant %d: %s is given twice' % (c.slot, CHANNELS[i])
            seen.add((c.word, i))
            if color_bytes(value)[i] != nearest_byte(c.value[i]):
                yield 'constant %d: %s of %08X is not %s rounded' % (c.slot, CHANNELS[i], value, c.value[i])


def texture_problems(code, program):
    if len({t.slot for t in code.textures}) != len(code.textures):
        yield 'a texture slot is given twice'
    for t in code.textures:
        if t.slot not in range(4):
            yield 'texture slot %d' % t.slot
        elif t.target not in MODES[program.modes[t.slot]]:
            yield 'texture slot %d: mode %X for a %s texture' % (t.slot, program.modes[t.slot], t.target)
    for slot, mode in enumerate(program.modes):
        if mode and slot not in {t.slot for t in code.textures}:
            yield 'texture %d has a mode, and no unit' % slot


def unread_problems(code, program):
    """Returns problems with words of stages that do not run."""
    count = len(program.stages)
    for base in PER_STAGE:
        for method, _ in code.words:
            if base + 4 * count <= method < base + 4 * STAGES:
                yield 'method %04X is of a stage that does not run' % method


def check(code):
    """Returns problems of an output that do not affect its value."""
    try:
        program = decode(code.words)
        found = list(constant_problems(code)) + list(texture_problems(code, program))
        found += list(unread_problems(code, program))
        if code.stats.get('stages') != len(program.stages):
            found.append('stats: %s; %d stages run' % (code.stats, len(program.stages)))
        return found
    except ProgramError as e:
        return [str(e)]
