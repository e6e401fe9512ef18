#!/usr/bin/env python3
"""Rules of the tree that no compiler checks: who may include whom, what the core may use, what it exports.

usage: structure.py SOURCE_DIR [LIBRARY]      LIBRARY: libtexenv.a of a build without sanitizers
"""
import os
import re
import shutil
import subprocess
import sys

# Which layers each layer may include, besides itself; of others only the public header (LAYER/LAYER.h).
LAYERS = {
    "texenv": [],
    "fragprog": ["texenv"],
    "hwemit": ["texenv", "fragprog"],
    "tools": ["texenv", "fragprog", "hwemit"],
}
CORE = ["texenv", "fragprog", "hwemit"]
SYSTEM_HEADERS = {"stdarg.h", "stdbool.h", "stddef.h", "stdint.h", "string.h", "float.h", "limits.h"}

# What the core may call: nothing that allocates, prints, aborts or depends on the locale. The last ones are put in by compilers.
MAY_CALL = set("""
    memcpy memmove memset memcmp memchr strlen strcmp strncmp strchr strrchr strspn strcspn strpbrk strstr
    __stack_chk_fail _GLOBAL_OFFSET_TABLE_ __memcpy_chk __memset_chk __memmove_chk
""".split())

failures = 0
checks = 0


def check(ok, message):
    global failures, checks
    checks += 1
    if not ok:
        failures += 1
        print("failed:", message)


def read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def files_of(root, layer, endings):
    for folder, _, names in sorted(os.walk(os.path.join(root, layer))):
        for name in sorted(names):
            if name.endswith(endings):
                yield os.path.relpath(os.path.join(folder, name), root)


def includes(root):
    for layer, allowed in LAYERS.items():
        for path in files_of(root, layer, (".c", ".h", ".def")):
            for number, line in enumerate(read(os.path.join(root, path)).split("\n"), 1):
                m = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
                if not m:
                    continue
                place, target = f"{path}:{number}", m.group(2)
                if m.group(1) == "<":
                    check(layer not in CORE or target in SYSTEM_HEADERS, f"{place}: the core includes <{target}>")
                    continue
                owner = target.split("/")[0] if "/" in target else None
                if owner is None:  # a file beside this one
                    check(os.path.exists(os.path.join(root, os.path.dirname(path), target)), f"{place}: includes {target}, which is not beside it")
                elif owner == layer:
                    check(os.path.exists(os.path.join(root, target)), f"{place}: includes {target}, which does not exist")
                else:
                    check(owner in allowed, f"{place}: {layer} may not include {target}")
                    public = f"{owner}/{owner}.h"
                    table = target.endswith(".def") and f'"{target}"' in read(os.path.join(root, public))  # rows that the public header shows
                    check(target == public or table, f"{place}: includes {target}, an inside of {owner}, not its public header")
    # The oracle is written from the facts: it reads no C source, header or table of the library.
    for path in files_of(root, "oracle", (".py",)):
        text = read(os.path.join(root, path))
        check(not re.search(r"""["'][^"']*(?:texenv|fragprog|hwemit)/[\w./]*\.(?:c|h|def)["']""", text), f"{path}: names a file of the C library")
        check(not re.search(r"^\s*(import|from)\s+(ctypes|cffi)\b", text, re.M), f"{path}: loads C code")


def headers_alone(root):
    """Each public header is all that a user needs: as C11 and as C++, with every warning."""
    compilers = [(["cc", "-x", "c", "-std=c11"], "C11")]
    if shutil.which("c++"):
        compilers.append((["c++", "-x", "c++", "-std=c++11"], "C++"))
    for layer in CORE:
        if not os.path.exists(os.path.join(root, layer, layer + ".h")):
            continue
        for command, language in compilers:
            # Twice: include guards.
            source = f'#include "{layer}/{layer}.h"\n' * 2 + "int main(void) { return 0; }\n"
            run = subprocess.run(command + ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "-I", root, "-"],
                                 input=source, capture_output=True, text=True)
            check(run.returncode == 0, f"{layer}/{layer}.h alone as {language}:\n{run.stderr}")


def library(root, path):
    owners = {}  # object name -> layers that have such a source
    for layer in CORE:
        for source in files_of(root, layer, (".c",)):
            owners.setdefault(os.path.basename(source) + ".o", set()).add(layer)

    defined, undefined, member = set(), {}, None
    listing = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
    for line in listing.split("\n"):
        m = re.match(r"(\S+\.o):$", line)
        if m:
            member = m.group(1)
            check(member in owners, f"{path}: object {member} comes from no source of the core")
            continue
        m = re.match(r"[0-9a-f]*\s+([A-Za-z])\s+(\S+)$", line)
        if not m:
            continue
        kind, name = m.groups()
        if kind == "U":
            undefined.setdefault(name, member)
        elif kind.isupper():
            defined.add(name)
            check(any(name.startswith(layer + "_") for layer in owners.get(member, CORE)), f"{member}: exports {name}, not prefixed by its layer")
            check(kind != "C", f"{member}: {name} is a common symbol")
    check(len(defined) > 20, f"{path}: only {len(defined)} exported symbols found")
    for name, member in sorted(undefined.items()):
        check(name in defined or name in MAY_CALL, f"{member}: the core calls {name}")

    # Local ones too: no object has bytes in .data or .bss (.data.rel.ro is constant once loaded).
    sections = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True, check=True).stdout
    seen = 0
    for line in sections.split("\n"):
        m = re.match(r"File: .*\((.*)\)", line)
        if m:
            member = m.group(1)
        m = re.match(r"\s*\[\s*\d+\]\s+(\.\S+)\s+\S+\s+[0-9a-f]+\s+[0-9a-f]+\s+([0-9a-f]+)", line)
        if m and re.match(r"\.(data|bss|tdata|tbss)(\.|$)", m.group(1)) and not m.group(1).startswith(".data.rel.ro"):
            seen += 1
            check(int(m.group(2), 16) == 0, f"{member}: {int(m.group(2), 16)} bytes of writable data in {m.group(1)}")
    check(seen > 0, f"{path}: no .data sections found by readelf")


def paths(root):
    """No folder of a developer's machine in any file that the project keeps."""
    if os.path.isdir(os.path.join(root, ".git")) and shutil.which("git"):
        listing = subprocess.run(["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard"], capture_output=True, text=True)
        names = listing.stdout.split("\n") if listing.returncode == 0 else []
    else:
        names = [os.path.relpath(os.path.join(folder, n), root) for folder, _, files in os.walk(root) for n in files]
    # Spelled in pieces, or this file would hold what it forbids.
    pattern = re.compile("(?<![\\w.])/(?:" + "|".join(["ho" + "me", "ro" + "ot", "Us" + "ers", "wo" + "rk"]) + ")/\\w")
    for name in sorted(n for n in names if n):
        path = os.path.join(root, name)
        if not os.path.isfile(path) or name.startswith(("tests/corpus/", "build/")):
            continue
        for number, line in enumerate(read(path).split("\n"), 1):
            check(not pattern.search(line), f"{name}:{number}: a path of one machine: {line.strip()[:80]}")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    root = os.path.abspath(sys.argv[1])
    includes(root)
    headers_alone(root)
    paths(root)
    if len(sys.argv) == 3:
        library(root, sys.argv[2])
    print(f"structure: {checks} checks, {failures} failed")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
