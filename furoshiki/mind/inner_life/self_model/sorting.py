"""Let a model group new self-questions by behaviour, which no word-based rule can do.

"Was I handing out tips again?" and "Why do I reach for solutions?" share neither words nor
embeddings. One model call sorts all new questions after a conversation; without a model they wait.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from furoshiki.core.process.crash_points import point
from furoshiki.mind.inner_life.rules.patterns import WAITS
from furoshiki.mind.inner_life.store import patterns
from furoshiki.models.llm.background import Unanswered, ask_mind
from furoshiki.models.llm.values import Block, Message, Question
from furoshiki.world import World

if TYPE_CHECKING:
    from furoshiki.mind.inner_life.self_model.commitment_form import PlacedQuestion

AT_ONCE = 20
"""Maximum number of questions sorted in one call."""

PATTERNS_SHOWN = 40
MEMBERS_SHOWN = 3
"""Maximum number of recent patterns shown for comparison, and of questions of each."""


async def sort(world: World) -> bool:
    """Let a model sort the new questions. Returns False when no model answers and they wait."""
    with world.database.read() as db:
        fresh = patterns.list_unsorted(db, world.now - WAITS, AT_ONCE)
        new = {id_ for id_, _ in fresh}
        shown = [
            [one for one in group if one[0] not in new]
            for group in patterns.list_groups(db, PATTERNS_SHOWN, MEMBERS_SHOWN)
        ]
    if not fresh:
        return True
    from furoshiki.mind.inner_life.self_model.commitment_form import PlacedQuestions

    companion = world.settings.furoshiki_companion_name
    material = world.prompts.render("behaviour/new", groups=[one for one in shown if one], fresh=fresh)
    question = Question(
        tier="fast",
        purpose="conduct",
        system=(Block(world.prompts.render("behaviour/sorting", companion=companion), True),),
        messages=(Message("user", material),),
        answer=PlacedQuestions,
        max_tokens=60 + 30 * len(fresh),
        timeout_s=60.0,
    )
    answer = await ask_mind(world, question, world.now, "conduct_failed", {"questions": len(fresh)})
    if isinstance(answer, Unanswered):
        return False
    questions: PlacedQuestions = answer.parsed
    point("conduct.answered")
    with world.database.write() as db:
        _place(world, db, fresh, {one.id: one for one in questions.questions})
        point("conduct.before_commit")
    return True


def _place(
    world: World, db: sqlite3.Connection, fresh: Sequence[tuple[int, str]], told: Mapping[int, PlacedQuestion]
) -> None:
    waiting = {id_ for id_, _ in patterns.list_unsorted(db, world.now - WAITS, AT_ONCE)}
    for id_, text in fresh:
        question = told.get(id_)
        if question is None or id_ not in waiting:  # forgotten, or another run was quicker
            continue
        there = patterns.home(db, question.like) if question.like is not None and question.like != id_ else None
        if question.conduct and there is not None and there == patterns.home(db, id_):
            continue
        patterns.take_out(db, id_)
        if question.conduct:
            patterns.place(db, id_, patterns.begin(db, text, world.now) if there is None else there)
    patterns.mark_sorted(db, fresh[-1][0], world.now)
