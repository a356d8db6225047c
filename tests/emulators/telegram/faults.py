"""What goes wrong on the way to Telegram, switched on by count or by probability.

Each rule names a method (or "*"), how many calls it hits (`n`), or how likely it hits one (`p`), and how many matching
calls it lets pass first (`after`). The first rule that strikes decides; chance comes from one seeded generator.
"""

from __future__ import annotations

import random
import threading
from dataclasses import dataclass
from typing import Literal

Kind = Literal["refuse", "cut_after", "answer", "hang", "slow", "slow_after", "duplicate", "reorder"]


@dataclass
class Fault:
    """One rule. `left` is None for rules that go by probability."""

    kind: Kind
    method: str
    left: int | None
    p: float
    after: int = 0
    seconds: float = 0.0
    status: int = 0
    retry_after: int = 0
    said: str = ""
    hits: int = 0


class Faults:
    """Rules in force for one emulator; every method may be called while the bot runs."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._lock = threading.Lock()
        self._rules: list[Fault] = []

    def refuse(self, method: str = "*", n: int | None = 1, p: float | None = None, after: int = 0) -> Fault:
        """The connection is closed before anything is done."""
        return self._add("refuse", method, n, p, after)

    def cut_after(self, method: str = "*", n: int | None = 1, p: float | None = None, after: int = 0) -> Fault:
        """The call is carried out, and the connection cut before the answer."""
        return self._add("cut_after", method, n, p, after)

    def too_many(
        self, method: str = "*", n: int | None = 1, p: float | None = None, *, retry_after: int = 1, after: int = 0
    ) -> Fault:
        """429 with `retry_after` seconds; nothing is done."""
        return self._add("answer", method, n, p, after, status=429, retry_after=retry_after)

    def bad_gateway(self, method: str = "*", n: int | None = 1, p: float | None = None, after: int = 0) -> Fault:
        """502 with a page of HTML instead of JSON; nothing is done."""
        return self._add("answer", method, n, p, after, status=502)

    def server_error(self, method: str = "*", n: int | None = 1, p: float | None = None, after: int = 0) -> Fault:
        """500; nothing is done."""
        return self._add("answer", method, n, p, after, status=500)

    def bad_request(
        self, said: str, method: str = "sendMessage", n: int | None = 1, p: float | None = None, after: int = 0
    ) -> Fault:
        """400 with these words; nothing is done."""
        return self._add("answer", method, n, p, after, status=400, said=said)

    def conflict(self, n: int | None = 1, p: float | None = None, after: int = 0) -> Fault:
        """409 to getUpdates, as if another instance polled."""
        return self._add("answer", "getUpdates", n, p, after, status=409)

    def refused(self, status: int, method: str = "getUpdates", n: int | None = 1) -> Fault:
        """401, 403 or 404, as for a token that is none; nothing is done."""
        return self._add("answer", method, n, None, 0, status=status)

    def hang(
        self, method: str = "*", seconds: float = 60.0, n: int | None = 1, p: float | None = None, after: int = 0
    ) -> Fault:
        """No answer for so long, then the connection is closed; nothing is done."""
        return self._add("hang", method, n, p, after, seconds=seconds)

    def slow(
        self, method: str = "*", seconds: float = 1.0, n: int | None = 1, p: float | None = None, after: int = 0
    ) -> Fault:
        """Waits first, then does the work and answers."""
        return self._add("slow", method, n, p, after, seconds=seconds)

    def slow_after(
        self, method: str = "*", seconds: float = 1.0, n: int | None = 1, p: float | None = None, after: int = 0
    ) -> Fault:
        """Does the work at once and answers late."""
        return self._add("slow_after", method, n, p, after, seconds=seconds)

    def duplicate_updates(self, n: int | None = 1, p: float | None = None) -> Fault:
        """Updates that a getUpdates call confirms come once more in its answer."""
        return self._add("duplicate", "getUpdates", n, p, 0)

    def reorder_updates(self, n: int | None = 1, p: float | None = None) -> Fault:
        """The updates of one answer come in another order."""
        return self._add("reorder", "getUpdates", n, p, 0)

    def clear(self) -> None:
        """Everything works again."""
        with self._lock:
            self._rules.clear()

    def strike(self, method: str, *kinds: Kind) -> Fault | None:
        """The fault that hits this call, if one does; used up by one when it goes by count."""
        with self._lock:
            for rule in self._rules:
                if rule.kind in kinds and rule.method in ("*", method) and self._hits(rule):
                    rule.hits += 1
                    return rule
        return None

    def _hits(self, rule: Fault) -> bool:
        if rule.after > 0:
            rule.after -= 1
            return False
        if rule.left is None:
            return self._rng.random() < rule.p
        rule.left -= 1
        return rule.left >= 0

    def _add(
        self,
        kind: Kind,
        method: str,
        n: int | None,
        p: float | None,
        after: int,
        *,
        seconds: float = 0.0,
        status: int = 0,
        retry_after: int = 0,
        said: str = "",
    ) -> Fault:
        left = None if p is not None else n
        rule = Fault(kind, method, left, p or 0.0, after, seconds, status, retry_after, said)
        if left is None and p is None:
            rule.p = 1.0  # n=None: every call, until cleared
        with self._lock:
            self._rules.append(rule)
        return rule
