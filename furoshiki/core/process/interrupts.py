"""Signals that end a command: Ctrl-C, however it was started, and SIGTERM."""

import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio


def hear_interrupts() -> None:
    """Let SIGINT raise KeyboardInterrupt even if the parent process ignored it.

    A shell ignores it for background jobs, such as test runs, and Python then leaves it ignored.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def make_stop_event() -> "asyncio.Event":
    """Return an event that SIGTERM and SIGINT set, in the running loop."""
    import asyncio  # imported here: most commands run without a loop

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop
