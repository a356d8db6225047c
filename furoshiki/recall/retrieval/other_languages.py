"""Recall in languages other than English: detection, the multilingual encoder, merged rankings.

The English encoder handles them badly (in five languages it finds a third of the answers). Where
another language is in use, `multilingual-e5-small` also reads all texts: a question in another
language is answered by it alone; for an English question English texts are ranked by the English
encoder, all others by the multilingual one.
"""

from __future__ import annotations

import contextlib
import heapq
import logging
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from furoshiki.core import refs
from furoshiki.core.paths import ROOT, read_toml_file
from furoshiki.core.settings import Settings
from furoshiki.language.detection import Language, Languages
from furoshiki.messages.store import accounts, turns
from furoshiki.messages.values import USER
from furoshiki.recall.embeddings import models
from furoshiki.recall.retrieval.client import OTHER_LANGUAGES
from furoshiki.recall.retrieval.rules.likely_answers import OTHER_TERMS
from furoshiki.recall.retrieval.store import multilingual, token_vectors
from furoshiki.recall.retrieval.store.multilingual import Made
from furoshiki.recall.retrieval.store.vectors import Waiting
from furoshiki.recall.retrieval.values import Scope

if TYPE_CHECKING:
    from furoshiki.recall.embeddings.multilingual import FoundBy, MultilingualEncoder

log = logging.getLogger("memoryd")

CANDIDATES = 80  # the most candidates from its vectors
ABROAD = 1.2  # the factor on scores of texts in other languages, for an English question

LATEST = 5  # messages of the owner by which their language is known where no channel tells it
MOST = 1000  # rows of a kind that are counted or read at once

Ranked = list[tuple[str, float]]

NONE: Mapping[str, Made] = {}


@lru_cache(maxsize=2)  # with and without a path
def load_languages(config: Path = ROOT / "config") -> Languages:
    """Return the languages that are told apart, read once: the shipped file does not change."""
    return Languages.from_mapping(read_toml_file(config / "languages.toml"))


def is_missing(db: sqlite3.Connection, settings: Settings) -> bool:
    """Whether the encoder is needed (owner's language, a message, many turns) but missing."""
    if models.has_multilingual():
        return False
    own = (settings.furoshiki_language or "en").lower()
    asked_for = (settings.data / "run" / OTHER_LANGUAGES).exists()
    return not own.startswith("en") or asked_for or multilingual.is_spoken(db)


def ask_for(db: sqlite3.Connection, settings: Settings) -> None:
    """Request its installation at the next start of `run.sh`, if it is missing."""
    if is_missing(db, settings):
        with contextlib.suppress(OSError):
            (settings.data / "run" / OTHER_LANGUAGES).touch()


def owners(db: sqlite3.Connection) -> Language | None:
    """Return the owner's language by the channel, or that of most of their latest messages; None for
    English and for an unknown one."""
    own = accounts.owners_language(db)
    if own is None:
        spoken = Counter(map(load_languages().of, turns.newest_texts(db, USER, LATEST)))
        return max(spoken, key=spoken.__getitem__, default=None)
    code = own.lower().partition("-")[0]
    return next((language for language in load_languages().each if language.code == code), None)


def count_foreign(rows: Sequence[Waiting]) -> int:
    """Count the texts in another language."""
    return sum(load_languages().of(row.text) is not None for row in rows)


def behind(db: sqlite3.Connection) -> int:
    """Count rows that the encoder has not read, if it is in use; at most `MOST` per kind."""
    if not (multilingual.is_spoken(db) and models.has_multilingual()):
        return 0
    return sum(len(multilingual.list_waiting(db, kind, MOST)) for kind in multilingual.TABLES)


def encode_rows(encoder: MultilingualEncoder, rows: Sequence[Waiting], usual: Language | None) -> list[Made]:
    """Compute the stored search representations of these texts."""
    encoded = []
    for row in rows:
        try:
            by = encoder.found_by(row.text, "passage")
        except (RuntimeError, ValueError, TypeError) as error:  # the English encoder has it all the same
            log.warning("row %d is not read by the encoder for other languages: %s", row.id, error)
            encoded.append(_unread(row, encoder.id))
            continue
        whole = token_vectors.pack_tokens(by.whole[None], 8, encoder.id)
        tokens = token_vectors.pack_tokens(by.tokens, model=encoder.id)
        encoded.append(Made(row.id, _is_english(row.text, usual), whole, tokens))
    return encoded


def _unread(row: Waiting, model: str) -> Made:
    """Return a placeholder for an unusable text, so that it does not wait forever."""
    import numpy as np

    from furoshiki.recall.embeddings.multilingual import REDUCED

    nothing = np.zeros((1, REDUCED), np.float32)
    whole, tokens = token_vectors.pack_tokens(nothing, 8, model), token_vectors.pack_tokens(nothing[:0], model=model)
    return Made(row.id, True, whole, tokens)


def _is_english(text: str, usual: Language | None) -> bool:
    """Whether a text is certainly English (others are for the multilingual encoder)."""
    return load_languages().of(text, usual) is None and load_languages().is_english(text)


@dataclass(frozen=True)
class Asked:
    """A question read by the multilingual encoder, and its new vectors of unread rows."""

    text: str
    now: datetime
    model: str
    found_by: FoundBy
    english: bool
    fresh: Mapping[str, Made]


def read(
    encoder: MultilingualEncoder, db: sqlite3.Connection, text: str, now: datetime, fresh: Mapping[str, Made] = NONE
) -> Asked:
    """Read a question. A short one counts as the owner's language if little speaks against it."""
    language = load_languages().of(text, owners(db))
    return Asked(text, now, encoder.id, encoder.found_by(text, "query"), language is None, fresh)


def rank(db: sqlite3.Connection, asked: Asked, scope: Scope) -> Ranked:
    """Rank the answers to a question by the multilingual encoder alone."""
    from furoshiki.recall.retrieval import late_interaction

    found_by, fresh, most = asked.found_by, asked.fresh, late_interaction.MOST_ASKED
    wholes = token_vectors.unpack_tokens([made.whole for made in fresh.values()])[0] if fresh else ()
    just_read = {name: float(found_by.whole @ whole) for name, whole in zip(fresh, wholes, strict=True)}
    near: dict[str, float] = {}
    for kind in scope.kinds:
        nearest = multilingual.nearest(db, kind, asked.model, found_by.whole, CANDIDATES)
        new = {name: cosine for name, cosine in just_read.items() if refs.split(name)[0] == kind}
        cosines = {refs.name(kind, row_id): cosine for row_id, cosine in nearest} | new
        best = heapq.nsmallest(CANDIDATES, cosines, key=lambda name: (-cosines[name], name))
        near.update((name, cosines[name]) for name in best)
    language = load_languages().of(asked.text, owners(db)) or load_languages().english
    question = late_interaction.Asked(
        asked.text,
        asked.now,
        ("",) * len(found_by.tokens[:most]),
        found_by.tokens[:most],
        scope.kinds,
        found_by.shares[:most],
        found_by.whole,
        just_read,
        language.content,
        language.is_asked,
        language.code,
    )
    tokens = {name: one.tokens for name, one in fresh.items()}
    floor = scope.floor if scope.floor == "outstanding" else None  # the others hold for English
    return late_interaction.rank(
        db, question, near, asked.model, scope.without, OTHER_TERMS, fresh=tokens, floor=floor, column="multilingual"
    )


def merge(db: sqlite3.Connection, question: Asked, by_english: Ranked, scope: Scope) -> Ranked:
    """Rank the answers to an English question: English texts by the English encoder, others by the
    multilingual one. With the floor "told" only the former, as the latter has no threshold."""
    if scope.floor == "told":
        return by_english
    by_other = rank(db, question, scope)
    english = _english(db, [*dict(by_english), *dict(by_other)], question.fresh)
    both = [(name, score) for name, score in by_english if name in english]
    both += [(name, ABROAD * score) for name, score in by_other if name not in english]
    return sorted(both, key=lambda pair: -pair[1])


def _english(db: sqlite3.Connection, names: Sequence[str], fresh: Mapping[str, Made]) -> set[str]:
    """Return the names whose text is English (session documents count as English)."""
    abroad = {name for name, one in fresh.items() if not one.english}
    for kind in multilingual.TABLES:
        abroad |= set(refs.names(kind, multilingual.not_english(db, kind, refs.rows(names, kind))))
    return set(names) - abroad
