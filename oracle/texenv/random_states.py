"""Generates random states of up to eight units, from a seed: the same seed gives the same states on every
machine.
"""
import random

from ..common.numbers import colour_component
from .state import CLASSIC, COMPARES, DEPTH_MODES, EXPAND, Half, State, TARGETS, Unit, canonical

ALL = ('classic', 'combine', 'combine4', 'dot3', 'formats', 'targets', 'depth', 'shadow', 'crossbar',
       'literals', 'scales',
       'disabled', 'fog', 'colorsum', 'constants', 'alphatest')
DEFAULT = tuple(f for f in ALL if f != 'shadow')
RGB_FUNCS = ('replace', 'modulate', 'add', 'add_signed', 'subtract', 'interpolate', 'modulate_add',
             'modulate_signed_add',
             'modulate_subtract')
DOTS = ('dot3_rgb', 'dot3_rgba', 'dot3_rgb_ext', 'dot3_rgba_ext')
COUNT = {'replace': 1, 'interpolate': 3, 'modulate_add': 3, 'modulate_signed_add': 3, 'modulate_subtract': 3}


def eight_bits(rng):
    """Returns a colour of four values k/255 in single precision."""
    return tuple(colour_component(rng.randrange(256) / 255) for _ in range(4))


class RandomStates:
    """A sequence of `count` states; member i depends only on the seed and i."""
    name = 'random'

    def __init__(self, count, seed=1, max_units=8, features=DEFAULT, colors='any', texture_units=8):
        """colors: 'any', or '8bit' for k/255; texture_units: sources refer to textures of units below this
        number."""
        self.colors, self.texture_units = colors, texture_units
        self.count, self.seed, self.max_units, self.features = count, seed, max_units, frozenset(features)
        unknown = self.features - set(ALL)
        if unknown:
            raise ValueError('unknown features: %s (known: %s)' % (' '.join(sorted(unknown)), ' '.join(ALL)))

    def __len__(self):
        return self.count

    def about(self):
        return 'seed %d, up to %d units' % (self.seed, self.max_units)

    def __getitem__(self, i):
        if not 0 <= i < self.count:
            raise IndexError(i)
        rng = random.Random('state %d %d' % (self.seed, i))
        has = self.features.__contains__
        count = rng.randint(1, self.max_units)
        enabled = [not (has('disabled') and rng.random() < 0.12) for _ in range(count)]
        units = [self.unit(rng, n, count) if on else None for n, on in enumerate(enabled)]
        fog = (rng.choice(('linear', 'exp', 'exp2')),
               rng.random() < 0.3) if has('fog') and rng.random() < 0.1 else None
        colorsum = has('colorsum') and rng.random() < 0.1
        alpha_test = None
        if has('alphatest') and rng.random() < 0.05:
            func = rng.choice(COMPARES[:-1])
            alpha_test = func, 0.0 if func == 'never' else rng.randrange(257) / 256
        return canonical(State(tuple(units), fog, colorsum, False, alpha_test))

    def source(self, rng, number, count, slot):
        has = self.features.__contains__
        words = ['P', 'P', 'P', 'T%d' % number, 'T%d' % number, 'F']
        if has('constants'):
            words += ['C', 'C']
        if has('literals'):
            words.append('0' if slot == 3 or rng.random() < 0.5 else '1')
        if has('crossbar'):
            words.append('T%d' % rng.randrange(count))
            if rng.random() < 0.05:
                words.append('T%d' % rng.randrange(8))
        if self.texture_units < 8:
            words = [w for w in words if w[0] != 'T' or int(w[1:]) < self.texture_units]
        return rng.choice(words)

    def half(self, rng, number, count, func, alpha, slots):
        ops = ('a', 'a', '~a') if alpha else ('c', 'c', 'c', '~c', 'a', '~a')
        args = tuple((self.source(rng, number, count, i), rng.choice(ops)) for i in range(slots))
        scale = rng.choice((1, 1, 1, 2, 4)) if 'scales' in self.features else 1
        return Half(func, args, scale)

    def unit(self, rng, number, count):
        has = self.features.__contains__
        fmt, depth, shadow, target = 'rgba', None, False, '2d'
        if has('formats') and rng.random() < 0.35:
            fmt = rng.choice(sorted(EXPAND))
        if has('targets') and rng.random() < 0.2:
            target = rng.choice(TARGETS)
        if has('depth') and rng.random() < 0.05:
            depth = fmt = rng.choice(DEPTH_MODES)
            target = rng.choice(('1d', '2d', 'rect'))
            shadow = has('shadow') and rng.random() < 0.5
        color = tuple(colour_component(rng.choice((0, 1, 0.5, rng.random(), rng.randrange(256) / 255)))
                      for _ in range(4))
        if self.colors == '8bit':
            color = eight_bits(rng)
        kinds = [k for k in ('classic', 'combine', 'combine', 'combine', 'combine4') if has(k)] or ['combine']
        kind = rng.choice(kinds)
        if kind == 'classic' and number >= self.texture_units:
            kind = 'combine'
        if kind == 'classic':
            return Unit(target, fmt, depth, shadow, rng.choice(CLASSIC), None, None, color)
        if kind == 'combine4':
            rgb = self.half(rng, number, count, rng.choice(('add', 'add_signed')), False, 4)
            alpha = self.half(rng, number, count, rng.choice(('add', 'add_signed')), True, 4)
            return Unit(target, fmt, depth, shadow, 'combine4', rgb, alpha, color)
        func = rng.choice(DOTS) if has('dot3') and rng.random() < 0.12 else rng.choice(RGB_FUNCS)
        rgb = self.half(rng, number, count, func, False, COUNT.get(func, 2))
        func = rng.choice(RGB_FUNCS)
        alpha = self.half(rng, number, count, func, True, COUNT.get(func, 2))
        return Unit(target, fmt, depth, shadow, 'combine', rgb, alpha, color)


class FullChains:
    """Chains of `units` stages in which every stage reads its predecessor in colour and in alpha, so that
    none is dead."""
    name = 'chains'

    def __init__(self, count, units, seed=1, colors='any'):
        features = ('classic', 'combine', 'combine4', 'dot3', 'crossbar', 'literals', 'scales', 'constants')
        self.count, self.units, self.seed = count, units, seed
        self.any = RandomStates(count, seed, units, features, colors)

    def __len__(self):
        return self.count

    def about(self):
        return 'seed %d, %d units' % (self.seed, self.units)

    def __getitem__(self, i):
        if not 0 <= i < self.count:
            raise IndexError(i)
        rng = random.Random('chain %d %d %d' % (self.seed, self.units, i))
        return canonical(State(tuple(self.link(rng, n) for n in range(self.units)), None, False, False))

    def unit(self, rng, number):
        return self.any.unit(rng, number, self.units)

    def link(self, rng, number):
        while True:
            unit = self.unit(rng, number)
            if number == 0:
                return unit
            linked = unit.mode in ('modulate', 'blend', 'add') or (
                unit.rgb is not None and unit.rgb.func not in ('dot3_rgba', 'dot3_rgba_ext') and
                any(s == 'P' and o[-1] == 'c' for s, o in unit.rgb.args) and
                any(s == 'P' for s, o in unit.alpha.args))
            beyond = any(s[0] == 'T' and int(s[1:]) >= self.units
                         for h in (unit.rgb, unit.alpha) if h for s, _ in h.args)
            if linked and not beyond:
                return unit


class UniformChains(FullChains):
    """Full chains of COMBINE stages, uniform over functions, sources (texture, constant, primary, previous,
    0, 1), operands and scales."""
    name = 'uniform chains'

    def unit(self, rng, number):
        halves = []
        for alpha in (False, True):
            func = rng.choice(RGB_FUNCS + (() if alpha else ('dot3_rgb',)))
            ops = ('a', '~a') if alpha else ('c', '~c', 'a', '~a')
            sources = ('T%d' % number, 'C', 'F', 'P', '0', '1')
            args = tuple((rng.choice(sources), rng.choice(ops)) for _ in range(COUNT.get(func, 2)))
            halves.append(Half(func, args, rng.choice((1, 2, 4))))
        return Unit('2d', 'rgba', None, False, 'combine', halves[0], halves[1], eight_bits(rng))


class DenseChains(FullChains):
    """Full chains of COMBINE stages that read only two textures and their predecessor: such chains exercise
    the merging of instructions in the optimiser, and their clamps act most often."""
    name = 'dense chains'

    def unit(self, rng, number):
        halves = []
        for alpha in (False, True):
            func = rng.choice(RGB_FUNCS)
            ops = ('a', '~a') if alpha else ('c', '~c')
            args = tuple((rng.choice(('T0', 'T1', 'P')), rng.choice(ops)) for _ in range(COUNT.get(func, 2)))
            halves.append(Half(func, args, rng.choice((1, 2, 4))))
        return Unit('2d', 'rgba', None, False, 'combine', halves[0], halves[1], (0.0, 0.0, 0.0, 0.0))


class UniformStates:
    """COMBINE states uniform over functions, sources, operands and scales. `units` is a number, or (least,
    most); with `crossbar` the textures of all units are sources. With `chain` every stage but the first
    reads its predecessor in colour and in alpha."""
    name = 'uniform'

    def __init__(self, count, units, seed=1, crossbar=True, chain=False):
        self.count, self.seed, self.crossbar, self.chain = count, seed, crossbar, chain
        self.least, self.most = units if isinstance(units, tuple) else (units, units)
        self.funcs = RGB_FUNCS + (('dot3_rgb', 'dot3_rgb_ext') if chain else DOTS)

    def __len__(self):
        return self.count

    def about(self):
        return 'seed %d, %d to %d units%s%s' % (self.seed, self.least, self.most,
                                                ', crossbar' * self.crossbar, ', chains' * self.chain)

    def __getitem__(self, i):
        if not 0 <= i < self.count:
            raise IndexError(i)
        rng = random.Random('uniform %d %d %d %d %d %d'
                            % (self.seed, i, self.least, self.most, self.crossbar, self.chain))
        count = rng.randint(self.least, self.most)
        return canonical(State(tuple(self.unit(rng, n, count) for n in range(count)), None, False, False))

    def half(self, rng, number, count, alpha):
        sources = ['T%d' % n for n in range(count)] if self.crossbar else ['T%d' % number]
        sources += ['C', 'F', 'P', '0', '1']
        while True:
            func = rng.choice(RGB_FUNCS if alpha else self.funcs)
            ops = ('a', '~a') if alpha else ('c', '~c', 'a', '~a')
            args = tuple((rng.choice(sources), rng.choice(ops)) for _ in range(COUNT.get(func, 2)))
            if not (self.chain and number) or any(s == 'P' and (alpha or o[-1] == 'c') for s, o in args):
                return Half(func, args, rng.choice((1, 2, 4)))

    def unit(self, rng, number, count):
        return Unit('2d', 'rgba', None, False, 'combine', self.half(rng, number, count, False),
                    self.half(rng, number, count, True), eight_bits(rng))
