"""Judge danger in a message from words and the classifier (`furoshiki.language.danger_head`).

Sure danger brings numbers; possible danger is asked about or read by the model. The model also
reads what is less likely, or found by only one of the two.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from furoshiki.language import danger_head
from furoshiki.language.danger_head import Bounds
from furoshiki.language.reflex.care.noticing import Notice
from furoshiki.language.tables.care_words import GRAVE, CareWords, Kind

CERTAIN = 0.98  # from this probability on no model needs to read the message
BESIDE = 3  # with at most this many other words, grave words alone are certain
BRIGHT = 0.5  # from this probability on a message is good news or a joke, without danger


# least probabilities of an emergency that no word names, to be asked about and to be sure: illness
# is usual talk
EMERGENCY, EMERGENCY_SURE = 0.5, 0.83


@dataclass(frozen=True, slots=True)
class Danger:
    """The danger in a message, and whether it is sure. `certain`: words and classifier agree, or
    little else is said; `faint`: only a model that reads it could tell."""

    notice: Notice
    sure: bool
    certain: bool = False
    faint: bool = False


def judge(
    found: Notice | None,
    shares: Mapping[str, float],
    bounds: Bounds | None,
    text: str,
    spoken: CareWords,
    *,
    faint: bool = False,
) -> Danger | None:
    """Return the danger in a message, or None; a `faint` one only on request. `found` is the
    finding by words, `shares` and `bounds` are the classifier's (None: words alone decide). A
    danger found by the classifier alone has `text` as words, and the language `spoken`."""
    by_words = found if found is not None and found.grave else None
    if bounds is None:
        return None if by_words is None else Danger(by_words, sure=True, certain=True)
    likely = danger_head.danger(shares)
    if found is not None and found.kind == "panic" and (likely < bounds.sure or likeliest(shares) == "emergency"):
        return None  # what is said to panic names the number, and when to ring it
    if by_words is not None and likely >= bounds.doubted:
        beside = len(text.split()) - len(by_words.words.split())
        return Danger(by_words, sure=True, certain=likely >= bounds.sure or beside <= BESIDE)
    seen = by_words or Notice(likeliest(shares), text, spoken)
    least, sure = bounds.perhaps, bounds.sure
    if by_words is not None:
        least = min(bounds.read, bounds.doubted / 2)
    elif seen.kind == "emergency":
        least, sure = max(least, EMERGENCY), max(sure, EMERGENCY_SURE)
    if likely >= least:
        return Danger(seen, sure=likely >= sure, certain=likely >= max(CERTAIN, bounds.sure))
    return Danger(seen, sure=False, faint=True) if faint and (by_words or likely >= bounds.read) else None


def likeliest(shares: Mapping[str, float]) -> Kind:
    """Return the most probable kind of danger."""
    return cast(Kind, max(sorted(GRAVE), key=lambda kind: shares.get(kind, 0.0)))


def goes_on(found: Notice | None, shares: Mapping[str, float], bounds: Bounds | None) -> bool:
    """Return whether a message is good news or a joke, with nobody in danger."""
    if bounds is None or (found is not None and found.kind != "apology"):
        return False
    return shares.get("bright", 0.0) >= BRIGHT and danger_head.danger(shares) < bounds.perhaps
