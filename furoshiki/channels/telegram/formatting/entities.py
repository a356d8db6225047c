"""Converts Markdown, as models write it, to text with Telegram entities, without stray marks.

telegramify-markdown does the parsing. Our own rules around it keep literal characters, remove
unpaired marks, prevent nesting that Telegram refuses, and send unparsable text unchanged.
"""

import functools
import logging
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from furoshiki.channels.telegram.formatting import meant
from furoshiki.channels.telegram.formatting.links import CODE, URL, links_shown
from furoshiki.channels.telegram.formatting.spans import (
    Edit,
    Ranges,
    Span,
    carve,
    entities_of,
    rewritten,
    spans_of,
    trim,
)
from furoshiki.channels.telegram.formatting.split import Piece
from furoshiki.channels.telegram.formatting.text import clean

log = logging.getLogger(__name__)

_KNOWN = ("bold", "italic", "underline", "strikethrough", "spoiler", "code", "pre", "blockquote", "text_link")

_MISSED = re.compile(r"\*\*(?=[^\s*])([^\n*]+?)(?<=[^\s*])\*\*")
"""Bold that CommonMark misses: a letter follows the mark after punctuation ("**Важно:**да")."""

_LOOSE = re.compile(
    r"(?<![^\s(\[\"'«“])(?:\*\*|__|~~|\|\|)(?=[^\s*_~|])"
    r"|(?<=[^\s*_~|])(?:\*\*|__|~~|\|\|)(?![^\s.,;:!?)\]\"'»”])"
    r"|(?<=\s)\*\*\s*\Z"
)
"""Unpaired emphasis marks: at the start or end of a word, never inside one (2**8 stays)."""


def format_markdown(markdown: str, allowed_links: Collection[str] = ()) -> Piece:
    """Return the visible text and its entities; `text` may exceed one message.

    `allowed_links` are URLs (or host names) that may become links; other URLs are shown as text.
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
    except Exception:  # a foreign parser: whatever fails in it, the words must be sent
        log.exception("markdown could not be parsed; sending it as it is")
        return markdown, []
    return text, spans_of(text, [entity.to_dict() for entity in entities if entity.type in _KNOWN])


def _mend_marks(text: str, spans: Sequence[Span]) -> tuple[str, list[Span]]:
    """Make bold what the parser missed, and drop unpaired marks; code and URLs are left alone."""
    if not any(mark in text for mark in ("**", "__", "~~", "||")):
        return text, list(spans)
    ranges = Ranges(
        [(s.start, s.end) for s in spans if s.kind in CODE] + [m.span() for m in URL.finditer(text)],
    )
    bold: list[Span] = []
    cuts: set[tuple[int, int]] = set()
    for match in _MISSED.finditer(text):
        start, end = match.span()
        inside_words = _of_a_word(text, start - 1) and _of_a_word(text, end)
        if not inside_words and not ranges.covers(start, end):
            cuts |= {(start, start + 2), (end - 2, end)}
            bold.append(Span(start, end, "bold"))
    paired = Ranges(cuts)
    cuts |= {m.span() for m in _LOOSE.finditer(text) if not ranges.covers(*m.span()) and not paired.covers(*m.span())}
    edits: list[Edit] = [(start, end, "") for start, end in sorted(cuts)]
    return rewritten(text, [*spans, *bold], edits)


def _of_a_word(text: str, position: int) -> bool:
    """Return whether it is a digit or a letter of a script with spaces (not Chinese, Japanese)."""
    return 0 <= position < len(text) and text[position].isalnum() and ord(text[position]) < 0x2E80


def _sound(text: str, spans: Sequence[Span]) -> Piece:
    """Trim the text and keep valid entities: not empty, no nested quotes, nothing inside code."""
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
