"""Everything can be taken along, and taken in again: the same questions then have the same answers."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.archive.import_export import exporting, settings_and_files
from furoshiki.archive.import_export.importing import import_file
from furoshiki.archive.import_export.store import exports
from furoshiki.core.database.connection import Database
from furoshiki.core.database.retention import KEPT
from furoshiki.core.settings import load
from furoshiki.feelings.store import emotional_weights
from furoshiki.feelings.store.emotional_weights import EmotionalWeight
from furoshiki.memory.store import accesses, links, memories, tombstones
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import sessions, turns
from furoshiki.messages.store.sessions import SessionDocument
from furoshiki.messages.values import COMPANION, USER, NewTurn
from furoshiki.mind.inner_life.store import commitments, drift, monologue, patterns, self_questions
from furoshiki.mind.outreach.store import decisions, kinds
from furoshiki.mind.outreach.store.decisions import NewDecision
from furoshiki.owner.agenda.store import mind_queue, tasks
from furoshiki.owner.user_model.store import anticipations
from furoshiki.recall.retrieval.search import search_one
from tests.support.exports import OWNER, chat, message
from tests.support.recall import NOW, Memory

QUESTIONS = ("where does Anika live", "rye bread", "the boat in Porto", "what about olives")


@pytest.fixture
def other(empty_database: Path, tmp_path: Path) -> Iterator[Memory]:
    """Another companion, who knows nothing yet."""
    path = tmp_path / "other.sqlite"
    path.write_bytes(empty_database.read_bytes())
    made = Memory(Database(path))
    yield made
    made.database.close()


def fill(memory: Memory, folder: Path) -> None:
    """Talk, an edited message, memories that rest on it and on each other, a finished session, an import, a task."""
    export = folder / "result.json"
    export.write_text(json.dumps(chat(message(1, "2024-05-01T10:00:00"), message(2, "2024-05-01T10:01:00", OWNER))))
    import_file(memory.database, export)
    with memory.database.write() as db:
        turns.add(db, NewTurn("old", "console", "me", USER, "a word that is forgotten later", NOW))
        db.execute("DELETE FROM turns WHERE text LIKE 'a word%'")  # so that numbers differ
        said = [
            turns.add(
                db, NewTurn("s1", "telegram", "7", speaker, text, NOW - timedelta(days=9 - n), external_id=str(n))
            )
            for n, (speaker, text) in enumerate(
                [
                    (USER, "My sister Anika lives in Lisbon."),
                    (COMPANION, "Lisbon, how lovely."),
                    (USER, "We sold the boat in Portoo."),
                    (USER, "I bake rye bread on Sundays."),
                ]
            )
        ]
        turns.replace(db, said[2], NewTurn("s1", "telegram", "7", USER, "We sold the boat in Porto.", NOW))
        turns.add(db, NewTurn("s1", "telegram", "7", USER, "/mood", NOW, kind="command", reply_to=said[0]))
        one = memories.add(
            db,
            NewMemory(
                "semantic",
                "Their sister Anika lives in Lisbon.",
                (said[0],),
                subject="Anika",
                predicate="lives_in",
                object="Lisbon",
                valid_from=NOW,
                compressed="sister Anika: Lisbon",
                feelings={"joy": 0.5},
                metadata={"why": "said"},
                confidence=0.9,
            ),
            NOW,
        )
        two = memories.add(db, NewMemory("procedural", "No olives, please.", (said[3],), immutable=True), NOW)
        memories.close(db, memories.add(db, NewMemory("semantic", "They own a boat.", (said[2],)), NOW), NOW)
        db.execute("UPDATE memories SET alpha=6.5, beta=5.5, hit_count=4, utility=0.25 WHERE id=?", (one,))
        links.link(db, one, two, "related_to", 0.5, NOW)
        accesses.record(db, [one, two], NOW)
        accesses.together(db, [one, two], NOW)
        sessions.add(
            db, SessionDocument("s1", NOW - timedelta(days=9), NOW, ("bread",), "About bread and a boat.", 0.5, 0.7), 4
        )


def exported(memory: Memory, path: Path) -> list[dict[str, Any]]:
    exporting.to_file(memory.database, path, "jsonl", NOW, UTC)
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def told(memory: Memory) -> list[list[Any]]:
    """What searches answer, without our numbers."""
    memory.embed()
    return [
        [
            (found["kind"], found["text"], found["at"], found["session"], found["score"])
            for found in search_one(memory.database, memory.encoder, question, 20, NOW)  # type: ignore[arg-type]
        ]
        for question in QUESTIONS
    ]


def content(db: sqlite3.Connection) -> dict[str, list[Any]]:
    """What is remembered, with words in place of numbers."""
    text = "(SELECT content FROM memories WHERE id={})"
    return {
        "turns": db.execute(
            "SELECT session_id, channel, chat_id, speaker, kind, text, at, external_id, "
            "(SELECT text FROM turns r WHERE r.id=t.reply_to), (SELECT text FROM turns r WHERE r.id=t.replaced_by) "
            "FROM turns t ORDER BY at, text"
        ).fetchall(),
        "memories": db.execute(
            "SELECT type, content, compressed, subject, predicate, object, valid_from, valid_to, created_at, status, "
            "alpha, beta, immutable, hit_count, access_count, last_accessed_at, utility, importance, charge, feelings, "
            "metadata, source_tag, source_confidence FROM memories ORDER BY content"
        ).fetchall(),
        "sources": db.execute(
            f"SELECT {text.format('memory_id')} AS m, (SELECT text FROM turns WHERE id=turn_id) AS t "
            "FROM memory_sources ORDER BY m, t"
        ).fetchall(),
        "links": db.execute(
            f"SELECT {text.format('from_id')}, {text.format('to_id')}, relation, confidence FROM memory_links"
        ).fetchall(),
        "pairs": db.execute(f"SELECT {text.format('a_id')}, count, last_at FROM memory_co_access").fetchall(),
        "accesses": db.execute(
            f"SELECT {text.format('memory_id')} AS m, at FROM memory_accesses ORDER BY m"
        ).fetchall(),
        "sessions": db.execute(
            "SELECT session_id, started_at, ended_at, topics, document, warmth, authentic FROM sessions"
        ).fetchall(),
    }


def plain(found: dict[str, list[Any]]) -> dict[str, list[Any]]:
    return {name: [tuple(row) for row in rows] for name, rows in found.items()}


def test_what_was_exported_can_be_taken_in_elsewhere(memory: Memory, other: Memory, tmp_path: Path) -> None:
    fill(memory, tmp_path)
    records = exported(memory, tmp_path / "mine.jsonl")
    done = import_file(other.database, tmp_path / "mine.jsonl")
    assert done.bad == ()
    assert done.restored == {"memories": 3, "links": 1, "pairs": 1, "sessions": 1}
    with memory.database.read() as mine, other.database.read() as theirs:
        ours, restored = plain(content(mine)), plain(content(theirs))
    assert restored == ours
    assert all(ours.values()), "each of them was tried"
    assert told(other) == told(memory)
    assert all(any(found) for found in told(memory))
    assert {"turn", "memory", "link", "co_access", "session"} == {record["record"] for record in records}


def test_taken_in_twice_or_where_it_came_from_it_changes_nothing(memory: Memory, other: Memory, tmp_path: Path) -> None:
    fill(memory, tmp_path)
    exported(memory, tmp_path / "mine.jsonl")
    for there in (other, other, memory):
        with there.database.read() as db:
            before = plain(content(db))
        done = import_file(there.database, tmp_path / "mine.jsonl")
        with there.database.read() as db:
            after = plain(content(db))
        if any(before.values()):
            assert after == before and done.added == 0 and not done.restored
    (tmp_path / "mine.jsonl").rename(tmp_path / "renamed.jsonl")
    assert import_file(other.database, tmp_path / "renamed.jsonl").added == 0


def test_the_original_of_an_import_is_known_after_a_round_trip(memory: Memory, other: Memory, tmp_path: Path) -> None:
    fill(memory, tmp_path)
    exported(memory, tmp_path / "mine.jsonl")
    import_file(other.database, tmp_path / "mine.jsonl")
    assert import_file(other.database, tmp_path / "result.json").added == 0


def test_two_companions_may_use_the_same_numbers(memory: Memory, other: Memory, tmp_path: Path) -> None:
    for there, text in ((memory, "I have a cat"), (other, "I have a dog")):
        there.say(text)
        exported(there, tmp_path / f"{text[-3:]}.jsonl")
    third = Memory(memory.database)
    import_file(third.database, tmp_path / "dog.jsonl")
    with third.database.read() as db:
        assert [row[0] for row in db.execute("SELECT text FROM turns ORDER BY id")] == ["I have a cat", "I have a dog"]


def test_a_record_that_cannot_be_put_back_costs_only_itself(memory: Memory, other: Memory, tmp_path: Path) -> None:
    fill(memory, tmp_path)
    records = exported(memory, tmp_path / "mine.jsonl")
    first = next(record for record in records if record["record"] == "memory")
    broken = [
        {"record": "spell"},
        {**first, "alpha": 0},
        {**first, "type": "gossip", "content": "so they say"},
        {**first, "turn_ids": [], "content": "out of thin air"},
        {"record": "link", "from": 1, "to": 2, "relation": "hates"},
        {"record": "turn", "id": "x", "session": "s", "at": "now", "speaker": "user", "text": "hi"},
        {"record": "memory"},
    ]
    path = tmp_path / "odd.jsonl"
    path.write_text("\n".join(json.dumps(record) for record in [*records, *broken]))
    done = import_file(other.database, path)
    assert done.restored["memories"] == 3
    reasons = [bad.reason for bad in done.bad]
    assert len(reasons) == len(broken)
    for reason, part in zip(
        reasons,
        [
            "unknown kind: 'spell'",
            "alpha must",
            "cannot be kept",
            "none of the words",
            "'hates'",
            "ISO-8601",
            "content",
        ],
        strict=True,
    ):
        assert part in reason


def test_an_old_export_does_not_bring_back_what_was_forgotten(memory: Memory, tmp_path: Path) -> None:
    fill(memory, tmp_path)
    exported(memory, tmp_path / "mine.jsonl")
    with memory.database.write() as db:
        row = db.execute("SELECT * FROM turns WHERE text LIKE 'My sister%'").fetchone()
        tombstones.bury(
            db, "turn", tombstones.turn(row["speaker"], datetime.fromisoformat(row["at"]), row["text"]), NOW
        )
        for table in ("turns", "memories", "sessions"):
            db.execute(f"DELETE FROM {table}")
    done = import_file(memory.database, tmp_path / "mine.jsonl")
    assert done.bad == ()
    assert done.forgotten >= 3, "the turn, the memory that rests on it, the document of their session"
    with memory.database.read() as db:
        everything = "\n".join(json.dumps(record) for record in exports.read_records(db))
    assert "Lisbon." not in everything and "Porto" in everything


def test_the_text_for_people_names_days_sources_and_ends(memory: Memory, tmp_path: Path) -> None:
    fill(memory, tmp_path)
    path = tmp_path / "mine.md"
    exporting.to_file(memory.database, path, "markdown", NOW, UTC)
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# What is remembered\n\nWritten on 14 March 2026.\n")
    assert "## Facts\n\n- Your sister Anika lives in Lisbon. (since 14 March 2026; memory:1, from turn:" in text
    assert "- You own a boat. (" in text and "superseded" in text and "pinned" in text
    assert "## 1 May 2024, telegram/Anika" in text
    assert "**you**: We sold the boat in Porto. (turn:" in text and "Portoo" not in text and "/mood" not in text


def test_an_export_is_for_its_owner_alone_and_whole_or_not_there(memory: Memory, tmp_path: Path) -> None:
    fill(memory, tmp_path)
    path = tmp_path / "deep" / "mine.jsonl"
    exported(memory, path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["mine.jsonl"]


def test_what_the_companion_wrote_for_itself_is_exported_and_not_put_into_another(
    memory: Memory, other: Memory, tmp_path: Path
) -> None:
    with memory.database.write() as db:
        turn = turns.add(db, NewTurn("s1", "console", "me", USER, "The exam is on Monday.", NOW))
        passage = monologue.Passage("They have an exam.", (turn,))
        entry = monologue.add(db, "journal", "2026-03-24", [passage], "local", turn, NOW)
        assert entry is not None
        anticipations.add(db, entry, "A word.", "The exam.", [turn], NOW, NOW, NOW)
        self_questions.add(db, "Was I too long?", "sessions:s1", NOW)
        patterns.place(db, 1, patterns.begin(db, "Was I too long?", NOW))
        commitments.add(db, 1, "Keep replies short", "Honoured when they are.", NOW)
        commitments.record(db, 1, "s1", "broken", (turn,), NOW)
        weight = EmotionalWeight("s1", NOW, {"worry": 0.5}, -0.6, 0.5, 0.5, 0.4, "The exam is on Monday.", (turn,))
        emotional_weights.add(db, weight)
        why = drift.Ground("I ask less.", (f"entry:{entry}",), (turn,), "shift")
        change = drift.NewDrift("I ask.", "I ask less.", "", 0.8, 1 / 3, (), (why,), "local", entry)
        drift.add(db, change, NOW)
    found = {record["record"]: record for record in exported(memory, tmp_path / "mine.jsonl")}
    assert found["journal"]["passages"] == [{"text": "They have an exam.", "cites": [turn]}]
    assert found["anticipation"]["turn_ids"] == [turn]
    assert found["emotional_weight"]["feelings"] == {"worry": 0.5}
    assert found["emotional_weight"]["note"] == "The exam is on Monday."
    became = found["self_change"]
    assert (became["before"], became["text"], became["state"]) == ("I ask.", "I ask less.", "applied")
    assert became["reasons"] == [{"kind": "shift", "text": "I ask less.", "cites": [f"entry:{entry}"], "turns": [turn]}]
    promised = found["commitment"]
    assert (promised["text"], promised["questions"]) == ("Keep replies short", ["Was I too long?"])
    assert [(one["verdict"], one["turn_ids"]) for one in promised["judgements"]] == [("broken", [turn])]
    done = import_file(other.database, tmp_path / "mine.jsonl")
    assert not done.bad
    with other.database.read() as db:
        assert commitments.every(db) == []
        assert monologue.newest(db, 5) == [] and anticipations.open_(db, NOW - timedelta(days=1)) == []


def test_what_is_to_be_done_and_what_was_said_unasked_go_along(memory: Memory, other: Memory, tmp_path: Path) -> None:
    with memory.database.write() as db:
        tasks.add(db, "user_work", "write the report", NOW, due_at=NOW, priority=2, notes="two pages")
        tasks.set_state(db, tasks.add(db, "shopping", "milk", NOW), "done", NOW)
        item = mind_queue.add(db, "question", "How was the exam?", "q:1", NOW)
        said = turns.add(db, NewTurn("s1", "console", "me", COMPANION, "So, the exam?", NOW, kind="outreach"))
        seen = ({"gate": "cap", "passed": True, "value": 0, "limit": 4},)
        sent = NewDecision("question", 3, "sent", "every gate was open", item_id=item, gates=seen, turn_id=said)
        decisions.judge(db, decisions.record(db, sent, NOW), "answered", NOW)
        kinds.learn(db, "question", "answered", 1.05, NOW)
    found = {record["record"]: record for record in exported(memory, tmp_path / "mine.jsonl")}
    decision = found["outreach"]
    assert (decision["about"], decision["verdict"], decision["turn"]) == ("How was the exam?", "sent", said)
    assert decision["gates"] == list(seen) and decision["outcome"] == "answered"
    assert (found["outreach_kind"]["kind"], found["outreach_kind"]["weight"]) == ("question", 1.05)
    path = tmp_path / "mine.md"
    exporting.to_file(memory.database, path, "markdown", NOW, UTC)
    text = path.read_text(encoding="utf-8")
    assert "# What is to be done\n\n## user work\n\n- write the report: two pages, 14 March 2026 09:26\n" in text
    assert "milk" not in text
    assert "- 14 March 2026 09:26, a question (“How was the exam?”): So, the exam? You answered.\n" in text
    done = import_file(other.database, tmp_path / "mine.jsonl")
    assert not done.bad
    with other.database.read() as db:
        assert tasks.list_every_open(db, 5) == [] and decisions.newest(db, 5) == []


def test_every_table_is_exported_or_says_why_not() -> None:
    """A new table has to decide."""
    exported = set(re.findall(r"(?:FROM|JOIN) ([a-z_]+)", " ".join(exports._QUERIES.values())))
    assert not exported & exports.NOT_EXPORTED.keys()
    assert exported | exports.NOT_EXPORTED.keys() == KEPT.keys()
    assert all(exports.NOT_EXPORTED.values())


def test_settings_and_files_go_along_without_secrets(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    for name, text in (
        ("config/SELF.md", "# Who I am\nI am Furo."),
        ("config/.hidden.md", "x"),
        ("memory/user_profile_mini.txt", "Noor."),
    ):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    (home / "config" / "link.md").symlink_to("/etc/passwd")
    monkeypatch.setenv("FUROSHIKI_DATA", str(home))
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", "1:secret")
    monkeypatch.setenv("FUROSHIKI_BUBBLES", "true")
    held = load()
    beside = list(settings_and_files.records(held, own=True))
    assert "1:secret" not in json.dumps(beside)
    files = {one["path"]: one["text"] for one in beside if one["record"] == "file"}
    assert files == {"config/SELF.md": "# Who I am\nI am Furo.", "memory/user_profile_mini.txt": "Noor."}
    values = {one["name"]: one["value"] for one in beside if one["record"] == "setting"}
    assert values["FUROSHIKI_BUBBLES"] == "True" and set(values["TELEGRAM_BOT_TOKEN"]) == {"•"}
    assert {one["record"] for one in settings_and_files.records(held, own=False)} == {"file"}
    path = tmp_path / "all.jsonl"
    count = exporting.to_file(memory.database, path, "jsonl", NOW, UTC, beside)
    assert count == len(beside) and len(path.read_text().splitlines()) == count
    done = import_file(memory.database, path)
    assert done.bad_count == 0
    exporting.to_file(memory.database, tmp_path / "all.md", "markdown", NOW, UTC, beside)
    shown = (tmp_path / "all.md").read_text()
    assert "## config/SELF.md\n\n> # Who I am\n> I am Furo." in shown


def test_what_only_the_machine_wrote_down_of_its_owner_goes_along(
    memory: Memory, other: Memory, tmp_path: Path
) -> None:
    with memory.database.write() as db:
        mind_queue.add(db, "question", "how was the interview?", "q", NOW)
        db.execute(
            "INSERT INTO repair_jobs (signature, source, kind, message, evidence, times, first_at, last_at, "
            "created_at, changed_at) VALUES ('ab', 'script', 'KeyError', 'it broke', '[]', 3, ?, ?, ?, ?)",
            ("2026-01-01T00:00:00.000000+00:00",) * 4,
        )
    path = tmp_path / "all.jsonl"
    exporting.to_file(memory.database, path, "jsonl", NOW, UTC)
    records = [json.loads(line) for line in path.read_text().splitlines()]
    assert [one["summary"] for one in records if one["record"] == "thought"] == ["how was the interview?"]
    assert [one["message"] for one in records if one["record"] == "repair"] == ["it broke"]
    done = import_file(other.database, path)
    assert done.bad_count == 0
