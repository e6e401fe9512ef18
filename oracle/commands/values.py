"""The command `values`: executes random GL calls about values (matrices, lights, materials, planes, fog,
points) twice, with the setters of texenv/values.h (in the program tests/vertex/values_calls.c) and with
vertex.values; then compares the GL errors, and the values of the uniforms of shader pairs.

Both sides compute each number in a precision beyond single and round it once. So two numbers differ only if
the exact number is so close to the middle between two singles that the error of the double decides the
rounding, or was computed from such a number. The difference is then at most one unit in the last place of the
number or, since sums cancel, of the largest component of its vector; for planes, the error of the matrix
inverse is added (values.Plane).
"""
import random
import subprocess
from collections import Counter

from ..common.errors import OracleError
from ..vertex import values, values_calls, values_uniforms
from .jobs import run

BATCH = 200
ERRORS = {'INVALID_ENUM': 0x500, 'INVALID_VALUE': 0x501, 'INVALID_OPERATION': 0x502, 'STACK_OVERFLOW': 0x503,
          'STACK_UNDERFLOW': 0x504}
ULP = 2.0 ** -23


DRAW = {'gl': 'glDrawArrays(GL_TRIANGLES, 0, 3);',
        'trace': '2 glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)'}


def script(seed, index, via):
    """Returns the random calls of a script. For a reader (via) it has no Begin and End, because readers treat
    Begin as a draw."""
    calls = values_calls.random_calls(random.Random('values.%s.%s' % (seed, index)))
    return [call for call in calls if not via or call[0] not in ('Begin', 'End')]


def as_line(call):
    return ' '.join(x if isinstance(x, str) else float(x).hex() for x in call)


def as_lines(calls, via):
    if not via:
        return [*map(as_line, calls), '.']
    return [*(values_calls.as_text(call, via == 'trace') for call in calls), DRAW[via], '.']


def execute(program, scripts, via):
    """Runs scripts; returns [(error of each call, {name: numbers})]."""
    text = ''.join(line + '\n' for calls in scripts for line in as_lines(calls, via))
    command = [program, via] if via else [program]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OracleError('%s ends with %d: %s' % (program, done.returncode, done.stderr[:500]))
    found = []
    for line in done.stdout.splitlines():
        if not line[:1].isalpha():
            found.append(([int(x, 16) for x in line.split()], {}))
        else:
            name, *words = line.split()
            found[-1][1][name] = [float.fromhex(x) for x in words]
    return found


def differs(want, got):
    """Returns True if the numbers differ by more than is allowed, else None."""
    if want == got:
        return None
    if len(want) != len(got) or [x != x for x in want] != [x != x for x in got]:
        return True
    if any(x != x for x in want):
        want, got = ([x for x in v if x == x] or [0.0] for v in (want, got))
        if want == got:
            return None
    bound = ULP * max(map(abs, want)) + getattr(want, 'loose', 0)
    return max(abs(x - y) for x, y in zip(want, got)) > bound


def compare(calls, found, via):
    """Compares one script; returns (counts, error text or None). Readers report no errors, and do not track
    colours."""
    machine, counts = values.Values(), Counter()
    errors, numbers = found
    if via:
        machine.color = [float('nan')] * 4
        for call in calls:
            if call[0] != 'Color4f':
                counts['errors'] += bool(machine.call(call[0], call[1:]))
    for call, got in zip(calls, errors):
        may = {ERRORS[x] for x in machine.call(call[0], call[1:])} or {0}
        counts['errors'] += got != 0
        if got not in may:
            return counts, '%s: error %x, not %s' % (as_line(call), got, ' '.join('%x' % x for x in may))
    want = dict([*machine.numbers(), *values_uniforms.uniforms(machine)])
    if want.keys() != numbers.keys() or len(errors) != (0 if via else len(calls)):
        return counts, 'other names: %s' % sorted(want.keys() ^ numbers.keys())
    for name, value in want.items():
        off = differs(value, numbers[name])
        counts['numbers'] += len(value)
        if off is not None:
            counts['rounded otherwise'] += 1
            if off:
                return counts, '%s is %s, not %s' % (name, numbers[name], value)
    return counts, None


def _chunk(job):
    program, via, seed, first, last = job
    scripts = [script(seed, i, via) for i in range(first, last)]
    counts, wrong = Counter(), []
    for i, calls, found in zip(range(first, last), scripts, execute(program, scripts, via)):
        some, complaint = compare(calls, found, via)
        counts.update(some)
        if complaint:
            wrong.append((i, calls, complaint))
    return counts, wrong


def run_command(args):
    counts, wrong = Counter(), []
    ranges = [(i, min(i + BATCH, args.count)) for i in range(0, args.count, BATCH)]
    jobs = [(args.program, args.via or '', args.seed, *both) for both in ranges]
    for some, bad in run(_chunk, jobs, args.jobs):
        counts.update(some)
        wrong += bad
    print('%d scripts, %d mismatches: %d numbers, %d vectors rounded otherwise; %d calls with errors' % (
        args.count, len(wrong), counts['numbers'], counts['rounded otherwise'], counts['errors']))
    for i, calls, complaint in wrong[:3]:
        print('---- script %d: %s\n%s' % (i, complaint, '\n'.join(map(as_line, calls))))
    return 1 if wrong or not counts['errors'] else 0


def add_commands(commands):
    p = commands.add_parser('values', help='random calls about values, by the setters of the library and here')
    p.add_argument('program', help='of tests/vertex/values_calls.c')
    p.add_argument('--via', choices=('gl', 'trace'), help='by the reader of scripts, or of dumps of apitrace')
    p.add_argument('--count', type=int, default=1000)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--jobs', type=int, default=1, metavar='N', help='processes')
    p.set_defaults(run=run_command)
