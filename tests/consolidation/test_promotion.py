"""Needed again and again over weeks, a memory is held more firmly: once a threshold, and not to near certainty."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from furoshiki.consolidation import promotion
from furoshiki.memory import weighing
from furoshiki.memory.rules.ceilings import Coherence
from furoshiki.memory.store import retrievals, safety
from furoshiki.memory.store.retrievals import Retrieval
from tests.support.consolidating import Night, days, iso

NOTHING = {"promoted": 0, "asked": 0, "held_back": 0, "rolled_back": 0}


def needed(night: Night, times: int, over: float, **more: Any) -> int:
    """A memory that was accessed so often over so many days."""
    at = {"access_count": times, "last_accessed_at": iso(night.clock.at)}
    return night.keep("They row on the river.", days_ago=over, **at, **more)


@pytest.mark.parametrize(
    ("times", "over", "promoted"), [(5, 14, 1), (4, 14, 0), (5, 13, 0), (10, 30, 2), (10, 29, 1), (9, 40, 1)]
)
def test_what_is_ripe_is_promoted(night: Night, times: int, over: float, promoted: int) -> None:
    row = needed(night, times, over)
    assert promotion.step(night.world, night.cycle) == NOTHING | {"promoted": promoted}
    assert (night.weight(row).alpha > 1) == (promoted > 0)


def test_each_threshold_counts_once(night: Night) -> None:
    row = needed(night, 6, 20)
    promotion.step(night.world, night.cycle)
    before = night.everything()
    night.clock.pass_(days=2)
    assert promotion.step(night.world, night.cycle) == NOTHING
    assert night.everything() == before
    first = night.weight(row).alpha
    night.clock.pass_(days=20)
    night.do("UPDATE memories SET access_count=11, last_accessed_at=? WHERE id=?", iso(night.clock.at), row)
    assert promotion.step(night.world, night.cycle) == NOTHING | {"promoted": 1}
    assert night.weight(row).alpha - first > first - 1
    assert promotion.step(night.world, night.cycle) == NOTHING


def test_said_again_counts_like_called_to_mind(night: Night) -> None:
    night.keep("They row.", days_ago=20, hit_count=5, last_accessed_at=iso(night.clock.at))
    assert promotion.step(night.world, night.cycle)["promoted"] == 1


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
    assert night.weight(row).centre > 0.85


@pytest.mark.parametrize(("level", "outcome"), [(1, "asked"), (2, "asked"), (3, "promoted")])
def test_a_companion_that_is_trusted_need_not_ask(night: Night, level: int, outcome: str) -> None:
    needed(night, 6, 20, alpha=9.0, beta=1.4)
    settings = night.world.settings.model_copy(update={"furoshiki_trust_level": level})
    assert promotion.step(replace(night.world, settings=settings), night.cycle) == NOTHING | {outcome: 1}
    assert night.ask("SELECT count(*) FROM mind_queue") == [(int(outcome == "asked"),)]


def test_no_promotion_passes_the_ceiling(night: Night) -> None:
    row = needed(night, 20, 60, alpha=18.9, beta=1.0)
    promotion.approve(night.world, row)
    promotion.step(night.world, night.cycle)
    assert night.weight(row).centre <= 0.95 + 1e-9


def test_the_gates_hold_back_what_was_shown_and_never_used(night: Night) -> None:
    row = needed(night, 6, 20)
    with night.world.database.write() as db:
        for number in range(12):
            retrievals.record(db, f"t{number}", [Retrieval(f"memory:{row}", 1, True)], night.clock.at - days(number))
    strict = replace(night.cycle, stages=frozenset("AB"))
    assert promotion.step(night.world, strict) == NOTHING | {"held_back": 1}
    assert night.weight(row).alpha == 1
    watched = promotion.step(night.world, night.cycle)
    assert watched == NOTHING | {"promoted": 1}
    with night.world.database.read() as db:
        assert ("B", "validation_margin", False) in safety.counts(db, night.clock.at - days(1))


def test_it_is_taken_back_when_the_whole_becomes_less_coherent(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    row = needed(night, 6, 20)
    falls = iter([Coherence(0.9, 0.9, 0.9), Coherence(0.5, 0.9, 0.9)])
    monkeypatch.setattr(weighing, "coherence", lambda _db, _now: next(falls))
    assert promotion.step(night.world, night.cycle) == NOTHING | {"rolled_back": 1}
    assert (night.weight(row).alpha, night.weight(row).beta) == pytest.approx((1, 4))
    assert promotion.step(night.world, night.cycle) == NOTHING, "it is not tried again"
