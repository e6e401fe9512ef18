#!/usr/bin/env python3
"""Tests programs of ATI_fragment_shader written as GL calls: calls that ATI_fragment_shader refuses are
reported with its error and the place; programs printed as calls read back unchanged. usage: atifs_calls.py"""
import os
import random
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool
from tests.shared.tool import Run

from oracle.atifs import atifs_text, random_atifs  # noqa: E402

checks = tool.Checks("atifs_calls")
MOV = "glColorFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, GL_NONE, GL_NONE, GL_REG_1_ATI, GL_NONE, GL_NONE);\n"
MOVA = "glAlphaFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, GL_NONE, GL_REG_1_ATI, GL_NONE, GL_NONE);\n"
SAMPLE = "glSampleMapATI(GL_REG_1_ATI, GL_TEXTURE1, GL_SWIZZLE_STQ_DQ_ATI);\n"
BEGIN, END = "glBeginFragmentShaderATI();\n", "glEndFragmentShaderATI();\n"
ENUM, VALUE, OPERATION = "GL_INVALID_ENUM", "GL_INVALID_VALUE", "GL_INVALID_OPERATION"


def mul(half, *args, op="GL_MUL_ATI", dst="GL_REG_0_ATI", mask="GL_NONE", mod="GL_NONE"):
    words = [op, dst] + ([mask] if half == "Color" else []) + [mod]
    for arg in args:
        source, _, rep = arg.partition(".")
        words += [source if source.startswith("GL") or source.isdigit() else "GL_%s_ATI" % source.upper(),
                  rep or "GL_NONE", "GL_NONE"]
    return "gl%sFragmentOp%dATI(%s);\n" % (half, len(args), ", ".join(words))


# (description, statements, error, line, column or None). The errors are from the section "Errors" of the
# extension and its section 3.12 (notes/facts/atifs.md 7).
ROWS = [
    ("names between Begin and End", BEGIN + "GLuint s = glGenFragmentShadersATI(1);\n", OPERATION, 2, 12),
    ("no names", "glGenFragmentShadersATI(0);\n" + BEGIN + MOV + END, VALUE, 1, 1),
    ("Bind inside", BEGIN + "glBindFragmentShaderATI(3);\n", OPERATION, 2, 1),
    ("Delete inside", BEGIN + "glDeleteFragmentShaderATI(3);\n", OPERATION, 2, 1),
    ("Begin inside", BEGIN + BEGIN, OPERATION, 2, 1),
    ("End outside", END, OPERATION, 1, 1),
    ("SampleMap outside", SAMPLE, OPERATION, 1, 1),
    ("PassTexCoord outside", SAMPLE.replace("SampleMap", "PassTexCoord"), OPERATION, 1, 1),
    ("arithmetic outside", "\n" + MOV, OPERATION, 2, 1),
    ("alpha outside", MOVA, OPERATION, 1, 1),
    ("primary colour in the first of two passes", BEGIN + SAMPLE + mul("Color", "reg_1", "GL_PRIMARY_COLOR")
     + SAMPLE + MOV + END, OPERATION, 3, None),
    ("secondary colour in the first of two passes", BEGIN + SAMPLE + mul("Alpha", "reg_1",
        "secondary_interpolator.GL_RED") + SAMPLE + MOV + END, OPERATION, 3, None),
    ("third pass", BEGIN + SAMPLE + MOV + SAMPLE + MOV + SAMPLE, OPERATION, 6, 1),
    ("register set up twice", BEGIN + SAMPLE + SAMPLE, OPERATION, 3, 16),
    ("coordinates of a register in the first pass",
     BEGIN + "glSampleMapATI(GL_REG_1_ATI, GL_REG_0_ATI, GL_SWIZZLE_STR_ATI);\n", OPERATION, 2, 30),
    ("q of a register", BEGIN + SAMPLE + MOV + "glSampleMapATI(GL_REG_1_ATI, GL_REG_0_ATI, "
                                               "GL_SWIZZLE_STQ_ATI);\n", OPERATION, 4, 44),
    ("r and q of one coordinate", BEGIN + SAMPLE
     + "glSampleMapATI(GL_REG_2_ATI, GL_TEXTURE1, GL_SWIZZLE_STR_ATI);\n" + MOV + END, OPERATION, 3, 16),
    ("ninth pair", BEGIN + SAMPLE + 9 * MOV, OPERATION, 11, 1),
    ("ninth pair by alpha", BEGIN + SAMPLE + 8 * (MOV + MOVA) + MOVA, OPERATION, 19, 1),
    ("alpha of the secondary colour", BEGIN + SAMPLE
     + mul("Color", "reg_1", "secondary_interpolator.GL_ALPHA") + END, OPERATION, 3, None),
    ("alpha instruction on the secondary colour", BEGIN + SAMPLE + mul("Alpha", "reg_1",
        "secondary_interpolator") + END, OPERATION, 3, None),
    ("DOT4 of the secondary colour", BEGIN + SAMPLE + mul("Color", "reg_1", "secondary_interpolator",
                                                          op="GL_DOT4_ATI") + END, OPERATION, 3, None),
    ("three constants", BEGIN + SAMPLE + mul("Color", "con_0", "con_1", "con_2", op="GL_MAD_ATI") + END,
     OPERATION, 3, None),
    ("alpha dot without a colour dot", BEGIN + SAMPLE + MOV + mul("Alpha", "reg_1", "reg_1",
                                                                  op="GL_DOT3_ATI") + END, OPERATION, 4,
                                                                  None),
    ("other alpha after DOT4", BEGIN + SAMPLE + mul("Color", "reg_1", "reg_1", op="GL_DOT4_ATI") + MOVA + END,
     OPERATION, 4, None),
    ("register 6", BEGIN + SAMPLE.replace("REG_1", "REG_6"), ENUM, 2, 16),
    ("a register that is a constant", BEGIN + SAMPLE + MOV.replace("REG_0", "CON_0"), ENUM, 3, 35),
    ("no coordinate", BEGIN + SAMPLE.replace("GL_TEXTURE1", "GL_TEXTURE8"), ENUM, 2, 30),
    ("no swizzle", BEGIN + SAMPLE.replace("GL_SWIZZLE_STQ_DQ_ATI", "0x8975"), ENUM, 2, 43),
    ("no argument", BEGIN + SAMPLE + mul("Color", "GL_TEXTURE0") .replace("MUL", "MOV") + END, ENUM, 3, None),
    ("no replication", BEGIN + SAMPLE + mul("Color", "reg_1.GL_LUMINANCE").replace("MUL", "MOV") + END, ENUM,
     3, None),
    ("two scales", BEGIN + SAMPLE + MOV.replace("GL_NONE, GL_NONE, GL_REG_1",
                                                "GL_NONE, GL_2X_BIT_ATI | GL_4X_BIT_ATI, GL_REG_1"), ENUM, 3,
                                                None),
    ("no mask", BEGIN + SAMPLE + MOV.replace("GL_NONE, GL_NONE, GL_REG_1", "8, GL_NONE, GL_REG_1"), ENUM, 3,
     49),
    ("no modifier", BEGIN + SAMPLE + MOV.replace("GL_NONE);", "16);"), ENUM, 3, None),
    ("an operation of three arguments", BEGIN + SAMPLE + MOV.replace("MOV", "MAD"), ENUM, 3, 23),
    ("no constant", BEGIN + "glSetFragmentShaderConstantATI(GL_CON_8_ATI, (GLfloat[]){0, 0, 0, 0});\n", ENUM,
     2, 32),
    ("no End", BEGIN + SAMPLE + MOV, "without glEndFragmentShaderATI", 1, 1),
    ("a variable", BEGIN + SAMPLE.replace("GL_TEXTURE1", "unit"), "expected a number or a GL name", 2, None),
    ("three values", BEGIN + "glSetFragmentShaderConstantATI(GL_CON_1_ATI, (GLfloat[]){0, 0, 0});\n",
     "4 are needed", 2, None),
    ("nothing", "glEnable(GL_TEXTURE_2D);\n", "no call of GL_ATI_fragment_shader", 1, 1),
    ("a condition decides over a call", BEGIN + SAMPLE + "if (x) " + MOV + END, "inside another statement", 3, 8),
    ("a loop around a call", BEGIN + SAMPLE + "while (x) { " + MOV + "}\n" + END, "inside another statement", 3, 13),
    ("a jump over a call", BEGIN + SAMPLE + "goto end;\n" + MOV + "end:\n" + END, "'goto': control flow", 3, 1),
    ("a jump under a condition", BEGIN + SAMPLE + "if (x) goto end;\n" + MOV + "end:\n" + END,
     "'goto': control flow", 3, 8),
    ("an exit between calls", BEGIN + SAMPLE + "if (x) { f(); return; }\n" + MOV + END,
     "'return': control flow", 3, 15),
    ("an exit", BEGIN + SAMPLE + "return;\n" + MOV + END, "'return': control flow", 3, 1),
    ("a call behind else", BEGIN + SAMPLE + "if (x) ; else " + MOV + END, "inside another statement", 3, 15),
]

for what, text, error, line, column in ROWS:
    run = Run(["convert", "--from", "atifs-calls", "-", "-q"], text)
    checks.check(run.status == 1 and run.out == "",
                 f"{what}: status {run.status}, {run.out[:200]}\n{run.err[:300]}")
    want = r"<stdin>:%d:%s: error: [^\n]*%s" % (line, column or r"\d+", re.escape(error))
    checks.check(re.search(want, run.err), f"{what}: not '{want}':\n{run.err[:400]}")
    checks.check(not run.sanitizer(), f"{what}: {run.err}")

# A trace also records calls that GL refused. The reader ignores them, with a warning.
TRACE = """1 glBeginFragmentShaderATI()
2 glSampleMapATI(dst = GL_REG_0_ATI, interp = GL_TEXTURE0, swizzle = GL_SWIZZLE_STR_ATI)
3 glSampleMapATI(dst = GL_REG_0_ATI, interp = GL_TEXTURE1, swizzle = GL_SWIZZLE_STR_ATI)
4 glSetFragmentShaderConstantATI(dst = GL_CON_1_ATI, value = {1, 0.5, 0.25, 0})
5 glColorFragmentOp2ATI(op = GL_MUL_ATI, dst = GL_REG_0_ATI, dstMask = 7, dstMod = 65, arg1 = GL_REG_0_ATI, arg1Rep = 0, arg1Mod = 9, arg2 = GL_CON_1_ATI, arg2Rep = GL_NONE, arg2Mod = GL_NONE)
6 glAlphaFragmentOp1ATI(op = GL_MOV_ATI, dst = GL_REG_0_ATI, dstMod = GL_NONE, arg1 = GL_PRIMARY_COLOR, arg1Rep = GL_NONE, arg1Mod = GL_COMP_BIT_ATI)
7 glEndFragmentShaderATI()
"""
run = Run(["convert", "--from", "atifs-calls", "-"], TRACE)
WANT = """!!ATIfs1.0
StartConstants;
  CONSTANT c1 = {1, 0.5, 0.25, 0};
EndConstants;
StartOutputPass;
  SampleMap r0, t0.str;
  MUL r0.rgb.2x.sat, r0.2x.bias, c1;
  MOV r0.a, color0.comp;
EndPass;
"""
checks.check(run.status == 0 and run.out == WANT, f"trace: status {run.status}:\n{run.out}\n{run.err}")
checks.check(re.search("warning: [^\n]*GL_INVALID_OPERATION", run.err), f"trace: {run.err}")

# A register that a pass reads without having written it is undefined: it reads as 0, with a warning.
TEXT = "!!ATIfs1.0\nStartPrelimPass;\nSampleMap r1, t1.str;\nMOV r2, r1;\nEndPass;\nStartOutputPass;\nPassTexCoord r1, r1.str;\nMOV r0.rgb, r1;\nMOV r0.a, r2;\nEndPass;\n"
run = Run(["convert", "-", "--to", "ir"], TEXT)
checks.check(run.status == 0 and "warning: a register is read that nothing has written" in run.err,
             f"undefined: status {run.status}: {run.err}")
checks.check(re.search(r"= mov\.w(\.sat8)? lit\.0000", run.out), f"undefined: not 0:\n{run.out}")

# Control flow outside of the program's calls is ignored; a jump over such calls is not ignored.
PLAIN = "void f(void) {\n%s" + BEGIN + SAMPLE + "%s" + MOV + END + "}\n"
OTHER = ("if (!n) abort();\n", "for (i = 0; i < 4; i++) if (i) { g(i); } else h();\n", "do { n--; } while (n > 3);\n",
         "switch (n) { case 1: g(2); break; default: ; }\n", "if (n) return;\n", "while (n > 3)\n    n--;\n", "if (n) goto end;\nend:\n")
without = Run(["convert", "--from", "atifs-calls", "-", "--to", "atifs", "-q"], PLAIN % ("", ""))
checks.check(without.status == 0 and "MOV r0.rgb, r1;" in without.out, f"a function: {without.out}{without.err}")
for text in OTHER:
    inside = "" if re.search("goto|return", text) else text
    run = Run(["convert", "--from", "atifs-calls", "-", "--to", "atifs", "-q"], PLAIN % (text, inside))
    checks.check(run.status == 0 and run.out == without.out, f"{text}: status {run.status}: {run.out}\n{run.err}")

# The suffixes of ATI_text_fragment_shader may be in any order; each may occur once.
ORDERED = "!!ATIfs1.0\nStartOutputPass;\n  SampleMap r0, t0.str;\n  MUL r0.%s, r0.%s, color0;\nEndPass;\n"
ordered = Run(["convert", "-", "--from", "atifs", "--to", "ir", "-O", "0"], ORDERED % ("rgb.2x.sat", "b.neg.2x.bias.comp"))
checks.check(ordered.status == 0 and "warning" not in ordered.err, f"in order: {ordered.err}")
for one, two in (("sat.rgb.2x", "b.neg.2x.bias.comp"), ("2x.sat.rgb", "comp.b.bias.neg.2x"), ("rgb.sat.2x", "bias.2x.b.comp.neg")):
    run = Run(["convert", "-", "--from", "atifs", "--to", "ir", "-O", "0"], ORDERED % (one, two))
    checks.check(run.status == 0 and run.out == ordered.out and "[suffix-order]" in run.err,
                 f".{one} .{two}: {run.status}: {run.out}{run.err}")

# Programs printed as calls read back as the same program. With plain=True, the random programs have only
# features that calls can express.
rng = random.Random("calls")
with tempfile.TemporaryDirectory() as folder:
    source, calls = os.path.join(folder, "a.atifs"), os.path.join(folder, "a.c")
    texts = [random_atifs.program(rng, plain=True) for _ in range(300)]
    with open(source, "w", encoding="utf-8") as f:
        f.write("".join(f"# state {n} x:1\n{text}" for n, text in enumerate(texts, 1)))
    first = Run(["convert", source, "--to", "atifs", "-q"])
    printed = Run(["convert", source, "--to", "atifs-c", "-q", "-o", calls])
    back = Run(["convert", "--from", "atifs-calls", calls, "--to", "atifs", "-q"])
    checks.check(first.status == printed.status == back.status == 0,
                 f"round trip: {first.err}{printed.err}{back.err}"[:600])

    def programs(text):
        out = []
        for block in re.split(r"^# state .*\n", text, flags=re.M)[1:]:
            p = atifs_text.parse(block)
            used = {a.base for q in p.passes for item in q.code for i in (item if type(item[0]) is not str
                else (item,)) for a in i.args}
            out.append(({n: v for n, v in p.constants.items() if n in used}, [q.code for q in p.passes],
                        [q.setup for q in p.passes]))
        return out

    a, b = programs(first.out), programs(back.out)
    checks.check(len(a) == len(b) == len(texts),
                 f"round trip: {len(a)} and {len(b)} programs of {len(texts)}")
    for n, (x, y) in enumerate(zip(a, b)):
        checks.check(x == y, f"round trip: program {n + 1} differs:\n{x}\n{y}")
checks.finish()
