#!/usr/bin/env python3
"""Tests the assembly text of chips that have stages instead of instructions (r200, i830, pica200): disasm
prints the words of a stage as a line, and asm reads the line. Also tests for these chips and i915 that asm is
the inverse of disasm on states of the corpora.

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
    ("pica200", "stage6: rgb = primary; alpha = primary", 6, "pica200 has no '6' here"),
    ("pica200", "stage0: rgb = primary; alpha = primary; constant = (256, 0, 0, 0)", 53, "0 to 255 are possible here"),
)


def by_hand():
    for row in LINES.replace("\\\n", "").strip().splitlines():
        words, _, line = (part.strip() for part in row.partition("|"))
        chip, *words = words.split()
        pairs = ["0x%s 0x%s" % tuple(w.split("=")) if "=" in w else "0x" + w for w in words]
        shown = Run(["disasm", "--target", chip, "-"], stdin="\n".join(pairs))
        want = [line + " # " + " ".join(pairs)] if line else []
        got = shown.out.splitlines()
        checks.check(got == want if want else len(got) == len(pairs), f"{row}: {shown.out} {shown.err}")
        again = Run(["asm", "--target", chip, "-"], stdin=line or shown.out)
        checks.check(again.out.splitlines() == pairs, f"{row}: assembled {again.out} {again.err}")


def refused():
    for chip, line, column, message in REFUSED:
        run = Run(["asm", "--target", chip, "-"], stdin="\n" + line)
        checks.check(run.status == 1 and not run.out and f"<stdin>:2:{column}: error: {message} [" in run.err,
                     f"{line}: {run.err}")


def of_program(chip, words):
    """Returns how many of the (address, value) words belong to stages or, on i915, to the program: the sheets
    in notes/facts give their addresses or first bytes."""
    if chip == "i915":  # the packet 3DSTATE_PIXEL_SHADER_PROGRAM has the length of the rest less one
        return sum((int(v, 16) & 0x1ff) + 1 for _, v in words if v.startswith("0x7d05"))
    if chip == "i830":
        return sum(v[2:4] in ("6d", "6e") for _, v in words)
    stages = (range(0x2f00, 0x3000) if chip == "r200" else
              [first + n for first in (0xc0, 0xc8, 0xd0, 0xd8, 0xf0, 0xf8) for n in range(5)])
    return sum(int(a, 16) in stages for a, _ in words)


def corpora():
    """Checks that asm reads the output of disasm back for states of the corpora, and that every word of a
    stage or program is shown as assembly, none as bit fields."""
    files = sorted(glob.glob(os.path.join(TOP, "tests", "corpus", "*.stages")))
    for chip in ("r200", "i830", "pica200", "i915"):
        line = r"[A-Z0-9]+ [^=]*$" if chip == "i915" else r"(stage|rgb|alpha)\d+: "
        run = Run(["convert", *files, "--to", chip, "--format", "json"])
        states = [s for s in json.loads(run.out) if s.get("fits")][::9]
        checks.check(len(states) > 5, f"{chip}: {len(states)} states")
        for s in states:
            pairs = [f"{a} {v}" if a else v for a, v in s["words"]]
            shown = Run(["disasm", "--target", chip, "-"], stdin="\n".join(pairs)).out
            again = Run(["asm", "--target", chip, "-"], stdin=shown)
            checks.check(again.out.splitlines() == pairs, f"{chip}, state {s['state']}: {again.err}")
            split = [row.split(" # ") for row in shown.splitlines()]
            told = sum(len(words.split()) for text, words in split if re.match(line, text))
            want = of_program(chip, s["words"]) * len(pairs[0].split())
            checks.check(told == want, f"{chip}, state {s['state']}: {told} of {want} words have lines")


by_hand()
refused()
corpora()
checks.finish()
