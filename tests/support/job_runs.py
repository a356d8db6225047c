"""A script's job, run as the program runs it, but with a mind that a test gives and with memoryd away.

It changes what stands for a mind and for memoryd in the whole process: call it in one of its own (`deaths.py`).
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from furoshiki.app import run_job, wiring
from furoshiki.models.llm.gateway import Gateway
from furoshiki.models.llm.values import Answer, Question
from furoshiki.recall.retrieval.client import Vectors, VectorsAway
from tests.support.world import PROMPTS

Mind = Callable[[Question], Awaitable[Answer]]


def run(data: Path, name: str, now: datetime, mind: Mind | None = None, **settings: str) -> None:
    """Run the job as of `now` in this data directory. SystemExit when it fails."""

    async def ask(_gateway: Gateway, question: Question, _on_text: Any = None) -> Answer:
        assert mind is not None, f"nobody is there to be asked for {question.purpose}"
        return await mind(question)

    def away(*_: Any, **__: Any) -> Any:
        raise VectorsAway("not in this test")

    os.environ.update(FUROSHIKI_DATA=str(data), **settings)
    setattr(Gateway, "ask", ask)  # noqa: B010 - in this process alone
    setattr(Vectors, "_ask", away)  # noqa: B010
    setattr(wiring, "Prompts", lambda _folder: PROMPTS)  # noqa: B010 - compiled once for all
    outcome = run_job.run(name, now=now)
    print(outcome.as_json())
    if outcome.exit_code:
        raise SystemExit(outcome.exit_code)
