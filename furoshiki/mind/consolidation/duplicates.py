"""Merge duplicate memories, and find clusters of similar ones that an insight may summarise.

Only new memories are compared with the rest, so that the cost depends on the day's additions.
"""

import re
import sqlite3
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from furoshiki.core.database import kv
from furoshiki.core.process.crash_points import point
from furoshiki.language.facts import conflicts
from furoshiki.language.facts.opposition import measure_by_rule
from furoshiki.language.tables import calendar_names
from furoshiki.language.tables.function_words import is_denial, query_words
from furoshiki.language.tables.numbers import TO_TWELVE
from furoshiki.language.words import SPELLED, stem, word_set
from furoshiki.memory import weighing
from furoshiki.memory.rules.weights import NEW
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.store import duplicates as duplicate_store
from furoshiki.recall.retrieval.store import vectors
from furoshiki.world import World

# -- whether two similar memories say the same; any differing detail means no --
#
# "Ana likes tea" and "Bea likes tea" have nearly equal vectors. Names, numbers, negation and time
# must therefore agree. In doubt, both are kept.


ALIKE = 0.85  # minimum cosine of two memories of one type to be compared

# minimum share of the shorter text's words in common: "likes green tea" and "likes black tea" share
# two thirds
SAME_WORDS = 0.7

SAME_EVENT = timedelta(days=1)  # maximum distance of two times of the same event

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
# words that count or date as numbers do
_COUNTED = word_set("""
once twice first second third half both spring summer autumn winter morning evening night
""").union(TO_TWELVE, calendar_names.NAMES)

_OPENERS = word_set(
    "the user users they their it this that a an my i he she we you his her our there in on at when every"
)
# stems of verbs of liking, which are treated as equal
_LIKING = frozenset({"lik", "lov", "enjoy", "prefer", "ador", "fond"})


@dataclass(frozen=True)
class Told:
    """The parts of a memory that decide whether another one says the same."""

    content: str
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    event_time: datetime | None = None


def same(first: Told, second: Told) -> bool:
    """Return whether two memories of one type with similar vectors say the same. Symmetric."""
    if _apart(first.event_time, second.event_time) or _is_other_thing(first, second):
        return False
    first_text, two = first.content, second.content
    if (
        _numbers(first_text) != _numbers(two)
        or _is_denied(first_text) != _is_denied(two)
        or _names(first_text) != _names(two)
    ):
        return False
    return (
        _in_common(first_text, two) >= SAME_WORDS
        and not measure_by_rule(first_text, two)
        and not measure_by_rule(two, first_text)
    )


def _apart(first: datetime | None, second: datetime | None) -> bool:
    if first is None or second is None:
        return False
    return abs(first - second) > SAME_EVENT


def _is_other_thing(first: Told, second: Told) -> bool:
    """Return whether both are facts and differ in subject, predicate or object."""
    return any(
        one is not None and two is not None and not conflicts.same(one, two)
        for one, two in (
            (first.subject, second.subject),
            (first.predicate, second.predicate),
            (first.object, second.object),
        )
    )


def _numbers(text: str) -> frozenset[str]:
    numbers = set(_NUMBER.findall(text))
    return frozenset(numbers | {word for word in _plain(text) if word in _COUNTED})


def _is_denied(text: str) -> bool:
    return sum(map(is_denial, _plain(text))) % 2 == 1


def _names(text: str) -> frozenset[str]:
    """Return the capitalised words, except common openers of sentences."""
    return frozenset(
        plain
        for word in SPELLED.findall(text)
        if word[0].isupper() and (plain := _bare(word.casefold())) not in _OPENERS and len(plain) > 1
    )


def _in_common(first: str, second: str) -> float:
    first_stems, two = ({_stem(word) for word in query_words(text) if word != "user"} for text in (first, second))
    return (
        len(first_stems & two) / min(len(first_stems), len(two)) if first_stems and two else float(first_stems == two)
    )


def _stem(word: str) -> str:
    plain_stem = stem(word)
    return "lik" if plain_stem in _LIKING else plain_stem


def _plain(text: str) -> list[str]:
    return [word.casefold() for word in SPELLED.findall(text)]


def _bare(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s")


COMPARED_TO = "merging.to"  # the `kv` key of the last compared memory and the encoder's id
DUPLICATE = "duplicate"  # the operation name in the log

# number of newest memories searched for clusters: comparing all of them takes a second
NEWEST = 4000


def remove_duplicates(world: World, cycle: Cycle) -> dict[str, Any]:
    """Merge newer memories into older ones that say the same. Returns their number.

    Each pair is a transaction; memories without a vector are compared once they have one.
    """
    with world.database.read() as db:
        model = vectors.model(db)
        if model is None:
            return {"merged": 0}
        before = kv.get(db, COMPARED_TO) or {}
        after = int(before.get("after", 0)) if before.get("model") == model else 0
        missing = duplicate_store.first_without_vector(db, model)
        kinds = duplicate_store.types(db)
        pairs = [pair for kind in kinds for pair in duplicate_store.near_older(db, kind, model, after, ALIKE)]
        newest = max((memory.id for memory in memories.newest(db, 1)), default=0)
    merged = 0
    for newer, older in sorted(pairs):
        with world.database.write() as db:
            merged += _merge(db, cycle, newer, older)
        point("merging.pair")
    with world.database.write() as db:
        compared = newest if missing is None else min(newest, missing - 1)
        kv.put(db, COMPARED_TO, {"model": model, "after": max(compared, after)}, cycle.now)
    return {"merged": merged}


def clusters(db: sqlite3.Connection) -> list[list[int]]:
    """Return groups of two or more active memories, each with a cosine above 0.85 to its oldest.

    Ids are in order, groups by their first id; a memory is in one group at most. Conclusions and
    immutable memories are left out. Returns [] without vectors.
    """
    model = vectors.model(db)
    if model is None:
        return []
    ids, rows = duplicate_store.newest_told(db, model, NEWEST)
    taken: set[int] = set()
    all_clusters = []
    for first in range(len(ids)):
        if first in taken:
            continue
        near = (rows[first + 1 :] @ rows[first] > ALIKE).nonzero()[0] + first + 1
        group = [first, *(one for one in near.tolist() if one not in taken)]
        if len(group) > 1:
            taken.update(group)
            all_clusters.append([ids[one] for one in group])
    return all_clusters


def _merge(db: sqlite3.Connection, cycle: Cycle, newer: int, older: list[int]) -> bool:
    """Merge a memory into the oldest of `older` that says the same; return whether any does."""
    memory_of = {memory.id: memory for memory in memories.of_ids(db, [newer, *older])}
    if newer not in memory_of:
        return False
    twin = memory_of[newer]
    for keeper in (memory_of[one] for one in older if one in memory_of):
        if not same(_build_told(keeper), _build_told(twin)) or not duplicate_store.inherit(
            db, keeper.id, twin.id, cycle.now
        ):
            continue
        evidence = {"duplicate": twin.id}
        cycle = replace(cycle, stages=cycle.stages - {"B"})  # without ceiling B: the total weight stays the same
        weighing.reinforce(db, cycle, keeper.id, max(twin.alpha - NEW.alpha, 0.0), DUPLICATE, evidence)
        weighing.contradict(db, cycle, keeper.id, max(twin.beta - NEW.beta, 0.0), DUPLICATE, evidence)
        return True
    return False


def _build_told(memory: Memory) -> Told:
    return Told(memory.content, memory.subject, memory.predicate, memory.object, memory.event_time)
