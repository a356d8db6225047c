"""A night that finds an insight."""

from __future__ import annotations

from typing import Any

QUESTIONS = {"questions": ["What does the sea have to do with hard weeks at the harbour?"]}


TEXT = "They go to the sea after hard days at the harbour."


def found(*pairs: tuple[str, list[Any]]) -> dict[str, Any]:
    return {"insights": [{"text": text, "memories": ids} for text, ids in pairs]}
