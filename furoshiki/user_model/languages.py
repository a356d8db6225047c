"""In which language somebody writes, told from what they wrote."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from furoshiki.core.paths import read_toml_file
from furoshiki.language.detection import Language, Languages

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


@lru_cache(maxsize=1)
def known(config: Path) -> Languages:
    """The shipped languages, read once: the file does not change."""
    return Languages.from_mapping(read_toml_file(config / "languages.toml"))


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
