"""Parses bindings of ARB programs: the texts that name an attribute, a result, a parameter of the program or
a part of GL's state. A binding is represented by its canonical text, with defaults written out
(`state.material.front.ambient`).
"""

COLOURS = ('ambient', 'diffuse', 'specular')
MODIFIERS = ('inverse', 'transpose', 'invtrans')


class Limits:
    """How many of each numbered resource an implementation has."""

    texcoords, images, texture_units, lights, clip_planes, program_matrices = 8, 16, 8, 8, 6, 8
    env, local, attributes, modelviews, palettes, draw_buffers = 256, 256, 16, 4, 32, 4

    def __init__(self, **changes):
        for name, value in changes.items():
            getattr(type(self), name)
            setattr(self, name, value)


def side(s):
    return s.dotted('front', 'back') or 'front'


def fragment(s, limits):
    """Parses a binding after `fragment`."""
    s.expect('.')
    word = s.keyword('color', 'texcoord', 'fogcoord', 'position')
    if word == 'color':
        return 'fragment.color.' + (s.dotted('primary', 'secondary') or 'primary')
    if word == 'texcoord':
        return 'fragment.texcoord[%d]' % s.index_if(limits.texcoords, 'texture coordinate set')
    return 'fragment.' + word


# Conventional vertex attributes, and the generic attributes that alias them.
TWINS = {'vertex.position': 0, 'vertex.weight[0]': 1, 'vertex.normal': 2, 'vertex.color.primary': 3,
         'vertex.color.secondary': 4, 'vertex.fogcoord': 5, **{'vertex.texcoord[%d]' % n: 8 + n for n in range(8)}}


def vertex(s, limits):
    s.expect('.')
    word = s.keyword('position', 'weight', 'normal', 'color', 'fogcoord', 'texcoord', 'matrixindex', 'attrib')
    if word == 'color':
        return 'vertex.color.' + (s.dotted('primary', 'secondary') or 'primary')
    if word == 'texcoord':
        return 'vertex.texcoord[%d]' % s.index_if(limits.texcoords, 'texture coordinate set')
    if word in ('weight', 'matrixindex'):
        at = s.here()
        n = s.index_if(32, word) if word == 'weight' else s.index(32, word)
        if n % 4:
            s.fail('%s %d is no multiple of 4' % (word, n), at)
        return 'vertex.%s[%d]' % (word, n)
    if word == 'attrib':
        return 'vertex.attrib[%d]' % s.index(limits.attributes, 'attribute')
    return 'vertex.' + word


def fragment_result(s, limits, options):
    """Parses a binding after `result`."""
    s.expect('.')
    if s.keyword('color', 'depth') == 'depth':
        return 'result.depth'
    s.here()
    if not s.text.startswith('[', s.at):
        return 'result.color[0]'
    if not {'ARB_draw_buffers', 'ATI_draw_buffers'} & set(options):
        s.fail('result.color[n] without an option of draw buffers')
    return 'result.color[%d]' % s.index(limits.draw_buffers, 'draw buffer')


def vertex_result(s, limits, options):
    s.expect('.')
    at = s.here()
    word = s.keyword('position', 'color', 'fogcoord', 'pointsize', 'texcoord')
    if word == 'position' and 'ARB_position_invariant' in options:
        s.fail('result.position with ARB_position_invariant', at)
    if word == 'color':
        face = s.dotted('front', 'back') or 'front'
        return 'result.color.%s.%s' % (face, s.dotted('primary', 'secondary') or 'primary')
    if word == 'texcoord':
        return 'result.texcoord[%d]' % s.index_if(limits.texcoords, 'texture coordinate set')
    return 'result.' + word


# ---- state ----

def material(s, _):
    face = side(s)
    s.expect('.')
    return 'material.%s.%s' % (face, s.keyword(*COLOURS, 'emission', 'shininess'))


def light(s, limits):
    n = s.index(limits.lights, 'light')
    s.expect('.')
    word = s.keyword(*COLOURS, 'position', 'attenuation', 'spot', 'half')
    if word == 'spot':
        s.expect('.')
        word += '.' + s.keyword('direction')
    return 'light[%d].%s' % (n, word)


def lightmodel(s, _):
    s.expect('.')
    word = s.keyword('ambient', 'scenecolor', 'front', 'back')
    if word == 'ambient':
        return 'lightmodel.ambient'
    if word == 'scenecolor':
        return 'lightmodel.front.scenecolor'
    s.expect('.')
    s.keyword('scenecolor')
    return 'lightmodel.%s.scenecolor' % word


def lightprod(s, limits):
    n = s.index(limits.lights, 'light')
    face = side(s)
    s.expect('.')
    return 'lightprod[%d].%s.%s' % (n, face, s.keyword(*COLOURS))


def one_of(head, *words):
    def read(s, _):
        s.expect('.')
        return '%s.%s' % (head, s.keyword(*words))
    return read


def texenv(s, limits):
    n = s.index_if(limits.texture_units, 'texture unit')
    s.expect('.')
    s.keyword('color')
    return 'texenv[%d].color' % n


def texgen(s, limits):
    n = s.index_if(limits.texture_units, 'texture unit')
    s.expect('.')
    plane = s.keyword('eye', 'object')
    s.expect('.')
    return 'texgen[%d].%s.%s' % (n, plane, s.keyword('s', 't', 'r', 'q'))


def clip(s, limits):
    n = s.index(limits.clip_planes, 'clip plane')
    s.expect('.')
    s.keyword('plane')
    return 'clip[%d].plane' % n


def matrix(s, limits, whole):
    """Parses matrix.X...: one row, or, with `whole`, a range of rows or all four. Returns a list of bindings.
    """
    s.expect('.')
    name = s.keyword('modelview', 'projection', 'mvp', 'texture', 'palette', 'program')
    if name in ('modelview', 'texture'):
        name += '[%d]' % s.index_if(limits.modelviews if name == 'modelview' else limits.texture_units, 'matrix')
    elif name in ('palette', 'program'):
        name += '[%d]' % s.index(limits.palettes if name == 'palette' else limits.program_matrices, 'matrix')
    how = s.dotted(*MODIFIERS)
    name = 'state.matrix.' + name + ('.' + how if how else '')
    if s.dotted('row') is None:
        if not whole:
            s.fail('expected a row of the matrix')
        rows = range(4)
    else:
        s.expect('[')
        rows = index_range(s, 4, 'row', whole)
        s.expect(']')
    return ['%s.row[%d]' % (name, i) for i in rows]


def index_range(s, limit, what, ranges):
    """Parses an index or, with `ranges`, a..b, after the bracket."""
    at = s.here()
    first = last = s.integer()
    if first >= limit:
        s.fail('%s %d is beyond %d' % (what, first, limit - 1), at)
    if ranges and s.accept('..'):
        at = s.here()
        last = s.integer()
        if last >= limit:
            s.fail('%s %d is beyond %d' % (what, last, limit - 1), at)
        if last < first:
            s.fail('a range from %d to %d' % (first, last), at)
    return range(first, last + 1)


BOTH = {'material': material, 'light': light, 'lightmodel': lightmodel, 'lightprod': lightprod,
        'fog': one_of('fog', 'color', 'params')}
STATE = {'fp': {**BOTH, 'texenv': texenv, 'depth': one_of('depth', 'range')},
         'vp': {**BOTH, 'texgen': texgen, 'clip': clip, 'point': one_of('point', 'size', 'attenuation')}}


def state(s, limits, kind, whole):
    """Parses bindings after `state`: a list, with several elements for matrices only."""
    s.expect('.')
    word = s.keyword(*STATE[kind], 'matrix')
    if word == 'matrix':
        return matrix(s, limits, whole)
    return ['state.' + STATE[kind][word](s, limits)]


def program(s, limits, whole):
    """Parses bindings after `program`."""
    s.expect('.')
    word = s.keyword('env', 'local')
    s.expect('[')
    rows = index_range(s, limits.env if word == 'env' else limits.local, 'parameter', whole)
    s.expect(']')
    return ['program.%s[%d]' % (word, i) for i in rows]
