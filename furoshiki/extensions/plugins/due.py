"""Is there a plugin to run?

Each question returns the reason to run, or None. Only the standard library and the storage are imported here.
"""

import sqlite3
from datetime import datetime

from furoshiki.extensions.plugins.store import enabled


def run_plugin(db: sqlite3.Connection, _now: datetime, plugin: str = "", _number: str = "") -> str | None:
    """The plugin is enabled."""
    return f"{plugin} is enabled" if plugin in enabled.names(db) else None


def refresh(db: sqlite3.Connection, _now: datetime) -> str | None:
    """A plugin may have something to say."""
    return "a plugin is enabled" if enabled.names(db) else None
