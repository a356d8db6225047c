"""Protection of the terminal from control characters in messages, imports and names.

Within `guarded`, all output to stdout and stderr has its control characters made visible. The
program's own colours and redrawn lines are written through `style`. In a terminal, hints that name
`furoshiki …` name the command as it was typed (scripts/run.sh).
"""

import contextlib
import os
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TextIO, cast

from furoshiki.core.framing import visible
from furoshiki.core.paths import typed_command

# allowed: colours; clear to line end, cursor up, hide and show cursor; carriage return
_OURS = re.compile(r"(\x1b\[[0-9;]{0,24}m|\x1b\[\??[0-9]{0,3}[KAhl]|\r)")

_COMMAND = re.compile(r"(?<=`)furoshiki(?=\s)|(?<=^usage: )furoshiki(?= )")

# ASCII replacements for the program's own characters; others become question marks
_LIKE = str.maketrans(
    {
        **dict.fromkeys("“”„", '"'),
        **dict.fromkeys("‘’", "'"),
        **dict.fromkeys("–—─", "-"),
        **dict.fromkeys("·•", "."),
        "…": "...",
        "›": ">",
        "█": "#",
        "⚠": "!",
        "→": "->",
        "×": "x",
    }
)


class _Guarded:
    """A stream wrapper that makes control characters visible when writing."""

    def __init__(self, stream: TextIO, styled: bool = False) -> None:
        self.stream = stream
        self._styled = styled
        self._command: str | None = None
        if stream.isatty():
            self._command = typed_command()

    def write(self, text: str) -> int:
        length = len(text)
        if self._command is not None:
            text = _COMMAND.sub(self._command.replace("\\", r"\\"), text)
        if self._styled and not text.isprintable():
            parts = _OURS.split(text)
            shown = "".join(part if place % 2 else visible(part) for place, part in enumerate(parts))
        else:
            shown = visible(text)
        try:
            self.stream.write(shown)
        except UnicodeEncodeError:
            encoding = self.stream.encoding or "ascii"
            self.stream.write(shown.translate(_LIKE).encode(encoding, "replace").decode(encoding))
        return length

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def open_streams() -> None:
    """Open missing standard streams (`>&-`) on the null device."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for as long as we live


@contextlib.contextmanager
def guarded() -> Iterator[None]:
    """Guard stdout and stderr of this process in this block."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast(TextIO, _Guarded(_bare(stream))) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def style(stream: TextIO) -> TextIO:
    """Return a guarded stream that lets the program's own colours pass."""
    return cast(TextIO, _Guarded(_bare(stream), styled=True))


def _bare(stream: TextIO) -> TextIO:
    return stream.stream if isinstance(stream, _Guarded) else stream
