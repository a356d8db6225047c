"""Named points at which a test may kill the process or make it hang, to prove that nothing is lost there.

`FUROSHIKI_CRASH_AT=outbox.sent` dies the first time the point is reached, `outbox.sent:3` the third time. Without the
variable a point costs one dictionary look-up. `FUROSHIKI_HANG_AT=perceive:marzipan` hangs where a text is read that
holds the word.
"""

from __future__ import annotations

import os
import re

CRASHED = 86
"""The exit status of a process that died at a named point."""

_wanted, _, _nth = os.environ.get("FUROSHIKI_CRASH_AT", "").partition(":")  # noqa: TID251 - read once, before settings
_left = {_wanted: int(_nth or 1)} if _wanted else {}


_hanging, _, _hangs_on = os.environ.get("FUROSHIKI_HANG_AT", "").partition(":")  # noqa: TID251 - as above
_RUNAWAY = r"(?:a|a)+b"


def point(name: str) -> None:
    """Die here, without any clean-up, when the environment asks for it."""
    if name not in _left:
        return
    _left[name] -= 1
    if _left[name] <= 0:
        os._exit(CRASHED)


def reading(name: str, text: str) -> None:
    """Hang here as a pattern does that runs away, holding the interpreter, when the environment asks for it."""
    if _hanging == name and _hangs_on in text:
        re.match(_RUNAWAY, "a" * 60)
