#!/usr/bin/env python3
"""Tests texenvc convert --print-after STEP for the chips that use hwemit/machine: the operations after some
steps, derived by hand from the programs and the facts about the chips. Printing must not change the words.

    machine_steps.py       TEXENVC names the program"""
import itertools
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks, Run  # noqa: E402

checks = Checks("machine_steps")
PRODUCT = "!!ARBfp1.0 MUL result.color, fragment.color, fragment.color.secondary; END"
KILL = "!!ARBfp1.0 KIL fragment.color; MOV result.color, fragment.color; END"
SUM_AND_PRODUCT = ("!!ARBfp1.0 SUB result.color.xyz, fragment.color, fragment.texcoord[0];"
                   "MUL result.color.w, fragment.color, fragment.texcoord[0]; END")
TWO_PHASES = ("!!ARBfp1.0 TEMP a, b, c, d; TEX a, fragment.texcoord[0], texture[0], 2D;"
              "ADD b, a, fragment.texcoord[1]; TEX c, b, texture[1], 2D; MUL c, c, a;"
              "TEX d, fragment.texcoord[1], texture[2], 2D; MAD c, d, c, a; TEX b, d, texture[1], 2D;"
              "MUL result.color, b, c; END")
LOOKUP = "!!ARBfp1.0 TEX result.color, fragment.texcoord[3], texture[2], 3D; END"


def steps(program, chip, which, form="arbfp"):
    """Returns the output of --print-after for each step, as (name, lines)."""
    run = Run(["convert", "--from", form, "--to", chip, "--print-after", which, "-"], stdin=program)
    checks.check(run.status == 0, f"{chip}, {which}: status {run.status}: {run.err[:200]}")
    parts = re.split(r"# after (\w+), state 1 <stdin>\n", run.err)[1:]
    return [(name, text.strip().split("\n")) for name, text in zip(parts[::2], parts[1::2])]


def after(program, chip, step):
    found = steps(program, chip, step)
    checks.check(len(found) == 1 and found[0][0] == step, f"{chip}: {step} is printed {len(found)} times")
    return found[0][1] if found else []


def matches(lines, *patterns):
    """Checks that each line matches the pattern at the same index."""
    good = len(lines) == len(patterns) and all(re.fullmatch(p, line) for p, line in zip(patterns, lines))
    checks.check(good, f"{lines} instead of {patterns}")


# etnaviv has registers of four channels, and inputs from register 1 on: one multiplication, which writes the
# output
matches(after(PRODUCT, "etnaviv", "select"), r"v\d+\.x .*\.w = mul\.sat v0\.x .*\.w, v1\.x .*\.w",
        r"v\d+\.x .* = mov v.*")
matches(after(PRODUCT, "etnaviv", "place"), r"v\d+\.x .*\.w = mul\.sat v0\.x .*\.w, v1\.x .*\.w")
matches(after(PRODUCT, "etnaviv", "allocate"),
        r"r\d\.x r\d\.y r\d\.z r\d\.w = mul\.sat r1\.x r1\.y r1\.z r1\.w, r2\.x r2\.y r2\.z r2\.w")
matches(after(KILL, "etnaviv", "place")[:4], *(rf"kill #{n} v0\.{c}" for n, c in enumerate("xyzw")))
matches([line for line in after(LOOKUP, "etnaviv", "operands") if "tex" in line],
        r"v(\d+)\.x v\1\.y v\1\.z v\1\.w = tex #2 v(\d+)\.x v\2\.y v\2\.z")
# ir3 computes scalars: eight are interpolated from r0.x and r0.y; the result must be in consecutive registers
lines = after(PRODUCT, "ir3", "allocate")
matches(sorted(line[line.index("=") + 2:] for line in lines if "bary" in line),
        *(rf"bary in{n}\.{c}, r0\.x, r0\.y" for n in range(2) for c in "wxyz"))
matches(sorted(line for line in lines if "bary" not in line),
        *(rf"r(\d)\.{c} = mul\.sat r\d\.., r\d\.." for c in "wxyz"))
matches([line for line in after(KILL, "ir3", "select") if line.startswith(("test", "kill"))],
        *(rf"test #{n} v\d+\.x" for n in range(4)), *(f"kill #{n}" for n in range(4)))

for chip in ("etnaviv", "ir3", "i915"):
    listed = re.search(rf"^ +{chip} +(select, (?:.*,\n +)*.*)$", Run(["convert", "--help"]).out, re.M)
    names = re.split(r",\s+", listed.group(1)) if listed else []
    printed = [name for name, _ in steps(LOOKUP, chip, "all")]
    checks.check(names and printed[-len(names):] == names, f"{chip}: {printed} is printed, {names} is listed")
    plain, seen = (Run(["convert", "--from", "stages", "--to", chip, *more, "-"],
                       stdin="{T0*C; T0} {lerp(T1,P,C.a)}*2 C0=(.25,.5,.75,1)\n")
                   for more in ([], ["--print-after", "all"]))
    checks.check(plain.status == 0 and plain.out == seen.out, f"{chip}: other words where steps are printed")
VERTEX = ("!!ARBvp1.0 MOV result.position, vertex.position;"
          "DP3 result.color, vertex.normal, program.env[0]; END")
for chip in ("r300", "r400", "r500"):
    listed = re.search(rf"^ +{chip} \(vertex\) +(select, (?:.*,\n +)*.*)$",
                       Run(["convert", "--help"]).out, re.M)
    names = re.split(r",\s+", listed.group(1)) if listed else []
    printed = [name for name, _ in steps(VERTEX, chip, "all")]
    checks.check(names and printed[-len(names):] == names, f"{chip}: {printed} is printed, {names} is listed")
    for program, form in ((KILL, "arbfp"), ("{T0*P}", "stages")):
        printed = [name for name, _ in steps(program, chip, "all", form)]
        checks.check(printed[-6:] == ["select", "combine", "factor", "outputs", "constants", "presubtract"],
                     f"{chip}, {form}: {printed}")
    matches(after(KILL, chip, "factor"), r"kill #0 v0\.x v0\.y v0\.z v0\.w",
            r"v\d\.x v\d\.y v\d\.z v\d\.w = mov v0\.x v0\.y v0\.z v0\.w")

# r300: P*(T0 - C) + C by halves of a pair, both differences first; these become presubtracts, src1 - src0.
# v0 is the coordinate, v1 the texel, v2 the primary colour; constants (c) are read from slots (s) later
LERP = "!!ARBfp1.0 TEMP t; TEX t, fragment.texcoord[0], texture[0], 2D; " \
       "LRP result.color, fragment.color, t, program.local[0]; END"
TEXEL = r"v1\.x v1\.y v1\.z v1\.w = tex #0 v0\.x v0\.y"
for step, k in (("outputs", "c"), ("constants", "s")):
    xyz, minus = (" ".join(rf"{sign}{k}0\.{c}" for c in "xyz") for sign in ("", "-"))
    matches(after(LERP, "r300", step), TEXEL, rf"v3\.x v3\.y v3\.z = mad v1\.x v1\.y v1\.z, 1, {minus}",
            rf"v4\.x = mad v1\.w, 1, -{k}0\.w",
            rf"v5\.x v5\.y v5\.z out0\.xyz = mad\.sat v2\.x v2\.y v2\.z, v3\.x v3\.y v3\.z, {xyz}",
            rf"v6\.x out0\.w = mad\.sat v2\.w, v4\.x, {k}0\.w")
matches(after(LERP, "r300", "presubtract"), TEXEL,
        r"v5\.x v5\.y v5\.z out0\.xyz = mad\.sat v2\.x v2\.y v2\.z, p0\.x p0\.y p0\.z, "
        r"s0\.x s0\.y s0\.z; p0 = y-x of s0\.x s0\.y s0\.z, v1\.x v1\.y v1\.z",
        r"v6\.x out0\.w = mad\.sat v2\.w, p0\.x, s0\.w; p0 = y-x of s0\.w, v1\.w")

# The rules of hwemit/machine/machine_factor.c. A program computes a colour, its last result, of p and s (the
# colours of the vertex), t and u (texels), all in [0,1], and x, y and z (coordinates), which may be anything;
# its results are a, b .... Operands are 1, h (1/2), or a name with a channel, a modifier of the intermediate
# program (comp: 1 - it), a sign. In the operations of the chip values have the same names; the two operands
# of a sum or product are in alphabetical order, numbers last.
SOURCES = {"p": "primary", "s": "secondary", "t": "%0", "u": "%1",
           "x": "coord2", "y": "coord3", "z": "coord4"}


def instruction(number, text):
    """Returns `%2 = mad.xyz.sat %3.xyzw, primary.wwww.neg, lit.1111` for 2 and `mad.sat b, -p.w, 1`."""
    name, rest = text.split(" ", 1)
    name, dot, modifiers = name.partition(".")
    operands = []
    for operand in rest.split(", "):
        sign, base, channel, more = re.fullmatch(r"(-?)([a-z1])(\.w)?((?:\.[a-z0-9]+)*)", operand).groups()
        source = "lit" if base in "1h" else SOURCES.get(base) or f"%{ord(base) - ord('a') + 2}"
        lanes = 4 * base if base in "1h" else "wwww" if channel else "xyzw"
        operands.append(f"{source}.{lanes}{more}{'.neg' if sign else ''}")
    return f"%{number} = {name}.xyz{dot}{modifiers} {', '.join(operands)}  @0\n"


def parse(lines):
    """Returns the operations that are printed, without the last one, as (result, name, unit of a lookup,
    operands), and the inputs that they read, in a list."""
    form = re.compile(r"(v\d+)\S* (?:v\S+ )*= (\S+) (?:#(\d) )?(.*)")
    parsed = [form.fullmatch(line).groups() for line in lines[:-1]]
    read = {value for to, op, unit, rest in parsed if not unit for value in re.findall(r"v\d+", rest)}
    return parsed, sorted(read - {to for to, op, unit, rest in parsed})


def operations(parsed, names):
    """Returns the operations in the form described above. names: of values; results are added."""
    found = []
    names.update({to: "tu"[int(unit)] for to, op, unit, rest in parsed if unit})
    for to, op, unit, rest in parsed:
        if unit:
            continue
        names.setdefault(to, chr(ord("a") + len([name for name in names.values() if name < "h"])))
        operands = []
        for operand in rest.split(", "):
            parts = re.findall(r"(-?)(v\d+)\.([xyzw])", operand)
            lanes = "".join(lane for sign, value, lane in parts)
            channel = "" if lanes == "xyz" else "." + lanes
            operands.append(parts[0][0] + names[parts[0][1]] + channel if parts else operand)
        pair = 2 if op[:3] in ("add", "mul", "mad", "dp3") else 0
        operands[:pair] = sorted(operands[:pair], key=lambda x: (x.strip("-")[0].isdigit(), x.strip("-")))
        found.append(f"{names[to]} = {op} {', '.join(operands)}")
    return "; ".join(found)


def rule(body, before, now=None, unbounded=False):
    """Checks the operations of a program before and after the step factor. now: None if they stay."""
    results = body.split("; ")
    last = len(results) + 1
    program = ["!!texir1.0\n", "unbounded\n" if unbounded else "",
               "%0 = tex.xyzw coord0, t0, 2d, rgba  @0\n%1 = tex.xyzw coord1, t1, 2d, rgba  @0\n",
               *(instruction(n + 2, text) for n, text in enumerate(results)),
               f"%{last + 1} = mov.w primary.wwww  @0\nresult %{last}, %{last + 1}\n"]
    letters = dict.fromkeys(re.findall(r"\b[psxyz]\b", body))  # in what order they are numbered is not told
    ways = None
    for step, expected in (("combine", before), ("factor", now or before)):
        run = Run(["convert", "--from", "ir", "--to", "r300", "-O0", "--print-after", step, "-"],
                  stdin="".join(program))
        checks.check(run.status == 0, f"{body}: status {run.status}: {run.err[:300]} {program}")
        parsed, inputs = parse(run.err.strip().split("\n")[1:]) if run.status == 0 else ([], [])
        ways = ways or [dict(zip(inputs, way)) for way in itertools.permutations(letters, len(inputs))]
        found = [operations(parsed, way) for way in ways]
        checks.check(expected in found, f"{body}, after {step}: {found[:1]} instead of {expected}")
        ways = [way for way, text in zip(ways, found) if text == expected]


# factor: x*y + z*y is (x + z)*y; the operation that computes the first product computes the sum
rule("mul x, y; mad z, y, a", "a = mul x, y; b = mad y, z, a", "a = add x, z; b = mul a, y")
rule("mul x, y; mad z, y, a", "a = mul x, y; b = mad y, z, a", "a = add x, z; b = mul a, y", unbounded=True)
rule("mul x, y; mad z, y, -a", "a = mul x, y; b = mad y, z, -a", "a = add -x, z; b = mul a, y")
rule("mul.sat x, y; mad z, y, a", "a = mul.sat x, y; b = mad y, z, a")
rule("mul.2x x, y; mad z, y, a", "a = mul*2 x, y; b = mad y, z, a")
# .. with a third term, which keeps its sign, and with operations between the two
rule("mad x, y, p; mad.half.sat z, y, -a", "a = mad x, y, p; b = mad*0.5.sat y, z, -a",
     "a = add -x, z; b = mad*0.5.sat a, y, -p")
rule("mul x, y; cnd0 p, s, z; mad b, y, a", "a = mul x, y; b = cge z, p, s; c = mad b, y, a",
     "b = cge z, p, s; a = add b, x; c = mul a, y", unbounded=True)
# .. not if the product is read elsewhere, or by both operands
rule("mul x, y; mad z, y, a; cnd0 a, b, z", "a = mul x, y; b = mad y, z, a; c = cge z, a, b")
rule("mul x, y; mad a, y, a", "a = mul x, y; b = mad a, y, a")
# .. nor if both factors are 1 - ..: a presubtract can compute each of them
rule("mul p.comp, y; mad s.comp, y, a",
     "a = add -p, 1; b = mul a, y; c = add -s, 1; d = mad c, y, b", unbounded=True)
# add_product: x*y, then + z, is one operation
rule("mul x, y; add.2x a, z", "a = mul x, y; b = add*2 a, z", "b = mad*2 x, y, z")
rule("mul x, y; add a, z", "a = mul x, y; b = add a, z", "b = mad x, y, z", unbounded=True)
rule("mul x, y; sub z, a", "a = mul x, y; b = add -a, z", "b = mad -x, y, z")
rule("mul x, y; sub a, z", "a = mul x, y; b = add a, -z", "b = mad x, y, -z")
rule("mul x, y; add a, z; cnd0 a, b, z", "a = mul x, y; b = add a, z; c = cge z, a, b")
rule("mul x, y; add a, a", "a = mul x, y; b = add a, a")
rule("mul.sat x, y; add a, z", "a = mul.sat x, y; b = add a, z")
rule("mul.half x, y; add a, z", "a = mul*0.5 x, y; b = add a, z")
# absorb: x*(y - 1) + (x + c) is x*y + c; x*(y + 1) + (c - x) is too
rule("sub y, 1; add x, h; mad.half x, a, b", "a = add y, -1; b = add x, 0.5; c = mad*0.5 a, x, b",
     "c = mad*0.5 x, y, 0.5")
rule("add y, 1; sub x, h; mad x, a, -b", "a = add y, 1; b = add x, -0.5; c = mad a, x, -b",
     "c = mad x, y, 0.5")
rule("sub y, 1; add x, h; mad x, -a, -b", "a = add y, -1; b = add x, 0.5; c = mad -a, x, -b",
     "c = mad x, -y, -0.5")
# .. with x = u + a: (u + a)*(y - 1) + (u + c) is (u + a)*y + (c - a)
rule("add x, h; sub y, 1; add x, 1; mad a, b, c",
     "a = add x, 0.5; b = add y, -1; c = add x, 1; d = mad a, b, c",
     "a = add x, 0.5; d = mad a, y, 0.5")
rule("sub x, 1; sub y, 1; add x, 1; mad a, b, c",
     "a = add x, -1; b = add y, -1; c = add x, 1; d = mad a, b, c")
# .. not with y - 1/2, if c is another number, if there is no c, for an x of its own
rule("sub y, h; add x, h; mad x, a, b", "a = add y, -0.5; b = add x, 0.5; c = mad a, x, b")
rule("sub y, 1; add.2x x, h; mad x, a, b", "a = add y, -1; b = add*2 x, 0.5; c = mad a, x, b")
rule("sub y, 1; add.sat x, h; mad x, a, b", "a = add y, -1; b = add.sat x, 0.5; c = mad a, x, b")
rule("sub y, 1; mad x, a, x", "a = add y, -1; b = mad a, x, x")
rule("sub y, 1; add z, h; mad x, a, b", "a = add y, -1; b = add z, 0.5; c = mad a, x, b")
rule("sub y, 1; add x, h; mad x, a, b", "a = add y, -1; b = add x, 0.5; c = mad a, x, b", unbounded=True)
# move_dot: sat(4d) is sat(2*sat(2d))
rule("dot3.2x.sat x, y; dot3.8x.sat x, y; cnd0 a, b, z",
     "a = dp3*2.sat x, y; b = mov*4.sat a.x; c = cge z, a.x, b.x")
rule("dot3.sat x, y; dot3.2x.sat x, y; cnd0 a, b, z",
     "a = dp3.sat x, y; b = mov*2.sat a.x; c = cge z, a.x, b.x")
rule("dot3.4x.sat x, y; dot3.2x.sat x, y; cnd0 a, b, z",
     "a = dp3*4.sat x, y; b = dp3*2.sat x, y; c = cge z, a.x, b.x")
rule("dot3.2x x, y; dot3.4x.sat x, y; cnd0 a, b, z",
     "a = dp3*2 x, y; b = dp3*4.sat x, y; c = cge z, a.x, b.x")
rule("dot3.2x.sat x, y; dot3.4x x, y; cnd0 a, b, z",
     "a = dp3*2.sat x, y; b = dp3*4 x, y; c = cge z, a.x, b.x")
rule("dot3.2x.sat x, y; dot3.4x.sat x, z; cnd0 a, b, z",
     "a = dp3*2.sat x, y; b = dp3*4.sat x, z; c = cge z, a.x, b.x")
# multiply_out: (1 - x)*y is -x*y + y
rule("mul.sat x.comp, y", "a = add -x, 1; b = mul.sat a, y", "b = mad.sat -x, y, y")
rule("mul -x.comp, y", "a = add -x, 1; b = mul -a, y", "b = mad x, y, -y")
rule("mul x.w.comp, y", "a = add -x.w, 1; b = mul a.x, y", "b = mad -x.w, y, y")
rule("sub -x, 1; mul a, y", "a = add -x, -1; b = mul a, y")
rule("sub x, 1; mul a, y", "a = add x, -1; b = mul a, y")
rule("mul.sat x.comp, y", "a = add -x, 1; b = mul.sat a, y", unbounded=True)
# move_out: x*(1 - y) + z with a number y is -x*y + (x + z)
rule("mad.sat p, u.w.comp, t", "a = add -u.w, 1; b = mad.sat a.x, p, t",
     "c = add p, t; b = mad.sat p, -u.w, c")
rule("mad.half p, -u.w.comp, t", "a = add -u.w, 1; b = mad*0.5 -a.x, p, t",
     "c = add -p, t; b = mad*0.5 p, u.w, c")
rule("mad -p, u.w.comp, -t", "a = add -u.w, 1; b = mad a.x, -p, -t", "c = add -p, -t; b = mad -p, -u.w, c")
rule("mad p, s.comp, t", "a = add -s, 1; b = mad a, p, t")
rule("mad p, u.w.comp, t.w", "a = add -u.w, 1; b = mad a.x, p, t.w")
rule("mad p.w, u.w.comp, t", "a = add -u.w, 1; b = mad a.x, p.w, t")
rule("mad p, u.w.comp, 1", "a = add -u.w, 1; b = mad a.x, p, 1")
rule("sub -u.w, 1; mad p, a, t", "a = add -u.w, -1; b = mad a.x, p, t")
rule("mad p, u.w.comp, t", "a = add -u.w, 1; b = mad a.x, p, t", unbounded=True)
# each channel of an operand has its own sign and can be 0 or 1: a sum and a product are one instruction
matches(after(SUM_AND_PRODUCT, "i915", "mix_moves"),
        r"v(\d+)\.x v\1\.y v\1\.z v\1\.w = mad(\.sat)? v(\d)\.x v\3\.y v\3\.z v\3\.w, "
        r"1 1 1 v(\d)\.w, "
        r"-v\4\.x -v\4\.y -v\4\.z 0")
# the lookups of a phase come first, and lookups can read inputs and write outputs directly
matches([line.split(" = ")[1].split()[0] for line in after(TWO_PHASES, "i915", "phases")],
        "tex", "tex", "add", "tex", "tex", "mul", "mad", r"mul(\.sat)?")
matches(after(LOOKUP, "i915", "phases"), r"o0\.x o0\.y o0\.z o0\.w = tex #2 t3\.x t3\.y t3\.z")

# eight texels that are live until the end, and a sum do not fit in eight registers; of the attempts to
# compile, the steps of one only are printed
sums = [f"MAD t8, t8, t{n % 8}, t{(n * 5 + 1) % 8};" for n in range(40)]
many = " ".join(["!!ARBfp1.0 TEMP t0, t1, t2, t3, t4, t5, t6, t7, t8;",
                 *(f"TEX t{n}, fragment.texcoord[{n}], texture[{n}], 2D;" for n in range(8)),
                 "MUL t8, t0, t1;", *sums, "MOV result.color, t8; END"])
run = Run(["convert", "--to", "etnaviv", "--chip-option", "temps=8", "--print-after", "select", "-"], stdin=many)
checks.check(run.status == 3 and "[registers]" in run.err, f"many: status {run.status} {run.err[-200:]}")
checks.check(run.err.count("# after select") == 1, f"many: {run.err.count('# after select')} attempts are shown")
run = Run(["convert", "--to", "ir3", "--print-after", "schedul", "-"], stdin=PRODUCT)
checks.check(run.status == 2 and "did you mean 'schedule'?" in run.err, f"schedul: {run.err}")
# fragment programs of r300 do not have the steps of vertex programs
run = Run(["convert", "--to", "r300", "--print-after", "trim", "-e", "{T0*P}"])
checks.check(run.status == 0 and run.err == "texenvc: warning: --print-after trim: no input has this step\n",
             f"a step that did not run: {run.err}")
for target in ("glsl", "ir", "r200"):  # a step that only other chips have is an error
    run = Run(["convert", "--to", target, "--print-after", "trim", "-e", "{T0*P}"])
    checks.check(run.status == 2 and "'trim'" in run.err and not run.out, f"trim of {target}: {run.status} {run.err}")
checks.finish()
