"""The month as it is written down in month.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.life.script import Line

HERE = Path(__file__).parent
FIRST = 1
"""The row of the first promise."""


@dataclass
class Talk:
    """One conversation: what is said, what a model makes of it, and what the companion asks itself that night."""

    at: datetime
    lines: list[Line] = field(default_factory=list)
    remark: dict[str, Any] = field(default_factory=dict)
    wonders: list[dict[str, Any]] = field(default_factory=list)


def month() -> list[Talk]:
    """Every conversation, in order."""
    talks: list[Talk] = []
    for line in (HERE / "month.md").read_text("utf-8").splitlines():
        if line.startswith("# "):
            talks.append(Talk(datetime.fromisoformat(line[2:]).replace(tzinfo=UTC)))
        elif not talks or not line.strip():
            continue
        elif line.startswith("> "):
            said = talks[-1].lines.pop()
            talks[-1].lines.append(Line(said.name, said.text, line[2:]))
        elif line.startswith("= "):
            _remark(talks[-1], line[2:])
        elif line.startswith("? "):
            name, _, question = line[2:].partition(": ")
            talks[-1].wonders.append({"text": question, "said": _said(talks[-1], [name])})
        else:
            name, text = line.split(None, 1)
            talks[-1].lines.append(Line(name, text))
    return talks


def remarks(talks: Sequence[Talk]) -> Mapping[str, Mapping[str, Any]]:
    """What a model makes of each conversation, by its first words."""
    return {talk.lines[0].text: talk.remark for talk in talks}


def thoughts(talks: Sequence[Talk]) -> Mapping[str, Mapping[str, Any]]:
    """What is thought in the night after each conversation, by the day on which that night ends."""
    nights = {f"{talk.at + timedelta(days=1):%Y-%m-%d}": talk.wonders for talk in talks if talk.wonders}
    return {day: {"self_questions": wonders} for day, wonders in nights.items()}


def _remark(talk: Talk, text: str) -> None:
    words, _, names = text.rpartition(":") if ":" in text else (text, "", "")
    key, *rest = words.split()
    said = _said(talk, names.split())
    match key:
        case "quality":
            talk.remark |= {"connection_quality": float(rest[0]), "warmth": float(rest[1])}
        case "grounded":
            talk.remark["grounded"] = int(rest[0])
        case "event":
            talk.remark.setdefault("events", []).append(rest[0])
        case "need":
            need = {"need": rest[0], "level": float(rest[1]), "confidence": float(rest[2]), "said": said}
            talk.remark.setdefault("user_needs", []).append(need)
        case "kept":
            [answer] = [line.answer for line in talk.lines if line.name == rest[0]]
            talk.remark["commitments"] = [{"id": FIRST, "verdict": "honoured", "said": answer}]
        case "ask":
            after, question = rest[0].rstrip(":"), " ".join(rest[1:])
            talk.remark.setdefault("follow_ups", []).append({"text": question, "after": after, "said": said})
        case _:
            raise ValueError(text)


def _said(talk: Talk, names: Sequence[str]) -> list[str]:
    by_name = {line.name: line.text for line in talk.lines}
    return [by_name[name] for name in names]
