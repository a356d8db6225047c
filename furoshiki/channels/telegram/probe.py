"""Finds out whether a message arrived whose sending was interrupted.

Telegram has no idempotency key for sends. But message ids increase, and an edit without a change is
refused with its own words. So the identical text is "edited" into the ids after the last known one:
"not modified" means that our message is there, "not found" for three ids in a row that it is not.
The person's own messages are skipped; where other chats share the sequence (one bot numbers all its
private chats together), "not found" counts only beyond every id known to exist. ADR 0003 says what
of this is known and what assumed.
"""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass

from furoshiki.channels.telegram.outcomes import Delivered, Outcome, Refused, RetryAfter

ENOUGH_MISSES = 3
MOST_TRIES = 40  # edits without a verdict after which the probe gives up


@dataclass(frozen=True)
class Found:
    """It had arrived, with this id."""

    message_id: int


@dataclass(frozen=True)
class NotArrived:
    """It had not arrived."""


@dataclass(frozen=True)
class CannotTell:
    """The probe cannot tell, now or ever."""

    reason: str


@dataclass(frozen=True)
class Later:
    """Telegram could not be asked; retry after so many seconds (None: the caller decides)."""

    seconds: float | None
    reason: str


Verdict = Found | NotArrived | CannotTell | Later

_MISSING = ("message to edit not found", "message_id_invalid", "message not found")
_SOMEBODY_ELSES = ("can't be edited", "there is no text in the message", "there is no caption in the message")


async def probe(
    edit: Callable[[int], Awaitable[Outcome]],
    last: int,
    known: Collection[int],
    newest: int = 0,
    enough: int = ENOUGH_MISSES,
    most: int = MOST_TRIES,
) -> Verdict:
    """Return what became of a message sent after message `last` of its chat.

    `edit` edits a message id to the identical content. `known` are ids above `last` of other
    messages. Without both the probe cannot tell. `newest` is the newest known id of the whole bot
    if it has other chats; then `enough` ids beyond it must be empty, and at most `most` are tried.
    """
    if last <= 0:
        if not known:
            return CannotTell("no message of this chat is known to look behind")
        last = min(known)
    top = max([last, newest, *known])
    misses = tries = 0
    candidate = last
    while tries < most:
        candidate += 1
        if candidate in known:
            continue
        tries += 1
        outcome = await edit(candidate)
        if isinstance(outcome, Delivered):
            # ours, changed by Telegram since; now it is right
            return Found(candidate)
        if isinstance(outcome, RetryAfter):
            return Later(outcome.seconds, "too many calls")
        if not isinstance(outcome, Refused):
            return Later(None, str(outcome))
        said = outcome.description.lower()
        if "not modified" in said:
            return Found(candidate)
        if any(words in said for words in _MISSING):
            misses += candidate > top
            if misses >= enough:
                return NotArrived()
        elif not any(words in said for words in _SOMEBODY_ELSES):
            return CannotTell(outcome.description)
    return CannotTell(f"no verdict after {tries} tries")
