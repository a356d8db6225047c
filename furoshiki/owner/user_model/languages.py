"""In which language somebody writes, told from what they wrote."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from furoshiki.language.detection import Language
from furoshiki.recall.retrieval.other_languages import known

__all__ = ["ENGLISH_WORDS", "NAMES", "known", "written"]

NAMES = {
    "ar": "Arabic",
    "bn": "Bengali",
    "de": "German",
    "es": "Spanish",
    "fa": "Persian",
    "fr": "French",
    "hi": "Hindi",
    "hi-Latn": "Hindi in Latin letters",
    "id": "Indonesian",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "ur": "Urdu",
    "vi": "Vietnamese",
    "zh": "Chinese",
}
"""The languages that are known well, as one calls them in English."""


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
    return None if found is None else NAMES.get(found.code)


ENGLISH_WORDS = 4
"""A message of so many words that shows no other language is English."""
