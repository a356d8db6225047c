"""The operator's limits of one home, applied to its model calls: money, calls, and turns.

They are separate from the owner's budget, and no setting of the home can raise them. The owner's
budget lets every reply through, as the owner pays for it; these limits do not.
"""

import asyncio
import contextlib
import logging
import os
import weakref
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from furoshiki.core.atomic_files import hold
from furoshiki.core.catalogue import Sentence, later
from furoshiki.core.errors import BadSetting, in_words
from furoshiki.core.paths import HOST
from furoshiki.models.limits import limit_file, spending
from furoshiki.models.limits.values import Limits, Spent
from furoshiki.models.llm.failures import Failure
from furoshiki.models.llm.rules.budget import BudgetVerdict

log = logging.getLogger(__name__)

# seconds to wait for a turn: True for replies to a user, False for other calls
PATIENCE_S = {True: 60.0, False: 30.0}

CALLS_SPENT = later(
    "The {calls} calls to models a day that the person who looks after the machine I live on allows "
    "me are used up: until midnight UTC I answer without a model."
)
MONEY_SPENT = later(
    "The ${most:.2f} a day that the person who looks after the machine I live on allows me are spent "
    "(${spent:.2f}): until midnight UTC I answer with what costs nothing."
)
ALL_SPENT = later(
    "What the person who looks after the machine I live on allows all its companions together in a "
    "day is spent: until midnight UTC I answer with what costs nothing."
)
BUSY = later("the operator of this machine doesn't allow more model calls at the same moment")


class HomeLimits:
    """The limits of a home, one for each World. `usd_of_all` and `at_once` are reassignable."""

    def __init__(
        self,
        home: Path,
        host: Path,
        clock: Callable[[], datetime],
        used: Callable[[], tuple[float, int]],
    ) -> None:
        """`used` returns US dollars and calls of this UTC day from the home's ledger."""
        self._name = home.name
        self._host = host
        self._clock = clock
        self._used = used
        self._spending = spending.of_host(host)
        self._complained = ""
        self._known = Limits()
        self.usd_of_all = 0.0
        self.at_once = 0

    def stops(self) -> BudgetVerdict | None:
        """Return the verdict on all calls while a limit is reached, else None."""
        limits = self._limits()
        if limits.money is None and limits.calls is None and not self.usd_of_all:
            return None
        usd, calls = self._used()
        of_all = self._spending.of_all(self._clock()) if self.usd_of_all else 0.0
        return judge(limits, Spent(usd, calls, of_all), self.usd_of_all)

    def paid(self, usd: float) -> None:
        """Add the cost of a call, in US dollars."""
        self._spending.add(self._name, usd, self._clock())

    @asynccontextmanager
    async def turn(self, *, reply: bool) -> AsyncIterator[None]:
        """Hold a turn during a model call. Raises Failure ("busy") when none is free in time."""
        of_home = self._limits().at_once or 0
        if not of_home and not self.at_once:
            yield
            return
        turns = of_host(self._host)
        try:
            place = await turns.take(
                self._name, reply=reply, of_home=of_home, of_host=self.at_once, patience_s=PATIENCE_S[reply]
            )
        except TimeoutError:
            raise Failure("busy", Sentence(BUSY), reached=False) from None
        try:
            yield
        finally:
            turns.give_back(place)

    def _limits(self) -> Limits:
        """Return the current limits; if unreadable, the last known ones, logged once."""
        try:
            self._known = limit_file.of_home(self._host, self._name)
        except BadSetting as error:
            if str(error) != self._complained:
                self._complained = str(error)
                log.warning("the limits before hold: %s", error)
        return self._known


def judge(limits: Limits, spent: Spent, all_homes_usd: float) -> BudgetVerdict | None:
    """Return the verdict on a home's calls if a limit is reached (equal counts as reached).
    `all_homes_usd` 0: no limit."""
    if limits.calls is not None and spent.calls >= limits.calls:
        return BudgetVerdict("ceiling", "none", Sentence(CALLS_SPENT, calls=limits.calls))
    if limits.money is not None and spent.money >= limits.money:
        used_up = Sentence(MONEY_SPENT, most=limits.money, spent=spent.money)
        return BudgetVerdict("ceiling", "free_only", used_up)
    if all_homes_usd > 0 and spent.money_of_all >= all_homes_usd:
        return BudgetVerdict("ceiling", "free_only", Sentence(ALL_SPENT))
    return None


# -- turns of calls on one machine --
#
# A call holds a lock file for the host, and one for its home if that has its own limit. The kernel
# frees the locks when a process ends, so calls of the listener, of jobs and of a shell count
# together. Within a process the waiting homes take turns; conversations have priority.


FOLDER = Path("run") / "calls"

LOOK_SECONDS = 0.02  # seconds between checks whether another process has released a place
KEPT_SHARE = 4  # one place in this many is reserved for conversations (at least one of two or more)


@dataclass(eq=False)
class _Waiter:
    """A waiting call, with the limits of its home and of all homes (0: no limit)."""

    home: str
    reply: bool
    of_home: int
    of_host: int
    got: asyncio.Future[list[int]]


class CallTurns:
    """The waiting calls of one event loop."""

    def __init__(self, host: Path) -> None:
        self._folder = host / FOLDER
        self._waiting: tuple[dict[str, deque[_Waiter]], dict[str, deque[_Waiter]]] = ({}, {})
        """Waiting calls by home, next home first: conversations, and all others."""
        self._released = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None

    async def take(self, home: str, *, reply: bool, of_home: int, of_host: int, patience_s: float) -> list[int]:
        """Wait for a place, to be released by `give_back`. Raises TimeoutError."""
        waiter = _Waiter(home, reply, of_home, of_host, asyncio.get_running_loop().create_future())
        queue = self._waiting[0 if reply else 1]
        queue.setdefault(home, deque()).append(waiter)
        try:
            self._serve()
            if self._looking is None and not waiter.got.done():
                self._looking = asyncio.create_task(self._look(), name="turns of model calls")
            async with asyncio.timeout(patience_s):
                return await asyncio.shield(waiter.got)
        except BaseException:
            if waiter.got.done():  # granted just as the wait was cancelled
                self.give_back(waiter.got.result())
            else:
                self._drop(queue, waiter)
            raise

    def give_back(self, place: list[int]) -> None:
        """Release a place for the next call."""
        for handle in place:
            os.close(handle)
        self._released.set()

    async def _look(self) -> None:
        """Serve waiting calls until there are none."""
        try:
            while any(self._waiting):
                self._released.clear()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_SECONDS):
                        await self._released.wait()
                try:
                    self._serve()
                except OSError as error:  # such as too many open files: keep waiting
                    log.warning("whose model call is next cannot be judged: %s", in_words(error))
                    await asyncio.sleep(LOOK_SECONDS)
        finally:
            self._looking = None

    def _serve(self) -> None:
        """Give free places to waiting calls, one for each home in turn."""
        for queue in self._waiting:
            while self._round(queue):
                pass

    def _round(self, queue: dict[str, deque[_Waiter]]) -> bool:
        """Serve one call of each waiting home while places are free; True if more may follow."""
        served = False
        for home in list(queue):
            waiter = queue[home][0]
            of_host = self._hold(HOST, waiter.of_host, waiter.reply)
            if of_host is None:
                return False
            of_home = None
            try:
                of_home = self._hold(home, waiter.of_home, waiter.reply)
            finally:
                if of_home is None:
                    for handle in of_host:
                        os.close(handle)
            if of_home is None:
                continue
            waiter.got.set_result(of_host + of_home)
            self._drop(queue, waiter)
            if home in queue:  # queue the home's next call behind all other homes
                queue[home] = queue.pop(home)
            served = True
        return served

    def _hold(self, whose: str, most: int, reply: bool) -> list[int] | None:
        """Lock one of `most` places (0: no limit, no lock). Returns None when all are taken."""
        tries = (hold(self._folder / f"{whose}-{number}") for number in order_places(most, reply=reply))
        handle = next((one for one in tries if one is not None), None)
        if not most:
            return []
        return None if handle is None else [handle]

    def _drop(self, queue: dict[str, deque[_Waiter]], waiter: _Waiter) -> None:
        waiting = queue.get(waiter.home)
        if waiting is not None and waiter in waiting:
            waiting.remove(waiter)
            if not waiting:
                del queue[waiter.home]


_OF_LOOPS: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Path, CallTurns]] = weakref.WeakKeyDictionary()


def of_host(host: Path) -> CallTurns:
    """Return the turns of a host in the running event loop."""
    made = _OF_LOOPS.setdefault(asyncio.get_running_loop(), {})
    if host not in made:
        made[host] = CallTurns(host)
    return made[host]


def order_places(most: int, *, reply: bool) -> range:
    """Return the places that a call may take, in order of preference: replies to a user begin with
    the reserved ones."""
    if reply:
        return range(most - 1, -1, -1)
    kept = max(1, most // KEPT_SHARE) if most > 1 else 0
    return range(most - kept)
