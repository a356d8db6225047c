"""Quick test for requests to forget: patterns are loaded only if a word hints at one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from furoshiki.language.testimony import Own

if TYPE_CHECKING:
    from furoshiki.language.requests.forget_requests import ForgetRequest

_ASKS = re.compile(
    r"forget|unlearn|delet|eras|wip|remov|clear|purge|scrub|destroy|get rid|strike|pretend|act (?:as if|like)|reset"
    r"|empty|keep|kept|sav|stor|remember|record|note|memori[sz]|retain|log|writ|hold on|not (?:meant )?for you"
    r"|verg[ei]ss|lösch|merk|speicher|behalt|schreib|notier|heb|olv[ií]d|borr|elimin|guard|recuerd"
    r"|almacen|anot|apunt|memor|oubli|effac|supprim|gard|retien|enregistr|mémoris|dimentic|scord"
    r"|cancell|salv|ricord|tener|conserv|segn|esque[cç]|apag|lembr|grav|verge(?:et|ten)|wis|verwijder"
    r"|onthoud|bewaar|noteer|unut|sil|kaydet|sakla|hatırla|not alma|ezber|забу|удали|сотри|сохраня"
    r"|запоминай|записывай|храни|zapomn|usuń|skasuj|wymaż|zapisuj|zapamięt|przechow|notuj"
    r"|忘|删|别|不要|不用|存|清除",
    re.IGNORECASE,
)
"""Words of which every request to forget contains one."""


def request_in(own: Own) -> ForgetRequest | None:
    """Return the request to forget in a user's own words, or None."""
    if _ASKS.search(own) is None:
        return None
    from furoshiki.language.requests import forget_requests  # takes 0.1 s to load, and most messages do not need it

    return forget_requests.read(own)
