"""The skill rounds within an answer, under the same rules as any loop, stored with the answer."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace

from furoshiki.conversation.acting.loop import outcome
from furoshiki.conversation.acting.rules import stopping
from furoshiki.conversation.acting.rules.stopping import TURN, Step, Stopped
from furoshiki.conversation.skills import registry
from furoshiki.conversation.skills.skill import Result
from furoshiki.core.errors import StorageUnavailable
from furoshiki.messages.store import act_iterations
from furoshiki.messages.store.act_iterations import Iteration
from furoshiki.models.llm.values import Answer, Tool
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.world import World

log = logging.getLogger(__name__)

LONG_TASK = "persistent_task"


class Rounds:
    """The skill rounds of an answer so far. `stopped` is the reason to end them."""

    def __init__(self, world: World, key: str) -> None:
        self._world, self._key = world, key
        self._done: list[Iteration] = []
        self._steps: list[Step] = []
        self._ticks = asyncio.get_running_loop().time
        self._began = self._last = self._ticks()
        self.stopped: Stopped | None = None
        self.found: tuple[Tool, ...] = ()
        """Tools found by search that are not offered with every message."""

    def seconds(self, allowed: float) -> float:
        """Return the time limit in seconds of the next action; `allowed` is the owner's limit."""
        return stopping.for_action(TURN, self._ticks() - self._began, allowed)

    async def after(self, answer: Answer, results: Sequence[Result]) -> str:
        """Record a round; return a note for the model when it must stop using skills, else ""."""
        now, pairs = self._ticks(), list(zip(answer.calls, results, strict=True))
        actions = tuple(outcome(call.name[:60], call.args, one) for call, one in pairs)
        number, ms = len(self._done) + 1, (now - self._last) * 1000
        self._last = now
        self._done.append(Iteration(self._key, "user", number, actions, None, ms, answer.cost_usd, self._world.now))
        words = stopping.in_words([(action.name, action.args) for action in actions])
        self._steps.append(Step(words, changed=any(action.changed for action in actions)))
        self._discover(results)
        await self._embed()
        self.stopped = stopping.verdict(self._steps, now - self._began, TURN)
        if self.stopped is None:
            return ""
        self._done[-1] = replace(self._done[-1], stopped=self.stopped)
        offers = registry.may_call(self._world, LONG_TASK) and self.stopped in ("rounds", "time")
        repeats = self.stopped in ("same", "circles")
        return self._world.prompts.render("acting/enough", repeats=repeats, offers=offers)

    def _discover(self, results: Sequence[Result]) -> None:
        names = [str(name) for result in results for name in result.data.get("not_offered", ())]
        if names:
            known = {ability.tool.name: ability.tool for ability in registry.abilities(self._world)}
            named = {tool.name: tool for tool in self.found} | {name: known[name] for name in names if name in known}
            self.found = tuple(named.values())

    async def _embed(self) -> None:
        if not stopping.could_circle(self._steps):
            return
        try:
            made = await asyncio.to_thread(self._world.vectors.embed, [step.action for step in self._steps])
        except VectorsAway:
            return
        self._steps = [replace(one, vector=tuple(vector)) for one, vector in zip(self._steps, made, strict=True)]

    async def keep(self, answered: bool) -> None:
        """Store the rounds. A database error is logged and does not cost the answer."""
        if not self._done:
            return
        if self.stopped is None:
            self._done[-1] = replace(self._done[-1], stopped="finished" if answered else "nobody")
        try:
            await asyncio.to_thread(self._write)
        except StorageUnavailable as error:
            log.warning("the rounds of %s are not on record: %s", self._key, error)

    def _write(self) -> None:
        with self._world.database.write() as db:
            act_iterations.keep(db, self._done)
