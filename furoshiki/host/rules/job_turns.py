"""Which home's job is done next: homes take turns, and one that has none under way comes before one that has."""

from collections import deque
from collections.abc import Collection, Iterator, Sequence


class JobTurns:
    """Jobs that wait to be done, by home, the home whose turn it is in front."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[str]] = {}

    def add(self, home: str, job: str) -> None:
        """Let a job wait, once."""
        waiting = self._waiting.setdefault(home, deque())
        if job not in waiting:
            waiting.append(job)

    def drop(self, home: str) -> None:
        """Forget what waits in a home that is gone or rests."""
        self._waiting.pop(home, None)

    def order(self, at_work: Sequence[str]) -> Iterator[str]:
        """The homes that wait, in the order of their turns; `at_work` names a home for each job under way."""
        yield from sorted(self._waiting, key=at_work.count)

    def take(self, home: str) -> str:
        """The next job of a home, whose next turn then comes after those of all others."""
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
        """Where something waits."""
        return self._waiting.keys()
