#!/usr/bin/env python3
"""Tests texenvc convert --print-after STEP for the chips that use hwemit/machine: the operations after some
steps, derived by hand from the programs and the facts about the chips. Printing must not change the words.

    machine_steps.py       TEXENVC names the program"""
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


def steps(program, chip, which):
    """Returns the output of --print-after for each step, as (name, lines)."""
    run = Run(["convert", "--from", "arbfp", "--to", chip, "--print-after", which, "-"], stdin=program)
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
lines = after(PRODUCT, "ir3", "wait")
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
# r300 to r500: vertex programs have all these steps, fragment programs the first two
VERTEX = "!!ARBvp1.0 MOV result.position, vertex.position; DP3 result.color, vertex.normal, program.env[0]; END"
for chip in ("r300", "r400", "r500"):
    listed = re.search(rf"^ +{chip} +(select, (?:.*,\n +)*.*)$", Run(["convert", "--help"]).out, re.M)
    names = re.split(r",\s+", listed.group(1)) if listed else []
    printed = [name for name, _ in steps(VERTEX, chip, "all")]
    checks.check(names and printed[-len(names):] == names, f"{chip}: {printed} is printed, {names} is listed")
    printed = [name for name, _ in steps(KILL, chip, "all")]
    checks.check(printed[-2:] == ["select", "trim"], f"{chip}: {printed}")
    matches(after(KILL, chip, "trim"), r"kill #0 v0\.x v0\.y v0\.z v0\.w", r"v\d\.x v\d\.y v\d\.z v\d\.w = mov .*")
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
# texture environments do not become operations of hwemit/machine on r300
run = Run(["convert", "--to", "r300", "--print-after", "trim", "-e", "{T0*P}"])
checks.check(run.status == 0 and run.err == "texenvc: warning: --print-after trim: no input has this step\n",
             f"a step that did not run: {run.err}")
for target in ("glsl", "ir", "r200"):  # a step that only other chips have is an error
    run = Run(["convert", "--to", target, "--print-after", "trim", "-e", "{T0*P}"])
    checks.check(run.status == 2 and "'trim'" in run.err and not run.out, f"trim of {target}: {run.status} {run.err}")
checks.finish()
