"""A folder of homes with the memoryd of all of them in this process, and what is asked of it."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from furoshiki.app.memoryd import open_home
from furoshiki.core.atomic_files import hold
from furoshiki.core.database.connection import Database
from furoshiki.messages.store import turns
from furoshiki.recall.retrieval.client import KEY
from furoshiki.recall.retrieval.memoryd.chroma_server import ChromaServer
from furoshiki.recall.retrieval.memoryd.homes import Homes, Opened
from tests.support.encoders import WordEncoder
from tests.support.memoryd_process import PATIENCE_SECONDS
from tests.support.rows import user_said

Migrated = Callable[[Path], Path]

NOW = datetime(2026, 3, 14, 9, 26, tzinfo=UTC)


class Encoder(WordEncoder):
    """Stands still at texts with `hang` in them until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = threading.Event()

    def encode(self, texts: Any) -> npt.NDArray[np.float32]:
        if any("hang" in text for text in texts):
            self.go_on.wait(PATIENCE_SECONDS)
        return super().encode(texts)


class House:
    """A folder of homes and the memoryd of all of them."""

    def __init__(self, root: Path, migrated: Migrated) -> None:
        self.root = root
        self.encoder = Encoder()
        self.chroma: ChromaServer | None = None
        self._migrated = migrated
        (root / ".host").mkdir(parents=True)

    def home(self, name: str, *said: str) -> Path:
        """A home in which this was said; its key is sixty-four times a digit of its own."""
        data = self.root / name
        self._migrated(data / "memory" / "longmemory.sqlite")
        (data / "run").mkdir()
        (data / "run" / KEY).write_text(self.key(name))
        self.say(name, *said)
        return data

    def key(self, name: str) -> str:
        return f"{sum(name.encode()) % 16:x}" * 64

    def say(self, name: str, *said: str) -> None:
        database = Database(self.root / name / "memory" / "longmemory.sqlite")
        with database.write() as db:
            for words in said:
                turns.add(db, user_said(words))
        database.close()

    def _opened(self, name: str) -> Opened:
        return open_home(self.root, name, lambda: self.encoder, self.chroma)

    def run(self, live: Callable[[Asked], Awaitable[None]], **bounds: Any) -> None:
        """Have the memoryd of all homes run while something is asked of it."""

        async def lived() -> None:
            homes = Homes(self.root, self._opened, **bounds)
            tasks = [asyncio.create_task(homes.keep()), asyncio.create_task(homes.look())]
            try:
                await asyncio.wait_for(live(Asked(self, homes)), PATIENCE_SECONDS)
            finally:
                self.encoder.go_on.set()
                assert await homes.close()
                for task in tasks:
                    task.cancel()

        asyncio.run(lived())


class Asked:
    """What is asked in the name of a home."""

    def __init__(self, house: House, homes: Homes) -> None:
        self.house = house
        self.homes = homes

    async def __call__(self, name: str, op: str, **more: Any) -> dict[str, Any]:
        return await self.homes.answer({"home": name, "key": self.house.key(name), "op": op, **more})

    async def near(self, name: str, text: str) -> list[str]:
        answer = await self(name, "query", text=text, k=5)
        assert answer["ok"], answer
        return [found for found, _ in answer["found"]]

    async def recalled(self, name: str, text: str) -> list[str]:
        answer = await self(name, "recall", text=text, now=NOW.isoformat())
        assert answer["ok"], answer
        return [found for found, _ in answer["found"]]

    async def whole(self, name: str) -> None:
        """Come back when everything in a home has its vector and is in its index."""
        await self(name, "nudge", at_once=True)
        await self(name, "query", text="anything")
        while (status := await self(name, "status"))["pending"] or status["index"] != "ready":
            await asyncio.sleep(0.01)

    async def rest(self) -> None:
        """Come back when nothing is under way."""
        while self.homes.busy:
            await asyncio.sleep(0.01)

    def opened(self) -> list[str]:
        """Homes whose index is held, by its holder."""
        return [name for name in ("anna", "bob", "cleo") if _is_held(self.house.root / name / "run" / "chroma.lock")]

    async def until(self, names: list[str]) -> None:
        while self.opened() != names:
            await asyncio.sleep(0.01)


def _is_held(lock: Path) -> bool:
    if not lock.exists():
        return False
    handle = hold(lock)
    if handle is None:
        return True
    os.close(handle)
    return False
