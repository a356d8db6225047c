"""Dates that nobody can mean: refused where they come in, and harmless where an older database holds them."""

from __future__ import annotations

import json

import pytest

from furoshiki.archive.forgetting import forgetting
from furoshiki.archive.import_export.formats import chatgpt, claude, telegram
from furoshiki.archive.import_export.formats.values import Bad, Reading
from furoshiki.conversation.commands import registry
from furoshiki.language.humanize import clock, day
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import accounts, turns
from furoshiki.messages.values import USER, NewTurn
from furoshiki.recall.retrieval.recall import recall
from furoshiki.world import World
from tests.support.commands import envelope
from tests.support.importing import import_lines
from tests.support.world import Human, Script

ODD = ("0001-01-01T00:00:00.000000+00:00", "9999-12-31T23:59:59.999999+00:00")


@pytest.fixture(params=ODD)
def odd(world: World, request: pytest.FixtureRequest) -> str:
    """A turn and a fact with an impossible date, as an older version took them in."""
    with world.database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", world.now, "Ines")
        turn = turns.add(db, NewTurn("s1", "telegram", "7", USER, "The lighthouse keeper sold his boat.", world.now))
        memories.add(db, NewMemory("semantic", "The keeper sold the lighthouse boat", (turn,)), world.now)
        db.execute("UPDATE turns SET at=?", (request.param,))
        for column in ("created_at", "valid_from", "valid_to", "event_time"):
            db.execute(f"UPDATE memories SET {column}=?", (request.param,))
    return str(request.param)


async def test_it_is_recalled_shown_and_forgotten(odd: str, world: World) -> None:
    found = recall(world, "lighthouse boat", k=5, now=world.now)
    assert found
    for one in found:
        assert day(one.at, world.zone) and clock(one.at, world.zone, world.now)
    for line in ("memory", "memory lighthouse"):
        name, _, args = line.partition(" ")
        words = await registry.run(world, name, args, envelope())
        assert words is not None and words.text
    for what in ("lighthouse", "0001-01-01 to 9999-12-31"):
        assert forgetting.look(world, what).turns
    gone = forgetting.look(world, "lighthouse")
    assert forgetting.forget(world, "lighthouse", gone.token) is not None
    assert not recall(world, "lighthouse boat", k=5, now=world.now)


async def test_a_turn_that_recalls_it_is_answered(odd: str, human: Human, model: Script) -> None:
    model.lines = ["He sold it, you said."]
    assert await human.says("what became of the lighthouse boat?") == ["He sold it, you said."]
    assert "lighthouse" in model.last_words


@pytest.mark.parametrize("at", ["0001-01-01T00:00", "9999-12-31T23:59:59Z", "9999-12-31"])
def test_an_import_takes_in_the_rest(at: str, world: World) -> None:
    good = {"session": "S1", "at": "2023-05-08T13:56", "speaker": "Ines", "text": "I sold the boat.", "id": "D1:1"}
    given = [json.dumps(one).encode() + b"\n" for one in ({**good, "id": "D1:0", "at": at}, good)]
    done = import_lines(world.database, given, "diary")
    assert (done.added, len(done.bad)) == (1, 1)
    assert "time" in done.bad[0].reason


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize("at", [NAN, INF, -INF, 10**30, -(10**12), "0001-01-01T00:00", 253402300799])
def test_a_chatgpt_message_at_no_time_is_one_bad_record(at: object) -> None:
    message = {"id": "m1", "author": {"role": "user"}, "content": {"parts": ["The boat."]}, "create_time": at}
    found = chatgpt._parse_message(message, "s", "t", "p", None)
    assert isinstance(found, Bad) and "create_time" in found.reason


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "NaN"])
def test_a_claude_message_at_no_time_is_one_bad_record(at: str) -> None:
    found = claude._parse_message(
        {"uuid": "m1", "sender": "human", "text": "The boat.", "created_at": at}, "s", "t", "p"
    )
    assert isinstance(found, Bad) and "created_at" in found.reason


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00", "9999-12-31T23:59:59", "999999999999999"])
def test_a_telegram_message_at_no_time_is_refused(at: str) -> None:
    for message in ({"date": at}, {"date_unixtime": at}):
        with pytest.raises(ValueError, match="not a time"):
            telegram._moment(message, "date", Reading().zone)
    assert telegram._moment({"date": "2023-05-08T13:56:00"}, "date", Reading().zone).year == 2023
