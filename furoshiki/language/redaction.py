"""Parse requests to forget, find the identifying words, and cut them out of texts. Pure."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from furoshiki.core.refs import Ref
from furoshiki.language.tables import calendar_names
from furoshiki.language.word_tables import by_language
from furoshiki.language.words import RUN

# a predicate: whether a text contains something that is to be forgotten
Holds = Callable[[str], bool]

_FORGETTABLE = frozenset({"turn", "memory", "session"})
_DAY = r"(\d{4}-\d{2}-\d{2})"
_SPAN = re.compile(rf"^{_DAY}(?:\s*(?:\.\.|…|–|to|until)\s*{_DAY})?$", re.IGNORECASE)
_NAMED_DAYS = {"today": 0, "yesterday": 1}
EVERYTHING = "everything"
_ALL = frozenset({EVERYTHING, "all", "all my data", "my data", "everything about me"})
_WAYS = by_language("redaction_beside")["en"]
_LEAD = re.compile(_WAYS["lead"], re.IGNORECASE)
_DETERMINER = re.compile(_WAYS["determiner"], re.IGNORECASE)
_QUOTES = "\"'“”‘’«»„"

_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+|(?<!\n)\n+(?=[^\S\n]*(?:[-*•>#|]|\d+[.)]\s))")
_ENDS = ".!?…:;"
_ENTRY = re.compile(r"^\s*(?:[-*•>#|]|\d+[.)]\s|[\w ]{1,30}: )")
_PARAGRAPH = re.compile(r"(\n[ \t]*\n+)")
_LABEL = re.compile(r"^\s*(?:(?:[-*•>#]+|\d+[.)]|(?:\w|\*+[\w ])[\w ]{0,29}:\**)\s*)?$")
_BARE_DATE = re.compile(r"^[-*•>#\s\d:.–/]*$")

_WORD = re.compile(r"[^\s@]{1,64}@\S+|[^\W\d_][^\W_]*(?:[-’'][^\W\d_]{3,})*|\d[\d\s./-]{2,}\d")
# words that do not identify a message
_DULL = frozenset(by_language("small")["en"]["dull"].split())
_OPENS = re.compile(r"(?:^|[.!?…:\n])[\s\"'“”‘’(«\-*]*$")
# capitalized words that are common, not names
_CALENDAR = frozenset(
    {
        *calendar_names.NAMES,
        *("christmas", "easter", "god", "okay", "english", "internet", "telegram"),
        *("debug", "info", "warn", "warning", "error", "critical", "fatal", "exception", "traceback"),
    }
)

SHORTEST_TELLING = 3  # least characters of an identifying word
WRAPPED = 60  # a line of at least this many characters without an end mark counts as wrapped
LONGEST_LABEL = 30  # most characters of a label before a colon ("User state: …")

# least digits of an identifying number: years are common, telephone numbers unique
DIGITS_TELLING = 4


@dataclass(frozen=True)
class Named:
    """Named items: turn:12, memory:3, session:20260301-090000."""

    ids: tuple[Ref, ...]


@dataclass(frozen=True)
class Span:
    """All messages from the first to the last day, both included, in the user's time zone."""

    first: date
    last: date


@dataclass(frozen=True)
class Phrase:
    """Wordings to search, from the full one to shorter ones: the first that is found counts.
    `exact` (quoted): paraphrases are not searched."""

    wordings: tuple[str, ...]
    exact: bool = False


@dataclass(frozen=True)
class Everything:
    """All messages, and everything derived from them."""


Wanted = Named | Span | Phrase | Everything


def parse_request(text: str, today: date) -> Wanted | None:
    """Parse the words after /forget; None if empty or if the days are in the wrong order."""
    words = text.strip()
    parts = words.replace(",", " ").split()
    refs = [ref for part in parts if (ref := Ref.parse(part)) is not None and ref.kind in _FORGETTABLE]
    if parts and len(refs) == len(parts):
        return Named(tuple(dict.fromkeys(refs)))
    if (ago := _NAMED_DAYS.get(words.casefold())) is not None:
        day = today - timedelta(days=ago)
        return Span(day, day)
    if match := _SPAN.match(words):
        try:
            first = date.fromisoformat(match[1])
            last = date.fromisoformat(match[2] or match[1])
        except ValueError:
            return None
        return Span(first, last) if first <= last else None
    if " ".join(parts).casefold().strip(".!") in _ALL:
        return Everything()
    wordings = _wordings(words)
    return Phrase(wordings, words[:1] in _QUOTES and words[-1:] in _QUOTES) if wordings else None


_ANY_DAY = date(2000, 1, 1)


def exactly(text: str) -> str:
    """Quote a request so that only these words are searched; days and ids are left alone."""
    bare = text.strip()
    return f'"{bare}"' if isinstance(parse_request(bare, _ANY_DAY), Phrase) else bare


def _wordings(text: str) -> tuple[str, ...]:
    bare = text.strip(_QUOTES + " \t\n.!?")
    shorter = _LEAD.sub("", bare)
    shortest = _DETERMINER.sub("", shorter)
    return tuple(dict.fromkeys(one for one in (bare, shorter, shortest) if any(map(str.isalnum, one))))


def content(text: str) -> tuple[str, ...]:
    """Return the content words of a request; none if there is only one (found literally anyway)."""
    words = [word for word in RUN.findall(text) if len(word) > 2 and word.lower() not in _DULL]
    return tuple(words) if len(words) > 1 else ()


def names(text: str) -> tuple[str, ...]:
    """Return the names and numbers in a request."""
    return tuple(word for word in RUN.findall(text) if word[0].isupper() or word.isdigit() and len(word) > 2)


@dataclass(frozen=True)
class RevealingWords:
    """Identifying words: certain (names, numbers) and possible (capitalized at the start)."""

    certain: frozenset[str]
    perhaps: frozenset[str]


def find_revealing(texts: Iterable[str], common: Iterable[str] = ()) -> RevealingWords:
    """Find names and long numbers in texts. `common` names identify nothing."""
    certain: set[str] = set()
    perhaps: set[str] = set()
    dull = _CALENDAR | {name.casefold() for name in common}
    for text in texts:
        for match in _WORD.finditer(text):
            word = match[0].strip(" ./-")
            if word[:1].isdigit():
                if sum(map(str.isdigit, word)) >= DIGITS_TELLING:
                    certain.add(word)
            elif "@" in word:
                certain.add(word.strip(".,;:!?()<>"))
            elif len(word) >= SHORTEST_TELLING and word[0].isupper() and word.casefold() not in dull:
                (perhaps if _OPENS.search(_just_before(text, match.start())) else certain).add(word)
    return RevealingWords(frozenset(certain), frozenset(perhaps - certain))


def _just_before(text: str, at: int) -> str:
    """Return enough preceding text to see whether a sentence begins there."""
    return text[max(0, at - 12) : at]


def is_name_within(word: str, text: str) -> bool:
    """Return whether a word occurs within a sentence, as written (a capital marks a name)."""
    return any(not _OPENS.search(_just_before(text, at.start())) for at in re.finditer(rf"\b{re.escape(word)}\b", text))


def without(text: str, holds: Holds) -> str:
    """Remove the sentences, list entries and lines that hold it; the result never does."""
    if not holds(text):
        return text
    parts: list[str] = []
    for number, part in enumerate(_PARAGRAPH.split(text)):
        if number % 2:  # the separator of two paragraphs
            if parts and parts[-1].strip():
                parts.append(part)
        elif not holds(part):
            parts.append(part)
        elif left := _paragraph(part, holds):
            parts.append(left)
    rest = "".join(parts).strip("\n")
    return "" if holds(rest) else rest + ("\n" if rest and text.endswith("\n") else "")


def _paragraph(text: str, holds: Holds) -> str:
    """Return the lines and sentences that do not hold it; "" if it spans several of them."""
    left = "\n".join(one for line in _whole_lines(text) if (one := _line(line, holds)) is not None)
    return "" if holds(left) else left


def _whole_lines(text: str) -> list[str]:
    """Return the lines of a paragraph, with wrapped lines joined to the next."""
    lines: list[str] = []
    for line in text.split("\n"):
        before = lines[-1].rsplit("\n", 1)[-1].rstrip() if lines else ""
        broken = before and before[-1] not in _ENDS and not _ENTRY.match(line)
        if broken and (line[:1].islower() or len(before) >= WRAPPED):
            lines[-1] += "\n" + line
        else:
            lines.append(line)
    return lines


def _line(line: str, holds: Holds) -> str | None:
    """Remove the sentences that hold it; None if only a label or bullet is left."""
    if not holds(line):
        return line
    head, label, rest = line.partition(": ")
    if label and len(head) < LONGEST_LABEL and not holds(head):
        entries = rest.split(", ")
        fine = [entry for entry in entries if not holds(entry)]
        if fine and len(entries) > 1 and not any(". " in entry for entry in entries):
            return f"{head}: {', '.join(fine)}"
        left = _sentences(rest, holds)
        return f"{head}: {left}" if left else None
    left = _sentences(line, holds)
    return None if _LABEL.match(left) or _BARE_DATE.match(left) else left


def _sentences(text: str, holds: Holds) -> str:
    pieces = [piece for piece in _SENTENCE_END.split(text) if piece and not holds(piece)]
    return " ".join(piece.strip("\n") for piece in pieces).rstrip()


def prune(value: Any, holds: Holds) -> Any:
    """Remove matching list entries, sentences and keys from a JSON value."""
    match value:
        case str():
            return without(value, holds)
        case Mapping():
            return {key: prune(one, holds) for key, one in value.items() if not holds(str(key))}
        case Sequence():
            return [prune(one, holds) for one in value if not (isinstance(one, str) and holds(one))]
        case _:
            return value


def holds_anywhere(value: Any, holds: Holds) -> bool:
    """Return whether any text or key in a JSON value holds it."""
    match value:
        case str():
            return holds(value)
        case Mapping():
            return any(holds(str(key)) or holds_anywhere(one, holds) for key, one in value.items())
        case Sequence():
            return any(holds_anywhere(one, holds) for one in value)
        case _:
            return False


def either(*judges: Holds) -> Holds:
    """Return a predicate that is true if any of the judges is."""
    return lambda text: any(holds(text) for holds in judges)


def cell_holds(text: str, holds: Holds) -> bool:
    """Return whether a table cell (plain text or JSON) holds it."""
    value = _value(text)
    return holds(text) if value is None else holds_anywhere(value, holds)


def cut_cell(text: str, holds: Holds) -> str:
    """Remove matching sentences or JSON parts from a table cell."""
    value = _value(text)
    if value is None:
        return without(text, holds)
    left = json.dumps(prune(value, holds), ensure_ascii=False, separators=(",", ":"))
    return left.encode("utf-8", "replace").decode("utf-8")


def _value(text: str) -> Any:
    """Parse a cell that contains a JSON object or list; None for plain text."""
    if text[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None
