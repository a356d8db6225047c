"""Work that gives way to everything else on the machine."""

import contextlib
import os
import threading
from collections.abc import Iterator

NICE = 10  # the nice value of such work: it gets a tenth of a core that others want too


def give_way() -> None:
    """Lower this thread's priority for good (Linux: each thread has its own)."""
    with contextlib.suppress(OSError, AttributeError):
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, max(NICE, os.getpriority(os.PRIO_PROCESS, thread)))


@contextlib.contextmanager
def giving_way() -> Iterator[None]:
    """Lower this thread's priority, and raise it again afterwards if the system allows that."""
    before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    give_way()
    try:
        yield
    finally:
        with contextlib.suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), before)
