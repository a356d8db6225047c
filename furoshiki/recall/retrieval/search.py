"""`furoshiki memory search`: answers as plain values, in a stable format."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from furoshiki.core.database.connection import Database
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.settings import Settings
from furoshiki.core.timestamps import parse, stamp
from furoshiki.language import testimony
from furoshiki.recall.embeddings.models import load
from furoshiki.recall.retrieval.recall import Wanted, recall_exactly
from furoshiki.recall.retrieval.values import Recalled

if TYPE_CHECKING:
    from furoshiki.recall.embeddings.encoder import Encoder
    from furoshiki.recall.embeddings.reranker import Reranker

RESULTS = 10  # the default number of results

MOST_RESULTS = 1000

AT_ONCE = 128  # questions of a batch that share one scan of all vectors

Found = dict[str, Any]


class BadQuestion(FuroshikiError):
    """A line of a batch is no question; the message names the line and the reason."""

    exit_code = 2


def encoder_of(settings: Settings) -> Encoder:
    """Return a data directory's encoder. Raises NotConfigured or BadSetting."""
    return load(settings.furoshiki_embedder, settings.data / "models")


def reranker_of(wanted: bool) -> Reranker | None:
    """Return the cross-encoder if it is wanted and installed."""
    from furoshiki.recall.embeddings.reranker import load

    return load() if wanted else None


def search_one(
    database: Database, encoder: Encoder, text: str, k: int, now: datetime, judge: Reranker | None = None
) -> list[Found]:
    """Return the `k` best answers, best first. Deterministic."""
    return [
        as_found(item) for item in recall_exactly(database, encoder, [Wanted(text, _clamp(k), now)], reranker=judge)[0]
    ]


def search_batch(
    database: Database, encoder: Encoder, lines: Iterable[str], now: datetime, judge: Reranker | None = None
) -> Iterator[list[Found]]:
    """Yield a list of answers for every line of {"query", "k", "now"}; `now` is the default.

    Raises BadQuestion for an invalid line before any answer. Blank lines are skipped.
    """
    questions = iter([_question(line, number, now) for number, line in enumerate(lines, 1) if line.strip()])
    while part := list(islice(questions, AT_ONCE)):
        for answers in recall_exactly(database, encoder, part, reranker=judge):
            yield list(map(as_found, answers))


def as_found(item: Recalled) -> Found:
    """Return a result in the format of `furoshiki memory search --json`; imported turns have their
    id in the import.

    A fact that is no longer true also has `valid_to`; other people's words have `from`.
    """
    ids = item.import_ids or (None,) * len(item.turn_ids)
    result: Found = {
        "id": item.id,
        "kind": item.kind,
        "turn_ids": [own if theirs is None else theirs for own, theirs in zip(item.turn_ids, ids, strict=True)],
        "session": item.session,
        "at": stamp(item.at),
        "text": item.text,
        "score": round(item.score, 6),
    }
    if sources := testimony.sources(item.foreign):
        result["from"] = " and ".join(sources)
    if item.valid_to is not None:
        result["valid_to"] = stamp(item.valid_to)
    return result


def _question(line: str, number: int, now: datetime) -> Wanted:
    try:
        parsed = json.loads(line)
        if not isinstance(parsed, dict) or not isinstance(parsed.get("query"), str):
            raise ValueError('expected {"query": text, "k": number, "now": ISO time}')
        moment = parsed.get("now")
        return Wanted(parsed["query"], _clamp(int(parsed.get("k") or RESULTS)), parse(moment) if moment else now)
    except (ValueError, TypeError, RecursionError) as error:
        raise BadQuestion(f"line {number} of the batch: {error}") from error


def _clamp(k: int) -> int:
    return max(1, min(k, MOST_RESULTS))
