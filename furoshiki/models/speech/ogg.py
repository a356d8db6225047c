"""Encoding of samples as a Telegram voice message: Ogg with Opus, mono."""

import io
import math

import numpy as np
import soundfile
from numpy.typing import NDArray

RATE = 48_000  # samples a second; Opus supports only this rate and fractions of it
COMPRESSION = 0.95  # from 0 (256 kbit/s) to 1 (6 kbit/s): about 22 kbit/s, or 165 kB a minute
ROUND = 256  # FFT lengths are multiples of this: many small factors need a fifth of the memory
BLOCK = 4_800  # samples written at once: the encoder's stack is too small for more


def encode(sound: NDArray[np.float32], rate: int) -> tuple[bytes, float]:
    """Return file and length in seconds. `sound` is in [-1, 1], `rate` in samples a second."""
    samples = np.clip(resample(sound, rate, RATE), -1, 1)
    file = io.BytesIO()
    with soundfile.SoundFile(file, "w", RATE, 1, subtype="OPUS", format="OGG", compression_level=COMPRESSION) as writer:
        for at in range(0, len(samples), BLOCK):
            writer.write(samples[at : at + BLOCK])
    return file.getvalue(), len(samples) / RATE


def resample(sound: NDArray[np.float32], rate: int, wanted: int) -> NDArray[np.float32]:
    """Resample by the spectrum: cut off or pad its upper end."""
    common = math.gcd(rate, wanted)
    step = rate // common * ROUND
    whole = np.pad(sound, (0, -len(sound) % step))
    count = len(whole) // step * ROUND * (wanted // common)
    found = np.fft.irfft(np.fft.rfft(whole), count) * (count / len(whole))
    return found[: len(sound) * wanted // rate].astype(np.float32)
