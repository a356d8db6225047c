"""Model rounds with tools, within a budget in US dollars. The ledger's costs of the job count,
including those of killed runs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from furoshiki.core import refs
from furoshiki.core.errors import NoMindAnswered
from furoshiki.extensions.plugins.store import jobs
from furoshiki.extensions.plugins.store.jobs import Job
from furoshiki.models.llm.background import patiently
from furoshiki.models.llm.values import Answer, Block, Message, Question, Tool, ToolCall
from furoshiki.world import World

TIMEOUT_S = 300.0
MOST_TOKENS = 8_000  # output tokens of one answer: enough for a whole file of a plugin
MOST_CALLS = 12  # maximum tool calls in one round


# the answer to a final tool call next to other calls, whose results were not seen yet
NOT_TAKEN = "Not taken: give it alone, after you have read the answers."


class Spent(Exception):
    """The budget or the number of rounds is used up; the message says which."""


class Away(Exception):
    """No model can be asked now; the message says why."""


@dataclass
class Budget:
    """The US dollars for one purpose of a job, and the cost of this run.

    A round is not begun when one as expensive as the most expensive so far would exceed the budget.
    """

    purpose: str
    usd: float
    paid: float = 0.0
    dearest: float = 0.0

    def used_up(self, in_ledger: float) -> bool:
        """Return whether no further round may begin. `in_ledger`: the cost of all runs."""
        return self.usd <= 0 or max(in_ledger, self.paid) + self.dearest > self.usd

    def pay(self, usd: float) -> None:
        """Add the cost of a round."""
        self.paid += usd
        self.dearest = max(self.dearest, usd)


@dataclass
class Rounds:
    """A conversation with a model about a job: at most `most` rounds, within a budget."""

    world: World
    job: Job
    budget: Budget
    most: int
    tools: Sequence[Tool]
    system: str
    messages: list[Message] = field(default_factory=list)
    _asked: int = 0

    def say(self, text: str) -> None:
        """Add a user message."""
        self.messages.append(Message("user", text))

    async def until_words(self, run: Callable[[ToolCall], str], last: str | None = None) -> str | ToolCall:
        """Run tool calls until a text, or the tool `last` alone. Raises Spent and Away."""
        while True:
            answer = await self._ask()
            calls = answer.calls[:MOST_CALLS]
            if not calls:
                self.messages.append(Message("assistant", answer.text or "(nothing)"))
                return answer.text
            native = answer.native if len(calls) == len(answer.calls) else None
            self.messages.append(Message("assistant", answer.text, calls=calls, native=native))
            alone = len(answer.calls) == 1 and calls[0].name == last
            for call in calls:
                said = run(call) if call.name != last else "Taken." if alone else NOT_TAKEN
                self.messages.append(Message("tool", said, call_id=call.id))
            if alone:
                return calls[0]

    async def _ask(self) -> Answer:
        with self.world.database.read() as db:
            on_record = jobs.spent(db, self.job, self.budget.purpose)
        if self.budget.used_up(on_record):
            spent = max(on_record, self.budget.paid)
            raise Spent(f"its budget of ${self.budget.usd:.2f} is used up (${spent:.2f})")
        if self._asked >= self.most:
            raise Spent(f"it was not done after {self.most} rounds")
        question = Question(
            tier="deep",
            purpose=self.budget.purpose,
            system=(Block(self.system, True),),
            messages=(*self.messages[:-1], replace(self.messages[-1], cache=True)),
            tools=tuple(self.tools),
            max_tokens=MOST_TOKENS,
            timeout_s=TIMEOUT_S,
            turn_key=refs.name("plugin_jobs", self.job.id),
        )
        try:
            answer = await patiently(self.world, question, self.world.now)
        except NoMindAnswered as error:
            raise Away(str(error)) from None
        self._asked += 1
        self.budget.pay(answer.cost_usd)
        with self.world.database.write() as db:
            jobs.paid(db, self.job, answer.cost_usd)
        return answer
