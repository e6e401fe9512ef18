#!/usr/bin/env python3
"""Checks that every GL value in the tables equals that of the system's GL/gl.h and GL/glext.h.

usage: tokens_check.py SOURCE_DIR [SWEEP]

With SWEEP (the program of token_sweep.c), also checks every token in the headers of OpenGL and OpenGL ES: its
value, and that each call in a script accepts it if and only if the OpenGL of this machine does, or is not
tracked."""
import os
import re
import subprocess
import sys

SKIP = 77  # for ctest: the headers are not installed

# Tokens of the registry (gl.xml) that no version of the headers has.
NOT_IN_HEADERS = {"TEXT_FRAGMENT_SHADER_ATI", "TEXTURE_GEN_STR_OES"}
# Headers that define all tokens; each group can be included by one source file.
HEADERS = (("GL/gl.h", "GL/glext.h"), ("GL/glcorearb.h",), ("GLES/gl.h", "GLES/glext.h"),
           ("GLES2/gl2.h", "GLES2/gl2ext.h"), ("GLES3/gl32.h",))
# Names in headers that are not tokens: macros for extensions, versions and switches, and 64-bit values.
NO_TOKEN = re.compile(r"ES_VERSION_\w+|VERSION_\w+|GLEXT_\w+|GLES_PROTOTYPES|TIMEOUT_IGNORED\w*")
# Capabilities that the OpenGLs used for testing do not have: of other extensions, of the imaging subset, and
# of OpenGL ES. Taken from their specifications.
CAPS_ELSEWHERE = """
    ASYNC_DRAW_PIXELS ASYNC_HISTOGRAM ASYNC_READ_PIXELS ASYNC_TEX_IMAGE BUMP_TARGET
    CALLIGRAPHIC_FRAGMENT COLOR_TABLE CONSERVATIVE_RASTERIZATION CONVOLUTION_1D CONVOLUTION_2D
    CULL_VERTEX DEPTH_BOUNDS_TEST DEPTH_CLAMP_FAR DEPTH_CLAMP_NEAR ELEMENT_ARRAY FETCH_PER_SAMPLE
    FOG_OFFSET FRAGMENT_COLOR_MATERIAL FRAGMENT_COVERAGE_TO_COLOR FRAGMENT_LIGHT0 FRAGMENT_LIGHT1
    FRAGMENT_LIGHT2 FRAGMENT_LIGHT3 FRAGMENT_LIGHT4 FRAGMENT_LIGHT5 FRAGMENT_LIGHT6 FRAGMENT_LIGHT7
    FRAGMENT_LIGHTING FRAGMENT_PROGRAM FRAGMENT_SHADER FRAMEBUFFER_FETCH_NONCOHERENT FRAMEZOOM HISTOGRAM
    INTERLACE INVERTED_SCREEN_W IR_INSTRUMENT1 MATRIX_PALETTE MINMAX OCCLUSION_TEST PER_STAGE_CONSTANTS
    PIXEL_TEXTURE PIXEL_TEX_GEN PN_TRIANGLES POST_COLOR_MATRIX_COLOR_TABLE POST_CONVOLUTION_COLOR_TABLE
    PRIMITIVE_RESTART RASTER_MULTISAMPLE REFERENCE_PLANE REGISTER_COMBINERS REPRESENTATIVE_FRAGMENT_TEST
    SCISSOR_TEST_EXCLUSIVE SCREEN_COORDINATES SEPARABLE_2D SHADING_RATE_IMAGE
    SHADING_RATE_IMAGE_PER_PRIMITIVE SHADING_RATE_PRESERVE_ASPECT_RATIO SHARED_TEXTURE_PALETTE SPRITE
    TEXTURE_4D TEXTURE_COLOR_TABLE TEXTURE_EXTERNAL TEXTURE_GEN_STR TEXTURE_SHADER TEXT_FRAGMENT_SHADER
    VERTEX_ARRAY_RANGE VERTEX_BLEND VERTEX_SHADER VERTEX_WEIGHTING WEIGHT_ARRAY WEIGHT_SUM_UNITY""".split()
# Capabilities of OpenGL ES only, whose headers may not be installed.
CAPS_OF_ES = {"TEXTURE_GEN_STR", "TEXTURE_EXTERNAL", "FETCH_PER_SAMPLE", "FRAMEBUFFER_FETCH_NONCOHERENT",
              "SHADING_RATE_PRESERVE_ASPECT_RATIO"}
# (call, token) that an extension allows, but not the OpenGLs used for testing.
TAKEN_ELSEWHERE = {("target", "TEXTURE_SHADER_NV"), ("bind", "TEXTURE_4D_SGIS"), ("bind", "TEXTURE_EXTERNAL_OES")}
INCLUDES = "#include <GL/gl.h>\n#include <GL/glext.h>\n"
SUFFIX = re.compile(r"(?<=.)_?(ARB|EXT|ATI|NV|NVX|SGIX|SGIS|SGI|OES|ATIX|APPLE|IBM|AMD|KHR|HP|INTEL|MESA|SUN|3DFX|IMG|QCOM|PGI|INGR"
                    r"|OML|ANGLE|GREMEDY|SUNX|VIV|OVR|REND|ARM|WIN)$")


def header_values():
    values = {}
    for m in re.finditer(r"^#define GL_(\w+) (0[xX][0-9A-Fa-f]+|\d+)[uUlL]*$", preprocessed("-dM"), re.M):
        values[m.group(1)] = int(m.group(2), 0)
    return values


def rows(root):
    """Yields (place, name without GL_, value) of every table row that assigns a value to a GL name."""
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
    # The value of an operation is in opcodes.def, its GL name in names.def.
    with open(os.path.join(root, "fragprog/names.def"), encoding="utf-8") as f:
        names = dict(re.findall(r'^API_OP\((\w+),\s*"GL_(\w+)"\)', f.read(), re.M))
    with open(os.path.join(root, "fragprog/opcodes.def"), encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            m = re.match(r'FRAGPROG_OP\((\w+),\s*"\w+",\s*\d,\s*(\w+),', line)
            if m and int(m.group(2), 0):
                yield f"fragprog/opcodes.def:{number}", names.get(m.group(1), "missing in names.def: "
                                                                  + m.group(1)), int(m.group(2), 0)


def preprocessed(*options):
    """Returns the text of the headers that the C compiler finds, preprocessed."""
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
    """Returns the calls of the system's headers that are missing in texenv/read/gl_calls.def, and whether its
    rows are sorted."""
    rows_of = names_of(root, "texenv/read/gl_calls.def")
    there = set(re.findall(r"\bgl([A-Z]\w+) *\(", preprocessed()))
    known = set(rows_of)
    return sorted(n for n in there if n not in known
                  and SUFFIX.sub("", n) not in known), rows_of == sorted(known) and len(there) > 2000


def wrong_caps(root, header):
    """Returns the capabilities of gl_caps.def that no header defines with this value, and whether the rows
    are sorted."""
    with open(os.path.join(root, "texenv/read/gl_caps.def"), encoding="utf-8") as f:
        rows_of = re.findall(r"CAP\((\w+), (\w+)\)", f.read().split("*/", 1)[1])
    there = set(header.items()) | {(SUFFIX.sub("", n), v) for n, v in header.items()}
    names = [n for n, _ in rows_of]
    wrong = sorted(n for n, v in rows_of if (n, int(v, 0)) not in there and n not in CAPS_OF_ES)
    return wrong, names == sorted(set(names))


def all_tokens():
    """Returns {name: value} of all tokens in the system's headers; of different values the first is used."""
    found = {}
    for group in HEADERS:
        run = subprocess.run(["cc", "-E", "-dM", "-x", "c", "-"], capture_output=True, text=True, check=False,
                             input="".join(f"#include <{h}>\n" for h in group))
        for m in re.finditer(r"^#define GL_(\w+) (0[xX][0-9A-Fa-f]+|\d+)[uUlL]*$", run.stdout, re.M):
            extension = int(m.group(2), 0) == 1 and m.group(1) != m.group(1).upper()
            if not extension and not NO_TOKEN.fullmatch(m.group(1)):
                found.setdefault(m.group(1), int(m.group(2), 0))
    return found


def sweep(program):
    from oracle.gl.texformats import BASE_FORMATS
    tokens = all_tokens()
    run = subprocess.run([program], capture_output=True, text=True, check=False,
                         input="".join(f"GL_{n} {v}\n" for n, v in tokens.items()))
    wrong, count, drawn = [], 0, run.returncode == 0
    for line in run.stdout.splitlines():
        call, name, *rest = line.split()
        if call == "skipped:" or not name.startswith("GL_"):
            continue
        name, count = name[3:], count + 1
        if call == "value":
            bad = int(rest[0]) != tokens[name]
        elif call == "format":
            base = BASE_FORMATS.get(tokens[name], "none")
            bad = tokens[name] > 4 and (rest[0] != base or rest[1] not in (base, "none", "other"))
        else:
            ours, gl = rest
            extra = (call, name) in TAKEN_ELSEWHERE or (call == "enable"
                                                        and SUFFIX.sub("", name) in CAPS_ELSEWHERE)
            may = ("ok", "open") if gl == "ok" else ("ok", "error", "open") if extra else ("error", "open")
            bad = ours not in may
        if bad:
            wrong.append(line)
    print("\n".join(wrong[:20]))
    print(f"sweep: {len(tokens)} tokens, {count} results{'' if drawn else ' (no OpenGL here)'}, "
          f"{len(wrong)} wrong")
    sys.exit(bool(wrong) or len(tokens) < 4000 or (run.returncode != 0 and run.returncode != SKIP))


def main():
    root = sys.argv[1]
    if len(sys.argv) > 2:
        sweep(sys.argv[2])
    header = {**all_tokens(), **header_values()}
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
        # A token keeps its value when its extension becomes core, so headers may have either name.
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
