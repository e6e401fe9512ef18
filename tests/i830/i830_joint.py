"""Combines a program of the colour pipe with one of the alpha pipe: parses what the searches print
(cover_i830.py), aligns the stages, encodes them as i830 packets and executes these."""
import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.common.vectors import VectorSet  # noqa: E402
from oracle.hw import chips  # noqa: E402
from oracle.i830 import i830_eval  # noqa: E402
from oracle.texenv import steep  # noqa: E402
from oracle.texenv.texenv_eval import evaluate  # noqa: E402
import classic_i830
from oracle.common.domain import Node  # noqa: E402
from i830_pipes import STAGES

TERM = r'~*(?:[TCFP]\d?(?:\.a)?|A|0|1)'
FORMS = [(r'(%s)' % TERM, 1, (1,)), (r'(%s)\*(%s)' % (TERM, TERM), 3, (1, 2)), (r'(%s)\+(%s)' % (TERM, TERM),
    6, (1, 2)),
         (r'(%s)\+(%s)-\.5' % (TERM, TERM), 7, (1, 2)), (r'(%s)-(%s)' % (TERM, TERM), 0xa, (1, 2)),
         (r'blend\((%s),(%s),(%s)\)' % (TERM, TERM, TERM), 8, (0, 1, 2)), (r'(%s)\*(%s)\+(%s)'
             % (TERM, TERM, TERM), 0xd, (1, 2, 0)),
         (r'2(%s)\*(%s)\+(%s)' % (TERM, TERM, TERM), 0xe, (1, 2, 0)), (r'4(%s)\*(%s)\+(%s)'
             % (TERM, TERM, TERM), 0xf, (1, 2, 0)),
         (r'dot\((%s),(%s)\)' % (TERM, TERM), 0xb, (1, 2))]


def values(node, count):
    return [v / (1 << node.f) for v in node.col] if isinstance(node, Node) else [float(node)] * count


class Joint(Exception):
    """The reason why two programs cannot be combined."""


def parse_stage(text):
    """Parses the text of a stage; returns (operation, {argument number: term}, scale)."""
    for pattern, op, numbers in FORMS:
        m = re.fullmatch(pattern + r'(?:\*([24]))?', text)
        if m and not (op == 3 and m.group(2) in ('2', '4')):
            return op, dict(zip(numbers, m.groups())), int(m.groups()[-1] or 1)
    raise Joint(text)


PASS = (1, {1: 'P'}, 1, 0)


def program_of(text):
    """Parses a program; returns (operation, arguments, scale, whether it writes ACCUM) of each stage. The
    text [...] of a value in ACCUM becomes a stage before the others."""
    if '}>A' in text:  # the text says which stage writes ACCUM
        return [(*parse_stage(s), int(bool(a))) for s, a in re.findall(r'\{([^}]*)\}(>A)?', text)]
    accum = set(re.findall(r'\[([^\]]*)\]', text))
    if len(accum) > 1:
        raise Joint('two values in ACCUM')
    out = [(*parse_stage(s), 1) for s in accum]
    return out + [(*parse_stage(s), 0) for s in re.findall(r'\{([^}]*)\}', re.sub(r'\[[^\]]*\]', 'A', text))]


def together(texts):
    """Parses programs of both pipes and makes them equally long. The colour pipe may read the alpha of
    CURRENT: P.a is the result of all previous alpha stages, <...> that of one stage, which is written between
    the brackets. A dot product in the alpha pipe is that of the colour pipe."""
    colour, alpha = texts
    lent = set(re.findall(r'<([^>]*)>', colour))
    if lent or 'P.a' in colour:
        if len(lent) > 1 or lent and 'P.a' in colour:
            raise Joint('two borrowed values')
        stages = program_of(re.sub(r'<[^>]*>', 'P.a', colour))
        reads = [i for i, s in enumerate(stages) if 'P.a' in [t.lstrip('~') for t in s[1].values()]]
        if lent:
            first = [(*parse_stage(s), 0) for s in lent.pop().split('|')]
            late = max(0, len(first) - reads[0])
            stages, reads = [PASS] * late + stages, [i + late for i in reads]
            first += [PASS] * (reads[-1] - len(first))
        else:
            first, stages = stages[:reads[0]], [PASS] * reads[0] + stages[reads[0]:]
        programs = [stages, first + program_of(alpha)]
        if 'dot' in alpha:
            raise Joint('a dot in the alpha pipe')
        length = max(map(len, programs))
        return [p + [PASS] * (length - len(p)) for p in programs]
    programs = [program_of(colour), program_of(alpha)]
    dots = [i for i, s in enumerate(programs[1]) if s[0] == 0xb]
    if dots:
        n = dots[-1] + 1
        a, b = programs[0][:n], programs[1][:n]
        if [s[:2] for s in a] != [s[:2] for s in b] or [s[2] for s in a[:-1]] != [s[2] for s in b[:-1]]:
            raise Joint('a dot in the alpha pipe')
        scale = min(a[-1][2], b[-1][2])
        rest = [p[n:] if p[n - 1][2] == scale else [(1, {1: 'P'}, p[n - 1][2] // scale, 0)] + p[n:]
                for p in programs]
        programs = [[*a[:-1], (0xc, *a[-1][1:2], scale, 0)] + rest[0], [PASS] * (n - 1)
                    + [(0xc, {1: 'H', 2: 'H'}, 1, 0)] + rest[1]]
        length = max(map(len, programs))
        return [p + [PASS] * (length - len(p)) for p in programs]
    length = max(map(len, programs))
    return [[PASS] * (length - len(p)) + p for p in programs]


def pack(state, texts, most=STAGES):
    """Returns the packets of a colour and an alpha program as chips.Code."""
    parsed = together(texts)
    count = len(parsed[0])
    if count > most:
        raise Joint('%d stages' % count)
    words, constants, used = [], [], set()
    # Which unit's colour each factor holds in rgb and in alpha ('H': one half). Colours that do not fit into
    # the factor of a stage go into the factor shared by all stages.
    everywhere = {'a': 'H'} if any('H' in half[1].values() for half in parsed[1]) else {}
    held = []
    for stage in range(count):
        own = {}
        for alpha in (0, 1):
            for term in parsed[alpha][stage][1].values():
                name = term.lstrip('~')
                if name[0] != 'C':
                    continue
                unit, letter = int(name[1]), 'a' if alpha or name.endswith('.a') else 'c'
                if own.setdefault(letter, unit) != unit and everywhere.setdefault(letter, unit) != unit:
                    raise Joint('too many colours')
        held.append(own)
    for stage in range(count):
        for alpha in (0, 1):
            op, args, scale, out = parsed[alpha][stage]
            words.append(classic_i830.operation(stage, alpha, op, scale) | out << 15
                         | (0x80 if stage == count - 1 and not alpha else 0))
            for number, term in sorted(args.items()):
                name = term.lstrip('~')
                invert = len(term) - len(name) & 1
                if name in ('0', '1'):
                    source, invert = 0, invert ^ (name == '0')
                elif name[0] == 'C':
                    source = 0xe if held[stage]['a' if alpha or name.endswith('.a')
                                                else 'c'] == int(name[1]) else 1
                elif name[0] == 'T':
                    if int(name[1]) > 3:
                        raise Joint('unit %s' % name[1])
                    source = 6 + int(name[1])
                    used.add(int(name[1]))
                else:
                    source = {'P': 5, 'F': 3, 'A': 2, 'H': 1}[name[0]]
                words.append(0x6E000040 | stage << 20 | alpha << 18 | number << 15
                             | (0x20 if name.endswith('.a') and not alpha else 0) | invert << 4 | source)
    for stage, own in [*enumerate(held), (4, everywhere)]:
        if own:
            words += [0x7D900000 | stage << 16 if stage < 4 else 0x7D010000, 0x80000000]
            constants += [chips.Constant(stage, unit, (0, 0, 0, 0), len(words) - 1,
                                         'a' if letter == 'a' else 'rgb') for letter,
                                         unit in own.items() if unit != 'H']
    textures = tuple(chips.Texture(n, n, n, '2d') for n in sorted(used))
    return chips.Code('i830', tuple((None, w) for w in words), tuple(constants), textures, (), (), {}, False)


class Edges(VectorSet):
    """Vectors whose inputs are mostly at or near 0 and 1, where clamps of inner stages have an effect."""

    def __init__(self, count):
        super().__init__(98, count)
        rng = random.Random('edges')
        for node in self.columns.values():
            for i in range(count):
                kind = rng.randrange(8)
                if kind < 6:
                    node.col[i] = (0, 65536, 65536, rng.randrange(8192), 65536 - rng.randrange(8192),
                                   65536 - rng.randrange(8192))[kind]


def failing(state, code):
    """Returns None if the packets compute the state at all vectors tried, else input vectors ({name: value}),
    at some of which they do not."""
    vectors = [VectorSet(97, 64), Edges(512), steep.search(lambda v: evaluate(state, v), steep.mark(state),
                                                           12, 3)]
    for v in vectors:
        if v is not None:
            got = i830_eval.evaluate(code, chips.Inputs(v, state), 'real', frozenset())
            wanted = evaluate(state, v)
            bad = [i for i in range(len(values(wanted[0], 1))) if any(values(a, 1)[i] != values(b, 1)[i]
                for a, b in zip(wanted, got))] \
                if any(v.dom.first_difference(a, b) >= 0 for a, b in zip(wanted, got)) else []
            if bad:
                return [v.vector(i) for i in bad[:8]]
    return None
