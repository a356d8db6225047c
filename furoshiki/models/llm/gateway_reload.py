"""Replacement of the gateway, between two questions, when settings change in a running process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # saves scripts without questions the import
    from furoshiki.models.llm.gateway import Gateway
    from furoshiki.models.llm.rules.budget import BudgetLimits
    from furoshiki.models.llm.values import Answer, Question


class Swapping:
    """Asks the newest gateway; earlier ones are closed when their last question is answered.

    `opened` creates the first one on first use.
    """

    def __init__(self, opened: Callable[[], Gateway]) -> None:
        self._open = opened
        self._gateway: Gateway | None = None
        self._asked: Counter[int] = Counter()
        self._retired: list[Gateway] = []

    @property
    def gateway(self) -> Gateway:
        """The newest gateway. Raises BadSetting when it cannot be created."""
        if self._gateway is None:
            self._gateway = self._open()
        return self._gateway

    def swap(self, gateway: Gateway) -> None:
        """Use this gateway from the next question on; running questions continue. Thread-safe."""
        if self._gateway is not None:
            self._retired.append(self._gateway)
        self._gateway = gateway

    def limit(self, limits: BudgetLimits) -> None:
        """Set new daily limits."""
        if self._gateway is not None:
            self._gateway.limits = limits

    async def ask(self, question: Question, on_text: Callable[[str], Awaitable[None]] | None = None) -> Answer:
        """See `Gateway.ask`."""
        gateway = self.gateway
        self._asked[id(gateway)] += 1
        try:
            return await gateway.ask(question, on_text)
        finally:
            self._asked[id(gateway)] -= 1
            await self._close_retired()

    async def hand_in(self, questions: Sequence[Question]) -> None:
        """See `Gateway.hand_in`."""
        await self.gateway.hand_in(questions)

    async def warm(self) -> None:
        """See `Gateway.warm`."""
        await self.gateway.warm()

    async def _close_retired(self) -> None:
        idle = [gateway for gateway in self._retired if not self._asked[id(gateway)]]
        for gateway in idle:
            self._retired.remove(gateway)
            del self._asked[id(gateway)]
            await gateway.aclose()
