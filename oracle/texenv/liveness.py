"""Finds the inputs that reach the result, from the structure of the state only (without algebraic
simplification). Used to judge the reason of a refusal.
"""
import re

from .state import CLASSIC, DEFAULT_POLICY, DOTS, EXPAND
from .texenv_eval import crossbar_rule


def classic_reads(unit):
    """Returns {result channel: set of 'P0'..'P3', 'T0'..'T3'} of a classic mode, from the table of
    notes/facts/texenv.md 3."""
    fmt = 'rgb' if unit.fmt in ('red', 'rg') else unit.fmt
    mode = unit.mode
    has_alpha = fmt in ('alpha', 'luminance_alpha', 'intensity', 'rgba')
    out = {c: {'P%d' % c} for c in range(4)}
    if mode == 'decal':
        if fmt in ('rgb', 'rgba'):
            for c in range(3):
                out[c] = {'T%d' % c} if fmt == 'rgb' else {'T%d' % c, 'T3', 'P%d' % c}
        return out
    if fmt != 'alpha':
        for c in range(3):
            out[c] = {'T%d' % c} if mode == 'replace' else {'T%d' % c, 'P%d' % c}
    if has_alpha:
        out[3] = {'T3'} if mode == 'replace' else {'T3', 'P3'}
    return out


def arg_channels(op, c):
    return 3 if op[-1] == 'a' else c


def live_textures(state, policy=DEFAULT_POLICY):
    """Returns (units whose texel reaches the result, number of units that affect the result, number of
    instructions of GL_ATI_fragment_shader, each of colour and alpha, that these units take without
    optimisation)."""
    wanted, textures, units, pairs = {0, 1, 2, 3}, set(), 0, 0

    def note(number, ch):
        unit = state.units[number]
        if unit is not None and EXPAND[unit.fmt][ch] not in '01':
            textures.add(number)

    for number in range(len(state.units) - 1, -1, -1):
        unit = state.units[number]
        if unit is None or not wanted:
            continue
        before = set()
        if unit.mode in CLASSIC:
            reads = classic_reads(unit)
            if all(reads[c] == {'P%d' % c} for c in wanted):
                continue
            for c in wanted:
                for r in reads[c]:
                    if r[0] == 'T':
                        note(number, int(r[1]))
                    else:
                        before.add(int(r[1]))
            units, pairs, wanted = units + 1, pairs + 1, before
            continue
        if crossbar_rule(state, unit, policy) == 'pass':
            continue
        units += 1
        pairs += 2 if unit.mode == 'combine4' or unit.rgb.func == 'dot3_rgba' else 1
        jobs = []
        for c in wanted:
            if unit.rgb.func in DOTS and (c < 3 or unit.rgb.func.startswith('dot3_rgba')):
                jobs += [(s, arg_channels(o, k)) for s, o in unit.rgb.args for k in range(3)]
            else:
                half = unit.alpha if c == 3 else unit.rgb
                jobs += [(s, arg_channels(o, c)) for s, o in half.args]
        for source, c in jobs:
            if source[0] == 'T':
                note(int(source[1:]), c)
            elif source == 'P':
                before.add(c)
        wanted = before
    return textures, units, pairs


def refusal_holds(reason, state, policy=DEFAULT_POLICY, bind='keep', color_sum=False):
    """Returns (class of the reason, problem): problem is None if this analysis supports the reason, else what
    is wrong with it."""
    textures, units, pairs = live_textures(state, policy)
    low = reason.lower()
    if 'shadow' in low or 'compar' in low:
        ok = any(state.units[t].shadow for t in textures)
        return 'shadow comparison', None if ok else 'no shadow texture reaches the result'
    if 'crossbar' in low or 'policy' in low:
        return 'policy', None if policy.crossbar_off == 'refuse' else 'no policy refuses anything'
    count = re.search(r'(\d+) textures contribute', low)
    if count:
        n = int(count.group(1))
        return ('more than 6 textures', None if 6 < n <= len(textures)
                else 'only %d textures reach the result' % len(textures))
    if 'pair' in low:
        return ('more than 8 pairs', None if pairs + bool(color_sum) > 8 or units > 4
                else 'few pairs are needed')
    if bind == 'keep' and textures & {6, 7} and ('6' in low or '7' in low):
        return 'texture unit 6 or 7', None
    if 'register' in low:
        return 'more than 6 registers', None if len(textures) > 4 else 'few registers are needed'
    if 'unit' in low or 'texture' in low:
        return ('texture unit 6 or 7', None if bind == 'keep' and textures & {6, 7}
                else 'units 6 and 7 do not reach the result')
    return 'other', 'unknown reason'
