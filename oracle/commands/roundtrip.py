"""The command `roundtrip`: reads the output of texenvc with the oracle's readers and with texenvc's own
readers, and compares the results.
"""
import re

from ..common import framing
from ..common.errors import OracleError
from ..common.vectors import VectorSet, WithColours
from ..texenv.stages_print import state_text
from ..texenv.state import CLASSIC, used_args
from ..texenv.texenv_eval import evaluate
from . import inputs, texenvc
from .inputs import find_files, load, read_text


def convert_text(text, kind, to):
    _, out, _ = texenvc.convert(['-'], ['--from', kind, '--to', to], stdin=text)
    return out


ASSUMED = re.compile(r'# textures assumed complete')


def body(text):
    """Removes from an output its framing lines (file names differ), refused states (which have no text), and
    the remark that textures were assumed (which only forms without images have)."""
    return [''.join(x for x in b.text.splitlines(True) if not ASSUMED.match(x)) for b in framing.split(text)
            if b.refused is None]


# Calls about points, flat shading and clip planes, which the stage notation cannot express.
RASTER = re.compile(r'(glActiveTexture\(GL_TEXTURE\d\);\n)?glTexEnvi\(GL_POINT_SPRITE, .*\n|glShadeModel\(.*\n|'
                    r'glEnable\(GL_(?:CLIP_PLANE\d|POINT_SPRITE)\);\n|glPointParameteri\(.*\n')


def without_raster(gl):
    return RASTER.sub('', gl).replace('glDrawArrays(GL_POINTS,', 'glDrawArrays(GL_TRIANGLES,')


def same_value(a, b, vectors):
    if (a.fog, a.colorsum) != (b.fog, b.colorsum):
        return False
    try:
        x, y = evaluate(a, WithColours(vectors, a)), evaluate(b, WithColours(vectors, b))
    except OracleError:
        return False
    return all(vectors.dom.first_difference(p, q) < 0 for p, q in zip(x, y))


def looks(state):
    """Returns the formats of the textures that some function reads. Formats of other textures are not part of
    the canonical state."""
    read = set()
    for number, u in enumerate(state.units):
        if u is not None:
            read |= {number} if u.mode in CLASSIC else {int(s[1:]) for s, _, _ in used_args(u) if s[0] == 'T'}
    return [(u.target, u.fmt, u.depth, u.shadow) if u is not None and n in read else None
            for n, u in enumerate(state.units)]


def check_text(text, kind, path, problems):
    """Does all round trips of one input; returns the number of states."""
    if kind in ('ir', 'atifs'):
        once = convert_text(text, kind, kind)
        if once != text and body(once) != body(text):
            problems.append('%s: %s -> %s is not the identity' % (path, kind, kind))
        return len(framing.split(text))
    items = list(read_text(text, kind, path))
    vectors = VectorSet(11, 32)
    _, gl, _ = texenvc.convert([path], ['--from', kind, '--to', 'gl'])
    _, stages, _ = texenvc.convert([path], ['--from', kind, '--to', 'stages'])
    for form, out in (('gl', gl), ('stages', stages)):
        states = [i.state for i in read_text(out, form, path + ' as ' + form)]
        if kind == 'apitrace':  # some states differ only in their vertex half
            states = list(dict.fromkeys(states))
        if len(states) != len(items):
            problems.append('%s: %d states come back from %s, not %d' % (path, len(states), form, len(items)))
            continue
        for item, state in zip(items, states):
            vectors.dom.trim()
            if not same_value(item.state, state, vectors):
                problems.append('%s: %s comes back from %s as %s'
                                % (path, state_text(item.state), form, state_text(state)))
            elif looks(item.state) != looks(state):
                problems.append('%s: %s comes back from %s as %s, with other textures' % (
                    path, state_text(item.state), form, state_text(state)))
    for first, second, out in (('gl', 'stages', without_raster(gl)), ('stages', 'gl', stages)):
        again = convert_text(convert_text(out, first, second), second, first)
        if body(again) != body(out):
            problems.append('%s: %s -> %s -> %s is not the identity' % (path, first, second, first))
    for form in ('ir', 'atifs'):
        _, out, _ = texenvc.convert([path], ['--from', kind, '--to', form])
        good = (''.join(b.text for b in framing.split(out)[:1] if b.refused is None) if len(items) == 1
                else out)
        if good.strip() and body(convert_text(good, form, form)) != body(good):
            problems.append('%s: %s -> %s is not the identity' % (path, form, form))
    return len(items)


def roundtrip_command(args):
    problems, states = [], 0
    for path in find_files(args.files):
        text = load(path)
        try:
            states += check_text(text, args.kind or inputs.detect(text), path, problems)
        except OracleError as e:
            problems.append(str(e))
    print('%d states, %d problems' % (states, len(problems)))
    for p in problems[:20]:
        print('  ' + p)
    return 1 if problems else 0


def add_commands(commands):
    p = commands.add_parser('roundtrip', help='gl, stages, ir and atifs texts come back unchanged',
                            description='For each state: texenvc\'s '
                            'gl and stages output, read by the oracle, is the same state; gl -> stages -> '
                            'gl, stages -> gl -> stages, ir -> ir '
                            'and atifs -> atifs are byte-identical.')
    p.add_argument('files', nargs='+', metavar='FILE|DIR')
    p.add_argument('--from', dest='kind', choices=inputs.STATE_KINDS + ('ir', 'atifs'))
    p.set_defaults(run=roundtrip_command)
