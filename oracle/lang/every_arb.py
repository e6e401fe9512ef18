"""Enumerates ARB programs that have every operation with every mask and every kind of operand."""
import random

from .arb_text import OPS

LANES = 'xyzw'
MASKS = [''.join(c for i, c in enumerate(LANES) if m >> i & 1) for m in range(1, 16)]
# The kinds of operands: an attribute, parameter or number, all of whose components are defined, or a
# temporary of which some are defined. % is replaced by a swizzle, or for scalars by one component.
HEAD = {'vp': '!!ARBvp1.0', 'fp': '!!ARBfp1.0'}
INPUT = {'vp': 'vertex', 'fp': 'fragment'}
SWIZZLES = ('', '.wzyx', '.yyyy', '.zxwy', '.xxzw', '.w')
NAMES = ('{in}.texcoord[0]', '{in}.texcoord[1]', 'program.env[3]', 'program.local[1]', '{4, 2.5, 8, 0.375}', 'all',
         'part')
EXTENDED = ('x,y,z,w', '-w,z,-y,x', '0,x,1,-1', '1,-1,0,-z', 'y,-0,y,-y')
# Operations whose scalar operands must be positive, or small, for a defined result.
POSITIVE, SMALL = ('RCP', 'RSQ', 'LG2', 'LOG', 'POW'), ('EX2', 'EXP', 'SCS', 'LIT')
EACH = 6                # instructions per program
# The components of `all` are four different numbers; of `part` only y and w are written.
START = '''TEMP all, part, few, pos, t;
PARAM c[7] = {{ program.env[4..6], {{1, 2, 3, 4}}, program.local[2..3], 0.75 }};
MAD all, {in}.texcoord[2], 0.5, {in}.texcoord[3];
MUL part.yw, {in}.texcoord[1], {{2, 3, 0.5, 0.25}};
MUL few, {in}.texcoord[0].zwxy, 0.03125;
MAD pos, {in}.texcoord[3], {in}.texcoord[3], 0.125;
MOV result.{main}, all;
'''

ARRAYS = [('ARL', mask, k) for mask in MASKS for k in range(len(SWIZZLES))]
random.Random('ARL').shuffle(ARRAYS)


def cases(kind):
    """Yields (operation, mask, number of the kinds of operands), in a fixed random order."""
    got = [(op, mask, k) for op in sorted(OPS[kind]) if OPS[kind][op].strip('vsz') == '' for mask in MASKS
           for k in range(len(SWIZZLES))]
    random.Random(kind).shuffle(got)
    return got


def count(kind):
    return -(-len(cases(kind)) // EACH)


def scalar(op, k, n):
    name = 'pos' if op in POSITIVE else 'few' if op in SMALL else NAMES[(k + n) % len(NAMES)]
    lane = LANES[(k + n) % 4] if name != 'part' else 'yw'[k % 2]
    sign = '-' if k % 3 == 2 and op not in ('POW', 'LG2') else ''
    if op == 'POW' and n:
        name, lane = ('few', lane) if k % 2 else ('{1.5}', 'x')
    return '%s%s.%s' % (sign, name, lane)


def vector(op, k, n):
    name = 'few' if op == 'LIT' else NAMES[(2 * k + 3 * n) % len(NAMES)]
    swizzle = SWIZZLES[(k + n) % len(SWIZZLES)]
    if name == 'part':
        swizzle = '.' + ''.join('yw'[(k >> i & 1) ^ (i & 1)] for i in range(4))
    return '%s%s%s' % ('-' if (k + n) % 4 == 3 else '', name, swizzle)


def instruction(kind, op, mask, k):
    if op == 'ARL':             # reads an array element with an index between 0 and 6
        move = (0, 3, -2, 60, 1, 0)[k]
        name = 'few' if k % 2 else 'all'
        return ('FRC t.x, %s.%s; MAD t.x, t.x, 6.99, {%d}.x; ARL A.x, t.x;\nMOV t.%s, c[A.x%s]%s;' % (
            name, LANES[k % 4], -move, mask, '%+d' % move if move else '', SWIZZLES[(k + 1) % len(SWIZZLES)]))
    how = OPS[kind][op]
    if how == 'z':
        return 'SWZ t.%s, %s, %s;' % (mask, NAMES[(0, 2, 5)[k % 3]], EXTENDED[k % len(EXTENDED)])
    operands = [(scalar if x == 's' else vector)(op, k, n) for n, x in enumerate(how)]
    return '%s t.%s, %s;' % (op, mask, ', '.join(operands))


def program(kind, index):
    """Returns the text of program `index`, below count(kind)."""
    what = {'in': INPUT[kind], 'main': 'position' if kind == 'vp' else 'color'}
    lines, some = [START.format(**what)], cases(kind)[EACH * index:EACH * (index + 1)]
    if kind == 'vp':                # each also has an array element
        lines.append('ADDRESS A;\n')
        some.append(ARRAYS[(index + index // 15) % len(ARRAYS)])
    for n, (op, mask, k) in enumerate(some):
        lines.append(instruction(kind, op, mask, k).replace('{in}', what['in']))
        written = [c for c in mask if not (op == 'XPD' and c == 'w' or op == 'SCS' and c in 'zw')]
        result = 'result.texcoord[%d]' % n if kind == 'vp' else 'result.color[%d]' % (n + 1)
        for c in written:       # colours are clamped to [0,1]
            lines[-1] += (' MOV %s.%s, t.%s;' if kind == 'vp' else ' MAD %s.%s, t.%s, 0.0625, 0.5;') % (result, c, c)
        lines[-1] += '\n'
    option = 'OPTION ARB_draw_buffers;\n' if kind == 'fp' else ''
    text = '%s\n%s%sEND\n' % (HEAD[kind], option, ''.join(lines))
    return text.replace('result.color,', 'result.color[0],') if kind == 'fp' else text
