"""Measures saying a sentence: start, CPU time, memory, message size; and the size of the extra.

    .venv/bin/python -m bench.speech [VOICE.onnx …]

Runs the speaking program as an answer starts it: with eSpeak NG's voice, and with each given Piper
voice. CPU seconds count, not elapsed time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import files
from pathlib import Path

from furoshiki.models.speech import synthesis, voices
from furoshiki.models.speech.rules import spoken_text
from furoshiki.models.speech.values import Voice

SENTENCE = "Tomorrow at nine you wanted to call Anika about the garden. "
"""Eleven words."""

PACKAGES = ("piper-tts", "pathvalidate", "soundfile", "cffi", "pycparser")
"""Packages of the extra besides numpy and onnxruntime, which are installed anyway."""


def cost(voice: Voice, text: str) -> tuple[float, float, float, int]:
    """Return CPU seconds, peak megabytes, seconds of sound, and bytes of the message."""
    order = json.dumps({"engine": voice.engine, "source": voice.source, "text": text, "budget": 600.0})
    with subprocess.Popen(
        [sys.executable, "-m", synthesis.PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(order.encode())
        process.stdin.close()
        head, _, data = process.stdout.read().partition(b"\n")
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"{voice} said nothing"
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, float(head), len(data)


def weight(package: str) -> float:
    """Return the megabytes of an installed package."""
    found = (Path(str(one.locate())) for one in files(package) or ())
    return sum(path.stat().st_size for path in found if path.is_file()) / 1e6


def main(models: list[str]) -> None:
    print("on disk:", ", ".join(f"{name} {weight(name):.1f} MB" for name in PACKAGES))
    plain = voices.for_language(None, "en")
    assert plain is not None
    named = [voice for model in models for voice in voices.voices(Path(model))]
    print(f"{'voice':32} {'text':>10} {'cpu':>7} {'memory':>8} {'sound':>7} {'message':>8}")
    for voice in (plain, *named):
        for times in (1, 5, 15):
            text = SENTENCE * times
            used, memory, sound, size = cost(voice, text)
            name = f"{voice.engine} {Path(voice.source).stem}"
            guessed = f"{spoken_text.seconds(text):.0f} s"
            print(f"{name:32} {guessed:>10} {used:5.1f} s {memory:5.0f} MB {sound:5.1f} s {size / 1000:5.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
