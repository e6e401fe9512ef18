#!/usr/bin/env python3
"""Tests malformed input: each file gives a precise message with its place, exit status 1 and no output.
usage: bad_input.py"""
import os
import re
import stat
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool

FORMS = {".gl": "gl", ".trace": "apitrace", ".stages": "stages", ".ir": "ir", ".atifs": "atifs"}
FOLDER = os.path.join(tool.TOP, "tests", "readers", "bad")


def first_error(text):
    """Returns (file, line, column, message) of the first error, or None."""
    m = re.search(r"^(.*?):(\d+):(\d+): error: (.*)$", text, re.M)
    return (m.group(1), int(m.group(2)), int(m.group(3)), m.group(4)) if m else None


def listed(checks):
    """Converts the files of tests/readers/bad, and compares their errors with expected.txt."""
    expected = {}
    with open(os.path.join(FOLDER, "expected.txt"), encoding="utf-8") as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                name, place, pattern = line.rstrip("\n").split(" ", 2)
                expected[name] = (place, pattern)
    there = {n for n in os.listdir(FOLDER) if os.path.splitext(n)[1] in FORMS}
    for name in sorted(there ^ set(expected)):
        checks.check(False, f"{name}: not both a file and a line of expected.txt")
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        for name, (place, pattern) in sorted(expected.items()):
            if os.path.exists(out):
                os.remove(out)
            path = os.path.join(FOLDER, name)
            form = FORMS[os.path.splitext(name)[1]]
            to = "ir" if form == "ir" else "atifs"
            for extra in (["-o", out], []):
                run = tool.Run(["convert", "--from", form, "--to", to, path] + extra)
                checks.check(run.status == 1, f"{name}: exit status {run.status}\n{run.err}")
                checks.check(run.out == "", f"{name}: prints {run.out[:200]!r}")
                checks.check(not run.sanitizer(), f"{name}: {run.err}")
            checks.check(not os.path.exists(out), f"{name}: wrote an output file")
            error = first_error(run.err)
            if not checks.check(error is not None, f"{name}: no error with a place:\n{run.err}"):
                continue
            checks.check(error[0] == path, f"{name}: names the file {error[0]}")
            checks.check(f"{error[1]}:{error[2]}" == place,
                         f"{name}: error at {error[1]}:{error[2]}, expected {place}: {error[3]}")
            checks.check(re.search(pattern, error[3]),
                         f"{name}: the message does not match '{pattern}': {error[3]}")
            at_end = error[1] > source_lines(path)  # the place is after the last line: no line to show
            checks.check(at_end or caret(run.err), f"{name}: no source line with a caret:\n{run.err}")
            # As JSON, the error has the same place.
            run = tool.Run(["convert", "--from", form, "--to", to, "--diag", "json", path])
            checks.check(run.status == 1 and f'"line": {error[1]}, "column": {error[2]}' in run.err,
                         f"{name}: --diag json: {run.err}")
    return len(expected)


def source_lines(path):
    with open(path, "rb") as f:
        data = f.read()
    return data.count(b"\n") + (not data.endswith(b"\n"))


def caret(text):
    lines = text.split("\n")
    return any(re.fullmatch(r"\s*\^", line) for line in lines)


def odd_files(checks):
    """Files that are no text in any of the input forms give an error, and never a crash or a hang."""
    binary = bytes(range(256)) * 64
    odd = {
        "binary": binary, "elf": b"\x7fELF\x02\x01\x01" + binary, "zeros": bytes(5000),
        "utf16": "{T0*P}\n".encode("utf-16"),
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, data in odd.items():
            path = os.path.join(folder, name)
            with open(path, "wb") as f:
                f.write(data)
            for form in ("gl", "apitrace", "stages", "ir", "atifs", None):
                run = tool.Run(["convert", path] + (["--from", form] if form else []))
                # A trace without a line end is a single truncated record: a warning, and no state.
                cut = form == "apitrace" and b"\n" not in data and run.status == 0 and "cut off" in run.err
                checks.check((cut or run.status == 1) and run.out == "" and not run.sanitizer(),
                             f"{name} as {form}: status {run.status}, prints "
                             f"{run.out[:80]!r}\n{run.err[:500]}")
                checks.check(cut or "error:" in run.err, f"{name} as {form}: no error")
                checks.check(all(c >= " " or c in "\n" for c in run.err),
                             f"{name} as {form}: control bytes in the message")
        # An empty file has nothing to convert, in any form.
        empty = os.path.join(folder, "empty")
        open(empty, "w").close()
        for form in ("gl", "apitrace", "stages", "ir", "atifs"):
            run = tool.Run(["convert", "--from", form, empty])
            checks.check(run.status == 1 and run.out == "" and "error:" in run.err and not run.sanitizer(),
                         f"empty as {form}: status {run.status}: {run.err}")


def large(checks):
    """Long lines and deep nesting are read in linear time and with little stack."""
    cases = {
        "line.gl": b"glEnable(GL_TEXTURE_2D); " * 200000,
        "parens.gl": b"glEnable(" + b"(" * 300000 + b"GL_TEXTURE_2D" + b")" * 300000 + b");\n",
        "skipped-parens.gl": b"foo(" * 200000,
        "braces.gl": b"{" * 500000,
        "minus.gl": b"glEnable(" + b"-" * 400000 + b"1);\n",
        "array.gl": b"glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, " + b"{" * 200000,
        "identifier.gl": b"glEnable(" + b"A" * 1000000 + b");\n",
        "braces.stages": b"{" * 500000,
        "complement.stages": b"{" + b"~" * 500000 + b"T0}",
        "number.stages": b"{C} C0=(0." + b"1" * 500000 + b",0,0,0)\n",
        "line.stages": b"{T0*P} " * 100000,
        "string.trace": b'1 glShaderSource(string = "' + b"x" * 3000000 + b'")\n2 glBegin(mode = GL_QUADS)\n',
        "nested.trace": b"1 glFoo(x = " + b"{" * 300000 + b"\n2 glBegin(mode = GL_QUADS)\n",
        "amps.trace": b"1 glFoo(x = " + b"&" * 300000 + b"1)\n2 glBegin(mode = GL_QUADS)\n",
        "modifiers.ir": b"!!texir1.0\n%0 = mov.xyzw primary.xyzw" + b".neg" * 100000
        + b"  @0\nresult %0, %0\n",
        "instructions.ir": b"!!texir1.0\n" + b"".join(b"%%%d = mov.xyzw primary.xyzw  @0\n" % i
                                                      for i in range(20000)) + b"result %0, %0\n",
        "instructions.atifs": b"!!ATIfs1.0\nStartOutputPass;\n" + b"  MOV r0, color0;\n" * 20000
        + b"EndPass;\n",
        "digits.atifs": b"!!ATIfs1.0\nStartConstants;\n  CONSTANT c0 = {0." + b"1" * 500000 + b"};\n",
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, data in cases.items():
            path = os.path.join(folder, name)
            with open(path, "wb") as f:
                f.write(data)
            form = FORMS["." + name.split(".")[1]]
            run = tool.Run(["convert", "--from", form, "--to", "ir" if form == "ir" else "atifs", path],
                           timeout=60)
            checks.check(run.status in (0, 1, 3) and not run.sanitizer(),
                         f"{name}: status {run.status}: {run.err[-500:]}")
            checks.check(len(run.err) < 100000, f"{name}: {len(run.err)} bytes of messages")


def truncated(checks):
    """Tests that a truncated trace gives a warning, and the states before its end."""
    text = ("1 glActiveTexture(texture = GL_TEXTURE0)\n2 glEnable(cap = GL_TEXTURE_2D)\n3 glTexEnvi(target = "
            "GL_TEXTURE_ENV, pname = GL_TEXTURE_ENV_MODE, param = GL_DECAL)\n"
            "4 glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)\n5 glTexEnvi(target = GL_TEXTURE_ENV, "
            "pname = GL_TEXTURE_ENV_MODE, param = GL_ADD)\n"
            "6 glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)\n")
    whole = tool.Run(["convert", "--from", "apitrace", "--to", "stages", "-"], text)
    checks.check(whole.status == 0 and "{decal}" in whole.out and "{add}" in whole.out
                 and "cut" not in whole.err, f"whole trace: {whole.err}{whole.out}")
    last = text.index("6 glDraw")
    for cut in range(last + 3, len(text) - 2):
        run = tool.Run(["convert", "--from", "apitrace", "--to", "stages", "-"], text[:cut])
        checks.check(run.status == 0 and "{decal}" in run.out and "{add}" not in run.out,
                     f"cut at {cut}: status {run.status}: {run.out}{run.err}")
        checks.check("warning" in run.err and ":6:" in run.err,
                     f"cut at {cut}: no warning with the place: {run.err}")


def system(checks):
    """Errors that are not in the text: missing files, folders, full disks."""
    run = tool.Run(["convert", "/dev/null/none.gl"])
    checks.check(run.status == 1 and "none.gl" in run.err and run.out == "",
                 f"missing file: {run.status} {run.err}")
    run = tool.Run(["convert", os.path.join(tool.TOP, "tests")])
    checks.check(run.status == 1 and "tests" in run.err, f"a folder: {run.status} {run.err}")
    if os.path.exists("/dev/full"):
        with open("/dev/full", "wb") as full:
            run = tool.Run(["convert", "-e", "{T0*P}"], stdout=full)
        checks.check(run.status == 1 and "error" in run.err and not run.sanitizer(),
                     f"standard output full: {run.status} {run.err}")
        with open("/dev/full", "wb") as full:
            run = tool.Run(["--help"], stdout=full)
        checks.check(run.status == 1, f"--help to a full disk: {run.status} {run.err}")
    with tempfile.TemporaryDirectory() as folder:
        run = tool.Run(["convert", "-e", "{T0*P}", "-o", os.path.join(folder, "none", "out")])
        checks.check(run.status == 1 and "none" in run.err, f"-o into no folder: {run.status} {run.err}")
        # If the second input fails, there is no output of the first either, and no temporary file.
        good, bad, out = (os.path.join(folder, n) for n in ("good.stages", "bad.stages", "out"))
        with open(good, "w") as f:
            f.write("{T0*P}\n")
        with open(bad, "w") as f:
            f.write("{T0*}\n")
        run = tool.Run(["convert", good, bad, "-o", out])
        checks.check(run.status == 1 and sorted(os.listdir(folder)) == ["bad.stages", "good.stages"],
                     f"second input bad: {run.status}, files {os.listdir(folder)}")
        # A failing run does not change an existing output file.
        with open(out, "w") as f:
            f.write("keep\n")
        run = tool.Run(["convert", bad, "-o", out])
        with open(out) as f:
            checks.check(run.status == 1 and f.read() == "keep\n", "a failing run changed an existing output")
        if os.geteuid() != 0:
            os.chmod(good, 0)
            run = tool.Run(["convert", good])
            checks.check(run.status == 1 and "good.stages" in run.err,
                         f"unreadable file: {run.status} {run.err}")
            os.chmod(good, stat.S_IRUSR | stat.S_IWUSR)


def main():
    checks = tool.Checks("bad_input")
    n = listed(checks)
    odd_files(checks)
    large(checks)
    truncated(checks)
    system(checks)
    checks.check(n >= 80, f"only {n} malformed inputs")
    checks.finish(f", {n} malformed inputs")


if __name__ == "__main__":
    main()
