#!/usr/bin/env python3
"""Every GL value in the tables equals that of the system's GL/gl.h and GL/glext.h. usage: tokens_check.py
SOURCE_DIR"""
import os
import re
import subprocess
import sys

SKIP = 77  # for ctest: the headers are not installed

# Tokens that are in the registry (gl.xml) but in no version of the headers.
NOT_IN_HEADERS = {"TEXT_FRAGMENT_SHADER_ATI", "TEXTURE_GEN_STR_OES"}
# Capabilities of OpenGL ES alone.
CAPS_OF_ES = {"TEXTURE_GEN_STR"}
INCLUDES = "#include <GL/gl.h>\n#include <GL/glext.h>\n"
SUFFIX = re.compile(r"(?<=.)_?(ARB|EXT|ATI|NV|NVX|SGIX|SGIS|SGI|OES|ATIX|APPLE|IBM|AMD|KHR|HP|INTEL|MESA|SUN|3DFX|IMG|QCOM|PGI|INGR"
                    r"|OML|ANGLE|GREMEDY|SUNX|VIV|OVR)$")


def header_values():
    values = {}
    for m in re.finditer(r"^#define GL_(\w+) (0[xX][0-9A-Fa-f]+|\d+)[uUlL]*$", preprocessed("-dM"), re.M):
        values[m.group(1)] = int(m.group(2), 0)
    return values


def rows(root):
    """(place, name without GL_, value) of every table row that gives a GL name a value."""
    for path in ("texenv/tokens.def", "texenv/formats.def"):
        with open(os.path.join(root, path), encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                m = re.match(r"(?:TOKEN|FORMAT)\((\w+),\s*(\w+)", line)
                if m and not m.group(1).isdigit():  # the formats 1 to 4 are counts of components, not names
                    yield f"{path}:{number}", m.group(1), int(m.group(2), 0)
    path = "fragprog/names.def"
    with open(os.path.join(root, path), encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            m = re.match(r'(\w+)\((.*)"GL_(\w+)"\)', line)
            if not m or m.group(1) == "API_OP":
                continue
            numbers = re.findall(r"(?<![\w+-])(?:0x[0-9A-Fa-f]+|\d+)(?=,)", m.group(2))
            value = int(numbers[0], 0)
            yield f"{path}:{number}", m.group(3), value + 0x8976 if m.group(1) == "ATIFS_SWIZZLE" else value
    # Operations: the value is in opcodes.def, the GL name in names.def.
    with open(os.path.join(root, "fragprog/names.def"), encoding="utf-8") as f:
        names = dict(re.findall(r'^API_OP\((\w+),\s*"GL_(\w+)"\)', f.read(), re.M))
    with open(os.path.join(root, "fragprog/opcodes.def"), encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            m = re.match(r'FRAGPROG_OP\((\w+),\s*"\w+",\s*\d,\s*(\w+),', line)
            if m and int(m.group(2), 0):
                yield f"fragprog/opcodes.def:{number}", names.get(m.group(1), "missing in names.def: "
                                                                  + m.group(1)), int(m.group(2), 0)


def preprocessed(*options):
    """What the C compiler makes of the headers, wherever it finds them."""
    run = subprocess.run(["cc", "-E", *options, "-x", "c", "-"], input="#define GL_GLEXT_PROTOTYPES\n"
                         + INCLUDES, capture_output=True,
                         text=True, check=False)
    if run.returncode != 0:
        print("GL headers not found:", run.stderr.strip().split("\n")[0])
        sys.exit(SKIP)
    return run.stdout


def names_of(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as f:
        return re.findall(r"NAME\((\w+)\)(?! *:)", f.read().split("*/", 1)[1])


def missing_calls(root):
    """Calls of the system's headers that texenv/read/gl_calls.def lacks, and whether its rows are sorted."""
    rows_of = names_of(root, "texenv/read/gl_calls.def")
    there = set(re.findall(r"\bgl([A-Z]\w+) *\(", preprocessed()))
    known = set(rows_of)
    return sorted(n for n in there if n not in known
                  and SUFFIX.sub("", n) not in known), rows_of == sorted(known) and len(there) > 2000


def wrong_caps(root, header):
    """Capabilities that no header has, and whether they are sorted."""
    rows_of = names_of(root, "texenv/read/gl_caps.def")
    there = {SUFFIX.sub("", n) for n in header} | set(header) | CAPS_OF_ES
    return sorted(n for n in rows_of if n not in there), rows_of == sorted(set(rows_of))


def main():
    root = sys.argv[1]
    header = header_values()
    missing, in_order = missing_calls(root)
    if missing or not in_order:
        print("texenv/read/gl_calls.def:", "not sorted, or twice the same" if not in_order
              else "lacks " + " ".join(missing[:10]))
        sys.exit(1)
    wrong, in_order = wrong_caps(root, header)
    if wrong or not in_order:
        print("texenv/read/gl_caps.def:", "not sorted, or twice the same" if not in_order
              else "in no header: " + " ".join(wrong))
        sys.exit(1)
    checked = failed = 0
    absent = []
    seen = {}
    for place, name, value in rows(root):
        # An extension's token that became core keeps its value: headers may have either name.
        known = [n for n in (name, name + "_ARB", name + "_EXT", name + "_ATI", name + "_NV") if n in header]
        if not known:
            absent.append(name)
            if name not in NOT_IN_HEADERS:
                failed += 1
                print(f"{place}: failed: GL_{name} is in no header")
            continue
        checked += 1
        if header[known[0]] != value:
            failed += 1
            print(f"{place}: failed: GL_{name} is {value:#06x} here, {header[known[0]]:#06x} in the headers")
        if seen.setdefault(name, value) != value:
            failed += 1
            print(f"{place}: failed: GL_{name} has two values")
    print(f"tokens: {checked} values checked against the headers, {failed} failed; not in the headers: {', '.join(absent) or 'none'}")
    sys.exit(failed != 0 or checked < 300)


if __name__ == "__main__":
    main()
