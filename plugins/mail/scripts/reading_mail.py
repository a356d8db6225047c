"""Parses a mail: header, plain text and attachments, all with limits."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from html.parser import HTMLParser

LONGEST_TEXT, LONGEST_LINE, MOST_ATTACHMENTS = 6000, 200, 10
LONGEST_HTML = 400_000
MOST_PARTS = 100

_HIDDEN = re.compile(r"display:none|visibility:hidden|font-size:0|opacity:0(?![.\d])|max-height:0", re.IGNORECASE)
_SKIPPED = frozenset({"script", "style", "head", "title", "template", "noscript"})
_EMPTY = frozenset({"br", "img", "hr", "meta", "link", "input", "area", "base", "col", "embed", "source", "wbr"})
_BLOCKS = frozenset({"p", "div", "br", "tr", "li", "table", "blockquote", "h1", "h2", "h3", "h4", "hr", "ul", "ol"})
_IDS = re.compile(r"<[^<>\s]{1,250}>")


@dataclass(frozen=True)
class Mail:
    """One mail. `sender` and `to` have names and addresses; `ids` are the Message-IDs for a reply,
    the mail's own last."""

    sender: str
    to: str
    subject: str
    at: datetime | None
    text: str = ""
    attachments: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


def read(raw: bytes) -> Mail:
    """Parse a mail from bytes, which may be cut off or invalid."""
    found = message_from_bytes(raw)
    parts = [part for part, _ in zip(found.walk(), range(MOST_PARTS), strict=False) if not part.is_multipart()]
    ids = _IDS.findall(f"{found.get('References', '')} {found.get('Message-ID', '')}")
    return Mail(
        sender=_addresses(found, "From"),
        to=_addresses(found, "To", "Cc"),
        subject=_header(found.get("Subject")) or "(no subject)",
        at=_time(found.get("Date")),
        text=_text(parts),
        attachments=tuple(_list_attachments(parts))[:MOST_ATTACHMENTS],
        ids=tuple(dict.fromkeys(ids)),
    )


def day(at: datetime | None, zone: tzinfo | None) -> str:
    """Format when a mail was sent, in the owner's time."""
    return "no date" if at is None else f"{at.astimezone(zone):%A %-d %B %Y, %H:%M}"


def shown(number: int, mail: Mail, zone: tzinfo | None) -> str:
    """Format a mail for the companion."""
    head = [f"Mail {number}", f"From: {mail.sender}", f"To: {mail.to}", f"Sent: {day(mail.at, zone)}"]
    head.append(f"Subject: {mail.subject}")
    if mail.attachments:
        head.append(f"Attached, not opened: {', '.join(mail.attachments)}")
    return "\n".join([*head, "", mail.text or "(no text)"])


def plain(text: str) -> str:
    """Remove control and invisible characters; line breaks stay."""
    kept = (one if one == "\n" or unicodedata.category(one) != "Cc" else " " for one in text.replace("\r\n", "\n"))
    seen = "".join(one for one in kept if unicodedata.category(one) not in ("Cf", "Cs", "Co", "Cn"))
    lines = [" ".join(line.split()) for line in seen.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _text(parts: list[Message]) -> str:
    """Return the text: the plain part, else that of the HTML part."""
    for kind in ("text/plain", "text/html"):
        for part in parts:
            if part.get_content_type() != kind or part.get_filename():
                continue
            words = _decoded(part)
            if words := plain(words if kind == "text/plain" else html_text(words)):
                rest = len(words) - LONGEST_TEXT
                return words if rest <= 0 else f"{words[:LONGEST_TEXT]}\n(cut off here: {rest} characters more)"
    return ""


def _decoded(part: Message) -> str:
    body = part.get_payload(decode=True)
    if not isinstance(body, bytes):
        return ""
    try:
        return body.decode(part.get_content_charset() or "utf-8", "replace")
    except LookupError:
        return body.decode("utf-8", "replace")


def _list_attachments(parts: list[Message]) -> Iterator[str]:
    for part in parts:
        name = part.get_filename()
        if name or part.get_content_disposition() == "attachment":
            yield _line(_header(name) or part.get_content_type())


def _addresses(mail: Message, *names: str) -> str:
    held = [str(value) for name in names for value in mail.get_all(name, [])]
    found = []
    for called, address in getaddresses(held)[:5]:
        shown_name = _header(called)
        found.append(f"{shown_name} <{_line(address)}>" if shown_name else _line(address))
    return ", ".join(found) or "(nobody)"


def _header(value: object) -> str:
    """Return a decoded header on one line."""
    if value is None:
        return ""
    try:
        return _line(str(make_header(decode_header(str(value)[:2000]))))
    except (HeaderParseError, LookupError, ValueError):
        return _line(str(value))


def _time(value: object) -> datetime | None:
    try:
        return parsedate_to_datetime(str(value))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _line(text: str) -> str:
    line = " ".join(plain(text).split())
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 1] + "…"


def html_text(page: str) -> str:
    """Return the visible text of an HTML page."""
    reader = _Page()
    reader.feed(page[:LONGEST_HTML])
    return "".join(reader.words)


class _Page(HTMLParser):
    """Collects text without hidden elements."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a block or a hidden element."""
        if tag in _BLOCKS and not self._within:
            self.words.append("\n")
        if tag in _EMPTY:
            return
        given = {name: value or "" for name, value in attrs}
        styled = re.sub(r"\s", "", given.get("style", ""))
        if self._within or tag in _SKIPPED or "hidden" in given or _HIDDEN.search(styled):
            self._within.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """End an element."""
        if tag in self._within:
            del self._within[len(self._within) - 1 - self._within[::-1].index(tag) :]
        elif tag in _BLOCKS and not self._within:
            self.words.append("\n")

    def handle_data(self, data: str) -> None:
        """Add text."""
        if not self._within:
            self.words.append(re.sub(r"\s+", " ", data))
