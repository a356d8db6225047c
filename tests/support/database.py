"""One open transaction per test: what a use case would hold while it asks."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest

from furoshiki.core.database.connection import Database


@pytest.fixture
def db(database: Database) -> Iterator[sqlite3.Connection]:
    with database.write() as connection:
        yield connection
