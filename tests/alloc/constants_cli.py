"""Tests `texenvc constants`: the rows of constants that the e-mail on compact constants of r300 prints (one
of the founding documents, notes/glossary.md), for the same program in ARB assembly; and the output of the
command."""
import json
import os
import subprocess
import sys
import tempfile

import alloc_constants as layouts
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool

CHECKS = tool.Checks("constants_cli")


def program():
    """Returns an ARB program that declares and reads constants as the shader glamor 88 does (glamor in
    alloc_constants.py) and computes nothing sensible from them."""
    slots, reads = layouts.glamor()
    uniforms = [("transform_mat", 3), ("repeat_type", 1), ("A_value", 1), ("c1", 1), ("r1", 1), ("c2", 1),
                ("r2", 1), ("stops", 18), ("stop_colors", 18)]
    lines, names = ["!!ARBfp1.0"], []
    for name, size in uniforms:
        first = len(names)
        if size == 1:
            lines.append(f"PARAM {name} = program.local[{first}];")
            names.append(name)
        else:
            lines.append(f"PARAM {name}[{size}] = {{ program.local[{first}..{first + size - 1}] }};")
            names += [f"{name}[{i}]" for i in range(size)]
    for i in range(len(names), len(slots)):
        values = ", ".join(f"{v:.9g}" for v in slots[i].value)
        lines.append(f"PARAM imm{i} = {{ {values} }};")
        names.append(f"imm{i}")
    lines += ["TEMP r;", "MOV r, fragment.color;"]
    for read in reads:
        lanes = [lane for lane in read.lanes if lane is not None]
        if len(lanes) == 1:
            lines.append(f"ADD r, r, {names[read.slot]}.{'xyzw'[lanes[0]]};")
        else:
            mask = "".join("xyzw"[c] for c in range(4) if read.lanes[c] is not None)
            lines.append(f"ADD r.{mask}, r, {names[read.slot]};")
    return "\n".join(lines + ["MOV result.color, r;", "END", ""])


def glamor(folder):
    path = os.path.join(folder, "88.arbfp")
    with open(path, "w") as f:
        f.write(program())
    run = tool.Run(["constants", "--constants-layout", "seed", path])
    CHECKS.check(run.status == 0 and run.out == layouts.DOCUMENT, f"seed: status {run.status}\n{run.err}{run.out}")
    run = tool.Run(["constants", "--constants-layout", "vectors-first", path])
    CHECKS.check(run.status == 0 and run.out.count("\n") == 33, f"vectors-first: {run.out.count(chr(10))} rows")
    run = tool.Run(["constants", "--limit", "32", path])
    CHECKS.check(run.status == 0 and run.out.count("\n") == 32, f"best: {run.out.count(chr(10))} rows")
    for word in ("56 constants", "32 slots", "fewer than 32", "125 lanes", "CONST[46].xyz"):
        CHECKS.check(word in run.err, f"'{word}' is not in {run.err}")
    run = tool.Run(["constants", "--limit", "31", path])
    CHECKS.check(run.status == 3 and not run.out and "125" in run.err and "32 slots" in run.err,
                 f"limit 31: status {run.status}, {run.err}")
    run = tool.Run(["constants", "--mix", "--limit", "32", path])
    CHECKS.check(run.status == 0 and run.out.count("\n") == 32, f"mixed: {run.status}")
    run = tool.Run(["constants", "--format", "json", path])
    got = json.loads(run.out)
    CHECKS.check(got["lower_bound"] == 32 and got["scalarised"] == ["CONST[46].xyz"] and
                 len(got["slots"]) == 32 and got["plain"] == 56, f"JSON: {run.out[:300]}")
    lanes = [lane for slot in got["slots"] for lane in slot if lane]
    sources = {(lane["from"], lane["lane"]) for lane in lanes if "from" in lane}
    CHECKS.check(len(sources) == 107 and ("program.local[44]", "w") in sources, f"{len(sources)} sources")
    values = {lane["value"] for lane in lanes if "value" in lane}
    CHECKS.check({float(n) for n in range(2, 18)} <= values, f"values {values}")


def shader(folder):
    """Tests that the real program of glamor 88 gets the rows of the document, too."""
    path = os.path.join(folder, "glamor.arbfp")
    with open(path, "w") as f:
        subprocess.run([sys.executable, os.path.join(tool.TOP, "tests", "arbfp", "glamor.py"), "88", "index"], stdout=f,
                       check=True)
    for layout, rows in (("seed", 36), ("vectors-first", 33), ("best", 32)):
        run = tool.Run(["constants", "--constants-layout", layout, path])
        CHECKS.check(run.status == 0 and run.out.count("\n") == rows, f"{layout}: {run.out.count(chr(10))} rows")
        CHECKS.check(layout != "seed" or run.out == layouts.DOCUMENT, f"seed of the shader\n{run.out}")
        run = tool.Run(["convert", "--to", "r400", "--constants-layout", layout, path])
        CHECKS.check(run.status == (0 if rows == 32 else 3) and (rows == 32 or f"{rows} constants of 32" in run.err),
                     f"words with {layout}: {run.status} {run.err}")
    run = tool.Run(["convert", "--to", "r300", path])
    CHECKS.check(run.status == 3 and "the chip has 64" in run.err and "constants would fit (32 of 32)" in run.err,
                 f"r300: {run.status} {run.err}")
    run = tool.Run(["convert", "--to", "r200", "--constants-layout", "best", path])
    CHECKS.check(run.status == 2 and "no option of r200" in run.err, f"r200: {run.status} {run.err}")
    run = tool.Run(["constants", "--limit", "31", path])
    CHECKS.check(run.status == 3 and "125" in run.err, f"limit 31: status {run.status}, {run.err}")


def order(folder):
    """Tests that slots keep the order of declarations; slots without a declaration follow, then
    immediates."""
    path = os.path.join(folder, "order.arbfp")
    with open(path, "w") as f:
        f.write("!!ARBfp1.0\nPARAM one = {5, 6, 7, 8};\nPARAM b[2] = { program.env[9], state.fog.color };\n"
                "PARAM a = program.local[1];\nTEMP r;\nMUL r, a, program.env[0];\nMAD r, r, b[1], b[0];\n"
                "ADD result.color, r, one;\nEND\n")
    run = tool.Run(["constants", "--constants-layout", "seed", "--format", "json", path])
    got = [[lane["from"] + "." + lane["lane"] if "from" in lane else lane["value"] for lane in slot]
           for slot in json.loads(run.out)["slots"]]
    want = [[f"{name}.{lane}" for lane in "xyzw"] for name in
            ("program.env[9]", "state.fog.color", "program.local[1]", "program.env[0]")] + [[5, 6, 7, 8]]
    CHECKS.check(got == want, f"{got}")


def states():
    run = tool.Run(["constants", "-e", "{T0*C} {P*C} C0=(.5,0,0,0)"])
    rows = ["CONST[0] = {CONST[0].x CONST[0].y CONST[0].z CONST[0].w  }",
            "CONST[1] = {CONST[1].x CONST[1].y CONST[1].z CONST[1].w  }"]
    CHECKS.check(run.status == 0 and run.out == "\n".join(rows) + "\n", f"a state: {run.out}{run.err}")
    run = tool.Run(["constants", "-e", "!!ARBfp1.0\nMUL result.color, fragment.color, program.local[0].w;\nEND\n"])
    CHECKS.check(run.out == "CONST[0] = {CONST[0].w CONST[-1].u CONST[-1].u CONST[-1].u  }\n", run.out + run.err)
    run = tool.Run(["constants", "--limit", "0", "-e", "{T0}"])
    CHECKS.check(run.status == 2, f"limit 0: status {run.status}")


with tempfile.TemporaryDirectory() as temporary:
    glamor(temporary)
    shader(temporary)
    order(temporary)
    states()
CHECKS.finish()
