"""The queue of updates, with Telegram's true acknowledgement.

An update stays until getUpdates is called with an offset beyond it; the answer having been sent proves nothing. Two
facts from the official server matter to a client: an offset more than ten beyond the newest id is ignored (that is
what makes a restart of the ids survivable), and a second poll ends the first one with 409.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import Any

from .rules import ApiError

BATCH = 100
FUTURE = 10
"""An offset further than this beyond the next id is ignored."""
NOT_BY_DEFAULT = frozenset({"chat_member", "message_reaction", "message_reaction_count"})
WEBHOOK = "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
CONFLICT = "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"


class Updates:
    """Pending updates of one bot. `changed` guards the whole emulator and is notified at every change."""

    def __init__(self, changed: threading.Condition, rng: random.Random, first_id: int = 1) -> None:
        self._changed = changed
        self._rng = rng
        self._next = first_id
        self._poll = 0
        self._again: list[dict[str, Any]] = []
        self._allowed: frozenset[str] | None = None
        self.pending: list[dict[str, Any]] = []
        self.confirmed: list[int] = []
        """Ids in the order in which they were confirmed."""
        self.dropped: list[dict[str, Any]] = []
        """Updates the bot had not asked for with allowed_updates."""
        self.conflicts = 0
        """Polls that were ended by a newer one while their client was still listening."""

    @property
    def polls(self) -> int:
        """How many getUpdates calls have begun."""
        return self._poll

    def push(self, update: dict[str, Any]) -> int:
        """Queues {kind: payload}, giving it the next id unless it brings its own; returns the id."""
        with self._changed:
            kind = next(key for key in update if key != "update_id")
            number = update.get("update_id", self._next)
            self._next = max(self._next, number + 1)
            target = self.pending if self._wanted(kind) else self.dropped
            target.append({"update_id": number, **{k: v for k, v in update.items() if k != "update_id"}})
            self._changed.notify_all()
            return int(number)

    def restart_ids(self, next_id: int) -> None:
        """What may happen after a week without updates: ids go on from somewhere else. Needs an empty queue."""
        with self._changed:
            if self.pending:
                raise ValueError("ids only restart when nothing is pending")
            self._next = next_id

    def take(
        self,
        *,
        offset: int,
        limit: int,
        timeout: float,
        allowed: list[str] | None,
        closed: Callable[[], bool],
        gone: Callable[[], bool],
        twice: Callable[[], bool],
        shuffled: Callable[[], bool],
    ) -> list[dict[str, Any]]:
        """Answers one getUpdates call, waiting up to `timeout` seconds; raises ApiError 409 when a newer one came.

        `twice` and `shuffled` are asked only when they would matter: whether what this call confirms is given out
        once more in its own answer, and whether a batch of several comes in another order. `closed` and `gone` tell
        that the server stops, or that the client hung up.
        """
        with self._changed:
            if allowed is not None:
                self._allowed = frozenset(allowed)
            self._confirm(offset, twice)
            self._poll += 1
            mine = self._poll
            self._changed.notify_all()
            until = time.monotonic() + timeout
            while True:
                if self._poll != mine:
                    self.conflicts += not gone()
                    raise ApiError(409, CONFLICT)
                left = until - time.monotonic()
                if self.pending or self._again or closed() or left <= 0:
                    break
                self._changed.wait(left)
            batch = self._again + self.pending[: min(max(limit, 1), BATCH)]
            self._again = []
            if len(batch) > 1 and shuffled():
                in_order = list(batch)
                while batch == in_order:
                    self._rng.shuffle(batch)
            return batch

    def _wanted(self, kind: str) -> bool:
        return kind in self._allowed if self._allowed else kind not in NOT_BY_DEFAULT

    def _confirm(self, offset: int, twice: Callable[[], bool]) -> None:
        if offset < 0:
            offset = self.pending[offset]["update_id"] if len(self.pending) >= -offset else 0
        if offset > self._next + FUTURE:
            return
        done = [u for u in self.pending if u["update_id"] < offset]
        if done:
            self.pending = [u for u in self.pending if u["update_id"] >= offset]
            self.confirmed += [u["update_id"] for u in done]
            if twice():
                self._again = done
