"""What a consultant says of decisions counts only where it is sure, agreed, measured, and not against the owner."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from furoshiki.routing.rules import reflection
from furoshiki.routing.rules.decisions import Decided, Reflected

NOW = datetime(2026, 3, 24, 12, tzinfo=UTC)


def made(number: int, knowing: float = 0.8, missing: str = "", sure: float = 0.9, **more: object) -> Decided:
    found = Reflected((missing,) if missing else (), sure)
    one = Decided(
        number, f"inbox:{number}", "telegram", "7", "RESPOND", "none", 0.5, 0.5, knowing, NOW, reflected=found
    )
    return replace(one, **more)  # type: ignore[arg-type]


FORGETFUL = [made(number, 0.1, "memory_availability") for number in range(4)] + [
    made(number) for number in range(4, 12)
]
"""Twelve decisions: what is said to have been missing in four was missing there by what was measured, too."""


def test_what_is_sure_agreed_and_measured_counts() -> None:
    found = reflection.disagreement(FORGETFUL)
    assert found is not None
    assert (round(found.share, 2), found.dimension) == (0.33, "memory_availability")


def test_against_the_owners_praise_nothing_counts() -> None:
    praised = [replace(one, feedback="correct_route") for one in FORGETFUL]
    assert reflection.disagreement(praised) == reflection.Disagreement(0.0, None)


def test_what_is_said_of_all_alike_is_believed_of_none() -> None:
    assert reflection.disagreement([made(number, 0.1, "memory_availability") for number in range(12)]) == (
        reflection.Disagreement(0.0, None)
    )


def test_what_does_not_go_with_what_was_measured_is_not_believed() -> None:
    """It is said to have been missing where most was at hand."""
    odd = [replace(one, knowing=1.0 - (one.knowing or 0.0)) for one in FORGETFUL]
    assert reflection.disagreement(odd) == reflection.Disagreement(0.0, None)


def test_neither_what_is_unsure_nor_what_few_agree_on_nor_a_few_alone() -> None:
    unsure = [replace(one, reflected=Reflected(("memory_availability",), 0.70)) for one in FORGETFUL[:4]]
    assert reflection.disagreement([*unsure, *FORGETFUL[4:]]) == reflection.Disagreement(0.0, None)
    assert reflection.disagreement([*FORGETFUL[:3], *FORGETFUL[4:], made(20)]) == reflection.Disagreement(0.0, None)
    assert reflection.disagreement(FORGETFUL[:9]) is None


def test_half_of_a_batch_is_what_was_least_certain() -> None:
    open_ = [made(number, confidence=number / 20) for number in range(20)]
    open_[10] = replace(open_[10], tie_break="score")
    assert [one.id for one in reflection.batch(open_)] == [0, 1, 2, 10, 19]
    assert [one.id for one in reflection.batch(open_[:3])] == [0, 1, 2]
