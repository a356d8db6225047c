"""What can be fetched is pinned, and what fits is taken; what is here is known and can be removed wholly."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from furoshiki.core.catalogue import languages
from furoshiki.core.paths import ROOT
from furoshiki.extensions.plugins.rules import locks
from furoshiki.models.speech import downloads
from furoshiki.models.speech.downloads import Model, Use

GB = 1024**3


def machine(monkeypatch: pytest.MonkeyPatch, memory: float, cores: int) -> None:
    values = {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": int(memory * GB) // 4096}
    monkeypatch.setattr(os, "sysconf", values.__getitem__)
    monkeypatch.setattr(os, "cpu_count", lambda: cores)


@pytest.mark.parametrize(
    "model", [*downloads.models("hearing"), *downloads.models("speaking")], ids=lambda one: one.name
)
def test_every_file_is_pinned_and_licensed(model: Model) -> None:
    assert model.licence and model.languages and model.parts
    for part in model.parts:
        assert part.remote.url.startswith("https://") and part.remote.size > 0
        assert re.fullmatch(r"[0-9a-f]{64}", part.remote.sha256)
        assert re.search(r"/[0-9a-f]{40}/|/[0-9a-f]{60}/", part.remote.url), "the address names one version"
        assert re.fullmatch(r"[A-Za-z0-9][\w.-]*", part.name)


@pytest.mark.parametrize("use", ["hearing", "speaking"])
def test_the_packages_of_an_engine_stand_in_the_lock_with_their_digests(use: Use) -> None:
    engine = downloads.engine(use)
    found = locks.pick_packages((ROOT / engine.lock).read_text(encoding="utf-8"), engine.packages)
    assert {one.name for one in found} == set(engine.packages)
    assert all(one.hashes for one in found)


def test_every_language_that_is_spoken_here_can_be_heard() -> None:
    assert all(downloads.best("hearing", code) for code in languages())


@pytest.mark.parametrize(
    ("memory", "cores", "language", "name"),
    [
        (0.5, 1, "en", "Whisper tiny.en"),
        (0.5, 1, "de", "Whisper tiny"),
        (2, 2, "de", "Whisper base"),
        (2, 2, "en", "Whisper base"),
        (8, 2, "fr", "Whisper base"),
        (8, 4, "fr", "Whisper small"),
    ],
)
def test_the_largest_that_a_machine_can_bear_is_taken(
    monkeypatch: pytest.MonkeyPatch, memory: float, cores: int, language: str, name: str
) -> None:
    machine(monkeypatch, memory, cores)
    found = downloads.best("hearing", language)
    assert found is not None and found.name == name


@pytest.mark.parametrize(("language", "name"), [("en", "Whisper tiny.en"), ("de", "Whisper tiny")])
def test_where_the_largest_does_not_come_the_smallest_is_there(
    monkeypatch: pytest.MonkeyPatch, language: str, name: str
) -> None:
    machine(monkeypatch, 2, 2)
    best = downloads.best("hearing", language)
    assert best is not None
    least = downloads.smallest("hearing", language, best)
    assert least is not None and least.name == name and downloads.smallest("hearing", language, least) is None


def test_a_language_without_a_voice_of_its_own_has_none_to_fetch() -> None:
    assert downloads.best("speaking", "tr") is None
    german = downloads.best("speaking", "de")
    assert german is not None and german.name == "Thorsten"


def test_what_was_fetched_is_known_weighed_and_removed(tmp_path: Path) -> None:
    assert downloads.find_hearing_model(tmp_path) is None and downloads.voices(tmp_path) is None
    assert downloads.measure(tmp_path) == 0 and downloads.remove(tmp_path) == 0
    for model in downloads.models("hearing")[1:3]:
        place = downloads.place(tmp_path, "hearing", model)
        place.mkdir(parents=True)
        (place / "model.bin").write_bytes(b"12345")
    heard = downloads.find_hearing_model(tmp_path)
    assert heard is not None and heard[0].name == "Whisper base"
    assert downloads.remove(tmp_path) == 10
    assert not (tmp_path / downloads.FOLDER).exists() and downloads.find_hearing_model(tmp_path) is None
