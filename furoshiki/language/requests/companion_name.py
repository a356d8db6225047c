"""The name somebody gives the companion: "I'll call you Pip", "may I call you Pip?" """

import re
from collections.abc import Iterator
from functools import cache

from furoshiki.core.catalogue import later
from furoshiki.language import word_tables
from furoshiki.language.facts.names import trim_name
from furoshiki.language.testimony import Own

OFFER = later("Shall I be called {given} from now on?")

LONGEST = 40  # most characters of a name, as the setting allows

_LONGEST_BYTES = 50  # most bytes of a name, so that it fits into a button's data

_MOST_TEXT, _MOST_CLAUSE = 600, 120  # most characters of a message and of a clause that are read

_PART = r"[^\W\d_][^\W_]*(?:['-][^\W_]+)*"
_PARTS = {"x": rf"({_PART}(?: {_PART}){{0,2}}?)", "s": r"([\u4e00-\u9fff]{1,6}?|[a-z]{2,20})"}
_SENTENCE = re.compile(r"([^.!?…;()\n。！？；]+)([.!?…\n。！？]*)")
_COMMA = re.compile(r"[,，、]")
_SMALL = re.compile(r"[a-zß-ÿа-яё]")
_EDGES = re.compile(r"^\W+|\W+$")
# a word of which every such clause of a language has one: a pattern takes 20 ms to compile
_HINTS = word_tables.texts("naming", "hint")

# lines of the words of time, but for numbers: "otto" is a name
_NO_NUMBERS = re.compile(r"^[^no\s][^=\n]*=(.*)$", re.MULTILINE)


def find_name(text: Own, companion: str = "") -> str | None:
    """Return the companion's new name, capitalized; None for none, or its present one."""
    if len(text) > _MOST_TEXT:
        return None
    for clause, asked in _clauses(text):
        for language, hint in _HINTS.items():
            hinted = re.search(hint, clause, re.IGNORECASE)
            if hinted is None or (found := _pattern(language, asked).fullmatch(clause)) is None:
                continue
            given = _judge(next(filter(None, found.groups())), language)
            if given and given.casefold() != companion.casefold():
                return given
    return None


def _clauses(text: str) -> Iterator[tuple[str, bool]]:
    """Yield sentences and what is between their commas, each with whether it ends as a question."""
    for sentence, end in _SENTENCE.findall(text.replace("\u2019", "'")):
        pieces = _COMMA.split(sentence)
        asked = not {"?", "？"}.isdisjoint(end)
        for number, piece in enumerate((*pieces, sentence), start=1):
            if len(piece) <= _MOST_CLAUSE:
                yield " ".join(_EDGES.sub("", piece).split()), asked and number >= len(pieces)


@cache
def _pattern(language: str, asked: bool) -> re.Pattern[str]:
    """Return the pattern of a clause; the name is the only group that matched."""
    table = word_tables.by_language("naming")[language]
    parts = {"now": table["now"], **_PARTS}
    ways = table["asks"]
    if not asked:
        ways += table["tells"]
    lead, trail = word_tables.pattern(table["lead"], parts), word_tables.pattern(table["trail"], parts)
    before = rf"(?:(?:{lead})(?:[\s,，]{{1,3}}|(?<=[\u4e00-\u9fff]))){{0,3}}"
    after = rf"(?:(?:[\s,，]{{1,2}}|(?=[\u4e00-\u9fff]))(?:{trail})){{0,2}}"
    return re.compile(f"{before}(?:{word_tables.pattern(ways, parts)}){after}", re.IGNORECASE)


@cache
def _no_names(language: str) -> re.Pattern[str]:
    """Return the pattern of a language's words that are no name: small words, words of time."""
    told = word_tables.texts("naming", "no")[language].split()
    small = word_tables.texts("small", "telling").get(language, "").split()
    times = word_tables.texts("dates", "words").get(language, "")
    of_time = re.findall(r"[^\W\d_]{2,}", " ".join(_NO_NUMBERS.findall(times)))
    return re.compile("|".join((*told, *map(re.escape, (*small, *of_time)))), re.IGNORECASE)


def _judge(said: str, language: str) -> str | None:
    """Return what was said as a name, or None: several words need capitals."""
    words, no_name = said.split(), _no_names(language)
    if any(map(no_name.fullmatch, words)) or (len(words) > 1 and any(map(_SMALL.match, words))):
        return None
    given = trim_name(said)
    return given if given is not None and given.casefold() == said.casefold() and fits(given) else None


def fits(name: str) -> bool:
    """Return whether a name has a length that the setting and a button allow."""
    return len(name) <= LONGEST and len(name.encode()) <= _LONGEST_BYTES
