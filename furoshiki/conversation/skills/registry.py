"""All skills: offered to models as tools, found by name, run once per turn and call.

Tools of plugins and servers (`outside.py`) follow the companion's own.
"""

import asyncio
import functools
import hashlib
import json
import logging
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from time import perf_counter
from typing import Any

from pydantic import ValidationError

from furoshiki.conversation.skills import (
    associate,
    autobiography,
    callables,
    choosing,
    find_tools,
    focus,
    introspect,
    lists,
    memorize,
    outside,
    persistent_task,
    proposing,
    recall,
    schedule,
    wish,
)
from furoshiki.conversation.skills.choosing import Ability
from furoshiki.conversation.skills.drawing import draw_picture
from furoshiki.conversation.skills.outside import Outside
from furoshiki.conversation.skills.skill import Arguments, Hold, Result, Skill, SkillContext
from furoshiki.core import json_values
from furoshiki.core.catalogue import say
from furoshiki.core.errors import StorageUnavailable
from furoshiki.extensions.plugins.rules import mail_drafts
from furoshiki.language.reflex.values import ToolResult
from furoshiki.memory.values import Note
from furoshiki.messages.roles import Standing, may
from furoshiki.messages.store import skill_runs
from furoshiki.models.llm.values import Tool, ToolCall
from furoshiki.world import World

log = logging.getLogger(__name__)

SKILLS: dict[str, Skill] = {
    skill.name: skill
    for skill in (
        recall.SKILL,
        memorize.SKILL,
        schedule.SKILL,
        lists.SKILL,
        introspect.SKILL,
        associate.SKILL,
        autobiography.SKILL,
        focus.SKILL,
        focus.QUIET,
        find_tools.skill(lambda world: abilities(world)),
        persistent_task.SKILL,
        wish.SKILL,
        draw_picture.SKILL,
    )
}

# names of the skills in other systems, which some models use
ALIASES = {
    "memory_query": "recall",
    "memory_write": "memorize",
    "world_state_read": "introspect",
    "internal_reasoning": "recall",
    "semantic_query": "recall",
}


@functools.cache
def tools(standing: Standing = "owner", paints: bool = False) -> tuple[Tool, ...]:
    """Return the skills offered to this role, always in the same order to keep the prompt
    cacheable. Without `paints`, drawing is left out.

    Cached: describing the arguments takes 5 ms, an eighth of a message's budget.
    """
    return tuple(
        Tool(skill.name, skill.description, _schema(skill))
        for skill in sorted(SKILLS.values(), key=lambda s: s.name)
        if may(skill.who, standing) and (paints or skill is not draw_picture.SKILL)
    )


def tools_here(world: World) -> tuple[Tool, ...]:
    """Return the companion's own tools for the person who speaks."""
    return tools(world.who.standing, draw_picture.find_painter(world) is not None)


def outside_tools(world: World, db: sqlite3.Connection) -> tuple[Outside, ...]:
    """Return the usable tools of plugins and servers: the owner's only, in a fixed order."""
    fits, left = _split_fitting(world, db)
    outside.warn(left)
    return fits


def abilities(world: World) -> list[Ability]:
    """Return everything that the person who speaks may call, even if left out of the prompt."""
    with world.database.read() as db:
        fits, left = _split_fitting(world, db)
    own = [Ability(tool) for tool in tools_here(world)]
    return [
        *own,
        *(Ability(tool.tool, tool.source) for tool in fits),
        *(Ability(tool.tool, tool.source, offered=False) for tool in left),
    ]


def for_goal(world: World, goal: str) -> tuple[Tool, ...]:
    """Return the tools for a plan-and-act loop with this goal."""
    return choosing.choose_tools(world, abilities(world), goal)


def find_limit_s(world: World, name: str) -> float:
    """Return how many seconds one use may take; 0 for the companion's own skills."""
    if ALIASES.get(name, name) in SKILLS:
        return 0.0
    tool = _other(world, name)
    return 0.0 if tool is None else tool.limit_s + outside.SLACK_S


def may_call(world: World, name: str) -> bool:
    """Return whether the skill exists and the person who speaks may use it."""
    return name in SKILLS and may(SKILLS[name].who, world.who.standing)


def changes(name: str) -> bool:
    """Return whether a skill may change something; True for outside tools."""
    skill = SKILLS.get(ALIASES.get(name, name))
    return skill is None or skill.changes


def describe_left_out(world: World, source: str) -> list[str]:
    """Describe a source's allowed tools ("the plugin dice") that found no room."""
    with world.database.read() as db:
        return [outside.explain_absence(tool) for tool in _split_fitting(world, db)[1] if tool.source == source]


def _split_fitting(world: World, db: sqlite3.Connection) -> tuple[tuple[Outside, ...], tuple[Outside, ...]]:
    if not may("owner", world.who.standing):
        return (), ()
    found = (*callables.list_offered(world, db), *callables.list_server_tools(world, db))
    return outside.distinct(found, (*SKILLS, *ALIASES)) if found else ((), ())


async def confirm(doing: SkillContext, name: str, args: Mapping[str, Any], shown: str) -> Result | None:
    """Carry out a confirmed call, once; None when the skill no longer exists, or the name now means
    another: `shown` is the confirmed text. Raises StorageUnavailable."""
    skill = SKILLS.get(name)
    if skill is not None:
        return await run_once(doing, skill, skill.arguments.model_validate(dict(args)))
    tool = _other(doing.world, name)
    if tool is None or not outside.is_shown(shown, tool, args):
        return None
    if tool.form:
        sent = await outside.run_tool(doing, tool, args)
        return Result(sent.ok, mail_drafts.describe_outcome(sent.ok, sent.raw, args))
    result = await outside.run_tool(doing, tool, args, later=True)
    # tool output is worded by the voice, not shown as is
    return Result(
        result.ok,
        say(outside.ON_ITS_WAY)
        if result.ok
        else say("{tool} of {source} failed.", tool=tool.title, source=tool.source),
    )


def decline(db: sqlite3.Connection, name: str, args: Mapping[str, Any], now: datetime) -> str | None:
    """Handle a refusal; return a text, usually None because nothing was done."""
    skill = SKILLS.get(name)
    if skill is None or skill.declined is None:
        return None
    return skill.declined(db, skill.arguments.model_validate(dict(args)), now)


def _other(world: World, name: str) -> Outside | None:
    """Return the outside tool with this name, even if too long for the prompt."""
    with world.database.read() as db:
        fits, left = _split_fitting(world, db)
    return next((tool for tool in (*fits, *left) if tool.name == name), None)


def _others(world: World) -> tuple[Outside, ...]:
    with world.database.read() as db:
        return outside_tools(world, db)


async def run(doing: SkillContext, call: ToolCall) -> Result:
    """Run a call. A failing, slow or unknown skill is a result for the model, never an exception.

    An identical call runs once per turn: a turn restarted after a crash finds the first result. A
    call that needs consent is stored as a proposal.
    """
    skill = SKILLS.get(ALIASES.get(call.name, call.name))
    standing = doing.world.who.standing
    if skill is None and (tool := _other(doing.world, call.name)) is not None:
        return await outside.use(doing, tool, call.args)
    if skill is None or not may(skill.who, standing):
        there = ", ".join(
            [*(tool.name for tool in tools_here(doing.world)), *(tool.name for tool in _others(doing.world))]
        )
        return Result(False, f"There is no skill {call.name[:60]!r}. There are: {there}.")
    doing = replace(doing, world=doing.world.held())
    try:
        args = skill.arguments.model_validate(dict(call.args))
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}"
            for one in error.errors(include_url=False, include_input=False, include_context=False)[:MOST_PROBLEMS]
        )
        return Result(False, f"The arguments do not fit: {problems}")
    except (TypeError, ValueError, RecursionError) as error:
        return Result(False, f"The arguments do not fit: {error}")
    try:
        result = await asyncio.to_thread(proposing.ask_first, doing, skill, args)
    except StorageUnavailable:
        raise
    except Exception as error:  # a skill's outermost level: any failure in it is a result, not a broken turn
        return _build_failure(skill, error)
    if result is not None and result.asked:
        settled = await proposing.take_requested(doing, skill, result.asked)
        if settled is not None:
            return await run_once(doing, skill, settled)
    return result if result is not None else await run_once(doing, skill, args)


async def run_once(doing: SkillContext, skill: Skill, args: Arguments) -> Result:
    """Run and record a skill, once per turn. Raises StorageUnavailable."""
    world, key, digest = doing.world, doing.place.key, _digest(skill.name, args.model_dump(mode="json"))
    with world.database.read() as db:
        known = skill_runs.find_result(db, key, digest)
    if known is not None:
        return _result(known)
    began = perf_counter()
    result = await _in_time(replace(doing, hold=Hold()), skill, args)
    result = replace(result, foreign=await asyncio.to_thread(proposing.brought, world, result))
    with world.database.write() as db:
        if not result.ok and (note := choosing.list_failing(db, world).get(skill.name)):
            result = replace(result, text=f"{result.text} {note}")
        skill_runs.add(
            db,
            key,
            digest,
            skill.name,
            args.model_dump(mode="json"),
            _dump_result(result),
            result.ok,
            (perf_counter() - began) * 1000,
            world.now,
        )
    return result


async def _in_time(doing: SkillContext, skill: Skill, args: Arguments) -> Result:
    """Run a skill within its limit. After a timeout or cancellation it can write nothing."""
    working = asyncio.ensure_future(asyncio.to_thread(skill.run, doing, args))
    try:
        await asyncio.wait({working}, timeout=max(skill.limit_s * SLACK, LEAST_S))
        if not working.done() and await asyncio.to_thread(doing.hold.give_up):
            working.add_done_callback(lambda late: late.cancelled() or late.exception())
            return Result(False, f"{skill.name} took too long and was given up.")
        return await working
    except asyncio.CancelledError:
        doing.hold.cancel()
        raise
    except StorageUnavailable:
        raise
    except Exception as error:  # a skill's outermost level: any failure in it is a result, not a broken turn
        return _build_failure(skill, error)


def _build_failure(skill: Skill, error: Exception) -> Result:
    if not isinstance(error, (OSError, ValueError, ArithmeticError, LookupError)):
        log.error("the skill %s broke", skill.name, exc_info=error)
    return Result(False, f"{skill.name} failed: {str(error)[:LONGEST_REASON] or type(error).__name__}")


def as_result(call: ToolCall, result: Result) -> ToolResult:
    """Return a call's result for the built-in mind."""
    name = ALIASES.get(call.name, call.name)
    return ToolResult(name, dict(call.args), result.ok, dict(result.data), result.text)


MOST_PROBLEMS = 5
LONGEST_REASON = 300  # maximum problems, and characters of a reason, reported to the model
SLACK = 4.0  # the factor on a skill's limit that a busy small machine may need

# least seconds a skill is given: a small machine that starts a job beside it stalls for two
LEAST_S = 5.0


def _schema(skill: Skill) -> Mapping[str, Any]:
    """Return the argument schema for a model, without lengths and defaults, a third of its tokens,
    which only validation needs. An invalid argument yields a result that says so."""
    schema = skill.arguments.model_json_schema()
    schema.pop("description", None)
    schema.pop("additionalProperties", None)
    return {**_plain(schema), "properties": {name: _plain(one) for name, one in schema["properties"].items()}}


_UNTOLD = frozenset({"title", "default", "maxLength", "minLength", "maxItems", "minItems", "maximum", "minimum"})


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Remove such keys from a schema; "this or null" becomes this."""
    told = {name: value for name, value in schema.items() if name not in _UNTOLD}
    said = [one for one in told.pop("anyOf", ()) if one != {"type": "null"}]
    if len(said) == 1:
        told |= _plain(said[0])
    elif said:
        told["anyOf"] = [_plain(one) for one in said]
    if "items" in told:
        told["items"] = _plain(told["items"])
    return told


def _digest(name: str, args: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps([name, args], sort_keys=True).encode()).hexdigest()[:32]


def _dump_result(result: Result) -> dict[str, Any]:
    notes = [note.__dict__ for note in result.notes]
    data = dict(result.data)
    return {"ok": result.ok, "text": result.text, "data": data, "notes": notes, "foreign": result.foreign}


def _result(kept: Mapping[str, Any]) -> Result:
    notes = tuple(json_values.build(Note, {**note, "turn_ids": tuple(note["turn_ids"])}) for note in kept["notes"])
    data, foreign = kept["data"], bool(kept.get("foreign"))
    return Result(bool(kept["ok"]), str(kept["text"]), data, notes, data.get("asked"), foreign)
