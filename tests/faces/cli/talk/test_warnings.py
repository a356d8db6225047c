"""What a terminal says beneath an answer about reminders that nothing would deliver."""

from __future__ import annotations

from dataclasses import replace

from furoshiki.core.database import troubles
from furoshiki.core.setting_rows import SecretStr
from furoshiki.faces.cli.talk import chat
from furoshiki.world import World
from tests.support.world import FrozenClock, Human


def warnings(world: World) -> list[str | None]:
    """What is said beneath each answer that set a reminder, in their order."""
    with world.database.read() as db:
        found = db.execute("SELECT turn_key FROM skill_runs WHERE name = 'schedule' ORDER BY id").fetchall()
    return [chat.find_warning(world, str(row[0])) for row in found]


async def test_that_no_services_run_is_said_once_a_day(world: World, human: Human, clock: FrozenClock) -> None:
    for said in ("remind me in 20 minutes to take the bread out", "remind me tomorrow at 9 to water the plants"):
        await human.says(said)
    first, *others = warnings(world)
    assert first is not None and "no services are running" in first and others and not any(others)
    clock.pass_(minutes=24 * 60)
    later, *others = warnings(world)
    assert later == first and not any(others), "the next day once more"


def test_why_a_model_does_not_answer_is_said_once_while_it_is_used(world: World) -> None:
    refused = "the model gpt-5 isn't answering: 401: the key in OPENAI_API_KEY wasn't accepted"
    told: set[str] = set()
    with world.database.write() as db:
        troubles.record_failure(db, "model openai:gpt-5", refused, world.now)
        troubles.record_failure(db, "model openai:another", "a model that no tier uses", world.now)
        troubles.record_failure(db, "speech", "no microphone", world.now)
    settings = world.settings.model_copy(
        update={"furoshiki_model_chat": "openai:gpt-5", "openai_api_key": SecretStr("sk-x")}
    )
    using = replace(world, settings=settings)
    assert chat.list_warnings(using, "inbox:1", told) == [refused]
    assert chat.list_warnings(using, "inbox:2", told) == []
    assert chat.list_warnings(world, "inbox:3", set()) == [], "that model is not chosen"
