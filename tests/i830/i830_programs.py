"""Tests the search at one point (tests/i830/cover/point.c): it gets the values that random programs of i830
blend stages compute, and must find a program for each."""

import random
import subprocess

from i830_point import PRIME, Both

HALF, TWO, FOUR, TWELVE = Both.half, (2.0, 2, 0), (4.0, 4, 0), (12.0, 12, 0)


def times(*factors):
    out = Both.one
    for f in factors:
        out = Both.mul(out, f)
    return out


OPERATIONS = [  # those of notes/facts/i830.md 2, as functions of up to three arguments
    lambda a, b, c: a, lambda a, b, c: times(a, b), lambda a, b, c: Both.add(a, b), lambda a, b,
    c: Both.sub(Both.add(a, b), HALF), lambda a, b, c: Both.sub(a, b),
    lambda a, b, c: Both.add(times(c, a), times(Both.sub(Both.one, c), b)), lambda a, b,
    c: Both.add(times(a, b), c), lambda a, b, c: Both.add(times(TWO, a, b), c),
    lambda a, b, c: Both.add(times(FOUR, a, b), c), lambda a, b, c: times(TWELVE, Both.sub(a, HALF),
        Both.sub(b, HALF)),
]
# Programs to try: for each stage, the earlier stages that it reads (it also reads inputs). In LENT the first
# stage belongs to the alpha pipe.
SHAPES = [((), (1,), (2,), (3,)), ((), (1,), (2,), (3, 1)), ((), (1,), (2,), (3, 2)),
          ((), (1,), (1, 2), (3,)), ((), (1,), (1, 2), (3, 1)), ((), (1,), (1, 2), (3, 2)),
          ((), (1,), (1,), (3, 2)), ((), (1,), (), (3, 2)), ((), (), (1, 2), (3,)), ((), (), (1, 2), (3, 1)),
          ((), (), (1,), (3, 2))]
LENT = [((), (), (2, 1), (3,)), ((), (), (2,), (3, 1)), ((), (), (1, 2), (3, 1))]


class Program:
    """A random program of a shape. A stage is (operation, scale, [(('input' or 'stage', number), whether it
    is complemented)])."""

    def __init__(self, shape, rng, inputs, lent):
        self.stages = []  # the first `lent` stages belong to the alpha pipe
        for n, reads in enumerate(shape):
            own = [('stage', r) for r in reads]
            # input -1 is the number 1; the alpha pipe reads only the last input
            free = [('input', i) for i in range(inputs - 1 if lent and n == 0 else 0, inputs)] + [('input',
                -1)]
            args = (own + [rng.choice(free) for _ in range(3)])[:3]
            rng.shuffle(args)
            op = rng.randrange(1, 10)
            if op < 5 or op == 9:  # an operation of fewer than three arguments must read the earlier stages
                args.sort(key=lambda a: a[0] == 'input')
            self.stages.append((op, rng.choice((0, 0, 1, 2)), [(a, rng.random() < .4) for a in args]))

    def values(self, inputs, clamp, flat=0):
        """Returns the values of the stages; None if a value is too near to 0 or 1. The unclamped value of
        stage `flat` (counted from 1; 0: none) must be clearly outside of [0,1], else returns None, too."""
        out = [inputs[0]]
        for op, scale, args in self.stages:
            some = []
            for (what, n), inverted in args:
                v = out[n] if what == 'stage' else Both.one if n < 0 else inputs[n]
                some.append(Both.sub(Both.one, v) if inverted else v)
            v = Both.shift(OPERATIONS[op](*some), scale)
            if clamp:
                v = (min(1.0, max(0.0, v[0])), 0, 0)
            elif len(out) == flat:
                if -.01 < v[0] < 1.01:
                    return None
                v = Both.one if v[0] > 1 else Both.zero
            elif not .01 < v[0] < .99:
                return None
            out.append(v)
        return out


def question(shape, rng, lent, flat):
    """Returns input text of point.c: two unknowns, the second of which the alpha pipe may read, and the value
    that a random program computes from them. flat: the stage that is constant near the point, or 0."""
    while True:
        point = [(v, rng.randrange(PRIME), 1) for v in (rng.uniform(.1, .9), rng.uniform(.1, .9))]
        program = Program(shape, rng, 2, lent)
        values = program.values(point, False, flat)
        if values is None or values[-1][2] < 2 or len({v[1] for v in values[1:]}) < 4:
            continue
        samples = [[rng.random(), rng.random()] for _ in range(24)]
        rows = ['%.17g %.17g %.17g' % (*s, program.values([(v, 0, 0) for v in s], True)[-1][0])
                for s in samples]
        leaves = ['x 1 0 %.17g %d' % point[0][:2], 'y 1 1 %.17g %d' % point[1][:2]]
        return '\n'.join(['1 %d 1 %d 0 4 60 2' % (not lent, lent), *leaves, '%.17g %d' % values[-1][:2],
                          str(len(samples)), *rows]) + '\n'


def check(program, each):
    """Tests programs of each shape; returns the number of those that are not found."""
    failed = 0
    for lent, flat, shapes in ((0, 0, SHAPES), (1, 0, LENT), (0, 1, SHAPES), (0, 2, SHAPES), (0, 3, SHAPES)):
        for n, shape in enumerate(shapes):
            rng = random.Random('programs %d %d %d' % (lent, flat, n))
            for _ in range(each // 3 if flat in (1, 3) else each):
                text = question(shape, rng, lent, flat)
                got = subprocess.run([program], input=text, stdout=subprocess.PIPE, text=True).stdout
                if not got.startswith('reached'):
                    failed += 1
                    print('a program that reads %s is not found: %s%s' % (shape, text, got))
    return failed
