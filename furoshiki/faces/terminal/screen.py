"""The terminal's view of a conversation: the prompt, the growing reply, unprompted messages."""

import base64
import sys
from collections.abc import Sequence
from pathlib import Path

from furoshiki.channels.local.mailbox import Answer
from furoshiki.core.catalogue import say
from furoshiki.core.framing import visible
from furoshiki.core.terminal import style
from furoshiki.faces.terminal.markdown import colourful, columns, dim, paint, paint_growing
from furoshiki.messages.values import Outgoing

_CLEAR_LINE = "\r\x1b[K"
_NAME = "\x1b[1;35m"
_YOU = "\x1b[1;36m"
_RESET = "\x1b[0m"
_FILES = frozenset({"document", "photo"})


class Screen:
    """Writes to stdout; `name` is the companion's. Replies are indented behind the name."""

    def __init__(self, name: str, exports: Path) -> None:
        self._exports = exports
        self._name = visible(name)
        self._colours = colourful()
        self._live = sys.stdout.isatty()
        self._indent = " " * (len(name) + 3)
        self._printed = ""
        self._waiting = False
        self._you, self._silent = say("you"), say("(says nothing)")

    @property
    def prompt(self) -> str:
        """The prompt; colour codes are marked for readline as taking no room."""
        label = self._you.rjust(len(self._name))
        return f"\x01{_YOU}\x02{label} ›\x01{_RESET}\x02 " if self._colours else f"{label} › "

    def grow(self, text: str) -> None:
        """Show the reply so far; "" while it is being prepared."""
        if not self._live:
            return
        if not text:
            self._waiting = True
            self._write(f"{self._label()}{dim('…')}")
            return
        self._add(self._indent_lines(paint_growing(text, self._width, self._colours)))

    def finish(self, answer: Answer) -> None:
        """Show the rest of the finished reply."""
        texts = [self._words(part) for part in answer.parts]
        text = "\n\n".join(texts)
        if text:
            self._add(self._indent_lines(paint(text, self._width, self._colours)))
        elif self._waiting:
            self._write(_CLEAR_LINE)
        if self._printed:
            self._write("\n")
        elif answer.failure is None:
            self._write(f"{self._label()}{dim(self._silent)}\n")
        self._printed, self._waiting = "", False
        self.buttons(answer.buttons)

    def forget(self) -> None:
        """Give this reply up: it will not be finished here."""
        self._write("\n")
        self._printed, self._waiting = "", False

    def buttons(self, buttons: Sequence[tuple[str, str]]) -> None:
        """Show the buttons and the commands that press them."""
        for number, (label, _data) in enumerate(buttons, 1):
            self._write(dim(f"{self._indent}/{number}  {label}") + "\n")

    def unprompted(self, parts: Sequence[Outgoing], prompt: str = "", typed: str = "") -> None:
        """Show unprompted messages above a prompt at which a person may be typing."""
        if not parts:
            return
        if prompt:
            self._write(_CLEAR_LINE)
        for part in parts:
            self._write(self._label() + self._indent_lines(paint(self._words(part), self._width, self._colours)) + "\n")
        if prompt:
            self._write(prompt.replace("\x01", "").replace("\x02", "") + visible(typed))

    @property
    def _width(self) -> int:
        return max(20, columns() - len(self._indent))

    def _indent_lines(self, text: str) -> str:
        return text.replace("\n", f"\n{self._indent}")

    def _label(self) -> str:
        return f"{_NAME}{self._name} ›{_RESET} " if self._colours else f"{self._name} › "

    def _add(self, shaped: str) -> None:
        """Print the new part of a reply; if its beginning changed, start again on a new line."""
        if not shaped:
            return
        if not self._printed:
            self._write(f"{_CLEAR_LINE if self._waiting else ''}{self._label()}")
            self._waiting = False
        elif not shaped.startswith(self._printed):
            self._write(f"\n{self._label()}")
            self._printed = ""
        self._write(shaped[len(self._printed) :])
        self._printed = shaped

    def _words(self, part: Outgoing) -> str:
        return save_part(part, self._exports)

    def _write(self, text: str) -> None:
        stream = style(sys.stdout)
        stream.write(text)
        stream.flush()


def save_part(part: Outgoing, folder: Path) -> str:
    """Return the words of a message; its document or picture is saved and the path appended."""
    if part.kind not in _FILES:
        return part.text
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / Path(str(part.extra["filename"])).name
    path.write_bytes(base64.b64decode(part.extra["data"]))
    return f"{part.text}\n{path}".strip()
