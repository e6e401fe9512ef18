#!/usr/bin/env python3
"""Tests that the oracle's interpreter of ir3 (oracle/ir3) checks latencies: for each rule, it rejects a
program that waits one slot too few and accepts one that waits long enough. Also tests that programs of
texenvc contain no unneeded nop. The programs here are text, encoded by ir3_words.py.

    ir3_waits.py       TEXENVC names the program"""
import json
import os
import sys
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool
from ir3_words import encode
from oracle.common.errors import ProgramError
from oracle.ir3.ir3_run import Run, preamble
from oracle.ir3.ir3_words import decode
from tests.shared.tool import Checks, TOP

checks = Checks('ir3_waits')


class Numbers:
    """Arithmetic for the interpreter: exact fractions; transcendental functions return their operand."""
    const, absolute = staticmethod(Fraction), staticmethod(abs)
    floor = staticmethod(lambda a: Fraction(a // 1))
    least, most = staticmethod(min), staticmethod(max)
    neg, sat = staticmethod(lambda a: -a), staticmethod(lambda a: min(max(a, Fraction(0)), Fraction(1)))
    add, sub, mul = (staticmethod(lambda a, b: a + b), staticmethod(lambda a, b: a - b),
                     staticmethod(lambda a, b: a * b))

    @staticmethod
    def function(op, a, new):
        return a

    @staticmethod
    def choose(cond, a, b, x, y):
        return x if {'LT': a < b, 'LE': a <= b, 'GT': a > b, 'GE': a >= b}[cond] else y


def run(text, base=4):
    """Executes a program; returns the values of r1.x to r1.w, or the error message. Varying input n has the
    value n/8, constant n the value n."""
    words = []
    for line in text.split(';'):
        word = encode(line.strip())
        words += [(None, word & 0xffffffff), (None, word >> 32)]
    try:
        program, _, _ = decode(tuple(words))
        bound, begin = preamble(program)
        run_ = Run(Numbers, lambda n: Fraction(n, 8), Fraction,
                   lambda i, read, bias: [read(0) + k for k in range(2)] + [read(1), bias])
        run_.run(program[begin:])
        return run_.output(bound, base), run_.kills
    except ProgramError as e:
        return str(e), None


FILL = '(rpt3)mov.f32f32 r1.x, (r)c1.x; '
MORE = '(rpt5)nop; '


def good(text, want=None, kills=None):
    got, killed = run(FILL + MORE + text + '; end')
    checks.check(isinstance(got, list), '%s: %s' % (text, got))
    if want is not None and isinstance(got, list):
        checks.check(got[:len(want)] == [Fraction(x) for x in want], '%s: %s' % (text, got))
    if kills is not None:
        checks.check([k < 0 for k in killed or ()] == kills, '%s: kills %s' % (text, killed))


def bad(text, word):
    got, _ = run(FILL + MORE + text + '; end')
    checks.check(isinstance(got, str) and word in got, '%s: %s, not %s' % (text, got, word))


def slots():
    good('add.f r2.x, r1.x, r1.y; (rpt2)nop; add.f r1.x, r2.x, (1.0)', [10])
    bad('add.f r2.x, r1.x, r1.y; (rpt1)nop; add.f r1.x, r2.x, (1.0)', 'too early')
    good('(nop3) add.f r2.x, r1.x, r1.y; add.f r1.x, r2.x, (1.0)')
    bad('(nop2) add.f r2.x, r1.x, r1.y; add.f r1.x, r2.x, (1.0)', 'too early')
    good('add.f r2.x, r1.x, r1.y; nop; mad.f32 r1.x, c2.x, r1.y, r2.x')
    bad('add.f r2.x, r1.x, r1.y; mad.f32 r1.x, c2.x, r1.y, r2.x', 'too early')
    bad('add.f r2.x, r1.x, r1.y; nop; mad.f32 r1.x, c2.x, r2.x, r1.y', 'too early')
    # mad may follow the instruction that computes its third source more closely; sel, of the same category,
    # may not
    test = 'cmps.f.lt r3.x, r1.x, r1.y; add.f r2.x, r1.x, r1.y; (rpt%d)nop; sel.b32 r1.x, c2.x, r3.x, r2.x'
    good(test % 2, [8])
    bad(test % 1, 'too early')
    good('(rpt1)mov.f32f32 r47.z, (r)c0.x')
    bad('(rpt2)mov.f32f32 r47.z, (r)c0.x', 'no r48.x')
    good('add.f r2.x, r1.x, r1.y; (rpt5)nop; rcp r2.y, r2.x; (ss)add.f r1.x, r2.y, (1.0)')
    bad('add.f r2.x, r1.x, r1.y; (rpt4)nop; rcp r2.y, r2.x; (ss)add.f r1.x, r2.y, (1.0)', 'too early')
    # transcendental functions and lookups do not count as slots of waiting
    bad('add.f r2.x, r1.x, r1.y; rcp r3.x, r1.x; (rpt1)nop; add.f r1.x, r2.x, (1.0)', 'too early')
    good('add.f r2.x, r1.x, r1.y; rcp r3.x, r1.x; (rpt2)nop; (ss)add.f r1.x, r2.x, (1.0)', [10])
    bad('add.f r2.x, r1.x, r1.y; sam (f32)(x)r3.x, r1.x, s#0, t#0; (rpt1)nop; (ss)add.f r1.x, r2.x, (1.0)',
        'too early')
    # a nop that waits by (ss) counts as a slot, too
    test = 'add.f r1.x, r1.x, r1.y; (ss)(rpt%d)nop; sam (f32)(x)r3.x, r1.x, s#0, t#0; (ss)(sy)mov.f32f32 r1.x, r3.x'
    good(test % 5, [9])
    bad(test % 4, 'too early')
    # each repetition takes a slot: here the second one would read the result of the first too early
    bad('(rpt1)add.f r1.y, (r)r1.x, (1.0)', 'too early')
    good('(rpt1)add.f r2.x, (r)r1.x, (1.0); (rpt2)nop; (rpt1)add.f r1.x, (r)r2.x, (0.0)', [5, 6])


def waits():
    bad('rcp r2.x, r1.x; (rpt5)nop; add.f r1.x, r2.x, (1.0)', 'without (ss)')
    good('rcp r2.x, r1.x; (ss)nop; add.f r1.x, r2.x, (1.0)')
    bad('sam (f32)(xy)r2.x, r1.x, s#0, t#0; (ss)add.f r1.z, r2.x, (1.0)', 'without (sy)')
    good('sam (f32)(xy)r2.x, r1.x, s#0, t#0; (sy)add.f r1.z, r2.x, (1.0)')
    bad('sam (f32)(xy)r2.x, r1.x, s#0, t#0; mov.f32f32 r2.x, c0.x', 'overwrites')
    bad('sam (f32)(xy)r2.x, r1.x, s#0, t#0; mov.f32f32 r1.x, c0.x', 'may still read')
    good('sam (f32)(xy)r2.x, r1.x, s#0, t#0; (ss)mov.f32f32 r1.x, c0.x')
    bad('rcp r2.x, r1.x; mov.f32f32 r1.x, c0.x', 'may still read')
    bad('sam (f32)(xyzw)r1.x, r1.x, s#0, t#0', 'without (sy)')
    bad('rcp r1.x, r1.x', 'without (ss)')


def others():
    bad('add.f r1.x, r2.x, (1.0)', 'nothing has written')
    bad('add.f r1.x, c0.x, c0.y', 'two operands')
    bad('rcp r2.x, c0.x', 'in no register')
    bad('bary.f r2.x, 0, r0.x', 'no (ei)')
    good('bary.f (ei)r2.x, 3, r0.x; (rpt2)nop; add.f r1.x, r2.x, (0.0)', ['3/8'])
    bad('bary.f (ei)r2.x, 3, r0.x; bary.f (ei)r2.y, 3, r0.x', 'after (ei)')
    bad('mov.f32f32 r0.y, c0.x; (rpt2)nop; bary.f (ei)r2.x, 3, r0.x', 'overwritten')
    good('cmps.f.lt p0.x, r1.x, (0.0); (rpt5)nop; kill p0.x', kills=[False])
    good('cmps.f.lt p0.x, (neg)r1.x, (0.0); (rpt5)nop; kill p0.x', kills=[True])
    bad('cmps.f.lt p0.x, r1.x, (0.0); (rpt4)nop; kill p0.x', 'too early')
    good('cmps.f.lt r2.x, r1.x, (0.0); (rpt2)nop; sel.b32 r1.x, c1.x, r2.x, c2.x', [8])
    bad('cmps.f.lt r2.x, r1.x, (0.0); (rpt2)nop; add.f r1.x, r2.x, (1.0)', 'no float')
    good('(sat)mad.f32 r1.x, c2.x, r1.y, r1.z', [1])


def tables():
    one, two = 'alias.tex.f32.1 r40.x, c1.x; ', 'alias.tex.f32.0 r40.y, (2.0); '
    look, end = 'sam (f32)(xyz)r2.x, r40.x, s#0, t#0; ', '(sy)(rpt2)mov.f32f32 r1.x, (r)r2.x'
    good(one + two + look + end, [4, 5, 2])
    good('alias.tex.f32.0 r1.y, (2.0); sam (f32)(xyz)r2.x, r1.x, s#0, t#0; ' + end.replace('(sy)', '(ss)(sy)'), [4, 5, 2])
    bad(two + look + end, 'nothing has written')
    bad(one + look + end, 'an alias table of 1')
    bad(one + 'alias.tex.f32.1 r40.y, (2.0); ' + look + end, 'in an alias table')
    bad(one + 'nop; ' + two + look + end, 'an alias table of 1')
    bad(one + 'alias.tex.f32.0 r40.x, (2.0); ' + look + end, 'in an alias table')
    bad('add.f r2.w, r1.x, (1.0); ' + one.replace('c1.x', 'r2.w') + two + look + end, 'too early')
    good('add.f r2.w, r1.x, (1.0); (rpt5)nop; ' + one.replace('c1.x', 'r2.w') + two + look + end, [5, 6, 2])
    bad(one + 'alias.rt.f32.0 rt0.y, (2.0); ' + look + end, 'in an alias table')
    rest = '(jp)' + FILL + 'end'
    bound = 'shps #3; alias.rt.f32.0 rt0.y, (0.5); (sy)(ss)shpe; '
    got, _ = run(bound + rest)
    checks.check(got == [4, Fraction(1, 2), 6, 7], 'alias.rt: %s' % (got,))
    for text, word in ((bound.replace('#3', '#4') + rest, 'shps'), (bound + FILL + 'end', 'shps'),
                       (bound.replace('(0.5)', 'r0.x') + rest, 'preamble'),
                       (bound.replace('(sy)', '') + rest, 'without'),
                       (bound.replace('(ss)', '') + rest, 'without'),
                       (bound.replace('shpe', 'nop') + rest, 'preamble')):
        got, _ = run(text)
        checks.check(isinstance(got, str) and word in got, '%s: %s' % (text, got))


class Nothing:
    """Arithmetic for the interpreter where all values are 0, since only the times of reads matter."""
    const = absolute = floor = neg = sat = staticmethod(lambda *a: Fraction(0))
    least = most = add = sub = mul = function = choose = const


def runs(program):
    try:
        _, begin = preamble(program)
        Run(Nothing, lambda n: Fraction(0), lambda n: Fraction(0), lambda i, read, bias: texel(i, read),
            {reg: Fraction(0) for reg in range(2, 6)}).run(program[begin:])
        return True
    except ProgramError:
        return False


def texel(i, read):
    for k in range(2 + i.extra.three + i.extra.shadow):
        read(k)
    return [Fraction(0)] * 4


def shorter(program):
    """Yields, for each empty slot (nop), the program without it."""
    for n, i in enumerate(program):
        if i.nops:
            yield program[:n] + [i._replace(nops=i.nops - 1)] + program[n + 1:]
        elif i.op == 'nop' and i.repeat:
            yield program[:n] + [i._replace(repeat=i.repeat - 1)] + program[n + 1:]
        elif i.op == 'nop' and not (i.ss or i.sy):
            yield program[:n] + program[n + 1:]


def needed():
    """Checks that programs of texenvc without any one of their empty slots are rejected."""
    empty = idle = programs = 0
    files = [os.path.join(TOP, 'tests', *path) for path in (
        ('corpus', 'recorded.stages'), *(('arbfp', name) for name in sorted(os.listdir(os.path.join(
            TOP, 'tests', 'arbfp'))) if name.endswith('.arbfp')))]
    for level in '6', '7':
        made = tool.Run(['convert', '--to', 'ir3', '--format', 'json', '--chip-option', 'level=' + level, *files])
        for o in json.loads(made.out):
            if not o['fits'] or not o['stats']['nops']:
                continue
            words = tuple((None if a is None else int(a, 16), int(w, 16)) for a, w in o['words'])
            program, _, _ = decode(words)
            programs += 1
            checks.check(runs(program), 'a program of texenvc does not run: %s' % (o.get('source'),))
            for less in shorter(program):
                empty, idle = empty + 1, idle + runs(less)
    checks.check(programs > 100 and not idle, '%d of %d places in %d programs have a slot too many' % (
        idle, empty, programs))


def main():
    slots()
    needed()
    waits()
    others()
    tables()
    print('%s: %d checks, %d failed' % (checks.name, checks.done, checks.failed))
    sys.exit(1 if checks.failed else 0)


if __name__ == '__main__':
    main()
