"""Formatted ranges of a text, by positions in the Python string; Telegram counts UTF-16 units."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any

from furoshiki.channels.telegram.formatting.text import OffsetConverter

Entity = Mapping[str, Any]
"""A MessageEntity dict of Telegram."""

Edit = tuple[int, int, str]
"""Replace [start, end) by a text."""

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
