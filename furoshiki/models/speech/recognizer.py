"""The transcription process: reads a line with the model's folder, then a recording, and writes the
text. Its last error line is the reason of a failure, without private content."""

import io
import resource
import sys

CPU_SECONDS = 600  # CPU limit in seconds, which ends a process whose parent has died


def main(packages: list[str]) -> int:
    """Transcribe with the engine, installed or in one of these folders; returns the exit status."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    sys.path += packages
    model = sys.stdin.buffer.readline().decode().strip()
    try:
        from faster_whisper import WhisperModel

        engine = WhisperModel(model, device="cpu", compute_type="int8", local_files_only=True)
        segments, _info = engine.transcribe(io.BytesIO(sys.stdin.buffer.read()))
        words = " ".join(segment.text.strip() for segment in segments).strip()
    except Exception as error:  # an engine may quote its input, so only the exception's type is written
        sys.stderr.write(f"the engine failed ({type(error).__name__})\n")
        return 1
    sys.stdout.buffer.write(words.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
