"""Verdicts about rows: proven, or refuted by a counterexample that is also evaluated with fractions."""
from collections import namedtuple

from .expressions import eq, value, var, variables, within
from .rows import Obligation
from .solver import LIMIT, ask, confirm, disproof, show


def unit_inputs(identity):
    return [within(var(n)) for n in sorted(variables(identity.left) | variables(identity.right)
                                           | variables(identity.condition))]


Result = namedtuple("Result", "kind name condition ok seconds note")


def prove(kind, name, condition, obligations, wanted=()):
    """Asks the solver about all obligations of a row; returns the verdict. wanted: assumptions that must be
    satisfiable, since otherwise the proof would say nothing."""
    seconds, notes = 0, []
    for o in obligations:
        answer = disproof(o.assumptions, o.claim)
        seconds += answer.seconds
        if answer.verdict == "sat":
            right = confirm(o.assumptions, o.claim, answer.model)
            notes.append(f"{o.what}: NO, {show(answer.model)}"
                         + ("" if right else " (which fractions do not confirm)"))
        elif answer.verdict != "unsat":
            notes.append(f"{o.what}: not proven: {answer.verdict}")
        elif answer.seconds > LIMIT:
            notes.append(f"{o.what}: too slow")
    for condition_of in wanted:
        answer = ask(condition_of)
        seconds += answer.seconds
        if answer.verdict != "sat":
            notes.append(f"the condition can never hold: {answer.verdict}")
    return Result(kind, name, condition, not notes, seconds, "; ".join(notes))


def refute(identity):
    inputs = unit_inputs(identity) + [identity.condition]
    claim = eq(identity.left, identity.right)
    answer = disproof(inputs, claim)
    if answer.verdict != "sat":
        return Result("FALSE", identity.name, "", False, answer.seconds, "no counterexample: "
                      + ("it holds" if answer.verdict == "unsat" else answer.verdict))
    if not confirm(inputs, claim, answer.model):
        return Result("FALSE", identity.name, "", False, answer.seconds,
                      f"fractions do not confirm {show(answer.model)}")
    return Result("FALSE", identity.name, "", True, answer.seconds,
                  f"{show(answer.model)}: {value(identity.left, answer.model)}, not {value(identity.right, answer.model)}")


def exact(identity):
    inputs = unit_inputs(identity)
    equal = eq(identity.left, identity.right)
    return prove("EXACT", identity.name, "", [Obligation("sufficient", inputs + [identity.condition], equal),
                                              Obligation("necessary", inputs + [equal], identity.condition)])
