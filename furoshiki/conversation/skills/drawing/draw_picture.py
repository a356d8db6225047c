"""The skill `draw_picture`: draw a requested picture, or the companion itself if allowed. It costs
money, so a picture not requested in the user's own words needs consent."""

import sqlite3
from datetime import datetime
from typing import Annotated

from pydantic import Field

from furoshiki.conversation.skills.drawing import orders
from furoshiki.conversation.skills.skill import Arguments, Change, Result, Skill, SkillContext
from furoshiki.core.catalogue import later, say
from furoshiki.core.database import kv
from furoshiki.language.humanize import shorten
from furoshiki.language.reflex.drawing import NOTHING_PAINTS
from furoshiki.language.requests import picture_words
from furoshiki.messages.store import pictures
from furoshiki.models.media.values import Maker

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
    maker = orders.find_painter(world)
    if maker is None:
        return Result(False, say(NOTHING_PAINTS))
    own = _shows_itself(doing, args)
    obstacle = orders.find_obstacle(world, maker)
    with world.database.read() as db:
        said_no = kv.get(db, orders.OWN_LOOK) is False
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
    maker = orders.find_painter(world)
    if maker is None:
        return Result(False, say(NOTHING_PAINTS))
    if (obstacle := orders.find_obstacle(world, maker)) is not None:
        return Result(False, obstacle)
    with doing.write() as db:
        own = _shows_itself(doing, args)
        if own and doing.percept is None:  # this exact request was confirmed
            kv.put(db, orders.OWN_LOOK, True, world.now)
        if own and not orders.may_draw_itself(db):
            return Result(False, say(_NOT_ITSELF))
        said = (args.subject, args.caption)
        fresh = pictures.order(db, place.key, (place.channel, place.chat_id), said, own, world.now)
    orders.note(world)
    if not fresh:
        return Result(True, say(_ONE))
    free = maker.piece.usd == 0 and world.media is not None and world.media.price(maker).usd == 0
    return Result(True, say(_DRAWS_FREELY) if free else say(_DRAWS, cost=_cost(doing, maker)))


def _refuse_own_look(db: sqlite3.Connection, args: DrawArguments, now: datetime) -> str | None:
    if not args.itself or orders.may_draw_itself(db):
        return None
    kv.put(db, orders.OWN_LOOK, False, now)
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
        return orders.may_draw_itself(db)


def _cost(doing: SkillContext, maker: Maker) -> str:
    assert doing.world.media is not None
    return orders.describe_cost(doing.world.media.price(maker))


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
