"""kill -9 of a host with twenty homes on one bot: every chat shows one reply for each of its messages, and no other."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from furoshiki.app.wiring import SystemClock
from furoshiki.host import homes
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import TelegramEmulator
from tests.faults.host_killing import HostKilling, WithoutVectors
from tests.support import extent

pytestmark = [pytest.mark.faults, pytest.mark.slow]


KILLS = int(os.environ.get("FUROSHIKI_HOST_KILLS", str(extent.times(40, 4))))
"""More of them: FUROSHIKI_HOST_KILLS=200."""
HOMES = 20


def test_nothing_is_lost_doubled_or_said_to_somebody_else(
    tmp_path: Path, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    root = tmp_path / "homes"
    names = [f"home-{number}" for number in range(HOMES)]
    homes.add(root, names[0], SystemClock().now())
    for name in names[1:]:
        shutil.copytree(root / names[0], root / name)
    with WithoutVectors(tmp_path / "data", telegram, llm, FUROSHIKI_HOMES=str(root)) as program:
        outcome = HostKilling(program, root, names, telegram, llm, seed=11).run(KILLS)
    print(outcome)
    assert outcome.sent > KILLS
    assert outcome.clean, outcome
