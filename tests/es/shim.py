#!/usr/bin/env python3
"""Runs the shim's test program with Mesa's OpenGL and with libtexenv-es (shim.c): both must print the same
pixels and errors.

usage: shim.py PROGRAM_OF_GL PROGRAM_OVER_ES        77: no context can be made

Not run: core and es (shaders), newer (OpenGL 4.2), values (UseProgram and framebuffers), wait (waits for a
signal)."""
import subprocess
import sys


def lines(program, words):
    done = subprocess.run([program, *words], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == 77:
        print(done.stdout)
        sys.exit(77)
    return done.returncode, [line for line in done.stdout.split("\n") if not line.startswith("VmHWM")]


failed = 0
for words in (["compat"], ["error"], ["environments"], ["halves"], ["points"], ["many", "100"]):
    wanted, got = (lines(program, words) for program in sys.argv[1:])
    if wanted != got or wanted[0]:
        failed += 1
        print(f"{words[0]}: {wanted} with OpenGL, {got} with libtexenv-es")
print(f"es_shim: {failed} of 6 differ")
sys.exit(failed != 0)
