"""Find the line of a pasted text that answers a question ("when does the check-out end?")."""

import re
from collections.abc import Callable

from furoshiki.language import word_tables
from furoshiki.language.words import RUN

# least share of a question's words found in the line, not counting those of other lines
LEAST_SHARE = 0.5

LONGEST = 200  # most characters of a line that are shown

_MOST_SIGNED = 4  # most words of a signature

_LINES = re.compile(r"\n+|(?<=\w\w\w[.!?])\s+|(?<=[。！？])")
_QUOTED = re.compile(r"^[>|\s]+")
_FROM = re.compile(r"\b(?:from|von|de|da|от|kimden)\s?:|发件人", re.IGNORECASE)
_WAYS = word_tables.by_language("pasted_asked")["en"]
_WORKS = re.compile(_WAYS["works"], re.IGNORECASE)
_ASKS_WHO = re.compile(_WAYS["asks_who"], re.IGNORECASE)
_ASKS_WORK = re.compile(_WAYS["asks_work"], re.IGNORECASE)
_ASKS_WHEN = re.compile(_WAYS["asks_when"], re.IGNORECASE)

Words = Callable[[str], frozenset[str]]


def find_line(question: str, text: str, words: Words) -> str | None:
    """Return the line that answers a question about a text; `words` extracts content words."""
    lines = [line for one in _LINES.split(text) if (line := _QUOTED.sub("", one).strip())]
    if _ASKS_WHO.search(question):
        return _shorten(_find_sender(lines))
    if _ASKS_WORK.search(question):
        return _shorten(next(filter(_WORKS.search, lines), None))
    return _shorten(_find_closest(question, lines, words))


def _find_sender(lines: list[str]) -> str | None:
    named = next(filter(_FROM.search, lines), None)
    if named is not None or not lines:
        return named
    words = lines[-1].strip(" -,").split()
    if len(words) > _MOST_SIGNED or not all(map(str.isalpha, words)):
        return None
    return lines[-1]


def _find_closest(question: str, lines: list[str], words: Words) -> str | None:
    """Return the line with most question words; those only in other lines are ignored."""
    said = frozenset(RUN.findall(question.casefold()))
    wanted = words(_ASKS_WHEN.sub(" ", question))
    figures = _ASKS_WHEN.search(question) is not None
    held = [wanted & words(line) for line in lines]
    unsaid = len(wanted.difference(*held))
    best, most = None, (0.0, 0, False)
    for line, here in zip(lines, held, strict=True):
        share = len(here) / max(1, len(here) + unsaid)
        rank = share, len(said & set(RUN.findall(line.casefold()))), figures and any(map(str.isdigit, line))
        if here and share >= LEAST_SHARE and rank > most:
            best, most = line, rank
    return best


def _shorten(line: str | None) -> str | None:
    if line is None or len(line) <= LONGEST:
        return line
    return f"{line[:LONGEST]} …"
