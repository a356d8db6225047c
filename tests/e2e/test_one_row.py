"""A provider is added by one row: nothing else has to be told of it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from furoshiki.core.paths import ROOT
from tests.e2e.program import KEY, Program
from tests.emulators.llm import LLMEmulator

pytestmark = pytest.mark.e2e

ROW = """
import sys
from furoshiki.core.network import providers
providers.PROVIDERS += (
    providers.ProviderSpec(
        "echo", "Echo", "says it back", address=sys.argv.pop(1), keys_at="https://echo.example/keys",
        models={"chat": "test-model"}, by_key=True, lacks=frozenset({"stream_options"}),
        asked=(providers.Asked(send={"reasoning_effort": "low"}, room=77),),
    ),
)
from furoshiki.faces.cli.main import main
raise SystemExit(main())
"""


@pytest.fixture
def echo(program: Program) -> Program:
    program.set(OPENAI_API_KEY=None, OPENAI_BASE_URL=None, FUROSHIKI_MODEL_CHAT=None, ECHO_API_KEY=KEY)
    return program


def ran(program: Program, llm: LLMEmulator, *args: str) -> subprocess.CompletedProcess[str]:
    """A command of a program in which the row stands."""
    return subprocess.run(
        [sys.executable, "-c", ROW, llm.openai_url, *args],
        env=program.environment,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_turn_is_lived_with_a_provider_of_one_row(echo: Program, llm: LLMEmulator) -> None:
    said = ran(echo, llm, "chat", "--once", "good evening", "--json")
    assert said.returncode == 0, said.stderr
    assert "good evening" in said.stdout
    [asked, *_] = llm.asked
    assert asked.key == KEY
    assert "stream_options" not in asked.body and asked.body["reasoning_effort"] == "low"
    [call, *_] = echo.rows("SELECT * FROM llm_calls")
    assert (call["provider"], call["model"], call["error"]) == ("echo", "test-model", None)
    assert ran(echo, llm, "config", "check").returncode == 0
    shown = ran(echo, llm, "status", "--json").stdout + ran(echo, llm, "config", "show").stdout
    assert "test-model" in shown and "ECHO_API_KEY" in shown and KEY not in shown
    llm.offline()
    away = ran(echo, llm, "config", "check")
    assert away.returncode != 0 and "echo cannot be reached" in away.stdout + away.stderr
