"""Named points at which a test may kill the process, to prove that nothing is lost there.

`FUROSHIKI_CRASH_AT=outbox.sent` dies the first time the point is reached, `outbox.sent:3` the third time. Without the
variable a point costs one dictionary look-up.
"""

from __future__ import annotations

import os

CRASHED = 86
"""The exit status of a process that died at a named point."""

_wanted, _, _nth = os.environ.get("FUROSHIKI_CRASH_AT", "").partition(":")  # noqa: TID251 - read once, before settings
_left = {_wanted: int(_nth or 1)} if _wanted else {}


def point(name: str) -> None:
    """Die here, without any clean-up, when the environment asks for it."""
    if name not in _left:
        return
    _left[name] -= 1
    if _left[name] <= 0:
        os._exit(CRASHED)
