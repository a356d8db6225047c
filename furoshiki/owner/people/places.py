"""A place for each user other than the owner: a separate data directory, database and heartbeat.

The owner's messages, facts, lists, journals and moods are not there, so no question, skill, command
or prompt can reveal them; and a member's statement cannot become a fact about the owner. The
companion's character, settings, models and budget are shared.
"""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from furoshiki.core import json_values, refs
from furoshiki.core.arrays import Floats
from furoshiki.core.database import kv, migrate
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import DATABASE, PEOPLE
from furoshiki.core.process import trees
from furoshiki.feelings import heartbeat
from furoshiki.feelings.state_files import StateFiles
from furoshiki.language.tables.function_words import query_words
from furoshiki.language.testimony import name_of
from furoshiki.messages import roles
from furoshiki.messages.channels import HERE, TELEGRAM
from furoshiki.messages.roles import OWNER, Person, Role
from furoshiki.messages.store import accounts
from furoshiki.messages.values import Envelope
from furoshiki.owner.people import store as people_store
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.recall.retrieval.rules.nearness import shares_enough
from furoshiki.recall.retrieval.rules.ranking import CANDIDATES, FULL_TEXT_WEIGHT, MEANING_WEIGHT, final, fuse
from furoshiki.recall.retrieval.store import full_text, vectors
from furoshiki.recall.retrieval.store.vectors import Embedded
from furoshiki.recall.retrieval.values import EVERYWHERE, KINDS, Kind, Scope
from furoshiki.world import Vectors, World

KEY = "person"  # the `kv` key of the person; if forgotten, the place's name identifies them


class People:
    """The places of one host, each opened once. Thread-safe."""

    def __init__(self) -> None:
        self._databases: dict[Path, Database] = {}
        self._compared: dict[Path, dict[str, Floats]] = {}

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
        return self._world(owner, person, folder, database)

    def everybody(self, owner: World) -> Iterator[World]:
        """Iterate over the worlds of all places, by name."""
        for folder in sorted(folders(owner.home)):
            database = self._database(owner, folder)
            with database.read() as db:
                rows = kv.get(db, KEY)
            person = roles.of_place(folder.name) if rows is None else json_values.build(Person, rows)
            yield self._world(owner, person, folder, database)

    def close(self) -> None:
        for database in self._databases.values():
            database.close()
        self._databases.clear()
        self._compared.clear()

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

    def _world(self, owner: World, person: Person, folder: Path, database: Database) -> World:
        own = {"furoshiki_data": folder, "furoshiki_database_url": None}
        if person.language is not None:
            own["furoshiki_language"] = None  # the owner's; a guest is spoken to in their own
        settings = owner.settings.model_copy(update=own)
        compared = self._compared.setdefault(folder, {})
        state = StateFiles(
            folder / "memory", lambda: heartbeat.rebuilt(database, owner.laws, owner.now), now=lambda: owner.now
        )
        return replace(
            owner,
            database=database,
            state=state,
            vectors=PersonVectors(owner.vectors, owner.database, database, lambda: owner.now, compared),
            settings=settings,
            who=person,
            shared=owner.home,
        )


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


# -- their recall: by words and meaning, in their own database --
#
# memoryd's index holds only the owner's data. Here memoryd computes vectors, which are stored with
# their texts, and the newest are compared in a linear scan.


# rows embedded after one message: its own, and some left from when memoryd was away
EMBEDDED_AT_ONCE = 8

COMPARED = 4000  # newest vectors of a kind compared with a question (5 ms a thousand)
ALIKE = 0.45  # the cosine from which an item is near enough without a shared word

# the same in other languages, by the multilingual encoder: 52 % of lives' lines have another so
# near
ALIKE_ABROAD = 0.6

# newest rows of a kind compared with a question in another language than English, and how many are
# read at once
COMPARED_ABROAD, AT_ONCE_ABROAD = 300, 32

PAST = 0.5  # the factor on the score of an ended memory


class PersonVectors:
    """The vectors interface for one place. `shared` is the owner's database, `mine` this one,
    `compared` holds the vectors of texts that a question in another language was compared with."""

    def __init__(
        self,
        owners: Vectors,
        shared: Database,
        mine: Database,
        now: Callable[[], datetime],
        compared: dict[str, Floats],
    ) -> None:
        self._owners = owners
        # what needs no rows is asked of the owner's memoryd
        self.embed, self.said, self.near_danger = owners.embed, owners.said, owners.near_danger
        self.compare, self.score, self.expect = owners.compare, owners.score, owners.expect
        self._shared = shared
        self._mine = mine
        self._now = now
        self._compared = compared

    def expect_recall(self, text: str, **_: Any) -> None:
        """Do nothing: this process itself searches."""

    def query(self, text: str, kinds: Sequence[Kind] = KINDS, k: int = CANDIDATES) -> list[tuple[str, float]]:
        """Return the nearest items in meaning here, best first. Raises VectorsAway."""
        import numpy as np

        question = np.array(self.embed([text]), np.float32)
        results: list[tuple[str, float]] = []
        with self._mine.read() as db:
            model = vectors.model(db)
            for kind in kinds if model is not None else ():
                near = vectors.nearest(db, kind, str(model), question, k, COMPARED)[0]
                results += [(refs.name(kind, number), cosine) for number, cosine in near]
        return sorted(results, key=lambda pair: -pair[1])[:k]

    def _find_near(self, text: str, kinds: Sequence[Kind]) -> tuple[dict[str, float], float]:
        """Return the nearest items with their cosines, nearest first, and the cosine from which one is
        near enough. Raises VectorsAway."""
        if load_languages().of(text) is not None:
            with contextlib.suppress(VectorsAway):
                return self._compare_abroad(text, kinds), ALIKE_ABROAD
        return dict(self.query(text, kinds, CANDIDATES)), ALIKE

    def _compare_abroad(self, text: str, kinds: Sequence[Kind]) -> dict[str, float]:
        """Return the nearest by the multilingual encoder. Raises VectorsAway."""
        import numpy as np

        with self._mine.read() as db:
            rows = {
                refs.name(kind, row.id): row.text
                for kind in kinds
                for row in vectors.list_newest(db, kind, COMPARED_ABROAD)
            }
        for gone in self._compared.keys() - rows.values():
            del self._compared[gone]
        new = [one for one in dict.fromkeys(rows.values()) if one not in self._compared]
        for start in range(0, len(new), AT_ONCE_ABROAD):
            part = new[start : start + AT_ONCE_ABROAD]
            read = (np.array(vector, np.float32) for vector in self._owners.compare(part))
            self._compared.update(zip(part, read, strict=True))
        question = np.array(self._owners.compare([text])[0], np.float32)
        cosines = [float(self._compared[one] @ question) for one in rows.values()]
        nearest = sorted(zip(rows, cosines, strict=True), key=lambda pair: -pair[1])
        return dict(nearest[:CANDIDATES])

    def recall(self, text: str, *, k: int, now: datetime, scope: Scope = EVERYWHERE) -> list[tuple[str, float]]:
        """Return the best answers to a question here, by meaning and words. Raises VectorsAway."""
        kinds, floor = scope.kinds, scope.floor
        cosines, alike = self._find_near(text, kinds)
        near = list(cosines)
        words = query_words(text)
        with self._mine.read() as db:
            names_by_words = [refs.names(kind, full_text.full_text(db, kind, words, CANDIDATES)) for kind in kinds]
            fused = fuse([(MEANING_WEIGHT, near), *((FULL_TEXT_WEIGHT, names) for names in names_by_words)])
            there = full_text.whole(db, [name for name in fused if name not in scope.without])
        scored = []
        for name, one in there.items():
            near_enough = floor is None or cosines.get(name, 0.0) >= alike or shares_enough(text, one.text, floor)
            if one.status != "dormant" and near_enough:
                worth = PAST if one.past else 1.0
                scored.append((name, worth * final(fused[name], one.kind, one.at, now)))
        return sorted(scored, key=lambda pair: (-pair[1], pair[0]))[:k]

    def nudge(self) -> None:
        """Embed some waiting rows. Raises VectorsAway; then they wait on."""
        with self._shared.read() as db:
            model = vectors.model(db)
        if model is None:
            raise VectorsAway("no vectors have been made yet")
        self._keep_to(model)
        left = EMBEDDED_AT_ONCE
        for kind in KINDS:
            with self._mine.read() as db:
                waiting = vectors.list_waiting(db, kind, left)
            if not waiting:
                continue
            left -= len(waiting)
            self._embed(kind, model, waiting)
            if left <= 0:
                return

    def _embed(self, kind: Kind, model: str, waiting: Sequence[vectors.Waiting]) -> None:
        import numpy as np

        array = np.array(self.embed([row.text for row in waiting]), np.float32)
        rows = [
            Embedded(row.id, vectors.pack(vector), vectors.content_hash(row.text))
            for row, vector in zip(waiting, array, strict=True)
        ]
        with self._mine.write() as db:
            vectors.keep_vectors(db, kind, model, vectors.select_unchanged(db, kind, rows))

    def _keep_to(self, model: str) -> None:
        """Use the owner's encoder; vectors of another are replaced, some with every message."""
        with self._mine.read() as db:
            if vectors.model(db) == model:
                return
        with self._mine.write() as db:
            for kind in KINDS:
                after: int | None = 0
                while after is not None:
                    after = vectors.start_over(db, kind, model, after, 1000)
            vectors.model_is(db, model, self._now())

    def audit(self) -> dict[str, Any]:
        """Raises VectorsAway: there is no index here."""
        raise VectorsAway("a person beside the owner has no index of their own")

    def rebuild(self) -> None:
        """Do nothing: there is no index."""

    def stop(self) -> None:
        """Do nothing: memoryd holds nothing of this place."""


def whose(db: sqlite3.Connection, envelope: Envelope) -> Person:
    """Return the sender: the owner at the machine itself, else the person paired with the account,
    else a stranger. Until an account is paired on Telegram, its first sender counts as the
    owner."""
    if envelope.channel in HERE:
        return OWNER
    account = accounts.find_account(db, envelope.channel, envelope.sender)
    role: Role = "stranger"
    name = language = None
    if account is not None:
        role, name, language = account.role, name_of(account.name), account.language  # the name is untrusted text
    elif envelope.channel == TELEGRAM and not accounts.anybody(db, TELEGRAM):
        role = "owner"
    return Person(
        role=role,
        channel=envelope.channel,
        id=envelope.sender,
        chat_id=envelope.chat_id,
        name=name,
        private=envelope.private,
        language=language,
    )


def welcome(db: sqlite3.Connection, person: Person, groups: bool) -> bool:
    """Whether unprompted messages may go to a person: paired, not blocked, groups if enabled."""
    account = accounts.find_account(db, person.channel, person.id)
    return account is not None and not account.blocked and (person.private or groups)
