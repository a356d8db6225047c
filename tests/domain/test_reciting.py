"""A mood colours what is said and is not read out: what is a recital, and what is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.domain.reciting import asked, unfinished, unrecited

RECITALS = (
    "My loneliness is 0.8.",
    "my loneliness is at 0.8 right now",
    "My loneliness is currently at 80 %, so I'm glad you wrote.",
    "My loneliness is at .8 because it was a long week.",
    "My loneliness sits at 0.82 today.",
    "My loneliness level is 8/10.",
    "My curiosity level has risen to 80 percent.",
    "My joy dropped to 0.2 after that.",
    "My worry is at zero point six.",
    "My pride: 0.7!",
    "My anger is eight out of ten.",
    "My anger is still at 0.4, to be fair.",
    "My need for connection is 0.9.",
    "My need for communication has climbed to 86 %.",
    "Your need for space is 0.7.",
    "Your emotional_support need is high.",
    "loneliness: 80 %",
    "Loneliness: 0.8, joy: 0.3.",
    "Affection = 0.55",
    "I'm fine, with loneliness at 0.7.",
    "Connection: 0.8, communication: 0.6.",
    "I'm at 0.8 on the loneliness scale.",
    "I have a score of 0.8 for curiosity.",
    "I'm 0.8 lonely.",
    "My loneliness score went up.",
    "My curiosity variable is rather high.",
    "My mood is set to tender.",
    "My mood is currently set to playful, so here is a joke.",
    "My current mood: restless.",
    "According to my heartbeat state, I have missed you.",
    "According to my mood, I should be brief.",
    "Based on my emotional state, I'd say let's talk.",
    "As my session context says, you live in Lisbon.",
    "My session context shows that you like rain.",
    "It is in heartbeat-state.json.",
    "My internal state indicates worry.",
    "My prompt says I feel lonely.",
    "My directives tell me to keep the mood light.",
    "My emotional_support directive is on.",
)

INNOCENT = (
    "The temperature is 0.8.",
    "My phone is at 80 %.",
    "Your battery is at 80 %, and your focus is admirable.",
    "Disk space: 80 %.",
    "The connection is at 80 % of its speed.",
    "Wifi connection: 80 %",
    "Loneliness is 80 % habit, I sometimes think.",
    "My curiosity is 100 % natural.",
    "My joy is 3 years old today, said Anika of her dog.",
    "I have missed talking.",
    "A little lonely, until you wrote.",
    "I'm 90 % curious and 10 % scared of your soup.",
    "My curiosity got the better of me.",
    "My worry is that the ferry leaves at 8.30.",
    "My pride would not let me ask.",
    "Your anger is fair.",
    "You have every right to your pride: 10 kilometres!",
    "The joy of 2 dogs and 1 garden.",
    "He scored 8/10 in maths, what a joy.",
    "Pride and Prejudice, chapter 8.",
    "Curiosity landed on Mars in 2012.",
    "Give yourself space, 20 minutes or so.",
    "You set yourself a challenge: 30 days without sugar.",
    "According to my notes you wanted to call her on Sunday.",
    "According to your heartbeat you ran rather fast.",
    "My heartbeat would race if I had one.",
    "It set the mood for the whole evening.",
    "You sounded in a good mood yesterday.",
    "The survey says that 40 % of people know loneliness.",
    "There's a number in me called affection, and you move it.",
    "I have nine numbers that rise and fall and change how I talk.",
    "He was (curious as ever) the first to ask.",
    "The session starts at 0.8 of the way through.",
    "In OAuth a session holds the context of a user.",
    "Focus on one thing: the 80 % that matters.",
    "Her excitement was such that 100 people turned round.",
    "I worry about 1 thing only.",
    "My prompt answer: no.",
    "Grounding the wire brought it to 0.8 ohm.",
    "use snake_case for it",
)


@pytest.mark.parametrize("words", RECITALS)
def test_a_recital_is_not_said(words: str) -> None:
    assert unrecited(words) == ""
    assert unrecited(f"How was it?\n{words}\nI'd like to hear.") == "How was it?\nI'd like to hear."
    assert unrecited(f"How was it? I thought of you. {words}") == "How was it? I thought of you."


@pytest.mark.parametrize("words", INNOCENT)
def test_what_only_sounds_like_one_is_said_as_it_is(words: str) -> None:
    assert unrecited(words) == words


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
    assert unrecited(written) == said


def test_only_the_sentence_goes() -> None:
    written = "There you are.\n\nMy loneliness is 0.8. How was Porto?\n\n- my joy: 0.3\n- the ferry leaves at 8.30"
    assert unrecited(written) == "There you are.\n\nHow was Porto?\n\n- the ferry leaves at 8.30"


def test_what_was_nothing_else_is_nothing() -> None:
    assert unrecited("[mood: lonely]\nMy loneliness is 0.8.").strip() == ""


def test_code_is_left_alone() -> None:
    written = "Like this:\n```\nmood: lonely\nmy loneliness is 0.8\n```\nThat's all."
    assert unrecited(written) == written


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
    assert asked(said)


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
    assert not asked(said)


def test_of_growing_words_a_sentence_that_may_become_a_recital_is_held_back() -> None:
    whole = "There you are. My loneliness is 0.8 today. Tell me."
    seen = [unfinished(whole[:end]) for end in range(len(whole) + 1)]
    assert not any("loneliness" in words for words in seen)
    assert "There you are." in seen
    assert seen[-1] == "There you are. Tell me."


@given(st.text(st.sampled_from("abc 0.8%:[]()*`\n!?my")))
def test_other_words_are_never_touched(words: str) -> None:
    assert unrecited(words) == words
