"""Ctrl-C ends a command, no matter what started it."""

import signal


def hear_interrupts() -> None:
    """Let SIGINT raise KeyboardInterrupt also where it is inherited as ignored.

    A shell ignores it for everything it starts in the background, test runs too, and Python then leaves it so.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
