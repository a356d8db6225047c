"""What was found out about oneself is believed when it stands in what it cites; a document knows nothing of others."""

from __future__ import annotations

import pytest

from furoshiki.mind.inner_life.questions.exploration import Found, Judged, find_support, of_somebody

SHOWN = {
    "design:7": "When I sleep\n- Daily 15:00 in the user's time zone: A look back at the day so far.",
    "design:8": "README\nFuro  Anika's cat is called Miso. I remind you to call Anika on Friday.",
    "memory:3": "They swim in the sea after hard days.",
    "memory:4": "They asked how I look back at a day.",
}


def verdict(text: str, *cites: str, names: tuple[str, ...] = ()) -> Judged:
    return find_support(Found(text, cites), SHOWN, names)


def test_an_answer_about_oneself_may_rest_on_a_document_alone() -> None:
    assert verdict("I look back at the day so far daily at 15:00.", "design:7") == Judged((), (7,))


def test_what_is_said_of_the_person_rests_on_memories() -> None:
    assert verdict("They swim in the sea after hard days.", "memory:3").ok
    both = verdict("I look back daily at 15:00, and they asked how I look back.", "design:7", "memory:4")
    assert both == Judged((4,), ()), "a document proves nothing beside it"


@pytest.mark.parametrize(
    ("text", "cites", "reason"),
    [
        ("I look back at the day at 15:00.", ("design:9",), "there is no design:9 among what was shown"),
        ("I look back at the day at 15:00.", ("design:7", "memory:99"), "there is no memory:99 among"),
        ("I look back at the day at 15:00.", ("7",), "there is no 7 among"),
        ("I look back at the day at 15:00.", (), "rests on nothing"),
        ("I look back at their day at 15:00.", ("design:7",), "it speaks of 'their' and rests on no memory"),
        ("I look back at your day at 15:00.", ("design:7",), "it speaks of 'your' and rests on no memory"),
        ("The user's time zone has a look back at 15:00.", ("design:7",), 'it speaks of "The user\'s" and rests'),
        ("The day has a look back at 15:00.", ("design:7",), "does not speak of the companion"),
    ],
)
def test_an_answer_without_grounds_is_refused(text: str, cites: tuple[str, ...], reason: str) -> None:
    found = verdict(text, *cites)
    assert not found.ok and reason in found.reason


def test_a_name_that_the_person_has_said_is_somebody() -> None:
    text = "I call Anika on Friday."
    assert verdict(text, "design:8", names=("anika",)).reason.startswith("it speaks of 'Anika'")
    assert of_somebody("I keep a journal in SQLite.") is None
