"""Each milestone is measured from the rows that the program itself writes, is felt once, and stays known."""

from __future__ import annotations

import json
import sqlite3
from datetime import timedelta

import pytest

from furoshiki.app import run_job
from furoshiki.conversation.commands.look import readiness as command
from furoshiki.core.database import events
from furoshiki.memory import weighing
from furoshiki.memory.store import memories, retrievals, scratch
from furoshiki.memory.store.retrievals import Retrieval
from furoshiki.memory.store.scratch import Decision
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, USER, NewTurn
from furoshiki.mind.consolidation import promotion
from furoshiki.mind.consolidation.synthesis import tensions
from furoshiki.mind.consolidation.synthesis.conclusions import Conclusion, conclude
from furoshiki.mind.inner_life.store import commitments, patterns, self_questions
from furoshiki.mind.outreach.store import decisions
from furoshiki.mind.outreach.store.decisions import NewDecision
from furoshiki.mind.readiness import due, milestones, rules
from furoshiki.mind.readiness.store import evidence, reached
from furoshiki.mind.readiness.values import Evidence
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.world import World
from tests.support.consolidating import Night, iso
from tests.support.promising import SHOULD, SIGN, TEXT, Mind, Self
from tests.support.world import FrozenClock


def proof(world: World, name: str) -> Evidence | None:
    with world.database.read() as db:
        return evidence.first(db, name)


def so_far(world: World, name: str) -> str:
    with world.database.read() as db:
        return next(one.so_far for one in milestones.look(db) if one.milestone.name == name)


def said(world: World, text: str, speaker: str = USER, key: str | None = None) -> int:
    with world.database.write() as db:
        return turns.add(db, NewTurn("s1", "console", "me", speaker, text, world.now, turn_key=key))


def test_a_newborn_has_reached_nothing_and_says_what_is_missing(world: World) -> None:
    with world.database.read() as db:
        found = milestones.look(db)
    assert [one.milestone.name for one in found] == list(rules.milestones()) and len(found) == 10
    assert all(one.evidence is None and one.so_far for one in found)
    assert so_far(world, rules.GOAL_WEIGHT) == "no memories of goals yet"


def test_a_memory_is_formed_from_a_turn_through_the_gate(night: Night, clock: FrozenClock) -> None:
    memory = night.keep("They said: My grandmother died last night.", "episodic")
    with night.world.database.write() as db:
        item = scratch.put(db, 1, "My grandmother died last night.", {}, "external_user", 0.9, clock.at)
        assert item is not None
        skipped = scratch.put(db, said_in(db, "Mhm.", clock), "Mhm.", {}, "external_user", 0.0, clock.at)
        assert skipped is not None
        scratch.decide(db, skipped, Decision("skipped", "short"), clock.at)
    assert proof(night.world, rules.MEMORY) is None
    assert so_far(night.world, rules.MEMORY) == "judged so far: 1, none became a memory"
    clock.pass_(hours=1)
    with night.world.database.write() as db:
        scratch.decide(db, item, Decision("persisted", "core", memory_id=memory), clock.at)
    assert proof(night.world, rules.MEMORY) == Evidence(clock.at, ("turn:1", f"memory:{memory}"))
    told = command.in_words(milestones.export_report(night.world), night.world.zone)
    assert "“You said: My grandmother died last night.”" in told, "and not “They said”"
    assert "memory:" not in told and "turn:" not in told, "in words, without the names of rows"


def said_in(db: sqlite3.Connection, text: str, clock: FrozenClock) -> int:
    return turns.add(db, NewTurn("s1", "console", "me", USER, text, clock.at))


@pytest.mark.parametrize(("rank", "name"), [(3, rules.RETRIEVAL), (0, rules.ASSOCIATION)])
def test_what_came_to_mind_counts_when_the_answer_used_it(world: World, rank: int, name: str) -> None:
    with world.database.write() as db:
        retrievals.record(db, "inbox:1", [Retrieval("memory:4", rank, True)], world.now)
    assert proof(world, name) is None and "1" in so_far(world, name)
    reply = said(world, "In Porto.", COMPANION, "inbox:2")
    with world.database.write() as db:
        retrievals.record(db, "inbox:2", [Retrieval("memory:9", rank, True, used=True)], world.now)
    assert proof(world, name) == Evidence(world.now, ("memory:9", f"turn:{reply}"))
    assert proof(world, rules.ASSOCIATION if rank else rules.RETRIEVAL) is None


def test_a_consolidation_is_whole_when_there_was_each_of_the_three(night: Night, clock: FrozenClock) -> None:
    first, second = (night.keep(text) for text in ("They row on the Douro.", "They row each Sunday morning."))
    made = []
    for type_, relation, operation in (
        ("reflection", "supersedes", "merge_insight"),
        ("reflection", "informed_by", "insight"),
        ("narrative", "because", "narrative"),
    ):
        clock.pass_(days=1)
        assert proof(night.world, rules.CONSOLIDATION) is None
        with night.world.database.write() as db:
            text = f"They keep to the river ({operation})."
            found = Conclusion(type_, text, (first, second), relation, operation, operation)  # type: ignore[arg-type]
            kept = conclude(db, night.cycle, found)
        assert kept is not None
        made.append(f"memory:{kept.id}")
        if type_ == "reflection":
            assert "narratives: 0" in so_far(night.world, rules.CONSOLIDATION)
    assert proof(night.world, rules.CONSOLIDATION) == Evidence(clock.at, tuple(made))


@pytest.mark.parametrize(
    ("category", "name"), [("goal", rules.GOAL_WEIGHT), ("self", rules.IDENTITY_WEIGHT), ("plan", None)]
)
def test_a_promotion_counts_for_goals_and_for_who_it_is(night: Night, category: str, name: str | None) -> None:
    row = night.keep("They row.", days_ago=20, category=category, access_count=12, last_accessed_at=iso(night.clock.at))
    night.used(row, night.clock.at, 12)
    both = (rules.GOAL_WEIGHT, rules.IDENTITY_WEIGHT)
    assert all(proof(night.world, one) is None for one in both)
    assert promotion.step(night.world, night.cycle)["promoted"] == 1
    expected = Evidence(night.clock.at, (f"memory:{row}",))
    assert {one: proof(night.world, one) for one in both} == {one: expected if one == name else None for one in both}


def test_a_promotion_that_was_taken_back_is_none(night: Night) -> None:
    row = night.keep("They row.", days_ago=20, category="goal", access_count=12, last_accessed_at=iso(night.clock.at))
    night.used(row, night.clock.at, 12)
    cycle = night.cycle
    promotion.step(night.world, cycle)
    with night.world.database.write() as db:
        assert weighing.undo(db, cycle, "promotion", [row]) == 1
    assert proof(night.world, rules.GOAL_WEIGHT) is None


def test_a_question_of_its_own_counts_when_it_was_answered(night: Night, clock: FrozenClock) -> None:
    row = night.keep("They row.")
    with night.world.database.write() as db:
        asked = self_questions.add(db, "Why do they row?", "inner_monologue:2026-03-24", clock.at)
        assert asked is not None
    assert "questions to myself: 1" in so_far(night.world, rules.SELF_PROMPT)
    clock.pass_(hours=9)
    with night.world.database.write() as db:
        self_questions.answer(db, asked, "For the quiet.", row, clock.at)
    assert proof(night.world, rules.SELF_PROMPT) == Evidence(clock.at, (f"question:{asked}", f"memory:{row}"))


def test_a_thought_of_its_own_counts_when_it_was_written(world: World) -> None:
    turn = said(world, "I have been wondering about something.", COMPANION)
    with world.database.write() as db:
        decisions.record(
            db, NewDecision("follow_up", 3, "sent", "open", item_id=1, source="sessions:1", turn_id=turn), world.now
        )
        assert evidence.first(db, rules.SELF_PROMPT) is None, "what somebody said is no prompt of its own"
        mine = NewDecision("thought", 3, "sent", "open", item_id=2, source="inner_monologue:2026-03-24", turn_id=turn)
        decisions.record(db, mine, world.now)
    assert proof(world, rules.SELF_PROMPT) == Evidence(world.now, ("inner_monologue:2026-03-24", f"turn:{turn}"))


def test_a_conflict_counts_when_it_is_resolved(night: Night, clock: FrozenClock) -> None:
    value = night.keep("They value quiet mornings.", "preference", alpha=8.0, beta=2.0)
    act = night.keep("They moved above a bakery.")
    with night.world.database.write() as db:
        found = [memories.get(db, one) for one in (value, act)]
        assert found[0] and found[1]
        assert tensions._keep(db, night.cycle, found[0], [found[1]]) == "new"
    assert so_far(night.world, rules.CONFLICT) == "conflicts noticed: 1, none resolved"
    clock.pass_(days=3)
    with night.world.database.write() as db:
        memories.close(db, act, clock.at)
    assert tensions._resolve(night.world, night.cycle) == 1
    assert proof(night.world, rules.CONFLICT) == Evidence(clock.at, ("memory:3", f"memory:{value}"))


def test_a_promise_kept_ten_times_is_a_goal_reached_and_one_kept_unasked_is_a_decision(
    world: World, clock: FrozenClock
) -> None:
    myself = Self(world, clock, Mind())
    with world.database.write() as db:
        pattern = patterns.begin(db, SHOULD, world.now)
        assert commitments.add(db, pattern, TEXT, SIGN, world.now) == 1
    for number in range(10):
        assert proof(world, rules.GOAL) is None
        _, kept = myself.talks("What shall I do?", "> What have you tried?", session=f"s{number}")
        if number == 4:
            mine = NewDecision("thought", 3, "sent", "open", item_id=2, source="memories:1", turn_id=kept)
            with world.database.write() as db:
                decisions.record(db, mine, world.now)
            assert proof(world, rules.DECISION) is None
        assert myself.judges("honoured", f"s{number}", kept)
        if number == 4:
            assert proof(world, rules.DECISION) == Evidence(world.now, (f"turn:{kept}", "commitment:1"))
    assert proof(world, rules.GOAL) == Evidence(world.now, ("commitment:1", "memory:1"))


def test_reaching_one_is_felt_once_and_stays_known(night: Night, clock: FrozenClock) -> None:
    row = night.keep("They row.")
    with night.world.database.write() as db:
        retrievals.record(db, "inbox:2", [Retrieval(f"memory:{row}", 1, True, used=True)], clock.at)
    at = clock.at
    first = run_job.run_in(night.world, "soul_engine", lambda work: pytest.fail("nothing is to be awaited"))
    assert first.data["milestones"] == [rules.RETRIEVAL]
    clock.pass_(minutes=30)
    assert milestones_due(night.world) is None
    clock.pass_(minutes=31)
    assert milestones_due(night.world) is not None and not milestones.notice(night.world).did
    with night.world.database.write() as db:
        felt = [one for one in events.unread(db, 0) if one.kind == milestones.PROUD]
        db.execute("DELETE FROM retrievals")
        db.execute("DELETE FROM memories")
    assert [dict(one.payload) for one in felt] == [{"milestone": "retrieval", "evidence": [f"memory:{row}"]}]
    with night.world.database.read() as db:
        assert reached.read_all(db) == {rules.RETRIEVAL: Evidence(at, (f"memory:{row}",))}
        kept = db.execute("SELECT value FROM kv WHERE key='readiness'").fetchone()[0]
    assert "row." not in kept
    told = command.in_words(milestones.export_report(night.world), night.world.zone)
    assert "**1 of 10 milestones**" in told and ": no longer there\n" in told and f"memory:{row}" not in told


def test_reaching_one_comes_to_mind_once_when_it_is_news(world: World, clock: FrozenClock) -> None:
    with world.database.write() as db:
        old = clock.at - timedelta(days=60)
        reached.keep(db, {rules.GOAL: Evidence(clock.at, ()), rules.CONFLICT: Evidence(old, ())}, old)
    memory = said(world, "My sister is called Anika.")
    with world.database.write() as db:
        item = scratch.put(db, memory, "My sister is called Anika.", {}, "external_user", 0.9, clock.at)
        kept = memories.add(db, NewMemory("semantic", "Their sister is called Anika.", (memory,)), clock.at)
        assert item is not None
        scratch.decide(db, item, Decision("persisted", "core", memory_id=kept), clock.at)
    for _ in range(3):
        clock.pass_(hours=1)
        milestones.notice(world)
    with world.database.read() as db:
        waiting = [one for one in mind_queue.candidates(db, world.now) if one.kind == "growth"]
    assert [one.summary for one in waiting] == ["A first for me: something they told me has become a memory of mine"]


def test_when_all_are_reached_nobody_looks_any_more(world: World, clock: FrozenClock) -> None:
    assert milestones_due(world)
    with world.database.write() as db:
        reached.keep(db, dict.fromkeys(rules.NAMES, Evidence(clock.at, ())), clock.at - timedelta(days=9))
    assert milestones_due(world) is None


def milestones_due(world: World) -> str | None:
    with world.database.read() as db:
        return due.milestones(db, world.now)


def test_it_is_told_for_machines(world: World) -> None:
    found = json.loads(json.dumps(milestones.export_report(world)))
    assert found["reached"] == 0 and set(found["manifest"]) >= {"created_at", "age_days", "hours_up", "restarts"}
