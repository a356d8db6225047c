"""Find the language that a message asks to be answered in: "can you say that in English?". The
words are `config/words`, "in_language"."""

import re
from functools import cache

from furoshiki.language.word_tables import by_language
from furoshiki.language.words import bare

LONGEST = 80  # longest such message, in characters

_WORD = re.compile(r"[\u4e00-\u9fff]|\w+")


def is_named(text: str, language: str) -> bool:
    """Whether a message names a language (by its English name), in whatever language it is written."""
    return _named(language).search(bare(text)) is not None


@cache
def _named(language: str) -> re.Pattern[str]:
    names = "|".join(table["names"][language] for table in by_language("in_language").values())
    return re.compile(rf"(?<![a-zа-я])(?:{names})")


def find_language(text: str, written: str) -> str | None:
    """Return the English name of the language that a message asks for, and nothing else; None if it
    does not, or not in the language with the code `written`."""
    table = by_language("in_language").get(written)
    if table is None or len(text) > LONGEST:
        return None
    asks, beside = set(table["asks"].split()), set(table["beside"].split())
    for language, name in table["names"].items():
        rest, named = re.subn(rf"(?<![a-zа-я])(?:{name})(?![a-zа-я])", " ", bare(text))
        words = set(_WORD.findall(rest))
        if named and words & asks and words <= asks | beside:
            return str(language)
    return None
