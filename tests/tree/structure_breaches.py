#!/usr/bin/env python3
"""Tests structure.py: every rule complains where it is broken on purpose.

usage: structure_breaches.py SOURCE_DIR

Copies the sources, breaks one rule at a time and expects that rule to print a complaint that names the file
and contains the given words.
"""
import contextlib
import io
import os
import re
import shutil
import sys
import tempfile

import structure


def append(text):
    return lambda old: old + text


def at_start(text):
    return lambda old: text + old


LONG_FUNCTION = "\nvoid tree_long(void);\nvoid tree_long(void)\n{\n" + "    ;\n" * 70 + "}\n"
MANY = ", ".join(f"int {c}" for c in "abcdefg")
PRIVATE = "/* /ho" + "me/somebody/texenvc */\n"

# Each row: the rule that must complain; a file; its new content, or a function from its old content to the
# new one; a pattern that the complaint must match.
BREACHES = [
    (structure.includes, "hwemit/i830/breach.c", '#include "hwemit/r300/r300.h"\n',
     "may not look into|does not exist"),
    (structure.includes, "hwemit/r200/breach.c", '#include "hwemit/i830/{any}"\n',
     "may not look into hwemit/"),
    (structure.includes, "hwemit/stages/breach.c", '#include "hwemit/i830/{any}"\n',
     "may not look into hwemit/"),
    (structure.includes, "hwemit/machine/breach.c", '#include "hwemit/i830/{any}"\n',
     "may not look into hwemit/"),
    (structure.includes, "texenv/breach.c", '#include "fragprog/fragprog.h"\n',
     "does not stand below texenv"),
    (structure.includes, "fragprog/algebra/breach.c", '#include "fragprog/opt/opt.h"\n',
     "may not look into fragprog/opt"),
    (structure.includes, "tools/texenvc/breach.c", '#include "fragprog/inst.h"\n', "an inside of fragprog"),
    (structure.includes, "fragprog/breach.c", "#include <stdlib.h>\n", "the core includes <stdlib.h>"),
    (structure.includes, "fragprog/ir.h", at_start('#include "fragprog/inst.h"\n'),
     "a circle of includes"),
    (structure.oracle_alone, "oracle/breach.py", 'TABLE = "fragprog/opcodes.def"\n',
     "names a file of the C library"),
    (structure.oracle_alone, "oracle/breach.py", "import ctypes\n", "loads C code"),
    (structure.oracle_packages, "oracle/i830/breach.py", "from ..us import us_eval\n",
     "does not stand below i830"),
    (structure.oracle_packages, "oracle/texenv/breach.py", "from ..gl import tokens\n",
     "does not stand below texenv"),
    (structure.own_names, "hwemit/hwemit.h", append("TEXENV_API int hwemit_option(int n);\n"),
     "a function, and a type"),
    (structure.headers_alone, "hwemit/hwemit.h", append("size_t hwemit_breach(FILE *);\n"), "alone as"),
    (structure.exported, "hwemit/hwemit.h", append("bool hwemit_breach(void);\n"),
     "hwemit_breach without TEXENV_API"),
    (structure.filled, "fragprog/pair.h", append("TEXENV_API bool fragprog_breach(int a,\n    void *scratch);\n"),
     "fill.c has no fragprog_breach"),
    (structure.installed, "fragprog/fragprog.h", append('#include "fragprog/inst.h"\n'), "is not installed"),
    (structure.names, "hwemit/r300/canon.c", "int hwemit_breach;\n", "one name for several files"),
    (structure.names, "fragprog/breach.c", "bool fragprog_opt_breach(void)\n{\n}\n",
     "belongs into fragprog/opt/breach.c"),
    (structure.sizes, "fragprog/breach.c", LONG_FUNCTION, "a function of 73 lines"),
    (structure.sizes, "fragprog/breach.c", f"void breach({MANY});\nvoid breach({MANY})\n{{\n}}\n",
     "of 7 parameters"),
    (structure.generic, "hwemit/hwemit.h", append("struct hwemit_i830_options;\n"), "names the chip i830"),
    (structure.generic, "hwemit/stages/breach.h", "/* as on the R300 */\n", "names the chip R300"),
    (structure.columns, "fragprog/breach.c", "/* " + "x" * 120 + " */\n", "126 columns"),
    (structure.columns, "tests/tree/breach.py", "x" * 111 + "\n", "111 columns"),
    (structure.columns, "tests/tree/breach.cmake", "# " + "x" * 109 + "\n", "111 columns"),
    (structure.columns, "notes/breach.md", "x" * 111 + "\n", "111 columns"),
    (structure.layout, "fragprog/breach.c", "int  breach ;\n",
     "not as clang-format lays it out: fragprog/breach.c"),
    (structure.private_paths, "notes/breach.md", PRIVATE, "a path of one machine"),
    (structure.citations, "fragprog/breach.c", "/* (notes/facts/r299.md 2.1) */\n", "no page r299.md of facts"),
    (structure.citations, "fragprog/breach.c", "/* (notes/facts/r300.md 2.1, 7) */\n",
     "r300.md has no section 7"),
    (structure.citations, "oracle/breach.py", "# as notes/facts/hw-open.md\n# r200.1 to r200.99 say\n",
     "hw-open.md has no section r200.99"),
    (structure.citations, "oracle/breach.py", "# (fact sheet 5)\n", "not cited as fact sheet"),
    (structure.citations, "tests/tree/breach.py", "# (r300.md 2)\n", "not cited as r300.md"),
    (structure.citations, "notes/facts/i830.md", lambda old: old.replace("### 3.1 ", "### 3.9 "),
     "i830.md has no section 3.1"),
    (structure.register_tables, "hwemit/r200/r200_registers.def", append('WORD(BREACH, "BREACH", 0, 0, )\n'),
     "a row that cites no facts"),
    (structure.register_tables, "hwemit/ir3/ir3_registers.def", append("METHOD(BREACH, 1)\n"), "no row of the schema"),
    (structure.register_tables, "hwemit/r300/pvs_registers.def", append("    FIELD(A, B, 0, 1, NULL) FIELD(A, C, 1, 1, NULL)\n"),
     "two fields in a line"),
    (structure.test_folders, "tests/breach.py", "", "it belongs into a folder"),
    (structure.test_folders, "tests/breach/x.c", "", "does not tell of its folder"),
    (structure.test_folders, "tests/breach/y.c", "", "CMakeLists.txt has no such folder"),
    (structure.test_folders, "tests/README.md", append("\n" * 60), "lines, at most 60"),
    (structure.test_folders, "tests/README.md", append("| `nowhere` | nothing |\n"), "there is no folder nowhere"),
    (structure.test_paths, "notes/breach.md", "tests/" + "breach.py\n", "there is no tests/breach.py"),
    (structure.test_paths, "notes/breach.md", "`tests/" + "breach/*.gl`\n", "there is no tests/breach"),
    (structure.notes, "notes/breach.md", "a line\n" * 241, "241 lines, at most 240"),
    (structure.notes, "notes/i830.md", append("a line\n" * 81), "lines, at most 80"),
    (structure.notes, "notes/stages.md", append("[page](nowhere.md)\n"), "there is no notes/nowhere.md"),
    (structure.notes, "fragprog/breach.c", "/* (notes/formats/breach.md) */\n", "no notes/formats/breach.md"),
    (structure.notes, "notes/words.md", "word " * structure.WORDS, "words, at most 15000"),
]


def complaints(rule, root):
    """Runs the rule and returns the complaints that it prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        rule(root)
    return [line for line in out.getvalue().split("\n") if line.startswith("failed:")]


def broken(root, path, edit):
    """Changes a file and returns its old content, or None where the file is new."""
    full = os.path.join(root, path)
    old = structure.read(full) if os.path.exists(full) else None
    if isinstance(edit, str) and "{any}" in edit:
        folder = os.path.join(root, "hwemit/i830")
        edit = edit.replace("{any}", min(n for n in os.listdir(folder) if n.endswith(".h")))
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w", encoding="utf-8") as f:
        f.write(edit if isinstance(edit, str) else edit(old))
    return old


def mend(root, path, old):
    full = os.path.join(root, path)
    if old is None:
        os.unlink(full)
        return
    with open(full, "w", encoding="utf-8") as f:
        f.write(old)


def rounds(rule):
    """Splits the rule's rows of BREACHES into few lists, in each of which no file occurs twice."""
    lists = []
    for breach in BREACHES:
        if breach[0] is not rule:
            continue
        for others in lists:
            if breach[1] not in [other[1] for other in others]:
                others.append(breach)
                break
        else:
            lists.append([breach])
    return lists


def tell(root, rule, breaches):
    """Applies the breaches all at once, and returns an error for each whose expected complaint the rule does
    not print."""
    olds = [(path, broken(root, path, edit)) for _, path, edit, _ in breaches]
    found = complaints(rule, root)
    for path, old in olds:
        mend(root, path, old)
    return [f"{rule.__name__} does not complain of '{words}' in {path}: {found[:2]}"
            for _, path, _, words in breaches
            if not any(path.replace("notes/facts/", "") in line and re.search(words, line) for line in found)]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    source = os.path.abspath(sys.argv[1])
    failed = 0
    with tempfile.TemporaryDirectory() as top:
        for path in structure.tracked(source):
            to = os.path.join(top, path)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copy(os.path.join(source, path), to)
        for rule in structure.RULES:
            if rule is structure.layout and not structure.formatter():
                continue
            for breaches in rounds(rule):
                for wrong in tell(top, rule, breaches):
                    failed += 1
                    print("failed:", wrong)
        missing = set(structure.RULES) - {b[0] for b in BREACHES}
        for rule in missing:
            failed += 1
            print(f"failed: no breach of {rule.__name__}")
    print(f"structure_breaches: {len(BREACHES)} breaches, {failed} problems")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
