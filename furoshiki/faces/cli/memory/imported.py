"""Reads your own words in an import: by rule, and by a model once you agree to the price."""

from __future__ import annotations

import asyncio
import random
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from furoshiki.faces.cli import context
from furoshiki.language.humanize import plural

if TYPE_CHECKING:
    from furoshiki.archive.import_export.importing import Imported
    from furoshiki.core.database.connection import Database
    from furoshiki.core.settings import Settings
    from furoshiki.mind.post_conversation.imported import Size
    from furoshiki.models.llm.prices import Cost


@dataclass(frozen=True)
class Reading:
    """What was read by rule; tokens a model will read and answer for about `usd` dollars."""

    named: str | None = None
    facts: int = 0
    agreed: bool = False
    sent: int = 0
    answered: int = 0
    usd: float | None = None

    @property
    def lines(self) -> list[str]:
        found = [f"You are called {self.named} from now on."] if self.named else []
        if self.facts:
            found.append(f"By its rules it knows {plural(self.facts, 'thing')} about you and your people.")
        if self.agreed:
            found.append("A model reads it beside everything else; `furoshiki run run_post_conversation` says how far.")
        return found

    @property
    def as_value(self) -> dict[str, object]:
        """The reading as data for `--json`."""
        tokens = {"tokens_sent": self.sent, "tokens_answered": self.answered, "usd": self.usd}
        return {"named": self.named, "facts": self.facts, "by_model": self.agreed, **tokens}


def read(done: Imported, settings: Settings, database: Database, *, yes: bool, quiet: bool) -> Reading:
    """Read the owner's words in an import: by rule now, by a model later if that is agreed to."""
    if done.owner is None:
        return Reading()
    from furoshiki.app.wiring import gateway
    from furoshiki.mind.post_conversation import imported
    from furoshiki.models.llm.values import Usage

    world = context.world()
    named = None
    with database.write() as db:
        if done.owner.id != "user" and imported.keep_name(db, done.source, done.owner.name, world.now):
            named = done.owner.name
    with database.read() as db:
        size = imported.size(db, done.source)
    if not size.stretches:
        return Reading(named)
    minds = gateway(settings, database, context.clock(), random.Random())
    cost = minds.would_cost("fast", Usage(input=size.sent, output=size.answered))
    facts = asyncio.run(imported.read_by_rule(world, done.source, at_once=cost is None))
    if cost is None:
        return Reading(named, facts)
    agreed = yes or (not quiet and _confirm(size, cost))
    if agreed:
        with database.write() as db:
            imported.agree(db, done.source, world.now)
    return Reading(named, facts, agreed, size.sent, size.answered, round(cost.usd, 4))


def _confirm(size: Size, cost: Cost) -> bool:
    """Ask with the price whether a model may read it; without a terminal only print the price."""
    guess = ", by a guess: its price is on no list" if cost.guessed else ""
    price = f"about {size.sent + size.answered:,} tokens, ${cost.usd:.2f}{guess}"
    if not sys.stdin.isatty():
        print(f"A model could read what you said there ({price}): import it again with --yes.")
        return False
    asked = f"Shall a model read what you said there, for facts and people ({price})? [y/N] "
    return input(asked).strip().lower() in ("y", "yes")
