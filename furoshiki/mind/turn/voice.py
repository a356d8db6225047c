"""Speech to text on this machine, when the optional engine is installed. The one function behind it is `transcribe`."""

from __future__ import annotations

import importlib.util
import io
from pathlib import Path

HOW_TO = (
    "install the voice extra (`pip install furoshiki[voice]`) "
    "and name a Whisper model's folder in FUROSHIKI_VOICE_MODEL"
)


def ready(model: Path | None) -> bool:
    """Whether an engine is installed and the owner has named a model for it."""
    return model is not None and importlib.util.find_spec("faster_whisper") is not None


def transcribe(data: bytes, model: Path) -> str:
    """The words in an audio file. RuntimeError when the engine or its model cannot be used."""
    from faster_whisper import WhisperModel

    engine = WhisperModel(str(model), device="cpu", compute_type="int8", local_files_only=True)
    segments, _info = engine.transcribe(io.BytesIO(data))
    return " ".join(segment.text.strip() for segment in segments).strip()
