"""Whether the encoder for other languages than English is missing where somebody writes one."""

from __future__ import annotations

import contextlib
import sqlite3

from furoshiki.core.settings import Settings
from furoshiki.messages.store import accounts
from furoshiki.recall.embeddings import models
from furoshiki.recall.retrieval.client import OTHER_LANGUAGES


def missing(db: sqlite3.Connection, settings: Settings) -> bool:
    """Whether it is wanted, by the owner's language or a message that came, and not installed."""
    if models.has_multilingual():
        return False
    language = settings.furoshiki_language or accounts.owners_language(db) or "en"
    return not language.lower().startswith("en") or (settings.data / "run" / OTHER_LANGUAGES).exists()


def ask_for(db: sqlite3.Connection, settings: Settings) -> None:
    """Let the next start of `run.sh` install it where it is missing."""
    if missing(db, settings):
        with contextlib.suppress(OSError):
            (settings.data / "run" / OTHER_LANGUAGES).touch()
