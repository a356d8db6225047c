"""Kinds of everyday news ("my sister is coming on Sunday"), and replies to each kind.

A message's vector is classified with the weights in `config/news_head.json`, made by `python -m bench.news`.
"""

from collections.abc import Mapping

from furoshiki.language.requests.lines import read_lines
from furoshiki.language.words import word_set

# replies by kind: no questions; each fits news about the user or others, at any time
LINES = read_lines("news")

KINDS = tuple(LINES)
# kinds whose replies suit a dark feeling
GLOOMY = word_set("""
bad_film confides dear drained hurt insists quarrel sad trial trouble undecided unwell work
""")

_LIGHT = tuple(sorted({*KINDS} - GLOOMY))

# least probability of a kind, and of a kind that contradicts a feeling or another intent
LIKELY, SURE = 0.4, 0.7


def find_kind(shares: Mapping[str, float], *, dark: bool = False, surely: bool = False) -> str | None:
    """Return the kind of news, or None if none is likely enough, with `surely` certain, or a `dark` feeling
    contradicts it."""
    kind = max(KINDS, key=lambda one: shares.get(one, 0.0))
    wanted = LIKELY
    if surely or (dark and kind not in GLOOMY):
        wanted = SURE
    if shares.get(kind, 0.0) < LIKELY or _tone(kind, shares) < wanted:
        return None
    return kind


def _tone(kind: str, shares: Mapping[str, float]) -> float:
    """Return the share of all kinds of the same tone: "my nephew passed his test" is a success or
    a joy."""
    kinds = GLOOMY if kind in GLOOMY else _LIGHT
    return sum(shares.get(one, 0.0) for one in kinds)


def is_sure(shares: Mapping[str, float], *, light: bool = False) -> bool:
    """Whether a message is certainly news; with `light`, certainly no gloomy news."""
    kinds = KINDS
    if light:
        kinds = _LIGHT
    return max((0.0, *filter(None, map(shares.get, kinds)))) >= SURE
