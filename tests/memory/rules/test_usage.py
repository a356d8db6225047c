"""Whether an answer made use of a memory, judged by the words they share."""

from __future__ import annotations

import pytest

from furoshiki.memory.rules import usage


def used(memory: str, reply: str, asked: str = "", common: str = "") -> bool:
    """`common` are stems that are said all the time."""
    found = usage.find_telling_words(memory, asked)
    shared = usage.find_shared(found, reply)
    return usage.was_used(found, shared, shared - set(common.split()))


@pytest.mark.parametrize(
    ("memory", "asked", "reply", "expected"),
    [
        ("Their sister Anika lives in Lisbon.", "where does my sister live?", "In Lisbon, with Anika.", True),
        ("Their sister Anika lives in Lisbon.", "where does my sister live?", "Lisbon, I believe.", True),
        ("Their sister Anika lives in Lisbon.", "how is Anika in Lisbon?", "Anika? In Lisbon? No idea.", False),
        ("Their sister Anika lives in Lisbon.", "hello", "Hello, how was your day?", False),
        ("They like rain.", "what weather do I like?", "Rain, you said.", True),
        ("They drink oat milk with espresso.", "my usual?", "Espresso with oat milk.", True),
        ("They drink oat milk with espresso.", "my usual?", "With milk, as always.", False),
        ("The user is allergic to walnuts.", "what am I allergic to?", "You are allergic to walnuts.", True),
        ("The user is allergic to walnuts.", "what am I allergic to?", "I do not know.", False),
        ("my locker is number 4471", "which locker is mine?", "4471.", True),
        ("", "hello", "hello", False),
        ("It is so, and was.", "is it?", "It is so.", False),
    ],
)
def test_an_answer_that_says_what_only_the_memory_could_tell_used_it(
    memory: str, asked: str, reply: str, expected: bool
) -> None:
    assert used(memory, reply, asked) is expected


def test_words_that_are_said_all_the_time_tell_nothing() -> None:
    assert used("They work late on Mondays.", "You work late today?") is True
    assert used("They work late on Mondays.", "You work late today?", common="work") is False


def test_another_form_of_the_word_is_the_same_word() -> None:
    assert used("They were gardening with roses.", "How are the rose and the gardens?") is True
