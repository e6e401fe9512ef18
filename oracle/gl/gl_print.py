"""Prints GL calls for a state, with seeded random variation of the spelling, and the same calls as an
apitrace dump.

Its purpose is to test the readers, so it is independent of texenvc's printer, and its texts are not
canonical. Calls are lists (name, [(argument name, value)]); a value is text, a number or a tuple of numbers
(an array).
"""
import random

from ..common.numbers import shortest
from ..texenv.state import BLACK, CLASSIC, used_args
from .gl_calls import SIGNATURES
from .tokens import token_value

TARGETS = {'1d': 'GL_TEXTURE_1D', '2d': 'GL_TEXTURE_2D', 'rect': 'GL_TEXTURE_RECTANGLE_ARB',
           '3d': 'GL_TEXTURE_3D',
           'cube': 'GL_TEXTURE_CUBE_MAP'}
FACES = ['GL_TEXTURE_CUBE_MAP_%s_%s' % (s, a) for a in 'XYZ' for s in ('POSITIVE', 'NEGATIVE')]
FORMATS = {
    'rgba': ('GL_RGBA', 'GL_RGBA8', '4', 'GL_COMPRESSED_RGBA_S3TC_DXT5_EXT', 'GL_SRGB_ALPHA_EXT',
             'GL_RGB5_A1', '0x8058'),
    'rgb': ('GL_RGB', 'GL_RGB8', '3', 'GL_COMPRESSED_RGB_ARB', 'GL_SRGB8', 'GL_R3_G3_B2', '0x83F0'),
    'alpha': ('GL_ALPHA', 'GL_ALPHA8', 'GL_COMPRESSED_ALPHA', 'GL_ALPHA16'),
    'luminance': ('GL_LUMINANCE', 'GL_LUMINANCE8', '1', 'GL_SLUMINANCE', 'GL_COMPRESSED_LUMINANCE'),
    'luminance_alpha': ('GL_LUMINANCE_ALPHA', 'GL_LUMINANCE8_ALPHA8', '2', 'GL_SLUMINANCE_ALPHA',
                        'GL_LUMINANCE6_ALPHA2'),
    'intensity': ('GL_INTENSITY', 'GL_INTENSITY8', 'GL_COMPRESSED_INTENSITY'),
    'red': ('GL_RED', 'GL_R8'), 'rg': ('GL_RG', 'GL_RG8'),
}
DEPTH_FORMATS = ('GL_DEPTH_COMPONENT', 'GL_DEPTH_COMPONENT24_ARB', 'GL_DEPTH_COMPONENT16')
FUNCS = {
    'replace': 'GL_REPLACE', 'modulate': 'GL_MODULATE', 'add': 'GL_ADD', 'add_signed': 'GL_ADD_SIGNED_EXT',
    'interpolate': 'GL_INTERPOLATE_ARB', 'subtract': 'GL_SUBTRACT', 'dot3_rgb': 'GL_DOT3_RGB_ARB',
    'dot3_rgba': 'GL_DOT3_RGBA',
    'dot3_rgb_ext': 'GL_DOT3_RGB_EXT', 'dot3_rgba_ext': 'GL_DOT3_RGBA_EXT',
    'modulate_add': 'GL_MODULATE_ADD_ATI',
    'modulate_signed_add': 'GL_MODULATE_SIGNED_ADD_ATI', 'modulate_subtract': 'GL_MODULATE_SUBTRACT_ATI',
}
OPERANDS = {'c': 'GL_SRC_COLOR', '~c': 'GL_ONE_MINUS_SRC_COLOR', 'a': 'GL_SRC_ALPHA',
            '~a': 'GL_ONE_MINUS_SRC_ALPHA'}
SOURCES = {'C': 'GL_CONSTANT_ARB', 'F': 'GL_PRIMARY_COLOR', 'P': 'GL_PREVIOUS', '0': 'GL_ZERO', '1': 'GL_ONE'}
MODES = {'combine': 'GL_COMBINE_EXT', 'combine4': 'GL_COMBINE4_NV', 'replace': 'GL_REPLACE',
         'modulate': 'GL_MODULATE',
         'decal': 'GL_DECAL', 'blend': 'GL_BLEND', 'add': 'GL_ADD'}
CAPS = ('GL_FOG', 'GL_COLOR_SUM', 'GL_LIGHTING', 'GL_ALPHA_TEST')
RUBBISH = [('glTexEnvi', ('GL_TEXTURE_ENV', 'GL_COMBINE_ALPHA', 'GL_DOT3_RGB')),
           ('glTexEnvf', ('GL_TEXTURE_ENV', 'GL_RGB_SCALE', '3.0')),
           ('glTexEnvi', ('GL_TEXTURE_ENV', 'GL_OPERAND0_ALPHA', 'GL_SRC_COLOR')),
           ('glTexEnvi', ('GL_TEXTURE_ENV', 'GL_TEXTURE_ENV_MODE', '12345')),
           ('glTexEnvf', ('GL_TEXTURE_FILTER_CONTROL', 'GL_TEXTURE_LOD_BIAS', '1.0')),
           ('glEnable', ('GL_DEPTH_TEST',)), ('glColor4f', ('1', '.5', '0', '1')),
           ('glTexEnvi', ('GL_TEXTURE_ENV', 'GL_TEXTURE_ENV_COLOR', '1'))]


class Printer:
    """Collects the calls for a series of states."""

    def __init__(self, seed=0):
        self.rng = random.Random('calls %s' % seed)
        self.calls = []
        self.name = 1
        self.active = None

    def call(self, name, *values):
        self.calls.append((name, values))

    def env(self, pname, value):
        """Writes one TexEnv call in a random variant of its spellings."""
        kind = self.rng.randrange(8)
        if kind == 0:
            self.call('glTexEnvf', 'GL_TEXTURE_ENV', pname, value)
        elif kind == 1:
            self.call('glTexEnviv', 'GL_TEXTURE_ENV', pname, (value,))
        elif kind == 2 and token_value(str(value)) is not None:
            self.call('glTexEnvi', 'GL_TEXTURE_ENV', pname, '0x%x' % token_value(value))
        elif kind == 3 and token_value(str(value)) is not None:
            self.call('glTexEnvf', '0x2300', '0x%04X' % token_value(pname), '%d.0' % token_value(value))
        else:
            self.call('glTexEnvi', 'GL_TEXTURE_ENV', pname, value)
        if self.rng.random() < 0.02:
            name, args = self.rng.choice(RUBBISH)
            self.call(name, *args)

    def activate(self, unit):
        if self.active != unit or self.rng.random() < 0.1:
            self.call(self.rng.choice(('glActiveTexture', 'glActiveTextureARB')), 'GL_TEXTURE%d' % unit)
            self.active = unit

    def texture(self, unit):
        self.call('glBindTexture', TARGETS[unit.target], str(self.name))
        self.name += 1
        fmt = self.rng.choice(DEPTH_FORMATS if unit.depth else FORMATS[unit.fmt])
        size = {'1d': 1, '3d': 3}.get(unit.target, 2)
        for target in FACES[:self.rng.choice((1, 6))] if unit.target == 'cube' else (TARGETS[unit.target],):
            self.call('glTexImage%dD' % size, target, '0', fmt, *['4'] * size, '0', 'GL_RGBA',
                      'GL_UNSIGNED_BYTE', 'NULL')
        if unit.depth and (unit.depth != 'luminance' or self.rng.random() < 0.3):
            self.call('glTexParameteri', TARGETS[unit.target], 'GL_DEPTH_TEXTURE_MODE',
                      'GL_' + unit.depth.upper())
        if unit.shadow:
            self.call('glTexParameteri', TARGETS[unit.target], 'GL_TEXTURE_COMPARE_MODE',
                      'GL_COMPARE_R_TO_TEXTURE_ARB')

    def unit(self, number, unit):
        self.activate(number)
        jobs = [lambda: self.texture(unit), lambda: self.call('glEnable', TARGETS[unit.target])]
        jobs.append(lambda: self.env('GL_TEXTURE_ENV_MODE', MODES[unit.mode]))
        if unit.mode in CLASSIC:
            if unit.mode == 'blend':
                jobs.append(lambda: self.color(unit))
        else:
            for which, half in (('RGB', unit.rgb), ('ALPHA', unit.alpha)):
                if half is None:
                    continue
                if half.func != 'dot':
                    jobs.append(lambda w=which, h=half: self.half(number, w, h))
                jobs.append(lambda w=which, h=half: self.env('GL_%s_SCALE' % w, '%d' % h.scale))
            if any(s == 'C' for s, _, _ in used_args(unit)) or unit.color != BLACK:
                jobs.append(lambda: self.color(unit))
        self.rng.shuffle(jobs)
        for job in jobs:
            job()

    def half(self, number, which, half):
        self.env('GL_COMBINE_' + which, FUNCS[half.func])
        slots = list(enumerate(half.args))
        self.rng.shuffle(slots)
        for i, (source, operand) in slots:
            if i == 3 and source == '1':                # SOURCE3 cannot be ONE
                source, operand = '0', {'c': '~c', 'a': '~a', '~c': 'c', '~a': 'a'}[operand]
            nv = '_NV' if i == 3 else ''
            if source[0] == 'T':
                own = source == 'T%d' % number and self.rng.random() < 0.8
                source = 'GL_TEXTURE' if own else 'GL_TEXTURE' + source[1:]
            else:
                source = SOURCES[source]
            word = self.rng.choice(('SOURCE', 'SRC')) if i < 3 else 'SOURCE'
            self.env('GL_%s%d_%s%s' % (word, i, which, nv), source)
            self.env('GL_OPERAND%d_%s%s' % (i, which, nv), OPERANDS[operand])

    def color(self, unit):
        self.call('glTexEnvfv', 'GL_TEXTURE_ENV', 'GL_TEXTURE_ENV_COLOR',
                  tuple(shortest(c) for c in unit.color))

    def globals(self, state):
        if state.fog:
            self.call('glEnable', 'GL_FOG')
            self.call('glFogi', 'GL_FOG_MODE', 'GL_' + state.fog[0].upper())
            self.call('glFogi', 'GL_FOG_COORD_SRC', 'GL_FOG_COORD' if state.fog[1] else 'GL_FRAGMENT_DEPTH')
        if state.alpha_test:
            self.call('glEnable', 'GL_ALPHA_TEST')
            self.call('glAlphaFunc', 'GL_' + state.alpha_test[0].upper(), shortest(state.alpha_test[1]))
        if state.colorsum:
            if self.rng.random() < 0.5:
                self.call('glEnable', 'GL_COLOR_SUM_EXT')
            else:
                self.call('glEnable', 'GL_LIGHTING')
                self.call('glLightModeli', 'GL_LIGHT_MODEL_COLOR_CONTROL', 'GL_SEPARATE_SPECULAR_COLOR')

    def reset(self):
        """Turns every unit and capability off, unconditionally."""
        for unit in range(8):
            self.activate(unit)
            for target in TARGETS.values():
                self.call('glDisable', target)
        for cap in CAPS:
            self.call('glDisable', cap)

    def state(self, state, how):
        """Writes one state and its draw. `how`: plain (after a reset), attrib, list."""
        if how == 'plain':
            self.reset()
        elif how == 'attrib':
            self.call('glPushAttrib', self.rng.choice(('GL_ALL_ATTRIB_BITS',
                                                       'GL_TEXTURE_BIT | GL_ENABLE_BIT | GL_FOG_BIT | '
                                                       'GL_LIGHTING_BIT | GL_COLOR_BUFFER_BIT')))
        else:
            self.call('glPushAttrib', 'GL_ALL_ATTRIB_BITS')
            self.call('glNewList', '7', 'GL_COMPILE')
        self.active = None
        units = [(n, u) for n, u in enumerate(state.units) if u is not None]
        self.rng.shuffle(units)
        for n, u in units:
            self.unit(n, u)
        self.globals(state)
        if how == 'list':
            if self.rng.random() < 0.5:
                self.call('glDrawArrays', 'GL_TRIANGLES', '0', '3')
                self.call('glEndList')
                self.call('glCallList', '7')
            else:
                self.call('glEndList')
                self.call('glCallList', '7')
                self.call('glDrawElements', 'GL_TRIANGLES', '3', 'GL_UNSIGNED_SHORT', 'NULL')
        else:
            self.call('glDrawArrays', 'GL_TRIANGLES', '0', '3')
        if how == 'plain':
            self.reset()
        else:
            self.call('glPopAttrib')
        self.active = None


EXTRA = {'glDrawArrays': ('mode', 'first', 'count'), 'glDrawElements': ('mode', 'count', 'type', 'indices'),
         'glColor4f': ('red', 'green', 'blue', 'alpha')}


def all_calls(states, seed):
    printer = Printer(seed)
    hows = ('attrib', 'list', 'attrib', 'plain')
    for n, state in enumerate(states):
        printer.state(state, hows[n % 4])
    return printer.calls


def script(calls):
    lines = []
    for name, values in calls:
        args = ', '.join('(const GLfloat[]){ %s }' % ', '.join(v) if isinstance(v, tuple) else v
                         for v in values)
        lines.append('%s(%s);' % (name, args))
    return '\n'.join(lines) + '\n'


def scripts(states, seed=0):
    """Returns one `gl` script with a draw for each state."""
    head = ('glBindTexture(GL_TEXTURE_2D, 0);\n'
            'glTexImage2D(GL_PROXY_TEXTURE_2D, 0, 4, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);\n')
    image = 'glTexImage2D(GL_TEXTURE_2D, 1, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);\n'
    return head + image + script(all_calls(states, seed))


def trace(states, seed=0):
    """Returns the same calls as an apitrace dump, in a context of their own."""
    lines = ['// process.name = "oracle"',
             '1 glXCreateContext(dpy = 0x1, vis = &{visual = 0x2, depth = 24}, shareList = NULL, '
             'direct = True) = 0xc0', '2 glXMakeCurrent(dpy = 0x1, drawable = 3, ctx = 0xc0) = True']
    start = [('glTexImage2D', ('GL_TEXTURE_2D', '1', 'GL_RGBA', '1', '1', '0', 'GL_RGBA', 'GL_UNSIGNED_BYTE',
                               'NULL'))]
    for number, (name, values) in enumerate(start + all_calls(states, seed), 3):
        from .gl_calls import known_name
        names = EXTRA.get(name) or SIGNATURES[known_name(name)]
        text = ', '.join('%s = %s' % (k, '{%s}' % ', '.join(v) if isinstance(v, tuple) else v)
                         for k, v in zip(names, values))
        lines.append('%d %s(%s)' % (number, name, text))
    return '\n'.join(lines) + '\n'
