"""A model that asks `recall` for a day gets what its person said then, and nothing else."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from furoshiki.core.database import kv
from furoshiki.core.timestamps import stamp
from furoshiki.memory.store import tombstones
from furoshiki.messages.store import sessions, turns
from furoshiki.messages.store.sessions import SessionDocument
from furoshiki.world import World
from tests.support.rows import companion_said, user_said
from tests.support.world import Human, Script, ToolCall

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)


async def recalled(human: Human, model: Script, on: str, query: str = "what was said", **more: Any) -> str:
    """What a mind is shown that recalls a day."""
    model.lines = [ToolCall("1", "recall", {"query": query, "on": on, **more}), "I see."]
    await human.says("go on")
    return str(json.loads(model.questions[-1].messages[-1].text)["result"])


def told(world: World, *texts: str, at: datetime = NOON) -> list[int]:
    with world.database.write() as db:
        return [turns.add(db, user_said(text, at + timedelta(minutes=place))) for place, text in enumerate(texts)]


async def test_a_day_is_read_in_its_order(world: World, human: Human, model: Script) -> None:
    first, second = told(world, "I planted three tulips", "Ben came by for tea")
    told(world, "Nobody came on Thursday", at=NOON - timedelta(days=1))
    told(world, "Nobody came on Saturday", at=NOON + timedelta(days=1))
    with world.database.write() as db:
        turns.add(db, companion_said("Tulips are a fine choice.", NOON))
        sessions.add(db, SessionDocument("s1", NOON, NOON, ("garden", "Ben"), "the whole of it", None, None))
    assert (await recalled(human, model, "2026-03-20")).splitlines() == [
        f"[turn:{first} · 20 March 2026 · user] I planted three tulips",
        f"[turn:{second} · 20 March 2026 · user] Ben came by for tea",
        "[subjects that day] garden, Ben",
    ]


async def test_of_a_long_day_what_fits_the_query_comes_first_then_the_fullest(
    world: World, human: Human, model: Script
) -> None:
    told(world, "I planted three tulips", "The soup was too hot to eat for ages", "My tooth hurt", "It rained all day")
    shown = await recalled(human, model, "2026-03-20", query="aching tooth", k=2)
    assert [line.partition("] ")[2] for line in shown.splitlines()[:2]] == [
        "The soup was too hot to eat for ages",
        "My tooth hurt",
    ]
    assert shown.endswith("[2 more messages that day]")


async def test_an_empty_day_says_so_and_names_the_day_before(world: World, human: Human, model: Script) -> None:
    assert await recalled(human, model, "2026-03-20") == "They said nothing on 2026-03-20."
    told(world, "I planted three tulips", at=NOON - timedelta(days=4))
    assert await recalled(human, model, "2026-03-20") == (
        "They said nothing on 2026-03-20. The last day before is 2026-03-16."
    )


async def test_what_may_have_to_be_forgotten_is_left_out(world: World, human: Human, model: Script) -> None:
    [held, _] = told(world, "I lost a gold ring", "I planted three tulips")
    with world.database.write() as db:
        sessions.add(db, SessionDocument("s1", NOON, NOON, ("gold ring",), "the whole of it", None, None))
        kv.put(db, tombstones.ASKED, {"at": stamp(world.now), "names": [f"turn:{held}"]}, world.now)
    shown = await recalled(human, model, "2026-03-20")
    assert "tulips" in shown and "ring" not in shown


async def test_a_day_out_of_the_calendar_is_refused(human: Human, model: Script) -> None:
    for on in ("9999-12-31", "0001-01-01", "yesterday"):
        assert "on" in await recalled(human, model, on)
