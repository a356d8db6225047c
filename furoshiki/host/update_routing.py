"""Finds the home of each update of the shared bot, and the answers for people who have none."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from furoshiki.channels.telegram.updates import Incoming, Me, number_of, read
from furoshiki.core import numbers
from furoshiki.core.catalogue import later, say, speaking

Update = Mapping[str, Any]

STRANGER_LINE = later(
    "Hello! I am a companion for those who were invited. The person who looks after me can send you a link."
)
GROUP_LINE = later("I only talk one on one: write to me in a private chat.")
RESTING_LINE = later("Your companion is resting right now. What you write is saved for when it wakes up.")
WRONG_INVITE_LINE = later("That invitation is not valid (any more). Ask the person who sent it for a fresh link.")

SAID_AGAIN_AFTER = timedelta(days=1)
# chats whose last such answer is remembered; the oldest are forgotten and may get it again
MOST_REMEMBERED = 10_000


@dataclass
class Sorted:
    """A batch sorted by home, in order; and the answers for others: chat and line."""

    homes: dict[str, list[Update]] = field(default_factory=dict)
    say: list[tuple[int, str]] = field(default_factory=list)
    # callback ids of buttons that strangers pressed
    callbacks: list[str] = field(default_factory=list)


def message_ids(batch: Sequence[Update]) -> list[int]:
    """Return a batch's private message ids: new ones and those with pressed buttons."""
    said = [update.get("message") for update in batch]
    hung = [(update.get("callback_query") or {}).get("message") for update in batch]
    private = [one for one in (*said, *hung) if one and (one.get("chat") or {}).get("type") == "private"]
    found = (numbers.row(one.get("message_id")) for one in private)
    return [number for number in found if number is not None]


class Sorter:
    """Sorts the updates of one bot. `home_of` finds a person's home, `enter` accepts an invitation
    code, and `rests` says whether a home is paused and only stores its updates."""

    def __init__(
        self,
        home_of: Callable[[int], str | None],
        enter: Callable[[int, str], str | None],
        rests: Callable[[str], bool],
    ) -> None:
        self._home_of = home_of
        self._enter = enter
        self._rests = rests
        self._told: OrderedDict[int, datetime] = OrderedDict()

    def sort(self, batch: Sequence[Update], me: Me, now: datetime) -> Sorted:
        """Sort a batch by home. A person with a valid code is let in by that."""
        found = Sorted()
        for update in sorted(batch, key=number_of):
            incoming = read(update, me)
            if incoming is None:
                continue
            home = self._belongs(incoming, found, now)
            if home is None:
                if incoming.callback_id is not None:
                    found.callbacks.append(incoming.callback_id)
                continue
            found.homes.setdefault(home, []).append(update)
        return found

    def _belongs(self, incoming: Incoming, found: Sorted, now: datetime) -> str | None:
        if not incoming.private:
            if incoming.addressed and incoming.envelope is not None:
                self._once_a_day(found, incoming, GROUP_LINE, now)
            return None
        home = self._home_of(incoming.user_id)
        if home is not None:
            if self._rests(home) and incoming.envelope is not None:
                self._once_a_day(found, incoming, RESTING_LINE, now)
            return home
        if incoming.start_code is not None:
            home = self._enter(incoming.user_id, incoming.start_code)
            if home is None:
                found.say.append(_make_reply(incoming, WRONG_INVITE_LINE))
            return home
        if incoming.envelope is not None:
            self._once_a_day(found, incoming, STRANGER_LINE, now)
        return None

    def _once_a_day(self, found: Sorted, incoming: Incoming, line: str, now: datetime) -> None:
        chat_id = incoming.chat_id
        last = self._told.get(chat_id)
        if last is not None and now - last < SAID_AGAIN_AFTER:
            return
        self._told[chat_id] = now
        self._told.move_to_end(chat_id)
        while len(self._told) > MOST_REMEMBERED:
            self._told.popitem(last=False)
        found.say.append(_make_reply(incoming, line))


def _make_reply(incoming: Incoming, line: str) -> tuple[int, str]:
    with speaking(incoming.language):
        return incoming.chat_id, say(line)
