"""Times the steps of a message: runs the listener with stopwatches around the steps of a turn.

`python -m bench.turn --profile` starts this instead of `furoshiki listen` and reads its output.
"""

from __future__ import annotations

import asyncio
import atexit
import functools
import importlib
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

STEPS = (
    "furoshiki.channels.telegram.listener:Delivery.store",
    "furoshiki.conversation.worker:Worker._spoke_of_due",
    "furoshiki.conversation.worker:Worker._claim",
    "furoshiki.conversation.worker:Worker._answer",
    "furoshiki.conversation.worker:places.whose",
    "furoshiki.conversation.turn:channel_modes.mode",
    "furoshiki.conversation.turn:interactions.command",
    "furoshiki.conversation.turn:interactions.handle_consent",
    "furoshiki.conversation.turn:interactions.handle_spoken_command",
    "furoshiki.conversation.turn:perceive",
    "furoshiki.memory.perception.perceive:signals.read",
    "furoshiki.memory.perception.perceive:signals.look",
    "furoshiki.conversation.turn:danger.read",
    "furoshiki.conversation.turn:build_context",
    "furoshiki.conversation.gathering:gather_known",
    "furoshiki.conversation.gathering:gather_talk",
    "furoshiki.conversation.gathering:gather_concerns",
    "furoshiki.conversation.gathering:gather_bearing",
    "furoshiki.conversation.context:gathering.gather_sources",
    "furoshiki.conversation.gathering:ask_memory",
    "furoshiki.conversation.gathering:gather_woken",
    "furoshiki.conversation.gathering:recall",
    "furoshiki.conversation.gathering:focus.inertia",
    "furoshiki.conversation.gathering:inject",
    "furoshiki.conversation.context:render_now",
    "furoshiki.conversation.context:_judge",
    "furoshiki.conversation.turn:mode_effects.settle_route",
    "furoshiki.conversation.deliberate:being_quiet.apply_message",
    "furoshiki.conversation.deliberate:_question",
    "furoshiki.conversation.deliberate:_build_skill_context",
    "furoshiki.conversation.deliberate:_gather_evidence",
    "furoshiki.conversation.deliberate:_ask",
    "furoshiki.conversation.turn:_journal",
    "furoshiki.conversation.turn:speak",
    "furoshiki.conversation.turn:speak_answer",
    "furoshiki.conversation.turn:commit",
    "furoshiki.conversation.turn:settle",
    "furoshiki.conversation.worker:continuity.arm",
    "furoshiki.conversation.turn:_gather",
    "furoshiki.memory.perception.perceive:_perceive_message",
    "furoshiki.memory.perception.perceive:_new_subject",
    "furoshiki.conversation.gathering:attention.find_claims",
    "furoshiki.conversation.gathering:_build_query",
    "furoshiki.conversation.gathering:statements_in_view",
    "furoshiki.conversation.gathering:find_repeats",
    "furoshiki.conversation.gathering:_stable",
    "furoshiki.mind.post_conversation.after_answer:read",
    "furoshiki.conversation.window:compact",
    "furoshiki.recall.retrieval.client:Vectors._ask",
    "furoshiki.feelings.state_files:StateFiles.change",
    "furoshiki.feelings.state_files:StateFiles.change_beside",
    "furoshiki.feelings.state_files:StateFiles.written",
    "furoshiki.channels.telegram.sender:Sender._deliver",
)
"""The watched functions, as they are called: a module, and a name in it."""

_seen: list[tuple[str, float, float, float]] = []


def _timed(name: str, made: Callable[..., Any]) -> Callable[..., Any]:
    def note(began: float, used: float) -> None:
        _seen.append((name, began, time.time(), time.thread_time() - used))

    @functools.wraps(made)
    def plain(*args: Any, **named: Any) -> Any:
        began, used = time.time(), time.thread_time()
        try:
            return made(*args, **named)
        finally:
            note(began, used)

    @functools.wraps(made)
    async def awaited(*args: Any, **named: Any) -> Any:
        began, used = time.time(), time.thread_time()
        try:
            return await made(*args, **named)
        finally:
            note(began, used)

    return awaited if asyncio.iscoroutinefunction(made) else plain


def main() -> int:
    """Wrap the steps, run the listener, and write the timings as JSON to the given path."""
    for step in STEPS:
        module, _, path = step.partition(":")
        *owners, name = path.split(".")
        owner: Any = importlib.import_module(module)
        for part in owners:
            owner = getattr(owner, part)
        setattr(owner, name, _timed(path, getattr(owner, name)))
    atexit.register(lambda: Path(sys.argv[1]).write_text(json.dumps(_seen), "utf-8"))
    from furoshiki.faces.cli.main import main as furoshiki

    return furoshiki(["listen"])


if __name__ == "__main__":
    sys.exit(main())
