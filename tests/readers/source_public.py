#!/usr/bin/env python3
"""Tests `--from c` on sources of public programs, which are not part of this project. The states that each
function sets up are derived by hand from its source and the OpenGL specification.

usage: source_public.py [--show] FOLDER [PROGRAM...]      FOLDER/PROGRAM: the unpacked source of a program
       source_public.py --list                             what is needed: programs, versions, files
       source_public.py --table                            functions, how many states each has, and options
Exit status 77: there is no folder (FOLDER, or TEXENVC_SOURCES), or no program in it

A row may have statements of a caller instead of the name of a function: texenvc then reads a file that
includes the source and defines a function with these statements. This is for functions with arguments, and
where texturing is enabled elsewhere. A row may also have replacements for declarations of the program's other
files, which precede the source."""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool
from source_public_rows import PROGRAMS, ROWS


def folder_of(top, program):
    return os.path.join(top, program)


def read(top, row, folder):
    """Runs texenvc on the source of a row."""
    program, path, what, options, _ = row
    base = folder_of(top, program)
    more = [x[1:] for x in options if x.startswith("+")]
    options = ["-I" + os.path.join(base, x[2:]) if x.startswith("-I") else x
               for x in options if not x.startswith("+")]
    source = os.path.join(base, path)
    call = ["--function", what]
    if not isinstance(what, str) or not re.fullmatch(r"[\w:]+", what):
        before, body = ("", what) if isinstance(what, str) else what
        wrapper = os.path.join(folder, "caller" + os.path.splitext(path)[1])
        with open(wrapper, "w") as f:
            f.write(before + "\n")
            for x in [*more, path]:
                f.write('#include "%s"\n' % os.path.abspath(os.path.join(base, x)))
            f.write("void texenvc_caller(void)\n{\n%s\n}\n" % body)
        source, call = wrapper, ["--function", "texenvc_caller"]
    return tool.Run(["convert", "--from", "c", "--to", "stages", *call, *options, source])


def check_row(checks, top, row, show):
    program, path, what, _, expected = row
    with tempfile.TemporaryDirectory() as folder:
        run = read(top, row, folder)
    got = list(dict.fromkeys(x for x in run.out.splitlines() if not x.startswith("#")))
    where = "%s %s %s" % (program, path, what)
    if show:
        print("== %s\nstatus %d\n%s%s" % (where, run.status, run.out, run.err))
    if isinstance(expected, list):
        expected = list(dict.fromkeys(expected))
    if isinstance(expected, str):
        return checks.check(run.status == 1 and not run.out and re.search(expected, run.err) and
                            not run.sanitizer(), "%s: no refusal: %s%s" % (where, run.out, run.err))
    return checks.check(run.status == 0 and got == expected and not run.sanitizer(),
                        "%s:\n   got      %s\n   expected %s\n%s" % (where, got, expected, run.err[-2000:]))


def list_needed():
    for program, (version, where) in PROGRAMS.items():
        print("%s %s, %s" % (program, version, where))
        for path in sorted({row[1] for row in ROWS if row[0] == program}):
            print("    " + path)


def functions_of(what):
    """Returns the names of the functions that a row calls."""
    text = what if isinstance(what, str) else what[1]
    names = re.findall(r"([\w:]+)\(", text) or [text]
    return [x for x in dict.fromkeys(names) if not re.match(r"q?gl[A-Z]|for$|if$", x)]


def print_table():
    """Prints a table with a line for each file: its functions, the number of states, the options needed."""
    files = {}
    for row in ROWS:
        files.setdefault(row[:2], []).append(row)
    print("| program | file | functions | states | said |\n|---|---|---|---|---|")
    for (program, path), rows in files.items():
        names = list(dict.fromkeys(x.split("::")[-1] for row in rows for x in functions_of(row[2])))
        states = {x for row in rows if isinstance(row[4], list) for x in row[4]}
        said = set()
        for row in rows:
            said |= {x.strip("-") if x in ("--let", "--alias") else x[1:2] for x in row[3] if re.match(r"--[la]|-[ID]", x)}
            said |= {"caller"} if not (isinstance(row[2], str) and re.fullmatch(r"\w+", row[2])) else set()
            said |= {"stand-ins"} if not isinstance(row[2], str) else set()
        name = "/".join(path.split("/")[-2:])
        print("| %s %s | %s | %s | %s | %s |" % (program, PROGRAMS[program][0], name, " ".join(names),
                                                 len(states) or "refused", " ".join(sorted(said))))


def main():
    arguments = sys.argv[1:]
    if "--table" in arguments:
        return print_table()
    if "--list" in arguments:
        return list_needed()
    show = "--show" in arguments
    arguments = [x for x in arguments if x != "--show"] or [os.environ.get("TEXENVC_SOURCES", "")]
    top, only = arguments[0], arguments[1:]
    checks = tool.Checks("source_public")
    right, refused, absent = set(), set(), set()
    for row in ROWS:
        if only and not any(row[0] == x or x in row[1] for x in only):
            continue
        if not os.path.exists(os.path.join(folder_of(top, row[0]), row[1])):
            absent.add(row[:2])
        elif check_row(checks, top, row, show):
            (refused if isinstance(row[4], str) else right).add(row[:2])
    if checks.done == 0:
        print("source_public: no sources: --list tells what is needed")
        sys.exit(77)
    checks.finish("; files that convert: %d of %d programs; refused alone: %d; absent: %d" % (
        len(right), len({x[0] for x in right}), len(refused - right), len(absent)))


main()
