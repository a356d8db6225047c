"""How the companion looks: written once, from who it is, into a file that its owner may change, and put before
whatever paints each picture of it."""

from pathlib import Path

from furoshiki.core import atomic_files
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.visible import visible
from furoshiki.mind.inner_life import standing_prompt
from furoshiki.models.llm.values import Message, Question
from furoshiki.world import World

NAME = "APPEARANCE.md"
LEAST, MOST = 80, 1500
"""Characters of a description that is kept: fewer say nothing, more no painter heeds."""


def own_file(world: World) -> Path:
    """Where it stands, once it was written."""
    return world.home / "config" / NAME


def read(world: World) -> str:
    """How it looks: as its owner has it, else as it came."""
    own = own_file(world)
    path = own if own.is_file() else world.config / "identity" / NAME
    return path.read_text(encoding="utf-8").strip()[:MOST]


async def settle(world: World) -> str:
    """How it looks; at the first time described by its own mind, where it has one, and kept so that every picture shows
    the same."""
    if own_file(world).is_file():
        return read(world)
    written = await _describe(world) or read(world)
    own_file(world).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    atomic_files.write_text(own_file(world), f"{written}\n")
    return written


async def _describe(world: World) -> str | None:
    """Return its own description, in one paragraph; None where no model gave a usable one."""
    question = Question(
        tier="chat",
        purpose="turn.appearance",
        system=(),
        messages=(
            Message(
                "user",
                world.prompts.render(
                    "drawing/appearance", identity=standing_prompt.identity(world, "turn/who"), usual=read(world)
                ),
            ),
        ),
        max_tokens=400,
    )
    try:
        answer = await world.ask(question)
    except FuroshikiError:
        return None
    text = visible(" ".join(answer.text.split()))
    return text if answer.model != "reflex" and LEAST <= len(text) <= MOST else None
