"""An import says who you are: your name, what you said of yourself, your people; with a model at a price."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database
from furoshiki.memory.store import memories
from furoshiki.mind.post_conversation.due import IMPORTS
from furoshiki.owner.user_model import user
from furoshiki.owner.user_model.rules.profile import mini_text
from furoshiki.owner.user_model.store import profiles
from tests.support.shell import Command

TALK = (
    ("Ana", "I live in Porto and my sister is called Ruth."),
    ("Bram", "I live in Delft and my sister is called Mila."),
    ("Ana", "I work as a nurse at the harbour clinic."),
    ("Bram", "What do you do on Sundays?"),
)


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    path = tmp_path / "talk.jsonl"
    lines = [
        {"session": "S1", "at": f"2023-05-08T13:5{number}", "speaker": who, "text": text, "id": f"D1:{number}"}
        for number, (who, text) in enumerate(TALK)
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


@pytest.fixture
def database(data: Path) -> Database:
    return Database(data / "memory" / "longmemory.sqlite")


def test_without_a_model_the_rules_find_a_name_facts_and_a_profile(
    command: Command, talk: Path, database: Database
) -> None:
    ran = command("memory", "import", str(talk), "--me", "Ana", "--no-wait")
    assert "You are called Ana from now on." in ran.out
    with database.read() as db:
        assert user.name(db) == "Ana"
        held = {(one.predicate, one.object) for one in memories.read_known(db)}
        who = mini_text(profiles.find_profile(db).profile.mini)  # type: ignore[union-attr]  # written by the import
    assert {("lives_in", "Porto"), ("sister", "Ruth")} <= held
    assert not [one for one in held if one[1] in ("Delft", "Mila")], "what others say of themselves is theirs"
    assert "Porto" in who

    again = command("memory", "import", str(talk), "--me", "Ana", "--no-wait", "--json")
    assert json.loads(again.out)["reading"]["facts"] == 0, "twice is once"


def test_a_model_reads_only_what_was_agreed_to_at_the_price_that_was_told(
    command: Command, talk: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nobody")
    monkeypatch.setenv("FUROSHIKI_MODEL_CHAT", "openai:gpt-4.1-mini")
    ran = command("memory", "import", str(talk), "--me", "Ana", "--no-wait")
    assert "tokens, $0.0" in ran.out and "--yes" in ran.out
    with database.read() as db:
        [mark] = kv.get(db, IMPORTS).values()
    assert mark["until"] == 0, "nothing may be read yet"
    agreed = command("memory", "import", str(talk), "--me", "Ana", "--no-wait", "--yes")
    assert "A model reads it beside everything else" in agreed.out
    with database.read() as db:
        [mark] = kv.get(db, IMPORTS).values()
    assert mark["to"] < mark["until"]
