"""A listener that has started loads what every message needs, before the first one arrives."""

from __future__ import annotations

import gc
from dataclasses import replace

import pytest

from furoshiki.app import listener
from furoshiki.world import World


async def test_tables_are_loaded_and_left_out_of_searches_for_garbage(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "SETTLED_S", 0.0)
    loaded: list[str] = []

    def words(_told: str | None) -> object:
        loaded.append("words")
        return world.lexicon

    def caring() -> object:
        loaded.append("care")
        return world.care, world.helplines

    before = gc.get_freeze_count()
    try:
        await listener.settle(replace(world, words=words, caring=caring))  # type: ignore[arg-type]
        assert loaded == ["words", "care"]
        assert gc.get_freeze_count() > before
    finally:
        gc.unfreeze()
