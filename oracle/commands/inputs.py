"""Reads inputs of any form: detects the form of a text, and yields its states with their positions."""
import os
import re
from collections import namedtuple

from ..common.errors import InputError, OracleError
from ..gl import apitrace, gl_text
from ..texenv import stages
from ..texenv.state import DEFAULT_POLICY

STATE_KINDS = ('gl', 'apitrace', 'stages')
Item = namedtuple('Item', 'state file line call draws')
EXTENSIONS = ('.gl', '.c', '.txt', '.stages', '.trace', '.ir', '.atifs')


def detect(text):
    """Detects the form of a text: gl, apitrace, stages, ir, atifs or language (notes/formats.md)."""
    if re.search(r'^!!ATIfs', text, re.M):
        return 'atifs'
    if re.search(r'^!!texir', text, re.M):
        return 'ir'
    if re.search(r'^!!ARBfp1.0|^#version ', text, re.M):
        return 'language'
    body = re.sub(r'/\*.*?\*/|//[^\n]*|^[ \t]*#[^\n]*', '', text, flags=re.S | re.M).lstrip()
    if re.match(r'\d+\s*(@[0-9a-fA-F]+\s+)?\w+\(', body):
        return 'apitrace'
    if re.search(r'\bgl[A-Z]\w*\s*\(', body):
        return 'gl'
    return 'stages' if body.startswith('{') else 'gl'


def read_text(text, kind, path='<input>', policy=DEFAULT_POLICY):
    """Yields an Item for each state of a text."""
    try:
        if kind == 'stages':
            for state, line in stages.read(text):
                yield Item(state, path, line, None, 1)
        elif kind == 'gl':
            for state, line in gl_text.read(text):
                yield Item(state, path, line, None, 1)
        elif kind == 'apitrace':
            for state, call, draws in apitrace.read(text.splitlines(True), lambda: text, policy):
                yield Item(state, path, None, call, draws)
        else:
            raise InputError('a texture environment is needed, not a program')
    except InputError as e:
        e.path = path
        raise


def load(path):
    with open(path, encoding='utf-8-sig', errors='replace', newline='') as f:
        return f.read()


def read_file(path, kind=None):
    text = load(path)
    return read_text(text, kind or detect(text), path)


def find_files(paths):
    """Returns the named files, and the files below named directories in the order of their names."""
    out = []
    for p in paths:
        if os.path.isdir(p):
            for root, dirs, files in sorted(os.walk(p)):
                out += [os.path.join(root, f) for f in sorted(files)
                        if f.endswith(EXTENSIONS) and not f.startswith('.')]
        elif os.path.exists(p):
            out.append(p)
        else:
            raise OracleError('%s: no such file' % p)
    return out
