"""The home of a simulated companion: its own data directory, and the World over it."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from bench.simulator import model
from bench.simulator.clock import VirtualClock
from bench.simulator.meaning import VectorsHere, encoder
from bench.simulator.person import CHAT
from bench.simulator.personas import Persona
from furoshiki.app.wiring import build_world, gateway, lexicon
from furoshiki.core import paths
from furoshiki.core import settings as all_settings
from furoshiki.core.errors import BadSetting
from furoshiki.core.paths import living_in
from furoshiki.core.setting_rows import SecretStr
from furoshiki.core.settings import Settings
from furoshiki.messages.store import accounts
from furoshiki.models.llm.catalogue import Catalogue, Price
from furoshiki.models.llm.gateway import Around, Gateway
from furoshiki.models.llm.plans import REFLEX, ModelRef, Plan, Plans
from furoshiki.models.llm.prices import Prices
from furoshiki.models.llm.provider import Provider
from furoshiki.models.llm.rules.budget import BudgetLimits
from furoshiki.models.llm.values import TIERS
from furoshiki.world import World

Minds = Literal["scripted", "none", "configured"]
"""Whose answers are used: the scripted model's, the built-in mind's, or the configured models'."""

SHARED_MEMORY = Path("/dev/shm")
CHANNEL = "telegram"

TOKEN = SecretStr("0:simulated")
"""A home with a token uses Telegram. This one is never sent: no connection is opened."""

UNSYNCED = "OFF"
"""A simulation need not survive a power cut."""


@contextmanager
def folder(given: Path | None) -> Iterator[Path]:
    """Yield the data directory: the given one, which stays, or a temporary one, in memory if
    possible.

    Raises BadSetting for a folder with a companion.
    """
    if given is not None:
        if paths.database_path(given, None).exists():  # a real companion's, or an earlier life's: both are kept
            raise BadSetting(f"--data {given}: somebody lives there already; name a folder that is empty or not there")
        given.mkdir(parents=True, exist_ok=True, mode=0o700)
        with living_in(given):
            yield given
        return
    made = Path(tempfile.mkdtemp(prefix="furoshiki-simulated-", dir=SHARED_MEMORY if SHARED_MEMORY.is_dir() else None))
    try:
        with living_in(made):
            yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def built(
    data: Path, persona: Persona, clock: VirtualClock, seed: int, minds: Minds, other: Mapping[str, Any]
) -> World:
    """Build the World of a companion with a paired owner; `other` are overridden settings.

    Raises BadSetting, NotConfigured, StorageUnavailable.
    """
    own: dict[str, object] = {"furoshiki_data": data, "furoshiki_timezone": persona.zone, "furoshiki_seed": seed}
    base = all_settings.load() if minds == "configured" else Settings()
    own |= other
    own |= {"furoshiki_database_url": None, "telegram_bot_token": TOKEN}
    own["furoshiki_batch"] = "off"  # batches ignore simulated time
    settings = base.model_copy(update=own)
    world = build_world(settings, clock, spawn_memoryd=False, minds_when_asked=True, synchronous=UNSYNCED)
    vectors = VectorsHere(world.database, encoder(settings.furoshiki_embedder, data / "models"), clock.now)
    world = replace(world, vectors=vectors, follow=lambda same: same)
    if minds == "scripted":
        lines = model.read()
        voice = model.ScriptedModel(lines, random.Random(f"{seed} model"), lexicon)
        world = answered_by(voice, ModelRef(model.PROVIDER, model.MODEL), lines.price, world, clock)
    with world.database.write() as db:
        accounts.pair(db, CHANNEL, CHAT, CHAT, "owner", clock.now(), persona.name.replace("_", " ").title())
    return world


def answered_by(voice: Provider, ref: ModelRef, price: Price, world: World, time: VirtualClock) -> World:
    """Return the World with `voice` for every tier (real gateway); waiting advances the clock."""
    opened = gateway(world.settings, world.database, time, world.rng, _one_voice(voice, ref, price, time))
    return replace(world, ask=opened.ask, warm=opened.warm)


def _one_voice(voice: Provider, ref: ModelRef, price: Price, time: VirtualClock) -> Callable[..., Gateway]:
    prices = {str(ref): price}

    async def rest(seconds: float) -> None:
        time.pass_(seconds)

    def opened(
        _values: Mapping[str, str | None], around: Around, *, data: Path, limits: BudgetLimits, paid: Collection[str]
    ) -> Gateway:
        return Gateway(
            Plans({tier: Plan(tier, (ref, REFLEX)) for tier in TIERS}),
            {ref.provider: voice},
            around,
            limits=limits,
            catalogue=Catalogue(prices=prices),
            prices=Prices(prices),
            sleep=rest,
            ticks=lambda: time.now().timestamp(),
        )

    return opened
