"""The process that speaks: reads what is to be said on its input, as JSON, and writes a line with the seconds of sound,
and then the Ogg file. What went wrong is the last line of its errors, in words without what was to be said."""

import json
import resource
import sys

CPU_SECONDS = 180
"""A process whose starter has died ends by itself after this much work."""


def main(packages: list[str]) -> int:
    """Say what is asked for, with the engine that is installed or lies in one of these folders; the exit status."""
    sys.path += packages
    from furoshiki.models.speech import engines, ogg

    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    order = json.load(sys.stdin)
    try:
        speaks = engines.piper if order["engine"] == "piper" else engines.espeak
        rate, sound = speaks(order["source"], order["text"], order["budget"])
        data, seconds = ogg.encode(sound, rate)
    except engines.NoSound as error:
        return _fail(str(error))
    except Exception as error:  # the process ends here: engines say the text they fail on, so only the kind is told
        return _fail(f"the engine failed ({type(error).__name__}): check the voice in FUROSHIKI_SPEECH_VOICE")
    sys.stdout.buffer.write(f"{seconds:.2f}\n".encode() + data)
    return 0


def _fail(why: str) -> int:
    sys.stderr.write(f"{why}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
