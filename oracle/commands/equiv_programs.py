"""The command `equiv` for inputs that are not texture environments: general ARB programs, GLSL that was
converted from them, vertex programs, and states of the vertex half (words).
"""
import re
from collections import namedtuple

from ..common.errors import InputError, OracleError
from ..lang import arb_glsl, arb_run, glsl_vertex
from ..vertex import fixed_vertex, vertex_words
from . import arb, vertex

VECTORS = 32            # number of vectors for programs that are evaluated vector by vector
WORDS = 'vertex'        # the form of a state of the vertex half

# kind: vp or fp; thing: a program, or the words of a state
Side = namedtuple('Side', 'name kind form thing')


def language_of(first):
    """Returns texenvc's name of the GLSL version with this #version line."""
    for form, version in glsl_vertex.VERSIONS.items():
        if first == '#version ' + version:
            return form
    raise InputError('GLSL of this version is not read', 1, 1)


def parse(name, text):
    if text.startswith('!!ARB'):
        program = arb.ArbProgram(text)
        return Side(name, program.program.kind, 'arbfp', program)
    if text.startswith('!!texir'):
        raise InputError('an intermediate program that is no texture environment is not read: compare what '
                         '"convert --to arbfp" makes of it', 1, 1)
    if not text.startswith('#version '):
        raise InputError('no program', 1, 1)
    form = language_of(text.split('\n')[0].strip())
    kind = 'vp' if re.search(r'\bgl_Position\s*=', text) else 'fp'
    if kind == 'fp' and form not in arb_glsl.VERSIONS:
        raise InputError('fragment shaders of this version are not read here', 1, 1)
    return Side(name, kind, form, arb.read(text, form, kind))


def read(name, path, text, told):
    if told == WORDS or not told and path.endswith('.vertex'):
        return Side(name, 'vp', WORDS, vertex_words.split(text))
    try:
        return parse(name, text)
    except InputError as e:
        raise OracleError('%s:%d:%d: %s' % (name, e.line, e.col, e.message)) from None


def states_difference(a, b, vectors, totals):
    """Compares two states of the vertex half on vertices that were generated for one of the states, and on
    vertices for the other."""
    sides = [vertex.Reference(side.thing, side.name, vectors) for side in (a, b)]
    for drawn in sides:
        for k, gl in enumerate(drawn.drawn):
            verdict = arb_run.Verdict(vertex.WIDEST)
            vertex.compare(verdict, *(fixed_vertex.evaluate(side.state, gl) for side in sides))
            totals.compared += verdict.compared
            if verdict.difference:
                return 'vertex %d: %s' % (k, verdict.difference)
    return None


def difference(a, b, vectors, totals):
    """Returns how b differs from a, or None."""
    if a.form == WORDS and b.form == WORDS:
        return states_difference(a, b, vectors, totals)
    if b.form == WORDS:
        a, b = b, a
    if a.form == WORDS:
        found = vertex.Reference(a.thing, a.name, vectors).difference(b.thing, b.form, totals)
        return found and 'vertex %d: %s' % found
    return arb.Reference('', a.name, vectors, a.thing).difference(b.thing, b.form, totals)


def applies(paths, texts, told):
    """Returns whether both sides may be inputs of the kinds that this module compares. Programs as texenvc
    prints them for states are compared in equiv.py."""
    words = [t == WORDS or not t and p.endswith('.vertex') for p, t in zip(paths, told)]
    return any(words) or all(re.match(r'!!ARB|!!texir|#version ', text) for text in texts)


def compare(paths, names, texts, told, vectors):
    """Compares; returns the exit status."""
    a, b = (read(*x) for x in zip(names, paths, texts, told))
    if a.kind != b.kind:
        print('%s and %s are not of one kind' % (a.name, b.name))
        return 1
    totals = arb.Totals()
    vectors = min(vectors, VECTORS)
    why = difference(a, b, vectors, totals)
    if why:
        print('%s and %s differ: %s' % (a.name, b.name, why))
        return 1
    if not totals.compared:
        raise OracleError('%s, %s: nothing could be compared' % (a.name, b.name))
    print('no difference on %d inputs (%d components compared, %d undefined)'
          % (vectors, totals.compared, totals.undefined))
    return 0
