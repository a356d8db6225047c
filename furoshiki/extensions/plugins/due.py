"""Whether there is a plugin to run.

Each function returns the reason, or None. Only the standard library and storage are imported.
"""

import sqlite3
from datetime import datetime

from furoshiki.extensions.plugins.store import plugins


def run_plugin(db: sqlite3.Connection, _now: datetime, plugin: str = "", _number: str = "") -> str | None:
    """Return a reason when the plugin is enabled."""
    return f"{plugin} is enabled" if plugin in plugins.names(db) else None


def refresh(db: sqlite3.Connection, _now: datetime) -> str | None:
    """Return a reason when any plugin is enabled."""
    return "a plugin is enabled" if plugins.names(db) else None
