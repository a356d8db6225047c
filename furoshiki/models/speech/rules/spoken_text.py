"""Words as they are shown, made ready to be said aloud: nothing in them that only eyes can use.

What is formatted has become text with marks beside it (`entities`, as Telegram names them; offsets in UTF-16 units) by
the time it comes here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from furoshiki.models.speech.values import Mode

Shown = tuple[str, Sequence[Mapping[str, Any]]]
"""A text as it is shown, and the marks on it."""

LONGEST_SECONDS = 60.0
"""Of a longer answer the first sentences are said. A minute takes a medium Piper voice 17 seconds of processor time."""

SHORT_SECONDS = 30.0
"""How long an answer may be that is said where a voice is used only when that suits (`auto`)."""

CHARACTERS_A_SECOND = 15.0
DENSE = 3
"""So many characters one sign counts that stands for a syllable or a word (Chinese, Japanese, Korean)."""

FIRST_DENSE = "\u3000"

_UNSAID = frozenset({"pre", "strikethrough"})
"""Code, tables, and words that were taken back."""

_LINK = re.compile(r"\(?(?:https?://|www\.)[^\s()]*[^\s().,;:!?]\)?")
_PICTURES = re.compile(
    "[\U0001f000-\U0001faff\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2b00-\u2bff\ufe0f\u200d\u20e3\U000e0020-\U000e007f]+"
)
_SIGNS = re.compile(r"[*_`#|~\[\]{}\\<>^]+")
_BULLET = re.compile(r"\A[•‣·–—+-] ")
_STRAY = re.compile(r"(?<=[.,;:!?…]) [.,;:!?]+")
_BEFORE_A_STOP = re.compile(r" (?=[.,;:!?…])")
_END = re.compile(r"(?<![.!?…])[.!?…]+(?=\s|\Z)|[。！？]+|\n|\Z")
_STOPS = frozenset(".,;:!?…。！？：；，।،؟")


@dataclass(frozen=True)
class Spoken:
    """What can be said of a text, a sentence or item a line; `whole` when nothing was left out but pictures."""

    text: str
    whole: bool

    @property
    def seconds(self) -> float:
        """Estimate how long it takes to say it, in seconds."""
        return seconds(self.text)


def seconds(text: str) -> float:
    """Estimate how long it takes to say this, in seconds."""
    return sum(DENSE if sign >= FIRST_DENSE else 1 for sign in text) / CHARACTERS_A_SECOND


def compose_speech(parts: Iterable[Shown], mode: Mode) -> str:
    """Return the part of an answer that is spoken aloud; "" for nothing."""
    found = [prepare_text(text, entities) for text, entities in parts]
    whole = Spoken("\n".join(one.text for one in found if one.text), all(one.whole for one in found))
    if mode == "auto":
        return whole.text if whole.whole and whole.seconds <= SHORT_SECONDS else ""
    return cut_beginning(whole.text, LONGEST_SECONDS)


def prepare_text(text: str, entities: Sequence[Mapping[str, Any]] = ()) -> Spoken:
    """A text as it is said: lists as sentences, without links, code, emoji and signs of formatting."""
    kept = _without(text, entities)
    linkless = _LINK.sub(" ", kept)
    lines = (_line(line) for line in _PICTURES.sub(" ", linkless).splitlines())
    return Spoken("\n".join(line for line in lines if line), linkless == text)


def cut_beginning(text: str, most: float) -> str:
    """The first sentences of a text that are said in so many seconds; of a longer first sentence its first words."""
    if seconds(text) <= most:
        return text
    taken, end = 0.0, 0
    for stop in _END.finditer(text):
        taken += seconds(text[end : stop.end()])
        if taken > most:
            break
        end = stop.end()
    if end:
        return text[:end].rstrip()
    words, taken = [], 0.0
    for word in text.split(" "):
        taken += seconds(word + " ")
        if taken > most:
            break
        words.append(word)
    return " ".join(words)


def _without(text: str, entities: Sequence[Mapping[str, Any]]) -> str:
    """The text without what is not said."""
    units, kept, at = text.encode("utf-16-le"), [], 0
    for one in sorted(entities, key=lambda one: int(one["offset"])):
        if one["type"] in _UNSAID:
            begin = int(one["offset"])
            kept.append(units[2 * at : 2 * begin])
            at = max(at, begin + int(one["length"]))
    kept.append(units[2 * at :])
    return b"".join(kept).decode("utf-16-le", "replace")


def _line(shown: str) -> str:
    """A line as a sentence, or as a part of one when it says so by its end; "" when there are no words in it."""
    line = " ".join(_SIGNS.sub(" ", shown).split())
    line = _BEFORE_A_STOP.sub("", _STRAY.sub("", _BULLET.sub("", line)))
    if not any(sign.isalnum() for sign in line):
        return ""
    return line if line[-1] in _STOPS else line + "."
