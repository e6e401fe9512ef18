"""Generates random programs of ARB_vertex_program, as random_arb.py does for fragments, with an address
register, EXP and LOG, and the state that only vertex programs bind. Also generates programs with many values
that are live at the same time.
"""
import random

from .random_arb import LANES, STATES, VECTOR_OPS, Writer

ATTRIBUTES = ('vertex.position', 'vertex.normal', 'vertex.color', 'vertex.texcoord', 'vertex.texcoord[1]',
              'vertex.texcoord[2]', 'vertex.fogcoord', 'vertex.color.secondary', 'vertex.attrib[6]',
              'vertex.attrib[7]', 'vertex.attrib[13]', 'vertex.weight')
ONLY_HERE = ('state.texgen[0].eye.s', 'state.texgen[1].object.q', 'state.point.size', 'state.point.attenuation',
             'state.clip[2].plane')
OPS = {op: n for op, n in VECTOR_OPS.items() if op not in ('LRP', 'CMP')}
RESULTS = ('color', 'color.secondary', 'color.back', 'color.front.primary', 'color.back.secondary', 'fogcoord',
           'pointsize', *('texcoord[%d]' % n for n in range(6)), 'texcoord')


class VertexWriter(Writer):
    """Writes one program. moving: array -> maximum distance of its address from 0; ready_address: (array,
    lowest index, number of indices) for the current value of the address register, or None."""

    header, attributes, vector_ops = '!!ARBvp1.0', ATTRIBUTES, OPS
    states = tuple(x for x in STATES if not x.startswith(('state.texenv', 'state.depth'))) + ONLY_HERE
    scalar_ops = ('RCP', 'RSQ', 'EX2', 'LG2', 'POW', 'EXP', 'LOG')

    def declare(self):
        rng = self.rng
        if self.features.get('plain'):      # only features that every language has
            self.attributes = [x for x in ATTRIBUTES if x != 'vertex.weight']
        self.moving, self.ready_address = {}, None
        self.invariant = rng.random() < .2
        if self.invariant:
            self.head.append('OPTION ARB_position_invariant;')
        self.head.append('TEMP %s;' % ', '.join(self.temps))
        for i in range(rng.randrange(4)):
            self.head.append('PARAM p%d = %s;' % (i, self.item()))
            self.params.append('p%d' % i)
        if rng.random() < .5:
            self.head.append(self.array('c'))
        if rng.random() < .5:
            self.head += ['ADDRESS A;', 'PARAM ra[] = { program.env[40..44], {1, -2, 3, 4}, 0.5 };',
                          'PARAM rb[5] = { state.matrix.program[1], program.local[60] };']
            self.moving = {'ra': 7, 'rb': 5}
        for i in range(rng.randrange(3)):
            self.head.append('ATTRIB in%d = %s;' % (i, rng.choice(self.attributes)))
            self.attribs.append('in%d' % i)

    def letters(self, lanes):
        return lanes

    def sat(self, chance=0):
        return ''

    def swz(self):
        got = super().swz()
        text, _, lanes = got.partition(', ')
        return text + ', ' + lanes.translate(str.maketrans('rgba', LANES))

    def base(self):
        rng = self.rng
        if self.ready_address and rng.random() < .25:
            name, low, size = self.ready_address
            # at least one possible index is inside the array; with `plain`, all are
            k = rng.choice((0, 0, 0 if self.features.get('plain') else size - 1)) - low
            return '%s[A.x%s]' % (name, '%+d' % k if k or rng.random() < .2 else ''), LANES
        return super().base()

    def address(self):
        """Writes code that sets A.x to an integer from low to low + size - 1; size: the length of an array."""
        rng = self.rng
        name = rng.choice(sorted(self.moving))
        low = rng.choice((0, 0, 0, 3, -2, 20))
        temp, lane = rng.choice(self.temps), rng.choice(LANES)
        source = self.vector()
        self.emit('FRC', self.target(lane, temp=temp), source)
        place = '%s.%s' % (temp, lane)
        self.emit('MAD', place, place, '%d' % self.moving[name], '{%d}.x' % low)
        self.emit('ARL', 'A.x', place)
        self.ready_address = name, low, self.moving[name]

    def texture(self):
        if self.moving:
            self.address()
        else:
            self.transcendental()

    def kill(self):
        self.transcendental()

    def transcendental(self):
        rng = self.rng
        op = rng.choice(self.scalar_ops)
        lane = rng.choice(LANES)
        if op in ('EX2', 'EXP'):
            temp = rng.choice(self.temps)
            self.emit('MUL', self.target(lane, temp=temp), self.vector(), '0.0625')
            operands = ['%s.%s' % (temp, lane)]
        else:
            operands = ['%s.%s' % (self.positive(lane), lane)]
        if op == 'POW':
            operands.append(rng.choice(('{2}.x', '{0.5}.x', '-{1.5}.x', self.scalar())))
        self.emit(op, self.target(), *operands)

    def result(self):
        return 'result.' + self.rng.choice([name for name in RESULTS if name not in ('fogcoord', 'pointsize')])

    def finale(self):
        rng = self.rng
        if not self.invariant:
            if rng.random() < .5:
                source = self.vector()
                for k, c in enumerate(LANES):
                    self.emit('DP4', 'result.position.' + c, 'state.matrix.mvp.row[%d]' % k, source)
            else:
                self.emit('MAD', 'result.position', self.vector(), self.vector(), self.vector())
        results = [x for x in RESULTS if 'back' not in x] if self.features.get('plain') else RESULTS
        for name in rng.sample(results, rng.randrange(1, 7)):
            if name not in ('fogcoord', 'pointsize') and rng.random() < .5:
                self.parts('result.' + name)
                continue
            mask = '' if rng.random() < .5 else '.x' if name in ('fogcoord', 'pointsize') else '.' + self.mask()
            self.emit('MOV', 'result.%s%s' % (name, mask), self.vector())


def pressing(seed, index, instructions, window, parts=False, functions=False):
    """Returns a program in which each value is assigned once, with four components (parts: one to four). An
    operand is one of the last `window` values, sometimes an input or parameter. Every value is read before it
    leaves the window, or at the end, so that no instruction is dead. functions: the last component of some
    values is RSQ of a component, so that results of functions share registers with other components."""
    rng = random.Random('pressing %d %d %d' % (seed, index, window))
    lines, unread, size, taken = [], [], [], []

    def operand(must=None):
        if must is not None:
            k = must
        elif len(size) < 4 or rng.random() < .05:
            return rng.choice(ATTRIBUTES[:6]) if rng.random() < .6 else 'program.env[%d]' % rng.randrange(20)
        else:
            k = rng.choice([k for k in range(max(0, len(size) - window), len(size)) if k not in taken])
        if k in unread:
            unread.remove(k)
        taken.append(k)
        return 't%d.%s' % (k, ''.join(rng.choice(LANES[:size[k]]) for _ in LANES)) if parts else 't%d' % k

    while len(lines) + max(0, len(unread) - 1) < instructions - 1:
        op, n = rng.choice((('ADD', 2), ('MUL', 2), ('MAD', 3), ('MAX', 2), ('MUL', 2), ('SUB', 2)))
        leaving = [k for k in unread if k < len(size) - window + 2]
        taken.clear()
        sources = [operand(leaving[0] if leaving and not i else None) for i in range(n)]
        rng.shuffle(sources)
        components = rng.choice((1, 2, 3, 3, 4)) if parts else 4
        apart = functions and components > 1 and rng.random() < .3
        made = LANES[:components - apart]
        lines.append('%s t%d%s, %s;' % (op, len(size), '' if made == LANES else '.' + made, ', '.join(sources)))
        if apart:
            others = [s.split('.')[0] for s in sources if s[0] == 't']
            of = rng.choice(['t%d' % len(size), *others])
            lines.append('RSQ t%d.%s, %s.x;' % (len(size), LANES[components - 1], of))
        unread.append(len(size))
        size.append(components)
    while len(unread) > 1:
        lines.append('MAX t%d, %s, %s;' % (len(size), operand(unread[-1]), operand(unread[0])))
        unread.append(len(size))
        size.append(4)
    return '!!ARBvp1.0\nTEMP %s;\n%s\nMOV result.position, t%d;\nEND\n' % (
        ', '.join('t%d' % k for k in range(len(size))), '\n'.join(lines), len(size) - 1)
