"""Asks the storage from the event loop without ever stopping the loop: one thread answers all questions."""

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
    """One thread in front of the store. A locked database makes the questions wait, not the loop."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="telegram-storage")

    async def read(self, question: Question[P, T], *args: P.args, **named: P.kwargs) -> T:
        """The answer to a question that changes nothing. Raises StorageUnavailable."""

        def ask() -> T:
            with self._database.read() as db:
                return question(db, *args, **named)

        return await asyncio.get_running_loop().run_in_executor(self._thread, ask)

    async def write(self, question: Question[P, T], *args: P.args, **named: P.kwargs) -> T:
        """The answer to a question asked in one transaction, committed. Raises StorageUnavailable."""

        def ask() -> T:
            with self._database.write() as db:
                return question(db, *args, **named)

        return await asyncio.get_running_loop().run_in_executor(self._thread, ask)

    async def version(self) -> int | None:
        """What changes when somebody has written; None where the database is away."""

        def ask() -> int | None:
            with contextlib.suppress(StorageUnavailable):
                return self._database.version()
            return None

        return await asyncio.get_running_loop().run_in_executor(self._thread, ask)

    async def fold(self) -> bool:
        """Empty the write-ahead log; False when somebody writes, or reads what it holds."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._database.checkpoint)

    def close(self) -> None:
        """Take no more questions; the one being answered is finished in the background."""
        self._thread.shutdown(wait=False, cancel_futures=True)
