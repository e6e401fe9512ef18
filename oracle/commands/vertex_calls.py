"""The command `vertex-calls`: runs random GL calls about the vertex half through texenvc's reader of calls
and through the oracle's state machine. The modes at the draw, and refusals, must agree.
"""
import os
import random
import re
import tempfile
from collections import Counter

from ..common import framing
from ..common.errors import OracleError
from ..vertex import vertex_calls, vertex_words
from . import texenvc
from .jobs import run

BATCH = 100
LONGEST = 60
# beginning of the reason that texenvc reports -> the result of Machine.refusal
REFUSALS = {'the modelview matrix is projective': 'normals', 'w of eye coordinates is not 1': 'places',
            'w of eye coordinates is negative': 'directions'}
LEFT_OUT = re.compile(r'(\S+?):\d+:\d+: note: the vertex half is left out: (.*?) \[vertex\]')


def script(seed, index):
    """Returns (calls as C, the state after them, the reason of a refusal or None)."""
    rng, machine, lines = random.Random('%s.%s' % (seed, index)), vertex_calls.Machine(), []
    for _ in range(rng.randrange(5, LONGEST)):
        name, args = vertex_calls.random_call(rng)
        machine.call(name, args)
        lines.append(vertex_calls.as_text(name, args))
    text = '\n'.join(lines) + '\n' + vertex_calls.READER + 'glDrawArrays(GL_TRIANGLES, 0, 3);\n'
    return text, machine.state(), machine.refusal()


def read_states(texts):
    """Converts scripts by texenvc; returns [(VertexState, reason of a refusal or None)]."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, '%d.gl' % k) for k in range(len(texts))]
        for path, text in zip(paths, texts):
            with open(path, 'w', encoding='ascii') as f:
                f.write(text)
        _, out, notes = texenvc.convert(paths, ['--from', 'gl', '--to', 'stages'])
    left_out = dict(LEFT_OUT.findall(notes))
    blocks = framing.split(out)
    if len(blocks) != len(texts):
        raise OracleError('texenvc gives %d states for %d scripts' % (len(blocks), len(texts)))
    for path, block in zip(paths, blocks):
        words = re.search(r' vertex\((.*)\)', block.text)
        state = vertex_words.read(words.group(1) if words else '')
        if re.search(r' fog=\w+:coord', block.text):
            state.flags.add('fog-coord')
        yield state, left_out.get(path)


def _chunk(job):
    seed, first, last = job
    scripts = [script(seed, i) for i in range(first, last)]
    counts, wrong = Counter(), []
    found = read_states([text for text, _, _ in scripts])
    for i, ((text, want, refusal), (got, why)) in enumerate(zip(scripts, found), first):
        known = next((REFUSALS[x] for x in REFUSALS if why and why.startswith(x)), why)
        if known != refusal:
            wrong.append((i, text, refusal, known))
        elif why:
            counts[why] += 1
        elif got.parts() != want.parts():
            wrong.append((i, text, want.parts(), got.parts()))
        else:
            counts['equal'] += 1
    return counts, wrong


def command(args):
    counts, wrong = Counter(), []
    jobs = [(args.seed, i, min(i + BATCH, args.count)) for i in range(0, args.count, BATCH)]
    for some, bad in run(_chunk, jobs, args.jobs):
        counts.update(some)
        wrong += bad
    equal = counts.pop('equal', 0)
    print('%d scripts: %d equal, %d refused, %d mismatches' % (args.count, equal, sum(counts.values()), len(wrong)))
    for why, count in counts.most_common(5):
        print('  refused %d: %s' % (count, why))
    for i, text, want, got in wrong[:3]:
        print('---- script %d: expected %s\nfound %s\n%s' % (i, want, got, text.rstrip('\n')))
    return 1 if wrong or not equal else 0


def add_commands(commands):
    p = commands.add_parser('vertex-calls', help='random calls about the vertex half, read by texenvc and here')
    p.add_argument('--count', type=int, default=1000)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--jobs', type=int, default=1, metavar='N', help='processes')
    p.set_defaults(run=command)
