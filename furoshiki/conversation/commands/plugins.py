"""`/plugins`: shipped plugins with on/off buttons, and the other allowed ones. `/wish`: request a
plugin that the companion writes, and the outcomes; it can only be enabled at the machine."""

from furoshiki.conversation.commands.registry import Button, Command
from furoshiki.core.catalogue import later, say
from furoshiki.extensions.plugin_setup import offering
from furoshiki.extensions.plugins import descriptions
from furoshiki.extensions.plugins.authoring import deciding, wishing
from furoshiki.extensions.plugins.store import jobs
from furoshiki.extensions.plugins.store.jobs import Job
from furoshiki.language.humanize import shorten
from furoshiki.messages.values import Envelope, Words
from furoshiki.mind.inner_life.self_model import own_models
from furoshiki.mind.outreach.rules import buttons
from furoshiki.world import World

MOST = 5  # number of newest wishes listed

NONE = later("There are no wishes yet. /wish say when the next tram leaves: I'll try to write a plugin that does.")
NO_MODEL = later(
    "To be honest: writing one takes a language model, and none is set up. The wish waits until "
    "there is one (`furoshiki setup model`)."
)
OVER = later("That was already decided.")
HOW = later("On the machine, `furoshiki plugins show {file}` shows every line of it, and `… apply {file}` applies it.")


@Command("plugins", "extras you can give me, switched on and off with a tap", place=150, shows=True)
async def plugins(world: World, args: str, _envelope: Envelope) -> Words:
    """Show shipped plugins with buttons, then the others; NAME SETTING VALUE changes a setting."""
    if args:
        return await offering.handle_command(world, args) or Words(say("For example: /plugins weather PLACE Lisbon"))
    words = offering.describe_all(world)
    others = "\n".join(f"- {shorten(line, 300)}" for line in descriptions.lines(world))
    return Words("\n\n".join(filter(None, (words.text, others))), words.extra)


@Button(offering.BUTTON, ("on", "no", "ask", "off", "needs", "again", "set"), by_word=True)
async def switch(world: World, verb: str, value: str, _envelope: Envelope) -> Words | None:
    """Show a plugin's permissions, switch it, leave it, or apply a proposed setting."""
    match verb:
        case "ask":
            return offering.question(world, value)
        case "on":
            return await offering.switch_on(world, value)
        case "off":
            return offering.switch_off(world, value)
        case "needs":
            return await offering.ask_for_settings(world, value)
        case "again":
            return await offering.set_up_again(world, value)
        case "set":
            name, _, rest = value.partition(".")
            setting, _, chosen = rest.partition(".")
            return await offering.keep_setting(world, name, setting, chosen)
    return offering.decline(world, value)


@Command("wish", "what I should learn, as a plugin for you to approve; what became of your wishes", place=160)
async def wish(world: World, args: str, _envelope: Envelope) -> Words:
    """Take a wish; without arguments show the newest outcomes."""
    if args:
        with world.database.write() as db:
            wished = wishing.wish(world, db, args, "chat")
        able = wished.job is None or own_models.models(world.settings)["talks_with"]
        return Words(wished.words if able else f"{wished.words}\n\n{say(NO_MODEL)}")
    with world.database.read() as db:
        found = jobs.of_states(db, limit=MOST)
    lines = [f"- {shorten(job.wish, 80)}: {shorten(wishing.in_words(job), 300)}" for job in found]
    waiting = [buttons.choices("plugin_jobs", job.id) for job in found if job.state == "proposed"]
    return Words("\n".join(lines) or say(NONE), {"buttons": waiting[-1:]} if waiting else {})


@Button("plugin", ("show", "decline"), of_row=True)
async def decide(world: World, verb: str, number: int, _envelope: Envelope) -> Words | None:
    """Handle the buttons under a written plugin: show its summary, or decline."""
    with world.database.read() as db:
        job = jobs.get(db, number)
    if job is None or job.state != "proposed":
        return Words(say(OVER))
    if verb == "decline":
        return Words(
            say(
                later("Then I'll leave it, and won't bring it up again.")
                if deciding.mark_declined(world, job)
                else OVER
            )
        )
    return Words(_summary(job))


def _summary(job: Job) -> str:
    sure = (
        say("Two reviews approve it, each at least {share:.0%} sure.", share=job.confidence) if job.confidence else ""
    )
    whose = later("I wished: {wish}.") if job.source == "reflection" else later("You wished: {wish}.")
    said = (f"**{job.name}**", say(whose, wish=job.wish), job.reason, sure, say(HOW, file=job.proposal))
    return "\n\n".join(filter(None, said))
