"""A name is the same name in Cyrillic and in Latin letters, whichever of the two was said."""

from __future__ import annotations

import pytest

from furoshiki.language.grounding.words import collect_language_words


@pytest.mark.parametrize(
    ("said", "name", "held"),
    [
        ("Their new flat is in Miera street.", "Миера", True),
        ("Their new flat is in Miera street.", "Миеры", True),
        ("Oleg has promised to help.", "Олега", True),
        ("квартира на улице миера", "Miera", True),
        ("Oleg has promised to help.", "Ольга", False),
        ("Their sister is called Anna.", "Аня", False),
        ("Oleg has promised to help.", "Виктор", False),
    ],
)
@pytest.mark.parametrize("language", [None, "ru"])
def test_a_name_in_other_letters(said: str, name: str, held: bool, language: str | None) -> None:
    assert collect_language_words(said, language).holds(name, name=True) is held
