"""Asks questions at a terminal, or reads the answers from a pipe; secrets are not echoed."""

import codecs
import contextlib
import os
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from typing import TypeVar

from furoshiki.core.catalogue import say
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.terminal import style
from furoshiki.faces.cli.context import NO, YES
from furoshiki.faces.setup import rules
from furoshiki.faces.setup.rules import Reader, Wrong

T = TypeVar("T")

DOTS = 24  # dots shown for a secret at most, however long it is

_ENTER, _ERASE, _CLEAR, _END, _INTERRUPT = "\r\n", "\x7f\b", "\x15", "\x04", "\x03"


class Stopped(FuroshikiError):
    """The answers ended before the questions: what was answered is kept, `furoshiki setup` goes on from there."""


class Back(Exception):
    """The person wants the question before this one."""


BACK = ("<", "＜")  # what goes back, also as a Chinese keyboard types it


class Asking:
    """Questions on stdout, answers from stdin; `tell` shows what is wrong with an answer. Raises
    Stopped at the end of the input, Back for "<" after an answer.

    `answered` counts the answers that are in force; None outside the steps, where nothing goes back.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.tell = tell
        self.answered: int | None = None

    def value(self, question: str, reader: Reader[T], default: str | None = None) -> T:
        """Ask until the answer is valid, giving reasons. Enter takes the default."""
        return self._until(lambda: self._line(question, default), reader)

    def secret(self, question: str, reader: Reader[T]) -> T | None:
        """Ask for a valid secret, shown as dots; None when nothing is typed."""
        return self._until(lambda: self._hidden(question), lambda text: reader(text) if text.strip() else None)

    def yes(self, question: str, default: bool = True) -> bool:
        yes, no = (say(words).split()[0] for words in (YES, NO))
        shown = f"{yes.upper()}/{no}" if default else f"{yes}/{no.upper()}"
        return self.value(f"{question} [{shown}]", rules.yes, yes if default else no)

    def one_of(self, question: str, options: dict[str, str], default: str) -> str:
        """Ask for one of several numbered options; `options` maps names to descriptions."""
        names = list(options)
        for number, (name, about) in enumerate(options.items(), 1):
            self.tell(f"  {number}  {name:<12} {about}")
        return self.value(question, rules.one_of(names), default)

    def _until(self, ask: Callable[[], str], reader: Reader[T]) -> T:
        while True:
            text = ask()
            if self.answered and text in BACK:
                raise Back
            found = reader(text)
            if not isinstance(found, Wrong):
                if self.answered is not None:
                    self.answered += 1
                return found
            self.tell(f"  {found.words}")

    def _line(self, question: str, default: str | None) -> str:
        shown = f" [{default}]" if default and not question.endswith("]") else ""
        print(f"{question}{shown}{self._way_back()}: ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            print()
            raise Stopped
        if not sys.stdin.isatty():
            print(line.rstrip("\n"))
        return line.strip() or (default or "")

    def _way_back(self) -> str:
        return f" {say('(< goes back)')}" if self.answered else ""

    def _hidden(self, question: str) -> str:
        question += self._way_back()
        if sys.stdin.isatty():
            typed = _read_unseen(lambda count: _dots(question, count))
            print()
            return typed.strip()
        print(f"{question}: ", end="", flush=True)
        typed = sys.stdin.readline()
        if not typed:
            print()
            raise Stopped
        print("•" * min(DOTS, len(typed.strip())))
        return typed.strip()


def _dots(question: str, count: int) -> None:
    print(f"\r\x1b[K{question}: {'•' * min(DOTS, count)}", end="", file=style(sys.stdout), flush=True)


def _read_unseen(show: Callable[[int], None]) -> str:
    """Read a line from the terminal, showing only its length. Raises KeyboardInterrupt, Stopped."""
    typed = ""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    with _unseen(sys.stdin.fileno()) as keys:
        show(0)
        while True:
            pressed = os.read(keys, 1024)
            for sign in decoder.decode(pressed):
                if sign in _ENTER:
                    show(len(typed))
                    return typed
                typed = _after(typed, sign)
            if not pressed:
                raise Stopped
            show(len(typed))


def _after(typed: str, sign: str) -> str:
    """Return the typed text after one more key. Raises KeyboardInterrupt, Stopped."""
    if sign == _INTERRUPT:
        raise KeyboardInterrupt
    if sign == _END and not typed:
        raise Stopped
    if sign in _ERASE:
        return typed[:-1]
    if sign == _CLEAR:
        return ""
    return typed + sign if sign.isprintable() else typed


@contextlib.contextmanager
def _unseen(terminal: int) -> Iterator[int]:
    """While this lasts, the terminal delivers each key at once and echoes none."""
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        quiet = termios.tcgetattr(terminal)
        quiet[3] &= ~termios.ECHO
        termios.tcsetattr(terminal, termios.TCSADRAIN, quiet)
        yield terminal
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
