"""Makes mutants: rows of rules.def with small changes, which must be refuted unless they happen to hold."""
import random
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

from .expressions import value, variables
from .rows import ARGUMENTS, Bad, LITERALS, MODIFIERS, Rule, VARIABLES
from .solver import confirm, disproof, show


def mutants(rule):
    words = rule.replacement.words()
    p = ", ".join(rule.pattern.words())

    def row(what, pattern=p, scale=rule.scale, replacement=words, condition=rule.condition):
        try:
            return Rule(f"{rule.name}: {what}", pattern, scale, ", ".join(replacement), condition)
        except Bad:
            return None

    if rule.condition != "ALWAYS":
        yield row("condition lost", condition="ALWAYS")
    for d in (-1, 1):
        yield row(f"scale {rule.scale + d}", scale=rule.scale + d)
    for i, w in enumerate(words):
        if w in MODIFIERS:
            yield row(f"{w} lost", replacement=words[:i] + words[i + 1:])
            for other in MODIFIERS:
                if other != w:
                    yield row(f"{w} becomes {other}", replacement=words[:i] + [other] + words[i + 1:])
        elif i:
            for m in MODIFIERS:
                yield row(f"{m} before {w}", replacement=words[:i] + [m] + words[i:])
        for group in (VARIABLES, tuple(LITERALS), tuple(ARGUMENTS)):
            if w in group:
                for other in group:
                    if other != w:
                        yield row(f"{w} becomes {other}", replacement=words[:i] + [other] + words[i + 1:])
    swaps = rule.replacement.arguments
    for i in range(len(swaps)):
        for j in range(i):
            order = list(swaps)
            order[i], order[j] = order[j], order[i]
            yield row(f"arguments {j} and {i} swapped", replacement=[words[0]] + [w for a in order
                for w in a.words()])


def judge_mutant(rule):
    """Returns (whether the solver refutes the mutant, an error if fractions contradict the solver, or
    None)."""
    chance = random.Random(rule.name)
    for o in rule.obligations():
        names = sorted(set().union(*map(variables, [*o.assumptions, o.claim])))
        answer = disproof(o.assumptions, o.claim)
        if answer.verdict == "sat":
            return True, None if confirm(o.assumptions, o.claim,
                                         answer.model) else f"fractions do not confirm {show(answer.model)}"
        if answer.verdict != "unsat":
            return False, answer.verdict
        for _ in range(200):
            at = {n: Fraction(chance.randint(-16, 16), chance.choice((1, 2, 16, 16))) for n in names}
            if all(value(a, at) for a in o.assumptions) and not value(o.claim, at):
                return False, f"proven, but wrong at {show(at)}"
    return False, None


def run_mutants(rules, jobs, verbose):
    rows = [m for r in rules for m in mutants(r) if m]
    with ThreadPoolExecutor(jobs) as pool:
        verdicts = list(pool.map(judge_mutant, rows))
    wrong = [(r, why) for r, (_, why) in zip(rows, verdicts) if why]
    for r, why in wrong:
        print(f"failed: {r.name}: {why}")
    hold = [r for r, (refuted, why) in zip(rows, verdicts) if not refuted and not why]
    if verbose:
        for r in hold:
            print(f"holds too: {r.text()}")
    refuted = sum(v[0] for v in verdicts)
    print(f"{len(rows)} changed rows: {refuted} refuted, {len(hold)} are identities as well, {len(wrong)} "
          f"contradictions")
    if refuted < len(rows) // 2:
        print("failed: most changed rows must be wrong")
    return bool(wrong) or refuted < len(rows) // 2
