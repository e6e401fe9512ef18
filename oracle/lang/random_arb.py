"""Generates random valid programs of ARB_fragment_program with all operations and kinds of operands. Their
values are mostly defined, so that a comparison is meaningful. Also generates texts that are almost valid
programs.
"""
import random

LANES = 'xyzw'
CONSTANTS = ('0', '1', '0.5', '2', '-1', '0.25', '1.5', '3', '-0.5', '0.1', '1e-2', '.75', '4.', '-2.5', '0.3333333')
VECTORS = ('{1, 2, 3, 4}', '{0.5}', '{0, 1}', '{-1, 0.25, 2}', '{0.299, 0.587, 0.114, 0}', '{2, -1, 0.5, 1}',
           '{1, 1, 1, 1}', '{0, 0, 0, 0}')
STATES = ('state.material.ambient', 'state.material.back.diffuse', 'state.material.shininess',
          'state.light[0].position', 'state.light[1].diffuse', 'state.light[2].attenuation',
          'state.light[0].spot.direction', 'state.light[3].half', 'state.lightmodel.ambient',
          'state.lightmodel.scenecolor', 'state.lightprod[0].diffuse', 'state.lightprod[1].back.specular',
          'state.texenv[1].color', 'state.texenv.color', 'state.fog.color', 'state.fog.params', 'state.depth.range',
          'state.matrix.mvp.row[0]', 'state.matrix.modelview[0].row[1]', 'state.matrix.projection.row[2]',
          'state.matrix.texture[1].transpose.row[3]', 'state.matrix.program[2].row[0]')
ATTRIBUTES = ('fragment.color', 'fragment.color.primary', 'fragment.color.secondary', 'fragment.texcoord',
              'fragment.texcoord[0]', 'fragment.texcoord[1]', 'fragment.texcoord[2]', 'fragment.fogcoord',
              'fragment.position')
VECTOR_OPS = {'MOV': 1, 'ABS': 1, 'ADD': 2, 'SUB': 2, 'MUL': 2, 'MAD': 3, 'LRP': 3, 'MIN': 2, 'MAX': 2, 'DP3': 2,
              'DP4': 2, 'DPH': 2, 'DST': 2, 'XPD': 2, 'CMP': 3, 'SGE': 2, 'SLT': 2, 'FLR': 1, 'FRC': 1, 'SWZ': 1,
              'LIT': 1}
WEIGHTS = {'MOV': 2, 'ABS': 2, 'MAD': 5, 'MUL': 4, 'ADD': 3, 'SUB': 3, 'LRP': 3, 'CMP': 3, 'SWZ': 3}
SCALAR_OPS = ('RCP', 'RSQ', 'EX2', 'LG2', 'POW', 'SIN', 'COS', 'SCS')


class Writer:
    """Writes one program. known: temporary -> lanes that were written and are defined."""

    header, attributes, states = '!!ARBfp1.0', ATTRIBUTES, STATES
    vector_ops, scalar_ops = VECTOR_OPS, SCALAR_OPS

    def __init__(self, rng, length, features):
        self.rng, self.length, self.features = rng, length, features
        self.head, self.body, self.known, self.targets = [], [], {}, {}
        self.params, self.attribs, self.arrays = [], [], {}
        self.count = 0
        self.style = rng.choice(('plain', 'plain', 'tight', 'wild'))
        self.temps = ['R%d' % i for i in range(rng.randrange(2, 13))]

    # ---- text ----

    def emit(self, op, *operands):
        self.body.append('%s %s;' % (op, ', '.join(operands)))
        self.count += 1

    def finish(self):
        lines = self.head + self.body + ['END']
        if self.style == 'plain':
            return self.header + '\n' + '\n'.join(lines) + '\n'
        if self.style == 'tight':
            return self.header + '\n' + ''.join(lines[:-1]).replace(', ', ',') + 'END'
        out = []
        for line in lines:
            remark = '# %s\n' % line if self.rng.random() < .1 else ''
            if self.rng.random() < .2:
                line = line.replace(', ', ' ,\n\t').replace('[', ' [ ').replace('= ', '=')
            line = remark + line
            out.append(line + self.rng.choice(('\n', '\r\n', ' # END\n', '   ')))
        return self.header + ' ' + ''.join(out).rstrip(' ')

    # ---- declarations ----

    def declare(self):
        rng = self.rng
        if rng.random() < .12:
            self.head.append('OPTION ARB_fog_%s;' % rng.choice(('exp', 'exp2', 'linear')))
        if rng.random() < .1:
            self.head.append('OPTION ARB_precision_hint_%s;' % rng.choice(('fastest', 'nicest')))
        self.shadow = rng.random() < .2 and not self.features.get('plain')
        if self.shadow:
            self.head.append('OPTION ARB_fragment_program_shadow;')
        body = []
        if rng.random() < .8:
            body.append('TEMP %s;' % ', '.join(self.temps))
        else:
            body += ['TEMP %s;' % t for t in self.temps]
        for i in range(rng.randrange(4)):
            name = rng.choice(('p%d', 'Const_%d', '$x%d', 'fog%d')) % i
            body.append('PARAM %s = %s;' % (name, self.item()))
            self.params.append(name)
        if rng.random() < .5:
            body.append(self.array('c'))
        for i in range(rng.randrange(3)):
            body.append('ATTRIB in%d = %s;' % (i, rng.choice(self.attributes)))
            self.attribs.append('in%d' % i)
        if rng.random() < .3:
            body.append('OUTPUT out = result.color;')
            self.output = 'out'
        else:
            self.output = 'result.color'
        if rng.random() < .25:
            old = rng.choice(self.temps)
            body.append('ALIAS other = %s;' % old)
            self.temps = [t if t != old or rng.random() < .5 else 'other' for t in self.temps]
        self.head += body

    def number(self):
        rng = self.rng
        return rng.choice(CONSTANTS) if rng.random() < .8 else '%.6g' % rng.uniform(-3, 3)

    def item(self):
        rng = self.rng
        kind = rng.random()
        if kind < .25:
            return rng.choice(self.states)
        if kind < .5:
            return 'program.%s[%d]' % (rng.choice(('env', 'local')), rng.randrange(24))
        if kind < .75:
            return rng.choice(VECTORS)
        return self.number()

    def array(self, name):
        rng = self.rng
        items, size = [], 0
        for _ in range(rng.randrange(1, 5)):
            kind = rng.random()
            if kind < .3:
                first, count = rng.randrange(12), rng.randrange(1, 5)
                items.append('program.%s[%d..%d]' % (rng.choice(('env', 'local')), first, first + count - 1))
                size += count
            elif kind < .45:
                items.append(rng.choice(('state.matrix.mvp', 'state.matrix.texture[0]', 'state.matrix.modelview')))
                size += 4
            elif kind < .55:
                items.append('state.matrix.projection.row[1..2]')
                size += 2
            else:
                items.append(self.item())
                size += 1
        self.arrays[name] = size
        return 'PARAM %s[%s] = { %s };' % (name, rng.choice(('', str(size))), ', '.join(items))

    # ---- operands ----

    def letters(self, lanes):
        if self.rng.random() < .15:
            return ''.join('rgba'[LANES.index(c)] for c in lanes)
        return lanes

    def ready(self):
        return [t for t in self.temps if self.known.get(self.name(t))]

    def name(self, temp):
        """Returns the temporary of a name, which may be an alias of it."""
        return next((t.split('= ')[1].rstrip(';') for t in self.head if t.startswith('ALIAS %s ' % temp)), temp)

    def base(self):
        """Returns (text without sign and suffix, defined lanes, whether it is bounded)."""
        rng, ready = self.rng, self.ready()
        if ready and rng.random() < .68:
            t = rng.choice(ready)
            return t, ''.join(sorted(self.known[self.name(t)], key=LANES.index))
        kind = rng.random()
        if kind < .4:
            own = self.attribs or self.attributes
            return rng.choice(own) if rng.random() < .4 else rng.choice(self.attributes), LANES
        if kind < .6 and self.params:
            return rng.choice(self.params), LANES
        if kind < .75 and self.arrays:
            name = rng.choice(sorted(self.arrays))
            return '%s[%d]' % (name, rng.randrange(self.arrays[name])), LANES
        if kind < .82:
            return rng.choice(self.states), LANES
        if kind < .9:
            return 'program.%s[%d]' % (rng.choice(('env', 'local')), rng.randrange(8)), LANES
        if kind < .96:
            return rng.choice(VECTORS), LANES
        number = self.number().lstrip('-')
        # a point directly after the number would become part of it
        return number if '.' in number[:-1] else '{%s, 1, 2, 3}' % number, LANES

    def sign(self):
        return self.rng.choice(('-', '+') if self.style == 'wild' else ('-',)) if self.rng.random() < .25 else ''

    def vector(self):
        text, lanes = self.base()
        rng = self.rng
        if lanes == LANES and rng.random() < .5:
            return self.sign() + text
        if rng.random() < .4:
            return '%s%s.%s' % (self.sign(), text, self.letters(rng.choice(lanes)))
        return '%s%s.%s' % (self.sign(), text, self.letters(''.join(rng.choice(lanes) for _ in range(4))))

    def scalar(self):
        text, lanes = self.base()
        return '%s%s.%s' % (self.sign(), text, self.letters(self.rng.choice(lanes)))

    def mask(self):
        rng = self.rng
        if rng.random() < .45:
            return LANES
        return ''.join(c for c in LANES if rng.random() < .5) or rng.choice(LANES)

    def target(self, mask=None, defined=LANES, temp=None):
        """Returns the text of a destination, and records the lanes that it defines."""
        temp, mask = temp or self.rng.choice(self.temps), mask or self.mask()
        have = self.known.setdefault(self.name(temp), set())
        for c in mask:
            (have.add if c in defined else have.discard)(c)
        return temp if mask == LANES else '%s.%s' % (temp, self.letters(mask))

    def sat(self, chance=.15):
        return '_SAT' if self.rng.random() < chance else ''

    # ---- instructions ----

    def operation(self, part=False):
        """Returns (a vector operation, its operands). part: only operations that define every lane, since
        the caller writes any part of the lanes."""
        rng = self.rng
        names = [x for x in self.vector_ops if not part or x not in ('LIT', 'XPD')]
        op = rng.choices(names, [WEIGHTS.get(x, 1) for x in names])[0]
        sources = [self.vector() for _ in range(self.vector_ops[op])]
        if op == 'SWZ':
            sources = [self.swz()]
        if op == 'LIT':
            temp = self.positive(LANES)
            sources = [temp] if rng.random() < .7 else sources
        return op, sources

    def arithmetic(self):
        op, sources = self.operation()
        self.emit(op + self.sat(), self.target(defined='xyz' if op == 'XPD' else LANES), *sources)

    def one(self):
        """Makes all operands read the same register, with different lanes and signs, until many() is
        called."""
        name, lanes = self.base()
        while name[0] in '{.0123456789':        # SWZ cannot read a literal
            name, lanes = self.base()
        if self.rng.random() < .4:
            temp = self.rng.choice(self.temps)
            self.emit('MOV', self.target(lanes, temp=temp), '-' + name)
            name = temp
        self.base = lambda: (name, lanes)

    def many(self):
        vars(self).pop('base', None)

    def parts(self, result, squash=False):
        """Writes the lanes of a result by several operations, which often read the same register. They write
        it directly, or through a temporary that nothing else reads. squash: the temporary is mapped into
        [0,1] first."""
        rng = self.rng
        lanes = rng.sample(LANES, 4)
        cuts = sorted(rng.sample((1, 2, 3), rng.choice((1, 1, 2, 3))))
        groups = [sorted(lanes[i:j], key=LANES.index) for i, j in zip([0] + cuts, cuts + [4])]
        by_way = rng.random() < .5
        if by_way:
            temp = 'T%d' % sum(line.startswith('TEMP T') for line in self.head)
            self.head.append('TEMP %s;' % temp)
        if rng.random() < .5:
            self.one()
        for group in groups:
            op, sources = rng.choice((('ABS', 1), ('MOV', 1), ('ADD', 2), ('MUL', 2), ('MAD', 3), (None, 0)))
            op, sources = (op, [self.vector() for _ in range(sources)]) if op else self.operation(part=True)
            mask = self.letters(''.join(group))
            self.emit(op + self.sat(), '%s.%s' % (temp if by_way else result, mask), *sources)
        self.many()
        if by_way and squash:
            self.squash(temp)
        if by_way:
            swizzle = rng.choice(('', '', '.' + self.letters(''.join(rng.choice(LANES) for _ in LANES))))
            self.emit('MOV' + self.sat(), result, self.sign() + temp + swizzle)

    def swz(self):
        text, lanes = self.base()
        while text[0] in '{.0123456789':
            text, lanes = self.base()
        rng = self.rng
        parts = [rng.choice('01') if rng.random() < .35 else rng.choice(lanes) for _ in range(4)]
        if rng.random() < .1:
            parts = [p if p in '01' else 'rgba'[LANES.index(p)] for p in parts]
        return '%s, %s' % (text, ', '.join(rng.choice(('', '', '-')) + p for p in parts))

    def positive(self, mask):
        """Computes a temporary whose values are at least 1/8 and mostly small."""
        temp = self.rng.choice(self.temps)
        source = self.vector()
        self.emit('ABS' + self.sat(.3), self.target(mask, temp=temp), source)
        self.emit('ADD', self.target(mask, temp=temp), temp, self.rng.choice(('0.125', '{0.5}.x', '1.0')))
        return temp

    def transcendental(self):
        rng = self.rng
        op = rng.choice(self.scalar_ops)
        operands = [self.scalar()]
        safe = rng.random() < .9
        if op in ('RCP', 'RSQ', 'LG2', 'POW') and safe:
            lane = rng.choice(LANES)
            operands = ['%s.%s' % (self.positive(lane), lane)]
            if op != 'LG2' and op != 'POW' and rng.random() < .3:
                operands[0] = '-' + operands[0]
        if op == 'POW':
            operands.append(rng.choice(('{2}.x', '{0.5}.x', '-{1.5}.x', '{0,3}.y')) if rng.random() < .5
                            else self.scalar())
        if op in ('EX2', 'SIN', 'COS', 'SCS') and safe:
            temp, lane = rng.choice(self.temps), rng.choice(LANES)
            source = self.vector()
            self.emit('MUL' + self.sat(.4), self.target(lane, temp=temp), source, '0.0625')
            operands = ['%s.%s' % (temp, lane)]
        self.emit(op + self.sat(), self.target(defined='xy' if op == 'SCS' else LANES), *operands)

    def texture(self):
        rng = self.rng
        op = rng.choice(('TEX', 'TEX', 'TXP', 'TXB'))
        unit = rng.randrange(6)
        known = ['2D', '2D', '2D', '1D', '3D', 'CUBE', '2D' if self.features.get('plain') else 'RECT']
        known += ['SHADOW2D', 'SHADOW1D', 'SHADOWRECT'] if self.shadow else []
        target = self.targets.setdefault(unit, rng.choice(known))
        coordinate = rng.choice(self.attributes[3:7]) if rng.random() < .5 else self.vector()
        if op == 'TXP' and rng.random() < .8:
            coordinate = self.positive(LANES)
        self.emit(op + self.sat(), self.target(), coordinate,
                  'texture' if unit == 0 and rng.random() < .5 else 'texture[%d]' % unit, target)

    def kill(self):
        source = self.vector()
        if self.rng.random() < .7:
            temp = self.rng.choice(self.temps)
            self.emit('ADD', self.target(LANES, temp=temp), source, self.rng.choice(('2.0', '6')))
            source = temp
        self.emit('KIL', source)

    def squash(self, temp):
        """Computes temp = x / (1 + |x|) / 2 + 1/2 in each lane: in [0,1], and different for different x."""
        other = self.rng.choice([t for t in self.temps if self.name(t) != self.name(temp)])
        self.emit('ABS', self.target(LANES, temp=other), temp)
        self.emit('ADD', other, other, '1')
        for c in LANES:
            self.emit('RCP', '%s.%s' % (other, c), '%s.%s' % (other, c))
        self.emit('MUL', temp, temp, other)
        self.emit('MAD', temp, temp, '0.5', '0.5')

    def result(self):
        return self.output

    def finale(self):
        rng = self.rng
        temp = rng.choice(self.temps)
        full = [t for t in self.temps if self.known.get(self.name(t)) == set(LANES)]
        if full and rng.random() < .6:
            temp = rng.choice(full)
        else:
            sources = [self.vector() for _ in range(3)]
            self.emit('MAD', self.target(LANES, temp=temp), *sources)
        if rng.random() < .6:
            self.squash(temp)
        if rng.random() < .15:
            self.emit('MOV', 'result.depth' + rng.choice(('', '.z')), temp)
        if rng.random() < .3:
            self.parts(self.output, squash=True)
        elif rng.random() < .5:
            self.emit('MOV' + self.sat(), self.output, temp)
        else:
            mask = self.mask()
            self.emit('MUL', '%s.%s' % (self.output, self.letters(mask)), temp, self.vector())
            rest = ''.join(c for c in LANES if c not in mask)
            if rest:
                self.emit('MOV', '%s.%s' % (self.output, rest), temp)

    def write(self):
        rng = self.rng
        self.declare()
        self.emit('MOV', self.target(LANES), rng.choice(self.attributes))
        while self.count < self.length:
            kind = rng.random()
            if rng.random() < .03:
                self.parts(self.result())       # some of these may be overwritten later
            elif kind < .7:
                self.arithmetic()
            elif kind < .83:
                self.transcendental()
            elif kind < .993 or not self.features.get('kill', True):
                self.texture()
            else:
                self.kill()
        self.finale()
        return self.finish()


def program(seed, index, shortest=5, longest=300, **features):
    """Returns the text of program `index` of a sequence; short ones are more frequent."""
    rng = random.Random('arb %d %d' % (seed, index))
    span = max(1, longest - shortest)
    length = shortest + int(span * rng.random() ** 3)
    writer = features.pop('writer', Writer)
    return writer(rng, max(1, length - 8), features).write()


# ---- texts that are nearly programs ----

WORDS = (';', ',', '.', '.x', '.xyzw', '.rgba', '.yx', '.xg', '[', ']', '{', '}', '-', '+', '=', '..', '0', '1', '7',
         '8', '300', '2D', 'CUBE', 'SHADOW2D', 'TEMP', 'PARAM', 'ATTRIB', 'OUTPUT', 'ALIAS', 'OPTION', 'END', 'ADDRESS',
         'ARL', 'MOV', 'MUL_SAT', 'KIL', 'KIL_SAT', 'TXL', 'RCP', 'result', 'result.depth', 'result.color[0]', 'color',
         'fragment', 'vertex', 'state', 'program', 'texture', 'R0', 'R1', 'c', 'c[0]', 'p0', 'state.matrix.mvp',
         'state.light', 'fragment.texcoord[8]', 'state.light[8].ambient', 'state.texenv[8].color', 'state.clip[6].plane',
         'state.matrix.program[8].row[0]', 'state.matrix.modelview[4].row[0]', 'state.matrix.mvp.row[4]',
         'vertex.texcoord[8]', 'vertex.attrib[16]', 'program.env[0..1]', '{1,2}', '1e5', '.5', '#', '\n', '_SAT', '|')


def mutate(seed, index, text):
    """Returns text with one to three small changes."""
    import re
    rng = random.Random('mutate %d %d' % (seed, index))
    tokens = re.findall(r'[A-Za-z_$][A-Za-z0-9_$]*|\d+\.?\d*|\s+|.', text)
    head = 7 if rng.random() < .98 else 0       # the tokens of the header are mostly kept
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at = rng.randrange(min(head, len(tokens) - 1), len(tokens))
        kind = rng.randrange(6)
        if kind == 0:
            del tokens[at]
        elif kind == 1:
            tokens.insert(at, rng.choice(WORDS))
        elif kind == 2:
            tokens[at] = rng.choice(WORDS)
        elif kind == 3:
            tokens.insert(at, tokens[at])
        elif kind == 4:
            other = rng.randrange(min(head, len(tokens) - 1), len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        else:
            tokens[at] = rng.choice(tokens[head:] or tokens)
        if not tokens:
            break
    return ''.join(tokens)
