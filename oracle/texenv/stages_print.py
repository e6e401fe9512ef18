"""Prints the `stages` notation (notes/formats/stages.md, "printed canonical form")."""
from ..common.numbers import shortest
from .state import BLACK, CLASSIC, last_unit, used_args

DOT_WORDS = {'dot3_rgb': 'dot3', 'dot3_rgba': 'dot3a', 'dot3_rgb_ext': 'dot3_ext',
             'dot3_rgba_ext': 'dot3a_ext'}
FORMS = {
    'replace': '{0}', 'modulate': '{0}*{1}', 'add': '{0}+{1}', 'add_signed': '{0}+{1}-0.5',
    'subtract': '{0}-{1}',
    'interpolate': 'lerp({0},{1},{2})', 'modulate_add': '{0}*{2}+{1}',
    'modulate_signed_add': '{0}*{2}+{1}-0.5',
    'modulate_subtract': '{0}*{2}-{1}',
}
FORMS4 = {'add': '{0}*{1}+{2}*{3}', 'add_signed': '{0}*{1}+{2}*{3}-0.5'}


def term(source, op, alpha):
    return ('~' if op[0] == '~' else '') + source + ('.a' if op[-1] == 'a' and not alpha else '')


def half_text(half, alpha=False):
    args = [term(s, o, alpha) for s, o in half.args]
    if half.func in DOT_WORDS:
        return '%s(%s,%s)' % (DOT_WORDS[half.func], args[0], args[1])
    return (FORMS4 if len(args) == 4 else FORMS)[half.func].format(*args)


def unit_text(unit):
    if unit is None:
        return '{}'
    attrs = ''
    if unit.depth:
        attrs += ' @shadow' if unit.shadow else ' @depth'
        attrs += '' if unit.depth == 'luminance' else ':' + unit.depth
    elif unit.fmt != 'rgba':
        attrs += ' @' + unit.fmt
    if unit.target != '2d':
        attrs += ' @' + unit.target
    if unit.mode in CLASSIC:
        return '{%s%s}' % (unit.mode, attrs)
    body = half_text(unit.rgb)
    scales = [unit.rgb.scale, 1]
    if unit.alpha is None:
        scales[1] = scales[0]
    elif unit.alpha.func == 'dot':
        scales[1] = unit.alpha.scale
    else:
        scales[1] = unit.alpha.scale
        text = half_text(unit.alpha, True)
        default = 'P' if unit.rgb.func in DOT_WORDS else half_text(
            unit.rgb._replace(args=tuple((s, o[:-1] + 'a') for s, o in unit.rgb.args)), True)
        if text != default:
            body += '; ' + text
    if (unit.mode == 'combine4' and len(unit.rgb.args) != 4
        and (unit.alpha is None or len(unit.alpha.args) != 4)):
        attrs += ' @combine4'
    elif unit.mode == 'combine4' and (len(unit.rgb.args) != 4 or len(unit.alpha.args) != 4):
        attrs += ' @combine4'
    scale = ''
    if scales[0] != scales[1]:
        scale = '*%d;%d' % tuple(scales)
    elif scales[0] != 1:
        scale = '*%d' % scales[0]
    return '{%s%s}%s' % (body, attrs, scale)


def color_text(color):
    return '(%s)' % ','.join(shortest(c) for c in color)


def state_text(state):
    """Prints a state as one line."""
    last = last_unit(state)
    # reading Tn of a unit after the last stage would add an enabled stage, so prints all stages up to n
    for u in state.units:
        if u is not None:
            last = max([last] + [int(s[1:]) for s, _, _ in used_args(u) if s[0] == 'T'])
    out = ' '.join(unit_text(u) for u in state.units[:last + 1]) or '{}'
    for n, u in enumerate(state.units):
        if u is not None and u.color != BLACK and (u.mode == 'blend'
                                                   or any(s == 'C' for s, _, _ in used_args(u))):
            out += ' C%d=%s' % (n, color_text(u.color))
    if state.fog:
        out += ' fog=' + state.fog[0] + (':coord' if state.fog[1] else '')
    if state.colorsum:
        out += ' colorsum'
    if state.alpha_test:
        out += ' alphatest=%s:%s' % (state.alpha_test[0], shortest(state.alpha_test[1]))
    return out
