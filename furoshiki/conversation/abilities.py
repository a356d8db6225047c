"""What the companion can do and what it understands, told to its knowledge of itself: the skills and slash commands."""

from __future__ import annotations

from furoshiki.conversation.commands.registry import COMMANDS
from furoshiki.inner_life.self_model import knowledge
from furoshiki.skills.registry import SKILLS
from furoshiki.world import Report, World

_SKILLS = [(name, skill.description) for name, skill in sorted(SKILLS.items())]


def keep(world: World) -> Report:
    """Bring what it knows of itself up to what is real now. Raises OSError when a file cannot be written."""
    return knowledge.keep(world, _SKILLS, COMMANDS)


def begin(world: World) -> None:
    """Write down how it works where that was never done. Raises OSError when a file cannot be written."""
    knowledge.begin(world, _SKILLS, COMMANDS)
