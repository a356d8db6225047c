"""Sentences full of words of feeling that recite nothing."""

from __future__ import annotations

from pathlib import Path

INNOCENT = tuple(
    line
    for line in (Path(__file__).parent / "innocent_of_reciting.txt").read_text(encoding="utf-8").splitlines()
    if line
)
