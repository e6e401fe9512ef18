"""Reads the text output of `apitrace dump` (notes/formats/apitrace.md), as a stream of lines."""
import re
from collections import OrderedDict

from ..common.errors import InputError
from ..texenv.state import DEFAULT_POLICY, resolve
from .gl_calls import known_name
from .gl_machine import Machine
from .gl_objects import Context, Share
from .tokens import token_value

RECORD = re.compile(r'(\d+)(?: ?@([0-9a-fA-F]+))? (\w+)\(')
IMAGE_LINE = re.compile(r'^\d+(?: ?@[0-9a-fA-F]+)? gl(?:(?:Copy|Compressed)?TexImage[123]D|TexStorage[123]D|uBuild[123]DMipmaps)', re.M)
END_LINE = re.compile(r'^\d+(?: ?@[0-9a-fA-F]+)? glEnd\(', re.M)
TOKEN = re.compile(r'''\s*(?:(?P<string>R?"(?:\\.|[^"\\])*") | (?P<hex>0x[0-9a-fA-F]+)
    | (?P<number>[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|inf|nan|1\.\#\w+))(?![A-Za-z_])
    | (?P<name>[A-Za-z_][\w:]*) | (?P<op>[-&{}()\[\]=,|]))''', re.X)
CONTEXT_CALLS = re.compile(r'(glX|egl|wgl|CGL)\w*(Context|Current|ShareLists)\w*$')


class Cut(Exception):
    """Raised if a record ends before its closing bracket."""


class Reader:
    """Parses the values of one record."""

    def __init__(self, text, pos):
        self.text, self.pos = text, pos
        self.kind = self.value = None
        self.next()

    def next(self):
        m = TOKEN.match(self.text, self.pos)
        if not m:
            if self.text[self.pos:].strip() == '' or self.text[self.pos:].lstrip()[:1] == '"':
                raise Cut()
            raise ValueError(self.pos + len(self.text[self.pos:]) - len(self.text[self.pos:].lstrip()))
        self.kind, self.value, self.pos = m.lastgroup, m.group(m.lastgroup), m.end()
        self.start = m.start(m.lastgroup)

    def take(self, value):
        if self.value != value:
            raise ValueError(self.start)
        self.next()

    def arguments(self):
        """Parses arguments after '(' as {name: value}; the last token read is the closing bracket."""
        out = {}
        while self.value != ')':
            if self.kind != 'name':
                raise ValueError(self.start)
            name = self.value
            self.next()
            self.take('=')
            out[name] = self.parse_value()
            if self.value == ',':
                self.next()
            elif self.value != ')':
                raise ValueError(self.start)
        return out

    def parse_value(self):
        value = self.single()
        while self.value == '|':
            self.next()
            other = self.single()
            value = value | other if isinstance(value, int) and isinstance(other, int) else None
        return value

    def single(self):
        kind, value = self.kind, self.value
        if kind == 'op':
            if value == '&':
                self.next()
                inner = self.parse_value()
                return inner if isinstance(inner, list) else [inner]
            if value in '{[':
                return self.sequence('}' if value == '{' else ']')
            raise ValueError(self.start)
        self.next()
        if kind == 'hex':
            return int(value, 16)
        if kind == 'number':
            try:
                return int(value)
            except ValueError:
                return float(value) if '#' not in value else float('nan')
        if kind == 'string':
            return value
        if value in ('NULL', 'False'):
            return 0
        if value == 'True':
            return 1
        if value == 'blob' and self.value == '(':
            self.next()
            self.single()
            self.take(')')
            return 'blob'
        if value in ('inf', 'nan'):
            return float(value)
        got = token_value(value)
        return Unknown(value) if got is None else got

    def sequence(self, close):
        out = []
        self.next()
        while self.value != close:
            if self.kind == 'name':                     # struct members: name = value
                save = self.pos, self.kind, self.value, self.start
                self.next()
                if self.value == '=':
                    self.next()
                else:
                    self.pos, self.kind, self.value, self.start = save
            out.append(self.parse_value())
            if self.value == ',':
                self.next()
            elif self.value != close:
                raise ValueError(self.start)
        self.next()
        return out


class Unknown(str):
    """A token that is not in the table."""


class Arguments:
    """Arguments of one record, by name."""

    def __init__(self, values, number, name):
        self.values, self.call, self.name = values, number, name

    def frozen(self, name):
        return self

    def has(self, key):
        return key in self.values

    def get(self, key):
        if key not in self.values:
            raise InputError('call %d: %s has no argument %s' % (self.call, self.name, key))
        return self.values[key]

    def number(self, key):
        value = self.get(key)
        if isinstance(value, Unknown):
            return 0x7FFFFFF1
        if isinstance(value, (int, float)):
            return value
        raise InputError('call %d: %s: argument %s is no number' % (self.call, self.name, key))

    def integer(self, key):
        value = self.number(key)
        return int(value) if isinstance(value, float) else value

    enum = integer

    def vector(self, key, count):
        value = self.get(key)
        if not isinstance(value, list):
            value = [value]
        value = [0x7FFFFFF1 if isinstance(v, Unknown) else v for v in value]
        if len(value) < count or not all(isinstance(v, (int, float)) for v in value[:count]):
            raise InputError('call %d: %s: argument %s needs %d numbers' % (self.call, self.name, key, count))
        return value[:count]


class Contexts:
    """Tracks contexts: create, share, make current, destroy (glX, egl, wgl, CGL)."""

    def __init__(self, machine):
        self.machine, self.known, self.current = machine, {}, {}

    def find(self, handle):
        if not handle:
            return None
        if handle not in self.known:
            self.known[handle] = Context(Share())
        return self.known[handle]

    def call(self, name, args, result, thread):
        def first(*keys):
            return next((args[k] for k in keys if k in args and isinstance(args[k], int)), 0)

        if name.startswith(('glXMakeCurrent', 'glXMakeContextCurrent', 'eglMakeCurrent', 'wglMakeCurrent',
                            'wglMakeContextCurrent', 'CGLSetCurrentContext')):
            failed = result != 0 if name.startswith('CGL') else result == 0
            if not failed or result is None:
                self.current[thread] = self.find(first('ctx', 'context', 'hglrc', 'hGLRC', 'newContext'))
        elif 'Create' in name and 'Context' in name:
            made, share = result, first('shareList', 'share_list', 'share_context', 'hShareContext', 'share')
            if name.startswith('CGL'):
                made = next((v[0] for v in args.values() if isinstance(v, list) and v), None)
            if isinstance(made, int) and made:
                self.known[made] = Context(self.find(share).share if share else Share())
        elif name == 'wglShareLists':
            a, b = self.find(first('hglrc1', 'hrcSrvShare')), self.find(first('hglrc2', 'hrcSrvSource'))
            if a and b:
                b.share = a.share
        elif 'Destroy' in name or 'DeleteContext' in name:
            self.known.pop(first('ctx', 'context', 'hglrc', 'hGLRC'), None)


def records(lines):
    """Yields (text, line number) of each record; strings may span lines."""
    pending, start = None, 0
    for number, line in enumerate(lines, 1):
        if pending is not None:
            pending += line
            if open_string(pending):
                continue
            yield pending, start
            pending = None
        elif '"' in line and line[0].isdigit() and open_string(line):
            pending, start = line, number
        else:
            yield line, number
    if pending is not None:
        yield pending, start


def open_string(text):
    """Returns whether the text ends inside a string."""
    return re.sub(r'"(?:\\.|[^"\\])*"', '', text, flags=re.S).count('"') > 0


def draws(lines, whole_text):
    """Yields (state, call number) for each draw. If there is no draw, yields the state at the end."""
    text = whole_text()
    found, now = [], [0]
    machine = Machine(lambda state: found.append((state, now[0])), not IMAGE_LINE.search(text),
                      not END_LINE.search(text))
    contexts = Contexts(machine)
    any_draw = False
    kinds = {}
    last = len(lines)
    while last and lines[last - 1].lstrip()[:1] in ('', '#', '/'):
        last -= 1
    for record, line in records(lines):
        at_end = line + record.rstrip().count('\n') >= last
        m = RECORD.match(record)
        if not m:
            if record.strip() and record[0] not in '/#' and record.endswith('\n'):
                raise InputError('this is no record of a trace', line, 1)
            continue
        number, thread, name = int(m.group(1)), m.group(2) or '0', m.group(3)
        known = kinds.get(name, False)
        if known is False:
            known = kinds[name] = known_name(name) or (CONTEXT_CALLS.match(name) and name)
        if not known:
            continue
        now[0] = number
        try:
            reader = Reader(record, m.end())
            args = reader.arguments()
        except Cut:
            if not at_end:
                raise InputError('the record is cut off', line, 1) from None
            break
        except ValueError as e:
            at = e.args[0] if e.args and isinstance(e.args[0], int) else 0
            if not record.endswith('\n'):
                break
            raise InputError('call %d: bad value' % number, line, at + 1) from None
        if name[:2] != 'gl' or name[:3] == 'glX':
            tail = re.match(r'\s*=\s*', record[reader.pos:])
            result = None
            if tail:
                try:
                    result = Reader(record + ' )', reader.pos + tail.end()).parse_value()
                except (ValueError, Cut):
                    result = None
            contexts.call(name, args, result, thread)
            continue
        machine.current = contexts.current.get(thread, machine.default)
        try:
            machine.call(known, Arguments(args, number, name))
        except InputError as e:
            e.line, e.col = line, 1
            raise
        if found:
            any_draw = True
            yield from found
            found.clear()
    if not any_draw and not machine.suspended and machine.current is not None:
        yield machine.snapshot(machine.current), None


def read(lines, whole_text, policy=DEFAULT_POLICY):
    """Returns [(state, first call, draws)]: equal canonical states are merged, in the order of their first
    call."""
    merged, keys = OrderedDict(), {}
    for state, call in draws(lines, whole_text):
        key = keys.get(state)
        if key is None:
            key = keys[state] = resolve(state, policy)
        got = merged.get(key)
        if got is None:
            merged[key] = [state, call, 1]
        else:
            got[2] += 1
    for state, call, count in merged.values():
        yield state, call, count
