#!/usr/bin/env python3
"""Tests the words of the target i915: recorded words (notes/facts/i915.md 9) are disassembled to fields and
to assembly text, and assembled; programs compile to known instructions; malformed packets, and programs that
exceed a limit of the chip, are refused.

    i915_words.py       TEXENVC names the program"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks, Run

checks = Checks('i915_words')

# Instructions of notes/facts/i915.md 9, each in a packet of its own, and the fields that are named there.
RECORDED = '''
7D050005 190A3C00 0 0 02203CA0 01230000 0 | DCL T 8 xyzw | MOV OC xyzw T8.X.Y.Z.W
7D050008 19180000 0 0 19083C00 0 0 16200000 01000000 0 | DCL S 0 | DCL T 0 xyzw | TEXLDP OC 0 T0
7D050008 190A3C00 0 0 190A5C00 0 0 01203CA0 01232901 24000000 | DCL T 8 xyzw | DCL T 9 xyz \
    | ADD OC xyzw T8.X.Y.Z.W T9.X.Y.Z.ZERO
7D050005 15000000 01000000 0 15000001 00000000 0 | TEXLD R 0 T0 | TEXLD R 1 R0
7D050002 03203C00 01232801 23000000 | MUL OC xyzw R0.X.Y.Z.W T8.X.Y.Z.W
7D050002 04603C00 55532801 23000124 | MAD OC sat xyzw R0.ONE.ONE.ONE.W T8.X.Y.Z.W R0.X.Y.Z.ZERO
7D050002 18300000 00040000 0 | TEXKILL U 0 R2
7D050002 0D203C02 89AB2901 25280123 | CMP OC xyzw R0.NEG_X.NEG_Y.NEG_Z.NEG_W T9.X.Y.Z.ONE T8.X.Y.Z.W
7D050002 02282280 01220000 0 | MOV OD w OD0.X.Y.Z.Z
7D050002 04203D00 0123C001 23C10123 | MAD OC xyzw CONST0.X.Y.Z.W U0.X.Y.Z.W U1.X.Y.Z.W
7D050002 02203C00 54450000 0 | MOV OC xyzw R0.ONE.ZERO.ZERO.ONE
'''
SOURCES = {'ADD': 2, 'MUL': 2, 'MAD': 3, 'CMP': 3, 'MOV': 1, 'DP4': 2, 'RSQ': 1, 'EXP': 1, 'MAX': 2, 'MIN': 2}


def fields(line):
    return dict(part.split('=') for part in line.split('#')[0].split()[1:])


def number(value):
    return int(value, 0)


def said(lines):
    """Returns the fields printed for the three words of an instruction in the notation of RECORDED."""
    first, second, third = map(fields, lines)
    op = first.get('OP', 'NOP')
    if op == 'DCL':
        mask = [] if first['FILE'] == 'S' else [first['MASK']]
        return ' '.join(['DCL', first['FILE'], str(number(first.get('REGISTER', '0'))), *mask])
    file = first.get('DST_FILE', 'R')
    if op.startswith('TEX'):
        coord = second.get('COORD_FILE', 'R') + str(number(second.get('COORD', '0')))
        return '%s %s %d %s' % (op, file, number(first.get('SAMPLER', '0')), coord)
    out, all_fields = [op, file] + ['sat'] * ('SAT' in first), {**first, **second, **third}
    out.append(first['MASK'])
    for s in range(SOURCES[op]):
        name = 'SRC%d' % s
        register = all_fields.get(name + '_FILE', 'R') + str(number(all_fields.get(name, '0')))
        out.append('.'.join([register] + [all_fields.get(name + '_' + c, 'X') for c in 'XYZW']))
    return ' '.join(out)


def recorded():
    for line in RECORDED.strip().splitlines():
        words, *texts = [part.strip() for part in line.split('|')]
        value = [int(w, 16) for w in words.split()]
        shown = Run(['disasm', '--target', 'i915', '--fields', '-e',
                     '\n'.join('0x%08x' % w for w in value)])
        lines = shown.out.splitlines()
        if not checks.check(shown.status == 0 and len(lines) == len(value), '%s: %s' % (words, shown.err)):
            continue
        got = [said(lines[n:n + 3]) for n in range(1, len(lines), 3)]
        checks.check(got == texts, '%s: %s' % (words, got))
        again = Run(['asm', '--target', 'i915', '-e', shown.out])
        checks.check([int(w, 16) for w in again.out.split()] == value, '%s: assembled %s' % (words, again.out))


# The three words of an instruction and its assembly text, in the notation of libdrm's decoder
# (intel_decode.c), derived by hand. -: the words have no assembly text, since the notation could not express
# all of their bits. (For TEXKILL, and for CMP with three operands, the notation is ours.)
TEXTS = '''
190A3C00 0 0 DCL DIFFUSE.xyzw
190A5C00 0 0 DCL SPECULAR.xyz
190AA000 0 0 DCL FOG.w
19083C00 0 0 DCL T0.xyzw
19180000 0 0 DCL S0 2D
19584000 0 0 DCL S1 CUBE
19D8C000 0 0 -
1998C000 0 0 DCL S3 3D
02203CA0 01230000 0 MOV oC, DIFFUSE
16200000 01000000 0 TEXLDP oC, S0, T0
15000001 00000000 0 TEXLD R0, S1, R0
17034003 01120000 0 TEXLDB R13, S3, SPECULAR
17034003 01100000 0 TEXLDB R13, S3, DIFFUSE
18300000 00040000 0 TEXKILL U0, R2
01203CA0 01232901 24000000 ADD oC, DIFFUSE, SPECULAR.xyz0
03203C00 01232801 23000000 MUL oC, R0, DIFFUSE
04603C00 55532801 23000124 MAD oC.sat, R0.111w, DIFFUSE, R0.xyz0
0D203C00 89AB2901 25280123 CMP oC, R0.-x-y-z-w, SPECULAR.xyz1, DIFFUSE
0D203C02 89AB2901 25280123 -
02282280 01220000 0 MOV oD.w, oD.xyzz
02303D04 01230000 0 MOV U0, C1
02307D08 01230000 0 MOV U1, C2
04203D00 0123C001 23C10123 MAD oC, C0, U0, U1
02203C00 54450000 0 MOV oC, R0.1001
0A003400 CD330000 0 RSQ R0.xzw, R0.-0-1ww
02203C00 61230000 0 -
00000000 0 0 NOP
'''


def texts():
    for line in TEXTS.strip().splitlines():
        *words, text = line.split(None, 3)
        value = ['0x7d050002'] + ['0x%08x' % int(w, 16) for w in words]
        shown = Run(['disasm', '--target', 'i915', '-e', '\n'.join(value)]).out.splitlines()
        want = ['%s # %s' % (text, ' '.join(value[1:]))] if text != '-' else []
        checks.check(shown[1:] == want if want else len(shown) == 4, '%s: %s' % (line, shown))
        again = Run(['asm', '--target', 'i915', '-e', '\n'.join([shown[0], text] if want else shown)])
        checks.check(again.out.split() == value, '%s: assembled %s %s' % (line, again.out, again.err))


def refused_texts():
    for text, column, message in (
            ('MUL R2.x.sat, R0.wwww', 22, 'it takes 3 operands, 2 given'),
            ('MUL R2, R0, T1.xyzq', 19, "'x' is expected"),
            ('MOV R16, R0', 6, '0 to 15 are possible here'),
            ('ADD R1, R0, C32', 14, '0 to 31 are possible here'),
            ('ADD R1, R0, Q2', 13, "'R' is expected"),
            ('TEXLD R0, S16, T0', 12, '0 to 15 are possible here'),
            ('DCL S0 4D', 8, "i915 has no '4D' here"),
            ('MOV R0, R1 x', 12, 'the instruction should end here'),
            ('SIN R0, R1', 1, "i915 has no register or operation 'SIN'")):
        run = Run(['asm', '--target', 'i915', '-e', 'PIXEL_SHADER_PROGRAM LENGTH=2\n' + text])
        want = '<text>:2:%d: error: %s [' % (column, message)
        checks.check(run.status == 1 and want in run.err and not run.out, '%s: %s' % (text, run.err))


def refused_words():
    for words, message in (
            ('7D050005 190A3C00 0 0', 'no packet'),                        # the packet is cut off
            ('7D050003 190A3C00 0 0 0', 'no packet'),                      # an incomplete instruction
            ('7D050002 1A000000 0 0', 'no packet'),                        # an operation that does not exist
            ('7D050002 190A3C01 0 0', 'reserved bits are set: 0x1'),
            ('7D050002 16000010 01000000 0', 'reserved bits are set: 0x10'),
            ('7D050002 16000000 01000000 1', 'reserved bits are set: 0x1'),
            ('7D060004 3 0 0 0 0', 'no packet'),                           # two constants announced, one given
            ('7D060004 1 0 0 0', 'no packet'), ('190A3C00 0 0', 'no packet')):
        run = Run(['disasm', '--target', 'i915', '-e', '\n'.join(words.split())])
        checks.check(run.status == 1 and message in run.err and not run.out, '%s: %s' % (words, run.err))


def compiled(body):
    return Run(['convert', '--from', 'arbfp', '--to', 'i915', '--format', 'json', '-'],
               stdin='!!ARBfp1.0\n%s\nEND\n' % body)


def instructions(body):
    run = compiled(body)
    if not checks.check(run.status == 0, '%s: %s' % (body, run.err)):
        return []
    o = json.loads(run.out)[0]
    words = [int(w, 16) for _, w in o['words']]
    text = Run(['disasm', '--target', 'i915', '--fields', '-e',
                '\n'.join('0x%08x' % w for w in words)]).out.splitlines()
    end = (words[0] & 511) + 2
    return [said(text[n:n + 3]) for n in range(1, end, 3) if 'OP=DCL' not in text[n]]


def programs():
    for body, *want in (
            # each channel of an operand has its own sign, swizzle, 0 or 1
            ('SWZ result.color, fragment.color, -y, 1, 0, w;', r'MOV OC( sat)? xyzw T8\.NEG_Y\.ONE\.ZERO\.W'),
            ('DPH result.color, fragment.color, fragment.texcoord[2];',
             r'DP4 OC( sat)? xyzw T8\.X\.Y\.Z\.ONE T2\.X\.Y\.Z\.W'),
            ('CMP result.color, fragment.texcoord[0], fragment.color, fragment.texcoord[1];',
             r'CMP OC( sat)? xyzw T0\.X\.Y\.Z\.W T1\.X\.Y\.Z\.W T8\.X\.Y\.Z\.W'),
            ('RSQ result.color, fragment.texcoord[0].z;', r'RSQ OC( sat)? xyzw T0\.Z\.Z\.Z\.Z'),
            ('MOV result.color, fragment.fogcoord.x;', r'MOV OC( sat)? xyzw T10\.W\.W\.W\.W'),
            ('TEX result.color, fragment.texcoord[1], texture[3], CUBE;', r'TEXLD OC 3 T1'),
            ('TXB result.color, fragment.texcoord[1], texture[3], 2D;', r'TEXLDB OC 3 T1'),
            ('KIL fragment.texcoord[1]; MOV result.color, fragment.color;', r'TEXKILL U 0 T1', r'MOV OC .*'),
            ('MOV result.depth.z, fragment.texcoord[1].x; MOV result.color, fragment.color;',
             r'MOV OC .*', r'MOV OD w T1\.X\.X\.X\.X')):
        got = instructions(body)
        good = len(got) == len(want) and all(re.fullmatch(w, g) for w, g in zip(want, got))
        checks.check(good, '%s: %s' % (body, got))


def limits():
    chain = 'TEMP t; MOV t, fragment.texcoord[0]; %s MOV result.color, t;'
    for count, fits in ((3, True), (4, False)):     # the chip has four phases
        run = compiled(chain % ''.join('TEX t, t, texture[%d], 2D;' % n for n in range(count + 1)))
        checks.check(run.status == (0 if fits else 3), '%d dependent lookups: %s' % (count, run.err))
        checks.check(fits or '"code": "indirections"' in run.out, 'phases: %s' % run.out)
    for count, fits in ((63, True), (70, False)):   # the chip has 64 arithmetic instructions
        run = compiled(chain % ('EX2 t, t.x; ADD t, t, fragment.color;' * (count // 2)))
        checks.check(run.status == (0 if fits else 3), '%d operations: %s' % (count, run.err))
    for body, reason in (('SIN result.color, fragment.color.x;', 'sin'),
                         ('MOV result.color, fragment.color.secondary;', 'alpha of the secondary'),
                         ('TEX result.color, fragment.texcoord[0], texture[0], SHADOW2D;', 'comparison')):
        head = 'OPTION ARB_fragment_program_shadow;\n' if 'SHADOW' in body else ''
        run = compiled(head + body)
        checks.check(run.status == 3 and reason in run.out, '%s: %s %s' % (body, run.out, run.err))


recorded()
texts()
refused_texts()
refused_words()
programs()
limits()
checks.finish()
