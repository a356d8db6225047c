"""Two hosts over the same homes never both answer: every chat shows one reply for each of its messages."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from furoshiki.app.wiring import SystemClock
from furoshiki.host import homes
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import TelegramEmulator
from tests.faults.host_killing import WithoutVectors
from tests.faults.host_racing import LEASE_SECONDS, HostRacing
from tests.support.postgres import Postgres, _server, postgres

__all__ = ["_server", "postgres"]
pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.nightly]

ROUNDS = int(os.environ.get("FUROSHIKI_HOST_RACES", "5"))
"""More of them: FUROSHIKI_HOST_RACES=100."""
HOMES = 6


def test_two_nodes_never_both_answer(
    tmp_path: Path, telegram: TelegramEmulator, llm: LLMEmulator, postgres: Postgres
) -> None:
    root = tmp_path / "homes"
    names = [f"home-{number}" for number in range(HOMES)]
    homes.add(root, names[0], SystemClock().now())
    for name in names[1:]:
        shutil.copytree(root / names[0], root / name)
    settings = {"FUROSHIKI_HOST_DATABASE": postgres.url, "FUROSHIKI_HOST_LEASE_SECONDS": str(LEASE_SECONDS)}
    with WithoutVectors(tmp_path / "data", telegram, llm, **settings) as program:
        racing = HostRacing(program, (root, tmp_path / "mounted"), names, telegram, llm, postgres, seed=7)
        outcome = racing.race(ROUNDS)
    changes = postgres.value("SELECT max(fence) - 1 FROM furoshiki_leases")
    print(f"{outcome}, handed over {changes} times")
    assert outcome.sent > ROUNDS and changes >= ROUNDS // 5
    assert outcome.clean, outcome
