"""Reads GL calls in C source (notes/formats/gl.md)."""
import re

from ..common.errors import InputError, place
from .gl_calls import IMAGE_CALL, SIGNATURES, known_name
from .gl_machine import Machine
from .tokens import token_value

TOKEN = re.compile(r'''(?P<space>[ \t\r\n\f\v]+) | (?P<comment>/\*.*?\*/|//(?:\\\r?\n|[^\n])*) | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    | (?P<number>0[xX][0-9a-fA-F]+[uUlL]*
        |(?:\d+\.\d*|\.\d+|\d+(?=[eE][-+]?\d))(?:[eE][-+]?\d+)?[fFlL]?|\d+[uUlLfF]*)
    | (?P<name>[A-Za-z_]\w*) | (?P<op>.)''', re.X | re.S)
CONTROL = {'if', 'for', 'while', 'do', 'switch', 'goto', 'else'}
CTYPE = re.compile(r'GL[a-z]\w*$|(?:const|unsigned|signed|int|float|double|char|short|long|void|struct|volatile|static)$')


HASH_LINE = re.compile(r'#(?:\\\r?\n|[^\n])*')
SKIM = re.compile(r'''/\*.*?\*/ | //(?:\\\r?\n|[^\n])* | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | (?P<hash>\#(?:\\\r?\n|[^\n])*)''', re.X | re.S)
CONDITION = re.compile(r'(?P<zero>if\s+0\s*$)|(?P<open>ifn?def\s+\w+\s*$|if\b(?P<expr>.*))|(?P<elif>elif\b(?P<expr2>.*))|(?P<else>else\s*$)|(?P<end>endif\s*$)', re.S)
PROSE = re.compile(r'(?!defined\b)\b\w+\s+\w|[^\w\s()!<>=&|+\-*/%~^?:]|[^\w\s)]\s*$|^\s*$')


def false_branches(text):
    """Returns a dictionary from the offset of the # of each `#if 0` to the end of the line with its #else,
    #elif or #endif, or to -1 if that is missing (notes/formats/gl.md)."""
    out, stack = {-1: None}, []
    for m in SKIM.finditer(text):
        line = m.group('hash')
        if line is None or text[text.rfind('\n', 0, m.start()) + 1:m.start()].strip(' \t'):
            continue
        words = re.sub(r'//.*|/\*.*', '', re.sub(r'\\\r?\n', ' ', line[1:]), flags=re.S).strip()
        c = CONDITION.match(words)
        expression = c and (c['expr'] or c['expr2'])
        if not c or (expression is not None and PROSE.search(expression.strip())):
            continue
        if c['zero'] or c['open']:
            stack.append([m.start(), None, bool(c['zero'])])
        elif stack:
            top = stack[-1]
            top[1] = top[1] or m.end()
            if c['end']:
                stack.pop()
                if top[2]:
                    out[top[0]] = top[1]
    return out


def tokenize(text):
    """Returns [(kind, text, offset)] without comments and preprocessor lines."""
    out, pos, length = [], 0, len(text)
    left_out = {}
    match = TOKEN.match
    while pos < length:
        m = match(text, pos)
        kind, value = m.lastgroup, m.group()
        if kind == 'op':
            if value == '#':
                first = not text[text.rfind('\n', 0, pos) + 1:pos].strip()
                if not first and out and out[-1][1] not in ';{}':
                    raise InputError("unexpected '#'", *place(text, pos))
                if not left_out:
                    left_out = false_branches(text)
                pos = left_out.get(pos) or HASH_LINE.match(text, pos).end()
                continue
            if value in '"\'':
                raise InputError('unterminated string', *place(text, pos))
            if value == '/' and text.startswith('/*', pos):
                raise InputError('unterminated comment', *place(text, pos))
        if kind not in ('space', 'comment'):
            out.append((kind, value, pos))
        pos = m.end()
    return out


def number_value(text):
    low = text.lower()
    if low.startswith('0x'):
        return int(low.rstrip('ul'), 16)
    if re.search(r'[.e]', low) or low.endswith('f'):
        return float(low.rstrip('fl'))
    low = low.rstrip('ul')
    return int(low, 8) if len(low) > 1 and low[0] == '0' else int(low)


class Arguments:
    """The arguments of one call, evaluated on demand."""

    def __init__(self, text, name, values, where):
        self.text, self.name, self.where = text, name, where
        self.values = dict(zip(SIGNATURES.get(name, ()), values))

    def fail(self, message, tokens=()):
        raise InputError(message, *place(self.text, tokens[0][2] if tokens else self.where))

    def frozen(self, name):
        return self

    def has(self, key):
        return key in self.values

    def number(self, key):
        tokens = self.values[key]
        value, i = self.expression(tokens, 0)
        if i != len(tokens):
            self.fail('unexpected %r in a constant' % tokens[i][1], tokens[i:])
        return value

    def integer(self, key):
        value = self.number(key)
        if isinstance(value, float):
            value = int(value)
        return value

    def enum(self, key):
        value = self.number(key)
        return int(value) if isinstance(value, float) else value

    def vector(self, key, count):
        """Returns the first `count` numbers of an array literal."""
        tokens = self.values[key]
        i = 0
        while i < len(tokens) and tokens[i][1] == '(':
            depth = 0
            while i < len(tokens):
                depth += {'(': 1, ')': -1}.get(tokens[i][1], 0)
                i += 1
                if depth == 0:
                    break
        if i >= len(tokens) or tokens[i][1] != '{':
            self.fail('an array literal is needed here', tokens)
        i += 1
        out = []
        while i < len(tokens) and tokens[i][1] != '}':
            value, i = self.expression(tokens, i)
            out.append(value)
            if i < len(tokens) and tokens[i][1] == ',':
                i += 1
            elif i >= len(tokens) or tokens[i][1] != '}':
                self.fail('bad array literal', tokens[i:] or tokens[-1:])
        if i != len(tokens) - 1:
            self.fail('bad array literal', tokens[i:] or tokens[-1:])
        if len(out) < count:
            self.fail('%d values are needed, %d given' % (count, len(out)), tokens)
        return out[:count]

    def expression(self, tokens, i):
        """Parses: constant { (+ - |) constant }; returns (value, next index)."""
        value, i = self.primary(tokens, i)
        while i < len(tokens) and tokens[i][1] in '+-|' and tokens[i][0] == 'op':
            op = tokens[i][1]
            other, i = self.primary(tokens, i + 1)
            if op == '|':
                if isinstance(value, float) or isinstance(other, float):
                    self.fail('| takes integers', tokens[i - 1:])
                value |= other
            else:
                value = value + other if op == '+' else value - other
        return value, i

    def primary(self, tokens, i):
        if i >= len(tokens):
            self.fail('a constant is missing', tokens[-1:])
        kind, text, _ = tokens[i]
        if kind == 'number':
            return number_value(text), i + 1
        if text in '+-' and kind == 'op':
            value, j = self.primary(tokens, i + 1)
            return (-value if text == '-' else value), j
        if text == '(':
            close = i + 1
            while close < len(tokens) and tokens[close][1] not in '()':
                close += 1
            inner = tokens[i + 1:close]
            if inner and all(CTYPE.match(t[1]) or t[1] in '*[]' or t[0] == 'number' for t in inner) and \
                    CTYPE.match(inner[0][1]):
                return self.cast(inner, tokens, close + 1)
            value, j = self.expression(tokens, i + 1)
            if j >= len(tokens) or tokens[j][1] != ')':
                self.fail("')' is missing", tokens[i:])
            return value, j + 1
        if kind == 'name':
            if text == 'NULL':
                return 0, i + 1
            value = token_value(text)
            if value is None:
                if text.startswith('GL_'):
                    return UNKNOWN_TOKEN, i + 1
                self.fail('%r is no constant' % text, tokens[i:])
            return value, i + 1
        self.fail('a constant is needed, found %r' % text, tokens[i:])

    def cast(self, inner, tokens, i):
        value, i = self.primary(tokens, i)
        words = [t[1] for t in inner]
        if '*' not in words and '[' not in words:
            if any(w in ('GLfloat', 'GLdouble', 'GLclampf', 'float', 'double') for w in words):
                value = float(value)
            elif isinstance(value, float):
                value = int(value)
        return value, i


UNKNOWN_TOKEN = 0x7FFFFFF1      # value of a GL_ token that is not in the table; no call accepts it


def split_arguments(tokens):
    """Splits tokens at commas of depth 0."""
    out, depth, current = [], 0, []
    for t in tokens:
        if t[1] in '([{' and t[0] == 'op':
            depth += 1
        elif t[1] in ')]}' and t[0] == 'op':
            depth -= 1
        if t[1] == ',' and depth == 0:
            out.append(current)
            current = []
        else:
            current.append(t)
    if current or out:
        out.append(current)
    return out


def statements(text):
    """Yields (name, argument token lists, offset) of each GL call."""
    tokens = tokenize(text)
    n, i = len(tokens), 0

    def fail(message, k):
        raise InputError(message, *place(text, tokens[k][2] if k < n else len(text)))

    while i < n:
        kind, value, pos = tokens[i]
        if value in ';{}' and kind == 'op':
            i += 1
            continue
        if value in CONTROL:
            fail('control flow (%s) is not followed' % value, i)
        if kind == 'name' and re.match(r'gl[A-Z]|gluBuild', value) and i + 1 < n and tokens[i + 1][1] == '(':
            depth, j = 0, i + 1
            while j < n:
                t = tokens[j]
                if t[0] == 'op' and t[1] in '([{':
                    depth += 1
                elif t[0] == 'op' and t[1] in ')]}':
                    depth -= 1
                    if depth == 0:
                        break
                elif t[0] == 'op' and t[1] == ';':
                    fail("')' is missing before ';'", j)
                j += 1
            if j >= n:
                fail("')' is missing", n)
            if tokens[j][1] != ')':
                fail('unbalanced brackets', j)
            if j + 1 >= n or tokens[j + 1][1] != ';':
                fail("';' is missing after the call", j + 1)
            yield value, split_arguments(tokens[i + 2:j]), pos
            i = j + 2
            continue
        depth, assigned, start = 0, False, i
        while i < n:
            t = tokens[i]
            if t[0] == 'op':
                if t[1] == '{' and depth == 0 and not assigned:
                    break
                if t[1] in '([{':
                    depth += 1
                elif t[1] in ')]}':
                    depth -= 1
                    if depth < 0:
                        fail("';' is missing before %r" % t[1], i)
                elif t[1] == '=' and depth == 0:
                    assigned = True
                elif t[1] == ';' and depth == 0:
                    break
            i += 1
        if i >= n:
            fail("';' is missing at the end of this statement", start)
        i += 1


def read(text):
    """Returns a list of (state, line); for a script without a draw, the state at the end with line None."""
    calls, names = [], set()
    for name, args, pos in statements(text):
        known = known_name(name)
        if known is not None:
            if known in SIGNATURES and len(args) != len(SIGNATURES[known]):
                raise InputError('%s takes %d arguments, not %d' % (name, len(SIGNATURES[known]), len(args)),
                                 *place(text, pos))
            names.add(known)
            calls.append((known, args, pos))
    out, here = [], [0]
    machine = Machine(lambda state: out.append((state, place(text, here[0])[0])),
                      not any(IMAGE_CALL.match(x) for x in names), 'End' not in names)
    for name, args, pos in calls:
        here[0] = pos
        machine.call(name, Arguments(text, name, args, pos))
    if not out and not machine.suspended:
        out.append((machine.snapshot(machine.current), None))
    return out
