"""The speech engines and the encoding of what they say, loaded only in the synthesis process; each engine
stops when its time is up.

Both are in one package. Piper's voices are neural and sound natural; eSpeak NG, Piper's phonemizer,
can speak by itself, robotically, in a hundredth of the time.
"""

import ctypes
import io
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
from numpy.typing import NDArray

Sound = NDArray[np.float32]  # samples in [-1, 1], mono

# pause between two sentences of a Piper voice, which synthesizes each separately
PAUSE_SECONDS = 0.25

_RETRIEVAL = 1  # espeak_AUDIO_OUTPUT: return the samples and play nothing
_UTF8 = 1
_CHUNK_MS = 200
_FULL = 32_768  # full scale of 16-bit samples

_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)


class NoSound(Exception):
    """The engine has no such voice, or made no sound."""


def piper(model: str, text: str, budget: float) -> tuple[int, Sound]:
    """Return sample rate and sound of a text in a Piper voice: the first sentence, and those begun
    within `budget` seconds."""
    from piper import PiperVoice

    began = time.monotonic()
    voice = PiperVoice.load(model)
    rate = int(voice.config.sample_rate)
    pause = np.zeros(int(rate * PAUSE_SECONDS), np.float32)
    found: list[Sound] = []
    for sentence in voice.synthesize(text):
        found += [sentence.audio_float_array, pause]
        if time.monotonic() - began > budget:
            break
    return rate, _join(found)


def espeak(name: str, text: str, budget: float) -> tuple[int, Sound]:
    """Return sample rate and sound in an eSpeak NG voice, as far as done in `budget` seconds."""
    import piper as package

    folder = Path(package.__file__).parent
    library: Any = ctypes.CDLL(str(next(folder.glob("espeakbridge*.so"))))
    rate = library.espeak_Initialize(_RETRIEVAL, _CHUNK_MS, str(folder / "espeak-ng-data").encode(), 0)
    if rate <= 0 or library.espeak_SetVoiceByName(name.encode()) != 0:
        raise NoSound(f"eSpeak NG has no voice “{name}”: install requirements/speech.txt again")
    found: list[Sound] = []
    began = time.monotonic()

    def heard(samples: Any, count: int, _events: int | None) -> int:
        """Collect samples; returning 1 stops the engine."""
        if count > 0:
            found.append(np.ctypeslib.as_array(samples, (count,)).astype(np.float32) / np.float32(_FULL))
        return int(time.monotonic() - began > budget)

    callback = _CALLBACK(heard)  # keep a reference: the library only has its address
    library.espeak_SetSynthCallback(callback)
    said = text.encode()
    library.espeak_Synth(said, len(said) + 1, 0, 1, 0, _UTF8, None, None)
    library.espeak_Synchronize()
    return int(rate), _join(found)


def _join(found: list[Sound]) -> Sound:
    sound = np.concatenate(found) if found else np.zeros(0, np.float32)
    if not sound.any():
        raise NoSound("the engine made no sound of it: try another voice in FUROSHIKI_SPEECH_VOICE")
    return sound


# -- a Telegram voice message: Ogg with Opus, mono --

RATE = 48_000  # samples a second; Opus supports only this rate and fractions of it
COMPRESSION = 0.95  # from 0 (256 kbit/s) to 1 (6 kbit/s): about 22 kbit/s, or 165 kB a minute
ROUND = 256  # FFT lengths are multiples of this: many small factors need a fifth of the memory
BLOCK = 4_800  # samples written at once: the encoder's stack is too small for more


def encode(sound: Sound, rate: int) -> tuple[bytes, float]:
    """Return file and length in seconds. `sound` is in [-1, 1], `rate` in samples a second."""
    samples = np.clip(resample(sound, rate, RATE), -1, 1)
    file = io.BytesIO()
    with soundfile.SoundFile(file, "w", RATE, 1, subtype="OPUS", format="OGG", compression_level=COMPRESSION) as writer:
        for at in range(0, len(samples), BLOCK):
            writer.write(samples[at : at + BLOCK])
    return file.getvalue(), len(samples) / RATE


def resample(sound: Sound, rate: int, wanted: int) -> Sound:
    """Resample by the spectrum: cut off or pad its upper end."""
    common = math.gcd(rate, wanted)
    step = rate // common * ROUND
    whole = np.pad(sound, (0, -len(sound) % step))
    count = len(whole) // step * ROUND * (wanted // common)
    found = np.fft.irfft(np.fft.rfft(whole), count) * (count / len(whole))
    return found[: len(sound) * wanted // rate].astype(np.float32)
