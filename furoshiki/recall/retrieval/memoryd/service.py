"""memoryd's operations: one function each, a JSON object in, a JSON object out."""

from __future__ import annotations

import functools
import logging
import os
import random
import sqlite3
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from furoshiki.core import refs
from furoshiki.core.arrays import Floats
from furoshiki.core.database import troubles
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import FuroshikiError, NotConfigured, StorageUnavailable
from furoshiki.recall.embeddings import models
from furoshiki.recall.embeddings.encoder import Encoder
from furoshiki.recall.retrieval import client as memoryd_client
from furoshiki.recall.retrieval import other_languages
from furoshiki.recall.retrieval.memoryd.engine import Engine
from furoshiki.recall.retrieval.memoryd.index import Index
from furoshiki.recall.retrieval.memoryd.keeper import Keeper, vectors_made
from furoshiki.recall.retrieval.store import multilingual, token_vectors, vectors
from furoshiki.recall.retrieval.store.multilingual import Made as MadeByOther
from furoshiki.recall.retrieval.store.vectors import Waiting
from furoshiki.recall.retrieval.values import INDEXED, KINDS, Floor, Kind, Scope

if TYPE_CHECKING:
    from furoshiki.recall.embeddings.multilingual import MultilingualEncoder

# newest vectors scanned while the index cannot answer; all of them would delay a turn
SCANNED = 10_000

MOST_TEXTS = 1000
MOST_NAMED = 1000  # ids in one answer

# cached vectors of recently requested texts: 0.8 MB, where computing one takes 15 to 25 ms
KEPT_VECTORS = 512

# rows without vectors that are embedded during a query (8 ms each); if more wait, none are
JUST_SAID = 4

# texts whose token vectors are cached between reading a message and its recall: 0.2 MB
KEPT_LATELY = 4

TALK_SECONDS = 2.0  # how long a talk goes on after a request for a message

UNREADABLE = (
    "the files of the encoder that FUROSHIKI_EMBEDDER names cannot be read: install them again "
    "with scripts/run.sh, or name another one; memoryd.log has the details"
)
UNREADABLE_OTHER = "the files of the multilingual encoder cannot be read: run scripts/install.py --multilingual again"
WITHOUT = "nothing is found by its meaning, only by its words: {why}"

log = logging.getLogger("memoryd")


class TalkClock:
    """When a message was last read or memory searched; one for all homes that share a process."""

    def __init__(self) -> None:
        self._at = float("-inf")

    def note(self, request: object) -> None:
        """Note the time if this request belongs to a message."""
        if isinstance(request, dict) and (request.get("said") or request.get("op") == "recall"):
            self._at = time.monotonic()

    def is_recent(self) -> bool:
        """Whether that was less than `TALK_SECONDS` ago."""
        return time.monotonic() - self._at < TALK_SECONDS


class Made:
    """A least-recently-used cache of vectors, keyed by text."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._vectors: OrderedDict[str, Floats] = OrderedDict()
        self._changing = threading.Lock()

    def get(self, text: str) -> Floats | None:
        """Return the cached vector of a text, or None."""
        with self._changing:
            if text in self._vectors:
                self._vectors.move_to_end(text)
            return self._vectors.get(text)

    def put(self, text: str, vector: Floats) -> None:
        with self._changing:
            self._vectors[text] = vector
            self._vectors.move_to_end(text)
            if len(self._vectors) > self._most:
                self._vectors.popitem(last=False)


class CachedEncoder:
    """An encoder with a cache, so that a message is read once for its signals and for recall."""

    def __init__(self, encoder: Callable[[], Encoder]) -> None:
        self._encoder = encoder
        self._read: OrderedDict[str, tuple[Floats, Floats]] = OrderedDict()
        self._changing = threading.Lock()

    @property
    def id(self) -> str:
        return self._encoder().id

    def encode_tokens(self, text: str) -> tuple[Floats, Floats]:
        """Return the vectors of a text and of its tokens, from the cache if possible."""
        with self._changing:
            cached = self._read.get(text)
            if cached is None:
                cached = self._read[text] = self._encoder().encode_tokens(text)
                if len(self._read) > KEPT_LATELY:
                    self._read.popitem(last=False)
        return cached

    def pieces(self, text: str) -> list[str]:
        return self._encoder().pieces(text)


class Service:
    """Encoder, index and keeper of one data directory, all loaded lazily."""

    def __init__(
        self,
        data: Path,
        database: Database,
        load: Callable[[], Encoder],
        now: Callable[[], datetime],
        rng: random.Random,
        index: Engine | None = None,
        load_other: Callable[[], MultilingualEncoder] = models.load_multilingual,
    ) -> None:
        """`index` replaces Chroma in `data`; `load_other` loads the multilingual encoder."""
        self._database = database
        self._now = now
        self._load = load
        self._loading = threading.Lock()
        self._loaded: Encoder | None = None
        self._load_other = load_other
        self._other: MultilingualEncoder | None = None
        self._made = Made(KEPT_VECTORS)
        self._compared = functools.lru_cache(KEPT_VECTORS)(self._compare)
        self._lately = CachedEncoder(self.encoder)
        self.index: Engine = index or Index(database, data / "memory" / "chroma", data / "run", now)
        self.keeper = Keeper(database, self.index, self.encoder, now, rng, self._other_if_installed)
        self.last_talk = TalkClock()
        self.keeper.is_talked_to = self.last_talk.is_recent
        self.on_stop: Callable[[], None] = lambda: None
        self._operations: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "ping": lambda _request: {},
            "status": self._status,
            "embed": self._embed,
            "near_danger": self._near_danger,
            "query": self._query,
            "recall": self._recall,
            "score": self._score,
            "nudge": self._nudge,
            "audit": self._audit,
            "rebuild": self._rebuild,
            "stop": self._stop,
        }

    def encoder(self) -> Encoder:
        """Return the encoder, loaded on demand. Raises NotConfigured or BadSetting."""
        with self._loading:
            if self._loaded is None:
                try:
                    self._loaded = self._load()
                except FuroshikiError as error:
                    self._note(str(error))
                    raise
                except (OSError, RuntimeError, ValueError) as error:  # raised by the libraries for a damaged file
                    log.exception("the encoder cannot be loaded")
                    self._note(UNREADABLE)
                    raise NotConfigured(UNREADABLE) from error
                self._note(None)
            return self._loaded

    def _multilingual(self) -> MultilingualEncoder:
        """Return the multilingual encoder, loaded on demand. Raises NotConfigured."""
        with self._loading:
            if self._other is None:
                try:
                    self._other = self._load_other()
                except (OSError, RuntimeError, ValueError) as error:
                    log.exception("the multilingual encoder cannot be loaded")
                    raise NotConfigured(UNREADABLE_OTHER) from error
            return self._other

    def _other_if_installed(self) -> MultilingualEncoder | None:
        try:
            return self._multilingual()
        except NotConfigured:
            return None

    def _note(self, words: str | None) -> None:
        """Record why the encoder is unusable (None: it is usable)."""
        try:
            if words is None:
                troubles.record_end(self._database, troubles.ENCODER, self._now())
                return
            with self._database.write() as db:
                troubles.record_failure(db, troubles.ENCODER, WITHOUT.format(why=words), self._now())
        except StorageUnavailable as error:
            log.warning("whether the encoder works could not be written down: %s", error)

    def answer(self, request: object) -> dict[str, Any]:
        """Return the answer to one request; never raises."""
        operation = self._operations.get(str(request.get("op"))) if isinstance(request, dict) else None
        self.last_talk.note(request)
        if operation is None:
            return {"ok": False, "error": f"no such operation; there are {', '.join(self._operations)}"}
        try:
            return {"ok": True, **operation(cast(dict[str, Any], request))}
        except (KeyError, TypeError, ValueError) as error:
            return {"ok": False, "error": f"bad request: {type(error).__name__}: {error}"}
        except FuroshikiError as error:
            return {"ok": False, "error": str(error)}
        except Exception as error:  # outermost handler: the caller gets an error, and the next request is answered
            log.exception("%s failed", request.get("op") if isinstance(request, dict) else request)
            return {"ok": False, "error": f"{type(error).__name__}: {error}"}

    def close(self) -> None:
        """Finish the current batch and close the index."""
        self.keeper.stop()
        self.index.close()
        self.index.survived()
        self._database.close()

    def _status(self, _request: dict[str, Any]) -> dict[str, Any]:
        with self._database.read() as db:
            waiting = vectors.count_pending(db)
        return {
            "pid": os.getpid(),
            "model": None if self._loaded is None else self._loaded.id,
            "index": "closed" if self.index.needs_care and self.index.state == "ready" else self.index.state,
            "filled": self.index.filled,
            "pending": waiting,
            "busy": self.keeper.busy,
        }

    def _vectors(self, texts: list[str]) -> list[Floats]:
        """Return the unit vectors of texts, cached, as messages and their comparisons recur."""
        vector_of = {text: cached for text in texts if (cached := self._made.get(text)) is not None}
        new = [text for text in dict.fromkeys(texts) if text not in vector_of]
        for text, vector in zip(new, self.encoder().encode(new), strict=True) if new else ():
            vector_of[text] = vector
            self._made.put(text, vector)
        return [vector_of[text] for text in texts]

    def _embed(self, request: dict[str, Any]) -> dict[str, Any]:
        texts = _strings(request["texts"])[:MOST_TEXTS]
        if request.get("multilingual"):
            try:
                encoder = self._multilingual()
            except NotConfigured as error:
                return {"model": "", "vectors": [], "missing": str(error)}
            encoded = list(map(self._compared, texts)) if request.get("compared") else encoder.encode(texts)
            return {"model": encoder.id, "vectors": [memoryd_client.encode(row.tolist()) for row in encoded]}
        rows = [self._encode_said(text) for text in texts] if request.get("said") else self._vectors(texts)
        return {"model": self.encoder().id, "vectors": [memoryd_client.encode(row.tolist()) for row in rows]}

    def _near_danger(self, request: dict[str, Any]) -> dict[str, Any]:
        from furoshiki.recall.retrieval.memoryd.danger_examples import load_examples

        text = str(request["text"])
        if request.get("multilingual"):
            encoder = self._multilingual()
            examples, tokens = load_examples(encoder.id), encoder.found_by(text, "query").tokens
        else:
            examples, tokens = load_examples(self.encoder().id), self._lately.encode_tokens(text)[1]
        return {"near": None if examples is None else examples.nearness(tokens)}

    def _compare(self, text: str) -> Floats:
        """Return the vector by which texts in any language are compared."""
        return self._multilingual().found_by(text, "passage").whole

    def _encode_said(self, text: str) -> Floats:
        """Return the vector of a new message, and cache its token vectors for its recall."""
        vector = self._lately.encode_tokens(text)[0]
        self._made.put(text, vector)
        return vector

    def _recall(self, request: dict[str, Any]) -> dict[str, Any]:
        kinds = tuple(_kind(kind, KINDS) for kind in request.get("kinds", KINDS))
        limit = max(1, min(int(request.get("k", 20)), 1000))
        now = datetime.fromisoformat(request["now"])
        if now.tzinfo is None:
            raise ValueError("now needs a time zone")
        text = str(request["text"])
        scope = Scope(kinds, frozenset(_strings(request.get("without", []))), _floor(request.get("floor")))
        with self._database.read() as db:
            question = None
            encoder = self._other_if_installed() if multilingual.is_spoken(db) else None
            if encoder is not None:
                question = other_languages.read(encoder, db, text, now, _just_said(db, encoder))
            if question is not None and not question.english:
                return {"found": other_languages.rank(db, question, scope)[:limit]}
        ranked = self._by_english(text, now, scope)
        if question is not None:
            with self._database.read() as db:
                ranked = other_languages.merge(db, question, ranked, scope)
        return {"found": ranked[:limit]}

    def _by_english(self, text: str, now: datetime, scope: Scope) -> list[tuple[str, float]]:
        """Return all results of the configured encoder."""
        from furoshiki.recall.retrieval import late_interaction

        encoder = self.encoder()
        question, vector = late_interaction.Asked.by(self._lately, text, now, scope.kinds)
        self._made.put(question.text, vector)
        near: dict[str, float] = {}
        fresh: dict[str, bytes] = {}
        for kind in scope.kinds:
            near.update(self._nearest(kind, vector, late_interaction.CANDIDATES)[0])
        with self._database.read() as db:
            for kind in token_vectors.TABLES:
                for row in vectors_made(encoder, kind, _list_few(db, kind))[0]:
                    name = refs.name(kind, row.id)
                    near[name] = float(vectors.unpack([row.embedding])[0] @ vector)
                    fresh[name] = row.tokens or b""
            return late_interaction.rank(db, question, near, encoder.id, scope.without, fresh=fresh, floor=scope.floor)

    def _score(self, request: dict[str, Any]) -> dict[str, Any]:
        from furoshiki.recall.embeddings import reranker

        judge = reranker.load()  # not cached: on a small machine 60 MB matter more than a search's 0.3 s
        texts = _strings(request["texts"])[:MOST_TEXTS]
        return {"scores": [] if judge is None else judge.score(str(request["text"]), texts)}

    def _query(self, request: dict[str, Any]) -> dict[str, Any]:
        kinds = list(map(_kind, request.get("kinds", KINDS)))
        limit = max(1, min(int(request.get("k", 150)), 1000))
        [vector] = self._vectors([str(request["text"])])
        results: list[tuple[str, float]] = []
        by = "index"
        for kind in kinds:
            near, how = self._nearest(kind, vector, limit)
            by = how if how == "scan" else by
            results += near
        results.sort(key=lambda pair: (-pair[1], pair[0]))
        return {"found": results[:limit], "by": by}

    def _nearest(
        self, kind: Kind, vector: Floats, limit: int
    ) -> tuple[list[tuple[str, float]], Literal["index", "scan"]]:
        """Return the nearest rows, in the index or not in it yet, best first, and the method."""
        with self._database.read() as db:  # before the query, so that rows added meanwhile are in both, not in neither
            fresh = vectors.fresh(db, kind, self.encoder().id, vector, limit)
        near = self.index.nearest(kind, vector, limit)
        if near is None:
            self.keeper.wake(index=True)
            return self._scan(kind, vector, limit), "scan"
        if fresh:  # of a row with a new vector, the index has the old one
            both = dict(near) | {refs.name(kind, row_id): cosine for row_id, cosine in fresh}
            near = sorted(both.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]
        return near, "index"

    def _scan(self, kind: Kind, vector: Floats, limit: int) -> list[tuple[str, float]]:
        with self._database.read() as db:
            best = vectors.nearest(db, kind, self.encoder().id, vector[None], limit, SCANNED)[0]
        return [(refs.name(kind, row_id), cosine) for row_id, cosine in best]

    def _nudge(self, request: dict[str, Any]) -> dict[str, Any]:
        self.keeper.wake(at_once=bool(request.get("at_once")))
        return {}

    def _audit(self, request: dict[str, Any]) -> dict[str, Any]:
        if self.index.needs_care:
            self.keeper.wake(index=True)
            return {"asked": 0, "missed": [], "removed": [], "rebuilding": True}
        tried, missed, removed = self.keeper.audit(self.encoder().id, int(request.get("n", 200)))
        return {"asked": tried, "missed": missed, "removed": removed[:MOST_NAMED], "rebuilding": bool(missed)}

    def _rebuild(self, _request: dict[str, Any]) -> dict[str, Any]:
        self.index.discard()
        self.keeper.wake(index=True)
        return {}

    def _stop(self, _request: dict[str, Any]) -> dict[str, Any]:
        self.on_stop()
        return {}


def _just_said(db: sqlite3.Connection, encoder: MultilingualEncoder) -> dict[str, MadeByOther]:
    """Embed the few rows that the multilingual encoder has not read yet."""
    usual = other_languages.owners(db)
    made_of: dict[str, MadeByOther] = {}
    for kind in multilingual.TABLES:
        for by_other in other_languages.encode_rows(encoder, _list_few(db, kind), usual):
            made_of[refs.name(kind, by_other.id)] = by_other
    return made_of


def _list_few(db: sqlite3.Connection, kind: Kind) -> list[Waiting]:
    """Return the rows that wait for vectors; none if there are many."""
    rows = vectors.list_waiting(db, kind, JUST_SAID + 1)
    if len(rows) > JUST_SAID:
        return []
    return rows


def _strings(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise TypeError("texts must be a list of strings")
    return value


def _kind(name: object, among: tuple[Kind, ...] = INDEXED) -> Kind:
    if name not in among:
        raise ValueError(f"no such kind: {name}; there are {', '.join(among)}")
    return name


def _floor(name: object) -> Floor | None:
    if name is not None and name not in get_args(Floor):
        raise ValueError(f"no such floor: {name}; there are {', '.join(get_args(Floor))}")
    return cast(Floor | None, name)
