"""The limits of one home as its models meet them: is money or a number of calls used up, and whose turn is it to ask.

They are the operator's, beside the owner's own budget: no setting in a home can raise them. The owner's budget lets
every reply through, since the owner would rather pay a cent than be ignored; here it is not the owner who pays.
"""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path

from furoshiki.core.catalogue import Sentence, later
from furoshiki.core.errors import BadSetting
from furoshiki.models.limits import call_turns, limit_file, spending
from furoshiki.models.limits.rules import stops
from furoshiki.models.limits.values import Limits, Spent
from furoshiki.models.llm.failures import Failure
from furoshiki.models.llm.rules.budget import BudgetVerdict

log = logging.getLogger(__name__)

PATIENCE_S = {True: 60.0, False: 30.0}
"""How long an answer that somebody waits for, and anything else, waits for its turn."""

BUSY = later("as many models are asked as the operator of this machine allows at the same moment")


class HomeLimits:
    """One for each World of a home. `usd_of_all` and `at_once` are the host's own settings and may be reassigned."""

    def __init__(
        self,
        home: Path,
        host: Path,
        clock: Callable[[], datetime],
        used: Callable[[], tuple[float, int]],
    ) -> None:
        """`used` says the dollars and the calls of this UTC day in the home's own ledger."""
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
        """The verdict on every call while a limit is reached; None while none is."""
        limits = self._limits()
        if limits.money is None and limits.calls is None and not self.usd_of_all:
            return None
        usd, calls = self._used()
        of_all = self._spending.of_all(self._clock()) if self.usd_of_all else 0.0
        return stops.judge(limits, Spent(usd, calls, of_all), self.usd_of_all)

    def paid(self, usd: float) -> None:
        """Count what a call has cost."""
        self._spending.add(self._name, usd, self._clock())

    @asynccontextmanager
    async def turn(self, *, reply: bool) -> AsyncIterator[None]:
        """Held while a model is asked. Raises Failure ("busy") when it is not this home's turn in time."""
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
        """What holds now; where no limits could ever be read, those this home knew, and the log says so once."""
        try:
            self._known = limit_file.of_home(self._host, self._name)
        except BadSetting as error:
            if str(error) != self._complained:
                self._complained = str(error)
                log.warning("the limits before hold: %s", error)
        return self._known
