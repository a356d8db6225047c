"""Dying in the middle of a migration: after so many statements."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator

from sqlalchemy import event
from sqlalchemy.engine import Engine

CARRIED_OUT = "after_cursor_execute"


@contextlib.contextmanager
def counted() -> Iterator[list[str]]:
    """The statements that are carried out meanwhile."""
    seen: list[str] = []

    def count(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        seen.append(statement)

    event.listen(Engine, CARRIED_OUT, count)
    try:
        yield seen
    finally:
        event.remove(Engine, CARRIED_OUT, count)


def die_at(statement: int) -> None:
    """Have this process die by SIGKILL when so many statements were carried out; 0 is never."""
    left = statement

    def count(*_: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(Engine, CARRIED_OUT, count)
