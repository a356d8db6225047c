"""A bar for whoever watches: drawn when a terminal is attached, and nothing at all when none is."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

from furoshiki.core.terminal import styled


def watched() -> bool:
    """Whether somebody sits at a terminal."""
    return sys.stderr.isatty()


@contextlib.contextmanager
def bar(steps: int) -> Iterator[Callable[[str, float], None]]:
    """Call what this yields with the name of the step that begins, and how many steps are done."""
    if not watched():
        yield lambda _name, _done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:<28}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(file=styled(sys.stderr)), transient=True) as progress:
        task = progress.add_task("", total=steps)
        yield lambda name, done: progress.update(task, description=name, completed=done)
