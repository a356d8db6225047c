"""The skill `draw_picture`: draw a requested picture, or the companion itself if allowed. It costs
money, so a picture not requested in the user's own words needs consent."""

import sqlite3
from datetime import datetime
from pathlib import Path
from typing import Annotated

from pydantic import Field

from furoshiki.conversation.skills.skill import Arguments, Change, Result, Skill, SkillContext
from furoshiki.core.catalogue import later, say, say_number
from furoshiki.core.database import kv
from furoshiki.core.timestamps import day_start
from furoshiki.language.humanize import dollars, shorten
from furoshiki.language.reflex.drawing import NOTHING_PAINTS
from furoshiki.language.requests import picture_words
from furoshiki.messages.store import pictures
from furoshiki.models.llm.prices import Cost
from furoshiki.models.llm.store import costs
from furoshiki.models.media.service import PAINTING
from furoshiki.models.media.values import Maker
from furoshiki.world import World

NAME = "draw_picture"

LONGEST_SUBJECT, LONGEST_CAPTION = 700, 200

_DRAWS = later("Coming in a moment, for {cost}.")
_DRAWS_FREELY = later("Coming in a moment.")
_ONE = later("One picture at a time: the first is coming in a moment.")
_DRAW = later("Draw, for {cost}: {subject}")
_DRAW_ITSELF = later("Draw myself, now and whenever you ask me to from here on, each for {cost}: {subject}")
_FROM_A_PHOTO = later("(Only these words go to {provider}. Your photo does not: I never send one to draw from.)")
_NOT_ITSELF = later("You said I should not draw myself. /pictures changes that.")
_LEFT = later("Then I won't draw myself, and won't ask again. /pictures changes that.")


class DrawArguments(Arguments):
    """The subject, the caption, and whether it shows the companion."""

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
    """Return whether consent is needed: no picture was requested, it would be the first
    self-portrait, or it may show a person from a sent photo."""
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
        if own and doing.percept is None:  # this exact request was confirmed
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
    """Return whether it shows the companion, by the model or by the request."""
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
    """Shorten a picture's subject for a line."""
    return shorten(" ".join(subject.split()), 80)


SKILL = Skill(
    name=NAME,
    description=(
        "They ask for a picture: it is painted beside the conversation and sent by itself in a "
        "minute, so say in a short line that you are at it. It costs money. Whatever paints sees "
        "words alone, never a photo of theirs."
    ),
    arguments=DrawArguments,
    limit_s=0.3,
    run=_run,
    change=_change,
    declined=_refuse_own_look,
    asks_first=_asks_first,
)


# the `kv` key of the owner's choice about self-portraits (True or False; absent before they are
# asked)
OWN_LOOK = "drawing.own_look"

_noted: set[Path] = set()  # the databases in which orders may wait

_MOST_A_DAY = later("That is all I may draw in a day: {number}. Try again tomorrow, or change it in /settings.")
_SPENT = later("The daily budget for pictures is spent ({usd}). Try again tomorrow, or change it in /settings.")
_BUDGET = later("Today's money is spent, so I can't draw any more. Try again tomorrow, or change it in /settings.")


def find_painter(world: World) -> Maker | None:
    """Return the picture provider of this world; None without one, and for guests."""
    if world.media is None or world.who.standing != "owner":
        return None
    return world.media.maker("pictures", world.settings.model_values())


def find_obstacle(world: World, maker: Maker, *, ordered: bool = False) -> str | None:
    """Return why no picture may be drawn now, in the user's words; None when it may. `ordered`: it
    is already counted. Reads the database, so no transaction may be open."""
    assert world.media is not None
    since, settings = day_start(world.now), world.settings
    with world.database.read() as db:
        ordered_today, spent = pictures.ordered_since(db, since), costs.spent_for(db, PAINTING, since)
    if ordered_today - ordered >= settings.furoshiki_pictures_a_day:
        return say(_MOST_A_DAY, number=settings.furoshiki_pictures_a_day)
    price, share = world.media.price(maker).usd, settings.furoshiki_pictures_budget_usd
    if share and price and spent + price > share:
        return say(_SPENT, usd=describe_cost(Cost(share)))
    return say(_BUDGET) if world.media.refusal(maker) else None


def describe_cost(cost: Cost) -> str:
    """Format a cost: "about 7 cents", "$1.20", "nothing"."""
    if cost.usd <= 0:
        return say("nothing")
    if cost.usd >= 1:
        return dollars(cost.usd)
    cents = cost.usd * 100
    if cents < 1:
        return say("less than a cent")
    return say_number("about {number} cent", "about {number} cents", round(cents))


def may_draw_itself(db: sqlite3.Connection) -> bool:
    """Return whether the owner allowed self-portraits."""
    return bool(kv.get(db, OWN_LOOK))


def note(world: World) -> None:
    """Mark that an order may wait."""
    _noted.add(world.database.path)


def take_note(world: World) -> bool:
    """Return whether an order may wait, and clear the mark; avoids a query after every message."""
    noted = world.database.path in _noted
    _noted.discard(world.database.path)
    return noted
