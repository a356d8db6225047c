"""Which voice says what, and what is wrong with one that cannot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.errors import BadSetting
from furoshiki.core.settings import Settings
from furoshiki.maintenance import setup_check
from furoshiki.models.llm.plans import Plans
from furoshiki.models.speech import voices
from furoshiki.models.speech.values import Voice


def put(folder: Path, name: str, **about: Any) -> Path:
    """The files of a voice, without its network."""
    model = folder / f"{name}.onnx"
    model.write_bytes(b"")
    described = {"espeak": {"voice": "de"}, "audio": {"sample_rate": 22050}, **about}
    model.with_name(f"{model.name}.json").write_text(json.dumps(described))
    return model


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voices, "is_installed", lambda _data: True)


def test_without_a_voice_of_the_owners_the_plain_one_says_what_it_can_read() -> None:
    assert voices.for_language(None, "de") == Voice("espeak", "de", "de")
    assert voices.for_language(None, "ja") is None
    assert voices.for_language(None, voices.UNKNOWN) is None


def test_a_voice_says_what_is_in_its_language(tmp_path: Path) -> None:
    model = put(tmp_path, "thorsten")
    assert voices.for_language(model, "de") == Voice("piper", str(model), "de")
    assert voices.for_language(model, "en") is None


def test_of_a_folder_the_voice_of_the_language_speaks(tmp_path: Path) -> None:
    put(tmp_path, "a")
    english = put(tmp_path, "b", espeak={"voice": "en-gb-x-rp"})
    chinese = put(tmp_path, "c", espeak={"voice": "cmn"}, language={"family": "zh", "code": "zh_CN"})
    swedish = put(tmp_path, "d", espeak={"voice": "sv"})
    found = {one: voices.for_language(tmp_path, one) for one in ("en", "zh", "fr", voices.UNKNOWN)}
    assert {name: one and one.source for name, one in found.items()} == {
        "en": str(english),
        "zh": str(chinese),
        "fr": None,
        voices.UNKNOWN: str(swedish),
    }


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ({"phoneme_type": "pinyin"}, "needs more than comes with the engine (pinyin)"),
        ({"espeak": {}}, "does not describe a Piper voice"),
        ({"audio": None}, "does not describe a Piper voice"),
        ({"language": "de"}, "does not describe a Piper voice"),
    ],
)
def test_a_voice_that_cannot_speak_is_told(here: None, tmp_path: Path, about: dict[str, Any], words: str) -> None:
    model = put(tmp_path, "a", **about)
    with pytest.raises(BadSetting, match="FUROSHIKI_SPEECH_VOICE"):
        voices.for_language(model, "de")
    assert words in (voices.fault(model, tmp_path) or "")


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ("nowhere", "is no voice: name a Piper voice"),
        ("empty", "holds no voice: put a Piper voice"),
        ("alone.onnx", "alone.onnx.json is missing"),
        ("words.txt", "is no voice"),
    ],
)
def test_a_path_without_a_voice_is_told(here: None, tmp_path: Path, named: str, words: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "alone.onnx").write_bytes(b"")
    (tmp_path / "words.txt").write_bytes(b"")
    assert words in (voices.fault(tmp_path / named, tmp_path) or "")


def test_a_check_of_the_set_up_says_so(here: None, tmp_path: Path) -> None:
    def faults() -> list[str]:
        settings = Settings(furoshiki_data=tmp_path, furoshiki_speech_voice=tmp_path / "voices")
        return setup_check.faults(settings, Plans({}))

    (tmp_path / "voices").mkdir()
    assert any("holds no voice" in one for one in faults())
    put(tmp_path / "voices", "a")
    assert faults() == []


def test_a_voice_without_its_engine_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(voices, "is_installed", lambda _data: False)
    assert voices.fault(None, tmp_path) is None
    assert "requirements/speech.txt" in (voices.fault(put(tmp_path, "a"), tmp_path) or "")
