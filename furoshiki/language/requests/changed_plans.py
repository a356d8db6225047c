"""Changes of plans as they are told: an appointment has a new time ("the doctor changed my appointment to
Friday") or is cancelled; something recurring is skipped once ("skip this week's bins"). The words are
`config/words`, "moved" and "skip"."""

import re
from collections.abc import Iterable

from furoshiki.language.word_tables import by_language, pattern
from furoshiki.language.words import asks, with_apostrophes

LONGEST = 160  # longest such message in characters


def find_moved(text: str, code: str) -> tuple[str, str] | None:
    """Return what has moved ("" for "it") and the words after which its new time is told, or None; the caller tells
    whether they are a time. `code` is the language of the message."""
    plain = with_apostrophes(" ".join(text.split()).strip(" .!。！").replace("\u2019", "'"))
    if len(plain) > LONGEST or asks(text) or code not in _WAYS:
        return None
    it, ways = _WAYS[code]
    for way in ways:
        match = way.fullmatch(plain)
        if match is None:
            continue
        what, to = match["what"], match["to"]
        if it.fullmatch(what):
            what = ""
        if code == "tr":  # "perşembeye"
            to = _DATIVE.sub("", to)
        return what, to
    return None


def find_asked(text: str, code: str) -> str | None:
    """Return what a message asks the time of ("" for "it"), or None."""
    return _find(_ASKS.get(code, ()), text)


def find_off(text: str, code: str) -> str | None:
    """Return what a message says is cancelled, or None."""
    ways = _OFF.get(code, ())
    return _find(ways[asks(text) :], text)


def find_since(text: str, code: str) -> str | None:
    """Return what a sentence says to hold from now on ("from now on half a tablet"), or None."""
    words = _SINCE.get(code, _NEVER)
    for sentence in _SENTENCE.split(text[:LONGEST]):
        if (match := words.search(sentence)) is not None:
            return (sentence[: match.start()] + sentence[match.end() :]).strip(" ,.;:!。，！")
    return None


def _find(ways: Iterable[re.Pattern[str]], text: str) -> str | None:
    plain = with_apostrophes(" ".join(text.lower().split()).strip(" .!?。？¿").replace("\u2019", "'"))
    for way in ways:
        if len(plain) <= LONGEST and (match := way.fullmatch(plain)) is not None:
            return str(match["what"])
    return None


_PARTS = {"thing": r"[^\W\d][\w' -]{0,40}?", "to": "(?P<to>.{1,50}?)"}


def _compile(ways: Iterable[str]) -> list[re.Pattern[str]]:
    return [re.compile(pattern(way, _PARTS), re.IGNORECASE) for way in ways]


_WAYS: dict[str, tuple[re.Pattern[str], list[re.Pattern[str]]]] = {}
_ASKS: dict[str, list[re.Pattern[str]]] = {}
_OFF: dict[str, list[re.Pattern[str]]] = {}
_SINCE: dict[str, re.Pattern[str]] = {}
_DATIVE = re.compile(r"'?y?[ae]$")
_NEVER = re.compile(r"(?!)")
_SENTENCE = re.compile(r"[.!?;。！？]\s?")
for _code, _table in by_language("moved").items():
    _WAYS[_code] = re.compile(_table["it"], re.IGNORECASE), _compile(_table["ways"])
    _ASKS[_code], _OFF[_code] = _compile(_table["asks"]), _compile(_table["off"])
    _SINCE[_code] = re.compile(_table["since"], re.IGNORECASE)


_WHAT = r"(?P<what>[\w' -]{1,60}?)"


ONE_TIME = "\u231b"  # stands for the words of a time in what `find_skipped` reads


def find_skipped(plain: str) -> str | None:
    """Return what a message leaves out once ("" if it names nothing), or None. `plain` has single
    spaces; a reason may follow after a comma."""
    if len(plain) > LONGEST:
        return None
    for ways in _SKIP:
        match = ways.match(plain)
        if match is not None:
            return (match.groupdict().get("what") or "").strip()
    return None


def _or_a_time(once: str) -> str:
    return f"(?:{ONE_TIME}|{once})"


_SKIP = tuple(
    re.compile(
        rf"^[^\w{ONE_TIME}]{{0,3}}{pattern(way, {'what': _WHAT, 'once': _or_a_time(table['once'])})}"
        r"(?:\W{0,5}|[,;:，] ?.{0,80})$",
        re.IGNORECASE,
    )
    for table in by_language("skip").values()
    for way in table["ways"]
)
