"""The skill `wish_plugin`: offer a shipped plugin, record a wish, report outcomes."""

from typing import Annotated, Literal

from pydantic import Field

from furoshiki.conversation.skills.skill import Arguments, Change, Result, Skill, SkillContext
from furoshiki.core.catalogue import say
from furoshiki.extensions.plugin_setup import offering
from furoshiki.extensions.plugins.authoring import wishing
from furoshiki.extensions.plugins.authoring.rules import wishes
from furoshiki.extensions.plugins.store import jobs

MOST = 5  # number of newest wishes reported


OFFERED = "A question with buttons stands beneath your answer, which offers it. Say in a sentence that you cannot yet."
BEFORE = "It was offered before and not wanted. Say in a sentence that you cannot, and that /plugins switches it on."


class WishArguments(Arguments):
    """The wish, or the shipped plugin that fulfils it; neither asks for earlier outcomes."""

    plugin: Literal["", "weather", "web-search", "calendar", "mail"] = ""

    wish: Annotated[
        str, Field(max_length=wishes.LONGEST, description='"say when the next tram leaves"; empty: what came of it')
    ] = ""


def _change(_doing: SkillContext, args: WishArguments) -> Change | None:
    if args.plugin or not args.wish:
        return None
    return Change(args, say("Note a wish for a plugin: {wish}", wish=args.wish), [args.wish])


def _run(doing: SkillContext, args: WishArguments) -> Result:
    if args.plugin:
        return Result(*_offer(doing, args.plugin))
    if not args.wish:
        with doing.world.database.read() as db:
            found = jobs.of_states(db, limit=MOST)
        told = [f"“{job.wish}”: {wishing.in_words(job)}" for job in found]
        return Result(True, "\n".join(told) or "Nothing was wished for.")
    with doing.write() as db:
        wished = wishing.wish(doing.world, db, args.wish, "chat")
    return Result(wished.job is not None, wished.words)


def _offer(doing: SkillContext, name: str) -> tuple[bool, str]:
    """Return whether a shipped plugin is offered below the answer, and what to tell the model."""
    if offering.is_on(doing.world, name):
        return False, f"{name} is on: use what it gives you."
    with doing.write() as db:
        fresh = offering.offer(db, name, doing.place.key, doing.world.now)
    return fresh, OFFERED if fresh else BEFORE


SKILL = Skill(
    name="wish_plugin",
    description=(
        "They want what you cannot do or see yet: weather, web, calendar and mail are offered to "
        "them; anything else is written for them to allow."
    ),
    arguments=WishArguments,
    limit_s=0.1,
    run=_run,
    change=_change,
)
