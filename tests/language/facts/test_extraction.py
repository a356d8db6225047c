"""What counts as a fact about the user, and, more important, what does not."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.language.facts.extraction import facts_in
from furoshiki.language.facts.retelling import to_user
from furoshiki.mind.post_conversation.reading_form import Category
from tests.support.statements import STATED

NOT_STATED = [
    "I found a pressed seahorse and a love letter to a cook",
    "I live in Rome, and Eva said so",
    "Do I live in Lyon?",
    "Where do I live?",
    "I live in Lyon?",
    "Is my sister Anika a doctor?",
    "Does my sister live in Lisbon?",
    "What if I lived in Lyon?",
    "If I lived in Lyon I would be happy",
    "If my sister lives in Lisbon, I could visit her",
    "I would love living in Lisbon",
    "I wish I lived in Lisbon",
    "I might move to Lisbon",
    "Maybe I'm allergic to peanuts",
    "I could be allergic to nuts",
    "Imagine I live in a castle",
    "Pretend I'm a doctor and I live in Paris",
    "Let's say I work for NASA",
    "Suppose I have two sisters",
    "I used to live in Paris",
    "I don't live in Paris",
    "I no longer live in Paris",
    "I never lived in Paris",
    "I'm not a nurse",
    "I'm not allergic to anything",
    'He said "I live in Lyon"',
    "\u201cI live in Lyon\u201d is what she wrote",
    "She said she lives in Lisbon",
    "Tom told me I live in a bubble",
    "My mother says I'm a doctor at heart",
    "My sister Anika says she lives in Rome",
    "According to him I live in Lyon",
    "In the film my sister Anna lives in Arendelle",
    "In my dream I lived in Tokyo",
    "The character I play: I live in Gotham",
    "Write a story: my sister Anna lives in Rome",
    "Translate: I live in Berlin",
    "say I am a teacher",
    "How do you say 'I live in Lyon' in French?",
    "> I live in Lyon",
    "```\nI live in Lyon\n```",
    "2026-03-03 12:00:01 INFO user=7 I live in Lyon\n2026-03-03 12:00:02 INFO ok\n2026-03-03 12:00:03 done",
    "Tom: I live in Lyon\nAnna: I live in Rome\nTom: nice",
    "[12:01] Tom: I'm a nurse",
    "From: Tom\nSubject: hello\nI live in Lyon",
    "Lyrics: I live in a yellow submarine",
    "I'm tired",
    "I'm a bit tired",
    "I'm a mess today",
    "I'm 10 minutes late",
    "I'm 100% sure",
    "I'm at home",
    "I'm on my way to Lyon",
    "I live in fear of spiders",
    "I live in hope",
    "I work hard",
    "I work at night",
    "I work from home",
    "I love you",
    "I love it",
    "I like that",
    "I like your idea",
    "I hate it when it rains",
    "I don't like this",
    "I have a headache",
    "I have a question",
    "I have an idea",
    "I play the fool",
    "I'm allergic to nonsense, just kidding",
    "I thought I was allergic to nuts",
    "Someone told me my sister Anika lives in Lisbon",
    "I'd like to live in Lisbon",
    "I want to live in Lisbon",
    "You live in Lisbon",
    "They live in Lisbon",
    "My sister might move to Lisbon",
    "I was reading that I live in the wrong century",
    "",
]


@pytest.mark.parametrize("message", STATED)
def test_what_is_stated_becomes_a_fact(message: str) -> None:
    found = [f"{fact.subject} {fact.predicate} {fact.object}" for fact in facts_in(message)]
    assert sorted(found) == sorted(STATED[message])


@pytest.mark.parametrize("message", NOT_STATED)
def test_what_is_not_stated_does_not(message: str) -> None:
    assert [fact.text for fact in facts_in(message)] == []


@pytest.mark.parametrize("message", STATED)
def test_every_fact_points_at_its_own_words(message: str) -> None:
    for fact in facts_in(message):
        start, end = fact.span
        assert message[start:end] == fact.words
        assert fact.object.lower().replace("'s", "")[:4] in fact.words.lower()
        assert fact.category in get_args(Category)
        assert fact.text
        assert to_user(fact.subject, fact.predicate, fact.object)


@pytest.mark.parametrize(
    ("message", "corrects"),
    [
        ("actually I live in Lyon now", True),
        ("No, my sister is called Anita", True),
        ("I moved to Lyon", True),
        ("Sorry, I meant I live in Lyon", True),
        ("I live in Lyon", False),
        ("my sister Anika lives in Lisbon", False),
    ],
)
def test_a_change_is_recognised_as_one(message: str, corrects: bool) -> None:
    assert {fact.corrects for fact in facts_in(message)} == {corrects}


@pytest.mark.parametrize(
    ("message", "text", "told"),
    [
        ("my sister Anika lives in Lisbon", "The user's sister is called Anika", "your sister is called Anika"),
        ("I live in Lyon", "The user lives in Lyon", "you live in Lyon"),
        ("I'm an engineer", "The user is an engineer", "you are an engineer"),
        ("I'm allergic to nuts", "The user is allergic to nuts", "you are allergic to nuts"),
        ("my mum lives in Porto", "The user's mother lives in Porto", "your mother lives in Porto"),
        ("my favourite colour is green", "The user's favourite colour is green", "your favourite colour is green"),
        ("I have asthma", "The user has asthma", "you have asthma"),
        ("I'm left-handed", "The user is left-handed", "you are left-handed"),
        ("my birthday is on 3 March", "The user's birthday is 3 March", "your birthday is 3 March"),
        ("I'm married to Tom", "The user is married", "you are married"),
        ("I'm retired", "The user is retired", "you are retired"),
        ("My grandmother died", "The user's grandmother died", "your grandmother died"),
        ("My dog Momo is a beagle", "The user's dog is called Momo", "your dog is called Momo"),
        ("I quit smoking", "The user quit smoking", "you quit smoking"),
    ],
)
def test_a_fact_can_be_said_back(message: str, text: str, told: str) -> None:
    first = facts_in(message)[0]
    assert first.text == text
    assert to_user(first.subject, first.predicate, first.object) == told


def test_an_unknown_predicate_is_said_plainly() -> None:
    assert to_user("user", "collects", "stamps") == "you collects stamps"
    assert to_user("Momo", "is", "beagle") == "Momo is a beagle"
    assert to_user("user", "partner", "Tom") == "your partner is called Tom"
    assert to_user("Mia", "birthday", "3 May") == "Mia's birthday is 3 May"


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    for fact in facts_in(text):
        assert text[fact.span[0] : fact.span[1]] == fact.words


@pytest.mark.parametrize(
    ("predicate", "object_", "told"),
    [
        ("plans", "dentist appointment on Friday", "you have a dentist appointment on Friday"),
        ("plans", "exams in June", "you have exams in June"),
        ("plans", "meeting Jaz on Friday", "you are meeting Jaz on Friday"),
        ("plans", "meeting with my boss on Friday", "you have a meeting with your boss on Friday"),
        ("likes", "my new job", "you like your new job"),
        ("plans", "diving lesson on Saturday", "you have a diving lesson on Saturday"),
        ("plans", "running the half marathon in Annecy", "you are running the half marathon in Annecy"),
        ("plans", "interview tomorrow", "you have an interview tomorrow"),
        ("plans", "flying to Rome on Monday", "you are flying to Rome on Monday"),
        ("plans", "visit Tom next week", "you visit Tom next week"),
        ("intends", "run faster", "you mean to run faster"),
        ("speaks_natively", "Urdu", "your native language is Urdu"),
    ],
)
def test_plans_are_said_back_in_a_sentence(predicate: str, object_: str, told: str) -> None:
    assert to_user("user", predicate, object_) == told


def test_whom_the_talk_was_about_can_be_given() -> None:
    (fact,) = facts_in("she's a doctor", spoken_of="Anika")
    assert (fact.subject, fact.object) == ("Anika", "doctor")
    assert facts_in("she's a doctor") == ()
    assert facts_in("she's very tall", spoken_of="Anika") == ()


def test_a_name_that_is_the_next_word_is_none() -> None:
    assert facts_in("my sister Monday") == ()
    assert facts_in("my brother Is tall") == ()


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("my son leo turns 6 in may", ["Leo"]),
        ("my daughter mia started school today", ["Mia"]),
        ("my nephew finn can't sleep", ["Finn"]),
        ("my sister sally moved to leeds", ["Sally"]),
        ("our cousin kim won a prize", ["Kim"]),
        ("i live in ghent with my wife els", ["Els"]),
        ("went out with my brother again", []),
        ("i fight with my dad lately", []),
        ("had lunch with my mum outside", []),
        ("anna is my neighbour btw", ["Anna"]),
        ("and tom is my brother", ["Tom"]),
        ("my mum nearly fainted", []),
        ("my cousin recently moved", []),
        ("my son plays drums", []),
        ("my sister sells used cars", []),
        ("my kid broke his arm", []),
        ("my son school starts at 8", []),
        ("my dog food costs a lot", []),
        ("my wife got a new job", []),
        ("this is my brother", []),
        ("she is my sister", []),
        ("today is my mum's birthday", []),
    ],
)
def test_a_name_in_small_letters_is_told_from_the_next_word(message: str, names: list[str]) -> None:
    assert [fact.object for fact in facts_in(message) if fact.category in ("family", "relationship")][:1] == names[:1]


@pytest.mark.parametrize(
    ("message", "predicate", "object_"),
    [
        ("My son Leo turns 6 on the 14th of December", "birthday", "the 14th of December"),
        ("I turned 40 on the 3rd of May", "birthday", "the 3rd of May"),
        ("My brother turns up on 3 March", "", ""),
        ("I work nights at a bakery", "works_at", "a bakery"),
    ],
)
def test_a_day_on_which_somebody_turns_an_age_is_a_birthday(message: str, predicate: str, object_: str) -> None:
    found = [(fact.predicate, fact.object) for fact in facts_in(message)]
    assert (predicate, object_) in found if predicate else found == []


@pytest.mark.parametrize(
    ("message", "spoken_of", "named"),
    [
        ("her name was Ruth", "mother", ("mother", "Ruth")),
        ("she was called Ruth.", "wife", ("wife", "Ruth")),
        ("I have a sister. her name is Anika", None, ("sister", "Anika")),
        ("her name was on the door", "mother", None),
        ("she was called back", "mother", None),
        ("her name is Ruth", None, None),
    ],
)
def test_whose_name_is_told_later_is_known(message: str, spoken_of: str | None, named: tuple[str, str] | None) -> None:
    found = [(fact.predicate, fact.object) for fact in facts_in(message, spoken_of) if fact.predicate != "has_family"]
    assert found == [named] * (named is not None)


@pytest.mark.parametrize("message", ["I've moved to the cardiac ward", "I moved to ward 7", "I moved to a new desk"])
def test_a_ward_is_no_home(message: str) -> None:
    assert facts_in(message) == ()


@pytest.mark.parametrize("message", ["I moved to Leeds", "I live in Sector 7", "we moved to the coast"])
def test_other_places_are(message: str) -> None:
    assert [fact.predicate for fact in facts_in(message)] == ["lives_in"]


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("I'm eighty two years of age", "82"),
        ("im seventeen", "17"),
        ("my daughter is seven", "7"),
        ("my son Tim is six and loves cars", "6"),
        ("I turned sixty yesterday", "60"),
        ("I'm ten minutes away", None),
        ("I'm one of them", None),
        ("my dad is two hours late", None),
        ("my sister is one in a million", None),
    ],
)
def test_an_age_may_be_said_in_words(message: str, told: str | None) -> None:
    ages = [fact for fact in facts_in(message) if fact.predicate == "age"]
    assert [fact.object for fact in ages] == ([told] if told else [])
    assert all(message.startswith(fact.words) for fact in ages)


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("got 3 kelpies Bluey Rex and Dot", ["Bluey", "Rex", "Dot"]),
        ("we got two cats Mimi and Leo", ["Mimi", "Leo"]),
        ("My sisters Anna Maria and Eva came", ["Anna"]),
        ("i have 2 dogs Bluey Rex and Dot", ["Bluey"]),
        ("I got kids", []),
    ],
)
def test_names_without_commas_are_as_many_as_were_counted(message: str, names: list[str]) -> None:
    assert [fact.object for fact in facts_in(message) if fact.predicate in ("dog", "cat", "sister")] == names
