"""A provider that fails in every way there is."""

from __future__ import annotations

import dataclasses
import json
import random
from typing import Literal

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.app.wiring import lexicon
from furoshiki.models.llm.catalogue import load
from furoshiki.models.llm.failures import Failure
from furoshiki.models.llm.gateway import Around, Gateway
from furoshiki.models.llm.partial_answer import Hearing
from furoshiki.models.llm.plans import plans_from
from furoshiki.models.llm.prices import Prices
from furoshiki.models.llm.provider import Form, ModelOptions
from furoshiki.models.llm.rules.budget import BudgetLimits
from furoshiki.models.llm.store import waits
from furoshiki.models.llm.values import Question
from furoshiki.world import World
from tests.emulators.llm.schema import instance
from tests.support.thinking import Night

Condition = Literal["no model", "down", "401", "budget", "garbage"]


KEYED = {"OPENAI_API_KEY": "k", "FUROSHIKI_MODEL_CHAT": "openai:gpt-6-luna"}


class Provider:
    """A model that is there, or not, as the condition has it; it answers with the smallest thing that fits."""

    condition: Condition | None = None

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.answered: list[str] = []

    def load(self) -> None:
        """Nothing to load."""

    async def aclose(self) -> None:
        """Nothing to close."""

    async def say(self, _model: str, question: Question, form: Form | None, _m: ModelOptions, hearing: Hearing) -> None:
        self.calls.append(question.purpose)
        if self.condition == "down":
            raise Failure("network", "connection refused", reached=False)
        if self.condition == "401":
            raise Failure("key", "401: the key in OPENAI_API_KEY was not accepted")
        hearing.sign()
        if self.condition == "garbage":
            await hearing.add_text("I would rather talk about the weather.")
        else:
            self.answered.append(question.purpose)
            assert form is not None
            answer = instance(form.schema, "They were calm all day.")
            if "entry" in answer:  # at least one thought, which no schema of a provider can say
                answer["entry"] = [{"text": "They were calm all day.", "messages": []}]
            await hearing.add_text(json.dumps(answer))
        hearing.finish = "stop"


@dataclasses.dataclass
class House:
    """A night, with real minds over the provider, opened again for each run as a script does."""

    night: Night
    provider: Provider
    condition: Condition | None = None

    @property
    def world(self) -> World:
        self.provider.condition = self.condition
        catalogue = load()
        gateway = Gateway(
            plans_from({} if self.condition == "no model" else KEYED, catalogue),
            {"openai": self.provider},
            Around(
                ReflexMind(random.Random(1), lexicon),
                lambda _call: None,
                lambda: 5.0 if self.condition == "budget" else 0.0,
                lambda: self.night.clock.at,
                random.Random(1),
            ),
            limits=BudgetLimits(hard_usd=1.0),
            catalogue=catalogue,
            prices=Prices(catalogue.prices),
            sleep=_no_time,
        )
        return dataclasses.replace(self.night.world, ask=gateway.ask)

    def passes(self, **gone: float) -> None:
        self.night.clock.pass_(**gone)

    def waiting(self) -> list[str]:
        with self.night.world.database.read() as db:
            return [one.purpose for one in waits.read_waits(db)]


async def _no_time(_seconds: float) -> None:
    pass
