"""Keyboard input: stored history, completion of commands, and pastes as one message."""

import contextlib
import select
import sys
from collections.abc import Sequence
from pathlib import Path

from furoshiki.messages import typed_lines

PASTE_SECONDS = 0.03  # seconds within which further lines must arrive to count as pasted


class Keyboard:
    """Reads what a person types. A context manager; without readline it is plain input.

    `data` is the folder of the history; lines are stored at once, so that forgetting finds them.
    """

    def __init__(self, data: Path, commands: Sequence[str]) -> None:
        self._data = data
        self._commands = [f"/{name}" for name in commands]
        self._state = (0, 0)
        self._typed: list[str] = []

    def __enter__(self) -> "Keyboard":
        with contextlib.suppress(ImportError):
            import readline

            readline.set_completer_delims(" \t\n")
            readline.set_completer(self._complete)
            readline.set_auto_history(False)
            for setting in ("tab: complete", "set enable-bracketed-paste on", "set completion-ignore-case on"):
                readline.parse_and_bind(setting)
            self.refresh()
        return self

    def __exit__(self, *_exception: object) -> None:
        with contextlib.suppress(ImportError):
            import readline

            readline.clear_history()

    def keep(self) -> None:
        """Add the lines of the last message to the history, here and in the file."""
        with contextlib.suppress(ImportError, OSError):
            import readline

            for line in self._typed:
                if line.strip():
                    readline.add_history(line)
            typed_lines.add(self._data, self._typed)
            self._state = typed_lines.state(self._data)

    def refresh(self) -> None:
        """Reload the history if another process changed the file, as after forgetting."""
        with contextlib.suppress(ImportError):
            import readline

            if typed_lines.state(self._data) != self._state:
                self._state = typed_lines.state(self._data)
                readline.clear_history()
                for line in typed_lines.read(self._data):
                    readline.add_history(line)

    def read(self, prompt: str) -> str:
        """Read one message. Raises EOFError at the end, KeyboardInterrupt at Ctrl-C."""
        lines = [input(prompt)]
        while lines[-1].endswith("\\") or select.select([sys.stdin], [], [], PASTE_SECONDS)[0]:
            lines[-1] = lines[-1].removesuffix("\\")
            try:
                lines.append(input(""))
            except EOFError:
                break
        self._typed = lines
        return "\n".join(lines).strip()

    def typed(self) -> str:
        """Return the unsent text at the prompt."""
        try:
            import readline
        except ImportError:
            return ""
        return readline.get_line_buffer()

    def _complete(self, text: str, state: int) -> str | None:
        fitting = [name for name in self._commands if text.startswith("/") and name.startswith(text.lower())]
        return f"{fitting[state]} " if state < len(fitting) else None
