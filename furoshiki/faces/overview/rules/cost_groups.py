"""Sums of the models' cost by day, purpose, tier or model."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from furoshiki.models.llm.values import Cell

By = Literal["day", "purpose", "tier", "model"]
GROUPS: tuple[By, ...] = get_args(By)


@dataclass(frozen=True)
class Group:
    """One group: name, calls (failed ones, and those in batches at half the price), tokens in and
    out, share of input tokens from a cache, US dollars, and its share of all dollars, in [0, 1]."""

    name: str
    calls: int
    failed: int
    in_batches: int
    tokens_in: int
    tokens_out: int
    cached_share: float
    usd: float
    share: float


def group(cells: Iterable[Cell], by: By) -> list[Group]:
    """Return a group for each value; dearest first, days newest first."""
    found: dict[str, list[Cell]] = {}
    for cell in cells:
        found.setdefault(getattr(cell, by), []).append(cell)
    whole = sum(cell.usd for held in found.values() for cell in held)
    lines = [_line(name, held, whole) for name, held in found.items()]
    if by == "day":
        return sorted(lines, key=lambda line: line.name, reverse=True)
    return sorted(lines, key=lambda line: (-line.usd, -line.calls, line.name))


def _line(name: str, cells: list[Cell], whole: float) -> Group:
    tokens_in, usd = sum(cell.tokens_in for cell in cells), sum(cell.usd for cell in cells)
    return Group(
        name=name,
        calls=sum(cell.calls for cell in cells),
        failed=sum(cell.failed for cell in cells),
        in_batches=sum(cell.in_batches for cell in cells),
        tokens_in=tokens_in,
        tokens_out=sum(cell.tokens_out for cell in cells),
        cached_share=sum(cell.tokens_cached for cell in cells) / tokens_in if tokens_in else 0.0,
        usd=usd,
        share=usd / whole if whole else 0.0,
    )
