"""Texts made to hold up a regular expression, derived from its own parse tree, and how long it takes on them.

What makes a backtracking engine slow is a part that repeats where nothing fits at the end: so every repeated part is
written out many times, after what must stand before it, with and without what follows it, and with endings that fail.
"""

from __future__ import annotations

import gc
import re
import re._constants as op  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

VARIANTS = 5
"""How many ways a part is written out: other branches, other letters of a set."""

ENDINGS = ("!\x01", "\nx")
"""What nothing fits any more: where a match is found at once, nothing is held up."""

GENERIC = (
    *" \n\t\"'`,.;:!?-–…*_#>|/\\()[]{}<=&@a0A\u201c\u201d\u2019\u0301\u0627\u00df\u0130",
    *(" \n", "\n\n", "a ", "I ", "a b ", "just ", "and ", "to ", "the ", "1 ", "1. ", "a.", "a. ", "A. ", "a, ", "a\n"),
    *("- ", "> a\n", "at 1 ", '" ', '"a ', "'a", "[a", "(a", "* a", "**a", "`a", "a-", "a's ", "1:", "http://", "<a>"),
    *("i am ", "my ", "of ", "in ", "remind me ", "remember ", "a@", "a:", "a: ", "Aa ", "A", "|-", "[[", "]]", "```"),
)
"""Runs that are tried on every pattern."""

_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT)
_MANY = 4
_OTHERS = 'a !0\n"A-,\u00e9_.'
_CLASSES = {
    op.CATEGORY_SPACE: " \n\t",
    op.CATEGORY_NOT_SPACE: "a!0",
    op.CATEGORY_WORD: "aA0_\u00e9",
    op.CATEGORY_NOT_WORD: "! \n,",
    op.CATEGORY_DIGIT: "01",
    op.CATEGORY_NOT_DIGIT: "a !",
}


def attacks(pattern: str, flags: int) -> Iterator[Callable[[int], str]]:
    """Makers of texts of a wished length."""
    seen = set()
    for before, pump in (*_pumps(parser.parse(pattern, flags)), *(("", run) for run in GENERIC)):
        for ending in ENDINGS:
            if pump and (before, pump, ending) not in seen:
                seen.add((before, pump, ending))
                yield _maker(before, pump, ending)


def constructs(pattern: str, flags: int) -> set[str]:
    """The names of what a pattern is made of, at any depth, as the parser of `re` calls them."""
    return {str(kind) for kind in _kinds(parser.parse(pattern, flags))}


def _kinds(part: Any) -> Iterator[Any]:
    if isinstance(part, op._NamedIntConstant):
        yield part
    elif isinstance(part, parser.SubPattern | list | tuple):
        for inner in part:
            yield from _kinds(inner)


def _maker(before: str, pump: str, ending: str) -> Callable[[int], str]:
    def text(length: int) -> str:
        return (before + pump * (length // len(pump) + 1))[: max(0, length - len(ending))] + ending

    return text


def _pumps(tree: Any) -> Iterator[tuple[str, str]]:
    for variant in range(VARIANTS):
        whole = _sample(tree, variant)
        yield "", whole
        yield "", f"{whole} "
        yield from _within(tree, "", variant)


def _within(items: Any, before: str, variant: int) -> Iterator[tuple[str, str]]:
    """What stands before each repeated part, and the part, with and without what comes around it."""
    items = list(items)
    for at, (kind, value) in enumerate(items):
        here = before + _sample(items[:at], variant)
        after = _sample(items[at + 1 : at + 3], variant)
        if kind in _REPEATS:
            _least, most, body = value
            part = _sample(body, variant)
            if most >= _MANY:
                yield here, part
                yield here, part + after
                yield "", here[-40:] + part
                yield "", here[-40:] + part * 3
                yield "", here[-40:] + part * 3 + after
                yield here, part + _sample(body, variant + 1)
            yield from _within(body, here, variant)
        elif kind == op.BRANCH:
            for branch in value[1]:
                yield from _within(branch, here, variant)
        elif kind == op.SUBPATTERN:
            yield from _within(value[-1], here, variant)
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            yield from _within(value[1], here, variant)


def _sample(items: Any, variant: int) -> str:
    """Something the items match (nearly: what looks around is left out), another one for each variant."""
    return "".join(_one(kind, value, variant + at) for at, (kind, value) in enumerate(items))


def _one(kind: Any, value: Any, variant: int) -> str:
    if kind == op.LITERAL:
        return chr(value)
    if kind in (op.NOT_LITERAL, op.ANY):
        fitting = [letter for letter in _OTHERS if kind == op.ANY or ord(letter) != value]
        return fitting[variant % len(fitting)]
    if kind == op.IN:
        return _of_set(value, variant)
    if kind == op.BRANCH:
        return _sample(value[1][variant % len(value[1])], variant)
    if kind == op.SUBPATTERN:
        return _sample(value[-1], variant)
    if kind in _REPEATS:
        least, most, body = value
        times = max(least, min(most, variant % 3))
        return "".join(_sample(body, variant + time_) for time_ in range(min(times, 100)))
    return ""


def _of_set(value: Any, variant: int) -> str:
    inside: list[str] = []
    for kind, part in value:
        if kind == op.LITERAL:
            inside.append(chr(part))
        elif kind == op.RANGE:
            inside += [chr(part[0]), chr(part[1])]
        elif kind == op.CATEGORY:
            inside += _CLASSES.get(part, "a")
    if value and value[0][0] == op.NEGATE:
        not_in = set(inside)
        inside = [letter for letter in _OTHERS if letter not in not_in] or ["a"]
    return inside[variant % len(inside)] if inside else "a"


class Hung(Exception):
    """It did not end in time."""


def seconds(work: Callable[[], object], limit: float) -> float:
    """CPU time in seconds of one go or, above the limit, the least that it would have taken on an idle machine, for
    which the limits are meant; far above the limit when it would not end.

    To be called within `stopping`.
    """
    took = _once(work, limit)
    return took if took <= limit else min(_on_idle(work, limit) for _ in range(ROUNDS))


ROUNDS = 7


def _on_idle(work: Callable[[], object], limit: float) -> float:
    """CPU time of one go, less what the machine is slower by: the reference is timed right before it and right after
    it, and the slower of the two counts, for a machine that others use is slow by moments."""
    before = _slowness()
    took = _once(work, limit)
    return took / max(1.0, before, _slowness())


def _slowness() -> float:
    """How many times longer than on an idle machine a search takes at this moment, in a text no longer than those that
    patterns meet: one that lies in the processor's memory would not notice that the machine's is busy."""
    return _once(lambda: [_REFERENCE.findall(_REFERENCE_TEXT) for _ in range(22)], 1.0) / REFERENCE_SECONDS


_REFERENCE = re.compile(r"\b(?:my|our)\s+(?:[\w-]{1,20}\s+){0,3}?(?:sister|brother|dog)\b")
_REFERENCE_TEXT = ("my older little cat and our very big " * 325)[:12_000]
REFERENCE_SECONDS = 0.01
"""What the reference took on two idle virtual x86 cores."""


def _once(work: Callable[[], object], limit: float) -> float:
    signal.setitimer(signal.ITIMER_PROF, limit * 20)
    gc.disable()  # a signal that falls into somebody's finalizer is swallowed there
    start = time.thread_time()
    try:
        work()
        return time.thread_time() - start
    except Hung:
        return limit * 20
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        gc.enable()


@contextmanager
def stopping() -> Iterator[None]:
    """What is tried within can be ended where it hangs."""

    def stop(*_: object) -> None:
        raise Hung

    before = signal.signal(signal.SIGPROF, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGPROF, before)
