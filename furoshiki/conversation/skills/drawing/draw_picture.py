"""The skill `draw_picture`: have a picture painted that the person asks for, or of the companion itself where they
allow that. It costs money, so nothing is painted that they did not ask for in their own words without asking them.

Whether a picture can be painted now, what it would cost, and its order, which is painted beside the conversation.
"""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from pydantic import Field

from furoshiki.conversation.skills.skill import Arguments, Change, Result, Skill, SkillContext
from furoshiki.core.catalogue import later, say, say_number
from furoshiki.core.database import kv
from furoshiki.core.errors import BadSetting
from furoshiki.language.humanize import shorten
from furoshiki.language.reflex.greetings import NOTHING_PAINTS
from furoshiki.language.requests import picture_words
from furoshiki.messages.store import pictures
from furoshiki.models.llm.prices import Cost
from furoshiki.models.llm.store import costs
from furoshiki.models.media.service import PAINTING
from furoshiki.models.media.values import Maker
from furoshiki.world import World

NAME = "draw_picture"

LONGEST_SUBJECT, LONGEST_CAPTION = 700, 200

_DRAWS = later("It comes in a moment, for {cost}.")
_DRAWS_FREELY = later("It comes in a moment.")
_ONE = later("One picture at a time: the first comes in a moment.")
_DRAW = later("Draw, for {cost}: {subject}")
_DRAW_ITSELF = later("Draw myself, now and whenever you ask me to from here on, each for {cost}: {subject}")
_FROM_A_PHOTO = later("(These words alone go to {provider}. Your photo does not: I never send one to be drawn from.)")
_NOT_ITSELF = later("You said that I should not draw myself. /pictures changes that.")
_LEFT = later("Then I do not draw myself, and do not ask again. /pictures changes that.")


class DrawArguments(Arguments):
    """What the picture shows, what stands beneath it, and whether it shows the companion."""

    subject: Annotated[
        str,
        Field(min_length=1, max_length=LONGEST_SUBJECT, description="everything to be seen, and in which manner"),
    ]
    caption: Annotated[str, Field(max_length=LONGEST_CAPTION, description="a few words beneath it, or none")] = ""
    itself: Annotated[bool, Field(description="a picture of you")] = False


def _change(doing: SkillContext, args: DrawArguments) -> Change | Result:
    world = doing.world
    maker = find_painter(world)
    if maker is None:
        return Result(False, say(NOTHING_PAINTS))
    own = _shows_itself(doing, args)
    obstacle = find_obstacle(world, maker)
    with world.database.read() as db:
        said_no = kv.get(db, OWN_LOOK) is False
    if obstacle is not None or (own and said_no):
        return Result(False, obstacle or say(_NOT_ITSELF))
    asks = _DRAW_ITSELF if own and not _may_draw_itself(doing) else _DRAW
    words = say(asks, cost=_cost(doing, maker), subject=args.subject)
    if _is_from_a_photo(doing):
        words = f"{words} {say(_FROM_A_PHOTO, provider=maker.title)}"
    return Change(args.model_copy(update={"itself": own}), words, [args.subject])


def _asks_first(doing: SkillContext, args: DrawArguments) -> bool:
    """Whether they are asked in any case: they asked for no picture, it would be the first of
    the companion, or it may show somebody from a photo they sent."""
    first = args.itself and not _may_draw_itself(doing)
    return first or _is_from_a_photo(doing) or not _was_asked(doing)


def _run(doing: SkillContext, args: DrawArguments) -> Result:
    world, place = doing.world, doing.place
    maker = find_painter(world)
    if maker is None:
        return Result(False, say(NOTHING_PAINTS))
    if (obstacle := find_obstacle(world, maker)) is not None:
        return Result(False, obstacle)
    with doing.write() as db:
        own = _shows_itself(doing, args)
        if own and doing.percept is None:  # they were shown just this, and said yes
            kv.put(db, OWN_LOOK, True, world.now)
        if own and not may_draw_itself(db):
            return Result(False, say(_NOT_ITSELF))
        said = (args.subject, args.caption)
        fresh = pictures.order(db, place.key, (place.channel, place.chat_id), said, own, world.now)
    note(world)
    if not fresh:
        return Result(True, say(_ONE))
    free = maker.piece.usd == 0 and world.media is not None and world.media.price(maker).usd == 0
    return Result(True, say(_DRAWS_FREELY) if free else say(_DRAWS, cost=_cost(doing, maker)))


def _refuse_own_look(db: sqlite3.Connection, args: DrawArguments, now: datetime) -> str | None:
    if not args.itself or may_draw_itself(db):
        return None
    kv.put(db, OWN_LOOK, False, now)
    return say(_LEFT)


def _shows_itself(doing: SkillContext, args: DrawArguments) -> bool:
    """Whether the picture is one of the companion, by what the mind says or by what was asked for."""
    return args.itself or (_was_asked(doing) and picture_words.is_about_itself(doing.own))


def _was_asked(doing: SkillContext) -> bool:
    return doing.percept is not None and picture_words.is_picture_request(doing.own)


def _is_from_a_photo(doing: SkillContext) -> bool:
    return doing.percept is not None and bool(doing.percept.images)


def _may_draw_itself(doing: SkillContext) -> bool:
    with doing.world.database.read() as db:
        return may_draw_itself(db)


def _cost(doing: SkillContext, maker: Maker) -> str:
    assert doing.world.media is not None
    return describe_cost(doing.world.media.price(maker))


def describe_subject(subject: str) -> str:
    """What a picture shows, as it is named in a line."""
    return shorten(" ".join(subject.split()), 80)


SKILL = Skill(
    name=NAME,
    description=(
        "They ask for a picture: it is painted beside the conversation and sent by itself in a minute, so say in a "
        "short line that you are at it. It costs money. Whatever paints sees words alone, never a photo of theirs."
    ),
    arguments=DrawArguments,
    limit_s=0.3,
    run=_run,
    change=_change,
    declined=_refuse_own_look,
    asks_first=_asks_first,
)


OWN_LOOK = "drawing.own_look"
"""Under which key it is kept whether the owner lets it draw itself: True or False; nothing before they were asked."""

_noted: set[Path] = set()
"""The databases in which something may wait to be painted."""

_MOST_A_DAY = later("That is all I may draw in a day: {number}. Tomorrow again, or /settings changes it.")
_SPENT = later("What pictures may cost in a day is spent ({usd}). Tomorrow again, or /settings changes it.")
_BUDGET = later("The money for today is spent, so I draw nothing more. Tomorrow again, or /settings changes it.")


def find_painter(world: World) -> Maker | None:
    """Who paints for the person of this world; None when nobody does: for others than the owner nobody does."""
    if world.media is None or world.who.standing != "owner":
        return None
    try:
        return world.media.maker("pictures", world.settings.model_values())
    except BadSetting:  # where the settings are loaded this is said
        return None


def find_obstacle(world: World, maker: Maker, *, ordered: bool = False) -> str | None:
    """Why nothing may be painted now, in the person's words; None when it may. One that is `ordered` counts already.
    Reads the database, so no transaction may be open."""
    assert world.media is not None
    since, settings = _midnight(world.now), world.settings
    with world.database.read() as db:
        ordered_today, spent = pictures.ordered_since(db, since), costs.spent_for(db, PAINTING, since)
    if ordered_today - ordered >= settings.furoshiki_pictures_a_day:
        return say(_MOST_A_DAY, number=settings.furoshiki_pictures_a_day)
    price, share = world.media.price(maker).usd, settings.furoshiki_pictures_budget_usd
    if share and price and spent + price > share:
        return say(_SPENT, usd=describe_cost(Cost(share)))
    return say(_BUDGET) if world.media.refusal(maker) else None


def describe_cost(cost: Cost) -> str:
    """A sum as people say it: "about 7 cents", "$1.20"; "nothing"."""
    if cost.usd <= 0:
        return say("nothing")
    if cost.usd >= 1:
        return f"${cost.usd:.2f}"
    cents = cost.usd * 100
    if cents < 1:
        return say("less than a cent")
    return say_number("about {number} cent", "about {number} cents", round(cents))


def may_draw_itself(db: sqlite3.Connection) -> bool:
    """Whether the owner has said that it may draw itself."""
    return bool(kv.get(db, OWN_LOOK))


def note(world: World) -> None:
    """Have it known in this process that something was ordered."""
    _noted.add(world.database.path)


def take_note(world: World) -> bool:
    """Whether something was ordered since this was asked last; a look at a set, in place of a question to the database
    after every message."""
    noted = world.database.path in _noted
    _noted.discard(world.database.path)
    return noted


def _midnight(now: datetime) -> datetime:
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
