"""Runs the command (python3 -m texenvc)."""
import os
import sys

from . import PROGRAM


def main() -> None:
    os.execv(PROGRAM, [PROGRAM] + sys.argv[1:])


if __name__ == '__main__':
    main()
