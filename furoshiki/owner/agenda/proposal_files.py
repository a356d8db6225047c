"""The files in which something is laid before the owner, `proposals/*.md`: where they lie and how texts of others stand
in them. What is proposed in them is written and read by the module that proposes it."""

import re
from pathlib import Path

from furoshiki.core import atomic_files
from furoshiki.core.visible import visible

FOLDER = "proposals"

_FENCES = re.compile(r"^[ \t]*(`{3,})", re.MULTILINE)


def write(data: Path, file: str, text: str) -> None:
    """Write a proposal, in place of an earlier one. `file` is below the data directory. Raises OSError."""
    atomic_files.write_text(data / file, visible(text))


def read(data: Path, file: str) -> str | None:
    """What stands in a proposal; None when there is none any more."""
    try:
        return (data / file).read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def fence_code(text: str, kind: str = "") -> str:
    """A block of code that nothing in it can end."""
    longest = max((len(found) for found in _FENCES.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{kind}\n{text.rstrip()}\n{fence}"


def quote(text: str) -> str:
    """Words of somebody else as a quotation, every line of them."""
    return "\n".join(f"> {line}".rstrip() for line in text.strip().splitlines())
