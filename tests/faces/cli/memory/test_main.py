"""`furoshiki memory`: what is remembered can be looked through, put right, taken out and brought in."""

from __future__ import annotations

import json
import os
import re
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.archive.import_export import importing
from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database
from furoshiki.core.process.priority import NICE
from furoshiki.faces.cli.memory.inspect import print_overview
from furoshiki.memory import concepts, overview
from furoshiki.memory.rules.ceilings import Verdict
from furoshiki.memory.rules.weights import Weight
from furoshiki.memory.store import accesses, links, memories, safety, scratch, weights
from furoshiki.memory.store.scratch import Decision
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, NewTurn
from furoshiki.mind.inner_life.rules.documents import Chunk
from furoshiki.mind.inner_life.store import design_docs
from tests.support.exports import OWNER, chat, message
from tests.support.shell import Command

NOW = datetime.now(UTC)


@pytest.fixture
def database(data: Path) -> Database:
    return Database(data / "memory" / "longmemory.sqlite")


def learn(database: Database, text: str, type_: str = "semantic", days_ago: int = 0, **columns: object) -> str:
    """A memory on record; returns its id as it is typed."""
    at = NOW - timedelta(days=days_ago)
    with database.write() as db:
        turn = turns.add(db, NewTurn("s", "console", "console", USER, f"I said: {text}", at))
        held = memories.add(db, NewMemory(type_, text, (turn,)), at)
        for name, value in columns.items():
            db.execute(f"UPDATE memories SET {name}=? WHERE id=?", (value, held))
    return f"memory:{held}"


@pytest.fixture
def export(tmp_path: Path) -> Path:
    path = tmp_path / "result.json"
    path.write_text(
        json.dumps(
            chat(
                message(1, "2024-05-01T10:00:00", text="Are you coming?"),
                message(2, "2024-05-01T10:01:00", OWNER, "At eight."),
                {**message(3, "2024-05-01T10:02:00"), "text": 5},
            )
        )
    )
    return path


def test_an_import_says_what_it_did_and_whom_it_took_for_the_owner(command: Command, export: Path) -> None:
    ended = command("memory", "import", str(export), "--no-wait")
    assert ended.status == 0
    said, named = ended.out.splitlines()
    assert said == "A Telegram export: 2 taken in, 0 known already, 1 bad record."
    assert named == "You are called Noor Haddad from now on."
    assert "message 3 of “Anika” (id 3): text is neither" in ended.err
    assert "Your words are those of Noor Haddad (the other side of the chat with Anika)" in ended.err
    again = command("memory", "import", str(export), "--no-wait", "--json").json
    assert (again["format"], again["added"], again["known"], again["bad_count"]) == ("telegram", 0, 2, 1)
    assert again["owner"]["id"] == "user111" and again["bad"][0]["place"].startswith("message 3")


def test_an_import_gives_way_to_talk(command: Command, export: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at: list[int] = []
    real = importing.import_file

    def import_file(*args: Any) -> importing.Imported:
        at.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
        return real(*args)

    monkeypatch.setattr(importing, "import_file", import_file)
    assert command("memory", "import", str(export), "--no-wait").status == 0
    assert at == [max(NICE, at[0])]


def test_what_cannot_be_imported_is_refused_with_the_reason(command: Command, tmp_path: Path, export: Path) -> None:
    assert "nothing.json does not exist" in command("memory", "import", str(tmp_path / "nothing.json")).err
    (tmp_path / "odd.json").write_text('{"a": 1}')
    odd = command("memory", "import", str(tmp_path / "odd.json"))
    assert odd.status == 2 and "not an export I know" in odd.err and odd.err.count("\n") == 1
    nobody = command("memory", "import", str(export), "--me", "Zed")
    assert nobody.status == 2 and "nobody in it is called 'Zed'; there is Anika, Noor Haddad" in nobody.err
    assert command("memory", "import", str(export), "--session-gap", "0").status == 2
    assert "did you mean 'telegram'?" in command("memory", "import", str(export), "--format", "telegramm").err
    wrong = command("memory", "import", str(export), "--format", "claude")
    assert wrong.status == 2 and "this is a telegram export, not a claude one: give --format telegram" in wrong.err
    pages = tmp_path / "ChatExport"
    pages.mkdir()
    (pages / "messages2.html").write_text("<!DOCTYPE html>")
    for place in (pages, pages / "messages2.html"):
        page = command("memory", "import", str(place))
        assert page.status == 2 and "Machine-readable JSON" in page.err and page.err.count("\n") == 1


def test_an_export_goes_where_it_should(command: Command, database: Database, data: Path, tmp_path: Path) -> None:
    learn(database, "They like tea.")
    usual = command("memory", "export", "--json").json
    assert Path(usual["file"]).parent == data / "exports" and usual["records"] == 2
    mine = tmp_path / "mine.md"
    assert command("memory", "export", str(mine), "--format", "markdown").out == f"2 records in {mine}.\n"
    assert "You like tea." in mine.read_text()
    refused = command("memory", "export", str(mine))
    assert refused.status == 2 and "is there already" in refused.err and "You like tea." in mine.read_text()
    assert command("memory", "export", str(mine), "--yes").out == f"2 records in {mine}.\n"
    lines = command("memory", "export", "-").out.splitlines()
    assert [json.loads(line)["record"] for line in lines] == ["turn", "memory"]
    assert "cannot be written" in command("memory", "export", "/proc/nowhere/x.jsonl").err


def test_what_of_an_export_is_not_put_back_is_counted_by_kind_in_words(command: Command, tmp_path: Path) -> None:
    lines = [{"record": kind} for kind in ("task", "journal", "task", "setting")]
    (tmp_path / "mine.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    done = command("memory", "import", str(tmp_path / "mine.jsonl"))
    assert (done.status, done.out.splitlines()[1]) == (
        0,
        "Not put back, because it belongs to the companion it was: 2 tasks, 1 journal entry and 1 setting.",
    )
    told = command("memory", "import", str(tmp_path / "mine.jsonl"), "--json").json
    assert told["left_out"] == {"task": 2, "journal": 1, "setting": 1}


def test_memories_are_listed_as_asked(command: Command, database: Database) -> None:
    tea = learn(database, "They like tea.", "preference", days_ago=9)
    learn(database, "They live in Lisbon.", immutable=1)
    assert [one["id"] for one in command("memory", "list", "--type", "preference", "--json").json] == [tea]
    assert [one["id"] for one in command("memory", "list", "--about", "tea", "--json").json] == [tea]
    since = (NOW - timedelta(days=1)).isoformat()
    out = command("memory", "list", "--since", since).out
    assert out.count("\n") == 1 and "active, pinned\t0.20\tYou live in Lisbon." in out
    assert command("memory", "list", "-n", "1", "--status", "dormant").out == "Nothing like that is remembered.\n"
    assert command("memory", "list", "--since", "yesterday").status == 2
    assert "did you mean 'semantic'?" in command("memory", "list", "--type", "semantics").err


def test_of_nothing_there_is_nothing_to_see(command: Command) -> None:
    assert command("memory", "list").out == "Nothing is remembered yet.\n"
    assert command("memory", "view").out == "0 memories.\n"


def test_a_memory_is_shown_whole_in_words(command: Command, database: Database) -> None:
    held = learn(database, "They like tea.", alpha=6, beta=3, hit_count=2, access_count=4)
    out = command("memory", "show", held.removeprefix("memory:")).out
    assert out.startswith("**You like tea.**\n")
    assert "weight 0.67: held (for 6, against 3)" in out and "hits: 2, came to mind: 4" in out
    assert ", you: “I said: They like tea.” (turn:1)" in out
    assert command("memory", "show", held, "--json").json["accesses"]["hits"] == 2
    assert "I said: They like tea." in command("memory", "show", "turn:1").out
    for typed in ("memory:9", "9", "turn:9"):
        missing = command("memory", "show", typed)
        assert missing.status == 1 and "`furoshiki memory list` shows what there is" in missing.err
    assert "“tea” is not an id" in command("memory", "why", "tea").err


def test_a_memory_says_of_what_use_it_is_and_why_it_was_kept(command: Command, database: Database) -> None:
    held = learn(database, "They like tea.", access_count=40, utility=0.36)
    number = int(held.removeprefix("memory:"))
    with database.write() as db:
        item = scratch.put(db, 1, "I like tea", {}, "external_user", 0.2, NOW)
        why = Decision("reinforced", "the matrix", "core, confirming", 0.71, 0.9, 1.23)
        assert item is not None and scratch.decide(db, item, why, NOW)
        scratch.tie(db, item, number)
        verdict = Verdict("B", "weekly_gain", 2.0, 0.5, True)
        safety.record(db, NOW, verdict, number, {"cycle": "c"})
    out = command("memory", "show", held).out
    assert "useful in 36% of the recent answers it was part of" in out
    assert "reinforced: the matrix (core, confirming, relevance 0.71, novelty 0.90, activation 1.23)" in out
    assert "weekly gain (stage B) held back: 2.00 asked, 0.50 allowed" in out
    found = command("memory", "show", held, "--json").json
    assert found["gate"][0]["novelty"] == 0.9 and found["held_back"][0]["detail"] == {"cycle": "c"}
    assert "what was said\treinforced\t1" in command("memory", "stats").out


def test_what_was_found_in_documents_says_in_which(command: Command, database: Database) -> None:
    text, own = "I do not sleep.", {"source_tag": "internal_consolidation", "category": "self"}
    with database.write() as db:
        design_docs.keep(db, {"docs/a.md": [Chunk("When I sleep", text)]}, NOW)
        held = memories.add(db, NewMemory("reflection", text, (), metadata={"design": [1]}, **own), NOW)
    out = command("memory", "why", f"memory:{held}").out
    assert (
        "It is based on documents about the companion:" in out and "docs/a.md, When I sleep: “I do not sleep.”" in out
    )
    assert command("memory", "why", f"memory:{held}", "--json").json["documents"][0]["id"] == "design:1"


def test_a_memory_is_shown_in_round_figures_and_says_nothing_twice(command: Command, database: Database) -> None:
    old = learn(database, "They live in Rome.", alpha=1.4918, beta=13.0, access_count=1)
    new = learn(database, "They live in Lyon.")
    first, second = (int(one.removeprefix("memory:")) for one in (old, new))
    with database.write() as db:
        links.link(db, second, first, "supersedes", 1.0, NOW)
        links.link(db, first, second, "updated_by", 1.0, NOW)
        accesses.record(db, [first], NOW)
        accesses.together(db, [first, second], NOW)
        db.execute("UPDATE memory_co_access SET count=12.9595")
        for minutes, operation in ((0, "retrieved"), (5, "retrieved"), (9, "retrieved"), (10, "contested")):
            grown = Weight(1.0 + minutes / 10, 4.0)
            weights.log(db, "c", NOW + timedelta(minutes=minutes), operation, first, Weight(1.0, 4.0), grown, {})
    out = command("memory", "show", old).out
    assert out.count(f"replaced by {new}: You live in Lyon.") == 1
    assert "(for 1.5, against 13)" in out and f"together with {new} (13 times)" in out
    assert re.search(r"came to mind: 2, (just now|last \d+ minutes ago)", out)  # the suite may have begun long ago
    start, end = (at.isoformat()[:16].replace("T", " ") for at in (NOW, NOW + timedelta(minutes=9)))
    assert f"- retrieved 3 times between {start} and {end}: 0.20 → 0.32\n" in out
    assert out.count("retrieved") == 1 and " contested: 0.20 → 0.33" in out


def test_a_blank_search_is_refused_with_what_to_do(command: Command, database: Database) -> None:
    learn(database, "They like tea.")
    for blank in ("", "  \n"):
        refused = command("memory", "search", blank)
        assert refused.status == 2 and not refused.out
        assert "the search is empty: type some words" in refused.err and "`furoshiki memory list`" in refused.err


def test_a_memory_is_put_right_and_shows_it(command: Command, database: Database) -> None:
    old = learn(database, "They like tea.")
    done = command("memory", "edit", old, "They like coffee.", "--json").json
    assert done["old"]["status"] == "archived" and done["new"]["text"] == "They like coffee."
    assert "withdrawn: never true" in (shown := command("memory", "show", old).out)
    assert f"replaced by {done['new']['id']}: You like coffee." in shown
    new = command("memory", "show", done["new"]["id"]).out
    assert "you, correcting it: “They like coffee.”" in new and f"replaces {old}: You like tea." in new
    assert "edit: " in new
    told = command("memory", "edit", done["new"]["id"], "They like mate.", "--changed").out
    assert "which was true until now: You like mate." in told
    refused = command("memory", "edit", old, "x")
    assert refused.status == 1 and "replaced it" in refused.err
    assert "word for word" in command("memory", "edit", "turn:1", "x").err


def test_a_memory_is_pinned_and_let_go(command: Command, database: Database) -> None:
    held = learn(database, "Never before noon.", alpha=2, beta=3)
    assert "is pinned" in command("memory", "pin", held).out
    assert command("memory", "list", "--json").json[0]["pinned"] is True
    assert "at weight 0.40" in command("memory", "unpin", held).out
    history = [one["operation"] for one in command("memory", "show", held, "--json").json["history"]]
    assert history == ["pin", "unpin"]


def test_a_memory_may_be_held_nearly_for_certain_when_the_owner_says_so(command: Command, database: Database) -> None:
    held = learn(database, "Never before noon.")
    assert "may count as almost certain" in command("memory", "approve", held).out
    with database.read() as db:
        assert kv.get(db, f"promotion.approved:{held.removeprefix('memory:')}") is True
    assert command("memory", "approve", "memory:99").status != 0


def test_the_view_shows_what_stands_out(command: Command, database: Database) -> None:
    needed = datetime.now(UTC)  # the suite may have begun long ago
    learn(database, "They like tea.", hit_count=3, last_accessed_at=needed.isoformat(timespec="microseconds"))
    learn(database, "They are an early riser.", alpha=8, beta=7)
    learn(database, "They once had a garden.", days_ago=60, beta=6)
    learn(database, "They value running and do not run.", "tension")
    out = command("memory", "view").out
    assert out.startswith("4 memories: 1 hot, 1 contested, 1 fading.\n")
    assert "- 0.20  You like tea. (memory:1, how often needed: 3, just now)\n" in out
    assert "- 0.14  You once had a garden. (memory:3, learned 60 days ago, never needed since)\n" in out
    found = command("memory", "view", "--json", "-n", "1").json
    assert [one["text"] for one in found["contested"]] == ["They are an early riser."]
    assert found["counts"]["by_type"] == {"semantic": 3, "tension": 1} and found["insights"] == []


LONG = "unbelievablylongwordthatfitsnowhere"


@pytest.mark.parametrize("columns", [120, 80, 40, 24])
def test_the_view_fits_the_terminal(
    columns: int, database: Database, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    learn(database, f"They told me of a garden with an {LONG} and a pond. " * 3, hit_count=1)
    with database.read() as db:
        found = overview.read_overview(db, NOW)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    print_overview(found, NOW)
    lines = capsys.readouterr().out.splitlines()
    assert any("0.20" in line for line in lines) and max(map(len, lines)) <= max(columns, len(LONG) + 2)


def test_what_the_talk_has_moved_to_is_seen_in_the_view_and_the_stats(command: Command, database: Database) -> None:
    themes = {"drift": 0.4, "rising": ["sailboat", "harbour"], "fading": ["chess"]}
    with database.write() as db:
        kv.put(db, concepts.THEMES, themes, NOW)
    out = command("memory", "view").out
    assert "More on your mind lately: sailboat, harbour.\nLess than before: chess.\n" in out
    assert command("memory", "view", "--json").json["themes"]["rising"] == ["sailboat", "harbour"]
    assert "theme\trising\tsailboat, harbour\n" in command("memory", "stats").out
    assert command("memory", "stats", "--json").json["kinds"]["themes"]["fading"] == ["chess"]


def test_stats_count_by_kind_weight_import_and_table(command: Command, database: Database, export: Path) -> None:
    learn(database, "They like tea.", "preference", alpha=1.5, beta=1.5)
    command("memory", "import", str(export), "--no-wait")
    found = command("memory", "stats", "--json").json
    assert found["kinds"]["by_type"] == {"preference": 1, "semantic": 1}, "the import gave a name"
    assert found["kinds"]["uninformed"] == 1
    assert found["kinds"]["imports"] == {"import:telegram": 2}
    assert found["kinds"]["disk_bytes"]["turns"] > 0 and found["pending"] == 5
    out = command("memory", "stats").out
    assert "import\ttelegram\t2\n" in out and "weight\twithout source\t0\n" in out


def test_help_names_every_verb(command: Command) -> None:
    out = command("memory", "--help").out
    for verb in ("search", "import", "export", "reindex", "stats", "view", "list", "show", "why", "edit", "pin"):
        assert f"    {verb} " in out


def test_the_owner_sees_what_was_not_believed_and_why(command: Command, database: Database) -> None:
    assert command("memory", "rejected").out == "Nothing was refused.\n"
    with database.write() as db:
        memories.reject(db, "fact", "They work at the zoo.", [3], "'zoo' was never said in the cited words", NOW)
        memories.reject(db, "user_need", "space 0.9", [], "it cites no message of the user in this session", NOW)
    told = command("memory", "rejected").out
    assert told.index("space 0.9") < told.index("You work at the zoo.")
    assert "turn:3" in told and "'zoo' was never said" in told
    (one,) = json.loads(command("memory", "rejected", "--kind", "fact", "--json").out)
    assert (one["content"], one["cited"], one["kind"]) == ("They work at the zoo.", [3], "fact")
    assert command("memory", "rejected", "--kind", "thought").out == "Nothing of that kind was refused.\n"
