"""Named points where tests kill the process or make it hang, to prove that no data is lost.

`FUROSHIKI_CRASH_AT=outbox.sent` kills it when the point is first reached, `outbox.sent:3` the third
time. Without the variable a point costs two comparisons. `FUROSHIKI_HANG_AT=perceive:marzipan`
makes it hang when a text with that word is read.
"""

import os
import re
from collections.abc import Callable, Mapping

CRASHED = 86  # the exit status of a process killed at a point

_RUNAWAY = r"(?:a|a)+b"

_told: Callable[[str], None] | None = None
_dies_at, _left = "", 0
_hangs_at, _hangs_on = "", ""


def obey(environ: Mapping[str, str], told: Callable[[str], None] | None = None) -> None:
    """Crash and hang from now on only where this environment says so.

    `told` is called with the name of each point reached, before a crash there.
    """
    global _told, _dies_at, _left, _hangs_at, _hangs_on
    _told = told
    _dies_at, _, nth = environ.get("FUROSHIKI_CRASH_AT", "").partition(":")
    _left = int(nth or 1)
    _hangs_at, _, _hangs_on = environ.get("FUROSHIKI_HANG_AT", "").partition(":")


def point(name: str) -> None:
    """End the process here, without any clean-up, if the environment says so."""
    global _left
    if _told is not None:
        _told(name)
    if name == _dies_at:
        _left -= 1
        if _left <= 0:
            os._exit(CRASHED)


def hang_in_pattern(name: str, text: str) -> None:
    """Hang here in a runaway regular expression, holding the GIL, if the environment says so."""
    if _hangs_at == name and _hangs_on in text:
        re.match(_RUNAWAY, "a" * 60)


obey(os.environ)  # noqa: TID251 - read once, before settings
