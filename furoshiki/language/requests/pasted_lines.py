"""Find the line of a pasted text that answers a question ("when does the check-out end?")."""

import re
from collections.abc import Callable

from furoshiki.language.words import RUN

LEAST_SHARE = 0.5
"""Least share of a question's words found in the line, not counting those of other lines."""

LONGEST = 200
"""Most characters of a line that are shown."""

_MOST_SIGNED = 4
"""Most words of a signature."""

_LINES = re.compile(r"\n+|(?<=\w\w\w[.!?])\s+|(?<=[。！？])")
_QUOTED = re.compile(r"^[>|\s]+")
_FROM = re.compile(r"\b(?:from|von|de|da|от|kimden)\s?:|发件人", re.IGNORECASE)
_WORKS = re.compile(
    r"\b(?:works?|working|job|since|arbeit\w{0,6}|seit|trabaj\w{0,6}|desde|depuis|travaill\w{0,4}|lavor\w{0,4}|presso"
    r"|trabalh\w{0,4}|работа\w{0,4}|çalış\w{0,6})\b|工作|任职|担任",
    re.IGNORECASE,
)
_ASKS_WHO = re.compile(
    r"\bwho\b.{0,30}\b(?:from|wrote|sent|signed|says?)\b|\bvon wem\b|\bwer hat\b|\bde quién\b|\bquién (?:l[oa] )?"
    r"(?:escrib|mand|env)|\bde qui\b|\bqui (?:l'?)?a (?:écrit|envoyé)|\bda chi\b|\bchi (?:l'?)?ha\b|\bde quem\b"
    r"|\bquem (?:escreveu|mandou|enviou)|\bот кого\b|\bкто (?:это )?(?:написал|прислал)"
    r"|\bkimden\b|\bkim (?:yaz|gönder)|谁.{0,2}[写发寄]",
    re.IGNORECASE,
)
_ASKS_WORK = re.compile(
    r"\bwhat (?:does|do|did) (?:s?he|they|(?-i:[A-Z])\w+) do\b|\bwas macht (?:sie|er)\b|\bwas arbeitet\b"
    r"|\ba qué se dedica\b|\bqu[eé] hace\b|\bque fait-|\bqu'est-ce qu'(?:il|elle) fait"
    r"|\bche (?:lavoro|cosa) fa\b|\bo que (?:ela|ele) faz\b"
    r"|\bкем (?:он|она) работает\b|\bчем (?:он|она) занимается\b|\bne iş yap|[他她]是?做什么",
    re.IGNORECASE,
)
_ASKS_WHEN = re.compile(
    r"\b(?:when|what time|how (?:much|many)|wann|um wie viel|wie viel|cuándo|qué hora|cuánto|quand|quelle heure|combien"
    r"|quando|che ora|quanto|que horas|quanto|когда|сколько|во сколько|ne zaman|saat kaç\w*|kaç)\b|几点|什么时候|多少",
    re.IGNORECASE,
)

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
