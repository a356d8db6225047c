"""Takes updates from Telegram and acknowledges only stored ones.

getUpdates → one transaction stores the batch → the next getUpdates carries the offset that confirms
it. The offset is a receipt, not a position: it is sent once, for a batch that was just stored, and
never kept across a pause or a restart. Telegram may restart its ids after a week of silence, and an
old offset would then drop updates with lower ids. An update that is read twice meets its own row in
the inbox.
"""

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from furoshiki.channels.telegram import outcomes
from furoshiki.channels.telegram.access import Received
from furoshiki.channels.telegram.bot import Client
from furoshiki.channels.telegram.timings import Pace
from furoshiki.channels.telegram.updates import WANTED, Me, number_of
from furoshiki.core import numbers
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.process.crash_points import point

log = logging.getLogger(__name__)

# seconds: an empty answer that comes sooner did not wait as requested; we then wait ourselves
AT_ONCE = 0.2

AWAY_AFTER = 3  # consecutive failed polls after which the operator is told
CALM = 4  # how many times the conflict wait must pass without another conflict until it is over

CONFLICTING, REFUSED = "telegram.conflict", "telegram.token"
CONFLICT = (
    "another program is receiving this bot's messages, so some never get here: stop it (perhaps "
    "a second Furoshiki with the same TELEGRAM_BOT_TOKEN), or make a new token with @BotFather "
    "(/revoke)"
)
UNACCEPTED = (
    "Telegram refused TELEGRAM_BOT_TOKEN ({why}): copy the token again from @BotFather. It is asked again now and then"
)
AWAY = "Telegram cannot be reached: {why}; check the network, and TELEGRAM_API_URL. It is tried on"

# tells the operator: a name for the trouble, and a sentence about it; None when it is over
Alert = Callable[[str, str | None], None]


# stores a batch for good, or raises StorageUnavailable: until then Telegram keeps it
Store = Callable[[list[Mapping[str, Any]], Me], Awaitable[Received]]


class Poller:
    """The only poller of a bot: `store` stores a batch, then `on_taken` is called in the loop."""

    def __init__(
        self,
        client: Client,
        store: Store,
        rng: random.Random,
        on_taken: Callable[[Received], None],
        alert: Alert,
        pace: Pace | None = None,
    ) -> None:
        self._client = client
        self._store = store
        self._rng = rng
        self._on_taken = on_taken
        self._alert = alert
        self._pace = pace or Pace()
        self._receipt: int | None = None
        self._failures = 0
        self._conflict_at: float | None = None
        self._on_record = {CONFLICTING, "telegram.away", REFUSED}
        """Recorded troubles that are not over, perhaps from an earlier process."""
        self.me: Me | None = None

    @property
    def hears(self) -> bool:
        """Whether updates come in: no outage, and no other program that polls."""
        return self.me is not None and self._failures < AWAY_AFTER and self._conflict_at is None

    async def run(self) -> None:
        """Poll until cancelled, through outages and refusals (a server's error looks like one)."""
        while self.me is None:
            self.me = self._read_bot(await self._client.call("GetMe"))
            await asyncio.sleep(0 if self.me else self._wait)
        while True:
            began = time.monotonic()
            outcome = await self._poll()
            if not isinstance(outcome, outcomes.Delivered):
                self._note(outcome)
                if isinstance(outcome, outcomes.Conflict) and "webhook" in outcome.description.lower():
                    await self._client.call("DeleteWebhook")  # from an earlier use; drops nothing
                await asyncio.sleep(self._wait)
                continue
            self._on_recovered()
            self._receipt = None
            if outcome.result:
                await self._take(outcome.result, self.me)
            elif time.monotonic() - began < AT_ONCE:
                await asyncio.sleep(AT_ONCE)

    async def _poll(self) -> outcomes.Outcome:
        return await self._client.call(
            "GetUpdates",
            offset=self._receipt,
            timeout=self._pace.poll,
            allowed_updates=WANTED,
            timeout_s=self._pace.poll + self._pace.poll_grace,
        )

    async def _take(self, batch: list[Mapping[str, Any]], me: Me) -> None:
        """Store a batch, retrying until the storage accepts it: until then Telegram keeps it."""
        failures = 0
        while True:
            try:
                taken = await self._store(batch, me)
                break
            except StorageUnavailable as error:
                failures += 1
                log.warning("updates cannot be stored yet: %s", error)
                await asyncio.sleep(self._pace.backoff(failures, 5.0, self._rng))
        point("inbox.stored")
        self._receipt = max((number_of(update) for update in batch), default=0) + 1
        self._on_taken(taken)

    def _read_bot(self, outcome: outcomes.Outcome) -> Me | None:
        if isinstance(outcome, outcomes.Delivered):
            self._on_recovered()
            return Me(numbers.require_int(outcome.result["id"]), str(outcome.result.get("username") or ""))
        self._note(outcome)
        return None

    def _note(self, outcome: outcomes.Outcome) -> None:
        """Count a failure, report lasting ones, and set the wait."""
        self._failures += 1
        refused = isinstance(outcome, outcomes.Unauthorized)
        if isinstance(outcome, outcomes.Conflict):
            self._wait = self._pace.conflict
            if self._conflict_at is None:
                self._tell(CONFLICTING, CONFLICT)
            self._conflict_at = time.monotonic()
            return
        most = self._pace.refused_most if refused else self._pace.retry_most
        self._wait = self._pace.backoff(self._failures, most, self._rng)
        if isinstance(outcome, outcomes.RetryAfter):
            self._wait = outcome.seconds
        if self._failures == 1:
            log.warning("Telegram does not answer: %s; trying on", outcomes.for_logs(outcome))
        if refused and self._failures >= AWAY_AFTER:
            self._tell(REFUSED, UNACCEPTED.format(why=outcomes.in_words(outcome)))
        elif self._failures == AWAY_AFTER:
            self._tell("telegram.away", AWAY.format(why=outcomes.in_words(outcome)))

    def _tell(self, kind: str, words: str) -> None:
        self._on_record.add(kind)
        self._alert(kind, words)

    def _on_recovered(self) -> None:
        if self._failures:
            log.info("Telegram answers again after %d tries", self._failures)
        self._failures = 0
        self._wait = 0.0
        # two polling programs take turns: one success does not mean that the other is gone
        shared = self._conflict_at is not None and time.monotonic() - self._conflict_at < CALM * self._pace.conflict
        if not shared:
            self._conflict_at = None
        for kind in sorted(self._on_record - ({CONFLICTING} if shared or self.me is None else set())):
            self._on_record.discard(kind)
            self._alert(kind, None)

    _wait: float = 0.0
