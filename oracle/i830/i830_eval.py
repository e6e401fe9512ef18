"""Evaluates i830 packet streams (notes/facts/i830.md 1 to 4), over any number domain.

The chip keeps parameters until they are overwritten. Here they are unknown at first: it is an error if a
stream relies on a parameter that it has not set (operation, scale, output, argument, factor, LAST_STAGE,
ACCUM). Both pipes of a stage read CURRENT and ACCUM before either writes.

Models: 'real' is exact, and an environment colour has its unit's value, whatever its bytes. 'unorm8' rounds
every stage's result to a multiple of 1/255 and takes constants from the words. ASSUMPTIONS names the
questions that the facts leave open. Without an assumption the interpretation is the one that the facts call
assumed.
"""
from ..common.errors import ProgramError, Unsupported
from ..hw.bounds import BoundInputs
from ..hw.chips import Assumption
from ..hw.unorm8 import constant_channel, is_own, nearest_byte, to_unorm8
from .i830_words import ALPHA, COLOR, KILL, OPS, READS, SOURCES, channels, decode

MODELS = ('real', 'unorm8')
ASSUMPTIONS = {
    'modulate-and-add': Assumption('MODULATE_AND_ADD and its 2X and 4X forms, known by name, are '
                                   'k*arg1*arg2 + arg0'),
    'accum': Assumption('ACCUM is a second CURRENT, each pipe selecting its own output'),
    'full': Assumption('texenvc may use both of these', True),
    'dot4-half': Assumption('the 0x80 of DOT4\'s alpha term is one half (the reading here without dot4-128)'),
    'dot4-scale': Assumption('alpha takes DOT4\'s sum with the colour pipe\'s scale (the reading here '
                             'without dot4-alpha-own-scale)'),
    'unclamped': Assumption('only the last stage clamps its result to [0,1]'),
    'dot4-128': Assumption('the 0x80 of DOT4\'s alpha term is 128/255, not one half'),
    'dot4-alpha-own-scale': Assumption('the alpha pipe scales DOT4\'s sum by its own scale, instead of '
                                       'taking the colour pipe\'s result'),
    'no-current-at-first': Assumption('CURRENT is undefined before the first stage, instead of the diffuse '
                                      'colour'),
}
NAMED_ONLY = {'modulate-and-add': ('MODULATE_AND_ADD', 'MODULATE_2X_AND_ADD', 'MODULATE_4X_AND_ADD')}
COORD_TYPE = {'1d': 0, '2d': 0, 'rect': 0, 'cube': 2}
ARGS = {COLOR: 'colour', ALPHA: 'alpha'}


class Pipe:
    """The current parameters of one pipe of one stage; None means that a parameter is unknown."""

    def __init__(self):
        self.op = self.scale = self.out = self.last = self.control = None
        self.args = [None] * 4          # (source, replicate, invert)


class Machine:
    """The chip's state after a stream."""

    def __init__(self, words):
        self.pipes = [(Pipe(), Pipe()) for _ in range(4)]
        self.factor, self.factor_n = None, [None] * 4       # (word index, argb)
        self.streams, self.coords, self.bind, self.faces = {}, {}, {}, {}
        for p in decode(words):
            getattr(self, 'do_' + p.name.lower(), self.ignore)(p, p.fields)

    def ignore(self, p, f):
        """Ignores packets that the blend stages do not read: DFLT_DIFFUSE, DFLT_SPEC, CONST_BLEND_COLOR,
        MAP_COORD_TRANSFORM."""

    def do_map_blend_op(self, p, f):
        if f['pipe'] == KILL:
            raise Unsupported('word %d: the kill pipe has no known meaning' % p.at)
        pipe = self.pipes[f['stage']][f['pipe']]
        if f['out_valid']:
            pipe.out = f['out']
        if f['control_valid']:
            pipe.control = f['control']
        if f['modify']:
            pipe.op, pipe.scale, pipe.last = OPS[f['op']], f['scale'], f['last']

    def do_map_blend_arg(self, p, f):
        if f['pipe'] == KILL:
            raise Unsupported('word %d: the kill pipe has no known meaning' % p.at)
        if f['modify']:
            self.pipes[f['stage']][f['pipe']].args[f['arg']] = (SOURCES[f['source']], f['replicate'],
                                                                f['invert'])

    def do_color_factor(self, p, f):
        self.factor = (p.at + 1, p.value)

    def do_color_factor_n(self, p, f):
        self.factor_n[f['stage']] = (p.at + 1, p.value)

    def do_map_coord_setbind(self, p, f):
        self.bind.update((n, f['set%d' % n]) for n in range(8) if f['set%d' % n])

    def do_map_coord_set(self, p, f):
        if f['params_valid']:
            self.coords[f['unit']] = (f['normalized'], f['type'])

    def do_map_tex_stream(self, p, f):
        if f['bump_valid'] and f['bump']:
            raise Unsupported('word %d: bump mapping' % p.at)
        stream = self.streams.setdefault(f['unit'], {})
        if f['set_valid']:
            stream['set'] = f['set']
        if f['map_valid']:
            stream['map'] = f['map']

    def do_map_cube(self, p, f):
        self.faces[f['unit']] = f['faces']

    def stages(self):
        """Returns the number of stages up to LAST_STAGE."""
        for n, (colour, _) in enumerate(self.pipes):
            if colour.last is None:
                raise ProgramError('stage %d: the colour operation is not set, and no stage before is the '
                                   'last' % n)
            if colour.last:
                return n + 1
        raise ProgramError('no stage is the last')


class Run:
    """One evaluation."""

    def __init__(self, code, inputs, model, assume):
        self.code, self.inputs, self.dom, self.model, self.assume = code, inputs, inputs.dom, model, assume
        self.machine = Machine(code.words)
        self.slots = {t.slot: t.unit for t in code.textures}
        self.constants = {(c.word, 'rgba'.index(channel)): c for c in code.constants
                          for channel in c.channels}

    def result(self):
        start = ([None] * 4 if 'no-current-at-first' in self.assume
                 else [self.inputs.primary(c) for c in range(4)])
        registers = {0: start, 1: [None] * 4}           # CURRENT, ACCUM
        last = self.machine.stages() - 1
        for n in range(last + 1):
            writes = self.stage(n, registers, n == last)
            for out, c, v in writes:
                registers[out] = registers[out][:c] + [v] + registers[out][c + 1:]
        for c, v in zip('rgba', registers[0]):
            if v is None:
                raise ProgramError('CURRENT.%s is undefined at the end' % c)
        return registers[0]

    def stage(self, n, registers, last):
        """Executes both pipes of stage n: returns [(register, channel, value)]."""
        colour, alpha = self.machine.pipes[n]
        for kind, pipe in ((COLOR, colour), (ALPHA, alpha)):
            missing = [name for name in ('op', 'scale', 'out') if getattr(pipe, name) is None]
            if kind == COLOR and pipe.control is None:
                missing.append('control stage')
            missing += ['ARG%d' % i for i in READS.get(pipe.op, ()) if pipe.args[i] is None]
            if missing:
                raise ProgramError('stage %d, %s: not set: %s' % (n, ARGS[kind], ', '.join(missing)))
        if colour.control:
            raise Unsupported('stage %d: the control stage has no known meaning' % n)
        if alpha.last:
            raise ProgramError('stage %d: LAST_STAGE in the alpha operation' % n)
        if alpha.op == 'DOT3' or (alpha.op == 'DOT4') != (colour.op == 'DOT4'):
            raise Unsupported('stage %d: %s with %s has no known meaning' % (n, colour.op, alpha.op))

        def argument(pipe, kind, i, c, half=False):
            source, replicate, invert = pipe.args[i]
            v = self.source(n, source, 3 if replicate else c, registers, half)
            return self.dom.sub(self.dom.one, v) if invert else v

        def finish(pipe, v):
            v = self.dom.shift(v, pipe.scale)
            if last or 'unclamped' not in self.assume:
                v = self.dom.sat(v)
            return to_unorm8(self.dom, v) if self.model == 'unorm8' else v

        if colour.op in ('DOT3', 'DOT4'):
            pairs = [[argument(colour, COLOR, i, c) for i in (1, 2)] for c in range(3)]
            if colour.op == 'DOT4':
                pairs.append([argument(alpha, ALPHA, i, 3, half=True) for i in (1, 2)])
            dot = self.dot(pairs)
            value = finish(colour, dot)
            writes = [(colour.out, c, value) for c in range(3)]
            if colour.op == 'DOT4':
                return writes + [(alpha.out, 3, finish(alpha, dot) if 'dot4-alpha-own-scale' in self.assume
                                  else value)]
        else:
            writes = [(colour.out, c, finish(colour, self.operate(colour.op,
                                                                  lambda i: argument(colour, COLOR, i, c))))
                      for c in range(3)]
        return writes + [(alpha.out, 3, finish(alpha, self.operate(alpha.op,
                                                                   lambda i: argument(alpha, ALPHA, i, 3))))]

    def dot(self, pairs):
        """Returns 4 * sum of (a-.5)(b-.5)."""
        dom, total = self.dom, self.dom.zero
        for a, b in pairs:
            total = dom.add(total, dom.mul(dom.sub(a, dom.half), dom.sub(b, dom.half)))
        return dom.shift(total, 2)

    def operate(self, op, arg):
        """Returns one channel of a component-wise operation (notes/facts/i830.md 2)."""
        dom = self.dom
        if op == 'ARG1':
            return arg(1)
        if op == 'ARG2':
            return arg(2)
        if op == 'MODULATE':
            return dom.mul(arg(1), arg(2))
        if op == 'ADD':
            return dom.add(arg(1), arg(2))
        if op == 'ADDSIGNED':
            return dom.sub(dom.add(arg(1), arg(2)), dom.half)
        if op == 'SUBTRACT':
            return dom.sub(arg(1), arg(2))
        if op == 'BLEND':
            a0 = arg(0)
            return dom.add(dom.mul(a0, arg(1)), dom.mul(dom.sub(dom.one, a0), arg(2)))
        if op in NAMED_ONLY['modulate-and-add']:
            return dom.add(dom.shift(dom.mul(arg(1), arg(2)), NAMED_ONLY['modulate-and-add'].index(op)),
                           arg(0))
        raise Unsupported('%s has no known meaning' % op)

    def source(self, n, source, c, registers, half):
        """Returns channel c of a source as stage n reads it."""
        if source == 'ONE':
            return self.dom.one
        if source == 'DIFFUSE':
            return self.inputs.primary(c)
        if source == 'SPEC':
            if c == 3:
                raise ProgramError('stage %d reads the alpha of SPEC, which is not known' % n)
            return self.inputs.secondary(c)
        if source in ('CURRENT', 'ACCUM'):
            v = registers[source == 'ACCUM'][c]
            if v is None:
                raise ProgramError('stage %d reads %s.%s, which nothing has written' % (n, source, 'rgba'[c]))
            return v
        if source in ('FACTOR', 'FACTOR_N'):
            held = self.machine.factor if source == 'FACTOR' else self.machine.factor_n[n]
            if held is None:
                raise ProgramError('stage %d reads %s, which nothing has set' % (n, source))
            return self.factor(held, c, half)
        slot = int(source[5:])
        if slot not in self.slots:
            raise ProgramError('stage %d reads %s, which has no texture' % (n, source))
        return self.inputs.texture(self.slots[slot])[c]

    def factor(self, held, c, half):
        """Returns channel c of a constant. half: the constant is in DOT4's alpha term, where 0x80 means one
        half."""
        at, argb = held
        byte, constant = channels(argb)[c], self.constants.get((at, c))
        if is_own(constant) and half and byte == 0x80 and 'dot4-128' not in self.assume:
            return self.dom.half
        return constant_channel(self, constant, c, byte, at)


def evaluate(code, inputs, model='real', assume=frozenset()):
    """Returns the four channels of the result."""
    return Run(code, inputs, model, assume).result()


def bounds(code, inputs, model, assume=frozenset()):
    """Returns per channel the maximum difference between 'unorm8' and the exact value."""
    return [v.err for v in Run(code, BoundInputs(inputs), model, assume).result()]


def problems_of(code):
    packets = decode(code.words)
    for p in packets:
        f, where = p.fields, 'word %d' % p.at
        if p.name == 'MAP_BLEND_OP':
            if (not f['modify'] and (f['op'] or f['scale'] or f['last']) or not f['out_valid'] and f['out']
                or not f['control_valid'] and f['control']):
                yield '%s: a field without the bit that makes it valid' % where
        elif p.name == 'MAP_BLEND_ARG':
            if not f['modify']:
                yield '%s: an argument that modifies nothing' % where
            if f['replicate'] and f['pipe'] == ALPHA:
                yield '%s: REPLICATE_ALPHA in the alpha pipe' % where
    machine = Machine(code.words)
    used = [pipe.op for stage in machine.pipes[:machine.stages()] for pipe in stage]
    accum = any(pipe.out for stage in machine.pipes[:machine.stages()] for pipe in stage)
    if any(op in NAMED_ONLY['modulate-and-add'] for op in used) and 'modulate-and-add' not in code.assumed:
        yield 'MODULATE_AND_ADD is not said to be assumed'
    if accum and 'accum' not in code.assumed:
        yield 'ACCUM is not said to be assumed'
    for colour, alpha in machine.pipes[:machine.stages()]:
        if alpha.op == 'DOT4' and 'dot4-half' not in code.assumed:
            yield 'that the alpha term of DOT4 is nothing is not said to be assumed'
        if alpha.op == 'DOT4' and colour.scale != alpha.scale and 'dot4-scale' not in code.assumed:
            yield 'that alpha takes the scale of the colour pipe\'s DOT4 is not said to be assumed'
    yield from constant_problems(code, packets)
    yield from texture_problems(code, machine)
    if code.stats.get('stages') != machine.stages() or code.stats.get('dwords') != len(code.words):
        yield 'stats: %s; %d stages and %d dwords are meant' % (code.stats, machine.stages(), len(code.words))


def constant_problems(code, packets):
    """Checks constants against the words that hold them: slots 0 to 3 are the FACTOR_N of the stages, 4 is
    the global FACTOR."""
    holds = {p.at + 1: (4 if p.name == 'COLOR_FACTOR' else p.fields['stage'], p.value) for p in packets
             if p.name in ('COLOR_FACTOR', 'COLOR_FACTOR_N')}
    for c in code.constants:
        if c.word not in holds:
            yield 'constant %d: word %d is no factor' % (c.slot, c.word)
            continue
        slot, argb = holds[c.word]
        if slot != c.slot:
            yield 'constant %d: word %d is that of slot %d' % (c.slot, c.word, slot)
        if channels(argb) != [nearest_byte(v) for v in c.value]:
            yield 'constant %d: %08x is not %s rounded' % (c.slot, argb, list(c.value))


def texture_problems(code, machine):
    for t in code.textures:
        if t.slot not in range(4):
            yield 'texture slot %d' % t.slot
        if t.target not in COORD_TYPE:
            yield 'texture slot %d: a %s texture' % (t.slot, t.target)
            continue
        stream = machine.streams.get(t.slot, {})
        if stream.get('map', t.slot) != t.slot:
            yield 'texture slot %d: the stream takes map %d' % (t.slot, stream['map'])
        which = stream.get('set', t.slot)
        bound = machine.bind.get(which)
        if (stream or bound is not None) and (bound - 8 if bound is not None else which) != t.coord:
            yield 'texture slot %d: not coordinate set %d' % (t.slot, t.coord)
        if t.slot in machine.coords and machine.coords[t.slot] != (t.target != 'rect', COORD_TYPE[t.target]):
            yield 'texture slot %d: MAP_COORD_SET is not that of a %s texture' % (t.slot, t.target)
    units = [t.slot for t in code.textures]
    if len(set(units)) != len(units):
        yield 'a texture slot is given twice'


def check(code):
    """Returns problems of an output that do not affect its value."""
    try:
        return list(problems_of(code))
    except (ProgramError, Unsupported) as e:
        return [str(e)]
