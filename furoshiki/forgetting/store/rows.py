"""Which rows hold what is to be forgotten, and their removal. What to forget is decided elsewhere.

Every column with words in it is listed in `WORDS`, with a test that no column of the schema is missing. A row of `GO`
is nothing without those words and goes whole; in all others the words are cut out and the row stays.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from furoshiki.core import refs
from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database
from furoshiki.core.database.rows import dump, load
from furoshiki.core.timestamps import parse
from furoshiki.forgetting.store.stems import Stems, Words
from furoshiki.inner_life.rules import self_description
from furoshiki.inner_life.store import drift
from furoshiki.language import redaction
from furoshiki.language.one_line import compressed
from furoshiki.language.redaction import Holds
from furoshiki.memory.store import tombstones
from furoshiki.messages.store import sessions
from furoshiki.messages.store.inbox import ENVELOPE
from furoshiki.messages.values import COMPANION
from furoshiki.retrieval.store.full_text import IMPORT
from furoshiki.user_model.store import profiles

WORDS: Mapping[str, tuple[str, ...]] = {
    "inbox": ("payload", "error"),
    "turn_journal": ("answer",),
    "skill_runs": ("args", "result"),
    "outbox": ("text", "entities", "extra", "error"),
    "operations": ("title", "result"),
    "sessions": ("topics", "document"),
    "rejected_extractions": ("content", "reason"),
    "tasks": ("title", "notes", "list_id", "metadata"),
    "mind_queue": ("summary", "detail", "dedupe_key", "source"),
    "self_questions": ("question", "stem", "source", "answer"),
    "inner_monologue": ("passages",),
    "anticipations": ("text", "reason"),
    "emotion_history": ("cause",),
    "user_needs_history": ("cause", "evidence"),
    "system_events": ("payload",),
    "run_log": ("summary", "output"),
    "llm_calls": ("error", "cache_miss"),
    "accounts": ("name",),
    "conversation_summaries": ("text",),
    "consolidation_log": ("evidence",),
    "safety_events": ("detail",),
    "scratch_buffer": ("text", "tags", "reason"),
    "retrievals": ("components",),
    "concepts": ("name",),
    "gut_log": ("action",),
    "gut_axes": ("name",),
    "emotional_weights": ("note",),
    "behavioral_patterns": ("gist",),
    "commitments": ("text", "sign"),
    "personality_drift_log": ("before", "text", "diff", "themes", "reasons"),
}
"""Columns in which words of people may stand. `turns`, `memories`, `kv` and the profile in it are looked after by
themselves."""

GO = frozenset(
    {
        *("turn_journal", "skill_runs", "outbox", "operations", "rejected_extractions", "tasks", "mind_queue"),
        *("system_events", "scratch_buffer", "concepts", "self_questions"),
        *("anticipations", "commitments"),
    }
)

MADE_OF_TALK = frozenset(
    {
        *("sessions", "conversation_summaries", "inner_monologue", "emotional_weights", "behavioral_patterns"),
        *("gut_log", "retrievals", "style_preferences"),
    }
)
"""Beside `GO`, what goes whole when everything is to be forgotten."""

SETTINGS = (
    "user.",
    "telegram.",
    "memoryd.",
    "vectors.",
    "tombstones.",
    "forgetting.plan",
    "pairing",
    "quiet",
    "brain.",
    "sessions.written_to",
)
"""Keys of `kv` that begin like this hold no words of a conversation."""

PASSING = ("session.block", "focus")
"""Keys of `kv` that are made of what was said last: what is known about the user as the running session shows it, and
where attention was. The next message writes them anew."""

TOLD_BY_RULE = "window.owed."
"""Keys of `kv` with what a summary said before rules went on with it: the rules' stays then."""

LEAST_RESTING = 0.5
"""The share of its turns that must be left for what the companion says of itself to stay."""

SHORTEST_TAINT = 4
"""Letters of a stem that can betray, in prose about a session, what was forgotten from it."""

_STAYING = """
SELECT id, content, content_contextualized, compressed, metadata,
  EXISTS (SELECT 1 FROM memory_sources WHERE memory_id=memories.id AND turn_id IN (SELECT value FROM json_each(?)))
  OR EXISTS (SELECT 1 FROM memory_links WHERE from_id=memories.id AND to_id IN (SELECT value FROM json_each(?)))
  AS touched
FROM memories WHERE id NOT IN (SELECT value FROM json_each(?))
"""

MOST_HINTS = 20
"""Beginnings of words that SQLite is asked for at once; with more, the texts are looked at here."""

_BEYOND_ASCII = "length(text) != length(CAST(text AS BLOB))"
"""Texts in which a letter may have an accent that the index does not see."""

_ARRIVING = "('pending', 'processing')"
_IDS = "(SELECT value FROM json_each(?))"


@dataclass(frozen=True)
class Said:
    """One turn, as far as forgetting it goes."""

    id: int
    session_id: str
    speaker: str
    kind: str
    text: str
    at: datetime
    turn_key: str | None
    external_id: str | None
    source: str
    import_id: str | None


@dataclass(frozen=True)
class Held:
    """One memory, as far as forgetting it goes. `turns` are those it rests on; `own` means that a consolidation made
    it out of others."""

    id: int
    type: str
    content: str
    subject: str | None
    predicate: str | None
    object: str | None
    own: bool
    turns: frozenset[int]


@dataclass(frozen=True)
class Chosen:
    """What is to be forgotten: turns and memories by id, and the words by which everything else is searched.

    `rewritten` are memories that rest on more than that, with what they say without it. `everything` when nothing that
    was made of conversations is to stay.
    """

    turns: frozenset[int]
    memories: frozenset[int]
    words: Words
    stems: Stems
    rewritten: Mapping[int, str] = field(default_factory=dict)
    everything: bool = False


@dataclass
class Traces:
    """Where else it stands: rows that go whole, and rows whose words are cut, by table; `after` tells what stays."""

    rows: dict[str, set[int]] = field(default_factory=dict)
    cells: dict[str, dict[int, dict[str, str | None]]] = field(default_factory=dict)
    keys: list[str] = field(default_factory=list)

    def go(self, table: str, ids: Iterable[int]) -> None:
        """These rows go whole."""
        self.rows.setdefault(table, set()).update(ids)

    def cut(self, table: str, row: int, column: str, value: str | None) -> None:
        """This is what a cell says afterwards."""
        self.cells.setdefault(table, {}).setdefault(row, {})[column] = value

    def count(self, table: str) -> int:
        """How many rows of a table are touched."""
        gone = self.rows.get(table, set())
        return len(gone) + len(self.cells.get(table, {}).keys() - gone)


# -- looking --


def turns_of(db: sqlite3.Connection, ids: Collection[int]) -> list[Said]:
    """These turns, oldest first."""
    return [_said(row) for row in db.execute(f"SELECT * FROM turns WHERE id IN {_IDS} ORDER BY id", (_json(ids),))]  # noqa: S608


def turns_holding(db: sqlite3.Connection, words: Words, after: int = 0) -> set[int]:
    """Every turn after `after` that says it, has it in what came along, or was said by somebody of that name.

    Reads all of them: SQLite passes over plain ASCII that cannot hold it, which is most of it (1 s for a million).
    """
    if not words.phrases:
        return set()
    where, values = "", []
    if len(words.hints) <= MOST_HINTS and all(hint.isalnum() and hint.isascii() for hint in words.hints):
        near = " OR ".join(["instr(lower(text), ?)"] * len(words.hints))
        where = f"AND ({near} OR {_BEYOND_ASCII} OR attachments IS NOT NULL OR speaker NOT IN ('user', 'companion'))"
        values = list(words.hints)
    question = f"SELECT id, speaker, text, attachments, foreign_words FROM turns WHERE id > ? {where}"  # noqa: S608
    rows = db.execute(question, [after, *values])
    return set(words.holding((row[0], f"{row[1]}: {row[2]} {_flat(row[3])} {_flat(row[4])}") for row in rows))


def turns_with_all(db: sqlite3.Connection, words: Sequence[str]) -> set[int]:
    """Every turn of anybody but the companion that has all of these words, in any order; none for no words."""
    if not words:
        return set()
    found = db.execute(
        "SELECT id FROM turns WHERE id IN (SELECT rowid FROM turns_fts WHERE turns_fts MATCH ?) "
        "AND speaker!=? AND kind!='command'",
        (" AND ".join(map(_quoted, words)), COMPANION),
    )
    return {row[0] for row in found}


def last_turn(db: sqlite3.Connection) -> int:
    """The newest turn's id, 0 before the first."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM turns").fetchone()[0])


def turns_between(db: sqlite3.Connection, first: str, until: str) -> set[int]:
    """Every turn from one stamp up to another, the second not included."""
    return {row[0] for row in db.execute("SELECT id FROM turns WHERE at>=? AND at<?", (first, until))}


def turns_of_session(db: sqlite3.Connection, name: str) -> set[int]:
    """Every turn of a session, by its name or by the id of its document."""
    question = "SELECT id FROM turns WHERE session_id=? OR session_id IN (SELECT session_id FROM sessions WHERE id=?)"
    return {row[0] for row in db.execute(question, (name, int(name) if name.isdigit() else -1))}


def turns_besides(db: sqlite3.Connection, ids: Collection[int]) -> set[int]:
    """What cannot stay when these turns go: their older wordings, and what was answered to them."""
    found = set(ids)
    older = f"SELECT id FROM turns WHERE replaced_by IN {_IDS} AND id NOT IN {_IDS}"  # noqa: S608
    while new := {row[0] for row in db.execute(older, (_json(found), _json(found)))}:
        found |= new
    asked = [one for one in turns_of(db, found) if one.speaker != COMPANION]
    keys = {one.turn_key for one in asked if one.turn_key}
    # A turn that was put back from an export has no key any more, and still says what it answers.
    answers = db.execute(
        f"SELECT id FROM turns WHERE speaker=? AND (turn_key IN {_IDS} OR reply_to IN {_IDS})",  # noqa: S608
        (COMPANION, _json(keys), _json({one.id for one in asked})),
    )
    return found | {row[0] for row in answers}


def memories_of(db: sqlite3.Connection, ids: Collection[int] | None = None) -> list[Held]:
    """These memories (or all), oldest first."""
    sources: dict[int, set[int]] = {}
    for memory_id, turn_id in db.execute("SELECT memory_id, turn_id FROM memory_sources"):
        sources.setdefault(memory_id, set()).add(turn_id)
    where = "" if ids is None else f"WHERE id IN {_IDS}"
    values = [] if ids is None else [_json(ids)]
    rows = db.execute(f"SELECT * FROM memories {where} ORDER BY id", values)  # noqa: S608
    return [_held(row, frozenset(sources.get(row["id"], ()))) for row in rows]


def memories_holding(db: sqlite3.Connection, words: Words) -> set[int]:
    """Every memory that says it."""
    rows = db.execute("SELECT id, content, subject, predicate, object FROM memories")
    return set(words.holding((row[0], " \n".join(str(one) for one in tuple(row)[1:] if one)) for row in rows))


def task_title(db: sqlite3.Connection, task_id: int) -> str:
    """What a task or reminder is called."""
    return str(db.execute("SELECT title FROM tasks WHERE id=?", (task_id,)).fetchone()[0])


def links(db: sqlite3.Connection) -> list[tuple[int, int, str]]:
    """Every link between memories: from, to, relation."""
    return [(row[0], row[1], row[2]) for row in db.execute("SELECT from_id, to_id, relation FROM memory_links")]


def sayings(db: sqlite3.Connection, words: str) -> list[str]:
    """The texts of turns and memories that say this word or name, as the full-text index finds them."""
    texts = []
    for question in (
        "SELECT text FROM turns WHERE id IN (SELECT rowid FROM turns_fts WHERE turns_fts MATCH ?)",
        "SELECT content FROM memories WHERE id IN (SELECT rowid FROM memories_fts WHERE memories_fts MATCH ?)",
    ):
        texts += [row[0] for row in db.execute(question, (_quoted(words),))]
    return texts


def said_by_others(db: sqlite3.Connection, words: str, besides: Collection[int]) -> bool:
    """Whether anybody but the companion says this word or name in a turn that is not among `besides`."""
    rows = db.execute(
        "SELECT id FROM turns WHERE id IN (SELECT rowid FROM turns_fts WHERE turns_fts MATCH ?) "
        "AND speaker!=? AND kind!='command'",
        (_quoted(words), COMPANION),
    )
    return any(row[0] not in besides for row in rows)


def traces(db: sqlite3.Connection, chosen: Chosen) -> Traces:
    """Everything else that holds it or was made of it."""
    found = Traces()
    gone = turns_of(db, chosen.turns)
    _by_key(db, gone, chosen, found)
    for table, columns in WORDS.items():
        _by_words(db, table, columns, chosen.words, found)
    _of_oneself(db, chosen, found)
    _about_sessions(db, gone, chosen, found)
    _summaries(db, gone, chosen, found)
    _memory_prose(db, chosen, found)
    _concepts(db, chosen, found)
    _promises(db, chosen, found)
    for row in db.execute("SELECT key, value FROM kv"):
        if not row["key"].startswith((*SETTINGS, profiles.KEY)) and _holds(row["value"], chosen.words, chosen.words):
            found.keys.append(row["key"])
    if chosen.everything:
        found.keys = [key for key in kv.keys(db, "") if not key.startswith((*SETTINGS, profiles.KEY))]
        for table in sorted(GO | MADE_OF_TALK):
            found.go(table, (row[0] for row in db.execute(f"SELECT rowid FROM {table}")))  # noqa: S608
    return found


# -- removing --


def remove(db: sqlite3.Connection, chosen: Chosen, found: Traces, now: datetime) -> None:
    """Take it all out of every table, and leave marks. One transaction, the caller's."""
    gone, held = turns_of(db, chosen.turns), memories_of(db, chosen.memories)
    for one in gone:
        if one.text.strip():
            tombstones.bury(db, "turn", tombstones.turn(one.speaker, one.at, one.text), now)
        if one.import_id is not None:
            tombstones.bury(db, "turn", tombstones.imported(one.source, one.import_id), now)
    for memory in held:
        facts = tombstones.fact(memory.subject, memory.predicate, memory.object, memory.content)
        tombstones.bury(db, "memory", facts, now)
    _reopen(db, chosen.memories)
    for table, cells in found.cells.items():
        for row, values in cells.items():
            settings = ", ".join(f"{column}=?" for column in values)
            db.execute(f"UPDATE {table} SET {settings} WHERE rowid=?", (*values.values(), row))  # noqa: S608
    for table, ids in found.rows.items():
        db.execute(f"DELETE FROM {table} WHERE rowid IN {_IDS}", (_json(ids),))  # noqa: S608
    names = refs.names("turn", chosen.turns) + refs.names("memory", chosen.memories)
    db.execute(f"DELETE FROM retrievals WHERE item IN {_IDS}", (_json(names),))  # noqa: S608
    _forget_evidence(db, set(names))
    turns, memories = _json(chosen.turns), _json(chosen.memories)
    for column in ("reply_to", "replaced_by"):
        db.execute(f"UPDATE turns SET {column}=NULL WHERE {column} IN {_IDS}", (turns,))  # noqa: S608
    for table in ("outbox", "style_preferences"):
        db.execute(f"UPDATE {table} SET turn_id=NULL WHERE turn_id IN {_IDS}", (turns,))  # noqa: S608
    db.execute(f"DELETE FROM turns WHERE id IN {_IDS}", (turns,))  # noqa: S608
    db.execute(f"DELETE FROM memories WHERE id IN {_IDS}", (memories,))  # noqa: S608
    if chosen.turns or chosen.memories:
        db.execute("DELETE FROM centroids")  # means of all vectors, these among them; made anew by a consolidation
    for key in {*found.keys, *PASSING, *kv.keys(db, sessions.READ_IN_PARTS), *kv.keys(db, TOLD_BY_RULE)}:
        kv.drop(db, key)
    profiles.forget(db, chosen.memories, chosen.words, now)
    _rename_imports(db, chosen.words, now)
    _rename_imports(db, chosen.words, now)


def drop_questions(db: sqlite3.Connection) -> None:
    """Let the questions go in which it was shown what would be forgotten: they quote it."""
    db.execute("DELETE FROM outbox WHERE json_extract(extra, '$.buttons') LIKE '%forget.yes:%'")


def compact_words(database: Database) -> None:
    """Write the full-text indexes anew, each in a transaction: a deleted word stays in an old segment until then."""
    for table in ("turns_fts", "memories_fts", "sessions_fts"):
        with database.write() as db:
            db.execute(f"INSERT INTO {table}({table}) VALUES ('optimize')")  # noqa: S608


# -- where it stands besides --


def _by_key(db: sqlite3.Connection, gone: Sequence[Said], chosen: Chosen, found: Traces) -> None:
    """What belongs to a forgotten turn by name: its envelope, its journal, what it sent, did and ordered."""
    ids = {one.id for one in gone}
    keys = {one.turn_key for one in gone if one.turn_key}
    left = db.execute(
        f"SELECT DISTINCT turn_key FROM turns WHERE turn_key IN {_IDS} AND speaker!=? AND id NOT IN {_IDS}",  # noqa: S608
        (_json(keys), COMPANION, _json(ids)),
    )
    whole = keys - {row[0] for row in left}
    spoken = {one.turn_key for one in gone if one.turn_key and one.speaker == COMPANION} | whole
    for table, column, names in (
        ("outbox", "turn_key", spoken),
        ("turn_journal", "turn_key", spoken),
        ("gut_log", "turn_key", spoken),
        ("retrievals", "turn_key", spoken),
        ("skill_runs", "turn_key", whole),
        ("tasks", "source_turn_key", whole),
    ):
        rows = db.execute(f"SELECT rowid FROM {table} WHERE {column} IN {_IDS}", (_json(names),))  # noqa: S608
        found.go(table, (row[0] for row in rows))
    rows = db.execute(f"SELECT id FROM outbox WHERE turn_id IN {_IDS}", (_json(ids),))  # noqa: S608
    found.go("outbox", (row[0] for row in rows))
    if gone or chosen.memories:  # an export carries everything, packed so that no search sees it
        rows = db.execute("SELECT id FROM outbox WHERE kind='document' AND json_extract(extra, '$.data') IS NOT NULL")
        found.go("outbox", (row[0] for row in rows))
    for table in ("rejected_extractions", "anticipations"):
        for row in db.execute(f"SELECT id, cited FROM {table}"):  # noqa: S608
            if ids & set(load(row["cited"]) or ()):
                found.go(table, [row["id"]])
    _passages(db, ids, found)
    _weights(db, ids, found)
    _envelopes(db, gone, found)


def _passages(db: sqlite3.Connection, ids: Collection[int], found: Traces) -> None:
    """What the companion wrote for itself about forgotten turns: those passages go, and the entry is filed anew."""
    for row in db.execute("SELECT id, passages FROM inner_monologue"):
        before = load(row["passages"])
        left = [one for one in before if not set(ids) & set(one["cites"])]
        if len(left) != len(before):
            found.cut("inner_monologue", row["id"], "passages", dump(left))
            found.cut("inner_monologue", row["id"], "filed_at", None)


def _weights(db: sqlite3.Connection, ids: Collection[int], found: Traces) -> None:
    """What a conversation weighed goes with all the turns it rests on; with one, only the words on what moved them."""
    for row in db.execute("SELECT id, turn_ids FROM emotional_weights"):
        before = load(row["turn_ids"])
        left = [one for one in before if one not in ids]
        if not left:
            found.go("emotional_weights", [row["id"]])
        elif len(left) != len(before):
            found.cut("emotional_weights", row["id"], "note", "")
            found.cut("emotional_weights", row["id"], "turn_ids", dump(left))


def _of_oneself(db: sqlite3.Connection, chosen: Chosen, found: Traces) -> None:
    """How the companion describes itself, and did: what says it, or rests for the most part on what goes, is cut out of
    every version; a version in force is then filed anew."""
    rows = db.execute("SELECT * FROM personality_drift_log").fetchall()
    going: list[str] = []
    for row in rows:
        for column in ("themes", "reasons"):
            held = load(row[column])
            left = [one for one in map(partial(_resting, chosen), held) if one is not None]
            staying = {one["text"] for one in left}
            going += [one["text"] for one in held if one["kind"] == "sentence" and one["text"] not in staying]
            if left != held:
                found.cut("personality_drift_log", row["id"], column, dump(left))
    in_force = (drift.seen(db) or (0, ""))[0]
    for row in rows:
        after = {
            column: redaction.without(self_description.without(row[column], going), chosen.words)
            for column in ("before", "text")
        }
        if all(after[column] == row[column] for column in after):
            continue
        for column, text in after.items():
            found.cut("personality_drift_log", row["id"], column, text)
        found.cut("personality_drift_log", row["id"], "diff", self_description.diff(after["before"], after["text"]))
        in_files = row["state"] == "proposed" or (row["id"] == in_force and row["state"] in drift.IN_FORCE)
        if in_files and after["text"] != row["text"]:
            found.cut("personality_drift_log", row["id"], "filed_at", None)


def _resting(chosen: Chosen, one: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """A reason of a change as it stays; None when it says what goes, or most of what it rests on goes."""
    left = [turn for turn in one["turns"] if turn not in chosen.turns]
    if chosen.words(one["text"]) or len(left) < len(one["turns"]) * LEAST_RESTING:
        return None
    return {**one, "turns": left}


def _envelopes(db: sqlite3.Connection, gone: Sequence[Said], found: Traces) -> None:
    """The messages as they arrived: the row stays, so that they are not taken in twice, and says nothing any more."""
    messages = {one.external_id for one in gone if one.external_id and one.speaker != COMPANION}
    unnamed = (one.turn_key for one in gone if one.turn_key and one.speaker != COMPANION and not one.external_id)
    keys = {key.row for one in unnamed if (key := refs.Ref.parse(one)) and key.kind == "inbox" and key.row is not None}
    rows = db.execute(
        f"SELECT id, payload FROM inbox WHERE state NOT IN {_ARRIVING} AND (id IN {_IDS} "  # noqa: S608
        f"OR CAST(json_extract(payload, '$.message_id') AS TEXT) IN {_IDS})",
        (_json(keys), _json(messages)),
    )
    for row in rows:
        found.cut("inbox", row["id"], "payload", _envelope_alone(row["payload"]))


def _envelope_alone(payload: str) -> str:
    kept = {key: value for key, value in load(payload).items() if key in ENVELOPE}
    return dump({**kept, "text": ""})


def _by_words(db: sqlite3.Connection, table: str, columns: Sequence[str], words: Words, found: Traces) -> None:
    where = f"WHERE state NOT IN {_ARRIVING}" if table == "inbox" else ""
    for row in db.execute(f"SELECT rowid, {', '.join(columns)} FROM {table} {where}"):  # noqa: S608
        for column in columns:
            text = row[column]
            if not text or not _holds(text, words, words):
                continue
            if table in GO:
                found.go(table, [row[0]])
            else:
                before = found.cells.get(table, {}).get(row[0], {}).get(column, text)
                found.cut(table, row[0], column, _cut(before or "", words))


def _about_sessions(db: sqlite3.Connection, gone: Sequence[Said], chosen: Chosen, found: Traces) -> None:
    """The documents of sessions from which something goes, and what was put aside to be asked about later."""
    by_session: dict[str, list[Said]] = {}
    for one in gone:
        by_session.setdefault(one.session_id, []).append(one)
    for name, forgotten in by_session.items():
        left = [
            one
            for one in (_said(row) for row in db.execute("SELECT * FROM turns WHERE session_id=?", (name,)))
            if one.id not in chosen.turns
        ]
        heard = any(one.speaker != COMPANION for one in left)
        holds = either(chosen.words, tainted(chosen.stems, [one.text for one in forgotten], [one.text for one in left]))
        for row in db.execute(
            "SELECT rowid, summary, detail FROM mind_queue WHERE source=?", (refs.name("sessions", name),)
        ):
            if not heard or holds(f"{row['summary']} {row['detail'] or ''}"):
                found.go("mind_queue", [row[0]])
        document = db.execute("SELECT id, topics, document FROM sessions WHERE session_id=?", (name,)).fetchone()
        if document is None:
            continue
        if not heard:
            found.go("sessions", [document["id"]])
            continue
        topics = [topic for topic in load(document["topics"]) if not holds(topic)]
        said = [one.text for one in left]
        text = _document(document["document"], [one.text for one in forgotten], said, holds, chosen.words)
        _session_says(found, document["id"], dump(topics), text)
    for row_id, cells in list(found.cells.get("sessions", {}).items()):
        if "embedding" not in cells:
            _session_says(found, row_id, cells.get("topics"), cells.get("document"))


def _session_says(found: Traces, row_id: int, topics: str | None, document: str | None) -> None:
    if topics is not None:
        found.cut("sessions", row_id, "topics", topics)
    if document is not None:
        found.cut("sessions", row_id, "document", document)
    _embed_anew(found, "sessions", row_id)


def _document(text: str, forgotten: Sequence[str], left: Sequence[str], holds: Holds, words: Holds) -> str:
    """A session's document without the lines of forgotten turns, and without what is said about them above."""
    for said in sorted(forgotten, key=len, reverse=True):
        if said.strip():
            text = _without_said(text, said)
    kept = {line.strip() for said in left for line in said.split("\n") if line.strip()}
    lines = []
    for line in text.split("\n"):
        quoted = line.partition(": ")[2].strip() in kept or line.strip() in kept
        lines.append(line if quoted and not words(line) else redaction.without(line, holds))
    squeezed = [line for at, line in enumerate(lines) if line.strip() or (at and lines[at - 1].strip())]
    return redaction.without("\n".join(squeezed), words)


def _without_said(text: str, said: str) -> str:
    """A document without one thing said, which begins after a speaker's name and ends with its line."""
    at = 0
    while (at := text.find(f": {said}", at)) >= 0:
        begins, ends = text.rfind("\n", 0, at) + 1, at + 2 + len(said)
        if ": " not in text[begins:at] and (ends == len(text) or text[ends] == "\n"):
            return text[:begins] + text[ends + 1 :]
        at = ends
    return text


def _summaries(db: sqlite3.Connection, gone: Sequence[Said], chosen: Chosen, found: Traces) -> None:
    """Running summaries that were made of forgotten turns."""
    for row in db.execute("SELECT rowid, * FROM conversation_summaries"):
        inside = [one.text for one in gone if row["first_turn"] <= one.id <= row["last_turn"] and one.text.strip()]
        if not inside:
            continue
        rest = db.execute(
            "SELECT id, text FROM turns WHERE channel=? AND chat_id=? AND id BETWEEN ? AND ?",
            (row["channel"], row["chat_id"], row["first_turn"], row["last_turn"]),
        )
        left = [one["text"] for one in rest if one["id"] not in chosen.turns]
        holds = either(chosen.words, tainted(chosen.stems, inside, left))
        if left_of_it := redaction.without(row["text"], holds):
            found.cut("conversation_summaries", row["rowid"], "text", left_of_it)
        else:
            found.go("conversation_summaries", [row["rowid"]])


def _memory_prose(db: sqlite3.Connection, chosen: Chosen, found: Traces) -> None:
    """Memories that stay: what was written around them with a view to what goes is written again."""
    for row_id, content in chosen.rewritten.items():
        found.cut("memories", row_id, "content", content)
        _write_anew(found, row_id, content)
    for row in db.execute(_STAYING, [_json(chosen.turns), _json(chosen.memories), _json(chosen.memories)]):
        around = " \n".join(row[name] or "" for name in ("content_contextualized", "compressed"))
        if row["metadata"] and _holds(row["metadata"], chosen.words, chosen.words):
            found.cut("memories", row["id"], "metadata", _cut(row["metadata"], chosen.words))
        if row["id"] not in chosen.rewritten and (row["touched"] or chosen.words(around)) and around.strip():
            _write_anew(found, row["id"], row["content"])


def _write_anew(found: Traces, row_id: int, content: str) -> None:
    found.cut("memories", row_id, "content_contextualized", None)
    found.cut("memories", row_id, "compressed", compressed(content))
    _embed_anew(found, "memories", row_id)
    found.go("memory_tokens", [row_id])


def _concepts(db: sqlite3.Connection, chosen: Chosen, found: Traces) -> None:
    """Concepts that only forgotten memories were about."""
    rows = db.execute(
        f"SELECT DISTINCT concept_id FROM memory_concepts WHERE memory_id IN {_IDS} AND concept_id NOT IN "  # noqa: S608
        f"(SELECT concept_id FROM memory_concepts WHERE memory_id NOT IN {_IDS})",
        (_json(chosen.memories), _json(chosen.memories)),
    )
    found.go("concepts", (row[0] for row in rows))


def _promises(db: sqlite3.Connection, chosen: Chosen, found: Traces) -> None:
    """Patterns called after a question that goes take the name of another, or of what was promised because of them; one
    that has neither goes. What was judged by forgotten turns counts on, and no longer names them."""
    going, broken = found.rows.get("self_questions", set()), found.rows.get("commitments", set())
    for pattern in db.execute("SELECT id, gist FROM behavioral_patterns"):
        asked = db.execute(
            "SELECT question_id, question FROM pattern_questions JOIN self_questions ON id=question_id "
            "WHERE pattern_id=? ORDER BY id",
            (pattern["id"],),
        ).fetchall()
        left = [row["question"] for row in asked if row["question_id"] not in going]
        if len(left) == len(asked) and not chosen.words(pattern["gist"]):
            continue
        promised = db.execute("SELECT id, text FROM commitments WHERE pattern_id=?", (pattern["id"],)).fetchall()
        left += [row["text"] for row in promised if row["id"] not in broken]
        if not left:
            found.go("behavioral_patterns", [pattern["id"]])
        elif pattern["gist"] not in left:
            found.cut("behavioral_patterns", pattern["id"], "gist", left[0])
    for row in db.execute("SELECT rowid, turn_ids FROM commitment_judgements"):
        cited = load(row["turn_ids"])
        if set(cited) & chosen.turns:
            kept = [one for one in cited if one not in chosen.turns]
            found.cut("commitment_judgements", row["rowid"], "turn_ids", dump(kept))


def _embed_anew(found: Traces, table: str, row_id: int) -> None:
    for column in ("embedding", "embed_model", "content_hash"):
        found.cut(table, row_id, column, None)
    found.cut(table, row_id, "index_state", "pending")


_REPLACED = """
SELECT to_id AS id FROM memory_links WHERE relation='supersedes' AND from_id IN (SELECT value FROM json_each(:gone))
UNION SELECT from_id FROM memory_links WHERE relation='updated_by' AND to_id IN (SELECT value FROM json_each(:gone))
"""
_REPLACED_STILL = """
SELECT 1 FROM memory_links WHERE relation='supersedes' AND to_id=:id
  AND from_id NOT IN (SELECT value FROM json_each(:gone))
UNION SELECT 1 FROM memory_links WHERE relation='updated_by' AND from_id=:id
  AND to_id NOT IN (SELECT value FROM json_each(:gone))
"""


def _reopen(db: sqlite3.Connection, going: Collection[int]) -> None:
    """What a forgotten memory had taken the place of holds again, as if the later word had never been said."""
    gone = _json(going)
    for row in db.execute(_REPLACED, {"gone": gone}).fetchall():
        if db.execute(_REPLACED_STILL, {"gone": gone, "id": row["id"]}).fetchone() is None:
            db.execute(
                "UPDATE memories SET status='active', valid_to=NULL WHERE id=? AND status='superseded'", (row["id"],)
            )


def _rename_imports(db: sqlite3.Connection, words: Words, now: datetime) -> None:
    """An import that is called after it keeps its other turns, under a name that says nothing."""
    for row in db.execute("SELECT DISTINCT source FROM turns WHERE source != 'live'").fetchall():
        before = str(row["source"])
        if not words(before):
            continue
        names = {"before": before, "after": IMPORT + tombstones.sealed(tombstones.key(db, now), (before,))[:12]}
        db.execute(
            "UPDATE sessions SET session_id=replace(session_id, :before, :after) WHERE session_id IN "
            "(SELECT session_id FROM turns WHERE source=:before)",
            names,
        )
        db.execute(
            "UPDATE turns SET source=:after, chat_id=replace(chat_id, :before, :after), "
            "session_id=replace(session_id, :before, :after) WHERE source=:before",
            names,
        )


def _forget_evidence(db: sqlite3.Connection, names: set[str]) -> None:
    """Answers that stay no longer say that they rested on it."""
    for row in db.execute("SELECT rowid, evidence FROM turn_journal WHERE evidence IS NOT NULL").fetchall():
        held = load(row["evidence"]) or []
        left = [name for name in held if name not in names]
        if len(left) != len(held):
            db.execute("UPDATE turn_journal SET evidence=? WHERE rowid=?", (dump(left), row["rowid"]))


# -- judging texts --


def tainted(stems: Stems, forgotten: Iterable[str], left: Iterable[str]) -> Words:
    """Words that stood in what is forgotten and do not stand in what is left of the same conversation."""
    gone = {stem for each in stems.of_all(list(forgotten)) for stem in each if len(stem) >= SHORTEST_TAINT}
    kept = {stem for each in stems.of_all(list(left)) for stem in each}
    return Words(stems, [(stem,) for stem in gone - kept])


def either(*judges: Holds) -> Holds:
    """Whether any of them says so."""
    return lambda text: any(holds(text) for holds in judges)


def _holds(text: str, words: Words, holds: Callable[[str], bool]) -> bool:
    """Whether a cell holds it: plain text, or any text in JSON."""
    if not words.perhaps(text):
        return False
    value = _value(text)
    return holds(text) if value is None else redaction.holds_anywhere(value, holds)


def _cut(text: str, holds: Holds) -> str:
    value = _value(text)
    return redaction.without(text, holds) if value is None else dump(redaction.pruned(value, holds))


def _value(text: str) -> Any:
    """The value behind a cell with a JSON object or list, None for plain text."""
    if text[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None


def _flat(attachments: str | None) -> str:
    """All texts of what came with a message, side by side."""
    return " ".join(_texts(load(attachments))) if attachments else ""


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)


def _said(row: sqlite3.Row) -> Said:
    return Said(
        id=row["id"],
        session_id=row["session_id"],
        speaker=row["speaker"],
        kind=row["kind"],
        text=row["text"],
        at=parse(row["at"]),
        turn_key=row["turn_key"],
        external_id=row["external_id"],
        source=row["source"],
        import_id=row["import_id"],
    )


def _held(row: sqlite3.Row, turns: frozenset[int]) -> Held:
    return Held(
        id=row["id"],
        type=row["type"],
        content=row["content"],
        subject=row["subject"],
        predicate=row["predicate"],
        object=row["object"],
        own=str(row["source_tag"]).startswith("internal_"),
        turns=turns,
    )


def _quoted(words: str) -> str:
    """Words as a full-text query for the phrase; the index stems them itself (a stem is not always its own stem)."""
    return '"' + words.replace('"', " ") + '"'


def _json(ids: Iterable[object]) -> str:
    return json.dumps(list(ids))
