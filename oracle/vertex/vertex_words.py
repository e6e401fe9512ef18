"""The state of the vertex half as words (notes/formats/vertex.md): reader, printer, random states,
simplification.
"""
import re

from ..common.errors import InputError

FLAGS = ('lighting', 'two-side', 'local-viewer', 'separate-specular', 'rescale', 'normalize', 'fog-coord',
         'point-attenuation')
HOW = ('positional', 'spot', 'attenuated')
TRACKED = ('ambient', 'diffuse', 'specular', 'emission')
LANES = 'strq'
MODES = {'off': 'strq', 'object': 'strq', 'eye': 'strq', 'sphere': 'st', 'reflection': 'str', 'normal': 'str'}
UNITS = LIGHTS = range(8)


class VertexState:
    """flags: set of FLAGS; lights: number -> set of HOW; tracks: sets of TRACKED for front and back; texgen:
    [unit][lane] a mode; matrices: set of units whose texture matrix is not the identity; reads: which of
    `color`, `secondary`, `fog` are read; coords: unit -> lanes that are read."""

    def __init__(self):
        self.flags, self.lights, self.tracks = set(), {}, [set(), set()]
        self.texgen = [dict.fromkeys(LANES, 'off') for _ in UNITS]
        self.matrices, self.reads, self.coords = set(), set(), {}

    def has(self, flag):
        return flag in self.flags

    @property
    def lit(self):
        return 'lighting' in self.flags

    def lit_by(self):
        """Returns [(number, set of HOW)] of the lights that have an effect."""
        return sorted(self.lights.items()) if self.lit else []

    def sides(self):
        """Returns the sides that have colours of their own."""
        return ('front', 'back') if self.lit and self.has('two-side') else ('front',)

    def canonical(self):
        """Reduces this object to its canonical form, without members that do not affect the results
        (notes/formats/vertex.md)."""
        self.lights = {k: how - ({'attenuated'} if 'positional' not in how else set()) for k, how in self.lit_by()}
        if not self.lit:
            self.flags -= {'two-side'}
            self.tracks = [set(), set()]
        if not self.lights:
            self.flags -= {'local-viewer', 'separate-specular'}
        if not self.has('two-side'):
            self.tracks[1] = set()
        made = {mode for lanes in self.texgen for mode in lanes.values()}
        if not self.lights and not made & {'sphere', 'reflection', 'normal'}:
            self.flags -= {'rescale', 'normalize'}
        if self.has('normalize'):
            self.flags -= {'rescale'}
        return self

    def parts(self):
        """Returns all members, for comparisons."""
        return self.flags, self.lights, self.tracks, self.texgen, self.matrices

    def modes(self):
        """Returns the texgen modes that generate a lane which is needed."""
        return {self.texgen[unit][c] for unit in self.coords for c in self.wanted(unit)}

    def wanted(self, unit):
        """Returns the lanes, before the texture matrix, on which the lanes that are read depend."""
        read = self.coords.get(unit, '')
        return LANES if read and unit in self.matrices else read


def bits(text, known, what):
    got = text.split('+')
    if any(x not in known for x in got):
        raise ValueError('expected %s: %r' % (what, text))
    return set(got)


def read_texgen(state, m):
    unit, lanes, mode = int(m.group(1)), m.group(2), m.group(3)
    if mode not in MODES or lanes and set(lanes) - set(MODES[mode]):
        raise ValueError('texgen %r of %s' % (mode, lanes))
    for c in lanes or MODES[mode]:
        state.texgen[unit][c] = mode


def read_reads(state, text):
    for item in text.split('+'):
        m = re.fullmatch(r'texcoord([0-7])(?:\.([strq]+))?', item)
        if m:
            unit = int(m.group(1))
            lanes = state.coords.get(unit, '') + (m.group(2) or LANES)
            state.coords[unit] = ''.join(c for c in LANES if c in lanes)
        elif item in ('color', 'secondary', 'fog'):
            state.reads.add(item)
        else:
            raise ValueError('nothing that is read: %r' % item)


def read_word(state, word):
    if word in FLAGS:
        state.flags.add(word)
        return
    m = re.fullmatch(r'light([0-7])(?:=(.+))?', word)
    if m:
        state.lights[int(m.group(1))] = bits(m.group(2), HOW, 'positional, ...') if m.group(2) else set()
        return
    m = re.fullmatch(r'color-material(?:\.(front|back|both))?(?:=(.+))?', word)
    if m:
        what = bits(m.group(2), TRACKED, 'ambient, ...') if m.group(2) else {'ambient', 'diffuse'}
        for side, name in enumerate(('front', 'back')):
            if m.group(1) in (None, 'both', name):
                state.tracks[side] = what
        return
    m = re.fullmatch(r'texgen([0-7])(?:\.([strq]+))?=(\w+)', word)
    if m:
        read_texgen(state, m)
        return
    m = re.fullmatch(r'matrix([0-7])', word)
    if m:
        state.matrices.add(int(m.group(1)))
    elif word.startswith('reads='):
        read_reads(state, word[6:])
    else:
        raise ValueError('no word: %r' % word)


def split(text):
    """Returns the words of a text."""
    return re.sub(r'#[^\n]*', '', text).split()


def read(text, path=None):
    state = VertexState()
    try:
        for word in split(text):
            read_word(state, word)
    except ValueError as e:
        raise InputError(str(e), path=path) from None
    return state


# ---- random states ----

def some(rng, items, chance):
    return [x for x in items if rng.random() < chance]


def random_lights(rng):
    count = rng.choice((0, 1, 1, 1, 1, 2, 2, 2, 3, 4, 8))
    for n in sorted(rng.sample(LIGHTS, count)):
        how = some(rng, HOW, .5)
        yield 'light%d%s' % (n, '=' + '+'.join(how) if how else '')


def random_material(rng):
    for side in rng.choice((('',), ('.front',), ('.back',), ('.front', '.back'), ('.both',))):
        what = some(rng, TRACKED, .5)
        yield 'color-material%s%s' % (side, '=' + '+'.join(what) if what else '')


def random_lanes(rng):
    return ''.join(some(rng, LANES, .6)) or rng.choice(LANES)


def random_texgen(rng, unit):
    if rng.random() < .5:                   # all coordinates get one mode
        yield 'texgen%d=%s' % (unit, rng.choice(('object', 'eye', 'sphere', 'reflection', 'normal')))
        return
    for c in random_lanes(rng):
        yield 'texgen%d.%s=%s' % (unit, c, rng.choice([m for m in MODES if c in MODES[m]]))


def random_reads(rng, units):
    words = some(rng, ('color', 'secondary', 'fog'), .6)
    for unit in units:
        if rng.random() < .85:
            words.append('texcoord%d%s' % (unit, '' if rng.random() < .4 else '.' + random_lanes(rng)))
    return 'reads=' + '+'.join(words or ['color'])


def random_words(rng):
    """Returns words of a state that can be converted to a program."""
    words = []
    if rng.random() < .7:
        words += ['lighting'] + some(rng, ('two-side', 'local-viewer', 'separate-specular'), .4)
        words += list(random_lights(rng))
        words += list(random_material(rng)) if rng.random() < .35 else []
    words += some(rng, ('rescale', 'normalize'), .35) + some(rng, ('fog-coord', 'point-attenuation'), .3)
    units = sorted(rng.sample(UNITS, rng.choice((0, 0, 1, 1, 2, 2, 3, 8))))
    for unit in units:
        words += list(random_texgen(rng, unit)) if rng.random() < .7 else []
        words += ['matrix%d' % unit] if rng.random() < .4 else []
    return words + [random_reads(rng, units)]


# ---- smaller states ----

def smaller(words):
    """Yields texts with one word, or one part of a word, less."""
    for i, word in enumerate(words):
        rest = words[:i], words[i + 1:]
        if not word.startswith('reads='):
            yield rest[0] + rest[1]
        head, _, tail = word.partition('=')
        parts = tail.split('+') if tail else []
        if len(parts) > 1:
            for k in range(len(parts)):
                yield rest[0] + ['%s=%s' % (head, '+'.join(parts[:k] + parts[k + 1:]))] + rest[1]
        elif parts and head.startswith('light'):
            yield rest[0] + [head] + rest[1]
        for k, part in enumerate(parts):
            name, _, lanes = part.partition('.')
            for c in lanes if len(lanes) > 1 else '':
                less = parts[:k] + ['%s.%s' % (name, lanes.replace(c, ''))] + parts[k + 1:]
                yield rest[0] + ['%s=%s' % (head, '+'.join(less))] + rest[1]
