#!/usr/bin/env python3
"""Tests the limits of r300, r400, r500 and i915 with ARB programs just below and above them. A program at a
limit must fit, use the intended number of the resource, and compute the right colour; a larger one must be
refused for that resource. (limits_r300.py does this for programs that are compiled like texture
environments.) Also tests instructions that only the intermediate text has."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool
from oracle.commands import arb, texenvc
from oracle.common import framing
from oracle.common.errors import OracleError
from oracle.hw import chips

CHECKS = tool.Checks("limits_arb")
VECTORS = 2
STEP = "MAD %s, %s.yzxw, fragment.color.zxyw, %s;"


def program(*lines):
    """Returns a program that writes temporary v to the colour by one instruction that distinguishes all
    lanes."""
    names = sorted({line.split()[1].rstrip(",").split(".")[0] for line in lines} | {"v"})
    return "\n".join(["!!ARBfp1.0", "TEMP %s;" % ", ".join(names), *lines, "FRC result.color, v;", "END", ""])


def chain(n):
    """Returns a program of n pairs, each of which reads the result of the previous one."""
    return program("MOV v, fragment.color;", *[STEP % ("v", "v", "fragment.color")] * (n - 1))


def alive(n):
    """Returns a program with n live temporaries: each is computed from the previous one, then all are read in
    the same order. The temporary that holds the primary colour is reused for the last value."""
    values = ["r%d" % i for i in range(1, n)]
    lines = [STEP % (r, before, "fragment.color") for before, r in zip(["fragment.color", *values], values)]
    last = STEP % ("v", values[-1], "fragment.color")
    return program(*lines, last, *["MAD v, v, %s, %s;" % pair for pair in zip(values[0::2], values[1::2])],
                   *["ADD v, v, %s;" % r for r in values[len(values) // 2 * 2:]])


def late(n, values):
    """Returns a program with a chain of 2*n scalars, then `values` vectors. None of these depends on the
    chain, but their readers do, so if they are all computed at once, they are all live at its end."""
    chain = ["RCP r.w, r.w;", "ADD r.w, r.w, fragment.color.x;"] * n
    ends = [line for i in range(values) for line in (
        "MAD t, fragment.color.yzxw, program.env[%d].%s, fragment.color.secondary;" % (i // 4, "xyzw"[i % 4]),
        "MAD v, v, 0.5, t;")]
    return program("ADD r, fragment.color, 1;", *chain, "MUL v, fragment.color, r.w;", *ends)


def constants(n):
    """Returns a program that reads n different constants of four numbers, alternately literals and
    local parameters."""
    own = ["{ %s }" % ", ".join(repr((4 * i + c + 1) / 4096 + 1) for c in range(4)) for i in range(n)]
    return program("MOV v, fragment.color;", *[STEP % ("v", "v", "program.local[%d]" % i if i % 2 else own[i])
                                               for i in range(n)])


def lookups(n, at_once=False):
    """Returns a program of n independent lookups; the lookups at one coordinate set precede those at the next
    one. at_once: each texel is read before the next lookup."""
    lines = ["TEX t%d, fragment.texcoord[%d], texture[%d], 2D;" % (i, i // 16, i % 16) for i in range(n)]
    reads = ["MOV v, t0;", *["MAD v, v.yzxw, t%d, t%d.zxyw;" % (i, i) for i in range(1, n)]]
    return program(*([line for pair in zip(lines, reads) for line in pair] if at_once else lines + reads))


def blocks(n, between=True):
    """Returns a program of n dependent lookups: each uses the previous one's result as coordinate."""
    lines = []
    for i in range(n):
        lines += ["TEX v, %s, texture[%d], 2D;" % ("v" if i else "fragment.color", i % 16)]
        lines += ["MAD v, v, 0.5, 0.25;"] if between else []
    return program(*lines)


def mixed(n, total):
    """Returns a program of n lookups and total - n pairs."""
    lines = ["TEX t%d, fragment.texcoord[%d], texture[%d], 2D;" % (i, i // 16, i % 16) for i in range(n)]
    return program(*lines, "MOV v, fragment.color;", *[STEP % ("v", "v", "t%d" % (i % n))
                                                       for i in range(total - n - 1)])


def again(n):
    """Returns a program of 16 lookups, then n lookups at a coordinate computed from their results."""
    lines = ["TEX t%d, fragment.texcoord[%d], texture[%d], 2D;" % (i, i % 8, i) for i in range(16)]
    more = ["TEX t%d, v, texture[%d], 2D;" % (i, 15 - i) for i in range(n)]
    sums = ["MAD v, v.yzxw, t%d, t%d.zxyw;" % (i, i) for i in range(1, 16)]
    return program(*lines, "MOV v, t0;", *sums, *more, "MOV v, t0;", *sums[:n - 1])


def attributes(n, secondary="secondary"):
    """Returns a program that reads both colours and n other inputs (coordinates, fog, position)."""
    names = ["texcoord[%d]" % i for i in range(8)] + ["fogcoord", "position"]
    return program("MUL v, fragment.color, fragment.color.%s;" % secondary,
                   *["MAD v, v, 0.25, fragment.%s;" % name for name in names[:n]])


def targets(n):
    """Returns a program with n colour outputs."""
    return "!!ARBfp1.0\nOPTION ARB_draw_buffers;\n%sEND\n" % "".join(
        "MUL result.color[%d], fragment.color, fragment.color.%s;\n" % (i, "xyzw"[i % 4]) for i in range(n))


def compile_(text, chip, level):
    converted, refused = arb.convert(text, chip, level, [])
    return converted, json.loads(converted), refused


def fits(name, text, chip, level="2", **figures):
    name = "%s on %s, -O%s" % (name, chip, level)
    try:
        converted, o, refused = compile_(text, chip, level)
        if not CHECKS.check(refused is None, "%s: refused: %s" % (name, refused)):
            return
        for key, want in figures.items():
            got = o["stats"].get(key)
            CHECKS.check(got == want, "%s: %s is %s, not %d" % (name, key, got, want))
        why = arb.Reference(text, name, VECTORS).difference(arb.read(converted, chip), chip, arb.Totals())
    except OracleError as e:
        why = str(e)
    CHECKS.check(why is None, "%s: %s" % (name, why))


def refused(name, text, chip, code, needed):
    """Checks that the chip refuses the program with this code. needed: the number that the reason must
    state."""
    _, o, why = compile_(text, chip, "2")
    CHECKS.check(o.get("code") == code and str(needed) in (why or "").replace(",", " ").split(),
                 "%s on %s: %s, %s; expected %s, %s" % (name, chip, o.get("code"), why, code, needed))


# (intermediate text, ARB program) of equal programs, with instructions of the intermediate text that an ARB
# program expresses by several instructions.
SAID_TWICE = [
    ("%0 = add.xyzw.4x.sat8 coord0.xyzw, coord1.xyzw @-\n%1 = mad.xyzw %0.xyzw, c0.xyzw, c1.xyzw @-\nresult %1, %1",
     "ADD v, fragment.texcoord[0], fragment.texcoord[1]; MUL v, v, 4; MIN v, v, 8; MAX v, v, -8; "
     "MAD v, v, 0.0625, 0.5;"),
    ("%0 = mov.xyzw.sat coord0.xyzw.bias.2x @-\n%1 = mul.xyzw %0.xyzw, c0.xyzw @-\nresult %1, %1",
     "SUB v, fragment.texcoord[0], 0.5; ADD_SAT v, v, v; MUL v, v, 0.0625;"),
    ("%0 = mul.xyzw.2x primary.xyzw, primary.yzwx @-\n%1 = mad.xyzw.sat %0.xyzw, lit.1111, lit.0000 @-\n"
     "%2 = min.xyzw.4x primary.xyzw, primary.yzwx @-\n%3 = mov.xyzw.sat %2.xyzw @-\n"
     "%4 = mad.xyzw %1.xyzw, c0.xyzw, %3.xyzw @-\nresult %4, %4",
     "MUL v, fragment.color, fragment.color.yzwx; ADD_SAT v, v, v; TEMP k; "
     "MIN k, fragment.color, fragment.color.yzwx; MUL_SAT k, k, 4; MAD v, v, 0.0625, k;"),
    ("%0 = mov.xyzw.sat coord0.xyzw @-\n%1 = mul.xyzw.2x %0.xyzw, %0.yzwx @-\n%2 = mov.xyzw.sat %1.xyzw @-\n"
     "%3 = mul.xyzw %1.xyzw, c0.xyzw @-\n%4 = mad.xyzw %2.xyzw, c1.xyzw, %3.xyzw @-\nresult %4, %4",
     "TEMP k; MOV_SAT v, fragment.texcoord[0]; MUL v, v, v.yzwx; ADD k, v, v; MOV_SAT v, k; MUL k, k, 0.0625; "
     "MAD v, v, 0.5, k;"),
    ("%0 = mov.xyzw.sat8 coord0.xyzw @-\n%1 = mad.xyzw %0.yzwx, c0.xyzw, c1.xyzw @-\nresult %1, %1",
     "MIN v, fragment.texcoord[0], 8; MAX v, v, -8; MAD v, v.yzwx, 0.0625, 0.5;"),
    ("%0 = sub.xyzw primary.xyzw, c1.xyzw @-\n%1 = add.xyzw %0.xyzw.abs, lit.0000 @-\n"
     "%2 = kil.xyw coord0.xyzw.abs.bias @-\nresult %1, %1",
     "TEMP k; SUB v, fragment.color, 0.5; ABS v, v; ABS k, fragment.texcoord[0]; SUB k, k, 0.5; KIL k.xyww;"),
    ("%0 = sub.xyzw primary.xyzw, c1.xyzw @-\n%1 = mad.xyzw %0.xyzw.abs, c0.xyzw, c1.xyzw @-\n"
     "%2 = sub.xyzw coord0.xyzw, coord1.xyzw @-\n%3 = kil.xz %2.xyzw.abs.neg @-\nresult %1, %1",
     "TEMP k; SUB v, fragment.color, 0.5; ABS v, v; MAD v, v, 0.0625, 0.5; "
     "SUB k, fragment.texcoord[0], fragment.texcoord[1]; ABS k, k; KIL -k.xzzz;"),
    ("%0 = sub.xyzw primary.xyzw, c1.xyzw @-\n%1 = kil.xyzw %0.xyzw.abs @-\nresult %0, %0",
     "SUB v, fragment.color, 0.5; TEMP k; ABS k, v; KIL k;"),
]
COLOURS = "".join("const c%d = (%s)\n" % (n, ", ".join("env%d.%s 0" % (n, c) for c in "rgba")) for n in range(4))
SAID_BOUNDED = [
    ("%0 = mov.xyzw primary.xyzw @-\n%1 = dot2add.xyzw lit.hhhh, %0.wwww.abs.neg, %0.xyzw @-\n"
     "%2 = add.xyzw.sat %1.xyzw, lit.1111 @-\nresult %2, %2",
     "SUB v, fragment.color.z, fragment.color.w; ADD_SAT v, v, 1;"),
    # in languages, a sum in brackets behind a minus, and a negative number
    ("%0 = sub.xyzw primary.xyzw, primary.yzwx @-\n%1 = add.xyzw primary.wwww, %0.xyzw.neg @-\nresult %1, %1",
     "SUB v, fragment.color, fragment.color.yzwx; SUB v, fragment.color.w, v;"),
    ("const c0 = (imm 0.25, imm 0, imm 0, imm 0)\n%0 = sub.x lit.0000, c0.xxxx @-\n"
     "%1 = dot3.xyzw %0.xx-xx, primary.-xy-zw @-\nresult %1, %1",
     "DP3 v, {0.25, -0.25, -0.25, 0}, fragment.color;"),
    # a derived constant with different ranges in its lanes
    (COLOURS + "%0 = mul.xyzw c0.zzzz, lit.0101 @-\nresult %0, %0",
     "MUL v, state.texenv[0].color.z, {0, 1, 0, 1};"),
    # a clamp of a product with a derived constant that is not in [0,1]
    (COLOURS + "%0 = add.xyzw c0.xyzw, c1.xyzw @-\n%1 = mul.xyzw.sat %0.xyzw, c2.xyzw @-\n"
     "%2 = mul.xyzw %1.xyzw, c3.xyzw @-\nresult %2, %2",
     "ADD v, state.texenv[0].color, state.texenv[1].color; MUL_SAT v, v, state.texenv[2].color; "
     "MUL v, v, state.texenv[3].color;"),
    # a product of which some lanes are read as literals instead
    (COLOURS + "%0 = mul.xyzw primary.xyzw, c0.xyzw @-\n%1 = mul.xyzw %0.xy01, c1.xyzw @-\nresult %1, %1",
     "MUL v, fragment.color, state.texenv[0].color; SWZ v, v, x, y, 0, 1; MUL v, v, state.texenv[1].color;"),
    # a clamp that acts in one of two channels that are read
    ("%0 = add.xyzw.sat primary.xyzw, secondary.0yz0 @-\n%1 = sub.xyzw.sat %0.xyzw, primary.xyzw @-\n"
     "%2 = add.xyzw.sat %1.yyyy, %1.xxxx @-\nresult %2, %2",
     "SWZ v, fragment.color.secondary, 0, y, z, 0; ADD_SAT v, fragment.color, v; SUB_SAT v, v, fragment.color; "
     "ADD_SAT v, v.y, v.x;"),
    # a clamp that is idle where a channel meets the source that it was made of, and only there
    ("%0 = mul.xyzw.2x.sat primary.xyzx.comp, secondary.xyzx @-\n"
     "%1 = sub.xyzw.sat %0.wwxy, primary.xyxy.bias.2x @-\nresult %1, %1",
     "SUB v, 1, fragment.color.xyzx; MUL v, v, fragment.color.secondary.xyzx; ADD_SAT v, v, v; "
     "ADD v, v.wwxy, 1; MAD_SAT v, fragment.color.xyxy, -2, v;"),
    # a number that is far outside of [0,1]
    ("const c0 = (%s)\n" % ", ".join(["imm 1000000"] * 4) + "%0 = mul.xyzw.sat primary.xyzw, c0.xyzw @-\n"
     "%1 = mul.xyzw.sat %0.xyzw, primary.wxyz @-\nresult %1, %1",
     "MUL_SAT v, fragment.color, 1000000; MUL_SAT v, v, fragment.color.wxyz;"),
]
CONSTANTS = "".join("const c%d = (%s)\n" % (n, ", ".join(["imm " + value] * 4)) for n, value in enumerate(("0.0625", "0.5")))


def intermediate():
    for ir, body in SAID_TWICE + SAID_BOUNDED:
        header = "!!texir1.0\n" + ("" if (ir, body) in SAID_BOUNDED else "unbounded\n" + CONSTANTS)
        reference = arb.Reference("!!ARBfp1.0\nTEMP v; %s MOV result.color, v;\nEND\n" % body, body, 24)
        for form in ("arbfp", "glsl", "r300", "r400", "r500", "etnaviv", "ir3", "i915"):
            words = ["--from", "ir", "--to", form] + (["--format", "json"] if form in arb.CHIPS else [])
            totals = arb.Totals()
            try:
                _, out, _ = texenvc.convert(["-"], words, stdin=header + ir + "\n")
                blocks = list(chips.blocks(out) if form in arb.CHIPS else framing.split(out))
                why = reference.difference(arb.read(blocks[0].text, form), form, totals)
            except OracleError as e:
                why = str(e)
            CHECKS.check(why is None and (totals.compared or totals.killed), "%s as %s: %s" % (ir, form, why))


def i915():
    fits("64 instructions", chain(64), "i915", alu=64)
    refused("65 instructions", chain(65), "i915", "instructions", 65)
    fits("16 temporaries", alive(16), "i915", temporaries=16)
    refused("17 temporaries", alive(17), "i915", "registers", 17)
    fits("32 constants", constants(32), "i915", constants=32)
    refused("33 constants", constants(33), "i915", "constants", 32)
    fits("16 lookups of one phase", lookups(16), "i915", tex=16, phases=1)
    # the chip may do all lookups of a phase before its arithmetic, so all their results are live at once
    refused("17 lookups of one phase", lookups(17), "i915", "registers", 17)
    refused("17 lookups, each read at once", lookups(17, at_once=True), "i915", "registers", 17)
    fits("32 lookups", again(16), "i915", tex=32, phases=2)
    refused("33 lookups", again(16).replace("FRC", "TEX v, v, texture[0], 2D;\nFRC"), "i915", "instructions", 33)
    for between in (True, False):
        fits("4 phases", blocks(4, between), "i915", phases=4, tex=4)
        refused("5 phases", blocks(5, between), "i915", "indirections", 5)
    fits("8 coordinates and fog", attributes(9, "secondary.xyzz"), "i915")
    refused("8 coordinates and the position", attributes(10, "secondary.xyzz"), "i915", "inputs", 8)
    refused("the secondary colour's alpha", attributes(1), "i915", "inputs", "alpha")
    refused("two colours", targets(2), "i915", "outputs", "one")


def main():
    intermediate()
    i915()
    for chip, pairs, temps, slots in (("r300", 64, 32, 32), ("r400", 512, 64, 32), ("r500", 512, 128, 256)):
        fits("%d pairs" % pairs, chain(pairs), chip, pairs=pairs)
        fits("%d temporaries" % temps, alive(temps), chip, temporaries=temps)
        fits("%d constants" % slots, constants(slots), chip, constants=slots)
        refused("%d temporaries" % (temps + 1), alive(temps + 1), chip, "temporaries", temps + 1)
        refused("%d constants" % (slots + 1), constants(slots + 1), chip, "constants", slots + 1)
    refused("65 pairs", chain(65), "r300", "alu", 65)
    refused("513 pairs", chain(513), "r400", "alu", 513)
    refused("513 pairs", chain(513), "r500", "alu", 513)
    fits("32 lookups", lookups(32), "r300", tex=32, nodes=1)
    refused("33 lookups", lookups(33), "r300", "textures", 32)
    for n in (33, 64):
        fits("%d lookups" % n, lookups(n), "r400", tex=n, nodes=1, temporaries=n)
    refused("65 lookups of one block", lookups(65), "r400", "temporaries", 65)
    for number in ("2.2e-19", "3.7e19", "-3.4028235e38"):  # floats of 24 bits and of 32
        text = program("MAD v, fragment.color, {%s, 1, 1, 1}, fragment.color.wzyx;" % number)
        for chip in ("r300", "r400"):
            if "e-" in number:
                fits("the number " + number, text, chip)
            else:
                refused("the number " + number, text, chip, "constant", number)
        if "e-" in number:
            fits("the number " + number, text, "r500")
    for chip in ("r300", "r400"):
        for between in (True, False):
            fits("4 blocks", blocks(4, between), chip, nodes=4, tex=4)
            refused("5 blocks", blocks(5, between), chip, "indirections", 5)
        fits("8 coordinates", attributes(8), chip)
        refused("9 coordinates", attributes(9), chip, "inputs", 9)
    fits("20 blocks", blocks(20), "r500", tex=20)
    fits("10 coordinates", attributes(10), "r500")
    fits("512 instructions", mixed(60, 512), "r500", pairs=452, tex=60)
    refused("513 instructions", mixed(60, 513), "r500", "instructions", 513)
    fits("late values", late(50, 70), "r400")
    for chip in ("r300", "r400", "r500"):
        fits("4 outputs", targets(4), chip)
        # a sum that stays, since DP4 cannot read a presubtract, leaves its constant where it is
        fits("one constant", program("ADD v, fragment.color.y, program.env[0].x;", "DP4 v, v.x, fragment.color;",
                                     "MUL v, v, program.env[0];"), chip, constants=1)
        # so does one whose reader has no address left for it: 1/2 is in no slot then
        fits("no constant", program("ADD v, fragment.color, {.5,.5,.5,.5};",
                                    "MAD v, v, fragment.color.secondary, fragment.texcoord[0];"), chip,
             constants=0)
        # a sum that a lookup reads stays, too
        fits("a sum as coordinate", program("ADD t, fragment.texcoord[0], fragment.texcoord[1];",
                                            "TEX v, t, texture[0], 2D;", "MUL v, v, t;"), chip, tex=1)
        # these programs fit, but were once refused
        for name in ("four_terms", "literal_lanes"):
            with open("%s/tests/arbfp/%s.arbfp" % (tool.TOP, name), encoding="utf-8") as f:
                text = f.read()
            for level in ("0", "2"):
                fits(name, text, chip, level)
    CHECKS.finish()


if __name__ == "__main__":
    sys.exit(main())
