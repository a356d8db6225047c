"""What the program says by itself, in the language of the person it speaks to.

English stands in the code, as the argument of `say`. Every other language is a gettext catalogue, config/said/CODE.po,
in which the English text is the key. A text that a catalogue lacks is said in English.
"""

from __future__ import annotations

import gettext
import io
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TypeVar

from furoshiki.core.paths import ROOT

ENGLISH = "en"
FOLDER = ROOT / "config" / "said"

Texts = TypeVar("Texts")

_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


def say(text: str, **values: object) -> str:
    """An English text in the language that is spoken now, each `{name}` in it filled from `values`."""
    return translate(text).format(**values)


def translate(text: str) -> str:
    """An English text in the language that is spoken now, its blanks not filled."""
    return text if _language.get() == ENGLISH else _catalogue(_language.get()).gettext(text)


def say_number(one: str, many: str, number: int, **values: object) -> str:
    """The text for one of something or the text for several, `{number}` in it filled too."""
    if _language.get() == ENGLISH:
        words = one if number == 1 else many
    else:
        words = _catalogue(_language.get()).ngettext(one, many, number)
    return words.format(number=number, **values)


def say_each(*texts: str, **values: object) -> tuple[str, ...]:
    """Several ways to say the same, each as `say` says it."""
    return tuple(say(text, **values) for text in texts)


def later(texts: Texts) -> Texts:
    """Mark an English text that `say` is given later, or all of a table (its values): what was given."""
    return texts


def everywhere(text: str) -> list[str]:
    """An English text and its translations."""
    return [text, *(_catalogue(code).gettext(text) for code in sorted(languages() - {ENGLISH}))]


def get_language() -> str:
    """The code of the language that is spoken now ("en", "de")."""
    return _language.get()


@contextmanager
def speaking(language: str | None) -> Iterator[None]:
    """Speak this language ("de", "pt-br"; None for English) in here, English where there is no catalogue for it."""
    code = (language or ENGLISH).lower().replace("_", "-").partition("-")[0]
    token = _language.set(code if code in languages() else ENGLISH)
    try:
        yield
    finally:
        _language.reset(token)


@cache
def languages() -> frozenset[str]:
    """The codes of all languages that can be spoken, English among them."""
    return frozenset({ENGLISH, *(path.stem for path in FOLDER.glob("*.po"))})


@cache
def _catalogue(language: str) -> gettext.GNUTranslations:
    import polib  # 14 ms, and English never needs it

    return gettext.GNUTranslations(io.BytesIO(polib.pofile(str(FOLDER / f"{language}.po")).to_binary()))
