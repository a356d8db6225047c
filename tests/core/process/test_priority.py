"""Work that gives way is behind everything else, and only its own thread is."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor

from furoshiki.core.process.priority import NICE, give_way, giving_way


def priority() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


def test_a_thread_that_gives_way_does_not_slow_the_others() -> None:
    own = priority()
    with ThreadPoolExecutor(1, initializer=give_way) as pool:
        assert pool.submit(priority).result() == max(NICE, own)
    assert priority() == own


def test_who_has_given_way_already_does_not_come_forward() -> None:
    def behind() -> tuple[int, int]:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
        with giving_way():
            within = priority()
        return within, priority()

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(behind).result() == (19, 19)
