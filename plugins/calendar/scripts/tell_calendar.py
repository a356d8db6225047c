"""Tells a conversation what is on today and tomorrow, from what was fetched; the network is not asked."""

from __future__ import annotations

import json
from datetime import datetime

import appointments
from furoshiki_plugin import answer, data_dir, now


def main() -> str:
    """The two lines; "" when nothing was fetched for a day."""
    path = data_dir() / "appointments.json"
    at = now()
    known = json.loads(path.read_text()) if path.exists() else None
    if known is None or at - datetime.fromisoformat(known["fetched_at"]) > appointments.STALE:
        return ""
    there = [appointments.localized(one, at.tzinfo) for one in appointments.read(known["appointments"])]
    return appointments.told(there, at)


if __name__ == "__main__":
    answer(context=main())
