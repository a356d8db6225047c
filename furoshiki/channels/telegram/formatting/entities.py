"""Markdown, as models write it, to what Telegram shows: plain text with entities, never marks that leaked through.

telegramify-markdown does the parsing. Around it stand rules of our own: signs that were meant as they stand survive,
marks without a partner disappear, nothing nests that Telegram would refuse, and what cannot be parsed is sent as it is.

Cuts a formatted text into messages Telegram accepts: at paragraphs, else lines, sentences, words, else signs.

Entities and code blocks that fit into one message are never torn; a longer one is carried on in the next message.
"""

from __future__ import annotations

import functools
import logging
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from furoshiki.channels.telegram.formatting import meant
from furoshiki.channels.telegram.formatting.meant import OffsetConverter, clean, tears
from furoshiki.channels.telegram.formatting.spans import (
    CODE,
    URL,
    Edit,
    Entity,
    Ranges,
    Span,
    carve,
    entities_of,
    links_shown,
    rewritten,
    spans_of,
    trim,
)

log = logging.getLogger(__name__)

_KNOWN = ("bold", "italic", "underline", "strikethrough", "spoiler", "code", "pre", "blockquote", "text_link")

_MISSED = re.compile(r"\*\*(?=[^\s*])([^\n*]+?)(?<=[^\s*])\*\*")
"""Bold that CommonMark does not see, because a letter follows the mark after punctuation ("**Важно:**да")."""

_LOOSE = re.compile(
    r"(?<![^\s(\[\"'«“])(?:\*\*|__|~~|\|\|)(?=[^\s*_~|])"
    r"|(?<=[^\s*_~|])(?:\*\*|__|~~|\|\|)(?![^\s.,;:!?)\]\"'»”])"
    r"|(?<=\s)\*\*\s*\Z"
)
"""Marks of emphasis that found no partner: at the start or the end of a word, never inside one (2**8 stays)."""


def format_markdown(markdown: str, allowed_links: Collection[str] = ()) -> Piece:
    """The text a person sees and its entities; `text` may be longer than one message.

    `allowed_links` are URLs (or bare host names) that may become links; every other URL is shown as text.
    """
    source = clean(markdown).strip()
    text, spans = _convert(source)
    if not text.strip():
        text, spans = source, []
    text, spans = _mend_marks(text, spans)
    text = meant.unmask(text)
    text, spans = links_shown(text, spans, allowed_links)
    return _sound(text, spans)


@functools.cache
def _config() -> Any:
    from telegramify_markdown.config import RenderConfig

    config = RenderConfig.isolated()
    symbols = config.markdown_symbol
    symbols.heading_level_1 = symbols.heading_level_2 = symbols.heading_level_3 = symbols.heading_level_4 = ""
    symbols.unordered_list_item = "•"
    symbols.task_uncompleted = "☐"
    symbols.image = "🖼 "
    symbols.horizontal_rule = "———"
    return config


def _convert(markdown: str) -> tuple[str, list[Span]]:
    from telegramify_markdown.converter import convert

    try:
        text, entities = convert(meant.mask(markdown), config=_config())
    except Exception:  # a parser of foreign make at the edge: whatever it stumbles over, the words must still go out
        log.exception("markdown could not be parsed; sending it as it is")
        return markdown, []
    return text, spans_of(text, [entity.to_dict() for entity in entities if entity.type in _KNOWN])


def _mend_marks(text: str, spans: Sequence[Span]) -> tuple[str, list[Span]]:
    """Make bold what the parser missed, and drop the marks that have no partner; code and URLs are left alone."""
    if not any(mark in text for mark in ("**", "__", "~~", "||")):
        return text, list(spans)
    kept = Ranges(
        [(s.start, s.end) for s in spans if s.kind in CODE] + [m.span() for m in URL.finditer(text)],
    )
    bold: list[Span] = []
    cuts: set[tuple[int, int]] = set()
    for match in _MISSED.finditer(text):
        start, end = match.span()
        inside_words = _of_a_word(text, start - 1) and _of_a_word(text, end)
        if not inside_words and not kept.covers(start, end):
            cuts |= {(start, start + 2), (end - 2, end)}
            bold.append(Span(start, end, "bold"))
    paired = Ranges(cuts)
    cuts |= {m.span() for m in _LOOSE.finditer(text) if not kept.covers(*m.span()) and not paired.covers(*m.span())}
    edits: list[Edit] = [(start, end, "") for start, end in sorted(cuts)]
    return rewritten(text, [*spans, *bold], edits)


def _of_a_word(text: str, position: int) -> bool:
    """Whether a letter of a script with spaces, or a digit, stands there (Chinese and Japanese write no spaces)."""
    return 0 <= position < len(text) and text[position].isalnum() and ord(text[position]) < 0x2E80


def _sound(text: str, spans: Sequence[Span]) -> Piece:
    """Trim the text and keep what Telegram accepts: inside the text, not empty, no quote in a quote, code alone."""
    zero, stop = trim(text, 0, len(text))
    code = Ranges((s.start, s.end) for s in spans if s.kind in CODE)
    good: list[Span] = []
    quoted = coded = -1
    alone = [p for s in spans for p in ([s] if s.kind in (*CODE, "blockquote") else carve(s, code))]
    for span in sorted(alone, key=lambda s: (s.start, -s.end)):
        start, end = trim(text, max(span.start, zero), min(span.end, stop))
        if start >= end:
            continue
        if span.kind == "blockquote":
            if start < quoted:
                continue
            quoted = end
        elif span.kind in CODE:
            if start < coded:
                continue
            coded = end
        good.append(replace(span, start=start - zero, end=end - zero))
    return Piece(text[zero:stop], entities_of(text[zero:stop], good))


LIMIT = 4096
"""UTF-16 units in one message."""

MOST_ENTITIES = 100
"""Telegram ignores what goes beyond; we leave it out ourselves, so that what is kept is what was sent."""

_BORDERS = (
    re.compile(r"\n[ \t]*\n\s*"),
    re.compile(r"\n+"),
    re.compile(r"(?<=[.!?…。！？])[\"'”’)\]]*\s+"),
    re.compile(r"\s+"),
)
"""Where a text may be cut, best first. The cut lies after the match."""

_SHORT = 0.5
"""A part shorter than this share of the limit is only made when a better-placed cut would tear something."""


@dataclass(frozen=True)
class Piece:
    """One message's worth of text with its entities (Telegram's dicts, offsets in UTF-16 units)."""

    text: str
    entities: tuple[Entity, ...] = ()


def split(text: str, entities: Iterable[Entity] = (), limit: int = LIMIT) -> list[Piece]:
    """The pieces of a text, in order, each at most `limit` units long (at least 2); none for a text of white space."""
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
    """Where to cut the text that begins at `start`; the cut lies in (start, latest]."""
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
