#!/usr/bin/env python3
"""Tests ARB vertex programs on the command line: texenvc recognises and prints them, reads them back from ARB
and intermediate text, names output files, and refuses them for targets that have only fragment programs."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool

CHECKS = tool.Checks("arbvp_cli")

# Has every kind of operand: attributes, arrays with an address register, state, parameters, results.
PROGRAM = """!!ARBvp1.0
ATTRIB p = vertex.position;
PARAM mvp[4] = { state.matrix.mvp };
PARAM bones[] = { program.env[0..5], {1, 2, 3, 4}, program.local[3] };
TEMP a, b;
ADDRESS A;
DP4 result.position.x, mvp[0], p;
DP4 result.position.y, mvp[1], p;
DP4 result.position.z, mvp[2], p;
DP4 result.position.w, mvp[3], p;
ARL A.x, vertex.weight.x;
MOV a, bones[A.x+2];
MAD a, bones[A.x-1].yxzw, vertex.normal, a;
MUL a, a, bones[4];
EXP b, vertex.texcoord[1].y;
LOG b.yz, a.x;
MUL result.color, a, b;
MOV result.color.back.secondary, vertex.color.secondary;
MOV result.texcoord[3].xy, vertex.attrib[15];
MOV result.fogcoord.x, vertex.fogcoord;
MOV result.pointsize.x, state.point.size.x;
END
"""
INVARIANT = """!!ARBvp1.0
OPTION ARB_position_invariant;
MOV result.color, vertex.color;
END
"""
# The indexed load is dead code. Without it, the array becomes a plain parameter.
DEAD_LOAD = """!!ARBvp1.0
PARAM c[] = { program.env[0..3] };
TEMP t;
ADDRESS A;
ARL A.x, vertex.position.x;
MOV t, c[A.x];
MOV result.position, c[1];
END
"""

# Floats at the ends of the range, and decimals that are no floats.
NUMBERS = """!!ARBvp1.0
PARAM c = { 3.4028235e38, 1e-45, 16777217, 0.1 };
PARAM d = { -3.4028234663852886e38, -1e-45, 1.17549421e-38, 8388608.5 };
MOV result.texcoord[0], c;
MOV result.texcoord[1], d;
MOV result.position, vertex.position;
END
"""

# An indexed array of parameters, which becomes an array in GLSL.
SKIN = """!!ARBvp1.0
PARAM bones[] = { program.local[4..7] };
ADDRESS A;
ARL A.x, vertex.texcoord[1].x;
DP4 result.position.x, bones[A.x-1], vertex.position;
MOV result.position.yzw, vertex.position;
END
"""


def convert(text, *words):
    run = tool.Run(["convert", *words, "-"], stdin=text)
    CHECKS.check(not run.sanitizer(), run.err)
    return run


def main():
    for text in (PROGRAM, INVARIANT, DEAD_LOAD, NUMBERS):
        printed = convert(text, "--to", "arbfp").out
        CHECKS.check(printed.startswith("!!ARBvp1.0\n"), printed[:60])
        CHECKS.check(convert(text, "--to", "arbvp", "--from", "arbvp1.0").out == printed, "arbvp is not arbfp")
        again = convert(printed, "--to", "arbfp").out
        CHECKS.check(sorted(again.split("\n")) == sorted(printed.split("\n")), "read back, it is another")
        ir = convert(text, "--to", "ir").out
        CHECKS.check("\nvertex\n" in ir, ir[:60])
        CHECKS.check(convert(ir, "--to", "ir").out == ir, "the intermediate text reads back to another")
        CHECKS.check(convert(ir, "--to", "arbfp").out == printed, "through the intermediate text it is another")
    for form, between in (("arbfp", ", "), ("ir", ", imm ")):
        numbers = convert(NUMBERS, "--to", form).out
        for four in (("3.4028235e38", "1e-45", "16777216", "0.1"),
                     ("-3.4028235e38", "-1e-45", "1.1754942e-38", "8388608")):
            CHECKS.check(between.join(four) in numbers, f"{form}: {four} in {numbers}")
        CHECKS.check(convert(numbers.replace("1.1754942e-38", "3.4028236e38"), "--to", form).status == 1,
                     f"{form}: a number that is no float")
    whole = convert(PROGRAM, "--to", "arbfp").out
    CHECKS.check(whole.count("[A0.x") == 2 and "MUL r1, r1, array1[4];" in whole, whole)
    CHECKS.check("OPTION ARB_position_invariant;" in convert(INVARIANT, "--to", "arbfp").out, "the option is lost")
    dead = convert(DEAD_LOAD, "--to", "arbfp").out
    CHECKS.check("ADDRESS" not in dead and "[]" not in dead and "program.env[1]" in dead, dead)
    for form in ("atifs", "r200", "i830", "pica200", "etnaviv", "ir3", "i915"):
        run = convert(PROGRAM, "--to", form)
        CHECKS.check(run.status == 3 and "vertex program" in run.err, f"{form}: {run.status} {run.err}")
    for form in ("glsl", "glsl-es", "glsl-330", "glsl-450"):
        run = convert(PROGRAM, "--to", form)
        CHECKS.check(run.status == 3 and "vertex.weight" in run.err, f"{form}: {run.status} {run.err}")
        indexed = convert(SKIN, "--to", form).out
        CHECKS.check("program_local[int(floor(" in indexed and "program_local[8]" in indexed, indexed)
    run = tool.Run(["constants", "-"], stdin=PROGRAM)
    CHECKS.check(run.status == 3 and "addressed relatively" in run.err, f"constants: {run.status} {run.err}")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "skin.arbvp")
        with open(path, "w", encoding="utf-8") as f:
            f.write(PROGRAM)
        out = os.path.join(folder, "out")
        os.mkdir(out)
        tool.Run(["convert", "--to", "arbfp", "-o", out + "/", path])
        CHECKS.check(os.listdir(out) == ["skin.arbvp"], str(os.listdir(out)))
    CHECKS.finish()


if __name__ == "__main__":
    main()
