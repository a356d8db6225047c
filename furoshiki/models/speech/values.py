"""Values of speech output for other rooms."""

from dataclasses import dataclass
from typing import Literal

# when a voice note is answered with voice: always, or if the answer is short plain text
Mode = Literal["on", "auto"]


@dataclass(frozen=True)
class Voice:
    """A voice: `source` is the .onnx file of a Piper voice, or the name of one of eSpeak NG's;
    `language` its code of two or three letters ("de")."""

    engine: Literal["piper", "espeak"]
    source: str
    language: str


@dataclass(frozen=True)
class Audio:
    """A voice message: an Ogg file with Opus in it, mono, and its length in seconds."""

    data: bytes
    seconds: float
