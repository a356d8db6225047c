"""The same world as the use cases' tests: whole prompts are rendered by a turn, not by hand."""

from __future__ import annotations

from tests.mind.conftest import clock, human, model, stage, world

__all__ = ["clock", "human", "model", "stage", "world"]
