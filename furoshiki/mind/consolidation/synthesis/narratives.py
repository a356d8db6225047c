"""Narratives: what the companion came to value, and because of what, told from memories that belong together.

The sentence is put together here from clauses that each stand in a memory; a mind only chooses them.
"""

from collections.abc import Sequence
from typing import Any

from furoshiki.core.process.crash_points import point
from furoshiki.language.grounding.insights import Judgement
from furoshiki.memory.values import Memory
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.store import synthesis
from furoshiki.mind.consolidation.synthesis.asking import Drawn, ask, build_material, count_outcome, judge
from furoshiki.mind.consolidation.synthesis.clusters import Clusters, of_evidence
from furoshiki.mind.consolidation.synthesis.conclusions import Conclusion, conclude, refuse
from furoshiki.mind.consolidation.synthesis.forms import ReadNarrative, Reason
from furoshiki.models.llm.background import Unanswered
from furoshiki.owner.user_model import user
from furoshiki.world import World

LEAST_MEMBERS = 3
"""A story needs more than a pair."""

MOST = 3
"""Narratives a night: who finds a new value every hour has none."""

LEAST_REASONS = 2
MOST_REASONS = 3

OPERATION = "narratives"


async def step(world: World, cycle: Cycle, clusters: Clusters | None = None) -> dict[str, Any]:
    """Tell the story of clusters that have none. Returns how many narratives are new, refused, and without a story."""
    counts = {"new": 0, "refused": 0, "none": 0, "left": 0}
    with world.database.read() as db:
        told = [set(one.metadata["cites"]) for one in synthesis.read_conclusions(db, ("narrative",))]
    for cluster in of_evidence(world, clusters, LEAST_MEMBERS):
        ids = {one.id for one in cluster}
        input_ = synthesis.digest(OPERATION, ids)
        with world.database.read() as db:
            finished = synthesis.is_done(db, OPERATION, input_)
        if finished or any(len(ids & cited) >= LEAST_REASONS for cited in told):
            continue
        if sum(counts.values()) >= MOST:
            break
        outcome = await _tell(world, cycle, cluster, input_)
        if (skipped := count_outcome(counts, outcome)) is not None:
            return {**counts, "skipped": skipped}
    return counts


async def _tell(world: World, cycle: Cycle, cluster: Sequence[Memory], input_: str) -> str | Unanswered:
    known, lines = build_material(cluster, user.zone_of(world))
    answer = await ask(
        world,
        cycle,
        "narrative",
        ReadNarrative,
        [("Memories", lines)],
        tier="reflect",
        max_tokens=500,
    )
    if isinstance(answer, Unanswered):
        return answer
    point("deepening.narratives.answered")
    read: ReadNarrative = answer.parsed
    value = _clause(read.value or "")
    text, verdict = await _judge(world, value, read.because, known)
    with world.database.write() as db:
        if synthesis.is_done(db, OPERATION, input_):
            return "none"  # another run was quicker
        kept = None
        if verdict.ok:
            conclusion = Conclusion("narrative", text, verdict.carried_by, "because", "narrative", input_)
            kept = conclude(db, cycle, conclusion)
        elif value:
            refuse(db, cycle, "narrative", text, [one.memory for one in read.because], verdict.reason)
        note = {"cites": list(verdict.carried_by), "kept": kept is not None}
        synthesis.note(db, cycle.id, OPERATION, None if kept is None else kept.id, input_, note, cycle.now)
        point("deepening.narratives.before_commit")
    if kept is not None:
        return "new"
    return "refused" if value else "none"


async def _judge(world: World, value: str, because: Sequence[Reason], known: dict[int, str]) -> tuple[str, Judgement]:
    """The sentence, and whether each of its reasons stands in its memory, and all of it in those together."""
    reasons: dict[int, str] = {}
    for reason in because:
        reasons.setdefault(reason.memory, _clause(reason.what))
    chosen = dict(list(reasons.items())[:MOST_REASONS])
    text = f"I came to value {value} because {' and '.join(chosen.values())}."
    drawn = [Drawn(what, [memory_id]) for memory_id, what in chosen.items()]
    # that the one comes of the other is its own to say; what both tell of them must stand in the memories
    without_reason = f"I came to value {value}: {' and '.join(chosen.values())}."
    whole = Drawn(without_reason if value else "", list(chosen), LEAST_REASONS)
    verdicts = await judge(world, known, [*drawn, whole])
    return text, next((one for one in verdicts if not one.ok), verdicts[-1])


def _clause(text: str) -> str:
    return " ".join(text.split()).strip(" .,;:")
