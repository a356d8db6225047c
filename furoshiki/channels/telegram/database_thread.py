"""Runs database queries from the event loop without blocking it, in one thread."""

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Concatenate, ParamSpec, TypeVar

from furoshiki.core.database.connection import Database
from furoshiki.core.errors import StorageUnavailable

P = ParamSpec("P")
T = TypeVar("T")

Question = Callable[Concatenate[sqlite3.Connection, P], T]


class DatabaseThread:
    """One thread in front of the store: a locked database delays queries, not the loop."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="telegram-storage")

    async def read(self, question: Question[P, T], *args: P.args, **named: P.kwargs) -> T:
        """Run a query that changes nothing. Raises StorageUnavailable."""

        def ask() -> T:
            with self._database.read() as db:
                return question(db, *args, **named)

        return await asyncio.get_running_loop().run_in_executor(self._thread, ask)

    async def write(self, question: Question[P, T], *args: P.args, **named: P.kwargs) -> T:
        """Run a query in a transaction and commit. Raises StorageUnavailable."""

        def ask() -> T:
            with self._database.write() as db:
                return question(db, *args, **named)

        return await asyncio.get_running_loop().run_in_executor(self._thread, ask)

    async def version(self) -> int | None:
        """Return a value that changes with every write; None if the database is unavailable."""

        def ask() -> int | None:
            with contextlib.suppress(StorageUnavailable):
                return self._database.version()
            return None

        return await asyncio.get_running_loop().run_in_executor(self._thread, ask)

    async def fold(self) -> bool:
        """Empty the write-ahead log; False if another connection is writing or reading it."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._database.checkpoint)

    def close(self) -> None:
        """Accept no more queries; the current one finishes in the background."""
        self._thread.shutdown(wait=False, cancel_futures=True)
