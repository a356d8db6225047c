"""How other languages than English ask to have something forgotten: patterns for a whole sentence in small letters.

They are `config/words`, "forget". Group x is what it is about. "Don't forget" stands in none of them.
"""

import re
from typing import Literal, get_args

from furoshiki.language.word_tables import by_language, pattern

Kind = Literal["everything", "before", "this", "conversation", "about"]
"""What is to be forgotten; of what was told about something ("told" in the patterns) all that was said of it."""

Said = Literal["everything", "before", "told", "about"]

DAYS = {
    **dict.fromkeys(("gestern", "ayer", "вчера", "dün", "昨天"), "yesterday"),
    **dict.fromkeys(("heute", "hoy", "сегодня", "bugün", "今天"), "today"),
}
"""Days as they are said elsewhere, and as a forgetting knows them."""

_PARTS = {"x": r"(?P<x>.{2,160}?)", "y": r"(?P<y>.{2,160}?)"}
SAYINGS: tuple[tuple[str, Said, re.Pattern[str]], ...] = tuple(
    (language, said, re.compile(f"{table['lead']}(?:{pattern(ways, _PARTS)}){table['trail']}"))
    for language, table in by_language("forget").items()
    for said in get_args(Said)
    for ways in table.get(said, ())
)
"""A language, what is to be forgotten in it, and the pattern that says so."""
