"""The operator's limits of one home, applied to its model calls: money, calls, and turns.

They are separate from the owner's budget, and no setting of the home can raise them. The owner's
budget lets every reply through, as the owner pays for it; these limits do not.
"""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path

from furoshiki.core.catalogue import Sentence, later
from furoshiki.core.errors import BadSetting
from furoshiki.models.limits import call_turns, limit_file, spending
from furoshiki.models.limits.values import Limits, Spent
from furoshiki.models.llm.failures import Failure
from furoshiki.models.llm.rules.budget import BudgetVerdict

log = logging.getLogger(__name__)

PATIENCE_S = {True: 60.0, False: 30.0}
"""Seconds to wait for a turn: True for replies to a user, False for other calls."""

_AND_THEN = "until midnight UTC I answer with what costs nothing"
_WHO = "the person who looks after the machine I live on"

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
        turns = call_turns.of_host(self._host)
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
        return BudgetVerdict(
            "ceiling",
            "none",
            f"The {limits.calls} calls to models a day that {_WHO} allows me are used up: until midnight UTC I answer "
            "without a model.",
        )
    if limits.money is not None and spent.money >= limits.money:
        return _costly(f"The ${limits.money:.2f} a day that {_WHO} allows me are spent (${spent.money:.2f})")
    if all_homes_usd > 0 and spent.money_of_all >= all_homes_usd:
        return _costly(f"What {_WHO} allows all its companions together in a day is spent")
    return None


def _costly(what: str) -> BudgetVerdict:
    return BudgetVerdict("ceiling", "free_only", f"{what}: {_AND_THEN}.")
