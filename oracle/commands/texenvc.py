"""Runs the built texenvc."""
import os
import subprocess
import tempfile

from ..common.errors import OracleError

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..'))


class TexenvcError(OracleError):
    """texenvc could not be run, or ended in a way that it never should."""


def program():
    path = os.environ.get('TEXENVC') or os.path.join(ROOT, 'build', 'texenvc')
    if not os.access(path, os.X_OK):
        raise TexenvcError('%s does not exist (build it, or set TEXENVC)' % path)
    return path


def convert(files, options=(), stdin=None, statuses=(0, 3), timeout=None):
    """Runs `texenvc convert`; returns (exit status, standard output, standard error). Raises on other exit
    statuses."""
    argv = [program(), 'convert', *files, *options]
    with tempfile.TemporaryFile() as feed, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        if stdin is not None:
            feed.write(stdin.encode())
            feed.seek(0)
        done = subprocess.run(argv, stdin=feed, stdout=out, stderr=err, timeout=timeout)
        out.seek(0)
        err.seek(0)
        text, notes = out.read().decode('utf-8', 'replace'), err.read().decode('utf-8', 'replace')
    if done.returncode not in statuses:
        raise TexenvcError('%s ended with status %d:\n%s' % (' '.join(argv), done.returncode, notes[-2000:]))
    return done.returncode, text, notes
