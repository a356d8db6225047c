"""Rows of a database that match recorded fingerprints of forgettings."""

import sqlite3
from collections.abc import Collection, Iterator, Mapping

from furoshiki.archive.forgetting.store.rows import WORDS
from furoshiki.core import refs
from furoshiki.core.database.rows import IDS, as_json
from furoshiki.core.timestamps import parse
from furoshiki.memory.store import tombstones
from furoshiki.memory.store.tombstones import Marks

_TURNS = "SELECT 'turn' AS kind, id, at AS made_at, text FROM turns"
_MEMORIES = "SELECT 'memory' AS kind, id, created_at AS made_at, content AS text FROM memories"
_ROWS = f"{_TURNS} UNION ALL {_MEMORIES}"
_SOME = f"{_TURNS} WHERE id IN {IDS} UNION ALL {_MEMORIES} WHERE id IN {IDS}"


def on_record(
    db: sqlite3.Connection, turns: Collection[int], memories: Collection[int], key: bytes
) -> list[tuple[str, str, str]]:
    """Return the records of these rows: name, creation time, fingerprint of the text."""
    return [
        (refs.name(row["kind"], row["id"]), row["made_at"], _fingerprint(key, row["kind"], row["text"]))
        for row in db.execute(_SOME, (as_json(turns), as_json(memories)))
    ]


def find_matches(
    db: sqlite3.Connection, names: Collection[tuple[str, str]], prints: Mapping[str, str], key: bytes
) -> set[tuple[str, int]]:
    """Return matching rows as ("turn", 12): by name and creation time, or by fingerprint if created
    before the forgetting (fingerprint → time)."""
    found = set()
    for row in db.execute(_ROWS):
        named = (refs.name(row["kind"], row["id"]), row["made_at"]) in names
        if named or row["made_at"] <= prints.get(_fingerprint(key, row["kind"], row["text"]), ""):
            found.add((str(row["kind"]), int(row["id"])))
    return found


def find_marked(db: sqlite3.Connection, marks: Marks) -> set[tuple[str, int]]:
    """Return rows that match another database's tombstones, as ("turn", 12)."""
    found = set()
    for row in db.execute("SELECT id, speaker, at, text, source, import_id FROM turns"):
        names = [*tombstones.turn(row["speaker"], parse(row["at"]), row["text"])] if row["text"].strip() else []
        if row["import_id"] is not None:
            names.append(tombstones.make_import_name(row["source"], row["import_id"]))
        if marks.against("turn", names, row["at"]):
            found.add(("turn", int(row["id"])))
    for row in db.execute("SELECT id, subject, predicate, object, content, created_at FROM memories"):
        names = [*tombstones.fact(row["subject"], row["predicate"], row["object"], row["content"])]
        if marks.against("memory", names, row["created_at"]):
            found.add(("memory", int(row["id"])))
    return found


def texts(db: sqlite3.Connection) -> Iterator[str]:
    """Yield all texts in a database that may contain a conversation's words."""
    columns = {
        "turns": ("text", "attachments", "speaker"),
        "memories": ("content", "object"),
        **WORDS,
        "kv": ("value",),
    }
    for table, names in columns.items():
        for row in db.execute(f"SELECT {', '.join(names)} FROM {table}"):  # noqa: S608
            yield " \n".join(str(one) for one in tuple(row) if one)


def _fingerprint(key: bytes, kind: str, text: str) -> str:
    return tombstones.seal(key, (kind, tombstones.normal(text or "")))
