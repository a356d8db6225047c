"""What the owner has forgotten is gone in everybody's place; what a member has forgotten is gone in theirs alone."""

from __future__ import annotations

import json

import pytest

from furoshiki.conversation.commands import forget as words
from furoshiki.faces.cli import context
from furoshiki.faces.cli.memory import forget
from furoshiki.faces.cli.parser import build
from furoshiki.world import World
from tests.support.people import Somebody, held


async def asked(who: Somebody, what: str) -> str:
    """What it shows before anything goes."""
    return (await who.says(f"/forget {what}"))[-1]


async def tell(owner: Somebody, member: Somebody) -> None:
    await owner.says("my secret word is quicksilver")
    await member.says("Ada told me that her secret word is quicksilver")
    await member.says("I like tea")


async def test_the_owners_word_reaches_every_place(owner: Somebody, member: Somebody) -> None:
    await tell(owner, member)
    question = await asked(owner, "quicksilver")
    assert f"From what is kept about Bea ({member.place.who.place}):" in question
    assert "Ada told me that her secret word" in question
    assert (await owner.says("/forget yes"))[-1].startswith("Forgotten: ")
    for place in (owner.world, member.place):
        assert "quicksilver" not in held(place)
    assert "tea" in held(member.place)


async def test_what_only_a_member_said_is_reached_too_and_nothing_goes_before_the_yes(
    owner: Somebody, member: Somebody
) -> None:
    await member.says("the combination of the safe is blue-heron")
    assert "blue-heron" in await asked(owner, "blue-heron")
    assert (await owner.says("/forget no"))[-1] == words.KEPT
    assert "blue-heron" in held(member.place)
    await asked(owner, "blue-heron")
    await owner.says("/forget yes")
    assert "blue-heron" not in held(member.place)


async def test_what_was_said_there_meanwhile_is_shown_first(owner: Somebody, member: Somebody) -> None:
    await tell(owner, member)
    await asked(owner, "quicksilver")
    await member.says("quicksilver, as I said, is her word")
    assert (await owner.says("/forget yes"))[-1].startswith("Something was added in the meantime.")
    assert "quicksilver" in held(member.place)
    await owner.says("/forget yes")
    assert "quicksilver" not in held(member.place)


async def test_a_day_is_the_owners_own_unless_a_place_is_named(owner: Somebody, member: Somebody) -> None:
    await tell(owner, member)
    assert "tea" not in await asked(owner, "today")
    assert "tea" in await asked(owner, f"--person {member.place.who.place} today")
    await owner.says("/forget yes")
    assert "tea" not in held(member.place) and "quicksilver" in held(owner.world)
    assert await asked(owner, "--person nobody tea") == "I found nothing that says that."
    assert await asked(owner, f"--person {member.place.who.place}") == words.HOW


async def test_a_member_reaches_their_own_place_alone(owner: Somebody, member: Somebody) -> None:
    await tell(owner, member)
    await asked(member, "quicksilver")
    await member.says("/forget yes")
    assert "quicksilver" not in held(member.place)
    assert "quicksilver" in held(owner.world)


async def test_the_command_line_reaches_every_place_too(
    owner: Somebody, member: Somebody, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    await tell(owner, member)
    place = str(member.place.who.place)

    def world() -> World:
        return owner.world

    monkeypatch.setattr(context, "world", world)
    args = build().parse_args(["memory", "forget", "quicksilver", "--yes", "--json"])
    assert forget.run(args) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["text"] for one in told["others"][place]["turns"]][:1] == [
        "Ada told me that her secret word is quicksilver"
    ]
    assert "quicksilver" not in held(member.place) + held(owner.world)
