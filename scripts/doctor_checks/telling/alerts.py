"""Whom to bother, and when: judged from what was found now and what was told before. Nothing is sent here.

A condition is told once, again after a day while it lasts, and once when it is over. What comes and goes is told at
most once an hour. An alert counts as told when Telegram took it; one whose end nobody knows is tried three times a day.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from doctor_checks import files
from doctor_checks.findings import Finding

AGAIN = timedelta(hours=24)
COMES_AND_GOES = timedelta(hours=1)
FORGOTTEN = timedelta(days=7)
"""How long a condition that is over is remembered."""

MOST_TRIES = 3
"""How often within a day something is told of which nobody knows whether it arrived."""

SLOT_HOUR = 9
SLOT_MINUTES = 10
"""Without any memory: the hour (UTC) and the minutes of it in which alerts are sent, which is one look of the day."""


@dataclass(frozen=True)
class Message:
    """What is to be told, and the conditions it is about."""

    text: str
    keys: tuple[str, ...]


def judged(found: Iterable[Finding], told: Mapping[str, Any], now: datetime) -> tuple[dict[str, Any], Message | None]:
    """What to remember before sending, and the message to send, if any.

    What is to be told is remembered as tried; `sent` and `not_sent` say what became of it.
    """
    now_on = {one.key: one for one in found if one.alert != "never"}
    kept = {key: dict(held) for key, held in told.items() if isinstance(held, dict)}
    lines: list[str] = []
    keys: list[str] = []
    for key, one in now_on.items():
        held = kept.setdefault(key, {"since": files.stamp(now), "tries": 0})
        held.update(words=one.words, over=None, kind=one.alert)
        _forget_tries(held, now)
        if _due(one, held, now):
            _tried(held, now)
            held["told_over"] = False
            lines.append(_line(one))
            keys.append(key)
    for key, held in list(kept.items()):
        if key in now_on:
            continue
        if held.get("over") is None:
            held["over"] = files.stamp(now)
        _forget_tries(held, now)
        if _worth_ending(held):
            _tried(held, now)
            lines.append(f"✓ over: {held.get('words')}")
            keys.append(key)
        over = files.moment(held["over"])
        if over is None or abs(now - over) > FORGOTTEN:
            del kept[key]
    return kept, Message("\n".join(lines), tuple(keys)) if lines else None


def sent(kept: dict[str, Any], message: Message, now: datetime) -> None:
    """It arrived."""
    for key in message.keys:
        held = kept.get(key)
        if held is not None:
            over = held.get("over") is not None
            held.update(tries=0, told_over=over, **({} if over else {"told_at": files.stamp(now)}))


def not_sent(kept: dict[str, Any], message: Message) -> None:
    """It provably did not arrive: the next look tries again."""
    for key in message.keys:
        held = kept.get(key)
        if held is not None:
            held["tries"] = max(0, _number(held.get("tries")) - 1)


def in_slot(now: datetime) -> bool:
    """Whether a doctor without any memory may tell somebody in this look."""
    return now.hour == SLOT_HOUR and now.minute < SLOT_MINUTES


def _due(one: Finding, held: dict[str, Any], now: datetime) -> bool:
    told = files.moment(held.get("told_at"))
    if held.get("told_over") and told is not None and one.alert != "event":  # it was over, and is back
        fresh = now - told >= COMES_AND_GOES or told > now
        if fresh:
            held.update(since=files.stamp(now), tries=0)
        return fresh
    if told is not None and one.alert == "event":
        return not timedelta() <= now - told < COMES_AND_GOES
    if told is None:
        return _number(held.get("tries")) < MOST_TRIES
    if one.alert == "once":
        return False
    return not timedelta() <= now - told < AGAIN and _number(held.get("tries")) < MOST_TRIES


def _tried(held: dict[str, Any], now: datetime) -> None:
    held.update(tries=_number(held.get("tries")) + 1, tried_at=files.stamp(now))


def _forget_tries(held: dict[str, Any], now: datetime) -> None:
    """After a day, tries of which nobody knows the end count no more."""
    at = files.moment(held.get("tried_at"))
    if at is None or not timedelta() <= now - at < AGAIN:
        held["tries"] = 0


def _worth_ending(held: Mapping[str, Any]) -> bool:
    """Whether somebody heard of it, was not told that it is over, and would want to know."""
    told = held.get("told_at") is not None and not held.get("told_over")
    return told and held.get("kind") == "while" and _number(held.get("tries")) < MOST_TRIES


def _line(one: Finding) -> str:
    mark = "✗" if one.state == "wrong" else "✓ mended:" if one.state == "mended" else "!"
    return f"{mark} {one.words}" + (f"\n   → {one.fix}" if one.fix else "")


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1000 else 0
