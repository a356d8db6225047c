"""A place for each person beside the owner: a data directory of its own, with its own database and its own heart.

What the owner said, what is known about them, their lists, journals and moods are not there, so that no question,
skill, command or prompt can bring them up; and nothing a member says can become a fact about the owner. The character,
the settings, the models and their budget are shared.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from furoshiki.core.database import kv, migrate
from furoshiki.core.database.connection import Store
from furoshiki.feelings import heartbeat
from furoshiki.feelings.state_files import StateFiles
from furoshiki.messages import roles
from furoshiki.messages.roles import Person
from furoshiki.people import store as apart
from furoshiki.people.recall import Apart
from furoshiki.world import World

FOLDER = Path("memory") / "people"
DATABASE = Path("memory") / "longmemory.sqlite"

KEY = "person"
"""Under which a place keeps whose it is; when that was forgotten with their name, the place's own name tells it."""


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
            person = roles.of_place(folder.name) if known is None else Person(**known)
            yield _world(house, person, folder, store)

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
            self._stores[path] = Store(path, house.store.busy_seconds, house.store.cache_kb)
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
        vectors=Apart(house.vectors, house.store, store, lambda: house.now),
        settings=settings,
        who=person,
        shared=house.home,
    )
