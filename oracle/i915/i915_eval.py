"""Evaluates words of i915 that were compiled from a texture environment or a program of
ATI_fragment_shader."""

from ..common.errors import ProgramError, Unsupported
from ..common.numbers import float_bits
from ..hw import lanes
from ..hw.coordinates import Coordinate, Exact, Math
from .i915_run import Run
from .i915_words import ASSUMPTIONS, NAMES, decode

MODELS = ('real',)
# results of ATI_fragment_shader programs are clamped by the 8-bit target; results of environments must lie in
# [0,1] without that
CLAMPED_RESULT = True
SAMPLER_OF = {'1d': '2D', '2d': '2D', 'rect': '2D', '3d': 'VOLUME', 'cube': 'CUBE'}
COORDINATES = {'1d': 1, '2d': 2, 'rect': 2, '3d': 3, 'cube': 3}
# Inputs with a fixed T register. Coordinate sets and the position may be in any of T0 to T7, as the driver
# binds them (notes/facts/i915.md 2).
FIXED = {'color0': 8, 'color': 8, 'color1': 9, 'secondary': 9, 'fogcoord': 10}


def check_tables(program, inputs, textures, stats):
    """Checks the tables that come with the words. inputs: [(T number, name)]; textures: [(sampler, target)].
    Returns a list of problems."""
    problems = []
    if sorted(t for t, _ in inputs) != sorted(program.declared):
        problems.append('inputs %s are listed, %s declared' % (sorted(inputs), sorted(program.declared)))
    for t, name in inputs:
        if FIXED.get(name, t if t < 8 else None) != t:
            problems.append('%s in T%d' % (name, t))
    listed = {s: SAMPLER_OF.get(target) for s, target in textures}
    if len(listed) != len(textures) or listed != program.samplers:
        problems.append('textures %s are listed, %s declared' % (sorted(textures), program.samplers))
    for name, number in (('alu', program.alu), ('tex', program.tex), ('phases', program.phases),
                         ('temporaries', program.temporaries), ('constants', len(program.places))):
        if stats.get(name) != number:
            problems.append('%s: %d, said are %s' % (name, number, stats.get(name)))
    return problems


def check_constants(program, listed):
    """Checks the table of constants. listed: [(slot, word, values)]; a value is None if the driver fills it
    in when it loads the words. Returns a list of problems."""
    problems, places = [], dict(program.places)
    for slot, word, values in listed:
        if places.pop(slot, None) != word:
            problems.append('C%d is not at word %s' % (slot, word))
        elif any(x is not None and program.constants[slot, k] != float_bits(x) for k, x in enumerate(values)):
            problems.append('C%d is not loaded as it is listed' % slot)
    if places:
        problems.append('constants %s are not listed' % sorted(places))
    return problems


def check(code):
    try:
        program = decode(code.words, ASSUMPTIONS)
    except ProgramError as e:
        return [str(e)]
    problems = check_tables(program, [(item.temp, item.name) for item in code.inputs],
                            [(t.slot, t.target) for t in code.textures], code.stats)
    return problems + check_constants(program, [(c.slot, c.word, c.value) for c in code.constants])


def texel_of(i, entry, coords, w, inputs):
    """Returns the texel of a lookup in a texture environment. Its coordinates must be those that GL
    interpolates, divided by q except for cube maps."""
    project = entry.target != 'cube'
    if i.op != ('TEXLDP' if project else 'TEXLD'):
        raise ProgramError('%s: in a %s texture' % (i.where, entry.target))
    used = coords[:COORDINATES[entry.target]]
    wanted = [(x, k) for k, x in enumerate(used)] + ([(w, 3)] if project else [])
    for x, k in wanted:
        if not isinstance(x, Coordinate):
            raise Unsupported('dependent lookups have no value here')
        if (x.set, x.ch, x.divided) != (entry.coord, k, False):
            raise ProgramError('%s: coordinate %s is not that of set %d' % (i.where, 'strq'[k], entry.coord))
    return inputs.texture(entry.unit)


def divided(math, i, coords, w):
    """Returns the coordinates of a lookup whose coordinates are numbers."""
    if i.op != 'TEXLDP':
        return coords
    return [math.mul(x, math.function('RCP', w, False)) for x in coords]


def start_of(code, inputs):
    out = {}
    for item in code.inputs:
        kind, number = item.name[:5], item.name[5:]
        if kind not in ('coord', 'color') or not number.isdigit():
            raise ProgramError('a texture environment reads %s' % item.name)
        for c in range(4):
            if kind == 'coord':
                own = hasattr(inputs, 'sample')
                out[item.temp, c] = inputs.coord(int(number), c) if own else Coordinate(int(number), c)
            else:
                out[item.temp, c] = (inputs.primary if number == '0' else inputs.secondary)(c)
    return out


def evaluate(code, inputs, model='real', assume=()):
    program = decode(code.words, assume)
    own = hasattr(inputs, 'sample')
    math = Exact(inputs.dom) if own else Math(inputs.dom)
    slots, textures = {c.slot: c for c in code.constants}, {t.slot: t for t in code.textures}

    def constant(number, c):
        lane = slots[number].lanes[c] if number in slots else None
        if lane is None:
            raise ProgramError('C%d.%s is read and not listed' % (number, NAMES[c]))
        return lanes.lane_of(lane, inputs)

    def texel(i, coords, w):
        entry = textures[i.sampler]
        if not own:
            return texel_of(i, entry, coords, w, inputs)
        if i.op == 'TEXLDB':
            raise Unsupported('a bias has no value here')
        return inputs.sample(entry.unit, divided(math, i, coords, w)[:COORDINATES[entry.target]])

    run = Run(math, start_of(code, inputs), constant, texel)
    run.run(program)
    if run.kills or program.depth:
        raise ProgramError('a texture environment that kills or writes depth')
    if len(program.written) != 4:
        written = ''.join(NAMES[c] for c in sorted(program.written))
        raise ProgramError('oC.%s is all that is written' % written)
    out = [run.registers['oC', 0, c] for c in range(4)]
    return [inputs.dom.sat(v) for v in out] if own else out


def bounds(code, inputs, model, assume=()):
    raise Unsupported('one model')
