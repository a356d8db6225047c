"""Ctrl-C ends a command however it was started."""

import signal


def hear_interrupts() -> None:
    """Let SIGINT raise KeyboardInterrupt even if the parent process ignored it.

    A shell ignores it for background jobs, such as test runs, and Python then leaves it ignored.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
