"""When a loop ends: after so long, after so many rounds, and when its actions only come again."""

from __future__ import annotations

import pytest

from furoshiki.conversation.acting.rules import stopping
from furoshiki.conversation.acting.rules.stopping import BACKGROUND, Bounds, Step, in_words, verdict

AT_ONCE = Bounds(60.0, 10.0, 30)


def asked(query: str, *vector: float, changed: bool = False) -> Step:
    return Step(in_words([("recall", {"query": query})]), vector, changed)


LISBON, OPORTO, BRAGA = asked("Lisbon", 1.0, 0.0), asked("Oporto", 0.0, 1.0), asked("Braga", -1.0, 0.0)
NEARLY = asked("Lisboa", 0.99, 0.1)


@pytest.mark.parametrize(
    ("steps", "elapsed", "expected"),
    [
        ([], 0.0, None),
        ([LISBON, OPORTO, BRAGA], 0.0, None),
        ([LISBON], 60.0, "time"),
        ([LISBON] * 2, 0.0, None),
        ([LISBON] * 3, 0.0, "same"),
        ([LISBON, NEARLY, asked("Lissabon", 0.98, 0.15)], 0.0, "circles"),
        ([LISBON, OPORTO, NEARLY, OPORTO], 0.0, "circles"),
        ([LISBON, OPORTO, NEARLY, BRAGA], 0.0, None),
        ([LISBON, OPORTO, BRAGA, asked("Faro", 0.1, -1.0), NEARLY, OPORTO], 0.0, None),
        ([asked(f"{n}", *(float(n == m) for m in range(30))) for n in range(30)], 0.0, "rounds"),
    ],
)
def test_a_loop_ends_by_its_limits(steps: list[Step], elapsed: float, expected: str | None) -> None:
    assert verdict(steps, elapsed, AT_ONCE) == expected


def test_nobody_waits_for_work_in_the_background() -> None:
    assert verdict([LISBON], 1700.0, BACKGROUND) is None
    assert verdict([LISBON, OPORTO, BRAGA, asked("a b", 0.1, -1.0), asked("c d", -0.8, 0.6)], 0, BACKGROUND) == "rounds"


def test_without_vectors_words_are_compared() -> None:
    steps = [asked("the harbour at night"), asked("at night the harbour"), asked("night at the harbour")]
    assert verdict(steps, 0.0, AT_ONCE) == "circles"
    assert verdict([asked("the harbour"), asked("the market"), asked("the school")], 0.0, AT_ONCE) is None


def test_what_brings_something_about_repeats_nothing() -> None:
    added = [
        Step(in_words([("list", {"items": [item]})]), (1.0, 0.0), changed=True) for item in ("milk", "bread", "tea")
    ]
    assert verdict(added, 0.0, AT_ONCE) is None
    assert not stopping.could_circle(added)
