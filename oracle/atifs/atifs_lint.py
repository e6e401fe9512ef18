"""Checks the static rules of ATI_fragment_shader and ATI_text_fragment_shader (notes/facts/atifs.md 7 and 8),
and additional properties that texenvc promises.
"""
from ..common.errors import ProgramError
from .atifs_eval import pairs_of
from .atifs_text import DOT_OPS

PAIRS, COMPONENT_DIVIDE = 8, {'str': 'str', 'str_dr': 'str', 'stq': 'stq', 'stq_dq': 'stq'}


def unit_value(arg):
    """Returns the value of a literal 1 after its modifiers."""
    v = 1.0
    v = 1 - v if arg.comp else v
    v = v - 0.5 if arg.bias else v
    v = v * 2 if arg.x2 else v
    return -v if arg.neg else v


def read_channels(instr, arg_index):
    """Returns the channels (as letters) that an instruction reads of one argument."""
    arg = instr.args[arg_index]
    if instr.op == 'DOT3':
        wanted = 'rgb'
    elif instr.op == 'DOT4':
        wanted = 'rgba'
    elif instr.op == 'DOT2ADD':
        wanted = 'b' if arg_index == 2 else 'rg'
    else:
        wanted = instr.mask
    return arg.rep if arg.rep else wanted


def check_setup(program, number, problems):
    p, last = program.passes[number], len(program.passes) - 1
    seen = set()
    for s in p.setup:
        if s.dst in seen:
            problems.append('%s: %s is set up twice in a pass' % (s.text, s.dst))
        seen.add(s.dst)
        if s.src[0] == 'r':
            if number == 0:
                problems.append('%s: a register source needs an earlier pass' % s.text)
            if s.swizzle not in ('str', 'str_dr'):
                problems.append('%s: a register source takes str or str_dr only' % s.text)
    return last


def check_instruction(instr, program, final, problems):
    consts = {a.base for a in instr.args if a.base[0] == 'c' and a.base[1].isdigit()}
    if len(consts) > 2:
        problems.append('%s: more than two constants in one instruction' % instr.text)
    for name in consts:
        if name not in program.constants:
            problems.append('%s: %s is not declared' % (instr.text, name))
    for i, arg in enumerate(instr.args):
        if arg.base in ('color0', 'color1') and not final:
            problems.append('%s: %s is usable in the last pass only' % (instr.text, arg.base))
        if arg.base == 'color1' and (arg.rep == 'a' or (not arg.rep
                                                        and (instr.mask == 'a' or instr.op == 'DOT4'))):
            problems.append('%s: color1 has no alpha' % instr.text)


def check_pairs(pairs, problems, avoid_mesa):
    if len(pairs) > PAIRS:
        problems.append('%d pairs in a pass (at most %d)' % (len(pairs), PAIRS))
    for colour, alpha in pairs:
        if alpha is not None and alpha.op in DOT_OPS:
            if colour is None or colour.op != alpha.op:
                problems.append('%s: an alpha dot needs the same colour dot just before it' % alpha.text)
        if colour is not None and colour.op == 'DOT4' and alpha is not None and alpha.op != 'DOT4':
            problems.append('%s: only an alpha DOT4 may follow a colour DOT4' % alpha.text)
        if colour is None or alpha is None:
            continue
        companion = alpha.op in DOT_OPS
        if companion:
            if [a[:-1] for a in alpha.args] != [a[:-1] for a in colour.args]:
                problems.append('%s: a dot companion repeats the arguments of its colour dot' % alpha.text)
            if (alpha.scale, alpha.sat) != (colour.scale, colour.sat):
                problems.append('%s: a dot companion repeats the destination modifiers of its colour dot'
                                % alpha.text)
            if avoid_mesa and any(a.base == colour.dst for a in colour.args):
                problems.append('%s: the dot writes one of its own sources, which Mesa reads again'
                                % colour.text)
        else:
            for i, arg in enumerate(alpha.args):
                if arg.base == colour.dst and any(c in colour.mask for c in read_channels(alpha, i)):
                    problems.append('%s: the alpha half reads a colour channel that its partner writes'
                                    % alpha.text)


def check_promises(program, pairs, problems):
    """Checks properties that texenvc promises in addition to the rules of ATI_fragment_shader: literals are
    folded, the last writes of r0 saturate, no instruction is superfluous."""
    last = {}
    used = set()
    for colour, alpha in pairs:
        for instr in (colour, alpha):
            if instr is None:
                continue
            if instr.dst == 'r0':
                for c in instr.mask:
                    last[c] = instr
            for arg in instr.args:
                used.add(arg.base)
                modified = arg.comp or arg.bias or arg.x2 or arg.neg or arg.rep
                if arg.base == '0' and modified:
                    problems.append('%s: a modifier on 0' % instr.text)
                if arg.base == '1' and (arg.rep or (modified and unit_value(arg) in (0, 1))):
                    problems.append('%s: 1 with modifiers that give 0 or 1' % instr.text)
    for c in 'rgba':
        if c not in last:
            problems.append('r0.%s is not written by an arithmetic instruction' % c)
        elif not last[c].sat:
            problems.append('%s: the last write of r0.%s is not saturated' % (last[c].text, c))
    for p in program.passes:
        for s in p.setup:
            if s.dst not in used and len(program.passes) == 1:
                problems.append('%s: %s is never read' % (s.text, s.dst))
    for name in program.constants:
        if name not in used:
            problems.append('%s is declared and never read' % name)


def check_comments(program, problems):
    """Checks that the machine-readable comments agree with the program (notes/formats/atifs.md)."""
    sampled = {int(s.dst[1]): s for p in program.passes for s in p.setup if s.op == 'SampleMap'}
    for d, s in sampled.items():
        bind = program.binds.get(d)
        if bind is None:
            problems.append('%s: no "# bind r%d" comment' % (s.text, d))
        elif s.src[0] == 't' and s.src != 't%d' % bind.coord:
            problems.append('%s: its comment says coord=%s' % (s.text, bind.coord))
    for d in program.binds:
        if d not in sampled:
            problems.append('# bind r%d: the register is not sampled' % d)
    for name in program.constants:
        if name not in program.const_units:
            problems.append('%s has no "# const" comment' % name)
    for name in program.const_units:
        if name not in program.constants:
            problems.append('# const %s: no such constant' % name)
    units = [program.const_units[n] for n in sorted(program.const_units)]
    if units != sorted(set(units)):
        problems.append('constants are not numbered in unit order')
    names = sorted(program.constants)
    if names != ['c%d' % i for i in range(len(names))]:
        problems.append('constants are not numbered from c0 on')


def check_state(program, state, problems, bind='keep', constants='literal'):
    """Checks textures, swizzles and constants against the state that the program was converted from."""
    textures = []
    for d in sorted(program.binds):
        t, coord, target = program.binds[d]
        textures.append(t)
        unit = state.units[t] if t < 8 else None
        if unit is None:
            problems.append('# bind r%d: unit %d has no complete texture' % (d, t))
            continue
        if (target or '2d') != unit.target:
            problems.append('# bind r%d: unit %d has a %s texture' % (d, t, unit.target))
        wanted = 'str' if unit.target in ('3d', 'cube') else 'stq_dq'
        for p in program.passes:
            for s in p.setup:
                if s.op == 'SampleMap' and s.dst == 'r%d' % d and s.swizzle != wanted:
                    problems.append('%s: a %s texture is looked up with %s' % (s.text, unit.target, wanted))
        if bind == 'keep' and not d == t == coord:
            problems.append('# bind r%d texture=%d coord=%d: not kept in place' % (d, t, coord))
        if bind == 'compact' and t < 6 and coord != t:
            problems.append('# bind r%d texture=%d coord=%d: the coordinate set is not the texture\'s'
                            % (d, t, coord))
    if bind == 'compact' and (sorted(program.binds) != list(range(len(textures)))
                              or textures != sorted(textures)):
        problems.append('compact binding is not in texture order')
    others = {program.binds[d].coord for d in program.binds if program.binds[d].texture < 6}
    for d in sorted(program.binds):
        t, coord = program.binds[d][:2]
        if bind == 'compact' and t >= 6:
            want = min(c for c in range(8) if c not in others)
            if coord != want:
                problems.append('# bind r%d texture=%d coord=%d: expected coordinate set %d'
                                % (d, t, coord, want))
            others.add(coord)
    for name, unit_number in program.const_units.items():
        kind, value = program.constants.get(name, (None, None))
        unit = state.units[unit_number]
        if kind == 'literal':
            if unit is None or tuple(value) != tuple(_single(v) for v in unit.color) and \
                    tuple(_single(v) for v in value) != tuple(unit.color):
                problems.append('%s = %s is not the environment colour of unit %d'
                                % (name, value, unit_number))
        if kind is not None and kind != constants:
            problems.append('%s is not given as %s' % (name, constants))
        if kind == 'local' and value != int(name[1]):
            problems.append('%s is program.local[%d], not program.local[%s]' % (name, value, name[1]))


def _single(v):
    from ..common.numbers import colour_component
    return colour_component(v)


def lint(program, avoid_mesa=False, promises=True):
    """Returns the list of rule violations, which is empty for a correct program."""
    problems = []
    if len(program.passes) > 2:
        problems.append('more than two passes')
    everything = []
    for number, p in enumerate(program.passes):
        last = check_setup(program, number, problems)
        for item in p.code:
            if type(item[0]) is str and item.mask == 'a' and item.op in DOT_OPS:
                problems.append('%s: the text form has no dot with the mask .a alone' % item.text)
        pairs = pairs_of(p.code)
        everything += pairs
        for pair in pairs:
            for instr in pair:
                if instr is not None:
                    check_instruction(instr, program, number == last, problems)
        check_pairs(pairs, problems, avoid_mesa)
    classes = {}
    for p in program.passes:
        per_pass = {}
        for s in p.setup:
            if s.src[0] == 't':
                cls = COMPONENT_DIVIDE[s.swizzle]
                if classes.setdefault(s.src, cls) != cls:
                    problems.append('%s: %s is used with two swizzle classes' % (s.text, s.src))
                if per_pass.setdefault(s.src, s.swizzle) != s.swizzle:
                    problems.append('%s: %s is used with two swizzles in one pass' % (s.text, s.src))
    if promises:
        check_promises(program, everything, problems)
        check_comments(program, problems)
    return problems


def require(program, **options):
    """Raises ProgramError with the first problem."""
    problems = lint(program, **options)
    if problems:
        raise ProgramError(problems[0])
