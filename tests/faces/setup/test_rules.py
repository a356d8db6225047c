"""What answers mean, and what is said to those that mean nothing."""

from __future__ import annotations

from datetime import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.faces.setup import rules
from furoshiki.faces.setup.companion import LANGUAGES
from furoshiki.faces.setup.rules import Wrong

TOKEN = "123456789:AAE-fictional_token_0000000000000000"
ZONES = ("Europe/Lisbon", "America/New_York", "Etc/UTC", "UTC", "Asia/Kolkata", "America/Indiana/Knox", "America/Knox")
zone = rules.zone(ZONES)
language = rules.language(LANGUAGES)

UNDERSTOOD = [
    (rules.token, TOKEN, TOKEN),
    (rules.token, f"  {TOKEN}\n", TOKEN),
    (rules.token, f'"{TOKEN}"', TOKEN),
    (rules.token, f"Use this token to access the HTTP API:\n{TOKEN}\nKeep it safe", TOKEN),
    (rules.key, " 'sk-abc' ", "sk-abc"),
    (rules.address, "http://box.lan:8000/v1/", "http://box.lan:8000/v1"),
    (rules.name, "  Miso   the Cat ", "Miso the Cat"),
    (language, "DE", "de"),
    (language, "de-AT", "de"),
    (language, "Turkish", "tr"),
    (zone, "europe/lisbon", "Europe/Lisbon"),
    (zone, "Lisbon", "Europe/Lisbon"),
    (zone, "new york", "America/New_York"),
    (zone, "utc", "UTC"),
    (zone, "knox", "America/Knox"),
    (rules.quiet_hours, "23:00-08:00", (time(23), time(8))),
    (rules.quiet_hours, "22 - 7", (time(22), time(7))),
    (rules.quiet_hours, "22:30 to 7.15", (time(22, 30), time(7, 15))),
    (rules.quiet_hours, "none", (time(0), time(0))),
    (rules.budget, "1", 1.0),
    (rules.budget, "$0,50", 0.5),
    (rules.budget, "2 USD", 2.0),
    (rules.budget, "none", 0.0),
    (rules.owner_id, " 123456789 ", 123456789),
    (rules.gguf, "local:small.gguf", "small.gguf"),
    (rules.yes, "Y", True),
    (rules.yes, "no", False),
    (rules.one_of(["keep", "change"]), "2", "change"),
    (rules.one_of(["openai", "openrouter"]), "openr", "openrouter"),
    (rules.one_of(["openai", "openrouter"]), "OPENAI", "openai"),
    (rules.parse_choice, "k", "keep"),
    (rules.parse_choice, "Change", "change"),
    (lambda text: rules.parse_model(text, ["a/b", "c"]), "openai:a/b", "a/b"),
    (lambda text: rules.parse_model(text, []), "anything", "anything"),
]

REFUSED = [
    (rules.token, "", "isn't a bot token"),
    (rules.token, "hello there", "isn't a bot token"),
    (rules.key, "two words", "no key"),
    (rules.key, "ключ", "no key"),
    (rules.address, "box.lan", "is not an address"),
    (rules.name, "   ", "needs letters"),
    (rules.name, "x" * 41, "has 41"),
    (language, "xx", "de (German)"),
    (zone, "Europe/Lisboa", "did you mean Europe/Lisbon?"),
    (zone, "qqqq", "write it like Europe/Lisbon"),
    (rules.quiet_hours, "at night", "write it like 23:00-08:00"),
    (rules.quiet_hours, "25:00-8", "write it like 23:00-08:00"),
    (rules.budget, "much", "isn't an amount"),
    (rules.budget, "-1", "0 (no limit)"),
    (rules.budget, "nan", "isn't an amount"),
    (rules.owner_id, "@me", "isn't a Telegram ID"),
    (rules.gguf, "model.bin", "must end in .gguf"),
    (rules.yes, "maybe", "y for yes"),
    (rules.one_of(["openai", "openrouter"]), "open", "from 1 to 2"),
    (rules.one_of(["openai", "openrouter"]), "3", "from 1 to 2"),
    (rules.parse_choice, "what", "k to keep"),
    (lambda text: rules.parse_model(text, ["qwen3:8b"]), "qwen3:7b", "did you mean qwen3:8b"),
    (lambda text: rules.parse_model(text, ["qwen3:8b"]), "zzzzzz", "it has qwen3:8b"),
    (lambda text: rules.parse_model(text, []), " ", "Type the model's name"),
]


@pytest.mark.parametrize(("reader", "text", "meant"), UNDERSTOOD)
def test_an_answer_is_understood(reader: Any, text: str, meant: Any) -> None:
    assert reader(text) == meant


@pytest.mark.parametrize(("reader", "text", "said"), REFUSED)
def test_an_answer_that_means_nothing_is_told_what_to_type(reader: Any, text: str, said: str) -> None:
    found = reader(text)
    assert isinstance(found, Wrong) and said in found.words
    assert found.words.endswith((".", "?"))


@given(st.text(max_size=30))
def test_no_text_breaks_a_reader(text: str) -> None:
    for reader, _text, _meant in UNDERSTOOD:
        reader(text)


def test_a_secret_is_never_shown() -> None:
    assert rules.mask_secret(TOKEN) == "123456789:••••••"
    assert rules.mask_secret("sk-abcdef") == "•••••• (9)"


def test_quiet_hours_are_said_as_they_are_typed() -> None:
    assert rules.describe_quiet(time(23), time(8)) == "23:00-08:00"
    assert rules.describe_quiet(time(0), time(0)) == "none"
    for text in ("23:00-08:00", "none"):
        found = rules.quiet_hours(text)
        assert not isinstance(found, Wrong) and rules.describe_quiet(*found) == text
