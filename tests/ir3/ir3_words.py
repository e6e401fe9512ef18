#!/usr/bin/env python3
"""Tests words of the target ir3: published pairs of words and assembly text are disassembled and assembled;
programs compile to known instructions, alias tables and preambles; invalid input is refused.

    ir3_words.py       TEXENVC names the program

encode() below encodes texts by the tables of notes/facts/ir3.md B.2 and B.3 (branches and preamble flags by
Mesa's ir3-cat0.xml), so that the pairs test those tables, too."""
import json
import os
import re
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks, Run

checks = Checks('ir3_words')

# Mesa, src/freedreno/ir3/tests/disasm.c (words made by Qualcomm's driver), and pairs from the facts: those
# instructions whose fields the facts describe.
PAIRS = '''
00000000_00000000 nop
00000200_00000000 (rpt2)nop
00010000_00000000 (eq)nop
03000000_00000000 end
00800000_00000004 br p0.x, #4
00800000_fffffffc br p0.x, #-4
00900000_00000003 br !p0.x, #3
03820000_00000015 shps #21
04021000_00000000 (ss)shpe
02820000_00000014 getone #20
00906020_00000007 brao !p0.x, !p0.y, #7
00804040_00000003 braa p0.x, p0.y, #3
07820000_00000000 prede
06820000_00000000 predt
07020000_00000000 predf
20244000_00000020 mov.f32f32 r0.x, c8.x
20200000_00000020 mov.f16f16 hr0.x, hc8.x
20150000_00000000 cov.s32s16 hr0.x, r0.x
20156004_00000c11 (ul)mov.s32s32 r1.x, c<a0.x + 17>
20244905_00000410 (rpt1)mov.f32f32 r1.y, (r)c260.x
20174004_00000008 mov.s32s32 r<a0.x + 4>, r2.x
20130000_00000005 mov.s16s16 hr<a0.x>, hr1.y
20110004_00000800 mov.s16s16 hr1.x, hr<a0.x>
20510005_0000ffff mov.s16s16 hr1.y, -1
20400005_00003900 mov.f16f16 hr1.y, h(0.625000)
20400006_00003800 mov.f16f16 hr1.z, h(0.500000)
40104002_0c210001 add.f hr0.z, r0.y, c<a0.x + 33>
40b80804_10408004 (nop3) cmps.f.lt r1.x, (abs)r1.x, c16.x
47308a02_00002000 (rpt2)bary.f (ei)r0.z, (r)0, r0.x
47308802_00002000 (nop1) bary.f (ei)r0.z, 0, r0.x
47348000_00002000 flat.b (ei)r0.x, 0, r0.x
473c8000_00002000 (nop2) flat.b (ei)r0.x, 0, r0.x
43480801_00008001 (nop3) absneg.s hr0.y, (abs)hr0.y
42280807_27ff0000 (nop3) add.s hr1.w, hr0.x, h(-1)
40a500f8_2c000004 cmps.f.ne p0.x, hr1.x, h(0.0)
438000f8_20010009 and.b p0.x, hr2.y, h(1)
438000f9_00020001 and.b p0.y, hr0.y, hr0.z
40080902_50200006 (rpt1)add.f hr0.z, (r)hr1.z, (neg)(r)hc8.x
42380c01_00040001 (sat)(nop3) add.s r0.y, r0.y, r1.x
42480000_48801086 (nop2) sub.u hr0.x, hc33.z, (neg)hr<a0.x + 128>
40100007_68020008 add.f r1.w, r2.x, (neg)(1.0)
50600004_2c010004 (sy)mul.f hr1.x, hr1.x, h(0.5)
46b00001_00001020 clz.b r0.y, c8.x
46700009_00000009 bfrev.b r2.y, r2.y
66000000_10421041 sel.f16 hr0.x, hc16.y, hr0.x, hc16.z
64848109_109a9099 (rpt1)sel.b32 r2.y, c38.y, (r)r2.y, c38.z
64810904_30521036 (rpt1)sel.b32 r1.x, (r)c13.z, r0.z, (r)c20.z
64818902_20041032 (rpt1)sel.b32 r0.z, (r)c12.z, r0.w, (r)r1.x
63820005_10315030 mad.f32 r1.y, (neg)c12.x, r1.x, c12.y
62050009_00091000 mad.u24 r2.y, c0.x, r2.z, r2.y
61828008_00081033 madsh.m16 r2.x, c12.w, r1.y, r2.x
8010000a_00000003 rcp r2.z, r0.w
a3801102_00000001 dsx (f32)(x)r0.z, r0.x
a3c01102_00000001 dsy (f32)(x)r0.z, r0.x
a1000f00_00000004 samb (f16)(xyzw)hr0.x, hr0.z, hr0.x, s#0, t#0
a1000f00_00000003 samb (f16)(xyzw)hr0.x, r0.y, r0.x, s#0, t#0
a0c00f00_04400002 sam (f16)(xyzw)hr0.x, hr0.y, s#2, t#2
a0c01f04_0cc00005 sam (f32)(xyzw)r1.x, r0.z, s#6, t#6
e41401a0_bfba7736 alias.tex.f32.1 r40.x, (-1.456763)
e40c0009_00000007 alias.tex.f32.0 r2.y, c1.w
ec1501a0_00000006 (jp)alias.tex.b32.1 r40.x, (0x6)
e41100a0_00000002 alias.tex.b16.0 hr40.x, h(0x2)
e4108003_00003c00 alias.rt.f16.0 rt0.w, h(1.000000)
f4088000_00000000 (sy)alias.rt.f16.0 rt0.x, hc0.x
e40c8008_00000010 alias.rt.f32.0 rt2.x, c4.x
e4148008_3f800000 alias.rt.f32.0 rt2.x, (1.000000)
e4158007_000000ff alias.rt.b32.0 rt1.w, (0xff)
'''
# The same file, and notes/facts/ir3.md B.2: instructions that encode() cannot encode.
MORE = '''
02800000_00000000 kill p0.x
00800063_0000001e brac.3 #30
201100f4_00000000 mova a0.x, hr0.x
204880f5_00000000 mova1 a1.x, 0
2004c005_00000405 cov.f32u32 r1.y, (last)r1.y
240cc004_00030201 swz.u32u32 r1.x, r0.w, r0.y, r0.z
2400c105_04030201 gat.f16u32 r1.y, hr0.y, hr0.z, hr0.w, hr1.x
240c0205_04030201 sct.u32f16 hr1.y, hr0.z, hr0.w, hr1.x, r0.y
2400c205_04030201 sct.f16u32 r1.y, r0.z, r0.w, r1.x, hr0.y
40100007_68060008 add.f r1.w, r2.x, (neg)(1/pi)
40100007_68090008 add.f r1.w, r2.x, (neg)(1/log2(10))
50600004_2c080004 (sy)mul.f hr1.x, hr1.x, h(log2(e))
42380800_04010400 (nop3) add.s r0.x, (last)r0.x, (last)r0.y
4490000c_10534007 add.f.mul2 r3.x, (neg)r1.w, c20.w
6286880e_040ee002 (nop3) mad.f32.mul2 r3.z, (neg)r0.z, r3.y, (last)r3.z
64838806_04088406 (nop3) sel.b32 r1.z, (last)r1.z, r1.w, (last)r2.x
a0c89f04_c4600005 sam.base1 (f32)(xyzw)r1.x, r0.z, s#3, t#2
a0c81f07_0100000b sam.s2en.uniform (f32)(xyzw)r1.w, r1.y, hr2.x
a0c81f00_40000005 sam.s2en.nonuniform.base0 (f32)(xyzw)r0.x, r0.z, r0.x
a048d107_e0080a07 isaml.base3 (s32)(x)r1.w, r0.w, r1.y, s#0, a1.x
a1489f34_25e06e07 saml.s2en.uniform.base1 (f32)(xyzw)r13.x, r0.w, r13.w, r11.w, a1.x
a00c3101_c2040001 isam.v.base0 (u32)(x)r0.y, r0.x, s#0, t#1
a00c3101_c2000001 isam.v.base0.1d (u32)(x)r0.y, r0.x, s#0, t#1
a2802f00_00000001 getsize (u16)(xyzw)hr0.x, r0.x, t#0
'''
# Invalid lines, with the column and text of the error
WRONG = (
    ('mad.f32 r1.y, c12.x, r1.x', 26, 'it takes 4 operands, 3 given'),
    ('add.f r70.x, r0.x, r1.x', 8, '0 to 63 are possible here'),
    ('add.f r0.x, c512.x, r1.x', 14, '0 to 511 are possible here'),
    ('add.f r0.x, hr0.x, r1.x', 20, 'does not go with'),
    ('mov.f32f32 hr0.x, r1.x', 12, "'r' is expected"),
    ('add.f r0.x, (r)r0.x, r1.x', 16, 'does not go with'),
    ('mov.f32f16 hr0.x, r1.x', 23, 'do not go together'),
    ('(sy)(ss)adf r0.x, r0.x', 9, "ir3 has no register or operation 'adf'"),
    ('cmps.f.xx r0.x, r0.x, r0.x', 8, "ir3 has no 'xx' here"),
    ('(rpt5)add.f r0.x, r0.x, r1.x', 7, 'at most 3 is possible'),
    ('add.s r0.x, r0.x, 1024', 19, '-1024 to 1023'),
    ('end r0.x', 5, 'should end here'),
    ('add.f r0.x', 11, 'it takes 3 operands, 1 given'),
)
# Words with bit 54 set, which the chip ignores (notes/facts/ir3.md B.3)
DONT_CARE = ('e45401a0_bfba7736', 'e44c0009_00000007')
CAT0 = {'nop': (0, 0), 'br': (1, 0), 'brao': (1, 0), 'braa': (1, 0), 'kill': (5, 0), 'end': (6, 0),
        'shps': (7, 1), 'shpe': (8, 1), 'getone': (5, 1), 'predt': (13, 1), 'predf': (14, 1), 'prede': (15, 1)}
TYPES = 'f16 f32 u16 u32 s16 s32 u8 s8'.split()
CAT2 = {'add.f': 0, 'min.f': 1, 'max.f': 2, 'mul.f': 3, 'cmps.f': 5, 'absneg.f': 6, 'floor.f': 9, 'add.s': 0x11,
        'sub.u': 0x12, 'absneg.s': 0x1a, 'and.b': 0x1c, 'clz.b': 0x35, 'bfrev.b': 0x33, 'flat.b': 0x39,
        'bary.f': 0x39}
CONDS = 'lt le gt ge eq ne'.split()
CAT3 = {'madsh.m16': 3, 'mad.u24': 4, 'mad.f16': 6, 'mad.f32': 7, 'sel.b32': 9, 'sel.f16': 12}
CAT4 = {'rcp': 0, 'rsq': 1, 'log2': 2, 'exp2': 3, 'sin': 4, 'cos': 5}
CAT5 = {'sam': 3, 'samb': 4, 'dsx': 14, 'dsy': 15}
TABLE = {'0.0': 0, '0.5': 1, '1.0': 2, '2.0': 3, '4.0': 11}


def register(text):
    """Parses a register; returns its number and whether it is a half register."""
    m = re.match(r'(h?)(r|c|p|a|rt)(\d+)\.([xyzw])$', text)
    base = {'p': 62, 'a': 61}.get(m[2], int(m[3]))
    return 4 * base + 'xyzw'.index(m[4]), bool(m[1])


def flags(text):
    """Parses leading flags; returns ({flag: number}, the rest of the text)."""
    found = {}
    while True:
        m = re.match(r'\((ss|sy|jp|ul|eq|sat|ei|r|neg|abs|rpt|nop)(\d*)\)\s*', text)
        if not m:
            return found, text
        found[m[1]] = int(m[2] or 1)
        text = text[m.end():]


def float_bits(text, half):
    return struct.unpack('<H' if half else '<I', struct.pack('<e' if half else '<f', float(text)))[0]


def source(text):
    """Parses an operand; returns its fields: kind, value, r, mod (bit 0 neg, bit 1 abs), half."""
    f, text = flags(text.strip())
    out = {'r': f.get('r', 0), 'mod': f.get('neg', 0) | f.get('abs', 0) << 1, 'half': text.startswith('h')}
    m = re.match(r'(h?)([rc])<a0\.x(?: \+ (\d+))?>$', text)
    if m:
        return {**out, 'kind': 1, 'value': (m[2] == 'c') << 10 | int(m[3] or 0), 'relative': 1}
    if re.match(r'h?[rpa]\d', text):
        return {**out, 'kind': 0, 'value': register(text)[0]}
    if re.match(r'h?c\d', text):
        return {**out, 'kind': 2, 'value': register(text)[0]}
    inner = re.sub(r'^h?\(|\)$', '', text)
    return {**out, 'kind': 4, 'text': inner, 'value': int(inner, 0) & 0x7ff if re.match(r'-?(0x)?[\da-f]+$', inner)
            else None}


def operand_16(s):
    if s['kind'] == 4 and s['value'] is None:
        return s['mod'] << 14 | 5 << 11 | s['half'] << 10 | TABLE[s['text']]
    return s['mod'] << 14 | s['kind'] << 11 | s['value']


def cat0(f, name, args):
    opc, high = CAT0[name]
    w = opc << 55 | high << 49 | f.get('eq', 0) << 48 | f.get('rpt', 0) << 40
    w |= {'brao': 1, 'braa': 2}.get(name, 0) << 37
    for n, arg in enumerate(args):
        if arg.startswith('#'):
            w |= int(arg[1:]) & 0xffffffff
        else:
            invert, component = arg.startswith('!'), 'xyzw'.index(arg[-1])
            w |= invert << (52, 45)[n] | component << (53, 46)[n]
    return w


def cat1(f, name, args):
    kinds = re.match(r'(?:mov|cov)\.([fus]\d+)([fus]\d+)$', name)
    w = TYPES.index(kinds[1]) << 50 | TYPES.index(kinds[2]) << 46 | f.get('rpt', 0) << 40
    m = re.match(r'h?r<a0\.x(?: \+ (\d+))?>$', args[0])
    w |= (1 << 49 | int(m[1] or 0) << 32) if m else register(args[0])[0] << 32
    s = source(args[1])
    if s['kind'] == 4:
        bits = int(s['text']) & 0xffff if '.' not in s['text'] else float_bits(s['text'], s['half'])
        return w | 2 << 53 | bits
    kind = {0: 0, 1: 0, 2: 1}[s['kind']]
    return w | s['r'] << 43 | kind << 53 | s['value'] | (1 << 11 if s['kind'] == 1 else 0)


def again(f, *r):
    """Returns the (r) bits of the operands. In an instruction that is not repeated, those of the first two
    operands hold the number of empty slots after it."""
    return (r if f.get('rpt') else (f.get('nop', 0) & 1, f.get('nop', 0) >> 1, *r[2:]))


def cat2(f, name, args):
    parts = name.split('.')
    base = '.'.join(parts[:2])
    more, args[0] = flags(args[0])
    dest, half_dest = register(args[0])
    sources = [source(a) for a in args[1:]]
    full = not any(s['half'] for s in sources)
    r = again(f, *[s['r'] for s in sources] + [0, 0])
    w = CAT2[base] << 53 | dest << 32 | f.get('rpt', 0) << 40 | f.get('sat', 0) << 42 | r[0] << 43 | r[1] << 51
    w |= full << 52 | more.get('ei', 0) << 47 | (base == 'flat.b') << 50
    w |= (CONDS.index(parts[2]) << 48) if base == 'cmps.f' else 0
    w |= (dest < 61 * 4 and half_dest == full) << 46
    for n, s in enumerate(sources):
        w |= operand_16(s) << 16 * n
    return w


def cat3(f, name, args):
    s = [source(a) for a in args[1:]]
    r = again(f, *[x['r'] for x in s])
    w = CAT3[name] << 55 | register(args[0])[0] << 32 | f.get('rpt', 0) << 40 | f.get('sat', 0) << 42
    for n, (low, neg, again_) in enumerate(((0, 14, 43), (47, 30, 15), (16, 31, 29))):
        w |= (s[n]['value'] | s[n]['kind'] << 11) << low | (s[n]['mod'] & 1) << neg | r[n] << again_
    return w


def cat4(f, name, args):
    s = source(args[1])
    return CAT4[name] << 53 | register(args[0])[0] << 32 | f.get('rpt', 0) << 40 | s['r'] << 43 | 1 << 52 | \
        operand_16(s)


def cat5(f, name, args):
    m = re.match(r'\((\w+)\)\((\w+)\)(\S+)$', args[0])
    w = CAT5[name] << 54 | TYPES.index(m[1]) << 44 | sum(1 << 'xyzw'.index(c) for c in m[2]) << 40
    w |= register(m[3])[0] << 32 | (not args[1].startswith('h'))
    for n, arg in enumerate([a for a in args[1:] if '#' not in a]):
        w |= register(arg)[0] << (1, 9)[n]
    for arg in args[1:]:
        if '#' in arg:
            w |= int(arg[2:]) << {'s': 21, 't': 25}[arg[0]]
    return w


def cat7(f, name, args):
    _, scope, kind, size = name.split('.')
    full = kind.endswith('32')
    s = source(args[1])
    w = 8 << 55 | (scope == 'rt') << 47 | kind.startswith('b') << 48 | full << 50 | int(size) << 40
    w |= register(args[0])[0] << 32
    if s['kind'] == 4:
        bits = int(s['text'], 16) if s['text'].startswith('0x') else float_bits(s['text'], not full)
        return w | 2 << 51 | bits
    return w | (s['kind'] == 2) << 51 | s['value']


def encode(text):
    """Encodes an instruction."""
    f, rest = flags(text)
    name, _, args = rest.partition(' ')
    args = [a.strip() for a in args.split(',')] if args else []
    category = 0 if name in CAT0 else 1 if name[:3] in ('mov', 'cov') else 3 if name in CAT3 else \
        4 if name in CAT4 else 5 if name in CAT5 else 7 if name.startswith('alias') else 2
    w = (cat0, cat1, cat2, cat3, cat4, cat5, None, cat7)[category](f, name, args)
    w |= category << 61 | f.get('sy', 0) << 60 | f.get('jp', 0) << 59
    return w | (f.get('ss', 0) << 44 | f.get('ul', 0) << 45 if category != 5 else 0)


# ---- fields: each field that disasm prints is compared with its bits by the facts ----

SOURCE_16 = {'': (0, 11), '_KIND': (11, 3), '_MOD': (14, 2)}
COMMON = {'DST': (32, 8), 'RPT': (40, 2), 'SS': (44, 1), 'UL': (45, 1), 'JP': (59, 1), 'SY': (60, 1),
          'CAT': (61, 3)}
FIELDS = {
    0: {**COMMON, 'RPT': (40, 3), 'IMMED': (0, 32), 'OPC': (55, 4), 'OPC_HI': (49, 1), 'EQ': (48, 1),
        'INDEX': (32, 5), 'BRTYPE': (37, 3), 'INV': (52, 1), 'COMP': (53, 2), 'INV2': (45, 1),
        'COMP2': (46, 2)},
    1: {**COMMON, 'SRC': (0, 32), 'SRC_R': (43, 1), 'DST_TYPE': (46, 3), 'DST_REL': (49, 1), 'SRC_TYPE': (50, 3),
        'SRC_KIND': (53, 2), 'ROUND': (55, 2), 'OPC': (57, 2)},
    2: {**COMMON, **{'SRC1' + k: v for k, v in SOURCE_16.items()},
        **{'SRC2' + k: (low + 16, n) for k, (low, n) in SOURCE_16.items()}, 'SAT': (42, 1), 'SRC1_R': (43, 1),
        'DST_CONV': (46, 1), 'EI': (47, 1), 'COND': (48, 3), 'SRC2_R': (51, 1), 'FULL': (52, 1), 'OPC': (53, 6)},
    3: {**COMMON, 'SRC1': (0, 11), 'SRC1_KIND': (11, 2), 'ALT': (13, 1), 'SRC1_NEG': (14, 1), 'SRC2_R': (15, 1),
        'SRC3': (16, 11), 'SRC3_KIND': (27, 2), 'SRC3_R': (29, 1), 'SRC2_NEG': (30, 1), 'SRC3_NEG': (31, 1),
        'SAT': (42, 1), 'SRC1_R': (43, 1), 'DST_CONV': (46, 1), 'SRC2': (47, 8), 'OPC': (55, 4)},
    4: {**COMMON, **{'SRC' + k: v for k, v in SOURCE_16.items()}, 'SAT': (42, 1), 'SRC_R': (43, 1),
        'DST_CONV': (46, 1), 'FULL': (52, 1), 'OPC': (53, 6)},
    5: {'DST': (32, 8), 'FULL': (0, 1), 'SRC1': (1, 8), 'SRC2': (9, 8), 'NOT_1D': (18, 1),
        'BASE_HI': (19, 2), 'SAMP': (21, 4),
        'TEX': (25, 7), 'WRMASK': (40, 4), 'TYPE': (44, 3), 'BASE_LO': (47, 1), '3D': (48, 1), 'ARRAY': (49, 1),
        'SHADOW': (50, 1), 'S2EN': (51, 1), 'OFFSET': (52, 1), 'PROJ': (53, 1), 'OPC': (54, 5), 'JP': (59, 1),
        'SY': (60, 1), 'CAT': (61, 3)},
    7: {'DST': (32, 8), 'SRC': (0, 32), 'SIZE_1': (40, 4), 'SS': (44, 1), 'UNUSED_LO': (45, 2), 'RT': (47, 1),
        'BITS': (48, 1), 'MEM': (49, 1), 'FULL': (50, 1), 'KIND': (51, 2), 'UNUSED_HI': (53, 2), 'OPC': (55, 4),
        'JP': (59, 1), 'SY': (60, 1), 'CAT': (61, 3)}}
def upper(codes):
    """Returns {name of an operation as disasm prints it: code}, for example {'ADD_F': 0}."""
    return {name.upper().replace('.', '_'): code for name, code in codes.items()}


NAMES = {
    (0, 'OPC'): {'NOP': 0, 'BR': 1, 'JUMP': 2, 'CALL': 3, 'RET': 4, 'KILL': 5, 'END': 6, 'SHPS': 7, 'SHPE': 8},
    (0, 'BRTYPE'): {'BRAO': 1, 'BRAA': 2}, (2, 'COND'): {c.upper(): n for n, c in enumerate(CONDS)},
    (2, 'OPC'): upper(CAT2), (3, 'OPC'): upper(CAT3), (4, 'OPC'): upper(CAT4), (5, 'OPC'): upper(CAT5),
    (7, 'OPC'): {'ALIAS': 8}}
KINDS = {'GPR': 0, 'RELATIVE': 1, 'CONST': 2, 'RELATIVE_CONST': 3, 'IMMED': 4, 'TABLE': 5}
OTHERS = {'COMP': {c: n for n, c in enumerate('xyzw')}, 'COMP2': {c: n for n, c in enumerate('xyzw')},
           'TYPE': {t.upper(): n for n, t in enumerate(TYPES)},
          'MOD': {'NEG': 1, 'ABS': 2, 'NEG_ABS': 3}, 'KIND': KINDS,
          'WRMASK': {''.join(c for k, c in enumerate('xyzw') if m >> k & 1): m for m in range(1, 16)}}


def value_of(category, key, text):
    if re.match(r'(0x[0-9a-f]+|\d+)$', text):
        return int(text, 0)
    if (category, key) in NAMES and text in NAMES[category, key]:
        return NAMES[category, key][text]
    if key in ('SRC_KIND', 'KIND') and category in (1, 7):
        return {'GPR': 0, 'CONST': 1, 'IMMED': 2}[text]
    return OTHERS[key if key in OTHERS else key.rsplit('_', 1)[-1]][text]


def said_rightly(word, lines):
    """Checks that every printed field equals the bits of the word, and that all other bits are 0."""
    category, seen = word >> 61, 0
    for line in lines:
        for part in line.split('#')[0].split()[1:]:
            key, text = part.split('=')
            low, width = FIELDS[category][key]
            if value_of(category, key, text) != word >> low & (1 << width) - 1:
                return False
            seen |= (1 << width) - 1 << low
    return word & ~seen == 0


def shown(word, *options):
    return Run(['disasm', '--target', 'ir3', *options, '-e', '0x%08x\n0x%08x' % (word & 0xffffffff, word >> 32)])


def both_ways(word, said):
    text, _, words = shown(word).out.rstrip('\n').partition(' # ')
    checks.check(text == said and words == '0x%08x 0x%08x' % (word & 0xffffffff, word >> 32),
                 '%s is printed as %s' % (said, text))
    made = Run(['asm', '--target', 'ir3', '-e', said])
    checks.check([int(x, 16) for x in made.out.split()] == [word & 0xffffffff, word >> 32],
                 '%s: assembled %s%s' % (said, made.out, made.err))


def wrong_lines():
    for text, column, said in WRONG:
        run = Run(['asm', '--target', 'ir3', '-e', text])
        place = r':1:%d: error: .*%s' % (column, re.escape(said))
        checks.check(run.status == 1 and not run.out and re.search(place, run.err), '%s: %s' % (text, run.err))


def read_and_print(word, name):
    run = shown(word, '--fields')
    lines = run.out.splitlines()
    if checks.check(run.status == 0 and len(lines) == 2, '%s: %s' % (name, run.err)):
        checks.check(said_rightly(word, lines), '%s is printed as %s' % (name, lines))
    made = Run(['asm', '--target', 'ir3', '-e', run.out])
    got = [int(x, 16) for x in made.out.split()]
    checks.check(got == [word & 0xffffffff, word >> 32], '%s: assembled %s' % (name, made.out))


def pairs():
    n = 0
    for line in PAIRS.strip().splitlines():
        word, said = line.split(' ', 1)
        word = int(word, 16)
        checks.check(encode(said) == word, '%s is %016x' % (said, encode(said)))
        read_and_print(word, said)
        both_ways(word, said)
        n += 1
    for line in MORE.strip().splitlines():
        both_ways(int(line[:17], 16), line[18:])
        n += 1
    print('%d public pairs hold' % n)
    wrong_lines()
    for word in DONT_CARE:
        read_and_print(int(word, 16), word)
    checks.check(n >= 84, 'only %d pairs' % n)
    return n


# ---- programs ----

def compile_(body, *options, source='arbfp'):
    text = '!!ARBfp1.0\n%s\nEND\n' % body if source == 'arbfp' else body
    words = [w for o in options for w in (('--alias', o) if '=' not in o else ('--chip-option', o))]
    run = Run(['convert', '--from', source, '--to', 'ir3', '--format', 'json', *words, '-'], stdin=text)
    return json.loads(run.out)[0] if run.out else {'fits': False, 'error': run.err}


def instructions(o):
    stream = [int(w, 16) for a, w in o['words'] if a is None]
    return [stream[i] | stream[i + 1] << 32 for i in range(0, len(stream), 2)]


def is_program(body, texts, *options, **stats):
    o = compile_(body, *options)
    if not checks.check(o['fits'], '%s: %s' % (body, o.get('reason'))):
        return
    if texts:
        wanted = [encode(line.strip()) for line in texts.split(';')]
        checks.check(instructions(o) == wanted, '%s: %s' % (body, ['%016x' % w for w in instructions(o)]))
    for name, value in stats.items():
        checks.check(o['stats'][name] == value, '%s: %s %s' % (body, name, o['stats'][name]))


def programs():
    # four inputs are interpolated, the last bary.f with (ei), then clamped
    o = compile_('MOV result.color, fragment.texcoord;')
    code = instructions(o)
    barys = [w for w in code if w >> 61 == 2 and w >> 53 & 63 == 0x39]
    checks.check(sum(1 + (w >> 40 & 3) for w in barys) == 4 and [w >> 47 & 1 for w in barys][-1] == 1 and
                 sum(w >> 47 & 1 for w in barys) == 1, 'bary.f: %s' % ['%016x' % w for w in code])
    clamps = [w for w in code if w >> 61 == 2 and w >> 53 & 63 == 2]
    checks.check(sum(1 + (w >> 40 & 3) for w in clamps) == 4 and all(w >> 42 & 1 for w in clamps) and
                 code[-1] == encode('end'), 'clamps')
    is_program('MUL result.color, fragment.color, 0.5;', '', constants=0)
    is_program('MUL result.color, fragment.color, 0.3;', '', constants=1)
    # numbers of the table of immediates, which have a sign of their own, are no constants
    for value, number, neg in (('4.0', 11, 0), ('-0.5', 1, 1), ('2.0', 3, 0)):
        o = compile_('TEMP a; MUL a, fragment.texcoord, %s; RCP result.color, a.x;' % value)
        product = next(w for w in instructions(o) if w >> 61 == 2 and w >> 53 & 63 in (0, 3))
        operands = (product & 0xffff, product >> 16 & 0xffff)
        checks.check(neg << 14 | 5 << 11 | number in operands and not o['constants'] or
                     value == '2.0' and product >> 53 & 63 == 0, '%s: %016x' % (value, product))
    # operations of which only one saturates cannot be combined into a repeat
    o = compile_('TEMP a; MUL_SAT a.x, fragment.texcoord.x, 3; MUL a.y, fragment.texcoord.y, 3;'
                 'TEX result.color, a, texture[0], 2D;')
    products = [w for w in instructions(o) if w >> 61 == 2 and w >> 53 & 63 == 3]
    checks.check(sorted(w >> 42 & 1 for w in products) == [0, 1], 'clamps: %s' % ['%016x' % w for w in products])
    # a use of a category 4 result waits by (ss), a use of a texel by (sy)
    o = compile_('RCP result.color, fragment.texcoord.z;')
    code = instructions(o)
    checks.check([w >> 61 for w in code[:4]] == [2, 0, 4, 2] and code[3] >> 44 & 1 == 1, 'RCP: (ss)')
    o = compile_('TEX result.color, fragment.texcoord, texture[3], CUBE;')
    code = instructions(o)
    lookup = next(w for w in code if w >> 61 == 5)
    checks.check(lookup >> 48 & 1 == 1 and lookup >> 21 & 15 == 3 and lookup >> 25 & 127 == 3, 'TEX: 3D, slots')
    after = code[code.index(lookup) + 1:]
    checks.check(after[0] >> 60 & 1 == 1, 'TEX: (sy)')
    # KIL: a comparison and a kill for each component, each with its own predicate
    code = instructions(compile_('KIL fragment.texcoord.xyxy; MOV result.color, fragment.color;'))
    kills = [w & ~(1 << 44 | 1 << 60) for w in code if w >> 61 == 0 and w >> 55 & 15 == 5]
    compares = [w >> 32 & 255 for w in code if w >> 61 == 2 and w >> 53 & 63 == 5]
    checks.check(kills == [encode('kill p0.x'), encode('kill p0.y')] and compares == [248, 249], 'KIL')
    # common subexpressions are computed once
    code = instructions(compile_('TEMP a; TEMP b; RCP a, fragment.texcoord.x; RCP b, fragment.texcoord.x;'
                                 'ADD result.color, a, b;'))
    checks.check(sum(w >> 61 == 4 for w in code) == 1, 'two reciprocals')
    # values with large indices as coordinates, in a long program (a sanitizer finds reads outside of tables)
    for options in ((), ('level=7', 'plain'), ('level=7', 'best')):
        o = compile_('TEMP t; MOV t, fragment.texcoord;' +
                     300 * 'MUL t, t, fragment.color; TEX t, t, texture[0], 2D;' + 'MOV result.color, t;', *options)
        checks.check(o['fits'] and sum(w >> 61 == 5 for w in instructions(o)) == 300,
                     '300 lookups, %s: %s' % (options, o.get('reason')))


def aliases():
    """Tests what the founding document shows: a lookup whose coordinates are a register, a constant and a
    number, and two alias.rt instructions."""
    body = 'TEMP a; MOV a, fragment.texcoord; MOV a.y, program.local[0].x; MOV a.z, 0; ' \
        'TEX result.color, a, texture[0], 3D;'
    entries = {}
    for how in ('none', 'plain', 'best'):
        o = compile_(body, 'level=7', how)
        table = [w for w in instructions(o) if w >> 61 == 7 and not w >> 47 & 1]
        entries[how] = [(w >> 32 & 255, w >> 40 & 15, w >> 51 & 3, w & 0xffffffff) for w in table]
        checks.check(o['stats']['aliases'] == len(table), '%s: aliases' % how)
    checks.check(not entries['none'], 'none: %s' % entries['none'])
    checks.check([e[:3] for e in entries['plain']] == [(160, 2, 0), (161, 0, 1), (162, 0, 2)] and
                 entries['plain'][1][3] == 0 and entries['plain'][2][3] == 0, 'plain: %s' % entries['plain'])
    checks.check([e[1:3] for e in entries['best']] == [(1, 1), (0, 2)], 'best: %s' % entries['best'])
    none, plain = compile_(body, 'level=7', 'none')['stats'], compile_(body, 'level=7', 'plain')['stats']
    checks.check(plain['nops'] <= none['nops'] and plain['moves'] == 0 < none['moves'], '%s, %s' % (none, plain))
    # An alias for each component of the result that is a number. The next program has constants instead.
    o = compile_('MOV result.color, fragment.color; MOV result.color.y, 0.0; MOV result.color.w, 1.0;', 'level=7')
    bound = [w for w in instructions(o) if w >> 61 == 7]
    checks.check(bound == [encode('alias.rt.f32.0 rt0.y, (0.0)'), encode('alias.rt.f32.0 rt0.w, (1.0)')],
                 'alias.rt of numbers: %s' % ['%x' % w for w in bound])
    checks.check(o['stats']['aliased'] == 0xa and o['stats']['preamble'] == 4, 'mask: %s' % o['stats'])
    code = instructions(o)
    checks.check(code[0] == encode('shps #4') and code[3] == encode('(sy)(ss)shpe') and code[4] >> 59 & 1, 'preamble')
    registers = {int(a, 16) if isinstance(a, str) else a: int(w, 16) for a, w in o['words'] if a is not None}
    checks.check(registers[0xaa02] == 1 and registers[0xaa03] == 0xa, 'registers: %s' % registers)
    o = compile_('{C;P}', 'level=7', source='stages')
    bound = [w for w in instructions(o) if w >> 61 == 7]
    checks.check(bound == [encode('alias.rt.f32.0 rt0.%s, c0.%s' % (c, c)) for c in 'xyz'],
                 'alias.rt of constants: %s' % ['%x' % w for w in bound])
    # all eight render targets
    body = ''.join('MOV result.color[%d], %d.0;' % (n, n & 1) for n in range(8))
    o = compile_('OPTION ARB_draw_buffers;' + body, 'level=7')
    bound = [w >> 32 & 255 for w in instructions(o) if w >> 61 == 7]
    checks.check(sorted(bound) == list(range(32)) and o['stats']['aliased'] == 0xffffffff, 'all targets: %s' % bound)
    o = compile_('MOV result.color, 1.0;')
    checks.check(not any(w >> 61 == 7 for w in instructions(o)) and o['stats']['moves'] == 4, 'level 6 has none')


def refusals():
    many = ''.join('TEMP t%d; MOV t%d, fragment.texcoord[%d];MUL t%d, t%d, t%d;' % (n, n, n % 8, n, n, n)
                   for n in range(9))
    o = compile_(many + 'MOV result.color, t0;')
    checks.check(o['fits'], 'what nobody reads takes no registers')
    for body, code in (
            ('TEX result.color, fragment.texcoord, texture[16], 2D;', 'textures'),
            ('TEMP a; MOV a, fragment.color;' + ''.join(
                'MAD a, a, a, program.local[%d];' % i for i in range(257)) + 'MOV result.color, a;', 'constants')):
        o = compile_(body)
        checks.check(not o['fits'] and o['code'] == code and o['would_fit_if'], '%s: %s' % (body[:80], o.get('code')))
    for words, said in ((('--chip-option', 'level=5'), 'level'), (('--packets',), 'packets'),
                        (('--alias', 'some'), 'alias')):
        bad = Run(['convert', '--to', 'ir3', *words, '-e', '{T0}'])
        checks.check(bad.status == 2 and said in bad.err, '%s: %s' % (words, bad.err))
    for words in ('0x00000000\n', '0x0\n0xc0000000\n', '0x2000 0x0\n', '0x0\n0x80000000\n0x0\n'):
        checks.check(Run(['disasm', '--target', 'ir3', '-e', words]).status == 1, '%r is read' % words)
    for line in ('CAT4_LO\nCAT4_HI DST=256 CAT=4\n', 'CAT4_LO\nCAT4_HI DTS=1 CAT=4\n', 'CAT6_LO\n'):
        checks.check(Run(['asm', '--target', 'ir3', '-e', line]).status == 1, '%r is assembled' % line)


def main():
    n = pairs()
    programs()
    aliases()
    refusals()
    print('%s: %d checks, %d failed, %d pairs' % (checks.name, checks.done, checks.failed, n))
    sys.exit(1 if checks.failed else 0)


if __name__ == '__main__':
    main()
