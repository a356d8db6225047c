"""The synthesis process: reads an order as JSON, and writes a line with the seconds, then the Ogg
file. Its last error line is the reason of a failure, without the text to speak."""

import json
import resource
import sys

CPU_SECONDS = 180  # CPU limit in seconds, which ends a process whose parent has died


def main(packages: list[str]) -> int:
    """Synthesize with the engine, installed or in one of these folders; returns the exit status."""
    sys.path += packages
    from furoshiki.models.speech import engines

    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    order = json.load(sys.stdin)
    try:
        speaks = engines.piper if order["engine"] == "piper" else engines.espeak
        rate, sound = speaks(order["source"], order["text"], order["budget"])
        data, seconds = engines.encode(sound, rate)
    except engines.NoSound as error:
        return _fail(str(error))
    except Exception as error:  # engines quote their input, so only the exception's type is written
        return _fail(f"the engine failed ({type(error).__name__}): check the voice in FUROSHIKI_SPEECH_VOICE")
    sys.stdout.buffer.write(f"{seconds:.2f}\n".encode() + data)
    return 0


def _fail(why: str) -> int:
    sys.stderr.write(f"{why}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
