"""Judges from figures whether a host takes messages; its answers name no home."""

from collections.abc import Mapping
from dataclasses import dataclass

# seconds without a round (one each second) until the listener counts as stuck; systemd: 90
STANDSTILL_SECONDS = 60.0

# seconds without a sign after which the brain counts as dead: it gives one each minute
SILENCE_SECONDS = 180.0


@dataclass(frozen=True)
class Seen:
    """The state of a host at a moment, in figures."""

    round_s: float  # seconds since the listener last went through its homes
    brain_s: float | None  # seconds since the brain's last sign of life; None: there is none
    bots: int
    hearing: int  # the number of bots whose updates come in
    # whether the shared bot receives updates; None where each home has its own
    shared_hears: bool | None
    awake: int = 0
    asleep: int = 0
    resting: int = 0  # homes that their operator has paused
    troubled: int = 0  # homes that cannot be opened or used
    aside: int = 0  # homes with messages set aside
    draining: bool = False


def lives(seen: Seen) -> bool:
    """Return whether the listener's loop works."""
    return seen.draining or seen.round_s <= STANDSTILL_SECONDS


def list_missing(seen: Seen, disk: str | None) -> Mapping[str, str]:
    """Return what keeps the host from taking messages, by the failing part; empty when it takes
    them.

    `disk` is why the disk cannot be written. A single home's own bot that receives nothing is that
    home's trouble, unless it is the only bot.
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
    if disk is not None:
        found["disk"] = f"it takes no writes: {disk}"
    return found
