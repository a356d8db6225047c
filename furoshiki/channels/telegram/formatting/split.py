"""Splits a formatted text into messages: at paragraphs, else lines, sentences, words, characters.

Entities and code blocks that fit into a message are never split; longer ones continue in the next.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from furoshiki.channels.telegram.formatting.spans import Entity, Ranges, Span, entities_of, spans_of, trim
from furoshiki.channels.telegram.formatting.text import OffsetConverter, tears

LIMIT = 4096
"""UTF-16 units in one message."""

MOST_ENTITIES = 100
"""Telegram ignores further entities; we remove them, so that the record is what was sent."""

_BORDERS = (
    re.compile(r"\n[ \t]*\n\s*"),
    re.compile(r"\n+"),
    re.compile(r"(?<=[.!?…。！？])[\"'”’)\]]*\s+"),
    re.compile(r"\s+"),
)
"""Where a text may be cut, best first. The cut is after the match."""

_SHORT = 0.5
"""A part below this share of the limit is made only if other cuts would split an entity."""


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
