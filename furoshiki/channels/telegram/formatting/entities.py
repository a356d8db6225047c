"""Turns Markdown, as models write it, into messages: text with Telegram entities, without stray marks.

telegramify-markdown does the parsing. Our own rules around it keep literal characters, remove
unpaired marks, prevent nesting that Telegram refuses, and send unparsable text unchanged.
"""

import base64
import functools
import logging
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from furoshiki.channels.telegram.formatting.spans import (
    LIMIT,
    Edit,
    Piece,
    Ranges,
    Span,
    carve,
    clean,
    entities_of,
    rewritten,
    spans_of,
    split,
    trim,
)
from furoshiki.conversation.commands.registry import commands
from furoshiki.core.catalogue import later, say
from furoshiki.messages.values import COMMANDS_THAT_SHOW, EVERY_COMMAND, Shaped

log = logging.getLogger(__name__)

_KNOWN = ("bold", "italic", "underline", "strikethrough", "spoiler", "code", "pre", "blockquote", "text_link")

# bold that CommonMark misses: a letter follows the mark after punctuation ("**Важно:**да")
_MISSED = re.compile(r"\*\*(?=[^\s*])([^\n*]+?)(?<=[^\s*])\*\*")

# unpaired emphasis marks: at the start or end of a word, never inside one (2**8 stays)
_LOOSE = re.compile(
    r"(?<![^\s(\[\"'«“])(?:\*\*|__|~~|\|\|)(?=[^\s*_~|])"
    r"|(?<=[^\s*_~|])(?:\*\*|__|~~|\|\|)(?![^\s.,;:!?)\]\"'»”])"
    r"|(?<=\s)\*\*\s*\Z"
)


def format_markdown(markdown: str, allowed_links: Collection[str] = ()) -> Piece:
    """Return the visible text and its entities; `text` may exceed one message.

    `allowed_links` are URLs (or host names) that may become links; other URLs are shown as text.
    """
    source = clean(markdown).strip()
    text, spans = _convert(source)
    if not text.strip():
        text, spans = source, []
    text, spans = _mend_marks(text, spans)
    text = unmask_literals(text)
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
        text, entities = convert(mask_literals(markdown), config=_config())
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


# -- links --
#
# Only links to places from the user's own words stay; others are shown as text. Commands are not
# clickable either, unless the program wrote them: a tap on a "/forget" that a letter made a model
# write would send it.


_REST = r"[^\s<>\"']"
_DOMAIN = r"(?:[\w-]{1,255}\.)+[^\W\d_]{2,24}"
# what Telegram's apps would make a link: addresses of any scheme, bare domains, IP and mail
# addresses, and names of users and bots
URL = re.compile(
    rf"(?<!\w)(?:[a-z][a-z0-9+.-]{{0,20}}://|(?:mailto|tel|tg|sms|geo|data|javascript):|www\.){_REST}+"
    rf"|(?<![\w.+-])[\w.+-]+@{_DOMAIN}"
    rf"|(?<![\w.@-])(?:{_DOMAIN}|(?:\d{{1,3}}\.){{3}}\d{{1,3}})(?:[:/?#]{_REST}*)?(?![\w@])"
    r"|(?<![\w@/])@[a-z]\w{3,31}",
    re.IGNORECASE,
)

# file endings that are no domains: notes.txt is left alone
_FILES = frozenset(
    """7z avi bak bat c cfg class conf cpp css csv dat db dll doc docx env epub exe gif gz h heic hpp htm html ini ipynb
    jar java jpeg jpg js json jsx kt lock log mkv mp3 mp4 odt ogg pdf php png ppt pptx pyc rar rb rtf sql sqlite svg
    swift tar tmp toml ts tsv tsx txt wav webp xls xlsx xml yaml yml""".split()  # noqa: SIM905 - reads better
)

_TAIL = ".,;:!?)]}»”’*_"  # characters after a URL that belong to the sentence

# a command, which Telegram's apps send when it is tapped
COMMAND = re.compile(r"(?<![\w/<>])(/[A-Za-z0-9_]{1,64})(?:@\w{3,32})?(?![\w/<>])")

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


# -- literal characters that Markdown would consume: products, names, prices, paths, globs --
#
# During parsing each is replaced by a placeholder of the same length that occurs in no text, so that
# positions stay. LaTeX in backslash brackets becomes the parser's notation for mathematics.


_STAND_INS = {
    "<": "\ufdd0",
    "$": "\ufdd1",
    "*": "\ufdd2",
    "_": "\ufdd3",
    "\\": "\ufdd4",
    ".": "\ufdd5",
    ")": "\ufdd6",
}
_INTO = str.maketrans(_STAND_INS)
_BACK = str.maketrans({stand_in: sign for sign, stand_in in _STAND_INS.items()})
_NONE = str.maketrans(dict.fromkeys(_STAND_INS.values(), ""))

# a name between double underscores, as in `__init__`: models write bold with asterisks
_NAME = re.compile(r"(?<![\w*_])__[a-z][a-z0-9_]{0,40}[a-z0-9]__(?![\w*_])")

# A list item that begins with a day ("- 24. März"), which is no nested list.
_DATED_ITEM = re.compile(r"^(?P<item>[ \t]{0,8}[-*+] {1,3}\d{1,4})(?P<sign>[.)])(?= )", re.MULTILINE)

_SIGNS = re.compile(
    r"<(?!(?:https?|mailto|tg)[:/])"  # List<int> is no HTML
    r"|(?<!\$)\$(?=\d)|(?<=\d)\$(?!\$)"  # $5 is no mathematics
    r"|(?<=/)\*\*?|\*\*?(?=/)"  # src/**/*.py
    r"|(?:(?<=\()|(?<=, ))\*\*?(?=[A-Za-z_]\w{0,40}(?:, \*{0,2}\w{1,40}){0,5}\))"  # f(**options)
    r"|(?<![\w\\])[A-Za-z]:\\[^\s`]{0,200}|¯\\"  # a Windows path, and a shrug
)

_CODE = re.compile(r"(`{1,3})[^`]{0,4000}\1")
_INLINE_LATEX = re.compile(r"\\\(([^\n$]{1,300}?)\\\)")
_BLOCK_LATEX = re.compile(r"\\\[([^$]{1,600}?)\\\]")
# display mathematics within a line, which the parser would split
_WITHIN_LINE = re.compile(r"(?<=[^\s$])[ \t]*\$\$[^\n$]{1,300}\$\$|\$\$[^\n$]{1,300}\$\$(?=[ \t]*[^\s$])")

_ASTERISKS = re.compile(r"\*{1,2}")


def mask_literals(markdown: str) -> str:
    """Replace literal characters by placeholders; code is unchanged."""
    pieces, at = [], 0
    text = markdown.translate(_NONE)
    for code in _CODE.finditer(text):
        pieces += [_mask_text(text[at : code.start()]), code.group()]
        at = code.end()
    return "".join([*pieces, _mask_text(text[at:])])


def unmask_literals(text: str) -> str:
    """Replace placeholders by their characters."""
    return text.translate(_BACK)


def _mask_text(text: str) -> str:
    for pattern in (_SIGNS, _NAME):
        text = pattern.sub(lambda found: found.group().translate(_INTO), text)
    text = _DATED_ITEM.sub(lambda found: found["item"] + found["sign"].translate(_INTO), text)
    text = _WITHIN_LINE.sub(lambda found: found.group().replace("$$", "$"), text)
    text = _INLINE_LATEX.sub(r"$\1$", text)
    text = _BLOCK_LATEX.sub(r"$$\1$$", text)
    return "\n".join(map(_mask_products, text.split("\n"))) if "*" in text else text


def _mask_products(line: str) -> str:
    """Protect asterisks between two letters or digits in a line, unless they close an emphasis.

    Scripts without spaces are excluded: there emphasis begins and ends within a run of letters.
    """
    open_marks: list[str] = []
    pieces, at = [], 0
    for match in _ASTERISKS.finditer(line):
        mark, (start, end) = match.group(), match.span()
        before, after = _is_word_sign(line, start - 1, ")"), _is_word_sign(line, end, "(")
        if before and after and mark not in open_marks:
            pieces += [line[at:start], mark.translate(_INTO)]
            at = end
        elif mark in open_marks and start and not line[start - 1].isspace():
            open_marks.remove(mark)
        elif end < len(line) and not line[end].isspace():
            open_marks.append(mark)
    return "".join([*pieces, line[at:]])


def _is_word_sign(line: str, place: int, bracket: str) -> bool:
    """Return whether a digit, a letter of a script with spaces, or this bracket is at the place."""
    return 0 <= place < len(line) and (line[place].isalnum() or line[place] == bracket) and ord(line[place]) < 0x0530


# -- a reply as messages: formatted, split, or as a file if it is very long --


MOST_PARTS = 5  # a reply of more messages is sent as a file
CAPTION_LIMIT = 1024  # UTF-16 units of a file's caption

_SUMMARY = 700  # UTF-16 units of the beginning that is sent with the file

# characters of Markdown that surely exceed five messages; only their beginning is formatted
_HOPELESS = 60_000

_FILE_NOTE = later("This got long: the whole answer is in the file.")


def compose(markdown: str, allowed_links: Collection[str] = (), limit: int = LIMIT) -> list[Shaped]:
    """Return the messages of a reply, at most five, in order; none for white space. `extra` holds
    `filename` and `data` (base64) of a document."""
    long = len(markdown) > _HOPELESS
    whole = format_markdown(markdown[:LIMIT] if long else markdown, allowed_links)
    pieces = split(whole.text, whole.entities, limit)
    if long or len(pieces) > MOST_PARTS:
        beginning = (split(whole.text, whole.entities, min(_SUMMARY, limit)) or [Piece("")])[0]
        file = {"filename": "answer.md", "data": base64.b64encode(markdown.encode("utf-8", "replace")).decode()}
        return [Shaped(f"{beginning.text}…\n\n{say(_FILE_NOTE)}", beginning.entities, "document", file)]
    return [Shaped(piece.text, piece.entities) for piece in pieces]


def caption(markdown: str, allowed_links: Collection[str] = ()) -> list[Shaped]:
    """Return the caption of a file, followed by messages with the rest."""
    whole = format_markdown(markdown, allowed_links)
    first, *rest = split(whole.text, whole.entities, CAPTION_LIMIT) or [whole]
    return [Shaped(first.text, first.entities, "document"), *(Shaped(p.text, p.entities) for p in rest)]
