"""`/start` and `/help`: an introduction, examples, and the commands."""

from collections.abc import Iterable

from furoshiki.conversation.commands.registry import Command, in_menu, list_commands
from furoshiki.conversation.onboarding import introduction
from furoshiki.core.catalogue import say
from furoshiki.messages.channels import TELEGRAM
from furoshiki.messages.store import turns
from furoshiki.messages.values import Envelope, Words
from furoshiki.owner.user_model import user
from furoshiki.world import World


@Command("start", who="paired", shows=True)
async def start(world: World, args: str, envelope: Envelope) -> Words:
    """Start or continue the owner's introduction; greet everyone else, and the owner afterwards."""
    if world.who.standing == "owner" and envelope.channel == TELEGRAM:
        first = introduction.begin(world) if envelope.event.paired_now else introduction.goes_on(world)
        if first is not None:
            return first
    return await run(world, args, envelope)


@Command("help", "what I understand", place=10, who="paired", shows=True)
async def run(world: World, _args: str, _envelope: Envelope) -> Words:
    """Greet, give three examples, and list the commands."""
    with world.database.read() as db:
        name, first = user.name(db), turns.is_first_meeting(db)
    mine = world.settings.furoshiki_companion_name
    hello = say("Hello, {name}!", name=name) if name else say("Hello!")
    met = say("I am {name}.", name=mine) if first else say("Good to see you.")
    how = say(
        "Just write to me as you would to anyone: I remember what you tell me, and can show you where I know it from."
    )
    lines = [
        f"{hello} {met} {how}",
        "",
        say(
            "For example: “my sister Anika lives in Lisbon”, “put milk on the shopping list”, "
            "“remind me tomorrow at 9 to call her”."
        ),
        "",
        *_render_commands(in_menu(world.who.standing)),
    ]
    return Words("\n".join(lines))


@Command("more", "everything else you can ask me", place=900, who="paired", shows=True, in_menu=True)
async def more(world: World, _args: str, _envelope: Envelope) -> Words:
    """List the commands that are not in the menu."""
    shown = in_menu(world.who.standing)
    return Words("\n".join(_render_commands(one for one in list_commands(world.who.standing) if one not in shown)))


def _render_commands(found: Iterable[tuple[str, str]]) -> list[str]:
    return [f"/{name} — {say(what)}" for name, what in found]
