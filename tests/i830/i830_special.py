"""Chooses special inputs for the local search for covers (tests/i830/cover/local.c): each input of a texture
environment is 0, 1, one of a few unknowns, or the complement of one.

A program that computes a texture environment also computes it for special inputs. These are few different
values, so that all programs can be tried. If no program computes the environment for special inputs, there is
none at all. (If some program does, nothing follows.) The three channels of a colour are equal, so a dot
product is 12(x - 1/2)(y - 1/2)."""

from i830_region import AT, KIND, sides


class Special:
    """A choice of special inputs. inputs: ('T'|'C'|'F', unit, 'c'|'a'); choice: for each input, in sorted
    order, (number of an unknown, whether it is complemented), or the number 0 or 1."""

    def __init__(self, inputs, choice):
        self.choice = dict(zip(sorted(inputs), choice))
        self.unknowns = sorted({c[0] for c in choice if isinstance(c, tuple)})

    def point(self, values):
        """Returns {name: float} for given values of the unknowns."""
        out = {}
        for (what, unit, letter), c in self.choice.items():
            v = float(c) if not isinstance(c, tuple) else 1 - values[c[0]] if c[1] else values[c[0]]
            for channel in range(3) if letter == 'c' else (3,):
                out[KIND[what], unit, channel] = v
        return out


def choices(inputs, rng, count, unknowns, alphas):
    """Returns random choices with a given number of unknowns. alphas: which values alphas have: 'any',
    'corners' (0 or 1) or 'apart' (one unknown that no colour uses)."""
    order, out = sorted(inputs), []
    for _ in range(8 * count):
        some = []
        for _, _, letter in order:
            if letter == 'a' and alphas == 'corners' or rng.random() < .12:
                some.append(rng.randrange(2))
            else:
                some.append((rng.randrange(unknowns) if alphas != 'apart' else 0 if letter == 'a'
                             else rng.randrange(1, unknowns), rng.random() < .35))
        used = {c[0] for c in some if isinstance(c, tuple)}
        if len(used) == unknowns and some not in out:
            out.append(some)
        if len(out) == count:
            break
    return [Special(inputs, c) for c in out]


NUMBERS = {'halves': (0, .5, 1), 'quarters': (0, .25, .5, .75, 1), 'thirds': (0, 1 / 3, 2 / 3, 1)}


def evenly(count, unknowns, first, rng):
    """Assigns unknowns, from number `first` on, or their complements to `count` inputs; each unknown is used
    about equally often. Some inputs are 0 or 1 instead."""
    every = [first + i % unknowns for i in range(count)]
    rng.shuffle(every)
    few = .05 if count <= unknowns else .15
    return [(u, rng.random() < .35) if rng.random() > few else rng.randrange(2) for u in every]


def apart(inputs, rng, count, unknowns, alphas):
    """Returns random choices with a given number of unknowns for the colours. alphas: a key of NUMBERS, or
    the number of further unknowns, which only alphas use."""
    order, out = sorted(inputs), []
    colours, others = [s for s in order if s[2] == 'c'], [s for s in order if s[2] == 'a']
    for _ in range(4 * count):
        numbers = NUMBERS.get(alphas)
        of = dict(zip(others, [rng.choice(numbers) for _ in others] if numbers else evenly(len(others),
            alphas, 0, rng)))
        of.update(zip(colours, evenly(len(colours), unknowns, 0 if numbers else alphas, rng)))
        some = [of[s] for s in order]
        if some not in out and any(isinstance(c, tuple) for c in some):
            out.append(some)
        if len(out) == count:
            break
    return [Special(inputs, c) for c in out]


def good(values):
    return all(.03 < v < .97 and abs(v - .5) > .01 for v in values) and all(abs(a - b) > .01
        and abs(a + b - 1) > .01 for i, a in enumerate(values) for b in values[:i])


def together(state, points, channels):
    """Returns, for each point, the cases of the clamps that the channels depend on; and, for each point, the
    least distance of a channel from 0 and 1 (0: it is clamped)."""
    each = [sides(state, points, c) for c in channels]
    return list(zip(*(got for got, _ in each))), [min(min(v, 1 - v) for v in vs)
                                                  for vs in zip(*(out for _, out in each))]


def part(state, special, channels, rng):
    """Returns (points, cases of the clamps) of the part with the most unclamped values; None if a channel is
    0 or 1 nearly everywhere."""
    n = len(special.unknowns)

    def values(near=None, radius=1.0):
        while True:
            v = [rng.random() if near is None else min(1, max(0, x + radius * (rng.random() - .5)))
                 for x in (near or range(n))]
            if good(v):
                return dict(zip(special.unknowns, v))
    tried = [values() for _ in range(150)]
    got, room = together(state, [special.point(v) for v in tried], channels)
    groups = {}
    for v, g, r in zip(tried, got, room):
        if r > .01:
            groups.setdefault(g, []).append(v)
    for pattern in sorted(groups, key=lambda g: (-sum(s == 1 for sides in g for s in sides),
                                                 -len(groups[g])))[:2]:
        points, radius = list(groups[pattern]), .25
        for _ in range(8):
            if len(points) >= AT:
                break
            more = [values([rng.choice(points[:3])[u] for u in special.unknowns], radius) for _ in range(40)]
            now, room = together(state, [special.point(v) for v in more], channels)
            points += [v for v, g, r in zip(more, now, room) if g == pattern and r > .001]
            radius /= 2
        if len(points) >= AT:
            return [special.point(v) for v in points[:AT]], tried
    return None
