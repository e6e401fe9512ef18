"""Compares the states that the classic r200 driver accepted (classic_r200.py) with those that texenvc
accepts; prints a table for several populations (--count N states each, --seed N).

Exit status 1 if texenvc refuses a state that the classic driver accepted, needs more stages than that driver
for a state that the driver renders correctly, or refuses a state for which the oracle's search finds a
schedule (except those of MISSED); 77 if texenvc has no r200 target."""
import argparse
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from classic_r200 import classic, known_wrong                         # noqa: E402
from oracle.commands import inputs, texenvc  # noqa: E402
from oracle.hw import chips  # noqa: E402
from oracle.r200 import r200_schedule  # noqa: E402
from oracle.texenv.liveness import live_textures  # noqa: E402
from oracle.texenv.random_states import RandomStates, UniformStates  # noqa: E402
from oracle.texenv.stages_print import state_text  # noqa: E402
from oracle.texenv.state import DEFAULT_POLICY  # noqa: E402

PRIMARY = 'primary-in-first-pass'
# States that texenvc refuses although a schedule exists: the first pass hands T0's alpha to the second in a
# colour channel, and a stage would have to move it to an alpha half, which the compiler does not try
# (notes/pipeline.md, "Two passes").
MISSED = (
    '{T3.a*T5.a-~T5; lerp(~F,~T3,1)}*1;4 {~C.a*~C.a+P-0.5; T2-~P}*2;4 {dot3(~P,T0); 1*P-~0}*1;2 '
    '{P*T2+~0-0.5; P*T0+T0} {~F.a*~T5+~P-0.5; ~P*T5-~F}*4;1 {~T6*T3+P; ~P+1}*2;4 '
    '{~P+T2-0.5; lerp(P,C,1)}*1;2 {lerp(~T1,~P,T0.a); ~F*~P-1}*4;1 C1=(1,0.5019608,0.8980392,0.9647059) '
    'C6=(0.26666668,0.6627451,0.15686275,0.44705883)',
)
BATCH = 2000


class Corpus:
    """The states of tests/corpus."""

    def __init__(self):
        self.states = [i.state for p in inputs.find_files([os.path.join(ROOT, 'tests/corpus')])
                       for i in inputs.read_file(p)]

    def __len__(self):
        return len(self.states)

    def __getitem__(self, i):
        return self.states[i]


def populations(count, seed):
    features = ('combine', 'dot3', 'crossbar', 'literals', 'scales', 'constants', 'classic', 'combine4',
                'formats')
    yield 'corpus', Corpus()
    yield 'random 1..6, crossbar', UniformStates(count, (1, 6), seed)
    yield 'random 1..6, no crossbar', UniformStates(count, (1, 6), seed, crossbar=False)
    yield 'random 6, crossbar', UniformStates(count, 6, seed)
    yield 'full chains 1..6, crossbar', UniformStates(count, (1, 6), seed, chain=True)
    yield 'full chains 1..6, no crossbar', UniformStates(count, (1, 6), seed, crossbar=False, chain=True)
    yield 'full chains 6, crossbar', UniformStates(count, 6, seed, chain=True)
    yield 'full chains 8, crossbar', UniformStates(count, 8, seed, chain=True)
    yield 'any 1..8, combine4', RandomStates(count, seed, 8, features)


def answers(states, assume):
    """Yields the answer of texenvc for each state: Code or Refusal."""
    options = ['--from', 'stages', '--to', 'r200', '--format', 'json', '-q'] + (['--assume', PRIMARY]
        if assume else [])
    for at in range(0, len(states), BATCH):
        part = states[at:at + BATCH]
        _, out, _ = texenvc.convert(['-'], options, stdin=''.join(state_text(s) + '\n' for s in part))
        objects = json.loads(out)
        if len(objects) != len(part):
            raise SystemExit('texenvc gives %d states of %d' % (len(objects), len(part)))
        yield from map(chips.parse, objects)


class Row:
    """The counts for one population."""

    def __init__(self, name, assume):
        self.name, self.assume = name, assume
        self.states = self.theirs = self.ours = self.neither = self.only_ours = self.missed = 0
        # over states that both render correctly: stages of the driver, stages of texenvc, number of states
        self.stages = [0, 0, 0]
        self.wrong = 0
        self.shown = self.unknown = self.no_register = 0
        self.failures = []

    def add(self, state, answer):
        theirs = classic(state)
        refused = isinstance(answer, chips.Refusal)
        self.states += 1
        self.theirs += theirs.accepted
        self.ours += not refused
        self.no_register += theirs.reason == 'no free register'
        self.neither += refused and not theirs.accepted
        self.only_ours += not refused and not theirs.accepted
        if refused:
            if theirs.accepted:
                self.failures.append('refused (%s), and the classic driver takes it' % answer.reason)
            shadow = any(state.units[t].shadow for t in live_textures(state)[0])
            found = None if shadow else r200_schedule.search(state, DEFAULT_POLICY, self.assume)
            if isinstance(found, list) and state_text(state).strip() in MISSED:
                self.missed += 1
            elif isinstance(found, list):
                self.failures.append('refused (%s), and there is a schedule: %s'
                                     % (answer.reason, '; '.join(found)))
            elif found is None:
                self.shown += 1
            else:
                self.unknown += 1
        elif state_text(state).strip() in MISSED and not self.assume:
            self.failures.append('is in MISSED, and is not refused any more')
        elif theirs.accepted:
            if known_wrong(state):
                self.wrong += 1
                return
            self.stages[0] += theirs.stages
            self.stages[1] += answer.stats['stages']
            self.stages[2] += 1
            if answer.stats['stages'] > theirs.stages:
                self.failures.append('%d stages, the classic driver %d' % (answer.stats['stages'],
                    theirs.stages))

    def line(self):
        share = lambda n: '%6d %5.1f%%' % (n, 100.0 * n / max(1, self.states))
        mean = lambda k: '%5.2f' % (self.stages[k] / max(1, self.stages[2]))
        return '%-30s %-3s %7d %s %s %s %s %6d %6d   %s %s %6d' % (
            self.name, 'yes' if self.assume else 'no', self.states, share(self.theirs), share(self.ours),
            share(self.no_register), share(self.neither), self.shown,
            self.unknown, mean(0), mean(1), self.wrong)


HEAD = '%-30s %-3s %7s %13s %13s %13s %13s %6s %6s   %5s %5s %6s' % ('population', 'pfp', 'states', 'classic',
                                                                     'ours', 'no register', 'neither',
                                                                     'shown', 'open',
                                                                     'st.cl', 'st.ou', 'wrong')
LEGEND = '''pfp: with --assume primary-in-first-pass; no register: the classic driver's fallbacks for lack of one;
neither: refused by both; shown, open: our refusals for which the search shows that there is no schedule, or
shows nothing; st.cl, st.ou: mean stages, where both take the state and the classic driver's words are right;
wrong: states that the classic driver takes and renders wrong.'''


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--count', type=int, default=300)
    parser.add_argument('--seed', type=int, default=1)
    args = parser.parse_args()
    probe = subprocess.run([texenvc.program(), 'convert', '--to', 'r200', '--format', 'json', '-e', '{T}'],
                           capture_output=True)
    if probe.returncode == 2:
        print('texenvc has no target r200')
        return 77
    print(LEGEND + '\n' + HEAD, flush=True)
    failed = missed = 0
    for name, sequence in populations(args.count, args.seed):
        states = [sequence[i] for i in range(len(sequence))]
        for assume in (False, True):
            row = Row(name, assume)
            for state, answer in zip(states, answers(states, assume)):
                before = len(row.failures)
                row.add(state, answer)
                row.failures[before:] = ['%s\n    %s' % (state_text(state), f) for f in row.failures[before:]]
            print(row.line(), flush=True)
            for f in row.failures[:5]:
                print('  FAILED ' + f)
            failed += len(row.failures)
            missed += row.missed
    print('%d failures, %d known refusals with a schedule' % (failed, missed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
