"""Encodes a schedule that r200_schedule.py found as words, so that it can be executed like any program:
assigns registers and encodes arguments and routing.
"""
from ..hw.chips import Code, Constant, Texture
from .r200_words import (BLEND, CUBIC_ENV, DOT3, LERP, MADD, PP_CNTL, PP_CNTL_X, PROJ, TFACTOR, TXFORMAT,
                         TXFORMAT_X, TXMULTI_CTL, UNIT, VOLUME)

COMP, BIAS, X2, NEG = 1, 2, 4, 8
MASK = {0: 3, 1: 5, 2: 6}               # one colour channel
SCALE = {1: 0, 2: 1, 4: 2}


class Placed:
    """One pass with provisional registers. `at`: value -> (register, lane) at the current stage; lane is 'v'
    for the three colour channels, else 0..3."""

    def __init__(self, search, path, at):
        self.search, self.low, self.at, self.start = search, search.low, dict(at), dict(at)
        # per stage (colour, alpha): (operation, destination register, lane or 'v', places of its operands
        # before the stage)
        self.out = []
        state = (frozenset(), frozenset(), self.groups(), 0)
        for c, a in path:
            before = dict(self.at)
            new = search.apply(*state, c, a)
            live = search.live(new[0], new[1])
            self.at = {v: p for v, p in self.at.items() if v in live}
            if c is a:
                self.out.append(self.dot(c, before))
            else:
                self.out.append(tuple(self.half(x, before, alpha) for alpha, x in enumerate((c, a))))
            state = new

    def groups(self):
        regs = {}
        for v, (reg, lane) in self.at.items():
            if lane in (0, 1, 2):
                regs.setdefault(reg, set()).add(v)
        return frozenset(map(frozenset, regs.values()))

    def taken(self, lanes):
        return {reg for reg, lane in self.at.values() if lane in lanes}

    def final(self, which):
        """Returns the register of the other half of the result, or None if that is not computed yet."""
        other = self.low.final[1 - which]
        got = self.at.get(self.search.value(other)) if self.search.last else None
        return got[0] if got and (which == 0) == (got[1] == 3) else None

    def free(self, lanes, wanted=None):
        return wanted if wanted is not None else min(set(range(6)) - self.taken(lanes))

    def put(self, value, reg, lane):
        self.at[value] = (reg, lane)
        return reg, lane

    def half(self, what, before, alpha):
        if what is None:
            return None
        kind, x, place = what
        value = self.search.value(x) if kind == 'node' else x
        self.at.pop(value, None)
        last = self.search.last and kind == 'node'
        if place == 'a':
            place = self.put(value, self.free((3,), self.final(1) if last and x == self.low.final[1]
                                              else None), 3)
        elif place == 'v' or place == ('new',):
            end = last and x == self.low.final[0]
            reg = self.free(('v', 0, 1, 2), self.final(0) if end else None)
            place = self.put(value, reg, 'v' if end or place == 'v' else 0)
        else:
            reg = before[next(iter(place))][0]
            place = self.put(value, reg, min({0, 1, 2} - {lane for r, lane in self.at.values() if r == reg}))
        return what, place, before

    def dot(self, what, before):
        """Places a dot product: always in alpha, and also in colour if it is the whole result."""
        n = what[1]
        self.at.pop(self.search.value(n), None)
        whole = self.search.last and n == self.low.final[0]
        reg = self.free(('v', 0, 1, 2, 3) if whole else (3,),
                        self.final(1) if self.search.last and n == self.low.final[1] and not whole else None)
        self.put(self.search.value(n), reg, 3)
        return (what, (reg, 'v' if whole else None), before), (what, (reg, 3), before)


class Encoder:
    """Encodes a placed pass; `renamed` maps its registers."""

    def __init__(self, low, placed, renamed):
        self.low, self.placed, self.renamed = low, placed, renamed

    def source(self, alpha, arg, before, factors):
        """Returns (source code, replicate, COMP) of an argument."""
        base, part, comp = arg
        if base == '0':
            return 0, 0, comp
        if base == 'F' or isinstance(base, str) and base[0] == 'C':
            code = 4
            if base != 'F':
                if base not in factors:
                    factors.append(base)
                code = (8, 26)[factors.index(base)]
            return code | (part == 's' and not alpha), 0, comp
        reg, lane = before[base, part]
        code = 10 + 2 * self.renamed[reg]
        if lane == 'v':
            return code, 0, comp
        if alpha:
            return (code, 0, comp) if lane == 3 else (code | 1, (1, 2, 0)[lane], comp)
        return (code | 1, 0, comp) if lane == 3 else (code, lane + 1, comp)

    def half(self, alpha, stage):
        other = stage[1 - alpha]
        mine = stage[alpha]
        if mine is None:
            return 0, 0x1000
        (kind, x, _), (reg, lane), before = mine
        both = other is not None and other[0] is mine[0]
        if kind == 'move':
            func, args, scale = 'replace', ((x[0], x[1], False),), 1
        else:
            way = next(w for w in self.low.alts[x] if all(r in before for r in w.reads))
            func, args, scale = way.func, way.args, way.scale
        factors, slots, bits, op = [], [None] * 3, [0, 0, 0], MADD
        a = [self.source(alpha, arg, before, factors) for arg in args]
        zero, one = (0, 0, False), (0, 0, True)
        if func == 'dot':
            slots, op, bits = [a[0], a[1], zero], DOT3, [BIAS | X2, BIAS | X2, 0]
        elif func == 'replace':
            slots = [zero, zero, a[0]]
        elif func in ('modulate', 'product'):
            slots = [a[0], a[1], zero]
        elif func in ('add', 'add_signed', 'subtract'):
            slots = [a[0], one, a[1]]
        elif func == 'interpolate':
            slots, op = [a[1], a[0], a[2]], LERP
        else:
            slots = [a[0], a[2], a[1]]
        bits[2] |= BIAS if 'signed' in func else NEG if 'subtract' in func else 0
        dot_alpha = both and alpha and func == 'dot'
        if dot_alpha:
            op, slots = MADD, [zero] * 3
        word1, word2 = op << 28, 0x1000 | SCALE[scale] << 8
        for k, ((code, repl, comp), more) in enumerate(zip(slots, bits)):
            word1 |= code << 5 * k | (comp | more) << 16 + 4 * k
            word2 |= repl << 26 + 2 * k
        for k, name in enumerate(factors):
            word2 |= int(name[1:]) << 4 * k
        if lane is not None:
            word2 |= (self.renamed[reg] + 1) << 16
        if not alpha and lane in MASK:
            word2 |= MASK[lane] << 20
        return word1, word2 | dot_alpha << 20

    def words(self, slot):
        out = []
        for n, stage in enumerate(self.placed.out):
            for alpha in (0, 1):
                out += [(BLEND + 16 * (slot + n) + 8 * alpha + 4 * k, w)
                        for k, w in enumerate(self.half(alpha, stage))]
        return out


def provisional(names, vectors, groups):
    """Assigns registers to the values at the start of a pass: textures, carried vectors, carried groups
    ({value: lane})."""
    at, reg = {}, 0
    for name in names:
        at[name, 'v'], at[name, 's'] = (reg, 'v'), (reg, 3)
        reg += 1
    for v in vectors:
        at[v] = (reg, 'v')
        reg += 1
    for group in groups:
        at.update({v: (reg, lane) for v, lane in group.items()})
        reg += 1
    return at


def permutation(fixed):
    """Returns a permutation {register: register} that contains these pairs."""
    rest = [n for n in range(6) if n not in fixed.values()]
    return {n: fixed[n] if n in fixed else rest.pop(0) for n in range(6)}


def assemble(low, passes, primary_first=False):
    """Returns the Code of a schedule."""
    state = low.state
    names = [sorted({b for b, _ in s.start_values if not isinstance(b, int)}) for s, _ in passes]
    last_search, last_path = passes[-1]
    first, links = None, []             # links: (first register, second register)
    if len(passes) == 2:
        first = Placed(*passes[0], provisional(names[0], (), ()))
        carry = {v: first.at[v] for v in passes[0][0].carry}
        reads = {r for n in last_search.todo for w in low.alts[n] for r in w.reads}
        names[1] = [b for b in names[1] if any(r[0] == b and r not in carry for r in reads)]
        regs = sorted({reg for reg, _ in carry.values()})
        at = provisional(names[1], (), ())
        for k, reg in enumerate(regs, len(names[1])):
            at.update({v: (k, lane) for v, (r, lane) in carry.items() if r == reg})
            links.append((reg, k))
        at = {v: p for v, p in at.items() if v in carry or v in reads}
    else:
        at = provisional(names[0], (), ())
        at = {v: p for v, p in at.items() if v in last_search.start_values}
    last = Placed(last_search, last_path, at)
    end = last.at[last_search.value(low.final[0])][0]
    rename = permutation({end: 0, 0: end})
    slots = {b: rename[k] for k, b in enumerate(names[-1])}
    textures = {}
    words = [(PP_CNTL, (len(passes) == 2) << 19 | enabled(len(last.out)))]
    if first is None:
        words.append((PP_CNTL_X, 0))
    else:
        rest = [n for n in range(6) if n not in slots.values()]
        fixed = {k: slots[b] if b in slots else rest.pop(0) for k, b in enumerate(names[0])}
        rename1 = permutation(fixed)
        first_slots = {b: rename1[k] for k, b in enumerate(names[0])}
        textures.update({s: b for b, s in first_slots.items()})
        words.append((PP_CNTL_X, sum(1 << s for s in first_slots.values())
                      | sum(64 << n for n in {rename1[m] for m, _ in links}) |
                      ((1 << len(first.out)) - 1) << 12))
    textures.update({s: b for b, s in slots.items()})
    unit = {s: int(b[1:]) for s, b in textures.items()}
    coord = {s: s for s in unit}
    multi = {}
    if first is not None:
        for s in first_slots.values():
            multi[s] = kind(state, unit[s]) << 1 | coord[s] << 4
        for m, k in links:
            multi[rename[k]] = multi.get(rename[k], 0) | (rename1[m] + 2) << 24
            words += [(UNIT + 32 * rename[k] + TXFORMAT, 1 << 27),
                      (UNIT + 32 * rename[k] + TXFORMAT_X, VOLUME << 16)]
            words[0] = (PP_CNTL, words[0][1] | 16 << rename[k])
    for s in slots.values():
        multi.setdefault(s, 0)
        words += [(UNIT + 32 * s + TXFORMAT, coord[s] << 24),
                  (UNIT + 32 * s + TXFORMAT_X, kind(state, unit[s]) << 16)]
        words[0] = (PP_CNTL, words[0][1] | 16 << s)
    words += [(UNIT + 32 * s + TXMULTI_CTL, w) for s, w in multi.items()]
    words += Encoder(low, first, rename1).words(8) if first is not None else []
    words += Encoder(low, last, rename).words(0)
    constants = []
    for n in sorted({int(c[1:]) for ways in low.alts for w in ways for c in w.constants}):
        constants.append(Constant(n, n, state.units[n].color, len(words)))
        r, g, b, a = (int(255 * c + .5) for c in state.units[n].color)
        words.append((TFACTOR + 4 * n, a << 24 | r << 16 | g << 8 | b))
    return Code('r200', tuple(words), tuple(constants),
                tuple(Texture(s, unit[s], coord[s], state.units[unit[s]].target) for s in sorted(unit)), (),
                ('primary-in-first-pass',) if primary_first else (), {}, False)


def enabled(count):
    return sum(0x800 if n == 7 else 0x1000 << n for n in range(count))


def kind(state, unit):
    return {'3d': VOLUME, 'cube': CUBIC_ENV}.get(state.units[unit].target, PROJ)
