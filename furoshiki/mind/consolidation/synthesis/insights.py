"""Insights: conclusions from memories, each with its evidence.

The newest memories yield three questions; a model sees related memories and returns at most five
insights. One commit ends the step: before it, the next run starts again; after it, the same
memories are skipped until there is a new one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from furoshiki.core import refs
from furoshiki.core.process.crash_points import point
from furoshiki.language.grounding.insights import LEAST_CITED, Judgement
from furoshiki.memory.values import Memory
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.store import synthesis
from furoshiki.mind.consolidation.synthesis.asking import Drawn, Part, ask, build_material, judge
from furoshiki.mind.consolidation.synthesis.conclusions import INSIGHT, Conclusion, conclude, refuse
from furoshiki.mind.consolidation.synthesis.forms import Insights, ReadInsight, SalientQuestions
from furoshiki.models.llm.background import Unanswered
from furoshiki.owner.user_model import user
from furoshiki.recall.retrieval.recall import recall
from furoshiki.recall.retrieval.values import Scope
from furoshiki.world import World

MOST = 5
OPERATION = "insights"
ASKING = Part("questions", SalientQuestions, "fast", 400)
DRAWING = Part("insights", Insights, "reflect", 1500)

NEWEST = 100  # number of newest memories considered
LEAST = 5  # minimum number of memories for conclusions

QUESTIONS = 3
RECALLED = 12  # memories retrieved for each question


async def step(world: World, cycle: Cycle) -> dict[str, Any]:
    """Draw insights from the newest memories. Returns how many are new, repeated, refused."""
    with world.database.read() as db:
        newest = synthesis.evidence(db, NEWEST)
        input_ = synthesis.digest([memory.id for memory in newest])
        finished = synthesis.is_done(db, OPERATION, input_)
    if len(newest) < LEAST:
        return {"skipped": f"too little to think about: {len(newest)} memories"}
    if finished:
        return {"skipped": "nothing new since the last time"}
    salient_questions = await salient(world, cycle, newest)
    if isinstance(salient_questions, Unanswered):
        return {"skipped": salient_questions.reason}
    if not salient_questions.questions:
        return _finish(world, cycle, input_, [], [])
    text_of, lines = build_material(salient_questions.memories, user.zone_of(world))
    answer = await ask(world, cycle, DRAWING, [("Questions", salient_questions.questions), ("Memories", lines)])
    if isinstance(answer, Unanswered):
        return {"skipped": answer.reason}
    point("deepening.insights.answered")
    insights: Insights = answer.parsed
    offered = insights.insights[:MOST]
    drawn = [Drawn(insight.text, insight.memories, LEAST_CITED, new=True) for insight in offered]
    verdicts = await judge(world, text_of, drawn)
    good = [(one, verdict) for one, verdict in zip(offered, verdicts, strict=True) if verdict.ok]
    bad = [(one, verdict) for one, verdict in zip(offered, verdicts, strict=True) if not verdict.ok]
    return _finish(world, cycle, input_, good, bad)


def _finish(
    world: World,
    cycle: Cycle,
    input_: str,
    good: list[tuple[ReadInsight, Judgement]],
    bad: list[tuple[ReadInsight, Judgement]],
) -> dict[str, Any]:
    """Store accepted insights, refusals, and the mark of this run, in one transaction."""
    new = again = 0
    refused = len(bad)
    with world.database.write() as db:
        if synthesis.is_done(db, OPERATION, input_):
            return {"skipped": "another run was quicker"}
        for insight, verdict in good:
            text = " ".join(insight.text.split())
            conclusion = Conclusion("reflection", text, verdict.carried_by, "informed_by", INSIGHT, input_)
            stored = conclude(db, cycle, conclusion)
            new += stored is not None and stored.new
            again += stored is not None and not stored.new
            refused += stored is None
        for insight, verdict in bad:
            refuse(db, cycle, "insight", insight.text, insight.memories, verdict.reason)
        counts = {"new": new, "again": again, "refused": refused}
        synthesis.note(db, cycle.id, OPERATION, None, input_, counts, cycle.now)
        point("deepening.insights.before_commit")
    return counts


@dataclass(frozen=True)
class Salient:
    """The questions, and all memories that may answer them: retrieved ones, then the newest."""

    questions: tuple[str, ...]
    memories: tuple[Memory, ...]


async def salient(world: World, cycle: Cycle, newest: Sequence[Memory]) -> Salient | Unanswered:
    """Ask for questions and retrieve memories for them. Writes nothing."""
    _, lines = build_material(newest, user.zone_of(world))
    answer = await ask(world, cycle, ASKING, [("Newest memories, newest first", lines)])
    if isinstance(answer, Unanswered):
        return answer
    parsed: SalientQuestions = answer.parsed
    questions = tuple(dict.fromkeys(" ".join(one.split()) for one in parsed.questions))[:QUESTIONS]
    memory_of: dict[int, Memory] = {}
    for question in questions:
        near = recall(world, question, k=RECALLED, now=cycle.now, scope=Scope(("memory",)))
        ids = [refs.row(item.id) for item in near]
        with world.database.read() as db:
            by_id = {memory.id: memory for memory in synthesis.evidence_among(db, ids)}
        memory_of.update((one, by_id[one]) for one in ids if one in by_id)
    for memory in newest:
        memory_of.setdefault(memory.id, memory)
    return Salient(questions, tuple(memory_of.values()))
