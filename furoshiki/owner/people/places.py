"""A place for each user other than the owner: a separate data directory, database and heartbeat.

The owner's messages, facts, lists, journals and moods are not there, so no question, skill, command
or prompt can reveal them; and a member's statement cannot become a fact about the owner. The
companion's character, settings, models and budget are shared.
"""

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from furoshiki.core import stored
from furoshiki.core.database import kv, migrate
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import DATABASE, PEOPLE
from furoshiki.core.process import trees
from furoshiki.feelings import heartbeat
from furoshiki.feelings.state_files import StateFiles
from furoshiki.messages import roles
from furoshiki.messages.roles import Person
from furoshiki.owner.people import store as people_store
from furoshiki.owner.people.recall import PersonVectors
from furoshiki.world import World

KEY = "person"
"""The `kv` key of the person; if forgotten, the place's name identifies them."""


class People:
    """The places of one host, each opened once. Thread-safe."""

    def __init__(self) -> None:
        self._databases: dict[Path, Database] = {}

    def world(self, owner: World, person: Person) -> World:
        """Return a member's world, created on demand. Raises StorageUnavailable."""
        assert person.place is not None
        folder = owner.home / PEOPLE / person.place
        database = self._database(owner, folder)
        row = asdict(person)
        with database.read() as db:
            same = kv.get(db, KEY) == row
        if not same:
            with database.write() as db:
                kv.put(db, KEY, row, owner.now)
        return _world(owner, person, folder, database)

    def everybody(self, owner: World) -> Iterator[World]:
        """Iterate over the worlds of all places, by name."""
        for folder in sorted(folders(owner.home)):
            database = self._database(owner, folder)
            with database.read() as db:
                rows = kv.get(db, KEY)
            person = roles.of_place(folder.name) if rows is None else stored.build(Person, rows)
            yield _world(owner, person, folder, database)

    def close(self) -> None:
        for database in self._databases.values():
            database.close()
        self._databases.clear()

    def _database(self, owner: World, folder: Path) -> Database:
        path = folder / DATABASE
        if path not in self._databases or not path.exists():
            for name in ("memory", "run", "logs", "config"):
                (folder / name).mkdir(parents=True, exist_ok=True, mode=0o700)
            if not path.exists():
                people_store.make(owner.database.path, path)
            migrate.ensure(path)
            self._databases[path] = Database(path, owner.database.busy_seconds, owner.database.cache_kb)
        return self._databases[path]


def folders(data: Path) -> list[Path]:
    """Return the existing places in a data directory."""
    return [path.parent.parent for path in (data / PEOPLE).glob(f"*/{DATABASE}")]


def remove(data: Path, place: str) -> bool:
    """Delete a place with all its data permanently; return False if it does not exist."""
    folder = data / PEOPLE / place
    if folder not in folders(data):
        return False
    trees.remove(folder)
    return True


def _world(owner: World, person: Person, folder: Path, database: Database) -> World:
    settings = owner.settings.model_copy(update={"furoshiki_data": folder, "furoshiki_database_url": None})
    state = StateFiles(
        folder / "memory", lambda: heartbeat.rebuilt(database, owner.laws, owner.now), now=lambda: owner.now
    )
    return replace(
        owner,
        database=database,
        state=state,
        vectors=PersonVectors(owner.vectors, owner.database, database, lambda: owner.now),
        settings=settings,
        who=person,
        shared=owner.home,
    )
