"""Match an answer to one of two times: "in the evening", "abends", "18", "06:00"."""

import re
from collections.abc import Sequence
from datetime import datetime, time

from furoshiki.language.dates.tokens import TONGUES, Token, tokens

_HALF = {"morning": 0, "early": 0, "afternoon": 1, "evening": 1, "night": 1}
_MARKS = re.compile(r"\W{0,3}(?P<half>[ap])\.? ?m\b\W{0,3}", re.IGNORECASE)
_BESIDE = frozenset("in the at please make it um bitte am a las los por favor de la lütfen saat в пожалуйста".split())  # noqa: SIM905


def half_said(text: str, ways: Sequence[datetime]) -> int | None:
    """Return 0 or 1 for the earlier or later time; None if unclear, or with other words."""
    mark = _MARKS.fullmatch(text)
    if mark is not None:
        return int(mark["half"].lower() == "p")
    places = {way for tongue in TONGUES if (way := _in(tokens(text, tongue), text, ways)) is not None}
    return places.pop() if len(places) == 1 else None


def _in(text_tokens: Sequence[Token], text: str, ways: Sequence[datetime]) -> int | None:
    """Return the choice as read in one language."""
    if any(token.kind not in "ptnor@c,hU" and _word(token, text) not in _BESIDE for token in text_tokens):
        return None
    parts = {_HALF[str(token.value)] for token in text_tokens if token.kind == "p"}
    parts |= {0 for token in text_tokens if token.kind == "r" and _word(token, text) in ("morgen", "mañana")}
    clocks = [at for token in text_tokens if token.kind in "tno" and (at := _clock(token)) is not None]
    if parts and any(at.hour % 12 != ways[0].hour % 12 for at in clocks):
        return None
    places = parts or {n for at in clocks for n, way in enumerate(ways) if way.time() == at}
    return places.pop() if len(places) == 1 else None


def _clock(token: Token) -> time | None:
    if token.kind == "t":
        return time.fromisoformat(str(token.value).removesuffix("?"))
    hour = float(token.value)
    return time(int(hour) % 24) if hour == int(hour) and 0 <= hour <= 24 else None


def _word(token: Token, text: str) -> str:
    return text[token.start : token.end].lower()
