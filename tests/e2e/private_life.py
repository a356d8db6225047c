"""A whole start, a conversation, and every script: what is traced to see where the program writes and whom it calls.

    python -m tests.e2e.private_life DATA

Meant for a network namespace of its own in which there is nothing but loopback; the emulators are in it too.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from furoshiki.app.jobs import JOBS
from furoshiki.core.paths import ROOT
from tests.e2e.program import PATIENCE_SECONDS, Program
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import TelegramEmulator

TALK = (
    "my sister Anika lives in Lisbon and I am so happy that she visits",
    "remind me to call Anika tomorrow at 9",
    "my father died this morning",
)
NO_JOB = ("install", "lock", "doctor", "host_doctor")
"""What in scripts/ is of the installation and of the maintainers, and asks a package index; and the doctors, who are no
jobs."""


def main(data: Path) -> int:
    """Live through it; 0 when everything ran. Prints which scripts had something to do, as one line of JSON."""
    with contextlib.ExitStack() as open_until_done:
        telegram = open_until_done.enter_context(TelegramEmulator())
        llm = open_until_done.enter_context(LLMEmulator())
        program = open_until_done.enter_context(Program(data, telegram, llm))
        _talk_over_telegram(program, telegram)
        for command in (["chat", "--once", "where does my sister live?"], ["status"], ["memory", "search", "Lisbon"]):
            _succeed(program.run(*command, timeout=PATIENCE_SECONDS))
        did = _scripts(program)
        _doctor(program)
        _succeed(program.run("memory", "export", timeout=PATIENCE_SECONDS))
        _succeed(program.run("memory", "forget", "Anika", "--yes", timeout=PATIENCE_SECONDS))
    print(json.dumps(did))
    return 0


def _talk_over_telegram(program: Program, telegram: TelegramEmulator) -> None:
    up = program.listening("up", timeout=PATIENCE_SECONDS)
    for number, text in enumerate(TALK, 1):
        telegram.say(text)
        telegram.wait_for(lambda expected=number: len(telegram.replies()) >= expected)  # type: ignore[misc]
    program.wait_quiet()
    up.stop()


def _scripts(program: Program) -> dict[str, bool]:
    """Each script as the brain would start it, on the Wednesday of next week; whether it had anything to do."""
    moment = datetime.now(UTC).replace(hour=10, minute=30) + timedelta(days=7)
    moment += timedelta(days=(2 - moment.weekday()) % 7)
    did = {}
    for script in sorted((ROOT / "scripts").glob("*.py")):
        if script.stem in NO_JOB:
            continue
        done = subprocess.run(
            [sys.executable, "-P", str(script), *_named(script.stem), "--json", "--now", moment.isoformat()],
            env=program.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        _succeed(done)
        did[script.stem] = bool(json.loads(done.stdout)["did"])
    return did


def _named(script: str) -> list[str]:
    """What a script is called with that is called with anything: the plugin that tells, at its first entry point."""
    return ["nobody", "1"] if JOBS[script].takes else []


def _doctor(program: Program) -> None:
    """As the timer starts it, but for what only a machine with somebody at it has."""
    looked = [sys.executable, "-I", "-S", str(ROOT / "scripts" / "doctor.py"), "--json"]
    done = subprocess.run(
        looked, env=program.environment, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
    )
    assert done.returncode in (0, 1, 2) and json.loads(done.stdout), f"{done.stdout}\n{done.stderr}"


def _succeed(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, f"{done.args} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
