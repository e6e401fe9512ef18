"""Compiles OpenGL texture environments to shaders, and to the words that program graphics chips.

    >>> import texenvc
    >>> print(texenvc.convert('{T0*P} {T1+P}*2', to='glsl'))

An input is a text (GL calls, a trace, stage notation, ...; bytes are text in UTF-8), or the path of a file
as a `pathlib.Path`, or a list of paths. Options are those of the command: `fold_constants=True` stands for
--fold-constants, and a list gives an option several times. `python3 -m texenvc COMMAND --help` describes
each option. Every call runs the command in a process of its own, so no input can crash the caller, and
several threads can call at the same time.
"""
import json
import os
import re
import subprocess
from typing import Any, Dict, List, Mapping, Optional, Sequence, TypedDict, Union, cast

__version__ = '@VERSION@'
__all__ = ['convert', 'explain', 'report', 'evaluate', 'vectors', 'run', 'TexenvcError', 'InputError',
           'UsageError', 'TargetError', 'InternalError']

_HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(_HERE, 'bin', 'texenvc')

Input = Union[str, bytes, 'os.PathLike[str]', Sequence['os.PathLike[str]']]
Option = Union[str, int, bool, None, Sequence[Union[str, int]]]
Color = Sequence[float]
Colors = Union[Sequence[Optional[Color]], Mapping[int, Color]]


class Diagnostic(TypedDict, total=False):
    """An error, a warning or a note about an input. Fields that do not apply are absent."""
    severity: str       # error, warning or note
    code: str           # a name for programs: 'unknown-name', 'syntax', 'usage', ...
    text: str
    file: str           # '<stdin>' for a text
    line: int
    column: int
    call: int           # the number of the call in a trace
    unit: int


class TexenvcError(Exception):
    """Raised by every function that cannot return a result. Its text is that of the first error, as
    FILE:LINE:COLUMN: REASON."""

    def __init__(self, status: int, diagnostics: List[Diagnostic], output: str = '') -> None:
        first: Diagnostic = next((d for d in diagnostics if d['severity'] == 'error'), {
            'severity': 'error', 'code': 'internal', 'text': 'texenvc ended with status %d' % status})
        self.status = status                        # 1 input, 2 usage, 3 target, 4 internal
        self.code: str = first['code']
        self.reason: str = first['text']            # the text without the place
        self.file: Optional[str] = first.get('file')
        self.line: Optional[int] = first.get('line')
        self.column: Optional[int] = first.get('column')
        self.unit: Optional[int] = first.get('unit')
        self.diagnostics = diagnostics              # all errors, warnings and notes
        self.output = output                        # the output for the states that fit, if there are any
        place = ''
        if self.line:
            place = '%s:%d:%d: ' % (self.file, self.line, self.column or 1)
        elif self.file:
            place = '%s: ' % self.file
        self.message: str = place + self.reason
        super().__init__(self.message)

    def __reduce__(self) -> Any:
        return type(self), (self.status, self.diagnostics, self.output)


class InputError(TexenvcError):
    """The input has errors, or a file cannot be read or written."""


class UsageError(TexenvcError):
    """Wrong options or arguments."""


class TargetError(TexenvcError):
    """The target cannot implement the state, or an option forbids it; `reason` says why."""


class InternalError(TexenvcError):
    """Lack of memory, or a bug in the command."""


_KINDS = {1: InputError, 2: UsageError, 3: TargetError, 4: InternalError}


class Source(TypedDict, total=False):
    file: str
    line: int
    column: int
    call: int           # the number of the call in a trace


class State(TypedDict):
    """A state of the input, and where it is."""
    state: int          # its number, from 1
    source: Source
    draws: int          # how many draws use it
    textures_assumed: bool


class StateReport(State, total=False):
    fits: bool
    stats: Dict[str, int]       # if it fits: the resources it uses, by name
    reason: str                 # if it does not fit
    code: str
    unit: Optional[int]
    would_fit_if: Optional[str]


class Totals(TypedDict):
    states: int
    fit: int
    assumed: int
    refused: int
    codes: Dict[str, int]
    sums: Dict[str, int]
    most: Dict[str, int]


class Report(TypedDict):
    target: str
    states: List[StateReport]
    totals: Totals


class Evaluation(State):
    units: List[List[Optional[float]]]  # the colour after each unit; None: depends on a missing input
    color: List[float]          # the final colour: after the colour sum, before fog and the alpha test
    rgba8: List[int]            # the final colour, rounded to bytes


class Vectors(TypedDict):
    """Conformance vectors; the field `how` explains them."""
    format: str
    version: int
    license: str
    about: str
    how: str
    background: List[int]
    enumerants: Dict[str, int]
    vectors: List[Dict[str, Any]]
    vertices: List[Dict[str, Any]]


class Result(TypedDict):
    status: int
    stdout: bytes
    stderr: bytes


def _usage(text: str) -> UsageError:
    return UsageError(2, [{'severity': 'error', 'code': 'usage', 'text': text}])


def run(args: Sequence[str], stdin: bytes = b'') -> Result:
    """Runs the command with any arguments, and returns its exit status, standard output and standard error.
    No exit status raises an exception."""
    done = subprocess.run([PROGRAM, *args], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return {'status': done.returncode, 'stdout': done.stdout, 'stderr': done.stderr}


def _diagnostics(stderr: str, status: int) -> List[Diagnostic]:
    """Returns the diagnostics in the command's standard error. A line that is not JSON reports wrong usage
    (found before --diag is read) or an internal error."""
    out: List[Diagnostic] = []
    code = {2: 'usage', 4: 'internal'}.get(status)
    for line in stderr.split('\n'):
        if line.startswith('{'):
            try:
                out.append(cast(Diagnostic, json.loads(line)))
            except ValueError:  # the command stopped while it wrote the line
                pass
        elif line and code:
            out.append({'severity': 'error', 'code': code, 'text': re.sub('^texenvc: (error: )?', '', line)})
    return out


def _flags(options: Mapping[str, Option]) -> List[str]:
    """fold_constants=True, level=2, assume=['a', 'b'] -> --fold-constants -O2 --assume=a --assume=b"""
    out = []
    for key, value in options.items():
        name = '--' + key.rstrip('_').replace('_', '-')
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is None or one is False:
                continue
            if not isinstance(one, (str, int)):
                raise _usage('%s: a text, a number or True is expected' % key)
            if name in ('--print-after', '--rule-counts'):
                raise _usage('%s: run() gives what is printed on standard error' % key)
            out.append('-O%s' % one if key == 'level' else name if one is True else '%s=%s' % (name, one))
    return out


def _numbers(name: str, color: Color, needed: int) -> str:
    try:
        parts = [float(x) for x in color]
    except (TypeError, ValueError):
        parts = []
    if not needed <= len(parts) <= 4 or not all(0 <= x <= 1 for x in parts):
        raise _usage('%s: %d numbers in [0,1] are expected' % (name, needed))
    return '--input=%s=%s' % (name, ','.join(repr(abs(x)) for x in parts))


def _given(letter: str, of_units: Colors) -> List[str]:
    try:
        items = list(of_units.items() if isinstance(of_units, Mapping) else enumerate(of_units))
    except TypeError:
        raise _usage('%s: a list or a dict of colours is expected' % ('texels' if letter == 'T' else 'colors'))
    return [_numbers('%s%s' % (letter, unit), color, 4) for unit, color in items if color is not None]


def _call(command: str, input: Input, options: Mapping[str, Option], more: Sequence[str],
          diagnostics: Optional[List[Diagnostic]]) -> str:
    args = [command, '--diag=json', *_flags(options), *more]
    stdin = b''
    if isinstance(input, (str, bytes)):
        stdin = input.encode('utf-8', 'surrogatepass') if isinstance(input, str) else input
        args.append('-')
    else:
        try:
            paths = [os.fspath(p) for p in ([input] if isinstance(input, os.PathLike) else input)]
        except TypeError:
            paths = []
        if not paths:
            raise _usage('the input: a text, a pathlib.Path or a list of these is expected')
        args += ['--', *(os.path.join('.', p) if p == '-' else p for p in paths)]
    if any('\0' in a for a in args):
        raise _usage('an option or a path has a NUL in it')
    done = run(args, stdin)
    stdout = done['stdout'].decode('utf-8', 'replace')
    status = done['status']
    said = _diagnostics(done['stderr'].decode('utf-8', 'replace'), status)
    if status and not (command == 'report' and status == 3):
        raise _KINDS.get(status, InternalError)(status, said, stdout)
    if diagnostics is not None:
        diagnostics += said
    return stdout


def convert(input: Input, to: str = 'atifs', *, diagnostics: Optional[List[Diagnostic]] = None,
            **options: Option) -> str:
    """Converts the input to a program, to the words of a chip or to another text form: to='glsl', 'r300',
    'json', ... `from_` stands for --from, `level` for -O. Warnings and notes are appended to diagnostics."""
    return _call('convert', input, {'to': to, **options}, (), diagnostics)


def explain(input: Input, *, diagnostics: Optional[List[Diagnostic]] = None, **options: Option) -> str:
    """Explains unit by unit what a texture environment computes and how it was compiled; html=True returns an
    HTML page."""
    return _call('explain', input, options, (), diagnostics)


def report(input: Input, target: str, *, diagnostics: Optional[List[Diagnostic]] = None,
           **options: Option) -> Report:
    """Reports which states fit on a chip, the resources that they use, and why the others do not fit. A state
    that does not fit raises no exception."""
    return cast(Report, json.loads(_call('report', input, {'target': target, 'json': True, **options}, (),
                                         diagnostics)))


def evaluate(input: Input, texels: Colors = (), primary: Optional[Color] = None,
             secondary: Optional[Color] = None, colors: Colors = (), *,
             diagnostics: Optional[List[Diagnostic]] = None, **options: Option) -> List[Evaluation]:
    """Returns the colour that each state computes. texels and colors (environment colours that replace the
    state's) are lists or dicts by unit; numbers are in [0,1]. Every input that a state reads must be given.
    Luminance, intensity and depth textures use the first number of a texel, depth textures of mode ALPHA the
    fourth; for a depth texture with comparison that number is the result of the comparison."""
    given = _given('T', texels) + _given('C', colors)
    if primary is not None:
        given.append(_numbers('primary', primary, 4))
    if secondary is not None:
        given.append(_numbers('secondary', secondary, 3))
    return cast(List[Evaluation], json.loads(_call('evaluate', input, {'json': True, **options}, given,
                                                   diagnostics))['states'])


def vectors(tags: Union[str, Sequence[str]] = ()) -> Vectors:
    """Returns the conformance vectors. Given tags select those that have at least one of them, and none of
    the tags that are written with a '-' before them."""
    with open(os.path.join(_HERE, 'texenv-vectors.json'), encoding='utf-8') as f:
        data = cast(Vectors, json.load(f))
    words = [w for w in (tags.split(',') if isinstance(tags, str) else tags) if w]
    some, none = {w for w in words if w[0] != '-'}, {w[1:] for w in words if w[0] == '-'}
    known = {tag for v in data['vectors'] + data['vertices'] for tag in v['tags']}
    for tag in sorted((some | none) - known):
        raise _usage("there is no tag '%s'; these are %s" % (tag, ', '.join(sorted(known))))

    def wanted(v: Dict[str, Any]) -> bool:
        return (not some or bool(some & set(v['tags']))) and not none & set(v['tags'])

    data['vectors'] = [v for v in data['vectors'] if wanted(v)]
    data['vertices'] = [v for v in data['vertices'] if wanted(v)]
    return data
