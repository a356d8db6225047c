"""The console over a real database and a scripted model, in one process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from furoshiki.channels.console.dialogue import Talk
from furoshiki.channels.local.live_reply import MemoryBoard, stage
from furoshiki.world import World
from tests.support import world as shared

clock, model, world = shared.clock, shared.model, shared.world


@pytest.fixture(name="stage")
def unwatched() -> shared.Watched:
    """The stage of the shared world, which the console replaces by its own."""
    return shared.Watched()


@pytest.fixture
def board() -> MemoryBoard:
    return MemoryBoard()


@pytest.fixture
def console_world(world: World, board: MemoryBoard) -> World:
    return replace(world, stage=lambda envelope: stage(world.settings.data / "run", envelope, board))


@pytest.fixture
def talk(console_world: World, board: MemoryBoard) -> Iterator[Talk]:
    with Talk(console_world, board) as talk:
        yield talk
