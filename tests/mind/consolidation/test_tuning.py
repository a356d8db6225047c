"""The gate opens when something dropped was needed, and tightens when much is kept for nothing; within bounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.core.database import kv
from furoshiki.memory import exit_gate, relevance_learning
from furoshiki.memory.store import retrievals, scratch
from furoshiki.memory.store.retrievals import Retrieval
from furoshiki.memory.store.scratch import Decision
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, NewTurn
from furoshiki.mind.consolidation import deep
from furoshiki.mind.consolidation.deep import MOST_A_NIGHT, MOST_MATURITY, adjust_maturity
from tests.support.consolidating import Night


@given(st.floats(0, MOST_MATURITY), st.integers(0, 10_000), st.integers(0, 10_000))
def test_the_gate_stays_within_its_bounds_and_moves_a_little(maturity: float, needed: int, unused: int) -> None:
    after = adjust_maturity(maturity, needed, unused)
    assert 0 <= after <= MOST_MATURITY
    assert abs(after - maturity) <= MOST_A_NIGHT + 1e-12
    assert adjust_maturity(maturity, needed + 1, unused) <= after <= adjust_maturity(maturity, needed, unused + 1)
    assert adjust_maturity(maturity, 0, 0) == maturity


def dropped(night: Night, text: str) -> int:
    """Something the gate let go; returns the turn."""
    with night.world.database.write() as db:
        turn = turns.add(db, NewTurn("s1", "console", "me", USER, text, night.clock.at))
        item = scratch.put(db, turn, text, {}, "external_user", 0.0, night.clock.at)
        assert item is not None
        assert scratch.decide(db, item, Decision("dropped", "nothing followed"), night.clock.at)
    return turn


def came_to_mind(night: Night, item: str, used: bool, key: str = "t1", **voices: float) -> None:
    with night.world.database.write() as db:
        retrievals.record(db, key, [Retrieval(item, 1, True, used, voices)], night.clock.at)


def maturity(night: Night) -> float:
    with night.world.database.read() as db:
        return exit_gate.maturity(night.world, db)


def test_dropped_but_needed_opens_the_gate_once(night: Night) -> None:
    turn, other = dropped(night, "The boat is called Nuvem."), dropped(night, "It rains.")
    night.clock.pass_(days=1)
    came_to_mind(night, f"turn:{turn}", used=True)
    came_to_mind(night, f"turn:{other}", used=False)
    before = maturity(night)
    found = deep.step(night.world, night.cycle)
    assert (found["needed"], found["unused"]) == (1, 0)
    assert maturity(night) == pytest.approx(before - 0.02)
    night.clock.pass_(days=1)
    assert deep.step(night.world, night.cycle)["needed"] == 0
    assert maturity(night) == pytest.approx(before - 0.02)


def test_kept_and_never_used_tightens_it_when_a_month_has_passed(night: Night) -> None:
    for number in range(9):
        night.keep(f"A moment {number}.", "episodic")
    night.keep("A moment that came to mind for nothing.", "episodic", access_count=3, hit_count=3)
    night.keep("They row.")
    night.keep("A moment that an answer needed.", "episodic", access_count=1, hit_count=1, utility=0.2)
    night.keep("A moment that was said again.", "episodic", hit_count=1)
    before = maturity(night)
    assert deep.step(night.world, night.cycle)["unused"] == 0
    night.clock.pass_(days=30)
    assert deep.step(night.world, night.cycle)["unused"] == 10
    assert maturity(night) == pytest.approx(before + 0.02)
    assert deep.step(night.world, night.cycle) == {"needed": 0, "unused": 0, "learned": 0}
    night.clock.pass_(days=30)
    assert deep.step(night.world, night.cycle)["unused"] == 0


def test_outcomes_teach_relevance_which_voice_to_trust(night: Night) -> None:
    for number in range(100):
        used = number % 4 < 2
        night.clock.pass_(minutes=1)
        voices = {"semantic": 0.3, "co_access": 0.9} if used else {"semantic": 0.37, "co_access": 0.1}
        came_to_mind(night, "memory:1", used, f"t{number}", **voices, recency=0.2)
    with night.world.database.read() as db:
        before = relevance_learning.relevance_of(db).mean
    assert deep.step(night.world, night.cycle)["learned"] == 1
    with night.world.database.read() as db:
        after = relevance_learning.relevance_of(db).mean
        tilts = kv.get(db, relevance_learning.TILTS)
    assert after["co_access"] > before["co_access"]
    deep.step(night.world, night.cycle)
    with night.world.database.read() as db:
        assert kv.get(db, relevance_learning.TILTS) == tilts, "each outcome teaches once"
