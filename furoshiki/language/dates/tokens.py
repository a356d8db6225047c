"""Tokenize a text for time parsing: each word or number with its kind and offsets.

Words and kinds are in `config/words` ("dates"); numeric forms are added here: `t` a time of day,
`d` a date, `n` a number, `y` a year, `o` an ordinal, `.` any other word. Meaning is not decided
here.
"""

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from furoshiki.core import numbers
from furoshiki.language.dates.habits import TONGUES as TONGUES
from furoshiki.language.tables.calendar_names import WEEKDAYS
from furoshiki.language.tables.function_words import COMMON
from furoshiki.language.word_tables import by_language, texts
from furoshiki.language.words import bare

LONGEST = 240  # characters that are read: a time is stated within one sentence

_TABLES = texts("dates", "words")
# languages that put the hour before its half and quarters, and call the coming Monday "next"
ROMANCE = frozenset({"es", "fr", "it", "pt"})

AHEAD = texts("dates", "ahead")  # the phrase for a duration from now
AT = texts("dates", "at")  # the word before an hour

_EVERY_ONE = texts("dates", "every_one")  # articles before a weekday that mean every one: "il martedì"

# least letters of a form matched without diacritics ("aksam"): shorter ones collide
_LEAST_UNMARKED = 4

# words that make the number behind them the day of a month
DAY = frozenset({"dia", "día", "giorno", "jour", "день", "gün", "ayın"})

_STRONG = frozenset("rwPtdFWDY?")

MONTH = "M"  # the kind of a named month


@dataclass(frozen=True, slots=True)
class Token:
    """text[start:end] with its kind (see `config/words/en.toml`) and value."""

    kind: str
    value: Any
    start: int
    end: int
    lead: str = ""  # the introducing words before it, without meaning: "on the"

    @property
    def strong(self) -> bool:
        """Whether it is about time even by itself."""
        return self.kind in _STRONG


_FIGURE = re.compile(
    r"(?P<iso>\d{4}-\d{2}-\d{2})(?![\d-])(?:[Tt ](?P<isot>\d{2}:\d{2})(?::\d{2})?(?![\d:]))?"
    r"|(?P<clock>\d{1,2}:\d{2})(?::\d{2})?(?![\d:])(?: ?(?P<half>[ap])\.? ?m\b\.?)?"
    r"|(?P<hm>\d{1,2})[h](?P<hmm>\d{2})\b"
    r"|(?P<ampm>\d{1,2})(?:[.]?(?P<ampmm>[0-5]\d))? ?(?P<half2>[ap])(?:\.m\.|\.m\b| ?m\b)"
    r"|(?P<date>\d{1,2}(?:[./]\d{1,2}[./](?:\d{4}|\d{2})(?!\d)|/\d{1,2}\b(?!/)|\.\d{1,2}\.?(?![\d])))"
    r"|(?P<ord>\d{1,2})(?:st|nd|rd|th|er|º|ª|°|-?го|-?е|-?ое|\.(?= ?[^\W\d]| *$))(?!\w)"
    r"|(?P<year>(?:19|20|21)\d\d)(?![\d.,:/%-]*\d)\b"
    r"|(?P<num>\d{1,40}(?:[.,]\d{1,2})?)(?P<unit>h|hrs?|d|min|mins?|m|w|sec|s)?(?!(?![dt][ae]\b)\w|/\d)"
    r"|(?P<glued>\d[\w./:-]*)"
)
_WORD = re.compile(r"[^\W\d_](?:[\w]|[\-\u2010](?=\w)|['\u2019](?=[^\W\d]))*|[@&,\-–]")
_SUFFIX = re.compile(r"['\u2019](?:da|de|ta|te|den|dan|ten|tan|ya|ye|a|e|nda|nde|na|ne|i|ı|u|ü|si|sı|inde|ında)$")
_LOCATIVE = re.compile(
    r"'?(?:da|de|ta|te)(?:ki)?\b|'?y?[aeıiuü]\b(?=\s(?:[cç]eyrek|on|be[sş]|yirmi)\s(?:var|kala|ge[cç]e)\b)"
)
_NTH_OF_MONTH = re.compile(r"(?P<day>\d{1,2})'?s?[ıiuü](?:nd[ae])?\b")  # "ayın 7'sinde"
_SHORT = {form: ("U" if unit == "hour" else "u", unit) for form, unit in by_language("behind_number")["en"].items()}
_OF_TIME = re.compile(
    rf"(?:fortnight|tomorrow|midnight|noon|{'|'.join(WEEKDAYS)}|week|month|hour|minute|o.?clock)"
    r"(?:[a-z-]{0,9})$|.*\d.*(?:ish|th|am|pm)$|.*-ish$"
)
# words that are counted, and words of languages without a table, which are asked about, not ignored
_THINGS, _NTH_THINGS, _FOREIGN = (frozenset(words.split()) for words in by_language("counted")["en"].values())


@functools.cache
def _table(tongue: str) -> Mapping[str, tuple[tuple[tuple[str, Any], ...], bool]]:
    """Map each form to its kinds and values, and whether it needs a time word before it."""
    meanings_of: dict[str, tuple[tuple[tuple[str, Any], ...], bool]] = {}
    for line in _TABLES[tongue].strip().splitlines():
        spec, _, forms = line.partition(" = ")
        for form in forms.split():
            word, _, own = form.partition(":") if spec in ("n", "o", "@,n") else (form, "", "")
            kinds = tuple(_kind(part, own) for part in spec.split(","))
            meanings_of[word.removeprefix("!").replace("_", " ")] = (kinds, word.startswith("!"))
    unmarked = ((bare(form), made) for form, made in meanings_of.items() if len(form) >= _LEAST_UNMARKED)
    return {**dict(unmarked), **meanings_of}


@functools.cache
def _phrase_lengths(tongue: str) -> Mapping[str, int]:
    """Map each first word to the number of words of its longest form."""
    longest: dict[str, int] = {}
    for form in _table(tongue):
        first, *more = form.split(" ")
        longest[first] = max(longest.get(first, 0), 1 + len(more))
    return longest


@functools.cache
def words_of(tongue: str, kinds: str) -> frozenset[str]:
    """Return the single words of a language that are of these kinds; none of a language without a table."""
    if tongue not in _TABLES:
        return frozenset()
    table = _table(tongue)
    return frozenset(word for word, (made, _) in table.items() if " " not in word and made[0][0] in kinds)


def number_in(word: str, tongue: str) -> float | None:
    """Return the number that a word or digits mean in a language, or None."""
    if (figures := numbers.decimal(word)) is not None:
        return figures
    number = value_in(word, tongue, "nA")
    return None if number is None else float(number)


def unit_in(word: str, tongue: str) -> str:
    """Return the unit of time that a word means in a language, or ""."""
    return str(value_in(word, tongue, "uU") or "")


def value_in(word: str, tongue: str, kinds: str) -> Any | None:
    """Return a word's value if it is of one of these kinds (1 for "January" as "M"), or None."""
    meanings, _ = _table(tongue).get(_lower(word, tongue), ((("", None),), False))
    return meanings[0][1] if meanings[0][0] in tuple(kinds) else None


def _kind(part: str, own: str) -> tuple[str, Any]:
    kind, _, value = part.strip().partition(" ")
    value = own if kind in "no" and own else value
    if kind in "rwPNAnoM" and value:
        return kind, float(value) if kind in "nA" else int(value)
    return ("U", "hour") if kind == "U" else (kind, value)


@functools.lru_cache(maxsize=512)  # parts of a message are read repeatedly, in each language
def tokens(text: str, tongue: str) -> tuple[Token, ...]:
    """Return all words of a text as tokens, in order. Longer texts are cut at 240 characters."""
    words = list(_words(_lower(text[:LONGEST], tongue)))
    table = _table(tongue)
    read_tokens: list[Token] = []
    lead: list[str] = []
    position = 0
    while position < len(words):
        took, next_tokens = _next(words, position, table, read_tokens, tongue)
        position += took
        if read_tokens and next_tokens and next_tokens[0].value == "exact" and read_tokens[-1].kind in "ntUc":
            read_tokens[-1] = replace(read_tokens[-1], end=next_tokens[0].end)
            continue  # "7 sharp"
        if next_tokens and next_tokens[0].kind == "_":
            lead.append(text[next_tokens[0].start : next_tokens[0].end].lower())
            continue
        if (
            next_tokens
            and next_tokens[0].kind == "."
            and read_tokens
            and read_tokens[-1].kind in "no"
            and _names_thing(next_tokens[0], read_tokens[-1])
        ):
            read_tokens[-1] = Token(".", "", read_tokens[-1].start, read_tokens[-1].end)
        if len(next_tokens) == 1 and next_tokens[0].kind == "n" and _names_day(lead, read_tokens, text):
            if not lead:
                unit = read_tokens.pop()
                lead = [*unit.lead.split(), text[unit.start : unit.end].lower()]
            next_tokens = [replace(next_tokens[0], kind="o", value=int(next_tokens[0].value))]
        if lead and read_tokens and read_tokens[-1].kind == "T":  # "is coming on Sunday" beside "this coming Sunday"
            read_tokens[-1] = Token(".", "", read_tokens[-1].start, read_tokens[-1].end)
        for token in next_tokens:
            read_tokens.append(Token(token.kind, token.value, token.start, token.end, " ".join(lead)))
            lead = []
    articles = _EVERY_ONE.get(tongue, "").split()
    for place, token in enumerate(read_tokens):
        behind = "".join(map(attrgetter("kind"), read_tokens[place + 1 : place + 3]))
        if token.kind == "w" and token.lead in articles and (behind[:1] not in _OF_ONE or behind == "nU"):
            read_tokens[place] = replace(token, kind="P")
    return tuple(read_tokens)


# kinds of tokens behind the weekday of a single day: "il martedì 31", "le mardi suivant"
_OF_ONE = frozenset("NLTodyMu~n")


def _names_day(lead: list[str], before: list[Token], text: str) -> bool:
    """Return whether a number after "dia" is a day of the month: "no dia 10", "el día 10"."""
    if lead:
        return lead[-1] == "dia"
    if not before or before[-1].kind != "u" or text[before[-1].start : before[-1].end] not in DAY:
        return False
    return len(before) == 1 or before[-2].kind not in "enA"


def _names_thing(token: Token, number: Token) -> bool:
    """Return whether the word after a number is counted: "at 5 euros", "on the 3rd floor"."""
    return token.value in (_THINGS if number.kind == "n" else _NTH_THINGS)


def _lower(text: str, tongue: str) -> str:
    """Return the text in lower case, with the same length."""
    if tongue == "tr":
        text = text.replace("I", "ı").replace("İ", "i")
    small = text.lower()
    if len(small) != len(text):
        small = "".join(small_letter if len(small_letter := letter.lower()) == 1 else letter for letter in text)
    return small.replace("\u2019", "'")


def _words(text: str) -> Iterator[re.Match[str]]:
    position = 0
    while position < len(text):
        match = (_FIGURE if text[position].isdigit() else _WORD).match(text, position)
        if match is not None:
            yield match
        position = match.end() if match is not None and match.end() > position else position + 1


def _next(
    words: list[re.Match[str]],
    at: int,
    table: Mapping[str, tuple[tuple[tuple[str, Any], ...], bool]],
    before: list[Token],
    tongue: str,
) -> tuple[int, list[Token]]:
    """Return the number of words consumed at `at`, and their tokens."""
    first = words[at]
    if first.re is _FIGURE:
        if (spelt := table.get(first.group())) is not None:  # "2moro"
            return 1, [Token(kind, value, *first.span()) for kind, value in spelt[0]]
        nth = _NTH_OF_MONTH.match(first.string, first.start()) if tongue == "tr" else None
        if nth is not None and before and before[-1].value == "month":
            return 1 + ("'" in nth.group()), [Token("n", float(nth["day"]), first.start(), nth.end())]
        figure = _figure(first, before, tongue)
        suffix = _LOCATIVE.match(first.string, first.end()) if tongue == "tr" else None
        if suffix is not None and re.fullmatch(r"\d{1,2}\.\d{2}", first.group()):
            figure = [_time(first.group().replace(".", ":"), *first.span())]
        if suffix is None or figure[-1].kind not in "nt":
            return 1, figure
        last = replace(figure[-1], end=suffix.end())
        return 2, [Token("@", "", *first.span()), last] if last.kind == "n" else [*figure[:-1], last]
    longest = _phrase_lengths(tongue).get(first.group(), 0)
    for count in range(min(longest, len(words) - at), 0, -1):
        run = words[at : at + count]
        if any(match.re is _FIGURE for match in run):
            continue
        entry = table.get(" ".join(match.group() for match in run))
        if entry is not None and (not entry[1] or _has_time_lead(words, at, before, table, tongue)):
            return count, [Token(kind, value, run[0].start(), run[-1].end()) for kind, value in entry[0]]
    word = first.group()
    if word == ",":
        return 1, [Token(",", word, *first.span())]
    bare = _SUFFIX.sub("", word) if tongue == "tr" else word
    if bare != word and bare in table:
        return 1, [Token(kind, value, *first.span()) for kind, value in table[bare][0]]
    unread = word in _FOREIGN or (_OF_TIME.match(word) is not None and not word.endswith("'s"))
    return 1, [Token("?" if unread else ".", word, *first.span())]


_LEADS = frozenset({"on", "by", "am", "me", "until", "from", "na", "el", "até", "hasta"})


_VERBS = frozenset({"sat", "sun", "wed", "may"})


def _has_time_lead(
    words: list[re.Match[str]],
    at: int,
    before: list[Token],
    table: Mapping[str, tuple[tuple[tuple[str, Any], ...], bool]],
    tongue: str,
) -> bool:
    """Return whether an ambiguous short form means time: after "on", "next" or a comma, or before a time where it
    comes first: "mon 9am", and not "mon roman". In Turkish nothing else begins like that."""
    previous = words[at - 1].group() if at else ""
    if not at:
        return tongue == "tr" or _is_time(words, at + 1, table) or (tongue == "en" and _names_matter(words, at + 1))
    if previous in _LEADS or (before and before[-1].kind in "NTeLOP&@"):
        return previous not in {"in", "the"}
    if tongue == "en" and at + 1 == len(words) and previous not in COMMON and words[at].group() not in _VERBS:
        return True  # "my maths test fri"
    listed = [token.kind for token in before[-2:]]
    return len(listed) == 2 and listed[0] == "w" and listed[1] == ","


def _names_matter(words: list[re.Match[str]], at: int) -> bool:
    """Return whether English goes on with what is noted: "mon dentist", and no "sun is shining"."""
    return words[at].string.isascii() and words[at].group() not in COMMON


def _is_time(
    words: list[re.Match[str]], at: int, table: Mapping[str, tuple[tuple[tuple[str, Any], ...], bool]]
) -> bool:
    """Return whether a message ends at a word, or goes on with a figure, a mark or a word of time."""
    if at >= len(words):
        return True
    if words[at].re is _FIGURE or not words[at].group().isalpha():
        return True
    kinds, _ = table.get(words[at].group(), ((("_", ""),), False))
    return kinds[0][0] not in "_~"


def _figure(match: re.Match[str], before: list[Token], tongue: str) -> list[Token]:
    groups, (start, end) = match.groupdict(), match.span()
    if groups["iso"]:
        figure_tokens = [Token("d", groups["iso"], start, start + 10)]
        return figure_tokens + ([_time(groups["isot"], start + 11, end)] if groups["isot"] else [])
    if groups["clock"] or groups["ampm"]:
        text = groups["clock"] or f"{groups['ampm']}:{groups['ampmm'] or '00'}"
        return [_time(text, start, end, groups["half"] or groups["half2"])]
    if groups["hm"]:
        return [_time(f"{groups['hm']}:{groups['hmm']}", start, end)]
    if groups["date"]:
        return [_date(groups["date"], start, end, before)]
    if groups["ord"]:
        dotted = match.group().endswith(".") and tongue not in ("de", "tr")
        return [
            Token("n", float(groups["ord"]), start, end - 1) if dotted else Token("o", int(groups["ord"]), start, end)
        ]
    if groups["year"]:
        return [Token("y", int(groups["year"]), start, end)]
    if groups["num"]:
        if (
            groups["unit"] == "h"
            and groups["num"].isdigit()
            and 13 <= int(groups["num"]) <= 24
            and _before_hour(before)
        ):
            return [_time(f"{groups['num']}:00", start, end)]
        return _number(groups["num"], groups["unit"], start, end)
    suffixed = re.match(r"\d", match.group())
    return [Token("?" if suffixed and _OF_TIME.match(match.group()) else ".", match.group(), start, end)]


def _before_hour(before: list[Token]) -> bool:
    """Return whether "18h" is a time of day, not a duration, after the tokens before."""
    return not before or before[-1].kind in "rwdyMopP@,"


def _number(text: str, unit: str | None, start: int, end: int) -> list[Token]:
    number_tokens = [Token("n", float(text.replace(",", ".")), start, start + len(text))]
    if unit is None:
        return number_tokens
    kind, value = _SHORT[unit]
    return [*number_tokens, Token(kind, value, start + len(text), end)]


def _date(text: str, start: int, end: int, before: list[Token]) -> Token:
    """Return a numeric date, a time with a dot after "at" ("um 18.30"), or a decimal number."""
    if re.fullmatch(r"\d{1,2}\.\d{2}", text) and before and before[-1].kind in "@U":
        return _time(text.replace(".", ":"), start, end)
    if re.fullmatch(r"\d{1,2}\.\d", text):
        return Token("n", float(text), start, end)
    return Token("?" if text == "24/7" else "d", text, start, end)


def _time(text: str, start: int, end: int, half: str | None = None) -> Token:
    hour, minute = (int(part) for part in text.split(":"))
    if minute > 59 or hour > 24 or (hour == 24 and minute) or (half and not 1 <= hour <= 12):
        return Token("?", text, start, end)
    if half:
        return Token("t", f"{hour % 12 + 12 * (half == 'p'):02}:{minute:02}", start, end)
    sure = hour == 0 or hour > 12 or text.startswith("0")
    return Token("t", f"{hour % 24:02}:{minute:02}{'' if sure else '?'}", start, end)
