"""The minds of a process that goes on while its settings change: others take their place between two questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a script that asks nothing must not pay for them
    from furoshiki.llm.gateway import Minds
    from furoshiki.llm.rules.budget import BudgetLimits
    from furoshiki.llm.values import Answer, Question


class Swapping:
    """Asks the newest minds. Those before them are closed when nobody waits for them any more.

    `opened` makes the first ones: at the first question, unless they are asked for before.
    """

    def __init__(self, opened: Callable[[], Minds]) -> None:
        self._open = opened
        self._minds: Minds | None = None
        self._asked: Counter[int] = Counter()
        self._retired: list[Minds] = []

    @property
    def minds(self) -> Minds:
        """The newest minds. Raises BadSetting when they cannot be made."""
        if self._minds is None:
            self._minds = self._open()
        return self._minds

    def swap(self, minds: Minds) -> None:
        """From the next question on these answer; questions under way end where they began. From any thread."""
        if self._minds is not None:
            self._retired.append(self._minds)
        self._minds = minds

    def limit(self, limits: BudgetLimits) -> None:
        """Set the day's limits anew."""
        if self._minds is not None:
            self._minds.limits = limits

    async def ask(self, question: Question, on_text: Callable[[str], Awaitable[None]] | None = None) -> Answer:
        """See `Minds.ask`."""
        minds = self.minds
        self._asked[id(minds)] += 1
        try:
            return await minds.ask(question, on_text)
        finally:
            self._asked[id(minds)] -= 1
            await self._close_retired()

    async def warm(self) -> None:
        """See `Minds.warm`."""
        await self.minds.warm()

    async def _close_retired(self) -> None:
        idle = [minds for minds in self._retired if not self._asked[id(minds)]]
        for minds in idle:
            self._retired.remove(minds)
            del self._asked[id(minds)]
            await minds.aclose()
