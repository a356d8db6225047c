"""Quick test for requests to forget: patterns are loaded only if a word hints at one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from furoshiki.language.testimony import Own
from furoshiki.language.word_tables import by_language

if TYPE_CHECKING:
    from furoshiki.language.requests.forget_requests import ForgetRequest

# words of which every request to forget contains one
_ASKS = re.compile(by_language("forget_aside")["en"]["hint"], re.IGNORECASE)


def request_in(own: Own) -> ForgetRequest | None:
    """Return the request to forget in a user's own words, or None."""
    if _ASKS.search(own) is None:
        return None
    from furoshiki.language.requests import forget_requests  # takes 0.1 s to load, and most messages do not need it

    return forget_requests.read(own)
