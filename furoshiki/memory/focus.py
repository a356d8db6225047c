"""Context inertia: the previous focus of a conversation influences the next recall.

The focus is a vector and the turns it came from, whose words are used if memoryd is unavailable. It
is read before a turn and written after it.
"""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.core import refs
from furoshiki.core.database import kv
from furoshiki.core.similarity import cosine, of_halves, unit
from furoshiki.language.tables.function_words import query_words
from furoshiki.language.word_tables import by_language
from furoshiki.language.words import asks, count_words
from furoshiki.messages.store import turns
from furoshiki.recall.retrieval import client as memoryd_client
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.values import Kind
from furoshiki.world import World

KEY = "focus"  # the `kv` key of the focus: the session, its last turns' ids, and the vector

TURNS_KEPT = 3


@dataclass(frozen=True)
class Inertia:
    """The influence of the last turns on this one, with weight `share`.

    `vector` and `words` are the previous focus; `next` is to be stored after this turn, without the
    turn itself. `said` is the vector of the new message, empty if none could be computed. `leap` is
    the share by the last words alone, even where the conversation as a whole keeps its subject.
    """

    share: float = 0.0
    vector: tuple[float, ...] = ()
    words: frozenset[str] = frozenset()
    next: Mapping[str, Any] | None = None
    said: tuple[float, ...] = ()
    leap: float = 0.0


NONE = Inertia()  # there is no earlier turn


def inertia(world: World, query: str, session_id: str, shifted: bool | None = None) -> Inertia:
    """Return the inertia of the conversation for `query`. Reads only. Raises StorageUnavailable.

    `shifted` says whether the subject has changed, if a caller examined more than the last words;
    None: decide by the last words.
    """
    with world.database.read() as db:
        stored = kv.get(db, KEY) or {}
        before = turns.many(db, list(map(int, stored.get("turns", ()))))
    now = _embed_query(world, query)
    previous = memoryd_client.decode(stored["vector"]) if stored.get("vector") else []
    words = frozenset(word for turn in before for word in query_words(turn.text))
    if not (previous or words):
        share = 0.0
    elif stored.get("session") != session_id:
        share = CARRIED_AFTER_SHIFT
    elif previous and len(previous) == len(now):
        share = compute_share(cosine(previous, now))
    else:
        share = compute_share(overlap(words, frozenset(query_words(query))))
    leap = share
    if shifted is not None and share and stored.get("session") == session_id:
        share = CARRIED_AFTER_SHIFT if shifted else CARRIED
    vector = move_focus(previous, now, share) if previous and now else now
    coming = {
        "session": session_id,
        "turns": [turn.id for turn in before] if share == CARRIED else [],
        "vector": memoryd_client.encode(vector) if vector else None,
    }
    return Inertia(share, tuple(previous), words, coming, tuple(now), leap)


def likeness(
    db: sqlite3.Connection, before: Inertia, texts: Mapping[str, str], kinds: Sequence[Kind] = ("turn", "memory")
) -> dict[str, float]:
    """Return the similarity of each text (by id, as "turn:12") to the previous focus, in [0, 1]."""
    if before.share == 0.0:
        return {}
    vectors_of: dict[str, Sequence[float]] = {}
    model = vectors.model(db) if before.vector else None
    if model is not None:
        for kind in kinds:
            ids = refs.rows(texts, kind)
            rows = vectors.of_ids(db, kind, model, ids) if ids else {}
            vectors_of.update((refs.name(kind, row_id), of_halves(blob)) for row_id, blob in rows.items())
    near: dict[str, float] = {}
    for name, text in texts.items():
        vector = vectors_of.get(name, ())
        if len(vector) == len(before.vector) > 0:
            near[name] = max(0.0, cosine(before.vector, vector))
        else:
            near[name] = overlap(before.words, frozenset(query_words(text)))
    return near


def move(db: sqlite3.Connection, coming: Mapping[str, Any], said: Sequence[int], now: datetime) -> None:
    """Store the focus after a turn: `said` are the ids of the user's messages in it."""
    latest = [*coming["turns"], *said][-TURNS_KEPT:]
    kv.put(db, KEY, {**coming, "turns": latest}, now)


def _embed_query(world: World, query: str) -> list[float]:
    try:
        return list(world.vectors.embed([query])[0])
    except VectorsAway:
        return []


# -- how much the previous focus influences the next recall --


# the share of the previous focus in the next one; after a shift of subject, the one below
CARRIED = 0.3

CARRIED_AFTER_SHIFT = 0.05
SHIFT = 0.7  # above this distance (1 − cosine) the subject has changed


IDLE_WORDS = 8  # words up to which a message may be idle talk

_ASKS = re.compile(by_language("small")["en"]["asking_first"], re.IGNORECASE)


def drifts(text: str, share: float) -> bool:
    """Whether the talk drifts: a short message that requests nothing, after a shift of subject.

    `share` is the share of the previous focus (see `compute_share`); without a focus nothing
    drifts.
    """
    idle = 0 < count_words(text) <= IDLE_WORDS and not asks(text) and _ASKS.search(text.strip()) is None
    return idle and share == CARRIED_AFTER_SHIFT


def compute_share(likeness: float) -> float:
    """Return the share of the previous focus, from its similarity to the new message (a cosine)."""
    return CARRIED_AFTER_SHIFT if 1.0 - likeness > SHIFT else CARRIED


def overlap(first: AbstractSet[str], second: AbstractSet[str]) -> float:
    """Return the share of the smaller set that is in the other, in [0, 1]; 0 if one is empty."""
    smaller = min(len(first), len(second))
    return len(first & second) / smaller if smaller else 0.0


def move_focus(previous: Sequence[float], now: Sequence[float], share: float) -> list[float]:
    """Return the new focus, a unit vector: the new message with a share of the previous focus.
    `now` alone if the lengths differ (another encoder) or the two cancel out."""
    if len(previous) != len(now):
        return list(now)
    mixed = [share * before + (1.0 - share) * after for before, after in zip(previous, now, strict=True)]
    return unit(mixed) or list(now)
