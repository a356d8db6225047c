"""The companion's appearance, written once into a file that the owner may change, and part of the
prompt of each self-portrait."""

from pathlib import Path

from furoshiki.core import atomic_files
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.framing import visible
from furoshiki.mind.inner_life import standing_prompt
from furoshiki.models.llm.values import Message, Question
from furoshiki.world import World

NAME = "APPEARANCE.md"
LEAST, MOST = 80, 1500  # minimum and maximum characters of a description


def own_file(world: World) -> Path:
    """Return the path of the file, which may not exist yet."""
    return world.home / "config" / NAME


def read(world: World) -> str:
    """Return the appearance: the owner's version, else the shipped one."""
    own = own_file(world)
    path = own if own.is_file() else world.config / "identity" / NAME
    return path.read_text(encoding="utf-8").strip()[:MOST]


async def settle(world: World) -> str:
    """Return the appearance; at first, let the model describe it and store the result, so that all
    pictures agree."""
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
