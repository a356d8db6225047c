"""Chooses the home whose job runs next: in turns, those without a running job first."""

from collections import deque
from collections.abc import Collection, Iterator, Sequence


class JobTurns:
    """Queues of waiting jobs by home; the home whose turn it is comes first."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[str]] = {}

    def add(self, home: str, job: str) -> None:
        """Queue a job, unless it waits already."""
        waiting = self._waiting.setdefault(home, deque())
        if job not in waiting:
            waiting.append(job)

    def drop(self, home: str) -> None:
        """Remove the waiting jobs of a home that is gone or paused."""
        self._waiting.pop(home, None)

    def order(self, at_work: Sequence[str]) -> Iterator[str]:
        """Yield the waiting homes by turn; `at_work` names a home for each running job."""
        yield from sorted(self._waiting, key=at_work.count)

    def take(self, home: str) -> str:
        """Remove and return the next job of a home, and move the home behind all others."""
        waiting = self._waiting.pop(home)
        job = waiting.popleft()
        if waiting:
            self._waiting[home] = waiting
        return job

    def __contains__(self, asked: tuple[str, str]) -> bool:
        home, job = asked
        return job in self._waiting.get(home, ())

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def homes(self) -> Collection[str]:
        return self._waiting.keys()
