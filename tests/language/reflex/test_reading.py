"""A conversation read by rule when it is over."""

from __future__ import annotations

from datetime import timedelta

import pytest

from furoshiki.language.facts.extraction import facts_in
from furoshiki.language.reflex.reading import contradicts, read_session
from furoshiki.language.reflex.values import KnownFact
from furoshiki.language.testimony import Utterance
from furoshiki.mind.post_conversation.reading_form import SessionReading
from tests.support.friend import MORNING
from tests.support.laws import care_words, english


def session(*texts: str) -> list[Utterance]:
    """The user's turns with a reply of the companion's after each; ids 10, 11, 12, …"""
    said = []
    for i, text in enumerate(texts):
        at = MORNING + timedelta(minutes=2 * i)
        said.append(Utterance("user", text, at, 10 + 2 * i))
        said.append(Utterance("companion", "I live in Paris and my dog is called Rex.", at, 11 + 2 * i))
    return said


WARM = session(
    "hello! I missed you",
    "my sister Anika visited me and we had a wonderful weekend",
    "we walked by the river for hours and she told me about Lisbon",
    "I have a dentist appointment on Friday and I'm a bit scared",
    "thank you, you always make me smile",
    "I live in Lyon, did I say that?",
)
COLD = session("ok", "whatever", "leave me alone")


def test_the_reading_fits_what_post_conversation_asks_for() -> None:
    for turns in (WARM, COLD, session("hi"), [Utterance("companion", "hello?", MORNING, 1)]):
        reading = read_session(turns, english())
        assert SessionReading.model_validate(reading)


def test_a_warm_talk_reads_warmer_than_a_cold_one() -> None:
    warm, cold = read_session(WARM, english()), read_session(COLD, english())
    assert warm["connection_quality"] > 0.6 > 0.3 > cold["connection_quality"]
    assert warm["warmth"] > 0.7 > 0.4 > cold["warmth"]


def test_facts_come_from_the_users_turns_alone_and_cite_them() -> None:
    facts = {fact["text"]: fact for fact in read_session(WARM, english())["facts"]}
    assert facts["The user lives in Lyon."]["messages"] == [20]
    assert "Rex" not in str(facts)
    assert "Paris" not in str(facts)


def test_a_fact_told_twice_is_one_and_an_ended_one_is_gone() -> None:
    turns = session("I live in Lyon", "I live in Lyon", "actually I moved to Marseille")
    facts = read_session(turns, english())["facts"]
    assert [fact["object"] for fact in facts] == ["Marseille"]


def test_plans_are_followed_up_when_they_are_over() -> None:
    reading = read_session(WARM, english())
    plan = next(fact for fact in reading["facts"] if fact["category"] == "plan")
    assert plan["event_time"].startswith("2026-03-06T09:00")
    follow_up = reading["follow_ups"][0]
    assert "dentist appointment on Friday" in follow_up["text"]
    assert follow_up["after"].startswith("2026-03-06T10:00")
    assert follow_up["messages"] == [16]


def test_somebody_sad_is_asked_after_the_next_day() -> None:
    reading = read_session(session("I feel so lonely, I cried all morning"), english())
    assert reading["user_state"] == "sad"
    assert "sad" in reading["follow_ups"][0]["text"]
    assert reading["follow_ups"][0]["after"] > "2026-03-04"


def test_events_follow_what_was_felt() -> None:
    assert read_session(session("I'm so furious, how dare they"), english())["events"] == ["anger_triggered"]
    assert read_session(session("the weather was mild"), english())["events"] == []


def test_topics_are_what_came_up_most() -> None:
    reading = read_session(session("the garden is wet", "tomatoes in the garden", "gardens need sun"), english())
    assert reading["topics"][0] in ("garden", "gardens")
    assert "garden" in reading["summary"]


def test_without_a_lexicon_it_still_reads_facts() -> None:
    reading = read_session(WARM)
    assert reading["facts"]
    assert reading["user_state"] == "calm"


def test_a_talk_in_which_the_user_said_nothing() -> None:
    assert read_session([])["summary"] == "The user said nothing."
    assert read_session(session("hi"))["summary"] == "They exchanged a few words."


def known(text: str) -> KnownFact:
    fact = facts_in(text)[0]
    return KnownFact(1, fact.subject, fact.predicate, fact.object, fact.text)


@pytest.mark.parametrize(
    ("old", "new", "both_cannot_be"),
    [
        ("I live in Lyon", "I live in Marseille", True),
        ("I live in Lyon", "I live in lyon", False),
        ("I love olives", "I don't like olives", True),
        ("I love olives", "I love cheese", False),
        ("I'm 34", "I'm 35", True),
        ("my mother is 71", "I'm 35", False),
    ],
)
def test_contradictions_by_rule(old: str, new: str, both_cannot_be: bool) -> None:
    assert contradicts(known(old), known(new)) is both_cannot_be


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("I don't want to live anymore", True),
        ("my mother died", True),
        ("my husband beats me", False),
        ("I want to kill my boss", False),
    ],
)
def test_after_something_heavy_nothing_light_is_brought_up(said: str, asked: bool) -> None:
    turns = [Utterance("user", "I have a party on Friday", MORNING, 1), Utterance("user", said, MORNING, 2)]
    found = [one["text"] for one in read_session(turns, english(), care_words())["follow_ups"]]
    assert found == (["They sounded sad: ask how they are"] if asked else [])
