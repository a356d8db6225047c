"""Small talk in other languages than English ("hallo, wie geht's?"): what a message means that is nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from furoshiki.language.detection import Language
from furoshiki.language.meant import Kind, is_meant
from furoshiki.language.words import RUN, bare, count_words

LONGEST = 120
"""Characters of such a message."""

LEAST = 3
"""Letters that tell a language by themselves."""

_MEANINGS = (
    "nights",
    "parts",
    "asks_known",
    "asks_name",
    "asks_time",
    "asks_day",
    "asks_who",
    "asks_can",
    "asks_how",
    "asks_joke",
    "asks_more",
    "cooks",
    "bored",
    "hungry",
    "sleepless",
    "tired",
    "laughs",
    "thanks",
    "greets",
    "nods",
)
"""In this order one counts where a message means several."""

THANKS = 0.875
"""From this likelihood on words alone are taken for thanks: kind words of something else are near them."""

MOST_GREETING = 9
"""Words up to which a message only greets or takes leave by its meaning: more of them tell something."""

_DRAWN_OUT = re.compile(r"(.)\1+")

BY_VECTOR: tuple[Kind, ...] = (
    "greets",
    "parts",
    "asks_how",
    "asks_who",
    "asks_can",
    "asks_name",
    "asks_waiting",
    "asks_time",
    "asks_day",
    "tired",
)
KINDS = (*BY_VECTOR, "thanks")


def find_meaning(language: Language, text: str, companion: str, likely: Mapping[str, float]) -> str | None:
    """What a message means: by set phrases that are all of it, else by how `likely` each of `language.meant.KINDS` is.

    None where nothing of it is likely enough: then it is told, or asks for something else.
    """
    if len(text) > LONGEST:
        return None
    if said := by_phrases(language, text, companion):
        return said
    likeliest = max(BY_VECTOR, key=lambda one: likely.get(one, 0.0))
    tells = likeliest in ("greets", "parts") and count_words(text) > MOST_GREETING
    of_another = likeliest == "asks_name" and language.related(text)
    if is_meant(likely, likeliest) and not tells and not of_another:
        return likeliest
    return "thanks" if likely.get("thanks", 0.0) >= THANKS else None


def by_phrases(language: Language, text: str, companion: str = "") -> str | None:
    """What a message means, by phrases of languages.toml that are all of it; the companion may be named in it."""
    said = _phrases(language, companion).fullmatch(_join_letters(text)) if len(text) <= LONGEST else None
    there = () if said is None else {name for name, words in said.groupdict().items() if words}
    return next((one for one in _MEANINGS if one in there), None)


def language_of(text: str, languages: Iterable[Language]) -> Language | None:
    """The one language in which a message is such phrases."""
    if len(_join_letters(text)) < LEAST:
        return None
    found = [one for one in languages if one.says and by_phrases(one, text) not in (None, "nods")]
    return found[0] if len(found) == 1 else None


@lru_cache(maxsize=16)
def _phrases(language: Language, companion: str) -> re.Pattern[str]:
    """Any number of a language's phrases one after another, a group for each meaning."""
    groups = [f"(?:{re.escape(_join_letters(companion))})"] if companion else []
    for meaning, phrases in language.says.items():
        each = sorted({_join_letters(one) for one in phrases.split(", ")}, key=lambda one: (-len(one), one))
        groups.append(f"(?P<{meaning}>{'|'.join(map(re.escape, each))})")
    return re.compile(f"(?:{'|'.join(groups)}){{1,6}}")


def _join_letters(text: str) -> str:
    """The letters and digits of a text, plain, as one word, one for each that is doubled or drawn out ("heyyy")."""
    return _DRAWN_OUT.sub(r"\1", bare("".join(RUN.findall(text))))
