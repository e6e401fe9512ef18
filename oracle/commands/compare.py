"""Compares one state with one program in any output form."""
import re
from collections import namedtuple

from ..atifs import atifs_eval, atifs_lint, atifs_text
from ..common.errors import InputError, ProgramError, Unsupported
from ..common.vectors import VectorSet, WithColours
from ..hw import chips
from ..ir import ir_eval, ir_text
from ..lang import fog, languages
from ..texenv import steep
from ..texenv.state import DEFAULT_POLICY
from ..texenv.texenv_eval import color_sum, evaluate

# to: atifs, ir or a chip; level: -O of texenvc, None its default; each: compare the intermediate program
# after every pass; fold: environment colours may be folded; model, assume: number model and assumptions of a
# chip; extra: further arguments for texenvc; judge: check refusals by the chip's own search
Options = namedtuple('Options',
                     'to policy bind avoid_mesa constants level each fold model assume extra judge',
                     defaults=(None, False, False, 'real', (), (), False))
DEFAULT_OPTIONS = Options('atifs', DEFAULT_POLICY, 'keep', False, 'literal')
# index: the failing vector, None if a rule is violated
Difference = namedtuple('Difference', 'message index')


def expected(state, inputs, options, in_program):
    """Returns the colour that the program must compute."""
    out = evaluate(state, inputs, options.policy)
    if options.to in languages.LANGUAGES:
        return languages.expected(state, inputs, out)
    return color_sum(inputs.dom, out, inputs) if in_program else out


def parse_program(text, options):
    if options.to in chips.CHIPS:
        return chips.parse(text)
    if options.to in languages.LANGUAGES:
        return languages.parse(text.lstrip('\n'), options.to)
    return ir_text.parse(text) if options.to == 'ir' else atifs_text.parse(text.lstrip('\n'))


def rules(state, program, options):
    """Returns the first violated rule, or None."""
    if options.to in chips.CHIPS:
        return chips.problems(program, state, options)
    if options.to in languages.LANGUAGES:
        return languages.problems(program, state)
    if options.to == 'ir':
        return ir_eval.check_state(program, state)
    problems = atifs_lint.lint(program, options.avoid_mesa)
    atifs_lint.check_state(program, state, problems, options.bind, options.constants)
    want = options.avoid_mesa and state.colorsum
    if program.color_sum != want:
        problems.append('the comment "# color-sum in-program" is %s' % ('missing' if want else 'there'))
    if options.fold:                                    # a folded constant has no origin
        problems = [p for p in problems if not p.endswith('has no "# const" comment')]
    return problems[0] if problems else None


def value(program, inputs, state, options, mesa=False):
    if options.to in chips.CHIPS:
        return chips.evaluate(program, inputs, state, options)
    if options.to in languages.LANGUAGES:
        return languages.evaluate(program, inputs, state)
    if options.to == 'ir':
        return ir_eval.evaluate(program, inputs, state)
    return atifs_eval.evaluate(program, inputs, state, mesa)


def after_passes(text):
    """Returns (pass, program text) for each `# after PASS` of the output of --print-after=all."""
    parts = re.split(r'^# after (\w+)\n', text, flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


class Comparer:
    """Compares many states. The input vectors are renewed regularly, so that a long run does not depend on
    one set. One in `share` of the steep states (steep.py) is also compared on searched vectors; share 0: no
    state."""

    RENEW = 4000

    def __init__(self, options=DEFAULT_OPTIONS, vectors=16, seed=1, share=1):
        self.options, self.count, self.seed, self.share = options, vectors, seed, share
        self.done = 0
        self.inputs = VectorSet(seed, vectors)

    def compare(self, state, text):
        """Returns None if the program text computes the state, else a Difference."""
        if not self.options.each:
            return self.compare_program(state, text)
        previous = None
        for name, program in after_passes(text):
            difference = self.compare_program(state, program) if program != previous else None
            if difference is not None:
                return Difference('after %s: %s' % (name, difference.message), difference.index)
            previous = program
        return None if previous else Difference('no intermediate program', None)

    def compare_program(self, state, text):
        self.done += 1
        if self.done % self.RENEW == 0:
            self.seed += 1
            self.inputs = VectorSet(self.seed, self.count)
        self.inputs.dom.trim()
        try:
            program = parse_program(text, self.options)
            broken = rules(state, program, self.options)
            if broken:
                return Difference(broken, None)
            difference = compare_values(state, program, coloured(self.inputs, state, self.options),
                                        self.options)
            if difference is None and steep.chosen(state, self.share):
                inputs = steep_inputs(state, self.options)
                difference = inputs and compare_values(state, program, coloured(inputs, state, self.options),
                                                       self.options)
            return difference
        except (InputError, ProgramError, Unsupported) as e:
            return Difference(str(e), None)


def coloured(inputs, state, options):
    """Returns inputs in which environment colours vary like all other inputs. If constants may be folded, or
    the number model takes constants from the words, environment colours are those of the state instead."""
    return WithColours(inputs, state) if options.fold or options.model != 'real' else inputs


def steep_inputs(state, options, count=12, rounds=3):
    """Returns searched input vectors of a state (steep.py), or None if there is nothing to search."""
    def run(inputs):
        evaluate(state, coloured(inputs, state, options), options.policy)

    return steep.search(run, steep.mark(state), count, rounds)


def compare_values(state, program, inputs, options):
    """Compares values only, on any inputs."""
    in_program = options.to != 'ir' and program.color_sum
    want = expected(state, inputs, options, in_program)
    if getattr(program, 'fog', False):
        want = fog.blend(inputs, want, state.fog[0])
    if options.model != 'real':
        return compare_bounded(want, value(program, inputs, state, options),
                               chips.bounds(program, inputs, state, options), inputs.dom)
    for mesa in ((False, True) if options.avoid_mesa and options.to != 'ir' else (False,)):
        got = value(program, inputs, state, options, mesa)
        first = None
        for c, (a, b) in enumerate(zip(want, got)):
            i = inputs.dom.first_difference(a, b)
            if i >= 0 and (first is None or i < first[1]):
                first = (c, i)
        if first:
            return Difference('%s differs%s' % ('rgba'[first[0]], ' (as Mesa evaluates it)' if mesa else ''),
                              first[1])
    return None


def compare_bounded(want, got, bounds, dom):
    """Compares the values of a rounding number model within its error bounds."""
    for c, (a, b, bound) in enumerate(zip(want, got, bounds)):
        i = dom.first_beyond(a, b, bound)
        if i >= 0:
            return Difference('%s differs by more than %.3g' % ('rgba'[c], bound), i)
    return None
