"""The three questions that the newest memories raise, and what else is remembered about them."""

from __future__ import annotations

from collections.abc import Sequence

from furoshiki.core import refs
from furoshiki.core.lazy_dataclasses import dataclass
from furoshiki.memory.values import Memory
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.store import synthesis
from furoshiki.mind.consolidation.synthesis.asking import ask, build_material
from furoshiki.mind.consolidation.synthesis.forms import SalientQuestions
from furoshiki.models.llm.background import Unanswered
from furoshiki.owner.user_model import user
from furoshiki.recall.retrieval.recall import recall
from furoshiki.recall.retrieval.values import Scope
from furoshiki.world import World

NEWEST = 100
"""Memories that are thought about."""

LEAST = 5
"""With fewer there is nothing to conclude from."""

QUESTIONS = 3
RECALLED = 12
"""Memories brought back for each question."""


@dataclass(frozen=True)
class Salient:
    """The questions, and every memory that may answer them: what was recalled first, then the newest."""

    questions: tuple[str, ...]
    memories: tuple[Memory, ...]


async def salient(world: World, cycle: Cycle, newest: Sequence[Memory]) -> Salient | Unanswered:
    """Ask what is worth asking, and recall what answers it. Writes nothing: a question is no result yet."""
    _, lines = build_material(newest, user.zone_of(world))
    answer = await ask(
        world,
        cycle,
        "questions",
        SalientQuestions,
        [("Newest memories, newest first", lines)],
        tier="fast",
        max_tokens=400,
    )
    if isinstance(answer, Unanswered):
        return answer
    read: SalientQuestions = answer.parsed
    questions = tuple(dict.fromkeys(" ".join(one.split()) for one in read.questions))[:QUESTIONS]
    found: dict[int, Memory] = {}
    for question in questions:
        near = recall(world, question, k=RECALLED, now=cycle.now, scope=Scope(("memory",)))
        ids = [refs.row(one.id) for one in near]
        with world.database.read() as db:
            by_id = {one.id: one for one in synthesis.evidence_among(db, ids)}
        found.update((one, by_id[one]) for one in ids if one in by_id)
    for one in newest:
        found.setdefault(one.id, one)
    return Salient(questions, tuple(found.values()))
