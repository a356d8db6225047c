"""Whether a host takes messages, judged from figures; said without the name of anybody's home."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

STANDSTILL_SECONDS = 60.0
"""The listener goes round its homes every second: after so long without it stands still. systemd waits for 90."""

SILENCE_SECONDS = 180.0
"""The brain shows every minute that it lives: after three without a sign it does not."""


@dataclass(frozen=True)
class Seen:
    """What is seen of a host at a moment, in figures."""

    round_s: float
    """Seconds since the listener last went round its homes."""
    brain_s: float | None
    """Seconds since the brain's sign of life; None: there is none."""
    bots: int
    hearing: int
    """Of the bots those whose updates come in."""
    shared_hears: bool | None
    """Whether the bot that all homes share hears; None where each has its own."""
    awake: int = 0
    asleep: int = 0
    resting: int = 0
    """Homes that their operator holds back."""
    troubled: int = 0
    """Homes that cannot be woken or used."""
    aside: int = 0
    """Homes for which messages are kept aside."""
    draining: bool = False
    leases: str | None = None
    """What keeps this node from having homes, where there are several; None: nothing."""


def lives(seen: Seen) -> bool:
    """Whether the listener's loop does its work."""
    return seen.draining or seen.round_s <= STANDSTILL_SECONDS


def list_missing(seen: Seen, disk: str | None) -> Mapping[str, str]:
    """What keeps the host from taking messages, by what it is; nothing when it takes them.

    `disk` is what keeps the disk from being written to.

    One home's own bot that does not hear is that home's trouble, unless it is the only one.
    """
    found: dict[str, str] = {}
    if seen.draining:
        found["draining"] = "it is being stopped"
    if not lives(seen):
        found["listener"] = f"it has stood still for {seen.round_s:.0f} s"
    if not seen.bots:
        found["bots"] = "there is none: TELEGRAM_BOT_TOKEN stands neither in .host/.env nor in a home's"
    elif seen.shared_hears is False or not seen.hearing:
        found["bots"] = f"{seen.hearing} of {seen.bots} hear; the host's log says what of Telegram does not answer"
    if seen.brain_s is None:
        found["brain"] = "it does not run"
    elif seen.brain_s > SILENCE_SECONDS:
        found["brain"] = f"its last sign of life is {seen.brain_s:.0f} s old"
    if seen.leases is not None:
        found["leases"] = seen.leases
    if disk is not None:
        found["disk"] = f"it takes no writes: {disk}"
    return found
