"""`/settings`: the companion's settings without secrets, and where to change them."""

from furoshiki.conversation.commands import quiet
from furoshiki.conversation.commands.registry import Button, Command
from furoshiki.core.catalogue import later, say
from furoshiki.language.humanize import dollars
from furoshiki.maintenance import setting_changes
from furoshiki.messages.channels import CHANNELS
from furoshiki.messages.values import Envelope, Words
from furoshiki.mind.outreach import laws
from furoshiki.mind.outreach.store import continuity
from furoshiki.models.llm.plans import plans_of
from furoshiki.owner.agenda import channel_modes
from furoshiki.owner.user_model import user
from furoshiki.world import World

_WHAT_MODES_MEAN = later("live: I answer; shadow: I think and record, but send nothing; off: I do not listen")


_SWITCHES = later("Bubbles {bubbles}, reactions {reactions}, groups {groups}")
_ONE_MORE = later("One more line when our chat has gone quiet: {is_on} (/settings continuity {other})")
_WHERE = later(
    "Settings are in `{env}`, channel modes under [channels] in `{modes}` (reloaded at once). "
    "`furoshiki config docs` lists everything you can set."
)

_SWITCH = {"on": True, "off": False}


@Command("settings", "how I am set up", place=170, shows=True)
async def run(world: World, args: str, _envelope: Envelope) -> Words:
    """Show the main settings and how to change them; `continuity on` and `off` change one."""
    if args:
        return Words(_switch_follow_up(world, args))
    settings = world.settings
    zone = user.zone_of(world)
    chat = [str(ref) for ref in plans_of(settings).by_tier["chat"].models]
    modes = ", ".join(f"{name} {channel_modes.mode(world, name)}" for name in CHANNELS)
    goes_on = laws.current(world).continuity.enabled
    yes = {True: later("on"), False: later("off")}
    set_so = (settings.furoshiki_bubbles, settings.furoshiki_reactions, settings.furoshiki_groups)
    switched = [say(yes[one]) for one in set_so]
    soft, hard = settings.furoshiki_soft_budget_usd, settings.furoshiki_hard_budget_usd
    return Words(
        "\n".join(
            [
                f"- {say('Name: {name}', name=settings.furoshiki_companion_name)}",
                f"- {say('Time zone: {zone}', zone=zone)}",
                f"- {say('Voice: {models}', models=say(', then ').join(chat))}",
                f"- {say('Daily budget: {soft} soft, {hard} hard', soft=dollars(soft), hard=dollars(hard))}",
                f"- {say(_SWITCHES, bubbles=switched[0], reactions=switched[1], groups=switched[2])}",
                f"- {say('Quiet hours: {hours}', hours=quiet.hours_in_words(world))}",
                f"- {say(_ONE_MORE, is_on=say(yes[goes_on]), other=yes[not goes_on])}",
                f"- {say('Channels: {modes}', modes=modes)} ({say(_WHAT_MODES_MEAN)})",
                "",
                say(_WHERE, env=settings.data / ".env", modes=settings.data / "config" / channel_modes.FILE),
            ]
        )
    )


@Button("setting", ("yes", "no"))
async def press(world: World, verb: str, value: str, envelope: Envelope) -> Words | None:
    """Handle `yes` and `no` to a requested change of a setting, with the request's token."""
    return Words(setting_changes.apply_answer(world, value, verb == "yes", envelope))


def _switch_follow_up(world: World, args: str) -> str:
    """Switch whether the companion may add a line to a conversation that has gone quiet."""
    name, _, value = args.lower().partition(" ")
    if name != "continuity" or value.strip() not in _SWITCH:
        return say("Here you can set /settings continuity on, or off. /settings alone shows everything.")
    wanted = _SWITCH[value.strip()]
    with world.database.write() as db:
        continuity.enable(db, wanted, world.now)
    found = laws.current(world).continuity
    least, most = (f"{span.total_seconds() / 60:g}" for span in (found.shortest, found.longest))
    if not wanted:
        return say("Then I leave it at my answer.")
    may = later("When our chat has been quiet for {least} to {most} minutes, I may add one line, and no more.")
    return say(may, least=least, most=most)
