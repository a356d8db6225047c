"""Report the companion's abilities to its knowledge of itself: skills, commands, outside tools."""

from furoshiki.conversation.commands.registry import list_commands
from furoshiki.conversation.skills.registry import SKILLS, outside_tools
from furoshiki.mind.inner_life.self_model import knowledge
from furoshiki.world import Report, World

_SKILLS = [(name, skill.description) for name, skill in sorted(SKILLS.items())]


def keep(world: World) -> Report:
    """Update the stored self-knowledge. Raises OSError."""
    return knowledge.keep(world, _SKILLS, list_commands(), _outside(world))


def begin(world: World) -> None:
    """Write the self-knowledge if it does not exist. Raises OSError."""
    knowledge.begin(world, _SKILLS, list_commands(), _outside(world))


def _outside(world: World) -> list[tuple[str, str]]:
    """Return the tools of plugins and servers with their owners; makers' descriptions are left
    out."""
    with world.database.read() as db:
        return [(one.name, one.source) for one in outside_tools(world, db)]
