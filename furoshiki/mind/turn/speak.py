"""Read the mind's draft for directions: what is said, where, and when nothing is."""

from __future__ import annotations

from furoshiki.domain import speech
from furoshiki.mind.turn.values import Context, Draft, Reply


def speak(context: Context, draft: Draft, channels: tuple[str, ...]) -> Reply:
    """The reply a draft comes to. `channels` are those that words may be redirected to."""
    return Reply(
        percept=context.percept,
        speech=speech.parse(draft.text, channels),
        draft=draft,
        window_start=context.window_start,
        session_block=context.session_block,
        operations=tuple(one.id for one in context.operations if one.state != "pending"),
        focus=context.focus,
        intensity=context.intensity,
        history_budget=context.history_budget,
    )
