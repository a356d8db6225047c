"""The patterns of facts in an asserted clause (`config/words`, "facts").

Each has sayings (`furoshiki.language.facts.pattern_language`), a predicate, and a judge of the
object: "peace" is no place, and a job must be one.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from furoshiki.language.facts import words
from furoshiki.language.facts.pattern_language import Saying
from furoshiki.language.tables.calendar_names import MONTHS
from furoshiki.language.word_tables import by_language

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


LONGEST_CLAUSE = 2_000
"""Most characters of a clause that are searched."""


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
    return lowered not in words.NO_PLACE and lowered.split()[0] not in words.NO_PLACE_START and len(text) > 1


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
    return text.lower() not in words.NO_WORKPLACE and text.lower().split()[0] not in words.NO_THING_START


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
THIRD_PERSON = _read("of_people")
"""Patterns about the user's people and pets, after "my sister Anika"."""
