"""Links lead only where the user's own words led; anything else is shown as text, and not made into a link."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from furoshiki.channels.telegram.spans import Edit, Ranges, Span, carved, rewritten

URL = re.compile(
    r"(?:https?://|www\.|tg://)[^\s<>\"']+"
    r"|(?<![a-z0-9.@-])(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}/[^\s<>\"']+",
    re.IGNORECASE,
)
"""What Telegram's own apps would turn into a link, or nearly."""

_TAIL = ".,;:!?)]}»”’*_"
"""Signs at the end of a URL that belong to the sentence around it."""

CODE = ("code", "pre")


def may_link(url: str, allowed: Collection[str]) -> bool:
    """Whether a URL is allowed: itself, or (for an entry without a slash) its host or a domain above it."""
    wanted = url.rstrip("/").lower()
    host = re.sub(r"^\w+://", "", wanted)
    host = re.split(r"[/?#\\]", host, maxsplit=1)[0].rsplit("@")[-1].split(":")[0]
    for one in allowed:
        one = one.rstrip("/").lower()
        if wanted == one or ("/" not in one and (host == one or host.endswith("." + one))):
            return True
    return False


def links_shown(text: str, spans: Sequence[Span], allowed: Collection[str]) -> tuple[str, list[Span]]:
    """Turn forbidden links into text that shows where they would have led, and keep bare URLs from becoming links."""
    edits: list[Edit] = []
    kept = []
    for span in sorted(spans, key=lambda s: s.start):
        url = str(span.rest.get("url") or "")
        if span.kind != "text_link" or may_link(url, allowed):
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
        if url and not code.covers(match.start(), end) and not may_link(url, allowed):
            muted.append(Span(match.start(), end, "code"))
    holes = Ranges((s.start, s.end) for s in muted)
    return text, [part for span in kept for part in _around(span, holes)] + muted


def _around(span: Span, holes: Ranges) -> list[Span]:
    return [span] if span.kind in (*CODE, "blockquote") else carved(span, holes)
