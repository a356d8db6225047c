"""Importing: once, whole, and honest about what could not be used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from furoshiki.archive.import_export.importing import import_file
from furoshiki.messages.store import turns
from tests.support.importing import import_lines
from tests.support.recall import Memory

LINE = {"session": "S1", "at": "2023-05-08T13:56", "speaker": "Ines", "text": "I sold the boat.", "id": "D1:1"}


def lines(*changes: dict[str, Any]) -> list[bytes]:
    return [json.dumps({**LINE, **change}).encode() + b"\n" for change in changes]


def rows(memory: Memory) -> list[dict[str, Any]]:
    with memory.database.read() as db:
        return [dict(row) for row in db.execute("SELECT * FROM turns ORDER BY id")]


def test_a_line_becomes_a_turn_as_it_was_said(memory: Memory) -> None:
    done = import_lines(memory.database, lines({}), "diary")
    assert (done.source, done.added, done.known, done.bad) == ("import:diary", 1, 0, ())
    [row] = rows(memory)
    assert row["session_id"] == "import:diary/S1"
    assert row["at"] == "2023-05-08T13:56:00.000000+00:00"
    assert (row["speaker"], row["text"], row["import_id"]) == ("Ines", "I sold the boat.", "D1:1")
    assert (row["source"], row["index_state"]) == ("import:diary", "pending")
    with memory.database.read() as db:
        assert turns.last_session(db) is None, "what was said elsewhere is not this companion's conversation"


def test_what_the_owner_pasted_is_not_theirs_though_no_line_announces_it(memory: Memory) -> None:
    said = ["i swam before work again", "the ferry was late, so i ran", "do you think it rains on sunday?"]
    letter = (
        "Senior Product Designer. Seven years designing payment apps for banks and start-ups in Berlin and Tallinn. "
        "I led the redesign of a checkout used by four million people. I hold an MA in Interaction Design from Umeå. "
        "My wife and I relocated to Lisbon in 2022. Languages: Estonian (native), English, Portuguese (B1)."
    )
    own = "i finally told my sister about the job today. she cried a bit, and then we made soup and talked until eleven"
    texts = [*said, f"summarise pls {letter}", own]
    mine = [{"id": f"D{n}", "at": f"2023-05-08T13:{n:02}", "text": text} for n, text in enumerate(texts)]
    import_lines(memory.database, lines(*mine), "chat", me="Ines")
    ids = [row["id"] for row in rows(memory)]
    with memory.database.read() as db:
        *_, pasted, last = turns.many(db, ids)
    assert {one.kind for one in pasted.foreign} <= {"composed", "doubtful"} and pasted.foreign
    assert "Lisbon" not in pasted.own or pasted.doubt is not None
    assert (last.foreign, last.own) == ((), own)


def test_twice_is_once(memory: Memory) -> None:
    both = lines({}, {"id": "D1:2", "text": "Yesterday."})
    import_lines(memory.database, both, "diary")
    again = import_lines(memory.database, both, "diary")
    assert (again.added, again.known) == (0, 2)
    copied = import_lines(memory.database, both, "diary (1)")
    assert (copied.added, copied.known) == (0, 2)
    assert len(rows(memory)) == 2


def test_the_same_ids_in_another_file_are_other_turns(memory: Memory) -> None:
    import_lines(memory.database, lines({}), "conv-26")
    done = import_lines(memory.database, lines({"speaker": "Noor", "text": "Which boat?"}), "conv-30")
    assert done.added == 1
    assert {row["session_id"] for row in rows(memory)} == {"import:conv-26/S1", "import:conv-30/S1"}


@pytest.mark.slow
def test_an_interrupted_import_goes_on_where_it_stopped(memory: Memory) -> None:
    every = lines(*[{"id": str(i), "text": f"line {i}"} for i in range(1200)])

    def interrupted(_read: int, _share: float | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_lines(memory.database, every, "diary", interrupted)
    assert 0 < len(rows(memory)) < 1200
    done = import_lines(memory.database, every, "diary")
    assert done.added + done.known == 1200
    assert len(rows(memory)) == 1200
    assert [row["import_id"] for row in rows(memory)] == [str(i) for i in range(1200)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[1]", "not a JSON object"),
        (lines({"text": None})[0], "text missing"),
        (lines({"text": " \n"})[0], "text is blank"),
        (lines({"text": 5})[0], "text must be text"),
        (lines({"at": "the day before yesterday"})[0], "ISO-8601 time"),
        (lines({"session": "", "speaker": None})[0], "session, speaker missing"),
        (lines({"id": ["x"]})[0], "id must be text"),
    ],
)
def test_a_bad_line_costs_only_itself(memory: Memory, line: bytes, reason: str) -> None:
    first, last = lines({"id": "a", "text": "before"}, {"id": "b", "text": "after"})
    done = import_lines(memory.database, [first, line.removesuffix(b"\n") + b"\n", b"\n", last], "diary")
    assert done.added == 2
    [bad] = done.bad
    assert bad.place == "line 2"
    assert reason in bad.reason


def test_a_number_is_an_id_too_and_a_byte_order_mark_is_no_harm(memory: Memory) -> None:
    done = import_lines(memory.database, [b"\xef\xbb\xbf" + lines({"id": 7})[0]], "diary")
    assert done.bad == ()
    assert rows(memory)[0]["import_id"] == "7"


def test_a_file_names_its_import_and_progress_is_told(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "conv-26.turns.jsonl"
    path.write_bytes(b"".join(lines(*[{"id": str(i), "text": f"line {i}"} for i in range(1001)])))
    told: list[tuple[int, float | None]] = []
    done = import_file(memory.database, path, lambda read, share: told.append((read, share)))
    assert (done.source, done.added) == ("import:conv-26.turns", 1001)
    assert [read for read, _ in told] == [500, 1000, 1001]
    assert told[-1][1] == 1.0


def test_odd_characters_are_kept_as_they_can_be(memory: Memory) -> None:
    text = "a \ud83d\ude80 rocket, a lone \ud800 half, a \x00 and e\u0301"
    import_lines(memory.database, lines({"text": text}), "diary")
    assert rows(memory)[0]["text"] == "a \U0001f680 rocket, a lone ? half, a  and e\u0301"
