"""A place for each person beside the owner: a data directory of its own, with its own database and its own heart.

What the owner said, what is known about them, their lists, journals and moods are not there, so that no question,
skill, command or prompt can bring them up; and nothing a member says can become a fact about the owner. The character,
the settings, the models and their budget are shared.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

from furoshiki.domain.remembering import Kind
from furoshiki.domain.roles import Person
from furoshiki.mind.feel import heartbeat
from furoshiki.state import StateFiles
from furoshiki.storage import apart, inbox, kv, migrate
from furoshiki.storage.store import Store
from furoshiki.vectors import VectorsAway
from furoshiki.world import Vectors, World

FOLDER = Path("memory") / "people"
DATABASE = Path("memory") / "longmemory.sqlite"

KEY = "person"
"""Under which a place keeps whose it is."""


class Apart:
    """memoryd, as a person beside the owner has it: it makes vectors for them, and its index is the owner's."""

    def __init__(self, owners: Vectors) -> None:
        self._owners = owners

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Unit vectors of texts. Raises VectorsAway."""
        return self._owners.embed(texts)

    def query(self, text: str, kinds: Sequence[Kind] = (), k: int = 0) -> NoReturn:
        """There is no index here: recall goes by full text. Raises VectorsAway."""
        raise VectorsAway("a place of its own is searched by its words")

    def recall(
        self, text: str, *, kinds: Sequence[Kind], k: int, now: datetime, without: Sequence[str] = ()
    ) -> NoReturn:
        """Raises VectorsAway."""
        raise VectorsAway("a place of its own is searched by its words")

    def nudge(self) -> None:
        """Nothing waits for an index."""

    def audit(self) -> dict[str, Any]:
        """Raises VectorsAway."""
        raise VectorsAway("a place of its own has no index")

    def rebuild(self) -> None:
        """There is nothing to build anew."""

    def stop(self) -> None:
        """memoryd holds nothing of this place."""


class People:
    """The places of one house, each opened once. Safe to use from several threads."""

    def __init__(self) -> None:
        self._stores: dict[Path, Store] = {}

    def world(self, house: World, person: Person) -> World:
        """The world of somebody who is not the owner alone, made at their first message. Raises StorageUnavailable."""
        assert person.place is not None
        folder = house.home / FOLDER / person.place
        store = self._store(house, folder)
        known = asdict(person)
        with store.read() as db:
            same = kv.get(db, KEY) == known
        if not same:
            with store.write() as db:
                kv.put(db, KEY, known, house.now)
        return _world(house, person, folder, store)

    def everybody(self, house: World) -> Iterator[World]:
        """The worlds of all who have a place, in the order of their names."""
        for folder in sorted(folders(house.home)):
            store = self._store(house, folder)
            with store.read() as db:
                known = kv.get(db, KEY)
            if known is not None:
                yield _world(house, Person(**known), folder, store)

    def close(self) -> None:
        """Let go of every database."""
        for store in self._stores.values():
            store.close()
        self._stores.clear()

    def _store(self, house: World, folder: Path) -> Store:
        path = folder / DATABASE
        if path not in self._stores or not path.exists():
            for name in ("memory", "run", "logs", "config"):
                (folder / name).mkdir(parents=True, exist_ok=True, mode=0o700)
            if not path.exists():
                apart.make(house.store.path, path)
            migrate.ensure(path)
            store = Store(path, house.store.busy_seconds, house.store.cache_kb)
            with store.write() as db:
                inbox.release_all(db)
            self._stores[path] = store
        return self._stores[path]


def folders(data: Path) -> list[Path]:
    """The places there are, below a data directory."""
    return [path.parent.parent for path in (data / FOLDER).glob(f"*/{DATABASE}")]


def remove(data: Path, place: str) -> bool:
    """Remove a place with everything in it, for good; False when there is none of that name."""
    folder = data / FOLDER / place
    if folder not in folders(data):
        return False
    shutil.rmtree(folder)
    return True


def _world(house: World, person: Person, folder: Path, store: Store) -> World:
    settings = house.settings.model_copy(update={"furoshiki_data": folder, "furoshiki_database_url": None})
    state = StateFiles(
        folder / "memory", lambda: heartbeat.rebuilt(store, house.laws, house.now), now=lambda: house.now
    )
    return replace(
        house,
        store=store,
        state=state,
        vectors=Apart(house.vectors),
        settings=settings,
        who=person,
        shared=house.home,
    )
