"""Code shared by the interpreters of all chips, which execute the output of texenvc (`convert --to CHIP
--format json`).

A chip's module is written from its facts (notes/facts) alone and defines

    ASSUMPTIONS     {name: Assumption}: interpretations of questions that the facts leave open; those with
                    `option` are passed to texenvc's --assume
    MODELS          names of its number models; 'real' is exact, the others round and have error bounds
    evaluate(code, inputs, model, assume)
                    four channels over inputs.dom; raises ProgramError for a violated rule or the read of an
                    undefined value
    bounds(code, inputs, model, assume)
                    four Fractions: the maximum difference between a model other than 'real' and the exact
                    value
    check(code)     list of problems: reserved bits, unknown registers, constants that are not the correct
                    rounding of their values ...
    check_result(code)
                    optional: list of problems that only words of texture environments can have
    judge(refusal, state, options)
                    optional: returns the error in a refusal, or None; called only with --judge (slow)

`inputs` is an Inputs: the exact primary, secondary and environment colours, and texels after base-format
expansion, by GL unit.
"""
import importlib
import json
from collections import namedtuple
from fractions import Fraction

from ..common.errors import OracleError, ProgramError, Refused
from ..common.framing import Block
from ..common.numbers import colour_component, to_single
from . import lanes
from ..texenv.texenv_eval import crossbar_rule, texel

# chip (name of texenvc's --to) -> module of the oracle
CHIPS = {'r200': 'r200.r200_eval', 'i830': 'i830.i830_eval', 'r300': 'us.r300_eval', 'r400': 'us.r300_eval',
         'r500': 'us.r500_eval', 'pica200': 'pica200.pica200_eval',
         'etnaviv': 'etnaviv.etnaviv_eval', 'ir3': 'ir3.ir3_eval', 'nv2a': 'nv2a.nv2a_eval',
         'i915': 'i915.i915_eval'}

# about: a description; option: whether texenvc's --assume knows the name, so that an output may rely on it
# only if it was given there
Assumption = namedtuple('Assumption', 'about option', defaults=(False,))

# words: tuple of (address or None, value); color_sum, fog: whether the words include these steps, which
# follow texturing in GL; arb: the words are of an ARB program, which may do more than a texture environment
Code = namedtuple('Code', 'target words constants textures inputs assumed stats color_sum arb fog',
                  defaults=(False, False))
# unit None: an immediate, or, if param is ('global' or 'local', n), a parameter of the program; word: index
# in words; channels: the channels that this entry describes, if two entries share a word; lanes: the origin
# of each lane (lanes.py), or None
Constant = namedtuple('Constant', 'slot unit value word channels param lanes', defaults=('rgba', None, None))
Texture = namedtuple('Texture', 'slot unit coord target')
Input = namedtuple('Input', 'temp name')
Refusal = namedtuple('Refusal', 'reason code unit would_fit_if')


def module(chip):
    try:
        return importlib.import_module('..' + CHIPS[chip], __package__)
    except ModuleNotFoundError as e:
        raise OracleError('no interpreter for %s yet (%s)' % (chip, e)) from None


def blocks(text):
    """Splits an output into blocks, as framing.blocks does for other forms; the text of a block is the
    object's JSON."""
    try:
        objects = json.loads(text, parse_int=integer)
    except ValueError as e:
        raise OracleError('the output is no json: %s' % e) from None
    if not isinstance(objects, list):
        raise OracleError('the output is no array')
    for o in objects:
        source = o.get('source', {})
        refused = None if o.get('fits') else o.get('reason') or 'no reason given'
        yield Block(o.get('state'), source.get('file'), source.get('call'), o.get('draws'),
                    source.get('line'), refused, json.dumps(o))


def number(x):
    return int(x, 16) if isinstance(x, str) else x


def parameter(constant):
    if 'env' in constant:
        return 'global', constant['env']
    return ('local', constant['local']) if 'local' in constant else None


def integer(text):
    """Reads an integer of JSON; -0, which a word of a float distinguishes from 0, as a float."""
    return -0.0 if text == '-0' else int(text)


def parse(text):
    """Parses one object: returns Code or Refusal."""
    o = json.loads(text, parse_int=integer) if isinstance(text, str) else text
    try:
        if not o['fits']:
            return Refusal(o['reason'], o['code'], o.get('unit'), o.get('would_fit_if'))
        return Code(
            o['target'], tuple((number(a), number(w)) for a, w in o['words']),
            tuple(Constant(c['slot'], c.get('unit'), tuple(c['value']), c['word'], c.get('channels', 'rgba'),
                           parameter(c), c.get('lanes')) for c in o.get('constants', ())),
            tuple(Texture(t['slot'], t['unit'], t['coord'], t['target'].lower())
                  for t in o.get('textures', ())),
            tuple(Input(i['temp'], i['is']) for i in o.get('inputs', ())), tuple(o.get('assumed', ())),
            {**o.get('stats', {}), 'output': (o.get('output') or {}).get('register')},
            bool(o.get('color_sum')), fog=bool(o.get('fog')))
    except (KeyError, TypeError, ValueError) as e:
        raise ProgramError('bad object: %s %s' % (type(e).__name__, e)) from None


class Inputs:
    """Inputs of a chip: any inputs of the oracle, with the texture formats of a state (None: every texel is
    RGBA)."""

    def __init__(self, inputs, state=None):
        self.inputs, self.dom, self.state = inputs, inputs.dom, state
        self.env, self.primary = inputs.env, inputs.primary
        self.secondary, self.coord = inputs.secondary, inputs.coord
        self.parameter = getattr(inputs, 'parameter', None)
        # for programs of ATI_fragment_shader, a texel is a function of its coordinates
        if hasattr(inputs, 'sample'):
            self.sample = inputs.sample

    def texture(self, unit):
        """Returns the four channels of a GL unit's texel."""
        if self.state is None:
            return [self.inputs.texel(unit, c) for c in range(4)]
        u = self.state.units[unit] if 0 <= unit < len(self.state.units) else None
        if u is None:
            raise ProgramError('unit %s has no complete texture' % unit)
        return texel(self.inputs, u._replace(shadow=False), unit)

    def compared(self, unit):
        """Returns the four channels of a shadow comparison with a GL unit's depth texture."""
        u = self.state.units[unit] if 0 <= unit < len(self.state.units) else None
        if u is None or not u.shadow:
            raise ProgramError('unit %s has no texture that compares' % unit)
        return texel(self.inputs, u, unit)

    def base_format(self, unit):
        """Returns a unit's base format, or None."""
        u = self.state.units[unit] if self.state is not None else None
        return u and u.fmt


def wrong_lane(constant, state):
    """Returns the first lane whose listed value differs from the value of its origin under the state's
    colours."""
    def colour(unit, c):
        u = state.units[unit] if unit in range(8) else None
        if u is None:
            raise ProgramError('constant %d: unit %s is not enabled' % (constant.slot, unit))
        return Fraction(u.color[c])
    for i, lane in enumerate(constant.lanes or ()):
        if lane is None:
            continue
        want = lanes.environment(lane, colour, lanes.DomainNumbers(lanes.Fractions))
        if to_single(float(want)) != to_single(float(colour_component(constant.value[i]) if 'from' in lane
                                                     else constant.value[i])):
            return i
    return None


def check_state(code, state, options):
    """Checks what the output says about the state's textures and constants; returns the first problem or
    None."""
    names = module(options.to).ASSUMPTIONS
    if code.target != options.to:
        return 'the target is %s' % code.target
    for name in code.assumed:
        if name not in names:
            return 'unknown assumption %s' % name
        if names[name].option and name not in options.assume:
            return 'rests on %s, which was not given' % name
    for t in code.textures:
        unit = state.units[t.unit] if t.unit in range(8) else None
        if unit is None:
            return 'texture slot %d: unit %s has no complete texture' % (t.slot, t.unit)
        if unit.target != t.target:
            return 'texture slot %d: unit %d is a %s texture' % (t.slot, t.unit, unit.target)
    if len({(t.slot, t.unit) for t in code.textures}) != len({t.slot for t in code.textures}):
        return 'a texture slot with two units'
    for c in code.constants:
        if len(c.value) != 4:
            return 'constant %d has %d channels' % (c.slot, len(c.value))
        if c.unit is not None and not options.fold:
            unit = state.units[c.unit] if c.unit in range(8) else None
            of = ['rgba'.index(channel) for channel in c.channels]
            if unit is None or [colour_component(c.value[i]) for i in of] != [unit.color[i] for i in of]:
                return 'constant %d is not the environment colour of unit %s' % (c.slot, c.unit)
        wrong = None if options.fold else wrong_lane(c, state)
        if wrong is not None:
            return 'constant %d.%s is not what its lane says' % (c.slot, 'xyzw'[wrong])
        if not 0 <= c.word < len(code.words):
            return 'constant %d: there is no word %s' % (c.slot, c.word)
    if code.color_sum and not state.colorsum:
        return 'a colour sum that the state does not have'
    if code.fog and not state.fog:
        return 'fog that the state does not have'
    return None


def problems(code, state, options):
    """Returns the first problem of an output, or None."""
    broken = check_state(code, state, options)
    if broken is None:
        chip = module(options.to)
        found = chip.check(code) or (chip.check_result(code) if hasattr(chip, 'check_result') else [])
        broken = found[0] if found else None
    return broken


def evaluate(code, inputs, state, options):
    return module(options.to).evaluate(code, Inputs(inputs, state), options.model, frozenset(options.assume))


def bounds(code, inputs, state, options):
    return module(options.to).bounds(code, Inputs(inputs, state), options.model, frozenset(options.assume))


def judge(text, state, options):
    """Judges a refusal: returns (class, problem or None)."""
    refusal = parse(text)
    kind = '%s' % refusal.code
    if not refusal.code or not refusal.reason:
        return kind, 'code or reason is missing'
    # A search that ran out of work knows no change that would fit; every other refusal must name one.
    if (refusal.code == 'work') == bool(refusal.would_fit_if):
        return kind, 'would_fit_if is missing, or said of a search that was ended'
    if refusal.unit is not None and not (refusal.unit in range(8) and state.units[refusal.unit] is not None):
        return kind, 'unit %s is not enabled' % refusal.unit
    try:
        for unit in state.units:
            if unit is not None and unit.rgb is not None:
                crossbar_rule(state, unit, options.policy)
    except Refused:
        return 'policy', None
    own = getattr(module(options.to), 'judge', None) if options.judge else None
    return kind, own(refusal, state, options) if own else None


def check_names(options):
    """Raises for a model or an assumption that the chip's interpreter does not know."""
    chip = module(options.to)
    if options.model not in chip.MODELS:
        raise ValueError('%s has no number model %s (known: %s)'
                         % (options.to, options.model, ' '.join(chip.MODELS)))
    for name in options.assume:
        if name not in chip.ASSUMPTIONS:
            raise ValueError('%s knows no assumption %s (known: %s)'
                             % (options.to, name, ' '.join(sorted(chip.ASSUMPTIONS)) or 'none'))


def describe(text):
    """Formats an output for people."""
    o = json.loads(text, parse_int=integer)
    if not o.get('fits'):
        return text
    lines = ['%s  %s' % ('packet' if a is None else a, w) for a, w in o['words']]
    return '\n'.join(lines + ['%s: %s' % (k, json.dumps(o[k]))
                              for k in ('constants', 'textures', 'inputs', 'assumed', 'stats') if o.get(k)])
