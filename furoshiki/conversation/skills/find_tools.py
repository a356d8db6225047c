"""The skill `find_tools`: find skills and tools of plugins and servers for a purpose."""

from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from furoshiki.conversation.skills import choosing
from furoshiki.conversation.skills.choosing import Ability
from furoshiki.conversation.skills.skill import Arguments, Result, Skill, SkillContext
from furoshiki.language.tokens import cut
from furoshiki.world import World

SHOWN = 6
MOST_TOKENS = 60


class FindToolsArguments(Arguments):
    """The purpose."""

    purpose: Annotated[str, Field(max_length=300, description='"convert currencies"; empty: all')] = ""


def skill(everything: Callable[[World], list[Ability]]) -> Skill:
    """Build the skill, which searches `everything` that the user may call."""

    def run(doing: SkillContext, args: FindToolsArguments) -> Result:
        world, there = doing.world, everything(doing.world)
        if args.purpose:
            fitting = [one for one, _ in choosing.rank(world, there, args.purpose)[:SHOWN]]
        else:
            with world.database.read() as db:
                notes = choosing.list_failing(db, world)
            fitting = [choosing.attach_note(ability, notes) for ability in there]
        if not fitting:
            return Result(True, f"Nothing of what there is fits “{args.purpose}”.")
        lines = [_line(ability) for ability in fitting]
        new = [ability.tool.name for ability in fitting if not ability.offered]
        data = {
            "tools": [{"name": ability.tool.name, "whose": ability.whose} for ability in fitting],
            "not_offered": new,
        }
        return Result(True, "\n".join(lines), data, foreign=bool(new))

    return Skill(
        name="find_tools",
        description="Find further tools for a purpose.",
        arguments=FindToolsArguments,
        limit_s=0.1,
        run=run,
        who="paired",
    )


def _line(ability: Ability) -> str:
    whose = "" if ability.whose is None else f" ({ability.whose})"
    return f"{ability.tool.name}{whose}: {cut(ability.tool.description, MOST_TOKENS)}"
