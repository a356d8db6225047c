"""Runs of jobs as rows of blocks over a period."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

WIDTH = 1000
HEIGHT = 12
NARROWEST = 3
"""Minimal width of a block in units of WIDTH: a one-second run stays visible."""


@dataclass(frozen=True)
class Block:
    """A run: start, end (None: running), and success (None: unknown yet)."""

    name: str
    begun: datetime
    ended: datetime | None
    well: bool | None


@dataclass(frozen=True)
class Row:
    """A job's runs as two SVG paths (successful or running, and failed ones), and their counts."""

    name: str
    well: str
    failed: str
    runs: int
    failures: int


@dataclass(frozen=True)
class Tick:
    """A mark on the scale, in percent from the left."""

    at: float
    label: str


def rows(blocks: Iterable[Block], order: Sequence[str], start: datetime, end: datetime) -> list[Row]:
    """Return a row for each job that ran, in this order, others after them."""
    found: dict[str, list[Block]] = {}
    for block in blocks:
        found.setdefault(block.name, []).append(block)
    place: Mapping[str, int] = {name: number for number, name in enumerate(order)}
    return [_row(name, found[name], start, end) for name in sorted(found, key=lambda one: (place.get(one, 999), one))]


def ticks(start: datetime, end: datetime, zone: tzinfo) -> list[Tick]:
    """Return every fourth hour by the zone's clock."""
    whole = end - start
    at = start.astimezone(zone).replace(minute=0, second=0, microsecond=0)
    found = []
    for ahead in range(int(whole / timedelta(hours=1)) + 2):
        moment = (at + timedelta(hours=ahead)).astimezone(zone)
        if start <= moment <= end and moment.hour % 4 == 0:
            found.append(Tick(round(100 * ((moment - start) / whole), 2), f"{moment:%H:%M}"))
    return found


def _row(name: str, blocks: Sequence[Block], start: datetime, end: datetime) -> Row:
    failed = [block for block in blocks if block.well is False]
    others = [block for block in blocks if block.well is not False]
    return Row(name, _path(others, start, end), _path(failed, start, end), len(blocks), len(failed))


def _path(blocks: Iterable[Block], start: datetime, end: datetime) -> str:
    """Return rectangles; one that would lie inside its predecessor is left out."""
    drawn, last = [], -1
    for block in sorted(blocks, key=lambda one: one.begun):
        begins = max(0, round(WIDTH * ((block.begun - start) / (end - start))))  # the clock may have been set back
        left = min(WIDTH - NARROWEST, begins)
        right = min(WIDTH, round(WIDTH * (((block.ended or end) - start) / (end - start))))
        right = max(right, min(left + NARROWEST, WIDTH))
        if right > last:
            drawn.append(f"M{left} 0h{right - left}v{HEIGHT}h-{right - left}z")
            last = right
    return "".join(drawn)
