"""Which voices there are: those the owner named or had fetched, or eSpeak NG's, which come with the engine.

Read are only the small files that describe a voice; the engine itself is loaded where it speaks (`synthesizer`).
"""

import json
from pathlib import Path

from furoshiki.core.errors import BadSetting, in_words
from furoshiki.models.speech import shelf
from furoshiki.models.speech.values import Voice

INSTALL = "run `.venv/bin/pip install -r requirements/speech.txt` where Furoshiki lies, or tap the button of /voice"
WHERE_FROM = "a Piper voice (NAME.onnx with NAME.onnx.json beside it)"

UNKNOWN = "?"
"""A language that is none of those which are told well."""

ESPEAK = {
    "ar": "ar", "bn": "bn", "de": "de", "en": "en-us", "es": "es", "fa": "fa", "fr": "fr-fr", "hi": "hi", "id": "id",
    "it": "it", "ko": "ko", "nl": "nl", "pl": "pl", "pt": "pt", "ru": "ru", "tr": "tr", "uk": "uk", "ur": "ur",
    "vi": "vi", "zh": "cmn",
}  # fmt: skip
"""eSpeak NG's names by language. It reads no Japanese as it is written: it knows no kanji."""

_ALONE = ("espeak", "text")
"""How a voice's words are made into sounds by what comes with the engine. For others it would fetch something first."""

_FAMILIES = {"cmn": "zh", "nb": "no"}


def is_installed(data: Path) -> bool:
    """Whether the engine is here, installed or fetched."""
    return shelf.has_engine(data, "speaking")


def fault(named: Path | None, data: Path) -> str | None:
    """What is wrong with the engine or the voice that was named; None when nothing is, or none was named."""
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
    """Who says something in this language ("de"), None when nobody can. Raises BadSetting for a voice that is none.

    `fetched` is a folder of voices that speak where none was named. A voice of a language that is not told well is
    taken for all that is in such a language.
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
    """The voices of a file, or of all files of a folder, by name. Raises BadSetting when there is none, or one is not
    whole."""
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
