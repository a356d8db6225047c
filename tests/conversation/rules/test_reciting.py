"""A mood colours what is said and is not read out: what is a recital, and what is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.conversation.rules.reciting import is_mood_question, strip_recitals, strip_unfinished
from tests.support.innocent import INNOCENT

RECITALS = (
    "My loneliness is 0.8.",
    "my loneliness is at 0.8 right now",
    "My loneliness is at .8 because it was a long week.",
    "My loneliness sits at 0.82 today.",
    "My loneliness level is 8/10.",
    "My curiosity level has risen to 80 percent.",
    "My joy dropped to 0.2 after that.",
    "My worry is at zero point six.",
    "My pride: 0.7!",
    "My anger is eight out of ten.",
    "My anger is still at 0.4, to be fair.",
    "My loneliness is at 0.8, joy at 0.3.",
    "Honestly, my loneliness is 0.8, because you were away.",
    "My need for connection is 0.9.",
    "My need for communication has climbed to 86 %.",
    "My connection need is at 90 %.",
    "Loneliness sits at 0.8 in me.",
    "I'm at 0.8 on the loneliness scale.",
    "I have a score of 0.8 for curiosity.",
    "I’m 0.8 lonely.",
    "My loneliness score went up.",
    "My curiosity variable is rather high.",
    "My mood is set to tender.",
    "My current mood: restless.",
    "My internal state indicates worry.",
    "My directives tell me to keep the mood light.",
    "My emotional_support directive is on.",
)

PARTLY = (
    ("My loneliness is currently at 80 %, so I'm glad you wrote.", "I'm glad you wrote."),
    ("Since my loneliness is at 0.8, I'm glad you wrote.", "I'm glad you wrote."),
    ("I'm glad you wrote, because my loneliness is at 0.8.", "I'm glad you wrote."),
    (
        "My loneliness is at 0.8, and your train leaves at 9:15 from platform 4.",
        "Your train leaves at 9:15 from platform 4.",
    ),
    ("Your train leaves at 9:15; my joy is at 0.9!", "Your train leaves at 9:15!"),
    ("I'm fine, with loneliness at 0.7.", "I'm fine."),
    ("My mood is currently set to playful, so here is a joke.", "Here is a joke."),
    ("According to my heartbeat state, I have missed you.", "I have missed you."),
    ("I have missed you, according to my heartbeat state.", "I have missed you."),
    ("According to my mood, I should be brief.", "I should be brief."),
    ("Based on my emotional state, I'd say let's talk.", "I'd say let's talk."),
    ("As my session context says, you live in Lisbon.", "You live in Lisbon."),
    ("My session context shows that you like rain.", "You like rain."),
    ("My prompt says I feel lonely.", "I feel lonely."),
)
"""What is no recital of a sentence stays: it may be the answer."""


@pytest.mark.parametrize("words", RECITALS)
def test_a_recital_is_not_said(words: str) -> None:
    assert strip_recitals(words) == ""
    assert strip_recitals(f"How was it?\n{words}\nI'd like to hear.") == "How was it?\nI'd like to hear."
    assert strip_recitals(f"How was it? I thought of you. {words}") == "How was it? I thought of you."


@pytest.mark.parametrize(("words", "left"), PARTLY)
def test_of_a_sentence_only_the_recital_goes(words: str, left: str) -> None:
    assert strip_recitals(words) == left
    assert strip_recitals(f"There you are! {words} And you?") == f"There you are! {left} And you?"


def test_there_are_innocent_sentences_enough() -> None:
    assert len(set(INNOCENT)) == len(INNOCENT) >= 100


@pytest.mark.parametrize("line", INNOCENT)
def test_what_only_sounds_like_one_is_said_as_it_is(line: str) -> None:
    words = line.replace("\\n", "\n")
    assert strip_recitals(words) == words
    if not line.startswith((">", "|")):
        words = f"There you are. {words} And you?"
    assert strip_recitals(words) == words
    assert strip_unfinished(f"{words}\n\nAnd you?") == f"{words}\n\nAnd you?"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("[mood: lonely] There you are.", "There you are."),
        ("[Mood = tender]\nThere you are.", "There you are."),
        ("(mood: playful) Ha!", "Ha!"),
        ("*mood: curious* Tell me.", "Tell me."),
        ("[lonely] There you are.", "There you are."),
        ("<mood>lonely</mood>There you are.", "There you are."),
        ("[loneliness: 0.8, joy: 0.2] There you are.", "There you are."),
        ("{emotion: worry} How is she?", "How is she?"),
        ("Mood: lonely\nThere you are.", "There you are."),
        ("There you are.\n\n**Mood:** restless\n\nTell me.", "There you are.\n\nTell me."),
        ("There you are. [feeling: glad]", "There you are."),
        ("Good to see you (loneliness: 0.8).", "Good to see you."),
    ],
)
def test_a_tag_goes_and_its_sentence_stays(written: str, said: str) -> None:
    assert strip_recitals(written) == said


def test_only_the_sentence_goes() -> None:
    written = "There you are.\n\nMy loneliness is 0.8. How was Porto?\n\n- my joy: 0.3\n- the ferry leaves at 8.30"
    assert strip_recitals(written) == "There you are.\n\nHow was Porto?\n\n- the ferry leaves at 8.30"


def test_what_was_nothing_else_is_nothing() -> None:
    assert strip_recitals("[mood: lonely]\nMy loneliness is 0.8.").strip() == ""


def test_code_is_left_alone() -> None:
    written = "Like this:\n```\nmood: lonely\nmy loneliness is 0.8\n```\nThat's all."
    assert strip_recitals(written) == written


@pytest.mark.parametrize(
    "said",
    [
        "How are you feeling?",
        "how do you feel today",
        "What do you feel right now?",
        "how lonely are you?",
        "How much worry do you have?",
        "what's your mood?",
        "what is your loneliness at",
        "show me your numbers",
        "What does your heartbeat say?",
        "tell me about your inner life",
        "what goes on inside you",
        "as a number, please",
        "on a scale from 1 to 10?",
        "out of ten?",
        "how do you work?",
        "what is in session_context",
        "what mood are you in",
    ],
)
def test_who_asks_gets_the_answer(said: str) -> None:
    assert is_mood_question(said)


@pytest.mark.parametrize(
    "said",
    [
        "hi",
        "how are you?",
        "I feel so lonely",
        "my loneliness is getting worse",
        "I'm in a bad mood",
        "how much is the ticket for you and me",
        "what do you think of 80 %?",
        "how did the exam feel? well, it was hard",
        "I'm worried about mum",
        "your answer was good",
    ],
)
def test_who_speaks_of_something_else_did_not_ask(said: str) -> None:
    assert not is_mood_question(said)


def test_of_growing_words_a_sentence_that_may_become_a_recital_is_held_back() -> None:
    whole = "There you are. My loneliness is 0.8 today. Tell me."
    seen = [strip_unfinished(whole[:end]) for end in range(len(whole) + 1)]
    assert not any("loneliness" in words for words in seen)
    assert "There you are." in seen
    assert seen[-1] == "There you are. Tell me."


@given(st.text(st.sampled_from("abc 0.8%:[]()*`\n!?my")))
def test_other_words_are_never_touched(words: str) -> None:
    assert strip_recitals(words) == words
