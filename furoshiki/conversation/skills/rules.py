"""Decide which calls a model may make by itself, and which need the owner's own words.

Anyone whose text reaches the model (in a document, a forward, a recalled message) can ask it to
act. A change is therefore made at once only if the owner's own words request it; otherwise it is
proposed. The companion's own ideas (a drifting thought, a hunch) can only be proposed, and only
with enough confidence: nobody reads a hundred vague proposals.
"""

import re
from collections.abc import Sequence
from typing import Literal

from furoshiki.language.grounding.words import collect_words, content_of, mostly_said, stems_of
from furoshiki.language.inflection import Said
from furoshiki.language.testimony import Own

Leave = Literal["given", "ask", "unsure"]

# how clearly a message requests a call: exactly this one, possibly, or not
Asks = Literal["exactly", "perhaps", "no"]

# a word long enough to name something, or two signs
_TELLING = re.compile(r"[^\W\d_]{4,}|[\u2e80-\u9fff]{2}")

_UNSPACED = re.compile("[\u2e80-\u9fff\u0e00-\u0eff]")

# The source of the owner's requests. Others: "drift", "consolidation", "schedule", "plugin".
USER = "user"

# the share of a title's or an item's words that the owner must have said in this message
LEAST_NAMED = 0.6

LEAST_CONFIDENCE = 0.6  # minimum confidence of another source for a proposal


def leave(
    named: Sequence[str],
    own: Own,
    *,
    foreign_now: bool,
    foreign_in_view: bool,
    asks: Asks = "perhaps",
    source_tag: str = USER,
    source_confidence: float = 1.0,
) -> Leave:
    """Return whether a changing call runs now ("given"), is proposed ("ask"), or neither
    ("unsure").

    Sources other than the owner never run at once. `named`: what the call names (title, items);
    `own`: the owner's own words in this message; `asks`: how clearly they request it. An exact
    request always runs. Otherwise, text of others in the message requires a proposal; if such text
    is only visible (earlier or remembered), the owner's words must name the items, if not in full:
    a mind writes "send Ms Reyes the payslips" where they said "send her the payslips".
    """
    if source_tag != USER:
        return "ask" if source_confidence >= LEAST_CONFIDENCE else "unsure"
    if asks == "exactly" or not (foreign_now or foreign_in_view):
        return "given"
    return "given" if not foreign_now and asks == "perhaps" and within(named, own, LEAST_NAMED) else "ask"


def within(named: Sequence[str], said: str, least: float = 1.0) -> bool:
    """Return whether these words name, in any grammatical form, `least` of each thing that a call
    names, and two words of it if not all."""
    held = collect_words([said], " ".join(named))
    return bool(named) and all(bool(content_of(one)) and _is_named(one, said, held, least) for one in named)


def names_part(named: Sequence[str], said: str) -> bool:
    """Return whether these words name any part of what a call names: "remind me the evening before" does not."""
    held = collect_words([said], " ".join(named))
    return any(held.holds(word) for one in named for word in _TELLING.findall(one))


def _is_named(one: str, said: str, held: Said, least: float) -> bool:
    # in scripts without spaces, such as Chinese, a name is a substring
    whole = mostly_said(one, held, 1.0) or (_UNSPACED.search(one) is not None and one in said)
    return whole or (least < 1.0 and mostly_said(one, held, least) and len(content_of(one) & stems_of(said)) > 1)
