"""Prints conformance vectors as JSON and as C89."""
import json

from ..gl.tokens import token_value
from ..texenv.state import BLACK, CLASSIC, used_args
from ..texenv.vector_inputs import BACKGROUND, count_units
from ..texenv.vector_states import ALPHA_INITIAL, RGB_INITIAL, gl_name, tags
from ..vertex.vertex_vectors import TOKENS

FUNCTIONS = {'modulate_add': 'MODULATE_ADD_ATI', 'modulate_signed_add': 'MODULATE_SIGNED_ADD_ATI',
             'modulate_subtract': 'MODULATE_SUBTRACT_ATI', 'combine4': 'COMBINE4_NV'}
OPERANDS = {'c': 'SRC_COLOR', '~c': 'ONE_MINUS_SRC_COLOR', 'a': 'SRC_ALPHA', '~a': 'ONE_MINUS_SRC_ALPHA'}
SOURCES = {'C': 'CONSTANT', 'F': 'PRIMARY_COLOR', 'P': 'PREVIOUS', '0': 'ZERO', '1': 'ONE'}
LICENSE = '0BSD'
ABOUT = (
    'Conformance vectors for OpenGL texture environments: each is a state, inputs, and the colour that GL gives.',
    'Data under 0BSD: use, copy, change and pass on for any purpose, without a condition; no warranty.')
HOW = (
    'A unit is null (no texture enabled), or has a texture of one colour: format is its base internal format, texel',
    'red, green, blue, alpha, of which the format takes what it has (GL_LUMINANCE and GL_INTENSITY take red).',
    'env is what glTexEnv sets; all else has the initial value of a context. color is GL_TEXTURE_ENV_COLOR.',
    'Bytes stand for b/255. want is the exact value times 255, rounded; tolerance (1 where it is left out) is how',
    'many steps an implementation may be off whose units round to 8 bits; in floats, 1 is enough.',
    'either lists other values that are right, too. The framebuffer holds background before: where the alpha test',
    'fails, want is that. A fog is drawn at an eye distance of depth. A vertex is a point: calls from the initial',
    'state of a context, in that order; it fills pixels whose colour is want. Where texture is set, a texture of',
    '8 by 8 texels (s to the right, t up: red 16+32s, green 16+32t, blue 128, alpha 255), GL_NEAREST and',
    'GL_REPEAT, is enabled with GL_REPLACE; the coordinates that it is looked up at are (s,t,r,q).')


# ---- states as settings ----

def number(name):
    value = TOKENS.get(name, token_value(name))
    if value is None:
        raise AssertionError('%s has no value' % name)
    return value


def token(word):
    return 'GL_' + word


def numbers(sets):
    """Converts settings to enumerants."""
    return [(number(token(k)), v if isinstance(v, int) else number(token(v))) for k, v in sets]


def source(word, own):
    if word[0] != 'T':
        return SOURCES[word]
    return 'TEXTURE' if word == 'T%d' % own else 'TEXTURE' + word[1:]


def half_settings(own, word, half):
    if half is None or half.func == 'dot':
        return [(word + '_SCALE', half.scale)] if half and half.scale != 1 else []
    start = RGB_INITIAL if word == 'RGB' else ALPHA_INITIAL
    out = [('COMBINE_' + word, FUNCTIONS.get(half.func, half.func.upper()))] if half.func != 'modulate' else []
    for i, (s, o) in enumerate(half.args):
        initial = start[i] if i < 3 else ('0', '')              # SOURCE3 is ZERO at first
        nv = '_NV' if i == 3 else ''
        if s != ('T%d' % own if initial[0] == 'T' else initial[0]):
            out.append(('%s%d_%s%s' % ('SOURCE' if nv else 'SRC', i, word, nv), source(s, own)))
        if o != initial[1]:
            out.append(('OPERAND%d_%s%s' % (i, word, nv), OPERANDS[o]))
    return out + ([(word + '_SCALE', half.scale)] if half.scale != 1 else [])


def settings(case, own):
    """Returns [(name, value)] of glTexEnv for a unit: settings that differ from the initial state, and
    settings without effect."""
    unit = case.state.units[own]
    mode = FUNCTIONS.get(unit.mode, unit.mode.upper())
    out = [('TEXTURE_ENV_MODE', mode)] if unit.mode != 'modulate' else []
    if unit.mode not in CLASSIC:
        out += half_settings(own, 'RGB', unit.rgb) + half_settings(own, 'ALPHA', unit.alpha)
    return out + list(case.extra.get(own, ()))


def reads_color(unit):
    return unit.mode == 'blend' or any(s == 'C' for s, _, _ in used_args(unit))


def units(vector):
    """Returns [None or (format, texel, settings, color or None)]."""
    out = []
    for n in range(count_units(vector.case)):
        unit = vector.case.state.units[n]
        out.append(unit and (gl_name(unit.fmt), vector.texels[n], settings(vector.case, n),
                             vector.colors[n] if reads_color(unit) or unit.color != BLACK else None))
    return out


# ---- JSON ----

def unit_object(unit):
    if unit is None:
        return None
    fmt, texel, sets, color = unit
    out = {'format': number(fmt), 'texel': list(texel)}
    out.update({'env': [list(pair) for pair in numbers(sets)]} if sets else {})
    if color:
        out['color'] = list(color)
    return out


def fog_object(vector):
    mode, depth, start, end, density = vector.case.fog
    return {'mode': number(gl_name(mode)), 'depth': depth, 'start': start, 'end': end, 'density': density,
            'color': list(vector.fog_color)}


def vector_object(vector):
    out = {'name': vector.case.name, 'tags': tags(vector.case), 'units': [unit_object(u) for u in units(vector)],
           'primary': list(vector.primary)}
    if vector.case.state.colorsum:
        out['secondary'] = list(vector.secondary[:3])
    if vector.case.fog:
        out['fog'] = fog_object(vector)
    if vector.case.alpha:
        out['alphaTest'] = [number(gl_name(vector.case.alpha[0])), vector.ref]
    out['want'] = list(vector.want)
    if vector.either:
        out['either'] = [list(e) for e in vector.either]
    out.update({'tolerance': vector.tolerance} if vector.tolerance > 1 else {})
    return out


def vertex_object(vertex):
    out = {'name': vertex.name, 'tags': list(vertex.tags),
           'calls': [[c.name, *map(number, c.enums),
                      *([[number(x) if isinstance(x, str) else x for x in c.values]] if c.values else [])]
                     for c in vertex.calls]}
    if vertex.coordinates:
        out.update({'texture': True, 'coordinates': [round(x, 6) for x in vertex.coordinates]})
    out['want'] = list(vertex.want)
    out.update({'tolerance': vertex.tolerance} if vertex.tolerance > 1 else {})
    return out


def enumerants(vectors, vertices):
    """Returns name -> value of all enumerants that the vectors use."""
    names = {fmt[3:] for v in vectors for unit in filter(None, units(v)) for fmt in unit[:1]}
    for v in vectors:
        sets = [pair for unit in filter(None, units(v)) for pair in unit[2]]
        names |= {x for pair in sets for x in pair if isinstance(x, str)}
        names |= {v.case.fog[0].upper()} if v.case.fog else set()
        names |= {v.case.alpha[0].upper()} if v.case.alpha else set()
    for v in vertices:
        names |= {e[3:] for c in v.calls for e in (*c.enums, *c.values) if isinstance(e, str)}
    return {name: number(token(name)) for name in sorted(names)}


def compact(value):
    return json.dumps(value, separators=(',', ':'))


def as_json(vectors, vertices):
    lists = [vector_object(v) for v in vectors], [vertex_object(v) for v in vertices]
    head = {'format': 'texenv-vectors', 'version': 1, 'license': LICENSE, 'about': ' '.join(ABOUT),
            'how': ' '.join(HOW), 'background': list(BACKGROUND), 'enumerants': enumerants(vectors, vertices)}
    lines = [',\n'.join(compact(x) for x in part) for part in lists]
    return '%s,\n"vectors":[\n%s\n],\n"vertices":[\n%s\n]}\n' % (compact(head)[:-1], lines[0], lines[1])


# ---- C ----

ALL_TAGS = ('ES1.1', 'GL1.3', 'crossbar', 'ATI3', 'NV4', 'colorsum', 'fog', 'alpha-test', 'formats', 'classic',
            'dot3', 'scale', 'units', 'known', 'lighting', 'texgen', 'matrix', 'fog-coord')
STRUCTS = '''\
struct texenv_vector_unit { /* format 0: no texture is enabled */
    unsigned short format, env, envs; /* envs rows of texenv_vector_envs, from env on: name and value */
    unsigned char texel[4], color[4];
};
struct texenv_vector_fog {
    unsigned short mode;
    float depth, start, end, density;
    unsigned char color[4];
};
struct texenv_vector { /* fog: row of texenv_vector_fogs, or -1; alpha_test: 0, or the comparison */
    const char *name;
    unsigned long tags; /* bit n: texenv_vector_tags[n] */
    unsigned short unit; /* of texenv_vector_units */
    short fog;
    unsigned short either, alpha_test; /* either: of texenv_vector_either */
    unsigned char units, eithers, color_sum, alpha_reference, tolerance, primary[4], secondary[4], want[4];
};
struct texenv_vertex_call { /* what the call is, its enumerants, and its numbers of texenv_vertex_values */
    unsigned short call, a, b, value, values;
};
struct texenv_vertex {
    const char *name;
    unsigned long tags;
    unsigned short call, calls; /* of texenv_vertex_calls */
    unsigned char texture, tolerance, want[4];
    float coordinates[4];
};
'''
NAMES = 'struct texenv_vector_name { /* for messages */\n    unsigned short value;\n    const char *name;\n};\n'
CALLS = ('Enable', 'MatrixMode', 'LoadMatrixf', 'Lightfv', 'LightModelfv', 'Materialfv', 'TexGenfv', 'Fogfv',
         'FogCoordf', 'Normal3f', 'Color4f', 'TexCoord4f', 'Vertex3f')


class Pool:
    """A table of rows in which equal sequences of rows are shared."""

    def __init__(self):
        self.rows, self.known = [], {}

    def put(self, rows):
        """Adds rows; returns the index of the first one."""
        rows = tuple(rows)
        if rows not in self.known:
            self.known[rows] = len(self.rows) if rows else 0
            self.rows += rows
        return self.known[rows]


def braces(*values):
    return '{%s}' % ','.join(str(v) for v in values)


def array(head, rows):
    return 'static const %s[] = {\n%s};\n' % (head, ''.join(rows))


def packed(rows, width=100):
    """Formats rows as lines of a C initialiser."""
    line = ''
    for row in rows:
        if len(line) + len(row) > width:
            yield line + '\n'
            line = ''
        line += row + ','
    yield line + '\n'


def bits(names):
    return '0x%xUL' % sum(1 << ALL_TAGS.index(t) for t in names)


def single(x):
    text = '%.9g' % x
    return text + ('f' if '.' in text or 'e' in text else '.0f')


class Header:
    def __init__(self):
        self.envs, self.units, self.fogs, self.either = Pool(), Pool(), Pool(), Pool()
        self.calls, self.values = Pool(), Pool()

    def unit(self, unit):
        if unit is None:
            return braces(0, 0, 0, braces(0, 0, 0, 0), braces(0, 0, 0, 0))
        fmt, texel, sets, color = unit
        rows = [braces(hex(k), v if v < 5 else hex(v)) for k, v in numbers(sets)]
        return braces(hex(number(fmt)), self.envs.put(rows), len(rows), braces(*texel),
                      braces(*(color or (0, 0, 0, 0))))

    def fog(self, vector):
        if not vector.case.fog:
            return -1
        mode, *numbers = vector.case.fog
        return self.fogs.put([braces(hex(number(gl_name(mode))), *map(single, numbers),
                                     braces(*vector.fog_color))])

    def vector(self, v):
        rows = [self.unit(u) for u in units(v)]
        test = hex(number(gl_name(v.case.alpha[0]))) if v.case.alpha else 0
        second = v.secondary if v.case.state.colorsum else (0, 0, 0, 0)
        either = self.either.put([braces(*e) for e in v.either])
        fields = (self.units.put(rows), self.fog(v), either, test, len(rows), len(v.either),
                  int(v.case.state.colorsum), v.ref, v.tolerance, braces(*v.primary), braces(*second),
                  braces(*v.want))
        return '    {"%s", %s, %s},\n' % (v.case.name, bits(tags(v.case)), ', '.join(map(str, fields)))

    def call(self, c):
        enums = [hex(number(e)) for e in c.enums] + [0, 0]
        values = [single(number(x) if isinstance(x, str) else x) for x in c.values]
        return braces(CALLS.index(c.name[2:]), enums[0], enums[1], self.values.put(values), len(values))

    def vertex(self, v):
        rows = [self.call(c) for c in v.calls]
        return '    {"%s", %s, %s},\n' % (v.name, bits(v.tags), ', '.join(map(str, (
            self.calls.put(rows), len(rows), int(bool(v.coordinates)), v.tolerance, braces(*v.want),
            braces(*map(single, v.coordinates or (0, 0, 0, 1)))))))


def as_header(vectors, vertices):
    h = Header()
    rows, points = [h.vector(v) for v in vectors], [h.vertex(v) for v in vertices]
    out = ['/* ' + '\n * '.join(ABOUT + HOW) + ' */\n#ifndef TEXENV_VECTORS_H\n#define TEXENV_VECTORS_H\n\n',
           STRUCTS, NAMES, '#define TEXENV_VECTORS %d\n#define TEXENV_VERTICES %d\n' % (len(rows), len(points)),
           '#define TEXENV_VECTOR_TAGS %d\n' % len(ALL_TAGS),
           'enum {%s};\n' % ', '.join('\n    TEXENV_CALL_' + c.upper() for c in CALLS),
           array('char *const texenv_vector_tags', ['    "%s",\n' % t for t in ALL_TAGS]),
           array('char *const texenv_vertex_call_names', ['    "%s",\n' % ('gl' + c) for c in CALLS]),
           'static const unsigned char texenv_vector_background[4] = %s;\n' % braces(*BACKGROUND)]
    for head, pool in (('unsigned short texenv_vector_envs', h.envs),
                       ('struct texenv_vector_unit texenv_vector_units', h.units),
                       ('struct texenv_vector_fog texenv_vector_fogs', h.fogs),
                       ('unsigned char texenv_vector_either', h.either),
                       ('float texenv_vertex_values', h.values),
                       ('struct texenv_vertex_call texenv_vertex_calls', h.calls)):
        two = {'texenv_vector_envs': '[2]', 'texenv_vector_either': '[4]'}.get(head.split()[-1], '')
        rows_ = pool.rows or ['0' if 'float' in head else '{0}']     # a C array needs at least one element
        out.append('static const %s[]%s = {\n%s};\n' % (head, two, ''.join(packed(rows_))))
    names = ['    {%s, "%s"},\n' % (hex(v), token(k)) for k, v in enumerants(vectors, vertices).items()]
    out += [array('struct texenv_vector_name texenv_vector_names', [*names, '    {0, 0}\n']),
            array('struct texenv_vector texenv_vectors', rows or ['    {0},\n']),
            array('struct texenv_vertex texenv_vertices', points or ['    {0},\n']), '\n#endif\n']
    return ''.join(out)

