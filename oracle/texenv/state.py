"""The state that one draw sees: plain immutable data, in GL's own argument order.

Sources are 'T0'..'T7', 'C', 'F' (primary), 'P' (previous), '0', '1'. Operands are 'c', '~c' (colour and its
complement), 'a', '~a' (alpha); an alpha half knows only 'a' and '~a'.
"""
from collections import namedtuple

UNITS = 8
TARGETS = ('1d', '2d', 'rect', '3d', 'cube')
CLASSIC = ('replace', 'modulate', 'decal', 'blend', 'add')
DEPTH_MODES = ('luminance', 'intensity', 'alpha', 'red')

# Base internal format -> where each source channel comes from (notes/facts/texenv.md 2). 'r' is the first
# component stored.
EXPAND = {
    'alpha': '000a', 'luminance': 'rrr1', 'luminance_alpha': 'rrra', 'intensity': 'rrrr',
    'rgb': 'rgb1', 'rgba': 'rgba', 'red': 'r001', 'rg': 'rg01',
}

# Combine function -> number of arguments, and whether an alpha half may name it (notes/facts/texenv.md 4).
COMBINE_ARGS = {
    'replace': 1, 'modulate': 2, 'add': 2, 'add_signed': 2, 'subtract': 2, 'interpolate': 3,
    'modulate_add': 3, 'modulate_signed_add': 3, 'modulate_subtract': 3,
    'dot3_rgb': 2, 'dot3_rgba': 2, 'dot3_rgb_ext': 2, 'dot3_rgba_ext': 2,
}
DOTS = ('dot3_rgb', 'dot3_rgba', 'dot3_rgb_ext', 'dot3_rgba_ext')
COMBINE4_FUNCS = ('add', 'add_signed')

Half = namedtuple('Half', 'func args scale')        # args: tuple of (source, operand)
Unit = namedtuple('Unit', 'target fmt depth shadow mode rgb alpha color')
# alpha_test: None, or (comparison, reference): it determines which fragments GL discards at the end and does
# not affect the colour
State = namedtuple('State', 'units fog colorsum assumed alpha_test', defaults=(None,))
COMPARES = ('never', 'less', 'equal', 'lequal', 'greater', 'notequal', 'gequal', 'always')    # GL_NEVER + n
Policy = namedtuple('Policy', 'crossbar_off dot3_alpha')

DEFAULT_POLICY = Policy('default', 'alpha')
BLACK = (0.0, 0.0, 0.0, 0.0)


def make_policy(settings):
    """Returns the policy of NAME=VALUE strings (choices.md)."""
    values = {'crossbar-off': 'default', 'dot3-alpha': 'alpha'}
    allowed = {'crossbar-off': ('pass', 'one', 'zero', 'refuse', 'default'), 'dot3-alpha': ('alpha', 'rgb')}
    for item in settings or ():
        name, _, value = item.partition('=')
        if name not in allowed or value not in allowed[name]:
            raise ValueError('unknown policy %r' % item)
        values[name] = value
    return Policy(values['crossbar-off'], values['dot3-alpha'])


def nargs(mode, func):
    """Returns how many argument slots a half uses; COMBINE4 with a function other than ADD and ADD_SIGNED
    counts as COMBINE (choices.md)."""
    if mode == 'combine4' and func in COMBINE4_FUNCS:
        return 4
    return COMBINE_ARGS[func]


def used_args(unit):
    """Yields every (source, operand, is_alpha) that the unit's selected functions read."""
    if unit.mode not in ('combine', 'combine4'):
        return []
    out = [(s, o, False) for s, o in unit.rgb.args]
    if unit.alpha is not None:
        out += [(s, o, True) for s, o in unit.alpha.args]
    return out


def canonical_unit(unit):
    """Sets unused members to their defaults, so that equal behaviour prints and compares equal."""
    if unit is None:
        return None
    if unit.mode in CLASSIC:
        color = unit.color if unit.mode == 'blend' else BLACK
        return unit._replace(rgb=None, alpha=None, color=color)
    rgb, alpha = unit.rgb, unit.alpha
    if rgb.func == 'dot3_rgba':                     # COMBINE_ALPHA is ignored, ALPHA_SCALE is not
        alpha = Half('dot', (), alpha.scale)
    elif rgb.func == 'dot3_rgba_ext':
        alpha = None
    if rgb.func.endswith('_ext'):                   # RGB_SCALE is ignored
        rgb = rgb._replace(scale=1)
    unit = unit._replace(rgb=rgb, alpha=alpha)
    if not any(s == 'C' for s, _, _ in used_args(unit)):
        unit = unit._replace(color=BLACK)
    return unit


def canonical(state):
    """Returns the canonical state: two draws with equal canonical states are merged
    (notes/formats/apitrace.md)."""
    units = list(state.units[:UNITS])
    units += [None] * (UNITS - len(units))
    return state._replace(units=tuple(canonical_unit(u) for u in units))


def last_unit(state):
    """Returns the index of the last enabled unit, -1 if none."""
    for i in range(len(state.units) - 1, -1, -1):
        if state.units[i] is not None:
            return i
    return -1


def resolve(state, policy=DEFAULT_POLICY):
    """Replaces references to disabled units as the policy says (choices.md); the readers of traces merge
    states that are equal in this form. A refused state is returned unchanged.
    """
    out = []
    for unit in state.units:
        if unit is not None and any(s[0] == 'T' and state.units[int(s[1:])] is None
                                    for s, _, _ in used_args(unit)):
            rule = policy.crossbar_off
            if rule == 'default':
                rule = 'one' if unit.mode == 'combine4' else 'pass'
            if rule == 'pass':
                unit = unit._replace(mode='combine', rgb=Half('replace', (('P', 'c'),), 1),
                                     alpha=Half('replace', (('P', 'a'),), 1))
            elif rule != 'refuse':
                literal = '1' if rule == 'one' else '0'
                unit = unit._replace(**{k: h._replace(args=tuple(
                    (literal if s[0] == 'T' and state.units[int(s[1:])] is None else s, o)
                    for s, o in h.args))
                    for k, h in (('rgb', unit.rgb), ('alpha', unit.alpha)) if h is not None})
        out.append(unit)
    return canonical(state._replace(units=tuple(out)))
