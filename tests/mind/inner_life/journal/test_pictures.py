"""The picture beside a night's entry: of the day behind it, drawn once, and gone with it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from furoshiki.archive.forgetting import files, forgetting
from furoshiki.feelings.rules.emotions import NAMES
from furoshiki.feelings.store import history
from furoshiki.messages.store import turns
from furoshiki.mind.inner_life.journal import monologue, pages
from furoshiki.mind.inner_life.store import monologue as entries
from furoshiki.mind.inner_life.store.monologue import Kind, Passage
from furoshiki.world import World
from tests.support.rows import user_said
from tests.support.world import Script

DAY = "2026-03-24"
TEXT = "They start at the harbour on Monday."


def lived(world: World, kind: Kind = "journal", felt: bool = True) -> None:
    """A day with an entry whose page is not written yet."""
    with world.database.write() as db:
        said = turns.add(db, user_said("I start at the harbour on Monday", at=world.now))
        for hours in range(30, 0, -1) if felt else ():
            moment = world.now - timedelta(hours=hours)
            history.record(db, moment, dict.fromkeys(NAMES, hours / 40), {}, "curious", "tick")
        entries.add(db, kind, DAY, [Passage(TEXT, (said,))], "scripted", said, world.now)


def drawn(world: World) -> Path:
    return world.settings.data / pages.FOLDER / f"{DAY}.svg"


def page(world: World) -> str:
    return (world.settings.data / pages.FOLDER / f"{DAY}.md").read_text(encoding="utf-8")


async def test_a_night_has_its_day_as_a_picture_and_a_link_to_it(world: World, model: Script) -> None:
    lived(world)
    assert pages.file(world) == [DAY]
    assert f"]({DAY}.svg)" in page(world) and TEXT in page(world)
    svg = drawn(world).read_text(encoding="utf-8")
    assert "23 to 24 March 2026" in svg and "Mostly curious." in svg and "harbour" not in svg
    assert drawn(world).stat().st_mode & 0o777 == 0o600
    with world.database.write() as db:
        db.execute("DELETE FROM emotion_history")
        entries.add(db, "afternoon", DAY, [Passage("I asked too much.")], "scripted", 1, world.now)
    assert pages.file(world) == [DAY] and drawn(world).read_text(encoding="utf-8") == svg, "it is drawn once"
    assert f"]({DAY}.svg)" in page(world) and model.questions == []


async def test_without_feelings_on_record_or_without_a_night_there_is_none(world: World) -> None:
    lived(world, felt=False)
    pages.file(world)
    assert not drawn(world).exists() and ".svg" not in page(world)
    with world.database.write() as db:
        db.execute("UPDATE inner_monologue SET kind='morning', filed_at=NULL")
    drawn(world).write_text("<svg/>")
    pages.file(world)
    assert not drawn(world).exists()


async def test_it_goes_with_its_entry_and_is_no_text_to_look_through(world: World) -> None:
    lived(world)
    pages.file(world)
    assert drawn(world).exists() and not files.survey(world.settings.data, lambda text: "curious" in text)
    assert forgetting.forget(world, "turn:1", forgetting.look(world, "turn:1").token)
    await monologue.night(world)
    assert not drawn(world).exists() and list(drawn(world).parent.glob("*")) == []
