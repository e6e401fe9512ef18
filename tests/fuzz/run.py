#!/usr/bin/env python3
"""Builds the libFuzzer targets with clang and runs each for some seconds from the seeds. Skipped (77) if
clang has no libFuzzer.

usage: run.py BUILD_DIR [--seconds N] [--build-only] [TARGET ...]

A crash leaves its input in BUILD_DIR/crash-TARGET-*; put it into tests/fuzz/corpus/TARGET when it is fixed,
so that every test run replays it. """
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TARGETS = ["stages", "gl", "trace", "ir", "atifs", "calls", "arbfp", "vertex", "rc", "words", "source"]
FLAGS = ["-std=c11", "-O1", "-g", "-fno-omit-frame-pointer", "-ffp-contract=off", "-I", TOP]
SANITIZE = "address,undefined"


def newer(target, sources):
    return os.path.exists(target) and all(os.path.getmtime(s) <= os.path.getmtime(target) for s in sources)


def build(folder):
    if not shutil.which("clang"):
        print("clang is not installed")
        sys.exit(77)
    os.makedirs(folder, exist_ok=True)
    probe = subprocess.run(["clang", "-x", "c", "-fsanitize=fuzzer," + SANITIZE, "-o",
                            os.path.join(folder, "probe"), "-"],
                           input="int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d && n "
                                 "? 0 : 0; }\n", text=True, capture_output=True)
    if probe.returncode != 0:
        print("clang has no libFuzzer:", probe.stderr.strip().split("\n")[-1])
        sys.exit(77)
    def of(pattern):
        return [path for layer in ("texenv", "fragprog", "hwemit") for path in sorted(glob.glob(os.path.join(TOP, layer,
            "**", pattern), recursive=True))]

    # files of texenvc that read inputs, without the commands
    tool = [path for path in sorted(glob.glob(os.path.join(TOP, "tools", "texenvc", "*.c")))
            if not re.match(r"(main|cmd_\w+)\.c$", os.path.basename(path))]
    fill = os.path.join(TOP, "tests", "shared", "fill.c")  # memory that the library is lent is full of 0xA5
    with open(fill, encoding="utf-8") as f:
        wrap = ["-Wl,--wrap=" + name for name in re.findall(r"^WRAP\(\w+, (\w+),", f.read(), re.M)]
    texts = os.path.join(folder, "web_text.c")
    subprocess.run(["cmake", "-DOUT=" + texts, "-P", "tools/texenvc/web/text.cmake"], cwd=TOP, check=True)
    sources = of("*.c") + [texts, os.path.join(TOP, "tests/fuzz/pipeline.c"), fill] + tool
    headers = of("*.[hd]*") + [os.path.join(TOP, "tests/fuzz/pipeline.h"),
                                   *glob.glob(os.path.join(TOP, "tools", "texenvc", "*.h"))]
    objects, running = [], []
    for source in sources:
        name = os.path.relpath(source, TOP).replace("/", "_") + ".o"
        objects.append(os.path.join(folder, name))
        if not newer(objects[-1], headers + [source]):
            running.append(subprocess.Popen(["clang", *FLAGS, "-fsanitize=fuzzer-no-link," + SANITIZE, "-c",
                                             source, "-o", objects[-1]]))
        if len(running) >= (os.cpu_count() or 1):
            wait(running)
    wait(running)
    for target in TARGETS:
        source = os.path.join(TOP, "tests", "fuzz", f"fuzz_{target}.c")
        program = os.path.join(folder, "fuzz_" + target)
        if not newer(program, objects + [source]):
            running.append(subprocess.Popen(["clang", *FLAGS, "-fsanitize=fuzzer," + SANITIZE, source,
                                             *objects, *wrap, "-o", program]))
    wait(running)


def wait(running):
    while running:
        if running.pop().wait() != 0:
            sys.exit("building the fuzzers failed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--build-only", action="store_true")
    parser.add_argument("targets", nargs="*")
    args = parser.parse_intermixed_args()
    folder = os.path.abspath(args.folder)
    build(folder)
    if args.build_only:
        return
    failed = []
    for target in args.targets or TARGETS:
        found = os.path.join(folder, "found_" + target)  # new inputs; the seeds are only read
        os.makedirs(found, exist_ok=True)
        seeds = [s for s in (os.path.join(TOP, "tests", "fuzz", "corpus", target),
                             os.path.join(TOP, "tests", "readers", "bad"), os.path.join(TOP, "tests", "tools", "golden"),
                             os.path.join(TOP, "tests", "corpus")) if os.path.isdir(s)]
        command = [os.path.join(folder, "fuzz_" + target), f"-max_total_time={args.seconds}", "-timeout=10",
                   "-rss_limit_mb=2048", "-max_len=4096", "-print_final_stats=1",
                   f"-artifact_prefix={folder}/crash-{target}-",
                   f"-dict={os.path.join(TOP, 'tests', 'fuzz', 'words.dict')}", found, *seeds]
        run = subprocess.run(command, capture_output=True, text=True, errors="replace")
        stats = {}
        for line in run.stderr.split("\n"):
            if line.startswith("stat::"):
                key, _, value = line[6:].partition(":")
                stats[key] = value.strip()
        print(f"fuzz_{target}: {stats.get('number_of_executed_units', '?')} runs, {'ok' if run.returncode == 0 else 'FAILED'}", flush=True)
        if run.returncode != 0:
            failed.append(target)
            print(run.stderr[-6000:])
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
