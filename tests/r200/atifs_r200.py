#!/usr/bin/env python3
"""Compiles the GL_ATI_fragment_shader programs of atifs_r300.py to words of r200 and executes these by the
oracle.

    atifs_r200.py [--count N] [--seed N]       TEXENVC names the program"""
import argparse
import os
import sys
from collections import Counter

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.r300 import atifs_r300                                                     # noqa: E402
from oracle.commands import atifs_code  # noqa: E402

# Programs whose values leave [-8,8] are not tested: ATI_fragment_shader guarantees no larger range, and how
# the chip behaves outside of it is unknown.
ASSUME = ('wide-arguments', 'wide-sums')


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--count', type=int, default=60)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--vectors', type=int, default=12)
    args = parser.parse_args()
    count = Counter()
    for text, difference, refused in atifs_code.check(atifs_r300.programs(args.count, args.seed), 'r200', (),
                                                      args.vectors, ASSUME):
        undefined = difference and difference.message == atifs_code.UNDEFINED
        kind = 'refused: %s' % refused if refused else 'undefined' if undefined else 'different' if difference else 'equal'
        count[kind] += 1
        if kind == 'different' and count[kind] <= 3:
            print('%s\n%s' % (difference.message, text))
    print(', '.join('%d %s' % (n, k) for k, n in sorted(count.items())), flush=True)
    return 1 if count['different'] or count['equal'] < args.count // 2 else 0


if __name__ == '__main__':
    sys.exit(main())
