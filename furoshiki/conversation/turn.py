"""Run one turn from start to end, for any kind of envelope.

A message that arrives before the answer is shown joins the turn: the call is cancelled and repeated
with both, at most twice. A burst thus gets one answer, and a single message is never delayed.
"""

import asyncio
import contextlib
import sqlite3
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar

from furoshiki.conversation import danger, edited_message, interactions, mode_effects
from furoshiki.conversation.commands import forget_plainly
from furoshiki.conversation.commit import commit, settle
from furoshiki.conversation.context import build_context
from furoshiki.conversation.deliberate import deliberate, has_words_of_others
from furoshiki.conversation.draft_directives import speak, speak_answer
from furoshiki.conversation.hearing import offering
from furoshiki.conversation.skills import registry
from furoshiki.conversation.values import Context, Draft
from furoshiki.core import json_values, refs
from furoshiki.core.catalogue import later, say
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.process.crash_points import point
from furoshiki.memory import rewording
from furoshiki.memory.perception import attachments
from furoshiki.memory.perception.perceive import perceive
from furoshiki.memory.store.retrievals import Retrieval
from furoshiki.memory.values import Note
from furoshiki.messages.channels import TELEGRAM
from furoshiki.messages.store import accounts, inbox, outbox, skill_runs, turn_journal, turns
from furoshiki.messages.values import USER, Envelope, NewOutgoing, NewTurn, Turn
from furoshiki.owner.agenda import channel_modes
from furoshiki.owner.agenda.store import proposals
from furoshiki.owner.user_model import languages
from furoshiki.world import Stage, World

T = TypeVar("T")

JOINS = 2
# maximum characters in one turn; further messages after an outage get their own turns
MOST_JOINED_CHARACTERS = 12_000

# size of a message besides its text, with and without an attachment: of short ones fifty are one turn
ATTACHED, APART = 4_000, 200

PART_SECONDS = 0.7  # how long, in seconds, to wait for the next part of an album or a split text

# minimum characters of a possibly split text: Telegram splits at 4,096 UTF-16 units
LONG_TEXT = 4_000

MOST_PARTS = 10  # maximum parts of an album, or of a split text in one turn

LOOK_SECONDS = 0.1

# seconds without an answer before a notice; longer when the answer is visible
SLOW_SECONDS, SLOW_AND_SEEN_SECONDS = 20.0, 45.0

SLOW = later("This is taking me longer than usual. I'm still on it.")

STORAGE_PAUSE_SECONDS = 1.0

# kinds of envelope that are messages
MESSAGES = frozenset(
    ("text", "voice", "audio", "video_note", "photo", "video", "document")
    + ("sticker", "location", "contact", "poll", "dice", "other", "hello")
)


# Work after sending. The call does the quick part and returns the slow one, to run next to later
# turns or never.
Afterwards = Callable[[], Coroutine[Any, Any, object]]


async def run(world: World, taken: list[Envelope]) -> Afterwards | None:
    """Answer the claimed envelope in `taken`; joining messages are added to the list."""
    with languages.speaking_to(world, taken[0].text):
        return await _run(world, taken)


async def _run(world: World, taken: list[Envelope]) -> Afterwards | None:
    first = taken[0]
    if channel_modes.mode(world, first.channel) == "off":
        _finish(world, first)
        return None
    match first.kind:
        case "edit":
            return await _handle_edit(world, taken)
        case "reaction":
            interactions.handle_reaction(world, first)
        case "callback":
            await interactions.handle_press(world, first)
        case "blocked" | "unblocked":
            with world.database.write() as db:
                accounts.set_blocked(db, first.channel, first.chat_id, first.kind == "blocked", world.now)
                inbox.finish(db, [first.id], world.now)
        case kind if kind in MESSAGES:
            return await _answer_message(world, taken)
        case _:
            _finish(world, first)
    return None


async def _answer_message(world: World, taken: list[Envelope]) -> Afterwards | None:
    first = taken[0]
    if await interactions.key_sent(world, first):
        return None
    words = await interactions.command(world, first)
    if words is None and await interactions.handle_introduction(world, first):
        return None
    words = (
        words
        or await interactions.handle_consent(world, first)
        or await interactions.handle_spoken_command(world, first)
    )
    if words is not None:
        interactions.record_command(world, first, words)
        return None
    if offering.hold_voice_note(world, first):
        return None
    stage = world.stage(taken[0])
    with world.database.read() as db:
        entry = turn_journal.find_unfinished(db, taken[0].id)
    if entry is None:
        await stage.begin()
    try:
        if entry is not None:
            context, draft = await _restore_answer(world, taken, entry)
        else:
            context, draft = await _thought(world, taken, stage)
            point("turn.answered")
            # in a thread: waiting for a locked database must not look like a hung process
            await _when_possible(partial(asyncio.to_thread, _journal, world, taken, context, draft))
            point("turn.journaled")
        reply = speak(context, draft, _elsewhere(world, context, draft))
        spoken = await speak_answer(world, reply)

        committed = await _when_possible(lambda: world.apart(partial(commit, world, reply, spoken)))
    finally:
        await stage.end()
    interactions.goes_on(world, first)
    return lambda: settle(world, committed)


def _elsewhere(world: World, context: Context, draft: Draft) -> tuple[str, ...]:
    """Return the allowed redirections: none if the message contains text of others, and only those
    the owner names while such text is visible."""
    percept, live = context.percept, channel_modes.live(world)
    if percept.led_by_others:
        return ()
    if not has_words_of_others(world, context, draft.evidence):
        return live
    said = percept.own_text.casefold()
    return tuple(name for name in live if name in said)


async def _thought(world: World, taken: list[Envelope], stage: Stage) -> tuple[Context, Draft]:
    """Perceive, recall and deliberate; start again when messages arrive before the answer is shown.

    Waiting messages are included from the start, so that no work is wasted.
    """
    joins, told, began = 0, False, asyncio.get_running_loop().time()
    while True:
        await _gather(world, taken)
        percept = await danger.read(world, await perceive(world, taken))
        context = await world.apart(partial(build_context, world, percept))
        context = await mode_effects.settle_route(world, context)
        world.state.written()
        thinking = asyncio.create_task(deliberate(world, context, stage))
        try:
            while not thinking.done():
                await asyncio.wait({thinking}, timeout=LOOK_SECONDS)
                took = asyncio.get_running_loop().time() - began
                patience = SLOW_AND_SEEN_SECONDS if stage.shown else SLOW_SECONDS
                if not told and not thinking.done() and took > patience:
                    told = _announce_delay(world, taken[0])
                if thinking.done() or joins == JOINS or stage.shown:
                    continue
                more = [] if _has_acted(world, percept.key) else _claim_joining(world, taken)
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


def _announce_delay(world: World, first: Envelope) -> bool:
    """Announce a delay once; False when that failed and must be retried."""
    key = f"slow-{first.id}"
    with contextlib.suppress(StorageUnavailable), world.database.write() as db:
        if not outbox.of_turn(db, key):
            outbox.put(db, [NewOutgoing(first.channel, first.chat_id, say(SLOW))], world.now, None, key)
        return True
    return False


async def _gather(world: World, taken: list[Envelope]) -> None:
    """Claim waiting messages; wait for the next part after a partial one."""
    loop = asyncio.get_running_loop()
    waited = (world.now - taken[-1].enqueued_at).total_seconds()
    until = loop.time() + PART_SECONDS - max(0.0, waited)
    while True:
        more = _claim_joining(world, taken)
        taken += more
        if more:
            until = loop.time() + PART_SECONDS
        if not _comes_in_parts(taken[-1]) or len(taken) >= MOST_PARTS or loop.time() >= until:
            return
        await asyncio.sleep(LOOK_SECONDS)


def _comes_in_parts(envelope: Envelope) -> bool:
    """Return whether more parts may follow: an album, or a split text."""
    message = envelope.message
    if message is None or envelope.channel != TELEGRAM:
        return False
    return message.album is not None or len(message.text) >= LONG_TEXT


def _continues(earlier: Envelope, later: Envelope) -> bool:
    """Return whether a message continues an album or a split text."""
    first, second = earlier.message, later.message
    if first is None or second is None or not _comes_in_parts(earlier):
        return False
    if first.album is not None:
        return first.album == second.album
    return first.typed and second.typed and later.enqueued_at - earlier.enqueued_at < timedelta(seconds=5)


def _has_acted(world: World, key: str) -> bool:
    """Return whether this turn has had effects, which a restart could repeat.

    Outside tools may always have had some.
    """
    changing = [skill.name for skill in registry.SKILLS.values() if skill.changes]
    with world.database.read() as db:
        return (
            skill_runs.ran(db, key, changing)
            or skill_runs.ran_besides(db, key, list(registry.SKILLS))
            or bool(proposals.of_turn(db, key))
        )


def _claim_joining(world: World, taken: list[Envelope]) -> list[Envelope]:
    """Claim messages (and edits) of the same conversation that can join this turn."""
    world.arrivals()
    last = taken[-1]
    with world.database.read() as db:
        waiting = inbox.read_waiting(db, last.channel, last.chat_id, last.id)
    usable: list[Envelope] = []
    room = MOST_JOINED_CHARACTERS - sum(map(_length, taken))
    for one in waiting:
        room -= _length(one)
        before = usable[-1] if usable else last
        follows = _continues(before, one) and len(taken) + len(usable) < MOST_PARTS
        if room < 0 and not follows:
            break
        corrects = one.kind == "edit" and one.message_id in {earlier.message_id for earlier in [*taken, *usable]}
        if (
            not (corrects or one.kind in MESSAGES)
            or one.sender != taken[0].sender
            or interactions.stands_alone(world, one)
        ):
            break
        if one.attempts or taken[0].attempts:
            break  # after a broken turn, messages run separately to find the cause
        usable.append(one)
    if not usable:
        return []
    with world.database.write() as db:
        claimed = [inbox.claim_id(db, one.id, world.now) for one in usable]
    return [one for one in claimed if one is not None]


def _length(envelope: Envelope) -> int:
    return len(envelope.text) + (ATTACHED if envelope.message and envelope.message.attachment else APART)


async def _restore_answer(world: World, taken: list[Envelope], entry: turn_journal.Entry) -> tuple[Context, Draft]:
    """Restore an answer stored before a crash, instead of asking and paying again."""
    with world.database.write() as db:
        for envelope_id in entry.envelope_ids:
            if envelope_id != taken[0].id:
                more = inbox.claim_id(db, envelope_id, world.now)
                if more is not None:
                    taken.append(more)
    taken.sort(key=lambda one: one.id)
    percept = await danger.read(world, await perceive(world, taken), ask=False)
    context = build_context(world, percept)
    world.state.written()
    return mode_effects.again(context, entry.answer.get("route")), _draft(entry.answer, entry.evidence)


async def _handle_edit(world: World, taken: list[Envelope]) -> Afterwards | None:
    """Handle an edit: replace the old text; answer again only if the reply is unsent."""
    envelope = taken[0].corrected
    if await interactions.key_sent(world, envelope):
        return None
    if interactions.is_unwritten(world, envelope):
        interactions.unheard(world, envelope)
        return None
    if interactions.forgets(world, envelope):
        message = envelope.message_id or ""
        await asyncio.to_thread(forget_plainly.forgotten, world, envelope.channel, envelope.chat_id, message)
        interactions.unheard(world, envelope)
        return None
    described = await attachments.in_words(world, envelope)
    text = described.text
    with world.database.write() as db:
        old = turns.by_external(db, envelope.channel, envelope.chat_id, envelope.message_id or "")
        if old is None or old.speaker != USER or old.text == text:
            inbox.finish(db, [envelope.id], world.now)
            return None
        if not _alone(db, old) or not outbox.withdraw(db, old.turn_key or "", world.now):
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
                attachments=described.facts,
                foreign=described.foreign,
            )
            reworded = turns.get(db, turns.replace(db, old.id, new))
            assert reworded is not None
            live = channel_modes.mode(world, envelope.channel) == "live"
            edited_message.follow(world, db, old, reworded, refs.name("inbox", envelope.id), live)
            inbox.finish(db, [envelope.id], world.now)
            return None
        turns.set_aside(db, old.turn_key or "", old.id)
        rewording.take_back(db, [old])
        # the answer is withdrawn: from here on the message waits for one
        inbox.become(db, envelope.id, envelope.kind)
    taken[0] = envelope
    return await _answer_message(world, taken)


def _alone(db: sqlite3.Connection, turn: Turn) -> bool:
    """Return whether a message was answered alone. The answer to a burst stays, as it concerns the
    others."""
    if not turn.turn_key:
        return False
    return sum(one.speaker == USER for one in turns.of_key(db, turn.turn_key)) == 1


def _finish(world: World, envelope: Envelope) -> None:
    with world.database.write() as db:
        inbox.finish(db, [envelope.id], world.now)


def _journal(world: World, taken: list[Envelope], context: Context, draft: Draft) -> None:
    with world.database.write(synced=False) as db:  # the following commit syncs it
        ids = [one.id for one in taken]
        answer = {**_dump_draft(draft), "route": mode_effects.pack_decision(context)}
        turn_journal.write(db, context.percept.key, ids, answer, draft.evidence, world.now)


async def _when_possible(work: Callable[[], Awaitable[T]]) -> T:
    """Retry work until the database is available, so that an answer is not lost."""
    while True:
        try:
            return await work()
        except StorageUnavailable:
            await asyncio.sleep(STORAGE_PAUSE_SECONDS)


def _dump_draft(draft: Draft) -> dict[str, Any]:
    """Return the draft as JSON values. (`dataclasses.asdict` would copy all text.)"""
    notes, woken = ([dict(vars(one)) for one in part] for part in (draft.notes, draft.woken))
    return {**vars(draft), "notes": notes, "woken": woken}


def _draft(kept: Mapping[str, Any], evidence: tuple[str, ...]) -> Draft:
    """Restore a stored draft, also one with more or fewer fields from another release."""
    draft: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in kept.items()}
    notes = ({**note, "turn_ids": tuple(note["turn_ids"])} for note in kept["notes"])
    draft["notes"] = tuple(json_values.build(Note, note) for note in notes)
    draft["woken"] = tuple(json_values.build(Retrieval, one) for one in kept.get("woken", ()))
    return json_values.build(Draft, {**draft, "evidence": evidence})
