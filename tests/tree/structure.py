#!/usr/bin/env python3
"""Checks rules of the source tree that no compiler checks: which file may include which, what the core may
call and export, sizes of functions, layout, citations, notes.

usage: structure.py SOURCE_DIR [LIBRARY]      LIBRARY: libtexenv.a of a build without sanitizers

Each rule is a function below; tests/tree/structure_breaches.py breaks each on purpose.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

# For each folder with sources ("room"), the other rooms that it may include from. Besides these, a file may
# include from its own room, and the public headers (PUBLIC) of its own layer and of the layers below.
ROOMS = {
    "texenv": [],
    "texenv/read": ["texenv"],
    "fragprog": ["fragprog/algebra", "fragprog/opt", "fragprog/alloc", "fragprog/atifs", "fragprog/lang"],
    "fragprog/algebra": ["fragprog"],
    "fragprog/opt": ["fragprog", "fragprog/algebra"],
    "fragprog/alloc": ["fragprog", "fragprog/algebra"],
    "fragprog/atifs": ["fragprog", "fragprog/algebra", "fragprog/alloc"],
    "fragprog/combiners": ["fragprog"],
    "fragprog/lang": ["fragprog", "fragprog/algebra", "fragprog/alloc"],
    "hwemit": ["fragprog/algebra"],
    "hwemit/stages": ["hwemit", "fragprog/algebra"],
    "hwemit/machine": ["hwemit", "fragprog/algebra", "fragprog/alloc"],
    # a chip's folder, which never includes from another chip's
    "hwemit/*": ["hwemit", "hwemit/stages", "hwemit/machine", "fragprog/algebra", "fragprog/alloc",
                 "fragprog/combiners"],
    "tools": [],
}
FORMS = "stages", "machine"  # folders of hwemit that are not chips
# The oracle's packages in order: a module imports only from its own package and those before it. Chips never
# import from each other.
ORACLE = ["common", "texenv", "gl", "ir", "atifs", "lang", "vertex", "hw", "chip", "commands"]
ORACLE_CHIPS = ["r200", "i830", "us", "pvs", "pica200", "nv2a", "etnaviv", "ir3", "i915"]
LAYERS = {"texenv": [], "fragprog": ["texenv"], "hwemit": ["texenv", "fragprog"],
          "tools": ["texenv", "fragprog", "hwemit"]}
CORE = ["texenv", "fragprog", "hwemit"]
PUBLIC = {"texenv": ["texenv/texenv.h", "texenv/vertex.h", "texenv/values.h", "texenv/c_token.h"],
          "fragprog": ["fragprog/fragprog.h", "fragprog/ir.h", "fragprog/atifs.h", "fragprog/arb_program.h",
                       "fragprog/backend.h", "fragprog/constants.h", "fragprog/alias.h", "fragprog/reads.h",
                       "fragprog/fixed_vertex.h", "fragprog/pair.h", "fragprog/pair_cache.h"],
          "hwemit": ["hwemit/hwemit.h", "hwemit/targets.h"], "tools": []}
SYSTEM_HEADERS = {"stdarg.h", "stdbool.h", "stddef.h", "stdint.h", "string.h", "float.h", "limits.h"}
COLUMNS, FUNCTION_LINES, PARAMETERS = 110, 60, 6
# Folders of test data, which the rules about text do not apply to.
DATA = ("tests/corpus/", "tests/fuzz/corpus/", "tests/readers/bad/")
CLANG_FORMAT = 14  # other versions lay out code differently from the same .clang-format

# The functions that the core may call: none allocates, prints, aborts or depends on the locale. The names
# that begin with an underscore are inserted by compilers.
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


def included(root, path):
    """Yields (line number, `<` or `"`, name) for each #include of a file."""
    for number, line in enumerate(read(os.path.join(root, path)).split("\n"), 1):
        m = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if m:
            yield number, m.group(1), m.group(2)


def room_of(path):
    folder = os.path.dirname(path)
    if folder.startswith("tools"):
        return "tools"
    return folder if folder in ROOMS or folder.count("/") == 0 else os.path.dirname(folder) + "/*"


def may_include(root, path, target):
    """Returns None if the file `path` may include the file `target`, else the reason why not."""
    here, there = room_of(path), room_of(target)
    layer, owner = path.split("/")[0], target.split("/")[0]
    if not os.path.exists(os.path.join(root, target)):
        return "which does not exist"
    if os.path.dirname(path) == os.path.dirname(target) or layer == owner == "tools":
        return None
    if here not in ROOMS:
        return f"but {here} is no room that {os.path.basename(__file__)} knows"
    public = PUBLIC[owner]
    if owner == layer:
        return None if target in public or there in ROOMS[here] else f"and {here} may not look into {there}"
    if owner not in LAYERS[layer]:
        return f"which does not stand below {layer}"
    table = target.endswith(".def") and any(f'"{target}"' in read(os.path.join(root, p)) for p in public)
    if target in public or table or there in ROOMS[here]:
        return None
    return f"an inside of {owner}, not its public header"


def includes(root):
    """Each file includes only what ROOMS, PUBLIC and SYSTEM_HEADERS allow."""
    graph = {}
    for layer in LAYERS:
        for path in files_of(root, layer, (".c", ".h", ".def")):
            for number, kind, target in included(root, path):
                place = f"{path}:{number}"
                if kind == "<":
                    check(layer not in CORE or target in SYSTEM_HEADERS,
                          f"{place}: the core includes <{target}>")
                    continue
                beside = os.path.join(os.path.dirname(path), target)
                if "/" not in target or not os.path.exists(os.path.join(root, target)):
                    target = os.path.normpath(beside)
                why = may_include(root, path, target)
                check(why is None, f"{place}: includes {target}, {why}")
                graph.setdefault(path, []).append(target)
    circle(graph)


def circle(graph):
    """Complains about cycles of files that include each other."""
    done, way = set(), []

    def visit(path):
        if path in way:
            check(False, "a circle of includes: " + " -> ".join(way[way.index(path):] + [path]))
        if path in done or path in way:
            return
        way.append(path)
        for target in graph.get(path, []):
            visit(target)
        way.pop()
        done.add(path)

    for path in sorted(graph):
        visit(path)
    check(bool(done), "no includes found")


def oracle_alone(root):
    """The oracle is independent of the library: it reads none of its C sources, headers and tables."""
    for path in files_of(root, "oracle", (".py",)):
        text = read(os.path.join(root, path))
        names = re.search(r"""["'][^"']*(?:texenv|fragprog|hwemit)/[\w./]*\.(?:c|h|def)["']""", text)
        check(not names, f"{path}: names a file of the C library")
        check(not re.search(r"^\s*(import|from)\s+(ctypes|cffi)\b", text, re.M), f"{path}: loads C code")


def oracle_packages(root):
    """A module of the oracle imports only from packages before its own in the list ORACLE."""
    found = 0
    for path in files_of(root, "oracle", (".py",)):
        parts = path.split(os.sep)
        if len(parts) < 3:
            continue
        for m in re.finditer(r"^\s*from \.\.(\w*)", read(os.path.join(root, path)), re.M):
            found += 1
            here, there = ("chip" if p in ORACLE_CHIPS else p for p in (parts[1], m.group(1)))
            down = here in ORACLE and there in ORACLE and ORACLE.index(there) < ORACLE.index(here)
            check(down, f"{path}: imports from {m.group(1)}, which does not stand below {parts[1]}")
    check(found > 50, f"only {found} imports between packages of the oracle found")


def names(root):
    """File names are unique in the core, and a pass of the optimiser is in the file of its name."""
    owners = {}
    for layer in CORE:
        for path in files_of(root, layer, (".c", ".h", ".def")):
            owners.setdefault(os.path.basename(path), []).append(path)
    for name, paths in sorted(owners.items()):
        check(len(paths) == 1, f"one name for several files: {' '.join(paths)}")
    passes = re.compile(r"^bool fragprog_opt_(\w+)\(", re.M)
    found = 0
    for path in files_of(root, "fragprog", (".c",)):
        for m in passes.finditer(read(os.path.join(root, path))):
            found += 1
            wanted = f"fragprog/opt/{m.group(1)}.c"
            check(path == wanted, f"{path}: the pass {m.group(1)} belongs into {wanted}")
    check(found > 5, f"only {found} passes found")


def functions(text):
    """Yields (line, number of lines, number of parameters, name) for each function definition of a source
    that clang-format has laid out."""
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if line != "{" and not re.match(r"\w.*\) \{ .* \}$", line):
            continue
        start = i
        # Go back to the first line of the function's head; all lines of a head but the last end with a comma.
        while line == "{" and re.match(r"[\w ]", lines[start - 1]) and lines[start - 1].endswith((",",
            ")")[:1 + (start == i)]):
            start -= 1
        end = lines.index("}", i) if line == "{" else i
        head = " ".join(lines[start:i] if line == "{" else [line.split(" {")[0]])
        depth, parameters = 0, 1
        for c in head[head.find("(") + 1:]:
            depth += (c == "(") - (c == ")")
            parameters += c == "," and depth == 0
        name = re.search(r"(\w+)\(", head)
        yield start + 1, end - start + 1, parameters - head.endswith("...)"), name and name[1]


def sizes(root):
    """Functions are short and have few parameters; the number of parameters is not checked for functions of
    the GL API."""
    found = 0
    for layer in LAYERS:
        for path in files_of(root, layer, (".c", ".h")):
            for line, length, parameters, name in functions(read(os.path.join(root, path))):
                found += 1
                check(name, f"{path}:{line}: a function whose head ends with something else than ')'")
                long = length > FUNCTION_LINES
                many = parameters > PARAMETERS and not re.match(r"glu?[A-Z]", name or "")
                check(not long, f"{path}:{line}: a function of {length} lines")
                check(not many, f"{path}:{line}: a function of {parameters} parameters")
    check(found > 20, f"only {found} functions found")


def generic(root):
    """The code that all chips share names no chip, apart from the list of targets (hwemit/targets.*)."""
    folder = os.path.join(root, "hwemit")
    chips = [d for d in os.listdir(folder) if os.path.isdir(os.path.join(folder, d)) and d not in FORMS]
    check(bool(chips), "no chips found")
    for path in files_of(root, "hwemit", (".c", ".h", ".def")):
        if os.path.dirname(path) not in ("hwemit", *(f"hwemit/{d}" for d in FORMS)) or path.startswith(
                "hwemit/targets."):
            continue
        for number, line in enumerate(read(os.path.join(root, path)).split("\n"), 1):
            m = re.search(r"(?<![a-z])(" + "|".join(sorted(chips)) + r"|r400|r500|i915)(?![a-z0-9])", line,
                          re.I)
            check(not m, f"{path}:{number}: names the chip {m and m.group(1)}")


def columns(root):
    """Lines of code and notes have at most COLUMNS characters."""
    for path in tracked(root):
        if path.startswith(DATA) or not path.endswith(
                (".c", ".h", ".def", ".py", ".md", ".cmake", ".js", ".ts", ".css", ".html", "CMakeLists.txt")):
            continue
        for number, line in enumerate(read(os.path.join(root, path)).split("\n"), 1):
            # tables and links of notes may be longer, since Markdown cannot break them
            link = re.search(r"\]\(|https?://", line) or line.startswith("|")
            if path.endswith(".py"):  # string literals and lines of a trace may be longer
                line = re.sub(r"""(["'])(?:\\.|(?!\1).)*\1""", "''", line) if len(line) > COLUMNS else line
                line = "" if re.match(r"\d+ gl[A-Z]", line) else line
            check(len(line) <= COLUMNS or (path.endswith(".md") and link),
                  f"{path}:{number}: {len(line)} columns")


def formatter():
    """Returns the path of clang-format, or None where it is missing or of another version."""
    for name in (f"clang-format-{CLANG_FORMAT}", "clang-format"):
        program = shutil.which(name)
        version = program and subprocess.run([program, "--version"], capture_output=True, text=True).stdout
        if program and f"version {CLANG_FORMAT}." in version:
            return program
    return None


def layout(root):
    """C sources have the layout that .clang-format defines."""
    program = formatter()
    if not program:
        print(f"structure: no clang-format {CLANG_FORMAT}: the layout is not checked")
        return
    sources = [p for p in tracked(root) if p.endswith((".c", ".h")) and not p.startswith(DATA)]
    run = subprocess.run([program, "--dry-run", "--Werror", *sources], cwd=root, capture_output=True,
                         text=True)
    wrong = sorted(set(re.findall(r"^([^:\n]+):\d+:\d+: error", run.stderr, re.M)))
    check(run.returncode == 0, f"not as clang-format lays it out: {' '.join(wrong) or run.stderr}")


def public_headers(root):
    return [header for layer in CORE for header in PUBLIC[layer]
            if os.path.exists(os.path.join(root, header))]


def headers_alone(root):
    """Each public header compiles on its own, as C11 and as C++, without warnings."""
    compilers = [(["cc", "-x", "c", "-std=c11"], "C11")]
    if shutil.which("c++"):
        compilers.append((["c++", "-x", "c++", "-std=c++11"], "C++"))
    for header in public_headers(root):
        for command, language in compilers:
            # Included twice, to test the include guard.
            source = f'#include "{header}"\n' * 2 + "int main(void) { return 0; }\n"
            run = subprocess.run(command + ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "-I",
                                            root, "-"],
                                 input=source, cwd=root, capture_output=True, text=True)
            check(run.returncode == 0, f"{header} alone as {language}:\n{run.stderr}")


def own_names(root):
    """A function never has the name of a structure or enumeration, and no public header is too long."""
    types, called = {}, []
    for header in public_headers(root):
        text = read(os.path.join(root, header))
        lines, most = text.count("\n"), 620 if header == "texenv/texenv.h" else 350
        check(lines <= most, f"{header}: {lines} lines, at most {most}")
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        types.update(dict.fromkeys(re.findall(r"^(?:struct|enum|union) (\w+) \{", text, re.M), header))
        called += re.findall(r"^TEXENV_API [^(;]*?(\w+)\(", text, re.M)
    check(len(called) > 100, f"{len(called)} functions in public headers")
    for name in called:
        check(name not in types, f"{name}: a function, and a type of {types.get(name)}")


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
            check(any(name.startswith(layer + "_") for layer in owners.get(member, CORE)),
                  f"{member}: exports {name}, not prefixed by its layer")
            check(kind != "C", f"{member}: {name} is a common symbol")
    check(len(defined) > 20, f"{path}: only {len(defined)} exported symbols found")
    for name, member in sorted(undefined.items()):
        check(name in defined or name in MAY_CALL, f"{member}: the core calls {name}")

    # A shared library exports only what is declared with TEXENV_API; a static library hides all symbols.
    symbols = subprocess.run(["readelf", "-sW", path], capture_output=True, text=True, check=True).stdout
    for binding, visibility, index, name in re.findall(r" (GLOBAL|WEAK) +(\w+) +(\w+) (\S+)$", symbols, re.M):
        check(index == "UND" or visibility == "HIDDEN", f"{path}: {name} is not hidden")

    # No object file has writable data, not even static: .data and .bss are empty (.data.rel.ro is constant
    # once loaded).
    sections = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True, check=True).stdout
    seen = 0
    for line in sections.split("\n"):
        m = re.match(r"File: .*\((.*)\)", line)
        if m:
            member = m.group(1)
        m = re.match(r"\s*\[\s*\d+\]\s+(\.\S+)\s+\S+\s+[0-9a-f]+\s+[0-9a-f]+\s+([0-9a-f]+)", line)
        if m and re.match(r"\.(data|bss|tdata|tbss)(\.|$)",
                          m.group(1)) and not m.group(1).startswith(".data.rel.ro"):
            seen += 1
            check(int(m.group(2), 16) == 0, f"{member}: {int(m.group(2), 16)} bytes of writable data in "
                                            f"{m.group(1)}")
    check(seen > 0, f"{path}: no .data sections found by readelf")


def tracked(root):
    """Returns the files of the project: those that git tracks, or without git all files but build folders."""
    if os.path.exists(os.path.join(root, ".git")) and shutil.which("git"):
        command = ["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard"]
        listing = subprocess.run(command, capture_output=True, text=True)
        paths = listing.stdout.split("\n") if listing.returncode == 0 else []
    else:
        paths = [os.path.relpath(os.path.join(folder, n), root) for folder, _, files in os.walk(root)
                 for n in files]
    return sorted(p for p in paths if p and os.path.isfile(os.path.join(root, p))
                  and not p.startswith("build"))


def private_paths(root):
    """No file of the project names a folder of a developer's machine."""
    # The names are split, since otherwise this file would break its own rule.
    pattern = re.compile("(?<![\\w.])/(?:" + "|".join(["ho" + "me", "ro" + "ot", "Us" + "ers", "wo" + "rk"])
                         + ")/\\w")
    for path in tracked(root):
        if path.startswith("tests/corpus/"):
            continue
        for number, line in enumerate(read(os.path.join(root, path)).split("\n"), 1):
            check(not pattern.search(line), f"{path}:{number}: a path of one machine: {line.strip()[:80]}")


def exported(root):
    """Each declaration of a public header begins with TEXENV_API, so that shared libraries export it."""
    for header in public_headers(root):
        layer = header.split("/")[0]
        flat = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m[0]), read(os.path.join(root, header)),
                      flags=re.S)
        for number, line in enumerate(flat.split("\n"), 1):
            name = re.match(rf"(?:\w.*[ *])?({layer}_\w+)\s*[(\[]", line)
            if name and not re.match(r"typedef |static ", line):
                check(line.startswith("TEXENV_API "),
                      f"{header}:{number}: {name[1]} without TEXENV_API")


def filled(root):
    """tests/shared/fill.c wraps every function that takes scratch memory: tests fill it with 0xA5 first."""
    wrapped = set(re.findall(r"^WRAP\(\w+, (\w+),", read(os.path.join(root, "tests/shared/fill.c")), re.M))
    for header in public_headers(root):
        text = read(os.path.join(root, header))
        for name, parameters in re.findall(r"^TEXENV_API [\w* ]*?(\w+)\(([^;]*?)\);", text, re.M):
            check("void *scratch" not in parameters or name in wrapped, f"{header}: tests/shared/fill.c has no {name}")


def installed(root):
    """Public headers and all files that they include are installed."""
    listed = re.findall(r"[\w./]+\.(?:h|def)\b", read(os.path.join(root, "tools/package/install.cmake")))
    for header in public_headers(root):
        check(header in listed, f"{header} is not installed")
        for number, kind, name in included(root, header):
            check(kind == "<" or name in listed, f"{header}:{number}: {name} is not installed")


# A citation of facts is the path of a page and perhaps numbers of its sections (notes/facts/README.md). GAP
# matches what separates them, which may be a line break in a comment.
GAP = r"(?:[ ]+|[ ]*\n[ \t]*(?:\*|\#|//)?[ \t]*)"
SECTION = r"(?:[AB]\.\d|\d+(?:\.\d+)*[a-d]?|(?:r200|i830|i915|r300|etnaviv|ir3)(?:\.\d+)?)"
CITATION = re.compile(rf"notes/facts/([\w-]+\.md)(?:{GAP}({SECTION}(?:(?:,|{GAP}to|{GAP}and){GAP}{SECTION})*))?")


def sections_of(text):
    """Returns the sections of a page: the number that each heading begins with, and HEADING.ITEM for the
    numbered rows and items below it."""
    found, here = set(), ""
    for line in text.split("\n"):
        heading = re.match(r"##+ ([\w.]*\w)", line)
        item = re.match(r"(?:\| )?(\d+)(?:\.| \|) ", line)
        if heading:
            here = heading[1]
            found.add(here)
        elif item:
            found.add(f"{here}.{item[1]}")
    return found


def citations(root):
    """Every citation of facts names a page and sections that exist, in the one spelling allowed."""
    folder = os.path.join(root, "notes", "facts")
    pages = {name: sections_of(read(os.path.join(folder, name))) for name in os.listdir(folder)}
    names = "|".join(re.escape(name) for name in pages if name != "README.md")
    otherwise = re.compile(rf"\b[Ff]act sheets?\b|(?<![\w/-])(?<!\]\()(?:{names})\b")
    found = 0
    for path in tracked(root):
        if path.startswith(DATA) or path in ("tests/tree/structure.py", "tests/tree/structure_breaches.py"):
            continue
        text = read(os.path.join(root, path))
        for m in otherwise.finditer(text):
            check(False, f"{path}:{text.count(chr(10), 0, m.start()) + 1}: facts are not cited as {m[0]}")
        for m in CITATION.finditer(text):
            found += 1
            place = f"{path}:{text.count(chr(10), 0, m.start()) + 1}"
            check(m[1] in pages, f"{place}: there is no page {m[1]} of facts")
            for section in re.findall(SECTION, m[2] or ""):
                check(section in pages.get(m[1], [section]), f"{place}: {m[1]} has no section {section}")
    check(found > 200, f"only {found} citations of facts found")


def register_tables(root):
    """Tables of registers follow hwemit/register_schema.def: each row cites facts, each field has a line of
    its own."""
    tables = [path for path in files_of(root, "hwemit", ("_registers.def",))]
    for path in tables:
        lines = read(os.path.join(root, path)).split("\n")
        for number, (line, after) in enumerate(zip(lines, lines[1:] + [""]), 1):
            row = re.match(r"(\w+)\(", line)
            kind = re.sub("^(R400|STAGE)_", "", row[1]) if row else None
            check(kind in (None, "REGISTER", "WORD", "ALSO"), f"{path}:{number}: {kind} is no row of the schema")
            check(not row or CITATION.search(line + after), f"{path}:{number}: a row that cites no facts")
            check(len(re.findall(r"FIELD\(", line)) <= 1, f"{path}:{number}: two fields in a line")
    check(len(tables) >= 8, f"{len(tables)} tables of registers")


def test_folders(root):
    """Every test is in a folder that tests/README.md describes and tests/CMakeLists.txt includes."""
    readme, main = (read(os.path.join(root, "tests", name)) for name in ("README.md", "CMakeLists.txt"))
    told = set(re.findall(r"`(\w+)`", "\n".join(re.findall(r"^(\|[^|]*)\|", readme, re.M))))
    lines = readme.count("\n")
    check(lines <= 60, f"tests/README.md: {lines} lines, at most 60")
    lists = set(re.findall(r"\w+", main))
    for folder in told:
        check(os.path.isdir(os.path.join(root, "tests", folder)), f"tests/README.md: there is no folder {folder}")
    for path in tracked(root):
        folder, _, name = path[len("tests/"):].partition("/")
        if not path.startswith("tests/"):
            continue
        if not name:
            check(folder in ("README.md", "CMakeLists.txt", "__init__.py"), f"{path}: it belongs into a folder")
            continue
        check(folder in told, f"{path}: tests/README.md does not tell of its folder")
        check(folder in ("corpus", "shared") or folder in lists, f"{path}: tests/CMakeLists.txt has no such folder")


def test_paths(root):
    """Every path in tests/ that a file names exists, except where a part in capitals is a placeholder."""
    path = re.compile(r"(?<![\w./}*-])tests/[\w./*?-]*[\w*]")
    found = 0
    for name in tracked(root):
        if name.startswith(DATA) or name in (
                "tests/tree/structure_breaches.py", "tests/readers/source_public_rows.py"):
            continue
        text = read(os.path.join(root, name))
        for m in path.finditer(text):
            found += 1
            check(re.search("[A-Z]{2}", m[0]) or glob.glob(os.path.join(root, m[0])),
                  f"{name}:{text.count(chr(10), 0, m.start()) + 1}: there is no {m[0]}")
    check(found > 200, f"only {found} paths of tests found")


# Limits for notes, without the facts: lines of a page, lines of a chip's page, words of all pages.
PAGE_LINES, CHIP_LINES, WORDS = 240, 80, 15000


def notes(root):
    """Pages of notes stay within their limits, and every page of notes that a file names exists."""
    chips = os.listdir(os.path.join(root, "hwemit"))
    words, named = {}, 0
    for path in tracked(root):
        if path.startswith(DATA) or path in ("tests/tree/structure_breaches.py", "CHANGELOG.md"):
            continue
        text = read(os.path.join(root, path))
        for m in re.finditer(r"\bnotes/[a-z0-9/_-]+\.md\b", text):
            named += 1
            check(os.path.exists(os.path.join(root, m[0])), f"{path}: there is no {m[0]}")
        if not path.endswith(".md"):
            continue
        for m in re.finditer(r"\]\(([^)#:]+)(?:#[\w-]*)?\)", text):
            named += 1
            target = os.path.normpath(os.path.join(os.path.dirname(path), m[1]))
            check(os.path.exists(os.path.join(root, target)), f"{path}: there is no {target}")
        if path.startswith("notes/") and not path.startswith("notes/facts/"):
            words[path] = len(text.split())
            lines, chip = text.count("\n"), os.path.basename(path)[:-3] in chips
            most = CHIP_LINES if chip and os.path.dirname(path) == "notes" else PAGE_LINES
            check(lines <= most, f"{path}: {lines} lines, at most {most}")
    total = sum(words.values())
    check(total <= WORDS, f"notes: {total} words, at most {WORDS}; the longest is {max(words, key=words.get)}")
    check(named > 150, f"only {named} names of pages found")


RULES = [includes, oracle_alone, oracle_packages, headers_alone, own_names, exported, filled, installed,
         names, sizes, generic, columns, layout, private_paths, citations, notes, register_tables,
         test_folders, test_paths]


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    root = os.path.abspath(sys.argv[1])
    for rule in RULES:
        rule(root)
    if len(sys.argv) == 3:
        library(root, sys.argv[2])
    print(f"structure: {checks} checks, {failures} failed")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
