"""Runs the cases that packages.py writes to cases.json, by the Python package that is installed here. With a
number N: makes N further calls and compares the memory in use."""
import inspect
import json
import os
import pathlib
import pickle
import resource
import sys
import time
import typing
from typing import Any, Dict, List

import texenvc

checks, failed = 0, 0
KINDS = {k.__name__: k for k in (texenvc.InputError, texenvc.TargetError, texenvc.UsageError)}


def check(ok: bool, message: object) -> None:
    global checks, failed
    checks += 1
    if not ok:
        failed += 1
        print('python: failed:', message)


def call(name: str, given: Any, options: Dict[str, Any]) -> Any:
    words = {''.join('_' + c.lower() if c.isupper() else c for c in key): options[key] for key in options}
    if name == 'vectors':
        found = texenvc.vectors(**words)
        return sorted(v['name'] for v in found['vectors'] + found['vertices'])
    return getattr(texenvc, name)(given, **words)


def error_of(name: str, given: Any, options: Dict[str, Any]) -> Any:
    try:
        return call(name, given, options)
    except texenvc.TexenvcError as e:
        return e


def good(calls: List[Dict[str, Any]]) -> None:
    times: Dict[str, List[float]] = {}
    for c in calls:
        start = time.perf_counter()
        found = error_of(c['function'], c['input'], c['options'])
        times.setdefault(c['function'], []).append(time.perf_counter() - start)
        if c['fails']:
            found = type(found).__name__
        check(found == c['want'], '%s: %r' % (c, found))
    for name, each in times.items():
        check(len(each) == 50, '%s: %d calls' % (name, len(each)))
    print('python: a call, median of 50 states: ' + ', '.join(
        '%s %.2f ms' % (name, 1000 * sorted(each)[len(each) // 2]) for name, each in times.items()))


def bad(rows: List[Any]) -> None:
    for name, given, options, kind, (line, column, unit), text in rows:
        e = error_of(name, given, options)
        where = '%s %s %s' % (name, repr(given)[:40], options)
        check(type(e) is KINDS[kind], '%s: %r' % (where, e))
        check(e.line == line and column in (None, e.column) and unit in (None, e.unit),
              '%s: place %s:%s unit %s' % (where, e.line, e.column, e.unit))
        check(text in e.reason and e.message.endswith(e.reason) and str(e) == e.message and e.code
              and e.status > 0, '%s: %s' % (where, e))
        check(line is None or e.message.startswith('<stdin>:%d:' % line), '%s: %s' % (where, e))
        again = pickle.loads(pickle.dumps(e))
        check(type(again) is type(e) and again.message == e.message, '%s: pickled' % where)


def files() -> None:
    path = pathlib.Path('b.gl')
    path.write_text('glEnable(GL_TEXTURE_2D);\nglTexEnvi(GL_TEXTURE_ENV, GL_NONSENSE, 1);\nglRectf(0,0,1,1);\n')
    e = error_of('convert', path, {})
    check(isinstance(e, texenvc.InputError) and e.file == 'b.gl' and e.line == 2, e)
    e = error_of('convert', pathlib.Path('missing.gl'), {})
    check(isinstance(e, texenvc.InputError) and 'missing.gl' in e.reason, e)
    pathlib.Path('c.stages').write_text('{T0*P}\n')
    pathlib.Path('d.stages').write_text('{T0+P}\n')
    found = texenvc.report([pathlib.Path('c.stages'), pathlib.Path('d.stages')], 'r200')
    check([s['source']['file'] for s in found['states']] == ['c.stages', 'd.stages'], found)
    e = error_of('convert', '{T7*P}\n{T0*P}', {'to': 'pica200'})
    check('# state 2' in e.output, e.output)
    told: List[texenvc.Diagnostic] = []
    texenvc.convert('glEnable(GL_TEXTURE_2D); glTexEnvi(GL_TEXTURE_ENV, GL_RGB_SCALE, 3); glRecti(0, 0, 1, 1);',
                    diagnostics=told)
    check(len(told) == 1 and told[0]['severity'] == 'warning' and told[0]['column'] == 26, told)
    check(texenvc._diagnostics('{"cut\ntexenvc: internal error: no memory\n', 4) == [
        {'severity': 'error', 'code': 'internal', 'text': 'internal error: no memory'}], 'an internal error')
    check(texenvc.convert('{T0*P}', 'stages', from_='stages') == '{T0*P}\n', 'from_')
    check(texenvc.run(['--version'])['stdout'].decode().split()[1] == texenvc.__version__, 'version')


def types() -> None:
    folder = os.path.dirname(texenvc.__file__)
    check(os.path.exists(os.path.join(folder, 'py.typed')), 'py.typed')
    for name in ('convert', 'explain', 'report', 'evaluate', 'vectors', 'run'):
        function = getattr(texenvc, name)
        hints = typing.get_type_hints(function)
        check(set(hints) == set(inspect.signature(function).parameters) | {'return'}, '%s: %s' % (name, hints))
    made: texenvc.Evaluation = texenvc.evaluate('{T0*P}', {0: (1, 0.5, 0, 1)}, primary=(1, 1, 1, 0.5))[0]
    check(made['rgba8'] == [255, 128, 0, 128], made)
    check(set(made) == set(typing.get_type_hints(texenvc.Evaluation)), made)
    made = texenvc.evaluate('{T1} {T0}', [(1, 0.5, 0, 1)])[0]
    unknown: typing.Optional[float] = made['units'][0][0]
    check(unknown is None and made['units'] == [[None] * 4, [1, 0.5, 0, 1]], made)
    in_unit = typing.get_type_hints(texenvc.Evaluation)['units']
    check(in_unit == List[List[typing.Optional[float]]], in_unit)
    check(texenvc.explain('{T0*P}', html=True).startswith('<!DOCTYPE html>'), 'html')
    of: texenvc.Report = texenvc.report('{T7*P}', 'pica200')
    check(set(of) == set(typing.get_type_hints(texenvc.Report)), of)
    check(set(of['totals']) == set(typing.get_type_hints(texenvc.Totals)), of)
    check(set(of['states'][0]) <= set(typing.get_type_hints(texenvc.StateReport)), of)
    check(set(texenvc.vectors()) == set(typing.get_type_hints(texenvc.Vectors)), 'vectors')


def memory(more: int) -> None:
    few, before, start = min(more // 10, 5000), 0, time.perf_counter()
    for n in range(more):
        if n == few:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        found = error_of('convert', '{T0*P} {T1+Q}' if n % 4 == 3 else '{T0*P} {T1+P}*2',
                         {'to': ('glsl', 'r200', 'atifs')[n % 3]})
        check(isinstance(found, texenvc.InputError if n % 4 == 3 else str), found)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print('python: %d calls, %.2f ms each: at most %.1f MB until %d, %.1f MB until the end; program %.1f MB' % (
        more, 1000 * (time.perf_counter() - start) / more, before / 1024, few, after / 1024,
        resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024))
    check(after < before + 4096, 'memory grows')


def main() -> None:
    with open('cases.json', encoding='utf-8') as f:
        cases = json.load(f)
    good(cases['calls'])
    bad(cases['bad'])
    files()
    types()
    if len(sys.argv) > 1:
        memory(int(sys.argv[1]))
    print('python: %d checks, %d failed' % (checks, failed))
    sys.exit(failed != 0)


main()
