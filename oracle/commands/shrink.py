"""Simplifies a failing state and its input as far as possible, and prints the result."""
import re
from fractions import Fraction

from ..common.errors import OracleError
from ..common.vectors import Single, VectorSet
from ..hw import chips
from ..texenv import stages_print
from ..texenv.state import BLACK, CLASSIC, DOTS, Half, UNITS, canonical
from . import texenvc
from .check import Failure, judge_refusal, output_blocks, texenvc_options
from .compare import (after_passes, coloured, Comparer, Difference, compare_values, expected, parse_program,
                      steep_inputs, value)

ROUNDS = 60
FUNC_COST = {'replace': 0, 'modulate': 1, 'add': 1, 'subtract': 1, 'add_signed': 2, 'interpolate': 3,
             'modulate_add': 3,
             'modulate_subtract': 3, 'modulate_signed_add': 4, 'dot3_rgb': 4, 'dot3_rgba': 5,
             'dot3_rgb_ext': 5,
             'dot3_rgba_ext': 6, 'dot': 0}
SOURCE_COST = {'P': 1, 'F': 2, 'C': 3, '0': 0, '1': 0}


def half_cost(half):
    if half is None:
        return 0
    cost = 4 * FUNC_COST[half.func] + (8 if len(half.args) == 4 else 0) + (0, 0, 1, 0, 2)[half.scale]
    for s, o in half.args:
        cost += 2 * SOURCE_COST.get(s, 4) + (o[0] == '~') + (o[-1] == 'a')
    return cost


def cost(state):
    total = 3 * (state.fog is not None) + 3 * state.colorsum
    for n, u in enumerate(state.units):
        if u is None:
            continue
        total += 40 + 2 * n + (u.target != '2d') + 2 * (u.fmt != 'rgba') + 2 * bool(u.depth) + 2 * u.shadow
        total += sum(c not in (0.0, 1.0) for c in u.color) + (u.color != BLACK)
        total += 5 * CLASSIC.index(u.mode) + 3 if u.mode in CLASSIC else half_cost(u.rgb) + half_cost(u.alpha)
    return total


def half_candidates(half, alpha):
    if half is None or half.func == 'dot':
        if half is not None and half.scale != 1:
            yield half._replace(scale=1)
        return
    letter = 'a' if alpha else 'c'
    if half.scale != 1:
        yield half._replace(scale=1)
        if half.scale == 4:
            yield half._replace(scale=2)
    for s, o in half.args:
        if half.func != 'replace':
            yield Half('replace', ((s, o),), half.scale)
    yield Half('replace', (('P', letter),), 1)
    if half.func in DOTS and half.func != 'dot3_rgb':
        yield half._replace(func='dot3_rgb')
    if len(half.args) == 3:
        yield Half('modulate', (half.args[0], half.args[2]), half.scale)
        yield Half('add', half.args[:2], half.scale)
    if len(half.args) == 4:
        yield Half(half.func, half.args[:2], half.scale)
    for i, (s, o) in enumerate(half.args):
        for new in [('P', o), ('F', o), ('0', letter), ('1', letter), (s, letter), (s, o.lstrip('~'))]:
            if new != (s, o) and not (len(half.args) == 4 and i == 3 and new[0] == '1'):
                yield half._replace(args=half.args[:i] + (new,) + half.args[i + 1:])


def unit_candidates(unit):
    for change in ({'target': '2d'}, {'fmt': 'rgba', 'depth': None, 'shadow': False}, {'shadow': False},
                   {'color': BLACK},
                   {'color': (1.0, 0.0, 1.0, 0.0)}):
        if any(getattr(unit, k) != v for k, v in change.items()):
            yield unit._replace(**change)
    if unit.mode in CLASSIC:
        for mode in CLASSIC[:CLASSIC.index(unit.mode)]:
            yield unit._replace(mode=mode)
        return
    alpha = (unit.alpha if unit.alpha is not None and unit.alpha.func != 'dot'
             else Half('replace', (('P', 'a'),), 1))
    for half in half_candidates(unit.rgb, False):
        if (unit.mode == 'combine4') == (len(half.args) == 4):
            yield unit._replace(rgb=half, alpha=unit.alpha or alpha if half.func.startswith('dot3_rgba')
                                else alpha)
        elif unit.mode == 'combine4' and len(half.args) < 4:
            for other in half_candidates(alpha, True):
                if len(other.args) < 4:
                    yield unit._replace(mode='combine', rgb=half, alpha=other)
    for half in half_candidates(unit.alpha, True):
        if (unit.mode == 'combine4') == (len(half.args) == 4) or half.func == 'dot':
            yield unit._replace(alpha=half)


def renumber(state, number):
    """Removes unit `number` from the state, moves later units and textures down, and replaces references to
    it by F."""
    def source(s):
        if s[0] == 'T':
            m = int(s[1:])
            return 'F' if m == number else 'T%d' % (m - (m > number))
        return s

    units = []
    for n, u in enumerate(state.units):
        if n == number:
            continue
        if u is not None and u.rgb is not None:
            u = u._replace(**{k: getattr(u, k)._replace(args=tuple((source(s), o)
                                                                   for s, o in getattr(u, k).args))
                              for k in ('rgb', 'alpha') if getattr(u, k) is not None})
        units.append(u)
    return canonical(state._replace(units=tuple(units)))


def candidates(state):
    """Yields simpler states, the simplest first."""
    found = {}
    for n, u in enumerate(state.units):
        if u is None:
            if any(state.units[n + 1:]):
                found[renumber(state, n)] = 1
            continue
        found[canonical(state._replace(units=state.units[:n] + (None,) * (UNITS - n)))] = 1
        found[renumber(state, n)] = 1
        found[canonical(state._replace(units=state.units[:n] + (None,) + state.units[n + 1:]))] = 1
        for new in unit_candidates(u):
            found[canonical(state._replace(units=state.units[:n] + (new,) + state.units[n + 1:]))] = 1
    if state.fog:
        found[state._replace(fog=None)] = 1
    if state.colorsum:
        found[state._replace(colorsum=False)] = 1
    limit = cost(state)
    return sorted((s for s in found if cost(s) < limit), key=cost)


def run_states(states, options, via):
    """Converts candidates in one run; returns [(state, block)]."""
    from ..gl import gl_print
    if via == 'gl':
        text = gl_print.scripts(states)
    else:
        text = '\n'.join(map(stages_print.state_text, states)) + '\n'
    _, out, _ = texenvc.convert(['-'], texenvc_options(via, options), stdin=text)
    blocks = output_blocks(out, options)
    if len(blocks) != len(states):
        raise OracleError('texenvc gives %d states of %d' % (len(blocks), len(states)))
    return list(zip(states, blocks))


def difference_of(state, block, comparer):
    if block.refused is not None:
        _, problem = judge_refusal(block, state, comparer.options)
        return Difference('refused: ' + block.refused, None) if problem else None
    return comparer.compare(state, block.text)


def shrink_failure(failure, options, via=None):
    """Returns a smaller Failure of the same kind, or the given one if the state alone does not reproduce it.
    """
    comparer = Comparer(options, 64, 7)
    wants_value = kind_of(failure.difference)
    best = failure
    for way in (('stages', 'gl') if via in (None, 'stages') else ('gl', 'stages')):
        try:
            again = try_states([failure.item.state], options, way, comparer, wants_value)
        except OracleError:
            continue
        if again:
            best = again
            break
    else:
        return failure
    for _ in range(ROUNDS):
        try:
            smaller = try_states(candidates(best.item.state), options, way, comparer, wants_value)
        except OracleError:
            break
        if smaller is None:
            break
        best = smaller
    return best


def kind_of(difference):
    """Returns the kind of a failure (values, refusals, rules); shrinking keeps the kind."""
    if difference.index is not None:
        return 'value'
    return ('refused' if difference.message.startswith('refused')
            else re.sub(r'.*: ', '', re.sub(r'\d', '', difference.message)))


def try_states(states, options, way, comparer, wants_value):
    """Returns the first failing state of the list as a Failure, or None."""
    if not states:
        return None
    for state, block in run_states(states, options, way):
        diff = difference_of(state, block, comparer)
        if diff is not None and kind_of(diff) == wants_value:
            from .inputs import Item
            return Failure(Item(state, way, None, None, 1), diff, block.text)
    return None


def smallest_input(state, program, options):
    """Returns the simplest Single input that was found to show the difference."""
    for make in (lambda: VectorSet(7, 64), lambda: VectorSet(3, 512), lambda: steep_inputs(state, options)):
        vectors = make()
        diff = vectors and compare_values(state, program, coloured(vectors, state, options), options)
        if diff:
            break
    else:
        return None
    values = dict(vectors.vector(diff.index).values)
    for name in list(values):
        for simple in (Fraction(0), Fraction(1), Fraction(1, 2)):
            if values[name] == simple:
                break
            trial = dict(values)
            trial[name] = simple
            if fails(state, program, trial, options):
                values = trial
                break
    return Single(values)


def fails(state, program, values, options):
    try:
        return compare_values(state, program, coloured(Single(values), state, options), options) is not None
    except OracleError:
        return False


def show(x):
    """Formats a value for people."""
    if x is None:
        return '?'
    text = '%.6g' % float(x)
    return text if x.denominator < 1000 and float(text) == float(x) else '%s (%s)' % (text, x)


def show_colour(values):
    return '(%s)' % ', '.join(show(v) for v in values)


def input_lines(state, single):
    """Describes the inputs that may matter."""
    lines = []
    for n, u in enumerate(state.units):
        if u is not None:
            lines.append('  texel of unit %d: %s%s' % (n, show_colour([single.texel(n, c) for c in range(4)]),
                                                       ', comparison result %s'
                                                       % show(single.texel(n, 0, True)) if u.shadow else ''))
            lines.append('  environment colour of unit %d: %s'
                         % (n, show_colour([single.env(n, c) for c in range(4)])))
    lines.append('  primary: %s' % show_colour([single.primary(c) for c in range(4)]))
    if state.colorsum:
        lines.append('  secondary: %s' % show_colour([single.secondary(c) for c in range(3)]))
    return lines


def describe(failure, options):
    """Returns lines about a failure."""
    state = failure.item.state
    yield 'state:    ' + stages_print.state_text(state)
    yield 'problem:  ' + failure.difference.message
    if failure.text.strip():
        yield 'program:'
        text = chips.describe(failure.text) if options.to in chips.CHIPS else failure.text
        for line in text.rstrip().split('\n'):
            yield '  ' + line
    if failure.difference.index is None:
        return
    text = failure.text
    if options.each:
        name = failure.difference.message.split(':')[0][len('after '):]
        text = dict(reversed(after_passes(text))).get(name, text)
    program = parse_program(text, options)
    single = smallest_input(state, program, options)
    if single is None:
        yield 'the difference does not show on the inputs tried again'
        return
    yield 'input:'
    single = coloured(single, state, options)
    yield from input_lines(state, single)
    in_program = options.to != 'ir' and program.color_sum
    yield 'expected: ' + show_colour(expected(state, single, options, in_program))
    yield 'got:      ' + show_colour(value(program, single, state, options))
    if options.model != 'real':
        yield 'bounds:   ' + ', '.join('%.3g' % b for b in chips.bounds(program, single, state, options))
    if options.avoid_mesa:
        yield 'as Mesa:  ' + show_colour(value(program, single, state, options, True))
