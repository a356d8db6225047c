"""Recognize a request for a picture, in the supported languages.

A recognized request is painted at once; one not recognized costs a tap, because the user is asked
first. So the form of an order or question decides, and an indefinite object ("a picture", not "the
picture"). The patterns are `config/words`, "pictures"; `python -m bench.asked` measures them.
"""

import re

from furoshiki.language.word_tables import by_language, pattern

LONGEST = 600  # longest message, in characters, that is read

_WAYS = by_language("picture_words_beside")["en"]
# words that leave the decision to a question: negations and later times
_TOLD = re.compile(_WAYS["told"], re.IGNORECASE)

_ITSELF = re.compile(_WAYS["itself"], re.IGNORECASE)
_NOTHING = "(?!)"


def _read(kind: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of a kind, one per language."""
    tables = by_language("pictures").values()
    return tuple(re.compile(pattern(one.get(kind, _NOTHING), one["parts"]), re.IGNORECASE) for one in tables)


_ASKS, _LOOKS, _NONE = _read("asks"), _read("looks"), _read("none")


def is_picture_request(text: str) -> bool:
    """Return whether a message (the sender's own words) asks for a picture."""
    held = " ".join(text.split())
    if len(held) > LONGEST or _TOLD.search(held) is not None:
        return False
    pairs = zip(_ASKS, _NONE, strict=True)
    return any(asks.search(held) is not None and none.search(held) is None for asks, none in pairs)


def is_about_itself(text: str) -> bool:
    """Return whether a picture request is for a picture of the companion."""
    return _ITSELF.search(text) is not None or any(looks.search(text) is not None for looks in _LOOKS)
