"""The sound of a text comes from a process of its own, whatever becomes of that."""

from __future__ import annotations

import asyncio
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from furoshiki.models.speech import synthesis, voices
from furoshiki.models.speech.synthesis import CannotSpeak
from furoshiki.models.speech.values import Voice
from tests.support.speakers import opus, piper_voice

NOBODY = Voice("espeak", "en-us", "en")

spoken = pytest.mark.skipif(find_spec("piper") is None, reason="the engine is in requirements/test.txt and speech.txt")


@pytest.fixture
def stands_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(synthesis, "PROGRAM", "tests.support.speakers")


async def test_a_program_that_breaks_says_why(stands_in: None) -> None:
    with pytest.raises(CannotSpeak, match=r"^speaking did not work: there is no sound card$"):
        await synthesis.synthesize(NOBODY, "hello")


async def test_a_program_that_never_ends_is_ended(stands_in: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(synthesis, "MOST_SECONDS", 0.2)
    with pytest.raises(CannotSpeak, match="name a smaller voice"):
        await synthesis.synthesize(NOBODY, "never")


async def test_it_ends_with_the_turn_that_wanted_it(stands_in: None, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[asyncio.subprocess.Process] = []
    start = asyncio.create_subprocess_exec

    async def begun(*args: str, **named: object) -> asyncio.subprocess.Process:
        started.append(await start(*args, **named))  # type: ignore[arg-type]
        return started[0]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", begun)
    speaking = asyncio.create_task(synthesis.synthesize(NOBODY, "never"))
    while not started:
        await asyncio.sleep(0)
    speaking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await speaking
    assert started[0].returncode is not None


async def test_a_process_that_cannot_be_started_breaks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(CannotSpeak, match="no process could be started"):
        await synthesis.synthesize(NOBODY, "hello")


@spoken
async def test_the_plain_voice_speaks_with_nothing_but_the_package() -> None:
    voice = voices.for_language(None, "de")
    assert voice is not None
    audio = await synthesis.synthesize(voice, "Guten Morgen, Robin. Heute wird es schön.")
    channels, rate, seconds = opus(audio.data)
    assert (channels, rate) == (1, 48_000)
    assert 1.5 < seconds < 6 and seconds == pytest.approx(audio.seconds, abs=0.05)


@spoken
async def test_a_voice_of_the_owners_says_sentence_by_sentence(tmp_path: Path) -> None:
    voice = voices.for_language(piper_voice(tmp_path), "en")
    assert voice is not None
    audio = await synthesis.synthesize(voice, "Good morning. How are you? I am well.")
    assert audio.seconds == pytest.approx(3 * (0.5 + 0.25), abs=0.05)  # hum and pause
    assert opus(audio.data)[:2] == (1, 48_000)


@spoken
async def test_what_is_begun_when_the_time_is_up_is_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(synthesis, "BUDGET_SECONDS", 0.0)
    voice = voices.for_language(piper_voice(tmp_path), "en")
    assert voice is not None
    audio = await synthesis.synthesize(voice, "Good morning. How are you? I am well.")
    assert audio.seconds == pytest.approx(0.75, abs=0.05)


@spoken
@pytest.mark.parametrize(
    ("voice", "words"),
    [
        (Voice("espeak", "nobody", "xx"), "eSpeak NG has no voice “nobody”"),
        (Voice("piper", "/nowhere/voice.onnx", "en"), r"the engine failed \(FileNotFoundError\)"),
    ],
)
async def test_a_voice_that_is_none_says_so_without_the_words(voice: Voice, words: str) -> None:
    with pytest.raises(CannotSpeak, match=words) as caught:
        await synthesis.synthesize(voice, "marzipan")
    assert "marzipan" not in str(caught.value)
