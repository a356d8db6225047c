"""Narratives: the companion's values and the reasons for them, from clusters of memories.

Rules build the sentence from clauses found in memories; a model only selects them.
"""

from collections.abc import Sequence
from typing import Any

from furoshiki.core.process.crash_points import point
from furoshiki.language.grounding.insights import Judgement
from furoshiki.memory.values import Memory
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.store import synthesis
from furoshiki.mind.consolidation.synthesis.asking import Drawn, Part, ask, build_material, count_outcome, judge
from furoshiki.mind.consolidation.synthesis.clusters import Clusters, of_evidence
from furoshiki.mind.consolidation.synthesis.conclusions import Conclusion, conclude, refuse
from furoshiki.mind.consolidation.synthesis.forms import ReadNarrative, Reason
from furoshiki.models.llm.background import Unanswered
from furoshiki.owner.user_model import user
from furoshiki.world import World

LEAST_MEMBERS = 3  # minimum members of a cluster with a story
MOST = 3  # maximum narratives per night, because values change slowly

LEAST_REASONS = 2
MOST_REASONS = 3

OPERATION = "narratives"
PART = Part("narrative", ReadNarrative, "reflect", 500)


async def step(world: World, cycle: Cycle, clusters: Clusters | None = None) -> dict[str, Any]:
    """Form narratives from clusters without one. Returns how many are new, refused, and absent."""
    counts = {"new": 0, "refused": 0, "none": 0, "left": 0}
    with world.database.read() as db:
        cited_sets = [set(memory.metadata["cites"]) for memory in synthesis.read_conclusions(db, ("narrative",))]
    for cluster in of_evidence(world, clusters, LEAST_MEMBERS):
        ids = {memory.id for memory in cluster}
        input_ = synthesis.digest(OPERATION, ids)
        with world.database.read() as db:
            finished = synthesis.is_done(db, OPERATION, input_)
        if finished or any(len(ids & cited) >= LEAST_REASONS for cited in cited_sets):
            continue
        if sum(counts.values()) >= MOST:
            break
        outcome = await _tell(world, cycle, cluster, input_)
        if (skipped := count_outcome(counts, outcome)) is not None:
            return {**counts, "skipped": skipped}
    return counts


async def _tell(world: World, cycle: Cycle, cluster: Sequence[Memory], input_: str) -> str | Unanswered:
    text_of, lines = build_material(cluster, user.zone_of(world))
    answer = await ask(world, cycle, PART, [("Memories", lines)])
    if isinstance(answer, Unanswered):
        return answer
    point("deepening.narratives.answered")
    narrative: ReadNarrative = answer.parsed
    value = _clause(narrative.value or "")
    text, verdict = await _judge(world, value, narrative.because, text_of)
    with world.database.write() as db:
        if synthesis.is_done(db, OPERATION, input_):
            return "none"  # another run was quicker
        stored = None
        if verdict.ok:
            conclusion = Conclusion("narrative", text, verdict.carried_by, "because", "narrative", input_)
            stored = conclude(db, cycle, conclusion)
        elif value:
            refuse(db, cycle, "narrative", text, [reason.memory for reason in narrative.because], verdict.reason)
        note = {"cites": list(verdict.carried_by), "kept": stored is not None}
        synthesis.note(db, cycle.id, OPERATION, None if stored is None else stored.id, input_, note, cycle.now)
        point("deepening.narratives.before_commit")
    if stored is not None:
        return "new"
    return "refused" if value else "none"


async def _judge(world: World, value: str, because: Sequence[Reason], text_of: dict[int, str]) -> tuple[str, Judgement]:
    """Return the sentence and its verdict: each reason in its memory, the whole in all of them."""
    reasons: dict[int, str] = {}
    for reason in because:
        reasons.setdefault(reason.memory, _clause(reason.what))
    chosen = dict(list(reasons.items())[:MOST_REASONS])
    text = f"I came to value {value} because {' and '.join(chosen.values())}."
    drawn = [Drawn(what, [memory_id]) for memory_id, what in chosen.items()]
    # causality is the companion's own view; the facts must stand in the memories
    without_reason = f"I came to value {value}: {' and '.join(chosen.values())}."
    whole = Drawn(without_reason if value else "", list(chosen), LEAST_REASONS)
    verdicts = await judge(world, text_of, [*drawn, whole])
    return text, next((judgement for judgement in verdicts if not judgement.ok), verdicts[-1])


def _clause(text: str) -> str:
    return " ".join(text.split()).strip(" .,;:")
