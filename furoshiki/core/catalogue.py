"""Translation of the program's own texts into the user's language.

English texts are in the code, as arguments of `say`, or in config/state_words.toml. Every other language
is a gettext catalogue, config/said/CODE.po, keyed by the English text; texts it lacks stay English.
Errors and recorded texts are a `Sentence`: English in logs, translated for the reader by
`say_sentence`.
"""

import contextlib
import functools
import gettext
import os
import re
import string
import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from struct import unpack_from
from typing import Any, TypeVar

ENGLISH = "en"
FOLDER = Path(__file__).resolve().parents[2] / "config" / "said"

Texts = TypeVar("Texts")

# lower-case values that begin a sentence in some languages: "yarın saat 08:00 olana kadar …"
_DAY = ("{when}", "{day}")

_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


class _Filler(string.Formatter):
    """Fills the blanks of a text, with numbers as the current language writes them."""

    def format_field(self, value: Any, form: str) -> str:
        return format_number(value, form) if form and isinstance(value, int | float) else str(format(value, form))


_fill = _Filler().format


class Sentence(str):
    """An English sentence with its template and values, so that it can be translated later."""

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, /, **values: object) -> "Sentence":
        sentence = super().__new__(cls, template.format(**values))
        sentence.template, sentence.values = template, values
        return sentence


# a full stop behind an abbreviation: "12 февраля 2027 г." ends a sentence by itself
_TWO_STOPS = re.compile(r"(?<!\.)\.\.(?=$|\s)")


def say(text: str, /, **values: object) -> str:
    """Translate an English text into the current language and fill each `{name}` from `values`.
    Values that are a `Sentence` or an error are translated too."""
    said = {name: say_sentence(one) if isinstance(one, Sentence | Exception) else one for name, one in values.items()}
    words = translate(text)
    told = _TWO_STOPS.sub(".", _fill(words, **said))
    return capital(told) if words.startswith(_DAY) and text[:1].isupper() else told


def capital(text: str) -> str:
    """Capitalize the first letter as the current language does (Turkish "i" becomes "İ")."""
    return ("İ" if text[:1] == "i" and _language.get() == "tr" else text[:1].upper()) + text[1:]


def say_sentence(made: object) -> str:
    """Translate a `Sentence`, or an error that holds one, into the current language."""
    text = made.args[0] if isinstance(made, Exception) and made.args else made
    return say(text.template, **text.values) if isinstance(text, Sentence) else translate(str(made))


def join_sentences(parts: Iterable[str]) -> str:
    """Join several sentences into one `Sentence`, separated by semicolons."""
    return functools.reduce(lambda before, one: Sentence("{before}; {one}", before=before, one=one), parts)


def pack(text: str) -> Any:
    """Return a text in a form that JSON can store: for a `Sentence`, its template and values."""
    if not isinstance(text, Sentence):
        return text
    values = {name: pack(one) if isinstance(one, str) else one for name, one in text.values.items()}
    return {"template": text.template, "values": values}


def unpack(kept: Any) -> str:
    """Restore the text that `pack` stored."""
    if not isinstance(kept, dict):
        return str(kept)
    values = {name: unpack(one) if isinstance(one, str | dict) else one for name, one in kept["values"].items()}
    return Sentence(kept["template"], **values)


def translate(text: str) -> str:
    """Translate an English text into the current language; its `{name}` blanks stay unfilled."""
    return _catalogue(_language.get()).gettext(text) if text and _language.get() != ENGLISH else text


def say_number(one: str, many: str, number: int, /, **values: object) -> str:
    """Translate the singular (`one`) or plural (`many`) text and fill in `{number}`."""
    if _language.get() == ENGLISH:
        words = one if number == 1 else many
    else:
        words = _catalogue(_language.get()).ngettext(one, many, number)
    return _fill(words, number=number, **values)


def format_number(value: float, form: str = ",") -> str:
    """Format a number, `form` as for `format`, with the signs of the current language: "1.234,5"
    in German."""
    example = translate(NUMBER)
    return format(value, form).translate({ord(","): example[1], ord("."): example[-2]})


def say_each(*texts: str, **values: object) -> tuple[str, ...]:
    """Translate several alternative wordings, each as `say` does."""
    return tuple(say(text, **values) for text in texts)


def later(texts: Texts) -> Texts:
    """Mark an English text, or a table's values, for a later `say`; returned unchanged."""
    return texts


NUMBER = "1,234.5"  # a number; its translation shows how a language writes one


@functools.cache
def load_words() -> Mapping[str, Mapping[str, str]]:
    """Return the words for states, kinds and reasons, by table and what they name."""
    import tomllib

    return tomllib.loads((FOLDER.parent / "state_words.toml").read_text(encoding="utf-8"))


def words(table: str) -> Mapping[str, str]:
    """Return the words of a table of config/state_words.toml, to be translated later."""
    return load_words()[table]


def everywhere(text: str) -> list[str]:
    """Return an English text and all its translations."""
    return [text, *(_catalogue(code).gettext(text) for code in sorted(languages() - {ENGLISH}))]


def get_language() -> str:
    """Return the code of the current language ("en", "de")."""
    return _language.get()


@contextmanager
def speaking(language: str | None) -> Iterator[None]:
    """Use a language ("de", "pt-br"; None: English) in this block; English without a catalogue."""
    code = (language or ENGLISH).lower().replace("_", "-").partition("-")[0]
    token = _language.set(code if code in languages() else ENGLISH)
    try:
        yield
    finally:
        _language.reset(token)


@functools.cache
def languages() -> frozenset[str]:
    """Return the codes of all available languages, including English."""
    return frozenset({ENGLISH, *(path.stem for path in FOLDER.glob("*.po"))})


def compile_all() -> None:
    """Compile every catalogue to its binary form now, while the folder is writable."""
    for code in languages() - {ENGLISH}:
        _compile(FOLDER / f"{code}.po")


class Catalogue:
    """A gettext catalogue in binary form, searched in place.
    The dictionaries of `gettext` for eight languages took 6 MB, and 40 ms of the first message."""

    def __init__(self, binary: bytes) -> None:
        _magic, _revision, self._count, *self._tables = unpack_from("<5I", binary)
        self._binary = binary
        plural = self.gettext("").partition("plural=")[2].partition(";")[0]
        self._form = gettext.c2py(plural or "n != 1")

    def gettext(self, text: str) -> str:
        """Return the translation of a text, or the text itself when the catalogue lacks it."""
        found = self._find(text)
        return text if found is None else found.partition("\0")[0]

    def ngettext(self, one: str, many: str, number: int) -> str:
        """Return the plural form for this number; English when the catalogue lacks the text."""
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
    """Return a catalogue in gettext's binary form, cached in `__pycache__`: compiling all eight
    takes 760 ms."""
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
        with contextlib.suppress(OSError):  # where the folder is read-only, go on without a cache
            kept.parent.mkdir(exist_ok=True)
            draft.write_bytes(_describe(about, made) + b"\n" + made)
            draft.rename(kept)
    return made


def _describe(source: os.stat_result, binary: bytes) -> bytes:
    """Return a cached catalogue's header: its source's mtime (ns) and size, its own length."""
    return f"{source.st_mtime_ns} {source.st_size} {len(binary)}".encode()
