"""Find a thing to do that is only written down: "renew passports", "I need to pay the rent by Friday". The words are
`config/words`, "errands"."""

import re

from furoshiki.language.word_tables import by_language, pattern
from furoshiki.language.words import asks

LONGEST = 80  # longest such message in characters


def find_errand(text: str, code: str) -> str | None:
    """Return what is to be done, in its own words, or None. `code` is the language of the message."""
    plain = " ".join(text.split()).strip(" .!。！").replace("\u2019", "'")
    if len(plain) > LONGEST or asks(text):
        return None
    for ways in _WAYS.get(code, ()):
        if (match := ways.fullmatch(plain)) is not None:
            return match["what"]
    return None


_REST = r"[^?!.,;:\n]{2,60}?"
_WAYS: dict[str, list[re.Pattern[str]]] = {}
for _code, _table in by_language("errands").items():
    _parts = {"verb": _table["verb"], "led": _table.get("led", ""), "no": _table["no"], "rest": _REST}
    _WAYS[_code] = [re.compile(pattern(way, _parts), re.IGNORECASE) for way in _table["ways"]]
