"""The real program in processes that are forked from a warm one: it has imported what it needs before it starts.

What a listener does from its first line on, its deaths and its signals are those of a program that was started; only
the imports are not repeated, which are most of a start. `tests/e2e` starts it with an interpreter of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import furoshiki.app.listener
import furoshiki.channels.console.dialogue
import furoshiki.channels.telegram.session  # noqa: F401 - for the processes that are forked, as the two above
from furoshiki.cli.main import main
from tests.e2e.program import Program
from tests.support.deaths import Forked


def furoshiki_command(*args: str) -> None:
    """`furoshiki …`, from the door of its command line on."""
    raise SystemExit(main(args))


class ForkedProgram(Program):
    """One installation, as `Program` is."""

    def _launched(self, args: tuple[str, ...], environ: Mapping[str, str], log: Path) -> Forked:
        return Forked(furoshiki_command, args, dict(environ), log)
