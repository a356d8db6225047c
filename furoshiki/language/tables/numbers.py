"""Number words: the English ones for patterns, and those of each language."""

import re
from collections.abc import Mapping
from functools import lru_cache

from furoshiki.language.word_tables import texts
from furoshiki.language.words import RUN, fold

# the words from 0 to 12, each at its own index
TO_TWELVE = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip

TENS = {
    "ten": 10, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90,
}  # fmt: skip
_TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")

NUMBERS = {word: number for number, word in enumerate((*TO_TWELVE, *_TEENS))} | TENS
# counts before a unit: "an hour", "a couple days", "few weeks"
COUNTS = NUMBERS | {"a": 1, "an": 1, "couple": 2, "few": 3}

# pattern for such a count, in digits or words
COUNT = rf"(?:\d+|{'|'.join(sorted(COUNTS, key=len, reverse=True))})"

# the ordinals from 1 to 10
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def up_to(last: int, first: int = 0) -> str:
    """Return number words from `first` to `last` (at most 12) as alternatives ("one|two|three")."""
    return "|".join(TO_TWELVE[first : last + 1])


def amount_of(word: str) -> float:
    """Parse a count: "two", "2", "1,5". Raises ValueError for any other word."""
    word = fold(word).replace(",", ".")
    return float(COUNTS[word]) if word in COUNTS else float(word)


_NUMBERS_OF_A_ROW = (*range(20), *range(20, 101, 10), *range(200, 1001, 100))


def _read_row(row: str) -> dict[str, int]:
    """Map a language's number words: 0 to 20, the tens to 100, the hundreds to 1000."""
    found: dict[str, int] = {}
    for number, words in zip(_NUMBERS_OF_A_ROW, row.split(), strict=True):
        found |= dict.fromkeys(words.casefold().split("/"), number)
    return found


_ENGLISH = " ".join((*TO_TWELVE, *_TEENS, *list(TENS)[1:], "hundred", *"-" * 8, "thousand"))
_ROWS = {"en": _ENGLISH} | texts("numbers", "spelled")
# number words by language; missing numbers are composed of others
_SPELLED = dict(zip(_ROWS, map(_read_row, _ROWS.values()), strict=True))

LANGUAGES = tuple(_SPELLED)

# the digit for each word, in all languages, for spelled-out telephone numbers
DIGITS = {word: str(number) for words in _SPELLED.values() for word, number in words.items() if number < TENS["ten"]}

_SIGNS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10_000, "亿": 100_000_000}
_DIGIT_SIGNS = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"两": 2}
_IN_SIGNS = re.compile(f"[{''.join([*_DIGIT_SIGNS, *_SIGNS, *_MYRIADS])}]{{1,20}}")
_ONES, _TENS, _THOUSAND = range(1, 10), range(20, 100, 10), 1000
_GLUED = ("tausend", "mila", "mille", "hundert", "cento")
_LONGEST = 60  # longest word, in letters, that is searched for a compound number
AND = frozenset(("and", "und", "y", "et", "e", "ve", "и", "和"))


def spelled(text: str, language: str) -> list[int]:
    """Return the numbers (1 or more) spelled out in a text: "seventy-one", "soixante et onze",
    "on iki", "einundsiebzig", "tremilacinquecento"."""
    if language == "zh":
        return [value for signs in _IN_SIGNS.findall(text) if (value := read_signs(signs))]
    found = [0]
    for word in RUN.findall(text.casefold()):
        if number := _find_number(word, language):
            found[-1:] = _join(found[-1], number)
        elif word not in AND:
            found.append(0)
    return list(filter(None, found))


@lru_cache(maxsize=8192)  # a small vocabulary recurs
def _find_number(word: str, language: str) -> int:
    """Return the number that a lower-case word means, 0 for other words."""
    words = _SPELLED.get(language, {})
    return words[word] if word in words else _split_glued(word, words)


def read_signs(signs: str) -> int:
    """Parse a Chinese number: 十二 is 12, 二零一九 2019, and 两百六 260, as in spoken prices."""
    whole, part, digit, unit = 0, 0, 0, 1
    for sign in signs:
        if sign in _SIGNS:
            unit = _SIGNS[sign]
            part, digit = part + (digit or 1) * unit, 0
        elif sign in _MYRIADS:
            unit = _MYRIADS[sign]
            whole, part, digit = whole + (part + digit or 1) * unit, 0, 0
        else:
            digit = digit * 10 + _DIGIT_SIGNS[sign]
            unit = 1 if sign == "零" else unit
    return whole + part + digit * max(1, unit // 10)


def _split_glued(word: str, words: Mapping[str, int]) -> int:
    """Parse a compound like "einundsiebzig", "settantuno", "veintidós"; 0 for other words."""
    one, und, ten = word.partition("und")
    if und and words.get(one, 0) in _ONES and words.get(ten, 0) in _TENS:
        return words[one] + words[ten]
    for name, value in words.items():
        if value in _TENS and (rest := word.removeprefix(name[:-1])) != word:
            one = rest if rest in words else rest[1:]
            if words.get(one, 0) in _ONES:
                return value + words[one]
    return _split_large(word, words) if len(word) <= _LONGEST else 0


def _split_large(word: str, words: Mapping[str, int]) -> int:
    """Parse a compound like "dreitausendfünfhundert" or "duecento"; 0 for other words."""
    for name in _GLUED:
        before, unit, behind = word.partition(name)
        if unit and name in words:
            counts = [words.get(part) or _split_glued(part, words) for part in (before, behind) if part]
            times = counts[0] if before else 1
            rest = counts[-1] if behind else 0
            return times * words[name] + rest if all(counts) and rest < words[name] else 0
    return 0


def _join(first: int, then: int) -> tuple[int, ...]:
    """Combine two consecutive number words into one number where they form one."""
    if then == _THOUSAND:  # twelve thousand
        if first >= then:
            return (first, then)
        return (then,) if first == 0 else (first * then,)
    if then == 100 and first % _THOUSAND in _ONES:  # two hundred
        return (first + (first % _THOUSAND) * (then - 1),)
    if first % 100 == 4 and then == 20:  # quatre-vingts
        return (first + 76,)
    tens = first % 100
    if (tens == 0 and (first % _THOUSAND == 0 or then < 100)) or (then in _ONES and tens % 10 == 0):
        return (first + then,)
    return (first + then,) if then in range(10, 20) and tens in (60, 80) else (first, then)
