"""Keys in a text: found by their shape, told apart, and covered."""

from __future__ import annotations

import json

import pytest

from furoshiki.core.network import keys

WHOSE = [
    ("sk-ant-api03-Ab3_dE-6789012345678901234", "anthropic"),
    ("sk-proj-Ab3_dE-6789012345678901234", "openai"),
    ("sk-abcdefghij0123456789T3BlbkFJabcdefghij0123456789", "openai"),
    ("AIzaSyA-1234567890abcdefghijklmnopqrstu", "gemini"),
    ("gsk_0123456789abcdefghijABCDEFGHIJ0123456789abcdef", "groq"),
    ("xai-0123456789abcdefghijABCDEFGHIJ0123456789abcdef", "xai"),
    ("sk-0123456789abcdef0123456789abcdef", "deepseek"),
    ("sk-or-v1-0123456789abcdef0123456789", "openrouter"),
    ("sk-something-of-a-server-4711", None),
]
BARE = "Zk3mPq9Lw2Xv8Rt5Yb7Nc4Hd6Jf1Gs0A"
"""A key with no sign of its own, as Mistral's are."""


@pytest.mark.parametrize(("key", "owner"), WHOSE)
@pytest.mark.parametrize("text", ["{}", "here: {}", "{}\nthanks", "(“{}”)", "KEY={}", "my key:{}."])
def test_a_key_is_found_wherever_it_stands_and_covered(key: str, owner: str | None, text: str) -> None:
    said = text.format(key)
    assert keys.find_key(said) == key and keys.whose(key) == owner
    hidden = keys.cover({"text": said, "reply_to": {"quote": said}, "links": [said]})
    assert key not in json.dumps(hidden) and key[:12] not in json.dumps(hidden)
    assert len(hidden["text"]) == len(said) and keys.is_covered(hidden["text"])


@pytest.mark.parametrize(
    "text",
    [
        "hello there",
        "I asked for sk-8 tyres and a task-force of 16 people",
        "the task-sk-abcdefghijklmnopqrstuv of them",
        "https://example.org/sk-ant-api03-Ab3_dE-6789012345678901234",
        "x" * 50 + "AIzaSyA-1234567890abcdefghijklmnopqrstu",
        BARE,
        "••••",
    ],
)
def test_what_is_no_key_stays(text: str) -> None:
    assert keys.find_key(text) is None
    assert keys.cover(text) == text and not keys.is_covered(text)


def test_a_word_without_a_sign_is_a_key_where_one_was_asked_for() -> None:
    assert keys.find_key(f" {BARE}\n", keys.BARE) == BARE
    assert keys.cover(f"{BARE} ", BARE) == "•" * len(BARE) + " "
    for talk in ("Donaudampfschifffahrtsgesellschaft", "0123456789012345678901", f"no, {BARE}", "not now"):
        assert keys.find_key(talk, keys.BARE) is None


def test_a_long_message_with_a_key_in_it_is_not_the_key_alone() -> None:
    text = f"{'a day in the garden ' * 5}{WHOSE[0][0]}"
    assert not keys.is_covered(keys.cover(text))


def test_an_address_is_a_secret_where_one_was_asked_for() -> None:
    address = "https://calendar.example.org/private-0a1b/basic.ics?x=1"
    assert keys.find_key(f" {address}", keys.ADDRESS) == address and keys.find_key(address) is None
    assert keys.is_covered(keys.cover(f" {address}", address))
    assert keys.find_key(f"look at {address}", keys.ADDRESS) is None
