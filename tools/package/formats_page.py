#!/usr/bin/env python3
"""Converts notes/formats.md and its pages to the manual page texenv-formats(5), on standard output.

usage: formats_page.py VERSION FORMATS.md PAGE...
"""
import re
import sys


def roff(text):
    text = text.replace('\\', '\\e').replace('-', '\\-').replace("'", '\\(aq')
    return '\\&' + text if text.startswith('.') else text


def inline(text):
    """Converts the inline markup of a paragraph: a link becomes its text, text in back quotes becomes
    bold."""
    text = re.sub(r'\[([^\]]+)\]\([^)]*\)', r'\1', text)
    parts = text.split('`')
    return ''.join(f'\\fB{roff(p)}\\fR' if n % 2 else roff(p) for n, p in enumerate(parts))


def paragraphs(lines):
    """Yields (kind, lines) for each block of text between blank lines. A heading, a list item and indented
    text begin a block of their own."""
    kind, group = None, []
    for line in lines + ['']:
        if line.startswith('#'):
            now = 'heading'
        elif line.startswith('- '):
            now = 'item'
        elif line.startswith('|'):
            now = 'code'
        elif not line:
            now = None
        elif line.startswith('    ') and kind not in ('item', 'text'):
            now = 'code'
        else:
            now = 'item' if kind == 'item' else 'text'
        if group and (now != kind or now == 'heading' or line.startswith('- ')):
            yield kind, group
            group = []
        kind = now
        if now:
            group.append(line)


def page(lines, version):
    yield f'.TH TEXENV\\-FORMATS 5 "" "texenvc {version}" "File Formats"'
    yield '.SH NAME\ntexenv\\-formats \\- text forms that texenvc reads and prints'
    yield '.SH DESCRIPTION'
    for kind, group in paragraphs(lines):
        if kind == 'heading':
            depth, text = re.match(r'(#+) (.*)', group[0]).groups()
            yield ('.SH ' if len(depth) == 1 else '.SS ') + inline(text)
        elif kind == 'code':
            yield '.PP\n.nf'
            yield from (roff(line) for line in group)
            yield '.fi'
        else:
            text = inline(' '.join(line.strip() for line in group))
            yield '.IP \\(bu 2\n' + text.replace('\\- ', '', 1) if kind == 'item' else '.PP\n' + text


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    lines = []
    for path in sys.argv[2:]:
        with open(path, encoding='utf-8') as f:
            lines += f.read().split('\n')
    sys.stdout.write('\n'.join(page(lines[1:], sys.argv[1])) + '\n')


main()
