"""Stretches of a text that are shown in some way, by positions in the Python string; Telegram counts UTF-16 units.

Links lead only where the user's own words led; anything else is shown as text, and not made into a link.

Nor is a command, unless the program itself wrote it: one tap on a "/forget" that a letter had a model say would send
it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any

from furoshiki.channels.telegram.formatting.meant import OffsetConverter
from furoshiki.conversation.commands.registry import commands
from furoshiki.messages.values import COMMANDS_THAT_SHOW, EVERY_COMMAND

Entity = Mapping[str, Any]
"""One of Telegram's MessageEntity dicts."""

Edit = tuple[int, int, str]
"""Replace [start, end) by a text."""

Range = tuple[int, int]


@dataclass(frozen=True)
class Span:
    """Text [start, end) shown as `kind`; `rest` are the other fields of the entity (url, language)."""

    start: int
    end: int
    kind: str
    rest: Mapping[str, Any] = field(default_factory=dict)


def spans_of(text: str, entities: Iterable[Entity]) -> list[Span]:
    """Entities as spans."""
    ruler = OffsetConverter(text)
    found = []
    for entity in entities:
        rest = {key: value for key, value in entity.items() if key not in ("type", "offset", "length")}
        start, end = ruler.position(entity["offset"]), ruler.position(entity["offset"] + entity["length"])
        found.append(Span(start, end, entity["type"], rest))
    return found


def entities_of(text: str, spans: Iterable[Span]) -> tuple[Entity, ...]:
    """Spans as entities."""
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
    """The stretch without white space at its ends, which Telegram cuts off."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def rewritten(text: str, spans: Iterable[Span], edits: Sequence[Edit]) -> tuple[str, list[Span]]:
    """The text after disjoint edits, in order of their place, and the spans moved along.

    What is put in at the end of a span lies outside it.
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
    """Disjoint stretches, made from overlapping ones, that can be asked quickly."""

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
        """Whether [start, end) shares a place with one of them."""
        index = bisect_right(self._ends, start)
        return index < len(self._ranges) and self._ranges[index][0] < end

    def holds(self, position: int) -> bool:
        """Whether a position lies strictly inside one: a cut there would tear it."""
        index = bisect_left(self._ends, position)
        return index < len(self._ranges) and self._ranges[index][0] < position < self._ranges[index][1]


def carve(span: Span, holes: Ranges) -> list[Span]:
    """What is left of a span outside the holes."""
    left, parts = span.start, []
    for start, end in holes.touching(span.start, span.end):
        if left < start:
            parts.append(replace(span, start=left, end=start))
        left = max(left, end)
    if left < span.end:
        parts.append(replace(span, start=left))
    return parts


_REST = r"[^\s<>\"']"
_DOMAIN = r"(?:[\w-]{1,255}\.)+[^\W\d_]{2,24}"
URL = re.compile(
    rf"(?<!\w)(?:[a-z][a-z0-9+.-]{{0,20}}://|(?:mailto|tel|tg|sms|geo|data|javascript):|www\.){_REST}+"
    rf"|(?<![\w.+-])[\w.+-]+@{_DOMAIN}"
    rf"|(?<![\w.@-])(?:{_DOMAIN}|(?:\d{{1,3}}\.){{3}}\d{{1,3}})(?:[:/?#]{_REST}*)?(?![\w@])"
    r"|(?<![\w@/])@[a-z]\w{3,31}",
    re.IGNORECASE,
)
"""What Telegram's own apps would turn into a link, or nearly: addresses of any scheme, bare domains and IP addresses,
mail addresses, and names of its users and bots."""

_FILES = frozenset(
    """7z avi bak bat c cfg class conf cpp css csv dat db dll doc docx env epub exe gif gz h heic hpp htm html ini ipynb
    jar java jpeg jpg js json jsx kt lock log mkv mp3 mp4 odt ogg pdf php png ppt pptx pyc rar rb rtf sql sqlite svg
    swift tar tmp toml ts tsv tsx txt wav webp xls xlsx xml yaml yml""".split()  # noqa: SIM905 - reads better
)
"""Endings of file names that are no domains: notes.txt is left alone."""

_TAIL = ".,;:!?)]}»”’*_"
"""Signs at the end of a URL that belong to the sentence around it."""

COMMAND = re.compile(r"(?<![\w/<>])(/[A-Za-z0-9_]{1,64})(?:@\w{3,32})?(?![\w/<>])")
"""What Telegram's apps send when it is tapped."""

CODE = ("code", "pre")


def may_link(url: str, allowed: Collection[str]) -> bool:
    """Whether a URL is allowed: itself, or (for an entry without a slash) its host or a domain above it."""
    wanted = url.rstrip(_TAIL).rstrip("/").lower()
    host = re.sub(r"^\w+://", "", wanted)
    host = re.split(r"[/?#\\]", host, maxsplit=1)[0].rsplit("@")[-1].split(":")[0]
    for one in allowed:
        one = one.rstrip(_TAIL).rstrip("/").lower()
        if wanted == one or ("/" not in one and (host == one or host.endswith("." + one))):
            return True
    return False


def links_shown(text: str, spans: Sequence[Span], allowed: Collection[str]) -> tuple[str, list[Span]]:
    """Turn forbidden links into text that shows where they would have led, and keep bare URLs from becoming links."""
    edits: list[Edit] = []
    kept = []
    for span in sorted(spans, key=lambda s: s.start):
        url = str(span.rest.get("url") or "")
        if span.kind != "text_link" or (may_link(url, allowed) and not _pretends(text[span.start : span.end], url)):
            kept.append(span)
        elif url and url.removeprefix("mailto:") not in text[span.start : span.end]:
            at = max(span.end, edits[-1][1] if edits else 0)
            edits.append((at, at, f" ({url})"))
    text, kept = rewritten(text, kept, edits)
    code = Ranges((s.start, s.end) for s in kept if s.kind in CODE)
    muted = []
    for match in URL.finditer(text):
        url = match.group().rstrip(_TAIL)
        end = match.start() + len(url)
        if _leads_away(url) and not code.covers(match.start(), end) and not may_link(url, allowed):
            muted.append(Span(match.start(), end, "code"))
    muted += _mute_commands(text, kept, muted, allowed)
    holes = Ranges((s.start, s.end) for s in muted)
    return text, [part for span in kept for part in _around(span, holes)] + muted


def _mute_commands(text: str, spans: Sequence[Span], muted: Sequence[Span], allowed: Collection[str]) -> list[Span]:
    """Show as code every command that is not the program's own; what is code or a link already cannot be tapped."""
    if "/" not in text or EVERY_COMMAND in allowed:
        return []
    over = Ranges((s.start, s.end) for s in (*spans, *muted) if s.kind in (*CODE, "text_link"))
    shown = COMMANDS_THAT_SHOW in allowed
    found = [match for match in COMMAND.finditer(text) if not shown or _acts(match[1])]
    return [Span(*match.span(), "code") for match in found if not over.covers(*match.span())]


def _acts(command: str) -> bool:
    known = commands().get(command.removeprefix("/").lower())
    return known is not None and not known.shows


def _leads_away(url: str) -> bool:
    """Say whether it is more than something like a file name."""
    return bool(url) and (not re.fullmatch(r"[\w.-]+", url) or url.rpartition(".")[2].lower() not in _FILES)


def _pretends(label: str, url: str) -> bool:
    """Whether the words of a link name another place than it leads to."""
    return any(not may_link(found.group(), [url]) for found in URL.finditer(label) if _leads_away(found.group()))


def _around(span: Span, holes: Ranges) -> list[Span]:
    return [span] if span.kind in (*CODE, "blockquote") else carve(span, holes)
