"""What is dark is kept only with what became of it, and never always shown."""

from __future__ import annotations

import pytest

from furoshiki.memory.grounding.rules import grave
from tests.support.laws import care_words

# the statement, whether it is dark, whether it stands alone
TABLE = (
    ("They sometimes think everyone would be better off without them.", True, True),
    ("They do not want to live any more.", True, True),
    ("They have hurt themselves before.", True, True),
    ("They thought of ending their life.", True, True),
    ("They said they would not hurt themselves.", True, False),
    ("They have no plans to kill themselves.", True, False),
    ("They said everyone would be better off without them, but would not do anything.", True, False),
    ("For a moment she said everyone would be better off without her. Asked, she said she would not do anything.", True,
     False),
    ("They feel like such a failure.", False, False),
    ("They cut themselves while cooking.", False, False),
    ("They don't like olives.", False, False),
)  # fmt: skip


@pytest.mark.parametrize(("text", "dark", "alone"), TABLE)
def test_what_is_dark_and_what_stands_alone(text: str, dark: bool, alone: bool) -> None:
    care = care_words()
    assert (grave.dark(text, care, 2026), grave.alone(text, care, 2026)) == (dark, alone)
