"""`/forget` in plain words: find the meant messages, and ask below an answer if more was said."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from furoshiki.archive.forgetting.everywhere import forget, looked
from furoshiki.conversation.commands.registry import is_recorded
from furoshiki.core import refs
from furoshiki.core.catalogue import later, say
from furoshiki.core.database import kv
from furoshiki.core.timestamps import stamp
from furoshiki.language import danger_head, redaction, testimony
from furoshiki.language.danger_head import WORDS_ALONE
from furoshiki.language.reflex.care import judging
from furoshiki.language.reflex.care.noticing import notice
from furoshiki.language.requests.forget_asked import request_in
from furoshiki.memory.perception.values import Percept
from furoshiki.memory.store.tombstones import ASKED
from furoshiki.messages.roles import Who
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, Envelope, NewOutgoing, Turn
from furoshiki.world import World

if TYPE_CHECKING:
    from furoshiki.language.requests.forget_requests import ForgetRequest

WHO: Who = "alone"  # who may have their messages deleted

NOTHING_BEFORE = later("You haven't said anything earlier that I could forget.")

_THIS = later(
    "You asked me not to keep this. Should I forget it, along with my answer? This cannot be undone. Say yes or no."
)
_QUOTED = re.compile("[“„«]([^“”«»\n]{2,600})[”“»]")
_OTHER = later("You asked me to forget something. Should I show you what would go? Say yes or no.")


def parse_request(world: World, envelope: Envelope) -> ForgetRequest | None:
    """Return the request of a typed message that only asks to forget something; None otherwise.

    Forwarded or quoted text does not count. A person who may be in danger gets an answer first,
    with the question below it.
    """
    message = envelope.message
    if message is None or not message.typed:
        return None
    told = testimony.build_typed(message.text, message.quoted)
    own = testimony.own(told.text, told.foreign)
    request = None if testimony.outside(told.foreign) else request_in(own)
    return request if request is not None and request.alone and not _is_grave(world, own) else None


def not_kept(world: World, envelope: Envelope) -> bool:
    """Return whether a message asks not to be stored itself."""
    message = envelope.message
    if message is None:
        return False
    told = testimony.build_typed(message.text, message.quoted)
    own = testimony.own(told.text, told.foreign)
    request = request_in(own)
    return request is not None and request.kind == "this" and not _is_grave(world, own)


def forgotten(world: World, channel: str, chat_id: str, message_id: str) -> None:
    """Forget a message of this chat and its results, because its edited text asks for it."""
    with world.database.read() as db:
        before = turns.by_external(db, channel, chat_id, message_id)
    if before is not None:
        what = refs.name("turn", before.id)
        with looked(world, what) as found:
            token = found.token
        forget(world, what, token)


def unwritten(line: str) -> bool:
    """Return whether a terminal line asks to forget something, so that the history omits it."""
    if line.startswith("/"):
        return not is_recorded(line[1:].partition(" ")[0])
    told = testimony.build_typed(line)
    request = request_in(testimony.own(told.text, told.foreign))
    return request is not None and (request.alone or request.kind == "this")


def as_args(db: sqlite3.Connection, request: ForgetRequest, envelope: Envelope) -> str:
    """Return the arguments for /forget; "" when nothing can be meant."""
    match request.kind:
        case "everything":
            return redaction.EVERYTHING
        case "about":
            return request.words
        case "conversation":
            last = turns.last_session(db)
            return "" if last is None else refs.name("session", last[0])
        case _:
            return " ".join(refs.names("turn", (turn.id for turn in _before(db, envelope))))


def beneath(db: sqlite3.Connection, percept: Percept, heard: Sequence[int], part: int) -> NewOutgoing | None:
    """Return the question below an answer to a message that also asks to forget, and record it."""
    for message, turn_id in zip(percept.said, heard, strict=True):
        request = request_in(message.own)
        if request is None:
            continue
        envelope = next(one for one in percept.envelopes if one.id == message.envelope_id)
        what = refs.name("turn", turn_id) if request.kind == "this" else as_args(db, request, envelope)
        if not what:
            continue
        token = f"beneath-{turn_id}"
        asked = {"what": what, "token": token, "at": stamp(percept.now), "chat": percept.chat_id, "unseen": True}
        kv.put(db, ASKED, asked, percept.now)
        text, extra = say(_THIS if request.kind == "this" else _OTHER), {"buttons": make_buttons(token)}
        return NewOutgoing(percept.channel, percept.chat_id, text, part=part, extra=extra)
    return None


def make_buttons(token: str) -> list[list[dict[str, str]]]:
    """Return the buttons that answer the question with this token."""
    return [
        [
            {"text": say("Forget it"), "data": f"forget.yes:{token}"},
            {"text": say("Keep it"), "data": f"forget.no:{token}"},
        ]
    ]


def _before(db: sqlite3.Connection, envelope: Envelope) -> list[Turn]:
    """Return the messages meant by "that": the one replied to, else the last with its turn."""
    replied = None if envelope.message is None else envelope.message.reply_to
    target = "" if replied is None else str(replied.message_id or "")
    meant = turns.by_external(db, envelope.channel, envelope.chat_id, target)
    if meant is None:
        said = turns.newest_said(db, envelope.channel, envelope.chat_id)
        meant = next(
            (turn for turn in said if turn.kind != "command" and turn.turn_key != refs.name("inbox", envelope.id)), None
        )
    if meant is None:
        return []
    if replied is not None and meant.speaker != COMPANION:
        return [meant]
    beside = turns.of_key(db, meant.turn_key) if meant.turn_key else []
    return [*_find_quoted(db, beside), *([turn for turn in beside if turn.speaker != COMPANION] or [meant])]


def _find_quoted(db: sqlite3.Connection, exchange: Sequence[Turn]) -> list[Turn]:
    """Return the message that the answer of an exchange quotes, if it is one: "You told me today: “…”"."""
    quotes = [words for turn in exchange if turn.speaker == COMPANION for words in _QUOTED.findall(turn.own)]
    ids = list(filter(None, {turns.newest_of_words(db, words.strip()) for words in quotes}))
    return turns.many(db, ids) if len(ids) == 1 else []


def _is_grave(world: World, own: testimony.Own) -> bool:
    """Return whether these words alone show that a person is in danger."""
    head = world.danger_head(WORDS_ALONE)
    found = notice(own, world.care, world.now.year)
    if head is None:
        return found is not None and found.grave
    shares = danger_head.gravest(map(head.shares, danger_head.pieces(own)))
    seen = judging.judge(found, shares, head.bounds, own, world.care[0])
    return seen is not None and seen.sure
