"""Named points at which a test may kill the process or make it hang, to prove that nothing is lost there.

`FUROSHIKI_CRASH_AT=outbox.sent` dies the first time the point is reached, `outbox.sent:3` the third time. Without the
variable a point costs two comparisons. `FUROSHIKI_HANG_AT=perceive:marzipan` hangs where a text is read that holds the
word.
"""

import os
import re
from collections.abc import Callable, Mapping

CRASHED = 86
"""The exit status of a process that died at a named point."""

_RUNAWAY = r"(?:a|a)+b"

_told: Callable[[str], None] | None = None
_dies_at, _left = "", 0
_hangs_at, _hangs_on = "", ""


def obey(environ: Mapping[str, str], told: Callable[[str], None] | None = None) -> None:
    """Die and hang from now on where this environment asks for it, and nowhere else.

    `told` is called with the name of each point that is reached, before the process dies there.
    """
    global _told, _dies_at, _left, _hangs_at, _hangs_on
    _told = told
    _dies_at, _, nth = environ.get("FUROSHIKI_CRASH_AT", "").partition(":")
    _left = int(nth or 1)
    _hangs_at, _, _hangs_on = environ.get("FUROSHIKI_HANG_AT", "").partition(":")


def point(name: str) -> None:
    """Die here, without any clean-up, when the environment asks for it."""
    global _left
    if _told is not None:
        _told(name)
    if name == _dies_at:
        _left -= 1
        if _left <= 0:
            os._exit(CRASHED)


def hang_in_pattern(name: str, text: str) -> None:
    """Hang here as a pattern does that runs away, holding the interpreter, when the environment asks for it."""
    if _hangs_at == name and _hangs_on in text:
        re.match(_RUNAWAY, "a" * 60)


obey(os.environ)  # noqa: TID251 - read once, before settings
