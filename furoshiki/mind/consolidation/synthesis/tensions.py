"""Tensions: acts that contradict values. They are recorded without reproach.

A tension quotes both sides and gets no bonus. It is resolved when one side no longer holds. After
surfacing five times it is acknowledged: it stays stored but dormant.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from furoshiki.core.process.crash_points import point
from furoshiki.memory.rules.one_line import compress
from furoshiki.memory.rules.weights import Weight
from furoshiki.memory.store import links, memories
from furoshiki.memory.values import Memory, NewMemory
from furoshiki.mind.consolidation.store import synthesis
from furoshiki.owner.user_model import user
from furoshiki.world import World

if TYPE_CHECKING:
    from furoshiki.memory.weighing import Cycle
    from furoshiki.mind.consolidation.synthesis.forms import ReadTension

VALUED_ABOVE = 0.7  # minimum centre of a value
LEAST_STRENGTH = 0.5  # weaker contradictions are ignored as everyday life
FATIGUE = 5  # how often a tension may surface before it is acknowledged

MOST_VALUES = 20
MOST_ACTS = 60

OPERATION = "tensions"


async def step(world: World, cycle: Cycle) -> dict[str, Any]:
    """Resolve tensions, and look for new ones between values and recent acts."""
    # imported here: `record_surfacing` runs after turns and must stay cheap
    from furoshiki.mind.consolidation.synthesis.asking import Drawn, Part, ask, build_material, judge
    from furoshiki.mind.consolidation.synthesis.forms import Tensions
    from furoshiki.models.llm.background import Unanswered

    resolved = _resolve(world, cycle)
    with world.database.read() as db:
        values = synthesis.values(db, VALUED_ABOVE, MOST_VALUES)
        valued = {memory.id for memory in values}
        acts = [memory for memory in synthesis.acts(db, MOST_ACTS) if memory.id not in valued]
        input_ = synthesis.digest(OPERATION, valued, {memory.id for memory in acts})
        finished = synthesis.is_done(db, OPERATION, input_)
    counts = {"new": 0, "again": 0, "refused": 0, "resolved": resolved}
    if not values or not acts:
        return {**counts, "skipped": "nothing is valued that much, or nothing was done"}
    if finished:
        return {**counts, "skipped": "nothing new since the last time"}
    zone = user.zone_of(world)
    value_texts, value_lines = build_material(values, zone, 1500)
    act_texts, act_lines = build_material(acts, zone, 3000)
    part = Part("tensions", Tensions, "fast", 800)
    answer = await ask(world, cycle, part, [("Valued", value_lines), ("Done, newest first", act_lines)])
    if isinstance(answer, Unanswered):
        return {**counts, "skipped": answer.reason}
    point("deepening.tensions.answered")
    by_value = {memory.id: memory for memory in values if memory.id in value_texts}
    by_act = {memory.id: memory for memory in acts if memory.id in act_texts}
    tensions: Tensions = answer.parsed
    objections = [_objection(tension, by_value, by_act) for tension in tensions.tensions]
    fit = [one for one, objection in zip(tensions.tensions, objections, strict=True) if not objection]
    described = [_describe_tension(by_value[tension.value], [by_act[act] for act in tension.acts]) for tension in fit]
    drawn = [Drawn(text, [one.value, *one.acts]) for text, one in zip(described, fit, strict=True)]
    judgements = iter(await judge(world, value_texts | act_texts, drawn))
    reasons = [objection or next(judgements).reason for objection in objections]
    with world.database.write() as db:
        if synthesis.is_done(db, OPERATION, input_):
            return {**counts, "skipped": "another run was quicker"}
        for read_tension, objection in zip(tensions.tensions, reasons, strict=True):
            if not objection:
                counts[_keep(db, cycle, by_value[read_tension.value], [by_act[act] for act in read_tension.acts])] += 1
            else:
                words = (
                    by_value[read_tension.value].content
                    if read_tension.value in by_value
                    else f"memory {read_tension.value}"
                )
                memories.reject(db, "tension", words, [read_tension.value, *read_tension.acts], objection, cycle.now)
                counts["refused"] += 1
        synthesis.note(db, cycle.id, OPERATION, None, input_, counts, cycle.now)
        point("deepening.tensions.before_commit")
    return counts


def record_surfacing(db: sqlite3.Connection, ids: Sequence[int], now: datetime) -> list[int]:
    """Count a turn in which these tensions surfaced; return the newly acknowledged ones. Runs in
    the caller's transaction; other memories are ignored."""
    acknowledged = []
    for memory in memories.of_ids(db, sorted(set(ids))):
        if memory.type != "tension" or memory.status != "active":
            continue
        times = int(memory.metadata.get("surfaced", 0)) + 1
        synthesis.remark(db, memory.id, {"surfaced": times})
        if times >= FATIGUE:
            synthesis.remark(db, memory.id, {"acknowledged": True})
            synthesis.rest(db, memory.id)
            name = synthesis.digest("acknowledged", memory.id)
            synthesis.note(db, "turn", "tension_acknowledged", memory.id, name, {"surfaced": times}, now)
            acknowledged.append(memory.id)
    return acknowledged


def _resolve(world: World, cycle: Cycle) -> int:
    """Close tensions of which one side no longer holds; return their number."""
    count = 0
    with world.database.write() as db:
        for memory in synthesis.tensions(db):
            value = memories.get(db, int(memory.metadata.get("value", 0)))
            acts = memories.of_ids(db, [int(act) for act in memory.metadata.get("acts", ())])
            valued = False
            if value is not None and value.status == "active":
                valued = Weight(value.alpha, value.beta).centre > VALUED_ABOVE
            if valued and any(act.status == "active" for act in acts):
                continue
            synthesis.remark(db, memory.id, {"resolved": True})
            synthesis.retire(db, memory.id, cycle.now)
            name = synthesis.digest("resolved", memory.id)
            synthesis.note(db, cycle.id, "tension_resolved", memory.id, name, {}, cycle.now)
            count += 1
    return count


def _objection(tension: ReadTension, values: Mapping[int, Memory], acts: Mapping[int, Memory]) -> str:
    """Return a formal objection to a tension (unknown side, too weak), or ""."""
    if tension.value not in values:
        return f"there is no valued memory {tension.value} among those it was shown"
    unknown = [act for act in tension.acts if act not in acts]
    if unknown or not tension.acts:
        return f"there is no act {unknown[0]} among those it was shown" if unknown else "it names nothing that was done"
    if tension.strength < LEAST_STRENGTH:
        return f"a contradiction of {tension.strength:.1f} is everyday life"
    return ""


def _describe_tension(value: Memory, acts: Sequence[Memory]) -> str:
    deeds = ", and ".join(map(_bare, acts))
    return f"It speaks against what they value ({_bare(value)}) that this was done: {deeds}."


def _keep(db: sqlite3.Connection, cycle: Cycle, value: Memory, acts: Sequence[Memory]) -> str:
    """Store one tension per value; later acts are added to it."""
    turn_ids = sorted({turn for memory in (value, *acts) for turn in memory.turn_ids})
    existing = next((memory for memory in synthesis.tensions(db) if memory.metadata.get("value") == value.id), None)
    if existing is None:
        text = f"Values \u201c{_bare(value)}\u201d, acts \u201c{_bare(acts[-1])}\u201d"
        remarks = {"value": value.id, "acts": [memory.id for memory in acts], "surfaced": 0, "cycle": cycle.id}
        new = NewMemory(
            type="tension",
            content=text,
            turn_ids=tuple(turn_ids),
            source_tag=synthesis.DERIVED,
            valid_from=cycle.now,
            compressed=compress(text),
            metadata=remarks,
        )
        memory_id, outcome = memories.add(db, new, cycle.now), "new"
    else:
        memory_id, outcome = existing.id, "again"
        known_acts = list(existing.metadata["acts"])
        synthesis.remark(
            db, existing.id, {"acts": known_acts + [memory.id for memory in acts if memory.id not in known_acts]}
        )
        synthesis.sources(db, existing.id, turn_ids)
    for memory in (value, *acts):
        links.link(db, memory_id, memory.id, "informed_by", 1.0, cycle.now)
    return outcome


def _bare(memory: Memory) -> str:
    return " ".join(memory.content.split()).rstrip(" .")
