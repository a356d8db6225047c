"""Forgets again in a restored backup what was forgotten after it was made, before it is used.

The sources are the replaced database (tombstones, and an unfinished forgetting) and the records
next to the backups, in the data directory and next to the backup file.
"""

import contextlib
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from furoshiki.archive.forgetting import files, forgetting, record
from furoshiki.archive.forgetting.due import FORGETTING
from furoshiki.archive.forgetting.forgetting import Forgotten
from furoshiki.archive.forgetting.record import Forgetting
from furoshiki.archive.forgetting.store import forgotten_rows
from furoshiki.archive.forgetting.store.sealed_words import SealedWords
from furoshiki.core.database import kv
from furoshiki.core.database.connection import connect
from furoshiki.core.database.stems import Stems
from furoshiki.core.paths import DATABASE
from furoshiki.core.timestamps import parse
from furoshiki.memory.store import tombstones
from furoshiki.memory.store.tombstones import Marks
from furoshiki.owner.people import places
from furoshiki.owner.people.places import People
from furoshiki.world import World


@dataclass(frozen=True)
class Past:
    """Known earlier forgettings: the records, and the tombstones by place (None: the owner's)."""

    record: tuple[Forgetting, ...]
    marks: tuple[tuple[str | None, Marks], ...]


def load_past(data: Path, database: Path, beside: Path) -> Past:
    """Load the forgettings known in the data to be replaced and in the folder `beside`."""
    forgettings = [*record.read(data / "backups" / record.FILE), *record.read(beside / record.FILE)]
    marks = []
    for place, path in ((None, database), *((folder.name, folder / DATABASE) for folder in places.folders(data))):
        # a damaged or foreign database: then only the record counts
        with contextlib.suppress(sqlite3.Error), contextlib.closing(connect(path, "ro")) as db:
            marks.append((place, tombstones.marks_of(db)))
            forgettings += [record.of(one) for one in (kv.get(db, FORGETTING) or {}).get("records", ())]
    return Past(tuple(dict.fromkeys(forgettings)), tuple(marks))


def forget(world: World, past: Past, made_at: datetime, home: Path) -> Forgotten:
    """Forget again in the world of an unpacked backup made at `made_at`, and record it at `home`.

    Idempotent. Raises StorageUnavailable.
    """
    for place in {one.place for one in past.record if one.removed and parse(one.at) >= made_at and one.place}:
        places.remove(world.home, place)
    people = People()
    try:
        done = [_forget(one, past, made_at) for one in (world, *people.everybody(world))]
    finally:
        people.close()
    record.add(home, (*past.record, *record.read(world.home / "backups" / record.FILE)))
    return forgetting.together(done)


def _forget(world: World, past: Past, made_at: datetime) -> Forgotten:
    place = world.who.place
    past_here = [one for one in past.record if one.place == place and not one.removed]
    all_marks = [marks for name, marks in past.marks if name == place and marks.forgotten]
    with world.database.write() as db:
        for marks in all_marks:
            tombstones.carry(db, marks, world.now)
    with world.database.read() as db:
        rows = {row for marks in all_marks for row in forgotten_rows.find_marked(db, marks)}
        everything = False
        for key, some in _by_key(past_here):
            names = {(ref, at) for one in some for ref, at, _ in one.rows}
            prints: dict[str, str] = {}
            for one in some:
                for _, _, mark in one.rows:
                    prints[mark] = max(one.at, prints.get(mark, ""))
            met = forgotten_rows.find_matches(db, names, prints, key)
            everything |= bool(met) and any(one.everything and parse(one.at) >= made_at for one in some)
            rows |= met
        since = [one for one in past_here if parse(one.at) >= made_at]
        phrases = _phrases(world, db, since)
    if not (rows or phrases or everything):
        return Forgotten(0, 0)
    turns = {number for kind, number in rows if kind == "turn"}
    memories = {number for kind, number in rows if kind == "memory"}
    return forgetting.forget_rows(world, turns, memories, phrases, everything)


def _by_key(some: Iterable[Forgetting]) -> list[tuple[bytes, list[Forgetting]]]:
    found: dict[str, list[Forgetting]] = {}
    for one in some:
        found.setdefault(one.key, []).append(one)
    return [(bytes.fromhex(key), each) for key, each in found.items()]


def _phrases(world: World, db: sqlite3.Connection, since: Sequence[Forgetting]) -> set[tuple[str, ...]]:
    """Return the forgotten phrases in this backup, whose texts are checked by fingerprint."""
    wanted = [(key, [word for one in some for word in one.words]) for key, some in _by_key(since)]
    wanted = [(key, words) for key, words in wanted if words]
    if not wanted:
        return set()
    sealed = [SealedWords(Stems(), words, key) for key, words in wanted]
    held = [*forgotten_rows.texts(db), *files.texts(world.settings.data)]
    return {phrase for text in held for words in sealed for phrase in words.phrases_in(text)}
