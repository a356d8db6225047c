"""What a message means to do, by its vector: whatever words it uses, in every language that the encoder reads.

The heads are `config/meaning_head.json`, made by `python -m bench.meaning`. Without a vector nothing is told.
"""

from collections.abc import Mapping
from typing import Literal, get_args

from furoshiki.language.danger_head import pieces
from furoshiki.language.signal_head import LONGEST

Kind = Literal[
    "grave",
    "identity",
    "gives_up",
    "unclear",
    "thanks",
    "manner",
    "greets",
    "parts",
    "asks_how",
    "asks_who",
    "asks_can",
    "asks_name",
    "asks_waiting",
    "asks_time",
    "asks_day",
    "tired",
    "is_something",
]
"""A decision on which much hangs; that the companion be somebody else; giving up what one
wanted; a request or question that names nothing; thanks or praise alone; how one likes the
companion to do things. Hello; goodbye; how the companion is, who it is, what it can do; what
one is called oneself; which reminders wait, what hour and what day it is; being tired. What
one is (a trade, a nationality), as against a name."""

KINDS: tuple[Kind, ...] = get_args(Kind)

LIKELY = 0.5
"""From this likelihood on a message is taken for a kind."""

MOST_PARTS = 3


def parts(text: str) -> list[str]:
    """Return the parts of a long message that are judged by themselves: its last questions and its
    last sentence. None of a short one."""
    if len(text) <= LONGEST:
        return []
    sentences = pieces(text)
    asking = [one for one in sentences[:-1] if one.rstrip().endswith(("?", "\uff1f"))]
    return [*asking[1 - MOST_PARTS :], *sentences[-1:]]


def together(whole: Mapping[str, float], of_parts: list[dict[str, float]]) -> dict[str, float]:
    """How likely a message is of each kind: by all of it, or in a long one by the part that is most of that kind.

    A long message is neither thanks alone, nor does it name nothing.
    """
    alone = ("unclear", "thanks")
    found: dict[str, float] = {
        kind: max(one.get(kind, 0.0) for one in of_parts) for kind in KINDS if of_parts and kind not in alone
    }
    return {**found, **whole}


def is_meant(shares: Mapping[str, float], kind: Kind) -> bool:
    """Whether a message is taken for a kind."""
    return shares.get(kind, 0.0) >= LIKELY
