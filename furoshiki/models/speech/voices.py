"""The available voices: the owner's, downloaded ones, or those of eSpeak NG in the engine.

Only the small description files are read; the engine is loaded where it speaks (`synthesizer`).
"""

import json
from pathlib import Path

from furoshiki.core.errors import BadSetting, in_words
from furoshiki.models.speech import downloads
from furoshiki.models.speech.values import Voice

INSTALL = "run `.venv/bin/pip install -r requirements/speech.txt` where Furoshiki lies, or tap the button of /voice"
WHERE_FROM = "a Piper voice (NAME.onnx with NAME.onnx.json beside it)"

UNKNOWN = "?"  # a language that is not reliably detected

# eSpeak NG's names by language. It cannot read Japanese kanji.
ESPEAK = {
    "ar": "ar", "bn": "bn", "de": "de", "en": "en-us", "es": "es", "fa": "fa", "fr": "fr-fr", "hi": "hi", "id": "id",
    "it": "it", "ko": "ko", "nl": "nl", "pl": "pl", "pt": "pt", "ru": "ru", "tr": "tr", "uk": "uk", "ur": "ur",
    "vi": "vi", "zh": "cmn",
}  # fmt: skip

# phoneme types that work with the engine alone; others would download data
_ALONE = ("espeak", "text")

_FAMILIES = {"cmn": "zh", "nb": "no"}


def is_installed(data: Path) -> bool:
    """Return whether the engine is available."""
    return downloads.has_engine(data, "speaking")


def fault(named: Path | None, data: Path) -> str | None:
    """Return the problem with the engine or the configured voice, or None."""
    if named is None:
        return None
    if not is_installed(data):
        return f"FUROSHIKI_SPEECH_VOICE is set, and the engine for it is not installed: {INSTALL}"
    try:
        voices(named)
    except BadSetting as error:
        return str(error)
    return None


def for_language(named: Path | None, language: str, fetched: Path | None = None) -> Voice | None:
    """Return the voice for a language ("de"), or None. Raises BadSetting for an invalid voice.

    `fetched` is a folder of voices used when none is configured. A voice of a language that is not
    detected reliably is used for all such languages.
    """
    if named is None:
        own = () if fetched is None else voices(fetched)
        if (voice := next((one for one in own if one.language == language), None)) is not None:
            return voice
        return Voice("espeak", ESPEAK[language], language) if language in ESPEAK else None
    found = voices(named)
    if language != UNKNOWN:
        return next((one for one in found if one.language == language), None)
    return next((one for one in found if one.language not in ESPEAK), None)


def voices(named: Path) -> tuple[Voice, ...]:
    """Return the voice of a file, or the voices of a folder by name.
    Raises BadSetting for none or an incomplete one."""
    path = named.expanduser()
    if path.is_dir():
        files = sorted(path.glob("*.onnx"))
        if not files:
            raise BadSetting(f"FUROSHIKI_SPEECH_VOICE: {named} holds no voice: put {WHERE_FROM} there")
        return tuple(map(_voice, files))
    if path.suffix != ".onnx" or not path.is_file():
        raise BadSetting(f"FUROSHIKI_SPEECH_VOICE: {named} is no voice: name {WHERE_FROM}, or a folder of such")
    return (_voice(path),)


def _voice(model: Path) -> Voice:
    described = model.with_name(f"{model.name}.json")
    try:
        about = json.loads(described.read_text(encoding="utf-8"))
        spoken, rate = str(about["espeak"]["voice"]), int(about["audio"]["sample_rate"])
        family = str((about.get("language") or {}).get("family") or spoken.partition("-")[0])
        sounds = str(about.get("phoneme_type", "espeak"))
    except FileNotFoundError:
        raise BadSetting(
            f"FUROSHIKI_SPEECH_VOICE: {described.name} is missing beside {model}: it comes with the voice"
        ) from None
    except OSError as error:
        raise BadSetting(f"FUROSHIKI_SPEECH_VOICE: {in_words(error)}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadSetting(
            f"FUROSHIKI_SPEECH_VOICE: {described} does not describe a Piper voice: fetch it again"
        ) from None
    if sounds not in _ALONE or rate <= 0:
        raise BadSetting(
            f"FUROSHIKI_SPEECH_VOICE: {model} needs more than comes with the engine ({sounds}): take another voice"
        )
    return Voice("piper", str(model), _FAMILIES.get(family, family))
