"""A plugin's query sees what is listed and nothing else, whatever it is dressed as, and ends in time."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.core.paths import ROOT
from furoshiki.extensions.plugins.store import reading
from furoshiki.extensions.plugins.store.reading import FUNCTIONS, READABLE, Unreadable, rows

SECRET = "sk-ant-secret"


@pytest.fixture(scope="module")
def filled(empty_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reading") / "longmemory.sqlite"
    path.write_bytes(empty_database.read_bytes())
    database = Database(path, synchronous="OFF")
    with database.write() as db:
        db.execute("INSERT INTO kv (key, value, changed_at) VALUES ('pairing.code', ?, '')", (SECRET,))
        db.executemany(
            "INSERT INTO turns (session_id, channel, chat_id, speaker, kind, text, at, source) "
            "VALUES ('s', 'telegram', ?, 'user', 'text', ?, '2026-03-24', 'live')",
            [(SECRET, f"word {number} " * 20) for number in range(800)],
        )
    database.checkpoint()
    database.close()
    return path


def test_a_question_is_answered(filled: Path) -> None:
    sql = "WITH said AS (SELECT id, text AS t FROM turns WHERE id<=?) SELECT id, upper(substr(t, 1, 6)) AS up FROM said"
    assert rows(filled, sql, [2]) == {"columns": ["id", "up"], "rows": [[1, "WORD 0"], [2, "WORD 1"]], "more": False}
    assert rows(filled, "SELECT count(*), max(rowid) FROM turns WHERE text LIKE '%word 7 %'", [])["rows"] == [[1, 8]]
    assert rows(filled, "SELECT value->>'a' FROM json_each(?)", ['[{"a": "x"}]'])["rows"] == [["x"]]
    assert rows(filled, "SELECT 9e999, ?, ?", [True, None])["rows"] == [[None, 1, None]]


def test_an_answer_has_its_size(filled: Path) -> None:
    found = rows(filled, "SELECT id FROM turns", [])
    assert (len(found["rows"]), found["more"]) == (reading.MOST_ROWS, True)
    large = "(SELECT group_concat(text) AS x FROM turns)"
    found = rows(filled, f"SELECT id, x FROM turns, {large}", [])
    assert 1 <= len(found["rows"]) < 12 and found["more"]


HIDDEN = [
    "SELECT value FROM kv",
    "SELECT 1 FROM kv",
    "SELECT count(*) FROM kv",
    "SELECT id, text FROM turns UNION SELECT key, value FROM kv",
    "SELECT (SELECT value FROM kv LIMIT 1) FROM turns",
    "SELECT text FROM turns WHERE EXISTS (SELECT 1 FROM kv WHERE value LIKE 's%')",
    "SELECT text FROM turns ORDER BY (SELECT value FROM kv)",
    "SELECT text IN kv FROM turns",
    "SELECT * FROM turns NATURAL JOIN kv",
    "WITH turns AS (SELECT value FROM kv) SELECT * FROM turns",
    "SELECT * FROM (SELECT * FROM (SELECT value FROM main.kv))",
    "EXPLAIN SELECT value FROM kv",
    "SELECT sum(length(value)) OVER () FROM kv",
    "SELECT chat_id FROM turns",
    "SELECT * FROM turns",
    "SELECT text FROM turns WHERE chat_id LIKE 's%'",
    "SELECT text FROM turns GROUP BY chat_id",
    "SELECT embedding FROM memories",
    "SELECT digest FROM tombstones",
    *(f"SELECT * FROM {name}" for name in ("accounts", "strangers", "inbox", "outbox", "llm_calls", "plugins")),
    *(f"SELECT * FROM {name}" for name in ("sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_sequence")),
    *(f"SELECT * FROM {name}" for name in ("turns_fts", "turns_fts_data", "turns_fts_content", "memories_fts_config")),
    "SELECT rowid FROM turns_fts WHERE turns_fts MATCH 'word'",
    "SELECT * FROM pragma_table_info('kv')",
    "SELECT * FROM pragma_database_list",
    "SELECT * FROM dbstat",
    "SELECT * FROM fts5vocab",
]


@pytest.mark.parametrize("sql", HIDDEN)
def test_what_is_not_listed_is_not_seen(filled: Path, sql: str) -> None:
    with pytest.raises(Unreadable) as refused:
        rows(filled, sql, [])
    assert SECRET not in str(refused.value)


FORBIDDEN = [
    "INSERT INTO tasks (list_id, title) VALUES ('x', 'y')",
    "UPDATE turns SET text=''",
    "DELETE FROM turns",
    "DELETE FROM turns RETURNING text",
    "REPLACE INTO concepts (name) VALUES ('x')",
    "SELECT 1; DELETE FROM turns",
    "DROP TABLE turns",
    "CREATE TEMP TABLE x (a)",
    "CREATE TEMP VIEW x AS SELECT * FROM kv",
    "CREATE TEMP TRIGGER x AFTER INSERT ON turns BEGIN SELECT 1; END",
    "CREATE VIRTUAL TABLE temp.x USING fts5(a)",
    "ATTACH ':memory:' AS other",
    "DETACH main",
    "PRAGMA query_only=0",
    "PRAGMA table_info(turns)",
    "PRAGMA writable_schema=1",
    "BEGIN",
    "SAVEPOINT x",
    "VACUUM",
    "VACUUM INTO '/tmp/furoshiki-copy'",
    "REINDEX",
    "ANALYZE",
    "",
    "SELECT load_extension('/tmp/x.so')",
    "SELECT readfile('/etc/passwd')",
    "SELECT writefile('/tmp/x', 'y')",
    "SELECT fts5(1)",
    "SELECT randomblob(1000000000)",
    "SELECT length(zeroblob(1000000000))",
    "SELECT printf('%1000000000d', 1)",
    "SELECT format('%*d', 1000000000, 1)",
    "SELECT instr(text, text), replace(text, 'a', text), trim(text, text) FROM turns",
    "SELECT x'00ff'",
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c",
    "SELECT count(*) FROM turns a, turns b, turns c",
    "SELECT a.text || b.text FROM turns a, turns b, turns c ORDER BY 1 LIMIT 1",
    "SELECT group_concat(a.text || b.text) FROM turns a, turns b",
    "SELECT 'a' LIKE '" + "%a" * 40 + "'",
    "SELECT " + "(" * 500 + "1" + ")" * 500 + " + " * 200 + "1",
    "SELECT " + ",".join("1" * 1 for _ in range(200)),
    "SELECT '" + "a" * 6000 + "'",
]


@pytest.mark.parametrize("sql", FORBIDDEN, ids=lambda sql: sql[:40])
def test_nothing_is_changed_opened_called_or_worked_without_end(
    filled: Path, sql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_STEPS", 1_000_000)
    before = filled.read_bytes()
    with pytest.raises(Unreadable):
        rows(filled, sql, [])
    assert filled.read_bytes() == before


def test_values_are_those_of_json(filled: Path) -> None:
    for odd in ([b"x"], [[1]], [{"a": 1}], [1 << 70], [1, 2]):
        with pytest.raises(Unreadable):
            rows(filled, "SELECT ?", odd)


def test_what_can_be_read_is_there_and_told(filled: Path) -> None:
    page = (ROOT / "docs" / "plugin-api.md").read_text(encoding="utf-8")
    for table, columns in READABLE.items():
        rows(filled, f"SELECT {', '.join(sorted(columns))} FROM {table} LIMIT 1", [])
        assert all(f"`{name}`" in page for name in (table, *columns)), table
    assert all(f"`{name}`" in page for name in FUNCTIONS)
