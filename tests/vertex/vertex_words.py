#!/usr/bin/env python3
"""Tests words of the vertex engine of r300, r400 and r500: golden words of the facts in both directions; the
number of vertices processed at a time, by temporaries and alternate temporaries; and programs just below and
above each limit. Facts: notes/facts/r300-vertex.md 1.3, 2.2 and 8."""
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool


from oracle.commands import arb  # noqa: E402
from oracle.pvs import pvs_code  # noqa: E402

CHECKS = tool.Checks("vertex_words")

# The table of notes/facts/r300-vertex.md 1.3: words D, S0, S1, S2, and their meaning: operation, destination,
# source operands.
GOLDEN = [
    ("00100201 00D10002 00D10001 01248001", "DOT out0.x const0.xyzw input0.xyzw"),
    ("00F02203 00D10021 01248021 01248021", "ADD out1.xyzw input1.xyzw input1.0000"),
    ("00F00004 00D10020 00D10062 00D10000", "MAD temp0.xyzw temp1.xyzw const3.xyzw temp0.xyzw"),
    ("00708080 00D10020 00D10040 00D10060", "MAD temp4.xyz temp1.xyzw temp2.xyzw temp3.xyzw"),
    ("00104046 00DB6000 01248000 01248000", "RCP temp2.x temp0.wwww"),
    ("00100045 00000020 01248020 00492040", "POW temp0.x temp1.xxxx temp1.0000 temp2.yyyy"),
    ("00F02044 00630000 00232000 00E02000", "LIT temp1.xyzw temp0.xw0y temp0.yw0x temp0.yx0w"),
    ("0010010D 00000041 01248041 01248041", "ARL address0.x input2.xxxx"),
    ("00F00003 00D100B2 012480B2 012480B2", "ADD temp0.xyzw const[A0.x+5].xyzw const[A0.x+5].0000"),
    ("00F00003 00D100A3 1ED10022 01248022", "ADD temp0.xyzw alt5.xyzw const1.-x-y-z-w"),
    ("10602002 00D10001 00D10060 18392004", "MUL temp1.yz input0.xyzw temp3.xyzw"),
]
SECOND = "COS alt3.w temp0.yyyy"  # the second half of the last row
# The assembly lines of the same words, derived by hand from the meanings above.
LINES = [
    "DP4 output[0].x, const[0], input[0], input[0].0000",
    "MOV output[1], input[1]",
    "MAD temp[0], temp[1], const[3], temp[0]",
    "MAD_2CLK temp[4].xyz, temp[1], temp[2], temp[3]",
    "RCP temp[2].x, temp[0].wwww",
    "POW temp[0].x, temp[1].xxxx, temp[1].0000, temp[2].yyyy",
    "LIT temp[1], temp[0].xw0y, temp[0].yw0x, temp[0].yx0w",
    "ARL addr[0].x, input[2].xxxx",
    "MOV temp[0], const[5 + addr[0]]",
    "ADD temp[0], alt[5], -const[1], const[1].0000",
    "MUL temp[1].yz, input[0], temp[3]; COS alt[3].w, temp[0].yy",
]
REFUSED = [
    ("MUL temp[1], temp[0]", 21, "it takes 3 operands, 2 given"),
    ("MOV temp[128], temp[0]", 10, "0 to 127 are possible here"),
    ("MOV temp[1], temp[256]", 19, "0 to 255 are possible here"),
    ("MOV temp[1].xyq, temp[0]", 15, "',' is expected"),
    ("MOV temp[1], temp[0].xyzq", 25, "r300 has no 'q' here"),
    ("ADDD temp[1], temp[0]", 1, "r300 has no register or operation 'ADDD'"),
]


def lines():
    CHECKS.check(len(LINES) == len(GOLDEN), "a line for each row")
    for (words, _), line in zip(GOLDEN, LINES):
        values = ["0x%08x" % int(w, 16) for w in words.split()]
        head = "0x2200 0x00000000\n"
        run = tool.Run(["disasm", "--target", "r500", "-"],
                       stdin=head + "".join("0x2208 %s\n" % v for v in values))
        want = line + " # " + " ".join("0x2208 " + v for v in values)
        CHECKS.check(run.out.splitlines()[1:] == [want], f"{words}: {run.out}")
        run = tool.Run(["asm", "--target", "r500", "-"], stdin="VAP_PVS_VECTOR_INDX_REG\n" + line)
        CHECKS.check(run.out.split()[3::2] == values, f"{line}: {run.out} {run.err}")
    for line, column, message in REFUSED:
        run = tool.Run(["asm", "--target", "r300", "-"], stdin="VAP_PVS_VECTOR_INDX_REG\n" + line)
        CHECKS.check(run.status == 1 and not run.out and f"<stdin>:2:{column}: error: {message} [" in run.err,
                     f"{line}: {run.err}")


def said(half):
    """Parses an instruction in the notation of GOLDEN."""
    def source(s):
        name = s.file + (str(s.index) if s.relative is None else "[A0.%s+%d]" % ("xyzw"[s.relative], s.index))
        return name + "." + "".join(("-" if n else "") + c for c, n in zip(s.select, s.negate))
    return " ".join([half.op, "%s%d.%s" % (half.target.file, half.target.index, half.target.mask)]
                    + [source(s) for s in half.sources])


def golden_decoded():
    for words, text in GOLDEN:
        values = [int(w, 16) for w in words.split()]
        got = pvs_code.instruction(0, values, pvs_code.CHIPS["r500"])
        CHECKS.check(said(got.first) == text, f"{words}: {said(got.first)!r}, not {text!r}")
        if got.second:
            CHECKS.check(said(got.second) == SECOND, f"{words}: {said(got.second)!r}")
    for words, why in (("00F00004 00D10022 00D10062 00D10000", "2 different registers of const"),
                       ("00F00003 00D10001 00D10021 01248001", "2 different registers of input"),
                       ("00F00003 00D10003 00D10023 01248003", "2 different registers of alt"),
                       ("00F00004 00D10020 00D10040 00D10060", "3 different registers of temp"),
                       ("00F00003 00D10001 00D10021 01248021", "2 different registers of input"),
                       ("10602003 00D10001 00D10060 00392024", "2 different registers of temp"),
                       ("01F00003 00D10001 01248001 01248001", "r500 only")):
        try:
            pvs_code.instruction(0, [int(w, 16) for w in words.split()], pvs_code.CHIPS["r300"])
            CHECKS.check(why == "2 different registers of temp", f"{words} is taken")
        except arb.OracleError as e:
            CHECKS.check(why in str(e), f"{words}: {e}")


def convert(text, chip="r300", *words):
    run = tool.Run(["convert", "--to", chip, "--format", "json", *words, "-"], stdin=text)
    CHECKS.check(not run.sanitizer(), run.err)
    return json.loads(run.out)[0] if run.out else {"fits": False, "reason": run.err}


def code(text, chip="r300", *words):
    o = convert(text, chip, *words)
    data, first = [], False
    for address, value in o.get("words", []):
        if address == "0x2200":
            first = int(value, 16) == 0
        elif address == "0x2208" and first:
            data.append(int(value, 16))
    return [tuple(data[k:k + 4]) for k in range(0, len(data), 4)]


# Programs that compile to a row of that table: (program, row, number of words to compare).
MADE = [
    ("DP4 result.position.x, program.env[0], vertex.position;", 0, 3),
    ("MOV result.color, vertex.normal; MOV result.position, vertex.position;", 1, 4),
    ("ADDRESS A; PARAM p[] = { program.env[0..9] }; ARL A.x, vertex.color.x;\nADD result.position, p[A.x], 0;\n"
     "MOV result.color, vertex.normal; MOV result.texcoord, vertex.position;", 7, 4),
]


def golden_made():
    for body, row, count in MADE:
        want = tuple(int(w, 16) for w in GOLDEN[row][0].split())[:count]
        got = code("!!ARBvp1.0\n%s\nEND\n" % body)
        CHECKS.check(any(i[:count] == want for i in got),
                     f"{body!r}: no {want} in {[tuple(hex(w) for w in i) for i in got]}")


# ---- vertices processed at a time ----

def live(k):
    """Returns a program with k live values of four components; no two of them except the sum are read
    together."""
    lines = ["MAD t%d, vertex.position.yxwz, 0.5, program.env[%d];" % (i, i) for i in range(k)]
    lines.append("SUB s, vertex.normal, t0;")
    lines += ["SUB s, t%d, s.yzwx;" % i for i in range(1, k)]
    names = ", ".join("t%d" % i for i in range(k))
    return "!!ARBvp1.0\nTEMP s, %s;\n%s\nMOV result.position, s;\nEND\n" % (names, "\n".join(lines))


# TABLE: for each chip and --atrm, the most live values for each number of controllers, that is, of vertices
# processed at a time (notes/facts/r300-vertex.md 8). BELOW: controllers for one value more than in the table,
# where they are not those of the next row.
BELOW = {("r500", 38): 3}       # 32 temporaries and 6 alternate ones: 20 / 6
TABLE = {("r300", "none"): {5: 14, 4: 18, 3: 24, 2: 32}, ("r300", "search"): {5: 18, 4: 23, 3: 30, 2: 42, 1: 52},
         ("r500", "none"): {5: 25, 4: 32}, ("r500", "search"): {5: 29, 4: 37}}


def reported(text, chip, atrm):
    """Returns the figures of `report`, or None."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "p.arbvp")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        run = tool.Run(["report", "--target", chip, "--atrm", atrm, path])
    line = run.out.split("\n")[0]
    if "fits:" not in line or "does not fit" in line:
        return None
    return {name: int(value) for name, value in (pair.rsplit(" ", 1) for pair in
                                                 line.split("fits: ")[1].split(", "))}


def controllers():
    for (chip, atrm), rows in TABLE.items():
        for n, most in rows.items():
            for k in (most, most + 1):
                got = reported(live(k), chip, atrm)
                next_row = max([c for c in rows if c < n], default=None)
                below = n if k == most else BELOW.get((chip, k), next_row)
                CHECKS.check((got and got["controllers"]) == below,
                             f"{chip} {atrm}: {k} values: {got}, not {below} controllers")


def pressure():
    """With 33 to 40 values there are too few temporaries; with alternate temporaries the program fits and
    computes the same."""
    for k in (33, 36, 40):
        none, some = convert(live(k), "r300", "--atrm", "none"), convert(live(k))
        CHECKS.check(not none["fits"] and "temporaries" in none["reason"], f"{k} without: {none.get('reason')}")
        CHECKS.check(some["fits"] and some["stats"]["alternates"] > 0, f"{k} values: {some.get('reason')}")
        reference = arb.Reference(live(k), "live %d" % k, 4)
        totals = arb.Totals()
        why = reference.difference(arb.read(json.dumps(some), "r300"), "r300", totals)
        CHECKS.check(why is None and totals.compared > 8, f"{k} values: {why}, {totals.compared} compared")


# ---- limits ----

def chain(n):
    """Returns a program of n instructions."""
    lines = ["MUL t, vertex.position, program.env[0];"]
    lines += ["MAD t, t, program.env[0], t.wxyz;"] * (n - 2) + ["MAD result.position, t, program.env[0], t.wxyz;"]
    return "!!ARBvp1.0\nTEMP t;\n%s\nEND\n" % "\n".join(lines)


def constants(n):
    lines = ["MUL t, vertex.position, program.local[0];"]
    lines += ["MAD t, t, program.local[%d], t;" % i for i in range(1, n)]
    return "!!ARBvp1.0\nTEMP t;\n%s\nMOV result.position, t;\nEND\n" % "\n".join(lines)


def texcoords(n):
    lines = ["MOV result.texcoord[%d], vertex.position;" % i for i in range(n)]
    return "!!ARBvp1.0\n%s\nMOV result.fogcoord, vertex.position.x;\nMOV result.position, vertex.position;\nEND\n" % (
        "\n".join(lines))


def array(n, offset):
    return ("!!ARBvp1.0\nADDRESS A;\nPARAM a[] = { program.env[0..%d] };\nARL A.x, vertex.position.x;\n"
            "MOV result.position, a[A.x%+d];\nEND\n" % (n - 1, offset))


def two_arrays(n):
    """Returns a program with an array of n elements, and a second one behind it."""
    return ("!!ARBvp1.0\nTEMP t; ADDRESS A;\nPARAM a[] = { program.env[0..%d] }; PARAM b[] = { program.local[0..3] };\n"
            "ARL A.x, vertex.position.x;\nMOV t, a[A.x];\nADD result.position, t, b[A.x+63];\nEND\n" % (n - 1))


LIMITS = [
    (chain(256), "r300", None), (chain(257), "r300", "257 instructions"), (chain(1024), "r500", None),
    (chain(1025), "r500", "1025 instructions"), (chain(256), "r400", None), (chain(257), "r400", "257 instructions"),
    (constants(255), "r300", None), (constants(256), "r500", None), (constants(257), "r500", "257 constants"),
    (texcoords(7), "r300", None), (texcoords(8), "r300", "more than 8 texture coordinates"),
    (array(256, 0), "r300", None), (array(257, 0), "r300", "257 constants"), (array(190, -64), "r300", None),
    (array(200, -64), "r300", "264 constants"), (array(256, 63), "r500", None),
    (two_arrays(190), "r300", None), (two_arrays(200), "r300", "beyond constant 255"),
    (constants(200).replace("MOV result", "ADDRESS A; PARAM a[] = { program.env[0..9] };\nARL A.x, t.x;\n"
                            "ADD t, t, a[A.x+63];\nMOV result"), "r500", None),
]


def limits():
    for text, chip, reason in LIMITS:
        o = convert(text, chip)
        CHECKS.check(o["fits"] == (reason is None) and (reason or "") in o.get("reason", ""),
                     f"{text[:60]!r} on {chip}: {o.get('reason')}, not {reason}")
    # on r300 a short program is padded to four instructions
    CHECKS.check(len(code("!!ARBvp1.0\nMOV result.position, vertex.position;\nEND\n")) == 4, "not filled up")
    run = tool.Run(["convert", "--to", "glsl", "--atrm", "none", "-"], stdin=chain(3))
    CHECKS.check(run.status == 2 and "--atrm" in run.err, run.err)
    run = tool.Run(["convert", "--to", "r300", "--atrm", "some", "-"], stdin=chain(3))
    CHECKS.check(run.status == 2 and "none" in run.err, run.err)


def many():
    """The second program of a text must not contain anything of the first."""
    one, two = texcoords(3), texcoords(5)
    run = tool.Run(["convert", "--to", "r300", "--format", "json", "-"], stdin=one + two)
    objects = json.loads(run.out)
    for text, o in zip((one, two), objects):
        alone = convert(text)
        CHECKS.check(all(o[name] == alone[name] for name in ("words", "inputs", "outputs", "constants", "stats")),
                     "a program is another behind another")


def round_trip():
    """The text of words, and packets, must read back as the same words."""
    for chip in ("r300", "r500"):
        text = tool.Run(["convert", "--to", chip, "-"], stdin=live(40)).out
        hexadecimal = tool.Run(["convert", "--to", chip, "--format", "hex", "-"], stdin=live(40)).out
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "words.txt")
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            back = tool.Run(["asm", "--target", chip, path])
        CHECKS.check(back.status == 0 and hexadecimal.split() and
                     [x for x in back.out.split() if x.startswith("0x")] ==
                     [x for x in hexadecimal.split() if x.startswith("0x")], f"{chip}: {back.err[:200]}")


def main():
    golden_decoded()
    lines()
    golden_made()
    controllers()
    pressure()
    limits()
    many()
    round_trip()
    CHECKS.finish()


if __name__ == "__main__":
    main()
