"""Memories and answers with which several nights of thinking are tried."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable


def near(*clusters: list[int]) -> Callable[[sqlite3.Connection], list[list[int]]]:
    return lambda _db: list(clusters)
