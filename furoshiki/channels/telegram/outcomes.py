"""Outcomes of calls to the Bot API, as values: what is known decides what may be done next."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Delivered:
    """Telegram did it. `result` is its answer as plain JSON."""

    result: Any

    @property
    def message_id(self) -> int | None:
        """The id of the message that the call created or changed, or None."""
        found = self.result.get("message_id") if isinstance(self.result, dict) else None
        return found if isinstance(found, int) else None


@dataclass(frozen=True)
class Refused:
    """Telegram understood and refused (400 and similar): the same call would be refused again.

    `migrate_to` is the new id of a group that became a supergroup.
    """

    description: str
    code: int
    migrate_to: int | None = None


@dataclass(frozen=True)
class RetryAfter:
    """Too many calls: nothing was done, and no call is allowed for `seconds`."""

    seconds: float


@dataclass(frozen=True)
class NotDelivered:
    """The call provably never reached Telegram: no connection; `road`: our proxy is wrong."""

    reason: str
    road: bool = False


@dataclass(frozen=True)
class Uncertain:
    """Unknown whether it was done: the answer was cut, garbled, late, or a gateway's error page."""

    reason: str


@dataclass(frozen=True)
class Blocked:
    """The person blocked the bot, left, or never wrote: nothing reaches them until they return."""

    description: str


@dataclass(frozen=True)
class Unauthorized:
    """The token is invalid."""

    description: str


@dataclass(frozen=True)
class Conflict:
    """Another process polls this bot, or a webhook is set."""

    description: str


def in_words(outcome: "Outcome") -> str:
    """Describe the outcome for people."""
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


def for_logs(outcome: "Outcome") -> str:
    """Describe the outcome with the network's message."""
    reason = getattr(outcome, "reason", None)
    return f"{in_words(outcome)} ({reason})" if reason else in_words(outcome)


Outcome = Delivered | Refused | RetryAfter | NotDelivered | Uncertain | Blocked | Unauthorized | Conflict
