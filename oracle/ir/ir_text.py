"""Reads the text of intermediate programs (notes/formats/ir.md)."""
import re
from collections import namedtuple

from ..common.errors import InputError
from ..common.numbers import colour_component

HEADER = '!!texir1.0'
OPS = {'mov': 1, 'proj': 1, 'vec': 2, 'add': 2, 'mul': 2, 'sub': 2, 'mad': 3, 'lerp': 3, 'dot3': 2,
       'dot4': 2, 'dot2add': 3, 'cnd': 3, 'cnd0': 3}
SCALES = {'2x': 1, '4x': 2, '8x': 3, 'half': -1, 'quarter': -2, 'eighth': -3}
MODIFIERS = ('abs', 'comp', 'bias', '2x', 'neg')

Src = namedtuple('Src', 'base lanes mods')              # lanes: four (negated, letter)
Instr = namedtuple('Instr', 'op mask scale clamp srcs unit line')
# Tex: base is 'coordN' or '%N'; lanes None: coordinates as in fixed function, else three letters (used
# directly) or four (divided by the fourth)
Tex = namedtuple('Tex', 'op mask base lanes texture target fmt shadow unit line')
Program = namedtuple('Program', 'constants code result')
# unit None: an immediate, or a parameter: param ('global' or 'local', n)
Channel = namedtuple('Channel', 'unit ch value param', defaults=(None,))

CONST = re.compile(r'const c(\d+)\s*=\s*\((.*)\)$')
ORIGIN = re.compile(r'(?:(env|global|local)([0-7])\.([rgba])|imm)\s+(\S+)$')
INSTR = re.compile(r'%(\d+)\s*=\s*([a-z0-9]+)\.(x?y?z?w?)((?:\.[a-z0-9]+)*)\s+(.*?)\s+@(unit)?(\d+|-)$')
TEX = re.compile(r'(?:(coord[0-7]|%\d+)(?:\.([xyzw]{3,4}))?)\s*,\s*t(\d+)\s*,\s*(\w+)\s*,\s*(\w+)(\s*,\s*shadow)?$')
SRC = re.compile(r'(%\d+|primary|secondary|coord\d+|c\d+|lit)\.((?:-?[xyzw01h]){4})((?:\.[a-z0-9]+)*)$')
RESULT = re.compile(r'result\s+%(\d+)\s*,\s*%(\d+)$')


def parse_src(text, number):
    m = SRC.match(text)
    if not m:
        raise ValueError('bad source %r' % text)
    base, lanes, mods = m.groups()
    mods = mods.split('.')[1:]
    order = [MODIFIERS.index(x) if x in MODIFIERS else -1 for x in mods]
    if -1 in order or any(a >= b for a, b in zip(order, order[1:])):
        raise ValueError('bad modifiers of %r' % text)
    if base[0] == '%' and int(base[1:]) >= number:
        raise ValueError('%s is not an earlier value' % base)
    lanes = [(x[0] == '-', x[-1]) for x in re.findall(r'-?[xyzw01h]', lanes)]
    if base == 'lit' and any(x not in '01h' for _, x in lanes):
        raise ValueError('lit takes only 0, 1 and h')
    return Src(base, tuple(lanes), tuple(mods))


def parse_line(line, constants, code, number):
    """Parses one line and appends it to constants or code; returns the result if it is the last line."""
    m = CONST.match(line)
    if m:
        parts = [p.strip() for p in m.group(2).split(',')]
        if int(m.group(1)) != len(constants) or len(parts) != 4:
            raise ValueError('bad constant')
        channels = []
        for p in parts:
            o = ORIGIN.match(p)
            if not o:
                raise ValueError('bad constant component %r' % p)
            if o.group(1) is None:
                channels.append(Channel(None, None, float(o.group(4))))
                continue
            number, ch, value = int(o.group(2)), 'rgba'.index(o.group(3)), colour_component(float(o.group(4)))
            channels.append(Channel(number, ch, value) if o.group(1) == 'env'
                            else Channel(None, ch, value, (o.group(1), number)))
        constants.append(tuple(channels))
        return None
    m = RESULT.match(line)
    if m:
        a, b = int(m.group(1)), int(m.group(2))
        if max(a, b) >= len(code):
            raise ValueError('the result is no value')
        return a, b
    m = INSTR.match(line)
    if not m:
        raise ValueError('bad instruction %r' % line)
    index, op, mask, suffixes, rest, _, unit = m.groups()
    if int(index) != len(code) or not mask:
        raise ValueError('bad value number or empty mask')
    unit = None if unit == '-' else int(unit)
    if op == 'tex':
        t = TEX.match(rest)
        if not t or suffixes:
            raise ValueError('bad texture read %r' % rest)
        base, lanes = t.group(1), t.group(2)
        if base[0] == '%' and (lanes is None or int(base[1:]) >= len(code)):
            raise ValueError('bad coordinate of a texture read')
        code.append(Tex(op, mask, base, None if base[0] == 'c' and lanes == 'xyzw' else lanes,
                        int(t.group(3)), t.group(4), t.group(5), bool(t.group(6)), unit, number))
        return None
    if op not in OPS:
        raise ValueError('unknown operation %r' % op)
    scale, clamp = 0, None
    for word in suffixes.split('.')[1:]:
        if word in SCALES and not scale and clamp is None:
            scale = SCALES[word]
        elif word in ('sat', 'sat8') and clamp is None:
            clamp = word
        else:
            raise ValueError('bad suffix .%s' % word)
    srcs = tuple(parse_src(x.strip(), len(code)) for x in rest.split(','))
    if len(srcs) != OPS[op]:
        raise ValueError('%s takes %d sources' % (op, OPS[op]))
    code.append(Instr(op, mask, scale, clamp, srcs, unit, number))
    return None


def parse(text):
    """Parses one program; raises InputError with its line."""
    constants, code, result, started = [], [], None, False
    for number, raw in enumerate(text.split('\n'), 1):
        line = raw.split('#')[0].strip()
        if not line:
            continue
        try:
            if not started:
                if line != HEADER:
                    raise ValueError('the text does not begin with %s' % HEADER)
                started = True
            elif result is not None:
                raise ValueError('text after the result')
            else:
                result = parse_line(line, constants, code, number)
        except ValueError as e:
            raise InputError(str(e), number, len(raw) - len(raw.lstrip()) + 1) from None
    if result is None:
        raise InputError('the program has no result', text.count('\n') + 1, 1)
    return Program(tuple(constants), tuple(code), result)
