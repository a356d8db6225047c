"""The skill `wish_plugin`: note what the user would like the companion to learn, or tell what became of that."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from furoshiki.conversation.skills.skill import Arguments, Change, Result, Skill, SkillContext
from furoshiki.extensions.plugins.authoring import wishing
from furoshiki.extensions.plugins.authoring.rules import wishes
from furoshiki.extensions.plugins.store import jobs

MOST = 5
"""Wishes that are told, the newest."""


class WishArguments(Arguments):
    """What is wished for; without it, what became of earlier wishes."""

    wish: Annotated[
        str, Field(max_length=wishes.LONGEST, description='"say when the next tram leaves"; empty: what came of it')
    ] = ""


def _change(_doing: SkillContext, args: WishArguments) -> Change | None:
    return Change(args, f"Note a wish for a plugin: {args.wish}", [args.wish]) if args.wish else None


def _run(doing: SkillContext, args: WishArguments) -> Result:
    if not args.wish:
        with doing.world.database.read() as db:
            found = jobs.of_states(db, limit=MOST)
        told = [f"“{job.wish}”: {wishing.in_words(job)}" for job in found]
        return Result(True, "\n".join(told) or "Nothing was wished for.")
    with doing.write() as db:
        wished = wishing.wish(doing.world, db, args.wish, "chat")
    return Result(wished.job is not None, wished.words)


SKILL = Skill(
    name="wish_plugin",
    description="They want what you have no tool for: a plugin is written for them to allow.",
    arguments=WishArguments,
    limit_s=0.1,
    run=_run,
    change=_change,
)
