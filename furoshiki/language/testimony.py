"""Whose words are whose: what of a message its sender says themselves, and what in it is somebody else's.

It is decided once, when a message arrives, by how it came (a document, a forward, a quotation), and kept with the turn
as places in its text; nobody parses a text for it again. Code that reads for evidence about a person takes `Own`, and
only this module makes that of what arrived. What is foreign stays findable, and is cited by where it comes from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NewType, get_args

from furoshiki.core.framing import MARKS, strip_tags
from furoshiki.language.pasted import find_pasted
from furoshiki.language.readable import readable
from furoshiki.language.tokens import cut, estimate

Own = NewType("Own", str)
"""Words that somebody typed, said or captioned themselves, as rules read them: the only evidence about them."""

Kind = Literal[
    "document", "audio", "forward", "bot", "contact", "poll", "place", "pasted", "picture", "unknown",
    "quote", "link", "note", "composed", "doubtful",
]  # fmt: skip
"""Where words come from that are not the sender's. "picture" is what the program says of one that a mind is shown,
"note" of an attachment of which nothing is shown; "quote" a quotation inside a sentence, "pasted" whole lines,
"composed" what by its style is somebody else's. "doubtful" may be: it counts as said, but nothing is known by it."""

WOVEN: frozenset[str] = frozenset({"quote", "link", "note"})
"""What a sender wove into their own sentence, and what the program says itself. Every other kind came from outside as a
whole, one that nobody has thought of yet as well: what stands in it may want something of its reader."""

_UNCOUNTED: frozenset[Kind] = frozenset({"picture", "note", "doubtful"})
"""Kinds whose words are the program's, whatever is shown beside them, and what counts as said by its speaker."""

LONGEST_NAME = 80
OLD_ENDING = "[end of document]"
"""What closed a document in the text of a turn before passages were kept."""

_KINDS: Mapping[str, Kind] = {one: one for one in get_args(Kind)}
_PLACED = re.compile(r"[\s:<>\[\]\"\u201c\u201d]+")
_MARK = "foreign"


@dataclass(frozen=True, slots=True)
class Passage:
    """text[start:end] of a turn is not its speaker's. `name` is the document's, or that of the person who was
    forwarded."""

    kind: Kind
    start: int
    end: int
    name: str | None = None

    @property
    def source(self) -> str:
        """Where it comes from, to stand after a label: "from the document cv.txt", "forwarded from Carlos"."""
        name = f" {self.name}" if self.name else ""
        match self.kind:
            case "document":
                return f"from the document{name}" if name else "from a document"
            case "audio":
                return f"from the audio file{name}" if name else "from an audio file"
            case "forward":
                return f"forwarded from{name or ' somebody else'}"
            case "bot":
                return f"made by the bot{name}" if name else "made by a bot"
            case "contact":
                return "from a contact card"
            case "poll":
                return "from a poll"
            case "place":
                return "from a shared place"
            case "pasted":
                return "from text that was pasted"
            case "composed":
                return "from what somebody else wrote"
            case "doubtful":
                return "perhaps not their own words"
            case "quote":
                return "quoted"
            case "link":
                return "a link"
            case "picture":
                return "from a picture"
            case "note":
                return "attached"
            case "unknown":
                return "from somebody else"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a message before it is put together: the sender's own unless it has a kind."""

    text: str
    kind: Kind | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """A whole message: its text, as it is kept, and what of it is not its sender's."""

    text: str
    foreign: tuple[Passage, ...] = ()


def whole(text: str, kind: Kind, name: str | None = None) -> tuple[Passage, ...]:
    """The passages of a text that is somebody else's from end to end."""
    return (Passage(kind, 0, len(text), name_of(name)),) if text else ()


def name_of(name: object) -> str | None:
    """A name fit for a label: on one line, without brackets, colons and quotation marks, at most 80 characters."""
    shown = _PLACED.sub(" ", str(name or "")).strip()[:LONGEST_NAME].strip()
    return shown or None


def together(pieces: Iterable[Piece], between: str = "\n") -> Told:
    """Pieces as one text, with the places of what is foreign in it."""
    text, found = "", []
    for piece in pieces:
        words = clean(piece.text).strip()
        if not words:
            continue
        if text:
            text += between
        if piece.kind is not None:
            found.append(Passage(piece.kind, len(text), len(text) + len(words), name_of(piece.name)))
        text += words
    return Told(text, tuple(found))


def build_typed(text: str, quoted: Sequence[Sequence[int]] = (), *, announced: bool = True) -> Told:
    """What somebody typed, its edges trimmed, with what they pasted or quoted in it.

    `quoted` are stretches [start, end) of `text` that the channel itself shows as quotations or code. What a line
    announces ("here is her letter:") counts as pasted unless it is judged by more than that (`announced`).
    """
    begin = len(text) - len(text.lstrip())
    bare = text.strip()
    if (kept := clean(bare)) != bare:
        quoted, bare = (), kept  # places would have moved
    marked = [
        Passage("pasted", max(0, first - begin), min(len(bare), last - begin))
        for first, last in quoted
        if last > begin and first - begin < len(bare) and first < last
    ]
    found = [Passage(kind, start, end) for kind, start, end in find_pasted(bare, announced)]
    return Told(bare, _apart([*marked, *found]))


def attribute(told: Told, kind: Kind, start: int, end: int) -> Told:
    """A message of which text[start:end] is of this kind as well, where nothing else is said of it."""
    kept = [one for one in told.foreign if kind == "doubtful" or one.kind not in WOVEN or not start <= one.start < end]
    found, at = list(kept), start
    for one in [*kept, Passage(kind, end, end)]:
        if at < min(one.start, end):
            found.append(Passage(kind, at, min(one.start, end)))
        at = max(at, one.end)
    return Told(told.text, _apart(found))


def doubt(said: Iterable[Sequence[Passage]]) -> str | None:
    """Why what messages say may not be so: in each of them stand words that may not be its speaker's; else None."""
    every = [any(one.kind == "doubtful" for one in foreign) for foreign in said]
    return "it may be somebody else's words" if every and all(every) else None


def join(first: Told, second: Told, between: str = "\n") -> Told:
    """One text after the other."""
    if not first.text or not second.text:
        return second if not first.text else first
    offset = len(first.text) + len(between)
    moved = (replace(one, start=one.start + offset, end=one.end + offset) for one in second.foreign)
    return Told(f"{first.text}{between}{second.text}", (*first.foreign, *moved))


def own(text: str, foreign: Sequence[Passage]) -> Own:
    """Return what the speaker says themselves; empty when nothing is."""
    parts, at = list[str](), 0
    for one in foreign:
        if one.kind == "doubtful":
            continue
        parts += [text[at : one.start], {"quote": '""', "link": " "}.get(one.kind, "\n")]
        at = one.end
    found = "".join([*parts, text[at:]])
    found = found.strip() if parts else found
    return Own("" if parts and not found.strip('" \n') else readable(found))


def others(text: str, foreign: Sequence[Passage]) -> str:
    """Return the pasted and quoted passages of a text: words of others."""
    return "\n".join(text[one.start : one.end] for one in foreign if one.kind not in _UNCOUNTED)


def pasted(text: str, foreign: Sequence[Passage]) -> str:
    """The passages of a text that were pasted into it."""
    return others(text, list(filter(_is_pasted, foreign)))


def _is_pasted(passage: Passage) -> bool:
    return passage.kind in ("pasted", "composed")


def together_own(parts: Iterable[Own]) -> Own:
    """Own words of several messages as one text."""
    return Own(readable("\n".join(one for one in parts if one)))


def as_told(text: str) -> Own:
    """Words read as if somebody had told them: a claim turned round, an example. Never anything that arrived."""
    return Own(text)


def links(text: str, foreign: Sequence[Passage]) -> tuple[str, ...]:
    """The links that the speaker put there themselves."""
    return tuple(text[one.start : one.end] for one in foreign if one.kind == "link")


def convert_notes(foreign: Iterable[Passage]) -> tuple[Passage, ...]:
    """The passages of a message of which a mind is shown what the notes stand for."""
    return tuple(replace(one, kind="picture") if one.kind == "note" else one for one in foreign)


def clip(foreign: Iterable[Passage], text: str) -> tuple[Passage, ...]:
    """The passages of a text of which only the beginning is left."""
    return tuple(replace(one, end=min(one.end, len(text))) for one in foreign if one.start < len(text))


def outside(foreign: Iterable[Passage]) -> tuple[Passage, ...]:
    """Keep the passages that came from outside as a whole."""
    return tuple(one for one in foreign if one.kind not in WOVEN)


def sources(foreign: Iterable[Passage]) -> tuple[str, ...]:
    """Where the foreign words of a text come from, each once; notes, links and single quotations are not named."""
    return tuple(dict.fromkeys(one.source for one in outside(foreign)))


def source_of(text: str, foreign: Sequence[Passage]) -> str | None:
    """Where a text comes from that holds words from outside and none of its speaker's own; None for any other."""
    found = sources(foreign)
    return " and ".join(found) if found and not own(text, foreign) else None


def label_speaker(who: str, text: str, foreign: Sequence[Passage]) -> str:
    """Who speaks, with where the words come from that are not theirs: "Noor (forwarded from Carlos)"."""
    found = origin(text, foreign)
    return f"{who} ({found['from']})" if found else who


def origin(text: str, foreign: Sequence[Passage]) -> dict[str, str]:
    """Where the words come from that are not the speaker's, as a value "from" to stand beside them; else nothing."""
    found = " and ".join(sources(foreign))
    return {"from": f"with words {found}" if own(text, foreign) else found} if found else {}


def pieces(text: str, foreign: Sequence[Passage]) -> Iterator[tuple[str, Passage | None]]:
    """The stretches of a text in order, each with the passage it is, None for the speaker's own."""
    at = 0
    for one in foreign:
        if one.start > at:
            yield text[at : one.start], None
        yield text[one.start : one.end], one
        at = one.end
    if at < len(text):
        yield text[at:], None


def render_marked(text: str, foreign: Sequence[Passage], tokens: int | None = None, *, flat: bool = False) -> str:
    """A text for a mind to read, in which words from outside stand between marks that say where they come from.

    Marks inside the text are made harmless. `flat` puts it on one line; `tokens` is the most of it that is shown.
    """
    shown = []
    left = None if tokens is None else tokens
    for words, passage in pieces(text, foreign):
        if left is not None and left <= 0:
            break
        kept = " ".join(words.split()) if flat else words
        if left is not None:
            kept = cut(kept, left)
            left -= estimate(kept) + 1
        kept = strip_tags(kept, MARKS)
        if passage is not None and passage.kind not in WOVEN and kept.strip():
            kept = f'<{_MARK} source="{passage.source}">{kept}</{_MARK}>'
        shown.append(kept)
    return (" " if flat else "").join(one for one in shown if one)


def dump_passages(foreign: Sequence[Passage]) -> list[dict[str, Any]] | None:
    """Passages as plain values, None where there are none."""
    found = [
        {"kind": one.kind, "start": one.start, "end": one.end, **({"name": one.name} if one.name else {})}
        for one in foreign
    ]
    return found or None


def read(value: Any, text: str) -> tuple[Passage, ...]:
    """Passages from plain values; a kind that this release does not know is "unknown". Raises ValueError for what are
    none, or lie outside the text."""
    if value is None:
        return ()
    found = []
    if not isinstance(value, (list, tuple)):
        raise ValueError("foreign_words is not a list")
    for one in value:
        try:
            kind, start, end = one["kind"], int(one["start"]), int(one["end"])
            name = one.get("name")
        except (TypeError, KeyError, AttributeError, ValueError, OverflowError) as error:
            raise ValueError(f"foreign_words holds something that is not a passage ({error})") from error
        if not isinstance(kind, str) or not 0 <= start <= end <= len(text):
            raise ValueError("foreign_words holds a passage that is not in the text")
        found.append(Passage(_KINDS.get(kind, "unknown"), start, end, name_of(name)))
    return _apart(found)


def find_undeclared(kind: str, text: str, attachments: Mapping[str, Any] | None) -> tuple[Passage, ...]:
    """What is foreign in a turn that was kept before passages were: when in doubt, more rather than less."""
    forwarded = (attachments or {}).get("forwarded")
    if forwarded:
        return whole(text, "forward", (forwarded or {}).get("from") if isinstance(forwarded, Mapping) else None)
    name = str((attachments or {}).get("name") or "")
    if kind == "document":
        ends = text.rfind(OLD_ENDING)
        end = len(text) if ends < 0 else ends + len(OLD_ENDING)
        return (Passage("document", 0, end, name_of(name)),) if text else ()
    if kind == "audio":
        return whole(text, "audio", name)
    if kind == "location":
        return whole(text, "place")
    if kind == "contact":
        return whole(text, "contact")
    if kind == "poll":
        return whole(text, "poll")
    return build_typed(text).foreign if build_typed(text).text == text else ()


def clean(text: str) -> str:
    """The text as it can be kept: without NUL, lone surrogates replaced. Nothing moves when it is kept again."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")


def _apart(found: Iterable[Passage]) -> tuple[Passage, ...]:
    """Passages in order and without overlaps: what begins first covers what begins in it."""
    kept_: list[Passage] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        start = max(one.start, kept_[-1].end if kept_ else 0)
        if start < one.end:
            kept_.append(replace(one, start=start))
    return tuple(kept_)
