"""`/mood`: the feelings and their cause; `/mood week` as a picture, `/mood numbers` as figures."""

import asyncio
from datetime import timedelta

from furoshiki.conversation.commands.registry import Command
from furoshiki.core.catalogue import later, say
from furoshiki.feelings import heartbeat
from furoshiki.feelings.state_files import Heartbeat
from furoshiki.language.humanize import ago, describe_moment
from furoshiki.messages.values import Envelope, Picture, Words
from furoshiki.mind.inner_life import inner_state
from furoshiki.owner.user_model import user
from furoshiki.world import World

# the number of days of each period, up to now
SPANS = {"day": 1, "week": 7, "month": 30, "year": 365}

LONGEST_SIDE = 1280  # maximum pixels of a photo's side; Telegram shrinks and blurs larger ones

HOW = later("Try it like this: /mood, /mood day, /mood week, /mood month, /mood year, /mood numbers.")
NOT_HERE = later(
    "That is between the two of us: how I felt over the days shows when we talked. Ask me in our own chat."
)


@Command("mood", "how I feel; /mood week as a picture (day, month, year)", place=30, who="paired", shows=True)
async def run(world: World, args: str, envelope: Envelope) -> Words:
    """Describe the present mood, or draw a period. In groups nothing about the user is said."""
    private = envelope.event.private is not False
    asked = args.lower()
    if asked.startswith("num"):
        return Words(_numbers(heartbeat.drift(world.laws, world.now)(world.state.heartbeat())))
    if asked in SPANS:
        return await asyncio.to_thread(_draw, world, asked) if private else Words(say(NOT_HERE))
    return Words(f"{describe(world, private=private)}{f'{chr(10)}{say(HOW)}' if args else ''}")


def describe(world: World, *, private: bool) -> str:
    """Describe the mood; in private also its cause, needs, senses and thoughts."""
    inside = inner_state.look(world)
    lines = [inner_state.describe_feeling(inside, world)]
    if private and inside.why:
        lines.append(say("What moved me most lately: {why}.", why=inside.why))
    lines.append(inner_state.wants(inside))
    if private:
        lines += [inner_state.describe_sensed(inside.sensed), inner_state.on_mind_in_words(inside.on_mind)]
        if inside.reflected_at is not None:
            lines.append(say("I last wrote in my journal {ago}.", ago=ago(inside.reflected_at, world.now)))
    return "\n".join(line for line in lines if line)


def _draw(world: World, span: str) -> Words:
    from furoshiki.mind.inner_life import feelings_picture

    since = world.now - timedelta(days=SPANS[span])
    zone = user.zone_of(world)
    picture = feelings_picture.until_now(world, since, zone, feelings_picture.NARROW)
    if picture is None:
        nothing = later(
            "There is nothing to draw yet: I have no notes on how I felt since {since}. I make "
            "one every quarter of an hour while my brain runs (`furoshiki up`)."
        )
        return Words(say(nothing, since=describe_moment(since, zone)))
    name = f"mood-{span}-{world.now.astimezone(zone):%Y-%m-%d}.png"
    drawing = picture.chart.drawing
    png = picture.chart.png(scale=LONGEST_SIDE / max(drawing.width, drawing.height))
    return Words(f"**My {span}.** {picture.words}", picture=Picture(name, png))


def _numbers(beat: Heartbeat) -> str:
    felt = [f"{name} {value:.2f}" for name, value in beat.emotions.as_mapping().items()]
    wanted = [f"{name.removesuffix('_need')} {value:.2f}" for name, value in beat.needs.items()]
    return "\n".join([f"**{beat.mood.word}**", "Emotions: " + ", ".join(felt), "Needs: " + ", ".join(wanted)])
