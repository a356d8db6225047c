"""Lines from the keyboard: history that stays, commands that complete, and a paste of many lines as one message."""

from __future__ import annotations

import contextlib
import select
import sys
from collections.abc import Sequence
from pathlib import Path

HISTORY_LINES = 1000
PASTE_SECONDS = 0.03
"""Lines that arrive faster than this were pasted."""


class Keyboard:
    """Reads what a person types. Use it as a context manager; without readline it is plain input."""

    def __init__(self, history: Path, commands: Sequence[str]) -> None:
        self._history = history
        self._commands = [f"/{name}" for name in commands]
        self._seen = 0

    def __enter__(self) -> Keyboard:
        with contextlib.suppress(ImportError):
            import readline

            with contextlib.suppress(OSError):
                readline.read_history_file(self._history)
            readline.set_history_length(HISTORY_LINES)
            readline.set_completer_delims(" \t\n")
            readline.set_completer(self._complete)
            for setting in ("tab: complete", "set enable-bracketed-paste on", "set completion-ignore-case on"):
                readline.parse_and_bind(setting)
            self._seen = readline.get_current_history_length()
        return self

    def __exit__(self, *_exception: object) -> None:
        with contextlib.suppress(ImportError, OSError):
            import readline

            new = readline.get_current_history_length() - self._seen
            self._history.touch(mode=0o600)
            readline.append_history_file(max(0, new), self._history)

    def read(self, prompt: str) -> str:
        """One message. Raises EOFError at the end, KeyboardInterrupt at Ctrl-C."""
        lines = [input(prompt)]
        while lines[-1].endswith("\\") or _more_waits():
            lines[-1] = lines[-1].removesuffix("\\")
            try:
                lines.append(input(""))
            except EOFError:
                break
        return "\n".join(lines).strip()

    def typed(self) -> str:
        """What stands at the prompt and has not been sent."""
        try:
            import readline
        except ImportError:
            return ""
        return readline.get_line_buffer()

    def _complete(self, text: str, state: int) -> str | None:
        fitting = [name for name in self._commands if text.startswith("/") and name.startswith(text.lower())]
        return f"{fitting[state]} " if state < len(fitting) else None


def _more_waits() -> bool:
    return bool(select.select([sys.stdin], [], [], PASTE_SECONDS)[0])
