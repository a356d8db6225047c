"""Learn a user's style preferences, and choose the style instructions for the model.

All messages of one turn are one observation, stored in the turn's own transaction: a restarted turn
counts once, and so does a message that was edited before its answer was sent. Only text typed by
the user counts, not forwarded text, captions or transcripts.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from furoshiki.language import signals, testimony
from furoshiki.language.intents import is_meant
from furoshiki.language.lexicon import Lexicon
from furoshiki.language.signal_head import LONGEST
from furoshiki.language.testimony import Own
from furoshiki.memory.perception.values import Percept, SaidNow
from furoshiki.memory.values import Note
from furoshiki.owner.user_model.rules import style_choosing, style_measuring, style_wishes
from furoshiki.owner.user_model.rules.style_choosing import Block, Recent
from furoshiki.owner.user_model.rules.style_traits import ENERGY, READ, TOLERANCE, learn
from furoshiki.owner.user_model.store import style
from furoshiki.owner.user_model.store.ways import TYPE

if TYPE_CHECKING:
    from furoshiki.owner.user_model.forms import ReadStyle


def learn_message(db: sqlite3.Connection, percept: Percept, heard: Sequence[int], lexicon: Lexicon) -> None:
    """Learn manner and wishes from a turn of the user. `heard` are the ids of its messages."""
    recent_texts = [
        (said, turn_id)
        for said, turn_id in zip(percept.said, heard, strict=True)
        if said.kind == "text" and said.own and not percept.doubtful and not _is_correction(db, percept, said, heard)
    ]
    text = testimony.together_own(said.own for said, _ in recent_texts)
    message = style_measuring.read(text, lexicon)
    if message is None:
        return
    strengths = _strengths(percept, text, lexicon)
    before = style.find_time_before(db, percept.channel, percept.chat_id, heard[0])
    gap = None if before is None else (recent_texts[0][0].at - before).total_seconds()
    levels = style_measuring.measure(message, lexicon, strengths, gap, len(recent_texts))
    reply = style.find_reply_before(db, percept.session_id, heard[0])
    if reply is not None and style_choosing.has_pushback(reply, lexicon):
        reaction = style_choosing.judge_reaction(text, strengths, lexicon)
        if reaction is not None:
            levels[TOLERANCE] = reaction
    style.put(db, learn(style.traits(db), levels, percept.now).values(), percept.now)
    wish_names = style_wishes.find_wishes(text, lexicon)
    if wish_names:
        style.put_wishes(
            db, style_wishes.add_wishes(style.wishes(db), wish_names, percept.now, recent_texts[-1][1]).values()
        )


def learn_reading(db: sqlite3.Connection, style_reading: ReadStyle, now: datetime) -> None:
    """Learn from a model's reading of a conversation: one observation per named dimension."""
    levels = {name: getattr(style_reading, name) for name in READ}
    seen = {name: float(level) for name, level in levels.items() if level is not None}
    style.put(db, learn(style.traits(db), seen, now).values(), now)


def build_block(db: sqlite3.Connection, now: datetime) -> Block:
    """Return the present style instructions, independent of the next message."""
    return style_choosing.choose(style.traits(db), style_wishes.list_active(style.wishes(db), now), now)


def for_message(db: sqlite3.Connection, percept: Percept, lexicon: Lexicon) -> Block:
    """Return this turn's style instructions: preferences, wishes in the message, deviations."""
    text = own_words(percept)
    message = style_measuring.read(text, lexicon)
    if message is None:
        return build_block(db, percept.now)
    traits = style.traits(db)
    active_wishes = style_wishes.add_wishes(style.wishes(db), style_wishes.find_wishes(text, lexicon), percept.now)
    holding = style_wishes.list_active(active_wishes, percept.now)
    earlier = style.last_words(db, percept.channel, percept.chat_id, percept.session_id, style_choosing.LOAD_TURNS - 1)
    load = style_choosing.cognitive_load(
        [Recent.of(one) for one in (*earlier, text)], style_choosing.concise(traits, holding)
    )
    strengths = _strengths(percept, text, lexicon)
    lively, glad = style_measuring.energy(message, strengths), style_measuring.emotional_valence(message, strengths)
    energy = style_choosing.departure(traits.get(ENERGY), lively, glad)
    return style_choosing.choose(traits, holding, percept.now, load=load, energy=energy)


def mark_shown(db: sqlite3.Connection, block: Block, now: datetime) -> None:
    """Record that a model has read this block, so that occasional parts are not repeated soon."""
    if block.growth is not None:
        style.mark_told(db, block.growth.rpartition("-")[0], now)
    if block.fork is not None:
        style.mark_fork(db, block.fork, style_choosing.exchanges(style.traits(db)))


def own_words(percept: Percept) -> Own:
    """Return the user's typed text in this turn, without captions, transcripts or pasted text."""
    return testimony.together_own(message.own for message in percept.said if message.kind == "text")


def parse_way(percept: Percept, lexicon: Lexicon) -> Note | None:
    """Return the message's instruction for how the companion does things ("after bad news listen
    first"), by its meaning; None if it has none, tells of a feeling or a name, or is only a general
    style wish."""
    own = percept.own_text.strip()
    if percept.led_by_others or len(own) > LONGEST or not is_meant(percept.meant, "manner"):
        return None
    if percept.name_given or not signals.HEAVY.isdisjoint(percept.signals):
        return None
    return None if style_wishes.find_wishes(own, lexicon) else Note(own, TYPE)


def _is_correction(db: sqlite3.Connection, percept: Percept, message: SaidNow, heard: Sequence[int]) -> bool:
    """Whether it is an edit of a message that was counted before."""
    message_id = message.message_id
    return message_id is not None and style.was_on_record(db, percept.channel, percept.chat_id, message_id, heard)


def _strengths(percept: Percept, text: Own, lexicon: Lexicon) -> dict[str, float]:
    """Return the signals of the user's typed words (the turn's, if it has nothing else)."""
    return dict(percept.signals) if text == percept.own_text else signals.read(text, lexicon).strengths
