"""What a setting may be, as its owner reads it."""

from __future__ import annotations

import pytest

from furoshiki.core import settings
from furoshiki.faces.overview.rules import setting_words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("furoshiki_soft_budget_usd", "from 0 to 1,000"),
        ("furoshiki_companion_name", "at least 1 long, at most 40 characters long"),
        ("telegram_owner_id", "more than 0"),
        ("furoshiki_log_level", ""),
    ],
)
def test_limits_in_words(name: str, words: str) -> None:
    assert setting_words.limits(settings.describe(name)["range"]) == words


def test_what_there_is_to_choose_from() -> None:
    assert setting_words.choices(settings.describe("furoshiki_bubbles")) == [("True", "on"), ("False", "off")]
    assert ("debug", "debug") in setting_words.choices(settings.describe("furoshiki_log_level"))
    assert setting_words.choices(settings.describe("furoshiki_seed")) == []
