"""Speech to text on this machine, when the optional engine is installed. The one function behind it is `transcribe`."""

from __future__ import annotations

import importlib.util
import io
from pathlib import Path

INSTALL = "run `.venv/bin/pip install -r requirements/voice.txt` where Furoshiki lies"
WHERE_FROM = "a folder that holds a Whisper model, such as the files of huggingface.co/Systran/faster-whisper-small"
HOW_TO = f"{INSTALL}, and name {WHERE_FROM} in FUROSHIKI_VOICE_MODEL"


def fault(model: Path | None) -> str | None:
    """What is wrong with the engine or the model that was named; None when nothing is, or none was named."""
    if model is None:
        return None
    if importlib.util.find_spec("faster_whisper") is None:
        return f"FUROSHIKI_VOICE_MODEL is set, and the engine for it is not installed: {INSTALL}"
    if not (model.expanduser() / "model.bin").is_file():
        return f"FUROSHIKI_VOICE_MODEL: {model} holds no model.bin: put {WHERE_FROM} there"
    return None


def ready(model: Path | None) -> bool:
    """Whether an engine is installed and the owner has named a model for it."""
    return model is not None and importlib.util.find_spec("faster_whisper") is not None


def transcribe(data: bytes, model: Path) -> str:
    """The words in an audio file. RuntimeError when the engine or its model cannot be used."""
    from faster_whisper import WhisperModel

    engine = WhisperModel(str(model), device="cpu", compute_type="int8", local_files_only=True)
    segments, _info = engine.transcribe(io.BytesIO(data))
    return " ".join(segment.text.strip() for segment in segments).strip()
