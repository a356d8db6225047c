"""The text of a PDF, read in a process of its own with limits: a file of one kilobyte can take gigabytes and minutes.

    python -P -m furoshiki.memory.perception.pdf PAGES CHARACTERS < file.pdf

Whatever the parser does there, the companion loses nothing but this document.
"""

from __future__ import annotations

import resource
import subprocess
import sys

PAGES = 50
"""Pages that are read."""

SECONDS = 15
"""CPU, and a little more of the clock: a book of 500 pages takes five on a small machine."""

MEMORY_BYTES = 400_000_000
"""Address space, the interpreter's included. Ordinary documents stay below 150 MB."""

_PATIENCE_SECONDS = 30.0
_TOO_MUCH = "it takes more memory or time than a document should"


def text_of(data: bytes, characters: int) -> str:
    """The text of the first pages, at most so many characters. Raises ValueError for a file that cannot be read."""
    command = [sys.executable, "-P", "-m", "furoshiki.memory.perception.pdf", str(PAGES), str(characters)]
    try:
        done = subprocess.run(
            command,
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # the parser quotes the document there
            timeout=_PATIENCE_SECONDS,
            check=False,
            preexec_fn=_within_limits,
        )
    except subprocess.TimeoutExpired:
        raise ValueError(_TOO_MUCH) from None
    if done.returncode == _UNREADABLE:
        raise ValueError("not a readable PDF")
    if done.returncode:
        raise ValueError(_TOO_MUCH)
    return done.stdout.decode("utf-8", "replace")


_UNREADABLE = 3
"""The exit status of a child that found no PDF."""


def _within_limits() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def read(data: bytes, pages: int, characters: int) -> str:
    """The text of the first pages, here and now. Raises ValueError for bytes that are no PDF; MemoryError."""
    import io

    from pypdf import PdfReader

    found: list[str] = []
    left = characters
    try:
        for page in PdfReader(io.BytesIO(data)).pages[:pages]:
            found.append(page.extract_text()[:left])
            left -= len(found[-1]) + 1
            if left <= 0:
                break
    except MemoryError:
        raise
    except Exception as error:  # bytes from anybody: a broken file makes the parser fail in ways it does not name
        raise ValueError("not a readable PDF") from error
    return "\n".join(found)


def main(pages: int, characters: int) -> int:
    """Read standard input, write the text; the limits are the caller's."""
    try:
        text = read(sys.stdin.buffer.read(), pages, characters)
    except MemoryError:
        return 1
    except ValueError:
        return _UNREADABLE
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
