"""Command line of the oracle."""
import argparse
import gc
import sys

from .commands import check
from .common.errors import OracleError


def build_parser():
    parser = argparse.ArgumentParser(
        prog='python3 -m oracle',
        description='Exact, independent evaluator of texture environments and fragment shader programs.',
        epilog='Exit status: 0 equal (or done), 1 different or bad input, 2 wrong usage. TEXENVC names the '
               'texenvc to run '
               '(default build/texenvc).')
    commands = parser.add_subparsers(dest='command', metavar='COMMAND', required=True)
    p = commands.add_parser('check',
                            help='convert states with texenvc and compare every program with the state',
                            description='Read every state of the files with the oracle\'s own readers, '
                                        'convert the files with texenvc, and '
                            'compare state and program on many inputs. Exact: every value (integers and '
                            'fractions, no tolerance), the rules of '
                            'the extension, and each refusal\'s reason. Sampled: the inputs, --vectors '
                            'ordinary ones, and for states with steep stages '
                            'ones that are searched between the clamps (--steep). The first mismatch is '
                            'shrunk and printed.')
    p.add_argument('files', nargs='+', metavar='FILE|DIR')
    p.add_argument('--from', dest='kind', choices=('gl', 'apitrace', 'stages'),
                   help='form of the input (default: look at it)')
    check.add_options(p)
    p.set_defaults(run=check.check_command)
    for module in extra_modules():
        module.add_commands(commands)
    return parser


def extra_modules():
    from .commands import (arb, equiv, generate, gl_samples, roundtrip, show, values, vectors, vertex,
                           vertex_calls)
    return [show, equiv, generate, roundtrip, gl_samples, arb, vertex, vertex_calls, values, vectors]


def main(argv=None):
    args = build_parser().parse_args(argv)
    # There are no reference cycles, but many memoised values, so garbage collection would only cost time.
    gc.disable()
    try:
        return args.run(args)
    except OracleError as e:
        print(e, file=sys.stderr)
        return 1
    except ValueError as e:
        print('error: %s' % e, file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 1


if __name__ == '__main__':
    sys.exit(main())
