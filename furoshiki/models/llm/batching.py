"""Batches: questions that no user waits for, answered at half the price.

A question is identified by the hash of its request. The hash is stored before the submission and
the batch id after it, so that a run after a crash finds the batch by its id, or by a search at the
provider. Results are reused for twelve hours.
"""

import hashlib
import json
import logging
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol, runtime_checkable

from furoshiki.core.database.connection import Database
from furoshiki.core.process.crash_points import point
from furoshiki.models.llm.failures import Failure
from furoshiki.models.llm.partial_answer import Hearing
from furoshiki.models.llm.plans import ModelRef
from furoshiki.models.llm.provider import Form, ModelOptions
from furoshiki.models.llm.store import batches
from furoshiki.models.llm.store.batches import HandedIn
from furoshiki.models.llm.values import Question

log = logging.getLogger(__name__)

FIRST_LOOK_S = 2.0
LONGEST_PAUSE_S = 60.0
SLOWER = 1.6  # seconds between polls of a batch: from 2 s, growing by this factor, up to 60 s
REUSED_FOR = timedelta(hours=12)  # how long the result of an identical request is reused
CLOCKS_APART = timedelta(minutes=5)  # tolerance between the provider's clock and the local one


@runtime_checkable
class Batching(Protocol):
    """A provider with batches. Its methods raise Failure."""

    def batch_request(self, model: str, question: Question, form: Form | None, manner: ModelOptions) -> dict[str, Any]:
        """Return the request for a batch; identical for identical questions."""

    async def hand_in(self, requests: Mapping[str, Mapping[str, Any]], mark: str) -> str:
        """Submit requests by key and return the batch id. `mark` identifies this submission."""

    async def batch_is_over(self, batch_id: str) -> bool: ...

    async def batch_results(self, batch_id: str) -> dict[str, Any]:
        """Return the result of each request in a batch, by key."""

    async def cancel_batch(self, batch_id: str) -> None:
        """Cancel a batch; requests already answered stay answered."""

    async def batches_since(self, at: datetime, mark: str) -> list[str]:
        """Return batches since a time that may belong to `mark`, oldest first."""

    async def hear_batched(self, result: Any, hearing: Hearing) -> None:
        """Fill `hearing` from a result."""


@dataclass(frozen=True)
class BatchQuestion:
    """A question in the form for a batch of one provider and model."""

    key: str
    ref: ModelRef
    purpose: str
    request: Mapping[str, Any]


def make_question(
    provider: Batching, ref: ModelRef, question: Question, form: Form | None, manner: ModelOptions
) -> BatchQuestion:
    """Return the question in the form for a batch, with its hash."""
    request = provider.batch_request(ref.model, question, form, manner)
    text = json.dumps([str(ref), request], sort_keys=True, ensure_ascii=False)
    key = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:40]
    return BatchQuestion(key, ref, question.purpose, request)


class Batches:
    """The batches of this data directory."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    async def hand_in(self, provider: Batching, questions: Sequence[BatchQuestion]) -> None:
        """Submit the questions of one provider that are not submitted yet. Raises Failure."""
        now = self._clock()
        new = {question.key: question for question in questions if not self._there(question.key)}
        if not new:
            return
        rows = [
            HandedIn(
                question.key, question.ref.provider, question.ref.model, question.purpose, "", "submitted", now, None
            )
            for question in new.values()
        ]
        with self._database.write() as db:
            batches.begin(db, rows)
        point("batches.begun")
        try:
            batch_id = await provider.hand_in({key: one.request for key, one in new.items()}, _mark(now))
        except Failure:
            self._settle(new, "failed")
            raise
        point("batches.handed_in")
        with self._database.write() as db:
            batches.mark_arrived(db, new, batch_id)
        point("batches.arrived")

    def is_paid(self, key: str) -> bool:
        """Return whether the stored answer to this question is already in the ledger."""
        found = self._find(key)
        return found is not None and found.state == "done" and self._there(key)

    async def result(
        self,
        provider: Batching,
        question: BatchQuestion,
        wait_s: float,
        sleep: Callable[[float], Awaitable[None]],
        ticks: Callable[[], float],
    ) -> Any:
        """Return the result; submits the question if needed. Raises Failure when not in time."""
        await self.hand_in(provider, [question])
        row = self._find(question.key)
        assert row is not None
        until = ticks() + wait_s
        if not row.external_id:  # a run crashed during the submission
            found = await self._search_batches(provider, row, until, sleep, ticks)
            if found is not None:
                return found
            self._settle([question.key], "failed")
            await self.hand_in(provider, [question])
            row = self._find(question.key)
            assert row is not None
        pause = FIRST_LOOK_S
        while not await _is_over(provider, row.external_id):
            if ticks() + pause >= until:
                return await self._too_late(provider, row, sleep)
            await sleep(pause)
            pause = min(LONGEST_PAUSE_S, pause * SLOWER)
        return self._of(await provider.batch_results(row.external_id), row)

    def failed(self, key: str) -> None:
        """Mark a result as unusable, so that the question is not asked in a batch again."""
        found = self._find(key)
        if found is not None and found.state == "submitted":
            self._settle([key], "failed")

    async def _search_batches(
        self,
        provider: Batching,
        row: HandedIn,
        until: float,
        sleep: Callable[[float], Awaitable[None]],
        ticks: Callable[[], float],
    ) -> Any:
        """Return the result from an unknown batch of the provider with this question, else None."""
        with self._database.read() as db:
            known = batches.list_known(db, row.provider)
        since = row.submitted_at - CLOCKS_APART
        left = [one for one in await provider.batches_since(since, _mark(row.submitted_at)) if one not in known]
        pause = FIRST_LOOK_S
        while left:
            for batch_id in list(left):
                if await _is_over(provider, batch_id):
                    left.remove(batch_id)
                    results = await provider.batch_results(batch_id)
                    if row.key in results:
                        with self._database.write() as db:
                            batches.mark_arrived(db, results, batch_id)  # the batch's other questions as well
                        return self._of(results, row)
            if left and ticks() + pause >= until:
                # possibly another user's batch of this account: do not cancel it, and do not ask
                # again
                raise Failure("timeout", "a batch that may hold the question is not done yet", reached=False)
            if left:
                await sleep(pause)
                pause = min(LONGEST_PAUSE_S, pause * SLOWER)
        return None

    async def _too_late(self, provider: Batching, row: HandedIn, sleep: Callable[[float], Awaitable[None]]) -> Any:
        """Cancel a batch, and return the result if it arrived meanwhile. Raises Failure."""
        await provider.cancel_batch(row.external_id)
        self._settle([row.key], "given_up")
        point("batches.cancelled")
        await sleep(FIRST_LOOK_S)
        if await _is_over(provider, row.external_id):
            results = await provider.batch_results(row.external_id)
            if row.key in results:
                return results[row.key]
        raise Failure("timeout", "the batch was not done in time", reached=False)

    def _of(self, results: Mapping[str, Any], row: HandedIn) -> Any:
        if row.key not in results:
            self._settle([row.key], "failed")
            raise Failure("garbage", "the batch came back without the question", reached=False)
        return results[row.key]

    def _there(self, key: str) -> bool:
        """Return whether a question is pending or was answered recently."""
        found = self._find(key)
        if found is None or found.state in ("failed", "given_up"):
            return False
        return found.finished_at is None or self._clock() - found.finished_at < REUSED_FOR

    def _find(self, key: str) -> HandedIn | None:
        with self._database.read() as db:
            return batches.find(db, key)

    def _settle(self, keys: Sequence[str] | Mapping[str, Any], state: batches.State) -> None:
        with self._database.write() as db:
            for key in keys:
                batches.settle(db, key, state, self._clock())


class Waiting:
    """One batched question with the interface of a provider: `say` fills the hearing."""

    def __init__(
        self,
        held: Batches,
        provider: Batching,
        question: BatchQuestion,
        sleep: Callable[[float], Awaitable[None]],
        ticks: Callable[[], float],
    ) -> None:
        self._held = held
        self._provider = provider
        self._batched = question
        self._sleep = sleep
        self._ticks = ticks
        self.paid = held.is_paid(question.key)
        """Whether an earlier run already recorded the answer's cost."""

    def load(self) -> None:
        """Does nothing: the provider is already loaded."""

    async def say(
        self, _model: str, question: Question, _form: Form | None, _manner: ModelOptions, hearing: Hearing
    ) -> None:
        """Wait for the result and read it. Raises Failure."""
        found = await self._held.result(self._provider, self._batched, question.batch_s, self._sleep, self._ticks)
        try:
            await self._provider.hear_batched(found, hearing)
        except Failure:
            self._held.failed(self._batched.key)
            raise

    async def aclose(self) -> None:
        """Does nothing."""


async def _is_over(provider: Batching, batch_id: str) -> bool:
    """Return whether a batch has ended; False after a temporary error."""
    try:
        return await provider.batch_is_over(batch_id)
    except Failure as failure:
        if not failure.worth_retrying:
            raise
        log.info("the batch %s could not be looked at: %s", batch_id, failure)
        return False


def _mark(at: datetime) -> str:
    return f"furoshiki-{math.floor(at.timestamp() * 1000)}"
