"""Voice notes are answered with voice by the real program over Telegram: killed anywhere on the way there, it answers
each once, in one message that is said and written."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.core.process.crash_points import CRASHED
from furoshiki.memory.perception import speech_to_text
from furoshiki.models.speech import synthesis, voices
from tests.emulators.telegram import TelegramEmulator
from tests.support.forked_program import ForkedProgram, command
from tests.support.speakers import SOUND, Speaker

pytestmark = [pytest.mark.faults, pytest.mark.slow]

POINTS = ["speech.made", "turn.after_commit", "outbox.claimed", "outbox.sent"]


def hearing_and_speaking(*args: str) -> None:
    """`furoshiki …` with engines that stand in for those of the extras."""

    async def transcribe(data: bytes, _model: Path, _packages: Path) -> str:
        return data.decode()

    setattr(speech_to_text, "model", lambda _world: Path("/models/whisper"))  # noqa: B010 - in this process alone
    setattr(speech_to_text, "transcribe", transcribe)  # noqa: B010
    setattr(voices, "is_installed", lambda _data: True)  # noqa: B010
    setattr(synthesis, "synthesize", Speaker())  # noqa: B010
    command(*args)


class Talking(ForkedProgram):
    """One installation that hears and speaks."""

    work = staticmethod(hearing_and_speaking)


def test_a_voice_note_is_answered_with_one_voice_message_wherever_it_dies(tmp_path: Path) -> None:
    with TelegramEmulator() as telegram, Talking(tmp_path / "data", telegram) as program:
        program.listening()
        telegram.say("/voice on")
        telegram.wait_for(lambda: "I answer your voice notes with voice" in " ".join(telegram.replies()))
        before = len(telegram.replies())
        program.running[-1].stop()
        for number, point in enumerate(POINTS):
            dying = program.listening(FUROSHIKI_CRASH_AT=point)
            telegram.voice(f"I have {number + 2} xylophones".encode())
            assert dying.wait() == CRASHED, point
            after = program.listening()
            _answered(telegram, before + number + 1)
            program.wait_quiet()
            assert len(telegram.replies()) == before + number + 1, point
            after.stop()
        spoken = [one for one in telegram.chat() if one.author == "bot"][before:]
        assert [(one.kind, one.data) for one in spoken] == [("voice", SOUND.data)] * len(POINTS)
        said = program.rows("SELECT text FROM turns WHERE speaker='companion' AND kind='text' ORDER BY id")
        assert [one.text for one in spoken] == [row[0] for row in said][-len(POINTS) :]
        assert program.value("SELECT count(*) FROM outbox WHERE json_extract(extra, '$.data') IS NOT NULL") == 0


def _answered(telegram: TelegramEmulator, count: int) -> None:
    telegram.wait_for(lambda: len(telegram.replies()) >= count)
