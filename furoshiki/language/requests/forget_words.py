"""Requests to forget in other languages: patterns for a whole sentence in lower case.

They are `config/words`, "forget". Group x is the object. "Don't forget" matches none of them.
"""

import re
from typing import Literal, get_args

from furoshiki.language.word_tables import by_language, pattern

Kind = Literal["everything", "before", "this", "conversation", "about"]
"""The object of a request; "told" in the patterns means all statements about something."""

Said = Literal["everything", "before", "told", "about"]

DAYS = {
    **dict.fromkeys(("gestern", "ayer", "вчера", "dün", "昨天"), "yesterday"),
    **dict.fromkeys(("heute", "hoy", "сегодня", "bugün", "今天"), "today"),
}
"""Words for days in other languages, as the forgetting code names them."""

_PARTS = {"x": r"(?P<x>.{2,160}?)", "y": r"(?P<y>.{2,160}?)"}
SAYINGS: tuple[tuple[str, Said, re.Pattern[str]], ...] = tuple(
    (language, said, re.compile(f"{table['lead']}(?:{pattern(ways, _PARTS)}){table['trail']}"))
    for language, table in by_language("forget").items()
    for said in get_args(Said)
    for ways in table.get(said, ())
)
"""A language, a kind of request, and its pattern."""

REGRETS = tuple(
    re.compile(pattern(ways, {})) for table in by_language("forget").values() for ways in table.get("regret", ())
)
"""Patterns of a clause that regrets what was said before."""
