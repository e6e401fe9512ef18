"""Checks the compaction of constants: the layout printed in the founding document, layouts by an exhaustive
search and by Mesa's rule, and the values that operands read.

usage: alloc_constants.py PROGRAM [--seed N] [--count N]        PROGRAM: alloc_constants

The founding document here is the one on compact constants of r300. It gives the layout for glamor 88 but not
the order in which the program reads its immediates; that order is inferred from the layout.
"""
import itertools
import math
import random
import struct
import subprocess
import sys

X, Y, Z, W, ZERO, ONE, HALF = range(7)
LITERALS = {ZERO: 0.0, ONE: 1.0, HALF: 0.5}
R300 = [(X, Y, Z), (X, X, X), (Y, Y, Y), (Z, Z, Z), (W, W, W), (Y, Z, X), (Z, X, Y), (W, Z, Y),
        (ZERO,) * 3, (ONE,) * 3, (HALF,) * 3]
# as in alloc_constants.c: (selections or None, inline, an operand can be negated)
TARGETS = [(None, {0.0, 1.0, 0.5}, True), (R300, {0.0, 1.0, 0.5}, True), (None, set(), False),
           (None, {0.0, 1.0}, True)]
SEED, VECTORS_FIRST, BEST = range(3)
failures = checks = 0


def check(ok, message):
    global failures, checks
    checks += 1
    if not ok:
        failures += 1
        if failures <= 20:
            print("failed:", message)
    return ok


def same(a, b):
    """Returns whether two values are equal, including the sign of 0 (a kill may distinguish -0 from 0)."""
    return a == b and (isinstance(a, tuple) or math.copysign(1, a) == math.copysign(1, b))


def f32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


class Slot:
    def __init__(self, external=False, value=(0, 0, 0, 0), relative=False):
        self.external, self.value, self.relative = external, [f32(v) for v in value], relative


class Read:
    def __init__(self, slot, lanes, keep_sign=False):
        """lanes: the lane read for each channel; None for a channel that is not read."""
        self.slot, self.lanes, self.keep_sign = slot, lanes, keep_sign


class Case:
    def __init__(self, slots, reads, target=1, layout=BEST, mix=False, limit=0, work=0):
        self.slots, self.reads, self.target, self.layout = slots, reads, target, layout
        self.mix, self.limit, self.work = mix, limit, work

    def text(self):
        out = [f"{self.target} {self.layout} {int(self.mix)} {self.limit} {self.work} {len(self.slots)} "
               f"{len(self.reads)}"]
        for s in self.slots:
            out.append(f"{int(s.external)} {int(s.relative)} " + " ".join(f"{v!r}" for v in s.value))
        for r in self.reads:
            channels = sum(1 << c for c in range(4) if r.lanes[c] is not None)
            out.append(f"{r.slot} {channels} " + " ".join(str(n or 0) for n in r.lanes) +
                       f" {int(r.keep_sign)}")
        return "\n".join(out)


    def name(self):
        text = self.text()
        return repr(text if len(text) < 600 else text[:600] + "...")


class Answer:
    pass


def run(program, cases):
    result = subprocess.run([program], input="\n".join(c.text() for c in cases), capture_output=True,
                            text=True, check=True)
    lines = iter(result.stdout.split("\n"))
    for case in cases:
        a = Answer()
        a.fits, a.nslots, a.bound, a.lanes, a.scalarised, a.proved = map(int, next(lines).split())
        a.slots, a.uses = [], []
        for _ in range(a.nslots):
            words = next(lines).split()
            a.slots.append([(int(words[4 * i]), int(words[4 * i + 1]), int(words[4 * i + 2]),
                             f32(float(words[4 * i + 3]))) for i in range(4)])
        for _ in case.reads:
            n = list(map(int, next(lines).split()))
            a.uses.append(([(n[2 * c], n[2 * c + 1]) for c in range(4)], n[8], n[9]))
        a.why = next(lines)
        yield case, a


# ---- properties that every answer must have ----

def native(target, lanes, original):
    rows = TARGETS[target][0]
    if rows is None:
        return True
    return any(all(lanes[c] is None or lanes[c] == row[c] for c in range(3))
               for row in rows + [tuple(original[:3])])


def read_values(case, answer, i):
    """Returns what operand i reads in each channel after compaction: ("from", slot, lane) for a uniform, or a
    number. Returns None if the operand is illegal."""
    read, (places, negate, scalarised) = case.reads[i], answer.uses[i]
    values, slots, lanes, signs = [None] * 4, set(), [None] * 4, set()
    for c in range(4):
        if read.lanes[c] is None:
            continue
        slot, lane = places[c]
        sign = negate >> c & 1
        signs.add(sign)
        lanes[c] = lane
        if lane > HALF:
            return None
        if lane >= ZERO:
            value = LITERALS[lane]
            if value not in TARGETS[case.target][1] and not lane == read.lanes[c]:
                return None
        else:
            slots.add(slot)
            kind, old_slot, old_lane, value = answer.slots[slot][lane]
            if kind == 0:
                return None
            if kind == 1:
                value = ("from", old_slot, old_lane)
                if sign:
                    return None
        if not isinstance(value, tuple):
            value = -value if sign else value
        values[c] = value
    if 1 in signs and (not TARGETS[case.target][2] or read.keep_sign):
        return None
    original = [n if n is not None else -1 for n in read.lanes]
    if not scalarised and (len(slots) > 1 or len(signs) > 1 or
                           not native(case.target, lanes, original)):
        return None
    return values


def check_answer(case, answer):
    name = case.name()
    relative = any(s.relative for s in case.slots)
    at = 0
    for i, s in enumerate(case.slots):
        if not relative or not (s.external or s.relative):
            continue
        for lane in range(4):
            kind, slot, old, value = answer.slots[at][lane]
            check((kind == 1 and (slot, old) == (i, lane)) if s.external else value == s.value[lane],
                  f"{name}: slot {i} moved under relative addressing")
        at += 1
    for i, read in enumerate(case.reads):
        values = read_values(case, answer, i)
        if not check(values is not None, f"{name}: read {i} is illegal: {answer.uses[i]}"):
            continue
        for c in range(4):
            if read.lanes[c] is None:
                continue
            slot, lane = case.slots[read.slot], read.lanes[c]
            wanted = LITERALS[lane] if lane >= ZERO else ("from", read.slot, lane) if slot.external else \
                slot.value[lane]
            check(same(values[c], wanted), f"{name}: read {i} channel {c} gives {values[c]}, not {wanted}")
        if relative and (case.slots[read.slot].external or case.slots[read.slot].relative):
            check(not answer.uses[i][2] and all(read.lanes[c] in (None, answer.uses[i][0][c][1])
                                                for c in range(4)), f"{name}: read {i} moved")
    for slot in answer.slots:
        kinds = {lane[0] for lane in slot} - {0}
        check(kinds and (case.mix or len(kinds) == 1), f"{name}: lanes of kinds {kinds} in one slot")
    check(answer.bound <= answer.nslots, f"{name}: {answer.nslots} slots, lower bound {answer.bound}")
    check(answer.fits == (not case.limit or answer.nslots <= case.limit), f"{name}: fits {answer.fits}")
    check(answer.fits or (str(answer.nslots) in answer.why and str(case.limit) in answer.why),
          f"{name}: reason '{answer.why}'")


# ---- glamor 88 ----

def glamor():
    """Returns the constants of glamor 88 and how it reads them. Uniforms 0..2 have lanes xyz, 5 and 7 xy,
    27..44 xyzw, the others one lane."""
    slots = [Slot(external=True) for _ in range(45)]
    for values in ([1e-5, 0, 1, .5], [0, 1, 3, 2], [16, 17, 15, 14], [13, 12, 11, 10], [9, 8, 7, 6],
                   [5, 4, -1, 1e-6], [9, 4, 2, 1], [3, 6, 5, 7], [8, 13, 11, 10], [12, 15, 14, 16],
                   [17, 4, 2, 1]):
        slots.append(Slot(value=values))
    where = {}
    for s in range(45, 56):
        for lane in range(4):
            where.setdefault(slots[s].value[lane], (s, lane))
    reads = []

    def vector(slot, n):
        reads.append(Read(slot, [lane if lane < n else None for lane in range(4)]))

    def scalar(value):
        slot, lane = where[f32(value)]
        reads.append(Read(slot, [lane, None, None, None]))

    for s in range(45):
        vector(s, 3 if s < 3 else 2 if s in (5, 7) else 4 if s >= 27 else 1)
    vector(46, 3)
    for value in [1e-5, 0, 1, .5, -1] + list(range(4, 16)):
        scalar(value)
    vector(51, 3)
    scalar(1e-6)
    scalar(2)
    for slot, n in ((52, 4), (53, 4), (54, 4), (55, 3)):
        vector(slot, n)
    return slots, reads


def rows_of(answer):
    """Returns a layout as lines in the notation of the document."""
    out = []
    for i, slot in enumerate(answer.slots):
        if any(kind == 1 for kind, _, _, _ in slot):
            out.append(f"CONST[{i}] = {{" + " ".join(
                f"CONST[{s}].{'xyzw'[lane]}" if kind else "CONST[-1].u" for kind, s, lane, _ in slot) + "  }")
        else:
            out.append(f"CONST[{i}] = {{" + " ".join(
                f"{value:11.6f}" if kind else f"{'unused':>11}" for kind, _, _, value in slot) + " }")
    return out


# The listing in the document, rows 0..35.
DOCUMENT = """\
CONST[0] = {CONST[0].x CONST[0].y CONST[0].z CONST[3].x  }
CONST[1] = {CONST[1].x CONST[1].y CONST[1].z CONST[4].x  }
CONST[2] = {CONST[2].x CONST[2].y CONST[2].z CONST[6].x  }
CONST[3] = {CONST[5].x CONST[5].y CONST[8].x CONST[9].x  }
CONST[4] = {CONST[7].x CONST[7].y CONST[10].x CONST[11].x  }
CONST[5] = {CONST[27].x CONST[27].y CONST[27].z CONST[27].w  }
CONST[6] = {CONST[28].x CONST[28].y CONST[28].z CONST[28].w  }
CONST[7] = {CONST[29].x CONST[29].y CONST[29].z CONST[29].w  }
CONST[8] = {CONST[30].x CONST[30].y CONST[30].z CONST[30].w  }
CONST[9] = {CONST[31].x CONST[31].y CONST[31].z CONST[31].w  }
CONST[10] = {CONST[32].x CONST[32].y CONST[32].z CONST[32].w  }
CONST[11] = {CONST[33].x CONST[33].y CONST[33].z CONST[33].w  }
CONST[12] = {CONST[34].x CONST[34].y CONST[34].z CONST[34].w  }
CONST[13] = {CONST[35].x CONST[35].y CONST[35].z CONST[35].w  }
CONST[14] = {CONST[36].x CONST[36].y CONST[36].z CONST[36].w  }
CONST[15] = {CONST[37].x CONST[37].y CONST[37].z CONST[37].w  }
CONST[16] = {CONST[38].x CONST[38].y CONST[38].z CONST[38].w  }
CONST[17] = {CONST[39].x CONST[39].y CONST[39].z CONST[39].w  }
CONST[18] = {CONST[40].x CONST[40].y CONST[40].z CONST[40].w  }
CONST[19] = {CONST[41].x CONST[41].y CONST[41].z CONST[41].w  }
CONST[20] = {CONST[42].x CONST[42].y CONST[42].z CONST[42].w  }
CONST[21] = {CONST[43].x CONST[43].y CONST[43].z CONST[43].w  }
CONST[22] = {CONST[44].x CONST[44].y CONST[44].z CONST[44].w  }
CONST[23] = {CONST[12].x CONST[13].x CONST[14].x CONST[15].x  }
CONST[24] = {CONST[16].x CONST[17].x CONST[18].x CONST[19].x  }
CONST[25] = {CONST[20].x CONST[21].x CONST[22].x CONST[23].x  }
CONST[26] = {CONST[24].x CONST[25].x CONST[26].x CONST[-1].u  }
CONST[27] = {   0.000000    1.000000    3.000000    0.000010 }
CONST[28] = {   4.000000    5.000000    6.000000    7.000000 }
CONST[29] = {   8.000000    9.000000   10.000000   11.000000 }
CONST[30] = {  12.000000   13.000000   14.000000   15.000000 }
CONST[31] = {   9.000000    4.000000    2.000000    0.000001 }
CONST[32] = {   3.000000    6.000000    5.000000    7.000000 }
CONST[33] = {   8.000000   13.000000   11.000000   10.000000 }
CONST[34] = {  12.000000   15.000000   14.000000   16.000000 }
CONST[35] = {  17.000000    4.000000    2.000000      unused }
"""


def check_glamor(program):
    slots, reads = glamor()
    check(len(slots) == 56, "45 + 11 slots")

    def lay_out(**how):
        case, answer = next(run(program, [Case(slots, reads, **how)]))
        check_answer(case, answer)
        return answer
    seed = lay_out(layout=SEED)
    check("\n".join(rows_of(seed)) + "\n" == DOCUMENT, "seed: rows\n" + "\n".join(rows_of(seed)))
    check(lay_out(layout=VECTORS_FIRST).nslots == 33, "vectors-first: 33")
    best = lay_out()
    scalarised = {reads[i].slot for i in range(len(reads)) if best.uses[i][2]}
    print(f"glamor 88: 56 plain, seed {seed.nslots}, best {best.nslots}, lower bound {best.bound} "
          f"({best.lanes} lanes), lane by lane {scalarised}, proved {best.proved}")
    check((best.nslots, best.bound, best.lanes, best.proved) == (32, 32, 125, 1), "best: 32, 32, 125 lanes")
    check(scalarised == {46}, f"best: slot 46 alone is read lane by lane, not {scalarised}")
    check(lay_out(limit=32).fits and lay_out(limit=32).nslots == 32, "limit 32")
    loose = lay_out(limit=33)
    check(loose.nslots == 33 and not loose.scalarised, "limit 33: nothing is read lane by lane")
    over = lay_out(limit=31)
    check(not over.fits and "125" in over.why and "32" in over.why, f"limit 31: '{over.why}'")
    mixed = lay_out(mix=True)
    check(mixed.nslots == 32 and mixed.bound == 32, f"mixed: {mixed.nslots}")
    check(not lay_out(layout=SEED, limit=35).fits and lay_out(layout=SEED, limit=36).fits, "seed: limit 36")


# ---- the rule of Mesa, as the document describes it ----

def mesa(case):
    """Returns the layout by Mesa's rule: first vectors of uniforms, then scalars of uniforms (first fit),
    then vectors of immediates, then scalars of immediates, which reuse lanes with the same or the negated
    value. If this needs more than 32 slots, vectors of immediates are laid out as scalars, even if the
    swizzles are illegal."""
    used, vector = {}, set()
    for r in case.reads:
        lanes = {n for n in r.lanes if n is not None and n <= W}
        used.setdefault(r.slot, set()).update(lanes)
        if len(lanes) > 1:
            vector.add(r.slot)
    uniforms = [s for s in sorted(used) if case.slots[s].external]
    free = [4 - len(used[s]) for s in uniforms if len(used[s]) > 1]
    for s in uniforms:
        if len(used[s]) == 1:
            first = next((i for i, n in enumerate(free) if n), None)
            if first is None:
                free.append(4)
                first = -1
            free[first] -= 1
    total = len(free)
    vectors = [s for s in sorted(used) if not case.slots[s].external and s in vector]
    aggressive = total + len(vectors) > 32
    values, room = set(), []
    for s in vectors:
        lanes = {n for r in case.reads if r.slot == s for n in r.lanes if n is not None and n <= W}
        if aggressive:
            for lane in sorted(lanes):
                palette(values, room, case.slots[s].value[lane])
        else:
            room.append(4 - len(lanes))
            values.update(case.slots[s].value[lane] for lane in lanes)
    for r in case.reads:
        if case.slots[r.slot].external or r.slot in vectors:
            continue
        for lane in r.lanes:
            if lane is not None and lane <= W and case.slots[r.slot].value[lane] not in (0, 1, .5, -1, -.5):
                palette(values, room, case.slots[r.slot].value[lane])
    return total + len(room)


def palette(values, room, value):
    if value in values or -value in values:
        return
    values.add(value)
    first = next((i for i, n in enumerate(room) if n), None)
    if first is None:
        room.append(4)
        first = -1
    room[first] -= 1


# ---- the optimum, by exhaustive search ----

def partitions(items):
    if not items:
        yield []
        return
    for rest in partitions(items[1:]):
        yield [[items[0]]] + rest
        for i in range(len(rest)):
            yield rest[:i] + [[items[0]] + rest[i]] + rest[i + 1:]


def channel_ways(case, value, lane, content):
    """Returns the possible contents of a slot (at most one) after one channel reads the value from `lane`;
    lane ("literal", code or None): the channel reads it as a literal."""
    if isinstance(lane, tuple):
        return [content] if any(same(value, n) for n in TARGETS[case.target][1]
                                if lane[1] is None or LITERALS[lane[1]] == n) else []
    if content[lane] is None:
        return [content[:lane] + (value,) + content[lane + 1:]]
    return [content] if same(value, content[lane]) else []


def arrangements(case, wanted, read, contents):
    """Returns all possible contents (tuples of 4) of a slot with these contents after a vector is added to
    it."""
    rows, _, negates = TARGETS[case.target]
    external = any(isinstance(v, tuple) for v in wanted)
    channels = [c for c in range(4) if wanted[c] is not None]
    anywhere = [0, 1, 2, 3, ("literal", None)]
    if rows is None:
        plans = [{c: anywhere for c in channels}]
    else:
        plans = [{c: [row[c] if row[c] <= W else ("literal", row[c])] if c < 3 else anywhere
                  for c in channels} for row in rows + [[n if n is not None else X for n in read.lanes[:3]]]]
    out = set()
    for sign in (1, -1) if negates and not read.keep_sign and not external else (1,):
        for plan in plans:
            now = contents
            for c in channels:
                value = wanted[c] if isinstance(wanted[c], tuple) else wanted[c] * sign
                now = {after for content in now for lane in plan[c]
                       for after in channel_ways(case, value, lane, content)}
                if rows is None:  # the order of the lanes does not matter
                    now = {tuple(sorted(t, key=repr)) for t in now}
            out |= now
    return out


def least_lanes(case, group, memo):
    """Returns the least number of lanes that hold all these vectors in one slot; None if they do not fit one
    slot."""
    key = tuple(sorted(group))
    if key not in memo:
        if len(key) > 1 and least_lanes(case, key[1:], memo) is None:
            memo[key] = (None, set())
        else:
            contents = memo[key[1:]][1] if len(key) > 1 else {(None,) * 4}
            contents = arrangements(case, *case.vectors[key[0]], contents)
            memo[key] = (min((4 - c.count(None) for c in contents), default=None), contents)
    return memo[key][0]


def name_of(case, value):
    return abs(value) if TARGETS[case.target][2] and not isinstance(value, tuple) else value


def optimum(case):
    """Returns the least tuple (max(number of slots, case.limit), cost, number of slots) over all layouts. The
    cost is that of vectors whose channels are read separately: their number of different values less one,
    summed."""
    inline = TARGETS[case.target][1]
    vectors, singles, costs, numbers = {}, set(), {}, {}
    for r in case.reads:
        slot = case.slots[r.slot]
        wanted = [None if n is None else LITERALS[n] if n >= ZERO else ("from", r.slot, n) if slot.external
                  else slot.value[n] for n in r.lanes]
        different = {v for v in wanted if v is not None}
        if len(different) > 1 or r.keep_sign:
            key = numbers.setdefault((tuple(wanted), r.keep_sign, tuple(r.lanes)), len(numbers))
            vectors[key] = (wanted, r)
            costs[key] = costs.get(key, 0) + len(different) - 1
        else:
            singles |= different
    case.vectors, memo = vectors, {}
    best = None
    for n in range(len(vectors) + 1):
        for apart in itertools.combinations(vectors, n):
            if any(vectors[i][1].keep_sign for i in apart):
                continue
            whole = [i for i in vectors if i not in apart]
            cost = sum(costs[i] for i in apart)
            if best and best[0] == case.limit and best[1] < cost:
                continue
            scalars = singles | {v for i in apart for v in vectors[i][0] if v is not None}
            for groups in partitions(whole):
                lanes = [least_lanes(case, g, memo) for g in groups]
                if None in lanes:
                    continue
                inside = [{name_of(case, v) for i in g for v in vectors[i][0] if v is not None}
                          for g in groups]
                stored = set().union(*inside) if inside else set()
                missing = {name_of(case, v) for v in scalars if v not in inline and
                           (not TARGETS[case.target][2] or isinstance(v, tuple) or -v not in inline)}
                missing -= stored - {v for v in stored if v in inline}
                slots = max(sum(n > 0 for n in lanes), -(-(sum(lanes) + len(missing)) // 4))
                score = (max(slots, case.limit), cost, slots)
                best = score if best is None or score < best else best
    return best


# ---- random programs ----

def random_case(rng, slots, reads, relative=.05, **how):
    case = Case([], [], **how)
    externals = rng.choice([0, slots, slots // 2])
    values = [0, 1, .5, -1, 2, 3, -3, 4, 5, 6, .25, -2][:rng.randint(4, 12)]
    for s in range(slots):
        case.slots.append(Slot(s < externals, [rng.choice(values) for _ in range(4)]))
    for _ in range(reads):
        s = rng.randrange(slots)
        lanes = [None] * 4
        style = rng.random()
        if style < .4:
            lanes[rng.randrange(4)] = rng.randrange(4)
        elif style < .8:
            n = rng.randint(2, 4)
            lanes[:n] = rng.choice(R300[:8])[:n] if n < 4 else [X, Y, Z, rng.randrange(4)]
        elif case.target == 1:
            lanes[:3] = [rng.randrange(4)] * 3
        else:
            lanes = [rng.choice([None, X, Y, Z, W]) for _ in range(4)]
        if all(n is None for n in lanes):
            lanes[0] = X
        read = Read(s, lanes)
        read.keep_sign = rng.random() < .08
        case.reads.append(read)
    if rng.random() < relative:
        for s in rng.sample(range(slots), min(slots, 2)):
            case.slots[s].relative = True
    return case


def one_kind(case):
    return len({s.external for s in case.slots}) == 1


def check_random(program, rng, count):
    """Checks the properties of layouts by all three algorithms on random programs, and that `best` never
    needs more slots than the others."""
    cases = []
    for n in range(count // 4):
        slots = rng.choice([1, 2, 4, 8, 20, 60])
        case = random_case(rng, slots, rng.randint(1, 3 * slots), target=rng.randrange(4))
        work = rng.choice([0, 3000, 300])
        for layout, mix, limit in ((SEED, False, 0), (VECTORS_FIRST, False, 0), (BEST, False, 0),
                                   (BEST, True, rng.choice([0, slots // 2 + 1]))):
            cases.append(Case(case.slots, case.reads, case.target, layout, mix, limit, work))
    slots = {}
    proved = 0
    for n, (case, answer) in enumerate(run(program, cases)):
        check_answer(case, answer)
        slots[n % 4] = answer.nslots
        proved += answer.proved
        if n % 4 == 2:
            check(slots[2] <= min(slots[0], slots[1]), f"{case.name()}: best {slots[2]}, seed {slots[0]}, "
                                                       f"vectors-first {slots[1]}")
            if case.target == 1 and not any(s.relative for s in case.slots) and \
                    not any(r.keep_sign for r in case.reads):
                check(slots[2] <= mesa(case), f"{case.name()}: best {slots[2]}, Mesa's rule {mesa(case)}")
    print(f"{len(cases)} random layouts: {proved} of {len(cases) // 2} best proved")


def check_optimum(program, rng, count):
    cases = []
    while len(cases) < count:
        slots = rng.randint(1, 8)
        case = random_case(rng, slots, rng.randint(1, 9), target=rng.randrange(4), relative=0,
                           limit=rng.choice([0, 0, 1, 2, 3]))
        vectors = sum(len({n for n in r.lanes if n is not None}) > 1 for r in case.reads)
        if one_kind(case) and vectors <= 5:
            case.mix = rng.random() < .2
            cases.append(case)
    for case, answer in run(program, cases):
        check_answer(case, answer)
        wanted = optimum(case)
        # the number of channels that are read separately in the answer
        cost = 0
        for i, r in enumerate(case.reads):
            slot = case.slots[r.slot]
            if answer.uses[i][2]:
                cost += len({(n, ) if slot.external and n <= W else
                             LITERALS[n] if n >= ZERO else slot.value[n]
                             for n in r.lanes if n is not None}) - 1
        check(answer.proved, f"{case.name()}: not proved")
        check((max(answer.nslots, case.limit), cost, answer.nslots) == wanted,
              f"{case.name()}: {answer.nslots} slots, {cost} lane by lane; optimum {wanted}")
    print(f"{len(cases)} small programs against brute force")


def main():
    arguments = sys.argv[1:]

    def option(name, default):
        return int(arguments[arguments.index(name) + 1]) if name in arguments else default
    rng = random.Random(option("--seed", 1))
    check_glamor(arguments[0])
    check_random(arguments[0], rng, option("--count", 10000))
    check_optimum(arguments[0], rng, option("--small", 2000))
    print(f"alloc_constants: {checks} checks, {failures} failed")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
