"""heartbeat-state.json: never lost, never in the way, open to what newer releases add."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core import atomic_files
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import StorageUnavailable
from furoshiki.feelings import heartbeat
from furoshiki.feelings.heartbeat import Felt
from furoshiki.feelings.rules.mood import Mood
from furoshiki.feelings.rules.user_needs import DIMENSIONS, UserNeed
from furoshiki.feelings.state_files import SCHEMA, Heartbeat, StateFiles, heartbeat_from, heartbeat_to
from furoshiki.feelings.store import history
from furoshiki.messages.store import turns
from tests.feelings.conftest import Files
from tests.support.laws import NOON, shipped
from tests.support.processes import together
from tests.support.rows import user_said


def rewritten(state: Files, **changed: Any) -> dict[str, Any]:
    """The file with some of its keys put differently."""
    state.files.heartbeat()
    found = json.loads(state.path.read_text()) | changed
    state.path.write_text(json.dumps(found))
    return found


def again(beat: Heartbeat) -> Heartbeat:
    return replace(beat, last_message_id=beat.last_message_id + 1)


def test_a_newborn_gets_a_heartbeat_that_stays(state: Files) -> None:
    born = state.files.heartbeat()
    state.at += timedelta(hours=5)
    assert heartbeat_to(state.files.heartbeat()) == heartbeat_to(born)
    assert state.rebuilds == 1
    assert set(born.needs) == set(shipped().needs.each)


def test_people_can_read_it(state: Files) -> None:
    state.files.heartbeat()
    text = state.path.read_text()
    found = json.loads(text)
    assert text == json.dumps(found, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    assert {"emotions", "needs", "user_needs", "mood", "schema"} <= set(found)
    assert len(found["emotions"]) == 9
    assert (state.path.stat().st_mode & 0o777) == 0o600


def test_what_is_written_reads_back(state: Files) -> None:
    known = UserNeed(0.5, 0.25, NOON, (1, 2))
    full = replace(
        state.files.heartbeat(),
        mood=Mood("tender", NOON),
        need_marks={"connection": "rose"},
        user_needs=dict.fromkeys(state.files.heartbeat().user_needs, known),
        last_event_id=3,
        last_tick_at=NOON,
        last_message_at=NOON,
    )
    written = heartbeat_to(full)
    assert heartbeat_to(heartbeat_from(json.loads(json.dumps(written)), _no_need)) == written
    assert heartbeat_from(written, _no_need).user_needs == full.user_needs


def test_a_step_that_changes_nothing_writes_nothing(state: Files) -> None:
    state.files.heartbeat()
    before = state.path.stat().st_mtime_ns
    state.files.change(lambda beat: beat)
    assert state.path.stat().st_mtime_ns == before


def _beat(_number: int, folder: Path, times: int) -> None:
    state = StateFiles(folder, _no_need, lambda: NOON)
    for _ in range(times):
        state.change(again)


def _no_need() -> Heartbeat:
    raise AssertionError("the file was lost")


@pytest.mark.slow
def test_eight_processes_lose_no_update(state: Files) -> None:
    state.files.heartbeat()
    together(8, _beat, state.folder, 25)
    assert state.files.heartbeat().last_message_id == 8 * 25
    assert state.set_aside == []


@pytest.mark.slow
@pytest.mark.faults
def test_eight_processes_lose_no_update_of_sixteen_hundred(state: Files) -> None:
    state.files.heartbeat()
    together(8, _beat, state.folder, 200)
    assert state.files.heartbeat().last_message_id == 8 * 200


@pytest.mark.parametrize("damage", ["", "{", "[]", "null", "\x00" * 40, '{"schema": 1}', "[" * 200_000])
def test_a_damaged_file_is_set_aside_and_rebuilt(state: Files, damage: str) -> None:
    state.files.change(again)
    state.path.write_text(damage)
    assert state.files.heartbeat().last_message_id == 0
    assert [path.name for path in state.set_aside] == ["heartbeat-state.json.corrupt-20260303T120000000000"]
    assert state.set_aside[0].read_text() == damage
    assert json.loads(state.path.read_text())["schema"] == SCHEMA


def test_it_is_rebuilt_from_what_the_database_remembers(state: Files, database: Database) -> None:
    felt = replace(state.files.heartbeat().emotions, joy=0.9)
    then = NOON - timedelta(minutes=15)
    with database.write() as db:
        said = turns.add(db, user_said("hello", then))
        history.record(db, NOON, felt.moved({"joy": -0.5}).as_mapping(), {}, "lonely", "tick")
        history.record(db, then, felt.as_mapping(), {}, "playful", "tick")
        history.record_user_need(db, then, "space", 0.7, 0.6, (said,), "reading")
    state.path.write_text("spoilt")
    beat = state.files.heartbeat()
    assert (beat.emotions, beat.felt_at, beat.mood.word) == (felt, then, "playful")
    assert beat.user_needs["space"] == UserNeed(0.7, 0.6, then, (said,))
    assert beat.last_message_at == then


@pytest.mark.parametrize("kind", ["text", "reaction"])
def test_what_was_said_since_moves_a_rebuilt_heart_as_it_moved_the_lost_one(
    state: Files, database: Database, kind: str
) -> None:
    then = NOON - timedelta(minutes=15)
    with database.write() as db:
        history.record(db, then, state.files.heartbeat().emotions.as_mapping(), {}, "playful", "tick")
    state.path.write_text("spoilt")
    at, signals, gesture = then + timedelta(minutes=5), {"praise": 0.7, "worry": 0.3}, kind == "reaction"
    felt = Felt(3, heartbeat.lane("telegram", "7", kind), signals, at, asked=not gesture, gesture=gesture)
    before = state.files.heartbeat()
    state.files.change(heartbeat.hear(shipped(), felt))
    lost = state.files.heartbeat()
    with database.write() as db:
        said = user_said("is it good?", at, channel="telegram", chat_id="7", turn_key="inbox:3", kind=kind)
        turns.add(db, replace(said, signals=signals))
    state.path.write_text("spoilt")
    found = state.files.heartbeat()
    assert lost.emotions != before.emotions
    as_it_was = pytest.approx(lost.emotions.as_mapping(), abs=1e-6)
    assert (found.emotions.as_mapping(), found.mood, found.heard) == (as_it_was, lost.mood, lost.heard)
    assert state.files.change(heartbeat.hear(shipped(), felt)).emotions.as_mapping() == as_it_was


def test_keys_of_a_newer_release_are_kept_at_any_depth(state: Files) -> None:
    found = rewritten(state, schema=7, dreams=["of \ud800 trains"], horizon={"far": [1, {"away": None}]})
    found["emotions"]["awe"] = 0.4
    found["user_needs"]["wonder"] = {"level": 0.1}
    found["user_needs"]["space"]["why"] = "they said so"
    found["needs"]["rest"] = 3
    state.path.write_text(json.dumps(found))
    state.files.change(again)
    kept = json.loads(state.path.read_text())
    assert kept == found | {"last_message_id": 1, "dreams": ["of ? trains"]}
    assert state.set_aside == []


def test_a_file_of_an_older_release_stays_good(state: Files) -> None:
    found = rewritten(state, schema=0, mood="proud")
    numbers = ("last_event_id", "last_message_id", "heard")
    for key in ("schema", "needs", "need_marks", *numbers, "last_tick_at", "last_message_at"):
        del found[key]
    state.path.write_text(json.dumps(found))
    assert state.files.change(again).mood.word == "proud"
    assert json.loads(state.path.read_text())["schema"] == SCHEMA
    assert state.rebuilds == 1


@pytest.mark.parametrize("remembered", [True, False], ids=["rows lack it too", "no row"])
def test_a_name_that_the_file_lacks_is_at_its_natural_level(state: Files, database: Database, remembered: bool) -> None:
    found = rewritten(state, mood="wistful")
    del found["emotions"]["pride"], found["user_needs"]["space"]
    found["emotions"]["joy"] = 0.9
    state.path.write_text(json.dumps(found))
    if remembered:
        with database.write() as db:
            history.record(db, NOON, found["emotions"] | {"awe": 0.3}, {}, "wistful", "tick")
            history.record_user_need(db, NOON, "wonder", 0.7, 0.6, (1,), "reading")
    beat = state.files.change(again)
    assert (beat.emotions.joy, beat.emotions.pride) == (0.9, shipped().emotions.natural["pride"])
    assert beat.user_needs["space"].confidence == 0
    assert beat.mood.word in shipped().mood.weights
    assert set(json.loads(state.path.read_text())["user_needs"]) == set(DIMENSIONS)
    assert state.set_aside == []


def test_a_lost_file_is_made_from_rows_of_any_release(state: Files, database: Database) -> None:
    with database.write() as db:
        history.record(db, NOON, {"joy": 0.9, "awe": 0.3, "pride": "much"}, {}, "wistful", "tick")
        history.record_user_need(db, NOON, "wonder", 0.7, 0.6, (1,), "reading")
        turns.add(db, replace(user_said("hello", NOON + timedelta(minutes=1)), signals={"awe": 0.7, "praise": 0.5}))
    beat = state.files.heartbeat()
    assert beat.emotions.joy >= 0.9
    assert beat.mood.word in shipped().mood.weights
    assert set(beat.user_needs) == set(DIMENSIONS)


@pytest.mark.parametrize(
    "changed",
    [
        {"schema": "1"},
        {"schema": -1},
        {"schema": True},
        {"mood_since": "yesterday"},
        {"felt_at": 12},
        {"needs": {"connection": float("inf")}},
        {"needs": {"connection": True}},
        {"needs": []},
        {"last_event_id": 10**30},
        {"last_message_id": 1.5},
        {"last_tick_at": 0},
        {"emotions": {"joy": "very"}},
        {"emotions": {"joy": 7}},
        {"user_needs": {"space": 0.5}},
    ],
)
def test_what_does_not_fit_is_damage(state: Files, changed: dict[str, Any]) -> None:
    if changed.get("needs") == []:
        changed = {"needs": ["connection"]}
    rewritten(state, **changed)
    assert set(state.files.heartbeat().needs) == set(shipped().needs.each)
    assert len(state.set_aside) == 1
    assert state.rebuilds >= 2


def test_marks_nobody_knows_are_calm(state: Files) -> None:
    rewritten(state, need_marks={"connection": "purple", "curiosity_need": "amber"})
    assert state.files.heartbeat().need_marks == {"curiosity_need": "amber"}


def test_a_late_reader_does_not_set_aside_what_was_just_mended(state: Files) -> None:
    """Both saw the damage; the one that comes second to the lock finds a good file there."""
    state.files.change(again)
    good = state.path.read_text()
    state.path.write_text("spoilt")
    waiting = threading.Event()

    def heartbeat_late() -> None:
        waiting.set()
        state.files.heartbeat()

    with atomic_files.locked(state.folder / ".heartbeat.lock"):
        late = threading.Thread(target=heartbeat_late)
        late.start()
        assert waiting.wait(10)
        late.join(0.05)
        atomic_files.write_text(state.path, good)
    late.join(10)
    assert state.set_aside == []
    assert state.path.read_text() == good


def test_a_folder_that_takes_no_file_is_unavailable_storage(state: Files) -> None:
    state.files.heartbeat()
    missing = StateFiles(state.path / "below-a-file", state.files.rebuild, state.files.now)
    with pytest.raises(StorageUnavailable, match="free some space"):
        missing.change(again)
    assert missing.heartbeat().last_message_id == 0
    assert missing.context() == {}
    with pytest.raises(StorageUnavailable):
        missing.write_context({})


def test_the_context_is_what_was_prepared(state: Files) -> None:
    assert state.files.context() == {}
    state.files.write_context({"name": "Noor"})
    assert state.files.context() == {"schema": SCHEMA, "name": "Noor"}


@pytest.mark.parametrize("damage", ["", "[]", '{"name": "Noor"}', '{"schema": "one"}'])
def test_a_damaged_context_is_set_aside_and_empty(state: Files, damage: str) -> None:
    state.files.context_path.write_text(damage)
    assert state.files.context() == {}
    assert [path.read_text() for path in state.set_aside] == [damage]
    assert state.files.context() == {}


def test_steps_of_the_heart_land_in_the_file(state: Files) -> None:
    before = state.files.heartbeat()
    state.files.change(heartbeat.hear(shipped(), Felt(4, "telegram:7", {"praise": 1.0}, NOON, asked=True)))
    after = state.files.heartbeat()
    assert after.last_message_id == 4
    assert after.emotions.pride > before.emotions.pride


def test_what_is_felt_is_known_before_it_is_on_the_disk(state: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    before, write, slow = state.files.heartbeat(), atomic_files.write_text, threading.Event()

    def slowly(path: Path, text: str) -> None:
        assert slow.wait(10)
        write(path, text)

    monkeypatch.setattr(atomic_files, "write_text", slowly)
    felt = state.files.change_beside(again)
    assert felt.last_message_id == before.last_message_id + 1
    assert json.loads(state.path.read_text())["last_message_id"] == before.last_message_id
    slow.set()
    assert state.files.heartbeat().last_message_id == felt.last_message_id, "who reads it waits for it"
    state.files.written()
    assert state.files.change_beside(again).last_message_id == felt.last_message_id + 1
    state.files.written()


def test_what_could_not_be_written_down_beside_is_told_once(state: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    state.files.heartbeat()

    def full(_path: Path, _text: str) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(atomic_files, "write_text", full)
        state.files.change_beside(again)
        with pytest.raises(StorageUnavailable, match="No space left"):
            state.files.written()
    state.files.change_beside(again)
    state.files.written()
