"""`/settings`: how the companion is set up, without secrets, and where each thing is changed."""

from __future__ import annotations

from furoshiki.conversation.commands import quiet
from furoshiki.conversation.commands.registry import Button, Command
from furoshiki.conversation.commands.status import plans
from furoshiki.maintenance import setting_changes
from furoshiki.messages.channels import CHANNELS
from furoshiki.messages.values import Envelope, Words
from furoshiki.mind.outreach import laws
from furoshiki.mind.outreach.store import continuity
from furoshiki.owner.agenda import channel_modes
from furoshiki.owner.user_model import user
from furoshiki.world import World

_WHAT_MODES_MEAN = "live: I answer; shadow: I think and record, but send nothing; off: I do not listen"


_SWITCH = {"on": True, "off": False}


@Command("settings", "how I am set up", place=170, shows=True)
async def run(world: World, args: str, _envelope: Envelope) -> Words:
    """The settings a person cares about, then the way to change them; `continuity on` and `off` change one."""
    if args:
        return Words(_changed(world, args))
    settings = world.settings
    with world.database.read() as db:
        zone = user.zone(world, db)
    chat = [str(ref) for ref in plans(settings).by_tier["chat"].models]
    modes = ", ".join(f"{name} {channel_modes.mode(world, name)}" for name in CHANNELS)
    goes_on = laws.current(world).continuity.enabled
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
                f"- A line more when our talk has gone quiet: {yes[goes_on]} (/settings continuity {yes[not goes_on]})",
                f"- Channels: {modes} ({_WHAT_MODES_MEAN})",
                "",
                f"Settings live in `{settings.data / '.env'}`, channel modes under [channels] in "
                f"`{settings.data / 'config' / channel_modes.FILE}` (read again at once). "
                "`furoshiki config docs` lists everything that can be set.",
            ]
        )
    )


@Button("setting", ("yes", "no"))
async def press(world: World, verb: str, value: str, envelope: Envelope) -> Words | None:
    """`yes` and `no` under "somebody wants to change a setting", with the token of what was asked."""
    return Words(setting_changes.answered(world, value, verb == "yes", envelope))


def _changed(world: World, args: str) -> str:
    """Switch whether the companion may add a line to a conversation that has gone quiet."""
    name, _, value = args.lower().partition(" ")
    if name != "continuity" or value.strip() not in _SWITCH:
        return "What can be set here is /settings continuity on, and off. /settings alone shows everything."
    wanted = _SWITCH[value.strip()]
    with world.database.write() as db:
        continuity.enable(db, wanted, world.now)
    found = laws.current(world).continuity
    between = f"{found.shortest.total_seconds() / 60:g} to {found.longest.total_seconds() / 60:g} minutes"
    if wanted:
        return f"When our talk has been quiet for {between}, I may add one line, and no more than one."
    return "Then I leave it at my answer."
