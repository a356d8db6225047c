"""Real processes for tests: several that do something at once."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

PATIENCE_SECONDS = 120.0

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(
    ["furoshiki.core.database.connection", "furoshiki.feelings.state_files", "tests.support.processes"]
)
"""A fork costs milliseconds where a fresh interpreter costs half a second. The one that forks has no threads: a child
of a test run with threads could wait for ever for a lock that one of them held."""


def together(count: int, work: Callable[..., Any], *args: Any) -> list[Any]:
    """What `work(number, *args)` answers in each of `count` processes that begin at the same moment."""
    barrier = _forks.Barrier(count)
    pipes, running = [], []
    for number in range(count):
        ours, theirs = _forks.Pipe(duplex=False)
        process = _forks.Process(target=_run, args=(theirs, barrier, work, number, args))
        process.start()
        theirs.close()
        pipes.append(ours)
        running.append(process)
    answers = []
    for process, pipe in zip(running, pipes, strict=True):
        assert pipe.poll(PATIENCE_SECONDS), "a process did not come to an end"
        try:
            answers.append(pipe.recv())
        finally:
            process.join()
    errors = [answer for answer in answers if isinstance(answer, BaseException)]
    if errors:
        raise errors[0]
    return answers


def _run(pipe: Connection, barrier: Any, work: Callable[..., Any], number: int, args: tuple[Any, ...]) -> None:
    try:
        barrier.wait(PATIENCE_SECONDS)
        pipe.send(work(number, *args))
    except Exception as error:  # the edge of a process: it travels to the test that waits
        pipe.send(error)
