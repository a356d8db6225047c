"""Builds the gateway from what the environment says. Loads no kit and opens no connection."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from pathlib import Path

from furoshiki.core.paths import host_of
from furoshiki.llm.anthropic import Anthropic
from furoshiki.llm.batching import Batches
from furoshiki.llm.catalogue import load
from furoshiki.llm.failures import Failure
from furoshiki.llm.gateway import Gateway, Keeper, Reflex
from furoshiki.llm.local_gguf import LocalGguf
from furoshiki.llm.openai import OpenAI
from furoshiki.llm.plans import ModelRef, plans_from
from furoshiki.llm.prices import Prices
from furoshiki.llm.provider import Provider
from furoshiki.llm.quirks import Quirks
from furoshiki.llm.rules.budget import BudgetLimits
from furoshiki.llm.values import CallRecord


def open_minds(
    values: Mapping[str, str | None],
    *,
    data: Path,
    reflex: Reflex,
    ledger: Callable[[CallRecord], None],
    spent_today: Callable[[], float],
    limits: BudgetLimits,
    clock: Callable[[], datetime],
    rng: random.Random,
    heard: Callable[[ModelRef, Failure | None], None] = lambda _ref, _failure: None,
    batches: Batches | None = None,
    keeper: Keeper | None = None,
    paid: Collection[str] = (),
    quirks: Quirks | None = None,
) -> Gateway:
    """Minds for the environment's `values` (keys, base URLs, FUROSHIKI_MODEL_*) and a data directory.

    The owner's config/models.toml and models/*.gguf lie in `data`. Raises BadSetting. What is set but cannot be used
    is in `gateway.plans.notes`. For `paid` models a server has named a cost before; `quirks` are what models were found
    to do without.
    """
    catalogue = load(data / "config" / "models.toml")
    openai_server = values.get("OPENAI_BASE_URL") or None
    providers: dict[str, Provider] = {"local": LocalGguf(data / "models")}
    anthropic_server = values.get("ANTHROPIC_BASE_URL") or None
    if values.get("ANTHROPIC_API_KEY") or anthropic_server:
        providers["anthropic"] = Anthropic(values.get("ANTHROPIC_API_KEY") or "none", anthropic_server)
    if values.get("OPENAI_API_KEY") or openai_server:
        providers["openai"] = OpenAI(values.get("OPENAI_API_KEY"), openai_server)
    return Gateway(
        plans_from(values, catalogue),
        providers,
        reflex=reflex,
        ledger=ledger,
        spent_today=spent_today,
        limits=limits,
        clock=clock,
        rng=rng,
        heard=heard,
        batches=batches,
        keeper=keeper,
        quirks=quirks,
        catalogue=catalogue,
        prices=Prices(catalogue.prices, openai_server, catalogue.unknown, paid, _keepers(data, openai_server)),
    )


def _keepers(data: Path, openai_server: str | None) -> Prices | None:
    """The prices of whoever keeps a home: the host's own file over what is known; None where nobody does."""
    host = host_of(data)
    if host is None:
        return None
    known = load(host / "config" / "models.toml")
    return Prices(known.prices, openai_server, known.unknown)
