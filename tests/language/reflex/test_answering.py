"""Questions about what was told: quoted with the date, or honestly not known."""

from __future__ import annotations

from copy import deepcopy
from datetime import timedelta

import pytest

from furoshiki.language.requests import asked
from furoshiki.language.requests.asked import Asked
from tests.support.friend import MORNING, Talk

TOLD = (
    "my sister Anika lives in Lisbon",
    "she's a vet",
    "I'm a nurse at St Mary's",
    "I'm allergic to peanuts",
    "my birthday is on 3 May",
    "my favourite colour is green",
    "I love hiking and board games",
    "we have a dog called Momo",
    "I speak Turkish",
    "I'm vegetarian",
    "I'm flying to Rome on Monday",
    "my mother is 71",
)


@pytest.fixture(scope="module")
def told() -> Talk:
    talk = Talk(name="Noor", last_seen=MORNING)
    for said in TOLD:
        talk.say(said)
    return talk


@pytest.fixture
def talk(told: Talk) -> Talk:
    return deepcopy(told)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "where does my sister live?",
            "Anika lives in Lisbon. You told me today: \u201cmy sister Anika lives in Lisbon\u201d.",
        ),
        ("do you remember where my sister lives?", "Anika lives in Lisbon"),
        ("where does Anika live?", "Anika lives in Lisbon"),
        ("what does Anika do?", "Anika is a vet"),
        ("what's my sister's name?", "Your sister is called Anika"),
        ("who is Anika?", "Anika"),
        ("who's my sister?", "Your sister is called Anika"),
        ("what do I do for a living?", "You are a nurse"),
        ("where do I work?", "You work at St Mary's"),
        ("what am I allergic to?", "You are allergic to peanuts"),
        ("when is my birthday?", "Your birthday is 3 May"),
        ("what's my favourite colour?", "Your favourite colour is green"),
        ("what do I like?", "You like board games and hiking"),
        ("what is my dog called?", "Your dog is called Momo"),
        ("do I have any pets?", "Your dog is called Momo"),
        ("what languages do I speak?", "You speak Turkish"),
        ("am I vegetarian?", "You are vegetarian"),
        ("what are my plans?", "You are flying to Rome on Monday"),
        ("how old is my mother?", "Your mother is 71"),
        ("what's my name?", "Noor"),
        ("do you know who I am?", "Noor"),
        ("did I tell you about Rome?", "Rome"),
    ],
)
def test_what_was_told_is_answered(talk: Talk, question: str, answer: str) -> None:
    assert answer in talk.say(question)


@pytest.mark.parametrize(
    "question",
    [
        "what's my brother's name?",
        "where was I born?",
        "what does my mother do?",
        "what is my favourite film?",
        "did I tell you about my car?",
        "how old is Momo?",
        "am I married?",
    ],
)
def test_what_was_not_told_is_never_invented(talk: Talk, question: str) -> None:
    reply = talk.say(question)
    unknown = ("haven't told me", "don't think you've told me", "can't find that you told me", "Nothing about")
    assert any(words in reply for words in unknown), reply


def test_before_saying_no_it_looks() -> None:
    talk = Talk(name="Noor", last_seen=MORNING)
    talk.say("what's my brother's name?")
    assert [call.name for call in talk.calls] == ["recall"]


def test_words_of_long_ago_are_quoted_with_their_date() -> None:
    talk = Talk(name="Noor", last_seen=MORNING)
    talk.say("the blue suitcase is in the cellar behind the skis")
    talk.later(days=20)
    reply = talk.say("do you remember where I put the blue suitcase?")
    assert "on 3 March" in reply
    assert "\u201cthe blue suitcase is in the cellar behind the skis\u201d" in reply


def test_something_near_is_offered_as_just_that() -> None:
    talk = Talk(name="Noor", last_seen=MORNING)
    talk.say("the concert in the old church was beautiful")
    talk.later(days=1)
    reply = talk.say("what did I say about the concert tickets and parking?")
    assert "yesterday" in reply
    assert "nearest" in reply or "not sure" in reply


def test_a_question_asked_before_is_no_evidence() -> None:
    talk = Talk(name="Noor", last_seen=MORNING)
    talk.say("do I have a boat?")
    assert "boat" not in talk.say("did I tell you about my boat?").split("\u201c")[-1] or "told" in talk.said[-1].text


def test_everything_known_is_listed(talk: Talk) -> None:
    reply = talk.say("what do you know about me?")
    assert "- You are allergic to peanuts" in reply
    assert "Noor" in reply
    nobody = Talk(last_seen=MORNING)
    assert "ot much yet" in nobody.say("what do you know about me?")


def test_what_is_told_after_a_vain_question_is_kept() -> None:
    talk = Talk(name="Noor", last_seen=MORNING)
    talk.say("when is my birthday?")
    talk.say("it's on 3 March")
    assert talk.knows("user", "birthday") == ["3 March"]
    talk.say("what's my brother's name?")
    talk.say("his name is Leo")
    assert talk.knows("user", "brother") == ["Leo"]
    talk.say("what's my favourite film?")
    talk.say("it's the one with the lighthouse")
    assert talk.knows("user", "favourite_film") == ["the one with the lighthouse"]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("where do I live?", "why do you ask?"),
        ("what's my brother's name?", "tell me a joke"),
        ("what's my brother's name?", "it's a secret"),
        ("when is my birthday?", "it's soon"),
        ("what's my favourite film?", "tell me a joke"),
        ("where was I born?", "I forgot it myself"),
    ],
)
def test_what_only_follows_a_vain_question_is_no_answer(question: str, said: str) -> None:
    talk = Talk(name="Noor", last_seen=MORNING)
    talk.say(question)
    talk.say(said)
    assert [fact for fact in talk.facts if fact.predicate != "name"] == []


def test_a_name_nobody_gave_is_asked_for() -> None:
    talk = Talk(last_seen=MORNING)
    assert "What should I call you?" in talk.say("do you know my name?")
    assert "Noor" in talk.say("Noor")
    assert talk.say("what's my name?").startswith(("You're Noor", "Noor"))


def test_a_long_message_is_quoted_in_part() -> None:
    talk = Talk(name="Noor", last_seen=MORNING)
    talk.say("Today was long and we walked a great deal through the town and the rain. " * 3 + "I live in Lyon.")
    reply = talk.say("where do I live?")
    assert "\u201cI live in Lyon.\u201d" in reply


def test_dates_are_near_or_absolute() -> None:
    for span, words in ((timedelta(days=1), "yesterday"), (timedelta(days=400), "on 3 March 2026")):
        talk = Talk(name="Noor", last_seen=MORNING)
        talk.say("I live in Lyon")
        talk.later(days=span.days)
        assert words in talk.say("where do I live?")


@pytest.mark.parametrize(
    ("plain", "expected"),
    [
        ("where does my mum live", Asked("mother", ("lives_in", "comes_from"), "your mother")),
        ("what's my all-time favourite film", Asked("user", ("favourite_film",), "your favourite film")),
        ("is momo well", Asked("Momo", asked.ANYTHING, "Momo")),
        ("tell me about momo", Asked("Momo", (), "Momo")),
        ("what is going on", None),
    ],
)
def test_what_is_asked_for(plain: str, expected: Asked | None) -> None:
    assert asked.question(plain, ["Momo"]) == expected
