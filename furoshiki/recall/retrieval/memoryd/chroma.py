"""The semantic index: four Chroma collections of vectors that the database holds too.

Chroma's local store is not safe for several processes (measured with 1.5.9: four writers lose 5-13
% of their writes, without an error), so only memoryd opens it, under its lock. Vectors are always
passed in, ids are those of the rows ("turn:12"), so that repeated writes are idempotent. The sync
threshold stays Chroma's default: a lower one corrupts the index at scale. Lost data is rebuilt from
the database.
"""

import contextlib
import subprocess
import sys
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from furoshiki.core import refs
from furoshiki.core.arrays import Floats
from furoshiki.core.files import identity
from furoshiki.recall.retrieval.values import INDEXED, Kind

COLLECTIONS: dict[Kind, str] = {"turn": "turns", "memory": "memories", "session": "sessions", "design": "design_docs"}

# HNSW's ef_search: neighbours considered during a search; above the 150 candidates asked for
SEARCH_WIDTH = 200

# Run in a subprocess. Chroma has its own copy of SQLite, and POSIX locks belong to a process:
# opened here by Python's copy, the file would be vacuumed while Chroma writes into it, and closing
# it would drop Chroma's locks (sqlite.org/howtocorrupt.html, 2.2 and 2.3). In this process such a
# vacuum broke the index within two batches.
_TIDY = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=1.0)
free, size = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("freelist_count", "page_count"))
if free > 64 and free * 4 > size:
    db.execute("VACUUM")
"""

_TIDY_SECONDS = 60.0
_GROWN = 1.25  # the growth of Chroma's database since the last check that causes another check
_WORTH_A_LOOK = 256 * 1024  # bytes (64 pages) below which no check is made

SPACE = {"hnsw": {"space": "cosine", "ef_search": SEARCH_WIDTH}}


class IndexBroken(Exception):
    """Chroma refused or its files are not the ones that were opened: set the index aside and rebuild it."""


class Chroma:
    """An open index in `folder`. Every method may raise IndexBroken."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "chroma.sqlite3"
        self._looked_at = 0
        """The size in bytes at the last check."""
        with _broken_explained():
            self._client = _local(folder)
            self._collections = {kind: self._open(kind) for kind in INDEXED}
            self._empty = {kind for kind in INDEXED if not self._collections[kind].count()}
            """Empty collections, which are not queried: a query would take 2 ms."""
        self._identity = self._read_identity()

    def upsert(self, kind: Kind, ids: Sequence[int], vectors: Floats) -> None:
        """Insert or replace these rows' vectors."""
        if len(ids):
            self._empty.discard(kind)
            with self._ours():
                self._collections[kind].upsert(ids=refs.names(kind, ids), embeddings=vectors)

    def delete(self, kind: Kind, ids: Sequence[int]) -> None:
        """Delete these rows, ignoring missing ones."""
        if len(ids):
            with self._ours():
                self._collections[kind].delete(ids=refs.names(kind, ids))

    def nearest(self, kind: Kind, vector: Sequence[float] | Floats, limit: int) -> list[tuple[str, float]]:
        """Return ids with their cosines, best first (ties by id, for determinism)."""
        with self._ours():
            if kind in self._empty:
                return []
            answer = self._collections[kind].query(query_embeddings=[vector], n_results=limit, include=["distances"])
        pairs = zip(answer["ids"][0], answer["distances"][0], strict=True)
        return sorted(((name, 1.0 - distance) for name, distance in pairs), key=lambda pair: (-pair[1], pair[0]))

    def count(self, kind: Kind) -> int:
        """Return the number of ids, which does not prove that they can be found."""
        with self._ours():
            return int(self._collections[kind].count())

    def ids(self, kind: Kind, start: int, limit: int) -> list[int]:
        """Return a page of the rows in the index, in Chroma's order."""
        with self._ours():
            answer = self._collections[kind].get(limit=limit, offset=start, include=[])
        return [refs.row(name) for name in answer["ids"]]

    def clear(self) -> None:
        """Empty all collections."""
        with _broken_explained():
            for kind in INDEXED:
                self._client.delete_collection(COLLECTIONS[kind])
            self._collections = {kind: self._open(kind) for kind in INDEXED}
            self._empty = set(INDEXED)

    def tidy(self) -> None:
        """Vacuum Chroma's database if its free pages are many. Never raises."""
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            if self._file.stat().st_size <= max(_WORTH_A_LOOK, self._looked_at * _GROWN):
                return
            command = [sys.executable, "-I", "-S", "-c", _TIDY, str(self._file)]
            subprocess.run(command, capture_output=True, timeout=_TIDY_SECONDS)
            self._looked_at = self._file.stat().st_size

    def close(self) -> None:
        """Close the files, so that they can be moved or opened again. Never raises."""
        with contextlib.suppress(Exception):  # Chroma has no common base class, and nothing is left to be saved
            self._client.close()

    def _open(self, kind: Kind) -> Any:
        return self._client.get_or_create_collection(COLLECTIONS[kind], embedding_function=None, configuration=SPACE)

    @contextlib.contextmanager
    def _ours(self) -> Iterator[None]:
        # Chroma would silently go on writing into deleted files.
        if self._read_identity() != self._identity:
            raise IndexBroken("the index's files were replaced or removed while it was open")
        with _broken_explained():
            yield

    def _read_identity(self) -> tuple[int, int]:
        return identity(self._file) or (0, 0)


def _local(folder: Path) -> Any:
    chromadb, Settings = _import_chroma()
    from chromadb.api.shared_system_client import SharedSystemClient

    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    # Chroma caches systems by path, even those that failed to open.
    SharedSystemClient.clear_system_cache()
    return chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))


def _import_chroma() -> tuple[Any, Any]:
    """Import Chroma without unused parts: the gRPC exporter of its telemetry, httpx's command line,
    and its embedding functions for remote services (vectors are always passed in).

    This saves 21 MB (of 44 for the import). The replacements exist only during the import.
    """
    exporter = types.ModuleType("opentelemetry.exporter.otlp.proto.grpc.trace_exporter")
    exporter.OTLPSpanExporter = object  # type: ignore[attr-defined]  # a module made up just now
    functions = types.ModuleType("chromadb.utils.embedding_functions")
    functions.known_embedding_functions = {}  # type: ignore[attr-defined]  # as above
    functions.register_embedding_function = None  # type: ignore[attr-defined]  # as above
    aside: dict[str, Any] = {exporter.__name__: exporter, functions.__name__: functions, "httpx._main": None}
    ours = {name: module for name, module in aside.items() if name not in sys.modules}
    sys.modules.update(ours)
    try:
        import chromadb
        from chromadb.config import Settings
    finally:
        for name in ours:
            sys.modules.pop(name, None)
    return chromadb, Settings


@contextlib.contextmanager
def _broken_explained() -> Iterator[None]:
    try:
        yield
    except (MemoryError, IndexBroken):
        raise
    except Exception as error:  # Chroma raises its own errors, pyo3's and sqlite's; all mean that the index is unusable
        raise IndexBroken(f"{type(error).__name__}: {error}") from error
