"""What comes to mind is queued once, for a reason, and goes when the reason does. All of it with a real database."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from furoshiki.core.database import kv
from furoshiki.core.database.rows import dump
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.mind.inner_life import queue_thoughts, soul_engine
from furoshiki.mind.inner_life.store import commitments, monologue, self_questions
from furoshiki.owner.agenda.store import mind_queue, tasks
from furoshiki.owner.user_model.rules.profile import Gap, Profile
from furoshiki.owner.user_model.store import anticipations, profiles
from furoshiki.world import World
from tests.support.rows import user_said, waits
from tests.support.world import FrozenClock, Script

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture(autouse=True)
def calm(world: World) -> None:
    """A companion that needs nothing: only what a test brings about comes to mind."""
    feels(world, loneliness=0.0, joy=1.0, curiosity=0.3, contentment=1.0, affection=0.5)


def feels(world: World, **felt: float) -> None:
    def step(beat: Any) -> Any:
        from dataclasses import replace

        from furoshiki.feelings.heartbeat import settle

        now = {**beat.emotions.as_mapping(), **felt}
        emotions = type(beat.emotions).from_mapping(now)
        return settle(replace(beat, felt_at=world.now), emotions, world.laws, world.now)

    world.state.change(step)


def queue(world: World, kind: str | None = None) -> list[tuple[str, int, str]]:
    with world.database.read() as db:
        rows = db.execute(
            "SELECT summary, priority, state FROM mind_queue WHERE :kind IN ('', kind) ORDER BY id",
            {"kind": kind or ""},
        )
        return [(row["summary"], row["priority"], row["state"]) for row in rows]


def states(world: World, kind: str) -> list[str]:
    return [state for _, _, state in queue(world, kind)]


def fact(world: World, text: str, **more: Any) -> int:
    with world.database.write() as db:
        turn = turns.add(db, user_said(text, world.now))
        new = NewMemory(**{"type": "semantic", "category": "preference", **more}, content=text, turn_ids=(turn,))
        return memories.add(db, new, world.now)


def expects(world: World, text: str, at: timedelta, until: timedelta) -> int:
    now = world.now
    with world.database.write() as db:
        entry = monologue.add(db, "journal", now.date().isoformat(), [], "local", 0, now, item=text)
        assert entry is not None
        made = anticipations.add(db, entry, text, "they said so", [], now + at, now + until, now)
    assert made is not None
    return made


def test_what_they_may_need_comes_to_mind_when_its_time_is_near(world: World, clock: FrozenClock) -> None:
    """An hour that was named is told: at eight, nobody offers to hear how a call at three went."""
    guess = expects(world, "A kind word before the new job starts.", 2 * DAY, 4 * DAY)
    soul_engine.tick(world)
    assert queue(world, "anticipation") == []
    clock.pass_(hours=37)
    feels(world, loneliness=0.0)
    soul_engine.tick(world)
    soul_engine.tick(world)
    told = "What they may need on Thursday at 15:00: a kind word before the new job starts."
    assert queue(world, "anticipation") == [(told, 2, "pending")]
    with world.database.write() as db:
        anticipations.judge(db, guess, "hit", "s1", clock.at)
        assert waits(db, clock.at) == []
    soul_engine.tick(world)
    assert states(world, "anticipation") == ["expired"]


def test_what_they_asked_to_be_asked_is_not_guessed_at_the_evening_before(world: World, clock: FrozenClock) -> None:
    """Declan is asked after once, on the day; what else the day may bring comes to mind before it."""
    that_day = timedelta(days=5, hours=9)
    expects(world, "A plain question whether they rang Declan.", that_day, that_day + DAY)
    expects(world, "A kind word before the marathon.", that_day, that_day + DAY)
    asked = world.now + that_day - HOUR
    with world.database.write() as db:
        mind_queue.add(db, "follow_up", "Ask whether they rang Declan", "f", world.now, not_before=asked)
    clock.pass_(days=4, hours=23)
    feels(world, loneliness=0.0)
    soul_engine.tick(world)
    assert [summary for summary, _, _ in queue(world, "anticipation")] == [
        "What they may need on Monday at 01:00: a kind word before the marathon."
    ]


def test_what_was_never_judged_goes_with_its_time(world: World, clock: FrozenClock) -> None:
    expects(world, "Rest.", HOUR, 3 * HOUR)
    soul_engine.tick(world)
    assert states(world, "anticipation") == ["pending"]
    clock.pass_(hours=5)
    soul_engine.tick(world)
    assert states(world, "anticipation") == ["expired"]


def profile_with(world: World, *gaps: Gap) -> None:
    with world.database.write() as db:
        profiles.put(db, Profile(gaps=gaps), "x", "local", world.now)


HOME = Gap("location", "Where do you live?", 0.0)
WORK = Gap("employment", "What do you do all day?", 0.0)


def test_a_gap_becomes_a_question_once_and_one_at_a_time(world: World, clock: FrozenClock) -> None:
    profile_with(world, HOME, WORK)
    soul_engine.tick(world)
    soul_engine.tick(world)
    asked = "Something I do not know of them yet: where do they live?"
    assert [one[0] for one in queue(world, "question")] == [asked]
    clock.pass_(days=2)
    soul_engine.tick(world)
    assert len(queue(world, "question")) == 1, "not while the first one waits"
    profile_with(world, WORK)
    soul_engine.tick(world)
    assert states(world, "question") == ["dropped", "pending"], "the gap was filled, and there is another"
    for _ in range(12):
        clock.pass_(days=1)
        soul_engine.tick(world)
    assert len(queue(world, "question")) == 2, "a question that nobody asked in a week is not put again"


def test_a_gap_that_was_asked_about_in_other_ways_is_left_alone(world: World, clock: FrozenClock) -> None:
    with world.database.write() as db:
        self_questions.add(db, "Where do they live?", "sessions:s1", world.now)
    profile_with(world, HOME)
    soul_engine.tick(world)
    assert queue(world, "question") == []


def test_a_strong_need_puts_one_thought_there_presses_when_rose_and_goes_when_calm(
    world: World, clock: FrozenClock
) -> None:
    feels(world, loneliness=0.8, joy=0.5)  # communication 0.605: amber
    soul_engine.tick(world)
    soul_engine.tick(world)
    [(words, priority, state)] = [one for one in queue(world, "need") if "hear how they are" in one[0]]
    assert (words, priority, state) == ("I would like to hear how they are", 4, "pending")
    feels(world, loneliness=1.0, joy=0.0)  # 0.85: rose
    soul_engine.tick(world)
    assert [one[1] for one in queue(world, "need") if one[0] == words] == [3]
    feels(world, loneliness=0.75, joy=0.5)  # 0.575: still amber, by hysteresis
    soul_engine.tick(world)
    assert [one[1:] for one in queue(world, "need") if one[0] == words] == [(4, "pending")]
    feels(world, loneliness=0.0, joy=1.0)
    soul_engine.tick(world)
    assert set(states(world, "need")) <= {"dropped", "expired"}
    feels(world, loneliness=0.8, joy=0.5)
    clock.pass_(minutes=15)
    soul_engine.tick(world)
    assert [one[2] for one in queue(world, "need") if one[0] == words][-1] == "pending", "strong again, and said again"


def test_a_need_that_stays_strong_may_speak_again_after_a_week(world: World, clock: FrozenClock) -> None:
    for _ in range(30):
        feels(world, loneliness=1.0, joy=0.3, contentment=1.0, curiosity=0.3)
        soul_engine.tick(world)
        clock.pass_(hours=12)
    words = [one for one in queue(world, "need") if one[0].startswith("I would like to hear how")]
    assert [state for *_, state in words] == ["expired", "expired", "pending"]


def test_curiosity_takes_up_the_question_that_waits(world: World) -> None:
    with world.database.write() as db:
        made = self_questions.add(db, "Would they like to go to the sea?", "sessions:s1", world.now)
        assert made is not None
        self_questions.to_user(db, made, world.now)
    feels(world, curiosity=0.9)
    soul_engine.tick(world)
    assert queue(world) == [("Would they like to go to the sea?", 2, "pending")]
    with world.database.read() as db:
        assert "sea" not in dump(kv.get(db, mind_queue.NEEDS)), "words stay where /forget looks for them"
    feels(world, curiosity=0.3)
    soul_engine.tick(world)
    assert queue(world) == [("Would they like to go to the sea?", 3, "pending")]


def test_curiosity_without_a_question_turns_to_a_fact_and_leaves_it_when_it_is_true_no_more(world: World) -> None:
    held = fact(world, "They like rye bread.")
    feels(world, curiosity=0.7)
    soul_engine.tick(world)
    assert queue(world) == [("I would like to hear more about this: They like rye bread.", 4, "pending")]
    with world.database.write() as db:
        db.execute("UPDATE memories SET status='superseded' WHERE id=?", (held,))
        assert waits(db, world.now) == []


def test_helpfulness_turns_to_a_task_of_theirs_until_it_is_done(world: World) -> None:
    with world.database.write() as db:
        task = tasks.add(db, "user_work", "Call the landlord", world.now)
    feels(world, affection=1.0, joy=0.3, contentment=0.5)
    soul_engine.tick(world)
    assert any("Call the landlord" in one[0] and one[2] == "pending" for one in queue(world, "need"))
    with world.database.write() as db:
        tasks.set_state(db, task, "done", world.now)
    soul_engine.tick(world)
    assert [one[2] for one in queue(world, "need") if "Call the landlord" in one[0]] == ["expired"]


def test_needs_turn_to_the_life_of_their_owner_and_not_to_that_of_others(world: World) -> None:
    """“I might be of help with this: Gwen will have Biscuit” was thought, and said to who had arranged just that."""
    fact(world, "Daniel and Priya are having a bad time.", category="relationship", subject="Daniel")
    soon = world.now + timedelta(days=14)
    fact(world, "Gwen will have Biscuit.", category="plan", subject="Gwen", event_time=soon)
    feels(world, affection=1.0, joy=0.3, contentment=0.5, curiosity=0.7)
    soul_engine.tick(world)
    assert {one[0] for one in queue(world, "need")} == {
        "I would like to be of use: what is in their way just now?",
        "I would like to find out something new about their world",
    }
    fact(world, "They visit Anika in Lyon.", category="plan", subject="user", event_time=soon)
    with world.database.write() as db:
        db.execute("DELETE FROM mind_queue")
        db.execute("DELETE FROM kv WHERE key='mind.needs'")
    soul_engine.tick(world)
    assert any("They visit Anika in Lyon." in one[0] for one in queue(world, "need"))


def test_not_understanding_itself_becomes_a_question_for_the_night(world: World) -> None:
    feels(world, contentment=0.0, curiosity=0.5, anger=0.9)
    soul_engine.tick(world)
    soul_engine.tick(world)
    with world.database.read() as db:
        own = [one for one in self_questions.list_pending(db) if one.source == "needs:self_knowledge"]
    assert [one.question for one in own] == ["What has made me irritated in the days before 24 March 2026?"]
    assert all("irritated" not in words for words, *_ in queue(world))


def commitment(world: World, text: str, state: str, failures: int = 0) -> int:
    with world.database.write() as db:
        pattern = db.execute(
            "INSERT INTO behavioral_patterns (gist, created_at) VALUES ('g', ?)", (world.now.isoformat(),)
        )
        row = (pattern.lastrowid, text, "s", state, world.now.isoformat(), world.now.isoformat())
        made = db.execute(
            "INSERT INTO commitments (pattern_id, text, sign, state, created_at, changed_at) VALUES (?, ?, ?, ?, ?, ?)",
            row,
        )
        assert made.lastrowid is not None
        for number in range(failures):
            commitments.record(db, made.lastrowid, f"s{number}", "broken", (), world.now)
    return made.lastrowid


def test_growth_is_told_once_and_little_at_a_time(world: World, clock: FrozenClock) -> None:
    for text in ("Ask before giving advice.", "Do not apologise twice.", "Say when you do not know."):
        kept = commitment(world, text, "retired")
    commitment(world, "Let them finish.", "active", 3)
    for _ in range(4):
        soul_engine.tick(world)
    told = [words for words, *_ in queue(world, "growth")]
    assert len(told) == 2 and any("become mine: Do not apologise" in one for one in told)
    clock.pass_(hours=1)
    with world.database.write() as db:
        db.execute("UPDATE commitments SET state='dropped' WHERE id=?", (kept,))
    soul_engine.tick(world)
    assert sorted(states(world, "growth")) == ["expired", "pending", "pending"], "what is over makes room"


def test_a_changed_description_of_itself_is_worth_a_word(world: World) -> None:
    with world.database.write() as db:
        db.execute(
            "INSERT INTO personality_drift_log (at, state, before, text, diff, similarity, changed_share, themes, "
            "reasons, provider) VALUES (?, 'applied', '', 'I am calmer.', '', 0.9, 0.1, '[]', ?, 'scripted')",
            (
                world.now.isoformat(),
                dump([{"kind": "shift", "text": "the quarrel taught me to wait", "cites": [], "turns": []}]),
            ),
        )
    soul_engine.tick(world)
    [(words, _, _)] = queue(world, "growth")
    assert words == "I have come to see myself a little differently: the quarrel taught me to wait"


def test_nothing_piles_up(world: World) -> None:
    with world.database.write() as db:
        for number in range(40):
            word = "".join(chr(97 + (number // 26**i) % 26) for i in range(3))
            mind_queue.add(db, "follow_up", f"Ask about {word}ville and {word}berg", f"k{number}", world.now)
    soul_engine.tick(world)
    assert states(world, "follow_up").count("pending") == world.laws.queue.most["follow_up"]


def test_the_same_matter_is_not_queued_twice(world: World, clock: FrozenClock) -> None:
    with world.database.write() as db:
        first = mind_queue.add(db, "follow_up", "Ask how the interview at the bank went", "a", world.now)
        assert mind_queue.add(db, "thought", "Ask how their interview at the bank went", "b", world.now) is None
        assert first is not None and mind_queue.mark_said(db, first) and not mind_queue.mark_said(db, first)
        assert mind_queue.add(db, "follow_up", "Ask how the interview at the bank went", "c", world.now) is None
        later = world.now + 15 * DAY
        assert mind_queue.add(db, "follow_up", "Ask how the interview at the bank went", "d", later) is not None


def test_no_model_is_asked_and_a_killed_tick_is_made_good(
    world: World, model: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def die(name: str) -> None:
        if name == "queueing.before_commit":
            raise Killed

    expects(world, "Rest.", HOUR, DAY)
    feels(world, loneliness=1.0)
    with monkeypatch.context() as patch:
        patch.setattr(queue_thoughts, "point", die)
        with pytest.raises(Killed):
            soul_engine.tick(world)
    assert queue(world) == []
    soul_engine.tick(world)
    once = queue(world)
    soul_engine.tick(world)
    assert queue(world) == once and states(world, "anticipation") == ["pending"]
    assert model.questions == []
    with world.database.read() as db:
        assert kv.get(db, mind_queue.NEEDS)
