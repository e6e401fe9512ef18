"""Computes the values of lanes of constants. The JSON that accompanies words describes a lane as null
(unused), {"value": number}, {"from": binding, "lane": c}, or {"expr": text} with numbers and lanes of
bindings, + - * /, parentheses and clamp(x,0,1).
"""
import re
from fractions import Fraction

from ..common.errors import ProgramError, Unsupported
from ..common.numbers import to_single


def channel(lane):
    return ('xyzw' if lane in 'xyzw' else 'rgba').index(lane)


class Expression:
    """Numbers and lanes of bindings with + - * / and parentheses, as text: 2*state.texenv[0].color.x-1"""

    TOKEN = re.compile(r'\s*(?:(\d+\.?\d*(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?)|([a-z][\w.\[\]]*)\.([xyzwrgba])\b'
                       r'|(clamp\(|,0,1\)|[-+*/()]))')

    def __init__(self, text, leaf, numbers):
        self.text, self.leaf, self.numbers, self.tokens, at = text, leaf, numbers, [], 0
        while at < len(text.rstrip()):
            m = self.TOKEN.match(text, at)
            if not m:
                raise ProgramError('constant %r: unexpected %r' % (text, text[at:]))
            self.tokens.append(m.groups())
            at = m.end()
        self.at = 0

    def take(self, *words):
        if self.at < len(self.tokens) and self.tokens[self.at][3] in words:
            self.at += 1
            return self.tokens[self.at - 1][3]
        return None

    def value(self):
        got = self.sum()
        if self.at != len(self.tokens):
            raise ProgramError('constant %r is no expression' % self.text)
        return got

    def sum(self):
        total = self.product()
        while True:
            word = self.take('+', '-')
            if word is None:
                return total
            total = (self.numbers.add if word == '+' else self.numbers.sub)(total, self.product())

    def product(self):
        total = self.factor()
        while True:
            word = self.take('*', '/')
            if word is None:
                return total
            total = (self.numbers.mul if word == '*' else self.numbers.divide)(total, self.factor())

    def factor(self):
        if self.take('-'):
            return self.numbers.negate(self.factor())
        if self.take('clamp('):
            total = self.sum()
            if not self.take(',0,1)'):
                raise ProgramError('constant %r: a clamp to other than 0 and 1' % self.text)
            return self.numbers.sat(total)
        if self.take('('):
            total = self.sum()
            if not self.take(')'):
                raise ProgramError('constant %r lacks a parenthesis' % self.text)
            return total
        if self.at == len(self.tokens) or self.tokens[self.at][3]:
            raise ProgramError('constant %r is no expression' % self.text)
        literal, binding, lane, _ = self.tokens[self.at]
        self.at += 1
        return self.numbers.literal(literal) if literal else self.leaf(binding, channel(lane))


def value(lane, leaf, numbers):
    """Returns the value of a lane that is not null. leaf(binding, channel) returns the value of a binding;
    numbers does the arithmetic."""
    if 'value' in lane:
        return numbers.literal(lane['value'])
    if 'from' in lane:
        return leaf(lane['from'], channel(lane['lane']))
    return Expression(lane['expr'], leaf, numbers).value()


class DomainNumbers:
    """Numbers of a domain; a value computed from literals only is a Fraction."""

    def __init__(self, dom):
        self.dom = dom

    @staticmethod
    def literal(x):
        return Fraction(to_single(float(x)))

    def both(self, operation, a, b):
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return {'add': a + b, 'sub': a - b, 'mul': a * b}[operation]
        a, b = (self.dom.const(x) if isinstance(x, Fraction) else x for x in (a, b))
        return getattr(self.dom, operation)(a, b)

    def add(self, a, b):
        return self.both('add', a, b)

    def sub(self, a, b):
        return self.both('sub', a, b)

    def mul(self, a, b):
        return self.both('mul', a, b)

    def divide(self, a, b):
        if not isinstance(b, Fraction) or not b:
            raise Unsupported('a constant is divided by what is no number')
        return self.both('mul', a, 1 / b)

    def sat(self, a):
        return min(max(a, Fraction(0)), Fraction(1)) if isinstance(a, Fraction) else self.dom.sat(a)

    def negate(self, a):
        return self.both('sub', Fraction(0), a)


TEXENV = re.compile(r'state\.texenv(?:\[(\d+)\])?\.color$')


def environment(lane, colour, numbers):
    """Returns the value of a lane that depends on environment colours: colour(unit, channel)."""
    def leaf(binding, c):
        m = TEXENV.match(binding)
        if not m:
            raise ProgramError('%s is no environment colour' % binding)
        return colour(int(m.group(1) or 0), c)
    return value(lane, leaf, numbers)


PARAMETER = re.compile(r'program\.(env|local)\[(\d+)\]$')


def lane_of(lane, inputs):
    """Returns the value of a lane over a domain: a number, a parameter of a program of ATI_fragment_shader,
    or an expression of environment colours."""
    if 'value' in lane:
        return inputs.dom.const(Fraction(to_single(lane['value'])))
    parameter = PARAMETER.match(lane['from']) if 'from' in lane else None
    if parameter:
        return inputs.parameter('global' if parameter[1] == 'env' else 'local', int(parameter[2]),
                                'xyzw'.index(lane['lane']))
    return environment(lane, inputs.env, DomainNumbers(inputs.dom))


class Fractions:
    """The domain of single numbers, for environment() with a state's own colours."""

    const = Fraction

    @staticmethod
    def add(a, b):
        return a + b

    @staticmethod
    def sub(a, b):
        return a - b

    @staticmethod
    def mul(a, b):
        return a * b
