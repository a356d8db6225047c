"""When and how the owner of a home is told that its disk quota fills up."""

from typing import Literal

Level = Literal["nearly", "full"]

NEARLY, FULL = 0.9, 1.0
AGAIN_BELOW = 0.8
"""Below this share of the quota an earlier notice counts as settled."""

_TOLD = {
    "nearly": "Of the disk of the machine I live on, {most} are mine, and {used} are used. When they are full I can "
    "take in no documents, imports or exports, and keep no more backups than there are; what we say I keep as ever. "
    "The person who looks after the machine can give me more.",
    "full": "The {most} of disk that are mine on the machine I live on are used up ({used}). Until the person who "
    "looks after it gives me more I take in no documents, imports or exports, and keep no more backups than there "
    "are. What we say I keep as ever.",
}


def level(share: float, told: Level | None) -> Level | None:
    """Return the notice level for a share of the quota, given the level already `told`."""
    if share >= FULL:
        return "full"
    if share >= NEARLY:
        return told or "nearly"
    return None if share < AGAIN_BELOW else told


def describe_level(level: Level, used: str, most: str) -> str:
    """Return the text of a notice."""
    return _TOLD[level].format(used=used, most=most)
