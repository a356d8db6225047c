"""Samples as a file that Telegram plays as a voice message: Ogg with Opus, mono."""

import io
import math

import numpy as np
import soundfile
from numpy.typing import NDArray

RATE = 48_000
"""Samples a second; Opus knows no other but fractions of it."""

COMPRESSION = 0.95
"""Of 0 (256 kbit/s) to 1 (6 kbit/s): about 22 kbit/s, which is 165 kB a minute."""

ROUND = 256
"""Lengths with many small factors are transformed in a fifth of the memory."""

BLOCK = 4_800
"""Samples that are written at one time: the encoder's stack holds no long ones."""


def encode(sound: NDArray[np.float32], rate: int) -> tuple[bytes, float]:
    """The file, and its length in seconds. `sound` is in [-1, 1], `rate` its samples a second."""
    samples = np.clip(resample(sound, rate, RATE), -1, 1)
    file = io.BytesIO()
    with soundfile.SoundFile(file, "w", RATE, 1, subtype="OPUS", format="OGG", compression_level=COMPRESSION) as writer:
        for at in range(0, len(samples), BLOCK):
            writer.write(samples[at : at + BLOCK])
    return file.getvalue(), len(samples) / RATE


def resample(sound: NDArray[np.float32], rate: int, wanted: int) -> NDArray[np.float32]:
    """The same sound at another rate: its spectrum, with more or less room above it."""
    common = math.gcd(rate, wanted)
    step = rate // common * ROUND
    whole = np.pad(sound, (0, -len(sound) % step))
    count = len(whole) // step * ROUND * (wanted // common)
    found = np.fft.irfft(np.fft.rfft(whole), count) * (count / len(whole))
    return found[: len(sound) * wanted // rate].astype(np.float32)
