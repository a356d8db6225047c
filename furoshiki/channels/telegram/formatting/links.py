"""Links lead only where the user's own words led; anything else is shown as text, and not made into a link.

Nor is a command, unless the program itself wrote it: one tap on a "/forget" that a letter had a model say would send
it.
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
