"""Of use again and again over weeks, a memory is held more firmly, a tenth a night, and not to near certainty."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from furoshiki.memory import weighing
from furoshiki.memory.rules.ceilings import Coherence
from furoshiki.memory.store import retrievals
from furoshiki.memory.store.retrievals import Retrieval
from furoshiki.mind.consolidation import promotion
from tests.support.consolidating import Night, days, iso

NOTHING = {"promoted": 0, "asked": 0, "held_back": 0, "rolled_back": 0}


def needed(night: Night, times: int, over: float, *, shown: int = 0, a_day: int = 1, **more: Any) -> int:
    """A memory that answers were made of on so many days, the last of them today, and shown so often besides.

    Other memories were shown meanwhile, and used now and then.
    """
    at = {"access_count": times * a_day + shown, "last_accessed_at": iso(night.clock.at)}
    row = night.keep("They row on the river.", days_ago=over, **at, **more)
    with night.world.database.write() as db:
        keys = iter(f"{row}.{number}" for number in range(10_000))
        for number in range(times * a_day):
            at_noon = night.clock.at - days(number // a_day)
            retrievals.record(db, next(keys), [Retrieval(f"memory:{row}", 1, True, True)], at_noon)
        for number in range(shown):
            retrievals.record(db, next(keys), [Retrieval(f"memory:{row}", 1, True)], night.clock.at - days(number % 20))
        for number in range(100):
            other = [Retrieval(f"memory:{row + 1000}", 1, True, number % 10 == 0)]
            retrievals.record(db, next(keys), other, night.clock.at - days(number % 20))
    return row


def nights(night: Night, number: int, row: int | None = None) -> Iterator[dict[str, Any]]:
    """So many nights, a day apart; where a memory is named, it is of use on every day."""
    for _ in range(number):
        yield promotion.step(night.world, night.cycle)
        night.clock.pass_(days=1)
        if row is not None:
            night.used(row, night.clock.at)


@pytest.mark.parametrize(
    ("times", "over", "promoted"), [(5, 14, 1), (4, 14, 0), (5, 13, 0), (10, 30, 1), (10, 29, 1), (9, 40, 1)]
)
def test_what_is_ripe_is_promoted(night: Night, times: int, over: float, promoted: int) -> None:
    row = needed(night, times, over)
    assert promotion.step(night.world, night.cycle) == NOTHING | {"promoted": promoted}
    assert night.weight(row).centre == pytest.approx(0.22 if promoted else 0.2)


@pytest.mark.parametrize(("times", "whole"), [(5, 3.0), (10, 8.0)])
def test_a_promotion_is_paid_out_over_nights_and_once(night: Night, times: int, whole: float) -> None:
    row = needed(night, times, 40)
    if times < 10:
        night.do("UPDATE memories SET created_at=? WHERE id=?", iso(night.clock.at - days(15)), row)
    seen = [night.weight(row).centre]
    for _ in nights(night, 14, row if times == 10 else None):
        seen.append(night.weight(row).centre)
        night.used(row, night.clock.at - days(1))  # the same days again: nothing that would make it riper
    assert night.weight(row).alpha == pytest.approx(whole)
    assert all(later <= 1.1 * before + 1e-9 for before, later in zip(seen, seen[1:], strict=False))
    assert promotion.step(night.world, night.cycle) == NOTHING
    assert night.weight(row).alpha == pytest.approx(whole)


def test_what_stops_being_of_use_is_promoted_no_further(night: Night) -> None:
    row = needed(night, 5, 15)
    first = [found["promoted"] for found in nights(night, 8)]
    assert first == [1, 1, 1, 0, 0, 0, 0, 0], "three nights without anything new, and it pauses"
    assert 1 < night.weight(row).alpha < 2


def test_one_long_talk_counts_once(night: Night) -> None:
    needed(night, 3, 20, a_day=6)
    assert promotion.step(night.world, night.cycle) == NOTHING


def test_being_shown_counts_nothing(night: Night) -> None:
    row = needed(night, 0, 40, shown=60, hit_count=60)
    assert promotion.step(night.world, night.cycle) == NOTHING
    assert night.weight(row).alpha == 1


@pytest.mark.parametrize(("kind", "promoted"), [("semantic", 1), ("episodic", 0)])
def test_said_again_counts_like_used_of_whatever_is_no_moment(night: Night, kind: str, promoted: int) -> None:
    row = night.keep("They row.", days_ago=20, hit_count=5, last_accessed_at=iso(night.clock.at), type_=kind)
    with night.world.database.write() as db:
        for number in range(5):
            at = night.clock.at - days(number)
            cycle = weighing.Cycle(f"keeping:{number}", at, frozenset({"A"}))
            weighing.reinforce(db, cycle, row, 0.01, "said again", {"turns": [number]})
        for number in range(20):
            retrievals.record(db, f"t{number}", [Retrieval("memory:1000", 1, True)], night.clock.at)
    assert promotion.step(night.world, night.cycle)["promoted"] == promoted


def test_boundaries_and_what_is_over_are_not_promoted(night: Night) -> None:
    needed(night, 20, 60, immutable=True)
    needed(night, 20, 60, status="superseded")
    assert promotion.step(night.world, night.cycle) == NOTHING


def test_near_certainty_needs_the_owners_yes_and_asks_once(night: Night) -> None:
    row = needed(night, 6, 20, alpha=9.0, beta=1.4)
    assert promotion.step(night.world, night.cycle) == NOTHING | {"asked": 1}
    night.clock.pass_(days=1)
    assert promotion.step(night.world, night.cycle) == NOTHING | {"asked": 1}
    assert night.weight(row).alpha == 9
    [(kind, summary, source)] = night.ask("SELECT kind, summary, source FROM mind_queue")
    assert (kind, source) == ("delegation", f"memories:{row}")
    assert "They row on the river." in summary
    promotion.approve(night.world, row)
    assert night.ask("SELECT state FROM mind_queue") == [("dropped",)], "it need not be asked any more"
    assert promotion.step(night.world, night.cycle) == NOTHING | {"promoted": 1}
    assert night.weight(row).centre > 0.865


@pytest.mark.parametrize(("level", "outcome"), [(1, "asked"), (2, "asked"), (3, "promoted")])
def test_a_companion_that_is_trusted_need_not_ask(night: Night, level: int, outcome: str) -> None:
    needed(night, 6, 20, alpha=9.0, beta=1.4)
    settings = night.world.settings.model_copy(update={"furoshiki_trust_level": level})
    assert promotion.step(replace(night.world, settings=settings), night.cycle) == NOTHING | {outcome: 1}
    assert night.ask("SELECT count(*) FROM mind_queue") == [(int(outcome == "asked"),)]


def test_no_promotion_passes_the_ceiling(night: Night) -> None:
    row = needed(night, 20, 60, alpha=18.9, beta=1.0)
    promotion.approve(night.world, row)
    for _ in nights(night, 3, row):
        assert night.weight(row).centre <= 0.95 + 1e-9


def test_what_is_used_no_more_than_others_is_held_back(night: Night) -> None:
    row = needed(night, 6, 20, shown=60)
    assert promotion.step(night.world, night.cycle) == NOTHING | {"held_back": 1}
    assert night.weight(row).alpha == 1


def test_it_is_taken_back_when_the_whole_becomes_less_coherent(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    row = needed(night, 6, 20)
    falls = iter([Coherence(0.9, 0.9, 0.9), Coherence(0.5, 0.9, 0.9)])
    monkeypatch.setattr(weighing, "coherence", lambda _db, _now: next(falls))
    assert promotion.step(night.world, night.cycle) == NOTHING | {"rolled_back": 1}
    assert (night.weight(row).alpha, night.weight(row).beta) == pytest.approx((1, 4))
    assert promotion.step(night.world, night.cycle) == NOTHING, "it is not tried again"
