"""The loop of planning and acting, until nothing is left to do or a limit is reached.

It serves work without a waiting person: long tasks and idle thoughts. Every round is stored before
its actions start; after a crash the loop continues there and repeats no action.
"""

import asyncio
import contextlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from furoshiki.conversation.acting.rules import stopping
from furoshiki.conversation.acting.rules.stopping import Step, Stopped
from furoshiki.conversation.skills import proposing, registry
from furoshiki.conversation.skills.skill import GivenUp, Place, Result, SkillContext
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.core.process.crash_points import point
from furoshiki.language.tokens import cut, estimate
from furoshiki.messages.store import accounts, act_iterations
from furoshiki.messages.store.act_iterations import Action, Iteration
from furoshiki.models.llm.background import affordable, patiently
from furoshiki.models.llm.values import Answer, Block, Message, Question, Tool, ToolCall
from furoshiki.owner.agenda import channel_modes
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.world import World

# the purposes of the model calls for a round and for the final text
PLAN, ANSWER = "act", "act_answer"

LOOK_SECONDS = 0.1  # interval of the looks at the stop button
MOST_CALLS = 8  # maximum actions per round; more calls are ignored

HISTORY_TOKENS = 4000
RESULT_TOKENS = 600
PLAN_TOKENS = 1024
ANSWER_TOKENS = 512

MORE_ROOM = 4  # the factor on the token limit when an answer was cut off

CUT_OFF = "(It was too long and is cut off here.)"

LEAST_SECONDS = 10.0  # minimum time for the final text, however late it is

WHY: dict[Stopped, str] = {
    "finished": "there was nothing more to do.",
    "time": "the time for it was used up.",
    "rounds": "so many rounds as there may be were used up.",
    "same": "the same step came again and again, so it was ended.",
    "circles": "the steps went in circles, so it was ended.",
    "nobody": "no mind was there to go on with it.",
}

TOO_SLOW = "{name} took longer than {seconds:g} s and was given up."


@dataclass(frozen=True)
class Acted:
    """The result of a loop: final text, action results, stop reason, cost. `asks` holds the tokens
    of proposals that wait for the owner's consent."""

    text: str
    results: tuple[Action, ...]
    stopped: Stopped
    cost_usd: float
    asks: tuple[str, ...] = ()


async def act(
    world: World,
    *,
    goal: str,
    key: str,
    source_tag: str,
    source_confidence: float = 1.0,
    said_by_owner: str = "",
    foreign_in_view: bool = False,
) -> Acted:
    """Work on a goal within limits. Never raises for a failing model or skill.

    `key` names the loop: an existing one is continued. `said_by_owner` is the owner's request;
    `foreign_in_view`: the goal contains text of others. Raises StorageUnavailable.
    """
    doing = SkillContext(
        world,
        None,
        await asyncio.to_thread(_place, world, key),
        source_tag=source_tag,
        source_confidence=source_confidence,
        said=said_by_owner,
        foreign_in_view=foreign_in_view,
    )
    offered = await asyncio.to_thread(registry.for_goal, world, goal)
    return await _Loop(world, goal, key, offered, doing).run()


class _Loop:
    """A running loop: its rounds so far and its remaining time."""

    def __init__(self, world: World, goal: str, key: str, offered: tuple[Tool, ...], doing: SkillContext) -> None:
        self._world, self._goal, self._key, self._offered = world, goal, key, offered
        self._bounds = stopping.BACKGROUND
        with world.database.read() as db:
            self._rounds = act_iterations.of_loop(db, key)
        brought = any(action.foreign for iteration in self._rounds for action in iteration.actions)
        self._doing = replace(doing, foreign_in_view=doing.foreign_in_view or brought)
        self._steps = [_step(iteration) for iteration in self._rounds]
        self._asks: list[str] = []
        self._ticks = asyncio.get_running_loop().time
        self._began = self._ticks() - sum(iteration.latency_ms for iteration in self._rounds) / 1000

    @property
    def _elapsed(self) -> float:
        return self._ticks() - self._began

    async def run(self) -> Acted:
        if self._rounds and not self._rounds[-1].over:  # the process ended within this round
            await self._finish(self._rounds[-1])
        stopped = self._find_stop_reason()
        text = "" if stopped is None else self._rounds[-1].answer
        while stopped is None:
            began = self._elapsed
            answer = await self._plan()
            if answer is None:
                stopped = "time" if self._elapsed >= self._bounds.seconds else "nobody"
                break
            if not answer.calls:
                text, stopped = answer.text.strip(), "finished"
                await self._keep(replace(self._next((), answer.cost_usd, began, stopped), answer=text))
                point("act.answered")
                break
            calls = tuple(Action(call.name[:60], _plain(call)) for call in answer.calls[:MOST_CALLS])
            planned = self._next(calls, answer.cost_usd, began, None)
            await self._keep(planned)
            point("act.planned")
            await self._finish(planned)
            stopped = await self._verdict()
        if not text:
            text = await self._words(stopped)
        actions = tuple(action for iteration in self._rounds for action in iteration.actions)
        cost = sum(iteration.cost_usd for iteration in self._rounds)
        return Acted(text, actions, stopped, cost, tuple(dict.fromkeys(self._asks)))

    def _find_stop_reason(self) -> Stopped | None:
        """Return why a resumed loop had already ended, or None."""
        last = self._rounds[-1].stopped if self._rounds else None
        return next((why for why in WHY if why == last), None)

    async def _verdict(self) -> Stopped | None:
        await self._embed()
        stopped = stopping.verdict(self._steps, self._elapsed, self._bounds)
        if stopped is not None:
            await self._keep(replace(self._rounds[-1], stopped=stopped))
        return stopped

    async def _embed(self) -> None:
        if not stopping.could_circle(self._steps):
            return
        recent = self._steps[-(stopping.LOOKED_BACK + stopping.REPEATS) :]
        missing = [step for step in recent if not step.vector]
        try:
            made = await asyncio.to_thread(self._world.vectors.embed, [step.action for step in missing])
        except VectorsAway:
            return
        vectors = {one.action: tuple(vector) for one, vector in zip(missing, made, strict=True)}
        self._steps = [replace(step, vector=vectors.get(step.action, step.vector)) for step in self._steps]

    async def _plan(self) -> Answer | None:
        """Return the next step; None when no model answered in time."""
        instructions = self._world.prompts.render(
            "acting/plan", companion=self._world.settings.furoshiki_companion_name, rounds=self._bounds.rounds
        )
        return await self._ask(PLAN, instructions, self._offered, PLAN_TOKENS, self._bounds.seconds - self._elapsed)

    async def _words(self, stopped: Stopped) -> str:
        """Return the final text, built from the results when no model is available."""
        if not self._rounds:
            return f"Nothing was done: {WHY[stopped]}"
        if stopped != "nobody":
            name = self._world.settings.furoshiki_companion_name
            instructions = self._world.prompts.render("acting/answer", companion=name, why=WHY[stopped])
            left = max(LEAST_SECONDS, self._bounds.seconds - self._elapsed)
            answer = await self._ask(ANSWER, instructions, (), ANSWER_TOKENS, min(left, 60.0))
            if answer is not None and answer.text.strip():
                last, text = self._rounds[-1], answer.text.strip()
                await self._keep(replace(last, cost_usd=last.cost_usd + answer.cost_usd, answer=text))
                return text
        good = [action for row in self._rounds for action in row.actions if action.ok and action.text.strip()]
        found = "\n".join(f"- {one.name}: {cut(' '.join(one.text.split()), 60)}" for one in good[-5:])
        begun = f"It was not finished: {WHY[stopped]}"
        return f"{begun} So far:\n{found}" if found else begun

    async def _ask(
        self, purpose: str, instructions: str, tools: tuple[Tool, ...], most: int, seconds: float
    ) -> Answer | None:
        """Ask; repeat an answer that was cut off with more tokens, and mark it if cut off again."""
        until = self._elapsed + seconds
        first = await self._ask_once(purpose, instructions, tools, most, seconds)
        if first is None or first.finish not in ("length", "broken"):
            return first
        longer = await self._ask_once(purpose, instructions, tools, most * MORE_ROOM, until - self._elapsed)
        answer = first if longer is None else replace(longer, cost_usd=first.cost_usd + longer.cost_usd)
        if answer.finish not in ("length", "broken") or not answer.text.strip():
            return answer
        return replace(answer, text=f"{answer.text.rstrip()}… {CUT_OFF}")

    async def _ask_once(
        self, purpose: str, instructions: str, tools: tuple[Tool, ...], most: int, seconds: float
    ) -> Answer | None:
        question = Question(
            tier="fast",
            purpose=purpose,
            system=(Block(instructions, cache=True),),
            messages=(Message("user", self._so_far()),),
            tools=tools,
            max_tokens=most,
            timeout_s=min(60.0, max(1.0, seconds)),
            turn_key=self._key,
            may_be_silent=purpose == PLAN and bool(self._rounds),  # it is asked for its words then
        )
        try:
            async with asyncio.timeout(max(1.0, seconds)):
                now = self._world.now
                return await patiently(self._world, affordable(self._world, question, now), now)
        except (NoMindAnswered, AnswerUnusable, TimeoutError):
            return None

    def _so_far(self) -> str:
        """Render the goal and the results of each round, dropping the oldest that do not fit."""
        shown: list[dict[str, object]] = []
        room = HISTORY_TOKENS
        for iteration in reversed(self._rounds):
            actions = [
                {
                    "name": action.name,
                    "args": cut(json.dumps(dict(action.args), ensure_ascii=False, default=str), 150),
                    "ok": action.ok,
                    "text": cut(action.text, RESULT_TOKENS),
                }
                for action in iteration.actions
            ]
            room -= sum(estimate(str(part)) for action in actions for part in action.values())
            if room < 0 and shown:
                break
            shown.insert(0, {"number": iteration.number, "actions": actions})
        left_out = len(self._rounds) - len(shown)
        return self._world.prompts.render("acting/so_far", goal=self._goal, rounds=shown, left_out=left_out)

    def _next(self, actions: tuple[Action, ...], cost: float, began: float, stopped: Stopped | None) -> Iteration:
        ms = (self._elapsed - began) * 1000
        tag, now = self._doing.source_tag, self._world.now
        return Iteration(self._key, tag, len(self._rounds) + 1, actions, stopped, ms, cost, now)

    async def _finish(self, planned: Iteration) -> None:
        """Run the pending actions and store their results. An action finished before a crash is
        found in the record of skills and not repeated."""
        began, actions = self._elapsed, list(planned.actions)
        for place, action in enumerate(planned.actions):
            if action.ok is None:
                actions[place] = await self._run(action, f"{planned.number}.{place}")
        point("act.acted")
        spent = planned.latency_ms + (self._elapsed - began) * 1000
        finished = replace(planned, actions=tuple(actions), latency_ms=spent)
        await self._keep(finished)
        self._steps = [*self._steps[: planned.number - 1], _step(finished)]

    async def _run(self, action: Action, call_id: str) -> Action:
        allowed = await asyncio.to_thread(registry.find_limit_s, self._world, action.name)
        seconds = stopping.for_action(self._bounds, self._elapsed, allowed)
        result = await run_in_time(self._doing, ToolCall(call_id, action.name, action.args), seconds)
        if result.asked is not None:
            self._asks.append(result.asked)
        brought = self._doing.foreign_in_view or await asyncio.to_thread(proposing.brought, self._world, result)
        self._doing = replace(self._doing, foreign_in_view=brought)
        return outcome(action.name, action.args, result)

    async def _keep(self, one: Iteration) -> None:
        self._rounds = [*self._rounds[: one.number - 1], one]
        await asyncio.to_thread(self._write, one)

    def _write(self, one: Iteration) -> None:
        with self._world.database.write() as db:
            act_iterations.keep(db, [one])


async def run_in_time(doing: SkillContext, call: ToolCall, seconds: float) -> Result:
    """Run an action with a time limit in seconds; exceeding it is a failed result."""
    try:
        async with asyncio.timeout(seconds):
            return await registry.run(doing, call)
    except (TimeoutError, GivenUp):
        doing.hold.cancel()
        return Result(False, TOO_SLOW.format(name=call.name[:60], seconds=seconds))


async def finish_or_stop(
    task: asyncio.Future[Any], stopped: Callable[[], bool], *expected: type[BaseException]
) -> bool:
    """Return whether a task finished; one that a person stopped before is cancelled.

    A cancelled task may raise one of the `expected` exceptions, which are ignored.
    """
    try:
        while not task.done():
            if stopped():
                return False
            await asyncio.wait({task}, timeout=LOOK_SECONDS)
        return True
    finally:
        if not task.done():
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, *expected):
                await task


def outcome(name: str, args: Mapping[str, Any], result: Result) -> Action:
    """Return a call and its result as stored in a round."""
    return Action(name, dict(args), result.ok, result.text, result.ok and registry.changes(name), result.foreign)


def _step(iteration: Iteration) -> Step:
    words = stopping.in_words([(action.name, action.args) for action in iteration.actions])
    return Step(words, changed=any(action.changed for action in iteration.actions))


def _plain(call: ToolCall) -> dict[str, object]:
    """Return the arguments as JSON values; {} when they are too long or invalid."""
    try:
        text = json.dumps(dict(call.args))
    except (TypeError, ValueError, RecursionError):
        return {}
    found: dict[str, object] = json.loads(text) if len(text) <= LONGEST_ARGUMENTS else {}
    return found


LONGEST_ARGUMENTS = 8000  # maximum characters of a call's arguments as JSON


def _place(world: World, key: str) -> Place:
    """Return where the owner is asked for consent: their first live channel."""
    with world.database.read() as db:
        for channel in channel_modes.live(world):
            owner = accounts.owner(db, channel)
            if owner is not None:
                return Place(key, channel, owner.chat_id, owner.external_id)
    return Place(key, "console", "console", "owner")
