"""The process that hears: reads a line with the folder of a model on its input, then a recording, and writes the words.
What went wrong is the last line of its errors, in words without what was said."""

import io
import resource
import sys

CPU_SECONDS = 600
"""A process whose starter has died ends by itself after this much work."""


def main(packages: list[str]) -> int:
    """Hear what is given, with the engine that is installed or lies in one of these folders; the exit status."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    sys.path += packages
    model = sys.stdin.buffer.readline().decode().strip()
    try:
        from faster_whisper import WhisperModel

        engine = WhisperModel(model, device="cpu", compute_type="int8", local_files_only=True)
        segments, _info = engine.transcribe(io.BytesIO(sys.stdin.buffer.read()))
        words = " ".join(segment.text.strip() for segment in segments).strip()
    except Exception as error:  # the process ends here: an engine may quote what it fails on, so only the kind is told
        sys.stderr.write(f"the engine failed ({type(error).__name__})\n")
        return 1
    sys.stdout.buffer.write(words.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
