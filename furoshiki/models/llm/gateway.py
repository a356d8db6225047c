"""The gateway to the models: asks the models of a tier in order until one answers.

The built-in mind stands behind every plan, so that there is always an honest reply. Importing this
module loads only the standard library: SDKs, price list and pydantic are loaded in a thread on use.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Literal, Protocol

from furoshiki.core.catalogue import Sentence, join_sentences
from furoshiki.core.errors import NoMindAnswered
from furoshiki.models.llm.attempt import (
    TOO_LONG,
    Attempt,
    Breaker,
    Spending,
    allows,
    begin_call,
    record_failure,
    record_success,
    release,
)
from furoshiki.models.llm.batching import Batches, Batching, BatchQuestion, Waiting, make_question
from furoshiki.models.llm.catalogue import Catalogue
from furoshiki.models.llm.failures import Failure, safe_words
from furoshiki.models.llm.partial_answer import OnText
from furoshiki.models.llm.plans import REFLEX, ModelRef, Plan, Plans
from furoshiki.models.llm.prices import BATCH_SHARE, Cost, Prices
from furoshiki.models.llm.provider import Form, ModelOptions, Provider
from furoshiki.models.llm.quirks import Quirks
from furoshiki.models.llm.rules.adapting import adapt
from furoshiki.models.llm.rules.budget import BudgetLimits, BudgetVerdict, is_reply, judge
from furoshiki.models.llm.rules.refusals import Quirk
from furoshiki.models.llm.rules.spoken import Manner
from furoshiki.models.llm.values import Answer, CallRecord, Question, Tier, Usage

# why the built-in mind answers, so that it can say so
Why = Literal["no-model", "unreachable", "thinking", "budget", "ceiling"]

log = logging.getLogger(__name__)

# factor on the timeouts of streaming for batched answers, which have their own limit
NO_HURRY = 1e6

BATCH_SLACK_S = 120.0  # seconds for cancelling a batch and a last look, beyond the question's time

# tokens added for a model that used its answer's tokens for thinking: first, and at most
FIRST_ROOM, MOST_ROOM = 4_000, 16_000

# models that may begin with unmarked thoughts, until a first answer shows whether they do; partial
# answers are shown from the closing mark on
_THINKS = re.compile(r"think|reason|\br1\b|qwq|magistral", re.IGNORECASE)

FIRST_PAUSE_S = 0.6
# Seconds. Pauses between tries are random, from 0 to a bound that doubles (full jitter).
LONGEST_PAUSE_S = 8.0


class Reflex(Protocol):
    """The built-in mind. None: the question needs a model."""

    def __call__(self, question: Question, *, why: Why) -> Answer | None: ...


class OperatorLimits(Protocol):
    """The limits that the operator of a shared machine sets for a home."""

    def stops(self) -> BudgetVerdict | None:
        """Return the verdict on all calls while a limit is reached, else None."""

    def turn(self, *, reply: bool) -> AbstractAsyncContextManager[None]:
        """Hold a turn during a call. Raises Failure ("busy") when none is free in time."""


@dataclass(frozen=True)
class Around:
    """What surrounds a gateway in the program.

    `ledger` gets a record of each attempt that reached a provider; `spent_today` returns the
    ledger's US dollars of this UTC day; `heard` gets each model that answered (None) or finally
    failed. All run on the event loop and must be fast. `batches` handles batches (None: off);
    `operator` sets limits besides the owner's; `quirks` are learned restrictions of models (None:
    not persistent).
    """

    reflex: Reflex
    ledger: Callable[[CallRecord], None]
    spent_today: Callable[[], float]
    clock: Callable[[], datetime]
    rng: random.Random
    heard: Callable[[ModelRef, Failure | None], None] = lambda _ref, _failure: None
    batches: Batches | None = None
    operator: OperatorLimits | None = None
    quirks: Quirks | None = None


class Gateway:
    """All models of all tiers. One for each process; used from one event loop."""

    def would_cost(self, tier: Tier, usage: Usage) -> Cost | None:
        """Return the cost of these tokens with a tier's first model; None without a model."""
        plan = self.plans.by_tier[tier]
        return self.prices.cost(plan.models[0], usage, ttl="5m", at=self._around.clock()) if plan.has_model else None

    def __init__(
        self,
        plans: Plans,
        providers: Mapping[str, Provider],
        around: Around,
        *,
        limits: BudgetLimits,
        catalogue: Catalogue,
        prices: Prices,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        """Set up the gateway. `limits` may be reassigned."""
        self.plans = plans
        self._providers = providers
        self._around = around
        self.limits = limits
        self._catalogue = catalogue
        self.prices = prices
        self.quirks = around.quirks or Quirks(around.clock)
        self._sleep = sleep
        self._ticks = ticks
        self.companion = ""
        """The companion's name, so that it is recognized as a label of an answer."""
        self._breakers: dict[ModelRef, Breaker] = {}
        self._last_words: dict[ModelRef, str] = {}
        self._loaded: set[str] = set()
        self._loading = asyncio.Lock()

    async def ask(self, question: Question, on_text: OnText | None = None) -> Answer:
        """Return the answer of the first model that succeeds, or of the built-in mind.

        `on_text` gets the whole text so far; after a failure it starts over. It is not called for
        typed answers or the built-in mind. Raises AnswerUnusable when a typed answer is invalid
        twice, and NoMindAnswered when the built-in mind cannot answer either. On cancellation the
        stream is closed and the cost is in the ledger.
        """
        verdict, spending = self.verdict(question.purpose), Spending()
        form = _form(question)
        if form is None:
            return await self._ask(_Wish(question, None, on_text, verdict, spending))
        from furoshiki.models.llm.structured import ask_typed

        return await ask_typed(question, lambda asked: self._ask(_Wish(asked, form, None, verdict, spending)))

    async def hand_in(self, questions: Sequence[Question]) -> None:
        """Submit batchable questions together, so that their answers arrive sooner.
        Does nothing when batches are off; on failure the questions are asked normally. Raises no
        Failure."""
        by_provider: dict[str, list[BatchQuestion]] = {}
        for question in questions:
            verdict = self.verdict(question.purpose)
            plan, models = self._list_allowed(_Wish(question, None, None, verdict, Spending()))
            for ref in models[:1]:
                one = await self._batchable(ref, plan.tier, question, _form(question))
                if one is not None:
                    by_provider.setdefault(ref.provider, []).append(one)
        for name, some in by_provider.items():
            provider = self._providers[name]
            assert self._around.batches is not None and isinstance(provider, Batching)
            try:
                await self._around.batches.hand_in(provider, some)
            except Failure as failure:
                log.info("%s takes no batch: %s", name, failure)

    def verdict(self, purpose: str) -> BudgetVerdict:
        """Return the state of the day's budget for a purpose, with a reason for the user."""
        stopped = None if self._around.operator is None else self._around.operator.stops()
        return stopped or judge(purpose, self._around.spent_today(), self.limits)

    async def warm(self, tier: Tier = "chat") -> None:
        """Load the SDKs of a tier in a thread, before they are needed. Never fails."""
        for ref in self.plans.by_tier[tier].models:
            if ref == REFLEX:
                continue
            try:
                await self._load_provider(ref)
            except Failure:
                continue  # reported and handled at the first question

    async def aclose(self) -> None:
        """Close all connections."""
        for provider in self._providers.values():
            await provider.aclose()

    async def _ask(self, wish: _Wish) -> Answer:
        plan, models = self._list_allowed(wish)
        failed, partial = list(wish.question.given_up), None
        for ref in [] if failed else models:
            if not allows(self._breakers.get(ref, Breaker()), self._ticks()):
                after = self._last_words.get(ref, Sentence("failures"))
                failed.append(Sentence("{model}: paused for now, after: {why}", model=str(ref), why=after))
                continue
            try:
                answer = await self._try(ref, plan.tier, wish)
            except Failure as failure:
                failed.append(Sentence("{model}: {why}", model=str(ref), why=failure.message))
                partial = failure.partial or partial
                if failure.kind == "busy":
                    break  # no model may be called now
                self._around.heard(ref, failure)
            else:
                self._around.heard(ref, None)
                return wish.settled(answer, failed)
        if partial is not None:
            return wish.settled(partial, failed)
        return self._answer_by_rules(wish, _why(wish, plan, failed), failed)

    def _list_allowed(self, wish: _Wish) -> tuple[Plan, list[ModelRef]]:
        """Return the plan that the budget allows for a question, and its models."""
        allowance = wish.verdict.allowance
        plan = self.plans.cheapest if allowance == "cheapest" else self.plans.by_tier[wish.question.tier]
        models = [ref for ref in plan.models if ref != REFLEX and allowance != "none"]
        if allowance == "free_only":
            models = [ref for ref in models if self.prices.is_free(ref, self._around.clock())]
        return plan, models

    async def _try(self, ref: ModelRef, tier: Tier, wish: _Wish) -> Answer:
        """Ask one model, with repetitions as time allows. Raises the last Failure."""
        provider = await self._load_provider(ref)
        batched = await self._in_batch(ref, tier, wish)
        if batched is not None:
            return batched
        tries, stretch = self._catalogue.patience.tries, self._stretch(ref)
        deadline = self._ticks() + wish.question.timeout_s * stretch
        for number in range(1, tries + 1):
            asked_at = self._ticks()
            async with self.turn(wish.question.purpose):
                deadline += self._ticks() - asked_at  # waiting for a turn does not count
                self._breakers[ref] = begin_call(self._breakers.get(ref, Breaker()), self._ticks())
                patience, manner = self._catalogue.patience, self._catalogue.manner(str(ref), tier)
                read_as = self._read_as(ref, wish.question)
                attempt = Attempt(
                    ref, wish.question, tier, wish.on_text, patience, stretch, self._ticks, self.quirks, read_as
                )
                try:
                    answer = await attempt.run(provider, wish.form, manner, deadline)
                except Failure as failure:
                    self._judge_provider(ref, failure)
                    pause = self._pause(failure, number)
                    if failure.kind == "thinking" and not self._grow_room(ref, manner):
                        raise
                    spent = self._ticks() - (deadline - wish.question.timeout_s * stretch)
                    hung = failure.kind == "timeout" and spent > wish.question.timeout_s / 2
                    if hung or pause is None or number == tries or self._ticks() + pause >= deadline:
                        raise
                except BaseException:
                    # cancelled, or the listener failed: no information on the provider
                    self._breakers[ref] = release(self._breakers[ref])
                    raise
                else:
                    self._breakers[ref] = record_success(self._breakers[ref])
                    if attempt.opened_late not in (None, read_as.opens_late):
                        self.quirks.learn(ref, Quirk("opens_late", int(not read_as.opens_late)))
                    return answer
                finally:
                    self._enter(attempt, wish)
            await self._sleep(pause)
        raise AssertionError("a plan allows at least one try")

    def _read_as(self, ref: ModelRef, question: Question) -> Manner:
        """Return how a model's answer to a question is parsed."""
        said = [message.text for message in reversed(question.messages) if message.role == "user"]
        heard = next((text for text in said if "<message>" in text), said[0] if said else "")
        return Manner(
            {tool.name: tool.schema for tool in question.tools},
            heard.partition("<message>")[2] or heard,
            self.companion,
            form=question.answer is not None,
            plain=question.plain,
            opens_late=bool(self.quirks.of(ref).get("opens_late", _THINKS.search(ref.model) is not None)),
        )

    def turn(self, purpose: str) -> AbstractAsyncContextManager[None]:
        """Hold one of the home's simultaneous calls. Raises Failure ("busy")."""
        if self._around.operator is None:
            return nullcontext()
        return self._around.operator.turn(reply=is_reply(purpose))

    def enter(self, record: CallRecord) -> None:
        """Add a call made by other code to the ledger."""
        self._around.ledger(record)

    async def _batchable(
        self, ref: ModelRef, tier: Tier, question: Question, form: Form | None
    ) -> BatchQuestion | None:
        """Return the question for a batch; None where impossible or of no advantage."""
        if self._around.batches is None or question.batch_s <= 0 or "batches" not in ref.spec.its_own:
            return None
        if self.prices.is_free(ref, self._around.clock()):
            return None
        try:
            provider = await self._load_provider(ref)
        except Failure:
            return None  # reported and handled when the question is asked
        if not isinstance(provider, Batching):
            return None
        quirks = self.quirks.of(ref)
        manner = self._catalogue.manner(str(ref), tier).heeding(quirks)
        return make_question(provider, ref, adapt(question, quirks), form, manner)

    async def _in_batch(self, ref: ModelRef, tier: Tier, wish: _Wish) -> Answer | None:
        """Return the answer from a batch; None when not in time, so that it is asked normally."""
        question = await self._batchable(ref, tier, wish.question, wish.form)
        if question is None or self._around.batches is None:
            return None
        provider = self._providers[ref.provider]
        assert isinstance(provider, Batching)
        waiting = Waiting(self._around.batches, provider, question, self._sleep, self._ticks)
        patience = self._catalogue.patience
        read_as = self._read_as(ref, wish.question)
        attempt = Attempt(ref, wish.question, tier, None, patience, NO_HURRY, self._ticks, self.quirks, read_as)
        deadline = self._ticks() + wish.question.batch_s + BATCH_SLACK_S
        try:
            return await attempt.run(waiting, wish.form, ModelOptions(), deadline)
        except Failure as failure:
            log.info("%s is asked at once, not in a batch: %s", ref, failure)
            return None
        finally:
            self._enter_batched(attempt, wish, question.key, paid=waiting.paid)

    def _enter_batched(self, attempt: Attempt, wish: _Wish, key: str, *, paid: bool) -> None:
        """Record a batched answer in the ledger once, if there is one."""
        at = self._around.clock()
        record = attempt.record(partial(self.prices.cost, attempt.ref, ttl="5m", at=at, share=BATCH_SHARE))
        if record is not None and record.usage != Usage() and not paid:
            record = replace(record, batch=key)
            wish.spending.add(record)
            self._around.ledger(record)

    def _enter(self, attempt: Attempt, wish: _Wish) -> None:
        """Record an attempt in the ledger, however it ended."""
        ttl, at = wish.question.cache_ttl, self._around.clock()
        record = attempt.record(partial(self.prices.cost, attempt.ref, ttl=ttl, at=at))
        if record is not None:
            wish.spending.add(record)
            self._around.ledger(record)

    def _grow_room(self, ref: ModelRef, manner: ModelOptions) -> bool:
        """Add tokens for a model's thoughts, permanently; False at the maximum."""
        room = manner.heeding(self.quirks.of(ref)).room
        if room >= MOST_ROOM:
            return False
        self.quirks.learn(ref, Quirk("room", min(max(FIRST_ROOM, room * 4), MOST_ROOM)))
        return True

    def _stretch(self, ref: ModelRef) -> float:
        """Return the factor on timeouts; above 1 for local models."""
        return self._catalogue.patience.at_home if self.prices.is_home(ref, self._around.clock()) else 1.0

    async def _load_provider(self, ref: ModelRef) -> Provider:
        """Return the provider, after loading it once in a thread because of its CPU time."""
        provider = self._providers.get(ref.provider)
        if provider is None:
            raise Failure("missing", f"the provider {ref.provider} is not set up", reached=False)
        if ref.provider not in self._loaded:
            async with self._loading:
                try:
                    await asyncio.to_thread(provider.load)
                except Failure:
                    raise
                except Exception as error:  # the SDK may raise anything
                    why = safe_words(error) or type(error).__name__
                    raise Failure("client", f"its client cannot be made: {why}", reached=False) from error
                if ref.spec.by_net:
                    await asyncio.to_thread(self.prices.load)
                self._loaded.add(ref.provider)
        return provider

    def _judge_provider(self, ref: ModelRef, failure: Failure) -> None:
        before = self._breakers[ref]
        self._last_words[ref] = failure.message
        if not failure.blames_provider:
            self._breakers[ref] = release(before)
            return
        rest = failure.rest_s
        waited_for = failure.retry_after_s is not None and rest == failure.retry_after_s
        if waited_for and rest is not None and rest <= self._catalogue.patience.longest_retry_after_s:
            rest = None  # such a short wait fits between two tries
        self._breakers[ref] = record_failure(before, self._ticks(), rest_s=rest)

    def _pause(self, failure: Failure, number: int) -> float | None:
        """Return the seconds before the next try at the same model; None: no further try."""
        seldom = failure.kind in ("timeout", "empty") or (failure.kind != "thinking" and failure.partial is not None)
        if not failure.worth_retrying or (seldom and number >= 2):
            return None
        if failure.kind == "thinking":
            return 0.0
        bound = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** (number - 1))
        jitter = self._around.rng.uniform(0.0, bound)
        if failure.retry_after_s is None:
            return jitter
        if failure.retry_after_s > self._catalogue.patience.longest_retry_after_s:
            return None
        return failure.retry_after_s + jitter

    def _answer_by_rules(self, wish: _Wish, why: Why, failed: list[str]) -> Answer:
        question = wish.question
        answer = self._around.reflex(question, why=why)
        if answer is None or (question.answer is not None and answer.parsed is None):
            none = Sentence(
                "no model is set up for {tier}; set ANTHROPIC_API_KEY or FUROSHIKI_MODEL_CHAT", tier=question.tier
            )
            reasons = {"no-model": none, "budget": wish.verdict.reason, "ceiling": wish.verdict.reason}
            reason = reasons[why] if why in reasons else join_sentences(failed)
            needed = Sentence("{purpose} needs a language model: {why}", purpose=question.purpose, why=reason)
            raise NoMindAnswered(needed, away=why != "no-model")
        return wish.settled(answer, failed)


def _why(wish: _Wish, plan: Plan, failed: Sequence[str]) -> Why:
    if failed:
        return "thinking" if TOO_LONG in failed[-1] else "unreachable"
    if not plan.has_model:
        return "no-model"
    return "ceiling" if wish.verdict.standing == "ceiling" else "budget"


def _form(question: Question) -> Form | None:
    if question.answer is None:
        return None
    from furoshiki.models.llm.structured import form_of

    return form_of(question.answer)


@dataclass(frozen=True)
class _Wish:
    """A question being answered: format, budget verdict, and cost so far."""

    question: Question
    form: Form | None
    on_text: OnText | None
    verdict: BudgetVerdict
    spending: Spending

    def settled(self, answer: Answer, failed: list[str]) -> Answer:
        """Return the answer with its failures, budget state and total cost."""
        return replace(
            answer,
            fallbacks=tuple(failed),
            standing=self.verdict.standing,
            usage=self.spending.usage,
            cost_usd=self.spending.cost_usd,
        )
