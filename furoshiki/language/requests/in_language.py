"""Find the language that a message asks to be answered in: "can you say that in English?". The
words are `config/words`, "in_language"."""

import re

from furoshiki.language.word_tables import by_language
from furoshiki.language.words import bare

LONGEST = 80  # longest such message, in characters

_WORD = re.compile(r"[\u4e00-\u9fff]|\w+")


def names_english(text: str) -> bool:
    """Return whether a message names English, in whatever language it is written."""
    names = "|".join(table["names"]["English"] for table in by_language("in_language").values())
    return re.search(rf"(?<![a-zа-я])(?:{names})", bare(text)) is not None


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
