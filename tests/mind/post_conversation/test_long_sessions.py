"""A long conversation is read whole: in parts that overlap, each paid for once, with nothing in it twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from furoshiki.core.database import kv
from furoshiki.core.errors import AnswerUnusable
from furoshiki.language.tokens import estimate
from furoshiki.memory.store import memories
from furoshiki.messages.store import sessions, turns
from furoshiki.messages.values import COMPANION, USER, NewTurn
from furoshiki.mind.post_conversation import reading
from furoshiki.mind.post_conversation.parts import merge
from furoshiki.mind.post_conversation.reading import read_sessions
from furoshiki.mind.post_conversation.reading_form import SessionReading
from furoshiki.mind.post_conversation.session import (
    LONGEST_LINE_TOKENS,
    MATERIAL_TOKENS,
    MOST_PARTS,
    OVERLAP_TURNS,
    gather,
)
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import World
from tests.support.world import FrozenClock, Human, Script

SESSION = "2026-03-24T15:00:00+00:00"
PADDING = " ".join(["the tide came in and the boats went out again"] * 8)
CITIES = [
    *("Lisbon", "Porto", "Faro", "Braga", "Evora", "Lagos", "Sintra", "Tomar", "Beja", "Aveiro"),
    *("Madrid", "Toledo", "Oviedo", "Burgos", "Vigo", "Cadiz", "Leon", "Malaga", "Girona", "Soria"),
    *("Paris", "Lyon", "Nantes", "Brest", "Nice", "Arles", "Calais", "Dijon", "Reims", "Tours"),
]


def talked(world: World, texts: list[str]) -> None:
    """A conversation of these messages, every second one the companion's."""
    with world.database.write() as db:
        for number, text in enumerate(texts):
            turns.add(
                db,
                NewTurn(
                    session_id=SESSION,
                    channel="telegram",
                    chat_id="7",
                    speaker=COMPANION if number % 2 else USER,
                    text=text,
                    at=world.now + timedelta(seconds=number),
                ),
            )


def long_talk(world: World, clock: FrozenClock) -> None:
    """300 messages; every tenth tells something."""
    texts = [f"message {number}: {PADDING}" for number in range(300)]
    for number, city in enumerate(CITIES):
        texts[number * 10] = f"I once worked in {city}. {PADDING}"
    talked(world, texts)
    clock.pass_(hours=1)


class Reader(Script):
    """Reads every city out of what it is shown."""

    async def __call__(self, question: Question, on_text: Any = None) -> Answer:
        if question.purpose != "post_conversation":
            return await super().__call__(question, on_text)
        self.questions.append(question)
        if self.lines and isinstance(self.lines[0], BaseException):
            raise self.lines.pop(0)
        shown = question.messages[-1].text
        facts = [
            {
                "text": f"They worked in {city}.",
                "subject": "user",
                "predicate": "worked_in",
                "object": city,
                "messages": [int(number)],
            }
            for number, city in re.findall(r"\[(\d+) [^\]]*\] \S+: I once worked in (\w+)\.", shown)
        ]
        parsed = SessionReading.model_validate(
            {
                **{"connection_quality": 0.5, "warmth": 0.5, "topics": ["the boats"], "user_state": "Calm."},
                **{"summary": f"They told of {len(facts)} towns.", "facts": facts},
            }
        )
        return Answer("", "stop", "scripted", "script", question.tier, parsed=parsed)


@pytest.fixture
def model() -> Script:
    return Reader()


def readings(model: Script) -> list[str]:
    return [one.messages[-1].text for one in model.questions if one.purpose == "post_conversation"]


def shown_ids(texts: list[str]) -> list[set[int]]:
    return [{int(number) for number in re.findall(r"^\[(\d+) \u00b7", text, re.MULTILINE)} for text in texts]


@pytest.mark.slow
async def test_all_of_three_hundred_messages_is_shown_and_every_fact_is_kept(
    world: World, model: Script, clock: FrozenClock
) -> None:
    long_talk(world, clock)
    assert (await read_sessions(world)).data["facts"] == len(CITIES)
    parts = shown_ids(readings(model))
    assert set().union(*parts) == set(range(1, 301))
    assert 1 < len(parts) <= 5
    assert all(estimate(text) < MATERIAL_TOKENS + 1_000 for text in readings(model))
    for before, after in zip(parts, parts[1:], strict=False):
        assert 0 < len(before & after) <= OVERLAP_TURNS
    with world.database.read() as db:
        held = memories.about(db, "user", "worked_in")
        [document] = sessions.latest(db)
        left = kv.keys(db, sessions.READ_IN_PARTS)
    assert {one.object: one.turn_ids for one in held} == {
        city: (number * 10 + 1,) for number, city in enumerate(CITIES)
    }
    assert document.topics == ("the boats",)
    assert document.document.count("They worked in Lisbon.") == 1
    assert "Not read" not in document.document
    assert left == []


async def test_a_short_conversation_is_one_question(world: World, model: Script, clock: FrozenClock) -> None:
    talked(world, ["I once worked in Lisbon.", "Tell me."])
    clock.pass_(hours=1)
    await read_sessions(world)
    [asked] = readings(model)
    assert "part" not in asked


@pytest.mark.slow
async def test_a_crash_between_two_parts_does_not_pay_twice(
    world: World, model: Script, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    long_talk(world, clock)

    def dies(name: str) -> None:
        if name == "post_conversation.part_read":
            raise KeyboardInterrupt

    monkeypatch.setattr(reading, "point", dies)
    with pytest.raises(KeyboardInterrupt):
        await read_sessions(world)
    monkeypatch.undo()
    assert len(readings(model)) == 1
    assert (await read_sessions(world)).data["facts"] == len(CITIES)
    parts = shown_ids(readings(model))
    assert len({frozenset(part) for part in parts}) == len(parts)


@pytest.mark.slow
async def test_an_unusable_part_waits_and_the_others_are_not_asked_again(
    world: World, model: Script, clock: FrozenClock
) -> None:
    long_talk(world, clock)
    await_first: Iterator[int] = iter(range(1))
    original = Reader.__call__

    async def second_fails(self: Reader, question: Question, on_text: Any = None) -> Answer:
        if question.purpose == "post_conversation" and "part 2 of" in question.messages[-1].text:
            for _ in await_first:
                raise AnswerUnusable("half JSON")
        return await original(self, question, on_text)

    Reader.__call__ = second_fails  # type: ignore[method-assign]
    try:
        assert (await read_sessions(world)).data["failed"] == [SESSION]
        clock.pass_(minutes=20)
        assert (await read_sessions(world)).data["facts"] == len(CITIES)
    finally:
        Reader.__call__ = original  # type: ignore[method-assign]
    firsts = [text for text in readings(model) if "part 1 of" in text]
    assert len(firsts) == 1


async def test_what_was_read_in_part_goes_when_something_is_forgotten(world: World, human: Human) -> None:
    """Whatever it is: nobody needs to find out whether it stands in there."""
    with world.database.write() as db:
        kv.put(db, f"{sessions.READ_IN_PARTS}{SESSION}:1-2-2", {"read": {"summary": "They are glad."}}, world.now)
    await human.says("my cat is called Miso")
    await human.says("/forget Miso")
    await human.says("/forget yes")
    with world.database.read() as db:
        assert kv.keys(db, sessions.READ_IN_PARTS) == []


@pytest.mark.slow
async def test_what_is_too_long_to_be_read_is_said_in_the_document(
    world: World, model: Script, clock: FrozenClock
) -> None:
    text = "word " * 3_000
    talked(world, [f"{number} {text}" for number in range(2 * MOST_PARTS + 20)])
    clock.pass_(hours=1)
    await read_sessions(world)
    parts = shown_ids(readings(model))
    assert len(parts) == MOST_PARTS
    unread = 2 * MOST_PARTS + 20 - len(set().union(*parts))
    assert unread > 0
    with world.database.read() as db:
        [document] = sessions.latest(db)
    assert f"Not read for facts: the first {unread} messages" in document.document


def test_a_long_message_is_shown_whole_under_its_number(world: World) -> None:
    words = " ".join(f"word{number}" for number in range(2_000))
    talked(world, [words])
    [part] = gather(world, SESSION).parts()
    assert len(part.lines) > 1
    assert {number for number, _ in part.shown} == {1}
    assert all(estimate(line) <= LONGEST_LINE_TOKENS + 20 for line in part.lines)
    assert re.findall(r"word\d+", " ".join(part.lines)) == words.split()


def test_parts_are_merged_without_a_contradiction() -> None:
    base = {"connection_quality": 0.2, "warmth": 0.2, "topics": ["tea"], "user_state": "Tired.", "summary": "Tea."}
    first = SessionReading.model_validate(
        {
            **base,
            "feelings": {"worry": 0.4, "relief": 0.1},
            "intensity": 0.3,
            "moved_by": {"text": "The tea was cold.", "messages": [1]},
            "facts": [
                {"text": "They like tea.", "subject": "user", "predicate": "likes", "object": "tea", "messages": [1]}
            ],
            "anticipations": [{"id": 1, "outcome": "hit", "messages": [2]}, {"id": 2, "outcome": "open"}],
            "user_needs": [{"need": "space", "level": 0.2, "confidence": 0.3, "messages": [1]}],
            "commitments": [{"id": 5, "verdict": "broken", "messages": [2]}],
            "style": {"depth_preference": 2},
            "authentic": 2,
        }
    )
    second = SessionReading.model_validate(
        {
            **base,
            "connection_quality": 0.8,
            "topics": ["Tea", "rain"],
            "user_state": "Glad.",
            "summary": "Rain.",
            "feelings": {"worry": 0.9},
            "intensity": 0.7,
            "moved_by": {"text": "The rain stopped.", "messages": [9]},
            "facts": [
                {"text": "They like Tea.", "subject": "User", "predicate": "likes", "object": "Tea", "messages": [9]}
            ],
            "anticipations": [{"id": 1, "outcome": "open"}, {"id": 2, "outcome": "miss", "messages": [9]}],
            "user_needs": [{"need": "space", "level": 0.9, "confidence": 0.8, "messages": [9]}],
            "commitments": [{"id": 5, "verdict": "honoured", "messages": [8]}],
            "style": {"depth_preference": 4},
            "authentic": 4,
        }
    )
    both = merge([first, second], [10, 30])
    assert both.connection_quality == pytest.approx(0.65)
    assert {one.feeling: one.strength for one in both.feelings} == {"worry": 0.9, "relief": 0.1}
    assert both.moved_by is not None and both.moved_by.messages == [9]
    assert (both.topics, both.user_state, both.summary) == (["tea", "rain"], "Glad.", "Tea. Rain.")
    assert [(one.object, one.messages) for one in both.facts] == [("tea", [1, 9])]
    assert {one.id: one.outcome for one in both.anticipations} == {1: "hit", 2: "miss"}
    assert [(one.level, one.messages) for one in both.user_needs] == [(0.9, [1, 9])]
    assert [(one.verdict, one.messages) for one in both.commitments] == [("broken", [2])]
    assert both.style is not None and both.style.depth_preference == 3
    assert both.authentic == 2
    assert merge([first], [10]) is first
