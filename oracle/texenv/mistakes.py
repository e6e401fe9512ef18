"""Common mistakes of compatibility layers. Each is described by the state that such a layer draws instead.
Inputs of conformance vectors are chosen so that as many mistakes as possible show in the result.
"""
from .state import CLASSIC, DOTS, Half

FLIP = {'~c': 'c', '~a': 'a', 'c': 'c', 'a': 'a'}


def each_unit(change):
    def rewrite(state):
        return state._replace(units=tuple(u and change(n, u) for n, u in enumerate(state.units)))
    return rewrite


def each_half(change):
    """Applies change(half, is_alpha) to units that combine."""
    def one(n, unit):
        if unit.mode in CLASSIC:
            return unit
        rgb, alpha = change(unit.rgb, False), change(unit.alpha, True)
        if alpha.func == 'dot' and rgb.func != 'dot3_rgba':  # the alpha half is used again: GL's initial one
            alpha = Half('modulate', (('T%d' % n, 'a'), ('P', 'a')), alpha.scale)
        return unit._replace(rgb=rgb, alpha=alpha)
    return each_unit(one)


def each_argument(change):
    return each_half(lambda half, alpha: half._replace(args=tuple(change(s, o, alpha) for s, o in half.args)))


def other_mode(wrong, right):
    return each_unit(lambda n, u: u._replace(mode=right) if u.mode == wrong else u)


def other_function(wrong, right):
    def change(half, alpha):
        if half.func != wrong:
            return half
        return half._replace(func=right, args=half.args[:1] if right == 'replace' else half.args[:2])
    return each_half(change)


def blend_by_primary(n, unit):
    if unit.mode != 'blend':
        return unit
    return unit._replace(mode='combine', rgb=Half('interpolate', (('F', 'c'), ('P', 'c'), ('T%d' % n, 'c')), 1),
                         alpha=Half('modulate', (('P', 'a'), ('T%d' % n, 'a')), 1))


def alpha_kept(n, unit):
    keep = Half('replace', (('P', 'a'),), 1)
    return unit if unit.mode in CLASSIC or unit.rgb.func == 'dot3_rgba' else unit._replace(alpha=keep)


def other_arguments(order):
    def change(half, alpha):
        if len(half.args) != len(order):
            return half
        return half._replace(args=tuple(half.args[i] for i in order))
    return each_half(change)


def whole_format(n, unit):
    return unit._replace(fmt='rgba')


def unscaled(half, alpha):
    return half._replace(scale=1)


def dot_scaled(half, alpha):
    return half._replace(scale=half.scale * 4) if half.func in DOTS and half.scale == 1 else half


MISTAKES = {
    'operands are not complemented': each_argument(lambda s, o, alpha: (s, FLIP[o])),
    'alpha operands of colours are colours': each_argument(
        lambda s, o, alpha: (s, o if alpha else o.replace('a', 'c'))),
    'scales are dropped': each_half(unscaled),
    'DOT3 is four times too large': each_half(dot_scaled),
    'BLEND takes the primary colour': each_unit(blend_by_primary),
    'alpha is passed through': each_unit(alpha_kept),
    'textures of other units are PREVIOUS': each_unit(lambda n, u: u if u.mode in CLASSIC else u._replace(**{
        k: h and h._replace(args=tuple(('P' if s[0] == 'T' and s != 'T%d' % n else s, o) for s, o in h.args))
        for k, h in (('rgb', u.rgb), ('alpha', u.alpha))})),
    'formats are RGBA': each_unit(whole_format),
    'PRIMARY_COLOR is PREVIOUS': each_argument(lambda s, o, alpha: ('P' if s == 'F' else s, o)),
    'PREVIOUS is PRIMARY_COLOR': each_argument(lambda s, o, alpha: ('F' if s == 'P' else s, o)),
    'CONSTANT is PREVIOUS': each_argument(lambda s, o, alpha: ('P' if s == 'C' else s, o)),
    'two arguments change places': other_arguments((1, 0)),
    'three arguments change places': other_arguments((1, 0, 2)),
    'the factor is the second argument': other_arguments((0, 2, 1)),
}
for _wrong, _right in (('decal', 'modulate'), ('decal', 'replace'), ('add', 'modulate'), ('replace', 'modulate'),
                       ('modulate', 'replace'), ('blend', 'modulate')):
    MISTAKES['%s is %s' % (_wrong.upper(), _right.upper())] = other_mode(_wrong, _right)
for _wrong, _right in (('add_signed', 'add'), ('subtract', 'add'), ('interpolate', 'modulate'), ('add', 'modulate'),
                       ('dot3_rgb', 'modulate'), ('dot3_rgba', 'modulate'), ('dot3_rgba', 'dot3_rgb'),
                       ('modulate', 'replace'), ('modulate_add', 'modulate'),
                       ('modulate_signed_add', 'modulate'), ('modulate_subtract', 'modulate')):
    MISTAKES['COMBINE %s is %s' % (_wrong.upper(), _right.upper())] = other_function(_wrong, _right)


def mistaken(state):
    """Returns the states that the mistakes turn this state into, without those that leave it unchanged."""
    return [made for made in (change(state) for change in MISTAKES.values()) if made != state]
