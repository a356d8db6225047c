"""Secrets entered on a page and waiting for the owner's confirmation: `run/entered-secrets.json`.
Only its user can read the file; no backup or export contains it. Entries expire after a day."""

import json
from datetime import datetime
from pathlib import Path

from furoshiki.core.atomic_files import locked, write_text
from furoshiki.core.timestamps import parse, stamp
from furoshiki.owner.agenda.store.asked_settings import OPEN

FILE = "entered-secrets.json"


def keep(data: Path, token: str, secret: str, now: datetime) -> None:
    """Store a secret under the token of its question."""
    with locked(data / "run" / f"{FILE}.lock"):
        _write(data, {**_read(data, now), token: [secret, stamp(now)]})


def get(data: Path, token: str, now: datetime) -> str | None:
    """Return a secret; None when missing or expired."""
    found = _read(data, now).get(token)
    return None if found is None else found[0]


def drop(data: Path, token: str, now: datetime) -> None:
    """Delete a secret and all expired ones."""
    if not (data / "run" / FILE).exists():
        return
    with locked(data / "run" / f"{FILE}.lock"):
        _write(data, {one: kept for one, kept in _read(data, now).items() if one != token})


def _read(data: Path, now: datetime) -> dict[str, list[str]]:
    try:
        held = json.loads((data / "run" / FILE).read_text(encoding="utf-8"))
        return {token: kept for token, kept in held.items() if now - parse(kept[1]) <= OPEN}
    except (OSError, ValueError, TypeError, AttributeError, LookupError):  # missing or incomplete
        return {}


def _write(data: Path, held: dict[str, list[str]]) -> None:
    if held:
        write_text(data / "run" / FILE, json.dumps(held), mode=0o600)
    else:
        (data / "run" / FILE).unlink(missing_ok=True)
