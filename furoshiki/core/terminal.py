"""What reaches a terminal: nothing that anybody said, imported or is called can steer it.

While `guarded` holds, everything written to stdout and stderr has its control characters made visible: no clipboard,
no cleared screen, no hidden link. Colours of our own, and lines that are redrawn, go through `styled`.
"""

import contextlib
import os
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TextIO, cast

from furoshiki.core.visible import visible

_OURS = re.compile(r"(\x1b\[[0-9;]{0,24}m|\x1b\[\??[0-9]{0,3}[KAhl]|\r)")
"""Colours; clear to the end of the line, up a line, cursor off and on (a progress bar); back to where a line begins."""


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
"""What stands for our own signs where a terminal knows only ASCII; anything else becomes a question mark there."""


class _Guarded:
    """A stream that shows control characters instead of sending them. Everything but writing is the stream's own."""

    def __init__(self, stream: TextIO, styled: bool = False) -> None:
        self.stream = stream
        self._styled = styled

    def write(self, text: str) -> int:
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
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def open_streams() -> None:
    """Give this process the standard streams it was started without (`>&-`): they lead nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for as long as we live


@contextlib.contextmanager
def guarded() -> Iterator[None]:
    """Guard stdout and stderr of this process."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast(TextIO, _Guarded(_bare(stream))) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def style(stream: TextIO) -> TextIO:
    """The same stream for text with colours of our own. What others said is made `visible` before it is painted."""
    return cast(TextIO, _Guarded(_bare(stream), styled=True))


def _bare(stream: TextIO) -> TextIO:
    return stream.stream if isinstance(stream, _Guarded) else stream
