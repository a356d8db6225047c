"""The topic of a message: continued, new, or an earlier one. Read before a turn, stored with it.

A topic ends by a silence, or by words that say so. Whether an earlier one has returned is decided
by the message's vector, which perception has computed anyway, and by shared words.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp
from furoshiki.language.words import count_letters
from furoshiki.memory.perception.values import Percept
from furoshiki.messages.values import Turn
from furoshiki.owner.routing.rules import topics as rules
from furoshiki.owner.routing.rules.topics import Topic
from furoshiki.owner.routing.store import topics, turn_topics
from furoshiki.owner.routing.store.forgetting import AVERAGES
from furoshiki.owner.routing.values import TopicSeen
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.world import World

PREFIX = AVERAGES  # the prefix of the `kv` keys (with channel and chat) of the current topic
MOST_KNOWN = 40  # latest topics of a chat that can return: comparing them takes a millisecond
WORDS_BY = 12  # latest messages whose words identify a topic

# characters of a message that recall always embeds: then its vector can be computed earlier
LONG_ENOUGH = 25


Vector = tuple[tuple[float, ...], str]  # the unit vector of a message, and the id of its encoder


@dataclass(frozen=True)
class _Kept:
    """The `kv` value of a chat: topic, time of the last message, and whether it began a topic."""

    topic: int | None
    at: datetime | None
    renew: bool


def key(channel: str, chat_id: str) -> str:
    """Return the `kv` key of a chat's topic."""
    return f"{PREFIX}{channel}.{chat_id}"


def vector(world: World, percept: Percept) -> Vector:
    """Return the message's vector and its encoder's id, or empty. Not in a transaction."""
    if not world.settings.furoshiki_boundaries:
        return (), ""
    if percept.vector:
        return percept.vector, percept.encoder
    text = percept.text
    if count_letters(text) < LONG_ENOUGH or text != percept.own_text:
        return (), ""
    try:
        model, [message_vector] = world.vectors.said([text])
    except VectorsAway:
        return (), ""
    return tuple(message_vector), model


def read(world: World, db: sqlite3.Connection, percept: Percept, vector: Vector) -> TopicSeen | None:
    """Return the topic of a message with this `vector`; None if boundaries are disabled or the user
    has no own words in it. Reads only."""
    own = percept.own_text
    if not world.settings.furoshiki_boundaries or not own.strip():
        return None
    meaning, model = vector
    salience = _salience(percept)
    at = percept.said[0].at
    stored = kv.get(db, key(percept.channel, percept.chat_id))
    going_on = _goes_on(db, percept, model) if stored is None else _parse_kept(stored)
    silence = None if going_on.at is None else (at - going_on.at).total_seconds()
    kind = rules.judge_boundary(silence, says_so=rules.turns_away(own))
    begins = kind != "none"
    before = None if going_on.topic is None else topics.get(db, going_on.topic, model)
    topic, returns, joined = _topic(db, percept, before, begins, vector, salience)
    centroid: Sequence[float] = ()
    if meaning:
        centroid = meaning if topic is None else rules.move_centroid(topic.centroid, topic.messages, meaning)
    name = None
    if topic is None:
        name = rules.make_name([own])
    elif topic.named_by == "words" and topic.messages < rules.NAMED_BY:
        name = rules.make_name([*turn_topics.words_of(db, topic.id, rules.NAMED_BY), own])
    coming = {
        "after": None if stored is None else stored["at"],
        "topic": topic,
        "state": {"at": stamp(at), "renew": kind == "marker"},
        "name": name,
        "centroid": centroid,
        "model": model,
        "salience": salience if topic is None else rules.update_salience(topic.salience, topic.messages, salience),
    }
    return TopicSeen(
        topic_id=None if topic is None else topic.id,
        name=(name or "") if topic is None or not topic.name else topic.name,
        new=topic is None,
        boundary=begins,
        kind=kind,
        back=_find_nearest(db, topic, own) if topic is not None and returns else None,
        renews=going_on.renew,
        next=coming,
        joined=joined,
    )


def has_turned(topic_seen: TopicSeen | None) -> bool:
    """Whether a new topic begins (not the first), so that earlier turns may be summarised."""
    return topic_seen is not None and topic_seen.boundary and topic_seen.kind != "first"


def keep(db: sqlite3.Connection, percept: Percept, topic_seen: TopicSeen, heard: Sequence[int], now: datetime) -> None:
    """Store the topic of these turns and the decision, in the caller's transaction.

    If the state was forgotten since it was read before the answer, the result is not stored: the
    turns stay with their topic, or begin one that is named by them alone.
    """
    if topic_seen.next is None or not heard:
        return
    coming, topic = topic_seen.next, topic_seen.topic_id
    holds = _holds(db, percept, coming)
    name, centroid = (coming["name"], coming["centroid"]) if holds else (None, ())
    salience = coming["salience"] if holds else _salience(percept)
    if topic is None or topics.get(db, topic, "") is None:
        called = topic_seen.name if holds else rules.make_name([percept.own_text])
        topic = topics.add(db, percept.channel, percept.chat_id, called, centroid, coming["model"], heard[0], now)
    topics.record_mention(db, topic, name, centroid, coming["model"], salience, heard, now)
    if holds and topic_seen.joined is not None:
        turn_topics.move(db, topic_seen.joined, topic)
        topics.drop(db, topic_seen.joined)
    for number, turn in enumerate(heard):
        turn_topics.add(db, turn_topics.Row(turn, topic, topic_seen.boundary and number == 0, topic_seen.kind, now))
    if holds:
        kv.put(db, key(percept.channel, percept.chat_id), {**coming["state"], "topic": topic}, now)


def rename(db: sqlite3.Connection, folded: Sequence[int], summary: str) -> None:
    """Rename the topics of summarised turns by words of the summary."""
    for topic in turn_topics.topics_of(db, list(folded)):
        name = rules.find_better_name(turn_topics.words_of(db, topic, rules.MOST_COUNTED), summary)
        if name is not None:
            topics.rename(db, topic, name)


def _topic(
    db: sqlite3.Connection, percept: Percept, before: Topic | None, begins: bool, vector: Vector, salience: float
) -> tuple[Topic | None, bool, int | None]:
    """Return the continued or returning topic (None: a new one), whether it returns, and the id of
    the young topic merged into it."""
    young = before is not None and before.messages < rules.YOUNG
    if not begins and (before is None or not young):
        return before, False, None
    meaning, model = vector
    if not meaning:
        return (None if begins else before), False, None
    own = percept.own_text
    if begins or before is None:
        like, least, words, besides = meaning, rules.LIKE, rules.extract_stems(own), None
    else:
        like, least, besides = (
            rules.move_centroid(before.centroid, before.messages, meaning),
            rules.LIKE_TOGETHER,
            before.id,
        )
        words = rules.extract_stems("\n".join([*turn_topics.words_of(db, before.id, rules.YOUNG), own]))
    near_topics = [
        topic for topic in topics.latest(db, percept.channel, percept.chat_id, model, MOST_KNOWN) if topic.id != besides
    ]
    for likeness, topic in rules.nearest(near_topics, like, salience, percept.now):
        if likeness < least:
            continue
        of_topic = rules.extract_stems("\n".join(turn_topics.words_of(db, topic.id, WORDS_BY)))
        if rules.has_shared_words(words, of_topic):
            return topic, True, besides
    return (None if begins else before), False, None


def _find_nearest(db: sqlite3.Connection, topic: Topic, own: str) -> Turn | None:
    """Return the user's turn of a topic that shares most words with these, the latest of several, if enough."""
    words = rules.extract_stems(own)
    said = turn_topics.list_turns(db, topic.id, WORDS_BY)
    best = max(reversed(said), key=lambda turn: len(words & rules.extract_stems(turn.own)), default=None)
    if best is None or not rules.has_shared_words(words, rules.extract_stems(best.own)):
        return None
    return best


def _salience(percept: Percept) -> float:
    return max(percept.signals.values(), default=0.0)


def _holds(db: sqlite3.Connection, percept: Percept, coming: Mapping[str, Any]) -> bool:
    """Whether the result read before the answer is valid: forgetting deletes its basis."""
    stored, topic = kv.get(db, key(percept.channel, percept.chat_id)), coming["topic"]
    if (None if stored is None else stored["at"]) != coming["after"]:
        return False
    if topic is None:
        return True
    known_topic = topics.get(db, topic.id, coming["model"])
    return known_topic is not None and (stored is not None or known_topic == topic)


def _goes_on(db: sqlite3.Connection, percept: Percept, model: str) -> _Kept:
    """Return the state of a chat without a stored one: the latest topic."""
    last = next(iter(topics.latest(db, percept.channel, percept.chat_id, model, 1)), None)
    return _Kept(None, None, False) if last is None else _Kept(last.id, last.last_at, False)


def _parse_kept(value: Mapping[str, Any]) -> _Kept:
    return _Kept(value["topic"], parse(value["at"]), value["renew"])
