"""The part of forgetting that concerns messages: find, rewrite and delete rows.

`furoshiki/archive/forgetting` decides what to forget; this module knows the tables.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from furoshiki.core import numbers, refs
from furoshiki.core.database.erasure import Erasure, quote
from furoshiki.core.database.rows import IDS, as_json, dump, find_value, find_values, from_row, load
from furoshiki.core.database.stems import Stems, Words, find_tainted
from furoshiki.language import redaction
from furoshiki.language.redaction import Holds, either
from furoshiki.messages import events
from furoshiki.messages.values import COMPANION

# the most word prefixes passed to SQLite at once; with more, texts are compared in Python
MOST_HINTS = 20

# texts with non-ASCII letters, whose accents SQLite's lower() does not handle
_BEYOND_ASCII = "length(text) != length(CAST(text AS BLOB))"

# states of inbox rows that were not processed yet: they are left unchanged
ARRIVING = "('pending', 'processing')"


@dataclass(frozen=True)
class Said:
    """The data of one turn that forgetting needs."""

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


def turns_of(db: sqlite3.Connection, ids: Collection[int]) -> list[Said]:
    """Return these turns, oldest first."""
    rows = db.execute(f"SELECT * FROM turns WHERE id IN {IDS} ORDER BY id", (as_json(ids),))  # noqa: S608
    return list(map(_build_said, rows))


def find_turns(db: sqlite3.Connection, words: Words, after: int = 0) -> set[int]:
    """Return every turn after `after` whose text, attachments or speaker's name contain the words.

    Reads all of them: SQLite skips plain ASCII without the words, which is most of it (1 s per
    million).
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
    """Return every turn, except the companion's, with all of these words; empty for none."""
    if not words:
        return set()
    query = (
        "SELECT id FROM turns WHERE id IN (SELECT rowid FROM turns_fts WHERE turns_fts MATCH ?) "
        "AND speaker!=? AND kind!='command'"
    )
    return set(find_values(db, query, " AND ".join(map(quote, words)), COMPANION))


def last_turn(db: sqlite3.Connection) -> int:
    """Return the newest turn's id, 0 before the first."""
    return int(find_value(db, "SELECT coalesce(max(id), 0) FROM turns"))


def turns_between(db: sqlite3.Connection, first: str, until: str) -> set[int]:
    """Return every turn from one time stamp up to another (exclusive)."""
    return set(find_values(db, "SELECT id FROM turns WHERE at>=? AND at<?", first, until))


def turns_of_session(db: sqlite3.Connection, name: str) -> set[int]:
    """Return every turn of a session, by its name or by the id of its document."""
    question = "SELECT id FROM turns WHERE session_id=? OR session_id IN (SELECT session_id FROM sessions WHERE id=?)"
    return set(find_values(db, question, name, numbers.row(name)))


def turns_besides(db: sqlite3.Connection, ids: Collection[int]) -> set[int]:
    """Return the turns to delete with these: their older versions, and the answers to them."""
    turn_ids = set(ids)
    older = f"SELECT id FROM turns WHERE replaced_by IN {IDS} AND id NOT IN {IDS}"  # noqa: S608
    while new := set(find_values(db, older, as_json(turn_ids), as_json(turn_ids))):
        turn_ids |= new
    questions = [one for one in turns_of(db, turn_ids) if one.speaker != COMPANION]
    keys = {one.turn_key for one in questions if one.turn_key}
    # A turn restored from an export has no key, but still says which turn it answers.
    query = f"SELECT id FROM turns WHERE speaker=? AND (turn_key IN {IDS} OR reply_to IN {IDS})"  # noqa: S608
    return turn_ids | set(find_values(db, query, COMPANION, as_json(keys), as_json({one.id for one in questions})))


def find_texts(db: sqlite3.Connection, words: str) -> list[str]:
    """Return the texts of turns with this word or name, by the full-text index."""
    question = "SELECT text FROM turns WHERE id IN (SELECT rowid FROM turns_fts WHERE turns_fts MATCH ?)"
    return find_values(db, question, quote(words))


def has_other_speaker(db: sqlite3.Connection, words: str, besides: Collection[int]) -> bool:
    """Whether a turn outside `besides`, and not the companion's, contains this word or name."""
    rows = db.execute(
        "SELECT id FROM turns WHERE id IN (SELECT rowid FROM turns_fts WHERE turns_fts MATCH ?) "
        "AND speaker!=? AND kind!='command'",
        (quote(words), COMPANION),
    )
    return any(row[0] not in besides for row in rows)


@dataclass(frozen=True)
class TurnKeys:
    """Keys of forgotten turns: `whole` are those with no message of a person left, `spoken` also
    those whose answers are deleted."""

    whole: frozenset[str]
    spoken: frozenset[str]


def keys_of(db: sqlite3.Connection, going: Sequence[Said]) -> TurnKeys:
    keys = {one.turn_key for one in going if one.turn_key}
    query = f"SELECT DISTINCT turn_key FROM turns WHERE turn_key IN {IDS} AND speaker!=? AND id NOT IN {IDS}"  # noqa: S608
    whole = keys - set(find_values(db, query, as_json(keys), COMPANION, as_json(one.id for one in going)))
    spoken = {one.turn_key for one in going if one.turn_key and one.speaker == COMPANION} | whole
    return TurnKeys(frozenset(whole), frozenset(spoken))


def collect_traces(
    db: sqlite3.Connection, gone: Sequence[Said], keys: TurnKeys, packed: bool, erasure: Erasure
) -> None:
    """Collect what belongs to forgotten turns: envelopes, journals, outbox rows and skill runs.
    With `packed` also pending exports, which contain everything unsearchably, and voice without
    text."""
    for table, names in (("outbox", keys.spoken), ("turn_journal", keys.spoken), ("skill_runs", keys.whole)):
        erasure.go_by(db, table, "turn_key", names)
    erasure.go_by(db, "outbox", "turn_id", (one.id for one in gone))
    if packed:
        query = (
            "SELECT id FROM outbox WHERE (kind='document' OR (kind='voice' AND text='')) "
            "AND json_extract(extra, '$.data') IS NOT NULL"
        )
        erasure.go("outbox", find_values(db, query))
    _envelopes(db, gone, erasure)


def sessions(
    db: sqlite3.Connection,
    gone: Sequence[Said],
    words: Words,
    stems: Stems,
    of_session: Callable[[str, Holds | None], None],
    erasure: Erasure,
) -> None:
    """Collect changes to the documents of affected sessions. `of_session` is called for each, with
    a test for text about the forgotten turns; None if no message of a person is left."""
    by_session: dict[str, list[Said]] = {}
    for going_turn in gone:
        by_session.setdefault(going_turn.session_id, []).append(going_turn)
    going = {one.id for one in gone}
    for name, forgotten in by_session.items():
        rows = db.execute("SELECT * FROM turns WHERE session_id=?", (name,))
        left = [one for one in map(_build_said, rows) if one.id not in going]
        heard = any(one.speaker != COMPANION for one in left)
        holds = either(words, find_tainted(stems, [one.text for one in forgotten], [one.text for one in left]))
        of_session(name, holds if heard else None)
        document = db.execute("SELECT id, topics, document FROM sessions WHERE session_id=?", (name,)).fetchone()
        if document is None:
            continue
        if not heard:
            erasure.go("sessions", [document["id"]])
            continue
        topics = [topic for topic in load(document["topics"]) if not holds(topic)]
        texts = [one.text for one in left]
        text = _document(document["document"], [one.text for one in forgotten], texts, holds, words)
        _session_says(erasure, document["id"], dump(topics), text)
    for row_id, cells in list(erasure.cells.get("sessions", {}).items()):
        if "embedding" not in cells:
            _session_says(erasure, row_id, cells.get("topics"), cells.get("document"))


def summaries(db: sqlite3.Connection, gone: Sequence[Said], words: Words, stems: Stems, erasure: Erasure) -> None:
    """Collect running summaries that cover forgotten turns."""
    going = {one.id for one in gone}
    for row in db.execute("SELECT rowid, * FROM conversation_summaries"):
        inside = [one.text for one in gone if row["first_turn"] <= one.id <= row["last_turn"] and one.text.strip()]
        if not inside:
            continue
        rest = db.execute(
            "SELECT id, text FROM turns WHERE channel=? AND chat_id=? AND id BETWEEN ? AND ?",
            (row["channel"], row["chat_id"], row["first_turn"], row["last_turn"]),
        )
        left = [one["text"] for one in rest if one["id"] not in going]
        holds = either(words, find_tainted(stems, inside, left))
        if left_of_it := redaction.without(row["text"], holds):
            erasure.cut("conversation_summaries", row["rowid"], "text", left_of_it)
        else:
            erasure.go("conversation_summaries", [row["rowid"]])


def remove(db: sqlite3.Connection, turns: Collection[int], cited: Collection[str]) -> None:
    """Delete these turns and references to them, and citations of any of `cited`."""
    going = as_json(turns)
    for row in db.execute("SELECT rowid, evidence FROM turn_journal WHERE evidence IS NOT NULL").fetchall():
        evidence = load(row["evidence"]) or []
        left = [name for name in evidence if name not in cited]
        if len(left) != len(evidence):
            db.execute("UPDATE turn_journal SET evidence=? WHERE rowid=?", (dump(left), row["rowid"]))
    for column in ("reply_to", "replaced_by"):
        db.execute(f"UPDATE turns SET {column}=NULL WHERE {column} IN {IDS}", (going,))  # noqa: S608
    db.execute(f"UPDATE outbox SET turn_id=NULL WHERE turn_id IN {IDS}", (going,))  # noqa: S608
    db.execute(f"DELETE FROM turns WHERE id IN {IDS}", (going,))  # noqa: S608


def rename_imports(db: sqlite3.Connection, words: Words, named: Callable[[str], str]) -> None:
    """Rename imports whose name contains the words, by `named`; other turns stay."""
    for row in db.execute("SELECT DISTINCT source FROM turns WHERE source != 'live'").fetchall():
        before = str(row["source"])
        if not words(before):
            continue
        names = {"before": before, "after": named(before)}
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


def drop_questions(db: sqlite3.Connection) -> None:
    """Delete the questions that showed what would be forgotten, as they quote it."""
    db.execute("DELETE FROM outbox WHERE json_extract(extra, '$.buttons') LIKE '%forget.yes:%'")


def _envelopes(db: sqlite3.Connection, going: Sequence[Said], erasure: Erasure) -> None:
    """Clear stored messages; their rows stay, so that they are not processed twice."""
    messages = {one.external_id for one in going if one.external_id and one.speaker != COMPANION}
    unnamed = (one.turn_key for one in going if one.turn_key and one.speaker != COMPANION and not one.external_id)
    keys = {key.row for one in unnamed if (key := refs.Ref.parse(one)) and key.kind == "inbox" and key.row is not None}
    rows = db.execute(
        f"SELECT id, kind, payload FROM inbox WHERE state NOT IN {ARRIVING} AND (id IN {IDS} "  # noqa: S608
        f"OR CAST(json_extract(payload, '$.message_id') AS TEXT) IN {IDS})",
        (as_json(keys), as_json(messages)),
    )
    for row in rows:
        bare = events.without_words(events.read(row["kind"], load(row["payload"])))
        erasure.cut("inbox", row["id"], "payload", dump(events.dump(bare)))


def _session_says(erasure: Erasure, row_id: int, topics: str | None, document: str | None) -> None:
    if topics is not None:
        erasure.cut("sessions", row_id, "topics", topics)
    if document is not None:
        erasure.cut("sessions", row_id, "document", document)
    erasure.mark_for_embedding("sessions", row_id)


def _document(text: str, forgotten: Sequence[str], left: Sequence[str], holds: Holds, words: Holds) -> str:
    """Return a session's document without forgotten turns and statements about them."""
    for said in sorted(forgotten, key=len, reverse=True):
        if said.strip():
            text = _without_said(text, said)
    lines_left = {line.strip() for said in left for line in said.split("\n") if line.strip()}
    lines = []
    for line in text.split("\n"):
        quoted = line.partition(": ")[2].strip() in lines_left or line.strip() in lines_left
        lines.append(line if quoted and not words(line) else redaction.without(line, holds))
    squeezed = [line for at, line in enumerate(lines) if line.strip() or (at and lines[at - 1].strip())]
    return redaction.without("\n".join(squeezed), words)


def _without_said(text: str, words: str) -> str:
    """Remove one turn from a document: from its speaker's name to the end of its line."""
    at = 0
    while (at := text.find(f": {words}", at)) >= 0:
        begins, ends = text.rfind("\n", 0, at) + 1, at + 2 + len(words)
        if ": " not in text[begins:at] and (ends == len(text) or text[ends] == "\n"):
            return text[:begins] + text[ends + 1 :]
        at = ends
    return text


def _flat(attachments: str | None) -> str:
    """Return all texts in a message's attachments, joined."""
    return " ".join(_texts(load(attachments))) if attachments else ""


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


_build_said = partial(from_row, Said)
