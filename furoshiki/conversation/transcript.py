"""The skill rounds of a turn, under the rules of any loop: their state, and the draft built from it."""

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from furoshiki.conversation.acting.loop import outcome
from furoshiki.conversation.acting.rules import stopping
from furoshiki.conversation.acting.rules.stopping import TURN, Step, Stopped
from furoshiki.conversation.rules import speech
from furoshiki.conversation.skills import registry
from furoshiki.conversation.skills.skill import Result
from furoshiki.conversation.values import NOBODY, REFLEX, Context, Draft
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.framing import frame
from furoshiki.language.reflex.values import ToolResult
from furoshiki.memory.store.retrievals import Retrieval
from furoshiki.memory.values import Note
from furoshiki.messages.store import act_iterations
from furoshiki.messages.store.act_iterations import Iteration
from furoshiki.models.llm.values import Answer, Message, Tool, ToolCall
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.world import World

NOTE = "note"  # the key of what the program tells the model beside a result


@dataclass(frozen=True)
class Transcript:
    """A turn's context, its messages to and from the model, and all skill runs in order.

    `given_up` names the models that failed before the built-in mind took over; `said` is what a
    model said beside calls that only act. Words beside a look-up announce it.
    """

    context: Context
    messages: tuple[Message, ...]
    runs: tuple[tuple[ToolCall, Result], ...] = ()
    given_up: tuple[str, ...] = ()
    said: str = ""

    def after(self, answer: Answer, results: Sequence[Result], note: str = "") -> "Transcript":
        """Add a round: an answer with calls and results; a `note` follows the last one."""
        runs = tuple(zip(answer.calls, results, strict=True))
        asked = Message("assistant", answer.text, calls=answer.calls, native=answer.native)
        last = len(runs) - 1
        told = (
            Message("tool", _render_result(result, note if place == last else ""), call_id=call.id)
            for place, (call, result) in enumerate(runs)
        )
        acted = bool(runs) and all(_only_acts(call, result) for call, result in runs)
        return replace(
            self,
            messages=(*self.messages, asked, *told),
            runs=(*self.runs, *runs),
            given_up=answer.fallbacks if answer.model == REFLEX else self.given_up,
            said=speech.join_said(self.said, answer.text) if acted else self.said,
        )

    @property
    def may_ask_again(self) -> bool:
        """Return whether a model that said nothing after its calls has not been asked again yet."""
        last = self.messages[-1]
        return last.role == "tool" and NOTE not in json.loads(last.text)

    def asked_again(self, note: str) -> "Transcript":
        """Add a note to the last result."""
        last = self.messages[-1]
        told = json.dumps({**json.loads(last.text), NOTE: note}, ensure_ascii=False)
        return replace(self, messages=(*self.messages[:-1], replace(last, text=told)))

    def reminded(self, answer: Answer, note: str) -> "Transcript":
        """Add an answer that is not sent, and a note about it; another whole answer follows."""
        told = (Message("assistant", answer.text), Message("user", note))
        return replace(self, messages=(*self.messages, *told), said="")

    def done(self, calls: Sequence[ToolCall], results: Sequence[Result]) -> "Transcript":
        """Add the program's own actions."""
        return replace(self, runs=(*self.runs, *zip(calls, results, strict=False)))

    @property
    def raw(self) -> bool:
        """Return whether a tool's raw output, not for display, is included."""
        return any(result.raw for _, result in self.runs)

    @property
    def tool_results(self) -> tuple[ToolResult, ...]:
        """Return the skill results for the built-in mind."""
        return tuple(registry.as_result(call, result) for call, result in self.runs)

    def answered(self, answer: Answer, text: str, rests_on: Sequence[str]) -> Draft:
        """Return the draft of a finished answer, which also rests on `rests_on`."""
        draft = self._draft(
            Draft(text, answer.provider, answer.model, answer.tier, answer.fallbacks, standing=answer.standing)
        )
        pages = (str(part["name"]) for _, result in self.runs for part in result.data.get("parts", ()))
        return replace(draft, evidence=_once([*draft.evidence, *pages, *rests_on]))

    def unanswered(self, text: str) -> Draft:
        """Return the draft when no model finished."""
        return self._draft(Draft(text, NOBODY, NOBODY, NOBODY))

    def _draft(self, draft: Draft) -> Draft:
        woken = self.context.woken
        notes: list[Note] = []
        found, asks = [], []
        for _, result in self.runs:
            notes += result.notes
            found += [str(row["id"]) for row in result.data.get("results", ()) if "id" in row]
            if result.asked:
                asks.append(result.asked)
        in_view = [one.item for one in woken.retrieved if one.injected]
        return replace(
            draft,
            notes=tuple(notes),
            skills=tuple(call.name for call, _ in self.runs),
            evidence=_once([*in_view, *(one.id for one in woken.shown), *found]),
            # unless a skill showed them in full
            shortened=tuple(one.id for one in woken.shown if one.line is not None and one.id not in found),
            woken=_woken(self.context, found),
            asks=_once(asks),
        )


def _woken(context: Context, found: Sequence[str]) -> tuple[Retrieval, ...]:
    """Return all retrieved items; those found by skills count as shown."""
    shown = {*(one.id for one in context.woken.shown), *found}
    woken = {one.item: replace(one, injected=one.injected or one.item in shown) for one in context.woken.retrieved}
    for place, name in enumerate(found, 1):
        woken.setdefault(name, Retrieval(name, place, True))
    return tuple(woken.values())


def _only_acts(call: ToolCall, result: Result) -> bool:
    """Return whether a call succeeded and told the model nothing it might still speak of."""
    acts = registry.ALIASES.get(call.name, call.name) in ACTING and call.args.get("action") not in LOOKING
    return acts and result.ok and result.asked is None


ACTING = frozenset({"memorize", "list", "schedule", "quiet"})
# skills that act, and those of their actions that only look
LOOKING = frozenset({"list", "lists", "view", "history"})


def _once(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _render_result(result: Result, note: str) -> str:
    told = {"ok": result.ok, "result": "\n".join(map(frame, result.rows or (result.text,)))}
    return json.dumps({**told, NOTE: note} if note else told, ensure_ascii=False)


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
