"""Deletion in the tables: all columns with words, and the rooms that handle the rest.

`tables.tsv` lists every column with words; a test checks that none of the schema is missing. A
matching row of a table in `GO` is deleted; in others the words are removed and the row stays. Each
room finds its other rows that depend on forgotten turns and memories (`store/forgetting.py`). The
choice of what to forget is made elsewhere.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from furoshiki.core import refs
from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database
from furoshiki.core.database.erasure import Erasure
from furoshiki.core.database.retention import KEPT
from furoshiki.core.database.rows import IDS, as_json, find_values
from furoshiki.core.database.stems import Stems, Words
from furoshiki.feelings.store import forgetting as in_feelings
from furoshiki.language.redaction import Holds, cell_holds, cut_cell
from furoshiki.memory.store import forgetting as in_memory
from furoshiki.memory.store import tombstones
from furoshiki.messages.store import forgetting as in_messages
from furoshiki.messages.store import sessions
from furoshiki.messages.store.forgetting import ARRIVING, Said
from furoshiki.mind.inner_life.store import forgetting as in_inner_life
from furoshiki.owner.agenda.store import forgetting as in_agenda
from furoshiki.owner.routing.store import forgetting as in_routing
from furoshiki.owner.user_model.store import danger, profiles
from furoshiki.recall.retrieval.store.full_text import IMPORT

# Columns that may contain people's words. `turns`, `memories` and `kv` are handled separately.
WORDS = {table: of.words for table, of in KEPT.items() if of.words}

GO = frozenset(table for table, of in KEPT.items() if of.forgotten == "goes")
# tables deleted in addition to `GO` when everything is forgotten
MADE_OF_TALK = frozenset(table for table, of in KEPT.items() if of.forgotten == "all")

# tables and columns of rows that depend on a turn's key
_BY_KEY = (
    ("tasks", "source_turn_key"),
    ("pictures", "turn_key"),
    ("persistent_tasks", "source_turn_key"),
    ("routing_decisions", "turn_key"),
    ("second_thoughts", "turn_key"),
    ("act_iterations", "loop_key"),
    ("attention_cycles", "cycle_key"),
)

# prefixes of `kv` keys whose values hold no words of conversations
SETTINGS = (
    *("user.", "telegram.", "memoryd.", "vectors.", "tombstones.", "forgetting.plan", "pairing", "quiet"),
    *("danger", "brain.", "sessions.written_to", "continuity", "manifest", "readiness", "speech.", "chat."),
    *("tool_servers.", "routing.", "wandering."),
)

# `kv` keys derived from the latest messages: the profile in the running session, and attention. The
# next message writes them again.
PASSING = ("session.block", "focus")

# prefix of `kv` keys with a model's summary before rules extended it; the rules' version stays
TOLD_BY_RULE = "window.owed."


@dataclass(frozen=True)
class Chosen:
    """The choice of what to forget: ids of turns and memories, and the words to search elsewhere.

    `rewritten` are memories with other evidence, with their new texts. `everything`: delete all
    that was derived from conversations.
    """

    turns: frozenset[int]
    memories: frozenset[int]
    words: Words
    stems: Stems
    rewritten: Mapping[int, str] = field(default_factory=dict)
    everything: bool = False


def traces(db: sqlite3.Connection, chosen: Chosen) -> Erasure:
    """Return all other rows and cells that match or were derived from matches."""
    found = Erasure()
    gone = in_messages.turns_of(db, chosen.turns)
    _of_turns(db, gone, chosen, found)
    for table, columns in WORDS.items():
        _by_words(db, table, columns, chosen.words, found)
    in_inner_life.of_oneself(db, chosen.turns, chosen.words, found)

    def of_session(name: str, holds: Holds | None) -> None:
        in_agenda.of_session(db, name, holds, found)

    in_messages.sessions(db, gone, chosen.words, chosen.stems, of_session, found)
    in_messages.summaries(db, gone, chosen.words, chosen.stems, found)
    in_memory.around(db, chosen.turns, chosen.memories, chosen.rewritten, chosen.words, found)
    named = {*refs.names("turn", chosen.turns), *refs.names("memory", {*chosen.memories, *chosen.rewritten})}
    in_agenda.of_thoughts(db, *in_inner_life.forget_thoughts(db, named, found), found)
    in_inner_life.promises(db, chosen.turns, chosen.words, found)
    for row in db.execute("SELECT key, value FROM kv"):
        private = not row["key"].startswith((*SETTINGS, profiles.KEY))
        if private and (chosen.everything or _holds(row["value"], chosen.words)):
            found.keys.append(row["key"])
    if chosen.everything:
        for table in sorted(GO | MADE_OF_TALK):
            found.go(table, find_values(db, f"SELECT rowid FROM {table}"))  # noqa: S608
    return found


def remove(db: sqlite3.Connection, chosen: Chosen, erasure: Erasure, now: datetime) -> None:
    """Delete everything from the tables and add tombstones, in the caller's transaction."""
    gone, memories = in_messages.turns_of(db, chosen.turns), in_memory.memories_of(db, chosen.memories)
    in_memory.leave_marks(db, gone, memories, now)
    in_memory.reopen(db, chosen.memories)
    erasure.carry_out(db)
    names = {*refs.names("turn", chosen.turns), *refs.names("memory", chosen.memories)}
    query = f"UPDATE style_preferences SET turn_id=NULL WHERE turn_id IN {IDS}"  # noqa: S608 - the wishes stay
    db.execute(query, (as_json(chosen.turns),))
    in_messages.remove(db, chosen.turns, names)
    in_memory.remove(db, chosen.memories, names)
    derived = (sessions.READ_IN_PARTS, TOLD_BY_RULE, in_routing.AVERAGES)
    for key in {*erasure.keys, *PASSING, *(key for prefix in derived for key in kv.keys(db, prefix))}:
        kv.drop(db, key)
    profiles.forget(db, chosen.memories, chosen.words, now)
    sealing = tombstones.key(db, now)
    in_messages.rename_imports(db, chosen.words, lambda before: IMPORT + tombstones.seal(sealing, (before,))[:12])


def compact_words(database: Database) -> None:
    """Rebuild the full-text indexes, which keep deleted words, one transaction each."""
    for table in ("turns_fts", "memories_fts", "sessions_fts"):
        with database.write() as db:
            db.execute(f"INSERT INTO {table}({table}) VALUES ('optimize')")  # noqa: S608


def _of_turns(db: sqlite3.Connection, gone: Sequence[Said], chosen: Chosen, erasure: Erasure) -> None:
    """Collect rows that belong to or cite forgotten turns."""
    turns = {one.id for one in gone}
    keys = in_messages.keys_of(db, gone)
    in_messages.collect_traces(db, gone, keys, bool(gone or chosen.memories), erasure)
    for table, column in _BY_KEY:
        erasure.go_by(db, table, column, keys.whole)
    in_memory.collect_traces(db, turns, keys, erasure)
    erasure.go_citing(db, "anticipations", "cited", turns)
    erasure.keys += danger.list_keys_from(db, keys.spoken)
    in_inner_life.passages(db, turns, erasure)
    in_feelings.weights(db, turns, erasure)
    in_routing.subjects(db, turns, erasure)


def _by_words(db: sqlite3.Connection, table: str, columns: Sequence[str], words: Words, erasure: Erasure) -> None:
    where = f"WHERE state NOT IN {ARRIVING}" if table == "inbox" else ""
    for row in db.execute(f"SELECT rowid, {', '.join(columns)} FROM {table} {where}"):  # noqa: S608
        for column in columns:
            text = row[column]
            if not text or not _holds(text, words):
                continue
            if table in GO:
                erasure.go(table, [row[0]])
            else:
                before = erasure.cells.get(table, {}).get(row[0], {}).get(column, text)
                erasure.cut(table, row[0], column, cut_cell(before or "", words))


def _holds(text: str, words: Words) -> bool:
    """Return whether a cell matches; fast for most cells."""
    return words.perhaps(text) and cell_holds(text, words)
