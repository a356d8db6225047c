"""Weights change through one door: bounded, written down, and taken back when need be."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database
from furoshiki.memory import weighing
from furoshiki.memory.rules.weights import BOUNDARY, NEW, Weight
from furoshiki.memory.store import links, memories, safety, weights
from furoshiki.memory.values import NewMemory
from furoshiki.memory.weighing import Cycle
from furoshiki.messages.store import turns
from furoshiki.world import World
from tests.support.laws import NOON
from tests.support.rows import user_said

DB = sqlite3.Connection
STAGES = frozenset("A")


@pytest.fixture
def db(database: Database) -> Any:
    with database.write() as connection:
        yield connection


def keep(db: DB, content: str = "They row.", kind: str = "semantic", **more: Any) -> int:
    return memories.add(db, NewMemory(kind, content, (turns.add(db, user_said(content)),), **more), NOON)


def cycle(number: int = 1, stages: str = "A") -> Cycle:
    return Cycle(f"test:{number}", NOON + timedelta(hours=number), frozenset(stages))


def weight(db: DB, memory_id: int) -> Weight:
    found = weights.of(db, memory_id)
    assert found is not None
    return found.weight


def replayed(db: DB, memory_id: int, first: Weight = NEW) -> Weight:
    """The weight that the log alone says a memory has."""
    alpha, beta = first.alpha, first.beta
    cycles = [row[0] for row in db.execute("SELECT DISTINCT cycle FROM consolidation_log ORDER BY id")]
    for change in (change for name in cycles for change in weights.of_cycle(db, name)):
        more = change.moved(memory_id)
        alpha, beta = alpha + more[0], beta + more[1]
    return Weight(alpha, beta)


def ceilings_of(db: DB) -> list[tuple[str, bool]]:
    return [(event.ceiling, event.enforced) for event in reversed(safety.newest(db, 50))]


def test_a_gain_is_written_down_with_before_after_and_evidence(db: DB) -> None:
    memory = keep(db)
    after = weighing.reinforce(db, cycle(), memory, 0.1, "injected", {"turn": "inbox:3"})
    [row] = weights.history(db, memory)
    assert after == row.after == weight(db, memory)
    assert (row.before, row.operation, row.cycle) == (NEW, "injected", "test:1")
    assert row.evidence == {"turn": "inbox:3", "asked": 0.1}
    assert weight(db, memory).alpha == pytest.approx(1 + 0.1 / 2.585, abs=1e-4)


def test_what_is_immutable_never_moves(db: DB) -> None:
    memory = keep(db, immutable=True)
    weighing.reinforce(db, cycle(), memory, 5, "promotion", {})
    weighing.contradict(db, cycle(), memory, 5, "decay", {})
    assert weighing.bulk_decay(db, cycle(), [memory], 1, "decay", {}) == 0
    assert weight(db, memory) == BOUNDARY
    assert weights.history(db, memory) == []


def test_what_is_gone_has_no_weight(db: DB) -> None:
    assert weighing.reinforce(db, cycle(), 999, 1, "injected", {}) is None
    assert weighing.contradict(db, cycle(), 999, 1, "injected", {}) is None
    with pytest.raises(ValueError, match="no weight changes by -1"):
        weighing.reinforce(db, cycle(), keep(db), -1, "injected", {})


def test_a_weight_stops_at_the_ceiling_and_the_ceiling_says_so(db: DB) -> None:
    memory = keep(db)
    weighing.reinforce(db, cycle(), memory, 1000, "promotion", {})
    assert weight(db, memory).centre == pytest.approx(0.95)
    assert ("centre", True) in ceilings_of(db)
    weighing.reinforce(db, cycle(2), memory, 1, "promotion", {"new": 1})
    assert weight(db, memory).centre == pytest.approx(0.95)


def test_a_goal_gains_no_more_than_its_share_of_all_goals(db: DB) -> None:
    goals = [keep(db, f"Goal {n}", category="goal") for n in range(3)]
    keep(db, "No goal, and heavy")
    for number in range(30):
        weighing.reinforce(db, cycle(number), goals[0], 5, "promotion", {"n": number})
    centres = [weight(db, goal).centre for goal in goals]
    assert centres[0] / sum(centres) == pytest.approx(0.4)
    assert ("goal_share", True) in ceilings_of(db)


def test_an_only_goal_may_grow(db: DB) -> None:
    goal = keep(db, "To sail", category="goal")
    weighing.reinforce(db, cycle(), goal, 5, "promotion", {})
    assert weight(db, goal).centre > 0.4


def test_a_ceiling_in_the_shadow_lets_pass_and_writes_what_it_would_have_done(db: DB) -> None:
    memory = keep(db)
    weighing.contradict(db, cycle(), memory, 3, "decay", {})
    assert weight(db, memory) == Weight(1, 7)
    [event] = safety.newest(db)
    assert (event.stage, event.ceiling, event.enforced, event.memory_id) == ("B", "change_per_cycle", False, memory)
    assert event.asked == 3
    assert event.allowed == pytest.approx(5 / 9)


def test_with_no_stage_enforced_all_are_still_judged(db: DB) -> None:
    memory = keep(db)
    weighing.reinforce(db, cycle(1, ""), memory, 1000, "promotion", {})
    assert weight(db, memory).alpha == 1001
    assert set(ceilings_of(db)) == {("diminishing_returns", False), ("change_per_cycle", False), ("centre", False)}


def test_with_b_a_cycle_moves_a_weight_by_a_tenth_however_often_it_asks(db: DB) -> None:
    memory = keep(db)
    for _ in range(5):
        weighing.reinforce(db, cycle(1, "AB"), memory, 2, "promotion", {})
    assert weight(db, memory).centre == pytest.approx(0.22)
    weighing.reinforce(db, cycle(2, "AB"), memory, 2, "promotion", {})
    assert weight(db, memory).centre == pytest.approx(0.242)


def test_with_b_bulk_decay_counts_into_the_cycle_too(db: DB) -> None:
    memory, other = keep(db), keep(db, "They sail.")
    weighing.reinforce(db, cycle(0, "A"), other, 60, "promotion", {})
    assert weighing.bulk_decay(db, cycle(1, "AB"), [memory, other], 1.0, "decay", {"days": 90}) == 2
    assert weight(db, memory).centre == pytest.approx(0.18)
    weighing.contradict(db, cycle(1, "AB"), memory, 1.0, "decay", {})
    weighing.contradict(db, cycle(1, "AB"), other, 50, "decay", {})
    assert weight(db, memory).centre == pytest.approx(0.18)
    assert weight(db, other).centre == pytest.approx(0.9 * replayed_to(db, other, "test:0").centre)


def replayed_to(db: DB, memory_id: int, last: str) -> Weight:
    rows = [row for row in weights.of_cycle(db, last) if row.memory_id == memory_id]
    assert rows[-1].after is not None
    return rows[-1].after


def test_many_memories_decay_with_one_row_in_the_log(db: DB) -> None:
    ids = [keep(db, f"Fact {n}") for n in range(40)]
    pinned = keep(db, "Never lie.", immutable=True)
    gone = 9999
    kept = [*ids[:5], *ids[7:]]
    assert weighing.bulk_decay(db, cycle(), [*kept, pinned, gone], 0.25, "light decay", {"cycles": 25}) == 38
    [row] = weights.of_cycle(db, "test:1")
    assert row.evidence == {"cycles": 25, "beta": 0.25, "count": 38, "ids": f"1-5 8-{ids[-1]}"}
    assert list(row.ids()) == kept
    assert [weight(db, one).beta for one in (ids[0], ids[6])] == [4.25, 4.0]
    assert replayed(db, ids[0]) == weight(db, ids[0])


def test_a_cycle_can_be_taken_back_and_what_others_did_stays(db: DB) -> None:
    one, two = keep(db, "One"), keep(db, "Two")
    weighing.reinforce(db, cycle(1), one, 2, "promotion", {"times": 5})
    weighing.bulk_decay(db, cycle(1), [one, two], 0.5, "decay", {})
    weighing.reinforce(db, cycle(2), one, 0.1, "injected", {"turn": "inbox:1"})
    gained = weights.history(db, one)[0]
    assert gained.before is not None and gained.after is not None
    assert weighing.undo(db, cycle(1)) == 2
    assert weight(db, one).alpha == pytest.approx(1 + gained.after.alpha - gained.before.alpha)
    assert weight(db, one).beta == weight(db, two).beta == 4.0
    assert weighing.undo(db, cycle(1)) == 0
    assert replayed(db, one).alpha == pytest.approx(weight(db, one).alpha)


def test_one_operation_on_one_memory_can_be_taken_back(db: DB) -> None:
    one, two = keep(db, "One"), keep(db, "Two")
    for memory in (one, two):
        weighing.reinforce(db, cycle(), memory, 2, "promotion", {})
        weighing.contradict(db, cycle(), memory, 0.3, "merged", {})
    assert weighing.undo(db, cycle(), "promotion", [one]) == 1
    assert weight(db, one) == Weight(1.0, 4.3)
    assert weight(db, two).alpha > 1
    assert weighing.undo(db, cycle(), "promotion") == 1
    assert weight(db, two) == Weight(1.0, 4.3)


def test_a_promotion_that_costs_coherence_is_rolled_back(db: DB) -> None:
    ours, theirs, other = keep(db, "They like tea."), keep(db, "They hate tea."), keep(db, "They row.")
    links.link(db, ours, theirs, "contradicts", 1.0, NOON)
    before = weighing.coherence(db, NOON)
    weighing.reinforce(db, cycle(), other, 2, "promotion", {})
    assert not weighing.undo_if_worse(db, cycle(), before)
    before = weighing.coherence(db, NOON)
    weighing.reinforce(db, cycle(), theirs, 5, "promotion", {})
    weighing.reinforce(db, cycle(), ours, 5, "promotion", {})
    assert weighing.undo_if_worse(db, cycle(), before, "promotion", [ours])
    assert weight(db, ours) == NEW
    assert weight(db, theirs).alpha > 1
    event = safety.newest(db)[0]
    assert (event.ceiling, event.enforced, event.memory_id) == ("coherence", True, ours)
    assert event.detail["before"]["epistemic"] > event.detail["after"]["epistemic"]


def test_tensions_and_bad_outcomes_cost_coherence_on_their_own_axes(db: DB) -> None:
    keep(db, "Honesty first.", category="value")
    assert weighing.coherence(db, NOON).score == 1.0
    tension = keep(db, "I say I am honest and flatter.", kind="tension")
    found = weighing.coherence(db, NOON)
    assert (found.epistemic, found.action) == (1.0, 1.0)
    assert found.value == pytest.approx(1.2 / 1.4)
    db.execute("UPDATE memories SET metadata='{\"acknowledged\":true}' WHERE id=?", (tension,))
    assert weighing.coherence(db, NOON).value == 1.0
    for days in (1, 400):
        turns.add(db, user_said("That was no help at all.", NOON - timedelta(days=days), signals={"anger": 1.0}))
    assert weighing.coherence(db, NOON).action == pytest.approx(5 / 6)


def test_the_same_pattern_on_the_same_evidence_breaks_the_circuit(db: DB) -> None:
    memory = keep(db)
    for number in range(4):
        weighing.reinforce(db, cycle(number, "AC"), memory, 1, "promotion", {"turns": [1, 2]})
    assert len(weights.history(db, memory)) == 3
    assert ceilings_of(db)[-1] == ("circuit_breaker", True)
    weighing.reinforce(db, cycle(5, "AC"), memory, 1, "promotion", {"turns": [1, 2, 3]})
    assert len(weights.history(db, memory)) == 4


def test_in_the_shadow_the_circuit_breaker_only_warns(db: DB) -> None:
    memory = keep(db)
    for number in range(4):
        weighing.reinforce(db, cycle(number), memory, 0.01, "promotion", {"turns": (1, 2)})
    assert len(weights.history(db, memory)) == 4
    assert ceilings_of(db) == [("circuit_breaker", False)]


def test_the_monitor_sees_weights_collapse_and_the_next_cycle_heeds_it(db: DB) -> None:
    ids = [keep(db, f"Fact {n}") for n in range(12)]
    assert weighing.monitor(db, cycle(1, "AC")).entropy == pytest.approx(1.0)
    assert safety.newest(db) == []
    weighing.reinforce(db, cycle(2, "AC"), ids[0], 1000, "promotion", {})
    for _ in range(30):
        weighing.bulk_decay(db, cycle(2, "AC"), ids[1:], 20, "decay", {})
    seen = weighing.monitor(db, cycle(2, "AC"))
    assert seen.entropy < 0.6
    assert ("entropy", True) in ceilings_of(db)
    before = weight(db, ids[0])
    weighing.reinforce(db, cycle(3, "AC"), ids[0], 1, "promotion", {"new": True})
    assert weight(db, ids[0]) == before
    weighing.reinforce(db, cycle(3, "AC"), ids[1], 1, "promotion", {"new": True})
    assert weight(db, ids[1]).alpha > 1


def test_the_monitor_notices_a_coherence_that_fell(db: DB) -> None:
    keep(db)
    weighing.monitor(db, cycle(1))
    keep(db, "I say one thing and do another.", kind="tension")
    assert weighing.monitor(db, cycle(2)).coherence.value < 1
    assert ceilings_of(db) == [("coherence", False)]
    assert kv.get(db, weighing.VITALS)["coherence"]["value"] < 1


def test_a_parameter_changes_only_through_both_gates_once_b_is_enforced(db: DB) -> None:
    assert weighing.guard_parameter(db, cycle(1, "AB"), "gate.floor", 0.1, 0.2, [0.05] * 20)
    assert not weighing.guard_parameter(db, cycle(1, "AB"), "gate.floor", 0.2, 0.9, [0.0] * 20)
    assert not weighing.guard_parameter(db, cycle(1, "AB"), "relevance", [1], [2], [0.05] * 20, parameters=5)
    assert weighing.guard_parameter(db, cycle(1, "A"), "gate.floor", 0.2, 0.9, [0.0] * 20)
    assert ceilings_of(db) == [("validation_margin", True), ("capacity_cap", True), ("validation_margin", False)]
    made = [row.evidence for row in weights.of_cycle(db, "test:1")]
    assert [(row["parameter"], row["before"], row["after"]) for row in made] == [
        ("gate.floor", 0.1, 0.2),
        ("gate.floor", 0.2, 0.9),
    ]


def test_the_owner_sees_what_was_held_back_and_what_would_have_been(db: DB) -> None:
    memory = keep(db)
    weighing.reinforce(db, cycle(), memory, 1000, "promotion", {})
    assert weighing.count_held_back(db, NOON + timedelta(days=1)) == {
        "A centre, held back": 1,
        "B change_per_cycle, would have": 1,
    }
    assert weighing.count_held_back(db, NOON + timedelta(days=99)) == {}


def test_what_is_pinned_is_a_boundary_and_comes_back_as_it_was(db: DB) -> None:
    memory = keep(db)
    weighing.reinforce(db, cycle(1), memory, 2, "promotion", {})
    before = weight(db, memory)
    assert weighing.pin(db, cycle(2), memory) == BOUNDARY
    weighing.contradict(db, cycle(2), memory, 9, "decay", {})
    assert weight(db, memory) == BOUNDARY
    assert weighing.unpin(db, cycle(3), memory) == before == weight(db, memory)
    boundary = keep(db, "Never lie.", immutable=True)
    assert weighing.unpin(db, cycle(3), boundary) == NEW


def test_a_cycle_is_named_and_enforces_what_the_settings_say(world: World) -> None:
    assert weighing.cycle(world, "light") == Cycle(
        "light:2026-03-24T15:00:00.000000+00:00", world.now, frozenset("ABC")
    )
    assert weighing.cycle(world, "turn").stages == frozenset("AC"), "B bounds consolidations alone"
    none = replace(world, settings=world.settings.model_copy(update={"furoshiki_safety_stages": "none"}))
    assert weighing.cycle(none, "light").stages == frozenset()


operations = st.lists(
    st.tuples(
        st.sampled_from(["reinforce", "contradict", "decay", "undo", "pin", "unpin"]),
        st.integers(0, 3),
        st.sampled_from([0.01, 0.1, 0.3, 1.0, 5.0, 80.0]),
        st.integers(0, 2),
    ),
    max_size=25,
)


@pytest.mark.slow
@given(wishes=operations, stages=st.sampled_from(["A", "AB", "ABC"]))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_happens_weights_stay_lawful_and_the_log_tells_them_all(
    database: Database, wishes: list[tuple[str, int, float, int]], stages: str
) -> None:
    with pytest.raises(_Enough), database.write() as db:
        ids = [keep(db, f"Fact {n}", category="goal" if n < 2 else None) for n in range(3)]
        ids.append(keep(db, "Never lie.", immutable=True))
        firsts = {one: weight(db, one) for one in ids}
        for what, which, amount, number in wishes:
            _do(db, cycle(number, stages), what, ids[which], amount)
            for one in ids:
                held = weights.of(db, one)
                assert held is not None
                assert held.weight.alpha > 0 and held.weight.beta > 0
                assert held.immutable or held.weight.centre <= 0.95 + 1e-9
                assert not held.immutable or held.weight == BOUNDARY
        for one in ids:
            told, now = replayed(db, one, firsts[one]), weight(db, one)
            assert (told.alpha, told.beta) == pytest.approx((now.alpha, now.beta))
        raise _Enough  # roll back: the next example begins with an empty database


class _Enough(Exception):
    """This example is over."""


def _do(db: DB, cycle: Cycle, what: str, memory_id: int, amount: float) -> None:
    evidence: Mapping[str, Any] = {"amount": amount}
    if what == "reinforce":
        weighing.reinforce(db, cycle, memory_id, amount, "test", evidence)
    elif what == "contradict":
        weighing.contradict(db, cycle, memory_id, amount, "test", evidence)
    elif what == "decay":
        weighing.bulk_decay(db, cycle, [memory_id, 1, 2, 3, 4], amount, "test decay", evidence)
    elif what == "undo":
        weighing.undo(db, cycle)
    elif what == "pin":
        weighing.pin(db, cycle, memory_id)
    else:
        weighing.unpin(db, cycle, memory_id)
