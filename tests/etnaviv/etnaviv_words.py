#!/usr/bin/env python3
"""Tests words of the target etnaviv: published pairs of words and assembly text are disassembled and
assembled; programs compile to known instructions, registers and uniforms; invalid input is refused.

    etnaviv_words.py       TEXENVC names the program

The texts are those of Mesa's disassembler. encode() below encodes them by the table in notes/facts/etnaviv.md
A.2 alone, so that the pairs test that table, too."""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.common.errors import ProgramError
from oracle.etnaviv import etnaviv_eval
from tests.shared.tool import Checks, Run

checks = Checks('etnaviv_words')

# Mesa, src/etnaviv/isa/tests/disasm.cpp (words made by Vivante's own driver, on GC2000, GC3000, GC7000 and
# GC8000): those instructions whose operation and operands the facts describe.
MESA = '''
00000000 00000000 00000000 00000000  nop void, void, void, void
07811018 15001f20 00000000 00000000  texld t1, tex0.xyzw, t1.xyyy, void, void
07831018 39003f20 00000000 00000000  texld t3, tex0.xyzw, t3.xyzw, void, void
07811009 00000000 00000000 20390008  mov.pack t1, void, void, u0.xyzw
01821009 00000000 00000000 00150028  mov.pack t2.xy__, void, void, t2.xyyy
01821009 00000000 00000000 00550028  mov.pack t2.xy__, void, void, -t2.xyyy
01821009 00000000 00000000 00950028  mov.pack t2.xy__, void, void, |t2.xyyy|
01821009 00000000 40000000 00150028  mov.s32.pack t2.xy__, void, void, t2.xyyy
01821009 00000000 80000000 00150028  mov.s8.pack t2.xy__, void, void, t2.xyyy
01821009 00000000 c0000000 00150028  mov.u16.pack t2.xy__, void, void, t2.xyyy
01821009 00200000 00000000 00150028  mov.f16.pack t2.xy__, void, void, t2.xyyy
01821009 00200000 40000000 00150028  mov.s16.pack t2.xy__, void, void, t2.xyyy
01821009 00200000 80000000 00150028  mov.u32.pack t2.xy__, void, void, t2.xyyy
01821009 00200000 c0000000 00150028  mov.u8.pack t2.xy__, void, void, t2.xyyy
00801001 00001804 00000000 00000008  add t0.x___, t1.xxxx, void, t0.xxxx
07801002 39002805 01c800c0 00390038  mad.rtz t0, t2.xyzw, t1.xyzw, t3.xyzw
00801003 00001804 00000040 00000000  mul t0.x___, t1.xxxx, t0.xxxx, void
00801005 09000802 00000040 00000002  dp3.pack.rtne t0.x___, t0.xyzx, u0.xxxx, void
00801006 39001804 01c800c0 00000000  dp4 t0.x___, t1.xyzw, t1.xyzw, void
00811007 00001804 00000000 00000018  dsx t1.x___, t1.xxxx, void, t1.xxxx
00811008 00001804 00000000 00000018  dsy t1.x___, t1.xxxx, void, t1.xxxx
0081100c 00000000 00000000 00000018  rcp.pack t1.x___, void, void, t1.xxxx
0080100d 00000004 00000000 00000008  rsq t0.x___, void, void, t0.xxxx
0783108f 39002800 05c800c0 00390028  select.lt.pack t3, t2.xyzw, |t1.xyzw|, t2.xyzw
008010d0 00000800 00000040 00000002  set.ge.pack t0.x___, t0.xxxx, u0.xxxx, void
01001011 00000004 00000000 00154008  exp t0._y__, void, void, t0.yyyy
01801012 00000005 00000000 00000008  log.rtz t0.xy__, void, void, t0.xxxx
07811013 00000004 00000000 000e4018  frc t1, void, void, t1.yzwx
00000017 00000000 00000000 00000000  texkill.pack void, void, void, void
00000057 00002800 00000040 00000002  texkill.gt.pack void, t2.xxxx, u0.xxxx, void
07811019 39002f20 00000000 00000000  texldb t1, tex0.xyzw, t2.xyzw, void, void
0781101a 15001f20 00a80140 003f8018  texldd t1, tex0.xyzw, t1.xyyy, t2.xyyy, t1.zwww
4781101b 39003f20 00000000 00000000  texldl t1, tex8.xyzw, t3.xyzw, void, void
00801021 00000004 00000000 00000008  sqrt t0.x___, void, void, t0.xxxx
03001022 00000005 00000000 00154008  sin.rtz t0._yz_, void, void, t0.yyyy
01801023 00000005 00000000 00000008  cos.rtz t0.xy__, void, void, t0.xxxx
00801025 00000004 00000000 00000008  floor t0.x___, void, void, t0.xxxx
00801026 00000004 00000000 00000008  ceil t0.x___, void, void, t0.xxxx
00801027 00000004 00000000 00000008  sign t0.x___, void, void, t0.xxxx
00811131 80001800 00aa0040 202a800a  cmp.le.pack t1.x___, |t1.xxxx|, u0.yyyy, u0.zzzz
00811033 04402804 00ef00c0 00000000  dp2 t1.x___, t2.yxyx, t1.wywy, void
0383108f a9001800 05480140 00a90018  select.lt.pack t3.xyz_, |t1.xyzz|, |t2.xyzz|, |t1.xyzz|
01021001 3fc00800 00000010 00554018  add.pack t2._y__, u0.wwww, void, -t1.yyyy
00821001 40001800 00000000 00554018  add.pack t2.x___, -t1.xxxx, void, -t1.yyyy
00823009 00000000 00000000 00000018  mov.pack t2[a.x].x___, void, void, t1.xxxx
00825009 00000000 00000000 00154028  mov.pack t2[a.y].x___, void, void, t2.yyyy
00827009 00000000 00000000 00000018  mov.pack t2[a.z].x___, void, void, t1.xxxx
00829009 00000000 00000000 00000018  mov.pack t2[a.w].x___, void, void, t1.xxxx
00801009 00000000 00000000 02000028  mov.pack t0.x___, void, void, t2[a.x].xxxx
01031009 00000000 00000000 043fc018  mov.pack t3._y__, void, void, t1[a.y].wwww
02031009 00000000 00000000 063fc018  mov.pack t3.__z_, void, void, t1[a.z].wwww
01811001 15001800 00000000 28150018  add.pack t1.xy__, t1.xyyy, void, u1[a.w].xyyy
01011001 00001800 00000001 04000018  add.pack t1._y__, t1[a.x].xxxx, void, t1[a.y].xxxx
04011009 00000004 00000000 20154008  mov t1.___w, void, void, u0.yyyy
00801001 7e000805 00000038 00800008  add.rtz t0.x___, 0.500000, void, |t0.xxxx|
00811027 00000004 00000000 00000008  sign t1.x___, void, void, t0.xxxx
00801003 00001805 00000040 00000000  mul.rtz t0.x___, t1.xxxx, t0.xxxx, void
07821009 00000000 00000000 00390008  mov.pack t2, void, void, t0.xyzw
01831009 00000000 00000000 00150008  mov.pack t3.xy__, void, void, t0.xyyy
03841009 00000000 00000000 00290008  mov.pack t4.xyz_, void, void, t0.xyzz
04011809 00000004 00000000 002a8018  mov.sat t1.___w, void, void, t1.zzzz
07011009 00000004 00000000 20390018  mov t1._yzw, void, void, u1.xyzw
04011809 00000004 00000000 003fc018  mov.sat t1.___w, void, void, t1.wwww
07811003 39003805 01c80140 00000000  mul.rtz t1, t3.xyzw, t2.xyzw, void
00811018 15001800 00000000 002a8018  texld t1.x___, tex0.xxxx, t1.xyyy, void, t1.zzzz
00811009 00000004 00000000 70ff0008  mov t1.x___, void, void, inf
00811009 00000004 00000000 72ff0008  mov t1.x___, void, void, -inf
'''
# austriancoder/etnaviv_compiler_tests, by notes/facts/etnaviv.md A.3
COMPILER_TESTS = '''
07801003 39000800 000000d0 00000000  mul.pack t0, u0.xyzw, t1.xxxx, void
07801002 39001800 00aa00d0 00390008  mad.pack t0, u1.xyzw, t1.yyyy, t0.xyzw
07801001 39000800 00000000 20390038  add.pack t0, t0.xyzw, void, u3.xyzw
01811009 00000000 00000000 00010038  mov.pack t1.xy__, void, void, t3.xyxx
06001009 00000000 00000000 20000088  mov.pack t0.__zw, void, void, u8.xxxx
'''
# The same file: instructions that encode() cannot encode.
MORE = '''
00000014 00000000 00000000 00000380  call void, void, void, 7
00000015 00000000 00000000 00000000  ret void, void, void, void
00000016 00000000 00000000 00001080  branch void, void, void, 33
00000056 00000800 000000d0 00000280  branch.gt void, u0.xxxx, t1.xxxx, 5
000000d6 00001800 01540250 00000980  branch.ge void, u1.xxxx, t4.zzzz, 19
00000156 2a801800 01540040 00000402  branch.eq void, t1.zzzz, u0.zzzz, 8
01011001 00001804 00000020 a0402008  add.hp.t0 t1._y__, th1.xxxx, void, -u0.xxxx
01021001 00002804 00000020 a1400008  add.hp.t1 t2._y__, th2.xxxx, void, -u0.xxxx
00811131 95401804 00aa0060 76fffffa  cmp.le.t0 t1.x___, |th1.yyyy|, u0.yyyy, -1
00811171 15601804 80000040 77ffdffa  cmp.eq.u32.t1 t1.x___, t1.yyyy, u0.xxxx, -1
03001024 00000005 04098040 0015400f  div.rtz t0._yz_, void, 4.500000, t0.yyyy
00801036 15400804 01540050 00000002  clamp0_max t0.x___, u0.yyyy, u0.zzzz, void
0081102f 29001800 00010140 003fc018  texldlpcf t1.x___, tex0.xxxx, t1.xyzz, t2.xxxx, t1.wwww
'''
# Invalid lines, with the column and text of the error
WRONG = (
    ('add t0, t1.xyzw, void', 22, 'it takes 4 operands, 3 given'),
    ('nop', 4, 'operands are expected'),
    ('addd t0, t1.xyzw, void, t2.xyzw', 1, "no register or operation 'addd'"),
    ('add.pak t0, t1.xyzw, void, t2.xyzw', 5, "etnaviv has no 'pak' here"),
    ('add t0, t1.xyzw, void, t2.xyzw, void', 31, 'should end here'),
    ('add t200, t1.xyzw, void, t2.xyzw', 6, '0 to 127'),
    ('add t0.xx, t1.xyzw, void, t2.xyzw', 9, 'each component is written once'),
    ('add t0, t1.xyz, void, t2.xyzw', 15, 'component'),
    ('add t0, |t1.xyzw, void, t2.xyzw', 17, "'|' is expected|does not go with"),
    ('add t0, 0.1, void, t2.xyzw', 9, 'does not fit 20 bits'),
    ('add t0, 600000, void, t2.xyzw', 9, '-524288 to 524287'),
    ('nop void, void, void', 21, 'it takes 4 operands, 3 given'),
)
OPS = {'nop': 0, 'add': 1, 'mad': 2, 'mul': 3, 'dp3': 5, 'dp4': 6, 'dsx': 7, 'dsy': 8, 'mov': 9, 'rcp': 0x0c,
       'rsq': 0x0d, 'select': 0x0f, 'set': 0x10, 'exp': 0x11, 'log': 0x12, 'frc': 0x13, 'texkill': 0x17,
       'texld': 0x18, 'texldb': 0x19, 'texldd': 0x1a, 'texldl': 0x1b, 'sqrt': 0x21, 'sin': 0x22, 'cos': 0x23,
       'floor': 0x25, 'ceil': 0x26, 'sign': 0x27, 'cmp': 0x31, 'dp2': 0x73}
CONDS = 'true gt lt ge le eq ne and or xor not nz gez gz lez lz'.split()
TYPES = 'f32 s32 s8 u16 f16 s16 u32 u8'.split()
MASK = [''.join(c for i, c in enumerate('xyzw') if m >> i & 1) for m in range(16)]
GROUPS = {0: 'TEMP', 2: 'UNIFORM0', 7: 'IMMEDIATE'}
# for each source operand: (word, bit) of use, register, swizzle, neg, abs, address mode, group
SOURCES = [((1, 11), (1, 12), (1, 22), (1, 30), (1, 31), (2, 0), (2, 3)),
           ((2, 6), (2, 7), (2, 17), (2, 25), (2, 26), (2, 27), (3, 0)),
           ((3, 3), (3, 4), (3, 14), (3, 22), (3, 23), (3, 25), (3, 28))]
FLOATS = {'0.500000': 0x3f000, 'inf': 0x7f800, '-inf': 0xff800}


def swizzle(letters):
    return sum('xyzw'.index(c) << 2 * i for i, c in enumerate(letters))


def operand(text):
    """Parses an operand; returns its fields (use, register, swizzle, neg, abs, address mode, group)."""
    m = re.match(r'(-?)(\|?)([tu])(\d+)(?:\[a\.([xyzw])\])?\.([xyzw]{4})\|?$', text)
    if text == 'void':
        return 0, 0, 0, 0, 0, 0, 0
    if text in FLOATS:
        bits = FLOATS[text]
        return 1, bits & 511, bits >> 9 & 255, bits >> 17 & 1, bits >> 18 & 1, bits >> 19, 7
    return (1, int(m[4]), swizzle(m[6]), int(bool(m[1])), int(bool(m[2])),
            'xyzw'.index(m[5]) + 1 if m[5] else 0, 0 if m[3] == 't' else 2)


def encode(text):
    """Encodes an instruction; returns its words and, for each word, its fields as {name: value}."""
    name, rest = text.split(' ', 1)
    parts, args = name.split('.'), [a.strip() for a in rest.split(',')]
    op = OPS[parts[0]]
    cond = next((CONDS.index(p) for p in parts[1:] if p in CONDS), 0)
    kind = next((TYPES.index(p) for p in parts[1:] if p in TYPES), 0)
    rounding = 1 if 'rtz' in parts else 2 if 'rtne' in parts else 0
    lookup = parts[0].startswith('texld')
    pmode = int('pack' not in parts and not lookup and op != 0)
    w = [op & 63 | cond << 6 | ('sat' in parts) << 11, rounding | pmode << 2 | kind >> 2 << 21,
         op >> 6 << 16 | (kind & 3) << 30, 0]
    m = re.match(r't(\d+)(?:\[a\.([xyzw])\])?(?:\.([xyzw_]+))?$', args[0])
    if m:
        mask = sum(1 << 'xyzw'.index(c) for c in m[3] or 'xyzw' if c != '_')
        w[0] |= 1 << 12 | ('xyzw'.index(m[2]) + 1 if m[2] else 0) << 13 | int(m[1]) << 16 | mask << 23
    if lookup:
        t = re.match(r'tex(\d+)\.([xyzw]{4})$', args.pop(1))
        w[0] |= int(t[1]) << 27
        w[1] |= swizzle(t[2]) << 3
    for places, text in zip(SOURCES, args[1:]):
        for (word, bit), value in zip(places, operand(text)):
            w[word] |= value << bit
    return w


# ---- the fields as texenvc prints them ----

def fields(lines):
    """Parses the fields that disasm prints; returns [{field: value}], one for each word."""
    out = []
    for line in lines:
        found = {}
        for part in line.split('#')[0].split()[1:]:
            key, value = part.split('=')
            found[key] = value
        out.append(found)
    return out


def number(found, key):
    return int(found.get(key, '0'), 0)


def same_fields(text, found):
    """Returns whether the printed fields agree with the text of the instruction."""
    parts, args = text.split(' ', 1)[0].split('.'), [a.strip() for a in text.split(' ', 1)[1].split(',')]
    lookup = parts[0].startswith('texld')
    op = OPS[parts[0]]
    said = found[0].get('OP', 'NOP')
    ok = said == (parts[0].upper() if op < 64 else str(op & 63)) and number(found[2], 'OP_BIT6') == op >> 6
    ok &= found[0].get('COND', 'TRUE').lower() in parts or 'COND' not in found[0]
    ok &= number(found[0], 'SAT') == ('sat' in parts)
    ok &= number(found[1], 'ROUND') == (1 if 'rtz' in parts else 2 if 'rtne' in parts else 0)
    low, high = found[2].get('TYPE', 'F32').lower(), number(found[1], 'TYPE_BIT2')
    kind = TYPES[TYPES.index(low) + 4 * high]
    ok &= kind in parts or kind == 'f32' and not set(TYPES) & set(parts)
    dst = re.match(r't(\d+)(?:\[a\.([xyzw])\])?(?:\.([xyzw_]+))?$', args[0])
    ok &= number(found[0], 'DST') == bool(dst)
    if dst:
        ok &= number(found[0], 'DST_REG') == int(dst[1])
        ok &= found[0]['DST_MASK'] == (dst[3] or 'xyzw').replace('_', '')
        ok &= number(found[0], 'DST_AMODE') == ('xyzw'.index(dst[2]) + 1 if dst[2] else 0)
    if lookup:
        t = re.match(r'tex(\d+)\.([xyzw]{4})$', args.pop(1))
        ok &= number(found[0], 'TEX_ID') == int(t[1]) and number(found[1], 'TEX_SWIZ') == swizzle(t[2])
    for s, arg in enumerate(args[1:]):
        words = [found[word] for word, _ in SOURCES[s]]
        got = [number(words[k], 'SRC%d%s' % (s, name))
               for k, name in enumerate(('', '_REG', '_SWIZ', '_NEG', '_ABS', '_AMODE'))]
        want = operand(arg)
        ok &= got == list(want[:6]) and words[6].get('SRC%d_GROUP' % s, 'TEMP') == GROUPS[want[6]]
    return ok


def both_ways(said, value, numbers):
    shown = Run(['disasm', '--target', 'etnaviv', '-e', numbers])
    text, _, words = shown.out.rstrip('\n').partition(' # ')
    checks.check(text == said and words == numbers.replace('\n', ' '), '%s is printed as %s' % (said, shown.out))
    made = Run(['asm', '--target', 'etnaviv', '-e', said])
    checks.check([int(x, 16) for x in made.out.split()] == value, '%s: assembled %s%s' % (said, made.out, made.err))


def wrong_lines():
    for text, column, said in WRONG:
        run = Run(['asm', '--target', 'etnaviv', '-e', text])
        place = r':1:%d: error: .*(%s)' % (column, re.escape(said).replace(r'\|', '|'))
        checks.check(run.status == 1 and not run.out and re.search(place, run.err), '%s: %s' % (text, run.err))


def pairs(text):
    n = 0
    for line in text.strip().splitlines():
        words, said = line[:35], line[37:]
        value = [int(x, 16) for x in words.split()]
        if 'texkill' not in said and said != 'nop void, void, void, void':
            checks.check(encode(said) == value, '%s is %s' % (said, encode(said)))
        numbers = '\n'.join('0x%08x' % w for w in value)
        both_ways(said, value, numbers)
        shown = Run(['disasm', '--target', 'etnaviv', '--fields', '-e', numbers])
        lines = shown.out.splitlines()
        if checks.check(shown.status == 0 and len(lines) == 4, '%s: %s' % (words, shown.err)):
            checks.check(same_fields(said, fields(lines)), '%s is printed as %s' % (said, lines))
        again = Run(['asm', '--target', 'etnaviv', '-e', shown.out])
        checks.check([int(x, 16) for x in again.out.split()] == value,
                     '%s: assembled %s' % (words, again.out))
        n += 1
    return n


# ---- programs ----

def compile_(body, *options, source='arbfp'):
    text = '!!ARBfp1.0\n%s\nEND\n' % body if source == 'arbfp' else body
    words = [w for o in options for w in ('--chip-option', o)]
    run = Run(['convert', '--from', source, '--to', 'etnaviv', '--format', 'json', *words, '-'], stdin=text)
    return json.loads(run.out)[0]


def instructions(o):
    stream = [int(w, 16) for a, w in o['words'] if a is None]
    return [stream[i:i + 4] for i in range(0, len(stream), 4)]


def is_program(body, texts, *options, **stats):
    """Checks that the program compiles to one of the texts (OUT: the register of its output) with these
    statistics."""
    o = compile_(body, *options)
    if not checks.check(o['fits'], '%s: %s' % (body, o.get('reason'))):
        return
    out = 't%d' % o['output']['register']
    wanted = [[encode(line.replace('OUT', out)) for line in text.split(' ; ')] for text in texts]
    if texts:
        checks.check(instructions(o) in wanted, '%s: %s' % (body, instructions(o)))
    for name, value in stats.items():
        checks.check(o['stats'][name] == value, '%s: %s %s' % (body, name, o['stats'][name]))


def programs():
    is_program('MOV result.color, program.local[0];', ['mov.sat.pack OUT, void, void, u0.xyzw'], constants=1)
    is_program('MOV result.color, fragment.position;', ['mov.sat.pack OUT, void, void, t0.xyzw'])
    is_program('MUL result.color, fragment.color, fragment.texcoord[2];',
               ['mul.sat.pack OUT, t1.xyzw, t2.xyzw, void', 'mul.sat.pack OUT, t2.xyzw, t1.xyzw, void'])
    is_program('ADD result.color, fragment.color, -fragment.texcoord[2].wzyx;',
               ['add.sat.pack OUT, t1.xyzw, void, -t2.wzyx'], constants=0)
    is_program('MAX result.color, fragment.color, fragment.texcoord;',
               ['select.lt.sat.pack OUT, t1.xyzw, t2.xyzw, t1.xyzw'])
    is_program('MIN result.color, fragment.color, fragment.texcoord;',
               ['select.gt.sat.pack OUT, t1.xyzw, t2.xyzw, t1.xyzw'])
    is_program('CMP result.color, fragment.texcoord, fragment.color, fragment.texcoord[1];',
               ['select.gez.sat.pack OUT, t2.xyzw, t3.xyzw, t1.xyzw',
                'select.lz.sat.pack OUT, t2.xyzw, t1.xyzw, t3.xyzw'])
    is_program('SGE result.color, fragment.color, fragment.texcoord;',
               ['set.ge.sat.pack OUT, t1.xyzw, t2.xyzw, void'])
    is_program('DP4 result.color, fragment.color, fragment.texcoord;',
               ['dp4.sat.pack OUT, t1.xyzw, t2.xyzw, void', 'dp4.sat.pack OUT, t2.xyzw, t1.xyzw, void'])
    is_program('RCP result.color, fragment.texcoord.z;', ['rcp.sat.pack OUT, void, void, t1.zzzz'])
    o = compile_('DPH result.color, fragment.color, fragment.texcoord;')
    added = instructions(o)[-1][3]
    checks.check([w[0] & 63 for w in instructions(o)] == [5, 1] and added >> 4 & 511 == 2 and
                 added >> 14 & 255 == swizzle('wwww'), 'DPH: %s' % instructions(o))
    # RSQ takes the root of |x|, an absolute operand
    o = compile_('RSQ result.color, fragment.texcoord.z;')
    root = 'rsq.sat.pack t%d, void, void, |t1.zzzz|' % o['output']['register']
    checks.check(instructions(o) == [encode(root)], 'RSQ')
    # the bias of a lookup is the second source operand, by the facts and by Mesa's pairs
    is_program('TXB result.color, fragment.texcoord, texture[3], 2D;',
               ['texldb OUT, tex3.xyzw, t1.xyxw, t1.wwww, void ; mov.sat.pack OUT, void, void, OUT.xyzw'])
    # an instruction can read one uniform register: constants that fit into four lanes share one, others are
    # moved to a temporary
    is_program('MAD result.color, fragment.color, program.local[0].x, program.local[1].y;',
               ['mad.sat.pack OUT, t1.xyzw, u0.xxxx, u0.yyyy', 'mad.sat.pack OUT, t1.xyzw, u0.yyyy, u0.xxxx'],
               constants=1, moves=0, instructions=1)
    is_program('MAD result.color, fragment.color, program.local[0], program.local[1];', [], constants=2,
               moves=1, instructions=2)
    is_program('MAD result.color, fragment.color, program.local[0], program.local[1];', [], 'one-uniform=0',
               constants=2, moves=0, instructions=1)
    is_program('MAD result.color, fragment.color, program.local[0], program.local[0].wzyx;', [], constants=1,
               moves=0, instructions=1)
    # an immediate in an instruction has the upper 20 bits of a float
    half = 'mul.sat.pack OUT, t1.xyzw, 0.500000, void'
    is_program('MUL result.color, fragment.color, 0.5;', [half, 'mul.sat.pack OUT, 0.500000, t1.xyzw, void'],
               'halti=2', constants=0)
    is_program('MUL result.color, fragment.color, 0.5;', [], 'halti=1', constants=1)
    is_program('MUL result.color, fragment.color, 0.1;', [], 'halti=2', constants=1)
    is_program('MUL result.color, fragment.color, 1.0001220703125;', [], 'halti=2', constants=1)
    # t0 holds the position; four scalars share one register
    is_program('TEMP a; RCP a.x, fragment.texcoord.x; RCP a.y, fragment.texcoord.y; RCP a.z, '
               'fragment.texcoord.z; RCP a.w, fragment.texcoord.w; MOV result.color, a;', [], registers=2,
               instructions=4)
    # saturation is folded into the instruction only if its unsaturated result has no other use
    is_program('TEMP a; TEMP b; MUL a, fragment.color, fragment.texcoord; MOV_SAT b, a;'
               'SUB result.color, b, a;', [], instructions=3)
    is_program('TEMP a; MUL a, fragment.color, fragment.texcoord; MOV result.color, a;',
               ['mul.sat.pack OUT, t1.xyzw, t2.xyzw, void', 'mul.sat.pack OUT, t2.xyzw, t1.xyzw, void'])
    o = compile_('TEMP a; TEMP b; TEX a, fragment.texcoord, texture[0], 2D; TEX b, fragment.texcoord, '
                 'texture[1], 2D; MUL result.color, a, b;')
    checks.check(sorted(w[0] >> 27 for w in instructions(o) if w[0] & 63 == 0x18) == [0, 1], 'two textures')
    # two texels are written into different components of one register, which another lookup reads
    o = compile_('TEMP a; TEMP b; TEX a, fragment.texcoord, texture[0], 2D; TEX b, fragment.texcoord[1], '
                 'texture[1], 2D; MOV a.y, b.x; TEX result.color, a, texture[2], 2D;')
    selected = {w[0] >> 27: [w[1] >> 3 + 2 * p & 3 for p in range(4) if w[0] >> 23 + p & 1]
                for w in instructions(o) if w[0] & 63 == 0x18}
    checks.check(selected[0] == selected[1] == [0] and len(instructions(o)) <= 4, 'two texels: %s' % selected)
    o = compile_('LG2 result.color, fragment.texcoord.x;', 'new-transcendentals=1')
    first, second = instructions(o)
    checks.check(first[0] & 63 == 0x12 and first[1] & 3 == 1 and first[0] >> 23 & 15 in (3, 12) and
                 second[0] & 63 == 3, 'LG2 in its new form')
    o = compile_('KIL fragment.texcoord.xyxy; MOV result.color, fragment.color;')
    kills = [w for w in instructions(o) if w[0] & 63 == 0x17]
    checks.check(len(kills) == 2 and all(w[0] == 0x17 | 15 << 6 for w in kills), 'KIL: one a number')
    o = compile_('MOV result.color, fragment.color;')
    checks.check(o['output']['register'] >= 1 and [i['temp'] for i in o['inputs']] == [1], 'inputs follow t0')


def refusals():
    for body, code, *options in (
            ('MOV result.depth, fragment.color; MOV result.color, fragment.color;', 'outputs'),
            ('TEX result.color, fragment.texcoord, texture[0], RECT;', 'target'),
            ('TEX result.color, fragment.texcoord, texture[8], 2D;', 'textures'),
            ('TEX result.color, fragment.texcoord, texture[16], 2D;', 'textures', 'halti=1'),
            ('TEMP a; MOV a, fragment.color;' + 'MAD a, a, a, fragment.color;' * 300 + 'MOV result.color, a;',
             'instructions'),
            ('TEMP a; MOV a, fragment.color;' +
             ''.join('MAD a, a, a, program.local[%d];' % i for i in range(65)) + 'MOV result.color, a;',
             'constants')):
        o = compile_(body, *options)
        checks.check(not o['fits'] and o['code'] == code and o['would_fit_if'],
                     '%s: %s' % (body[:80], o.get('code')))
    o = compile_('TEX result.color, fragment.texcoord, texture[8], 2D;', 'halti=1')
    checks.check(o['fits'], 'halti 1')
    bad = Run(['convert', '--to', 'etnaviv', '--chip-option', 'halti=6', '-e', '{T0}'])
    checks.check(bad.status == 2 and 'halti' in bad.err, 'halti=6: %s' % bad.err)
    bad = Run(['convert', '--to', 'etnaviv', '--chip-option', 'haltii', '-e', '{T0}'])
    checks.check(bad.status == 2, bad.err)
    bad = Run(['convert', '--to', 'etnaviv', '--packets', '-e', '{T0}'])
    checks.check(bad.status == 2 and 'packets' in bad.err, '--packets: %s' % bad.err)
    for words in ('0x00000000\n0x00000000\n', '0x7002 0x00000000\n', '0x0\n0x0\n0x7000 0x0\n0x0\n0x0\n'):
        checks.check(Run(['disasm', '--target', 'etnaviv', '-e', words]).status == 1, '%r is read' % words)


def interpreter():
    """Tests that the oracle's interpreter refuses a MOV with bits that the facts do not allow."""
    good = encode('mov.pack t1, void, void, t2.xyzw')

    def refuses(word, bit):
        words = [w ^ (k == word and 1 << bit) for k, w in enumerate(good)]
        try:
            etnaviv_eval.decode([(None, w) for w in words], frozenset())
        except ProgramError:
            return True
        return False
    checks.check(not refuses(0, 11), 'mov.sat is refused')
    for what, word, bit in (('condition GT', 0, 6), ('condition 16', 0, 10), ('texture 1', 0, 27),
                            ("a lookup's swizzle", 1, 3), ('source 0', 1, 11), ('source 1', 2, 6),
                            ('type', 1, 21), ('opcode bit 6', 2, 16)):
        checks.check(refuses(word, bit), 'a mov with %s is executed' % what)


def main():
    n = pairs(MESA) + pairs(COMPILER_TESTS)
    for line in MORE.strip().splitlines():
        value = [int(x, 16) for x in line[:35].split()]
        both_ways(line[37:], value, '\n'.join('0x%08x' % w for w in value))
    wrong_lines()
    checks.check(n >= 60, 'only %d pairs' % n)
    programs()
    refusals()
    interpreter()
    print('%s: %d checks, %d failed, %d pairs' % (checks.name, checks.done, checks.failed, n))
    sys.exit(1 if checks.failed else 0)


if __name__ == '__main__':
    main()
