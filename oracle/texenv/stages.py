"""Reads the `stages` notation (notes/formats/stages.md)."""
import re
from functools import lru_cache

from ..common.errors import InputError, place
from ..common.numbers import colour_component
from .state import BLACK, CLASSIC, COMPARES, DEPTH_MODES, EXPAND, Half, State, TARGETS, UNITS, Unit, canonical

TOKEN = re.compile(r'''(?P<space>[ \t\r]+) | (?P<newline>\n) | (?P<comment>\#[^\n]*)
    | (?P<number>\d*\.\d+(?:[eE][-+]?\d+)?|\d+(?:\.(?!a))?(?:[eE][-+]?\d+)?)
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<op>[{}()*+\-~.,;:=@\\])''', re.X)
DOT_NAMES = {'dot3': 'dot3_rgb', 'dot3a': 'dot3_rgba', 'dot3_ext': 'dot3_rgb_ext',
             'dot3a_ext': 'dot3_rgba_ext'}
ALPHALESS = ('dot3_rgba', 'dot3_rgba_ext')


def tokenize(text):
    """Returns [(kind, text, offset)] of one file; a comment ends with its line."""
    out, pos = [], 0
    while pos < len(text):
        m = TOKEN.match(text, pos)
        if not m:
            line, col = place(text, pos)
            raise InputError('unexpected character %r' % text[pos], line, col)
        kind = m.lastgroup
        if kind not in ('space', 'comment'):
            out.append((kind, m.group(), pos))
        pos = m.end()
    return out


def split_states(text):
    """Yields the token lists of the states: a newline inside brackets, after a comma or after a backslash
    does not end a state."""
    depth, current, last = 0, [], None
    for tok in tokenize(text):
        kind, value, pos = tok
        if kind == 'newline':
            if last == '\\':
                last = ','
            elif depth == 0 and last != ',' and current:
                yield current
                current = []
            continue
        if value == '\\':
            last = value
            continue
        if last == '\\':
            line, col = place(text, pos)
            raise InputError('a backslash continues a line only at its end', line, col)
        if value in '{(':
            depth += 1
        elif value in '})':
            depth -= 1
        current.append(tok)
        last = value
    if current:
        yield current


class Parser:
    """Recursive descent over the tokens of one state."""

    def __init__(self, tokens, end):
        self.toks = tokens + [('end', '', end)]
        self.i = 0
        self.highest = -1

    def fail(self, message, back=0):
        raise StagesError(message, self.toks[max(0, self.i - back)][2])

    def peek(self, ahead=0):
        return self.toks[min(self.i + ahead, len(self.toks) - 1)][1]

    def accept(self, value):
        if self.peek() == value:
            self.i += 1
            return True
        return False

    def expect(self, value):
        if not self.accept(value):
            self.fail('expected %r, found %r' % (value, self.peek() or 'the end'))

    def state(self):
        outer = self.peek() == '{' and self.peek(1) == '{'
        if outer:
            self.i += 1
        stages = []
        while True:
            if self.peek() == '{':
                if len(stages) == UNITS:
                    self.fail('more than %d stages' % UNITS)
                stages.append(self.stage(len(stages)))
                if self.accept(',') and self.peek() != '{':
                    self.fail('expected a stage after the comma')
            else:
                break
        if not stages:
            self.fail('expected a stage')
        if outer:
            self.expect('}')
        colors, fog, colorsum, alpha_test = {}, None, False, None
        while self.peek():
            kind, word, _ = self.toks[self.i]
            self.i += 1
            if word == 'colorsum':
                if colorsum:
                    self.fail('colorsum is given twice', 1)
                colorsum = True
            elif word == 'fog':
                if fog:
                    self.fail('fog is given twice', 1)
                self.expect('=')
                mode = self.peek()
                if mode not in ('linear', 'exp', 'exp2'):
                    self.fail('unknown fog mode %r' % mode)
                self.i += 1
                coord = False
                if self.accept(':'):
                    self.expect('coord')
                    coord = True
                fog = (mode, coord)
            elif word == 'alphatest':
                if alpha_test:
                    self.fail('alphatest is given twice', 1)
                alpha_test = self.alpha_test()
            elif word == 'vertex':
                colorsum |= self.vertex()
            elif re.fullmatch(r'C[0-9]', word):
                n = int(word[1])
                if n >= UNITS:
                    self.fail('there is no unit %d' % n, 1)
                if n in colors:
                    self.fail('%s is given twice' % word, 1)
                colors[n] = self.color()
            else:
                self.i -= 1
                self.fail('unexpected %r' % word)
        return self.finish(stages, colors, fog, colorsum)._replace(alpha_test=alpha_test)

    def vertex(self):
        """Skips the vertex half, which another module reads. Only whether specular is separate matters here.
        """
        self.expect('(')
        words = ''
        while self.peek() and self.peek() != ')':
            words += self.peek() if words[-1:] == '-' or self.peek() == '-' else ' ' + self.peek()
            self.i += 1
        self.expect(')')
        return {'lighting', 'separate-specular'} <= set(words.split())

    def alpha_test(self):
        self.expect('=')
        func = self.peek()
        if func not in COMPARES[:-1]:
            self.fail('unknown comparison %r' % func)
        self.i += 1
        self.expect(':')
        reference = self.component()
        return func, 0.0 if func == 'never' else reference

    def finish(self, stages, colors, fog, colorsum):
        while len(stages) <= self.highest:
            passing = Half('replace', (('P', 'c'),), 1)
            stages.append(Unit('2d', 'rgba', None, False, 'combine', passing,
                               Half('replace', (('P', 'a'),), 1), BLACK))
        units = [u if u is None else u._replace(color=colors.get(n, BLACK)) for n, u in enumerate(stages)]
        return canonical(State(tuple(units), fog, colorsum, False))

    def color(self):
        self.expect('=')
        self.expect('(')
        out = []
        for k in range(4):
            if k:
                self.expect(',')
            out.append(self.component())
        self.expect(')')
        return tuple(out)

    def component(self):
        sign = -1.0 if self.accept('-') else 1.0
        self.accept('+')
        if self.toks[self.i][0] != 'number':
            self.fail('expected a number, found %r' % (self.peek() or 'the end'))
        self.i += 1
        return colour_component(sign * float(self.toks[self.i - 1][1]))

    def stage(self, number):
        self.expect('{')
        mode, rgb, alpha, has_alpha = None, None, None, False
        if self.peek() not in ('}', '@'):
            if self.peek() in CLASSIC:
                mode = self.peek()
                self.i += 1
            else:
                start = self.i
                rgb = self.func(number, True)
                if self.accept(';'):
                    if rgb[0] in ALPHALESS:
                        self.fail('%s writes alpha itself and takes no alpha function' % self.toks[start][1],
                                  1)
                    alpha, has_alpha = self.func(number, False), True
        attrs = self.attributes()
        self.expect('}')
        scales, scaled = [1, 1], False
        if self.accept('*'):
            scaled = True
            scales = [self.scale()] * 2
            if self.accept(';'):
                scales[1] = self.scale()
        if mode is None and rgb is None:
            if attrs['given'] or scaled:
                self.fail('a disabled unit takes neither attributes nor scales', 1)
            return None
        if mode is not None and scaled:
            self.fail('a classic mode takes no scale', 1)
        if mode is not None and attrs['combine4']:
            self.fail('a classic mode is not COMBINE4', 1)
        fmt, depth = attrs['format'] or 'rgba', attrs['depth']
        unit = Unit(attrs['target'] or '2d', depth or fmt, depth, attrs['shadow'], mode, None, None, BLACK)
        if mode is not None:
            return unit
        return self.combine(unit, rgb, alpha, has_alpha, attrs['combine4'], scales)

    def combine(self, unit, rgb, alpha, has_alpha, explicit4, scales):
        """Builds a COMBINE unit: adds the default alpha half, lifts both halves to COMBINE4 if needed, and
        puts arguments in GL's order."""
        if not has_alpha:
            alpha = ('replace', (('P', 'a'),)) if rgb[0] in DOT_NAMES.values() else \
                (rgb[0], tuple((s, alpha_operand(o)) for s, o in rgb[1]))
        four = explicit4 or len(rgb[1]) == 4 or len(alpha[1]) == 4
        if four:
            halves = []
            for which, half in (('colour', rgb), ('alpha', alpha)):
                lifted = lift(half, which == 'alpha')
                if lifted is None:
                    if not explicit4:
                        self.fail('the %s function cannot be written as COMBINE4 (a*b+c*d)' % which, 1)
                    lifted = half
                halves.append(lifted)
            rgb, alpha = halves
        return unit._replace(mode='combine4' if four else 'combine', rgb=Half(rgb[0], rgb[1], scales[0]),
                             alpha=Half(alpha[0], alpha[1], scales[1]))

    def scale(self):
        if self.peek() not in ('1', '2', '4'):
            self.fail('a scale is 1, 2 or 4')
        self.i += 1
        return int(self.toks[self.i - 1][1])

    def attributes(self):
        out = {'format': None, 'target': None, 'depth': None, 'shadow': False, 'combine4': False,
               'given': False}
        while self.accept('@'):
            out['given'] = True
            kind, word, _ = self.toks[self.i]
            if word.isdigit() and self.toks[self.i + 1][0] == 'name' and \
                    self.toks[self.i + 1][2] == self.toks[self.i][2] + len(word):
                word += self.toks[self.i + 1][1]
                self.i += 1
            self.i += 1
            if word in ('depth', 'shadow'):
                mode = 'luminance'
                if self.accept(':'):
                    mode = self.peek()
                    self.i += 1
                    if mode not in DEPTH_MODES:
                        self.fail('unknown depth mode %r' % mode, 1)
                self.once(out, 'format' if out['format'] else 'depth', word)
                out['depth'], out['shadow'] = mode, word == 'shadow'
            elif word in EXPAND:
                self.once(out, 'depth' if out['depth'] else 'format', word)
                out['format'] = word
            elif word in TARGETS:
                self.once(out, 'target', word)
                out['target'] = word
            elif word == 'combine4':
                self.once(out, 'combine4', word)
                out['combine4'] = True
            else:
                self.fail('unknown attribute %r' % word, 1)
        return out

    def once(self, out, key, word):
        if out[key]:
            self.fail('@%s: a %s is already given' % (word, key), 1)

    def func(self, number, colour):
        """Parses one function: returns (name, args in GL order)."""
        word = self.peek()
        if word == 'lerp' or word in DOT_NAMES:
            self.i += 1
            if word != 'lerp' and not colour:
                self.fail('%s is no alpha function' % word, 1)
            self.expect('(')
            args = [self.term(number, colour)]
            for _ in range(2 if word == 'lerp' else 1):
                self.expect(',')
                args.append(self.term(number, colour))
            self.expect(')')
            return ('interpolate' if word == 'lerp' else DOT_NAMES[word]), tuple(args)
        a = self.term(number, colour)
        if self.accept('*'):
            b = self.term(number, colour)
            if self.accept('-'):
                return 'modulate_subtract', (a, self.term(number, colour), b)
            if not self.accept('+'):
                return 'modulate', (a, b)
            c = self.term(number, colour)
            if self.accept('*'):
                d = self.term(number, colour)
                return 'add_signed' if self.bias() else 'add', (a, b, c, d)
            return 'modulate_signed_add' if self.bias() else 'modulate_add', (a, c, b)
        if self.accept('+'):
            b = self.term(number, colour)
            return 'add_signed' if self.bias() else 'add', (a, b)
        if self.accept('-'):
            return 'subtract', (a, self.term(number, colour))
        return 'replace', (a,)

    def bias(self):
        if not self.accept('-'):
            return False
        kind, word, _ = self.toks[self.i]
        if kind != 'number' or float(word) != 0.5 or '.' not in word:
            self.fail('only -0.5 may follow here')
        self.i += 1
        return True

    def term(self, number, colour):
        op = '~' if self.accept('~') else ''
        kind, word, pos = self.toks[self.i]
        if kind == 'number' and word in ('0', '1'):
            source = word
        elif word == 'T':
            source = 'T%d' % number
        elif re.fullmatch(r'T[0-7]', word):
            source = word
        elif word in ('P', 'C', 'F'):
            source = word
        else:
            self.fail('expected a term (T T0..T7 P C F 0 1), found %r' % (word or 'the end'))
        self.i += 1
        if source[0] == 'T':
            self.highest = max(self.highest, int(source[1]))
        letter = 'c' if colour else 'a'
        if self.peek() == '.':
            self.i += 1
            if self.peek() != 'a':
                self.fail('only .a may follow a term')
            self.i += 1
            letter = 'a'
        return source, op + letter


class StagesError(Exception):
    """Internal: message and offset, converted to an InputError with its position."""


def alpha_operand(op):
    return op[:-1] + 'a'


def lift(half, alpha):
    """Returns a function as COMBINE4 ADD or ADD_SIGNED, or None (notes/formats/stages.md: the forms that
    lift)."""
    func, a = half
    c = 'a' if alpha else 'c'
    zero, one = ('0', c), ('1', c)
    if len(a) == 4:
        return half
    if func == 'replace':
        return 'add', (a[0], one, zero, zero)
    if func == 'modulate':
        return 'add', (a[0], a[1], zero, zero)
    if func in ('add', 'add_signed'):
        return func, (a[0], one, a[1], one)
    if func == 'modulate_add':
        return 'add', (a[0], a[2], a[1], one)
    if func == 'modulate_signed_add':
        return 'add_signed', (a[0], a[2], a[1], one)
    return None


def parse_one(tokens, text):
    parser = Parser(tokens, len(text))
    try:
        return parser.state()
    except StagesError as e:
        line, col = place(text, e.args[1])
        raise InputError(e.args[0], line, col) from None


@lru_cache(maxsize=4096)
def _cached_line(line):
    """Returns (state,) of a text that is one state on one line, () if it contains none."""
    groups = list(split_states(line))
    if len(groups) > 1:
        return None
    return (parse_one(groups[0], line),) if groups else ()


def read(text):
    """Yields (state, line) for each state."""
    if '\\' not in text and not re.search(r'[,({][ \t\r]*(#[^\n]*)?\n', text):
        for number, line in enumerate(text.split('\n'), 1):     # the usual case: one state per line
            if not line or line[0] == '#':
                continue
            try:
                got = _cached_line(line)
            except InputError as e:
                if line.count('{') != line.count('}') or line.count('(') != line.count(')'):
                    break
                raise InputError(e.message, number, e.col) from None
            if got:
                yield got[0], number
        else:
            return
        offset = sum(len(x) + 1 for x in text.split('\n')[:number - 1])
        rest, shift = text[offset:], number - 1
    else:
        rest, shift = text, 0
    try:
        for tokens in split_states(rest):
            yield parse_one(tokens, rest), place(rest, tokens[0][2])[0] + shift
    except InputError as e:
        raise InputError(e.message, e.line + shift, e.col) from None
