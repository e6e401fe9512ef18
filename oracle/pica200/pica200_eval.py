"""Evaluates the PICA200's six combiner stages (notes/facts/pica200.md), over any number domain.

All six stages run, and both pipes of a stage read before either writes. It is an error if a program relies on
state that it has not set, or on behaviour that the facts call unknown, or if stage 0 reads PREVIOUS or
PREVIOUS_BUFFER, which the facts forbid. Models: 'real' is exact, with the clamps of each stage, and an
environment colour has its unit's value, whatever its bytes. 'unorm8' takes constants from the words and
rounds each clamped result to the nearest multiple of 1/255, before its scale (notes/facts/pica200.md 5:
emulators agree that there are eight bits between stages, but not on the rounding).
"""
from ..common.errors import ProgramError, Unsupported
from ..hw.bounds import BoundInputs
from ..hw.chips import Assumption
from ..hw.unorm8 import constant_channel, nearest_byte, to_unorm8
from .pica200_words import Argument, BUFFER_SLOT, Pipe, STAGES, color_bytes, decode

MODELS = ('real', 'unorm8')
CLAMPED_RESULT = True           # also true for programs of ATI_fragment_shader: every stage clamps
ASSUMPTIONS = {
    'add-multiply-clamps': Assumption('ADD_MULTIPLY is min(a+b,1)*c where a+b is above 1, too', True),
}
CHANNELS = 'rgba'
UNKNOWN = {'LIGHT_PRIMARY': 'fragment lighting', 'LIGHT_SECONDARY': 'fragment lighting',
           'TEXTURE3': 'the procedural unit'}
EIGHT_BITS = ('PREVIOUS', 'BUFFER', 'CONSTANT')         # in 'unorm8' these are already multiples of 1/255
TARGETS = {0: ('1d', '2d', 'cube'), 1: ('1d', '2d'), 2: ('1d', '2d')}       # of the image units


class Run:
    """One evaluation."""

    def __init__(self, code, inputs, model):
        self.code, self.inputs, self.dom, self.model = code, inputs, inputs.dom, model
        self.program = decode(code.words)
        self.units = {t.slot: t.unit for t in code.textures}
        self.constants = {(c.word, CHANNELS.index(name)): c for c in code.constants for name in c.channels}
        self.previous, self.buffer = [None] * 4, [None] * 4     # as the stage reads them; None: not set

    def result(self):
        done = []                                                   # results of the stages so far
        for n, stage in enumerate(self.program.stages):
            if n == 1:
                self.buffer = [self.color(BUFFER_SLOT, c) for c in range(4)]
            elif n > 1:
                self.buffer = [self.stored(n - 2, c, done) for c in range(4)]
            self.previous = self.stage(n, stage)
            done.append(self.previous)
        return self.previous

    def stored(self, n, c, done):
        """Returns channel c of the buffer as stage n+2 reads it; stage n may have stored its result there."""
        stores = self.program.stores
        if stores is None:
            return None
        replaced = stores.value >> (8 if c < 3 else 12) + n & 1
        return done[n][c] if replaced else self.buffer[c]

    def stage(self, n, stage):
        """Returns the four channels that stage n computes."""
        rgb, alpha = stage.rgb, stage.alpha
        if alpha.op == 'DOT3_RGB' or (rgb.op == 'DOT3_RGBA') != (alpha.op == 'DOT3_RGBA'):
            raise Unsupported('stage %d: %s with %s has no known meaning' % (n, rgb.op, alpha.op))
        if rgb.op in ('DOT3_RGB', 'DOT3_RGBA'):
            dot = self.dot(n, rgb)
            out = [self.finish(rgb, dot)] * 3
        else:
            out = [self.finish(rgb, self.operate(n, rgb, c)) for c in range(3)]
        last = dot if alpha.op == 'DOT3_RGBA' else self.operate(n, alpha, 3)
        return out + [self.finish(alpha, last)]

    def finish(self, pipe, v):
        """Clamps the result, scales it and clamps it again."""
        v = self.dom.sat(v)
        if self.model == 'unorm8' and not (pipe.op == 'REPLACE' and pipe.arguments[0].source in EIGHT_BITS):
            v = to_unorm8(self.dom, v)
        return self.dom.sat(self.dom.shift(v, pipe.scale)) if pipe.scale else v

    def dot(self, n, pipe):
        """Returns 4 * sum of (a-1/2)(b-1/2) over the rgb arguments."""
        dom, total = self.dom, self.dom.zero
        for c in range(3):
            a, b = (dom.sub(self.argument(n, x, c), dom.half) for x in pipe.arguments)
            total = dom.add(total, dom.mul(a, b))
        return dom.shift(total, 2)

    def operate(self, n, pipe, c):
        """Returns channel c of a component-wise operation, before its clamp."""
        dom, op = self.dom, pipe.op
        a, *more = (self.argument(n, x, c) for x in pipe.arguments)
        if op == 'REPLACE':
            return a
        b = more[0]
        if op == 'MODULATE':
            return dom.mul(a, b)
        if op == 'ADD':
            return dom.add(a, b)
        if op == 'ADD_SIGNED':
            return dom.sub(dom.add(a, b), dom.half)
        if op == 'SUBTRACT':
            return dom.sub(a, b)
        if op == 'INTERPOLATE':
            return dom.add(dom.mul(a, more[1]), dom.mul(b, dom.sub(dom.one, more[1])))
        if op == 'MULTIPLY_ADD':
            return dom.add(dom.mul(a, b), more[1])
        return self.add_multiply(n, a, b, more[1])

    def add_multiply(self, n, a, b, factor):
        """Returns (a+b)*factor. The two known interpretations agree if a+b is at most 1; otherwise it is an
        error unless the output lists an assumption about it."""
        total = self.dom.add(a, b)
        clamped = self.dom.sat(total)
        if 'add-multiply-clamps' not in self.code.assumed and self.dom.first_difference(total, clamped) >= 0:
            raise Unsupported('stage %d: ADD_MULTIPLY with a+b above 1 rests on add-multiply-clamps' % n)
        return self.dom.mul(clamped, factor)

    def argument(self, n, argument, c):
        if argument.channel != 'c':
            c = CHANNELS.index(argument.channel)
        v = self.source(n, argument.source, c)
        return self.dom.sub(self.dom.one, v) if argument.invert else v

    def source(self, n, source, c):
        """Returns channel c of a source as stage n reads it."""
        if source == 'PRIMARY':
            return self.inputs.primary(c)
        if source in UNKNOWN:
            raise Unsupported('stage %d reads %s, whose value is not known' % (n, UNKNOWN[source]))
        if source.startswith('TEXTURE'):
            return self.texture(n, int(source[7:]), c)
        if source == 'CONSTANT':
            v = self.color(n, c)
        else:
            v = (self.previous if source == 'PREVIOUS' else self.buffer)[c]
        if v is None:
            raise ProgramError('stage %d reads %s.%s, which nothing has set' % (n, source, CHANNELS[c]))
        return v

    def texture(self, n, slot, c):
        if slot not in self.units:
            raise ProgramError('stage %d reads TEXTURE%d, which has no texture' % (n, slot))
        unit = self.units[slot]
        if c == 3 and self.inputs.base_format(unit) == 'intensity':
            return self.dom.one     # the chip stores it as luminance (notes/facts/pica200.md 3)
        return self.inputs.texture(unit)[c]

    def color(self, slot, c):
        """Returns channel c of a stage's constant or of the buffer's initial value; None if it was not set.
        """
        word = self.program.colors[slot]
        if word is None:
            return None
        byte = color_bytes(word.value)[c]
        return constant_channel(self, self.constants.get((word.index, c)), c, byte, word.index)


def evaluate(code, inputs, model='real', assume=frozenset()):
    """Returns the four channels of the result, under the assumptions that the output lists."""
    return Run(code, inputs, model).result()


def bounds(code, inputs, model, assume=frozenset()):
    """Returns per channel the maximum difference between 'unorm8' and the exact value."""
    return [v.err for v in Run(code, BoundInputs(inputs), model).result()]


def constant_problems(code, program):
    """Checks constants against the words that hold them: slots 0 to 5 are the stages' COLOR, 6 is
    BUFFER_COLOR."""
    holds = {word.index: (slot, word.value) for slot, word in enumerate(program.colors) if word is not None}
    seen = set()
    for c in code.constants:
        if c.word not in holds:
            yield 'constant %d: word %d is no colour' % (c.slot, c.word)
            continue
        slot, value = holds[c.word]
        if slot != c.slot:
            yield 'constant %d: word %d is that of slot %d' % (c.slot, c.word, slot)
        for i in map(CHANNELS.index, c.channels):
            if (slot, i) in seen:
                yield 'constant %d: %s is given twice' % (c.slot, CHANNELS[i])
            seen.add((slot, i))
            if color_bytes(value)[i] != nearest_byte(c.value[i]):
                yield 'constant %d: %s of %08X is not %s rounded' % (c.slot, CHANNELS[i], value, c.value[i])


def texture_problems(code, program):
    for t in code.textures:
        if t.slot not in TARGETS:
            yield 'texture slot %d' % t.slot
        elif t.target not in TARGETS[t.slot]:
            yield 'texture slot %d: a %s texture' % (t.slot, t.target)
    coords = {t.slot: t.coord for t in code.textures}
    if len(coords) != len(code.textures):
        yield 'a texture slot is given twice'
    if program.config is None:
        return
    config = program.config.value
    if not config >> 12 & 1 or config >> 10 & 1:
        yield 'TEXUNIT_CONFIG is %08X: bit 12 has to be 1, and unit 3 is procedural' % config
    if config >> 13 & 1 and 2 in coords and coords.get(1, coords[2]) != coords[2]:
        yield 'TEXUNIT_CONFIG gives unit 2 the coordinates of unit 1'
    for slot in sorted(coords):
        if slot in TARGETS and not config >> slot & 1:
            yield 'texture slot %d is not enabled in TEXUNIT_CONFIG' % slot


def is_pass_through(stage):
    return all(pipe == Pipe('REPLACE', (Argument('PREVIOUS', own, False),), 0)
               for pipe, own in ((stage.rgb, 'c'), (stage.alpha, 'a')))


def problems_of(code):
    program = decode(code.words)
    for source in sorted({'PREVIOUS', 'BUFFER'} & set(program.stages[0].held)):
        yield 'stage 0 holds %s' % source
    yield from constant_problems(code, program)
    yield from texture_problems(code, program)
    if code.color_sum:
        yield 'the chip has no secondary colour for a colour sum'
    used = STAGES
    while used > 1 and is_pass_through(program.stages[used - 1]):
        used -= 1
    if code.stats.get('stages') not in range(used, STAGES + 1):
        yield 'stats: %s; stages up to number %d compute' % (code.stats, used)


def check(code):
    """Returns problems of an output that do not affect its value."""
    try:
        return list(problems_of(code))
    except ProgramError as e:
        return [str(e)]


def check_result(code):
    """Returns problems of words for a texture environment, where unit n must use coordinate set n."""
    return ['texture slot %d: unit %d with coordinate set %d' % (t.slot, t.unit, t.coord)
            for t in code.textures if t.coord != t.unit]
