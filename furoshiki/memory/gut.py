"""Gut feeling in use: sensed while a turn is gathered, written down after it, understood at night.

`sense` reads a handful of vectors and needs no numpy. What is felt is judged by what the user says next. At night
(`step`) the subconscious is drawn anew from all memories, and the axes along which feelings differ are looked for.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from furoshiki.core.process.crash_points import point
from furoshiki.core.similarity import centroid, correlation, unit, unit_rows
from furoshiki.language.tables.stop_words import query_words
from furoshiki.memory.perception.values import Percept
from furoshiki.memory.rules import gut as gut_rules
from furoshiki.memory.rules.gut import NEUTRAL, Gut
from furoshiki.memory.store import gut as gut_store
from furoshiki.memory.store import memories
from furoshiki.memory.store.gut import Axis
from furoshiki.memory.weighing import Cycle
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.store import vectors
from furoshiki.world import World

if TYPE_CHECKING:
    from furoshiki.recall.retrieval.store.vectors import Floats

SUBCONSCIOUS = "subconscious"
DIRECTION = "gut.direction"
"""Where good outcomes lie from bad ones."""

CONTEXT_TURNS = 8
CONTEXT_FOR = timedelta(hours=2)
"""What was said longer ago holds no attention any more."""

JUDGED_WITHIN = timedelta(hours=12)
"""A message that comes later is no answer to what was said."""

FIRST_MEMORIES = 200
"""Before the first night the subconscious is made of this many of the newest memories of each part."""

GOOD, BAD = 0.2, -0.2
LEAST_OF_BOTH = 3
"""Outcomes clearly good and clearly bad that it takes to know a direction."""

FELT_KEPT = 5_000
FELT_READ = 2_000
EXTREMES = 5
TYPICAL_MEMORIES = 5
BACKGROUND_MEMORIES = 300


def sense(world: World, vector: Sequence[float] | None, turn_key: str) -> Gut:
    """What this moment feels like. Reading only; raises StorageUnavailable.

    `vector` is that of what is being said now, None when nobody could make one: then what is on record of the
    conversation must do, this turn's own words included. Neutral while nothing is remembered.
    """
    with world.database.read() as db:
        model = vectors.model(db)
        deep = None if model is None else gut_store.kept(db, SUBCONSCIOUS, model)
        if model is None or deep is None:
            return NEUTRAL
        context = gut_store.said_since(db, model, world.now - CONTEXT_FOR, CONTEXT_TURNS)
        said = [
            (one, (world.now - at).total_seconds())
            for one, at, key in context
            if len(one) == len(deep) and (vector is None or key != turn_key)
        ]
        if vector is not None and len(vector) == len(deep):
            said.insert(0, (tuple(vector), 0.0))
        direction = gut_store.kept(db, DIRECTION, model)
        usual = gut_store.usual(db, model)
        axes = [(axis.name, axis.vector) for axis in gut_store.axes(db, model, named=True) if axis.name is not None]
    return gut_rules.feel(gut_rules.attention(said), deep, direction, usual, axes, model)


def in_words(gut: Gut) -> str | None:
    """The word for a feeling that is noticed (a part of the prompt has its name), None when it is not."""
    return gut.word


def after_turn(world: World, percept: Percept) -> Gut:
    """What a turn that is on record feels like, for `write_down`. Raises StorageUnavailable."""
    _remember_something(world)
    return sense(world, _vector(world, percept.own_text or percept.text), percept.key)


def write_down(db: sqlite3.Connection, percept: Percept, felt: Gut, action: str, *, answered: bool) -> None:
    """Judge what was felt before by what the user says now, and write down what is felt now and what was done.

    `action` is what was done in the turn ("reply", "skill:recall"); `answered` whether words of the user's are on
    record with it, by which the turn before can be judged. Inside a transaction of the caller's. Done again it changes
    nothing.
    """
    if answered and percept.said:
        since, went = percept.now - JUDGED_WITHIN, gut_rules.outcome(percept.signals)
        gut_store.judge(db, percept.channel, percept.chat_id, percept.key, since, went)
    gut_store.log(db, percept.key, felt, action, percept.now)
    point("turn.before_felt")


async def step(world: World, cycle: Cycle) -> dict[str, Any]:
    """The night's part: draw the subconscious anew, find the axes of what was felt, and name those that mean something.

    Returns what was done, in numbers. Nothing without an encoder.
    """
    with world.database.read() as db:
        model = vectors.model(db)
        if model is None:
            return {"subconscious": False, "felt": 0, "axes": 0, "named": 0}
        deep = _subconscious(db, model)
        felt = gut_store.felt(db, model, FELT_READ)
        found = _axes(db, model, [one.delta for one in felt], [one.outcome for one in felt], deep)
        direction = _direction([one.delta for one in felt], [one.outcome for one in felt])
    point("gut.before_step")
    with world.database.write() as db:
        if deep is None:
            gut_store.drop(db, SUBCONSCIOUS)
        else:
            gut_store.keep(db, SUBCONSCIOUS, deep, model, cycle.now)
        if direction is None:
            gut_store.drop(db, DIRECTION)
        else:
            gut_store.keep(db, DIRECTION, direction, model, cycle.now)
        gut_store.replace_axes(db, found, model, cycle.now)
        gut_store.prune(db, FELT_KEPT)
    point("gut.after_step")
    return {
        "subconscious": deep is not None,
        "felt": len(felt),
        "axes": len(found),
        "named": sum(axis.name is not None for axis in found),
    }


def _remember_something(world: World) -> None:
    """Before the first night, or with a new encoder, a rough subconscious is made of the newest memories."""
    with world.database.read() as db:
        model = vectors.model(db)
        if model is None or gut_store.kept(db, SUBCONSCIOUS, model) is not None or not gut_store.any_vector(db):
            return
        parts = {name: centroid(gut_store.newest_of_part(db, name, model, FIRST_MEMORIES)) for name in gut_store.PARTS}
    deep = gut_rules.subconscious(parts["identity"], parts["goals"], parts["everything"])
    if deep is not None:
        with world.database.write() as db:
            gut_store.keep(db, SUBCONSCIOUS, deep, model, world.now)


def _vector(world: World, text: str) -> Sequence[float] | None:
    if not text.strip():
        return None
    try:
        return world.vectors.embed([text])[0]
    except VectorsAway:
        return None


def _subconscious(db: sqlite3.Connection, model: str) -> list[float] | None:
    """The subconscious from every memory that has a vector, weighed by importance."""
    import numpy as np

    parts: dict[str, list[float] | None] = {}
    for name in gut_store.PARTS:
        total: Any = None
        for rows in gut_store.part(db, name, model):
            found = vectors.unpack([blob for blob, _importance in rows])
            weights = np.array([importance for _blob, importance in rows], np.float32)
            total = (0.0 if total is None else total) + weights @ found
        parts[name] = None if total is None else unit([float(value) for value in total])
    return gut_rules.subconscious(parts["identity"], parts["goals"], parts["everything"])


def _direction(deltas: Sequence[bytes], outcomes: Sequence[float | None]) -> list[float] | None:
    """From the mean feeling before bad outcomes to the mean before good ones; None while there are few of either."""
    judged = [(delta, value) for delta, value in zip(deltas, outcomes, strict=True) if value is not None]
    good = [delta for delta, value in judged if value >= GOOD]
    bad = [delta for delta, value in judged if value <= BAD]
    if min(len(good), len(bad)) < LEAST_OF_BOTH:
        return None
    apart = vectors.unpack(good).mean(axis=0) - vectors.unpack(bad).mean(axis=0)
    return unit([float(value) for value in apart])


def _axes(
    db: sqlite3.Connection,
    model: str,
    blobs: Sequence[bytes],
    outcomes: Sequence[float | None],
    deep: Sequence[float] | None,
) -> list[Axis]:
    """The principal components of what was felt, strongest first, each turned so that it points to good outcomes."""
    import numpy as np

    if len(blobs) < gut_rules.LEAST_DELTAS:
        return []
    deltas = vectors.unpack(blobs)
    centred = deltas - deltas.mean(axis=0)
    _left, singular, directions = np.linalg.svd(centred, full_matrices=False)
    variance = singular.astype(np.float64) ** 2
    if variance.sum() <= 1e-9:
        return []
    shares = variance / variance.sum()
    real = int((shares > 1e-6).sum())
    wanted = int(np.searchsorted(np.cumsum(shares), gut_rules.EXPLAINED)) + 1
    judged = [place for place, value in enumerate(outcomes) if value is not None]
    values = [value for value in outcomes if value is not None]
    background: dict[str, float] | None = None
    found = []
    for number in range(min(max(wanted, gut_rules.FEWEST_AXES), gut_rules.MOST_AXES, real)):
        axis = directions[number]
        along = centred @ axis
        agreed = correlation(along[judged].tolist(), values) if len(values) >= gut_rules.LEAST_OUTCOMES else None
        if (agreed or 0.0) < 0 or (not agreed and axis[np.abs(axis).argmax()] < 0):
            axis, along = -axis, -along
            agreed = None if agreed is None else -agreed
        name = None
        if deep is not None and gut_rules.telling(agreed, len(judged)):
            background = _background(db) if background is None else background
            name = _name(db, model, deltas, along, np.array(deep, np.float32), background)
        found.append(Axis(number, tuple(float(v) for v in axis), float(shares[number]), agreed, name))
    return found


def _name(
    db: sqlite3.Connection, model: str, deltas: Floats, along: Any, deep: Floats, background: dict[str, float]
) -> str | None:
    """An axis is called by the words of the memories nearest to what held attention at its two ends."""
    import numpy as np

    order = along.argsort()
    ends = np.stack([deltas[order[-EXTREMES:]].mean(axis=0), deltas[order[:EXTREMES]].mean(axis=0)]) + deep
    words = []
    for near in vectors.nearest(db, "memory", model, unit_rows(ends), TYPICAL_MEMORIES):
        held = memories.of_ids(db, [memory_id for memory_id, _cosine in near])
        words.append(
            gut_rules.key_words([query_words(one.content) for one in held if one.status == "active"], background)
        )
    return gut_rules.name(*words)


def _background(db: sqlite3.Connection) -> dict[str, float]:
    """In which share of the newest memories each word stands."""
    newest = memories.newest(db, BACKGROUND_MEMORIES)
    held: dict[str, int] = {}
    for one in newest:
        for word in query_words(one.content):
            held[word] = held.get(word, 0) + 1
    return {word: times / len(newest) for word, times in held.items()}
