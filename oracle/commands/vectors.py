"""The command `vectors`: writes the conformance vectors, texenv-vectors.json and texenv-vectors.h."""
import os

from ..common.errors import OracleError
from ..texenv import vector_inputs, vector_states
from ..vertex import vertex_vectors
from . import vectors_text

MOST = 100000
NAMES = ('texenv-vectors.json', 'texenv-vectors.h')


class Wanted:
    """The option --tags: selects vectors that have one of the tags, and none of those after a '-'."""

    def __init__(self, text):
        words = [w for w in (text or '').split(',') if w]
        self.some = {w for w in words if w[0] != '-'}
        self.none = {w[1:] for w in words if w[0] == '-'}
        for name in sorted(self.some | self.none):
            if name not in vectors_text.ALL_TAGS:
                raise OracleError("error: --tags: there is no tag '%s'; these are %s"
                                  % (name, ', '.join(vectors_text.ALL_TAGS)))

    def __call__(self, tags):
        return (not self.some or bool(self.some & set(tags))) and not self.none & set(tags)


def take(made, count, wanted, tags_of):
    """Takes `count` of the wanted vectors, or fewer if a whole round (which ends with None) contains no
    wanted vector. Without a count, takes the wanted vectors of the first round."""
    out, before = [], 0
    for one in made:
        if one is None:
            if count is None or len(out) == before:
                break
            before = len(out)
        elif wanted(tags_of(one)):
            out.append(one)
        if count is not None and len(out) >= count:
            break
    return out


def vectors(count=None, tags=None, seed=1):
    """Returns (vectors of environments, vectors of vertices)."""
    wanted = Wanted(tags)
    cases = take(vector_states.all_cases(seed), count, wanted, vector_states.tags)
    points = take(vertex_vectors.all_vertices(seed), None if count is None else -(-count // 10), wanted,
                  lambda v: v.tags)
    if not cases and not points:
        raise OracleError("error: --tags: no vector has tags '%s'" % tags)
    return [vector_inputs.make(c, seed) for c in cases], points


def write(folder, texts):
    """Writes all files or none."""
    try:
        os.makedirs(folder, exist_ok=True)
        for name, text in zip(NAMES, texts):
            with open(os.path.join(folder, name + '.part'), 'w', encoding='ascii', newline='\n') as f:
                f.write(text)
        for name in NAMES:
            os.replace(os.path.join(folder, name + '.part'), os.path.join(folder, name))
    except OSError as e:
        for name in NAMES:
            if os.path.exists(os.path.join(folder, name + '.part')):
                os.remove(os.path.join(folder, name + '.part'))
        raise OracleError('error: %s: %s' % (folder, e.strerror)) from None


def command(args):
    made = vectors(args.count, args.tags, args.seed)
    texts = vectors_text.as_json(*made), vectors_text.as_header(*made)
    write(args.output, texts)
    print('%d environments, %d vertices: %s' % (*map(len, made), ', '.join(
        '%s (%d bytes)' % (os.path.join(args.output, name), len(text)) for name, text in zip(NAMES, texts))))
    return 0


def positive(text):
    if not text.isdigit() or not 1 <= int(text) <= MOST:
        raise ValueError(text)
    return int(text)


def add_commands(commands):
    p = commands.add_parser('vectors', help='write conformance vectors',
                            description='Write texenv-vectors.json and texenv-vectors.h: states, inputs as bytes '
                                        'and the colours that GL gives, from the exact evaluation.')
    p.add_argument('-o', dest='output', default='.', metavar='DIR', help='where (default: here)')
    p.add_argument('--count', type=positive, metavar='N',
                   help='N environments, and a tenth as many vertices (default: each class once, and pairs)')
    p.add_argument('--tags', metavar='TAG,...', help='those that have one of the tags; -TAG: and not this one')
    p.add_argument('--seed', type=int, default=1, metavar='N', help='other pairs and inputs (default 1)')
    p.set_defaults(run=command)
