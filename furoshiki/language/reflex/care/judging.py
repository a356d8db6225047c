"""Whether somebody is in danger by a message: words and the head (`furoshiki.language.danger_head`) heard together.

*Sure* brings numbers; what may be danger and may not is asked about, or read by a mind. A mind reads more than is asked
about, and what only one of the two heard.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from furoshiki.language import danger_head
from furoshiki.language.danger_head import Bounds
from furoshiki.language.reflex.care.noticing import Notice
from furoshiki.language.reflex.care.words import GRAVE, CareWords, Kind

CERTAIN = 0.98
"""From this likelihood on no mind needs to read it, whatever the words."""

BESIDE = 3
"""So few words beside those that sound grave leave nothing else to read in a message."""

BRIGHT = 0.5
"""From this likelihood on a message is good news or a joke, in which nobody is in danger."""


@dataclass(frozen=True, slots=True)
class Danger:
    """What a message says of somebody's danger, and whether that is sure. It is `certain` where words and head both
    say so, or little else is said, and `faint` where only a mind that reads it could tell."""

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
    """The danger in a message; None where nobody is, or it is `faint` and not asked for. `found` is what its words were
    taken for, `shares` and `bounds` are the head's (none: words alone decide). A danger that only the head sees has
    `text` for its words, and is answered in the language that is `spoken`."""
    by_words = found if found is not None and found.grave else None
    if bounds is None:
        return None if by_words is None else Danger(by_words, sure=True, certain=True)
    likely = danger_head.danger(shares)
    if by_words is not None and likely >= bounds.doubted:
        beside = len(text.split()) - len(by_words.words.split())
        return Danger(by_words, sure=True, certain=likely >= bounds.sure or beside <= BESIDE)
    seen = by_words or Notice(likeliest(shares), text, spoken)
    if likely >= (bounds.perhaps if by_words is None else min(bounds.read, bounds.doubted / 2)):
        return Danger(seen, sure=likely >= bounds.sure, certain=likely >= CERTAIN)
    return Danger(seen, sure=False, faint=True) if faint and (by_words or likely >= bounds.read) else None


def likeliest(shares: Mapping[str, float]) -> Kind:
    """Which danger it would be."""
    return cast(Kind, max(sorted(GRAVE), key=lambda kind: shares.get(kind, 0.0)))


def goes_on(found: Notice | None, shares: Mapping[str, float], bounds: Bounds | None) -> bool:
    """Whether a message is good news or a joke, in which nobody is in danger: life goes on."""
    if bounds is None or (found is not None and found.kind != "apology"):
        return False
    return shares.get("bright", 0.0) >= BRIGHT and danger_head.danger(shares) < bounds.perhaps
