"""Trial calls to a chosen model through the gateway, before the choice is stored.

Any model is asked for a greeting. A model of the owner's own server is also tested for skills,
forms, pictures and thinking; missing abilities are stored like other quirks of a model.
"""

import random
import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from furoshiki.core.catalogue import say
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.core.paths import ROOT
from furoshiki.core.prompts import Prompts
from furoshiki.core.settings import Settings
from furoshiki.models.llm import catalogue as catalogues
from furoshiki.models.llm import troubles
from furoshiki.models.llm.factory import open_minds, own_servers
from furoshiki.models.llm.failures import Failure, Kind
from furoshiki.models.llm.gateway import Around, Gateway
from furoshiki.models.llm.plans import REFLEX, ModelRef, plans_from
from furoshiki.models.llm.prices import Prices
from furoshiki.models.llm.quirks import Found, Quirks
from furoshiki.models.llm.rules.budget import BudgetLimits
from furoshiki.models.llm.rules.refusals import Quirk
from furoshiki.models.llm.store import costs, quirks
from furoshiki.models.llm.values import TIERS, Answer, Block, CallRecord, Image, Message, Question, Tier, Tool, Usage

# timeout of the first answer in seconds; local models get twice that, as they must be loaded
SECONDS = 60.0

MOST_TOKENS = 200


@dataclass(frozen=True)
class Tried:
    """The result of a trial: the answer, or why there is none."""

    answer: Answer | None = None
    why: str = ""
    failed: Kind | None = None

    price_guessed: bool = False
    abilities: "Abilities | None" = None

    @property
    def away(self) -> bool:
        """Whether the provider was unreachable, so that the choice may still be right."""
        return self.failed in ("network", "timeout")


@dataclass(frozen=True)
class Abilities:
    """The tested abilities of a model."""

    skills: bool
    forms: bool
    pictures: bool
    thinks: bool

    @property
    def in_words(self) -> str:
        """Describe the abilities in a sentence, in the user's language."""
        skills = say("calls skills") if self.skills else say("can't call skills")
        forms = say("fills forms") if self.forms else say("can't fill in forms")
        pictures = say("sees pictures") if self.pictures else say("can't see pictures")
        thinks = say("thinks before it answers") if self.thinks else say("answers without thinking first")
        return say("What it can do: {able}.", able=", ".join((skills, forms, pictures, thinks)))


class Dinner(BaseModel):
    """The form that is tried."""

    weekday: str
    hour: int


@dataclass(frozen=True)
class Prospect:
    """The model of each tier, with its prices."""

    answering: Mapping[Tier, str]
    prices: Prices
    refs: Mapping[Tier, ModelRef]
    at: datetime

    def cost(self, tier: Tier, used: Usage) -> float:
        """Return the price of these tokens in this tier, in US dollars."""
        ref = self.refs[tier]
        return 0.0 if ref == REFLEX else self.prices.cost(ref, used, ttl="5m", at=self.at).usd


def keep_window(database: Database, model: str, window: int, now: datetime) -> None:
    """Store the context window in tokens that a model's server reports ("provider:model")."""
    with database.write() as db:
        quirks.keep(db, model, Quirk("window", window), now)


def prospect(settings: Settings, now: datetime) -> Prospect:
    """Return models and current prices under these settings. Raises BadSetting."""
    values = settings.model_values()
    catalogue = catalogues.load(settings.data / "config" / "models.toml")
    refs = {tier: plan.models[0] for tier, plan in plans_from(values, catalogue).by_tier.items()}
    prices = Prices(catalogue.prices, own_servers(values), catalogue.unknown)
    return Prospect({tier: str(refs[tier]) for tier in TIERS}, prices, refs, now)


async def ask(settings: Settings, database: Database, now: Callable[[], datetime], *, fully: bool = False) -> Tried:
    """Ask the chat model for a greeting; `fully` also tests its abilities. Records the costs."""
    found = Found()
    failures, calls = list[tuple[ModelRef, Failure]](), list[CallRecord]()
    values = settings.model_values()

    def ledger(call: CallRecord) -> None:
        calls.append(call)
        with database.write() as db:
            costs.add(db, call, now())

    gateway = open_minds(
        values,
        Around(
            reflex=lambda _question, *, why: None,  # test the model, not its built-in replacement
            ledger=ledger,
            spent_today=lambda: 0.0,
            clock=now,
            rng=random.Random(settings.furoshiki_seed),
            heard=lambda ref, failure: None if failure is None else failures.append((ref, failure)),
            quirks=Quirks(now, found),
        ),
        data=settings.data,
        limits=BudgetLimits(),
    )
    try:
        companion = settings.furoshiki_companion_name
        instructions = Prompts(ROOT / "prompts").render("setup/first_words", companion=companion)
        answer = await gateway.ask(_make_question("Hello!", system=instructions))
        shown = await _probe_abilities(gateway, found, answer, now()) if fully else None
    except NoMindAnswered as error:
        if not failures:
            return Tried(why=str(error))
        ref, failure = failures[0]
        words = troubles.in_words(ref, failure, values)
        return Tried(why=f"{words[0].upper()}{words[1:]}.", failed=failure.kind)
    finally:
        await gateway.aclose()
    _keep(database, f"{answer.provider}:{answer.model}", found, now())
    return Tried(answer, price_guessed=any(call.price_guessed for call in calls), abilities=shown)


def _keep(database: Database, model: str, found: Found, now: datetime) -> None:
    """Replace the stored quirks of a model by those found now."""
    with database.write() as db:
        quirks.forget(db, model)
        for name, (value, _) in found.get(model, {}).items():
            quirks.keep(db, model, Quirk(name, value), now)


async def _probe_abilities(gateway: Gateway, found: Found, hello: Answer, now: datetime) -> Abilities:
    """Test a model's abilities; those it lacks without a refusal are added to `found`."""
    held = found.setdefault(f"{hello.provider}:{hello.model}", {})
    system = (Block(Prompts(ROOT / "prompts").render("setup/abilities")),)
    called = await _try_ask(gateway, replace(_WEATHER, system=system))
    if not (called and called.calls) and "tools" not in held:
        held["tools"] = (1, now)  # offer tools in the prompt's text instead
        called = await _try_ask(gateway, replace(_WEATHER, system=system))
        if not (called and called.calls):
            del held["tools"]
    filled = await _try_ask(gateway, replace(_DINNER, system=system))
    seen = await _try_ask(gateway, replace(_COLOUR, system=system))
    sees = "images" not in held and seen is not None and "red" in seen.text.lower()
    if not sees and seen is not None:
        held["images"] = (1, now)
    return Abilities(
        skills=bool(called and called.calls),
        forms=filled is not None and isinstance(filled.parsed, Dinner) and filled.parsed.hour in (7, 19),
        pictures=sees,
        thinks=any(answer is not None and answer.thought for answer in (hello, called, filled, seen)),
    )


async def _try_ask(gateway: Gateway, question: Question) -> Answer | None:
    try:
        return await gateway.ask(question)
    except (NoMindAnswered, AnswerUnusable):
        return None


def _make_red_png() -> bytes:
    side = 64
    rows = zlib.compress((b"\0" + b"\xff\0\0" * side) * side)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def _make_question(text: str, *, system: str = "", images: tuple[Image, ...] = (), **more: Any) -> Question:
    blocks = (Block(system),) if system else ()
    message = Message("user", text, images=images)
    return Question("chat", "setup", blocks, (message,), max_tokens=MOST_TOKENS, timeout_s=SECONDS, **more)


_TOWN = {"type": "object", "properties": {"town": {"type": "string"}}, "required": ["town"]}
_WEATHER = _make_question(
    "What is the weather in Oslo today? Look it up with the tool.",
    tools=(Tool("weather", "The weather of a town today.", _TOWN),),
)
_DINNER = _make_question(
    "Dinner with Ada is on Friday at 7 in the evening. Which weekday and which hour (0 to 23)?", answer=Dinner
)
_RED = Image(_make_red_png(), "image/png")
_COLOUR = _make_question("Which colour is this picture? One word.", images=(_RED,))
