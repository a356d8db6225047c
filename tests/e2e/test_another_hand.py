"""The other side written by somebody else: `stubllm`, a published stand-in for the providers' interfaces.

Our own emulator could share our misunderstandings; this one has its own.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.program import KEY
from tests.emulators.telegram import TelegramEmulator
from tests.support.forked_program import ForkedProgram

pytestmark = pytest.mark.e2e

ANYTHING, SISTER = "I hear you.", "Anika, isn't it? How is she?"

FIXTURES = f"""
fixtures:
  - name: "sister"
    match:
      messages:
        - role: user
          content:
            contains: "sister"
    response:
      content: "{SISTER}"
  - name: "anything"
    match: {{}}
    response:
      content: "{ANYTHING}"
"""


@pytest.fixture
def stub(tmp_path: Path) -> Iterator[str]:
    """The address of a running stubllm."""
    fixtures = tmp_path / "fixtures.yaml"
    fixtures.write_text(FIXTURES, encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = "from stubllm.cli import cli; cli()"
    arguments = ["serve", "--port", str(port), "--fixture-file", str(fixtures), "--log-level", "warning"]
    process = subprocess.Popen([sys.executable, "-c", command, *arguments], stdin=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait(10)


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_conversation_through_a_stand_in_we_did_not_write(
    tmp_path: Path, telegram: TelegramEmulator, stub: str, provider: str
) -> None:
    own = (
        {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"{stub}/v1", "FUROSHIKI_MODEL_CHAT": "openai:gpt-4o"}
        if provider == "openai"
        else {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": stub, "FUROSHIKI_MODEL_CHAT": "anthropic:claude-x"}
    )
    with ForkedProgram(tmp_path / "data", telegram, None, **own) as program:
        program.listening("listen")
        telegram.say("good morning")
        program.wait_quiet()
        telegram.say("my sister called")
        program.wait_quiet()
        assert telegram.replies() == [_streamed(text, provider) for text in (ANYTHING, SISTER)]
        providers = {row["provider"] for row in program.rows("SELECT provider FROM llm_calls WHERE error IS NULL")}
        assert providers == {provider}


def _streamed(text: str, provider: str) -> str:
    """What stubllm 0.1.5 sends: it leaves out the last word of an Anthropic stream, and the rest is an answer."""
    return text.rsplit(" ", 1)[0] if provider == "anthropic" else text
