"""Both emulators, and the program between them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import TelegramEmulator
from tests.support.forked_program import ForkedProgram


@pytest.fixture
def telegram() -> Iterator[TelegramEmulator]:
    with TelegramEmulator() as emulator:
        yield emulator


@pytest.fixture
def llm() -> Iterator[LLMEmulator]:
    with LLMEmulator() as emulator:
        yield emulator


@pytest.fixture
def program(tmp_path: Path, telegram: TelegramEmulator, llm: LLMEmulator) -> Iterator[ForkedProgram]:
    """Installed, configured, and not started. What it said is printed; pytest shows it when a test fails."""
    with ForkedProgram(tmp_path / "data", telegram, llm) as found:
        yield found
        print(found.picture())
