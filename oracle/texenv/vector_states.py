"""States of the conformance vectors: first the smallest state of each class of one unit, then states that
compatibility layers are known to draw wrongly, then every class of one unit combined with every class of the
others (pairs), then several units.
"""
import random
from collections import namedtuple
from itertools import combinations, count

from .state import BLACK, CLASSIC, COMPARES, DOTS, EXPAND, Half, State, Unit, canonical, nargs

# name: a description of the case; extra: unit -> settings that must have no effect; fog: (mode, depth, start,
# end, density) or None; alpha: (comparison, reference of 255, whether it passes) or None
Case = namedtuple('Case', 'name group state extra fog alpha', defaults=({}, None, None))

CORE = ('replace', 'modulate', 'add', 'add_signed', 'interpolate', 'subtract', 'dot3_rgb', 'dot3_rgba')
CORE_ALPHA = CORE[:6]
ATI = ('modulate_add', 'modulate_signed_add', 'modulate_subtract')
FORMATS = ('rgba', 'rgb', 'alpha', 'luminance', 'luminance_alpha', 'intensity')
SOURCES, WIDE = ('T0', 'C', 'F', 'P'), ('T0', 'C', 'F', 'P', '0', '1')
OPS, ALPHA_OPS, SCALES = ('c', '~c', 'a', '~a'), ('a', '~a'), (1, 2, 4)
RGB_INITIAL, ALPHA_INITIAL = (('T', 'c'), ('P', 'c'), ('C', 'a')), (('T', 'a'), ('P', 'a'), ('C', 'a'))
GL_NAMES = {'c': 'GL_SRC_COLOR', '~c': 'GL_ONE_MINUS_SRC_COLOR', 'a': 'GL_SRC_ALPHA',
            '~a': 'GL_ONE_MINUS_SRC_ALPHA', 'T0': 'GL_TEXTURE', 'C': 'GL_CONSTANT', 'F': 'GL_PRIMARY_COLOR',
            'P': 'GL_PREVIOUS', '0': 'GL_ZERO', '1': 'GL_ONE'}


def initial(alpha, count, number=0):
    """Returns GL's initial arguments."""
    rows = (ALPHA_INITIAL if alpha else RGB_INITIAL)[:count]
    return tuple(('T%d' % number if s == 'T' else s, o) for s, o in rows)


def half(func, alpha=False, scale=1, number=0, **at):
    """Returns a half in which a<n>=(source, operand) replaces argument n."""
    args = list(initial(alpha, nargs('combine', func), number))
    for key, value in at.items():
        args[int(key[1:])] = value
    return Half(func, tuple(args), scale)


def unit(rgb=None, alpha=None, number=0, fmt='rgba', mode='combine'):
    rgb, alpha = rgb or half('modulate', number=number), alpha or half('modulate', True, number=number)
    return Unit('2d', fmt, None, False, mode, rgb, alpha, BLACK)


def classic(mode, fmt='rgba'):
    return Unit('2d', fmt, None, False, mode, None, None, BLACK)


def state(*units, **more):
    return canonical(State(tuple(units), more.get('fog'), more.get('colorsum', False), False, more.get('alpha')))


def gl_name(word):
    return GL_NAMES.get(word) or 'GL_' + word.upper()


# ---- one unit, the smallest states ----

def smallest():
    for mode in CLASSIC:
        for fmt in FORMATS:
            if not (mode == 'decal' and fmt not in ('rgb', 'rgba')):    # undefined in GL
                yield Case('%s of %s' % (gl_name(mode), gl_name(fmt)), 'classic', state(classic(mode, fmt)))
    for func in CORE + ATI:
        yield Case('GL_COMBINE_RGB ' + gl_name(func), 'functions', state(unit(half(func))))
    for func in CORE_ALPHA + ATI:
        yield Case('GL_COMBINE_ALPHA ' + gl_name(func), 'functions', state(unit(None, half(func, True))))
    for alpha, word in ((False, 'RGB'), (True, 'ALPHA')):
        yield from smallest_arguments(alpha, word)
        for scale in (2, 4):
            own = half('modulate', alpha, scale)
            yield Case('GL_%s_SCALE %d' % (word, scale), 'scales', state(unit(*halves(own, alpha))))
    for fmt in FORMATS[1:]:
        yield Case('GL_COMBINE of ' + gl_name(fmt), 'formats',
                   state(unit(half('replace'), half('replace', True), fmt=fmt)))


def halves(own, alpha):
    return (None, own) if alpha else (own, None)


def smallest_arguments(alpha, word):
    first = initial(alpha, 3)
    for slot, func in enumerate(('replace', 'add', 'interpolate')):
        for source in SOURCES:
            if source != first[slot][0]:
                own = half(func, alpha, **{'a%d' % slot: (source, first[slot][1])})
                yield Case('GL_SRC%d_%s %s' % (slot, word, gl_name(source)), 'sources',
                           state(unit(*halves(own, alpha))))
        for op in ALPHA_OPS if alpha else OPS:
            if op != first[slot][1]:
                own = half(func, alpha, **{'a%d' % slot: (first[slot][0], op)})
                yield Case('GL_OPERAND%d_%s %s' % (slot, word, gl_name(op)), 'operands',
                           state(unit(*halves(own, alpha))))


# ---- pairs ----

class Pairs:
    """Few rows that contain every pair of values of different parameters. parameters: name -> values;
    counts(row): the names of the parameters that have an effect in a row; apart: omit pairs of a colour
    parameter (small letters) and an alpha parameter (capitals); help(row, pair, rng): changes the row so that
    both parameters of the pair have an effect, if possible."""

    def __init__(self, parameters, counts, seed, apart=False, help=None):
        self.parameters, self.counts, self.help = parameters, counts, help
        self.rng, self.open = random.Random(seed), set()
        for a, b in combinations(parameters, 2):
            if not apart or a.islower() == b.islower():
                self.open |= {((a, x), (b, y)) for x in parameters[a] for y in parameters[b]}

    def covered(self, row):
        names = [n for n in self.parameters if n in self.counts(row)]
        return {((a, row[a]), (b, row[b])) for a, b in combinations(names, 2)}

    def gain(self, row, pair):
        new = self.covered(row) & self.open
        return len(new) if pair in new else -1

    def climb(self, pair):
        """Returns a row with this pair: starts randomly, then optimises each value in turn."""
        fixed = dict(pair)
        row = {n: self.rng.choice(values) for n, values in self.parameters.items()} | fixed
        if self.help:
            self.help(row, fixed, self.rng)
        best = self.gain(row, pair)
        for name in self.rng.sample(list(self.parameters), len(self.parameters)):
            for value in () if name in fixed else self.parameters[name]:
                other = dict(row, **{name: value})
                gain = self.gain(other, pair)
                if gain > best:
                    row, best = other, gain
        return best, row

    def rows(self):
        for pair in sorted(self.open, key=repr):
            if pair in self.open:
                best, row = self.climb(pair)
                if best > 0:  # if 0, the two parameters of the pair never have an effect together
                    self.open -= self.covered(row)
                    yield row


def one_unit_pairs(functions, alpha_functions, sources, formats, seed, apart=False):
    """Yields every class of one COMBINE unit combined with every class of the others."""
    parameters = {'f': functions, 'k': SCALES, 'F': alpha_functions, 'K': SCALES, 'format': formats}
    for slot in range(3):
        parameters.update({'s%d' % slot: sources, 'o%d' % slot: OPS, 'S%d' % slot: sources,
                           'O%d' % slot: ALPHA_OPS})

    def counts(row):
        out = {'f', 'k'} | {w + str(i) for w in 'so' for i in range(nargs('combine', row['f']))}
        if row['f'] != 'dot3_rgba':
            out |= {'F', 'K'} | {w + str(i) for w in 'SO' for i in range(nargs('combine', row['F']))}
        if any(row[n] == 'T0' for n in out if n[0] in 'sS'):
            out.add('format')
        return out

    def help(row, fixed, rng):
        for name in fixed:
            function = 'F' if name[0] in 'SO' else 'f'
            if name[-1].isdigit() and function not in fixed:
                known = alpha_functions if function == 'F' else functions
                row[function] = rng.choice([x for x in known if nargs('combine', x) > int(name[-1])])
        if 'f' not in fixed and row['f'] == 'dot3_rgba' and any(n[0] in 'SOFK' for n in fixed):
            row['f'] = rng.choice([x for x in functions if nargs('combine', x) >= nargs('combine', row['f'])
                                   and x != 'dot3_rgba'])
        if 'format' in fixed and 's0' not in fixed:
            row['s0'] = 'T0'

    for row in Pairs(parameters, counts, seed, apart, help).rows():
        rgb = Half(row['f'], tuple((row['s%d' % i], row['o%d' % i])
                                   for i in range(nargs('combine', row['f']))), row['k'])
        alpha = Half(row['F'], tuple((row['S%d' % i], row['O%d' % i])
                                     for i in range(nargs('combine', row['F']))), row['K'])
        yield Case('GL_COMBINE_RGB %s, combined' % gl_name(row['f']), 'pairs',
                   state(unit(rgb, alpha, fmt=row['format'])))


def combine4_pairs(seed):
    parameters = {'f': ('add', 'add_signed'), 'k': SCALES, 'F': ('add', 'add_signed'), 'K': SCALES}
    for slot in range(4):
        sources = WIDE[:5] if slot == 3 else WIDE               # SOURCE3 cannot be ONE
        parameters.update({'s%d' % slot: sources, 'o%d' % slot: OPS, 'S%d' % slot: sources,
                           'O%d' % slot: ALPHA_OPS})
    for row in Pairs(parameters, lambda row: set(parameters), seed, True).rows():
        rgb = Half(row['f'], tuple((row['s%d' % i], row['o%d' % i]) for i in range(4)), row['k'])
        alpha = Half(row['F'], tuple((row['S%d' % i], row['O%d' % i]) for i in range(4)), row['K'])
        yield Case('GL_COMBINE4_NV %s' % gl_name(row['f']), 'pairs', state(unit(rgb, alpha, mode='combine4')))


# ---- several units ----

def unit_classes(number):
    """Returns the ways in which a unit can depend on the previous unit, its texture, its constant, the
    primary colour."""
    t, p = ('T%d' % number, 'c'), ('P', 'c')
    replace_alpha = Half('replace', (('P', 'a'),), 1)
    return {
        'modulate': classic('modulate'), 'decal': classic('decal'), 'blend': classic('blend'),
        'add': unit(half('add', number=number), half('add', True, number=number), number),
        'subtract': unit(Half('subtract', (p, t), 1), replace_alpha, number),
        'signed': unit(half('add_signed', scale=2, number=number), replace_alpha, number),
        'mix': unit(Half('interpolate', (t, p, ('C', 'a')), 1),
                    Half('interpolate', (('T%d' % number, '~a'), ('P', 'a'), ('C', 'a')), 1), number),
        'dot': unit(Half('dot3_rgb', (t, p), 1), replace_alpha, number),
        'constant': unit(Half('add', (p, ('C', 'c')), 1),
                         Half('modulate', (('P', 'a'), ('C', '~a')), 2), number),
        'primary': unit(Half('interpolate', (p, ('F', 'c'), ('P', '~a')), 1),
                        Half('subtract', (('F', 'a'), ('P', 'a')), 1), number),
    }


CROSSED = ('modulate', 'add', 'mix', 'subtract', 'signed')


def crossed(number, most, name, rng):
    """Returns the class of this name with the unit's own texture replaced by that of another unit."""
    made = unit_classes(number)[name]
    if made.rgb is None:
        made = unit(half('modulate', number=number), half('modulate', True, number=number), number)
    other = 'T%d' % rng.choice([n for n in range(most) if n != number])

    def swap(half_):
        return half_._replace(args=tuple((other if s[0] == 'T' else s, o) for s, o in half_.args))
    return made._replace(rgb=swap(made.rgb), alpha=swap(made.alpha))


def several_units(most, names, seed, crossbar=False):
    parameters = {'unit%d' % n: names for n in range(most)}
    rng = random.Random('units %s' % seed)
    for row in Pairs(parameters, lambda row: set(row), seed).rows():
        chosen = [row['unit%d' % n] for n in range(most)]
        units = [unit_classes(n)[chosen[n]] for n in range(most)]
        if crossbar:
            n = rng.randrange(most)
            units[n] = crossed(n, most, chosen[n], rng)
        yield Case('%d units: %s' % (most, ', '.join(chosen)),
                   'crossbar' if crossbar else 'units', state(*units))


# ---- what layers are known to draw wrongly ----

def known_mistakes():
    t, p, c, f = ('T0', 'c'), ('P', 'c'), ('C', 'c'), ('F', 'c')
    t1, keep = ('T1', 'c'), Half('replace', (('P', 'a'),), 1)

    def two(name, first, second, **more):
        return Case(name, 'known', state(first, second), **more)

    yield two('clamp of GL_ADD before the next unit', unit(Half('add', (t, p), 1), keep),
              unit(Half('subtract', (p, t1), 1), keep, 1))
    yield two('clamp of GL_SUBTRACT before the next unit', unit(Half('subtract', (t, p), 1), keep),
              unit(Half('add', (p, t1), 1), keep, 1))
    yield two('clamp of GL_RGB_SCALE before the next unit', unit(Half('modulate', (t, p), 4), keep),
              unit(Half('subtract', (p, t1), 1), keep, 1))
    yield two('clamp of GL_ADD_SIGNED before the next unit', unit(Half('add_signed', (t, p), 1), keep),
              unit(Half('add', (p, t1), 1), keep, 1))
    yield two('clamp of GL_DOT3_RGB before the next unit', unit(Half('dot3_rgb', (t, p), 1), keep),
              unit(Half('add', (p, t1), 1), keep, 1))
    yield two('constants of two units', unit(Half('replace', (c,), 1), keep),
              unit(Half('subtract', (p, c), 1), keep, 1))
    yield two('GL_BLEND in two units', classic('blend'), classic('blend'))
    yield two('GL_PRIMARY_COLOR after a unit', classic('replace'), unit(Half('modulate', (t1, f), 1), None, 1))
    yield two('GL_PREVIOUS after a unit', classic('replace'), unit(Half('replace', (p,), 1), keep, 1))
    for scale in (2, 4):
        yield Case('GL_DOT3_RGB scaled by %d' % scale, 'known', state(unit(half('dot3_rgb', scale=scale))))
        yield Case('GL_DOT3_RGBA: GL_RGB_SCALE %d, GL_ALPHA_SCALE 1' % scale, 'known',
                   state(unit(half('dot3_rgba', scale=scale))))
        yield Case('GL_ADD_SIGNED scaled by %d' % scale, 'known', state(unit(half('add_signed', scale=scale))))
    yield Case('unit 0 without a texture', 'known', state(None, unit(half('add', number=1), None, 1)))
    yield Case('no texture', 'known', state())
    yield Case('a unit without a texture between two', 'known',
               state(classic('modulate'), None, unit(half('subtract', number=2), None, 2)))
    yield from unused_settings()
    yield from crossbar_cases()


def unused_settings():
    """Yields cases with settings that have no effect with the selected function."""
    scales = (('RGB_SCALE', 4), ('ALPHA_SCALE', 2))
    for mode in CLASSIC:
        yield Case('GL_RGB_SCALE while the mode is %s' % gl_name(mode), 'known', state(classic(mode)), {0: scales})
    yield Case('arguments that GL_REPLACE does not read', 'known', state(unit(half('replace'))),
               {0: (('SRC1_RGB', 'CONSTANT'), ('OPERAND1_RGB', 'ONE_MINUS_SRC_COLOR'),
                    ('SRC2_RGB', 'PRIMARY_COLOR'))})
    yield Case('functions of GL_COMBINE while the mode is GL_MODULATE', 'known', state(classic('modulate')),
               {0: (('COMBINE_RGB', 'SUBTRACT'), ('SRC0_RGB', 'CONSTANT'),
                    ('OPERAND0_RGB', 'ONE_MINUS_SRC_COLOR'))})
    yield Case('GL_COMBINE_ALPHA beside GL_DOT3_RGBA', 'known', state(unit(half('dot3_rgba'))),
               {0: (('COMBINE_ALPHA', 'REPLACE'),)})


def crossbar_cases():
    keep = Half('replace', (('P', 'a'),), 1)
    for first, second in ((0, 1), (1, 0)):
        units = [classic('modulate'), classic('modulate')]
        units[first] = unit(Half('modulate', (('T%d' % second, 'c'), ('P', 'c')), 1),
                            Half('replace', (('T%d' % second, 'a'),), 1), first)
        yield Case('GL_TEXTURE%d in unit %d' % (second, first), 'crossbar', state(*units))
        own = unit(Half('modulate', (('T%d' % first, 'c'), ('P', 'c')), 1), keep, first)
        units[first] = own._replace(rgb=own.rgb._replace(args=(('T%d' % first, '~c'), ('T%d' % second, 'c'))))
        yield Case('GL_TEXTURE%d beside GL_TEXTURE in unit %d' % (second, first), 'crossbar', state(*units))
    yield Case('GL_TEXTURE1, which is disabled', 'crossbar',
               state(unit(Half('add', (('T1', 'c'), ('P', 'c')), 1), None)))
    yield Case('GL_TEXTURE1, which is disabled, in alpha', 'crossbar',
               state(unit(Half('modulate', (('T0', 'c'), ('P', 'c')), 1), Half('replace', (('T1', 'a'),), 1))))


# ---- after texturing ----

def fogs():
    for name, mode, depth, start, end, density in (
            ('half', 'linear', 4, 0, 8, 1), ('start not 0', 'linear', 4, 2, 10, 1),
            ('nearer than the start', 'linear', 1, 2, 6, 1), ('beyond the end', 'linear', 7, 2, 6, 1),
            ('end before start', 'linear', 3, 8, 0, 1), ('thin', 'exp', 4, 0, 1, .125),
            ('thick', 'exp', 6, 0, 1, .5), ('thin', 'exp2', 4, 0, 1, .125), ('thick', 'exp2', 6, 0, 1, .25)):
        yield (mode, depth, start, end, density), 'GL_FOG_MODE GL_%s, %s' % (mode.upper(), name)


def after_texturing():
    plain = state(classic('modulate'))
    for fog, name in fogs():
        yield Case(name, 'fog', plain, fog=fog)
    yield Case('fog leaves alpha', 'fog', state(classic('replace')), fog=('linear', 2, 0, 8, 1))
    yield Case('fog without a texture', 'fog', state(), fog=('linear', 2, 0, 8, 1))
    summed = state(classic('modulate'), colorsum=True)
    yield Case('GL_COLOR_SUM', 'colorsum', summed)
    yield Case('GL_COLOR_SUM after two units', 'colorsum',
               state(classic('modulate'), unit(half('subtract', number=1), None, 1), colorsum=True))
    yield Case('GL_COLOR_SUM without a texture', 'colorsum', state(colorsum=True))
    yield Case('GL_COLOR_SUM before fog', 'colorsum', summed, fog=('linear', 4, 0, 8, 1))
    for func in COMPARES:
        for passes in (True, False):
            if (func, passes) not in (('never', True), ('always', False)):
                yield Case('GL_ALPHA_TEST %s, %s' % (gl_name(func), 'passes' if passes else 'fails'),
                           'alpha-test', state(unit(half('replace'), half('replace', True))),
                           alpha=(func, 128, passes))


# ---- all ----

def all_cases(seed=1):
    """Yields cases without end: those of the default set, then further ones, with None after each round."""
    yield from smallest()
    yield from known_mistakes()
    yield from after_texturing()
    yield from one_unit_pairs(CORE, CORE_ALPHA, SOURCES, FORMATS, 'one %d' % seed)
    two = ('modulate', 'blend', 'add', 'subtract', 'mix', 'dot', 'constant')
    yield from several_units(2, two, 'two %d' % seed)
    yield from several_units(3, ('modulate', 'add', 'mix', 'primary'), 'three %d' % seed)
    yield from several_units(2, CROSSED, 'crossed two %d' % seed, True)
    yield from several_units(4, CROSSED[:4], 'crossed %d' % seed, True)
    yield from one_unit_pairs(ATI, ATI + ('add',), WIDE, FORMATS[:1], 'ati %d' % seed, True)
    yield from combine4_pairs('nv %d' % seed)
    yield None                          # end of the default set
    for again in count(1):
        new = 'more %d %d' % (seed, again)
        yield from one_unit_pairs(CORE, CORE_ALPHA, SOURCES, FORMATS, new)
        yield from several_units(2 + again % 3, tuple(unit_classes(0)), new, bool(again & 1))
        yield None


# ---- tags ----

def tags(case):
    """Returns the tags of a case: the GL version or extensions that it needs, and its subject."""
    s, out = case.state, []
    units = [u for u in s.units if u is not None]
    sources = {x for u in units for h in (u.rgb, u.alpha) if h is not None for x, _ in h.args}
    funcs = {h.func for u in units for h in (u.rgb, u.alpha) if h is not None}
    four = any(u.mode == 'combine4' for u in units)
    crossing = any(x[0] == 'T' and int(x[1:]) != n for n, u in enumerate(s.units) if u is not None
                   for h in (u.rgb, u.alpha) if h is not None for x, _ in h.args)
    ati = bool(funcs & set(ATI)) or not four and bool(sources & {'0', '1'})
    last = max([n for n, u in enumerate(s.units) if u is not None] + [0])
    core = not (four or crossing or ati or s.colorsum)
    if core and last < 2 and not any(u.fmt == 'intensity' for u in units):
        out.append('ES1.1')
    out += ['GL1.3'] if core else []
    for name, has in (('crossbar', crossing), ('ATI3', ati), ('NV4', four), ('colorsum', s.colorsum),
                      ('fog', case.fog is not None), ('alpha-test', case.alpha is not None),
                      ('formats', any(u.fmt != 'rgba' for u in units)),
                      ('classic', any(u.mode in CLASSIC for u in units)),
                      ('dot3', bool(funcs & set(DOTS))),
                      ('scale', any(h.scale > 1 for u in units for h in (u.rgb, u.alpha) if h is not None)),
                      ('units', last > 0), ('known', case.group == 'known')):
        out += [name] if has else []
    return out


def uses(unit_, channel='rgba'):
    """Returns the components of a texel that its format has."""
    return [c for c in channel if c in EXPAND[unit_.fmt]]
