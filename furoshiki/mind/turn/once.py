"""One turn from beginning to end, whatever kind of envelope it begins with.

A message that arrives while the answer has not begun to show joins the turn: the call is cancelled and made again with
both, at most twice. So a burst gets one answer and a single line is never delayed.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, TypeVar

from furoshiki.crash import point
from furoshiki.domain import signals
from furoshiki.domain.conversation import USER, Envelope, NewOutgoing, NewTurn, Words, session_for
from furoshiki.errors import StorageUnavailable
from furoshiki.mind import commands
from furoshiki.mind.feel import heartbeat
from furoshiki.mind.turn import channels
from furoshiki.mind.turn.commit import commit, settle
from furoshiki.mind.turn.deliberate import deliberate
from furoshiki.mind.turn.perceive import perceive
from furoshiki.mind.turn.recall import gather
from furoshiki.mind.turn.speak import speak
from furoshiki.mind.turn.values import Context, Draft, Note
from furoshiki.storage import accounts, inbox, journal, outbox, turns
from furoshiki.world import Stage, World

T = TypeVar("T")

JOINS = 2
LOOK_SECONDS = 0.1
STORAGE_PAUSE_SECONDS = 1.0

MESSAGES = frozenset(
    {
        "text",
        "voice",
        "audio",
        "video_note",
        "photo",
        "video",
        "document",
        "sticker",
        "location",
        "contact",
        "poll",
        "dice",
        "other",
        "hello",
    }
)
"""Kinds of envelope that are something said."""


async def answer(world: World, taken: list[Envelope]) -> None:
    """Answer the claimed envelope in `taken`; messages that join the turn are added to the list."""
    first = taken[0]
    if channels.mode(world, first.channel) == "off":
        _finish(world, first)
        return
    match first.kind:
        case "edit":
            await _edited(world, taken)
        case "reaction":
            _reacted(world, first)
        case "callback":
            await _pressed(world, first)
        case "blocked" | "unblocked":
            with world.store.write() as db:
                accounts.set_blocked(db, first.channel, first.chat_id, first.kind == "blocked", world.now)
                inbox.finish(db, [first.id], world.now)
        case kind if kind in MESSAGES:
            await _said(world, taken)
        case _:
            _finish(world, first)


async def _said(world: World, taken: list[Envelope]) -> None:
    words = await _command(world, taken[0])
    if words is not None:
        _record_command(world, taken[0], words)
        return
    stage = world.stage(taken[0])
    with world.store.read() as db:
        entry = journal.unfinished(db, taken[0].id)
    if entry is None:
        await stage.begin()
    try:
        if entry is not None:
            context, draft = await _remembered(world, taken, entry)
        else:
            context, draft = await _thought(world, taken, stage)
            point("turn.answered")
            with world.store.write() as db:
                ids = [one.id for one in taken]
                journal.write(db, context.percept.key, ids, _kept(draft), draft.evidence, world.now)
            point("turn.journaled")
        reply = speak(context, draft, channels.live(world))
        committed = await _when_possible(lambda: commit(world, reply))
        settle(world, reply, committed)
    finally:
        await stage.end()


async def _thought(world: World, taken: list[Envelope], stage: Stage) -> tuple[Context, Draft]:
    """Perceive, recall and deliberate; begin again when more words arrive before the answer has begun to show."""
    joins = 0
    while True:
        percept = await perceive(world, taken)
        context = gather(world, percept)
        thinking = asyncio.create_task(deliberate(world, context, stage))
        try:
            while not thinking.done():
                await asyncio.wait({thinking}, timeout=LOOK_SECONDS)
                if thinking.done() or joins == JOINS or stage.shown:
                    continue
                more = _joining(world, taken)
                if more:
                    taken += more
                    joins += 1
                    break
            else:
                return context, thinking.result()
        finally:
            if not thinking.done():
                thinking.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await thinking


def _joining(world: World, taken: list[Envelope]) -> list[Envelope]:
    """Messages (and corrections) of the same conversation that can still be part of this turn, claimed."""
    last = taken[-1]
    with world.store.read() as db:
        waiting = inbox.waiting_in_chat(db, last.channel, last.chat_id, last.id)
    usable = []
    for one in waiting:
        if one.kind not in MESSAGES | {"edit"} or one.sender != taken[0].sender or _is_command(one):
            break
        usable.append(one)
    if not usable:
        return []
    with world.store.write() as db:
        claimed = [inbox.claim_id(db, one.id, world.now) for one in usable]
    return [one for one in claimed if one is not None]


async def _remembered(world: World, taken: list[Envelope], entry: journal.Entry) -> tuple[Context, Draft]:
    """The answer that was found before a crash: it is not asked for, nor paid for, again."""
    with world.store.write() as db:
        for envelope_id in entry.envelope_ids:
            if envelope_id != taken[0].id:
                more = inbox.claim_id(db, envelope_id, world.now)
                if more is not None:
                    taken.append(more)
    taken.sort(key=lambda one: one.id)
    context = gather(world, await perceive(world, taken))
    return context, _draft(entry.answer, entry.evidence)


async def _edited(world: World, taken: list[Envelope]) -> None:
    """An edited message takes the place of its old words; it is answered again only if the reply is still unsent."""
    envelope = taken[0]
    with world.store.write() as db:
        old = turns.by_external(db, envelope.channel, envelope.chat_id, envelope.message_id or "")
        text = str(envelope.payload.get("text") or "").strip()
        if old is None or old.speaker != USER or old.text == text:
            inbox.finish(db, [envelope.id], world.now)
            return
        again = old.turn_key is not None and outbox.withdraw(db, old.turn_key, world.now)
        new = NewTurn(
            session_id=old.session_id,
            channel=old.channel,
            chat_id=old.chat_id,
            speaker=USER,
            text=text,
            at=old.at,
            kind=old.kind,
            external_id=old.external_id,
            turn_key=old.turn_key,
        )
        if not again:
            turns.replace(db, old.id, new)
            inbox.finish(db, [envelope.id], world.now)
            return
        turns.set_aside(db, old.turn_key or "", old.id)
    await _said(world, taken)


def _reacted(world: World, envelope: Envelope) -> None:
    """A reaction is a feeling about the message it stands on."""
    emoji = " ".join(str(one) for one in envelope.payload.get("emoji") or ())
    strengths = signals.of_reaction(emoji, world.lexicon).strengths
    world.state.change(heartbeat.felt_reaction(world.laws, envelope.id, strengths, world.now))
    with world.store.write() as db:
        target = str(envelope.payload.get("reacted_to") or envelope.message_id or "")
        about = turns.by_external(db, envelope.channel, envelope.chat_id, target)
        if emoji:
            turns.add(
                db,
                NewTurn(
                    session_id=session_for(world.now, turns.last_session(db)),
                    channel=envelope.channel,
                    chat_id=envelope.chat_id,
                    speaker=USER,
                    text=emoji,
                    at=world.now,
                    kind="reaction",
                    reply_to=about.id if about else None,
                    turn_key=f"inbox:{envelope.id}",
                    signals=strengths,
                ),
            )
        inbox.finish(db, [envelope.id], world.now)


async def _pressed(world: World, envelope: Envelope) -> None:
    words = await commands.press(world, str(envelope.payload.get("data") or ""), envelope)
    with world.store.write() as db:
        if words is not None:
            outbox.put(db, _as_outgoing(world, envelope, words), world.now, None, f"inbox:{envelope.id}")
        inbox.finish(db, [envelope.id], world.now)


def _is_command(envelope: Envelope) -> bool:
    return str(envelope.payload.get("text") or "").lstrip().startswith("/")


async def _command(world: World, envelope: Envelope) -> Words | None:
    """What a slash command answers; None when it is none, or unknown: then the companion reads it as text."""
    if envelope.kind != "text" or not _is_command(envelope):
        return None
    name, _, args = str(envelope.payload["text"]).strip()[1:].partition(" ")
    return await commands.run(world, name.partition("@")[0].lower(), args.strip(), envelope)


def _record_command(world: World, envelope: Envelope, words: Words) -> None:
    """Commands are on record, but they are no conversation: nothing is learned from them or recalled."""
    now, key = world.now, f"inbox:{envelope.id}"
    with world.store.write() as db:
        session = session_for(now, turns.last_session(db))
        asked = NewTurn(
            session_id=session,
            channel=envelope.channel,
            chat_id=envelope.chat_id,
            speaker=USER,
            text=str(envelope.payload["text"]),
            at=now,
            kind="command",
            external_id=envelope.message_id,
            turn_key=key,
        )
        turns.add(db, asked)
        if channels.mode(world, envelope.channel) == "live":
            outbox.put(db, _as_outgoing(world, envelope, words), now, None, key)
        inbox.finish(db, [envelope.id], now)


def _as_outgoing(world: World, envelope: Envelope, words: Words) -> list[NewOutgoing]:
    shaped = world.shape(envelope.channel, words.text, frozenset()) if words.text else ()
    items = [
        NewOutgoing(envelope.channel, envelope.chat_id, one.text, one.kind, number, one.entities, extra=dict(one.extra))
        for number, one in enumerate(shaped)
    ]
    extra = dict(words.extra)
    if extra and items and "document" not in extra:
        last = items[-1]
        items[-1] = NewOutgoing(
            last.channel, last.chat_id, last.text, last.kind, last.part, last.entities, extra={**last.extra, **extra}
        )
    return items


def _finish(world: World, envelope: Envelope) -> None:
    with world.store.write() as db:
        inbox.finish(db, [envelope.id], world.now)


async def _when_possible(work: Callable[[], T]) -> T:
    """A finished answer waits for the database as long as it takes: it is on record in the journal."""
    while True:
        try:
            return work()
        except StorageUnavailable:
            await asyncio.sleep(STORAGE_PAUSE_SECONDS)


def _kept(draft: Draft) -> dict[str, Any]:
    return asdict(draft)


def _draft(kept: Mapping[str, Any], evidence: tuple[str, ...]) -> Draft:
    notes = tuple(Note(**{**note, "turn_ids": tuple(note["turn_ids"])}) for note in kept["notes"])
    return Draft(
        text=kept["text"],
        provider=kept["provider"],
        model=kept["model"],
        tier=kept["tier"],
        fallbacks=tuple(kept["fallbacks"]),
        standing=kept["standing"],
        notes=notes,
        skills=tuple(kept["skills"]),
        evidence=evidence,
    )
