"""Real programs whose clock is put forward: libfaketime tells each process another time.

Only the clock on the wall is moved, as a person moves it; waiting is not. Files keep the times at which they were
really written. The library comes with the package `faketime` of Debian and Ubuntu.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

_PLACES = ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib")


def library() -> Path | None:
    """Where libfaketime lies; None where it is not installed."""
    found = (Path(place) / "faketime" / "libfaketime.so.1" for place in _PLACES)
    return next((path for path in found if path.is_file()), None)


class VirtualTime:
    """The time that processes see which were started with `environ`."""

    def __init__(self, library: Path, folder: Path, begins: datetime) -> None:
        self._library = library
        self._file = folder / "clock"
        self._ahead = timedelta()
        self.to(begins)

    @property
    def environ(self) -> Mapping[str, str]:
        """What a process must have in its environment."""
        return {
            "LD_PRELOAD": str(self._library),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "NO_FAKE_STAT": "1",
        }

    def now(self) -> datetime:
        """The moment it is for them."""
        return datetime.now(UTC) + self._ahead

    def to(self, moment: datetime) -> None:
        """Set their clocks, to a whole second; they go on from there."""
        self._ahead = timedelta(seconds=round((moment - datetime.now(UTC)).total_seconds()))
        fresh = self._file.with_suffix(".new")
        fresh.write_text(f"{self._ahead.total_seconds():+.0f}\n", encoding="ascii")
        fresh.replace(self._file)
