"""Search in turns, memories and sessions. Reads only.

The public entry point for a turn, a skill, a plugin, a command or a benchmark. memoryd, which holds
the encoder, finds and ranks candidates (`late_interaction`) within its timeout. Without it, full
text and the stored vectors nearest to its best hits are used, so that a turn is never slow.
`recall_exactly` is for commands: it ranks in this process and scans every vector, also of rows not
indexed yet, and so gives the same answer whatever memoryd is doing.
"""

from __future__ import annotations

import contextlib
import heapq
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Protocol

from furoshiki.core import refs
from furoshiki.core.arrays import Floats
from furoshiki.core.database.connection import Database
from furoshiki.core.similarity import centroid, dot, of_halves
from furoshiki.language.tables.function_words import query_words
from furoshiki.recall.embeddings import models
from furoshiki.recall.retrieval import called_names, other_languages
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.rules import nearness
from furoshiki.recall.retrieval.rules.likely_answers import TERMS, Terms
from furoshiki.recall.retrieval.rules.ranking import CANDIDATES, FULL_TEXT_WEIGHT, MEANING_WEIGHT, final, fuse
from furoshiki.recall.retrieval.store import candidates, full_text, multilingual, vectors
from furoshiki.recall.retrieval.store.multilingual import Made
from furoshiki.recall.retrieval.store.token_vectors import TABLES, pack_tokens
from furoshiki.recall.retrieval.values import EVERYWHERE, Floor, Judge, Kind, Ranks, Recalled, Scope

if TYPE_CHECKING:
    from furoshiki.recall.embeddings.encoder import Encoder

# full-text hits whose vectors represent the question's meaning when memoryd is away
LIKENESS_HITS = 5

LIKENESS_SCANNED = 2000  # newest vectors they are compared with (5 ms a thousand)

# rows without a vector that `recall_exactly` embeds (8 ms each); words find others
PENDING_EMBEDDED = 500

RERANKED = 5
# how many of the first results a cross-encoder reads, and the weight of its score
RERANK_WEIGHT = 0.5

LEAD_CHARACTERS = 240  # characters of the previous turn's end that are read too
MORE = 20  # results requested beyond `k`, as rows may have been deleted since

Names = Sequence[str]


class RecallWorld(Protocol):
    """The part of a World that recall uses."""

    @property
    def database(self) -> Database: ...

    @property
    def vectors(self) -> Ranks: ...


@dataclass(frozen=True)
class Wanted:
    """One question of a batch."""

    query: str
    k: int
    now: datetime


@dataclass(frozen=True)
class Search:
    """The results, best first, and whether memoryd ranked them by meaning (else full text did)."""

    found: tuple[Recalled, ...]
    by_meaning: bool


def recall(
    world: RecallWorld, query: str, *, k: int, now: datetime, scope: Scope = EVERYWHERE, judged: bool = False
) -> tuple[Recalled, ...]:
    """Return the `k` best answers to `query`, best first (or fewer). Deterministic.

    `now` is aware, in the asker's zone, for "yesterday". With `judged` a cross-encoder re-ranks the
    first few, if installed. Random additions are made by `injection`. Raises StorageUnavailable.
    """
    items = search(world, query, k=k, now=now, scope=scope).found
    if judged:
        with contextlib.suppress(VectorsAway), world.database.read() as db:
            return _rerank(db, world.vectors, query, items)
    return items


def search(world: RecallWorld, query: str, *, k: int, now: datetime, scope: Scope = EVERYWHERE) -> Search:
    """Return the same, with the method used. Raises StorageUnavailable."""
    ranked: list[tuple[str, float]] | None
    try:
        ranked = world.vectors.recall(query, k=k + MORE, now=now, scope=scope)
    except VectorsAway:
        ranked = None
    with world.database.read() as db:
        if ranked is None:
            return Search(_by_words(db, query, k, now, scope), by_meaning=False)
        return Search(_fetch_top(db, ranked, k, now, scope), by_meaning=True)


def expect(world: RecallWorld, query: str, *, k: int, now: datetime, scope: Scope) -> None:
    """Let memoryd begin a search for which `recall` will be called. Never raises, never waits."""
    world.vectors.expect_recall(query, k=k + MORE, now=now, scope=scope)


def floor_for(db: sqlite3.Connection, text: str) -> Floor:
    """Return the similarity threshold for injecting items after this message."""
    return nearness.floor_for(text, named=called_names.has_known_name(db, text))


def recall_exactly(
    database: Database,
    encoder: Encoder,
    wanted: Sequence[Wanted],
    scope: Scope = EVERYWHERE,
    terms: Terms = TERMS,
    reranker: Judge | None = None,
) -> list[tuple[Recalled, ...]]:
    """Answer many questions deterministically, without memoryd. Raises StorageUnavailable."""
    from furoshiki.recall.retrieval import late_interaction

    if not wanted:
        return []
    import numpy as np

    all_asked = [late_interaction.Asked.by(encoder, query.query, query.now, scope.kinds) for query in wanted]
    questions = np.stack([vector for _, vector in all_asked])
    with database.read() as db:
        near: list[dict[str, float]] = [{} for _ in wanted]
        fresh: dict[str, bytes] = {}
        for kind in scope.kinds:
            stored = vectors.nearest(db, kind, encoder.id, questions, late_interaction.CANDIDATES)
            waiting = _embed_rows(db, encoder, kind)
            fresh.update((name, tokens) for name, _, tokens in waiting if tokens is not None)
            for i, stored_row in enumerate(stored):
                cosines = {refs.name(kind, row_id): cosine for row_id, cosine in stored_row}
                cosines |= {name: float(questions[i] @ vector) for name, vector, _ in waiting}
                best = heapq.nsmallest(late_interaction.CANDIDATES, cosines, key=lambda name: (-cosines[name], name))
                near[i].update((name, cosines[name]) for name in best)
        answers = []
        in_other = _read_by_other(db, wanted)
        for query, (question, _), cosines, abroad in zip(wanted, all_asked, near, in_other, strict=True):
            if abroad is not None and not abroad.english:
                ranked = other_languages.rank(db, abroad, scope)
            else:
                ranked = late_interaction.rank(
                    db, question, cosines, encoder.id, scope.without, terms, fresh=fresh, floor=scope.floor
                )
                ranked = ranked if abroad is None else other_languages.merge(db, abroad, ranked, scope)
            answer = _fetch_top(db, ranked[: query.k + MORE], query.k, query.now, scope)
            # The cross-encoder was trained on English and degrades other results.
            judged = reranker is not None and other_languages.load_languages().of(query.query) is None
            answers.append(_rerank(db, reranker, query.query, answer) if judged and reranker is not None else answer)
    return answers


def _read_by_other(db: sqlite3.Connection, wanted: Sequence[Wanted]) -> list[other_languages.Asked | None]:
    """Read the questions with the multilingual encoder, if in use, embedding unread rows."""
    if not (models.has_multilingual() and multilingual.is_spoken(db)):
        return [None] * len(wanted)
    encoder, fresh = models.load_multilingual(), dict[str, Made]()
    for kind in multilingual.TABLES:
        rows = multilingual.list_waiting(db, kind, PENDING_EMBEDDED) + vectors.list_waiting(db, kind, PENDING_EMBEDDED)
        encoded = other_languages.encode_rows(encoder, rows, other_languages.owners(db))
        fresh.update((refs.name(kind, one.id), one) for one in encoded)
    return [other_languages.read(encoder, db, query.query, query.now, fresh) for query in wanted]


def _fetch_top(
    db: sqlite3.Connection, ranked: Sequence[tuple[str, float]], k: int, now: datetime, scope: Scope
) -> tuple[Recalled, ...]:
    there = _as_of(db, full_text.whole(db, [name for name, _ in ranked]), now)
    items = [replace(there[name], score=score) for name, score in ranked if name in there]
    return tuple(item for item in items if scope.holds(item))[:k]


def _as_of(db: sqlite3.Connection, there: dict[str, Recalled], now: datetime) -> dict[str, Recalled]:
    """Mark moments as past whose facts were all replaced since."""
    items = [item for item in there.values() if item.kind == "memory" and item.turn_ids and not item.past]
    over = candidates.find_outdated(db, {turn for item in items for turn in item.turn_ids}, now)
    outdated = {item.id: replace(item, status="superseded") for item in items if over.issuperset(item.turn_ids)}
    return there | outdated


def _embed_rows(db: sqlite3.Connection, encoder: Encoder, kind: Kind) -> list[tuple[str, Floats, bytes | None]]:
    """Embed rows that wait for their vectors."""
    embedded = []
    for row in vectors.list_waiting(db, kind, PENDING_EMBEDDED):
        vector, rows = encoder.encode_tokens(row.text)
        embedded.append(
            (refs.name(kind, row.id), vector, pack_tokens(rows, model=encoder.id) if kind in TABLES else None)
        )
    return embedded


def _rerank(db: sqlite3.Connection, reranker: Judge, query: str, items: tuple[Recalled, ...]) -> tuple[Recalled, ...]:
    """Reorder the first few by both scores, each in standard deviations."""
    first = items[:RERANKED]
    if len(first) < 2:
        return items
    scores = reranker.score(query, _in_context(db, first))
    if not scores:
        return items
    both = zip(_standard([item.score for item in first]), _standard(scores), strict=True)
    mixed = [(1 - RERANK_WEIGHT) * ranked + RERANK_WEIGHT * judged for ranked, judged in both]
    order = sorted(range(len(first)), key=lambda i: (-mixed[i], i))
    # Scores stay in descending order, by position.
    moved = [replace(first[i], score=first[place].score) for place, i in enumerate(order)]
    return (*moved, *items[RERANKED:])


def _in_context(db: sqlite3.Connection, items: Sequence[Recalled]) -> list[str]:
    """Return texts for a judge: a turn with the previous one (MRR +1.2, without it -0.8)."""
    spoken = {item.turn_ids[0] for item in items if item.kind == "turn"}
    beside = candidates.beside(db, spoken)
    before = {number: beside[number][0][0] for number in spoken if number in beside and beside[number][0]}
    turns = candidates.read_turns(db, [*spoken, *before.values()])
    texts = []
    for item in items:
        if item.kind != "turn":
            texts.append(item.text)
            continue
        earlier = turns.get(before.get(item.turn_ids[0], 0))
        lead = f"{earlier.speaker}: {earlier.text[-LEAD_CHARACTERS:]} " if earlier is not None else ""
        texts.append(f"{lead}{item.speaker}: {item.text}")
    return texts


def _standard(values: Sequence[float]) -> list[float]:
    mean = sum(values) / len(values)
    spread = (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5 or 1.0
    return [(value - mean) / spread for value in values]


def _by_words(db: sqlite3.Connection, query: str, k: int, now: datetime, scope: Scope) -> tuple[Recalled, ...]:
    """Search by full text, with the vectors near its best hits as a second ranking."""
    words = query_words(query)
    names_of = {kind: refs.names(kind, full_text.full_text(db, kind, words, CANDIDATES)) for kind in scope.kinds}
    fused = fuse([(MEANING_WEIGHT, _alike(db, names_of)), *((FULL_TEXT_WEIGHT, names) for names in names_of.values())])
    near = partial(nearness.shares_enough, query, floor=scope.floor) if scope.floor else None
    # BM25 is not comparable between kinds: each kind is its own ranking. Dormant memories are left
    # out.
    items = [
        item
        for item in _as_of(db, full_text.whole(db, fused), now).values()
        if scope.holds(item) and item.status != "dormant" and (near is None or near(item.text))
    ]
    scored = [(final(fused[item.id], item.kind, item.at, now) * (0.5 if item.past else 1.0), item) for item in items]
    best = heapq.nsmallest(k, scored, key=lambda pair: (-pair[0], pair[1].kind, -refs.row(pair[1].id)))
    return tuple(replace(one, score=score) for score, one in best)


def _alike(db: sqlite3.Connection, names_of: Mapping[Kind, Names]) -> Names:
    """Return turns near the weighted mean vector of the best full-text hits."""
    model = vectors.model(db)
    hits = [refs.row(name) for name in names_of.get("turn", ())[:LIKENESS_HITS]]
    if model is None or not hits:
        return []
    vector_of = vectors.of_ids(db, "turn", model, hits)
    if not vector_of:
        return []
    weights = {row_id: 1 / rank for rank, row_id in enumerate(hits, 1)}
    mean = centroid((of_halves(blob), weights[row_id]) for row_id, blob in vector_of.items())
    if mean is None:
        return []
    scanned = vectors.newest_rows(db, "turn", model, LIKENESS_SCANNED)
    near = heapq.nlargest(CANDIDATES, ((dot(mean, of_halves(blob)), row_id) for row_id, blob in scanned))
    return refs.names("turn", (row_id for _, row_id in near))
