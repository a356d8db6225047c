"""Decides which alerts to send, from present findings and past alerts. Nothing is sent here.

A condition is told once, again after a day while it lasts, and once when it is over. A recurring
one is told at most once an hour. An alert counts as told when Telegram accepted it; one with an
unknown result is tried three times a day.
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
FORGOTTEN = timedelta(days=7)  # how long a past condition is remembered
MOST_TRIES = 3  # tries within a day of an alert with unknown results

SLOT_HOUR = 9
# without any memory: the hour (UTC) and its first minutes for alerts, which is one run a day
SLOT_MINUTES = 10


@dataclass(frozen=True)
class Message:
    """The text to send, and the conditions in it."""

    text: str
    keys: tuple[str, ...]


def judged(found: Iterable[Finding], told: Mapping[str, Any], now: datetime) -> tuple[dict[str, Any], Message | None]:
    """Return what to remember before sending, and the message, if any.

    Its conditions are remembered as tried; `sent` and `not_sent` record the result.
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
    """Record that it arrived."""
    for key in message.keys:
        held = kept.get(key)
        if held is not None:
            over = held.get("over") is not None
            held.update(tries=0, told_over=over, **({} if over else {"told_at": files.stamp(now)}))


def not_sent(kept: dict[str, Any], message: Message) -> None:
    """Record that it provably did not arrive: the next run tries again."""
    for key in message.keys:
        held = kept.get(key)
        if held is not None:
            held["tries"] = max(0, _number(held.get("tries")) - 1)


def in_slot(now: datetime) -> bool:
    """Return whether a doctor without memory may send alerts now."""
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
    """Forget tries with unknown results after a day."""
    at = files.moment(held.get("tried_at"))
    if at is None or not timedelta() <= now - at < AGAIN:
        held["tries"] = 0


def _worth_ending(held: Mapping[str, Any]) -> bool:
    """Return whether a person was told of it, not of its end, and would want to know."""
    told = held.get("told_at") is not None and not held.get("told_over")
    return told and held.get("kind") == "while" and _number(held.get("tries")) < MOST_TRIES


def _line(one: Finding) -> str:
    mark = "✗" if one.state == "wrong" else "✓ mended:" if one.state == "mended" else "!"
    return f"{mark} {one.words}" + (f"\n   → {one.fix}" if one.fix else "")


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1000 else 0
