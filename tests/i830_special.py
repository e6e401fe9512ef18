"""Special inputs for the local search for covers (tests/cover_i830/local.c): the inputs of a texture environment are 0, 1, or one of a few unknowns or its complement.

Whatever program computes a texture environment computes it there, too; and there it has few inputs, so that all programs can be tried with everything that the chip
offers. "None" there is none at all. (That there is one there means nothing.) The three channels of a colour are alike, so that a dot product is
12(x - 1/2)(y - 1/2).
"""

from i830_region import AT, KIND, sides


class Special:
    """What each input is: inputs: ('T'|'C'|'F', unit, 'c'|'a'); choice: for each, (unknown, inverted), or a number 0, 1."""

    def __init__(self, inputs, choice):
        self.choice = dict(zip(sorted(inputs), choice))
        self.unknowns = sorted({c[0] for c in choice if isinstance(c, tuple)})

    def point(self, values):
        """{name: float} from the values of the unknowns."""
        out = {}
        for (what, unit, letter), c in self.choice.items():
            v = float(c) if not isinstance(c, tuple) else 1 - values[c[0]] if c[1] else values[c[0]]
            for channel in range(3) if letter == 'c' else (3,):
                out[KIND[what], unit, channel] = v
        return out


def choices(inputs, rng, count, unknowns, alphas):
    """Random ones with so many unknowns; alphas: 'any', 'corners', 0 or 1, or 'apart', one unknown that no colour is."""
    order, out = sorted(inputs), []
    for _ in range(8 * count):
        some = []
        for _, _, letter in order:
            if letter == 'a' and alphas == 'corners' or rng.random() < .12:
                some.append(rng.randrange(2))
            else:
                some.append((rng.randrange(unknowns) if alphas != 'apart' else 0 if letter == 'a' else rng.randrange(1, unknowns), rng.random() < .35))
        used = {c[0] for c in some if isinstance(c, tuple)}
        if len(used) == unknowns and some not in out:
            out.append(some)
        if len(out) == count:
            break
    return [Special(inputs, c) for c in out]


def good(values):
    return all(.03 < v < .97 and abs(v - .5) > .01 for v in values) and all(abs(a - b) > .01 and abs(a + b - 1) > .01 for i, a in enumerate(values) for b in values[:i])


def part(state, special, channel, rng):
    """(points, what clamps did) of the part where most clamps are between their bounds, None if the result is 0 or 1 nearly everywhere."""
    n = len(special.unknowns)

    def values(near=None, radius=1.0):
        while True:
            v = [rng.random() if near is None else min(1, max(0, x + radius * (rng.random() - .5))) for x in (near or range(n))]
            if good(v):
                return dict(zip(special.unknowns, v))
    tried = [values() for _ in range(150)]
    got, out = sides(state, [special.point(v) for v in tried], channel)
    groups = {}
    for v, g, o in zip(tried, got, out):
        if .01 < o < .99:
            groups.setdefault(g, []).append(v)
    for pattern in sorted(groups, key=lambda g: (-sum(s == 1 for s in g), -len(groups[g])))[:2]:
        points, radius = list(groups[pattern]), .25
        for _ in range(8):
            if len(points) >= AT:
                break
            more = [values([rng.choice(points[:3])[u] for u in special.unknowns], radius) for _ in range(40)]
            now, out = sides(state, [special.point(v) for v in more], channel)
            points += [v for v, g, o in zip(more, now, out) if g == pattern and .001 < o < .999]
            radius /= 2
        if len(points) >= AT:
            return [special.point(v) for v in points[:AT]], tried
    return None
