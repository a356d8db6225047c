"""Other languages than English: which are known, whether their encoder is missing, and how one finds what was said.

The English encoder knows little of them (of lives in five languages it finds a third of what was asked for). So where
one is spoken, `multilingual-e5-small` reads all that was said beside it, and each is asked for what it is good at: a
question in another language is answered by it alone; of an English one English texts are judged by the English encoder,
all others by it.
"""

from __future__ import annotations

import contextlib
import heapq
import logging
import sqlite3
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
from furoshiki.messages.store import accounts
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

CANDIDATES = 80
"""How many its vectors may name."""

ABROAD = 1.2
"""What the deviations of texts in other languages count beside those of English ones, for an English question."""

MOST = 1000
"""Rows of a kind that are counted or read in one go."""

Ranked = list[tuple[str, float]]

NONE: Mapping[str, Made] = {}


@lru_cache(maxsize=2)  # by its path, and without
def load_languages(config: Path = ROOT / "config") -> Languages:
    """The languages that are told apart, read once: the file that ships does not change."""
    return Languages.from_mapping(read_toml_file(config / "languages.toml"))


def is_missing(db: sqlite3.Connection, settings: Settings) -> bool:
    """Whether the encoder is wanted, by the owner's language, a message that came or many turns, and not installed."""
    if models.has_multilingual():
        return False
    own = (settings.furoshiki_language or "en").lower()
    asked_for = (settings.data / "run" / OTHER_LANGUAGES).exists()
    return not own.startswith("en") or asked_for or multilingual.is_spoken(db)


def ask_for(db: sqlite3.Connection, settings: Settings) -> None:
    """Let the next start of `run.sh` install it where it is missing."""
    if is_missing(db, settings):
        with contextlib.suppress(OSError):
            (settings.data / "run" / OTHER_LANGUAGES).touch()


def owners(db: sqlite3.Connection) -> Language | None:
    """The owner's language, as their channel tells it; None for English and for one that is not known."""
    code = (accounts.owners_language(db) or "en").lower().partition("-")[0]
    return next((one for one in load_languages().each if one.code == code), None)


def count_foreign(rows: Sequence[Waiting]) -> int:
    """How many of these texts are in another language."""
    return sum(load_languages().of(row.text) is not None for row in rows)


def behind(db: sqlite3.Connection) -> int:
    """How many rows their encoder has not read yet, where one of them is spoken and it is installed; up to `MOST`."""
    if not (multilingual.is_spoken(db) and models.has_multilingual()):
        return 0
    return sum(len(multilingual.list_waiting(db, kind, MOST)) for kind in multilingual.TABLES)


def encode_rows(encoder: MultilingualEncoder, rows: Sequence[Waiting], usual: Language | None) -> list[Made]:
    """What is kept of these texts to find them by."""
    kept = []
    for row in rows:
        try:
            found = encoder.found_by(row.text, "passage")
        except (RuntimeError, ValueError, TypeError) as error:  # the English encoder has it all the same
            log.warning("row %d is not read by the encoder for other languages: %s", row.id, error)
            kept.append(_unread(row, encoder.id))
            continue
        whole = token_vectors.pack_tokens(found.whole[None], 8, encoder.id)
        tokens = token_vectors.pack_tokens(found.tokens, model=encoder.id)
        kept.append(Made(row.id, _is_english(row.text, usual), whole, tokens))
    return kept


def _unread(row: Waiting, model: str) -> Made:
    """What stands for a text that the encoder could not take, so that it does not wait for ever."""
    import numpy as np

    from furoshiki.recall.embeddings.multilingual import REDUCED

    nothing = np.zeros((1, REDUCED), np.float32)
    whole, tokens = token_vectors.pack_tokens(nothing, 8, model), token_vectors.pack_tokens(nothing[:0], model=model)
    return Made(row.id, True, whole, tokens)


def _is_english(text: str, usual: Language | None) -> bool:
    """Whether a text is English: what no word of any language tells is left to the encoder that knows them all."""
    return load_languages().of(text, usual) is None and load_languages().is_english(text)


@dataclass(frozen=True)
class Asked:
    """A question in the hands of their encoder, and what that made just now of rows it had not read yet."""

    text: str
    now: datetime
    model: str
    found_by: FoundBy
    english: bool
    fresh: Mapping[str, Made]


def read(
    encoder: MultilingualEncoder, db: sqlite3.Connection, text: str, now: datetime, fresh: Mapping[str, Made] = NONE
) -> Asked:
    """A question as their encoder sees it. A short one is in the owner's language where little speaks against it."""
    language = load_languages().of(text, owners(db))
    return Asked(text, now, encoder.id, encoder.found_by(text, "query"), language is None, fresh)


def rank(db: sqlite3.Connection, asked: Asked, scope: Scope) -> Ranked:
    """What answers a question, by the encoder for other languages alone."""
    from furoshiki.recall.retrieval import late_interaction

    found_by, fresh, most = asked.found_by, asked.fresh, late_interaction.MOST_ASKED
    wholes = token_vectors.unpack_tokens([one.whole for one in fresh.values()])[0] if fresh else ()
    just_read = {name: float(found_by.whole @ whole) for name, whole in zip(fresh, wholes, strict=True)}
    near: dict[str, float] = {}
    for kind in scope.kinds:
        kept = multilingual.nearest(db, kind, asked.model, found_by.whole, CANDIDATES)
        new = {name: cosine for name, cosine in just_read.items() if refs.split(name)[0] == kind}
        cosines = {refs.name(kind, row_id): cosine for row_id, cosine in kept} | new
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
    )
    tokens = {name: one.tokens for name, one in fresh.items()}
    return late_interaction.rank(
        db, question, near, asked.model, scope.without, OTHER_TERMS, fresh=tokens, column="multilingual"
    )


def merge(db: sqlite3.Connection, asked: Asked, by_english: Ranked, scope: Scope) -> Ranked:
    """What answers an English question: English texts by the English encoder, all others by theirs. Of a message that
    asks nothing what is far away is left out, and only the English encoder tells far from near."""
    if scope.floor == "told":
        return by_english
    by_other = rank(db, asked, scope)
    english = _english(db, [*dict(by_english), *dict(by_other)], asked.fresh)
    both = [(name, score) for name, score in by_english if name in english]
    both += [(name, ABROAD * score) for name, score in by_other if name not in english]
    return sorted(both, key=lambda pair: -pair[1])


def _english(db: sqlite3.Connection, names: Sequence[str], fresh: Mapping[str, Made]) -> set[str]:
    """Keep the names whose text is English; of a session's document only the English encoder
    knows."""
    abroad = {name for name, one in fresh.items() if not one.english}
    for kind in multilingual.TABLES:
        abroad |= set(refs.names(kind, multilingual.not_english(db, kind, refs.rows(names, kind))))
    return set(names) - abroad
