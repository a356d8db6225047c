"""Tells a conversation about today and tomorrow, from fetched data, without network access."""

from __future__ import annotations

import json
from datetime import datetime

import appointments
from furoshiki_plugin import answer, data_dir, now


def main() -> str:
    """Return the two lines; "" if the data is older than a day."""
    path = data_dir() / "appointments.json"
    at = now()
    known = json.loads(path.read_text()) if path.exists() else None
    if known is None or at - datetime.fromisoformat(known["fetched_at"]) > appointments.STALE:
        return ""
    there = [appointments.localized(one, at.tzinfo) for one in appointments.read(known["appointments"])]
    return appointments.told(there, at)


if __name__ == "__main__":
    answer(context=main())
