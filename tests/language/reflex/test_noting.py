"""Notes put down to be found again: said to be kept, with the way back and no question about something else."""

from __future__ import annotations

import pytest

from tests.support.friend import Talk

NOTES = [
    "the spare key is under the blue pot",
    "my passport is in the top drawer",
    "btw, the Christmas decorations are on the shelf behind the boiler",
    "the wifi password is hunter2-77",
    "our alarm code is 4711",
    "my locker number: 19",
]
TOLD = [
    "my life is in the bin",
    "my sister is in the garden",
    "my head is in a spin",
    "the dog is on the sofa",
    "my marriage is on the rocks",
    "where is the spare key?",
    "the film was about a key under a pot",
    "our team is at the bottom",
]


@pytest.mark.parametrize("said", NOTES)
def test_a_note_is_said_to_be_kept_and_nothing_is_asked(said: str) -> None:
    answers = {Talk(name="Noor", seed=seed, last_seen=Talk().now).say(said) for seed in range(6)}
    assert all("?" not in answer for answer in answers), answers
    assert all("Kept" in answer or "put that down" in answer or "needn't remember" in answer for answer in answers)


@pytest.mark.parametrize("said", TOLD)
def test_what_is_told_is_no_note(said: str) -> None:
    answer = Talk(name="Noor", last_seen=Talk().now).say(said)
    assert "Ask me where it is" not in answer and "put that down" not in answer and "needn't remember" not in answer


def test_while_somebody_mourns_a_note_is_kept_and_not_brushed_aside() -> None:
    mourning = Talk(name="Noor", last_seen=Talk().now)
    mourning.say("my mother died last week")
    assert "4 March" in mourning.say("dentist tomorrow at 3pm")


def test_while_somebody_is_in_danger_nothing_is_filed() -> None:
    grave = Talk(name="Noor", last_seen=Talk().now)
    grave.say("I want to kill myself")
    assert "put that down" not in grave.say("the key is under the mat")
