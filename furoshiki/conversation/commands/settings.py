"""`/settings`: how the companion is set up, without secrets, and where each thing is changed."""

from __future__ import annotations

from furoshiki.agenda import channel_modes
from furoshiki.conversation.commands import quiet
from furoshiki.conversation.commands.status import plans
from furoshiki.messages.values import Envelope, Words
from furoshiki.user_model import user
from furoshiki.world import World

_WHAT_MODES_MEAN = "live: I answer; shadow: I think and record, but send nothing; off: I do not listen"


async def run(world: World, _args: str, _envelope: Envelope) -> Words:
    """The settings a person cares about, then the way to change them."""
    settings = world.settings
    with world.database.read() as db:
        zone = user.zone(world, db)
    chat = [str(ref) for ref in plans(settings).by_tier["chat"].models]
    modes = ", ".join(f"{name} {channel_modes.mode(world, name)}" for name in ("telegram", "console"))
    yes = {True: "on", False: "off"}
    soft, hard = settings.furoshiki_soft_budget_usd, settings.furoshiki_hard_budget_usd
    return Words(
        "\n".join(
            [
                f"- Name: {settings.furoshiki_companion_name}",
                f"- Time zone: {zone}",
                f"- Voice: {', then '.join(chat)}",
                f"- Daily budget: ${soft:g} soft, ${hard:g} hard",
                f"- Bubbles {yes[settings.furoshiki_bubbles]}, reactions {yes[settings.furoshiki_reactions]}, "
                f"groups {yes[settings.furoshiki_groups]}",
                f"- Quiet hours: {quiet.hours_in_words(world)}",
                f"- Channels: {modes} ({_WHAT_MODES_MEAN})",
                "",
                f"Settings live in `{settings.data / '.env'}`, channel modes under [channels] in "
                f"`{settings.data / 'config' / channel_modes.FILE}` (read again at once). "
                "`furoshiki config docs` lists everything that can be set.",
            ]
        )
    )
