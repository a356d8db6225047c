"""How a call to the Bot API can end, as values: what is known about it decides what may be done next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Delivered:
    """Telegram did it. `result` is what it answered, as plain JSON."""

    result: Any

    @property
    def message_id(self) -> int | None:
        """The id of the message this call made or changed, when it was about a message."""
        found = self.result.get("message_id") if isinstance(self.result, dict) else None
        return found if isinstance(found, int) else None


@dataclass(frozen=True)
class Refused:
    """Telegram understood and refused (400 and similar): the same call will be refused again.

    `migrate_to` is the new id of a group that became a supergroup.
    """

    description: str
    code: int
    migrate_to: int | None = None


@dataclass(frozen=True)
class RetryAfter:
    """Too many calls: nothing was done, and nothing may be asked for `seconds`."""

    seconds: float


@dataclass(frozen=True)
class NotDelivered:
    """The call provably never reached Telegram: no address, no connection; `road` where our way there is wrong."""

    reason: str
    road: bool = False


@dataclass(frozen=True)
class Uncertain:
    """Nobody knows whether it was done: the answer was cut, garbled, late, or a gateway's error page."""

    reason: str


@dataclass(frozen=True)
class Blocked:
    """The person blocked the bot, left, or never wrote to it: nothing reaches them until they come back."""

    description: str


@dataclass(frozen=True)
class Unauthorized:
    """The token is not (or no longer) a bot's token."""

    description: str


@dataclass(frozen=True)
class Conflict:
    """Another process takes this bot's updates, or a webhook does."""

    description: str


def in_words(outcome: Outcome) -> str:
    """What happened, for people."""
    match outcome:
        case Delivered():
            return "Telegram did it"
        case RetryAfter():
            return f"Telegram asks to wait {outcome.seconds:g} s"
        case NotDelivered(road=True):
            return outcome.reason
        case NotDelivered():
            return "no connection to Telegram could be made"
        case Uncertain():
            return "the connection to Telegram broke before there was an answer"
        case _:
            return outcome.description


def for_logs(outcome: Outcome) -> str:
    """The same, with what the network said of a connection."""
    reason = getattr(outcome, "reason", None)
    return f"{in_words(outcome)} ({reason})" if reason else in_words(outcome)


Outcome = Delivered | Refused | RetryAfter | NotDelivered | Uncertain | Blocked | Unauthorized | Conflict
