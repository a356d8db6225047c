"""In which language a text is, is worked out once: a turn asks it of the same texts again and again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from furoshiki.language.detection import Language, Languages
from furoshiki.recall.retrieval.other_languages import load_languages


def test_a_text_is_looked_at_once_for_each_language_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[tuple[str, str | None]] = []
    look = Languages._latin

    def counted(self: Languages, said: str, before: Language | None) -> Language | None:
        looked.append((said, before and before.code))
        return look(self, said, before)

    monkeypatch.setattr(Languages, "_latin", counted)
    languages = replace(load_languages(), told={})
    spanish = next(one for one in languages.each if one.code == "es")
    for _ in range(3):
        assert languages.of("mañana voy al médico con mi hermana") is spanish
        languages.of("vale", spanish)
        languages.of("vale")
    assert looked == [("mañana voy al médico con mi hermana", None), ("vale", "es"), ("vale", None)]


def test_not_all_that_was_ever_said_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("furoshiki.language.detection.MOST_TOLD", 5)
    languages = replace(load_languages(), told={})
    for number in range(20):
        languages.of(f"text {number}")
    assert len(languages.told) <= 5
    assert not any(isinstance(part, str) and "text" in part for key in languages.told for part in key)
