#!/usr/bin/env python3
"""Tests the assembly text of chips that have stages instead of instructions (r200, i830, pica200), and of the
fragment programs of r300, r400 and r500: disasm prints the words of a stage or instruction as a line, and
asm reads the line. Also tests for these chips and i915 that asm is the inverse of disasm on states of the
corpora and on ARB programs.

    lines.py       TEXENVC names the program

The words below are from tests/chips/words and notes/facts; their lines were derived by hand."""
import glob
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks, Run, TOP

checks = Checks("lines")

# CHIP WORDS | LINE; LINE is empty if the assembly text cannot express the words.
LINES = """
r200 2f00=0210100a 2f04=00011000 | rgb0: r0 = sat(r0.color + (diffuse.color-0.5))
r200 2f08=0210100a 2f0c=00011000 | alpha0: r0 = sat(r0.alpha + (diffuse.alpha-0.5))
r200 2f00=0000008a 2f04=00011000 | rgb0: r0 = sat(r0.color*diffuse.color)
r200 2f08=0000008a 2f0c=00031000 | alpha0: r2 = sat(r0.alpha*diffuse.alpha)
r200 2f10=30003d4c 2f14=00011000 | rgb1: r0 = sat(lerp(r1.color, r0.color, r2.alpha))
r200 2ff0=00002000 2ff4=00102700 | rgb15: none.rg = eighth(tfactor.color[0])
r200 2f00=40880109 2f04=15202103 \\
    | rgb0: none.rb = 2x(dot3(-tfactor.alpha[3].red, -tfactor.color[3].red)); rotate arg
r200 2f00=00002400 2f04=00000000 | rgb0: none = wrap(tfactor.alpha[0])
r200 2f28=6700035b 2f2c=80112030 \\
    | alpha2: r0 = cnd(tfactor1.blue[3], tfactor1.alpha[3], 2*(1-zero.green-0.5)); dot_alpha
r200 2f00=0000008a 2f04=00011001
r200 2f00=0000008a 2f04=00013000
i830 6d021103 6d060103 6e008046 6e010045 6e048046 6e050045 \
    | stage0: current.rgb = texel0*current; current.alpha = texel0*current
i830 6d121188 6d160108 6e108046 6e110047 6e100065 6e148046 6e150047 6e140055 \
    | stage1: current.rgb = lerp(texel0, texel1, current.alpha); current.alpha = lerp(texel0, texel1, \
(1-current)); last
i830 6d029507 6d068301 6e008046 6e010040 6e048043 \
    | stage0: accum.rgb = 4x(texel0 + one - 0.5); accum.alpha = 2x(diffuse)
i830 6d021103 6d060103 6e008046 6e010045 6e048046 6e150045
pica200 00c0=00000003 00c1=00000022 00c2=00000001 00c3=ffffffff 00c4=00000000 \
    | stage0: rgb = texture0.alpha*primary.alpha; alpha = primary
pica200 00f8=0f430f43 00f9=00200000 00fa=00040004 00fb=ff804001 00fc=00010002 \
    | stage5: rgb = 4x(lerp(texture0, texture1, previous)); alpha = 2x(lerp(texture0, texture1, \
previous.red)); constant = (1, 64, 128, 255)
pica200 00c8=0030003d 00c9=00003d05 00ca=00020003 00cb=ffffffff 00cc=00000000 \
    | stage1: rgb = add_signed((1-previous_buffer.red), texture0, (1-primary.blue)); \\
alpha = add((1-primary.red), texture0, primary)
pica200 00c8=00300e3d 00c9=00003005 00ca=00020003 00cb=ffffffff 00cc=00000000 \\
    | stage1: rgb = add_signed((1-previous_buffer.red), texture0, constant); \\
alpha = add((1-primary.red), texture0, primary)
r300 48c0=00050a80 46c0=1c000000 49c0=00040889 47c0=01000000 \\
    | ALU0: RGB [t0, t0, t0]: MAD out0.xyz, src0.xyz, 1; A [t0, t0, t0]: MAD out0.w, src0.w, 1
r300 4620=00008000 | TEX0: LD t0, tex0, t0
r400 48cc=00050a80 46cc=1c000021 49cc=00040889 47cc=01000000 4acc=00000011 \\
    | ALU3 EXT: RGB [c33, t0, t0]: MAD out0.xyz, src0.xyz, 1; A [t32, t0, t0]: MAD out0.w, src0.w, 1
r400 4624=00108001 | TEX1: LD t0+32, tex0, t1
r500 4254=00007807 4254=02400000 4254=e400f400 4254=00000000 4254=00000000 4254=00000000 \\
    | LD t0.xyzw, tex0.rgba, t0.rgaa; acquire; texwait
r500 4254=00078005 4254=08020000 4254=08020000 4254=00440220 4254=0060c003 4254=00000005 \\
    | RGB [t0, 0, 0]: MAX out0.xyz, src0.rgb, src0.rgb, src0.rrr; \\
A [t0, 0, 0]: MAX out0.w, src0.a, src0.a, src0.r; out; texwait
r500 4254=00000800 4254=08020000 4254=08020080 4254=00840420 4254=00000000 4254=00000001 \\
    | RGB [t0, 0, 0]: DP3 t0.x, src0.rg0, src0.rg0, src0.rrr; A [0, 0, 0]: MAD none, src0.r, src0.r, src0.r
r500 4254=00004000 4254=08020000 4254=08020080 4254=00000000 4254=0004000b 4254=00000000 \\
    | RGB [t0, 0, 0]: MAD none, src0.rrr, src0.rrr, src0.rrr; A [0, 0, 0]: RSQ t0.w, |src0.r|, src0.r, src0.r
r500 4254=00008001 4254=08020080 4254=08020000 4254=00000000 4254=0000c00a 4254=0000000a \\
    | RGB [0, 0, 0]: SOP out0.x, src0.rrr, src0.rrr, src0.rrr; \\
A [t0, 0, 0]: RCP none, src0.a, src0.r, src0.r; out
r500 4254=00070005 4254=08020080 4254=08020080 4254=00920490 4254=00c18003 4254=00000005 \\
    | RGB [0, 0, 0]: MAX out0.yz, src0.000, src0.000, src0.rrr; \\
A [0, 0, 0]: MAX out0.w, src0.1, src0.1, src0.r; out; texwait
r500 4254=0007f805 4254=08020000 4254=08020000 4254=60440220 4254=6060c013 4254=00000015 \\
    | RGB [t0, 0, 0]: MAX t1.xyz+out3.xyz, src0.rgb, src0.rgb, src0.rrr; \\
A [t0, 0, 0]: MAX t1.w+out3.w, src0.a, src0.a, src0.r; out; texwait
"""
REFUSED = (
    ("r200", "rgb16: r0 = zero", 4, "0 to 15 are possible here"),
    ("r200", "rgb0: r7 = zero", 7, "r200 has no 'r7' here"),
    ("r200", "rgb0: r0 = r0.colour", 12, "r200 has no 'r0.colour' here"),
    ("r200", "rgb0: r0 = sat(r0.color", 24, "'.' is expected"),
    ("r200", "rgb0: r0 = r0.color*tfactor.color[8]", 35, "0 to 7 are possible here"),
    ("r200", "rgb0: r0 = tfactor.color[1]*tfactor.color[2]", 44, "this does not go with what stands before it"),
    ("r200", "gamma0: r0 = zero", 1, "r200 has no register or operation 'gamma0'"),
    ("i830", "stage4: current.rgb = one; current.alpha = one", 6, "0 to 3 are possible here"),
    ("i830", "stage0: current.rgb = two; current.alpha = one", 23, "i830 has no 'two' here"),
    ("i830", "stage0: current.rgb = one", 26, "operands are expected"),
    ("r300", "ALU0: RGB [t32, t0, t0]: nop; A [t0, t0, t0]: nop", 13, "0 to 31 are possible here"),
    ("r300", "ALU64: RGB [t0, t0, t0]: nop; A [t0, t0, t0]: nop", 4, "0 to 63 are possible here"),
    ("r300", "ALU0: RGB [t0, t0, t0]: MUL t0.xyz, src0.xyz; A [t0, t0, t0]: nop", 25,
     "r300 has no 'MUL' here"),
    ("r300", "ALU0: RGB [t0, t0, t0]: nop; A [t0, t0, t0]: MAX t0.w, src0.w, src3.w", 64,
     "r300 has no 'src3.w' here"),
    ("r500", "RGB [t128, 0, 0]: nop; A [0, 0, 0]: nop", 7, "0 to 127 are possible here"),
    ("r500", "RGB [0.3, 0, 0]: nop; A [0, 0, 0]: nop", 6, "this number is no inline constant"),
    ("r500", "RGB [t1, 0, 0]: nop; A [0, 0, 0]: nop; nopp", 43, "the instruction should end here"),
    ("r500", "LD t0.xyzw, tex16.rgba, t0.rgaa", 16, "0 to 15 are possible here"),
    ("pica200", "stage6: rgb = primary; alpha = primary", 6, "pica200 has no '6' here"),
    ("pica200", "stage0: rgb = primary; alpha = primary; constant = (256, 0, 0, 0)", 53, "0 to 255 are possible here"),
)


def by_hand():
    for row in LINES.replace("\\\n", "").strip().splitlines():
        words, _, line = (part.strip() for part in row.partition("|"))
        chip, *words = words.split()
        pairs = ["0x%s 0x%s" % tuple(w.split("=")) if "=" in w else "0x" + w for w in words]
        before = ["0x4250 0x00000000"] if chip == "r500" else []  # the index of the first instruction
        shown = Run(["disasm", "--target", chip, "-"], stdin="\n".join(before + pairs))
        want = [line + " # " + " ".join(pairs)] if line else []
        first, got = shown.out.splitlines()[:len(before)], shown.out.splitlines()[len(before):]
        checks.check(got == want if want else len(got) == len(pairs), f"{row}: {shown.out} {shown.err}")
        again = Run(["asm", "--target", chip, "-"], stdin="\n".join(first + ([line] if line else got)))
        checks.check(again.out.splitlines() == before + pairs, f"{row}: assembled {again.out} {again.err}")


def refused():
    for chip, line, column, message in REFUSED:
        run = Run(["asm", "--target", chip, "-"], stdin="\n" + line)
        checks.check(run.status == 1 and not run.out and f"<stdin>:2:{column}: error: {message} [" in run.err,
                     f"{line}: {run.err}")


def of_program(chip, words):
    """Returns how many of the (address, value) words belong to stages or instructions: the sheets in
    notes/facts give their addresses or first bytes."""
    if chip == "i915":  # the packet 3DSTATE_PIXEL_SHADER_PROGRAM has the length of the rest less one
        return sum((int(v, 16) & 0x1ff) + 1 for _, v in words if v.startswith("0x7d05"))
    if chip == "i830":
        return sum(v[2:4] in ("6d", "6e") for _, v in words)
    if chip == "r500":  # the register 0x4250 says whether instructions or constants follow
        count, code = 0, False
        for a, v in words:
            code = int(v, 16) < 0x10000 if a == "0x4250" else code
            count += code and a == "0x4254"
        return count
    return sum(int(a, 16) in STAGES[chip] for a, _ in words)


LOOKUPS_AND_PAIRS = [*range(0x4620, 0x46a0), *range(0x46c0, 0x4bc0)]
STAGES = {"r200": range(0x2f00, 0x3000), "r300": LOOKUPS_AND_PAIRS, "r400": LOOKUPS_AND_PAIRS,
          "pica200": [first + n for first in (0xc0, 0xc8, 0xd0, 0xd8, 0xf0, 0xf8) for n in range(5)]}
LINE = {"r200": r"(rgb|alpha)\d+: ", "i830": r"stage\d: ", "pica200": r"stage\d: ",
        "i915": r"[A-Z0-9]+ [^=]*$", "r300": r"(ALU|TEX)\d+: ",
        "r400": r"(ALU|TEX)\d+( EXT)?: ", "r500": r"RGB \[|(LD|KIL|TXP|TXB)"}


def read_back(chip, files, step):
    """Checks that asm reads the output of disasm back, and that every word of a stage or instruction is shown
    as assembly, none as bit fields."""
    run = Run(["convert", *files, "--to", chip, "--format", "json"])
    states = [s for s in json.loads(run.out) if s.get("fits")][::step]
    checks.check(len(states) > 5, f"{chip}: {len(states)} states")
    for s in states:
        name = f"{chip}, {s['source']['file']}, state {s['state']}"
        pairs = [f"{a} {v}" if a else v for a, v in s["words"]]
        shown = Run(["disasm", "--target", chip, "-"], stdin="\n".join(pairs)).out
        again = Run(["asm", "--target", chip, "-"], stdin=shown)
        checks.check(again.out.splitlines() == pairs, f"{name}: {again.err}")
        split = [row.split(" # ") for row in shown.splitlines()]
        told = sum(len(words.split()) for text, words in split if re.match(LINE[chip], text))
        want = of_program(chip, s["words"]) * len(pairs[0].split())
        checks.check(told == want, f"{name}: {told} of {want} words have lines")


def longest():
    """Tests the most lines that are printed at once: 64 instructions of r400, whose words stand apart, each
    with all modifiers, a presubtraction and two destinations."""
    half = 15 | 3 << 5 | 15 << 7 | 3 << 12 | 15 << 14 | 3 << 19 | 1 << 21 | 1 << 27 | 1 << 30
    words = [(0x48c0, half | 1 << 31), (0x46c0, 0x3ffff | 31 << 18 | 7 << 23 | 7 << 26 | 3 << 29),
             (0x49c0, half), (0x47c0, 0x3ffff | 31 << 18 | 1 << 23 | 1 << 24 | 3 << 25), (0x4ac0, 0xff)]
    pairs = ["0x%04x 0x%08x" % (address + 4 * n, value) for address, value in words for n in range(64)]
    shown = Run(["disasm", "--target", "r400", "-"], stdin="\n".join(pairs))
    again = Run(["asm", "--target", "r400", "-"], stdin=shown.out)
    lines = [re.match(r"ALU(\d+) EXT: ", line) for line in shown.out.splitlines()]
    checks.check([m and int(m[1]) for m in lines] == list(range(64)) and again.out.splitlines() == pairs,
                 f"64 instructions of r400: {shown.err} {again.err}")


def combiners():
    """Checks that asm reads what convert prints for nv2a: programs of register combiners."""
    for file in sorted(glob.glob(os.path.join(TOP, "tests", "corpus", "*.gl")))[::25]:
        shown = Run(["convert", file, "--to", "nv2a"]).out
        again = Run(["asm", "--target", "nv2a", "-"], stdin=shown)
        want = Run(["convert", file, "--to", "nv2a", "--format", "hex"]).out
        checks.check("\n!!RC1.0\n" in shown and again.out == want, f"{file}: {shown} {again.err}")


by_hand()
refused()
longest()
combiners()
for chip in LINE:
    read_back(chip, sorted(glob.glob(os.path.join(TOP, "tests", "corpus", "*.stages"))), 20)
for chip in ("r300", "r400", "r500", "i915"):
    read_back(chip, sorted(glob.glob(os.path.join(TOP, "tests", "arbfp", "*.arbfp"))), 1)
checks.finish()
