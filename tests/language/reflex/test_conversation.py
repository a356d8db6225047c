"""The first five minutes with the built-in mind, as somebody would spend them; read it aloud with `-s`."""

from __future__ import annotations

import pytest

from furoshiki.language.reflex.frankness import HOW_TO
from furoshiki.language.requests.lines import WHAT_IT_CAN
from furoshiki.language.requests.news import LINES
from tests.support.friend import Talk

SEEDS = range(6)

# What is said → what the reply must hold (any of the alternatives).
FIRST_FIVE_MINUTES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("hi", ("Furoshiki",)),
    ("Noor", ("Noor",)),
    ("I live in Lyon with my cat Biscuit", ("Lyon",)),
    ("my sister Anika lives in Lisbon", ("Anika", "sister")),
    ("twice a year maybe", ("",)),
    ("what can you do?", ("emind",)),
    ("remind me to call Anika on Sunday at six", ("Sunday, 8 March",)),
    ("add milk and eggs to the shopping list", ("ilk and eggs",)),
    ("and butter", ("utter",)),
    ("I'm a bit nervous, I have a job interview on Thursday", ("interview on Thursday",)),
    ("at a small publishing house", ("",)),
    ("thanks", ("",)),
    ("do you remember where my sister lives?", ("\u201cmy sister Anika lives in Lisbon\u201d",)),
    ("what's my cat called?", ("Biscuit",)),
    ("what is my brother's name?", ("haven't told me", "don't think you've told me", "can't find", "Nothing about")),
    ("tell me a joke", ("",)),
    ("haha", ("",)),
    ("how are you?", ("?",)),
    ("fine, a bit tired", ("",)),
    ("are you human?", ("no person",)),
    ("what's the capital of France?", ("language model", "can't answer", "don't know", "Beyond me")),
    ("I went for a walk by the river this morning", ("",)),
    ("what's on my shopping list?", ("- butter",)),
    ("actually I moved to Marseille last week", ("Marseille",)),
    ("where do I live?", ("You live in Marseille",)),
    ("what do you know about me?", ("Your cat is called Biscuit",)),
    ("how do I add a language model?", ("/mind",)),
    ("ok, gotta go, bye", ("",)),
)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_first_five_minutes(seed: int) -> None:
    talk = Talk(seed=seed)
    for said, expected in FIRST_FIVE_MINUTES:
        reply = talk.say(said)
        print(f"> {said}\n  {reply}")
        assert any(part in reply for part in expected), f"{said!r} was answered {reply!r}"
    assert talk.knows("user", "lives_in") == ["Marseille"]
    assert talk.knows("Anika", "lives_in") == ["Lisbon"]
    assert talk.knows("user", "cat") == ["Biscuit"]
    assert talk.lists == {"shopping": ["milk", "eggs", "butter"]}
    assert [reminder["title"] for reminder in talk.reminders] == ["call Anika"]


@pytest.mark.parametrize("seed", SEEDS)
def test_it_neither_repeats_itself_nor_interrogates(seed: int) -> None:
    talk = Talk(seed=seed)
    replies = [talk.say(said) for said, _ in FIRST_FIVE_MINUTES]
    assert all(first != second for first, second in zip(replies, replies[1:], strict=False))
    assert len(set(replies)) >= len(replies) - 1
    assert not any(all(reply.endswith("?") for reply in replies[i : i + 4]) for i in range(len(replies) - 3))
    assert sum(reply.count("?") > 2 for reply in replies) == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_it_says_what_it_is_once_and_not_in_every_message(seed: int) -> None:
    talk = Talk(seed=seed)
    replies = [talk.say(said) for said, _ in FIRST_FIVE_MINUTES]
    assert "language model" in replies[0]
    assert sum("language model" in reply for reply in replies) <= 5
    assert sum(HOW_TO in reply for reply in replies) == 1


def test_it_is_brief() -> None:
    talk = Talk()
    lengths = [len(talk.say(said)) for said, _ in FIRST_FIVE_MINUTES]
    assert sum(lengths) / len(lengths) < 160


def test_the_same_dice_give_the_same_words() -> None:
    first, second = Talk(seed=3), Talk(seed=3)
    for said, _ in FIRST_FIVE_MINUTES:
        assert first.say(said) == second.say(said)


def test_days_later_it_knows_who_is_there_and_asks_how_it_went() -> None:
    talk = Talk()
    for said in ("hi", "Noor", "I have a job interview on Thursday", "bye"):
        talk.say(said)
    talk.later(days=4)
    reply = talk.say("good morning")
    assert "Noor" in reply
    assert "job interview" in reply
    assert reply.endswith("?")


def test_the_day_before_it_knows_what_is_ahead() -> None:
    talk = Talk()
    for said in ("hi", "Noor", "I have a dentist appointment tomorrow at 10"):
        talk.say(said)
    assert "dentist appointment" in talk.say("good night")
    talk.later(hours=22)
    assert "dentist appointment is today" in talk.say("hello")


@pytest.mark.parametrize(("why", "words"), [("unreachable", "language model"), ("budget", "language model")])
def test_when_the_model_is_away_it_says_so_once(why: str, words: str) -> None:
    talk = Talk(why=why, name="Noor", last_seen=Talk().now)  # type: ignore[arg-type]
    first, second, third = (talk.say(said) for said in ("I had soup for lunch", "it was lentil soup", "with bread"))
    assert words in first
    assert words not in second + third


@pytest.mark.parametrize("why", ["unreachable", "thinking", "budget", "ceiling"])
def test_while_a_model_is_away_nothing_is_claimed_and_small_talk_waits(why: str) -> None:
    """What is held for certain is told; a question that only a mind can answer is not said to have been looked for."""
    for seed in range(6):
        talk = Talk(why=why, name="Noor", last_seen=Talk().now, seed=seed)  # type: ignore[arg-type]
        talk.say("remind me to call Ada tomorrow at 9")
        replies = [talk.say(said) for said in ("it rained", "where did my aunt study?", "we had soup", "hm")]
        assert not any("looked" in reply or "can find" in reply or "haven't told me" in reply for reply in replies)
        assert not any(can in reply for reply in replies for can in WHAT_IT_CAN)
        assert "Ada" in talk.say("what are my reminders?")
        assert why == "ceiling" or "language model" in replies[1]


def test_a_first_word_that_is_no_greeting_is_answered_and_then_introduced() -> None:
    talk = Talk()
    reply = talk.say("I live in Lyon")
    assert "Lyon" in reply
    assert "Furoshiki" in reply
    assert reply.endswith("?")
    assert reply.count("?") == 1


def test_silence_is_greeted() -> None:
    talk = Talk()
    assert "Furoshiki" in talk.say("")
    known = Talk(name="Noor", last_seen=Talk().now)
    assert "Noor" in known.say("")


@pytest.mark.parametrize("seed", SEEDS)
def test_small_talk_in_words_of_their_own_is_answered_by_its_meaning(seed: int) -> None:
    talk = Talk(seed=seed)
    talk.say("hi")
    assert "2026" in talk.say("remind myself, which date have we got", asks_day=0.86)
    assert any(word in talk.say("nighty nighty then", parts=0.94) for word in ("Take care", "Sleep well", "Good night"))
    assert "kept" in talk.say("until friday", parts=0.6).lower(), "what is not certain is kept"


@pytest.mark.parametrize("seed", SEEDS)
def test_quiet_company_ends_when_they_speak_of_other_things(seed: int) -> None:
    talk = Talk(seed=seed)
    talk.say("hi, I'm Noor")
    talk.say("my sister doesn't speak to me")
    company = [talk.say(text) for text in ("she has not for a week", "it was about the house", "she wants to sell it")]
    assert talk.say("the bakery on our street is painted green now", chores=0.8) in LINES["chores"], company
    assert talk.say("and it makes me so sad") not in LINES["chores"]


def test_the_dead_keep_their_names() -> None:
    talk = Talk()
    talk.say("I'm Walter. My wife was called Edith.")
    [wife] = [fact for fact in talk.facts if fact.predicate == "wife"]
    talk.facts, talk.over = [fact for fact in talk.facts if fact is not wife], (wife,)
    assert "Your wife was called Edith." in talk.say("what was my wife's name?")
