"""Asks a question of the models planned for its tier, one after the other, until one of them answers.

The built-in reflex mind stands behind every plan, so that there is always an honest line. Importing this module costs
only the standard library: kits, price list and pydantic are loaded in a thread at the first question that needs them.
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
from furoshiki.models.llm.attempt import TOO_LONG, Attempt, Spending
from furoshiki.models.llm.batching import Batches, Batching, BatchQuestion, Waiting, make_question
from furoshiki.models.llm.catalogue import Catalogue
from furoshiki.models.llm.failures import Failure, safe_words
from furoshiki.models.llm.partial_answer import OnText
from furoshiki.models.llm.plans import REFLEX, ModelRef, Plan, Plans
from furoshiki.models.llm.prices import BATCH_SHARE, Cost, Prices
from furoshiki.models.llm.provider import Form, ModelOptions, Provider
from furoshiki.models.llm.quirks import Quirks
from furoshiki.models.llm.rules import circuit_breaker
from furoshiki.models.llm.rules.adapting import adapt
from furoshiki.models.llm.rules.budget import BudgetLimits, BudgetVerdict, is_reply, judge
from furoshiki.models.llm.rules.circuit_breaker import Breaker
from furoshiki.models.llm.rules.refusals import Quirk
from furoshiki.models.llm.rules.spoken import Manner
from furoshiki.models.llm.values import Answer, CallRecord, Question, Tier, Usage

Why = Literal["no-model", "unreachable", "thinking", "budget", "ceiling"]
"""Why the built-in mind has to answer, so that it can be frank about it."""

log = logging.getLogger(__name__)

NO_HURRY = 1e6
"""By so much the patience with an answer that streams is stretched for one in a batch, which has a limit of its own."""

BATCH_SLACK_S = 120.0
"""What cancelling a batch and looking once more may take beyond the time a question has."""

FIRST_ROOM, MOST_ROOM = 4_000, 16_000
"""Tokens for the thoughts of a model that spent those for its answer on them; not enough, it gets the more."""

_THINKS = re.compile(r"think|reason|\br1\b|qwq|magistral", re.IGNORECASE)
"""Models that may begin with thoughts that nothing opens, until one answer has shown whether they do: their growing
answers are shown from the closing mark on."""

FIRST_PAUSE_S = 0.6
LONGEST_PAUSE_S = 8.0
"""Between tries the wait is drawn evenly from nothing up to a bound that doubles: many clients never meet again."""


class Reflex(Protocol):
    """The built-in mind. None means that this question cannot be answered without a model."""

    def __call__(self, question: Question, *, why: Why) -> Answer | None: ...


class OperatorLimits(Protocol):
    """What the operator of a machine allows a home that shares it with others."""

    def stops(self) -> BudgetVerdict | None:
        """The verdict on every call while a limit of the operator's is reached; None while none is."""
        ...

    def turn(self, *, reply: bool) -> AbstractAsyncContextManager[None]:
        """Held while a model is asked. Raises Failure ("busy") when none is free in time."""
        ...


class Gateway:
    """All models of all tiers. One per process; used from one event loop."""

    def would_cost(self, tier: Tier, usage: Usage) -> Cost | None:
        """What so many tokens would cost at the first model of a tier; None where only the built-in mind answers."""
        plan = self.plans.by_tier[tier]
        return self.prices.cost(plan.models[0], usage, ttl="5m", at=self._clock()) if plan.has_model else None

    def __init__(
        self,
        plans: Plans,
        providers: Mapping[str, Provider],
        *,
        reflex: Reflex,
        ledger: Callable[[CallRecord], None],
        spent_today: Callable[[], float],
        limits: BudgetLimits,
        clock: Callable[[], datetime],
        rng: random.Random,
        catalogue: Catalogue,
        prices: Prices,
        heard: Callable[[ModelRef, Failure | None], None] = lambda _ref, _failure: None,
        batches: Batches | None = None,
        operator: OperatorLimits | None = None,
        quirks: Quirks | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        """`ledger` gets one record for every attempt that reached a provider; `spent_today` says how many dollars
        the ledger holds for this UTC day; `heard` gets each model that answered (None) or at last did not. All are
        called on the event loop and must be quick. `limits` may be reassigned while running. `batches` holds what
        is answered in batches; None: nothing is. `operator` sets limits beside the owner's; None: nobody does. `quirks`
        are what models were found to do without; None: they are forgotten with the process."""
        self.plans = plans
        self._providers = providers
        self._reflex = reflex
        self._ledger = ledger
        self._spent_today = spent_today
        self.limits = limits
        self._clock = clock
        self._rng = rng
        self._catalogue = catalogue
        self.prices = prices
        self._heard = heard
        self._batches = batches
        self._operator = operator
        self.quirks = quirks or Quirks(clock)
        self._sleep = sleep
        self._ticks = ticks
        self.companion = ""
        """The companion's, so that a label with it is known."""
        self._breakers: dict[ModelRef, Breaker] = {}
        self._last_words: dict[ModelRef, str] = {}
        self._loaded: set[str] = set()
        self._loading = asyncio.Lock()

    async def ask(self, question: Question, on_text: OnText | None = None) -> Answer:
        """The answer of the first model that gives one, or the built-in mind's.

        `on_text` is told the whole text so far; after a failure in the middle it starts again from the new beginning.
        It is not called for typed answers, nor by the built-in mind. Raises AnswerUnusable when a typed answer does
        not fit twice, NoMindAnswered when the built-in mind cannot help either. When cancelled, the stream is closed
        and what was spent is in the ledger.
        """
        verdict, spending = self.verdict(question.purpose), Spending()
        if question.answer is None:
            return await self._ask(_Wish(question, None, on_text, verdict, spending))
        from furoshiki.models.llm.structured import ask_typed, form_of

        form = form_of(question.answer)
        return await ask_typed(question, lambda asked: self._ask(_Wish(asked, form, None, verdict, spending)))

    async def hand_in(self, questions: Sequence[Question]) -> None:
        """Hand in together what may be answered in a batch, so that each has its answer sooner when it is asked.

        Nothing where batches are off; what cannot be handed in is asked as ever. Never raises a Failure.
        """
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
            assert self._batches is not None and isinstance(provider, Batching)
            try:
                await self._batches.hand_in(provider, some)
            except Failure as failure:
                log.info("%s takes no batch: %s", name, failure)

    def verdict(self, purpose: str) -> BudgetVerdict:
        """How the day's budget stands for a purpose, in words for the user."""
        stopped = None if self._operator is None else self._operator.stops()
        return stopped or judge(purpose, self._spent_today(), self.limits)

    async def warm(self, tier: Tier = "chat") -> None:
        """Load the kits of a tier's providers in a thread, before somebody waits for them. Never fails."""
        for ref in self.plans.by_tier[tier].models:
            if ref == REFLEX:
                continue
            try:
                await self._load_provider(ref)
            except Failure:
                continue  # said again, and dealt with, at the first question

    async def aclose(self) -> None:
        """Close every connection."""
        for provider in self._providers.values():
            await provider.aclose()

    async def _ask(self, wish: _Wish) -> Answer:
        plan, models = self._list_allowed(wish)
        failed, partial = list(wish.question.given_up), None
        for ref in [] if failed else models:
            if not circuit_breaker.allows(self._breakers.get(ref, Breaker()), self._ticks()):
                after = self._last_words.get(ref, Sentence("failures"))
                failed.append(Sentence("{model}: left alone for now, after: {why}", model=str(ref), why=after))
                continue
            try:
                answer = await self._try(ref, plan.tier, wish)
            except Failure as failure:
                failed.append(Sentence("{model}: {why}", model=str(ref), why=failure.message))
                partial = failure.partial or partial
                if failure.kind == "busy":
                    break  # it was not asked, and no other would have been
                self._heard(ref, failure)
            else:
                self._heard(ref, None)
                return wish.settled(answer, failed)
        if partial is not None:
            return wish.settled(partial, failed)
        return self._answer_by_rules(wish, _why(wish, plan, failed), failed)

    def _list_allowed(self, wish: _Wish) -> tuple[Plan, list[ModelRef]]:
        """The plan the budget leaves for a question, and the models of it that may be asked."""
        allowance = wish.verdict.allowance
        plan = self.plans.cheapest if allowance == "cheapest" else self.plans.by_tier[wish.question.tier]
        models = [ref for ref in plan.models if ref != REFLEX and allowance != "none"]
        if allowance == "free_only":
            models = [ref for ref in models if self.prices.is_free(ref, self._clock())]
        return plan, models

    async def _try(self, ref: ModelRef, tier: Tier, wish: _Wish) -> Answer:
        """Ask one model, several times if it is worth it and the question's time allows. Raises the last Failure."""
        provider = await self._load_provider(ref)
        batched = await self._in_batch(ref, tier, wish)
        if batched is not None:
            return batched
        tries, stretch = self._catalogue.patience.tries, self._stretch(ref)
        deadline = self._ticks() + wish.question.timeout_s * stretch
        for number in range(1, tries + 1):
            asked_at = self._ticks()
            async with self.turn(wish.question.purpose):
                deadline += self._ticks() - asked_at  # waiting for others is not this model's fault
                self._breakers[ref] = circuit_breaker.begin_call(self._breakers.get(ref, Breaker()), self._ticks())
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
                    # cancelled, or our listener failed: nothing was learnt about the provider
                    self._breakers[ref] = circuit_breaker.release(self._breakers[ref])
                    raise
                else:
                    self._breakers[ref] = circuit_breaker.record_success(self._breakers[ref])
                    if attempt.opened_late not in (None, read_as.opens_late):
                        self.quirks.learn(ref, Quirk("opens_late", int(not read_as.opens_late)))
                    return answer
                finally:
                    self._enter(attempt, wish)
            await self._sleep(pause)
        raise AssertionError("a plan allows at least one try")

    def _read_as(self, ref: ModelRef, question: Question) -> Manner:
        """How a model's answer to a question is read."""
        said = [one.text for one in reversed(question.messages) if one.role == "user"]
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
        """Hold one of the calls that a home's operator allows at the same moment. Raises Failure ("busy")
        when none is free in time."""
        if self._operator is None:
            return nullcontext()
        return self._operator.turn(reply=is_reply(purpose))

    def enter(self, record: CallRecord) -> None:
        """Write a call into the ledger that was made elsewhere."""
        self._ledger(record)

    async def _batchable(
        self, ref: ModelRef, tier: Tier, question: Question, form: Form | None
    ) -> BatchQuestion | None:
        """The question as it goes into a batch; None where it may not, or where that would save nothing."""
        if self._batches is None or question.batch_s <= 0 or "batches" not in ref.spec.its_own:
            return None
        if self.prices.is_free(ref, self._clock()):
            return None
        try:
            provider = await self._load_provider(ref)
        except Failure:
            return None  # said again, and dealt with, when it is asked
        if not isinstance(provider, Batching):
            return None
        quirks = self.quirks.of(ref)
        manner = self._catalogue.manner(str(ref), tier).heeding(quirks)
        return make_question(provider, ref, adapt(question, quirks), form, manner)

    async def _in_batch(self, ref: ModelRef, tier: Tier, wish: _Wish) -> Answer | None:
        """The answer out of a batch; None when there is none in time, so that it is asked as ever."""
        one = await self._batchable(ref, tier, wish.question, wish.form)
        if one is None or self._batches is None:
            return None
        provider = self._providers[ref.provider]
        assert isinstance(provider, Batching)
        waiting = Waiting(self._batches, provider, one, self._sleep, self._ticks)
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
            self._enter_batched(attempt, wish, one.key, paid=waiting.paid)

    def _enter_batched(self, attempt: Attempt, wish: _Wish, key: str, *, paid: bool) -> None:
        """Write an answer out of a batch into the ledger once; one that never came is none."""
        at = self._clock()
        record = attempt.record(partial(self.prices.cost, attempt.ref, ttl="5m", at=at, share=BATCH_SHARE))
        if record is not None and record.usage != Usage() and not paid:
            record = replace(record, batch=key)
            wish.spending.add(record)
            self._ledger(record)

    def _enter(self, attempt: Attempt, wish: _Wish) -> None:
        """Write one try into the ledger, however it ended."""
        ttl, at = wish.question.cache_ttl, self._clock()
        record = attempt.record(partial(self.prices.cost, attempt.ref, ttl=ttl, at=at))
        if record is not None:
            wish.spending.add(record)
            self._ledger(record)

    def _grow_room(self, ref: ModelRef, manner: ModelOptions) -> bool:
        """Give a model more room for its thoughts, for good; False when it has as much as any gets."""
        room = manner.heeding(self.quirks.of(ref)).room
        if room >= MOST_ROOM:
            return False
        self.quirks.learn(ref, Quirk("room", min(max(FIRST_ROOM, room * 4), MOST_ROOM)))
        return True

    def _stretch(self, ref: ModelRef) -> float:
        """How much more time a model gets than one in a data centre."""
        return self._catalogue.patience.at_home if self.prices.is_home(ref, self._clock()) else 1.0

    async def _load_provider(self, ref: ModelRef) -> Provider:
        """The provider, with what it needs loaded once in a thread: that takes CPU which others may need."""
        provider = self._providers.get(ref.provider)
        if provider is None:
            raise Failure("missing", f"the provider {ref.provider} is not set up", reached=False)
        if ref.provider not in self._loaded:
            async with self._loading:
                try:
                    await asyncio.to_thread(provider.load)
                except Failure:
                    raise
                except Exception as error:  # the edge of a kit: a client that cannot be built fails like any other
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
            self._breakers[ref] = circuit_breaker.release(before)
            return
        rest = failure.rest_s
        waited_for = failure.retry_after_s is not None and rest == failure.retry_after_s
        if waited_for and rest is not None and rest <= self._catalogue.patience.longest_retry_after_s:
            rest = None  # so short a wait is kept between two tries
        self._breakers[ref] = circuit_breaker.record_failure(before, self._ticks(), rest_s=rest)

    def _pause(self, failure: Failure, number: int) -> float | None:
        """Seconds to wait before the next try at the same model; None when it should not be tried again."""
        seldom = failure.kind in ("timeout", "empty") or (failure.kind != "thinking" and failure.partial is not None)
        if not failure.worth_retrying or (seldom and number >= 2):
            return None
        if failure.kind == "thinking":
            return 0.0
        bound = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** (number - 1))
        jitter = self._rng.uniform(0.0, bound)
        if failure.retry_after_s is None:
            return jitter
        if failure.retry_after_s > self._catalogue.patience.longest_retry_after_s:
            return None
        return failure.retry_after_s + jitter

    def _answer_by_rules(self, wish: _Wish, why: Why, failed: list[str]) -> Answer:
        question = wish.question
        answer = self._reflex(question, why=why)
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
    """One question on its way: how it is to be answered, under which verdict, and what it has cost so far."""

    question: Question
    form: Form | None
    on_text: OnText | None
    verdict: BudgetVerdict
    spending: Spending

    def settled(self, answer: Answer, failed: list[str]) -> Answer:
        """The answer with everything told that happened on the way to it."""
        return replace(
            answer,
            fallbacks=tuple(failed),
            standing=self.verdict.standing,
            usage=self.spending.usage,
            cost_usd=self.spending.cost_usd,
        )
