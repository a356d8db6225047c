"""A mind that plans long tasks and works on their steps: each step puts its own thing on a list, then says so."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from furoshiki.conversation.acting import loop, persistent_tasks
from furoshiki.conversation.acting.persistent_tasks import PlanForm
from furoshiki.models.llm.values import Answer, Question, ToolCall

TEXTS = (
    "Collect six light tents with their prices",
    "Write down how heavy each tent is",
    "Read what owners remember about rain",
    "Ask memory which trips are planned",
    "Put everything found into one short table",
)
GRAPH: Sequence[Sequence[int]] = ((), (1,), (1,), (), (2, 3, 4))
"""What each of them rests on, by number."""

_STEP = re.compile(r"nothing beyond it:\s+(\S.*)")


def plan(after: Sequence[Sequence[int]] = GRAPH, confidence: float = 0.8, texts: Sequence[str] = TEXTS) -> PlanForm:
    """A plan as a model gives it, without anybody having looked through it."""
    steps = [{"text": text, "after": list(needs)} for text, needs in zip(texts, after, strict=True)]
    return PlanForm.model_validate({"steps": steps, "confidence": confidence})


@dataclass
class Thinker:
    """Answers planning with `plans` in turn, and each step by a call and then its result; what `says` has for a step's
    number is said instead, or called (exceptions are raised)."""

    plans: list[Any] = field(default_factory=lambda: [plan()])
    says: Mapping[int, Any] = field(default_factory=dict)
    turns: list[Any] = field(default_factory=list)
    """What it says and calls in a conversation."""
    questions: list[Question] = field(default_factory=list)

    async def __call__(self, question: Question, on_text: Any = None) -> Answer:
        self.questions.append(question)
        shown = question.messages[-1].text
        if question.purpose == persistent_tasks.PURPOSE:
            return self._answer(question, parsed=self._said(self.plans.pop(0)))
        if question.purpose not in (loop.PLAN, loop.ANSWER):
            line = self.turns.pop(0) if self.turns and question.purpose == "turn" else "Mhm."
            return self._does(question, line)
        found = _STEP.search(shown)
        assert found is not None, shown
        number = TEXTS.index(found[1]) + 1
        if number in self.says:
            return self._does(question, self._said(self.says[number]))
        item = f"thing {number}"
        if "Not done" in shown.partition("Nothing has been done yet.")[0]:
            return self._answer(question, text=f"They are asked about {item} first.")
        if f"Added: {item}" not in shown:
            call = ToolCall(f"c{number}", "list", {"action": "add", "list": "trip", "items": [item]})
            return Answer("", "tools", "scripted", "script", question.tier, (call,), cost_usd=0.001)
        return self._answer(question, text=f"Result of step {number}: {item} is noted.")

    def worked_on(self) -> list[int]:
        """The steps that were thought about, in order, each once."""
        found = [_STEP.search(one.messages[-1].text) for one in self.questions]
        return list(dict.fromkeys(TEXTS.index(one[1]) + 1 for one in found if one is not None))

    @classmethod
    def _does(cls, question: Question, line: Any) -> Answer:
        if isinstance(line, ToolCall):
            return Answer("", "tools", "scripted", "script", question.tier, (line,))
        return cls._answer(question, text=str(line))

    @staticmethod
    def _said(line: Any) -> Any:
        said = line() if callable(line) else line
        if isinstance(said, BaseException):
            raise said
        return said

    @staticmethod
    def _answer(question: Question, text: str = "", parsed: Any = None) -> Answer:
        return Answer(text, "stop", "scripted", "script", question.tier, parsed=parsed)
