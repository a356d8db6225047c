"""What memory did stays on record for a time; then it goes, or is folded so that the log still gives every weight."""

from __future__ import annotations

import random
import sqlite3
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from furoshiki.core.database.connection import Database
from furoshiki.core.timestamps import stamp
from furoshiki.memory import weighing
from furoshiki.memory.rules.ceilings import Verdict
from furoshiki.memory.rules.weights import BOUNDARY, NEW, Weight
from furoshiki.memory.store import memories, retrievals, safety, weights
from furoshiki.memory.store.retrievals import Retrieval
from furoshiki.memory.values import NewMemory
from furoshiki.memory.weighing import Cycle
from furoshiki.messages.store import turns
from furoshiki.mind.consolidation import decay, log_retention, memory_feedback
from furoshiki.mind.consolidation.store import consolidation
from furoshiki.mind.inner_life import soul_engine
from furoshiki.world import World
from tests.support.rows import user_said
from tests.support.world import START, FrozenClock

ROWS = "SELECT id, operation, memory_id, at, evidence FROM consolidation_log ORDER BY id"


def learned(world: World, text: str, at: datetime = START) -> int:
    with world.database.write() as db:
        return memories.add(db, NewMemory("semantic", text, (turns.add(db, user_said(text)),)), at)


def weight(world: World, memory_id: int) -> Weight:
    with world.database.read() as db:
        found = weights.of(db, memory_id)
    assert found is not None
    return found.weight


def replayed(db: sqlite3.Connection, memory_id: int) -> tuple[float, float]:
    """The weight that the log alone says a memory has."""
    alpha, beta = NEW.alpha, NEW.beta
    for [cycle] in db.execute("SELECT DISTINCT cycle FROM consolidation_log").fetchall():
        for change in weights.of_cycle(db, cycle):
            more = change.moved(memory_id)
            alpha, beta = alpha + more[0], beta + more[1]
    return alpha, beta


def all_of_it(world: World) -> dict[str, int]:
    """Prune until nothing is left to do; returns how many rows went in all."""
    gone: dict[str, int] = {}
    while more := log_retention.prune(world):
        gone = {name: gone.get(name, 0) + more.get(name, 0) for name in {*gone, *more}}
    return gone


def counted(world: World, table: str) -> int:
    with world.database.read() as db:
        return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def use(world: World, key: str, shown: list[int], missed: list[int]) -> None:
    """A turn in which some memories were shown and others nearly."""
    ranks = [*range(1, len(shown) + 1), *range(6, 6 + len(missed))]
    flags = [True] * len(shown) + [False] * len(missed)
    woken = [Retrieval(f"memory:{one}", *of) for one, *of in zip([*shown, *missed], ranks, flags, strict=True)]
    with world.database.write() as db:
        memory_feedback.leave(db, key, woken, None, [], world.now)
    assert memory_feedback.settle(world, key)


@pytest.mark.slow
def test_a_year_of_use_is_folded_and_the_log_still_gives_every_weight(world: World, clock: FrozenClock) -> None:
    held = [learned(world, f"Fact {number}.") for number in range(12)]
    for week in range(52):
        clock.pass_(days=7)
        use(world, f"inbox:{week}", held[week % 4 :][:3], held[6:])
        decay.fade(world, weighing.cycle(world, "light"))
    before = {one: weight(world, one) for one in held}
    gone = all_of_it(world)
    assert gone["weights"] > 50 and gone["weights of many"] > 30
    assert {one: weight(world, one) for one in held} == before
    with world.database.read() as db:
        for one in held:
            assert replayed(db, one) == pytest.approx((before[one].alpha, before[one].beta))
            told = weights.history(db, one)
            assert [change.operation for change in told].count(weights.FOLDED) <= 1
        long_ago = stamp(clock.at - timedelta(days=212))
        left = [row["operation"] for row in db.execute(ROWS) if row["at"] < long_ago]
        assert set(left) == {weights.FOLDED}, "whatever happens every day is folded, by whichever name it goes"
        [oldest] = [one for one in weights.history(db, held[0]) if one.operation == weights.FOLDED]
        assert oldest.before == NEW and oldest.evidence.keys() == {"times", "since"}
        assert oldest.evidence["times"]["retrieved"] > 1


def test_it_is_done_once_a_day_and_changes_nothing_more(world: World, clock: FrozenClock) -> None:
    held = learned(world, "They row.")
    use(world, "inbox:1", [held], [])
    clock.pass_(days=400)
    assert log_retention.prune(world) == {"retrievals": 1, "weights": 1}
    with world.database.read() as db:
        rows = [tuple(row) for row in db.execute(ROWS)]
    assert log_retention.prune(world) == {}
    clock.pass_(days=2)
    assert log_retention.prune(world) == {}
    with world.database.read() as db:
        assert [tuple(row) for row in db.execute(ROWS)] == rows


def test_each_record_has_its_time(world: World, clock: FrozenClock) -> None:
    for days in (0, 100, 190):
        clock.at = START + timedelta(days=days)
        with world.database.write() as db:
            retrievals.record(db, f"inbox:{days}", [Retrieval("turn:1", 1, True)], world.now)
            safety.record(db, world.now, Verdict("A", "most_centre", 1.0, 0.5, True), None, {})
            consolidation.step_done(db, f"deep:{days}", "doubts", {}, world.now)
    clock.at = START + timedelta(days=200)
    assert log_retention.prune(world) == {"retrievals": 1, "safety_events": 2, "steps": 1}
    assert [counted(world, name) for name in ("retrievals", "safety_events", "consolidation_log")] == [2, 1, 2]


def test_what_work_is_known_by_and_what_is_pinned_stays(world: World, clock: FrozenClock) -> None:
    held, pinned = learned(world, "They row."), learned(world, "They sing.")
    cycle = weighing.cycle(world, "night")
    with world.database.write() as db:
        for name in ("forgotten", "retrieved"):
            weighing.contradict(db, cycle, held, 1.0, name, {})
        weighing.reinforce(db, cycle, pinned, 1.0, "promotion", {})
        weighing.pin(db, cycle, pinned)
    firm = weight(world, pinned)
    clock.pass_(days=500)
    all_of_it(world)
    with world.database.write() as db:
        assert [one.operation for one in weights.history(db, held)] == ["folded", "forgotten"]
        assert [one.operation for one in weights.history(db, pinned)] == ["pin", "promotion"]
        assert firm == BOUNDARY
        was = weighing.unpin(db, weighing.cycle(world, "owner"), pinned)
    assert was is not None and was.alpha > NEW.alpha


def test_much_is_left_to_the_next_quarter_of_an_hour(
    world: World, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_retention, "AT_ONCE", 10)
    monkeypatch.setattr(log_retention, "TRANSACTIONS", 2)
    with world.database.write() as db:
        retrievals.record(db, "inbox:1", [Retrieval(f"turn:{one}", one, True) for one in range(25)], world.now)
    clock.pass_(days=181)
    left = []
    for _ in range(5):
        soul_engine.tick(world)
        left.append(counted(world, "retrievals"))
    assert left == [5, 0, 0, 0, 0]


Move = tuple[str, int, float, int]

MOVES = st.tuples(
    st.sampled_from([*log_retention.ROUTINE, "promotion", "many"]),
    st.integers(0, 2),
    st.sampled_from([0.05, 0.1, 0.5, 2.0]),
    st.integers(0, 60),
)


@pytest.fixture
def three(world: World) -> list[int]:
    return [learned(world, text) for text in ("They row.", "They sing.", "They paint.")]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=st.lists(MOVES, max_size=25), pruned=st.integers(0, 3))
def test_whatever_happened_folding_keeps_the_sum(
    world: World, clock: FrozenClock, three: list[int], moves: list[Move], pruned: int
) -> None:
    class Undone(Exception):
        """Every example begins with the same database."""

    # One transaction for all of it: what `prune` does within its own, without the cost of a database per example.
    now = clock.at
    with pytest.raises(Undone), world.database.write() as db:
        for number, (name, which, amount, days) in enumerate(moves):
            now += timedelta(days=days)
            cycle = Cycle(f"test:{number}", now, frozenset("A"))
            if name == "many":
                weighing.bulk_decay(db, cycle, three[: which + 1], amount, "decay", {})
            elif number % 2:
                weighing.reinforce(db, cycle, three[which], amount, name, {"turn": number})
            else:
                weighing.contradict(db, cycle, three[which], amount, name, {"turn": number})
        for round_ in range(pruned):
            before = now - timedelta(days=100 - 40 * round_)
            for memory_id in weights.to_fold(db, log_retention.ROUTINE, before, 10):
                weights.fold(db, memory_id, log_retention.ROUTINE, before)
            changes = weights.of_many(db, log_retention.ROUTINE, before)
            if changes:
                assert weights.replace_many(db, changes, weights.sums_of(changes))
        for memory_id in three:
            held = weights.of(db, memory_id)
            assert held is not None
            assert replayed(db, memory_id) == pytest.approx((held.weight.alpha, held.weight.beta))
        raise Undone


def test_a_row_that_went_meanwhile_is_not_folded_twice(database: Database) -> None:
    dice, at = random.Random(7), datetime(2026, 1, 2, tzinfo=UTC)
    with database.write() as db:
        for number in range(4):
            weights.log_many(db, f"c{number}", at, "decay", [dice.randrange(9)], 0.5, {})
        changes = weights.of_many(db, ["decay"], at + timedelta(days=1))
        assert weights.replace_many(db, changes, weights.sums_of(changes))
        assert not weights.replace_many(db, changes, weights.sums_of(changes))
        assert {row["operation"] for row in db.execute(ROWS)} == {weights.FOLDED}
