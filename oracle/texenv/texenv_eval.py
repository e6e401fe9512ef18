"""Evaluates texture environments (notes/facts/texenv.md 1 to 8, choices.md), over any number domain."""
from ..common.errors import Refused
from .state import CLASSIC, DEFAULT_POLICY, DOTS, EXPAND, used_args

SCALE_SHIFT = {1: 0, 2: 1, 4: 2}


def texel(inputs, unit, number, dom=None):
    """Returns the four source channels of a unit's texel after base-format expansion (notes/facts/texenv.md
    2)."""
    dom = dom or inputs.dom
    out = []
    for c in EXPAND[unit.fmt]:
        if c == '0':
            out.append(dom.zero)
        elif c == '1':
            out.append(dom.one)
        else:
            out.append(inputs.texel(number, 'rgba'.index(c), unit.shadow))
    return out


def combine_formula(dom, func, a):
    """Returns one component of a combine function before scale and clamp (notes/facts/texenv.md 4, combine
    table)."""
    if func == 'replace':
        return a[0]
    if func == 'modulate':
        return dom.mul(a[0], a[1])
    if func == 'add':
        return dom.add(a[0], a[1])
    if func == 'add_signed':
        return dom.sub(dom.add(a[0], a[1]), dom.half)
    if func == 'interpolate':
        return dom.add(dom.mul(a[0], a[2]), dom.mul(a[1], dom.sub(dom.one, a[2])))
    if func == 'subtract':
        return dom.sub(a[0], a[1])
    if func == 'modulate_add':
        return dom.add(dom.mul(a[0], a[2]), a[1])
    if func == 'modulate_signed_add':
        return dom.sub(dom.add(dom.mul(a[0], a[2]), a[1]), dom.half)
    if func == 'modulate_subtract':
        return dom.sub(dom.mul(a[0], a[2]), a[1])
    raise AssertionError(func)


def combine4_formula(dom, func, a):
    """Returns a component of COMBINE4_NV: A0*A1 + A2*A3, minus one half for ADD_SIGNED."""
    value = dom.add(dom.mul(a[0], a[1]), dom.mul(a[2], a[3]))
    return dom.sub(value, dom.half) if func == 'add_signed' else value


def dot3(dom, a, b):
    """Returns 4 * sum over r, g, b of (a-.5)(b-.5)."""
    total = None
    for x, y in zip(a[:3], b[:3]):
        term = dom.mul(dom.sub(x, dom.half), dom.sub(y, dom.half))
        total = term if total is None else dom.add(total, term)
    return dom.shift(total, 2)


def operand(dom, value, op, channels):
    """Applies an operand's mapping (notes/facts/texenv.md 5). `value` has four channels; the result has one
    value for each requested channel."""
    picked = [value[3]] * len(channels) if op[-1] == 'a' else [value[c] for c in channels]
    if op[0] == '~':
        picked = [dom.sub(dom.one, v) for v in picked]
    return picked


def classic(dom, unit, t, prev, env):
    """Evaluates a classic mode, before the clamp (notes/facts/texenv.md 3)."""
    fmt, mode = unit.fmt, unit.mode
    has_rgb = fmt != 'alpha'
    if fmt in ('red', 'rg'):
        fmt = 'rgb'                                 # treated as RGB (choices.md)
    has_alpha = fmt in ('alpha', 'luminance_alpha', 'intensity', 'rgba')
    out = list(prev)
    if mode == 'decal':
        if fmt == 'rgb':
            out[:3] = t[:3]
        elif fmt == 'rgba':
            out[:3] = [dom.add(dom.mul(p, dom.sub(dom.one, t[3])), dom.mul(s, t[3]))
                       for p, s in zip(prev[:3], t)]
        return out
    if has_rgb:
        for c in range(3):
            if mode == 'replace':
                out[c] = t[c]
            elif mode == 'modulate':
                out[c] = dom.mul(prev[c], t[c])
            elif mode == 'blend':
                out[c] = dom.add(dom.mul(prev[c], dom.sub(dom.one, t[c])), dom.mul(env[c], t[c]))
            elif mode == 'add':
                out[c] = dom.add(prev[c], t[c])
    if has_alpha:
        if mode == 'replace':
            out[3] = t[3]
        elif fmt == 'intensity' and mode == 'blend':
            out[3] = dom.add(dom.mul(prev[3], dom.sub(dom.one, t[3])), dom.mul(env[3], t[3]))
        elif fmt == 'intensity' and mode == 'add':
            out[3] = dom.add(prev[3], t[3])
        else:
            out[3] = dom.mul(prev[3], t[3])
    return out


def combine(dom, unit, fetch, policy):
    """Evaluates COMBINE or COMBINE4 with its scale, before the clamp. `fetch(source)` returns four
    channels."""
    def values(half, channels):
        args = [operand(dom, fetch(s), o, channels) for s, o in half.args]
        formula = combine4_formula if len(half.args) == 4 else combine_formula
        shift = SCALE_SHIFT[half.scale]
        return [dom.shift(formula(dom, half.func, [a[i] for a in args]), shift) for i in range(len(channels))]

    rgb = unit.rgb
    if rgb.func not in DOTS:
        return values(rgb, (0, 1, 2)) + values(unit.alpha, (3,))
    a, b = (operand(dom, fetch(s), o, (0, 1, 2)) for s, o in rgb.args)
    dot = dot3(dom, a, b)
    scaled = not rgb.func.endswith('_ext')          # the EXT dots are not scaled (notes/facts/texenv.md 7)
    color = dom.shift(dot, SCALE_SHIFT[rgb.scale]) if scaled else dot
    if rgb.func == 'dot3_rgba':
        scale = rgb.scale if policy.dot3_alpha == 'rgb' else alpha_scale(unit)
        alpha = dom.shift(dot, SCALE_SHIFT[scale])
    elif rgb.func == 'dot3_rgba_ext':
        alpha = dot
    else:
        alpha, = values(unit.alpha, (3,))
    return [color, color, color, alpha]


def alpha_scale(unit):
    """Returns ALPHA_SCALE; a canonical DOT3_RGBA unit has it in an alpha half without arguments."""
    return unit.alpha.scale if unit.alpha is not None else 1


def evaluate(state, inputs, policy=DEFAULT_POLICY):
    """Returns the four channels of the texture environment's result, before colour sum and fog."""
    dom = inputs.dom
    primary = [inputs.primary(c) for c in range(4)]
    prev = primary
    for number, unit in enumerate(state.units):
        if unit is None:
            continue
        if unit.mode in CLASSIC:
            env = [inputs.env(number, c) for c in range(4)]
            out = classic(dom, unit, texel(inputs, unit, number), prev, env)
        else:
            missing = crossbar_rule(state, unit, policy)
            if missing == 'pass':
                continue

            def fetch(source, number=number, prev=prev, missing=missing):
                if source[0] == 'T':
                    m = int(source[1:])
                    other = state.units[m]
                    if other is None:
                        return [dom.one if missing == 'one' else dom.zero] * 4
                    return texel(inputs, other, m)
                if source == 'P':
                    return prev
                if source == 'F':
                    return primary
                if source == 'C':
                    return [inputs.env(number, c) for c in range(4)]
                return [dom.one if source == '1' else dom.zero] * 4

            out = combine(dom, unit, fetch, policy)
        prev = [dom.sat(v) for v in out]
    return prev


def crossbar_rule(state, unit, policy):
    """Returns the rule for arguments that read the texture of a disabled unit: 'pass', 'one' or 'zero'; None
    if the unit has no such argument."""
    if not any(s[0] == 'T' and state.units[int(s[1:])] is None for s, _, _ in used_args(unit)):
        return None
    rule = policy.crossbar_off
    if rule == 'default':
        rule = 'one' if unit.mode == 'combine4' else 'pass'
    if rule == 'refuse':
        raise Refused('a unit reads the texture of a disabled unit')
    return rule


def color_sum(dom, color, inputs):
    """Applies the colour sum: adds the secondary colour's rgb and clamps; alpha is unchanged
    (notes/facts/texenv.md 1, step 7)."""
    return [dom.sat(dom.add(color[c], inputs.secondary(c))) for c in range(3)] + [color[3]]
