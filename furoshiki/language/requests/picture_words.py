"""What is heard as a wish for a picture, in the languages that are spoken here.

It decides what is painted at once: a wish that is not heard here costs one tap, since then they are asked first. So it
goes by the form of an order or a question to the companion, and by what is named as something new ("a picture", not
"the picture"). The ways are `config/words`, "pictures"; `python -m bench.asked` measures them.
"""

import re

from furoshiki.language.word_tables import by_language, pattern

LONGEST = 600
"""Characters of a message that is looked at."""

_TOLD = re.compile(
    r"\b(?:don'?t|do not|never|nicht|kein|nunca|jamais|mai|никогда|не(?! мог)|asla)\b|不要|别|別"
    r"|remind|erinner|recuérda|rappelle|ricord[ai]|lembra|напомни|hatırlat|提醒",
    re.IGNORECASE,
)
"""A message with such words is left to be asked about: what is not wanted, or only later, costs nothing."""

_ITSELF = re.compile(
    r"\b(?:yourself|selfies?|selfi|of you|dich|von dir|de ti|de toi|di te|de você|себя|тебя|kendini|селфи)\b"
    r"|你自己|自拍",
    re.IGNORECASE,
)
_NOTHING = "(?!)"


def _read(kind: str) -> tuple[re.Pattern[str], ...]:
    """The ways of a kind, a pattern for each language."""
    tables = by_language("pictures").values()
    return tuple(re.compile(pattern(one.get(kind, _NOTHING), one["parts"]), re.IGNORECASE) for one in tables)


_ASKS, _LOOKS, _NONE = _read("asks"), _read("looks"), _read("none")


def is_picture_request(text: str) -> bool:
    """Whether a message asks for a picture; `text` is what its sender wrote themselves."""
    held = " ".join(text.split())
    if len(held) > LONGEST or _TOLD.search(held) is not None:
        return False
    pairs = zip(_ASKS, _NONE, strict=True)
    return any(asks.search(held) is not None and none.search(held) is None for asks, none in pairs)


def is_about_itself(text: str) -> bool:
    """Whether such a message asks for a picture of the companion."""
    return _ITSELF.search(text) is not None or any(looks.search(text) is not None for looks in _LOOKS)
