"""`furoshiki up --single`: listener and brain in one process, as at home in every way."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e import processes
from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import TelegramEmulator
from tests.support.ports import answers, free_port

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def test_it_answers_runs_its_jobs_and_goes_within_five_seconds(
    tmp_path: Path, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    with Program(tmp_path / "data", telegram, llm) as program:
        _lives(program, telegram)


def _lives(program: Program, telegram: TelegramEmulator) -> None:
    program.run("migrate")
    (program.data / "memory" / "schedules.json").write_text(
        '{"jobs": [{"name": "soul_engine", "when": "every 2 seconds"}]}'
    )
    port = free_port()
    program.set(FUROSHIKI_DASHBOARD="on", FUROSHIKI_DASHBOARD_PORT=str(port))
    up = program.listening("up", "--single")
    telegram.say("message 1")
    telegram.wait_for(lambda: len(telegram.replies()) == 1)
    ticks = "SELECT count(*) FROM run_log WHERE script = 'soul_engine' AND exit_code = 0"
    program.wait_for(lambda: program.value(ticks), what="a job")
    assert not [pid for pid in program.processes() if processes.command(pid).endswith("furoshiki brain")]
    assert program.process("listen --with-brain")
    assert not [pid for pid in program.processes() if processes.command(pid).endswith("furoshiki dashboard")]
    program.wait_for(lambda: answers(port), what="the dashboard, inside the same process")
    assert up.stop() == 0
    assert not [pid for pid in program.processes() if "--with-brain" in processes.command(pid)]
