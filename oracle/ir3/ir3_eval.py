"""Evaluates words of ir3 that were compiled from a texture environment or a program of
ATI_fragment_shader."""
from fractions import Fraction

from ..common.errors import ProgramError, Unsupported
from ..common.numbers import float_bits
from ..hw import lanes
from ..hw.coordinates import Coordinate, Exact, Math
from .ir3_run import Run, preamble
from .ir3_words import ALIASED, CONTROL, decode

MODELS = ('real',)
ASSUMPTIONS = {}
NAMES = 'xyzw'
COORDINATES = {'1d': 1, '2d': 2, 'rect': 2, '3d': 3, 'cube': 3}


def check_aliased(bound, registers, stats):
    mask = sum(1 << component for component in bound)
    if mask != stats.get('aliased', 0) or registers.get(ALIASED, 0) != mask or \
            registers.get(CONTROL, 0) != (mask != 0):
        raise ProgramError('alias.rt binds components %x, said are %x and %s' % (
            mask, stats.get('aliased', 0), registers))


def check(code):
    try:
        program, constants, registers = decode(code.words)
        bound, begin = preamble(program)
        check_aliased(bound, registers, code.stats)
    except ProgramError as e:
        return [str(e)]
    problems = []
    for c in code.constants:
        for k in range(4):
            if constants.pop(4 * c.slot + k, None) != float_bits(c.value[k]):
                problems.append('constant %d.%s is not uploaded as it is listed' % (c.slot, NAMES[k]))
        if code.words[c.word][0] != 16 * c.slot:
            problems.append('constant %d is not at word %d' % (c.slot, c.word))
    if constants:
        problems.append('a constant that is not listed')
    if code.stats.get('instructions') != len(program) or code.stats.get('preamble') != begin:
        problems.append('the number of instructions is wrong')
    return problems


def coordinate(inputs, number, c):
    return inputs.coord(number, c) if hasattr(inputs, 'sample') else Coordinate(number, c)


def compared(math, dom, i, entry, read):
    """Returns the coordinates of a lookup: those of the texture, and the reference value if it compares."""
    count = COORDINATES[entry.target]
    if i.extra.sampler != i.extra.texture or bool(i.extra.three) != (count == 3):
        raise ProgramError('%s: sampler, texture or 3D' % i.where)
    used = [read(k) for k in range(max(count, 2) + i.extra.shadow)]
    if count == 1:
        if isinstance(used[1], Coordinate) or used[1] != math.const(Fraction(1, 2)):
            raise ProgramError('%s: the second coordinate of a 1D texture is not 1/2' % i.where)
        del used[1]
    return used


def evaluate(code, inputs, model='real', assume=()):
    dom = inputs.dom
    program, _, _ = decode(code.words)
    bound, begin = preamble(program)
    own = hasattr(inputs, 'sample')
    math = Exact(dom) if own else Math(dom)
    slots = {c.slot: c for c in code.constants}
    textures = {t.slot: t for t in code.textures}
    if [item.temp for item in code.inputs] != list(range(len(code.inputs))):
        raise ProgramError('varyings are not in a row')

    def varying(place):
        if place // 4 >= len(code.inputs):
            raise ProgramError('varying number %d is not listed' % place)
        item = code.inputs[place // 4]
        kind, number, c = item.name[:5], int(item.name[5:]), place % 4
        if kind == 'coord':
            return coordinate(inputs, number, c)
        return inputs.primary(c) if number == 0 else inputs.secondary(c)

    def constant(place):
        slot, c = divmod(place, 4)
        lane = slots[slot].lanes[c] if slot in slots else None
        if lane is None:
            raise ProgramError('c%d.%s is read and not listed' % (slot, NAMES[c]))
        return lanes.lane_of(lane, inputs)

    def texel(i, read, bias):
        entry = textures[i.extra.texture]
        used = compared(math, dom, i, entry, read)
        if own:
            return inputs.sample(entry.unit, used)
        for k, x in enumerate(used):
            if not isinstance(x, Coordinate):
                raise Unsupported('dependent lookups have no value here')
            channel = 2 if i.extra.shadow and k == len(used) - 1 else k
            if (x.set, x.ch, x.divided) != (entry.coord, channel, entry.target != 'cube'):
                raise ProgramError('%s: coordinate %s is not that of set %d' % (i.where, 'str'[k], entry.coord))
        return inputs.compared(entry.unit) if i.extra.shadow else inputs.texture(entry.unit)

    run = Run(math, varying, constant, texel)
    run.run(program[begin:])
    if run.kills:
        raise ProgramError('a texture environment that kills')
    return run.output(bound, code.stats['output'])


def bounds(code, inputs, model, assume=()):
    raise Unsupported('one model')
