"""Support for comparing programs in shading languages with states: the list of languages, reading of their
texts, and checks of refusals.
"""
import re

from ..texenv.texenv_eval import color_sum, texel
from . import arbfp_eval, fog, glsl_eval

VERSIONS = {'glsl': '120', 'glsl-110': '110', 'glsl-330': '330 core', 'glsl-450': '450', 'glsl-es': '100',
            'glsl-es-300': '300 es'}
LANGUAGES = ('arbfp', *VERSIONS)


def parse(text, language):
    """Parses a program. language None: detect it from the text."""
    if language == 'arbfp' or language is None and text.startswith('!!ARBfp1.0'):
        return arbfp_eval.parse(text)
    program = glsl_eval.parse(text)
    if language is not None and program.version != VERSIONS[language]:
        raise ValueError('version %s' % program.version)
    return program


class Expanded:
    """Inputs whose texels are expanded by the textures' base formats, as by GL."""

    def __init__(self, inputs, state):
        self.plain, self.state, self.dom = inputs, state, inputs.dom
        self.primary, self.secondary, self.coord, self.env, self.parameter, self.get = \
            inputs.primary, inputs.secondary, inputs.coord, inputs.env, inputs.parameter, inputs.get

    def texel(self, unit, ch, shadow=False):
        return texel(self.plain, self.state.units[unit], unit)[ch]


def evaluate(program, inputs, state=None):
    inputs = Expanded(inputs, state) if state is not None else inputs
    return (arbfp_eval if isinstance(program, arbfp_eval.Program) else glsl_eval).evaluate(program, inputs,
                                                                                           state)


def lookups(program):
    """Returns {(unit, target, shadow)}."""
    if isinstance(program, glsl_eval.Program):
        return {(unit, target, shadow) for unit, (target, shadow) in program.samplers.items()}
    return {(int(args[1][8]), arbfp_eval.COORDINATES[args[2].replace('SHADOW', '')][0],
             args[2].startswith('SHADOW'))
            for _, op, _, _, _, args in program.code if op in ('TEX', 'TXP')}


def problems(program, state):
    """Returns the first difference between the textures of the program and those of the state, or None."""
    for unit, target, shadow in sorted(lookups(program)):
        u = state.units[unit]
        if u is None or (u.target, u.shadow) != (target, shadow):
            return 'unit %d is no %s texture%s' % (unit, target, ' with comparison' if shadow else '')
    if isinstance(program, glsl_eval.Program):
        # a GL with fixed function still does the alpha test itself
        wanted = state.alpha_test[0] if state.alpha_test and program.version not in ('110', '120') else None
        if program.alpha_test != wanted:
            return 'the alpha test is %s, not %s' % (program.alpha_test, wanted)
    return None


def expected(state, inputs, out):
    """Returns the colour that the program must compute. It includes colour sum and fog, because GL applies
    neither while a program is in use."""
    if state.colorsum:
        out = color_sum(inputs.dom, out, inputs)
    mode = state.fog[0] if isinstance(state.fog, tuple) else state.fog
    return fog.blend(inputs, out, mode) if mode else out


def refusal(reason, state, language):
    """Judges a refusal: returns (kind, problem or None). A language may refuse targets only."""
    m = re.match(r'unit ([0-7]): (.*)', reason)
    unit = state.units[int(m.group(1))] if m else None
    lacks = {'glsl-es': ('1d', 'rect'), 'glsl-es-300': ('1d', 'rect'), 'glsl-450': ('rect',)}.get(language, ())
    holds = unit is not None and ('no' in m.group(2) and unit.target in lacks
                                  or 'shadow' in m.group(2) and unit.shadow and unit.target in ('3d', 'cube'))
    return 'target', None if holds else 'the language has that'


__all__ = ['LANGUAGES', 'parse', 'evaluate', 'problems', 'expected', 'refusal']
