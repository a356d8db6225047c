"""Markdown, as models write it, to what Telegram shows: plain text with entities, never marks that leaked through.

telegramify-markdown does the parsing. Around it stand rules of our own: links lead only where the user's own words
led (anything else is shown, not linked), nothing nests that Telegram would refuse, and what cannot be parsed is sent
as it is.
"""

from __future__ import annotations

import functools
import logging
import re
from collections.abc import Collection
from typing import Any

from furoshiki.channels.telegram.split import Entity, Piece
from furoshiki.channels.telegram.text import Ruler, clean, units

log = logging.getLogger(__name__)

_KNOWN = ("bold", "italic", "underline", "strikethrough", "spoiler", "code", "pre", "blockquote", "text_link")
_CODE = ("code", "pre")

_URL = re.compile(r"(?:https?://|www\.|tg://)[^\s<>\"']+|\b(?:[a-z0-9-]+\.)+[a-z]{2,}/[^\s<>\"']+", re.IGNORECASE)
_URL_TAIL = ".,;:!?)]}»”’*_"

_MISSED = re.compile(r"\*\*(?=[^\s*])([^\n*]+?)(?<=[^\s*])\*\*")
"""Bold that CommonMark does not see, because a letter follows the mark after punctuation ("**Важно:**да")."""

_LOOSE = re.compile(
    r"(?<![^\s(\[\"'«“])(?:\*\*|__|~~|\|\|)(?=[^\s*_~|])"
    r"|(?<=[^\s*_~|])(?:\*\*|__|~~|\|\|)(?![^\s.,;:!?)\]\"'»”])"
    r"|(?<=\s)\*\*\s*\Z"
)
"""Marks of emphasis that found no partner: at the start or the end of a word, never inside one (2**8 stays)."""

_MEANT = (
    (re.compile(r"<(?!(?:https?|mailto|tg)[:/])"), "<", "\ufdd0"),
    (re.compile(r"\$(?=\d)|(?<=\d)\$"), "$", "\ufdd1"),
    (re.compile(r"(?<=\d)\*\*(?=\d)"), "**", "\ufdd2\ufdd2"),
)
"""Signs meant as they stand, and what takes their place while the parser runs: it would drop `List<int>` as HTML, take
"$5 or 5$" for mathematics and 2**8 for emphasis. No text holds the stand-ins, and they are as long as the signs."""


def formatted(markdown: str, allowed_links: Collection[str] = ()) -> Piece:
    """The text a person sees and its entities; `text` may be longer than one message.

    `allowed_links` are URLs (or bare host names) that may become links; every other URL is shown as text.
    """
    source = clean(markdown).strip()
    text, entities = _converted(source)
    if not text.strip():
        text, entities = source, []
    text, entities = _marks_mended(text, entities)
    text, entities = _links_shown(text, entities, allowed_links)
    entities = _urls_muted(text, entities, allowed_links)
    return _sound(text, entities)


def plain(markdown: str) -> Piece:
    """The same words without entities: what is sent when Telegram does not take the formatted ones."""
    return Piece(formatted(markdown).text)


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


def _converted(markdown: str) -> tuple[str, list[dict[str, Any]]]:
    from telegramify_markdown.converter import convert

    masked = markdown
    for pattern, _, stand_in in _MEANT:
        masked = pattern.sub(stand_in, masked.replace(stand_in, ""))
    try:
        text, entities = convert(masked, config=_config())
    except Exception:  # a parser of foreign make at the edge: whatever it stumbles over, the words must still go out
        log.exception("markdown could not be parsed; sending it as it is")
        return markdown, []
    for _, sign, stand_in in _MEANT:
        text = text.replace(stand_in, sign)
    return text, [entity.to_dict() for entity in entities if entity.type in _KNOWN]


def _marks_mended(text: str, entities: list[dict[str, Any]]) -> tuple[str, list[dict[str, Any]]]:
    """Make bold what the parser missed, and drop the marks that have no partner; code and URLs are left alone."""
    if not any(mark in text for mark in ("**", "__", "~~", "||")):
        return text, entities
    ruler = Ruler(text)
    cuts: list[tuple[int, int]] = []
    for match in _MISSED.finditer(text):
        start, end = match.span()
        if not (_of_a_word(text, start - 1) and _of_a_word(text, end)) and not _guarded(
            text, ruler, entities, start, end
        ):
            cuts += [(start, start + 2), (end - 2, end)]
            offset = ruler.unit(start)
            entities = [*entities, {"type": "bold", "offset": offset, "length": ruler.unit(end) - offset}]
    mended = [at for at, _ in cuts]
    for match in _LOOSE.finditer(text):
        if match.start() not in mended and not _guarded(text, ruler, entities, *match.span()):
            cuts.append(match.span())
    for start, end in sorted(cuts, reverse=True):
        at, by = ruler.unit(start), ruler.unit(start) - ruler.unit(end)
        text = text[:start] + text[end:]
        entities = [_shifted(entity, at, by) for entity in entities]
    return text, entities


def _of_a_word(text: str, position: int) -> bool:
    """Whether a letter of a script with spaces, or a digit, stands there (Chinese and Japanese write no spaces)."""
    return 0 <= position < len(text) and text[position].isalnum() and ord(text[position]) < 0x2E80


def _guarded(text: str, ruler: Ruler, entities: list[dict[str, Any]], start: int, end: int) -> bool:
    """Whether a stretch of the text touches code or lies in a URL, where marks are meant as they stand."""
    a, b = ruler.unit(start), ruler.unit(end)
    if any(e["type"] in _CODE and e["offset"] < b and a < e["offset"] + e["length"] for e in entities):
        return True
    word = max(text.rfind(" ", 0, start), text.rfind("\n", 0, start)) + 1
    return any(m.start() <= start < m.end() for m in _URL.finditer(text, word, end))


def _links_shown(
    text: str, entities: list[dict[str, Any]], allowed: Collection[str]
) -> tuple[str, list[dict[str, Any]]]:
    """Turn links to places the user did not name into text that shows where they would have led."""
    links = [e for e in entities if e["type"] == "text_link"]
    kept = [e for e in entities if e["type"] != "text_link"]
    for link in sorted(links, key=lambda e: -int(e["offset"])):
        url = str(link.get("url") or "")
        if may_link(url, allowed):
            kept.append(link)
            continue
        ruler = Ruler(text)
        end = link["offset"] + link["length"]
        label = text[ruler.position(link["offset"]) : ruler.position(end)]
        if not url or url.removeprefix("mailto:") in label:
            continue
        shown = f" ({url})"
        at = ruler.position(end)
        text = text[:at] + shown + text[at:]
        kept = [_shifted(e, end, units(shown)) for e in kept]
    return text, kept


def _urls_muted(text: str, entities: list[dict[str, Any]], allowed: Collection[str]) -> list[dict[str, Any]]:
    """Mark bare URLs that may not be links as code, because Telegram makes links of URLs by itself."""
    ruler = Ruler(text)
    muted: list[tuple[int, int]] = []
    for match in _URL.finditer(text):
        url = match.group().rstrip(_URL_TAIL)
        start, end = ruler.unit(match.start()), ruler.unit(match.start() + len(url))
        inside_code = any(
            e["type"] in _CODE and e["offset"] < end and start < e["offset"] + e["length"] for e in entities
        )
        if end > start and not inside_code and not may_link(url, allowed):
            muted.append((start, end))
    for start, end in muted:
        entities = [part for e in entities for part in _carved(e, start, end)]
        entities.append({"type": "code", "offset": start, "length": end - start})
    return entities


def may_link(url: str, allowed: Collection[str]) -> bool:
    """Whether a URL, or its host, is among those that may be links."""
    wanted = url.rstrip("/").lower()
    host = re.sub(r"^\w+://", "", wanted).split("/")[0].split("?")[0].rsplit("@")[-1].split(":")[0]
    for one in allowed:
        one = one.rstrip("/").lower()
        if wanted == one:
            return True
        if "/" not in one and (host == one or host.endswith("." + one)):
            return True
    return False


def _shifted(entity: dict[str, Any], at: int, by: int) -> dict[str, Any]:
    """The entity after `by` units were put in at unit `at` (or, when negative, taken out from there on)."""
    start, end = entity["offset"], entity["offset"] + entity["length"]
    if by >= 0:
        start, end = (start + by if start >= at else start), (end + by if end > at else end)
    else:
        start, end = (max(at, start + by) if start > at else start), (max(at, end + by) if end > at else end)
    return {**entity, "offset": start, "length": end - start}


def _carved(entity: dict[str, Any], start: int, end: int) -> list[dict[str, Any]]:
    """What is left of an entity when [start, end) is taken out of it; quotes may hold code and stay whole."""
    left, right = entity["offset"], entity["offset"] + entity["length"]
    if entity["type"] == "blockquote" or right <= start or end <= left:
        return [entity]
    parts = [(left, min(right, start)), (max(left, end), right)]
    return [{**entity, "offset": a, "length": b - a} for a, b in parts if b > a]


def _sound(text: str, entities: list[dict[str, Any]]) -> Piece:
    """Trim the text and keep the entities Telegram accepts: inside the text, not empty, not wrongly nested."""
    ruler = Ruler(text)
    start = len(text) - len(text.lstrip())
    stop = len(text.rstrip())
    zero, last = ruler.unit(start), ruler.unit(max(start, stop))
    good: list[Entity] = []
    quotes: list[tuple[int, int]] = []
    code = [(e["offset"], e["offset"] + e["length"]) for e in entities if e["type"] in _CODE]
    for start_unit, end_unit in code:
        entities = [
            part for e in entities for part in ([e] if e["type"] in _CODE else _carved(e, start_unit, end_unit))
        ]
    for entity in sorted(entities, key=lambda e: (e["offset"], -e["length"])):
        left, right = _tight(text, ruler, max(entity["offset"], zero), min(entity["offset"] + entity["length"], last))
        if right <= left:
            continue
        if entity["type"] == "blockquote":
            if any(a < right and left < b for a, b in quotes):
                continue
            quotes.append((left, right))
        good.append({**entity, "offset": left - zero, "length": right - left})
    return Piece(text[start:stop], tuple(good))


def _tight(text: str, ruler: Ruler, left: int, right: int) -> tuple[int, int]:
    """The span without white space at its ends, which Telegram would cut off anyway."""
    a, b = ruler.position(left), ruler.position(right)
    while a < b and text[a].isspace():
        a += 1
    while b > a and text[b - 1].isspace():
        b -= 1
    return ruler.unit(a), ruler.unit(b)
