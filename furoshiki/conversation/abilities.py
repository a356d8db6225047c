"""What the companion can do and what it understands, told to its knowledge of itself.

Skills, slash commands, and the tools of plugins and servers.
"""

from furoshiki.conversation.commands.registry import list_commands
from furoshiki.conversation.skills.registry import SKILLS, outside_tools
from furoshiki.mind.inner_life.self_model import knowledge
from furoshiki.world import Report, World

_SKILLS = [(name, skill.description) for name, skill in sorted(SKILLS.items())]


def keep(world: World) -> Report:
    """Bring what it knows of itself up to what is real now. Raises OSError when a file cannot be written."""
    return knowledge.keep(world, _SKILLS, list_commands(), _outside(world))


def begin(world: World) -> None:
    """Write down how it works where that was never done. Raises OSError when a file cannot be written."""
    knowledge.begin(world, _SKILLS, list_commands(), _outside(world))


def _outside(world: World) -> list[tuple[str, str]]:
    """The tools of plugins and servers, each with whose it is; what their makers say of them is no knowledge."""
    with world.database.read() as db:
        return [(one.name, one.source) for one in outside_tools(world, db)]
