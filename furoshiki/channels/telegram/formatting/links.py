"""Allows links only to places from the user's own words; others are shown as text.

Commands are not clickable either, unless the program wrote them: a tap on a "/forget" that a letter
made a model write would send it.
"""

import re
from collections.abc import Collection, Sequence

from furoshiki.channels.telegram.formatting.spans import Edit, Ranges, Span, carve, rewritten
from furoshiki.conversation.commands.registry import commands
from furoshiki.messages.values import COMMANDS_THAT_SHOW, EVERY_COMMAND

_REST = r"[^\s<>\"']"
_DOMAIN = r"(?:[\w-]{1,255}\.)+[^\W\d_]{2,24}"
URL = re.compile(
    rf"(?<!\w)(?:[a-z][a-z0-9+.-]{{0,20}}://|(?:mailto|tel|tg|sms|geo|data|javascript):|www\.){_REST}+"
    rf"|(?<![\w.+-])[\w.+-]+@{_DOMAIN}"
    rf"|(?<![\w.@-])(?:{_DOMAIN}|(?:\d{{1,3}}\.){{3}}\d{{1,3}})(?:[:/?#]{_REST}*)?(?![\w@])"
    r"|(?<![\w@/])@[a-z]\w{3,31}",
    re.IGNORECASE,
)
"""What Telegram's apps would make a link: addresses of any scheme, bare domains, IP and mail
addresses, and names of users and bots."""

_FILES = frozenset(
    """7z avi bak bat c cfg class conf cpp css csv dat db dll doc docx env epub exe gif gz h heic hpp htm html ini ipynb
    jar java jpeg jpg js json jsx kt lock log mkv mp3 mp4 odt ogg pdf php png ppt pptx pyc rar rb rtf sql sqlite svg
    swift tar tmp toml ts tsv tsx txt wav webp xls xlsx xml yaml yml""".split()  # noqa: SIM905 - reads better
)
"""File endings that are no domains: notes.txt is left alone."""

_TAIL = ".,;:!?)]}»”’*_"
"""Characters after a URL that belong to the sentence."""

COMMAND = re.compile(r"(?<![\w/<>])(/[A-Za-z0-9_]{1,64})(?:@\w{3,32})?(?![\w/<>])")
"""A command, which Telegram's apps send when it is tapped."""

CODE = ("code", "pre")


def may_link(url: str, allowed: Collection[str]) -> bool:
    """Return whether a URL is allowed: itself or, for an entry without a slash, its domain."""
    wanted = url.rstrip(_TAIL).rstrip("/").lower()
    host = re.sub(r"^\w+://", "", wanted)
    host = re.split(r"[/?#\\]", host, maxsplit=1)[0].rsplit("@")[-1].split(":")[0]
    for one in allowed:
        one = one.rstrip(_TAIL).rstrip("/").lower()
        if wanted == one or ("/" not in one and (host == one or host.endswith("." + one))):
            return True
    return False


def links_shown(text: str, spans: Sequence[Span], allowed: Collection[str]) -> tuple[str, list[Span]]:
    """Replace forbidden links by text with their target, and keep bare URLs from becoming links."""
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
    """Return spans that show commands as code, except those the program wrote."""
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
    """Return whether it is more than a file name."""
    return bool(url) and (not re.fullmatch(r"[\w.-]+", url) or url.rpartition(".")[2].lower() not in _FILES)


def _pretends(label: str, url: str) -> bool:
    """Return whether a link's words name another place than its target."""
    return any(not may_link(match.group(), [url]) for match in URL.finditer(label) if _leads_away(match.group()))


def _around(span: Span, holes: Ranges) -> list[Span]:
    return [span] if span.kind in (*CODE, "blockquote") else carve(span, holes)
