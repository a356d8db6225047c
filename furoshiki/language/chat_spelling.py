"""Write out what chats shorten, for readers of whole phrases: "stp rappelle moi" is "rappelle moi".

Only for what a message asks or wants: what it tells is read and quoted as it was written.
"""

import re
from functools import cache

from furoshiki.language.word_tables import by_language
from furoshiki.language.words import any_of, fold

_Rule = tuple[re.Pattern[str], dict[str, str]]


def write_out(text: str, code: str) -> str:
    """Return a text in this language with short forms written out, and without whom it calls and laughter at its
    ends; unchanged in a language without a table."""
    table = by_language("chat").get(code)
    if table is None:
        return text
    ahead, behind, (short, words) = _read(code)
    bare = ahead.sub("", behind.sub("", text))
    return short.sub(lambda form: words[fold(form[0])], bare)


@cache
def _read(code: str) -> tuple[re.Pattern[str], re.Pattern[str], _Rule]:
    table = by_language("chat")[code]
    words: dict[str, str] = {}
    for line in table["short"].strip().splitlines():
        forms, _, written = line.partition(" = ")
        words |= dict.fromkeys(map(fold, forms.replace("_", " ").split("|")), written)
    ahead = re.compile(rf"\A(?:(?:{table['ahead']})(?:\s*,\s*|\s+)){{1,3}}(?=\S)", re.IGNORECASE)
    tails = rf"(?:\s*,\s*|\s+)(?:{table['behind']})|\s*,\s*(?:{table['called']})"
    behind = re.compile(rf"(?<=\S)(?:{tails}){{1,3}}(?=[\s.!?]{{0,3}}\Z)", re.IGNORECASE)
    return ahead, behind, (re.compile(rf"(?<![\w'-])(?:{any_of(words)})(?![\w'-])", re.IGNORECASE), words)
