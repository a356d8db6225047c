"""In which language somebody writes, told from what they wrote."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from furoshiki.language.detection import Language
from furoshiki.recall.retrieval.other_languages import known

__all__ = ["ENGLISH_WORDS", "known", "written"]


def written(said: Iterable[str], config: Path) -> str | None:
    """The name of the language of somebody's messages (oldest first), by the last that tells; None where none does,
    and for English."""
    languages, before = known(config), None
    found: Language | None = None
    for text in said:
        before = languages.of(text, before)
        found = before or found
        if before is None and len(text.split()) >= ENGLISH_WORDS:
            found = None
    return None if found is None else found.name or None


ENGLISH_WORDS = 4
"""A message of so many words that shows no other language is English."""
