"""What the program says by itself, in the language of the person it speaks to.

English stands in the code, as the argument of `say`. Every other language is a gettext catalogue, config/said/CODE.po,
in which the English text is the key. A text that a catalogue lacks is said in English. An error, and what is put on
record, is a `Sentence`: English in logs, and said in the language of the person who sees it by `say_sentence`.
"""

from __future__ import annotations

import contextlib
import functools
import gettext
import os
import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from struct import unpack_from
from typing import Any, TypeVar

ENGLISH = "en"
FOLDER = Path(__file__).resolve().parents[2] / "config" / "said"

Texts = TypeVar("Texts")

_DAY = ("{when}", "{day}")
"""Values in small letters that begin a sentence in some languages: "yarın saat 08:00 olana kadar …"."""

_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


class Sentence(str):
    """An English sentence that knows its template and what filled it, so that it can be said again in a language."""

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, /, **values: object) -> Sentence:
        made = super().__new__(cls, template.format(**values))
        made.template, made.values = template, values
        return made


def say(text: str, /, **values: object) -> str:
    """An English text in the language that is spoken now, each `{name}` in it filled from `values`. A value that is a
    `Sentence` or an error is said in that language too."""
    said = {name: say_sentence(one) if isinstance(one, Sentence | Exception) else one for name, one in values.items()}
    words = translate(text)
    return capital(words.format(**said)) if words.startswith(_DAY) and text[:1].isupper() else words.format(**said)


def capital(text: str) -> str:
    """A text with a capital first, as the language that is spoken now has it: Turkish makes "İ" of an "i"."""
    return ("İ" if text[:1] == "i" and _language.get() == "tr" else text[:1].upper()) + text[1:]


def say_sentence(made: object) -> str:
    """What was put into English before (a `Sentence`, an error with one), in the language that is spoken now."""
    text = made.args[0] if isinstance(made, Exception) and made.args else made
    return say(text.template, **text.values) if isinstance(text, Sentence) else translate(str(made))


def join_sentences(parts: Iterable[str]) -> str:
    """Several in one, with semicolons between them."""
    return functools.reduce(lambda before, one: Sentence("{before}; {one}", before=before, one=one), parts)


def pack(text: str) -> Any:
    """A text as JSON keeps it: of a `Sentence` its template and its values."""
    if not isinstance(text, Sentence):
        return text
    values = {name: pack(one) if isinstance(one, str) else one for name, one in text.values.items()}
    return {"template": text.template, "values": values}


def unpack(kept: Any) -> str:
    """The text that `pack` made this of."""
    if not isinstance(kept, dict):
        return str(kept)
    values = {name: unpack(one) if isinstance(one, str | dict) else one for name, one in kept["values"].items()}
    return Sentence(kept["template"], **values)


def translate(text: str) -> str:
    """An English text in the language that is spoken now, its blanks not filled."""
    return _catalogue(_language.get()).gettext(text) if text and _language.get() != ENGLISH else text


def say_number(one: str, many: str, number: int, /, **values: object) -> str:
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


@functools.cache
def languages() -> frozenset[str]:
    """The codes of all languages that can be spoken, English among them."""
    return frozenset({ENGLISH, *(path.stem for path in FOLDER.glob("*.po"))})


def compile_all() -> None:
    """Have the binary form of each catalogue at hand, where it may be written now and not later."""
    for code in languages() - {ENGLISH}:
        _compile(FOLDER / f"{code}.po")


class Catalogue:
    """A catalogue in gettext's binary form, its texts in order, looked up where they lie: eight of them as the tables
    that `gettext` makes were 6 MB, and 40 ms of the first message."""

    def __init__(self, binary: bytes) -> None:
        _magic, _revision, self._count, *self._tables = unpack_from("<5I", binary)
        self._binary = binary
        plural = self.gettext("").partition("plural=")[2].partition(";")[0]
        self._form = gettext.c2py(plural or "n != 1")

    def gettext(self, text: str) -> str:
        """A text in this language; the text itself where it is not in here."""
        found = self._find(text)
        return text if found is None else found.partition("\0")[0]

    def ngettext(self, one: str, many: str, number: int) -> str:
        """The form of a text for so many."""
        found = self._find(f"{one}\0{many}")
        if found is None:
            return (many, one)[number == 1]
        return found.split("\0")[self._form(number)]

    def _find(self, text: str) -> str | None:
        wanted = text.encode()
        place = bisect_left(range(self._count), wanted, key=partial(self._text, self._tables[0]))
        if place < self._count and (self._text(self._tables[0], place) + b"\0").startswith(wanted + b"\0"):
            return self._text(self._tables[1], place).decode()
        return None

    def _text(self, table: int, place: int) -> bytes:
        length, start = unpack_from("<2I", self._binary, table + 8 * place)
        return self._binary[start : start + length]


@functools.cache
def _catalogue(language: str) -> Catalogue:
    return Catalogue(_compile(FOLDER / f"{language}.po"))


def _compile(source: Path) -> bytes:
    """A catalogue in gettext's binary form, which is kept beside it as Python keeps bytecode: the first message needs
    all eight, which takes 760 ms."""
    about = source.stat()
    kept = source.parent / "__pycache__" / f"{source.stem}.mo"
    with contextlib.suppress(OSError):
        head, _, binary = kept.read_bytes().partition(b"\n")
        if head == _describe(about, binary):
            return binary
    import polib

    made = bytes(polib.pofile(str(source)).to_binary())
    if not sys.dont_write_bytecode:
        draft = kept.with_name(f".{kept.name}.{os.getpid()}")
        with contextlib.suppress(OSError):  # where nothing can be written it goes on without
            kept.parent.mkdir(exist_ok=True)
            draft.write_bytes(_describe(about, made) + b"\n" + made)
            draft.rename(kept)
    return made


def _describe(source: os.stat_result, binary: bytes) -> bytes:
    """What a kept catalogue begins with: which source it was made of, and how long it is."""
    return f"{source.st_mtime_ns} {source.st_size} {len(binary)}".encode()
