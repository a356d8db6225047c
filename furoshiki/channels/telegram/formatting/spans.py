"""Formatted ranges of a text, by positions in the Python string; Telegram counts UTF-16 units."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any

Entity = Mapping[str, Any]  # a MessageEntity dict of Telegram

Edit = tuple[int, int, str]  # replace [start, end) by a text

Range = tuple[int, int]


@dataclass(frozen=True)
class Span:
    """Text [start, end) formatted as `kind`; `rest` has the entity's url or language."""

    start: int
    end: int
    kind: str
    rest: Mapping[str, Any] = field(default_factory=dict)


def spans_of(text: str, entities: Iterable[Entity]) -> list[Span]:
    ruler = OffsetConverter(text)
    found = []
    for entity in entities:
        rest = {key: value for key, value in entity.items() if key not in ("type", "offset", "length")}
        start, end = ruler.position(entity["offset"]), ruler.position(entity["offset"] + entity["length"])
        found.append(Span(start, end, entity["type"], rest))
    return found


def entities_of(text: str, spans: Iterable[Span]) -> tuple[Entity, ...]:
    ruler = OffsetConverter(text)
    return tuple(
        {
            "type": span.kind,
            "offset": ruler.unit(span.start),
            "length": ruler.unit(span.end) - ruler.unit(span.start),
            **span.rest,
        }
        for span in spans
    )


def trim(text: str, start: int, end: int) -> Range:
    """Return the range without white space at its ends, which Telegram removes."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def rewritten(text: str, spans: Iterable[Span], edits: Sequence[Edit]) -> tuple[str, list[Span]]:
    """Apply disjoint, ordered edits and return the text and the moved spans.

    Text inserted at the end of a span is outside it.
    """
    if not edits:
        return text, list(spans)
    pieces, at = [], 0
    for start, end, words in edits:
        pieces += [text[at:start], words]
        at = end
    pieces.append(text[at:])
    ends = [end for _, end, _ in edits]
    moved_by = list(accumulate((len(words) - (end - start) for start, end, words in edits), initial=0))

    def moved(position: int, as_end: bool) -> int:
        before = bisect_right(ends, position)
        while as_end and before and edits[before - 1][0] == edits[before - 1][1] == position:
            before -= 1
        if before < len(edits) and edits[before][0] < position < edits[before][1]:
            position = edits[before][0]
        return position + moved_by[before]

    shifted = (replace(s, start=moved(s.start, as_end=False), end=moved(s.end, as_end=True)) for s in spans)
    return "".join(pieces), [span for span in shifted if span.start < span.end]


class Ranges:
    """Disjoint ranges, merged from overlapping ones, with fast queries."""

    def __init__(self, found: Iterable[Range]) -> None:
        self._ranges: list[Range] = []
        for start, end in sorted(found):
            if self._ranges and start < self._ranges[-1][1]:
                self._ranges[-1] = (self._ranges[-1][0], max(end, self._ranges[-1][1]))
            else:
                self._ranges.append((start, end))
        self._ends = [end for _, end in self._ranges]

    def touching(self, start: int, end: int) -> list[Range]:
        """Return the ranges that share at least one position with [start, end)."""
        found = []
        for index in range(bisect_right(self._ends, start), len(self._ranges)):
            if self._ranges[index][0] >= end:
                break
            found.append(self._ranges[index])
        return found

    def covers(self, start: int, end: int) -> bool:
        """Return whether [start, end) overlaps a range."""
        index = bisect_right(self._ends, start)
        return index < len(self._ranges) and self._ranges[index][0] < end

    def holds(self, position: int) -> bool:
        """Return whether a position is strictly inside a range: a cut there would split it."""
        index = bisect_left(self._ends, position)
        return index < len(self._ranges) and self._ranges[index][0] < position < self._ranges[index][1]


def carve(span: Span, holes: Ranges) -> list[Span]:
    """Return the parts of a span outside the holes."""
    left, parts = span.start, []
    for start, end in holes.touching(span.start, span.end):
        if left < start:
            parts.append(replace(span, start=left, end=start))
        left = max(left, end)
    if left < span.end:
        parts.append(replace(span, start=left))
    return parts


# -- lengths in UTF-16 units, and grapheme clusters --


_BIDI_OVERRIDES = re.compile("[\u202a-\u202e\u2066-\u2069]")
_JOINER = "\u200d"


def units(text: str) -> int:
    """The length of a text in UTF-16 code units, as Telegram counts it."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def clean(text: str) -> str:
    """Remove lone surrogates, NUL and direction overrides (which can disguise a link)."""
    text = text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "").replace("\r\n", "\n")
    return _BIDI_OVERRIDES.sub("", text)


class OffsetConverter:
    """Converts between positions in a Python string and UTF-16 units, both ways."""

    def __init__(self, text: str) -> None:
        self._units: range | list[int] = (
            range(len(text) + 1)
            if text.isascii()
            else list(accumulate((2 if char > "\uffff" else 1 for char in text), initial=0))
        )

    def unit(self, position: int) -> int:
        """Return the number of units before a position."""
        return self._units[position]

    def position(self, unit: int) -> int:
        """Return the position at or before a unit (within a surrogate pair: of its character)."""
        return max(0, min(bisect_right(self._units, unit) - 1, len(self._units) - 1))


def tears(text: str, position: int) -> bool:
    """Return whether a cut would split a cluster: marks, joiners, skin tones, flags."""
    if not 0 < position < len(text):
        return False
    before, after = text[position - 1], text[position]
    if before == "\r" and after == "\n":
        return True
    if after.isascii() and before.isascii():
        return False
    if _JOINER in (before, after) or _extends(after):
        return True
    if _is_flag_half(before) and _is_flag_half(after):
        start = position
        while start > 0 and _is_flag_half(text[start - 1]):
            start -= 1
        return (position - start) % 2 == 1
    return _is_jamo(before) and _is_jamo(after)


def _extends(char: str) -> bool:
    code = ord(char)
    if 0x1F3FB <= code <= 0x1F3FF or 0xE0020 <= code <= 0xE007F or 0xFE00 <= code <= 0xFE0F:
        return True
    return unicodedata.category(char) in ("Mn", "Me", "Mc")


def _is_flag_half(char: str) -> bool:
    return 0x1F1E6 <= ord(char) <= 0x1F1FF


def _is_jamo(char: str) -> bool:
    return 0x1100 <= ord(char) <= 0x11FF


# -- splitting: at paragraphs, else lines, sentences, words, characters --
#
# Entities and code blocks that fit into a message are never split; longer ones continue in the next.


LIMIT = 4096  # UTF-16 units in one message

# Telegram ignores further entities; we remove them, so that the record is what was sent
MOST_ENTITIES = 100

# Where a text may be cut, best first. The cut is after the match.
_BORDERS = (
    re.compile(r"\n[ \t]*\n\s*"),
    re.compile(r"\n+"),
    re.compile(r"(?<=[.!?…。！？])[\"'”’)\]]*\s+"),
    re.compile(r"\s+"),
)

# a part below this share of the limit is made only if other cuts would split an entity
_SHORT = 0.5


@dataclass(frozen=True)
class Piece:
    """The text of one message with its entities (Telegram's dicts, offsets in UTF-16 units)."""

    text: str
    entities: tuple[Entity, ...] = ()


def split(text: str, entities: Iterable[Entity] = (), limit: int = LIMIT) -> list[Piece]:
    """Return the pieces in order, of at most `limit` units (at least 2); none for white space."""
    ruler = OffsetConverter(text)
    spans = spans_of(text, entities)
    whole = [s for s in spans if ruler.unit(s.end) - ruler.unit(s.start) <= limit]
    pieces = []
    start, end = trim(text, 0, len(text))
    while start < end:
        if ruler.unit(end) - ruler.unit(start) <= limit:
            cut = end
        else:
            cut = _cut(text, start, ruler.position(ruler.unit(start) + limit), whole, ruler)
        left, right = trim(text, start, cut)
        if left < right:
            pieces.append(_piece(text, left, right, spans))
        start, end = trim(text, cut, end)
    return pieces


def _cut(text: str, start: int, latest: int, whole: Sequence[Span], ruler: OffsetConverter) -> int:
    """Return where to cut the text from `start` on; the cut is in (start, latest]."""
    crossing = [s for s in whole if s.end > start and s.start < latest]
    inside = Ranges((s.start, s.end) for s in crossing)
    early = ruler.position(ruler.unit(start) + int((ruler.unit(latest) - ruler.unit(start)) * _SHORT))
    fallback = start
    for border in _BORDERS:
        cuts = [m.end() for m in border.finditer(text, start, latest) if m.end() > start]
        if latest < len(text) and border.match(text, latest):
            cuts.append(latest)
        free = [c for c in cuts if not tears(text, c) and not inside.holds(c)]
        if free and free[-1] > early:
            return free[-1]
        fallback = max(fallback, free[-1] if free else start)
    before = [s.start for s in crossing if s.start > start and s.end > latest and not tears(text, s.start)]
    fallback = max([fallback, *(c for c in before if not inside.holds(c))])
    if fallback > start:
        return fallback
    for border in _BORDERS[1:]:
        cuts = [m.end() for m in border.finditer(text, early, latest)]
        if cuts and not tears(text, cuts[-1]):
            return cuts[-1]
    cut = latest
    while cut > start and tears(text, cut):
        cut -= 1
    return cut if cut > start else latest


def _piece(text: str, start: int, end: int, spans: Sequence[Span]) -> Piece:
    inside = []
    for span in spans:
        left, right = trim(text, max(span.start, start), min(span.end, end))
        if left < right:
            inside.append(replace(span, start=left - start, end=right - start))
    return Piece(text[start:end], entities_of(text[start:end], inside[:MOST_ENTITIES]))
