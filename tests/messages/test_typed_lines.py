"""What was typed at the terminal is searched and reached by forgetting, and by nothing else."""

from __future__ import annotations

import dataclasses

import pytest

from furoshiki.messages import typed_lines
from furoshiki.world import World
from tests.support.world import Human


@pytest.fixture
def console(world: World, human: Human) -> Human:
    return dataclasses.replace(human, channel="console", chat_id="console", sent=50)


async def typed(world: World, console: Human, text: str) -> list[str]:
    """Type a line as the terminal does: kept among those typed, then said."""
    typed_lines.add(world.settings.data, [text])
    return await console.says(text)


async def test_a_message_that_goes_takes_its_line_along(world: World, console: Human) -> None:
    await typed(world, console, "I took the last biscuit")
    await typed(world, console, "it rains")
    [question] = await console.says("/forget turn:1")
    assert "1 line of console-history" in question
    await console.says("yes")
    assert typed_lines.read(world.settings.data) == ["it rains"]


async def test_a_line_that_was_never_a_message_is_found_by_its_words(world: World, console: Human) -> None:
    typed_lines.add(world.settings.data, ["/remind tomorrow pay Quentin", "good morning"])
    [question] = await console.says("/forget Quentin")
    assert question.startswith("This would be gone for good:")
    [done] = await console.says("yes")
    assert done.endswith("1 file.")
    assert typed_lines.read(world.settings.data) == ["good morning"]


async def test_each_line_of_a_pasted_message_goes(world: World, console: Human) -> None:
    await typed(world, console, "the first thing\nthe second thing")
    assert len(typed_lines.read(world.settings.data)) == 2
    await console.says("forget that, please")
    await console.says("yes")
    assert typed_lines.read(world.settings.data) == []


async def test_everything_takes_all_of_them(world: World, console: Human) -> None:
    typed_lines.add(world.settings.data, ["something of long ago"])
    await console.says("hello")
    await console.says("delete all my data")
    await console.says("yes")
    assert not (world.settings.data / typed_lines.FILE).exists()


def test_only_so_many_are_kept(world: World) -> None:
    typed_lines.add(world.settings.data, [f"line {number}" for number in range(typed_lines.MOST + 5)])
    kept = typed_lines.read(world.settings.data)
    assert (len(kept), kept[0]) == (typed_lines.MOST, "line 5")
    assert (world.settings.data / typed_lines.FILE).stat().st_mode & 0o077 == 0
