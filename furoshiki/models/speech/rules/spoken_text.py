"""Preparation of a displayed text for speech: removes parts that only make sense in writing.

Formatting is given as `entities`, named as in Telegram, with offsets in UTF-16 units.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from furoshiki.models.speech.values import Mode

Shown = tuple[str, Sequence[Mapping[str, Any]]]  # a displayed text and its formatting

# Longer answers are cut after a sentence. A minute costs a medium Piper voice 17 s of CPU.
LONGEST_SECONDS = 60.0

SHORT_SECONDS = 30.0  # maximum spoken length of an answer in mode `auto`, in seconds

CHARACTERS_A_SECOND = 15.0
DENSE = 3  # a Chinese, Japanese or Korean character counts as this many characters

FIRST_DENSE = "\u3000"

_UNSAID = frozenset({"pre", "strikethrough"})  # code, tables, and struck-out words

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
    """A speakable text, one sentence or item a line; `whole`: nothing but pictures was left out."""

    text: str
    whole: bool

    @property
    def seconds(self) -> float:
        """The estimated speaking time in seconds."""
        return seconds(self.text)


def seconds(text: str) -> float:
    """Estimate the speaking time of a text in seconds."""
    return sum(DENSE if sign >= FIRST_DENSE else 1 for sign in text) / CHARACTERS_A_SECOND


def compose_speech(parts: Iterable[Shown], mode: Mode) -> str:
    """Return the part of an answer that is spoken aloud; "" for nothing."""
    found = [prepare_text(text, entities) for text, entities in parts]
    whole = Spoken("\n".join(one.text for one in found if one.text), all(one.whole for one in found))
    if mode == "auto":
        return whole.text if whole.whole and whole.seconds <= SHORT_SECONDS else ""
    return cut_beginning(whole.text, LONGEST_SECONDS)


def prepare_text(text: str, entities: Sequence[Mapping[str, Any]] = ()) -> Spoken:
    """Prepare a text for speech: lists as sentences; no links, code, emoji or formatting."""
    kept = _without(text, entities)
    linkless = _LINK.sub(" ", kept)
    lines = (_line(line) for line in _PICTURES.sub(" ", linkless).splitlines())
    return Spoken("\n".join(line for line in lines if line), linkless == text)


def cut_beginning(text: str, most: float) -> str:
    """Return the first sentences that fit in `most` seconds, or words of a longer first one."""
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
    """Return the text without unspoken parts."""
    units, kept, at = text.encode("utf-16-le"), [], 0
    for one in sorted(entities, key=lambda one: int(one["offset"])):
        if one["type"] in _UNSAID:
            begin = int(one["offset"])
            kept.append(units[2 * at : 2 * begin])
            at = max(at, begin + int(one["length"]))
    kept.append(units[2 * at :])
    return b"".join(kept).decode("utf-16-le", "replace")


def _line(shown: str) -> str:
    """Return a line ending in punctuation, or "" without words."""
    line = " ".join(_SIGNS.sub(" ", shown).split())
    line = _BEFORE_A_STOP.sub("", _STRAY.sub("", _BULLET.sub("", line)))
    if not any(sign.isalnum() for sign in line):
        return ""
    return line if line[-1] in _STOPS else line + "."
