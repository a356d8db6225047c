"""Classify what a message means to do, by its vector, in every language the encoder reads. The
heads are `config/meaning_head.json`, created by `python -m bench.meaning`. Without a vector
there is no result."""

from collections.abc import Mapping
from typing import Literal, get_args

from furoshiki.language.danger_head import pieces
from furoshiki.language.signal_head import LONGEST

# in order: a grave decision; a wish that the companion be somebody else; giving up a wish; a
# request that names nothing; thanks or praise alone; how the user wants things done; hello;
# goodbye; how the companion is, who it is, what it can do; the user's name; pending reminders, the
# time, the date; being tired; what the user is (trade, nationality)
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

KINDS: tuple[Kind, ...] = get_args(Kind)

# decides whether a message says a name: `config/name_head.json` (`python -m bench.names`)
NAME: Literal["name"] = "name"

LIKELY = 0.5  # a message is of a kind from this probability on

MOST_PARTS = 3


def parts(text: str) -> list[str]:
    """Return a long message's last questions and last sentence; empty for a short one."""
    if len(text) <= LONGEST:
        return []
    sentences = pieces(text)
    asking = [sentence for sentence in sentences[:-1] if sentence.rstrip().endswith(("?", "\uff1f"))]
    return [*asking[1 - MOST_PARTS :], *sentences[-1:]]


def together(whole: Mapping[str, float], of_parts: list[dict[str, float]]) -> dict[str, float]:
    """Combine the probabilities of a whole message and of its parts (the largest for each kind).

    A long message is never "thanks" or "unclear".
    """
    alone = ("unclear", "thanks")
    likely: dict[str, float] = {
        kind: max(one.get(kind, 0.0) for one in of_parts) for kind in KINDS if of_parts and kind not in alone
    }
    return {**likely, **whole}


def is_meant(shares: Mapping[str, float], kind: Kind | Literal["name"]) -> bool:
    return shares.get(kind, 0.0) >= LIKELY
