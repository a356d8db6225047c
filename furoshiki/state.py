"""The two JSON files that processes talk through: heartbeat-state.json and session-context.json.

A writer states what it changes, as a function from state to state applied under a lock, so that two processes never
lose each other's update. A damaged file is set aside and rebuilt from the database; it never stops a reply. Keys that
a newer release wrote are kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar, cast

from furoshiki import atomic
from furoshiki.domain.emotion import Emotions
from furoshiki.domain.mood import WORDS, Mood
from furoshiki.domain.needs import Mark
from furoshiki.domain.user_needs import DIMENSIONS, UserNeed
from furoshiki.domain.when import parse, stamp

T = TypeVar("T")

SCHEMA = 1


@dataclass(frozen=True)
class Heartbeat:
    """How the companion is, at `felt_at`. `needs` is what people may read; it is computed, never believed.

    `last_event_id` is the newest row of system_events that has moved these emotions; `last_message_id` the newest
    inbox row that has. `extra` holds keys this release does not know.
    """

    emotions: Emotions
    felt_at: datetime
    mood: Mood
    needs: Mapping[str, float]
    need_marks: Mapping[str, Mark]
    user_needs: Mapping[str, UserNeed]
    last_event_id: int = 0
    last_message_id: int = 0
    last_tick_at: datetime | None = None
    last_message_at: datetime | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class StateFiles:
    """The files of one data directory. `rebuild` makes a heartbeat from the database when the file is unusable."""

    folder: Path
    rebuild: Callable[[], Heartbeat]
    now: Callable[[], datetime]

    @property
    def heartbeat_path(self) -> Path:
        """`memory/heartbeat-state.json`."""
        return self.folder / "heartbeat-state.json"

    @property
    def context_path(self) -> Path:
        """`memory/session-context.json`."""
        return self.folder / "session-context.json"

    def heartbeat(self) -> Heartbeat:
        """The newest heartbeat; rebuilt when there is none or it is damaged."""
        return _read(self.heartbeat_path, heartbeat_from, self.now()) or self.change(lambda known: known)

    def change(self, step: Callable[[Heartbeat], Heartbeat]) -> Heartbeat:
        """Apply one step under the lock and write the result; answers it."""
        with atomic.locked(self.folder / ".heartbeat.lock"):
            before = _read(self.heartbeat_path, heartbeat_from, self.now()) or self.rebuild()
            after = step(before)
            if after is not before or not self.heartbeat_path.exists():
                atomic.write_text(self.heartbeat_path, _json(heartbeat_to(after)))
            return after

    def context(self) -> Mapping[str, Any]:
        """What the last refresh prepared for conversations; empty before the first one or when damaged."""
        return _read(self.context_path, _context_from, self.now()) or {}

    def write_context(self, context: Mapping[str, Any]) -> None:
        """Replace the prepared context."""
        with atomic.locked(self.folder / ".context.lock"):
            atomic.write_text(self.context_path, _json({"schema": SCHEMA, **context}))


def heartbeat_to(beat: Heartbeat) -> dict[str, Any]:
    """The heartbeat as people read it in the file."""
    return {
        **beat.extra,
        "schema": SCHEMA,
        "emotions": {name: round(value, 6) for name, value in beat.emotions.as_mapping().items()},
        "felt_at": stamp(beat.felt_at),
        "mood": beat.mood.word,
        "mood_since": stamp(beat.mood.since),
        "needs": {name: round(value, 6) for name, value in beat.needs.items()},
        "need_marks": dict(beat.need_marks),
        "user_needs": {
            name: {
                "level": round(need.level, 6),
                "confidence": round(need.confidence, 6),
                "last_updated": stamp(need.updated),
                "evidence": list(need.evidence),
            }
            for name, need in beat.user_needs.items()
        },
        "last_event_id": beat.last_event_id,
        "last_message_id": beat.last_message_id,
        "last_tick_at": None if beat.last_tick_at is None else stamp(beat.last_tick_at),
        "last_message_at": None if beat.last_message_at is None else stamp(beat.last_message_at),
    }


def heartbeat_from(found: Mapping[str, Any]) -> Heartbeat:
    """Read a heartbeat back. ValueError, KeyError or TypeError when it does not fit."""
    if not isinstance(found["schema"], int) or found["schema"] < 1:
        raise ValueError("schema must be a positive number")
    if found["mood"] not in WORDS:
        raise ValueError(f"no such mood: {found['mood']!r}")
    known = set(heartbeat_keys())
    return Heartbeat(
        emotions=Emotions.from_mapping(found["emotions"]),
        felt_at=parse(found["felt_at"]),
        mood=Mood(found["mood"], parse(found["mood_since"])),
        needs={str(name): float(value) for name, value in found["needs"].items()},
        need_marks={str(name): cast(Mark, str(mark)) for name, mark in found["need_marks"].items()},
        user_needs={name: _user_need(found["user_needs"][name]) for name in DIMENSIONS},
        last_event_id=int(found["last_event_id"]),
        last_message_id=int(found["last_message_id"]),
        last_tick_at=None if found["last_tick_at"] is None else parse(found["last_tick_at"]),
        last_message_at=None if found["last_message_at"] is None else parse(found["last_message_at"]),
        extra={key: value for key, value in found.items() if key not in known},
    )


def heartbeat_keys() -> tuple[str, ...]:
    """The keys of the file that this release knows."""
    return (
        "schema",
        "emotions",
        "felt_at",
        "mood",
        "mood_since",
        "needs",
        "need_marks",
        "user_needs",
        "last_event_id",
        "last_message_id",
        "last_tick_at",
        "last_message_at",
    )


def with_needs(beat: Heartbeat, needs: Mapping[str, float], marks: Mapping[str, Mark]) -> Heartbeat:
    """The heartbeat with its derived needs brought up to date."""
    return replace(beat, needs=needs, need_marks=marks)


def _user_need(found: Mapping[str, Any]) -> UserNeed:
    level, confidence = float(found["level"]), float(found["confidence"])
    if not (0.0 <= level <= 1.0 and 0.0 <= confidence <= 1.0):
        raise ValueError("levels and confidences lie between 0 and 1")
    return UserNeed(level, confidence, parse(found["last_updated"]), tuple(int(turn) for turn in found["evidence"]))


def _context_from(found: Mapping[str, Any]) -> Mapping[str, Any]:
    if not isinstance(found.get("schema"), int):
        raise ValueError("schema must be a number")
    return found


def _read(path: Path, reader: Callable[[Mapping[str, Any]], T], now: datetime) -> T | None:
    """The file's value; None when it is missing, or damaged, in which case it is set aside."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError):
        text = ""
    try:
        found = json.loads(text)
        if not isinstance(found, dict):
            raise ValueError("not a JSON object")
        return reader(found)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        _set_aside(path, now)
        return None


def _set_aside(path: Path, now: datetime) -> None:
    target = path.with_name(f"{path.name}.corrupt-{now.strftime('%Y%m%dT%H%M%S%f')}")
    try:
        path.rename(target)
    except FileNotFoundError:
        return  # another process was quicker


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
