"""Splits outputs that contain several states, at `# state N FILE:LINE` lines (notes/formats.md)."""
import re
from collections import namedtuple

LINE = re.compile(r'(?:#|//) state (\d+) (.*?):(?:call (\d+), (\d+) draws?|(\d+))(?: refused: (.*))?$')
Block = namedtuple('Block', 'number file call draws line refused text')


def parse_header(line):
    """Returns a Block without text for a framing line, None for other lines."""
    m = LINE.match(line.rstrip('\r\n'))
    if not m:
        return None
    number, path, call, draws, at, refused = m.groups()
    return Block(int(number), path, int(call) if call else None, int(draws) if draws else None,
                 int(at) if at else None, refused, '')


def blocks(lines):
    """Yields Blocks from an iterable of lines; text without any framing line is one Block with number None.
    """
    head, body, seen = Block(None, None, None, None, None, None, ''), [], False
    for line in lines:
        if line.startswith(('# state ', '// state ')):
            new = parse_header(line)
            if new is not None:
                if seen or any(x.strip() for x in body):
                    yield head._replace(text=''.join(body))
                head, body, seen = new, [], True
                continue
        body.append(line)
    if seen or any(x.strip() for x in body):
        yield head._replace(text=''.join(body))


def split(text):
    return list(blocks(text.splitlines(True)))
