"""Paint ordered pictures one by one in the background, and send each once.

A picture may cost money as soon as it is started, so it is never restarted: after a crash a
finished one is sent, otherwise the user is told. The file is written first, then the cost is
booked, then the picture is sent, in the transaction that records it.
"""

import asyncio
import base64
import logging
import sqlite3
from pathlib import Path

from furoshiki.conversation.skills.drawing import appearance, draw_picture
from furoshiki.conversation.skills.drawing.draw_picture import describe_subject
from furoshiki.core.catalogue import later, say, words
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.process.crash_points import point
from furoshiki.language.reflex.drawing import NOTHING_PAINTS
from furoshiki.messages import picture_files
from furoshiki.messages.store import outbox, pictures, turns
from furoshiki.messages.store.pictures import Ordered
from furoshiki.messages.values import NewOutgoing
from furoshiki.models.llm.plans import parse_plan
from furoshiki.models.llm.prices import Cost
from furoshiki.models.llm.store import costs
from furoshiki.models.llm.values import CallRecord, Usage
from furoshiki.models.media.service import PAINTING
from furoshiki.models.media.values import Maker, NotMade
from furoshiki.owner.user_model import languages
from furoshiki.world import World

log = logging.getLogger(__name__)

KEY = "picture:"  # the key prefix of pictures and their messages in the outbox
DRAWN = "[picture it drew: {subject}]"  # how a picture appears in the conversation

_COST = later("(That was {cost}.)")
_GUESSED = later("(That was {cost}, at a guess: nobody told me the price of {model}.)")
_NOT_DRAWN = later("I could not draw “{subject}”: {why}")
_INTERRUPTED = later(
    "I was interrupted while drawing “{subject}”. It may have been paid for, so I won't start "
    "over by myself: ask me if you still want it."
)
_WHYS = words("not_drawn")

# the running task for each database; asyncio would otherwise garbage-collect it
_painting: dict[Path, asyncio.Task[None]] = {}


def begin(world: World) -> None:
    """Paint waiting orders, if any; called after each answer and at the start."""
    home = world.database.path
    before = _painting.get(home)
    if (before is not None and not before.done()) or not draw_picture.take_note(world):
        return
    _painting[home] = asyncio.get_running_loop().create_task(_paint_all(world))


def recover(world: World) -> None:
    """Resume after a crash: send finished pictures, report lost ones, paint those that wait."""
    with world.database.read() as db:
        broken = pictures.list_in_state(db, "painting")
    for order in broken:
        data = picture_files.read(world.home, order.id)
        _settle_cost(world, order, None if data is not None else "interrupted")
        with languages.speaking_as_usual(world), world.database.write() as db:
            if data is not None:
                _send(db, world, order, data, Cost(order.usd or 0.0))
                continue
            pictures.fail(db, order.id, "interrupted", world.now)
            _say(db, world, order, say(_INTERRUPTED, subject=describe_subject(order.subject)))
    picture_files.sweep(world.home, world.database)
    draw_picture.note(world)


async def _paint_all(world: World) -> None:
    try:
        while True:
            with world.database.read() as db:
                waiting = pictures.list_in_state(db, "ordered")
            if not waiting:
                return
            await _paint(world, waiting[0])
    except (StorageUnavailable, OSError) as error:
        draw_picture.note(world)
        log.warning("what is to be drawn waits: %s", error)
    except Exception:  # the background task's outermost level: it must not stop the turns
        log.exception("drawing broke")


async def _paint(world: World, order: Ordered) -> None:
    maker = draw_picture.find_painter(world)
    look = await appearance.settle(world) if order.own and maker is not None else ""
    why = _claim(world, order, maker)
    if why is not None or maker is None or world.media is None:
        return
    point("picture.claimed")
    prompt = world.prompts.render("drawing/own", subject=order.subject, appearance=look) if order.own else order.subject
    try:
        made = await world.media.paint(maker, prompt, order.turn_key)
    except NotMade as failed:
        log.warning("%s painted nothing: %s", maker.ref, failed)
        with languages.speaking_as_usual(world):
            why = say(_WHYS[failed.why], provider=maker.title, model=maker.ref.model)
        _give_up(world, order, why)
        return
    point("picture.painted")
    await asyncio.to_thread(picture_files.write, world.home, order.id, made.data)
    point("picture.kept")
    world.media.enter(made.record)
    point("picture.entered")
    cost = Cost(made.record.cost_usd, guessed=world.media.price(maker).guessed and not made.record.price_named)
    with languages.speaking_as_usual(world), world.database.write() as db:
        _send(db, world, order, made.data, cost, str(maker.ref))
        point("picture.before_commit")
    point("picture.sent")


def _claim(world: World, order: Ordered, maker: Maker | None) -> str | None:
    """Mark an order as started. Returns None, or why it is not painted, after telling the user."""
    with languages.speaking_as_usual(world):
        if maker is None or world.media is None:
            why: str | None = say(NOTHING_PAINTS)
        else:
            why = draw_picture.find_obstacle(world, maker, ordered=True)
        if why is not None or maker is None or world.media is None:
            _give_up(world, order, why or "")
            return why
        usd = world.media.price(maker).usd
        with world.database.write() as db:
            pictures.claim(db, order.id, str(maker.ref), usd)
    return None


def _give_up(world: World, order: Ordered, why: str) -> None:
    with languages.speaking_as_usual(world), world.database.write() as db:
        pictures.fail(db, order.id, why, world.now)
        _say(db, world, order, say(_NOT_DRAWN, subject=describe_subject(order.subject), why=why))


def _send(db: sqlite3.Connection, world: World, order: Ordered, data: bytes, cost: Cost, model: str = "") -> None:
    told = ""
    if cost.usd > 0:
        words = _GUESSED if cost.guessed else _COST
        told = say(words, cost=draw_picture.describe_cost(cost), model=model)
    caption = "\n".join(filter(None, (order.caption, told)))
    turn = _record(db, world, order, " ".join(filter(None, (DRAWN.format(subject=order.subject), order.caption))))
    extra = {"data": base64.b64encode(data).decode("ascii"), "filename": f"picture-{order.id}.{_suffix(data)}"}
    photo = NewOutgoing(order.channel, order.chat_id, caption, "photo", entities=None if caption else (), extra=extra)
    outbox.put(db, [photo], world.now, turn, f"{KEY}{order.id}")
    pictures.finish(db, order.id, cost.usd, world.now)


def _say(db: sqlite3.Connection, world: World, order: Ordered, words: str) -> None:
    turn = _record(db, world, order, words)
    outbox.put(db, [NewOutgoing(order.channel, order.chat_id, words)], world.now, turn, f"{KEY}{order.id}")


def _record(db: sqlite3.Connection, world: World, order: Ordered, text: str) -> int:
    return turns.add_unasked(db, order.channel, order.chat_id, text, world.now, f"{KEY}{order.id}")


def _settle_cost(world: World, order: Ordered, error: str | None) -> None:
    """Book the cost of a started picture once, at its stated price."""
    with world.database.read() as db:
        if costs.is_entered(db, PAINTING, order.turn_key):
            return
    if world.media is None or order.model is None:
        return
    ref, usd = parse_plan(order.model)[0], order.usd or 0.0
    record = CallRecord(
        "chat", ref.provider, ref.model, PAINTING, Usage(), usd, 0.0, turn_key=order.turn_key, error=error
    )
    world.media.enter(record)


def _suffix(data: bytes) -> str:
    return {b"\xff\xd8": "jpg", b"\x89P": "png"}.get(data[:2], "webp")
