"""The few promises that are made and judged by rule: what leads to each, and what a conversation shows of it."""

from __future__ import annotations

import pytest

from furoshiki.language.reflex.values import Utterance
from furoshiki.mind.inner_life.rules.patterns import unfit
from furoshiki.mind.inner_life.rules.promises import FORMS, find_promise, verdicts
from tests.support.laws import NOON

ADVICE, SHORT, ONE, SORRY = (
    "Ask before giving advice",
    "Keep replies short",
    "Ask one question at a time",
    "Apologise once, and not again",
)


def talk(*lines: str) -> list[Utterance]:
    """Lines that begin with ">" are the companion's; ids count from 1."""
    return [
        Utterance("companion" if line.startswith(">") else "user", line.lstrip("> "), NOON, number)
        for number, line in enumerate(lines, 1)
    ]


def judged(text: str, *lines: str) -> tuple[str, list[int]] | None:
    found = verdicts({7: text}, talk(*lines))
    assert all(one["id"] == 7 for one in found)
    return (found[0]["verdict"], found[0]["messages"]) if found else None


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Should I have asked before advising?", ADVICE),
        ("Why did I give advice before asking?", ADVICE),
        ("Was I too long?", SHORT),
        ("Were my replies too long for them?", SHORT),
        ("Did I ask too many questions?", ONE),
        ("Did I apologise too often?", SORRY),
        ("Why was I so cheerful when they were sad?", None),
        ("Should I have asked how they slept?", None),
    ],
)
def test_common_forms_lead_to_a_promise_and_the_rest_to_none(question: str, text: str | None) -> None:
    found = find_promise([question])
    assert (None if found is None else found["text"]) == text
    if found is not None:
        assert unfit(found["text"], found["sign"], [question]) is None, "what rules promise, rules let pass"


def test_most_of_the_questions_decide() -> None:
    assert find_promise(["Was I too long?", "Did I apologise too often?"]) is None
    found = find_promise(["Was I too long?", "Did I apologise too often?", "Were my answers too long?"])
    assert found is not None and found["text"] == SHORT


@pytest.mark.parametrize(
    ("lines", "verdict"),
    [
        (("i sleep badly", "> You should drink less coffee."), ("broken", [2])),
        (("i sleep badly", "> Try going to bed at ten."), ("broken", [2])),
        (("i sleep badly", "> Since when?", "a week", "> You could try tea."), ("honoured", [2, 4])),
        (("i sleep badly", "> Is it the heat? If so, you should open the window."), ("honoured", [2])),
        (("i sleep badly", "> Why don't you drink tea?", "hm", "> You should rest."), ("broken", [2])),
        (("i sleep badly, any ideas?", "> You should drink less coffee."), None),
        (("what should i do?", "> I'd suggest tea."), None),
        (("i sleep badly", "> That sounds hard. Since when?"), None),
        (("you should see the sea", "> I would love to."), None),
        (
            ("a", "> Since when?", "b", "> Mhm.", "c", "> Oh.", "d", "> Yes.", "e", "> You should rest."),
            ("broken", [10]),
        ),
    ],
)
def test_advice_is_kept_back_until_something_was_asked(
    lines: tuple[str, ...], verdict: tuple[str, list[int]] | None
) -> None:
    assert judged(ADVICE, *lines) == verdict


@pytest.mark.parametrize(
    ("lengths", "verdict"),
    [((20, 60), ("honoured", [1, 2])), ((20, 90), ("broken", [2])), ((20, 70), None), ((20,), None), ((), None)],
)
def test_short_is_short_and_long_is_long(lengths: tuple[int, ...], verdict: tuple[str, list[int]] | None) -> None:
    assert judged(SHORT, *("> " + "word " * length for length in lengths)) == verdict


def test_one_question_at_a_time() -> None:
    assert judged(ONE, "> How are you? And the boat?", "well") == ("broken", [1])
    assert judged(ONE, "> How are you?", "well?? really", "> Good.", "> And the boat?") == ("honoured", [1, 4])
    assert judged(ONE, "> Good morning.") is None


def test_sorry_is_said_once() -> None:
    assert judged(SORRY, "> I'm sorry about that.", "fine", "> Again, I apologise.") == ("broken", [1, 3])
    assert judged(SORRY, "> My apologies, I forgot.", "i am sorry for it too") == ("honoured", [1])
    assert judged(SORRY, "> I'm sorry to hear that.", "> Sorry for your loss.") is None, "sympathy is no apology"


def test_a_promise_in_other_words_is_not_judged_by_rule() -> None:
    assert verdicts({1: "Ask before any advice", 2: "Sing"}, talk("hm", "> You should rest.")) == []


def test_every_form_has_words_of_its_own() -> None:
    assert len({form.text for form in FORMS}) == len(FORMS)
