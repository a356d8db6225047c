"""How work grows with its text: compared with its own smaller case, so that no machine is too slow for a test."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable

TIMES = 10
"""The long text is so many times as long as the brief one."""

MOST_GROWTH = 30.0
"""What grows with the length takes ten times as long, what grows with its square a hundred times."""

_LEAST_SECONDS = 0.001
"""A brief text that takes less is too brief to be compared with."""


def growth(work: Callable[[str], object], unit: str, longest: int, brief: int | None = None, tries: int = 3) -> float:
    """How many times as long as `brief` characters of `unit`, else a tenth of them, `longest` take, in CPU time: the
    least of the tries each, by turns."""
    lengths = (longest // TIMES if brief is None else brief, longest)
    few, many = ((unit * (length // len(unit) + 1))[:length] for length in lengths)
    work(few)  # what is made at first use is there now
    took = [(_seconds(work, few), _seconds(work, many)) for _ in range(tries)]
    return min(seconds for _, seconds in took) / max(_LEAST_SECONDS, min(seconds for seconds, _ in took))


def calls(work: Callable[[], object]) -> int:
    """How many functions are called, of Python and of C, while the work is done."""
    found = 0

    def count(_frame: object, event: str, _arg: object) -> None:
        nonlocal found
        found += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return found


def _seconds(work: Callable[[str], object], text: str) -> float:
    gc.disable()  # what else this process holds would be looked through meanwhile
    try:
        began = time.thread_time()
        work(text)
        return time.thread_time() - began
    finally:
        gc.enable()
