"""A pass through the real database: one thing is said, for a reason that can be read afterwards, and never twice."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Any

import pytest

from furoshiki.conversation.worker import Worker
from furoshiki.core.setting_rows import SecretStr
from furoshiki.core.timestamps import parse
from furoshiki.messages.store import accounts, outbox, turns
from furoshiki.messages.values import COMPANION, USER, NewTurn
from furoshiki.mind.outreach import due, pulse, reminders, voice
from furoshiki.mind.outreach.store import kinds
from furoshiki.mind.outreach.voice import NoWords, Worded
from furoshiki.owner.agenda.rules.mind_queue import Waiting
from furoshiki.owner.agenda.store import mind_queue, quiet, tasks
from furoshiki.world import Report, World
from tests.support.world import START, FrozenClock, Human, NoVectors


class Voice:
    """Finds the words that a test wants found: the thought itself, unless told otherwise."""

    def __init__(self) -> None:
        self.drafts: list[str] = []
        self.words: dict[str, str | Exception] = {}
        self.meanwhile: Any = None

    async def draft(self, _world: World, item: Waiting) -> Worded:
        self.drafts.append(item.summary)
        if self.meanwhile is not None:
            self.meanwhile()
        found = self.words.get(item.summary, item.summary)
        if isinstance(found, Exception):
            raise found
        return Worded(found, "scripted", "deep")

    async def polish(self, _world: World, _item: Waiting, drafted: Worded) -> Worded:
        return drafted


@pytest.fixture
def speaks(monkeypatch: pytest.MonkeyPatch) -> Iterator[Voice]:
    found = Voice()
    monkeypatch.setattr(voice, "draft", found.draft)
    monkeypatch.setattr(voice, "polish", found.polish)
    yield found


@pytest.fixture
def owned(world: World) -> World:
    """Somebody who has written once, long ago by now."""
    with world.database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", world.now, "Ines")
    hears(world, "hello", START - timedelta(days=1))
    return with_token(world)


def with_token(world: World) -> World:
    settings = world.settings.model_copy(update={"telegram_bot_token": SecretStr("1:t")})
    return replace(world, settings=settings)


def hears(world: World, text: str, at: datetime, **more: Any) -> int:
    with world.database.write() as db:
        return turns.add(db, NewTurn("s", "telegram", "7", USER, text, at, **more))


def thinks(world: World, summary: str, kind: str = "follow_up", priority: int = 3, **more: Any) -> int:
    with world.database.write() as db:
        found = mind_queue.add(db, kind, summary, f"k:{summary}", world.now, priority=priority, **more)
    assert found is not None
    return found


def rows(world: World, question: str) -> list[tuple[Any, ...]]:
    with world.database.read() as db:
        return [tuple(row) for row in db.execute(question)]


def decided(world: World) -> list[tuple[Any, ...]]:
    return rows(world, "SELECT item_id, verdict, gate FROM outreach_decisions ORDER BY id")


def said(world: World) -> list[str]:
    return [text for (text,) in rows(world, "SELECT text FROM outbox WHERE state!='failed' ORDER BY id")]


async def passes(world: World, delivered: bool = True) -> Report:
    """One pass, and the delivery of what it says."""
    report = await pulse.run(world)
    if delivered:
        with world.database.write() as db:
            for one in outbox.read_waiting(db, "telegram"):
                outbox.mark_sent(db, one.id, str(1000 + one.id), world.now)
    return report


async def test_how_a_day_went_is_not_asked_unasked_before_it_is_over(
    owned: World, speaks: Voice, clock: FrozenClock
) -> None:
    """The hearing is at ten; what has an hour of its own comes at it, and in a talk it may come up all day."""
    day = (START + timedelta(days=1)).astimezone(owned.zone).replace(hour=0, minute=0, second=0, microsecond=0)
    thinks(owned, "Ask how the hearing went", not_before=day)
    clock.at = day + timedelta(hours=9)
    await passes(owned)
    assert said(owned) == []
    with owned.database.read() as db:
        assert [item.summary for item in mind_queue.list_due(db, clock.at)] == ["Ask how the hearing went"]
    thinks(owned, "Ask how the exam went", not_before=day + timedelta(hours=8))
    await passes(owned)
    assert said(owned) == ["Ask how the exam went"]
    clock.at = day + timedelta(hours=18)
    await passes(owned)
    assert said(owned) == ["Ask how the exam went", "Ask how the hearing went"]


async def test_one_thing_is_said_with_its_buttons_and_its_reason(owned: World, speaks: Voice) -> None:
    asks = thinks(owned, "How was the interview?", "anticipation", 2)
    thinks(owned, "I have been reading about tides", "thought", 4)
    assert (await passes(owned, delivered=False)).did
    assert said(owned) == ["How was the interview?"]
    with owned.database.read() as db:
        (words,) = outbox.read_waiting(db, "telegram")
        (turn,) = turns.recent(db, "telegram", "7", 1)
    assert (turn.kind, turn.speaker, words.policy, words.turn_id) == ("outreach", COMPANION, "unprompted", turn.id)
    assert [one["text"] for one in words.extra["buttons"][-1]] == ["Later", "Less of this"]
    assert decided(owned)[0] == (asks, "sent", None)
    ((seen, reason),) = rows(owned, "SELECT gates, reason FROM outreach_decisions WHERE verdict='sent'")
    assert "cooldown" in seen and "novelty" in seen and "scripted:deep" in reason
    assert rows(owned, "SELECT state FROM mind_queue ORDER BY id") == [("sent",), ("pending",)]


async def test_nothing_is_written_first_right_after_a_reminder(owned: World, speaks: Voice, clock: FrozenClock) -> None:
    with owned.database.write() as db:
        tasks.add(db, tasks.REMINDERS, "call the vet", owned.now, due_at=owned.now, due_zone="Europe/Lisbon")
    item = thinks(owned, "How was the interview?", "anticipation", 2)
    assert reminders.speak_due(owned).did
    for minutes in (2, 60):
        clock.pass_(minutes=minutes)
        await passes(owned)
    assert said(owned) == ["⏰ call the vet"]
    assert decided(owned)[1:] == [(item, "held", "cooldown")]
    clock.pass_(minutes=60)
    await passes(owned)
    assert said(owned) == ["⏰ call the vet", "How was the interview?"]


async def test_at_night_nothing_goes_out_and_the_reason_is_on_record(
    owned: World, speaks: Voice, clock: FrozenClock
) -> None:
    item = thinks(owned, "How was the interview?")
    clock.at = parse("2026-03-24T23:30+00:00")
    assert not (await passes(owned)).did
    assert decided(owned) == [(item, "held", "quiet")]
    assert speaks.drafts == [], "nobody pays for words that are not said"


async def test_hours_of_the_settings_hold_until_others_are_said_in_the_chat(owned: World, speaks: Voice) -> None:
    afternoon = {"furoshiki_dnd_start": "14:00", "furoshiki_dnd_end": "16:00"}
    world = replace(owned, settings=owned.settings.model_copy(update=afternoon))
    item = thinks(world, "How was the interview?")
    await passes(world)
    assert decided(world) == [(item, "held", "quiet")]
    with world.database.write() as db:
        quiet.keep_hours(db, time(22), time(7), world.now)
    await passes(world)
    assert said(world) == ["How was the interview?"]


async def test_hours_that_were_said_in_words_hold_it_back(owned: World, speaks: Voice, clock: FrozenClock) -> None:
    await Human(owned, Worker(owned)).says("please don't write to me between 2 and 4 pm")
    item = thinks(owned, "How was the interview?")
    await passes(owned)
    assert decided(owned) == [(item, "held", "quiet")]


async def test_a_day_holds_as_many_messages_as_the_settings_say(owned: World, speaks: Voice) -> None:
    world = replace(owned, settings=owned.settings.model_copy(update={"furoshiki_outreach_per_day": 0}))
    item = thinks(world, "How was the interview?")
    await passes(world)
    assert decided(world) == [(item, "held", "cap")]


async def test_while_nothing_changes_the_question_costs_no_pass(
    owned: World, speaks: Voice, clock: FrozenClock
) -> None:
    def reason() -> str | None:
        with owned.database.read() as db:
            return due.outreach(db, owned.now)

    clock.at = parse("2026-03-24T23:30+00:00")
    assert reason() is None
    thinks(owned, "How was the interview?")
    assert reason() == "something waits to be said"
    await passes(owned)
    assert reason() is None
    clock.pass_(minutes=59)
    assert reason() is None
    clock.pass_(minutes=2)
    assert reason() is not None, "moods change by themselves"
    await passes(owned)
    hears(owned, "I cannot sleep", owned.now)
    assert reason() is not None, "something was said"
    await passes(owned)
    with owned.database.write() as db:
        quiet.keep(db, owned.now + timedelta(hours=12), owned.now)
    assert reason() is not None, "quiet was asked for"


async def test_what_is_closed_is_let_go_and_not_said(owned: World, speaks: Voice) -> None:
    item = thinks(owned, "I might be of help with the boxes", source="tasks:99")
    await passes(owned)
    assert said(owned) == [] and decided(owned) == [(item, "dropped", "open")]
    assert rows(owned, "SELECT state FROM mind_queue") == [("expired",)]


async def test_words_that_repeat_something_are_not_sent_and_what_comes_next_may_be(owned: World, speaks: Voice) -> None:
    with owned.database.write() as db:
        before = NewTurn("s", "telegram", "7", COMPANION, "How did the interview at the harbour go?", START)
        turns.add(db, before)
    first = thinks(owned, "the interview", "anticipation", 2)
    thinks(owned, "Did the tomatoes survive the frost?")
    speaks.words["the interview"] = "How did the interview at the harbour go?"
    await passes(owned)
    assert said(owned) == ["Did the tomatoes survive the frost?"]
    assert (first, "held", "novelty") in decided(owned)


PLAN = (
    "What they told of Anika's visits, in a few plain lines.\n1. Search memory for all that was said of her visits\n"
    "2. Look through the open lists for what belongs to them\n3. Write down each with its day and its place"
)


async def test_a_decision_is_judged_with_what_it_decides_and_never_let_go(
    owned: World, speaks: Voice, clock: FrozenClock
) -> None:
    speaks.words = {"May I begin?": "May I begin with it?", "Shall I?": "Here is a plan for you."}
    thinks(owned, "May I begin?", "delegation", 2, detail=PLAN)
    await passes(owned)
    assert said(owned) == [f"May I begin with it?\n\n{PLAN}"]
    clock.pass_(minutes=5)
    hears(owned, "I read it", owned.now)
    clock.pass_(days=3)
    again = thinks(owned, "Shall I?", "delegation", 2, detail=PLAN, until=owned.now + timedelta(days=14))
    for _ in range(12):
        await passes(owned)
        clock.pass_(hours=16)
    assert said(owned) == [f"May I begin with it?\n\n{PLAN}"]
    assert {one[1:] for one in decided(owned) if one[0] == again} == {("held", "novelty"), ("held", "quiet")}
    clock.pass_(days=4)
    await passes(owned)
    assert said(owned)[1:] == [f"Here is a plan for you.\n\n{PLAN}"], "two weeks later it is none"


async def test_what_was_asked_for_again_repeats_itself_and_nothing_else(
    owned: World, speaks: Voice, clock: FrozenClock
) -> None:
    speaks.words = {"work": "Which song would you play on a train?", "sleep": "How did you sleep?"}
    thinks(owned, "work", "thought", 3)
    await passes(owned)
    clock.pass_(days=1)
    asked = thinks(owned, "sleep", "thought", 3)
    await passes(owned)
    with owned.database.write() as db:
        assert mind_queue.say_again(db, asked, owned.now)
    speaks.words["sleep"] = "A small question: which song would you play on a train?"
    await passes(owned)
    assert len(said(owned)) == 2 and decided(owned)[-1] == (asked, "held", "novelty")
    speaks.words["sleep"] = "How did you sleep?"
    clock.pass_(minutes=10)
    await passes(owned)
    assert said(owned)[2:] == ["How did you sleep?"]


async def test_without_words_it_waits_longer_each_time_and_is_let_go_in_the_end(
    owned: World, speaks: Voice, clock: FrozenClock
) -> None:
    item = thinks(owned, "the interview")
    speaks.words["the interview"] = NoWords("the model is away")
    waits = []
    for _ in range(5):
        await passes(owned)
        ((state, not_before),) = rows(owned, "SELECT state, not_before FROM mind_queue")
        waits.append((parse(not_before) - clock.at).total_seconds() / 60)
        clock.at = parse(not_before)
    assert waits == [10, 20, 40, 80, 160]
    assert state == "dropped" and said(owned) == []
    assert decided(owned)[-1] == (item, "dropped", "words")


async def test_a_veto_is_the_end_of_it(owned: World, speaks: Voice) -> None:
    item = thinks(owned, "the interview")
    speaks.words["the interview"] = NoWords("they would rather not be asked", vetoed=True)
    await passes(owned)
    assert decided(owned) == [(item, "dropped", "polish")]
    assert rows(owned, "SELECT state FROM mind_queue") == [("dropped",)]


async def test_what_comes_in_while_words_are_looked_for_is_looked_at_next(owned: World, speaks: Voice) -> None:
    """A finished task waited for an hour, because it was finished while something else was put into words."""
    thinks(owned, "the interview")
    speaks.words["the interview"] = NoWords("they would rather not be asked", vetoed=True)
    speaks.meanwhile = lambda: thinks(owned, "the letter is done")
    await passes(owned)
    with owned.database.read() as db:
        assert due.outreach(db, owned.now) == "something waits to be said"


async def test_what_is_only_too_early_waits_for_another_day_and_not_for_ever(
    owned: World, speaks: Voice, clock: FrozenClock
) -> None:
    """“The interview is only tomorrow” was the end of it: nobody asked how it had gone."""
    item = thinks(owned, "the interview")
    other = thinks(owned, "the dentist")
    early = NoWords("the interview is only tomorrow", vetoed=True, another_day=True)
    speaks.words["the interview"] = speaks.words["the dentist"] = early
    await passes(owned)
    assert decided(owned) == [(item, "held", "polish"), (other, "held", "polish")]
    clock.pass_(days=1)
    del speaks.words["the interview"]
    await passes(owned)
    assert len(said(owned)) == 1 and decided(owned)[2:] == [(item, "sent", None)]
    for days in (1, 1):
        clock.pass_(days=days)
        await passes(owned)
    assert decided(owned)[-1] == (other, "dropped", "polish"), "three times too early is never"


async def test_where_one_wish_of_its_own_is_out_of_place_no_other_is_tried_that_day(
    owned: World, speaks: Voice, clock: FrozenClock
) -> None:
    """Four drafts were paid for on one evening, each to be told that it was not the moment."""
    for text, kind in (("my first memory", "growth"), ("their world", "need"), ("what they enjoy", "question")):
        thinks(owned, text, kind=kind)
        speaks.words[text] = NoWords(voice.NOT_NOW, vetoed=True)
    theirs = thinks(owned, "the interview", priority=5)
    for hour in range(12):
        if hour == 2:
            thinks(owned, "how they are", kind="need")
            speaks.words["how they are"] = NoWords(voice.NOT_NOW, vetoed=True)
        await passes(owned)
        clock.pass_(hours=1)
    wishes = [one for one in speaks.drafts if one != "the interview"]
    assert len(wishes) == 1 and len(said(owned)) == 1
    assert (theirs, "sent", None) in decided(owned), "what is theirs is said all the same"
    clock.pass_(hours=14)
    await passes(owned)
    assert len(speaks.drafts) == 3, "on another day the next is tried"


async def test_who_writes_while_words_are_looked_for_is_not_interrupted_and_no_second_draft_is_paid(
    owned: World, speaks: Voice, clock: FrozenClock
) -> None:
    item = thinks(owned, "How was the interview?")
    speaks.meanwhile = lambda: hears(owned, "guess what", owned.now)
    await passes(owned)
    assert said(owned) == [] and decided(owned) == [(item, "held", "recent")]
    speaks.meanwhile = None
    clock.pass_(minutes=119)
    await passes(owned)
    assert said(owned) == [], "what they talked of has hardly been read"
    clock.pass_(minutes=1)
    await passes(owned)
    assert said(owned) == ["How was the interview?"]
    assert len(speaks.drafts) == 1


async def test_after_a_night_that_was_hard_on_them_no_wish_and_no_note_is_drafted(
    owned: World, speaks: Voice, clock: FrozenClock
) -> None:
    hears(owned, "i keep seeing her face", owned.now, signals={"sadness": 0.8})
    hears(owned, "i'll try to sleep now", owned.now)
    thinks(owned, "I would like to be of use", "need", 4)
    thinks(owned, "Ask whether they could talk with Davide")
    clock.pass_(minutes=150)
    await passes(owned)
    assert (said(owned), speaks.drafts) == ([], [])
    thinks(owned, "What they may need before the hearing", "anticipation", 2)
    await passes(owned)
    assert said(owned) == ["What they may need before the hearing"]
    clock.pass_(minutes=240)
    await passes(owned)
    assert said(owned)[1:] == ["Ask whether they could talk with Davide"]


async def test_the_silent_are_left_alone_longer_and_longer(owned: World, speaks: Voice, clock: FrozenClock) -> None:
    for number, words in enumerate(("tides", "harbours", "tomatoes", "lighthouses", "chess")):
        thinks(owned, words, "thought", 3)
        clock.at = parse("2026-03-25T09:00+00:00") + timedelta(hours=4 * number)
        await passes(owned)
    assert said(owned) == ["tides", "harbours"], "two without an answer double the four hours"


async def test_who_answers_at_once_may_hear_more(owned: World, speaks: Voice, clock: FrozenClock) -> None:
    for words in ("tides", "harbours", "tomatoes", "lighthouses", "chess"):
        thinks(owned, words, "thought", 3)
    await passes(owned)
    clock.pass_(minutes=4)
    hears(owned, "oh, tell me more", owned.now)
    for _ in range(6):
        clock.pass_(minutes=5)
        await passes(owned)
    assert said(owned) == ["tides", "harbours", "tomatoes", "lighthouses"], "three, and the day's cap is four"


async def test_what_becomes_of_a_message_teaches_its_kind(owned: World, speaks: Voice, clock: FrozenClock) -> None:
    thinks(owned, "tides", "thought", 3)
    await passes(owned)
    clock.pass_(hours=3)
    await passes(owned)
    with owned.database.read() as db:
        ignored = kinds.get(db, "thought")
    assert ignored.ignored == 1 and ignored.weight < 1
    hears(owned, "good morning", owned.now)
    clock.pass_(hours=4)
    thinks(owned, "tomatoes", "follow_up", 3)
    await passes(owned)
    hears(owned, "they did", owned.now + timedelta(minutes=30))
    clock.pass_(hours=1)
    await passes(owned)
    with owned.database.read() as db:
        assert kinds.get(db, "follow_up").answered == 1
        assert kinds.get(db, "follow_up").weight > 1
    assert rows(owned, "SELECT outcome FROM outreach_decisions WHERE verdict='sent'") == [("ignored",), ("answered",)]


async def test_a_reaction_says_whether_it_was_welcome(owned: World, speaks: Voice, clock: FrozenClock) -> None:
    thinks(owned, "tides", "thought", 3)
    await passes(owned)
    ((turn_id,),) = rows(owned, "SELECT turn_id FROM outreach_decisions WHERE verdict='sent'")
    hears(owned, "👎", owned.now, kind="reaction", reply_to=turn_id, signals={"frustration": 0.8})
    clock.pass_(minutes=5)
    await passes(owned)
    with owned.database.read() as db:
        assert kinds.get(db, "thought").disliked == 1


async def test_nobody_is_written_to_who_has_never_written_or_has_blocked_the_bot(world: World, speaks: Voice) -> None:
    with world.database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", world.now, "Ines")
    here = with_token(world)
    thinks(here, "tides", "thought", 3)
    await passes(here)
    assert said(here) == []
    hears(here, "hello", START - timedelta(days=1))
    with here.database.write() as db:
        accounts.set_blocked(db, "telegram", "7", True, here.now)
    await passes(here)
    assert said(here) == []


async def test_what_could_not_be_delivered_in_time_is_taken_back_and_said_another_time(
    owned: World, speaks: Voice, clock: FrozenClock
) -> None:
    item = thinks(owned, "How was the interview?")
    await passes(owned, delivered=False)
    assert said(owned) == ["How was the interview?"]
    clock.pass_(minutes=16)
    await passes(owned, delivered=False)
    assert said(owned) == []
    assert decided(owned) == [(item, "failed", "delivery")]
    with owned.database.read() as db:
        assert turns.recent(db, "telegram", "7", 5)[-1].text == "hello", "it was not said"
    clock.pass_(minutes=10)
    with owned.database.read() as db:
        assert due.outreach(db, owned.now) == "something waits to be said"
    await passes(owned)
    assert said(owned) == ["How was the interview?"]


class Likened(NoVectors):
    """Whatever is to be said means the same."""

    def said(self, texts: Sequence[str], *_: Any, **__: Any) -> tuple[str, list[list[float]]]:
        return "one", [[1.0]] * len(texts)


async def test_what_was_taken_back_is_no_repetition_of_itself(owned: World, speaks: Voice, clock: FrozenClock) -> None:
    world = replace(owned, vectors=Likened())
    with world.database.write() as db:
        greeting = turns.add(db, NewTurn("s", "telegram", "7", COMPANION, "Good morning.", START - timedelta(hours=6)))
    thinks(world, "How was the interview?")
    await passes(world, delivered=False)
    with world.database.write() as db:
        for row, near in ((greeting, 0.0), (greeting + 1, 1.0)):
            vector = struct.pack("<e", near)
            db.execute("UPDATE turns SET embedding=?, embed_model='one' WHERE id=?", (vector, row))
    clock.pass_(minutes=16)
    await passes(world, delivered=False)
    clock.pass_(minutes=10)
    await passes(world)
    assert said(world) == ["How was the interview?"]


async def test_words_that_never_arrive_are_found_once_tried_thrice_and_never_judged(
    owned: World, speaks: Voice, clock: FrozenClock
) -> None:
    item = thinks(owned, "How was the interview?", "skill_result", 2)
    for _ in range(7 * 24 * 4):  # a week without Telegram
        await passes(owned, delivered=False)
        clock.pass_(minutes=15)
    assert speaks.drafts == ["How was the interview?"], "nobody is paid for the same words twice"
    assert [one[1] for one in decided(owned)] == ["failed"] * 3
    assert rows(owned, "SELECT state, attempts FROM mind_queue") == [("dropped", 3)]
    with owned.database.read() as db:
        assert kinds.get(db, "skill_result").weight == 1.0, "nobody ignores what never came"
        assert mind_queue.get(db, item) is not None


async def test_what_arrives_late_is_judged_from_when_it_arrived(
    owned: World, speaks: Voice, clock: FrozenClock
) -> None:
    thinks(owned, "How was the interview?")
    await passes(owned, delivered=False)
    with owned.database.write() as db:
        (one,) = outbox.read_waiting(db, "telegram")
        outbox.claim(db, one.id, clock.at)  # it is on its way, nobody knows how far
    clock.pass_(hours=5)
    await passes(owned, delivered=False)
    with owned.database.write() as db:
        outbox.mark_sent(db, one.id, "77", clock.at)
    clock.pass_(hours=1)
    hears(owned, "it went well", clock.at)
    await passes(owned)
    assert rows(owned, "SELECT outcome FROM outreach_decisions WHERE verdict='sent'") == [("answered",)]
