"""After a deep reflection, ask the companion for one plugin wish, at most once a week.

Requires `FUROSHIKI_PLUGIN_WISHES=own`. A wish is written, reviewed and proposed like any other;
nothing runs unless the owner applies it.
"""

from typing import Annotated

from pydantic import BaseModel, Field

from furoshiki.core import refs
from furoshiki.core.database import kv
from furoshiki.core.process.crash_points import point
from furoshiki.extensions.plugins.authoring import wishing
from furoshiki.extensions.plugins.store import jobs
from furoshiki.mind.inner_life.due import WISHED_AFTER
from furoshiki.mind.inner_life.store import drift
from furoshiki.models.llm.background import Unanswered, ask_mind
from furoshiki.models.llm.values import Question
from furoshiki.world import Report, World

MOST_TOLD = 8  # maximum number of earlier wishes shown, newest first


class ReadWish(BaseModel):
    """What it would like to be able to do, or nothing."""

    wish: Annotated[
        str | None, Field(max_length=300, description="What the plugin should do, in one sentence; nothing is the rule")
    ] = None


async def wish(world: World) -> Report:
    """Ask for a wish once after the latest deep reflection."""
    with world.database.read() as db:
        look = next(iter(drift.newest(db, 1)), None)
        had = [job.wish for job in jobs.of_states(db, limit=MOST_TOLD)]
    if look is None:
        return Report(False, "there was no long look yet")
    if world.settings.furoshiki_plugin_wishes != "own":
        return _over(world, look.id, "it has no wishes of its own: FUROSHIKI_PLUGIN_WISHES")
    matter = world.prompts.render(
        "plugins/own_matter",
        themes=[ground.text for ground in look.themes],
        shifts=[ground.text for ground in look.reasons if ground.kind == "shift"],
        had=had,
    )
    system = world.prompts.render("plugins/own_wish")
    key = refs.name("personality_drift_log", look.id)
    question = Question.of("reflect", "plugin_wish", system, matter, ReadWish, max_tokens=400, turn_key=key)
    answer = await ask_mind(world, question, world.now, "reflection_failed", {"step": "plugin_wish"})
    point("self.wished")
    if isinstance(answer, Unanswered):
        return Report(False, f"the wish waits for a mind: {answer.reason}", {"failed": True})
    wanted: str | None = answer.parsed.wish
    if not wanted:
        return _over(world, look.id, "there is nothing it wishes for")
    with world.database.write() as db:
        made = wishing.wish(world, db, wanted, "reflection")
        kv.put(db, WISHED_AFTER, look.id, world.now)
    return Report(made.job is not None, made.words)


def _over(world: World, look_id: int, words: str) -> Report:
    with world.database.write() as db:
        kv.put(db, WISHED_AFTER, look_id, world.now)
    return Report(False, words)
