"""Reads the rows of fragprog/opt/rules.def and tests/optimiser/false_identities.def as text, independently of
the C code that applies them."""
import ast
import re
from collections import namedtuple
from fractions import Fraction

from .expressions import (HALF, ONE, ZERO, add, comp, conj, disj, eq, ite, mul, neg, num, sub, var,
                          variables, within)


class Bad(Exception):
    """An error in a row."""


ARGUMENTS = {"MOV": 1, "ADD": 2, "MUL": 2, "SUB": 2, "MAD": 3, "LERP": 3, "CND": 3, "CND0": 3, "DOT3": 2,
             "DOT4": 2, "DOT2ADD": 3}
MODIFIERS = ["NEG", "X2", "BIAS", "COMP"]  # outermost first: the hardware applies COMP first
LITERALS = {"ZERO": ZERO, "ONE": ONE, "HALF": HALF}
VARIABLES = "ABCD"


def modify(name, x):
    return {"COMP": lambda: comp(x), "BIAS": lambda: sub(x, HALF), "X2": lambda: mul(num(2), x),
            "NEG": lambda: neg(x)}[name]()


def operation(name, v):
    """Returns the channels of the result of an operation of ATI_fragment_shader. v: the channels of each
    argument."""
    if name == "MOV":
        return v[0]
    if name == "ADD":
        return add(v[0], v[1])
    if name == "SUB":
        return sub(v[0], v[1])
    if name == "MUL":
        return mul(v[0], v[1])
    if name == "MAD":
        return add(mul(v[0], v[1]), v[2])
    if name == "LERP":
        return add(mul(v[0], v[1]), mul(comp(v[0]), v[2]))
    if name == "CND":
        return ite((">", v[2], HALF), v[0], v[1])
    if name == "CND0":
        return ite((">=", v[2], ZERO), v[0], v[1])
    raise Bad(f"no meaning of {name} here")


class Term:
    """A term of a row, in prefix notation: modifiers, then a variable, a literal, or an operation with
    arguments."""

    def __init__(self, words, top):
        self.modifiers = []
        while words and words[0] in MODIFIERS:
            self.modifiers.append(words.pop(0))
        if [m for m in MODIFIERS if m in self.modifiers] != self.modifiers:
            raise Bad(f"modifiers {' '.join(self.modifiers)}: they act as written only in the order {' '.join(MODIFIERS)}, each at most once")
        if not words:
            raise Bad("a term ends too early")
        self.name = words.pop(0)
        self.arguments = []
        if self.name in ARGUMENTS:
            if top and self.modifiers:
                raise Bad("a modifier before the instruction")
            self.arguments = [Term(words, False) for _ in range(ARGUMENTS[self.name])]
        elif self.name not in LITERALS and self.name not in VARIABLES or top:
            raise Bad(f"{self.name} is no {'operation' if top else 'term'}")

    def all(self):
        yield self
        for a in self.arguments:
            yield from a.all()

    def channels(self, width):
        """Returns an expression for each of `width` channels; those of a variable of width 4 are x, y, z,
        w."""
        if self.name in LITERALS:
            out = [LITERALS[self.name]] * width
        elif self.name in VARIABLES:
            out = [var(self.name)] if width == 1 else [var(self.name + c) for c in "xyzw"]
        elif self.name.startswith("DOT"):
            v = [a.channels(width) for a in self.arguments]
            total = ZERO
            for c in range({"DOT3": 3, "DOT4": 4, "DOT2ADD": 2}[self.name]):
                total = add(total, mul(v[0][c], v[1][c]))
            out = [add(total, v[2][2]) if self.name == "DOT2ADD" else total] * width
        else:
            v = [a.channels(width) for a in self.arguments]
            out = [operation(self.name, [a[c] for a in v]) for c in range(width)]
        for m in reversed(self.modifiers):
            out = [modify(m, x) for x in out]
        return out

    def words(self):
        return self.modifiers + [self.name] + [w for a in self.arguments for w in a.words()]


def term_of(text):
    words = [w.strip() for w in text.split(",")]
    term = Term(words, True)
    if words:
        raise Bad(f"too many words: {' '.join(words)}")
    return term


# An obligation: the claim follows from the assumptions.
Obligation = namedtuple("Obligation", "what assumptions claim")


class Rule:
    kind = "RULE"

    def __init__(self, name, pattern, scale, replacement, condition):
        self.name, self.scale, self.condition = name, int(scale), condition
        self.pattern, self.replacement = term_of(pattern), term_of(replacement)
        if not -3 <= self.scale <= 3:
            raise Bad(f"scale {self.scale}")
        inner = [t for t in self.pattern.all() if t.arguments and t is not self.pattern]
        if len(inner) > 1:
            # range.c decides about one clamp while the other clamps are still there
            raise Bad("more than one operation inside: their clamps cannot be judged one by one")
        if any(t.arguments for t in self.replacement.all() if t is not self.replacement):
            raise Bad("an operation inside the replacement, which is one instruction")
        unknown = {t.name for t in self.replacement.all()} & set(VARIABLES) - {t.name
            for t in self.pattern.all()}
        if unknown:
            raise Bad(f"{', '.join(sorted(unknown))} of the replacement is not in the pattern")
        m = re.fullmatch(r"ALWAYS|UNIT\(([A-D])\)", condition)
        if not m or m[1] and m[1] not in {t.name for t in self.pattern.all()}:
            raise Bad(f"condition {condition}")
        self.unit = m[1]
        self.width = 4 if any(t.name.startswith("DOT") for t in [*self.pattern.all(),
                                                                 *self.replacement.all()]) else 1

    def assumptions(self):
        return [within(x) for x in Term([self.unit], False).channels(self.width)] if self.unit else []

    def sides(self):
        return self.pattern.channels(self.width), [mul(num(Fraction(2) ** self.scale), x)
                                                   for x in self.replacement.channels(self.width)]

    def obligations(self):
        left, right = self.sides()
        out = [Obligation("equal", self.assumptions(), conj(*map(eq, left, right)))]
        if any(t.name == "LERP" for t in self.replacement.all()):
            defined = [within(f) for t in self.pattern.all() if t.name == "LERP"
                       for f in t.arguments[0].channels(self.width)]
            out.append(Obligation("factor of lerp in [0,1]", self.assumptions() + defined,
                                  conj(*map(within, self.replacement.arguments[0].channels(self.width)))))
        return out

    def text(self):
        return f"RULE({self.name}, ({', '.join(self.pattern.words())}), {self.scale}, ({', '.join(self.replacement.words())}), {self.condition})"


def without_comments(text):
    """Returns the text without comments and the #undef lines of its macros."""
    return re.sub(r"/\*.*?\*/|^#undef \w+$", " ", text, flags=re.S | re.M)


def split_rows(text, names):
    """Parses the rows MACRO(argument, ...); returns [(macro, [arguments])]. Other text between rows is an
    error."""
    text, rows, at = without_comments(text), [], 0
    while True:
        m = re.compile(r"\s*(\w+)\s*\(").match(text, at)
        if not m:
            break
        if m[1] not in names:
            raise Bad(f"row {m[1]} is none of {', '.join(names)}")
        depth, start, arguments, i = 1, m.end(), [], m.end()
        while depth:
            if i == len(text):
                raise Bad(f"row {len(rows) + 1} does not end")
            depth += (text[i] == "(") - (text[i] == ")")
            if depth == 0 or depth == 1 and text[i] == ",":
                arguments.append(" ".join(text[start:i].split()))
                start = i + 1
            i += 1
        rows.append((m[1], arguments))
        at = i
    if text[at:].strip():
        raise Bad(f"not a row: {text[at:].strip()[:60]}")
    return rows


def unwrap(text):
    if not (text.startswith("(") and text.endswith(")")):
        raise Bad(f"no parentheses around {text}")
    return text[1:-1]


def infix(text):
    """Parses an infix expression with && || == as in C; sat(x) is the clamp to [0,1]."""
    source = text.replace("&&", " and ").replace("||", " or ").strip()
    operators = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">",
                 ast.GtE: ">=", ast.Eq: "="}

    def build(n):
        if isinstance(n, ast.Expression):
            return build(n.body)
        if isinstance(n, ast.Constant):
            return num(Fraction(ast.get_source_segment(source, n)))
        if isinstance(n, ast.Name):
            return var(n.id)
        if isinstance(n, ast.BinOp) and type(n.op) in operators:
            return (operators[type(n.op)], build(n.left), build(n.right))
        if isinstance(n, ast.UnaryOp) and isinstance(n.op, ast.USub):
            return neg(build(n.operand))
        if isinstance(n, ast.Compare) and len(n.ops) == 1 and type(n.ops[0]) in operators:
            return (operators[type(n.ops[0])], build(n.left), build(n.comparators[0]))
        if isinstance(n, ast.BoolOp):
            return (conj if isinstance(n.op, ast.And) else disj)(*map(build, n.values))
        is_sat = isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "sat"
        if is_sat and len(n.args) == 1 and not n.keywords:
            return ("sat", build(n.args[0]))
        raise Bad(f"cannot read '{text}'")

    try:
        return build(ast.parse(source, mode="eval"))
    except (SyntaxError, ValueError) as e:
        raise Bad(f"cannot read '{text}': {e}") from None


Clamp = namedtuple("Clamp", "name text condition")


def read_rules(path):
    with open(path, encoding="utf-8") as f:
        rows = split_rows(f.read(), ("ROWS", "RULE", "CLAMP"))
    rules, clamps, operations = [], [], []
    for macro, arguments in rows:
        try:
            if macro == "ROWS":
                if len(arguments) != 1 or arguments[0] in operations:
                    raise Bad("rows of one operation stand together")
                operations.append(arguments[0])
            elif macro == "RULE":
                if len(arguments) != 5:
                    raise Bad(f"{len(arguments)} arguments")
                rules.append(Rule(arguments[0], unwrap(arguments[1]), arguments[2], unwrap(arguments[3]),
                                  arguments[4]))
                if [rules[-1].pattern.name] != operations[-1:]:
                    raise Bad(f"not among the rows of {rules[-1].pattern.name}")
            else:
                if len(arguments) != 2:
                    raise Bad(f"{len(arguments)} arguments")
                condition = infix(arguments[1])
                if not re.match(r"(upper|lower)_", arguments[0]) or not variables(condition) <= {"X", "K",
                    "B"}:
                    raise Bad("a CLAMP row is named upper_* or lower_* and speaks of X, K, B")
                clamps.append(Clamp(arguments[0], arguments[1], condition))
        except (Bad, ValueError) as e:
            raise Bad(f"{path}: {macro}({arguments[0]}): {e}") from None
    names = [r.name for r in rules] + [c.name for c in clamps]
    for name in names:
        if names.count(name) > 1:
            raise Bad(f"{path}: two rows {name}")
    if not rules or not clamps:
        raise Bad(f"{path}: no RULE or no CLAMP rows")
    return rules, clamps


Identity = namedtuple("Identity", "macro name left right condition")


def read_identities(path):
    with open(path, encoding="utf-8") as f:
        rows = split_rows(f.read(), ("FALSE", "EXACT"))
    out = []
    for macro, arguments in rows:
        if len(arguments) != 4:
            raise Bad(f"{path}: {macro}({arguments[0]}): {len(arguments)} arguments")
        out.append(Identity(macro, arguments[0], *map(infix, arguments[1:3]), ("true",)
                            if arguments[3] == "ALWAYS" else infix(arguments[3])))
    if not any(i.macro == "FALSE" for i in out) or not any(i.macro == "EXACT" for i in out):
        raise Bad(f"{path}: no FALSE or no EXACT rows")
    return out
