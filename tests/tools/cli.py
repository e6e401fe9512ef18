#!/usr/bin/env python3
"""Tests the command line: commands, options, exit statuses and outputs. Other tests check what programs
compute. usage: cli.py"""
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool
from tests.shared.tool import Run

checks = tool.Checks("cli")
GOOD = "{T0*P} {T1+P}*2"


def expect(status, args, stdin=b"", err="", out="", **more):
    """Runs the command and checks its exit status and patterns in its output."""
    run = Run(args, stdin, **more)
    ok = checks.check(run.status == status, f"{args}: exit status {run.status}, expected "
                                            f"{status}\n{run.err[:600]}")
    if ok and err:
        checks.check(re.search(err, run.err), f"{args}: standard error lacks '{err}':\n{run.err[:600]}")
    if ok and out:
        checks.check(re.search(out, run.out), f"{args}: standard output lacks '{out}':\n{run.out[:600]}")
    if status == 2:
        checks.check(run.out == "", f"{args}: wrong usage prints {run.out[:200]}")
    checks.check(not run.sanitizer(), f"{args}: {run.err}")
    return run


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def help_texts():
    everything = expect(0, ["--help"], out="convert[^$]*registers[^$]*explain[^$]*lint[^$]*equiv").out
    expect(0, ["-h"], out="Usage")
    expect(0, ["help"], out="Usage")
    expect(0, ["--version"], out=r"^texenvc \d+\.\d+\.\d+\n$")
    for command in re.findall(r"^  ([a-z]+) ", everything, re.M):
        first = expect(0, [command, "--help"], out=rf"Usage: texenvc {command}").out
        checks.check(expect(0, ["help", command]).out == first, f"help {command} is another text")
        for line in first.split("\n"):
            checks.check(len(line) <= 130, f"{command} --help: a line of {len(line)} columns")
        # Every option that the help text names is accepted.
        for option in set(re.findall(r"--[a-z][a-z0-9-]*", first)):
            run = Run([command, option])
            checks.check("unknown option" not in run.err, f"{command} {option}: {run.err}")


def wrong_usage():
    for args, message in (
        ([], "command"), (["conver"], "did you mean 'convert'"), (["frobnicate"], "no command"),
        (["convert"], "no input"), (["registers"], "no input"),
        (["convert", "--too", "gl", "-e", GOOD], "did you mean '--to'"), (["convert", "--nonsense", "-e",
            GOOD], "unknown option"), (["convert", "-e"], "needs a value"),
        (["convert", "--to"], "needs a value"), (["convert", "-e", GOOD, "--to", "arb"], "--to"),
        (["convert", "-e", GOOD, "--to", "apitrace"], "apitrace"),
        (["convert", "-e", GOOD, "--from", "c"], "--from"), (["convert", "-e", GOOD, "--bind", "tight"],
                                                             "keep, compact"), (["convert", "-e", GOOD,
                                                                 "--avoid", "mes"], "mesa"),
        (["convert", "-e", GOOD, "--constants", "env"], "literal"), (["convert", "-e", GOOD, "--policy",
            "crossbar-off=two"], "crossbar-off"),
        (["convert", "-e", GOOD, "--policy", "nonsense=1"], "crossbar-off"), (["convert", "-e", GOOD,
            "--state", "0"], "--state"), (["convert", "-e", GOOD, "--state", "x"], "--state"),
        (["registers", "-e", GOOD, "--registers", "9"], "1 to 8"), (["registers", "-e", GOOD, "--to", "gl"],
                                                                    "--to"), (["convert", "-e", GOOD,
                                                                        "--diag", "xml"], "text"),
        (["convert", "-e", GOOD, "--quiet=1"], "no value"), (["convert", "-e", GOOD, "--skip", "deaf"],
                                                             "dead"), (["equiv", "-e", GOOD],
                                                                 "two|A B|second|inputs"),
        (["convert", "-e", GOOD, "-x"], "unknown option"),
    ):
        expect(2, args, err=message)


def inputs():
    expect(0, ["convert", "-"], GOOD, out="!!ATIfs1.0")
    expect(0, ["convert", "-e", GOOD], out="^!!ATIfs1.0\n")
    expect(0, ["convert", "--to=stages", "-e", GOOD], out=r"^\{T0\*P\} \{T1\+P\}\*2\n$")
    expect(0, ["convert", "-e" + GOOD], out="!!ATIfs1.0")
    crlf = expect(0, ["convert", "-"], (GOOD + "\r\n").encode())
    checks.check(crlf.out == Run(["convert", "-"], GOOD + "\n").out, "CRLF changes the output")
    # Every form is recognised and gives the same program.
    program = Run(["convert", "-e", GOOD]).out
    for form in ("gl", "stages", "ir"):
        text = Run(["convert", "--to", form, "-e", GOOD]).out
        for args in ([], ["--from", form]):
            run = expect(0, ["convert", "-"] + args, text)
            checks.check(run.out == program, f"from {form} {args}: another program\n{run.out}")
    run = expect(0, ["convert", "-"], program)
    checks.check(run.out == program, "atifs -> atifs is not the identity")
    with tempfile.TemporaryDirectory() as folder:
        path = write(folder, "-odd.stages", GOOD)
        expect(0, ["convert", "--", "-odd.stages"], cwd=folder, out="!!ATIfs")
        expect(1, ["convert", "od.stages"], cwd=folder, err="No such file")
        expect(1, ["convert", path + "x"], err="-odd.stages")
    expect(1, ["convert", GOOD], err="-e")
    for wrong, right in (("modulat", "modulate"), ("lrep(T0,P,C)", "lerp"), ("dto3(T0,P)", "dot3")):
        expect(1, ["convert", "-e", "{%s}" % wrong], err=f"did you mean `{right}`")


def several_states():
    text = "{T0*P}\n\n# comment\n{T1}\n{T0*P @shadow}\n{C}\n"
    with tempfile.TemporaryDirectory() as folder:
        first, second = write(folder, "a.stages", text), write(folder, "b.stages", "{P}\n")
        run = expect(3, ["convert", "a.stages", "b.stages", "--to", "atifs"], cwd=folder,
                     err=r"a.stages:5:1: error: refused: .*shadow")
        frames = re.findall(r"^# state (\d+) (\S+)( refused: .+)?$", run.out, re.M)
        checks.check([f[:2] for f in frames] == [("1", "a.stages:1"), ("2", "a.stages:4"),
                                                 ("3", "a.stages:5"), ("4", "a.stages:6"),
                                                 ("5", "b.stages:1")], f"frames: {frames}")
        checks.check([bool(f[2]) for f in frames] == [False, False, True, False, False],
                     f"refused frames: {frames}")
        checks.check(run.out.count("!!ATIfs1.0") == 4, "four programs")
        # --state N selects one state, counted over all files, and prints it without a header line.
        run = expect(0, ["convert", "--state", "2", first, second, "--to", "stages"])
        checks.check(run.out == "{T1} {P}\n", f"--state 2 prints {run.out}")
        run = expect(0, ["convert", "--state", "5", first, second, "--to", "stages"])
        checks.check(run.out == "{P}\n", f"--state 5 prints {run.out}")
        expect(3, ["convert", "--state", "3", first])
        expect(1, ["convert", "--state", "9", first], err="no state 9.*4")
        # Outputs with header lines read back.
        for form in ("stages", "gl", "ir", "atifs"):
            once = expect(0, ["convert", "-q", "--to", form, "-e", "{T0*P}\n{T1}\n{C} C0=(.5,0,0,0)"]).out
            again = expect(0, ["convert", "-q", "--from", form, "--to", form, "-"], once).out
            strip = lambda t: re.sub(r"^# state.*\n", "", t, flags=re.M)
            checks.check(strip(once) == strip(again) and again.count("# state") == 3,
                         f"{form} with three states does not read back:\n{once}\n{again}")


def outputs():
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.txt")
        run = expect(0, ["convert", "-e", GOOD, "-o", out])
        checks.check(run.out == "" and read(out) == Run(["convert", "-e", GOOD]).out, "-o FILE")
        expect(0, ["convert", "-e", "{P}", "--output", out])
        checks.check("MOV" in read(out) and os.listdir(folder) == ["out.txt"],
                     "-o replaces a file and leaves nothing else")
        # An output folder gets one file for each state.
        source = write(folder, "game.stages", "{T0*P}\n{T1}\n{T0*P @shadow}\n")
        expect(3, ["convert", source, "-o", os.path.join(folder, "dir") + "/"])
        names = sorted(os.listdir(os.path.join(folder, "dir")))
        checks.check(len(names) == 2, f"-o DIR/ wrote {names}")
        for name in names:
            checks.check(read(os.path.join(folder, "dir", name)).startswith("!!ATIfs1.0"),
                         f"{name} does not begin with its header")
        for form, end in (("gl", "gl"), ("stages", "stages"), ("ir", "ir"), ("atifs", "atifs"),
                          ("atifs-c", "c"), ("json", "json"), ("r200", "txt"), ("arbfp", "arbfp"),
                          ("glsl-330", "frag")):
            expect(0, ["convert", "-e", GOOD, "--to", form, "-o", os.path.join(folder, form) + "/"])
            written = os.listdir(os.path.join(folder, form))
            checks.check(written == ["text." + end], f"--to {form} -o DIR/ wrote {written}")
        expect(0, ["convert", "-e", GOOD, "-o", "-"], out="!!ATIfs1.0")
        # The longest name that a file system accepts.
        expect(0, ["convert", "-e", GOOD, "-o", "n" * 255], cwd=folder)
        # A path that cannot be written gives the exit status of wrong input.
        for path in ("none/out", "none/dir/", "out.txt/x", "n" * 300):
            run = expect(1, ["convert", "-e", GOOD, "-o", path], cwd=folder,
                         err=r"^texenvc: error: cannot (write|make the folder) '" + path[:40])
            checks.check("internal" not in run.err and run.out == "", f"-o {path}: {run.err}")
        expect(1, ["convert", "--diag", "json", "-e", GOOD, "-o", "none/out"], cwd=folder,
               err='"code": "file"')
        if os.geteuid() != 0:
            os.mkdir(os.path.join(folder, "closed"), 0o500)
            expect(1, ["convert", "-e", GOOD, "-o", "closed/out"], cwd=folder,
                   err="closed/out': Permission denied")


def reflected_files():
    """--reflect gives each state's place in the input and its number of draws."""
    text = "{T0*P @rect}\n{T0*P}\n{T1}\n"
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "game.stages", text)
        r = ["--to", "glsl-es", "--stage", "both", "--reflect", "r.json"]
        expect(3, ["convert", "game.stages", *r, "-o", "out/"], cwd=folder)
        objects = json.loads(read(os.path.join(folder, "r.json")))
        files = [["out/game-%d.%s" % (n, end) for end in ("vert", "frag")] for n in (1, 2)]
        checks.check([(o["state"], o["name"], o["files"]) for o in objects]
                     == [(2, "game-1", files[0]), (3, "game-2", files[1])], f"--reflect: {objects}")
        checks.check(sorted(os.listdir(os.path.join(folder, "out"))) == sorted(
            os.path.basename(f) for pair in files for f in pair), os.listdir(os.path.join(folder, "out")))
        expect(3, ["convert", "game.stages", *r, "-o", "one.glsl", "--name", "sky"], cwd=folder)
        checks.check([(o["name"], o["files"]) for o in json.loads(read(os.path.join(folder, "r.json")))]
                     == [("sky", ["one.glsl"]), ("sky_2", ["one.glsl"])], "--reflect with -o FILE")
        recorded = "// 40 draws, environment colours changed 2 times   \n// demo, first drawn in frame 3\n" \
                   "glEnable(GL_TEXTURE_2D);\n"
        for first, draws in (("", 40), ("// what follows is no header\n", 1)):
            write(folder, "demo-001.gl", first + recorded)
            expect(0, ["convert", "demo-001.gl", *r], cwd=folder)
            o = json.loads(read(os.path.join(folder, "r.json")))
            checks.check(o[0]["draws"] == draws and "files" not in o[0], f"recorded: {o}")


def over_an_input():
    """An output file that is also an input, even under another name, is not written."""
    text = "{T0*P}\n"
    with tempfile.TemporaryDirectory() as folder:
        path = write(folder, "old.stages", text)
        write(folder, "other.stages", "{T1}\n")
        os.symlink("old.stages", os.path.join(folder, "link"))
        os.link(path, os.path.join(folder, "hard"))
        message = "same file as the input"
        for files, out in ((["old.stages"], "old.stages"), (["old.stages"], "./old.stages"),
                           (["link"], "old.stages"), (["old.stages"], "link"), (["old.stages"], "hard"),
                           (["other.stages", "old.stages"], path), (["other.stages", "old.stages"], "./")):
            expect(2, ["convert", "--to", "stages"] + files + ["-o", out], cwd=folder, err=message)
            checks.check(read(path) == text and len(os.listdir(folder)) == 4,
                         f"{files} -o {out} wrote something: {os.listdir(folder)}")
        with open(path, "rb") as stdin:
            run = subprocess.run([tool.TEXENVC, "convert", "-", "-o", path], stdin=stdin, capture_output=True)
        checks.check(run.returncode == 2 and message.encode() in run.stderr and read(path) == text,
                     f"- -o the file at standard input: {run.returncode} {run.stderr}")
        expect(0, ["convert", "old.stages", "-o", "old.atifs"], cwd=folder)
        expect(0, ["convert", "old.stages", "-o", "./"], cwd=folder)
        expect(0, ["convert", "-", "-o", "/dev/null"], text)


def registers():
    table1 = "Start:    {T0, T2}, {P , T0}, {T1, P }\nPass 1:   {T0, T2}, {P , T0}, {T1, P }\nPass 2.1: {R0, R2}, {P , R0}, {R1, P }\nPass 2.2: {R0, R2}, {R2, R0}, {R1, R0}\n"
    table2 = "Start:    {T0, T2}, {T1, T0}, {T1, P }\nPass 1:   {T1, T0}, {T1, P }\nPass 2.1: {R1, R0}, {R1, P }\nPass 2.2: {R1, R0}, {R1, R0}\n"
    for text, table in (("{T0, T2}, {P , T0}, {T1, P }", table1), ("{T0, T2}, {T1, T0}, {T1, P }", table2),
                        ("{T0+T2} {P*T0} {T1-P}", table1), ("{T0,T2} {T1,T0} {T1,P}", table2)):
        for more in ([], ["--registers", "3"]):
            run = expect(0, ["registers", "-e", text] + more)
            checks.check(run.out == table, f"registers {text}:\n{run.out}")
    run = expect(0, ["registers", "-e", "{T0+T1} {T3-T2}"])
    checks.check("Pass 1:   {T3, T2}\n" in run.out and "{T0" not in run.out.split("\n", 1)[1],
                 f"dead stage:\n{run.out}")
    run = expect(0, ["registers", "-e", "{F, 0}, {P , C}"])
    checks.check("Pass 2.2: {F , 0 }, {R0, C }" in run.out or "{F, 0}, {R0, C" in run.out,
                 f"F, C, 0 stand for themselves:\n{run.out}")
    for text, n in (("{T0,T1}{P,T0}{P,T1}{P,T2}", "3"), ("{T0,T1,T2}{P,T0,T1}{P,T2}", "3"),
                    ("{T0,T1,T2}{P,T0,T1}{P,T2,T3}{P,T4,T5}", "6")):
        expect(3, ["registers", "--registers", n, "-e", text], err="no register|register")
    expect(1, ["registers", "-e", "{T0, T9}"], err=r"<text>:1:6: error")


def explain_and_lint():
    run = expect(0, ["explain", "-e", "{T0+T1} {T3-T2}"], out="T3 ?- ?T2")
    checks.check("Optimised to 1 pair:\n    {T3-T2}" in run.out
                 or "No shorter form: 1 pair\n    {T3-T2}" in run.out, f"the pairs:\n{run.out}")
    checks.check("T0" in run.out and re.search("drop|dead|not reach", run.out),
                 f"explain does not say what was dropped:\n{run.out}")
    run = expect(0, ["explain", "-e", "{T0*P} {P*C; P} C1=(.5,.5,.5,0)"])
    checks.check("No shorter form: 2 pairs (V1: the result of pair 1, C1: the colour of unit 1)\n    {T0*F} "
                 "{V1*C1; -}\n" in run.out, f"nothing to optimise:\n{run.out}")
    run = expect(0, ["explain", "-e", "{T0} {P*T1}"])
    checks.check("Optimised to 1 pair:\n    {T0*T1}\n" in run.out,
                 f"one pair less, and no names to tell:\n{run.out}")
    # The three optimisations in the founding e-mail: two are right; the third, which moves an addition before
    # a subtraction, is wrong where the subtraction is clamped:
    # T0 = T1 = 0, T2 = T3 = 1 gives sat(sat(0-1)+1) = 1, and the other order sat(sat(0+1)-1) = 0.
    for stages, short in (("{T1+T2} {P+P} {P+T3}", "{T1+T2}*2 {V1+T3}"), ("{T1*T2} {P+T0}", "{T1*T2+T0}"),
                          ("{T0*T1-T2} {P+T3} {P*C} {P+T0}", "{T0*T1-T2} {V1+T3} {V2*C2+T0}")):
        run = expect(0, ["explain", "-e", stages])
        checks.check(f"\n    {short}\n" in run.out, f"{stages} is not optimised to {short}:\n{run.out}")
        refused = re.search(r"would be wrong.*\n.*T0 = T1 = 0, T2 = T3 = 1 the result is 1, and would be 0",
                            run.out)
        checks.check(bool(refused) == stages.startswith("{T0*T1-T2}"), f"the order of {stages}:\n{run.out}")
    expect(3, ["explain", "-e", "{T0*P @shadow}"], err="shadow")
    expect(0, ["lint", "-e", GOOD])
    expect(0, ["lint", "-e", "{} {T0*P}"], err=r"<text>:1:5: warning: .*\[crossbar-off\]")
    expect(1, ["lint", "--werror", "-e", "{} {T0*P}"])
    expect(3, ["lint", "-e", "{T0*P @shadow}"], err=r"\[shadow\]")
    expect(1, ["lint", "-e", "{T0*}"], err="error")
    expect(1, ["lint", "-"], "glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_SRC_ALPHA);\n",
           err="GL_INVALID_ENUM")


def diagnostics():
    run = expect(1, ["convert", "-e", "{T0*P}\n{T0*\tQ}"], err="^<text>:2:6: error: ")
    lines = run.err.split("\n")
    at = next(i for i, l in enumerate(lines) if "error:" in l)
    checks.check(lines[at + 1] == "    {T0* Q}" and lines[at + 2] == "    " + " " * 5 + "^",
                 f"source line and caret:\n{run.err}")
    run = expect(1, ["convert", "--diag", "json", "-e", "{} {T0*P}\n{T0*Q}"])
    for line in filter(None, run.err.split("\n")):
        try:
            d = json.loads(line)
            checks.check(d["severity"] in ("error", "warning", "note") and d["text"] and d["code"],
                         f"a diagnostic lacks fields: {line}")
        except ValueError:
            checks.check(False, f"--diag json prints {line}")
    checks.check('"line": 1, "column": 5' in run.err and '"line": 2, "column": 5' in run.err,
                 f"places in JSON: {run.err}")
    run = expect(0, ["convert", "-q", "-e", "{} {T0*P}"])
    checks.check(run.err == "", f"--quiet prints {run.err}")
    run = expect(0, ["convert", "-"], "glEnable(GL_TEXTURE_2D);\nfoo(1);\nglBegin(GL_QUADS);\nglEnd();\n",
                 out="# textures assumed complete RGBA")


def script_summary():
    """The summary counts calls of a script that the result does not contain."""
    draw = "glBegin(GL_QUADS);\nglEnd();\n"
    some = "glEnable(GL_TEXTURE_2D);\nfoo(1);\nbar();\n" + draw + "glUseProgram(3);\n" + draw
    line = r"^texenvc: <stdin>: 1 state; 2 calls skipped, 1 draw under programs not converted$"
    for command in ("convert", "explain", "lint"):
        run = expect(0, [command, "-"], some)
        checks.check(re.search(line, run.err, re.M), f"{command}: no summary:\n{run.err}")
        checks.check("skipped" not in expect(0, [command, "-q", "-"], some).err, f"{command} -q: a summary")
    expect(0, ["convert", "-"], "glUseProgram(3);\n" + draw + draw,
           err=r"contains no texture environment: all draws \(2\) were made under programs")
    run = expect(0, ["convert", "-"], "glEnable(GL_TEXTURE_2D);\n" + draw)
    checks.check(run.err == "", f"nothing skipped, and yet: {run.err}")
    run = expect(0, ["convert", "--diag", "json", "-"], some)
    checks.check([json.loads(l)["code"] for l in run.err.split("\n") if l] == ["summary"],
                 f"the summary as JSON: {run.err}")
    expect(1, ["convert", "-"], some + "glEnable(;\n")


def json_output():
    text = "{T0*P} {P+C}*2;4 C1=(.5,.25,0,1) fog=exp\n{T0*P @shadow}\n{dot3(T0,P)}\n"
    run = expect(3, ["convert", "--to", "json", "-e", text])
    try:
        states = json.loads(run.out)
    except ValueError as e:
        checks.check(False, f"--to json is no JSON: {e}\n{run.out[:500]}")
        return
    checks.check(len(states) == 3 and [s["state"] for s in states] == [1, 2, 3], "three states")
    checks.check(states[0]["stages"] == "{T0*P} {P+C}*2;4 C1=(0.5,0.25,0,1) fog=exp", states[0]["stages"])
    checks.check(states[0]["program"] == Run(["convert", "-e", text.split("\n")[0]]).out,
                 "the program in JSON is the program")
    checks.check(states[0]["constants"] and states[0]["bind"][0]["register"] == 0, "bindings and constants")
    checks.check(states[1]["status"] != "ok" and "shadow" in json.dumps(states[1]),
                 f"the refused state: {states[1]}")
    odd = 'a "quoted" \\ name\t\u00e9.stages'
    with tempfile.TemporaryDirectory() as folder:
        write(folder, odd, GOOD)
        run = expect(0, ["convert", "--to", "json", odd], cwd=folder)
        checks.check(json.loads(run.out)[0]["source"]["file"] == odd, "an odd file name in JSON")


def c_output():
    if not shutil.which("cc") or subprocess.run(["cc", "-fsyntax-only", "-x", "c", "-"],
                                                input=b"#include <GL/gl.h>\n#include <GL/glext.h>\n",
                                                capture_output=True).returncode:
        print("cli: no GL headers: the C output is not compiled")
        return
    texts = ["{T0*P}", "{T0*P+C*F; ~T0*P+C*F-0.5}*2;4 C0=(0.5,0.25,0,1)", "{dot3(T0,P)} {dot3a(T1,~P.a)}*2;4",
             "{lerp(T0,P,C)} {modulate @rgb} {P+T0-0.5} {T3-P} {decal @cube}", "{T0*P} colorsum",
             "{~0+P-0.5; P+0-0.5}", "{T5} {P+T3}"]
    for more in ([], ["--avoid", "mesa"], ["--bind", "compact"], ["--constants", "local"]):
        run = expect(0, ["convert", "-q", "--to", "atifs-c", "-e", "\n".join(texts)] + more)
        source = "#define GL_GLEXT_PROTOTYPES\n#include <GL/gl.h>\n#include <GL/glext.h>\n" + re.sub(r"^#.*$",
            "", run.out, flags=re.M)
        done = subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-missing-prototypes",
                               "-fsyntax-only", "-x", "c", "-"], input=source.encode(), capture_output=True)
        checks.check(done.returncode == 0, f"atifs-c {more} does not compile:\n{done.stderr.decode()[:800]}")
        checks.check(len(set(re.findall(r"void (\w+)\(void\)", run.out))) == len(texts),
                     "a function of its own for each state")


def large():
    """Tests that one process can convert many states."""
    run = expect(0, ["convert", "-q", "-"], (GOOD + "\n{T1*P-C} C0=(0.5,0.5,0.5,1)\n") * 20000, timeout=60)
    checks.check(run.out.count("!!ATIfs1.0") == 40000 and "# state 40000 " in run.out, "40,000 states")


def equiv():
    expect(0, ["equiv", "-e", "{T0*P}", "-e", "{P*T0}"])
    run = expect(1, ["equiv", "-e", "{T0*P}", "-e", "{T0+P}"])
    checks.check(re.search(r"T0|differ", run.out + run.err),
                 f"equiv does not say where they differ: {run.out}{run.err}")
    program = Run(["convert", "-O", "0", "-e", GOOD]).out
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "a.atifs", program)
        write(folder, "a.stages", GOOD)
        expect(0, ["equiv", "a.stages", "a.atifs"], cwd=folder)
        write(folder, "b.atifs", program.replace("ADD", "SUB"))
        expect(1, ["equiv", "a.stages", "b.atifs"], cwd=folder)
        expect(1, ["equiv", "a.stages", "none.atifs"], cwd=folder, err="none.atifs")
        # Inputs that are not files have the names that diagnostics show.
        run = expect(1, ["equiv", "-e", "{T0*P}\n{T1}", "-"], GOOD, cwd=folder)
        checks.check("<text> has 2 states, <stdin> has 1" in run.out, f"names in equiv: {run.out}{run.err}")
        run = expect(1, ["equiv", "a.stages", "-e", "{T0}\n{T1}"], cwd=folder)
        checks.check("a.stages has 1 states, <text> has 2" in run.out, f"names in equiv: {run.out}{run.err}")
        # C source, programs with an undefined channel, and ARB programs can be compared.
        write(folder, "a.c", "void f(int i) { for (i = 0; i < 2; i++) { glActiveTexture(GL_TEXTURE0 + i);\n"
              "glEnable(GL_TEXTURE_2D); } glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_ADD); }\n")
        expect(0, ["equiv", "a.c", "-e", "{modulate} {add}"], cwd=folder)
        expect(1, ["equiv", "-e", "{modulate} {modulate}", "a.c"], cwd=folder, out="differs at the input")
        rgb = "!!ATIfs1.0\nStartOutputPass;\n  SampleMap r0, t0.str;\n  PassTexCoord r1, t1.str;\n" \
              "  MUL r%d.rgb, r0, color0;\n  MUL r%d.rgb, color0, r0;\nEndPass;\n"
        write(folder, "rgb.atifs", rgb.replace("SampleMap r0", "PassTexCoord r0") % (0, 0))
        run = expect(0, ["equiv", "rgb.atifs", "rgb.atifs"], cwd=folder)
        checks.check("leaves it undefined: alpha" in run.out, f"undefined alpha: {run.out}")
        write(folder, "other.atifs", read(os.path.join(folder, "rgb.atifs")).replace("MUL", "ADD"))
        expect(1, ["equiv", "rgb.atifs", "other.atifs"], cwd=folder, out="differs at the input")
        vertex = "!!ARBvp1.0\nMOV result.position, vertex.position;\n%s result.color, %s, vertex.color;\nEND\n"
        fragment = "!!ARBfp1.0\nTEMP a;\nTXB a, fragment.texcoord[0], texture[0], 2D;\n" \
                   "%s result.color, a, %s;\nEND\n"
        for text, args in ((vertex, ("vertex.normal", "-vertex.normal")),
                           (fragment, ("fragment.color", "-fragment.color"))):
            write(folder, "a.arb", text % ("ADD", args[0]))
            write(folder, "b.arb", text % ("SUB", args[0]))
            write(folder, "c.arb", text % ("ADD", args[1]))
            expect(0, ["equiv", "a.arb", "a.arb"], cwd=folder)
            expect(1, ["equiv", "a.arb", "b.arb"], cwd=folder, out="differ")
            expect(1, ["equiv", "a.arb", "c.arb"], cwd=folder, out="differ")
        expect(1, ["equiv", "a.arb", "a.stages"], cwd=folder, err="a.arb, ")
    equiv_programs()
    equiv_calls()


def equiv_calls():
    """equiv reads files with any name in the form that --from-a and --from-b give: as calls that define a
    program, or as C source."""
    calls = "glBeginFragmentShaderATI();\nglSampleMapATI(GL_REG_0_ATI, GL_TEXTURE0, GL_SWIZZLE_STR_ATI);\n" \
            "glColorFragmentOp2ATI(GL_DOT3_ATI, GL_REG_0_ATI, GL_NONE, GL_NONE, GL_REG_0_ATI, GL_NONE, GL_%s, " \
            "GL_PRIMARY_COLOR, GL_NONE, GL_NONE);\nglAlphaFragmentOp2ATI(GL_DOT3_ATI, GL_REG_0_ATI, GL_NONE, " \
            "GL_REG_0_ATI, GL_NONE, GL_NONE, GL_PRIMARY_COLOR, GL_NONE, GL_NONE);\nglEndFragmentShaderATI();\n"
    with tempfile.TemporaryDirectory() as folder:
        for name, mods in (("same", "NONE"), ("other", "COMP_BIT_ATI")):
            write(folder, name, calls % mods)
            write(folder, name + ".atifs", Run(["convert", "--from", "atifs-calls", name], cwd=folder).out)
        from_calls = ["equiv", "--from-a", "atifs-calls"]
        for name in ("same", "other"):
            expect(0, [*from_calls, name, name + ".atifs"], cwd=folder, out="no difference")
        expect(1, [*from_calls, "same", "other.atifs"], cwd=folder, out="differs")
        expect(1, ["equiv", "same", "same.atifs"], cwd=folder, err="same: no state or program in it")
        c = "void f(void) { glEnable(GL_TEXTURE_2D); glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_%s); }\n"
        for name in ("a.txt", "b", "c.inl", "d.mm", "e.m", "f.c", "g.hpp"):
            write(folder, name, c % "REPLACE")
            expect(0, ["equiv", "--from-a", "c", "--from-b", "stages", name, "-e", "{replace}"], cwd=folder)
            expect(1, ["equiv", "--from-b", "c", "-e", "{modulate}", name], cwd=folder, out="differs")
            expect(0, ["convert", "--from", "c", "--to", "stages", name], cwd=folder, out="{replace}")
        expect(2, ["equiv", "--from-a", "c", "-e", "x", "f.c"], cwd=folder, err="--from c reads a file")


def equiv_programs():
    """equiv compares ARB programs with GLSL, and vertex halves with programs and with each other."""
    killer = "!!ARBfp1.0\nTEMP a;\nSUB a, fragment.color, 0.5;\nKIL a.%s;\nMOV result.color, fragment.color;\nEND\n"
    skinned = "!!ARBvp1.0\nPARAM m[4] = { program.local[0..3] };\nADDRESS A;\nARL A.x, vertex.texcoord[1].x;\n" \
              "MOV result.position, vertex.position;\nDP4 result.color.%s, m[A.x], vertex.position;\nEND\n"
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("kill", killer), ("skin", skinned)):
            for lane in "xy":
                write(folder, name + lane, text % lane)
            for language in ("glsl", "glsl-330", "glsl-es"):
                write(folder, "a.glsl", Run(["convert", "--to", language, name + "x"], cwd=folder).out)
                expect(0, ["equiv", name + "x", "a.glsl"], cwd=folder, out="no difference on 32 inputs")
                expect(0, ["equiv", "a.glsl", name + "x"], cwd=folder)
                expect(1, ["equiv", name + "y", "a.glsl"], cwd=folder, out=f"{name}y and a.glsl differ")
        expect(1, ["equiv", "killx", "skinx"], cwd=folder, out="not of one kind")
        write(folder, "a.ir", Run(["convert", "--to", "ir", "killx"], cwd=folder).out)
        expect(1, ["equiv", "killx", "a.ir"], cwd=folder, err="a.ir:1:1: an intermediate program")
        words = "lighting light0 texgen0.s=sphere reads=color"
        write(folder, "a.vertex", words)
        write(folder, "b.vertex", words.replace("light0", "light0=positional"))
        for language in ("arbvp", "glsl", "glsl-330"):
            write(folder, "a.text", Run(["convert", "--to", language, "--stage", "vertex", "a.vertex"],
                                        cwd=folder).out)
            for pair in (["a.vertex", "a.text"], ["a.text", "a.vertex"]):
                expect(0, ["equiv", *pair], cwd=folder, out="no difference")
            expect(1, ["equiv", "b.vertex", "a.text"], cwd=folder, out="differ: vertex")
        vertex = ["--from-a", "vertex", "--from-b", "vertex"]
        expect(0, ["equiv", *vertex, "-e", words, "-"], words, cwd=folder, out="no difference")
        write(folder, "c.vertex", words.replace("light0 ", ""))
        expect(1, ["equiv", *vertex, "-e", words, "c.vertex"], cwd=folder, out="<text> and c.vertex differ")
        expect(1, ["equiv", "a.vertex", "-e", GOOD], cwd=folder, err="<text>:1:1: no program")


def exit_statuses():
    """Every command rejects every kind of wrong input, with its exit status, nothing on standard output and
    no output file."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "folder"))
        write(folder, "empty", "")
        with open(os.path.join(folder, "binary"), "wb") as f:
            f.write(bytes(range(32)) * 64)
        write(folder, "bad.stages", "{T0*}\n")
        write(folder, "bad.arbfp", "!!ARBfp1.0\nMOV result.color;\nEND\n")
        write(folder, "bad.atifs", "!!ATIfs1.0\nStartOutputPass;\n")
        write(folder, "good.stages", GOOD)
        names = sorted(set(os.listdir(folder)) - {"good.stages"}) + ["none"]
        commands = [["convert", "--to", to, *more] for to, more in (
            ("atifs", []), ("atifs-c", []), ("ir", []), ("gl", []), ("stages", []), ("json", []), ("arbfp", []),
            ("glsl", []), ("glsl-es-300", ["--stage", "both"]), ("glsl-330", ["--embed"]), ("r200", []),
            ("r300", ["--stage", "both"]), ("ir3", ["--format", "json"]))]
        commands += [["explain"], ["lint"], ["key"], ["registers"], ["constants"], ["equiv", "good.stages"],
                     ["report", "--target", "i830"], ["asm", "--target", "r200"], ["disasm", "--target", "r200"],
                     ["alias"]]
        before = sorted(os.listdir(folder))
        for command in commands:
            for name in names:
                if command[0] == "alias" and name == "empty":
                    continue  # an empty file is valid input of alias: it has no lookups
                whole = command[0] == "report" and name == "folder"
                out = ["-o", "out"] if command[0] in ("convert", "asm", "disasm") else []
                run = expect(0 if whole else 1, [*command, name, *out], cwd=folder,
                             err="folder: this folder contains no input" if whole else re.escape(name))
                checks.check(command[0] in ("report", "lint") or run.out == "",
                             f"{command} {name} prints {run.out[:100]}")
                checks.check(sorted(os.listdir(folder)) == before, f"{command} {name} left a file")



def oracle_places():
    """texenvc finds the oracle in each folder where it may be, and names these folders if it finds none."""
    same = ["equiv", "-e", "{T0*P}", "-e", "{P*T0}"]

    def copy(folder):
        shutil.copytree(os.path.join(tool.TOP, "oracle"), os.path.join(folder, "oracle"),
                        ignore=shutil.ignore_patterns("__pycache__"))

    def start(program, **environment):
        clean = {k: v for k, v in os.environ.items() if k not in ("TEXENVC_ORACLE_DIR", "PYTHONPATH")}
        return subprocess.run([program] + same, env=dict(clean, **environment), capture_output=True,
                              text=True)

    with tempfile.TemporaryDirectory() as folder:
        bin_folder, data, elsewhere = (os.path.join(folder, *n) for n in (("tree", "bin"),
            ("tree", "share", "texenvc"), ("else",)))
        os.makedirs(bin_folder)
        program = shutil.copy(tool.TEXENVC, bin_folder)
        run = start(program, TEXENVC_ORACLE_DIR=elsewhere, PYTHONPATH="nowhere::" + folder)
        tried = [elsewhere, bin_folder + "/../share/texenvc", bin_folder + "/..", "nowhere", folder]
        checks.check(run.returncode == 4 and "tried " + ", ".join(f"'{t}'" for t in tried) in run.stderr,
                     f"no oracle: {run.returncode} {run.stderr}")
        copy(elsewhere)
        for environment in ({"TEXENVC_ORACLE_DIR": elsewhere}, {"PYTHONPATH": "nowhere:" + elsewhere}):
            run = start(program, **environment)
            checks.check(run.returncode == 0, f"the oracle of {environment}: {run.returncode} {run.stderr}")
        for place in (data, os.path.join(folder, "tree")):
            copy(place)
            run = start(program)
            checks.check(run.returncode == 0, f"the oracle in {place}: {run.returncode} {run.stderr}")
            shutil.rmtree(os.path.join(place, "oracle"))


def languages():
    fog = "{T0*P} fog=exp colorsum"
    for language, header, sum_of, fog_of in (("arbfp", "^!!ARBfp1.0\n", "fragment.color.secondary",
                                              "OPTION ARB_fog_exp;"), ("glsl", "^#version 120\n",
                                                  "gl_SecondaryColor", r"exp\(-gl_Fog.density"),
                                             ("glsl-330", "^#version 330 core\n", "secondary",
                                              r"exp\(-fog_density"), ("glsl-es", "^#version 100\n",
                                                  "secondary", "fog_color"),
                                             ("glsl-es-300", "^#version 300 es\n", "secondary", "fog_color"),
                                             ("glsl-110", "^#version 110\n", "gl_SecondaryColor",
                                              "gl_FogFragCoord")):
        out = expect(0, ["convert", "-e", fog, "--to", language], out=header).out
        checks.check(re.search(sum_of, out) and re.search(fog_of, out),
                     f"{language}: the state's colour sum and fog are missing:\n{out}")
        out = expect(0, ["convert", "-e", fog, "--to", language, "--fog", "off", "--color-sum", "off"]).out
        checks.check(not re.search(sum_of, out) and "fog" not in out,
                     f"{language}: colour sum or fog that was not wanted:\n{out}")
        out = expect(0, ["convert", "-e", GOOD, "--to", language, "--fog=linear", "--color-sum", "on"]).out
        checks.check(re.search(sum_of, out) and re.search("linear|end", out),
                     f"{language}: --fog and --color-sum:\n{out}")
        colour = "{T0*C} C0=(0.5, 0.25, 0.125, 1)"
        checks.check("0.125" not in expect(0, ["convert", "-e", colour, "--to", language]).out,
                     f"{language}: a colour in the text")
        expect(0, ["convert", "-e", colour, "--to", language, "--fold-constants"], out="0.125")
    expect(3, ["convert", "-e", "{T0*P @1d}", "--to", "glsl-es"],
           err=r"unit 0: GLSL ES has no 1D textures.*\[target\]")
    expect(2, ["convert", "-e", GOOD, "--to", "glsl-es", "--fog", "thick"], err="state")
    expect(2, ["convert", "-e", GOOD, "--to", "glsls"], err="did you mean 'glsl'")
    expect(2, ["convert", "-e", GOOD, "--texture", "0:cube"], err="UNIT=TARGET")
    expect(2, ["convert", "-e", GOOD, "--texture", "0=cubes"], err="did you mean 'cube'")
    expect(2, ["convert", "-e", GOOD, "--to", "atifs-calls"], err="atifs-c")
    program = "!!ATIfs1.0\nStartOutputPass;\nSampleMap r0, t0.str;\nMOV r0, r0;\nEndPass;\n"
    expect(0, ["convert", "-e", program, "--to", "glsl"], out="sampler2D texture0")
    expect(0, ["convert", "-e", program, "--to", "glsl", "--texture", "0=cube"], out="samplerCube texture0")
    expect(2, ["convert", "-e", program, "--to", "gl"], err="cannot be turned back into a texture environment")
    # Several programs in one output are separated by comments of the language; in a folder, each is a file
    # with the language's extension.
    expect(0, ["convert", "-e", "{T0}\n{T0*P}\n", "--to", "glsl"],
           out=r"(?s)^// state 1 <text>:1\n#version.*\n// state 2 <text>:2\n#version")
    expect(0, ["convert", "-e", "{T0}\n{T0*P}\n", "--to", "arbfp"],
           out=r"(?s)^# state 1 <text>:1\n!!ARBfp.*\n# state 2 <text>:2\n!!ARBfp")
    with tempfile.TemporaryDirectory() as folder:
        for language, extension in (("glsl-330", "frag"), ("arbfp", "arbfp")):
            out = os.path.join(folder, "out-" + language) + "/"
            expect(0, ["convert", write(folder, "one.stages", GOOD + "\n"), "--to", language, "-o", out])
            checks.check(os.listdir(out) == ["one." + extension], f"{language}: files {os.listdir(out)}")


# Statements that may affect texturing and that the reader cannot interpret: (text, code of the error, its
# line and column).
NOT_FOLLOWED = (
    ("#define TE(p,v) glTexEnvi(GL_TEXTURE_ENV,p,v)\nTE(GL_TEXTURE_ENV_MODE, GL_ADD);", "macro", "2:1"),
    ("#define SETUP glActiveTexture(GL_TEXTURE1)\nSETUP;", "macro", "2:1"),
    ("#define A glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_ADD)\n#define B(x) A; x\nB(1);", "macro",
     "3:1"),
    ("#define TE(p,v) glTexEnvi(GL_TEXTURE_ENV,p,v)\nx = TE(GL_TEXTURE_ENV_MODE, GL_ADD);", "macro", "2:5"),
    ("#define UNIT GL_TEXTURE1_ARB\nChoose(UNIT);", "wrapper", "2:8"),
    ("Driver->extGlActiveTextureARB(GL_TEXTURE1_ARB);", "wrapper", "1:9"),
    ("Driver->Choose(0, GL_TEXTURE1_ARB);", "wrapper", "1:19"),
    ("qglTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_ADD);", "wrapper", "1:1"),
    ("GL_SelectTexture(1);", "wrapper", "1:1"),
    ("GL_TexEnv(mode);", "wrapper", "1:1"),
    ("x = a + Select(f(2, GL_TEXTURE_2D));", "wrapper", "1:21"),
    ("Check(glGetError(), glIsEnabled(GL_TEXTURE_2D), GL_MODULATE);", "wrapper", "1:49"),
    ("glTexEnvI(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_ADD);", "no-gl-call", "1:1"),
    ("glEnable2D();", "no-gl-call", "1:1"),
    ("CHECK(glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_ADD));", "not-followed", "1:7"),
    ("glMultiTexEnviEXT(GL_TEXTURE1, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_ADD);", "not-followed", "1:1"),
    ("glEnablei(GL_TEXTURE_2D, 1);", "not-followed", "1:1"),
    ("glDisableIndexedEXT(GL_TEXTURE_2D, 1);", "not-followed", "1:1"),
    ("glBindTextureUnit(1, name);", "not-followed", "1:1"),
    ("glEnable(GL_TEXTUER_2D);", "unknown-name", "1:10"),
    ("glDisable(GL_COLOR_SUMM_EXT);", "unknown-name", "1:11"),
    ("#define UNIT GL_TEXTURE1_ARB\nWITH(UNIT) {\n}", "wrapper", "2:6"),
    ("#define WITH(x) glActiveTexture(x); if (0)\nWITH(u) {\n}", "macro", "2:1"),
    ("SetTexture(0, image);", "wrapper", "1:1"), ("R::SetTexture(0, image);", "wrapper", "1:1"),
)
ORDINARY = (
    "extern void GL_SelectTexture(int unit);", "void glTexEnvi(GLenum a, GLenum b, GLint c);",
    "glGetIntegerv(GL_TEXTURE_2D, &x);",
    "CHECK(glTexSubImage2D(GL_TEXTURE_2D, 0));", "qglMultiTexCoord2fARB(GL_TEXTURE1_ARB, 0, 1);",
    "GLenum t = GL_TEXTURE_2D;",
    "GL_State(GL_SRC_ALPHA, GL_ONE);", 'image = LoadImage("GL_TEXTURE_2D", GL_RGBA);', "glutSwapBuffers();",
    "glewInit();",
    "glXSwapBuffers(d, w);", "glTexGeni(GL_S, GL_TEXTURE_GEN_MODE, GL_SPHERE_MAP);",
    "CHECK(glTranslatef(1, 2, 3));",
    "void R::SelectTexture(int unit)\n{\n}", "glClientActiveTextureARB(GL_TEXTURE0);",
    "GL_SelectTexture(u) {\n}", "R::SetTexture(int u[2]) const\n{\n}", "GL_SelectTexture(u, v)\n{\n}",
    "glEnablei(GL_BLEND, 1);", "glEnable(GL_LIGHT7);",
    "glEnable(GL_TEXTURE_GEN_STR_OES);", "qglClientActiveTextureARB(GL_TEXTURE1);",
    "setTextureRect(0, 0, 8, 8);", "assert(target == GL_TEXTURE_2D);", 'extern "C" void glSomethingOfMine();',
    "video::Driver *Driver;\nA::A()\n{\n}", "std::string name = std::string(s);",
    'const char *text = \\\n"a" \\\n"b";',
    "#define qglTexEnvi glTexEnvi\nqglTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);",
)


def not_followed():
    after = "\nglEnable(GL_TEXTURE_2D);\n"
    for text, code, place in NOT_FOLLOWED:
        for command in ("convert", "lint"):
            run = expect(1, [command, "--from", "gl", "-e", text + after],
                         err=rf":{place}: error: [^\n]*\[{code}\]")
            checks.check(command == "lint" or run.out == "", f"{text}: prints {run.out[:100]}")
            run = expect(0, [command, "--from", "gl", "--lenient", "-e", text + after],
                         err=rf":{place}: warning: [^\n]*\[{code}\]")
            checks.check("error:" not in run.err, f"{text}: --lenient: {run.err}")
    for text in ORDINARY:
        run = expect(0, ["convert", "--from", "gl", "--to", "stages", "-e", text + after],
                     out=r"\{modulate\}\n$")
        checks.check("warning:" not in run.err and "error:" not in run.err, f"{text}: {run.err}")
    expect(1, ["convert", "-e", "glTexEnvI(1);"], err="did you mean glTexEnvi?")
    expect(1, ["convert", "-e", "glEnable(GL_TEXTUER_2D);"], err=r"did you mean GL_TEXTURE_2D\?")
    expect(0, ["convert", "-e", "glEnable(GL_NOTHING_LIKE_IT);" + after],
           err=r"warning: unknown GL name GL_NOTHING_LIKE_IT is ignored")
    # The message suggests a "#define" for a name, but not for a member of an object, where it would not help.
    expect(1, ["convert", "-e", "qglActiveTexture(GL_TEXTURE1);"],
           err='#define qglActiveTexture glActiveTexture')
    for member in ("Driver->extGlActiveTexture(GL_TEXTURE1);", "gl.qglActiveTexture(GL_TEXTURE1);",
                   "R::S::qglActiveTexture(GL_TEXTURE1);"):
        run = expect(1, ["convert", "--from", "gl", "-e", member],
                     err=r"if it is, write glActiveTexture\(\.\.\.\) instead")
        checks.check("#define" not in run.err, f"{member}: {run.err}")
    for value in ("(f32) scale", "(a)", "((b) + 1)"):
        expect(1, ["convert", "-e", f"glTexEnvf(GL_TEXTURE_ENV, GL_RGB_SCALE, {value});"],
               err=r"which is no constant \[not-constant\]")
    # A name defined as a GL function is read as this function.
    alias = "#define qglTexEnvi glTexEnvi\nqglTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_ADD);" + after
    expect(0, ["convert", "--from", "gl", "--to", "stages", "-e", alias], out=r"\{add\}\n$")
    expect(1, ["convert", "-e", "glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATEE);"],
           err="did you mean GL_MODULATE\\?")


def beside():
    for text, what in (
        ("glEnable(GL_TEXTURE_GEN_S);",
                                                            "GL_TEXTURE_GEN_S is enabled"),
        ("glEnable(GL_LIGHTING);", "GL_LIGHTING is enabled: the program does not contain lighting"),
        ("glMatrixMode(GL_TEXTURE);\nglTranslatef(1, 2, 3);", "glTranslatef changes a texture matrix"),
    ):
        text += "\nglEnable(GL_TEXTURE_2D);"
        for to, kind in (("atifs", "note"), ("arbfp", "note"), ("glsl", "note"), ("r200", "note"),
                         ("glsl-330", "warning"), ("glsl-es", "warning"), ("glsl-450", "warning"),
                         ("glsl-es-300", "warning")):
            advice = "vertex shader|in the shader" if kind == "warning" else "stays with what draws it"
            expect(0, ["convert", "--to", to, "-e", text],
                   err=rf": {kind}: {what}[^\n]*({advice})[^\n]* \[beside\]")
        # No message about the vertex half if the output contains it.
        for args in (["--to", "gl"], ["--to", "stages"], ["--to", "json"], ["--to", "glsl-330", "--embed"],
                     *(["--to", to, "--stage", stage] for to in ("arbfp", "glsl", "glsl-330", "glsl-450", "r300")
                       for stage in ("vertex", "both"))):
            run = expect(0, ["convert", "-e", text, *args])
            checks.check("beside" not in run.err, f"{args}: {text}: {run.err}")
        checks.check("beside" not in expect(0, ["explain", "-e", text]).err, f"explain: {text}")
    for text in ("glMatrixMode(GL_TEXTURE);\nglLoadIdentity();",
                 "glMatrixMode(GL_MODELVIEW);\nglRotatef(1, 2, 3, 4);",
                 "glDisable(GL_ALPHA_TEST);"):
        run = expect(0, ["convert", "--to", "glsl-es", "-e", text + "\nglEnable(GL_TEXTURE_2D);"])
        checks.check("beside" not in run.err, f"{text}: {run.err}")


def alpha_test():
    """The alpha test is part of the state. Programs contain it in languages whose GL has none; else GL
    tests."""
    on = "glEnable(GL_TEXTURE_2D);\nglEnable(GL_ALPHA_TEST);\nglAlphaFunc(GL_GREATER, 0.5);"
    expect(0, ["convert", "--to", "stages", "-e", on], out=r"\{modulate\} alphatest=greater:0.5\n$")
    expect(0, ["convert", "--to", "gl", "-e", "{modulate} alphatest=lequal:0.25"],
           out=r"glEnable\(GL_ALPHA_TEST\);\nglAlphaFunc\(GL_LEQUAL, 0.25\);\n")
    for to in ("atifs", "arbfp", "glsl", "r200"):
        run = expect(0, ["convert", "--to", to, "-e", on],
                     err="GL_ALPHA_TEST is enabled: the program does not contain the alpha test, which stays with")
        checks.check("alpha_reference" not in run.out, f"{to}: {run.out}")
    for to, result in (("glsl-330", "fragment_color"), ("glsl-es", "gl_FragColor"), ("glsl-es-300", "fragment_color")):
        run = expect(0, ["convert", "--to", to, "-e", on], out=rf"if \({result}\.a <= alpha_reference\)\n +discard;")
        checks.check("beside" not in run.err and "uniform float alpha_reference;" in run.out, f"{to}: {run.err}")
    for to in ("stages", "gl", "json"):
        checks.check("beside" not in expect(0, ["convert", "--to", to, "-e", on]).err, to)
    for off in ("glDisable(GL_ALPHA_TEST);", "glAlphaFunc(GL_ALWAYS, 0.5);"):
        run = expect(0, ["convert", "--to", "glsl-es", "-e", f"{on}\n{off}"])
        checks.check("discard" not in run.out, f"{off}: {run.out}")
        expect(0, ["convert", "--to", "stages", "-e", f"{on}\n{off}"], out=r"\{modulate\}\n$")
    expect(0, ["convert", "--to", "stages", "-e", f"{on}\nglPushAttrib(GL_COLOR_BUFFER_BIT);\n"
               "glAlphaFunc(GL_LESS, 0.25);\nglPopAttrib();"], out="alphatest=greater:0.5")
    run = expect(0, ["convert", "--to", "glsl-330", "-e", on, "--alpha-test", "never"], out="    discard;\n}")
    checks.check("alpha_reference" not in run.out, run.out)
    expect(0, ["convert", "--to", "glsl-330", "-e", "{modulate}", "--alpha-test", "gequal"], out="a < alpha_reference")
    expect(0, ["convert", "--to", "stages", "-e", on + "\nglAlphaFunc(GL_LESS, cutoff);"],
           out="alphatest=less:0\n", err="the reference of glAlphaFunc is not known here")
    expect(0, ["convert", "--to", "stages", "-e", on + "\nglAlphaFunc(GL_REPLACE, 0.5);"],
           out="alphatest=greater:0.5\n", err="GL_INVALID_ENUM: GL_REPLACE is no comparison")
    expect(1, ["convert", "-e", on + "\nglAlphaFunc(func, 0.5);"], err="not-constant")
    expect(0, ["convert", "--to", "stages", "-e", "glEnable(GL_TEXTURE_2D);\nglPushAttrib(GL_COLOR_BUFFER_BIT);\n" + on
               + "\nglPopAttrib();"], out=r"\{modulate\}\n$")
    for text, what in (("{T0*P} alphatest=grater:1", "expected a comparison"), ("{T0*P} alphatest=less", "expected `:`"),
                       ("{T0*P} alphatest=less:1 alphatest=less:1", "given twice"),
                       ("{T0*P} alphatest=less:x", "expected a number")):
        expect(1, ["convert", "-e", text], err=what)


def stages_and_reflection():
    """--stage and --reflect: output files, the line between both programs, wrong usage.
    tests/languages/languages.py tests their content."""
    state = ("{T0*P} {lerp(C,P,T1.a) @luminance_alpha} C1=(.1,.2,.3,1) alphatest=less:.25 fog=exp:coord "
             "vertex(matrix1)")
    run = expect(0, ["convert", "--to", "glsl-330", "--stage", "both", "-e", state])
    vertex, border, fragment = run.out.partition("// the vertex program ends here, the fragment program follows\n")
    checks.check(vertex.startswith("#version 330") and fragment.startswith("#version 330") and border, run.out)
    checks.check(expect(0, ["convert", "--to", "glsl-330", "--stage", "vertex", "-e", state]).out == vertex,
                 "--stage vertex is not the first of both")
    alone = expect(0, ["convert", "--to", "glsl-330", "-e", state]).out # must work with any vertex program
    checks.check("clamp(primary_color, 0.0, 1.0)" in alone and "clamp(primary_color" not in fragment,
                 f"which of them limit the primary colour: {fragment}{alone}")
    for line in ("layout(location = 5) in float vertex_fog_coord;", "fog_coord = vertex_fog_coord;",
                 "texcoord1 = texture_matrix[1] * vertex_texcoord1;"):
        checks.check(line in vertex, f"{line}: {vertex}")
    run = expect(0, ["convert", "--to", "arbfp", "--stage", "vertex", "-e", state])
    for line in ("OPTION ARB_position_invariant;", "MOV result.fogcoord.x, vertex.fogcoord.x;"):
        checks.check(line in run.out, f"{line}: {run.out}")
    for channel, row in zip("xyzw", range(4)): # a 2D texture does not need z (r)
        made = re.search(rf"DP4 (\S+)\.{channel}, state.matrix.texture\[1\].row\[{row}\], vertex.texcoord\[1\];", run.out)
        checks.check((made is not None) == (channel != "z"), f"{channel}: {run.out}")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "r.json")
        for output in ([], ["-o", os.path.join(folder, "one.frag")], ["-o", os.path.join(folder, "parts/")]):
            expect(0, ["convert", "--to", "glsl-330", "--stage", "both", "--reflect", path, "-e", state, *output])
            with open(path, encoding="utf-8") as f:
                reflected, = json.load(f)
            values = {x["is"]: x.get("value") for x in reflected["uniforms"]}
            checks.check(values["GL_TEXTURE_ENV_COLOR of GL_TEXTURE1"] == [0.1, 0.2, 0.3, 1]
                         and values["GL_ALPHA_TEST_REF"] == 0.25 and "GL_FOG_DENSITY" in values
                         and "GL_TEXTURE_MATRIX of GL_TEXTURE1" in values
                         and "GL_TEXTURE_MATRIX of GL_TEXTURE0" not in values, str(values))
            checks.check([(x["unit"], x["swizzle"]) for x in reflected["samplers"]] == [(0, "rgba"), (1, "rrrg")],
                         str(reflected["samplers"]))
            os.remove(path)
        checks.check(sorted(os.listdir(os.path.join(folder, "parts"))) == ["text.frag", "text.vert"],
                     str(os.listdir(os.path.join(folder, "parts"))))
        expect(1, ["convert", "--to", "glsl-330", "--reflect", path, "-e", "{T0*}"])
        checks.check(not os.path.exists(path), "--reflect of an input with errors")
        expect(2, ["convert", "--to", "glsl-330", "--reflect", path, "--stage", "geometry", "-e", state])
        expect(2, ["convert", "--to", "r200", "--reflect", path, "-e", state], err="--reflect works only with a shading language")
        expect(2, ["convert", "--stage", "vertex", "-e", state], err="--stage works only with a shading language")


def affine():
    """With --affine, lookups do not divide by q, except where the vertex half may set q."""
    for to, lookup, size in (("glsl-330", "texture(texture0, texcoord0)", 2), ("webgl", "texture2D(texture0, texcoord0)", 2),
                             ("glsl", "texture2D(texture0, gl_TexCoord[0].xy)", 0)):
        for words, plain in (("", True), ("texgen0.st=eye", True), ("lighting light0", True), ("matrix0", False),
                             ("texgen0=object", False), ("texgen0.q=eye", False)):
            out = expect(0, ["convert", "--to", to, "--stage", "both", "--affine", "-e", f"{{T0*P}} vertex({words})"]).out
            checks.check((lookup in out) == plain and (not size or (f"vec{size} texcoord0" in out) == plain), f"{to} {words}: {out}")
        checks.check(lookup not in expect(0, ["convert", "--to", to, "--stage", "both", "-e", "{T0*P}"]).out, to)
    # ATI_fragment_shader: q is a coordinate, or r is the divisor; no vertex shader writes a q that is 1
    for setup, size, built_in, core in (
            ("SampleMap r0, t0.str_dr;", 3, "texture2DProj(texture0, gl_TexCoord[0].xyzz)", "textureProj(texture0, texcoord0.xyzz)"),
            ("SampleMap r0, t0.stq;", 2, "textureCube(texture0, vec3(gl_TexCoord[0].xy, 1.0))", "texture(texture0, vec3(texcoord0, 1.0))"),
            ("PassTexCoord r0, t0.stq;", 2, "clamp(vec3(gl_TexCoord[0].xy, 1.0) * gl", "clamp(vec3(texcoord0, 1.0) * primary"),
            ("PassTexCoord r1, t0.stq;\nMOV r0, r1.b;", 0, "clamp(1.0, -8.0, 8.0) * gl", "clamp(1.0, -8.0, 8.0) * primary")):
        program = f"!!ATIfs1.0\nStartOutputPass;\n{setup}\nMUL r0, r0, color0;\nEndPass;\n"
        cube = ["--texture", "0=cube"] if "t0.stq;" in setup and "Sample" in setup else []
        for to, wanted in (("glsl", built_in), ("glsl-330", core)):
            out = expect(0, ["convert", "--to", to, "--stage", "both", "--affine", *cube, "-e", program]).out
            checks.check(wanted in out and (to == "glsl" or (f"out vec{size} texcoord0" in out) == (size > 0)), f"{to} {setup}: {out}")
    alone = expect(0, ["convert", "--to", "glsl", "--stage", "vertex", "--affine", "-e", "{T0*P}"]).out
    checks.check("gl_TexCoord[0] = gl_MultiTexCoord0;" in alone, f"fixed function behind it divides: {alone}")
    for args, why in ((["--to", "glsl-330"], "--affine works only with --stage"), (["--to", "r200"], "--affine works only with a shading language"),
                      (["--to", "arbfp", "--stage", "both"], "--affine does not work with --to arbfp")):
        expect(2, ["convert", *args, "--affine", "-e", "{T0*P}"], err=re.escape(why))


def precision():
    """--precision sets the default precision in fragment shaders of OpenGL ES. (In vertex shaders it is
    highp.)"""
    for to, head, best in (("glsl-es", "#version 100", "GL_FRAGMENT_PRECISION_HIGH"), ("webgl2", "#version 300 es", "precision highp float;")):
        for stage in ("fragment", "both"):
            convert = ["convert", "--to", to, "--stage", stage, "-e", "{T0*P} {T1+P}"]
            plain = expect(0, convert).out
            checks.check(best in plain and plain == expect(0, [*convert, "--precision", "best"]).out, f"{to}: {plain}")
            for word, other in (("mediump", "highp"), ("highp", "mediump")):
                text = expect(0, [*convert, "--precision", word]).out
                fragment = text[text.rindex(head):]
                checks.check(f"precision {word} float;" in fragment and other not in fragment and "GL_FRAGMENT" not in fragment,
                             f"{to} {word}: {text}")
    for args, why in ((["--to", "glsl-330", "--precision", "highp"], "--precision does not work with --to glsl-330"),
                      (["--to", "r200", "--precision", "highp"], "--precision works only with a shading language"),
                      (["--to", "glsl-es", "--precision", "lowp"], "--precision does not take 'lowp'; it takes best, mediump, highp")):
        expect(2, ["convert", *args, "-e", "{T0*P}"], err=re.escape(why))


def values_of_uniforms():
    """--reflect gives a uniform's value as GL computes it from the calls: no value where it depends only on
    GL's initial state, null where it is unknown. Expected values are derived by hand."""
    calls = """glMatrixMode(GL_MODELVIEW); glTranslatef(1, 2, 3);
        glEnable(GL_LIGHTING); glEnable(GL_LIGHT0); glEnable(GL_LIGHT1);
        glLightfv(GL_LIGHT0, GL_DIFFUSE, (GLfloat[]){.5, .25, 1, 1});
        glMaterialfv(GL_FRONT, GL_DIFFUSE, (GLfloat[]){1, .5, .5, .75});
        glMaterialf(GL_FRONT, GL_SHININESS, shine);
        glLightfv(GL_LIGHT1, GL_POSITION, (GLfloat[]){2, 4, 6, 2});
        glLightfv(GL_LIGHT1, GL_AMBIENT, (GLfloat[]){1, 1, 1, 1});
        glEnable(GL_TEXTURE_2D); glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, (GLfloat[]){.5, 1, 0, 1});
        glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_BLEND); glDrawArrays(GL_TRIANGLES, 0, 3);"""
    wanted = {"modelview": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1], "light[0].diffuse": [.5, .125, .5],
              "light[1].position": [2, 4, 6], "light[1].ambient": [.2, .2, .2], "material_alpha": .75, "shininess": None,
              "texenv_color[0]": [.5, 1, 0, 1]} # position: (2 + 2, 4 + 4, 6 + 6, 2) / 2
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "r.json")
        for to in ("glsl-330", "glsl-450", "webgl"):
            expect(0, ["convert", "--from", "gl", "--to", to, "--stage", "both", "--reflect", path, "-"], calls)
            with open(path, encoding="utf-8") as f:
                uniforms = json.load(f)[0]["uniforms"]
            told = {u["name"]: u["value"] for u in uniforms if "value" in u}
            checks.check(told == wanted, f"{to}: {told}")
            checks.check({"projection", "normal_matrix", "light[0].position", "scene_color"} <= {u["name"] for u in uniforms},
                         str(uniforms))
    folded = expect(0, ["convert", "--from", "gl", "--to", "glsl-330", "--stage", "both", "--fold-constants", "-"], calls).out
    checks.check("texenv_color" not in folded and "vec3(0.5, 1.0, 0.0)" in folded, folded)


def names_of_shaders():
    """--prefix, --name, --binding, --location, --reflect-c, --embed: values that they refuse, and names of
    output files. tests/languages/languages.py and tests/web/embed.py test the content."""
    state = "{T0*P} {T1+C} alphatest=less:.25"
    with tempfile.TemporaryDirectory() as folder:
        out, table = os.path.join(folder, "out"), os.path.join(folder, "table.h")
        for args, why in (
                (["--prefix", "gl_"], "--prefix takes letters"), (["--prefix", "gl_my"], "--prefix takes letters"),
                (["--prefix", "a__b"], "--prefix takes letters"), (["--prefix", "1a"], "--prefix takes letters"),
                (["--prefix", "a-b"], "--prefix takes letters"), (["--prefix", ""], "--prefix takes letters"),
                (["--prefix", "_a"], "--prefix takes letters"), (["--prefix", "\u00e4"], "--prefix takes letters"),
                (["--prefix", "a" * 64], "--prefix takes letters"), (["--prefix", "a;"], "--prefix takes letters"),
                (["--name", "a/b"], "--name takes letters"), (["--name", "../a"], "--name takes letters"),
                (["--name", "a b"], "--name takes letters"), (["--name", "2a"], "--name takes letters"),
                (["--name", "a\nb"], "--name takes letters"),
                (["--binding", "-1"], "--binding takes a number from 0 to 65000"),
                (["--binding", "65001"], "--binding takes a number from 0 to 65000"),
                (["--binding", "0x10"], "--binding takes a number"), (["--binding", ""], "--binding takes a number"),
                (["--binding", "99999999999999999999"], "--binding takes a number"),
                (["--location", "22"], "--location takes a number from 0 to 21"),
                (["--location", "one"], "--location takes a number"),
                (["--embed", "--stage", "vertex"], "--embed writes both stages"),
                (["--embed", "--stage", "fragment"], "--embed writes both stages"),
                (["--reflect", table, "--reflect-c", table], "two outputs would be written to"),
                (["--reflect-c", out], "two outputs would be written to"), (["--embed=yes"], "--embed takes no value")):
            run = expect(2, ["convert", "--to", "glsl-450", "--reflect-c", table, *args, "-o", out, "-e", state],
                         err=re.escape(why))
            checks.check(run.out == "" and not os.listdir(folder), f"{args}: {os.listdir(folder)}")
        for to, args, why in (
                ("glsl-330", ["--binding", "1"], "--binding and --location does not work with --to glsl-330"),
                ("arbfp", ["--prefix", "a"], "--prefix does not work with --to arbfp"),
                ("atifs", ["--prefix", "a"], "--prefix works only with a shading language"),
                ("r200", ["--embed"], "--embed works only with a shading language"),
                ("gl", ["--name", "a"], "--name works only with a shading language"),
                ("json", ["--reflect-c", table], "--reflect-c works only with a shading language")):
            expect(2, ["convert", "--to", to, *args, "-o", out, "-e", state], err=re.escape(why))
            checks.check(not os.listdir(folder), f"{to} {args}: {os.listdir(folder)}")
        program = "!!ARBfp1.0\nMOV result.color, fragment.color;\nEND\n"
        for args in (["--embed"], ["--reflect-c", table], ["--reflect", table]):
            if args == ["--embed"]:
                expect(3, ["convert", "--to", "glsl-330", *args, "-o", out, "-e", program], err="program")
            expect(1, ["convert", "--to", "glsl-330", *args, "-o", out, "-e", "{T0*}"])
        expect(3, ["convert", "--to", "glsl-450", "--embed", "-o", out, "-e", "{T0*P @rect}"],
               err="Vulkan has no rectangle textures")
        checks.check(not os.listdir(folder), str(os.listdir(folder)))
        parts = os.path.join(folder, "parts", "")
        expect(0, ["convert", "--to", "glsl-450", "--name", "sky", "--stage", "both", "-o", parts, "-e", state])
        expect(0, ["convert", "--to", "glsl-450", "--name", "sea", "--embed", "-o", parts, "-e", state])
        checks.check(sorted(os.listdir(parts)) == ["sea.h", "sky.frag", "sky.vert"], str(os.listdir(parts)))
    text = expect(0, ["convert", "--to", "glsl-330", "--embed", "-e", state, "-e", "{T0}"]).out
    checks.check(text.count("#define TEXENVC_TABLES") == 1 and "texenv_2_set(" in text and text.index("texenv_set(")
                 > text.index("#define TEXENVC_EMBED"), text[:300])


def modules_and_pages():
    """--embed for WebGL and --page: names of output files, and states and options that they refuse.
    tests/web/webgl.py tests the content."""
    state = "{T0*P} {T1+C}"
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        for name, types in (("sky.js", "sky.d.ts"), ("sea.mjs", "sea.d.mts")):
            expect(0, ["convert", "--to", "webgl2", "--embed", "-o", os.path.join(folder, name), "-e", state])
            checks.check(os.path.exists(os.path.join(folder, types)), f"{name}: {os.listdir(folder)}")
        expect(0, ["convert", "--to", "webgl", "--page", os.path.join(folder, "sky.html"), "-e", state])
        expect(0, ["convert", "--to", "webgl", "--embed", "-o", os.path.join(folder, "sky.h"), "-e", state])
        with open(os.path.join(folder, "sky.h"), encoding="utf-8") as f:
            checks.check("struct texenvc_values" in f.read(), "a header for WebGL is one of C")
        before = sorted(os.listdir(folder))
        for args, why in (
                (["--to", "glsl-330", "--embed", "-o", out + ".js"], "a module of JavaScript works only with WebGL"),
                (["--to", "glsl-330", "--page", out], "--page works only with WebGL"), (["--page", out], "--page works only with WebGL"),
                (["--to", "r200", "--page", out], "--page works only with WebGL"),
                (["--to", "webgl", "--page", out, "-o", out], "--page names its own output file"),
                (["--to", "webgl", "--page", out, "--stage", "vertex"], "--embed writes both stages"),
                (["--to", "webgl", "--embed", "-o", folder], "a JavaScript module contains all states")):
            expect(2, ["convert", *args, "-e", state], err=re.escape(why))
        for target, why in (("3d", "WebGL 1 has no 3D textures"), ("shadow", "WebGL 1 has no textures with")):
            args = ["--embed", "-o", out + ".js", "-e", f"{{T0*P @{target}}}"]
            expect(3, ["convert", "--to", "webgl", *args], err=why)
            expect(0, ["convert", "--to", "webgl2", *args])
            os.unlink(out + ".js")
            os.unlink(out + ".d.ts")
        expect(1, ["convert", "--to", "webgl", "--page", out, "-e", "{T0*}"])
        checks.check(sorted(os.listdir(folder)) == before, f"{before} {sorted(os.listdir(folder))}")
        many = expect(0, ["convert", "--to", "webgl", "--embed", "-e", "{T0*P} {T1+P} {T2+P} {T3+P} {T4+P} colorsum"]).out
        places = [int(n) for n in re.findall(r"vertex_\w+: (\d+)", many)]
        checks.check(sorted(places) == list(range(8)), f"WebGL 1 has eight attributes: {places}")
        twice = expect(0, ["convert", "--to", "webgl", "--embed", "-e", state, "-e", "{T0}", "-e", state]).out
        checks.check(twice.count("new Pair({\n") == 2, "a module has a pair twice")
    hidden = expect(0, ["convert", "--to", "webgl", "--page", "-", "-"], stdin="{T0} # </script><script>\n").out
    checks.check(hidden.count("<script") == 1 and hidden.count("</script") == 1, "a comment ends the script")


def names_and_files():
    for given, name in (("webgl", "glsl-es"), ("WebGL2", "glsl-es-300"), ("gles2", "glsl-es"),
                        ("GLSL", "glsl"), ("R300", "r300"),
                        ("ATIfs", "atifs")):
        same = expect(0, ["convert", "-e", GOOD, "--to", name]).out
        checks.check(expect(0, ["convert", "-e", GOOD, "--to", given]).out == same,
                     f"--to {given} is not --to {name}")
    expect(2, ["convert", "--TO", "gl", "-e", GOOD], err="did you mean '--to'")
    with tempfile.TemporaryDirectory() as folder:
        for first in (b"at\x10\x02\x00\x00\x80\x80", b"\x1f\x8b\x08\x00"):
            path = os.path.join(folder, "game.trace")
            with open(path, "wb") as f:
                f.write(first + bytes(range(256)) * 16)
            run = expect(1, ["convert", path], err=rf"apitrace dump {re.escape(path)}")
            checks.check(run.out == "" and run.err.count("\n") == 1, f"a binary trace: {run.err}")
        # Binary files, and languages that are only output: one line of error each.
        for data, message in ((b"\x7fELF\x02\0\x01" * 40, "is a binary file"),
                              (b"#version 120\nvoid main() {}\n", "prints but cannot read")):
            other = os.path.join(folder, "game.data")
            with open(other, "wb") as f:
                f.write(data)
            for command in ("convert", "lint", "explain"):
                run = expect(1, [command, other], err=message + ".*GL calls, an apitrace dump, stages")
                checks.check(run.err.count("error:") == 1, f"{command}: {run.err}")
            os.remove(other)
        # If a file exceeds the size limit, there is an error and no file is left.
        limited = "import resource, os, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)); os.execv(sys.argv[1], sys.argv[1:])"
        out = os.path.join(folder, "out.txt")
        run = subprocess.run([sys.executable, "-c", limited, tool.TEXENVC, "convert", "-e", GOOD, "--to", "glsl",
                              "-o", out], capture_output=True,
                             text=True, check=False)
        checks.check(run.returncode == 1 and "File too large" in run.stderr,
                     f"beyond the limit: {run.returncode} {run.stderr}")
        checks.check(os.listdir(folder) == ["game.trace"], f"beyond the limit: left {os.listdir(folder)}")
    run = expect(1, ["convert", "--to", "json", "-e", "{T0*"])
    checks.check(run.out == "", f"--to json of an input with errors prints {run.out}")
    run = expect(1, ["convert", "-"], b"glEnable(GL_TEXTURE_2D);\n\x1b[31m\xff;\n")
    checks.check("\x1b" not in run.err, f"raw bytes in a message: {run.err!r}")
    run = expect(1, ["convert", "a\x1b[2Jb"])
    checks.check("\x1b" not in run.err and "\\x1b" in run.err, f"raw bytes of a file's name: {run.err!r}")


def report_as_decided():
    """report prints a state's line before it reads the next input."""
    with tempfile.TemporaryDirectory() as folder:
        first, second = write(folder, "a.stages", "{T0*P}\n"), os.path.join(folder, "b.stages")
        os.mkfifo(second)
        run = subprocess.Popen([tool.TEXENVC, "report", "--target", "r200", first, second],
                               stdout=subprocess.PIPE, text=True)
        ready = select.select([run.stdout], [], [], 60)[0] # nobody writes to b.stages yet
        checks.check(bool(ready) and "a.stages:1" in run.stdout.readline(),
                     "report keeps a state that is decided to itself")
        with open(second, "w", encoding="utf-8") as f:
            f.write("{T1}\n")
        rest = run.communicate(timeout=60)[0]
        checks.check(run.returncode == 0 and "b.stages:1" in rest,
                     f"report of a pipe: {run.returncode} {rest}")


def signals():
    """A signal that ends the program leaves no temporary file."""
    for number in (signal.SIGINT, signal.SIGTERM):
        with tempfile.TemporaryDirectory() as folder:
            first, second = write(folder, "a.stages", "{T0*P}\n"), os.path.join(folder, "b.stages")
            os.mkfifo(second)
            out = os.path.join(folder, "out")
            os.mkdir(out)
            run = subprocess.Popen([tool.TEXENVC, "convert", first, second, "-o", out + "/"],
                                   stderr=subprocess.DEVNULL)
            until = time.monotonic() + 60
            while not os.listdir(out) and run.poll() is None and time.monotonic() < until:
                time.sleep(0.01)
            checks.check(bool(os.listdir(out)), "no temporary file to wait for")
            run.send_signal(number)
            checks.check(run.wait(timeout=60) == -number and not os.listdir(out),
                         f"signal {number}: {run.returncode}, left {os.listdir(out)}")


def test_script():
    """tools/test refuses unknown options before it builds anything."""
    run = subprocess.run([os.path.join(tool.TOP, "tools", "test"), "--bogus"], capture_output=True, text=True,
                         timeout=60, check=False)
    checks.check(run.returncode == 2 and "--bogus" in run.stderr and "Usage" in run.stderr and not run.stdout,
                 f"tools/test --bogus: {run.returncode} {run.stdout} {run.stderr}")


def main():
    for test in (report_as_decided, signals, test_script, help_texts, wrong_usage, inputs, several_states,
                 outputs, reflected_files, over_an_input,
                 registers, explain_and_lint, diagnostics, script_summary,
                 json_output, c_output, languages, large, equiv, exit_statuses,
                 oracle_places, not_followed, beside, alpha_test, stages_and_reflection,
                 affine, precision, values_of_uniforms, names_of_shaders,
                 modules_and_pages, names_and_files):
        test()
    checks.finish()


if __name__ == "__main__":
    main()
