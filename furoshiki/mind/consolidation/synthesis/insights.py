"""Insights: what follows from what was learned, each with the memories it follows from.

The newest memories raise three questions; what is remembered about those is put before a mind, which may answer with
five insights. Killed before the one commit, the next run thinks again; after it, the same memories are thought about
no more until there is a new one.
"""

from typing import Any

from furoshiki.core.process.crash_points import point
from furoshiki.language.grounding.insights import LEAST_CITED, Judgement
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.store import synthesis
from furoshiki.mind.consolidation.synthesis import questions
from furoshiki.mind.consolidation.synthesis.asking import Drawn, ask, build_material, judge
from furoshiki.mind.consolidation.synthesis.conclusions import INSIGHT, Conclusion, conclude, refuse
from furoshiki.mind.consolidation.synthesis.forms import Insights, ReadInsight
from furoshiki.models.llm.background import Unanswered
from furoshiki.owner.user_model import user
from furoshiki.world import World

MOST = 5
OPERATION = "insights"


async def step(world: World, cycle: Cycle) -> dict[str, Any]:
    """Think about the newest memories once. Returns how many insights are new, were found again, and were refused."""
    with world.database.read() as db:
        newest = synthesis.evidence(db, questions.NEWEST)
        input_ = synthesis.digest([one.id for one in newest])
        finished = synthesis.is_done(db, OPERATION, input_)
    if len(newest) < questions.LEAST:
        return {"skipped": f"too little to think about: {len(newest)} memories"}
    if finished:
        return {"skipped": "nothing new since the last time"}
    asked = await questions.salient(world, cycle, newest)
    if isinstance(asked, Unanswered):
        return {"skipped": asked.reason}
    if not asked.questions:
        return _finish(world, cycle, input_, [], [])
    known, lines = build_material(asked.memories, user.zone_of(world))
    answer = await ask(
        world,
        cycle,
        "insights",
        Insights,
        [("Questions", asked.questions), ("Memories", lines)],
        tier="reflect",
        max_tokens=1500,
    )
    if isinstance(answer, Unanswered):
        return {"skipped": answer.reason}
    point("deepening.insights.answered")
    read: Insights = answer.parsed
    offered = read.insights[:MOST]
    drawn = [Drawn(one.text, one.memories, LEAST_CITED, new=True) for one in offered]
    verdicts = await judge(world, known, drawn)
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
    """Keep what may be kept and list the rest, with the note that these memories were thought about: all or nothing."""
    new = again = 0
    refused = len(bad)
    with world.database.write() as db:
        if synthesis.is_done(db, OPERATION, input_):
            return {"skipped": "another run was quicker"}
        for found, verdict in good:
            text = " ".join(found.text.split())
            conclusion = Conclusion("reflection", text, verdict.carried_by, "informed_by", INSIGHT, input_)
            kept = conclude(db, cycle, conclusion)
            new += kept is not None and kept.new
            again += kept is not None and not kept.new
            refused += kept is None
        for found, verdict in bad:
            refuse(db, cycle, "insight", found.text, found.memories, verdict.reason)
        counts = {"new": new, "again": again, "refused": refused}
        synthesis.note(db, cycle.id, OPERATION, None, input_, counts, cycle.now)
        point("deepening.insights.before_commit")
    return counts
