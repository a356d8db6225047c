"""What may be sent as it is, and what not."""

from __future__ import annotations

import pytest

from furoshiki.mind.outreach.rules.wording import fault

ASKS = "Ask how the interview went"


@pytest.mark.parametrize(
    "text",
    [
        "How was the interview?",
        "Thursday is behind you. How was it? \U0001f642",
        "Wie war's?",
        "I found a cradle: wooden, 80 EUR, two kilometres away.",
        "I like that you set priorities. Shall we keep the one?",
        "See https://example.org/a_b?x=1 for the map.",
        "Your file notes_old.txt is in place.",
        "At 15:30 it begins. Good luck!",
        "\u00bfC\u00f3mo fue la entrevista?",
        "Two things were left:\n- milk",
        "It was p1 of the story that I liked.",
    ],
)
def test_words_of_a_friend_may_be_sent(text: str) -> None:
    assert fault(text, "follow_up", ASKS) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no words"),
        (" \n\u2026 ?", "no words"),
        ("a " * 400, "characters"),
        ('{"send": true, "text": "hi"}', "data"),
        ("```\nhi\n```", "data"),
        ('[{"text": "hi"}]', "data"),
        ("[[react:x]] hi", "data"),
        ("<message>hi</message>", "data"),
        ("| a | b |\n| c | d |", "data"),
        ("{{ name }}, how was it?", "data"),
        ("This is from mind_queue: how was it?", "label"),
        ("Priority 3: how was it?", "label"),
        ("dedupe_key says hello", "label"),
        ("As you said (memory:12), it is today.", "label"),
        ("anticipations:3 is near.", "label"),
        ("NO_REPLY", "label"),
        ("Draft: how was it?", "label"),
        ("Subject: the interview\nHow was it?", "label"),
        ("Dear [name], how was it?", "filled in"),
        ("# News\nIt is done.", "list"),
        ("- the interview\n- the flat", "list"),
        ("1. the interview\n2) the flat", "list"),
        ("Just checking in!", "silence"),
        ("I haven't heard from you. All well?", "silence"),
        ("You haven\u2019t answered yet.", "silence"),
        ("It's been three days since we talked.", "silence"),
        ("Why didn't you write?", "silence"),
        ("Are you still there?", "silence"),
        ("As an AI, I am glad.", "may not write"),
        ("How was it? Are you well? And Anika?", "too much"),
    ],
)
def test_what_is_none_is_not_sent(text: str, why: str) -> None:
    assert why in (fault(text, "follow_up", ASKS) or "")


def test_a_matter_that_asks_leaves_room_for_its_question() -> None:
    assert fault("Where do you live? By the sea?", "question", "where do they live?") is None
    assert fault("Where do you live? By the sea? Alone?", "question", "where do they live?") is not None


def test_what_only_they_can_decide_has_more_room() -> None:
    long = "A sentence that says what it is about, and what a yes would change. " * 15
    assert fault(long, "delegation", "May I?") is None and fault(long, "thought", "") is not None
    assert fault(long * 2, "delegation", "May I?") is not None
    assert fault("It would change:\n- one\n- two", "delegation", "") is None


RAW = "status=200 3 results, wooden 80 EUR, wicker 45 EUR"


@pytest.mark.parametrize("text", [RAW, RAW.upper(), f"Here you are:\n{RAW.replace(' ', '  ')}"])
def test_what_stands_behind_it_is_never_sent_as_it_is(text: str) -> None:
    assert "raw" in (fault(text, "skill_result", "The search is over", RAW) or "")
    assert fault("The wooden one costs 80 EUR.", "skill_result", "The search is over", RAW) is None
