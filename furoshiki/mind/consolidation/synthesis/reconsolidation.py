"""Judge insights again when their evidence falls or is contradicted, once per change.

An insight that no longer holds is replaced or withdrawn; one that is contradicted and still true is
stored with its contradiction.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from furoshiki.core.process.crash_points import point
from furoshiki.language.grounding import insights
from furoshiki.language.grounding.insights import LEAST_CITED, Judgement
from furoshiki.memory.store import links, memories
from furoshiki.memory.values import Memory
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.store import synthesis
from furoshiki.mind.consolidation.synthesis.asking import Drawn, Part, ask, build_material, count_outcome, judge
from furoshiki.mind.consolidation.synthesis.conclusions import CONFIDENCE, Conclusion, conclude, refuse
from furoshiki.mind.consolidation.synthesis.forms import Rejudgement
from furoshiki.models.llm.background import Unanswered
from furoshiki.owner.user_model import user
from furoshiki.world import World

MOST = 10  # maximum insights judged again per night

OPERATION = "rejudged"
PART = Part("rejudgement", Rejudgement, "reflect", 500)
TYPES = ("reflection", "narrative")


@dataclass(frozen=True)
class _Case:
    """An insight and its changes: remaining, fallen, forgotten and new evidence."""

    held: Memory
    remaining: tuple[Memory, ...]
    fallen: tuple[Memory, ...]
    forgotten: int
    new: tuple[Memory, ...]
    against: tuple[int, ...]
    input: str


async def step(world: World, cycle: Cycle) -> dict[str, Any]:
    """Judge changed insights again. Returns how many were updated, kept and withdrawn."""
    counts = {"updated": 0, "kept": 0, "withdrawn": 0, "refused": 0, "left": 0}
    with world.database.read() as db:
        cases = [case for memory in synthesis.read_conclusions(db, TYPES) if (case := _case(db, memory)) is not None]
    for case in cases[:MOST]:
        if not case.remaining and not case.new:
            # no evidence is left
            outcome: str | Unanswered = _settle(world, cycle, case, "withdraw", "", Judgement(()))
        else:
            outcome = await _judge(world, cycle, case, counts)
        if (skipped := count_outcome(counts, outcome)) is not None:
            return {**counts, "skipped": skipped}
    return counts


def _case(db: sqlite3.Connection, conclusion: Memory) -> _Case | None:
    """Return the changes of an insight since it was last judged, or None."""
    cites = [int(one) for one in conclusion.metadata["cites"]]
    cited = memories.of_ids(db, cites)
    heirs = {
        memory.id: _heir(db, conclusion, memory) for memory in cited if memory.status in ("superseded", "archived")
    }
    fallen = tuple(memory for memory in cited if memory.id in heirs and heirs[memory.id] is None)
    missing = set(cites) - {memory.id for memory in cited} | {memory.id for memory in fallen}
    linked = [
        *links.list_targets(db, conclusion.id, "contradicts"),
        *links.list_sources(db, conclusion.id, "contradicts"),
    ]
    against = tuple(memory.id for memory in synthesis.evidence_among(db, linked))
    if not missing and not against:
        return None
    input_ = synthesis.digest(OPERATION, conclusion.id, missing, set(against))
    if synthesis.is_done(db, OPERATION, input_):
        return None
    instead = [
        memory.id
        for old in fallen
        if old.subject and old.predicate
        for memory in memories.about(db, old.subject, old.predicate)
    ]
    lost = {memory.id for memory in fallen}
    remaining = tuple(heirs.get(memory.id) or memory for memory in cited if memory.id not in lost)
    new = synthesis.evidence_among(db, sorted({*against, *instead} - {memory.id for memory in remaining}))
    return _Case(conclusion, remaining, fallen, len(cites) - len(cited), tuple(new), against, input_)


def _heir(db: sqlite3.Connection, conclusion: Memory, old: Memory) -> Memory | None:
    """Return the active memory that replaced a duplicate (same words or links), or None."""
    heirs = {*links.list_targets(db, old.id, "updated_by"), *links.list_sources(db, old.id, "supersedes")}
    rests_on = {link.to_id for link in links.links_of(db, conclusion.id) if link.from_id == conclusion.id}
    for memory in memories.of_ids(db, sorted(heirs)):
        if memory.status == "active" and (memory.id in rests_on or insights.same(memory.content, old.content)):
            return memory
    return None


async def _judge(world: World, cycle: Cycle, case: _Case, counts: dict[str, int]) -> str | Unanswered:
    zone = user.zone_of(world)
    remaining, still = build_material(case.remaining, zone)
    new, news = build_material(case.new, zone)
    sections: list[tuple[str, Sequence[str]]] = [("The insight", [case.held.content])]
    sections.append(("It rests on these, which still hold", still or ["nothing any more"]))
    if case.fallen or case.forgotten:
        # the prompt only says that something was forgotten
        lost = build_material(case.fallen, zone)[1] + ["something that was forgotten"] * case.forgotten
        sections.append(("It also rested on these, which hold no more", lost))
    if news:
        sections.append(("New evidence", news))
    answer = await ask(world, cycle, PART, sections)
    if isinstance(answer, Unanswered):
        return answer
    point("deepening.reconsolidation.answered")
    rejudgement: Rejudgement = answer.parsed
    text = " ".join((rejudgement.text or "").split())
    verdict = rejudgement.verdict
    better = Drawn(text, rejudgement.memories, LEAST_CITED, new=True)
    held = Drawn(case.held.content, list(remaining), LEAST_CITED)
    drawn = {"update": [better, held], "keep_both": [held]}.get(verdict, [])
    judgements = await judge(world, remaining | new, drawn)
    judgement = judgements[0] if verdict == "update" else Judgement(())
    if not judgement.ok:
        with world.database.write() as db:
            refuse(db, cycle, "rejudgement", text, rejudgement.memories, judgement.reason)
        counts["refused"] += 1
    if verdict == "keep_both" or not judgement.ok:
        # kept only if the remaining evidence supports it
        verdict = "keep_both" if judgements[-1].ok else "withdraw"
    return _settle(world, cycle, case, verdict, text, judgement)


def _settle(world: World, cycle: Cycle, case: _Case, verdict: str, text: str, judgement: Judgement) -> str:
    """Apply a verdict and mark the change as judged, in one transaction."""
    judged_memory = case.held
    with world.database.write() as db:
        if synthesis.is_done(db, OPERATION, case.input):
            return "kept"  # another run was quicker
        outcome = "kept"
        if verdict == "update":
            conclusion = Conclusion(judged_memory.type, text, judgement.carried_by, "informed_by", "update", case.input)
            stored = conclude(db, cycle, conclusion)
            if stored is not None and stored.id != judged_memory.id:
                links.link(db, judged_memory.id, stored.id, "updated_by", 1.0, cycle.now)
                synthesis.retire(db, judged_memory.id, cycle.now)
                outcome = "updated"
        elif verdict == "withdraw":
            synthesis.retire(db, judged_memory.id, cycle.now)
            outcome = "withdrawn"
        else:
            for opposed in case.against:
                links.link(db, opposed, judged_memory.id, "contradicts", CONFIDENCE, cycle.now)
            synthesis.remark(db, judged_memory.id, {"productive": sorted(case.against)})
        note = {"outcome": outcome, "against": list(case.against), "fallen": [memory.id for memory in case.fallen]}
        synthesis.note(db, cycle.id, OPERATION, judged_memory.id, case.input, note, cycle.now)
        point("deepening.reconsolidation.before_commit")
    return outcome
