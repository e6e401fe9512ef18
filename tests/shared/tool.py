"""Shared by the Python tests: runs the program under test and counts checks."""
import os
import subprocess
import sys
import zlib

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TEXENVC = os.environ.get("TEXENVC", os.path.join(TOP, "build", "texenvc"))


class Run:
    """A finished run of the program: exit status, standard output and standard error as text."""

    def __init__(self, args, stdin=b"", cwd=None, env=None, timeout=120, stdout=subprocess.PIPE):
        if isinstance(stdin, str):
            stdin = stdin.encode()
        self.args = args
        # With sanitizers the search for leaks takes half of the time of a short run, and the registration of
        # global variables a quarter. So only one of eight runs does both.
        every = zlib.crc32(repr(args).encode()) % 8 == 0
        environment = {**os.environ, "ASAN_OPTIONS": f"detect_leaks={every:d}:report_globals={every:d}",
                       **(env or {})}
        done = subprocess.run([TEXENVC] + args, input=stdin, stdout=stdout, stderr=subprocess.PIPE, cwd=cwd,
                              env=environment, timeout=timeout)
        self.status = done.returncode
        self.raw = done.stdout or b""
        self.out = self.raw.decode("utf-8", "replace")
        self.err = done.stderr.decode("utf-8", "replace")

    def sanitizer(self):
        """Returns whether a sanitizer reported an error, which is a failure whatever else was expected."""
        return any(word in self.err for word in ("AddressSanitizer", "MemorySanitizer", "runtime error:",
                                                 "LeakSanitizer", "Segmentation"))


class Checks:
    def __init__(self, name):
        self.name, self.done, self.failed = name, 0, 0

    def check(self, ok, message):
        self.done += 1
        if not ok:
            self.failed += 1
            print(f"{self.name}: failed: {message}")
        return bool(ok)

    def finish(self, extra=""):
        print(f"{self.name}: {self.done} checks, {self.failed} failed{extra}")
        sys.exit(self.failed != 0 or self.done == 0)
