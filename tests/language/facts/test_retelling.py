"""What is kept of the user, said to them."""

from __future__ import annotations

import pytest

from furoshiki.language.facts.retelling import address_user


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ("They live in Lyon.", "You live in Lyon."),
        ("Their sister Anika lives in Lisbon.", "Your sister Anika lives in Lisbon."),
        ("The user's cat is called Miso.", "Your cat is called Miso."),
        ("The user lives in Lyon.", "You live in Lyon."),
        ("The user does not like noise.", "You don't like noise."),
        ("The user is a nurse.", "You are a nurse."),
        ("The user used to live in Rome.", "You used to live in Rome."),
        ("They said: \u201cthey never called me\u201d", "You said: \u201cthey never called me\u201d"),
    ],
)
def test_a_sentence_about_the_user_is_said_to_them(kept: str, said: str) -> None:
    assert address_user(kept) == said


@pytest.mark.parametrize(
    "kept",
    [
        "Their parents say they are happy.",
        "They like the neighbours and their dog.",
        "Anika lives in Lisbon.",
        "Theirs is the blue boat.",
        "The user lives with their dog.",
        "The user islands.",
        "",
    ],
)
def test_what_cannot_be_turned_round_safely_stays_as_it_is_kept(kept: str) -> None:
    assert address_user(kept) == kept
