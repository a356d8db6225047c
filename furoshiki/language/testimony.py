"""Which words of a message are its sender's own, and which come from someone else. This is
decided once, when a message arrives, by how it came (document, forward, quotation), and stored
with the turn as spans; no later code parses the text for it. Code that reads evidence about a
person takes `Own`, which only this module creates from incoming text. Foreign words stay
searchable and are cited with their source."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any, Literal, NewType, get_args

from furoshiki.core.framing import MARKS, clean, strip_tags
from furoshiki.language.pasted import find_pasted
from furoshiki.language.tokens import cut, estimate
from furoshiki.language.words import readable

# words the sender typed, said or captioned, for the rules: the only evidence about them
Own = NewType("Own", str)

# The origin of foreign words. "picture" is the program's description of a picture shown to the
# model, "note" of an attachment not shown; "quote" a quotation inside a sentence, "pasted" whole
# lines, "composed" text in another person's style, "doubtful" own words that prove nothing.
Kind = Literal[
    "document", "audio", "forward", "bot", "contact", "poll", "place", "pasted", "picture", "unknown",
    "quote", "link", "note", "composed", "doubtful",
]  # fmt: skip

# Kinds that are part of the sender's own sentence or written by the program. Every other kind, also
# future ones, came from outside as a whole and may contain instructions to its reader.
WOVEN: frozenset[str] = frozenset({"quote", "link", "note"})

# kinds that are not words of others: texts written by the program, and doubtful ones
_UNCOUNTED: frozenset[Kind] = frozenset({"picture", "note", "doubtful"})

LONGEST_NAME = 80
# the end marker of documents in turns stored before passages existed
OLD_ENDING = "[end of document]"

_KINDS: Mapping[str, Kind] = {one: one for one in get_args(Kind)}
_PLACED = re.compile(r"[\s:<>\[\]\"\u201c\u201d]+")
_MARK = "foreign"


_SOURCES: Mapping[Kind, str] = {
    "document": "from a document",
    "audio": "from an audio file",
    "forward": "forwarded from somebody else",
    "bot": "made by a bot",
    "contact": "from a contact card",
    "poll": "from a poll",
    "place": "from a shared place",
    "pasted": "from text that was pasted",
    "composed": "from what somebody else wrote",
    "doubtful": "perhaps not their own words",
    "quote": "quoted",
    "link": "a link",
    "picture": "from a picture",
    "note": "attached",
    "unknown": "from somebody else",
}
# the origin of each kind, and of those that may have a name
_NAMED_SOURCES: Mapping[Kind, str] = {
    "document": "from the document",
    "audio": "from the audio file",
    "forward": "forwarded from",
    "bot": "made by the bot",
}


@dataclass(frozen=True, slots=True)
class Passage:
    """A span text[start:end] of a turn that is not its speaker's. `name` is that of the
    document, or of the person forwarded."""

    kind: Kind
    start: int
    end: int
    name: str | None = None

    @property
    def source(self) -> str:
        """The origin, to follow a label: "from the document cv.txt"."""
        if self.name and self.kind in _NAMED_SOURCES:
            return f"{_NAMED_SOURCES[self.kind]} {self.name}"
        return _SOURCES[self.kind]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a message before assembly: the sender's own unless it has a kind."""

    text: str
    kind: Kind | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """A whole message: its text as stored, and its foreign passages."""

    text: str
    foreign: tuple[Passage, ...] = ()


@dataclass(frozen=True)
class Utterance:
    """A message of a conversation. `speaker` is "user", "companion" or a name; `at` is aware; `id`
    is its turn, or 0; `foreign` are the passages of `text` that are not the speaker's own words."""

    speaker: str
    text: str
    at: datetime
    id: int = 0
    foreign: tuple[Passage, ...] = ()

    @cached_property
    def own(self) -> Own:
        """The speaker's own words: the only evidence about them."""
        return own(self.text, self.foreign)

    @property
    def quotable(self) -> str:
        """The same with what they quoted in them, to be read by themselves."""
        return own(self.text, [one for one in self.foreign if one.kind != "quote"])


def whole(text: str, kind: Kind, name: str | None = None) -> tuple[Passage, ...]:
    """Return one passage of a kind that covers the whole text; none for an empty text."""
    return (Passage(kind, 0, len(text), name_of(name)),) if text else ()


def name_of(name: object) -> str | None:
    """Clean a name for a label: one line, no brackets, colons or quotes, at most 80 characters."""
    shown = _PLACED.sub(" ", str(name or "")).strip()[:LONGEST_NAME].strip()
    return shown or None


def together(pieces: Iterable[Piece], between: str = "\n") -> Told:
    """Join pieces into one text, with the passages of the foreign ones."""
    text, passages = "", []
    for piece in pieces:
        words = clean(piece.text).strip()
        if not words:
            continue
        if text:
            text += between
        if piece.kind is not None:
            passages.append(Passage(piece.kind, len(text), len(text) + len(words), name_of(piece.name)))
        text += words
    return Told(text, tuple(passages))


def build_typed(text: str, quoted: Sequence[Sequence[int]] = (), *, announced: bool = True) -> Told:
    """Return a typed text, trimmed, with its pasted and quoted passages.

    `quoted` are spans [start, end) of `text` that the channel marks as quotations or code.
    `announced`: text after an announcing line ("here is her letter:") counts as pasted.
    """
    begin = len(text) - len(text.lstrip())
    bare = text.strip()
    if (cleaned := clean(bare)) != bare:
        quoted, bare = (), cleaned  # the offsets would have moved
    marked = [
        Passage("pasted", max(0, first - begin), min(len(bare), last - begin))
        for first, last in quoted
        if last > begin and first - begin < len(bare) and first < last
    ]
    passages = [Passage(kind, start, end) for kind, start, end in find_pasted(bare, announced)]
    return Told(bare, _apart([*marked, *passages]))


def attribute(reported: Told, kind: Kind, start: int, end: int) -> Told:
    """Mark text[start:end] with a kind, except where a passage already covers it."""
    kept = [
        passage
        for passage in reported.foreign
        if kind == "doubtful" or passage.kind not in WOVEN or not start <= passage.start < end
    ]
    passages, at = list(kept), start
    for passage in [*kept, Passage(kind, end, end)]:
        if at < min(passage.start, end):
            passages.append(Passage(kind, at, min(passage.start, end)))
        at = max(at, passage.end)
    return Told(reported.text, _apart(passages))


def doubt(passages_of_turns: Iterable[Sequence[Passage]]) -> str | None:
    """Return a reason for doubt if every message contains doubtful words; else None."""
    every = [any(passage.kind == "doubtful" for passage in foreign) for foreign in passages_of_turns]
    return "it may be somebody else's words" if every and all(every) else None


def join(first: Told, second: Told, between: str = "\n") -> Told:
    """Append one message to another, moving its passages."""
    if not first.text or not second.text:
        return second if not first.text else first
    offset = len(first.text) + len(between)
    moved = (replace(passage, start=passage.start + offset, end=passage.end + offset) for passage in second.foreign)
    return Told(f"{first.text}{between}{second.text}", (*first.foreign, *moved))


def own(text: str, foreign: Sequence[Passage], *, doubtful: bool = True) -> Own:
    """Return the speaker's own words, prepared for the rules, with those in doubt if `doubtful`; empty
    if there are none."""
    parts, at = list[str](), 0
    for passage in foreign:
        if passage.kind == "doubtful" and doubtful:
            continue
        parts += [text[at : passage.start], {"quote": '""', "link": " "}.get(passage.kind, "\n")]
        at = passage.end
    own_words = "".join([*parts, text[at:]])
    own_words = own_words.strip() if parts else own_words
    return Own("" if parts and not own_words.strip('" \n') else readable(own_words))


def others(text: str, foreign: Sequence[Passage]) -> str:
    """Return the passages of a text that are words of others, one per line."""
    return "\n".join(text[passage.start : passage.end] for passage in foreign if passage.kind not in _UNCOUNTED)


def pasted(text: str, foreign: Sequence[Passage]) -> str:
    return others(text, list(filter(_is_pasted, foreign)))


def _is_pasted(passage: Passage) -> bool:
    return passage.kind in ("pasted", "composed")


def together_own(parts: Iterable[Own]) -> Own:
    """Join the own words of several messages into one text."""
    return Own(readable("\n".join(text for text in parts if text)))


def as_told(text: str) -> Own:
    """Treat a text as the user's own words: a rephrased claim, an example. Never incoming text."""
    return Own(text)


def links(text: str, foreign: Sequence[Passage]) -> tuple[str, ...]:
    """Return the links that the speaker put into the text."""
    return tuple(text[passage.start : passage.end] for passage in foreign if passage.kind == "link")


def convert_notes(foreign: Iterable[Passage]) -> tuple[Passage, ...]:
    """Turn notes into pictures, for a message whose attachments are shown to the model."""
    return tuple(replace(passage, kind="picture") if passage.kind == "note" else passage for passage in foreign)


def clip(foreign: Iterable[Passage], text: str) -> tuple[Passage, ...]:
    """Return the passages of a text that was truncated, cut to its length."""
    return tuple(replace(passage, end=min(passage.end, len(text))) for passage in foreign if passage.start < len(text))


def outside(foreign: Iterable[Passage]) -> tuple[Passage, ...]:
    """Return the passages that came from outside as a whole."""
    return tuple(passage for passage in foreign if passage.kind not in WOVEN)


def sources(foreign: Iterable[Passage]) -> tuple[str, ...]:
    """Return the distinct sources of foreign words, except notes, links and inline quotes."""
    return tuple(dict.fromkeys(passage.source for passage in outside(foreign)))


def source_of(text: str, foreign: Sequence[Passage]) -> str | None:
    """Return the sources of a text that has foreign words and no own ones; else None."""
    source_names = sources(foreign)
    return " and ".join(source_names) if source_names and not own(text, foreign) else None


def label_speaker(who: str, text: str, foreign: Sequence[Passage]) -> str:
    """Return the speaker's name and the foreign source: "Noor (forwarded from Carlos)"."""
    shown = origin(text, foreign)
    return f"{who} ({shown['from']})" if shown else who


def origin(text: str, foreign: Sequence[Passage]) -> dict[str, str]:
    """Return {"from": sources} for a text with foreign words, else an empty mapping."""
    source_names = " and ".join(sources(foreign))
    return {"from": f"with words {source_names}" if own(text, foreign) else source_names} if source_names else {}


def pieces(text: str, foreign: Sequence[Passage]) -> Iterator[tuple[str, Passage | None]]:
    """Yield the stretches of a text in order, each with its passage (None for own words)."""
    at = 0
    for passage in foreign:
        if passage.start > at:
            yield text[at : passage.start], None
        yield text[passage.start : passage.end], passage
        at = passage.end
    if at < len(text):
        yield text[at:], None


def render_marked(text: str, foreign: Sequence[Passage], tokens: int | None = None, *, flat: bool = False) -> str:
    """Render a text for the model, with foreign words between tags that name their source.

    Such tags inside the text are removed. `flat` puts it on one line; `tokens` limits its length.
    A quotation has marks of its own, and needs tags only beside others, so as not to seem the
    sender's words among foreign ones.
    """
    shown, beside = [], False
    left = None if tokens is None else tokens
    for words, passage in pieces(text, foreign):
        if left is not None and left <= 0:
            break
        rendered = " ".join(words.split()) if flat else words
        if left is not None:
            rendered = cut(rendered, left)
            left -= estimate(rendered) + 1
        rendered = strip_tags(rendered, MARKS)
        if passage is not None and (beside or passage.kind not in WOVEN) and rendered.strip():
            rendered = f'<{_MARK} source="{passage.source}">{rendered}</{_MARK}>'
        beside = passage is not None and passage.kind not in WOVEN
        shown.append(rendered)
    return (" " if flat else "").join(one for one in shown if one)


def dump_passages(foreign: Sequence[Passage]) -> list[dict[str, Any]] | None:
    """Return passages as JSON values; None if there are none."""
    rows = [
        {
            "kind": passage.kind,
            "start": passage.start,
            "end": passage.end,
            **({"name": passage.name} if passage.name else {}),
        }
        for passage in foreign
    ]
    return rows or None


def read(value: Any, text: str) -> tuple[Passage, ...]:
    """Parse passages from JSON values; unknown kinds become "unknown". Raises ValueError for
    malformed passages and for spans outside the text."""
    if value is None:
        return ()
    passages = []
    if not isinstance(value, (list, tuple)):
        raise ValueError("foreign_words is not a list")
    for row in value:
        try:
            kind, start, end = row["kind"], int(row["start"]), int(row["end"])
            name = row.get("name")
        except (TypeError, KeyError, AttributeError, ValueError, OverflowError) as error:
            raise ValueError(f"foreign_words holds something that is not a passage ({error})") from error
        if not isinstance(kind, str) or not 0 <= start <= end <= len(text):
            raise ValueError("foreign_words holds a passage that is not in the text")
        passages.append(Passage(_KINDS.get(kind, "unknown"), start, end, name_of(name)))
    return _apart(passages)


def find_undeclared(kind: str, text: str, attachments: Mapping[str, Any] | None) -> tuple[Passage, ...]:
    """Guess the passages of a turn stored before passages existed; in doubt rather too many."""
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


def _apart(passages: Iterable[Passage]) -> tuple[Passage, ...]:
    """Sort passages and remove overlaps: an earlier passage covers those that begin in it."""
    kept_: list[Passage] = []
    for passage in sorted(passages, key=lambda one: (one.start, -one.end)):
        start = max(passage.start, kept_[-1].end if kept_ else 0)
        if start < passage.end:
            kept_.append(replace(passage, start=start))
    return tuple(kept_)
