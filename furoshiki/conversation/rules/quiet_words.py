"""That an answer says what holds of the quiet they asked for."""

from __future__ import annotations

from furoshiki.conversation.rules import speech


def stated(answer: str, quiet: str) -> str:
    """An answer that says what holds of the quiet they asked for, whoever answers; silence does not say it."""
    if not quiet or quiet in answer:
        return answer
    return quiet if speech.parse(answer, ()).silent else f"{answer}\n\n{quiet}"
