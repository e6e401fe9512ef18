#!/usr/bin/env python3
"""Generates the gradient shaders 88 (radial) and 82 (linear) of glamor as ARB fragment programs with unrolled
loops, and 85 and 7, the same with 8 colour stops instead of 18, which have no index form; and tests them.

usage: glamor.py SHADER FORM [--n-stop|--no-n-stop]      print the program: 88|82|85|7, index|direct
       glamor.py --check                                 compare all with a model, in the oracle

The form index finds the number of the colour stop and then selects stops and colours by trees of CMP; direct
selects stops and colours during the search. Each uniform of the shaders is a program.local[], in the order of
declaration. By default, n_stop is left out of 88 (45 parameters) and present in 82 (46). The literals of 88's
index form are 11 vectors. They are read in such an order that packing constants greedily, in the order of the
program, gives just these vectors, as in the founding document on constants. Therefore the scalars 2 and 16
are computed (1+1, 2^4), as they would else be read before the vectors that contain them.
"""
import argparse
import math
import os
import random
import sys
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))

# The number of colour stops of each shader, and the shaders with a radial gradient.
STOPS = {'88': 18, '82': 18, '85': 8, '7': 8}
RADIAL = ('88', '85')
FORMS = [('88', 'index'), ('88', 'direct'), ('82', 'index'), ('82', 'direct'), ('85', 'direct'),
         ('7', 'direct')]
IMMEDIATES = [(1e-5, 0, 1, .5), (0, 1, 3, 2), (16, 17, 15, 14), (13, 12, 11, 10), (9, 8, 7, 6),
              (5, 4, -1, 1e-6), (9, 4, 2, 1), (3, 6, 5, 7), (8, 13, 11, 10), (12, 15, 14, 16), (17, 4, 2, 1)]
NAMES = {True: ['repeat_type', 'A', 'c1', 'r1', 'c2', 'r2'],
         False: ['repeat_type', 'hor_ver', 'pt_slope', 'cos_val', 'p1_distance', 'pt_distance']}
# The operand that each scalar is read from: its first place in IMMEDIATES.
WHERE = {}
for slot, numbers in enumerate(IMMEDIATES):
    for lane, number in enumerate(numbers):
        WHERE.setdefault(number, 'imm%d.%s' % (slot, 'xyzw'[lane]))


def declarations(shader, n_stop):
    """Returns the parameters' indices of program.local[]: {name: (first index, count)}."""
    slots, at = {'transform': (0, 3)}, 3
    for name in NAMES[shader in RADIAL] + (['n_stop'] if n_stop else []):
        slots[name] = (at, 1)
        at += 1
    slots['stops'], slots['colors'] = (at, STOPS[shader]), (at + STOPS[shader], STOPS[shader])
    return slots


class Writer:
    def __init__(self, shader, n_stop):
        self.shader, self.n_stop, self.lines, self.used = shader, n_stop, [], set()

    def __call__(self, text):
        self.lines.append(text + ';')

    def number(self, value):
        """Returns an operand with this value, from IMMEDIATES or negated from there."""
        if value not in WHERE:
            return '-' + self.number(-value)
        self.used.add(int(WHERE[value][3:].split('.')[0]))
        return WHERE[value]

    def vector(self, slot):
        self.used.add(slot)
        return 'imm%d' % slot

    def text(self):
        out = ['!!ARBfp1.0']
        for name, (at, count) in declarations(self.shader, self.n_stop).items():
            out.append('PARAM %s = program.local[%d];' % (name, at) if count == 1 else
                       'PARAM %s[%d] = { program.local[%d..%d] };' % (name, count, at, at + count - 1))
        for i in sorted(self.used):
            out.append('PARAM imm%d = { %s };' % (i, ', '.join('%r' % v for v in IMMEDIATES[i])))
        temps = sorted({w.split('.')[0] for line in self.lines for w in [line.split()[1].rstrip(',')]}
                       - {'result'})
        out.append('TEMP %s;' % ', '.join(temps))
        return '\n'.join(out + self.lines + ['END']) + '\n'


# ---- parts of the shaders ----

def transform(w):
    w('MUL p.xyz, transform[0], fragment.texcoord[0].x')
    w('MAD p.xyz, transform[1], fragment.texcoord[0].y, p')
    w('ADD p.xyz, p, transform[2]')
    # for a repeat_type of 0, 1 or 3, respectively, rep.x, rep.y or rep.z is negative
    w('SUB rep.xyz, repeat_type.x, %s' % w.vector(1))
    w('ABS rep.xyz, rep')
    w('SUB rep.xyz, rep, %s' % w.number(.5))


def bad(w, lane):
    """Writes code that makes bad.<lane> negative if q.x is not on the gradient."""
    w('SUB t.x, %s, q.x' % w.number(1))
    w('CMP t.x, t.x, %s, %s' % (w.number(-1), w.number(1)))
    w('CMP t.x, -q.x, t.x, %s' % w.number(-1))
    w('MAD t.y, q.x, d.z, r1.x')
    w('CMP t.y, -t.y, %s, %s' % (w.number(1), w.number(-1)))
    w('CMP bad.%s, rep.x, t.x, t.y' % lane)


def radial(w):
    """Writes code for q.x = T, the position on a radial gradient; makes ok.x negative if there is none."""
    transform(w)
    w('RCP p.w, p.z')
    w('MUL e.xy, p, p.w')
    w('SUB e.xy, e, c1')
    w('SUB d.xy, c2, c1')
    w('SUB d.z, r2.x, r1.x')
    w('MUL b.x, e.x, d.x')
    w('MAD b.x, e.y, d.y, b.x')
    w('MAD b.x, r1.x, d.z, b.x')                # b.x = B
    w('MUL b.y, e.x, e.x')
    w('MAD b.y, e.y, e.y, b.y')
    w('MAD b.y, -r1.x, r1.x, b.y')              # b.y = C
    w('MUL b.z, A.x, b.y')
    w('MAD b.z, b.x, b.x, -b.z')                # b.z = D
    w('ABS e.z, A.x')
    w('SUB e.z, e.z, %s' % w.number(1e-5))      # e.z < 0: the equation is linear
    w('RCP t.x, b.x')
    w('MUL t.x, t.x, b.y')
    w('MUL t.x, t.x, %s' % w.number(.5))        # t.x = C / 2B
    w('MAX e.w, b.z, %s' % w.number(0))
    w('RSQ b.w, e.w')
    w('MUL b.w, b.w, e.w')
    w('CMP b.w, -e.w, b.w, %s' % w.number(0))   # b.w = S; avoids 0 * inf where D = 0
    w('RCP t.y, A.x')
    w('ADD t.z, b.x, b.w')
    w('MUL t.z, t.z, t.y')
    w('CMP q.x, e.z, t.x, t.z')
    w('SUB t.z, b.x, b.w')
    w('MUL q.y, t.z, t.y')
    w('ABS t.x, b.x')
    w('CMP t.x, -t.x, %s, %s' % (w.number(1), w.number(-1)))
    w('CMP ok.x, e.z, t.x, b.z')
    bad(w, 'x')
    w('CMP q.x, bad.x, q.y, q.x')
    bad(w, 'y')
    w('CMP ok.x, bad.y, %s, ok.x' % w.number(-1))
    w('FRC t.x, q.x')
    w('CMP q.x, rep.y, t.x, q.x')
    w('MAD t.y, q.x, %s, %s' % (w.number(.5), w.number(.5)))
    w('FRC t.y, t.y')
    w('ADD t.y, t.y, t.y')
    w('ADD t.y, t.y, %s' % w.number(-1))
    w('ABS t.y, t.y')
    w('CMP q.x, rep.z, t.y, q.x')


def modulo(w, a, b, out):
    """Writes code for out = a - b*floor(a/b)."""
    w('RCP t.z, %s' % b)
    w('MUL t.z, t.z, %s' % a)
    w('FLR t.z, t.z')
    w('MAD %s, -t.z, %s, %s' % (out, b, a))


def linear(w):
    transform(w)
    w('MAD t.x, -p.x, pt_slope.x, p.y')
    w('MUL t.x, t.x, cos_val.x')
    w('SUB t.y, hor_ver.x, %s' % w.number(.5))  # hor_ver is 0 or 1
    w('CMP q.x, t.y, t.x, p.x')
    w('MUL q.y, p1_distance.x, p.z')
    w('MUL q.z, pt_distance.x, p.z')            # q.z = PT
    w('SUB q.x, q.x, q.y')
    modulo(w, 'q.x', 'q.z', 't.x')
    w('CMP q.y, rep.y, t.x, q.x')
    w('ADD t.x, q.x, q.z')
    w('ADD t.y, q.z, q.z')
    modulo(w, 't.x', 't.y', 't.x')
    w('SUB t.x, t.x, q.z')
    w('ABS t.x, t.x')
    w('CMP q.x, rep.z, t.x, q.y')
    w('RCP t.x, q.z')
    w('MUL q.x, q.x, t.x')


def search_index(w):
    """Writes code that sets i.x to the number of the first stop above q.x. If there is none, i.x is above 17,
    or the last stop's number if the program has n_stop."""
    w('ADD i.y, %s, %s' % (w.number(1), w.number(1)))
    w('EX2 i.z, %s' % w.number(3))
    w('EX2 i.z, i.z')                           # 256, if no stop is above q.x
    w('MOV i.x, i.z')
    if w.n_stop:
        w('SUB s.y, n_stop.x, %s' % w.number(1))
        w('SUB s.y, s.y, %s' % w.number(.5))
    for k in range(STOPS[w.shader] - 1):
        if k == 16:
            w('EX2 i.w, %s' % w.number(4))
        name = {2: 'i.y', 16: 'i.w'}.get(k) or w.number(k)
        w('SUB s.x, q.x, stops[%d].x' % k)
        if w.n_stop:
            w('SUB s.z, s.y, %s' % name)        # s.z < 0 if k >= n_stop - 1
            w('MIN s.x, s.x, s.z')
        w('CMP s.x, s.x, %s, i.z' % name)
        w('MIN i.x, i.x, s.x')


# The components that are negative if i < m, by m. For 4 and 2 there are two.
TESTS = {}
for slot in range(6, 11):
    for lane, m in enumerate(IMMEDIATES[slot]):
        if (slot, lane) not in ((10, 3),):
            TESTS.setdefault(m, []).append('m%d.%s' % (slot - 6, 'xyzw'[lane]))
# The binary decision tree over 0 to 17: for each interval (lo, hi), the first number of its upper half.
SPLITS = {(0, 17): 9, (0, 8): 4, (0, 3): 2, (0, 1): 1, (2, 3): 3, (4, 8): 6, (4, 5): 5, (6, 8): 7, (7, 8): 8,
          (9, 17): 13, (9, 12): 11, (9, 10): 10, (11, 12): 12, (13, 17): 15, (13, 14): 14, (15, 17): 16,
          (16, 17): 17}


def fetch(w, out, mask, array, shift, which):
    """Writes code for out = array[i - shift], where an index of -1 means element 0, as a tree of CMP from the
    leaves to the root, with a register for each level. `which` selects one of two equal tests."""
    def tree(lo, hi, height):
        if lo == hi:
            return '%s[%d]%s' % (array, lo, '.x' if mask == '.x' else '')
        m = SPLITS[lo, hi]
        left, right = tree(lo, m - 1, 2 * height), tree(m, hi, 2 * height + 1)
        if m + shift == STOPS[w.shader]:                  # i < 18 is always true
            return left
        tests = TESTS[m + shift]
        name = 'h%d' % (height.bit_length() - 1) + 'ab'[height & 1]
        target = out if height == 1 else name
        w('CMP %s%s, %s, %s, %s' % (target.split('.')[0], mask, tests[min(which, len(tests) - 1)], left, right))
        return target + ('.x' if mask == '.x' and height > 1 else '')
    tree(0, STOPS[w.shader] - 1, 1)


def gradient_index(w):
    search_index(w)
    w('SUB m0.xyz, i.x, %s' % w.vector(6))
    w('SUB m0.w, i.x, %s.w' % w.vector(6))
    for slot in (7, 8, 9):
        w('SUB m%d, i.x, %s' % (slot - 6, w.vector(slot)))
    w('SUB m4.xyz, i.x, %s' % w.vector(10))
    fetch(w, 'si', '.x', 'stops', 0, 0)
    fetch(w, 'sj', '.x', 'stops', 1, 0)
    fetch(w, 'ci', '', 'colors', 0, 1)
    fetch(w, 'cj', '', 'colors', 1, 1)


def gradient_direct(w):
    last = STOPS[w.shader] - 1
    w('MOV si.x, stops[%d].x' % last)
    w('MOV sj.x, stops[%d].x' % (last - 1))
    w('MOV ci, colors[%d]' % last)
    w('MOV cj, colors[%d]' % (last - 1))
    if w.n_stop:
        w('SUB s.y, n_stop.x, %s' % w.number(1))
        w('SUB s.y, s.y, %s' % w.number(.5))
    for k in reversed(range(last)):
        j = max(k - 1, 0)
        w('SUB s.x, q.x, stops[%d].x' % k)
        if w.n_stop:
            w('SUB s.z, s.y, %s' % (w.number(k)))
            w('MIN s.x, s.x, s.z')
        w('CMP si.x, s.x, stops[%d].x, si.x' % k)
        w('CMP sj.x, s.x, stops[%d].x, sj.x' % j)
        w('CMP ci, s.x, colors[%d], ci' % k)
        w('CMP cj, s.x, colors[%d], cj' % j)


def program(shader, form, n_stop):
    w = Writer(shader, n_stop)
    (radial if shader in RADIAL else linear)(w)
    (gradient_index if form == 'index' else gradient_direct)(w)
    w('SUB t.x, si.x, sj.x')
    w('RCP t.y, t.x')
    w('SUB t.z, q.x, sj.x')
    w('MUL t.y, t.y, t.z')
    w('SUB t.z, %s, t.x' % w.number(2))
    w('CMP t.y, t.z, %s, t.y' % w.number(0))
    w('SUB t.z, t.x, %s' % w.number(1e-6))
    w('CMP t.y, t.z, %s, t.y' % w.number(0))
    w('LRP ci, t.y, ci, cj')
    if shader in RADIAL:
        w('MUL ci.xyz, ci, ci.w')
        w('CMP result.color, ok.x, %s, ci' % w.number(0))
    else:
        w('MUL result.color.xyz, ci, ci.w')
        w('MOV result.color.w, ci.w')
    return w.text()


# ---- the model: the shaders with their branches ----

class Undefined(Exception):
    pass


def fract(x):
    return x - math.floor(x)


def gradient(u, T):
    last = u['n_stop'] - 1
    i = next((k for k in range(last) if T < u['stops'][k]), last)
    j = max(i - 1, 0)
    width = u['stops'][i] - u['stops'][j]
    f = 0.0 if width > 2 or width < 1e-6 else (T - u['stops'][j]) / width
    mix = [f * a + (1 - f) * b for a, b in zip(u['colors'][i], u['colors'][j])]
    return [c * mix[3] for c in mix[:3]] + mix[3:]


def point(u, s, t):
    return [u['transform'][0][i] * s + u['transform'][1][i] * t + u['transform'][2][i] for i in range(3)]


def model_88(u, s, t):
    p = point(u, s, t)
    e = [p[0] / p[2] - u['c1'][0], p[1] / p[2] - u['c1'][1]]
    d = [u['c2'][0] - u['c1'][0], u['c2'][1] - u['c1'][1]]
    R, A, r1 = u['r2'] - u['r1'], u['A'], u['r1']
    B = e[0] * d[0] + e[1] * d[1] + r1 * R
    C = e[0] ** 2 + e[1] ** 2 - r1 ** 2
    straight = abs(A) < 1e-5
    if straight:
        if B == 0:
            return [0.0] * 4
        T = 0.5 * C / B
    else:
        D = B * B - A * C
        if D < 0:
            return [0.0] * 4
        S = math.sqrt(D)
        T = (B + S) / A

    def wrong(T):
        return T <= 0 or T > 1 if u['repeat_type'] == 0 else T * R <= -1.0 * r1
    if wrong(T):
        if straight:
            raise Undefined
        T = (B - S) / A
        if wrong(T):
            return [0.0] * 4
    if u['repeat_type'] == 1:
        T = fract(T)
    elif u['repeat_type'] == 3:
        T = abs(fract(0.5 * T + 0.5) * 2 - 1)
    return gradient(u, T)


def model_82(u, s, t):
    p = point(u, s, t)
    q = p[0] if u['hor_ver'] == 1 else (p[1] - p[0] * u['pt_slope']) * u['cos_val']
    P1, PT = u['p1_distance'] * p[2], u['pt_distance'] * p[2]
    q -= P1
    if u['repeat_type'] == 1:
        q = q - PT * math.floor(q / PT)
    elif u['repeat_type'] == 3:
        a, b = q + PT, 2 * PT
        q = abs(a - b * math.floor(a / b) - PT)
    return gradient(u, q / PT)


# ---- check ----

def random_uniforms(shader, rng, n_stop):
    """Returns {name: value}; all numbers are multiples of 1/4096, which doubles and fractions hold
    exactly."""
    def number(low, high):
        return rng.randrange(int(low * 4096), int(high * 4096) + 1) / 4096
    u = {'transform': [[number(-2, 2) for _ in range(3)] for _ in range(3)],
         'repeat_type': rng.choice((0, 1, 2, 3))}
    u['transform'][2][2] = number(1, 3)
    count = STOPS[shader]
    if shader in RADIAL:
        u.update(A=rng.choice((0.0, number(-2, 2), number(-2, 2), number(-2, 2))), r1=number(0, 1),
                 r2=number(0, 2), c1=[number(-1, 1), number(-1, 1)], c2=[number(-1, 1), number(-1, 1)])
    else:
        u.update(hor_ver=rng.randrange(2), pt_slope=number(-2, 2), cos_val=number(.1, 1),
                 p1_distance=number(-1, 1), pt_distance=number(.2, 3))
    stops = sorted(number(0, 1) for _ in range(count))
    if rng.random() < .3:
        k = rng.randrange(1, count)
        stops[k] = stops[k - 1]
    if rng.random() < .2:
        stops[-1] = stops[-2] + 3
    u['stops'], u['colors'] = stops, [[number(0, 1) for _ in range(4)] for _ in range(count)]
    u['n_stop'] = rng.randrange(2, count + 1) if n_stop else count
    return u


def values_of(shader, u, n_stop):
    """Returns the values of the uniforms by their index of program.local[]."""
    out = {}
    for name, (at, count) in declarations(shader, n_stop).items():
        rows = u[name] if count > 1 else [u[name]]
        for k, row in enumerate(rows):
            row = list(row) if isinstance(row, list) else [row]
            out['program.local[%d]' % (at + k)] = tuple(Fraction(x) for x in (row + [0, 0, 0])[:4])
    return out


def check(count, seed):
    from oracle.common import spans
    from oracle.lang import arb_run, arb_text
    from oracle.lang.arb_inputs import Inputs
    wrong = 0
    for shader, form in FORMS:
        for n_stop in (False, True):
            text = program(shader, form, n_stop)
            parsed = arb_text.parse(text)
            rng = random.Random('%s %s %d' % (shader, form, seed))
            compared = black = off = 0
            for _ in range(count):
                u = random_uniforms(shader, rng, n_stop)
                s, t = rng.randrange(-4096, 8192) / 4096, rng.randrange(-4096, 8192) / 4096
                try:
                    want = (model_88 if shader in RADIAL else model_82)(u, s, t)
                except (Undefined, ZeroDivisionError):
                    continue
                want = [min(1.0, max(0.0, x)) for x in want]         # a program's colour is clamped
                own = values_of(shader, u, n_stop)
                own['fragment.texcoord[0]'] = tuple(Fraction(x) for x in (s, t, 0, 1))
                out = arb_run.evaluate(parsed, Inputs(1, own)).out['result.color[0]']
                if any(isinstance(x, spans.Undecided) for x in out):
                    continue
                compared += 1
                black += want == [0.0] * 4
                off += any(isinstance(x, spans.Poison) or
                           not spans.meet(spans.widen(x, 1e-6), Fraction(y))
                           for x, y in zip(out, want))
            use = arb_text.usage(parsed)
            print('glamor %s %s%s: %d instructions, %d parameters, %d compared (%d black), %d differ' % (
                shader, form, ', n_stop' if n_stop else '', use['instructions'], use['params'], compared,
                black, off))
            # few may differ: the model rounds each result and the oracle does not, so comparisons can differ
            wrong += off > max(1, count // 2000) or compared < count / 2 or compared - black < count / 4
    return 1 if wrong else 0


def conversions(shader, form, n_stop, args):
    """Compares texenvc's conversions of a shader with it, on random uniforms. Returns (components compared,
    fragments that are black, conversions refused, results that differ)."""
    from oracle.commands import arb
    from oracle.lang import arb_run
    from oracle.lang.arb_inputs import Inputs
    from oracle.us import us_arb
    text = program(shader, form, n_stop)
    known, rng, samples = arb.ArbProgram(text), random.Random('%s %s %d' % (shader, form, args.seed)), []
    for _ in range(args.count):
        own = values_of(shader, random_uniforms(shader, rng, n_stop), n_stop)
        own['fragment.texcoord[0]'] = tuple(Fraction(rng.randrange(-4096, 8192), 4096) for _ in range(2)) + (0, 1)
        samples.append(Inputs(1, {k: tuple(Fraction(x) for x in v) for k, v in own.items()}))
    results = [known.evaluate(inputs) for inputs in samples]
    compared = black = refused = wrong = 0
    for to in args.to.split(','):
        converted, reason = arb.convert(text, to, '2', [])
        if reason is not None:
            refused += 1
            print('  %s: %s' % (to, reason))
            continue
        read = arb.read(converted, to)
        for inputs, want in zip(samples, results):
            verdict = arb_run.Verdict(us_arb.widest(to))
            arb_run.compare(verdict, want, read.evaluate(inputs))
            compared += verdict.compared
            black += verdict.compared > 0 and want.out['result.color[0]'] == [0] * 4
            wrong += verdict.difference is not None
            if verdict.difference:
                print('  %s: %s' % (to, verdict.difference))
    return compared, black, refused, wrong


def check_conversions(args):
    bad = 0
    for shader, form in FORMS:
        if not args.shader or shader == args.shader:
            got = conversions(shader, form, shader != '88', args)
            print('glamor %s %s: %d components compared, of %d fragments black, %d forms refused, %d wrong' % (
                (shader, form) + got))
            some = got[2] < len(args.to.split(','))
            bad += bool(got[3] or (args.fits and got[2]) or (some and got[0] < 4 * got[1] + args.count))
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('shader', nargs='?', choices=tuple(STOPS))
    parser.add_argument('form', nargs='?', choices=('index', 'direct'), default='index')
    parser.add_argument('--n-stop', dest='n_stop', action='store_true', default=None)
    parser.add_argument('--no-n-stop', dest='n_stop', action='store_false')
    parser.add_argument('--check', action='store_true')
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--to', help='forms, by commas: compare what texenvc makes of the shaders')
    parser.add_argument('--fits', action='store_true', help='with --to: nothing may be refused')
    args = parser.parse_args()
    if args.to:
        return check_conversions(args)
    if args.check:
        return check(args.count, args.seed)
    if (args.shader, args.form) not in FORMS:
        parser.error('which shader?' if args.shader is None else 'no such form of this shader')
    print(program(args.shader, args.form, args.shader != '88' if args.n_stop is None else args.n_stop), end='')
    return 0


if __name__ == '__main__':
    sys.exit(main())
