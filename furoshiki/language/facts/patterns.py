"""The patterns of facts in an asserted clause (`config/words`, "facts").

Each has sayings, a predicate, and a judge of the object: "peace" is no place, and a job must be one.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from furoshiki.language import word_tables
from furoshiki.language.facts import words
from furoshiki.language.tables.calendar_names import MONTHS, WEEKDAYS
from furoshiki.language.tables.numbers import up_to
from furoshiki.language.word_tables import Choice, by_language

# -- sayings: patterns with holes, compiled into regular expressions --
#
# They are written as words and choices (`furoshiki.language.word_tables`); words in capitals are holes:
#
#   I, &I     the user as subject at a clause's start ("I", "we", then adverbs); &I also after "and"
#   AM, &AM   "I'm", "I am", "we're", "I've been";  MY  "my", "our"
#   IS, DOES  after a name: "is", "was", "'s"; adverbs before another verb;  'S  the possessive
#   OBJ       the object: up to six words, up to a break; OBJ~at|for also stops before those words
#   BOTH      one OBJ, or two joined by "and"
#   WORDS, LIST, NUM, DAY, TITLED   the object: one to three words, words joined by commas and "and",
#             a number, a day of the year, a capitalized name;  AGE, NTH  an ignored number;  AGED  a number, unless
#             a future time follows: who “is 50 on friday” is not yet
#   P, PET    one to three words, or the word for an animal, captured as group p
#   SOON, WHEN, OCCASION   a future time (WHEN adds it to the object), an appointment
#   COUNT, KINFOLK, PETS, JOB, DIET, BREED   "two", "older sisters", "grey cats", words of these lists
#   WORD, ANY, SOME   one word, up to three, one to five ignored words
#   { … }     the text between is the object;  END  the clause breaks or ends


_WORD = r"[^\W_][\w'\u2019.&/+-]*"
_PARTS = by_language("fact_parts")["en"] | {
    "months": "|".join(MONTHS),
    "weekdays": "|".join(WEEKDAYS),
    "up_to_six": up_to(6, first=2),
    "up_to_nine": up_to(9, first=2),
}
# adverbs are at most four: an unbounded run would be retried at each of its words
_TURNS, _ADVERBS, _BEING, _SOON, _DAY, _SIZED, _ANEW = (
    word_tables.pattern(_PARTS[part], _PARTS)
    for part in ("turns", "adverbs", "being", "soon", "day", "sized", "begins")
)
_STOPS = r"\s*(?:$|[,;:.!?()\u2014\u2013\u0000]|\s-\s|\s(?:" + _TURNS.replace(" ", r"\s+") + r")\b)"
_START = r"(?:^|[\s,:;(\u2014-])"
_FIXED = re.compile(r"[a-z][a-z'_]*(?:\|[a-z][a-z'_]*)*")

_COUNT = rf"(?:an?|{up_to(7, first=1)}|no|\d)"
# The expression of a token; whether it includes the space before it, and after it.
_HELPERS: dict[str, tuple[str, bool, bool]] = {
    "I": (rf"{_START}(?:i|we)(?:['\u2019]ve)?\s+{_ADVERBS}", True, True),
    "&I": (rf"(?:{_START}(?:i|we)(?:['\u2019]ve)?|\s?\band)\s+{_ADVERBS}", True, True),
    "AM": (rf"{_START}(?:{_BEING})\s+{_ADVERBS}", True, True),
    "&AM": (rf"(?:{_START}(?:{_BEING})|\band)\s+{_ADVERBS}", True, True),
    "MY": (rf"{_START}(?:my|our)\s+", True, True),
    "IS": (rf"(?:\s+(?:is|was|are|has\s+been)|['\u2019]?s)\s+{_ADVERBS}", True, True),
    "DOES": (rf"(?:\s+and)?\s+{_ADVERBS}", True, True),
    "'S": (r"['\u2019]?s\s+", True, True),
    "WORD": (_WORD, False, False),
    "WORDS": (rf"(?P<o>{_WORD}(?:\s+{_WORD}){{0,2}}?)", False, False),
    "P": (rf"(?P<p>{_WORD}(?:\s+{_WORD}){{0,2}}?)", False, False),
    "LIST": (
        rf"(?P<o>{_WORD}(?:(?:\s*,\s*|\s+)(?:and\s+)?(?!and\s){_WORD}){{0,5}}?)(?={_STOPS.replace('|and|', '|')})",
        False,
        False,
    ),
    "NUM": (r"(?P<o>\d{1,3})", False, False),
    "AGED": (rf"(?P<o>\d{{1,3}})(?!\s+{_SOON})", False, False),
    "AGE": (rf"(?:\d{{1,3}}|{up_to(12, first=1)})", False, False),
    "DAY": (rf"(?P<o>{_DAY})", False, False),
    "NTH": (r"\d{1,3}(?:st|nd|rd|th)", False, False),
    "TITLED": (r"(?P<o>(?-i:[^\W\d_a-z])[\w\u2019-]+)", False, False),
    "SOON": (_SOON, False, False),
    "WHEN": (rf"(?P<when>{_SOON})", False, False),
    "OCCASION": (rf"(?:{words.OCCASION_WORD})s?", False, False),
    "JOB": (rf"(?:{words.JOB_WORD})", False, False),
    "DIET": (rf"(?:{words.DIET_WORD})", False, False),
    "BREED": (rf"(?:{words.BREED_WORD})", False, False),
    "COUNT": (_COUNT, False, False),
    "KINFOLK": (rf"{_SIZED}(?:{words.KIN_WORD})s?", False, False),
    "PET": (rf"(?:{_WORD}\s+)?(?P<p>{words.PET_WORD})", False, False),
    "PETS": (rf"(?:{_WORD}\s+)?(?:{words.PET_WORD})(?:s|es)?", False, False),
    "ANY": (rf"(?:{_WORD}\s+){{0,3}}?", False, True),
    "SOME": (rf"(?:{_WORD}\s+){{1,5}}?", False, True),
    "END": (rf"(?={_STOPS})", True, True),
    "{": ("(?P<o>", False, True),
    "}": (")", True, False),
}


class Saying:
    """A pattern, compiled when a text first contains its literal words.

    Compiling all patterns takes 0.4 s, and most messages need none.
    """

    def __init__(self, saying: str) -> None:
        self._saying = saying
        self._anchors = _anchors(saying)

    def finditer(self, text: str, at: int) -> Iterator[re.Match[str]]:
        """Yield every match in `text` from `at` on."""
        lowered = text.lower()
        if self._anchors and not any(word in lowered for word in self._anchors):
            return iter(())
        return self._expression.finditer(text, at)

    @cached_property
    def _expression(self) -> re.Pattern[str]:
        expression, owed = "", False
        for token in self._saying.split():
            part, before, after = _part(token)
            expression += r"\s+" + part if owed and not before else part
            owed = owed if token == "}" else not after
        return re.compile(expression, re.IGNORECASE)


def _anchors(saying: str) -> tuple[str, ...]:
    """Return words of which a text must contain one: alternatives of the longest literal."""
    fixed = [token for token in saying.split() if _FIXED.fullmatch(token)]
    longest = max(fixed, key=lambda token: min(map(len, token.split("|"))), default="")
    return tuple(re.split("['_]", word)[0] for word in longest.split("|")) if longest else ()


def _part(token: str) -> tuple[str, bool, bool]:
    if token in _HELPERS:
        return _HELPERS[token]
    if token.startswith(("OBJ", "BOTH")):
        more = _literal(word_tables.read_notation(token.partition("~")[2]))
        stops = rf"{_STOPS}|\s+(?:{more})\s" if more else _STOPS
        thing = rf"{_WORD}(?:\s+{_WORD}){{0,5}}?"
        if token.startswith("BOTH"):
            return rf"(?P<o>{thing}(?:\s+and\s+(?!{_ANEW}){thing})?)(?={stops.replace('|and|', '|')})", False, False
        return rf"(?P<o>{thing})(?={stops})", False, False
    choice = word_tables.read_notation(token)
    if choice.optional:
        return rf"(?:(?:{_literal(choice)})\s+)?", False, True
    return f"(?:{_literal(choice)})", False, False


def _literal(choice: Choice) -> str:
    return "|".join(r"\s+".join(way).replace("'", "['\u2019]?") for way in choice.ways)


Judge = Callable[[str], bool]


@dataclass(frozen=True)
class Pattern:
    """A fact's predicate and category, its phrasings, and the test of its object.

    `split` splits the object at "and"; "{p}" in the predicate is filled from group p. Not `sure`:
    phrasings that are often meant casually.
    """

    predicate: str
    category: str
    judge: Judge
    sayings: tuple[Saying, ...]
    split: bool = False
    sure: bool = True

    def objects(self, match: re.Match[str]) -> Iterator[str]:
        """Yield the tidied objects that pass the judge."""
        whole = match.group("o")
        if when := match.groupdict().get("when"):
            whole = f"{whole} {when}"
        split = self.split and whole.lower() not in words.PAIRS
        parts = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", whole) if split else [whole]
        yield from (part for part in map(tidy, parts) if part and self.judge(part))

    def named(self, match: re.Match[str]) -> str:
        if "{p}" not in self.predicate:
            return self.predicate
        return self.predicate.replace("{p}", re.sub(r"\s+", "_", match.group("p").strip().lower()))


LONGEST_CLAUSE = 2_000  # most characters of a clause that are searched


def matches(patterns: tuple[Pattern, ...], text: str, at: int) -> Iterator[tuple[re.Match[str], Pattern]]:
    """Yield every match in the text from `at` on, in the order of the patterns."""
    text = text[:LONGEST_CLAUSE]
    for pattern in patterns:
        for saying in pattern.sayings:
            for match in saying.finditer(text, at):
                yield match, pattern


def tidy(raw: str) -> str:
    """Normalize an object: single spaces, no punctuation or dangling function words at its end."""
    text = re.sub(r"\s+", " ", raw).strip(" ,.;:!?'\u2019-\u0000")
    return re.sub(
        r"(?:\s(?:and|but|or|so|in|at|to|the|a|an|of|for|with|there|here)){1,6}$", "", text, flags=re.IGNORECASE
    )


def _always(_text: str) -> bool:
    return True


def _place(text: str) -> bool:
    lowered = text.lower()
    first = lowered.split()[0]
    within = lowered.rstrip("0123456789 ").rpartition(" ")[2] in words.NO_PLACE_END  # "the cardiac ward", "ward 7"
    return not within and lowered not in words.NO_PLACE and first not in words.NO_PLACE_START and len(text) > 1


def _is_named_place(text: str) -> bool:
    """Return whether it is a named place: people are also "in trouble" and "in a meeting"."""
    return _place(text) and text[0].isupper()


def _birthplace(text: str) -> bool:
    return _place(text) and not text[0].isdigit() and text.lower().split()[0] not in MONTHS


def _is_taste(text: str) -> bool:
    """Return whether it can be liked or disliked: hating one's life is not a taste."""
    return _is_thing(text) and _NO_TASTE.isdisjoint(text.lower().split())


_NO_TASTE = frozenset({"life", "myself", "everything", "living"})


def _is_thing(text: str) -> bool:
    lowered = text.lower()
    return lowered not in words.NO_THING and lowered.split()[0] not in words.NO_THING_START and "\u0000" not in text


def _job(text: str) -> bool:
    *before, last = text.lower().split()
    if not _BETWEEN.isdisjoint(before):  # "a love letter to a cook"
        return False
    return last in words.JOBS or (last.endswith(words.JOB_ENDINGS) and last not in words.NO_JOBS)


_BETWEEN = frozenset({"a", "an", "the", "to", "of", "from", "for", "with", "by", "about", "and", "or"})


def _workplace(text: str) -> bool:
    said = text.lower().split()
    lasts = said[-1] in words.PERIODS  # "a fisherman for forty years"
    return not lasts and text.lower() not in words.NO_WORKPLACE and said[0] not in words.NO_THING_START


def _field(text: str) -> bool:
    return _workplace(text) and text.lower() not in words.NO_FIELD


def _subject(text: str) -> bool:
    return _is_thing(text) and text.lower() not in words.NO_SUBJECT


def is_age(text: str) -> bool:
    return 4 < int(text) < 111


def _pronouns(text: str) -> bool:
    return re.fullmatch(r"(?:she|he|they|xe|ze|it)(?:/[a-z]{2,5}){1,3}", text.lower()) is not None


def _some_age(text: str) -> bool:
    return 0 < int(text) < 111


def _condition(text: str) -> bool:
    return text.lower().split()[-1] in words.CONDITIONS


def _possession(text: str) -> bool:
    return _is_thing(text) and not words.POSSESSIONS.isdisjoint((text.lower(), *text.lower().split(), _last_two(text)))


def _last_two(text: str) -> str:
    return " ".join(text.lower().split()[-2:])


def _is_played(text: str) -> bool:
    return text.lower() in words.PLAYED or text.lower().split()[-1] in words.PLAYED


def _language(text: str) -> bool:
    return text.lower() in words.LANGUAGES


def _nationality(text: str) -> bool:
    return text.lower() in words.NATIONALITIES


def _faith(text: str) -> bool:
    return text.lower().split()[-1] in words.FAITHS


def _belief(text: str) -> bool:
    return _is_thing(text) and text.lower() not in words.NO_BELIEF


def _not_eaten(text: str) -> bool:
    parts = text.lower().split()
    return parts[0] == "smoke" or (len(parts) > 1 and parts[-1] not in words.NO_FOOD)


_OBJECTS: Mapping[str, Judge] = {
    "always": _always,
    "age": is_age,
    "some_age": _some_age,
    "belief": _belief,
    "birthplace": _birthplace,
    "condition": _condition,
    "faith": _faith,
    "field": _field,
    "played": _is_played,
    "taste": _is_taste,
    "thing": _is_thing,
    "job": _job,
    "language": _language,
    "name": words.is_name,
    "named_place": _is_named_place,
    "nationality": _nationality,
    "not_eaten": _not_eaten,
    "place": _place,
    "possession": _possession,
    "pronouns": _pronouns,
    "subject": _subject,
    "workplace": _workplace,
}


def _read(of: str) -> tuple[Pattern, ...]:
    """Read a group's patterns from `config/words`. Raises KeyError for an unknown judge."""
    return tuple(
        Pattern(
            row["predicate"],
            row["category"],
            _OBJECTS[row.get("object", "always")],
            tuple(map(Saying, row["ways"])),
            row.get("split", False),
            row.get("sure", True),
        )
        for row in by_language("facts")["en"][of]
    )


FIRST_PERSON = _read("of_user")
# patterns about the user's people and pets, after "my sister Anika"
THIRD_PERSON = _read("of_people")
