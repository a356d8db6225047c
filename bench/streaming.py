"""Measures the cost of showing a growing answer, by its length.

    python bench/streaming.py

The answer comes four characters at a time, as from models; the stage accepts it and shows nothing.
"""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from furoshiki.models.llm.values import Answer, Question  # isort: skip
from furoshiki.conversation import deliberate

LENGTHS = (1_000, 4_000, 16_000)
PIECE = 4
SENTENCE = "I feel that my mood is good, and *that* is `what` I wanted to say about it. "


@dataclass
class _Stage:
    shown: bool = False
    stopped: bool = False
    times: int = 0

    async def show(self, _text: str) -> None:
        self.times += 1


class _World:
    def __init__(self, text: str) -> None:
        self._text = text

    async def ask(self, _question: Question, show: Any) -> Answer:
        for end in range(PIECE, len(self._text) + 1, PIECE):
            await show(self._text[:end])
        return cast(Answer, self._text)


def main() -> None:
    """Print a line for each length."""
    for length in LENGTHS:
        text = (SENTENCE * (length // len(SENTENCE) + 1))[:length]
        stage = _Stage()
        began = time.thread_time()
        asyncio.run(deliberate._ask(cast(Any, _World(text)), cast(Any, None), cast(Any, stage), "Hello"))
        print(f"{length:7,} characters  {stage.times:5} times shown  {time.thread_time() - began:7.3f} s of CPU")


if __name__ == "__main__":
    main()
