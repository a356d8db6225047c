"""Where no fact answers, what was said does, with its day; where nothing does, that is said."""

from __future__ import annotations

from copy import deepcopy

import pytest

from tests.support.friend import MORNING, Talk

TOLD = (
    "The spare key is under the blue flowerpot",
    "The wifi password is hunter2-blue",
    "Bram plays the cello so well",
    "The car is parked in Rua do Sol",
    "Our landlord is Mr Silva",
    "The bins go out on Thursdays",
    "The boiler code is E17",
    "I put the passport into the red folder",
)


@pytest.fixture(scope="module")
def told() -> Talk:
    talk = Talk(name="Noor", last_seen=MORNING)
    for said in TOLD:
        talk.say(said)
    talk.later(days=3)
    return talk


@pytest.fixture
def talk(told: Talk) -> Talk:
    return deepcopy(told)


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("where is the spare key?", "under the blue flowerpot"),
        ("Where's the spare key", "under the blue flowerpot"),
        ("what's the wifi password?", "hunter2-blue"),
        ("what was the wifi password again?", "hunter2-blue"),
        ("who is Bram?", "plays the cello"),
        ("where is the car parked?", "Rua do Sol"),
        ("who is our landlord?", "Mr Silva"),
        ("when do the bins go out?", "Thursdays"),
        ("what's the boiler code?", "E17"),
        ("where did I put the passport?", "red folder"),
        ("did Bram play the cello?", "the cello"),
    ],
)
def test_what_was_said_is_quoted_with_its_day(talk: Talk, question: str, quoted: str) -> None:
    answer = talk.say(question)
    assert quoted in answer
    assert "on 3 March" in answer


@pytest.mark.parametrize("question", ["where is the ladder?", "who is Priya?", "when is the concert?"])
def test_what_nobody_said_is_not_made_up(talk: Talk, question: str) -> None:
    answer = talk.say(question)
    assert "\u201c" not in answer
    assert "told me" in answer or "so far" in answer


@pytest.mark.parametrize(
    "question", ["what is the capital of France?", "who wrote Hamlet in the end?", "how far is the moon?"]
)
def test_the_world_is_not_answered_from_memory(talk: Talk, question: str) -> None:
    assert "\u201c" not in talk.say(question)


DATED = (
    ("dentist tomorrow at 3pm", "when is the dentist?", {"days": 2}, "That was on Wednesday, 4 March, at 15:00."),
    (
        "I have a dentist appointment tomorrow at 3pm",
        "what are my plans?",
        {"days": 2},
        "had a dentist appointment on Wed",
    ),
    (
        "I have a dentist appointment on Friday",
        "what are my plans?",
        {"days": 1},
        "have a dentist appointment on Friday, 6 M",
    ),
    ("I'm flying to Rome next Monday", "what are my plans?", {"days": 1}, "You are flying to Rome on Monday, 9 March"),
    ("I'm flying to Rome on Monday", "what are my plans?", {"days": 9}, "You were flying to Rome on Monday, 9 March"),
    (
        "the plumber comes tomorrow at noon",
        "when does the plumber come?",
        {"days": 1},
        "on Wednesday, 4 March, at 12:00.",
    ),
)


@pytest.mark.parametrize(("said", "question", "gone", "day"), DATED)
def test_a_day_is_told_as_the_day_it_meant(said: str, question: str, gone: dict[str, float], day: str) -> None:
    talk = Talk(name="Noor", last_seen=MORNING)
    talk.say(said)
    talk.later(**gone)
    assert day in talk.say(question)
