"""Systematic sets of states, each a sequence that builds its members on demand.

    one-unit   every one-unit COMBINE function with all arguments (sources T C F P 0 1, four operands) and
               scales: 179,784 rgb halves, each with one of the 22,500 alpha halves in turn, so that both
               lists are covered completely
    combine4   COMBINE4_NV and crossbar: all pairs of arguments in every pair of slots; sources include live,
               other and disabled units
    classic    base formats, depth modes and targets under the classic modes and under COMBINE
    two-unit   all pairs of features
    long       all triples of a shorter list of features
"""
from itertools import combinations, product

from ..common.numbers import colour_component
from .state import CLASSIC, DEPTH_MODES, EXPAND, Half, State, Unit, canonical

RGB_OPS, ALPHA_OPS = ('c', '~c', 'a', '~a'), ('a', '~a')
ONE_SOURCES = ('T0', 'C', 'F', 'P', '0', '1')
TWO = ('modulate', 'add', 'add_signed', 'subtract')
THREE = ('interpolate', 'modulate_add', 'modulate_signed_add', 'modulate_subtract')
DOT = ('dot3_rgb', 'dot3_rgba', 'dot3_rgb_ext', 'dot3_rgba_ext')
SCALES = (1, 2, 4)
COLORS = [tuple(colour_component(x) for x in c) for c in
          ((.1, .7, .3, .9), (.5, .25, 0, 1), (1 / 3, .6, 1, .0625), (.875, 0, .2, .45))]
PASS_ALPHA = Half('replace', (('P', 'a'),), 1)


def halves(sources, ops, rgb):
    """Returns all halves over these sources."""
    args = list(product(sources, ops))
    out = [Half('replace', (a,), s) for a in args for s in SCALES]
    out += [Half(f, p, s) for f in TWO + (DOT if rgb else ()) for p in product(args, repeat=2)
            for s in SCALES]
    out += [Half(f, p, s) for f in THREE for p in product(args, repeat=3) for s in SCALES]
    return out


def unit(rgb, alpha=PASS_ALPHA, mode='combine', fmt='rgba', target='2d', color=COLORS[0], depth=None,
         shadow=False):
    return Unit(target, fmt, depth, shadow, mode, rgb, alpha, color)


def classic(mode, fmt='rgba', target='2d', depth=None, shadow=False):
    return Unit(target, fmt, depth, shadow, mode, None, None, COLORS[1])


def state(*units, **extra):
    return canonical(State(tuple(units), extra.get('fog'), extra.get('colorsum', False), False))


class OneUnit:
    name = 'one-unit'
    STRIDE = 7919               # prime to the number of alpha halves

    def __init__(self):
        self.rgb = halves(ONE_SOURCES, RGB_OPS, True)
        self.alpha = halves(ONE_SOURCES, ALPHA_OPS, False)

    def __len__(self):
        return len(self.rgb)

    def __getitem__(self, i):
        return state(unit(self.rgb[i], self.alpha[i * self.STRIDE % len(self.alpha)], color=COLORS[i % 4]))

    def about(self):
        return '%d rgb halves, %d alpha halves' % (len(self.rgb), len(self.alpha))


class Listed:
    """A set that is simply a list."""

    def __init__(self, name, states):
        self.name, self.states = name, states

    def __len__(self):
        return len(self.states)

    def __getitem__(self, i):
        return self.states[i]

    def about(self):
        return '%d distinct' % len(set(self.states))


CROSS_SOURCES = ('T0', 'T1', 'T2', 'T3', 'C', 'F', 'P', '0', '1')       # unit 3 is disabled
FILL = (('T1', 'c'), ('P', '~c'), ('C', 'c'), ('F', 'a'))


def around(second):
    """Makes states around unit 1: unit 0 computes a previous result, unit 2 is live, unit 3 is disabled."""
    first = unit(Half('modulate', (('T0', 'c'), ('F', 'c')), 1),
                 Half('add_signed', (('T0', 'a'), ('F', 'a')), 1))
    third = unit(Half('add', (('P', 'c'), ('T2', 'c')), 1), Half('modulate', (('P', 'a'), ('T2', '~a')), 2))
    return state(first, second, third)


def four(args, func, scale):
    if args[3][0] == '1':                               # SOURCE3 cannot be ONE
        flip = {'c': '~c', '~c': 'c', 'a': '~a', '~a': 'a'}
        args = args[:3] + (('0', flip[args[3][1]]),)
    return Half(func, args, scale)


def combine4():
    out, number = [], 0
    for is_alpha, ops in ((False, RGB_OPS), (True, ALPHA_OPS)):
        args = list(product(CROSS_SOURCES, ops))
        fill = tuple((s, o[:-1] + 'a') if is_alpha else (s, o) for s, o in FILL)
        for i, j in combinations(range(4), 2):
            for a, b in product(args, repeat=2):
                for func in ('add', 'add_signed'):
                    number += 1
                    slots = list(fill)
                    slots[i], slots[j] = a, b
                    half = four(tuple(slots), func, SCALES[number % 3])
                    other = four(tuple((s, o[:-1] + 'a') for s, o in fill),
                                 ('add', 'add_signed')[number & 1], 1)
                    if is_alpha:
                        out.append(around(unit(four(FILL, 'add', 1), half, 'combine4')))
                    else:
                        out.append(around(unit(half, other, 'combine4')))
        for func in TWO + (DOT if not is_alpha else ()):
            for a, b in product(args, repeat=2):
                number += 1
                half = Half(func, (a, b), SCALES[number % 3])
                other = Half('modulate', (('P', 'a'), ('T1', 'a')), 1)
                out.append(around(unit(Half('replace', (('T1', 'c'),), 1), half) if is_alpha
                                  else unit(half, other)))
        for func in THREE:
            for i, j in combinations(range(3), 2):
                for a, b in product(args, repeat=2):
                    number += 1
                    # takes a quarter of the three-argument functions; the set one-unit has all of them in
                    # plain COMBINE
                    if number % 4:
                        continue
                    slots = list(fill[:3])
                    slots[i], slots[j] = a, b
                    half = Half(func, tuple(slots), SCALES[number % 3])
                    out.append(around(unit(Half('replace', (('T1', 'c'),), 1), half) if is_alpha
                                      else unit(half, PASS_ALPHA)))
    return out


def texture_kinds():
    """Yields (fmt, depth, shadow, target) of every kind of texture."""
    for fmt in EXPAND:
        for target in ('1d', '2d', 'rect', '3d', 'cube'):
            yield fmt, None, False, target
    for mode in DEPTH_MODES:
        for target in ('1d', '2d', 'rect'):
            yield mode, mode, False, target
            yield mode, mode, True, target


def classic_set():
    before = unit(Half('add_signed', (('T0', 'c'), ('F', 'c')), 1),
                  Half('add_signed', (('T0', 'a'), ('F', 'a')), 1))
    out = []
    for fmt, depth, shadow, target in texture_kinds():
        look = dict(fmt=fmt, depth=depth, shadow=shadow, target=target)
        for mode in CLASSIC:
            out += [state(classic(mode, **look)), state(before, classic(mode, **look)),
                    state(classic(mode, **look), classic('modulate')),
                    state(classic(mode, **look), fog=('exp2', True), colorsum=True)]
            for other in ('alpha', 'luminance', 'intensity', 'rgba'):
                for second in CLASSIC:
                    out.append(state(classic(mode, **look), classic(second, fmt=other)))
        for op in RGB_OPS:
            arg = ('T0', op)
            aarg = ('T0', op[:-1] + 'a')
            for func in ('replace',) + TWO + THREE + DOT:
                args = {1: (arg,), 2: (arg, ('P', 'c')), 3: (arg, ('P', 'c'), ('C', 'c'))}
                aargs = {1: (aarg,), 2: (('P', 'a'), aarg), 3: (('C', 'a'), ('P', 'a'), aarg)}
                n = 1 if func == 'replace' else 3 if func in THREE else 2
                alpha = func if func not in DOT else 'modulate'
                out.append(state(unit(Half(func, args[n], 1), Half(alpha, aargs[n], 2), **look)))
    return out


def features(n, short=False):
    """Returns [(name, unit)]: the features of unit n (0 or more). `other` is the texture of a neighbouring
    unit."""
    own, other = 'T%d' % n, 'T%d' % (1 - n if n < 2 else 0)
    t, p, c, f = (own, 'c'), ('P', 'c'), ('C', 'c'), ('F', 'c')
    ta, pa = (own, 'a'), ('P', 'a')
    amod = Half('modulate', (pa, ta), 1)
    aadd = Half('add', (pa, (own, '~a')), 2)
    out = [('disabled', None)]
    for mode in CLASSIC:
        out.append((mode, classic(mode)))
    for fmt in ('alpha', 'luminance', 'intensity', 'rgb') if not short else ('alpha', 'intensity'):
        for mode in ('modulate', 'blend', 'add', 'replace') if not short else ('blend',):
            out.append(('%s %s' % (mode, fmt), classic(mode, fmt=fmt)))
    for func in ('replace',) + TWO:
        out.append((func, unit(Half(func, (t, p)[:1 if func == 'replace' else 2], 1), amod)))
    out.append(('subtract reversed', unit(Half('subtract', (p, t), 1), Half('subtract', (pa, ta), 1))))
    for func in THREE:
        out.append((func, unit(Half(func, (t, p, c), 1), Half(func, (pa, ta, ('C', 'a')), 1))))
    for func in DOT:
        out.append((func, unit(Half(func, (t, p), 2), aadd._replace(scale=4))))
        out.append((func + ' other', unit(Half(func, (('F', '~c'), t), 1), PASS_ALPHA)))
    for func in ('add', 'add_signed'):
        out.append(('combine4 ' + func, unit(Half(func, (t, p, c, f), 1),
                                             Half(func, (ta, pa, ('C', 'a'), ('F', '~a')), 2), 'combine4')))
        out.append(('combine4 double ' + func, unit(Half(func, (p, p, (own, 'a'), ('P', '~a')), 2),
                                                    Half('add', (pa, pa, ta, pa), 1),
                                                    'combine4')))
    out += [
        ('alpha replicate', unit(Half('modulate', (p, (own, 'a')), 1), PASS_ALPHA)),
        ('previous alpha', unit(Half('interpolate', (t, f, ('P', 'a')), 1), amod)),
        ('previous alpha complement', unit(Half('add', (('P', '~a'), t), 1),
                                           Half('replace', (('P', '~a'),), 1))),
        ('pass', unit(Half('replace', (p,), 1), PASS_ALPHA)),
        ('pass rgb only', unit(Half('replace', (p,), 1), aadd)),
        ('pass doubled', unit(Half('replace', (p,), 2), Half('replace', (pa,), 4))),
        ('double', unit(Half('add', (p, p), 1), Half('add', (pa, pa), 1))),
        ('square', unit(Half('modulate', (p, p), 4), Half('modulate', (pa, pa), 4))),
        ('self factor', unit(Half('interpolate', (t, p, p), 1), Half('interpolate', (pa, ta, pa), 2))),
        ('primary only', unit(Half('replace', (('F', '~c'),), 1), Half('replace', (('F', 'a'),), 1))),
        ('constant', unit(Half('replace', (c,), 4), Half('replace', (('C', '~a'),), 1), color=COLORS[2])),
        ('zero', unit(Half('replace', (('0', 'c'),), 1), Half('replace', (('1', 'a'),), 1))),
        ('one minus', unit(Half('subtract', (('1', 'c'), p), 1), Half('add_signed', (('1', 'a'), pa), 2))),
        ('cross', unit(Half('add', (p, (other, 'c')), 1), Half('modulate', (pa, (other, '~a')), 1))),
        ('cross alpha', unit(Half('interpolate', (t, p, (other, 'a')), 1), PASS_ALPHA)),
        ('cross far', unit(Half('modulate', (p, ('T5', 'c')), 1), amod)),
        ('cross4 far', unit(Half('add', (p, ('T5', 'c'), t, c), 1),
                            Half('add', (pa, ('T5', '~a'), ta, pa), 1), 'combine4')),
        ('rgb dead', unit(Half('replace', (t,), 1), amod)),
        ('alpha dead', unit(Half('add_signed', (p, t), 1), Half('replace', (ta,), 1))),
        ('scale 2;4', unit(Half('add_signed', (p, t), 2), Half('add_signed', (pa, ta), 4))),
        ('scale 4;1', unit(Half('subtract', (p, t), 4), Half('subtract', (ta, pa), 1))),
        ('cube', unit(Half('modulate', (p, t), 2), PASS_ALPHA, target='cube')),
        ('depth', unit(Half('modulate', (p, t), 1), amod, fmt='intensity', depth='intensity')),
        ('alpha texture in combine', unit(Half('add_signed', (p, t), 1), amod, fmt='alpha')),
        ('luminance in combine', unit(Half('add_signed', (p, t), 1), amod, fmt='luminance')),
    ]
    return out


def two_unit():
    return [state(a, b) for (_, a), (_, b) in product(features(0), features(1))]


def long_set():
    lists = [features(n, True) for n in range(3)]
    return [state(a, b, c) for (_, a), (_, b), (_, c) in product(*lists)]


SETS = {
    'one-unit': OneUnit,
    'combine4': lambda: Listed('combine4', combine4()),
    'classic': lambda: Listed('classic', classic_set()),
    'two-unit': lambda: Listed('two-unit', two_unit()),
    'long': lambda: Listed('long', long_set()),
}
