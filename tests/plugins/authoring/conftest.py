"""A draft a model writes, and what reviewers say of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from furoshiki.llm.values import Answer, Question, ToolCall

WISH = "Could you learn to tell me when the next tram leaves?"
NAME = "next-tram-leaves"

MANIFEST = f"""---
name: {NAME}
version: "1.0"
description: Says when the next tram leaves from the owner's stop.
author: the companion
licence: MIT
min_furoshiki: 0.1.0
entry_points:
  - hook: callable
    script: scripts/tram.py
    tool: next_tram
    description: The next trams from the owner's stop.
    when_to_use: Somebody asks when a tram leaves.
    args_schema:
      type: object
      properties: {{}}
permissions:
  network: [trams.example.org]
settings:
  - name: stop
    about: The number of your stop.
    default: "12"
---

# Trams

Ask when the next tram leaves.
"""
SCRIPT = '''"""The next trams of a stop."""

from furoshiki_plugin import answer, fetch, setting

if __name__ == "__main__":
    found = fetch("https://trams.example.org/next?stop=" + setting("stop", "12")).json()
    answer(data={"departures": found["departures"][:3]})
'''
FILES = {"PLUGIN.md": MANIFEST, "scripts/tram.py": SCRIPT}
CAN_DO = "It asks trams.example.org for the next trams of your stop when you want to know. It keeps nothing."


def calls(*made: tuple[str, Mapping[str, Any]], cost: float = 0.0) -> Any:
    """A line of a scripted model that asks for tools."""

    def line(question: Question) -> Answer:
        found = tuple(ToolCall(f"c{number}", name, args) for number, (name, args) in enumerate(made))
        return Answer("", "tools", "scripted", "script", question.tier, found, cost_usd=cost)

    return line


def writes(files: Mapping[str, str] = FILES, cost: float = 0.0) -> list[Any]:
    """The lines of an author who writes these files and is done."""
    made = [("write_file", {"file": file, "text": text}) for file, text in files.items()]
    return [calls(*made, cost=cost), "It is done."]


def verdict(
    approve: bool = True, confidence: float = 0.9, issues: tuple[str, ...] = (), **other: Any
) -> dict[str, Any]:
    return {"approve": approve, "confidence": confidence, "blocking_issues": list(issues), "can_do": CAN_DO, **other}


def reviews(said: Mapping[str, Any] | None = None, files: Mapping[str, str] = FILES, cost: float = 0.0) -> list[Any]:
    """The lines of one reviewer who reads every file and says this."""
    read = [("read_file", {"file": file}) for file in files]
    return [calls(*read, cost=cost), calls(("verdict", said or verdict()), cost=cost)]
