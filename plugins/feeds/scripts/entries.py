"""The entries of RSS and Atom feeds, as plain text."""

from __future__ import annotations

import calendar
import hashlib
import html
import io
import re
import unicodedata
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import feedparser
from fitting import Entry

MOST, LONGEST_TITLE, LONGEST_TEXT = 100, 200, 2000

_TAGS = re.compile(r"<[^<>]{0,1000}>")


def entries(body: bytes, headers: Mapping[str, str], url: str) -> list[Entry]:
    """Return the entries of a feed. Raises ValueError for other content."""
    told = {"content-type": headers.get("content-type", "application/xml"), "content-location": url}
    found = feedparser.parse(io.BytesIO(body), response_headers=told)
    if not found.get("version") and not found.entries:
        raise ValueError(f"{urlsplit(url).hostname} gave no feed: name the feed itself, not the page")
    feed = _plain(found.feed.get("title"), LONGEST_TITLE) or str(urlsplit(url).hostname)
    return [one for one in (_entry(raw, feed) for raw in found.entries[:MOST]) if one.title]


def _entry(raw: Any, feed: str) -> Entry:
    title = _plain(raw.get("title"), LONGEST_TITLE)
    link = str(raw.get("link") or "")
    if urlsplit(link).scheme not in ("http", "https") or len(link) > 500:
        link = ""
    name = str(raw.get("id") or link or title)
    at = raw.get("published_parsed") or raw.get("updated_parsed")
    return Entry(
        key=hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:32],
        feed=feed,
        title=title,
        text=_plain(raw.get("summary"), LONGEST_TEXT),
        link=link,
        at=float(calendar.timegm(at)) if at else 0.0,
    )


def _plain(text: Any, longest: int) -> str:
    bare = html.unescape(_TAGS.sub(" ", str(text or "")[:20_000]))
    kept = "".join(" " if one.isspace() else one for one in bare if one.isspace() or _visible(one))
    return " ".join(kept.split())[:longest]


def _visible(one: str) -> bool:
    return not unicodedata.category(one).startswith("C")
