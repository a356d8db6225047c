"""One real call through the project's own way to the models, before anything of a choice is kept."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass

from furoshiki.cli import context
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import NoMindAnswered
from furoshiki.core.paths import ROOT
from furoshiki.core.prompts import Prompts
from furoshiki.core.settings import Settings
from furoshiki.llm import catalogue as catalogues
from furoshiki.llm import troubles
from furoshiki.llm.factory import open_minds, own_servers
from furoshiki.llm.failures import Failure
from furoshiki.llm.plans import REFLEX, ModelRef, plans_from
from furoshiki.llm.prices import Prices
from furoshiki.llm.rules.budget import BudgetLimits
from furoshiki.llm.store import costs
from furoshiki.llm.values import TIERS, Answer, Block, CallRecord, Message, Question, Tier, Usage

SECONDS = 60.0
"""How long the first words may take; a model at home gets twice that, because it has to be loaded."""

MOST_TOKENS = 200


@dataclass(frozen=True)
class Tried:
    """What came of the call: the answer, or why there was none."""

    answer: Answer | None = None
    why: str = ""
    away: bool = False
    """Whether the provider was not reached at all, so that the choice may yet be right."""

    price_guessed: bool = False


@dataclass(frozen=True)
class Prospect:
    """Which model answers for each tier, and what tokens cost there in dollars."""

    answering: Mapping[Tier, str]
    prices: Prices
    refs: Mapping[Tier, ModelRef]

    def cost(self, tier: Tier, used: Usage) -> float:
        """Dollars for these tokens in this tier."""
        ref = self.refs[tier]
        return 0.0 if ref == REFLEX else self.prices.cost(ref, used, ttl="5m", at=context.clock().now()).usd


def ask(settings: Settings, database: Database) -> Tried:
    """Have the chat model say hello; what it costs is in the ledger."""
    return asyncio.run(_asked(settings, database))


def prospect(settings: Settings) -> Prospect:
    """What the settings come to. Raises BadSetting."""
    values = settings.model_values()
    catalogue = catalogues.load(settings.data / "config" / "models.toml")
    refs = {tier: plan.models[0] for tier, plan in plans_from(values, catalogue).by_tier.items()}
    prices = Prices(catalogue.prices, own_servers(values), catalogue.unknown)
    return Prospect({tier: str(refs[tier]) for tier in TIERS}, prices, refs)


async def _asked(settings: Settings, database: Database) -> Tried:
    clock, failures, calls = context.clock(), list[tuple[ModelRef, Failure]](), list[CallRecord]()
    values = settings.model_values()

    def ledger(call: CallRecord) -> None:
        calls.append(call)
        with database.write() as db:
            costs.add(db, call, clock.now())

    gateway = open_minds(
        values,
        data=settings.data,
        reflex=lambda _question, *, why: None,  # what is tried is the model, not what stands in for it
        ledger=ledger,
        spent_today=lambda: 0.0,
        limits=BudgetLimits(),
        clock=clock.now,
        rng=random.Random(settings.furoshiki_seed),
        heard=lambda ref, failure: None if failure is None else failures.append((ref, failure)),
    )
    try:
        answer = await gateway.ask(_question(settings.furoshiki_companion_name))
    except NoMindAnswered as error:
        if not failures:
            return Tried(why=str(error))
        ref, failure = failures[0]
        words = troubles.in_words(ref, failure, values)
        return Tried(why=f"{words[0].upper()}{words[1:]}.", away=failure.kind in ("network", "timeout"))
    finally:
        await gateway.aclose()
    return Tried(answer, price_guessed=any(call.price_guessed for call in calls))


def _question(companion: str) -> Question:
    words = Prompts(ROOT / "prompts").render("setup/first_words", companion=companion)
    return Question(
        "chat", "setup", (Block(words),), (Message("user", "Hello!"),), max_tokens=MOST_TOKENS, timeout_s=SECONDS
    )
