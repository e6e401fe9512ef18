#!/usr/bin/env python3
"""Deliberate faults: checks that each of them is caught by a test.

usage: faults.py [--list] [--quick] [--all] [--expected] [--jobs N] [NAME ...]

A file tests/faults/NN-NAME.fault changes one place of one C source into a plausible fault:

    TITLE                       one line that describes the fault
    file: PATH                  the source file that is changed
    caught by: TEST[, TEST ...] names from TESTS below: tests each of which must fail; they run first
    find:                       text that occurs exactly once in the file (white space may differ)
    replace:                    the text that replaces it

The sources are copied to a temporary directory for each job. There each fault is applied and built
incrementally, and tests run until one fails: first the expected ones, then the others, cheap ones first. For
each fault, one line with the failed test and its first error message is printed. NAME selects faults by their
number, name, or a part of the name. With --expected only the expected tests run (also on the unchanged
sources); a fault that they do not catch counts as surviving.

Exit status: 0 if every fault is caught; 1 if a fault survives or does not build, if the text to find is not
in the source, or if the unchanged sources fail a test; 2 wrong usage. """
import argparse
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(TOP, "tests", "faults")
LIMIT = 120  # seconds that a test may take; a fault can be an endless loop

# ctest tests that are left out of "short": they do not test the programs' behaviour, are too slow, or have an
# entry of their own.
NOT_SHORT = "^(unit_.*|optimiser_sides|golden|structure|tokens|registers_count.*|oracle_.*|check_corpus.*|faults.*|spec_cases|identities)$"


# The build targets that an entry of TESTS needs; without an entry here, all targets are built.
NEEDS = {}


def needs(*targets):
    def of(test):
        NEEDS[test] = targets
        return test
    return of


def ctest(*options):
    return lambda tree, build: ["ctest", "--test-dir", build, "--output-on-failure", "--stop-on-failure",
                                "--no-tests=ignore", *options]


def python(*words):
    return needs("texenvc")(lambda tree, build: [sys.executable, *words])


def oracle(*words):
    return python("-m", "oracle", *words)


# In the order in which the tests run; the trailing numbers are seconds on one processor.
TESTS = {
    "unit": needs(*sorted("unit_" + name[:-2] for name in os.listdir(os.path.join(TOP, "tests", "unit"))
                          if name.endswith(".c")))(ctest("-R", "^unit_")),                    # 1
    "golden": python("tests/tools/golden.py"),                                                      # 1
    "evaluate": python("tests/tools/evaluate.py", "2", "50"),                                       # 1
    "passes": python("tests/passes/passes.py"),                                                      # 1
    "source": python("tests/readers/source.py"),                                                      # 1
    "source_patterns": python("tests/readers/source_patterns.py"),                                                      # 1
    "conform-faults": python("tests/conform/conform.py", "faults"),                                   # 8
    "command": python("tests/package/command.py"),                                                    # 2
    "conform-es": needs("texenvc", "texenv-es")(ctest("-R", "^conform_es$")),                         # 8
    "conform-osmesa": python("tests/conform/conform.py", "osmesa"),                                   # 5
    "conform-texts": python("tests/conform/conform.py", "texts"),                                     # 22
    "vertex-readers": python("tests/vertex/vertex_readers.py"),                                      # 4
    "raster": python("tests/readers/raster.py"),
    "textures": python("tests/readers/textures.py"),                                         # 3
    "atifs_calls": python("tests/readers/atifs_calls.py"),                                             # 2
    "readers": python("tests/readers/readers_test.py"),                                               # 6
    "tokens-sweep": needs("token_sweep")(ctest("-R", "^tokens_sweep$")),                      # 2
    "lines": python("tests/chips/lines.py"),                                                        # 3
    "words": python("tests/chips/words.py"),                                                        # 3
    "spec-cases": python("tests/readers/spec_cases.py"),                                                     # 0.5
    "oracle-corpus": oracle("check", "--jobs", "1", "tests/corpus"),                          # 0.5
    "oracle-roundtrip": oracle("roundtrip", "tests/corpus"),                                  # 0.5
    "oracle-random": oracle("random", "--jobs", "1", "--count", "1500"),                      # 1
    "oracle-compact": oracle("random", "--jobs", "1", "--count", "1500", "--seed", "2", "--bind", "compact"),
    "oracle-avoid-mesa": oracle("random", "--jobs", "1", "--count", "1500", "--seed", "3", "--avoid", "mesa"),
    "oracle-gl": oracle("random", "--jobs", "1", "--count", "1000", "--seed", "4", "--via", "gl"),
    "oracle-apitrace": oracle("random", "--jobs", "1", "--count", "1000", "--seed", "5", "--via", "apitrace"),
    "stack": ctest("-R", "^stack$"),                                                          # 15
    "oracle-classic": oracle("enumerate", "--jobs", "1", "--limit", "3000", "classic"),
    "oracle-two-unit": oracle("enumerate", "--jobs", "1", "two-unit"),                        # 3
    "oracle-combine4": oracle("enumerate", "--jobs", "1", "--limit", "4000", "combine4"),
    # 4
    "oracle-dense": oracle("random", "--jobs", "1", "--count", "1000", "--chains", "dense", "--max-units",
                           "3"),
    "language-glsl": oracle("check", "--jobs", "1", "tests/corpus", "--to", "glsl"),          # 1
    "language-arbfp": oracle("random", "--jobs", "1", "--count", "600", "--to", "arbfp", "--steep", "0"),
    "language-330": oracle("random", "--jobs", "1", "--count", "600", "--to", "glsl-330", "--steep", "0"),
    "atifs-convert": python("tests/languages/atifs_convert.py", "80", "5"),                             # 5
    "atifs-calls": python("tests/readers/atifs_calls.py"),                                            # 1
    "r200": oracle("random", "--jobs", "1", "--count", "800", "--seed", "61", "--to", "r200"),  # 3
    "r200-full": oracle("random", "--jobs", "1", "--count", "60", "--seed", "62", "--chains", "full",
                        "--max-units", "6", "--to", "r200"),
    "r200-atifs": python("tests/r200/atifs_r200.py", "--count", "60"),                             # 3
    "r200-dots": python("tests/r200/dots_r200.py"),                                                # 3
    # 3
    "i830": oracle("random", "--jobs", "1", "--count", "500", "--seed", "63", "--max-units", "4", "--to",
                   "i830"),
    "i830-units": oracle("random", "--jobs", "1", "--count", "400", "--seed", "64", "--to", "i830"),
    "i830-full": oracle("random", "--jobs", "1", "--count", "500", "--seed", "65", "--max-units", "4", "--to",
                        "i830", "--assume", "full"),
    "i830-clamps": oracle("check", "--jobs", "1", "tests/i830/hidden_clamps.stages", "--to", "i830"),   # 0.5
    "pica200": oracle("random", "--jobs", "1", "--count", "1000", "--seed", "68", "--max-units", "4",
                      "--texture-units", "3", "--to", "pica200"),                             # 4
    "nv2a": oracle("random", "--jobs", "1", "--count", "3000", "--seed", "178", "--texture-units", "4", "--to", "nv2a"),
    "nv2a-units": lambda tree, build: [sys.executable, "tests/nv2a/nv2a_units.py", build + "/texenvc", "--count", "120"],
    "nv2a-stages": python("tests/nv2a/nv2a_stages.py"),
    "nv2a-rc": python("tests/nv2a/nv2a_rc.py", "--count", "20"),
    "etnaviv": oracle("random", "--jobs", "1", "--count", "500", "--seed", "97", "--to", "etnaviv"),  # 2
    "i915": oracle("random", "--jobs", "1", "--count", "500", "--seed", "97", "--to", "i915"),     # 2
    "i915-arb": oracle("arb-random", "--plain", "--count", "60", "--seed", "98", "--to", "i915"),  # 10
    "i915-length": python("tests/i915/i915_length.py"),                                             # 1
    "i915-words": python("tests/i915/i915_words.py"),                                               # 3
    "etnaviv-immediates": oracle("random", "--jobs", "1", "--count", "300", "--seed", "92", "--to", "etnaviv",
                                 "--assume", "immediates", "--pass=--chip-option", "--pass=halti=2"),  # 2
    "etnaviv-arb": oracle("arb-random", "--plain", "--count", "40", "--seed", "98", "--to", "etnaviv"),  # 4
    "etnaviv-pairs": oracle("arb-random", "--plain", "--count", "30", "--seed", "99", "--to", "etnaviv",
                            "--pass=--chip-option", "--pass=new-transcendentals=1"),          # 3
    "etnaviv-atifs": python("tests/r300/atifs_r300.py", "--count", "60", "--target", "etnaviv"),   # 3
    "i915-files": oracle("arb-check", "--to", "i915", *sorted(
        "tests/arbfp/" + name for name in os.listdir(os.path.join(TOP, "tests", "arbfp"))
        if name.endswith(".arbfp"))),                                                         # 1
    "i915-atifs": python("tests/r300/atifs_r300.py", "--count", "60", "--target", "i915"),         # 3
    "etnaviv-words": python("tests/etnaviv/etnaviv_words.py"),                                        # 3
    "derived_length": python("tests/r300/derived_length.py"),                                      # 3
    "etnaviv-cache": needs("cache")(ctest("-R", "^cache_etnaviv$")),                          # 2
    "ir3": oracle("random", "--jobs", "1", "--count", "500", "--seed", "101", "--to", "ir3"),  # 2
    "ir3-best": oracle("random", "--jobs", "1", "--count", "500", "--seed", "102", "--to", "ir3",
                       "--pass=--chip-option", "--pass=level=7"),                             # 2
    "ir3-arb": oracle("arb-random", "--count", "100", "--seed", "103", "--vectors", "2", "--to", "ir3"),  # 4
    "arb-every-vertex": oracle("arb-random", "--vertex", "--every", "15", "--vectors", "2", "--to", "glsl"),  # 3
    "reload": python("tests/languages/reload.py"),                                                      # 20
    "ir3-words": python("tests/ir3/ir3_words.py"),                                                # 3
    "machine-steps": python("tests/chips/machine_steps.py"),                                       # 2
    "ir3-waits": python("tests/ir3/ir3_waits.py"),                                                # 2
    "batches": needs("batches")(ctest("-R", "^batches$")),                                    # 1
    "memcheck": python("tests/library/memcheck.py", "--random", "0", "--to", "r300,pica200",
                       "tests/speed/costly_chains.stages", "tests/i830/hidden_clamps.stages"),                            # 5
    "i830-judge": needs("cover_i830_local", "cover_i830_point")(
        ctest("-R", "^cover_i830_operations$")),                                              # 10
    "i830-judge-lent": needs("cover_i830_local", "cover_i830_point")(
        ctest("-R", "^cover_i830_lent$")),                                                    # 60
    "chips-cli": needs("texenvc")(ctest("-R", "^chips_cli$")),                                # 2
    # 5
    "r300": oracle("random", "--jobs", "1", "--count", "60", "--seed", "66", "--to", "r300"),
    "r500": oracle("random", "--jobs", "1", "--count", "60", "--seed", "67", "--to", "r500"),
    "r300-halves": oracle("check", "--jobs", "1", "tests/r300/constant_beside_operations.stages", "--to", "r300", "-O", "3"),
    "r300-presubs": oracle("check", "--jobs", "1", "tests/r300/presubtracts.stages", "--to", "r300"),
    "r500-presubs": oracle("check", "--jobs", "1", "tests/r300/presubtracts.stages", "--to", "r500"),
    "r200-bound": lambda tree, build: [sys.executable, "tests/speed/instructions.py", build + "/tests/bench",
                                       "--chip", "r200", "--first", "8", "--units", "8", "--count", "40",
                                       "--states", "tests/speed/costly_chains.stages", "--bound", "3000"],
    "r300-bound": lambda tree, build: [sys.executable, "tests/speed/instructions.py", build
                                       + "/tests/bench", "--chip", "r300", "--first", "8", "--units",
                                       "8",
                                       "--count", "60", "--bound", "10000"],
    "r300-least": python("tests/r300/length_r300.py", "least"),                                    # 12
    "r500-least": python("tests/r300/length_r300.py", "least", "--target", "r500"),               # 8
    "r300-least-words": oracle("check", "tests/r300/least_pairs.stages", "--to", "r300"),          # 6
    "r500-least-words": oracle("check", "tests/r300/least_pairs.stages", "--to", "r500"),
    "r300-atifs": python("tests/r300/atifs_r300.py", "--count", "40", "--target", "r300"),         # 3
    "r500-atifs": python("tests/r300/atifs_r300.py", "--count", "40", "--target", "r500"),
    "cli": needs("texenvc")(ctest("-R", "^cli$")),                                # 6
    "sides": ctest("-R", "^optimiser_sides$"),                                                # 3
    "arb-files": oracle("arb-check", "--to", "arbfp,glsl", *sorted(
        "tests/arbfp/" + name for name in os.listdir(os.path.join(TOP, "tests", "arbfp"))
        if name.endswith(".arbfp"))),                                                         # 1
    "vertex-files": oracle("arb-check", "--to", "arbfp,r300,r500", "--vectors", "12", *sorted(
        "tests/arbfp/" + name for name in os.listdir(os.path.join(TOP, "tests", "arbfp"))
        if name.endswith(".arbvp"))),                                                         # 1
    "vertex-random": oracle("arb-random", "--vertex", "--to", "r300,r500", "--count", "60", "--vectors", "3",
                            "--longest", "60"),                                               # 4
    "vertex-window": oracle("arb-random", "--window", "40", "--longest", "90", "--count", "8", "--to", "r300",
                            "-O", "2", "--vectors", "2"),                                     # 1
    "vertex-functions": oracle("arb-random", "--window", "20", "--functions", "--longest", "60", "--count", "25",
                               "--to", "r300,r500", "-O", "0,2", "--vectors", "2"),           # 4
    "vertex-calls": oracle("vertex-calls", "--count", "600", "--seed", "3"),                  # 3
    "values": needs("values_calls")(ctest("-R", "^values$")),                                 # 4
    "vertex-halves": oracle("vertex-random", "--count", "60", "--seed", "5", "--to", "arbvp,glsl-330"),  # 14
    "vertex-states": needs("texenvc")(ctest("-R", "^vertex_states$")),                        # 5
    "vertex-many": python("tests/vertex/vertex_atrm.py"),                                            # 6
    "vertex-words": needs("texenvc")(ctest("-R", "^vertex_words$")),                          # 3
    "us-files": oracle("arb-check", "--to", "r300,r400,r500", *sorted(
        "tests/arbfp/" + name for name in os.listdir(os.path.join(TOP, "tests", "arbfp"))
        if name.endswith(".arbfp"))),                                                         # 2
    "us-random": oracle("arb-random", "--plain", "--to", "r300,r400,r500", "--count", "80", "--seed", "6",
                        "--vectors", "3", "--longest", "60"),                                 # 6
    "ir-random": oracle("arb-random", "--ir", "--longest", "14", "--count", "60", "--vectors", "2", "--to",
                        "arbfp,r300,r500,etnaviv,ir3", "-O", "2"),                            # 8
    "us-limits": python("tests/r300/limits_arb.py"),                                               # 3
    "glamor-words": python("tests/arbfp/glamor.py", "--to", "r400,r500", "--fits", "--count", "12"),  # 7
    "arb-random": oracle("arb-random", "--count", "150", "--vectors", "3", "--longest", "60"),  # 4
    "arb-accept": oracle("arb-accept"),                                                       # 2
    "arb-piglit": python("tests/arbfp/arbfp_piglit.py"),                                            # 5
    "arbfp-bad": python("tests/arbfp/arbfp_bad.py"),                                                # 1
    "alloc-colour": needs("alloc_colour")(ctest("-R", "^alloc_colour$")),                      # 5
    "alloc-constants": needs("alloc_constants")(ctest("-R", "^alloc_constants$")),             # 5
    "alias": python("tests/alloc/alias_cli.py"),                                                    # 3
    "structure": needs("texenv")(lambda tree, build: [sys.executable, "tests/tree/structure.py", ".",
                                                       os.path.join(build, "libtexenv.a")]),  # 2
    "cache": needs("cache")(ctest("-R", "^cache_(r200|small|pica200)$")),                      # 2
    "levels": ctest("-R", "^levels$"),                                                        # 5
    "sizes": python("tests/package/sizes.py", "-Os"),                                                 # 25
    "package": ctest("-R", "^package$"),                                                      # 45
    "shim": needs("texenv-shim", "shim_test_program")(ctest("-R", "^shim_contexts$")),        # 17
    "gl-vertex": ctest("-R", "^gldiff_vertex$"),                                              # 30
    "shim-vertex": needs("texenv-shim")(ctest("-R", "^shim_vertex$")),                        # 25
    "shim-names": needs("texenv-shim", "shim_names_program")(ctest("-R", "^shim_names$")),    # 15
    "es-cases": needs("es_cases")(ctest("-R", "^es_cases$")),                                 # 2
    "es-changes": needs("es_changes")(ctest("-R", "^es_changes$")),                           # 2
    "es-calls": needs("es_calls", "es_calls_gl")(ctest("-R", "^es_calls$")),                  # 10
    "es-pixels": needs("es_pixels", "es_pixels_gl")(ctest("-R", "^es_pixels$")),              # 10
    "es-cost": needs("es_cost", "es_cost_hand")(ctest("-R", "^es_cost$")),                    # 6
    "es-shim": needs("es_shim", "shim_test_program")(ctest("-R", "^es_shim$")),               # 5
    "explain-html": needs("texenvc")(ctest("-R", "^explain_html$")),                          # 7
    "embed-mock": needs("texenvc")(ctest("-R", "^embed_mock$")),                              # 7
    "embed-draw": needs("texenvc", "texenv", "embed_scene")(ctest("-R", "^embed_draw$")),     # 7
    "gldiff-arb": ctest("-R", "^gldiff_arb$"),                                                # 5
    "languages": ctest("-R", "^languages$"),                                                  # 8
    "record": needs("texenvc", "texenv-shim", "shim_test_program", "record_setup")(           # 3
        ctest("-R", "^record$")),
    "proof": python("tests/optimiser/prove_rules.py"),                                                  # 30, rows only
    "short": ctest("-L", "^short$", "-E", NOT_SHORT, "--parallel", "2"),                      # 20
}

# The faults of --quick: one for each part of the project, and one for each kind of fault that the tests must
# catch.
QUICK = """
    clamp-only-scaled modulate-add-arguments scale-before-bias alpha-texture-in-combine
    previous-alpha-from-rgb last-use-too-early last-use-too-late alpha-reads-partner dot3-alpha-scale
    crossbar-off-combine target-priority error-changes-state pop-active-unit list-compile-runs
    trace-thread-context merged-counts print-constant-alpha float-printing
""".split()


FAILED = re.compile(r"Test +#\d+: (\S+) [ .]*\**(?:Failed|Timeout|Exception|Not Run)")


class Fault:
    def __init__(self, path):
        self.name = os.path.basename(path)[:-len(".fault")]
        with open(path, encoding="utf-8") as f:
            text = f.read()
        m = re.fullmatch(r"(?P<title>.+)\nfile: (?P<file>\S+)\ncaught by: (?P<tests>\S+(?:, \S+)*)\nfind:\n(?P<find>.+?)\nreplace:\n(?P<replace>.*?)\n?", text, re.S)
        if not m or not set(m["tests"].split(", ")) <= set(TESTS):
            sys.exit(f"{path}: not in the form that faults.py describes")
        self.title, self.file, self.tests = m["title"], m["file"], m["tests"].split(", ")
        self.find, self.replace = m["find"], m["replace"]

    def pattern(self):
        """Returns a pattern for the text to find, with any indentation and line breaks, so that reformatting
        the source does not invalidate the fault."""
        words = re.findall(r"\w+|[^\w\s]", self.find)
        gaps = [r"\s+" if re.match(r"\w", a) and re.match(r"\w", b) else r"\s*" for a,
                b in zip(words, words[1:])] + [""]
        return re.compile("".join(re.escape(word) + gap for word, gap in zip(words, gaps)))

    def times(self):
        """Returns how often the text occurs in the source (should be 1)."""
        path = os.path.join(TOP, self.file)
        return len(self.pattern().findall(read(path))) if os.path.exists(path) else 0

    def applied(self, text):
        """Returns the source with the fault, or None if the text does not occur exactly once."""
        places = list(self.pattern().finditer(text))
        if len(places) != 1:
            return None
        # Only the first line keeps its indentation; the compiler does not care about the rest.
        return text[:places[0].start()] + self.replace.strip() + text[places[0].end():]


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def faults(names, quick):
    every = [Fault(os.path.join(FOLDER, n)) for n in sorted(os.listdir(FOLDER)) if n.endswith(".fault")]
    numbers = [f.name.partition("-")[0] for f in every]
    twice = sorted({n for n in numbers if numbers.count(n) > 1})
    if twice:
        sys.exit(f"faults: several have the number {', '.join(twice)}")
    if quick:
        names = names + QUICK
    for name in names:
        if not any(matches(f, name) for f in every):
            print(f"faults: no fault '{name}'", file=sys.stderr)
            sys.exit(2)
    return [f for f in every if not names or any(matches(f, n) for n in names)]


def matches(fault, name):
    number, _, rest = fault.name.partition("-")
    return name in (fault.name, number, rest) or (rest not in QUICK and name not in QUICK and name in rest)


def sources():
    """Returns the paths of the source files: tracked and new files, without build outputs."""
    git = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=TOP,
                         capture_output=True)
    if git.returncode == 0:
        return [p for p in git.stdout.decode().split("\0") if p and os.path.isfile(os.path.join(TOP, p))]
    found = []
    for folder, folders, names in os.walk(TOP):
        folders[:] = [d for d in folders if not d.startswith((".", "build", "__pycache__"))]
        found += [os.path.relpath(os.path.join(folder, n), TOP) for n in names]
    return found


class Place:
    """A copy of the sources with a build directory, in which one file at a time is changed."""

    def __init__(self, top, number, environment):
        self.original, self.tree, self.build = (os.path.join(top, name) for name in ("original",
            f"tree{number}", f"build{number}"))
        shutil.copytree(self.original, self.tree)
        self.environment = dict(environment, TEXENVC=os.path.join(self.build, "texenvc"),
                                PYTHONPATH=self.tree)
        self.changed = None
        self.stamp = time.time() + 1

    def text(self, path):
        return read(os.path.join(self.original, path))

    def run(self, command, limit=LIMIT):
        """Runs a command; returns status (None: timeout) and output."""
        with tempfile.TemporaryFile() as out:
            child = subprocess.Popen(command, cwd=self.tree, env=self.environment, stdin=subprocess.DEVNULL,
                                     stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
            try:
                status = child.wait(limit)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
                status = None
            out.seek(0)
            return status, out.read().decode("utf-8", "replace").replace(self.tree + "/", "")

    def configure(self):
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        return self.run(["cmake", *generator, "-S", self.tree, "-B", self.build, "-DCMAKE_BUILD_TYPE=None",
                         "-DTEXENV_FILL=ON", "-DCMAKE_C_FLAGS=-O1 -w"], 300)

    def make(self, tests=None):
        """Builds the targets that these tests need (None: all targets)."""
        targets = [NEEDS.get(TESTS[name]) for name in tests or []]
        wanted = sorted({t for some in targets for t in some}) if targets and all(targets) else []
        return self.run(["cmake", "--build", self.build, "--parallel", "1",
                         *(["--target", *wanted] if wanted else [])], 600)

    def change(self, path, text):
        """Restores the file that was changed before, then writes text to this file."""
        for p, t in ((self.changed, None), (path, text)):
            if p and (t is not None or p != path):
                target = os.path.join(self.tree, p)
                write(target, self.text(p) if t is None else t)
                # give the file a later time than its build outputs, even if file times are coarse
                self.stamp = max(self.stamp + 1, time.time())
                os.utime(target, (self.stamp, self.stamp))
        self.changed = path


def complaint(output):
    """Returns the first line of the output that reports an error."""
    lines = [line.strip() for line in output.split("\n")]
    lines = [line for line in lines if line and not re.match(r"^(Test project|Start +\d|\d+/\d+ Test|Internal ctest|Errors while|Output from|The following|-+$|\d+% tests|Total Test|Label Time|Stop)", line)]
    words = (r"failed: ", r"first mismatch: ", r"Segmentation|SEGFAULT|Abort|internal error|out of range",
             r"mismatch:|differ|state.*=|expected|comes back|reads \d|does not|cannot|refused",
             r"Error|error:", r"[Ff]ail")
    for word in words:
        for line in lines:
            if re.search(word, line) and not re.search(r"\b0 (failed|mismatches)", line):
                return re.sub(r"^(golden|spec_cases): failed: ", "", line)
    return lines[0] if lines else "no output"


class Runner:
    def __init__(self, chosen, jobs, every_test, expected_only=False):
        self.chosen, self.jobs, self.every_test = chosen, jobs, every_test
        wanted = {name for fault in chosen for name in fault.tests} if expected_only else TESTS
        self.tests = {name: command for name, command in TESTS.items() if name in wanted}
        self.expected_only, self.left_out, self.failed, self.done = expected_only, [], [], 0
        self.lock, self.ready = threading.Lock(), threading.Event()
        self.work = queue.Queue()
        groups = {}
        for fault in chosen:
            groups.setdefault(fault.file, []).append(fault)
        # Faults of the same file are run together, so that each takes one compilation; groups are small
        # enough to be distributed over jobs.
        pieces = [g[i:i + 8] for g in groups.values() for i in range(0, len(g), 8)]
        for piece in sorted(pieces, key=len, reverse=True):
            self.work.put(piece)

    def say(self, text):
        with self.lock:
            print(text, flush=True)

    def fail(self, name):
        with self.lock:
            self.failed.append(name)

    def unchanged(self, place):
        """Checks that the unchanged sources pass every test, since otherwise a failure would prove
        nothing."""
        start = time.time()
        for name, command in list(self.tests.items()):
            words = [w for w in command(place.tree, place.build) if w != "--stop-on-failure"]
            status, output = place.run(words)
            if status == 0:
                continue
            alone = FAILED.findall(output) if words[0] == "ctest" else []
            for test in alone:
                self.left_out.append(test)
                self.fail(f"unchanged: {test}")
            if not alone:
                del self.tests[name]
                self.fail(f"unchanged: {name}")
            self.say(f"unchanged sources FAIL {' '.join(alone) or name} (left out): {complaint(output)[:200]}")
        self.say(f"unchanged sources: {len(self.tests)} kinds of tests pass, {time.time() - start:.1f} s")

    def without(self, words):
        """Returns a ctest command without the single tests that fail on the unchanged sources."""
        if words[0] != "ctest" or not self.left_out:
            return words
        names = f"^({'|'.join(self.left_out)})$"
        if "-E" not in words:
            return [*words, "-E", names]
        at = words.index("-E") + 1
        return [*words[:at], f"{words[at]}|{names}", *words[at + 1:]]

    def one(self, place, fault):
        start = time.time()
        text = place.text(fault.file)
        wrong = fault.applied(text)
        if wrong is None:
            return f"{fault.name}: NOT APPLIED: {fault.file} has its text {fault.times()} times", False
        place.change(fault.file, wrong)
        status, output = place.make(fault.tests if self.expected_only else None)
        if status != 0:
            errors = [line for line in output.split("\n") if " error:" in line or "undefined" in line]
            return f"{fault.name}: DOES NOT BUILD: {(errors or ['?'])[0]}", False
        order = fault.tests + [t for t in self.tests if t not in fault.tests and not self.expected_only]
        caught, missed = [], []
        for number, name in enumerate(order):
            if name not in self.tests or (caught and number >= len(fault.tests) and not self.every_test):
                continue
            words = self.tests[name](place.tree, place.build)
            status, output = place.run(self.without(words))
            if status == 0:
                missed += [name] if name in fault.tests else []
                continue
            caught.append(name)
            if len(caught) == 1:
                why = "took too long" if status is None else complaint(output)
                if name in ("unit", "short"):
                    caught[0] = "/".join([name] + FAILED.findall(output)[:1])
        seconds = f"{time.time() - start:.1f} s"
        if not caught:
            return f"{fault.name}: SURVIVES every test ({fault.title}) [{seconds}]", False
        if missed and len(fault.tests) > 1:
            return f"{fault.name}: {' '.join(caught)}, but NOT {' '.join(missed)}: {why[:160]} [{seconds}]", False
        unexpected = f" (expected {missed[0]})" if missed else ""
        return f"{fault.name}: {' '.join(caught)}{unexpected}: {why[:160]} [{seconds}]", True

    def worker(self, place, first):
        status, output = place.configure()
        if status == 0:
            status, output = place.make(list(self.tests) if self.expected_only else None)
        if status != 0:
            self.fail("build")
            self.say(f"the unchanged sources do not build:\n{output[-3000:]}")
        elif first:
            self.unchanged(place)
        if first:
            self.ready.set()
        self.ready.wait()
        while not any(f == "build" for f in self.failed):
            try:
                piece = self.work.get_nowait()
            except queue.Empty:
                return
            for fault in piece:
                if "build" in self.failed:
                    return
                line, ok = self.one(place, fault)
                self.done += 1
                if not ok:
                    self.fail(fault.name)
                self.say(line)

    def guarded(self, place, first):
        try:
            self.worker(place, first)
        except Exception as e:  # an exception must neither block the other threads nor look like success
            self.fail(f"{type(e).__name__}: {e}")
            raise
        finally:
            self.ready.set()

    def all(self):
        start = time.time()
        top = tempfile.mkdtemp(prefix="faults-")
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("CTEST_", "TEXENV", "MAKE",
            "CFLAGS"))}
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        threads = []
        try:
            for path in sources():
                to = os.path.join(top, "original", path)
                os.makedirs(os.path.dirname(to), exist_ok=True)
                shutil.copy2(os.path.join(TOP, path), to)
            for number in range(self.jobs):
                threads.append(threading.Thread(daemon=True, target=self.guarded,
                                                args=(Place(top, number, environment), number == 0)))
                threads[-1].start()
            for thread in threads:
                thread.join()
        except KeyboardInterrupt:
            self.fail("build")  # other threads stop after their current fault
            for thread in threads:
                thread.join()
            raise
        finally:
            shutil.rmtree(top, ignore_errors=True)
        bad = len(self.failed)
        print(f"faults: {self.done} of {len(self.chosen)} tried, {bad} problems{': ' if bad else ''}{', '.join(self.failed)}; {time.time() - start:.0f} s")
        return 1 if bad or self.done != len(self.chosen) else 0


def main():
    parser = argparse.ArgumentParser(description="Applies deliberate faults and shows the test that catches "
                                                 "each.")
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help="faults to run: number, name or part of one (default: all)")
    parser.add_argument("--list", action="store_true",
                        help="print the faults; fail if the text of one does not occur once in its file")
    parser.add_argument("--quick", action="store_true", help=f"{len(QUICK)} faults, about one of each kind")
    parser.add_argument("--all", action="store_true",
                        help="run every test on every fault and name all that fail")
    parser.add_argument("--expected", action="store_true",
                        help="run only the tests that are expected to notice: quick for a few faults")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1),
                        help="trees that are built and tested at the same time")
    args = parser.parse_args()
    chosen = faults(args.names, args.quick)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # allows faults.py | head
    if args.list:
        for fault in chosen:
            print(f"{fault.name}: {fault.title} ({fault.file}; caught by {', '.join(fault.tests)})")
        stale = [fault for fault in chosen if fault.times() != 1]
        for fault in stale:
            print(f"{fault.name}: {fault.file} has its text {fault.times()} times", file=sys.stderr)
        return 1 if stale else 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # an exception: temporary files are removed
    return Runner(chosen, max(1, min(args.jobs, len(chosen))), args.all, args.expected).all()


if __name__ == "__main__":
    sys.exit(main())
