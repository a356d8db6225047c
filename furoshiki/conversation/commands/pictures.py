"""`/pictures`: the picture model, its cost, and whether the companion may draw itself."""

from furoshiki.conversation.commands.registry import Button, Command
from furoshiki.conversation.skills.drawing import appearance, draw_picture
from furoshiki.core.catalogue import later, say
from furoshiki.core.database import kv
from furoshiki.core.network import providers
from furoshiki.language.humanize import join_items
from furoshiki.messages.values import Envelope, Words
from furoshiki.world import World

_NOBODY = later(
    "I have nothing to draw with yet. {providers} can draw: with one of their keys (/mind) I "
    "draw when you ask. So can a server of your own that speaks OpenAI's interface; /settings "
    "lists it under “model pictures”."
)
_DRAWS = later("I draw when you ask me to, with {model} ({provider}): {cost} a picture, at most {most} a day.")
_DRAWS_FREELY = later(
    "I draw when you ask me to, with {model} ({provider}), for nothing but electricity, at most {most} a day."
)
_WORDS = later("What you want drawn is sent there in words. Your photos never are.")
_MAY = later("I may draw myself. How I look is described in {file}; change it as you like.")
_MAY_NOT = later("I do not draw myself.")
_NOT_YET = later("Before I draw myself for the first time, I ask you.")


@Command("pictures", "what I draw with, what it costs, and whether I may draw myself", place=205)
async def run(world: World, _args: str, _envelope: Envelope) -> Words:
    """Show the settings, with a button that allows or forbids self-portraits."""
    return _describe(world)


@Button("pictures", ("own",))
async def press(world: World, _verb: str, value: str, _envelope: Envelope) -> Words | None:
    """Allow or forbid self-portraits."""
    if value not in ("yes", "no"):
        return None
    with world.database.write() as db:
        kv.put(db, draw_picture.OWN_LOOK, value == "yes", world.now)
    return _describe(world)


def _describe(world: World) -> Words:
    maker = draw_picture.find_painter(world)
    if maker is None or world.media is None:
        known = [spec.title for spec in providers.over_the_net() if spec.paints is not None and spec.paints.model]
        return Words(say(_NOBODY, providers=join_items(known)))
    with world.database.read() as db:
        may = kv.get(db, draw_picture.OWN_LOOK)
    price = world.media.price(maker)
    draws = _DRAWS if price.usd else _DRAWS_FREELY
    most = world.settings.furoshiki_pictures_a_day
    cost = draw_picture.describe_cost(price)
    lines = [say(draws, model=maker.ref.model, provider=maker.title, cost=cost, most=most), say(_WORDS)]
    own = {True: _MAY, False: _MAY_NOT, None: _NOT_YET}[may]
    lines.append(say(own, file=f"`{appearance.own_file(world)}`"))
    text, value = (say("Do not draw yourself"), "no") if may else (say("You may draw yourself"), "yes")
    return Words("\n\n".join(lines), {"buttons": [[{"text": text, "data": f"pictures.own:{value}"}]]})
