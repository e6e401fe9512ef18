"""Reads !!ATIfs1.0 (notes/facts/atifs.md 8, notes/formats/atifs.md): the grammar only; atifs_lint checks the
rules.

A program is a list of passes, each with setup instructions and arithmetic instructions in stream order. An
instruction without mask, or with a mask of colour and alpha, is split into its colour and its alpha half,
which form a tuple in the list.
"""
import re
from collections import namedtuple
from functools import lru_cache

from ..common.errors import InputError, place

HEADER = '!!ATIfs1.0'
OPS = {'MOV': 1, 'ADD': 2, 'MUL': 2, 'SUB': 2, 'DOT3': 2, 'DOT4': 2, 'MAD': 3, 'LERP': 3, 'CND': 3,
       'CND0': 3, 'DOT2ADD': 3}
DOT_OPS = ('DOT3', 'DOT4', 'DOT2ADD')
SCALES = {'2x': 1, '4x': 2, '8x': 3, 'half': -1, 'quarter': -2, 'eighth': -3}

# base: 'r0'..'r5' 'c0'..'c7' '0' '1' 'color0' 'color1'
Arg = namedtuple('Arg', 'base rep comp bias x2 neg text')
# mask: subset of 'rgb', or 'a'; scale: power of two
Instr = namedtuple('Instr', 'op dst mask scale sat args text')
Setup = namedtuple('Setup', 'op dst src swizzle text')
# code: list of Instr; implicit pairs are two Instr in a tuple
Pass = namedtuple('Pass', 'setup code')
Program = namedtuple('Program', 'constants passes binds const_units color_sum comments')
Bind = namedtuple('Bind', 'texture coord target')  # coord None: not given; target None: not given, 2d

ARG = re.compile(r'(r[0-5]|c[0-7]|0|1|color0|color1)(?:\.([rgba]))?((?:\.(?:neg|2x|bias|comp))*)$')
DST = re.compile(r'(r[0-5])(?:\.([rgba]+)(?![a-z0-9]))?(?:\.(2x|4x|8x|half|quarter|eighth))?(?:\.(sat))?$')
SETUP = re.compile(r'(PassTexCoord|SampleMap)\s+(r[0-5])\s*,?\s*([rt][0-5])\s*\.\s*(str_dr|stq_dq|str|stq)$')
FLOAT = r'[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?'
CONSTANT = re.compile(r'CONSTANT\s+(c[0-7])\s*=\s*(?:program\s*\.\s*(env|local)\s*\[\s*([0-7])\s*\]|\{\s*(%s(?:\s*,\s*%s){0,3})\s*\})$'
                      % (FLOAT, FLOAT))
BIND = re.compile(r'#\s*bind r([0-5]) texture=(\d+)(?: coord=(\d+))?(?: target=(1d|2d|rect|3d|cube))?\s*$')
CONST = re.compile(r'#\s*const c([0-7]) unit=([0-7]) env-color\s*$')
MODIFIERS = ('neg', '2x', 'bias', 'comp')           # in the only order that the grammar allows


class Bad(Exception):
    """Internal: describes the error in one statement."""


@lru_cache(maxsize=8192)
def parse_arg(text):
    m = ARG.match(text)
    if not m:
        raise Bad('bad argument %r' % text)
    base, rep, mods = m.groups()
    mods = mods.split('.')[1:]
    order = [MODIFIERS.index(x) for x in mods]
    if any(a >= b for a, b in zip(order, order[1:])):
        raise Bad('argument modifiers of %r are not in the order .neg .2x .bias .comp' % text)
    return Arg(base, rep, 'comp' in mods, 'bias' in mods, '2x' in mods, 'neg' in mods, text)


@lru_cache(maxsize=65536)
def parse_alu(text):
    """Parses one arithmetic statement: returns an Instr, or a pair (colour, alpha)."""
    m = re.match(r'([A-Z0-9]+)\s+(\S.*)$', text, re.S)
    if not m or m.group(1) not in OPS:
        raise Bad('unknown instruction %r' % text)
    op, rest = m.groups()
    parts = [re.sub(r'\s*\.\s*', '.', p.strip()) for p in rest.split(',')]
    if ' ' in parts[0] or '\n' in parts[0] or '\t' in parts[0]:     # no comma after the destination
        parts[0:1] = parts[0].split(None, 1)
    m = DST.match(parts[0])
    if not m:
        raise Bad('bad destination %r' % parts[0])
    dst, mask, scale, sat = m.groups()
    mask = mask or 'rgba'
    if ''.join(c for c in 'rgba' if c in mask) != mask:
        raise Bad('write mask %r is not in order' % mask)
    if len(parts) - 1 != OPS[op]:
        raise Bad('%s takes %d arguments, not %d' % (op, OPS[op], len(parts) - 1))
    args = tuple(parse_arg(p) for p in parts[1:])
    make = lambda which: Instr(op, dst, which, SCALES.get(scale, 0), bool(sat), args, text)
    colour = mask.replace('a', '')
    if colour and 'a' in mask:
        return make(colour), make('a')
    return make(colour or 'a')


@lru_cache(maxsize=1024)
def parse_setup(text):
    m = SETUP.match(text)
    if not m:
        raise Bad('bad setup instruction %r' % text)
    return Setup(*m.groups(), text)


@lru_cache(maxsize=8192)
def parse_constant(text):
    m = CONSTANT.match(text)
    if not m:
        raise Bad('bad constant %r' % text)
    name, kind, index, floats = m.groups()
    if kind:
        return name, (kind, int(index))
    values = [float(x) for x in floats.split(',')]
    if any(not 0 <= v <= 1 for v in values):
        raise Bad('a constant lies outside [0,1]')
    if len(values) < 4:  # as in ARB_vertex_program: a missing y or z is 0, a missing w is 1
        values += [0.0, 0.0, 0.0, 1.0][len(values):]
    return name, ('literal', tuple(values))


def parse(text):
    """Parses one program; raises InputError with the position of the error."""
    if not text.startswith(HEADER):
        raise InputError('the text does not begin with %s' % HEADER, 1, 1)
    binds, const_units, color_sum, comments = {}, {}, False, []
    body = text[len(HEADER):]
    if body[:1] not in (' ', '\t', '\r', '\n', '#', 'S', ''):
        raise InputError('the header is not followed by white space', 1, len(HEADER) + 1)
    if '#' in body:
        lines = body.split('\n')
        for i, line in enumerate(lines):
            at = line.find('#')
            if at < 0:
                continue
            note, lines[i] = line[at:], line[:at] + ' ' * (len(line) - at)
            comments.append(note)
            if note.startswith('# bind '):
                m = BIND.match(note)
                if not m or int(m.group(1)) in binds:
                    raise InputError('bad or repeated comment %r' % note, i + 1, at + 1)
                binds[int(m.group(1))] = Bind(int(m.group(2)),
                                              None if m.group(3) is None else int(m.group(3)), m.group(4))
            elif note.startswith('# const '):
                m = CONST.match(note)
                if not m or 'c' + m.group(1) in const_units:
                    raise InputError('bad or repeated comment %r' % note, i + 1, at + 1)
                const_units['c' + m.group(1)] = int(m.group(2))
            elif note.startswith('# color-sum in-program'):
                color_sum = True
        body = '\n'.join(lines)
    statements = body.split(';')
    constants, passes, index = {}, [], 0
    try:
        constants, passes = structure(statements)
    except Bad as e:
        index = e.args[1] if len(e.args) > 1 else 0
        offset = sum(len(s) + 1 for s in statements[:index]) + len(HEADER)
        lead = len(statements[index]) - len(statements[index].lstrip()) if index < len(statements) else 0
        line, col = place(text, min(len(text), offset + lead))
        raise InputError(e.args[0], line, col) from None
    return Program(constants, tuple(passes), binds, const_units, color_sum, tuple(comments))


def structure(statements):
    """Checks the order of the blocks. Raises Bad(message, index of the statement)."""
    constants, passes = {}, []
    where, current = 'start', None
    words = [s.strip() for s in statements]
    if words[-1]:
        raise Bad('missing semicolon after %r' % words[-1], len(words) - 1)
    for i, word in enumerate(words[:-1]):
        try:
            if where == 'constants':
                if word == 'EndConstants':
                    where = 'after constants'
                    continue
                name, value = parse_constant(word)
                if name in constants:
                    raise Bad('%s is bound twice' % name)
                constants[name] = value
            elif where in ('pass setup', 'pass code'):
                if word == 'EndPass':
                    if current[0] == 'StartPrelimPass' and not current[2]:
                        raise Bad('a preliminary pass needs an arithmetic instruction')
                    passes.append(Pass(tuple(current[1]), tuple(current[2])))
                    where = 'end' if current[0] == 'StartOutputPass' else 'after prelim'
                elif word.startswith(('PassTexCoord', 'SampleMap')):
                    if where == 'pass code':
                        raise Bad('a setup instruction follows an arithmetic one')
                    current[1].append(parse_setup(word))
                else:
                    where = 'pass code'
                    current[2].append(parse_alu(word))
            elif word == 'StartConstants' and where == 'start':
                where = 'constants'
            elif word == 'StartPrelimPass' and where in ('start', 'after constants'):
                where, current = 'pass setup', (word, [], [])
            elif word == 'StartOutputPass' and where in ('start', 'after constants', 'after prelim'):
                where, current = 'pass setup', (word, [], [])
            else:
                raise Bad('unexpected %r' % (word or ';'))
        except Bad as e:
            raise Bad(e.args[0], i) from None
    if where != 'end':
        raise Bad('the program has no complete output pass', len(words) - 1)
    return constants, passes
