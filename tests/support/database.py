"""One open transaction per test: what a use case would hold while it asks."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest

from furoshiki.core.database.connection import Store


@pytest.fixture
def db(store: Store) -> Iterator[sqlite3.Connection]:
    with store.write() as connection:
        yield connection
