"""What the reflex mind answers from: the same turn, as values instead of a prompt."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from furoshiki.domain import nlp, signals
from furoshiki.domain.reflex.situation import KnownFact, Memory, Said, Situation
from furoshiki.domain.style import wishes
from furoshiki.mind import user
from furoshiki.mind.feel import style
from furoshiki.mind.turn.values import Context
from furoshiki.storage import memories, turns
from furoshiki.storage.memories import Memory as Held
from furoshiki.world import World

RECENT = 12
OVER = 50
"""Facts of the past at hand, what ended last first."""


def of(world: World, context: Context) -> Situation:
    """The situation of a turn, with the facts' own words and dates, so that they can be quoted."""
    percept = context.percept
    with world.store.read() as db:
        zone = user.zone(world, db)
        facts = _quotable(db, context.facts)
        over = _quotable(db, memories.once_known(db, OVER))
    return Situation(
        text="\n".join(one.text for one in percept.said if one.kind == "text"),
        now=percept.now.astimezone(zone),
        companion=world.settings.furoshiki_companion_name,
        user_name=context.user_name,
        mood=percept.heartbeat.mood.word,
        emotions=percept.heartbeat.emotions.as_mapping(),
        signals=signals.read(percept.text, world.lexicon),
        nlp=nlp.read(percept.text, world.lexicon),
        facts=facts,
        over=over,
        recalled=tuple(
            Memory(one.id, one.speaker, one.text, one.at, one.score)
            for one in context.memories
            if one.id.startswith("turn:")
        ),
        recent=tuple(Said(turn.speaker, turn.text, turn.at, turn.id) for turn in context.history[-RECENT:]),
        last_seen=context.last_seen,
        attachments=tuple(one.text for one in percept.said if one.kind != "text"),
        wished=wishes.stated(style.own_words(percept), world.lexicon),
        wishes=context.style.wishes,
        concise="brief" in context.style.wishes or "verbosity-low" in context.style.slots,
    )


def _quotable(db: sqlite3.Connection, held: Sequence[Held]) -> tuple[KnownFact, ...]:
    """Facts with the words each rests on."""
    sources = {turn.id: turn for turn in turns.many(db, [fact.turn_ids[0] for fact in held if fact.turn_ids])}
    facts = []
    for fact in held:
        source = sources.get(fact.turn_ids[0]) if fact.turn_ids else None
        facts.append(
            KnownFact(
                id=fact.id,
                subject=fact.subject or "user",
                predicate=fact.predicate or "said",
                object=fact.object or fact.content,
                text=fact.content,
                said_at=source.at if source else fact.created_at,
                said_text=source.text if source else "",
            )
        )
    return tuple(facts)
