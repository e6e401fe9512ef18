"""Distributes work over processes."""
import multiprocessing


def _files(job):
    from .check import check_files
    paths, kind, options, vectors, seed, share = job
    return check_files(paths, kind, options, vectors, seed, share=share)


def run(function, jobs, count):
    """Yields the results of function(job), in order."""
    if count <= 1:
        for job in jobs:
            yield function(job)
        return
    with multiprocessing.get_context('fork').Pool(count) as pool:
        yield from pool.imap(function, jobs)


def parallel_files(paths, kind, options, vectors, seed, count, share=1):
    from .check import Totals, terminal_progress
    size = max(1, min(100, (len(paths) + count - 1) // count))
    work = [(paths[i:i + size], kind, options, vectors, seed, share) for i in range(0, len(paths), size)]
    totals = Totals()
    for part in run(_files, work, count):
        totals.add(part)
        terminal_progress(totals)
    return totals
