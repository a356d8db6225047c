"""Merge nearly equal memories into one insight that replaces them without deleting them.

They keep their text, get a link from the insight, and lose some weight once.
"""

from collections.abc import Sequence
from typing import Any

from furoshiki.core.process.crash_points import point
from furoshiki.language.grounding.insights import LEAST_CITED
from furoshiki.memory import weighing
from furoshiki.memory.store import links, memories
from furoshiki.memory.values import Memory
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.store import synthesis
from furoshiki.mind.consolidation.synthesis import asking
from furoshiki.mind.consolidation.synthesis.clusters import Clusters, of_evidence
from furoshiki.mind.consolidation.synthesis.conclusions import Conclusion, conclude, refuse
from furoshiki.mind.consolidation.synthesis.forms import Merged
from furoshiki.models.llm.background import Unanswered, together
from furoshiki.owner.user_model import user
from furoshiki.world import World

MOST_CLUSTERS = 10  # maximum clusters per night
AGAINST_MERGED = 0.3  # the gain in beta of each replaced memory

OPERATION = "merge"
PART = asking.Part("merged", Merged, "reflect", 400)


async def step(world: World, cycle: Cycle, clusters: Clusters | None = None) -> dict[str, Any]:
    """Merge clusters without an insight. Returns how many were merged, refused and left."""
    counts = {"merged": 0, "refused": 0, "left": 0}
    work = _work(world, clusters)
    if world.settings.furoshiki_batch == "on":
        asked = [_sections(world, cluster, held)[1] for cluster, held, _ in work]
        await together(world, [asking.question_of(world, cycle, PART, sections) for sections in asked], cycle.now)
    for cluster, existing, input_ in work:
        outcome = await _merge(world, cycle, cluster, existing, input_)
        if (skipped := asking.count_outcome(counts, outcome)) is not None:
            return {**counts, "skipped": skipped}
    return counts


def _work(world: World, clusters: Clusters | None) -> list[tuple[Sequence[Memory], Sequence[Memory], str]]:
    """Return tonight's clusters, the insights that replaced them so far, and their digests."""
    work: list[tuple[Sequence[Memory], Sequence[Memory], str]] = []
    for cluster in of_evidence(world, clusters):
        input_ = synthesis.digest(OPERATION, {memory.id for memory in cluster})
        with world.database.read() as db:
            covered = synthesis.find_covering(db, [memory.id for memory in cluster])
            if len(covered) == len(cluster) or synthesis.is_done(db, OPERATION, input_):
                continue
            existing = memories.of_ids(db, sorted(set(covered.values())))
        if len(work) >= MOST_CLUSTERS:
            break
        work.append((cluster, existing, input_))
    return work


def _sections(
    world: World, cluster: Sequence[Memory], existing: Sequence[Memory]
) -> tuple[dict[int, str], list[asking.Section]]:
    """Return a cluster's memories by id, and the sections of the question."""
    text_of, lines = asking.build_material(cluster, user.zone_of(world))
    sections: list[asking.Section] = [("Memories", lines)]
    if existing:
        sections.append(("What stood in their place until now", [memory.content for memory in existing]))
    return text_of, sections


async def _merge(
    world: World, cycle: Cycle, cluster: Sequence[Memory], existing: Sequence[Memory], input_: str
) -> str | Unanswered:
    text_of, sections = _sections(world, cluster, existing)
    answer = await asking.ask(world, cycle, PART, sections)
    if isinstance(answer, Unanswered):
        return answer
    point("deepening.merging.answered")
    merged: Merged = answer.parsed
    text = " ".join((merged.text or "").split())
    (verdict,) = await asking.judge(world, text_of, [asking.Drawn(text, merged.memories, LEAST_CITED)])
    with world.database.write() as db:
        if synthesis.is_done(db, OPERATION, input_):
            return "refused"  # another run was quicker
        before = synthesis.find_covering(db, text_of)
        stored = None
        if verdict.ok:
            conclusion = Conclusion("reflection", text, verdict.carried_by, "supersedes", "merge_insight", input_)
            stored = conclude(db, cycle, conclusion)
        elif text:
            refuse(db, cycle, "merge", text, merged.memories, verdict.reason)
        if stored is not None:
            for memory_id in verdict.carried_by:
                if memory_id not in before:
                    weighing.contradict(db, cycle, memory_id, AGAINST_MERGED, "merged", {"insight": stored.id})
            for old in existing:
                if old.id != stored.id and set(links.list_targets(db, old.id, "supersedes")) <= set(verdict.carried_by):
                    links.link(db, old.id, stored.id, "updated_by", 1.0, cycle.now)
                    synthesis.retire(db, old.id, cycle.now)
        note = {"cites": list(verdict.carried_by), "kept": stored is not None}
        synthesis.note(db, cycle.id, OPERATION, None if stored is None else stored.id, input_, note, cycle.now)
        point("deepening.merging.before_commit")
    return "refused" if stored is None else "merged"
