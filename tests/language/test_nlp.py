"""What a message does: asks, greets, parts, praises, orders, takes back, refers back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.language import nlp
from tests.support.growth import MOST_GROWTH, growth
from tests.support.laws import english

ASKS = {
    "is it raining": True,
    "it is raining": False,
    "Is it raining?": True,
    "what a day": False,
    "what did I say about Tom": True,
    "how nice of you": False,
    "who knows": False,
    "do you like jazz": True,
    "do it now": False,
    "don't you think so": True,
    "don't do that": False,
    "can you remind me": True,
    "have you eaten": True,
    "have a nice day": False,
    "please could you tell me the time": True,
    "hi, how are you": True,
    "well, where is it": True,
    "I wonder where it is": False,
    "when I was young we walked": False,
    "when is the train": True,
    "you are right": False,
    "Tell me about it": False,
    "I live in Lyon. And where do you live": True,
}


@pytest.mark.parametrize("text", ASKS)
def test_interrogative(text: str) -> None:
    assert nlp.read(text, english()).interrogative is ASKS[text]


@pytest.mark.parametrize(
    ("text", "greeting", "pure"),
    [
        ("hi", True, True),
        ("Hello there!", True, True),
        ("Good morning", True, True),
        ("hi hi hello", True, True),
        ("hey you", True, True),
        ("hi, how are you?", True, False),
        ("hello, I live in Lyon", True, False),
        ("I said hello to him", False, False),
        ("morning coffee is the best", True, False),
        ("Hallo", True, True),
        ("hola", True, True),
        ("", False, False),
    ],
)
def test_greetings(text: str, greeting: bool, pure: bool) -> None:
    read = nlp.read(text, english())
    assert (read.greeting, read.pure_greeting) == (greeting, pure)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("bye", True),
        ("ok, gotta go, bye", True),
        ("good night!", True),
        ("see you tomorrow", True),
        ("He said goodbye to his mother at the station yesterday", False),
        ("I live here", False),
        ("thanks for everything, talk to you later", True),
    ],
)
def test_farewells(text: str, parts: bool) -> None:
    assert nlp.read(text, english()).farewell is parts


@pytest.mark.parametrize(
    ("text", "feedback", "alone"),
    [
        ("thanks", "positive", True),
        ("Thank you so much!", "positive", True),
        ("thanks for your help", "positive", True),
        ("great, thanks", "positive", True),
        ("Perfect. Now remind me at six", "positive", False),
        ("that's wrong", "negative", True),
        ("not helpful", "negative", True),
        ("not great", "negative", True),
        ("not very helpful", "negative", True),
        ("not bad, thanks", "none", False),
        ("that isn't correct", "negative", True),
        ("it's not true that it was useless", "negative", False),
        ("I live in Lyon", "none", False),
        ("the soup was great", "none", False),
        ("thanks?", "positive", False),
    ],
)
def test_explicit_feedback(text: str, feedback: str, alone: bool) -> None:
    read = nlp.read(text, english())
    assert (read.explicit_feedback, read.feedback_alone) == (feedback, alone)


@pytest.mark.parametrize(
    ("text", "cancels"),
    [
        ("cancel", True),
        ("please stop", True),
        ("never mind, thanks", False),
        ("oh never mind", True),
        ("cancel that please", True),
        ("I can't stop thinking about it", False),
        ("stop by the shop", False),
        ("please", False),
    ],
)
def test_cancels(text: str, cancels: bool) -> None:
    assert nlp.read(text, english()).cancel is cancels


@pytest.mark.parametrize(
    ("field", "yes", "no"),
    [
        ("rephrase", "no, I meant the other one", "the other one"),
        ("has_question_mark", "really?", "really"),
    ],
)
def test_the_other_signals(field: str, yes: str, no: str) -> None:
    assert getattr(nlp.read(yes, english()), field) is True
    assert getattr(nlp.read(no, english()), field) is False


def test_a_question_by_mark_or_by_words_asks() -> None:
    assert nlp.read("Lyon?", english()).asks
    assert nlp.read("where is it", english()).asks
    assert not nlp.read("it is there", english()).asks


def test_4096_characters_take_ten_times_as_long_as_four_hundred() -> None:
    said = "I was thinking about the garden and how we might plant tomatoes there next year. "
    assert growth(lambda text: nlp.read(text, english()), said, nlp.LONGEST) < MOST_GROWTH


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    read = nlp.read(text, english())
    assert read.asks == (read.has_question_mark or read.interrogative)
    assert not (read.pure_greeting and read.asks)


TOLD = """
Mark left me yesterday.|MARK LEFT ME|Mark and I went to the lake|So Mark called yesterday|Mark loves me|Mark will come|
Text from mum made me cry.|Email from my boss: I'm fired.|Call with mum went badly.|Call dropped twice|Google fired my
brother|Order arrived today|Order of the day: sleep|Book club was fun|Store was closed again|Track was muddy|Play was
boring|Search party found the dog!|Log cabin weekend was lovely|Create is my favourite verb|Count me in!|Roll on Friday!
"""
ORDERED = """
call mum|call the plumber|call Mark when he has landed|text Anna that I arrived|hey, text Will tomorrow|
text mum I'm late|email Sara about the meeting we moved|book flights to Rome|book a table|order pizza|
order fried rice|play jazz|play some jazz|log 30 minutes of running|google how the film ended|count to ten|
roll 2d6|mark eggs as bought|please search|could you call Anna?|search for what I said about the boat|
call Anna and tell her I left|store this for me|delete milk
"""


@pytest.mark.parametrize(("texts", "ordered"), [(TOLD, False), (ORDERED, True)])
def test_verbs_that_are_things_or_names_order_only_with_something_to_do_it_to(texts: str, ordered: bool) -> None:
    said = [text for text in texts.replace("\n", " ").split("|") if text.strip()]
    assert [text for text in said if nlp.read(text, english()).action_intent is not ordered] == []
