"""Rate limits of requests and of password guesses. Held in memory: a restart resets them."""

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Rate:
    """A rate: `burst` requests at once, `each_second` after that."""

    burst: float
    each_second: float


@dataclass(frozen=True)
class Bucket:
    """A token bucket: the tokens left at a moment (seconds of a monotonic clock)."""

    left: float
    at: float


@dataclass(frozen=True)
class Window:
    """At most `most` events in any `seconds`."""

    most: int
    seconds: float


# requests of a session; fifty open pages with live updates stay far below
SIGNED_IN = Rate(1200, 60)

ANYBODY = Rate(120, 2)  # requests of one address without a session
OF_AN_ADDRESS = (Window(5, 60), Window(30, 3600))  # wrong passwords from one address

# wrong passwords from all addresses together; links and tokens still work
OF_EVERYBODY = (Window(100, 3600),)

STREAMS = 60  # event streams that a session may have open: fifty pages, with some reserve

_MOST = 4096  # addresses and sessions in memory at most; the least recently seen is dropped


class Limits:
    """The requests and guesses seen by this process. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: OrderedDict[tuple[str, Rate], Bucket] = OrderedDict()
        self._guesses: OrderedDict[str, list[float]] = OrderedDict()
        self._alone = threading.Lock()
        self._streams: Counter[str] = Counter()

    def ask(self, who: str, rate: Rate) -> float:
        """Count a request; return the seconds to wait, 0 if it is allowed."""
        with self._alone:
            bucket, missing = _take(self._buckets.get((who, rate)), rate, self._clock())
            self._buckets[who, rate] = bucket
            _recent(self._buckets, (who, rate))
            return missing

    def stream(self, who: str) -> bool:
        """Count one more event stream; False if there are too many. `stream_ended` must follow."""
        with self._alone:
            if self._streams[who] >= STREAMS:
                return False
            self._streams[who] += 1
            return True

    def stream_ended(self, who: str) -> None:
        with self._alone:
            self._streams -= Counter([who])

    def guess(self, address: str) -> float:
        """Count a guess (wrong until `right`); return the seconds to wait, 0 if allowed."""
        with self._alone:
            now = self._clock()
            own, all_ = self._guesses.get(address, []), self._guesses.get("", [])
            missing = max(_wait(own, OF_AN_ADDRESS, now), _wait(all_, OF_EVERYBODY, now))
            if missing == 0.0:
                self._guesses[address] = [*own[1 - OF_AN_ADDRESS[1].most :], now]
                self._guesses[""] = [*all_[1 - OF_EVERYBODY[0].most :], now]
                _recent(self._guesses, address)
                _recent(self._guesses, "")
            return missing

    def right(self, address: str) -> None:
        """Remove a guess that was right from the count."""
        with self._alone:
            for key in (address, ""):
                del self._guesses.get(key, [])[-1:]


def _take(bucket: Bucket | None, rate: Rate, at: float) -> tuple[Bucket, float]:
    """Take a token: the new bucket and 0, or the bucket and the seconds until there is one."""
    held = rate.burst
    if bucket is not None:
        held = min(held, bucket.left + max(0.0, at - bucket.at) * rate.each_second)
    if held >= 1:
        return Bucket(held - 1, at), 0.0
    return Bucket(held, at), (1 - held) / rate.each_second


def _wait(times: Sequence[float], windows: Sequence[Window], now: float) -> float:
    """Return the seconds until another event is allowed after those at `times` (sorted); 0: now."""
    found = 0.0
    for window in windows:
        recent = [at for at in times if now - at < window.seconds]
        if len(recent) >= window.most:
            found = max(found, recent[-window.most] + window.seconds - now)
    return found


def _recent(held: OrderedDict[Any, Any], key: object) -> None:
    held.move_to_end(key)
    while len(held) > _MOST:
        held.popitem(last=False)
