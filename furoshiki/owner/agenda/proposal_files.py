"""Files with proposals for the owner, `proposals/*.md`: their place and the quoting of others'
text. Their content is written and read by the module that proposes."""

import re
from pathlib import Path

from furoshiki.core import atomic_files
from furoshiki.core.framing import visible

FOLDER = "proposals"

_FENCES = re.compile(r"^[ \t]*(`{3,})", re.MULTILINE)


def write(data: Path, file: str, text: str) -> None:
    """Write or replace a proposal. `file` is relative to the data directory. Raises OSError."""
    atomic_files.write_text(data / file, visible(text))


def read(data: Path, file: str) -> str | None:
    """Return a proposal's text; None if it does not exist any more."""
    try:
        return (data / file).read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def fence_code(text: str, kind: str = "") -> str:
    """Return a code block with a fence longer than any inside it."""
    longest = max(map(len, _FENCES.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{kind}\n{text.rstrip()}\n{fence}"
