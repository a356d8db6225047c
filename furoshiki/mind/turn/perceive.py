"""Understand what arrived, without a model: its words, its feelings, what it says about who is speaking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from furoshiki.domain import identity, nlp, signals
from furoshiki.domain.asking import Image
from furoshiki.domain.conversation import COMPANION, Envelope, session_for
from furoshiki.domain.when import parse
from furoshiki.mind.feel import heartbeat
from furoshiki.mind.turn import attachments
from furoshiki.mind.turn.values import Percept, SaidNow
from furoshiki.storage import turns
from furoshiki.world import World


async def perceive(world: World, envelopes: Sequence[Envelope]) -> Percept:
    """One percept of all the messages this turn answers, oldest first. The heart is moved here, at once."""
    now = world.now
    said: list[SaidNow] = []
    images: list[Image] = []
    for envelope in envelopes:
        if envelope.kind == "hello":
            continue  # somebody is there and has said nothing yet: the companion speaks first
        words, seen = await _heard(world, envelope, now)
        said = [earlier for earlier in said if not _corrects(envelope, earlier)]
        said.append(words)
        images += seen
    with world.store.read() as db:
        session_id = session_for(now, turns.last_session(db))
        before = turns.recent(db, envelopes[0].channel, envelopes[0].chat_id, 1)
    asked_name = bool(before) and before[-1].speaker == COMPANION and identity.asks_name(before[-1].text)
    strengths = signals.read("\n".join(words.text for words in said), world.lexicon).strengths
    beat = None
    for words in said:
        own = strengths if len(said) == 1 else signals.read(words.text, world.lexicon).strengths
        asked = nlp.read(words.text, world.lexicon).has_question_mark
        beat = world.state.change(heartbeat.heard(world.laws, words.envelope_id, own, asked, now))
    given = next(
        (
            found.name
            for words in reversed(said)
            if not words.passed_on and (found := identity.stated_name(words.text, asked_name))
        ),
        None,
    )
    return Percept(
        key=f"inbox:{envelopes[0].id}",
        envelopes=tuple(envelopes),
        said=tuple(said),
        signals=strengths,
        name_given=given,
        images=tuple(images),
        session_id=session_id,
        heartbeat=beat or world.state.heartbeat(),
        now=now,
    )


async def _heard(world: World, envelope: Envelope, now: datetime) -> tuple[SaidNow, list[Image]]:
    payload = envelope.payload
    if envelope.kind == "edit":
        envelope = replace(envelope, kind=str(payload.get("was") or "text"))
    described = await attachments.in_words(world, envelope)
    forwarded = payload.get("forwarded")
    words = SaidNow(
        envelope_id=envelope.id,
        text=described.text,
        kind=envelope.kind,
        at=_when(payload.get("at"), now),
        message_id=envelope.message_id,
        attachments=described.facts if not forwarded else {**(described.facts or {}), turns.PASSED_ON: forwarded},
        passed_on=bool(forwarded),
    )
    quoted = payload.get("reply_to")
    if quoted:
        with world.store.read() as db:
            earlier = turns.by_external(db, envelope.channel, envelope.chat_id, str(quoted.get("message_id")))
        words = replace(words, reply_to=earlier)
    return words, described.images


def _corrects(envelope: Envelope, earlier: SaidNow) -> bool:
    return envelope.kind == "edit" and envelope.message_id == earlier.message_id


def _when(text: object, now: datetime) -> datetime:
    """When it was written, as the channel says; never in the future, never absurdly long ago."""
    if not isinstance(text, str):
        return now
    try:
        said_at = parse(text)
    except ValueError:
        return now
    return said_at if said_at <= now and (now - said_at).days < 30 else now
