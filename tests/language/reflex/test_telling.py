"""Being told something: kept, taken in specifically, changed when it changes, not asked about twice."""

from __future__ import annotations

import random

import pytest

from furoshiki.language.facts.patterns import FIRST_PERSON, THIRD_PERSON
from furoshiki.language.reflex.respond import respond
from furoshiki.language.reflex.situation import Situation
from furoshiki.language.reflex.values import ToolResult
from furoshiki.language.requests.lines import CURIOUS, HEARD
from tests.support.friend import MORNING, Talk


def met() -> Talk:
    return Talk(name="Noor", last_seen=MORNING)


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("I live in Lyon", "Lyon"),
        ("I'm a nurse", "nurse"),
        ("my dog is called Momo", "Momo"),
        ("I'm allergic to peanuts", "peanuts"),
        ("I love hiking", "iking"),
        ("my favourite colour is green", "reen"),
        ("I don't eat meat", "eat meat"),
        ("I quit smoking", "smoking"),
        ("I have two sisters", "two sisters"),
        ("my friend Tom lives in Rome", "Rome"),
        ("my mother is 71", "71"),
        ("I have to work tomorrow", "work"),
        ("I'm planning to run a marathon", "marathon"),
        ("I speak Turkish", "Turkish"),
        ("I'm married to Tom", "Tom"),
    ],
)
def test_what_is_told_is_taken_in_by_its_own_words(said: str, word: str) -> None:
    for seed in range(4):
        talk = Talk(name="Noor", last_seen=MORNING, seed=seed)
        assert word.lower() in talk.say(said).lower()
        assert talk.calls[0].name == "memorize"


def test_what_is_known_is_not_kept_twice() -> None:
    talk = met()
    talk.say("I live in Lyon")
    talk.later(days=3)
    calls = len(talk.calls)
    assert "on 3 March" in talk.say("I live in Lyon")
    assert len(talk.calls) == calls


def test_a_plan_is_news_every_time() -> None:
    talk = met()
    talk.say("I have a dentist appointment on Friday")
    talk.later(days=30)
    calls = len(talk.calls)
    talk.say("I have a dentist appointment on Friday")
    assert len(talk.calls) == calls + 1


def test_a_change_ends_the_old_fact() -> None:
    talk = met()
    talk.say("I live in Lyon")
    talk.later(days=3)
    reply = talk.say("actually I live in Marseille now")
    assert "Marseille" in reply
    assert "Lyon" in reply
    assert talk.knows("user", "lives_in") == ["Marseille"]


def test_two_things_in_one_breath_are_both_taken_in() -> None:
    talk = met()
    reply = talk.say("I live in Lyon with my cat Biscuit")
    assert "Lyon" in reply
    assert "Biscuit" in reply


def test_she_means_the_woman_mentioned_last() -> None:
    talk = met()
    talk.say("my sister Anika lives in Lisbon")
    talk.say("she's a doctor")
    assert talk.knows("Anika", "works_as") == ["doctor"]


def test_a_name_and_a_fact_together() -> None:
    talk = Talk()
    reply = talk.say("my name is Noor and I live in Lyon")
    assert "Noor" in reply
    assert "Lyon" in reply
    assert "Furoshiki" in reply


def test_worry_is_heard_before_the_fact() -> None:
    talk = met()
    reply = talk.say("I'm so worried, I have a biopsy on Thursday, I have an operation on Friday")
    assert "operation on Friday" in reply
    assert not reply.startswith(("Noted", "I'll keep"))


@pytest.mark.parametrize("seed", range(6))
def test_what_is_dreaded_is_not_taken_for_a_joy(seed: int) -> None:
    talk = Talk(name="Noor", last_seen=MORNING, seed=seed)
    said = talk.say("my exam is on friday and I'm terrified")
    assert not any(glad in said for glad in ("forward", "best", "good way")), said


def test_what_could_not_be_kept_is_said_to_be() -> None:
    failed = ToolResult("memorize", {}, False, {}, "no")
    situation = Situation("I live in Lyon", MORNING, user_name="Noor", last_seen=MORNING, tool_results=(failed,))
    assert "couldn't put that into memory" in respond(situation, random.Random(1)).text


def test_results_without_words_still_get_a_reply() -> None:
    odd = ToolResult("focus", {}, True)
    situation = Situation("hm hm", MORNING, user_name="Noor", last_seen=MORNING, tool_results=(odd,))
    assert respond(situation, random.Random(1)).text


def test_every_prepared_line_can_be_filled() -> None:
    values = {
        "o": "x",
        "who": "Tom",
        "whose": "your friend",
        "told": "you live in Lyon",
        "relation": "dog",
        "what": "film",
    }
    predicates = {pattern.predicate for pattern in FIRST_PERSON} | {f"other {p.predicate}" for p in THIRD_PERSON}
    for kind, lines in (HEARD | CURIOUS).items():
        assert kind in predicates | {"person", "pet", "favourite", "died"}, kind
        for line in lines:
            assert "{" not in line.format(name="", **values)
