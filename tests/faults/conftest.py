"""The same emulators and the same program as the end-to-end tests, and the program in processes that cost no start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import llm, program, telegram
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import TelegramEmulator
from tests.support.forked_program import ForkedProgram

__all__ = ["forked_program", "llm", "program", "telegram"]


@pytest.fixture
def forked_program(tmp_path: Path, telegram: TelegramEmulator, llm: LLMEmulator) -> Iterator[ForkedProgram]:
    """Installed, configured, and not started, as `program` is."""
    with ForkedProgram(tmp_path / "data", telegram, llm) as found:
        yield found
        print(found.picture())
