"""The corners of the reflex mind: what is said when there is little to go by."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from furoshiki.language import nlp, signals
from furoshiki.language.reflex.respond import respond
from furoshiki.language.reflex.situation import Situation
from furoshiki.language.reflex.values import KnownFact, Reflex
from furoshiki.language.reflex.wording import flip_person, quote
from furoshiki.language.requests import lines
from furoshiki.language.testimony import Utterance
from tests.support.friend import MORNING, Talk
from tests.support.laws import english


def answer(
    text: str,
    *facts: KnownFact,
    recent: tuple[Utterance, ...] = (),
    over: tuple[KnownFact, ...] = (),
    seed: int = 1,
) -> Reflex:
    situation = Situation(
        text,
        MORNING,
        user_name="Noor",
        felt=signals.read(text, english()).strengths,
        nlp=nlp.read(text, english()),
        facts=facts,
        over=over,
        recent=recent,
        last_seen=MORNING - timedelta(minutes=5),
    )
    return respond(situation, random.Random(seed))


def home(number: int, where: str) -> KnownFact:
    said = MORNING.replace(month=3, day=number)
    return KnownFact(number, "user", "lives_in", where, f"The user lives in {where}.", said, f"I live in {where}")


@pytest.mark.parametrize(
    "question", ["where did I live before?", "where did I use to live?", "where did I live before that?"]
)
def test_what_was_so_before_is_told_as_past(question: str) -> None:
    words = answer(question, home(2, "Lyon"), over=(home(1, "Paris"),)).text
    assert words == "You used to live in Paris. You told me on 1 March: “I live in Paris”."
    assert "You live in Lyon" in answer("where do I live?", home(2, "Lyon"), over=(home(1, "Paris"),)).text
    assert answer(question, home(3, "Lyon"), over=(home(2, "Paris"), home(1, "Rome"))).text.endswith(
        "And before that: Rome."
    )


def plan(object_: str, days_ago: int) -> KnownFact:
    said = MORNING - timedelta(days=days_ago)
    return KnownFact(1, "user", "plans", object_, f"The user plans {object_}", said, f"I have {object_}")


@pytest.mark.parametrize(
    ("object_", "words"),
    [
        ("going to Rome tomorrow", "trip to Rome"),
        ("off tomorrow", "trip"),
        ("getting married tomorrow", "wedding"),
        ("meeting my cousin tomorrow", "time with your cousin"),
        ("starting my new job tomorrow", "new job"),
        ("a driving test tomorrow", "driving test"),
    ],
)
def test_a_plan_that_is_over_is_asked_about_by_its_name(object_: str, words: str) -> None:
    assert words in answer("hello", plan(object_, days_ago=3)).text


def test_plans_without_a_known_time_or_far_away_are_left_alone() -> None:
    for fact in (plan("writing a book", 3), plan("a wedding on 5 August", 1), plan("an exam tomorrow", 40)):
        text = answer("hello", fact).text
        assert "book" not in text
        assert "wedding" not in text
        assert "exam" not in text


def test_a_plan_that_was_asked_about_is_not_asked_about_again() -> None:
    fact = plan("a driving test tomorrow", 3)
    asked = tuple(
        Utterance("companion", f"{line}", MORNING)
        for line in (
            "You told me on 28 February about the driving test. How did it go?",
            "And the driving test: how was it?",
        )
    )
    assert "driving test" not in answer("hello", fact, recent=asked).text


def test_praise_without_thanks_pleases() -> None:
    assert answer("good bot").text in {
        "That's kind of you. It makes me a little proud.",
        "Thank you. I'll keep that one for a slow day.",
        "You've just made a small program happy.",
    }


def test_what_has_no_date_is_known_without_one() -> None:
    undated = KnownFact(1, "user", "lives_in", "Lyon", "The user lives in Lyon")
    assert answer("I live in Lyon", undated).text.startswith(("I remember.", "Yes, I know that one."))
    assert answer("where do I live?", undated).text == "You live in Lyon."


def test_a_question_of_common_words_alone_looks_for_them() -> None:
    assert answer("do you remember that?").calls[0].name == "recall"


def test_several_facts_of_a_kind_are_told_together() -> None:
    facts = tuple(
        KnownFact(n, "user", "likes", thing, f"The user likes {thing}", MORNING, f"I like {thing}")
        for n, thing in enumerate(("tea", "rain", "owls"))
    )
    assert "You like owls, rain and tea." in answer("what do I like?", *facts).text


def test_displeasure_with_nothing_to_be_displeased_about_is_a_feeling() -> None:
    assert "Say it another way" not in answer("this is useless").text


def test_a_faint_turning_away_is_not_dramatised() -> None:
    assert "No need to talk" not in answer("fine then", seed=2).text


def test_the_way_on_to_a_reminder_is_found_among_other_talk() -> None:
    talk = Talk(name="Noor", last_seen=MORNING)
    talk.say("remind me to call Tom")
    talk.say("hm, let me think about that for a moment")
    recent = (
        Utterance("user", "hello", MORNING),
        Utterance("companion", "When should I remind you to call Tom?", MORNING),
    )
    assert answer("tomorrow at 10", recent=recent).calls == ()


def test_a_list_is_found_again_only_when_it_was_named() -> None:
    recent = (Utterance("user", "hello", MORNING), Utterance("companion", "Hello.", MORNING))
    assert answer("cross off milk", recent=recent).calls[0].args["list"] == "shopping"
    named = (Utterance("user", "put socks on the packing list", MORNING), Utterance("companion", "Done.", MORNING))
    assert answer("cross off socks", recent=named).calls[0].args["list"] == "packing"


def test_a_power_is_no_sum() -> None:
    assert answer("2 ** 3 + 1").text == "That sum has no answer I could give."


def test_what_means_nothing_to_it_is_kept_and_what_it_can_is_said_once() -> None:
    replies = {answer("the street was being swept", seed=seed).text for seed in range(30)}
    assert all(any(can in reply for can in lines.WHAT_IT_CAN) for reply in replies)
    assert not any("?" in reply for reply in replies), "who spoke of something else is asked nothing"


def test_quotes_are_cut_at_words() -> None:
    cut = quote("word " * 100)
    assert len(cut) < 170
    assert cut.endswith("word \u2026\u201d")


def test_small_turns_of_phrase() -> None:
    assert flip_person("call my mum for me, I'm late") == "call your mum for you, you're late"
