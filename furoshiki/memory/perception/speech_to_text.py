"""Speech to text: with a local engine and model, or by the provider that the owner chose."""

from __future__ import annotations

import logging
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING

from furoshiki.core.errors import FuroshikiError
from furoshiki.models.media.values import Maker, NotMade, Why
from furoshiki.models.speech import downloads, engine_process
from furoshiki.models.speech.engine_process import EngineFailed

if TYPE_CHECKING:
    from furoshiki.world import World

log = logging.getLogger(__name__)

PROGRAM = "furoshiki.models.speech.recognizer"

SPOKEN_KINDS = frozenset({"voice", "video_note"})  # recordings of a person's own speech
MOST_SECONDS = 300.0  # seconds after which the transcribing process is ended

# assumed if the length of a recording is unknown; about that of a Telegram voice note
BYTES_A_SECOND = 2_000

REMEMBERED = 8  # recordings whose text is cached, so that a restarted turn does not send them again

_WHYS: dict[Why, str] = {
    "declined": "{title} would not have it",
    "key": "{title} does not accept its key",
    "credit": "the account at {title} has no credit left",
    "model": "{title} knows no model {model} that hears",
    "away": "{title} cannot be reached",
    "slow": "{title} took too long",
    "busy": "{title} has too much to do",
    "budget": "the limit of the day is reached",
    "odd": "{title} answered with something else than words",
}

_heard: OrderedDict[tuple[Path, int], str] = OrderedDict()

INSTALL = "run `.venv/bin/pip install -r requirements/voice.txt` where Furoshiki lies, or tap the button of /voice"


def fault(model: Path | None, data: Path) -> str | None:
    """Return what is wrong with the configured engine or model, or None."""
    if model is None:
        return None
    if not downloads.has_engine(data, "hearing"):
        return f"FUROSHIKI_VOICE_MODEL is set, and the engine for it is not installed: {INSTALL}"
    if not (model.expanduser() / "model.bin").is_file():
        return (
            f"FUROSHIKI_VOICE_MODEL: {model} holds no model.bin: name a folder with a Whisper model in CTranslate2's "
            "form, or leave it empty, and /voice fetches one"
        )
    return None


def model(world: World) -> Path | None:
    """Return the folder of the local model (configured or downloaded); None if there is none."""
    if not downloads.has_engine(world.home, "hearing"):
        return None
    if world.settings.furoshiki_voice_model is not None:
        return world.settings.furoshiki_voice_model.expanduser()
    installed = downloads.find_hearing_model(world.home)
    return None if installed is None else installed[1]


def find_elsewhere(world: World) -> Maker | None:
    """Return the remote provider chosen for transcription, or None."""
    if world.media is None:
        return None
    return world.media.maker("hearing", world.settings.model_values())


def hears(world: World) -> bool:
    """Whether voice notes can be transcribed."""
    return model(world) is not None or find_elsewhere(world) is not None


async def hear(world: World, envelope_id: int, data: bytes, media_type: str, seconds: float | None) -> str:
    """Transcribe a recording: by the chosen provider; if that fails or none is chosen, locally.

    Raises RuntimeError if local transcription fails, FuroshikiError if the provider fails without a
    local model.
    """
    own, maker = model(world), find_elsewhere(world)
    if maker is not None and world.media is not None:
        key = (world.database.path, envelope_id)
        if key in _heard:
            return _heard[key]
        length = seconds or len(data) / BYTES_A_SECOND
        try:
            _heard[key] = await world.media.hear(maker, data, media_type, length / 60)
        except NotMade as failed:
            log.warning("%s heard nothing: %s", maker.ref, failed)
            if own is None:
                why = _WHYS[failed.why].format(title=maker.title, model=maker.ref.model)
                raise FuroshikiError(why) from None
        else:
            while len(_heard) > REMEMBERED:
                _heard.popitem(last=False)
            return _heard[key]
    if own is None:
        raise RuntimeError("nothing hears here")
    return await transcribe(data, own, downloads.packages(world.home, "hearing"))


async def transcribe(data: bytes, model: Path, packages: Path) -> str:
    """Transcribe an audio file by a model and engine (or `packages`). Raises RuntimeError."""
    try:
        words = await engine_process.ask(PROGRAM, f"{model}\n".encode() + data, MOST_SECONDS, packages)
    except TimeoutError:
        raise RuntimeError(f"hearing it took more than {MOST_SECONDS:g} s") from None
    except EngineFailed as error:
        raise RuntimeError(str(error)) from None
    return words.decode("utf-8", "replace")
