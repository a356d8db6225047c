"""Speech to text on this machine, where an engine and a model are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from furoshiki.models.speech import engine_process, shelf
from furoshiki.models.speech.engine_process import EngineFailed

if TYPE_CHECKING:
    from furoshiki.world import World

PROGRAM = "furoshiki.models.speech.recognizer"

SPOKEN_KINDS = frozenset({"voice", "video_note"})
"""What a person says with their own mouth."""

MOST_SECONDS = 300.0
"""After this time the process that hears is ended."""

INSTALL = "run `.venv/bin/pip install -r requirements/voice.txt` where Furoshiki lies, or tap the button of /voice"


def fault(model: Path | None, data: Path) -> str | None:
    """What is wrong with the engine or the model that was named; None when nothing is, or none was named."""
    if model is None:
        return None
    if not shelf.has_engine(data, "hearing"):
        return f"FUROSHIKI_VOICE_MODEL is set, and the engine for it is not installed: {INSTALL}"
    if not (model.expanduser() / "model.bin").is_file():
        return (
            f"FUROSHIKI_VOICE_MODEL: {model} holds no model.bin: name a folder with a Whisper model in CTranslate2's "
            "form, or leave it empty, and /voice fetches one"
        )
    return None


def model(world: World) -> Path | None:
    """The folder of the model that hears here: the one that was named, or the one that was fetched; None when nothing
    hears yet."""
    if not shelf.has_engine(world.home, "hearing"):
        return None
    if world.settings.furoshiki_voice_model is not None:
        return world.settings.furoshiki_voice_model.expanduser()
    found = shelf.find_hearing_model(world.home)
    return None if found is None else found[1]


async def transcribe(data: bytes, model: Path, packages: Path) -> str:
    """The words in an audio file, heard with a model and the engine that is installed or lies in `packages`. Raises
    RuntimeError when none come of it."""
    try:
        words = await engine_process.ask(PROGRAM, f"{model}\n".encode() + data, MOST_SECONDS, packages)
    except TimeoutError:
        raise RuntimeError(f"hearing it took more than {MOST_SECONDS:g} s") from None
    except EngineFailed as error:
        raise RuntimeError(str(error)) from None
    return words.decode("utf-8", "replace")
