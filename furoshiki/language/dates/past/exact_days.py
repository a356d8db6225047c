"""The past days that a phrase of nothing else names: "last week", "am Montag", "上周三"." """

import functools
from collections.abc import Mapping
from datetime import date
from typing import Any

from furoshiki.language.dates import chinese, parsing
from furoshiki.language.dates.past import chinese_past, past_stretches
from furoshiki.language.dates.past.past_stretches import ENGLISH, Stretch
from furoshiki.language.dates.tokens import tokens
from furoshiki.language.word_tables import texts

CHINESE = "zh"
_WORDS = texts("asked_days", "past")


def read(words: str, tongue: str, today: date) -> Stretch | None:
    """Return the stretch, at most until today; None if a word is left or it lies ahead. A bare
    weekday is the last one; in English it needs "on" or "last", else it may be a subject."""
    if tongue == CHINESE:
        return _read_chinese("".join(words.split()), today)
    table = _table(tongue)
    run = [past_stretches.reread(token, words, table) for token in tokens(words, tongue)]
    while run and run[0].kind in "@i":
        run = run[1:]
    bare_weekday = len(run) == 1 and run[0].kind == "w" and not run[0].lead
    if not run or (tongue == ENGLISH and bare_weekday):
        return None
    return past_stretches.read_whole(run, today)


def _read_chinese(words: str, today: date) -> Stretch | None:
    for english in (chinese_past.put_into_english(words, today), chinese.put_into_english(words)):
        if english is not None and not parsing.without(words, english.spans).strip():
            return read(english.words, ENGLISH, today)
    return None


@functools.cache
def _table(tongue: str) -> Mapping[str, tuple[str, Any]]:
    return {**past_stretches.read_table(_WORDS.get(tongue, "")), **past_stretches.words_of_past(tongue)}
