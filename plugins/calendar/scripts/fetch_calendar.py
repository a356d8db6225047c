"""Fetches the calendar regularly, and queues reminders of appointments that begin soon."""

from __future__ import annotations

import base64
import hashlib
import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import appointments
import caldav
from furoshiki_plugin import Refused, Response, answer, data_dir, fetch, now, say_later, setting

EVERY = timedelta(minutes=10)
"""How often this runs, as `when` in PLUGIN.md."""

FETCHED_EVERY = timedelta(minutes=25)
READ_EVERY = timedelta(hours=6)
"""An unchanged calendar is parsed again after this time, because the days move on."""

AHEAD = timedelta(days=4)
OUTAGE = timedelta(hours=12)
"""How long the calendar may be unreachable before a run fails; old data is told for longer."""


class Away(Exception):
    """The server cannot be reached or has no time: the next run tries again, and nothing is wrong with the plugin."""


def asked(etag: str, modified: str, begin: datetime, end: datetime) -> Response:
    """Request the calendar. Raises Away; ValueError for a setting that must be changed."""
    headers = {}
    if setting("USER"):
        word = base64.b64encode(f"{setting('USER')}:{setting('PASSWORD')}".encode()).decode()
        headers["Authorization"] = f"Basic {word}"
    try:
        if setting("KIND").strip().lower() == "caldav":
            headers |= {"Content-Type": "application/xml; charset=utf-8", "Depth": "1"}
            reply = fetch(setting("URL"), "REPORT", headers, caldav.query(begin, end), timeout=30)
        else:
            headers |= {"If-None-Match": etag} if etag else {}
            headers |= {"If-Modified-Since": modified} if modified and not etag else {}
            url = setting("URL").replace("webcal://", "https://", 1)
            reply = fetch(url, headers=headers, timeout=30)
    except Refused as error:
        raise Away(str(error)) from None
    if reply.status in (401, 403):
        raise ValueError(f"the calendar may not be read ({reply.status}): check URL, USER and PASSWORD")
    if reply.status in (404, 410):
        raise ValueError(f"there is no calendar at URL ({reply.status}): copy its address again from your calendar")
    if reply.status not in (200, 207, 304):
        raise Away(f"the calendar's server answered {reply.status}")
    return reply


def held(folder: Path) -> dict[str, Any]:
    """Return what is known of the configured calendar; empty after a change of the settings."""
    path = folder / "appointments.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    return known if known.get("source") == source() else {}


def source() -> str:
    """Return a hash that identifies the calendar without its secret address."""
    return hashlib.sha256("\n".join(setting(name) for name in ("URL", "KIND", "USER")).encode()).hexdigest()


def refreshed(folder: Path, known: dict[str, Any], at: datetime) -> dict[str, Any]:
    """Return what is known of the calendar, updated when due. Raises Away, ValueError."""
    path, feed = folder / "appointments.json", folder / "feed.json"
    if known and at - datetime.fromisoformat(known["fetched_at"]) < FETCHED_EVERY:
        return known
    begin = at.replace(hour=0, minute=0, second=0, microsecond=0)
    end = begin + AHEAD
    reply = asked(known.get("etag", ""), known.get("modified", ""), begin, end)
    if reply.status == 304:
        if at - datetime.fromisoformat(known["read_at"]) < READ_EVERY:
            known["fetched_at"] = at.isoformat()
            write(path, known)
            return known
        texts = json.loads(feed.read_text())
        etag, modified = known["etag"], known["modified"]
    else:
        texts = caldav.calendars(reply.body) if reply.status == 207 else [reply.text]
        etag, modified = reply.headers.get("etag", ""), reply.headers.get("last-modified", "")
    import reading_ics  # takes a second on a small machine, and only one run in three needs it

    found = reading_ics.appointments(texts, begin, end, at.tzinfo)
    if reply.status != 304:
        write(feed, texts)
    stamps = {"etag": etag, "modified": modified, "fetched_at": at.isoformat(), "read_at": at.isoformat()}
    known = {"source": source(), **stamps, "appointments": appointments.kept(found)}
    write(path, known)
    return known


def write(path: Path, what: Any) -> None:
    """Write JSON atomically."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(what))
    part.replace(path)


def announce(folder: Path, known: dict[str, Any], at: datetime) -> int:
    """Queue reminders of appointments that begin soon; return how many are new."""
    before = timedelta(minutes=float(setting("MINUTES_BEFORE") or 30))
    if before <= timedelta(0) or at - datetime.fromisoformat(known["fetched_at"]) > appointments.STALE:
        return 0
    path = folder / "announced.json"
    announced = json.loads(path.read_text()) if path.exists() else {}
    there = [appointments.localized(one, at.tzinfo) for one in appointments.read(known["appointments"])]
    found = appointments.reminders(there, announced, at, before, EVERY)
    made = []
    for one in found:
        try:
            say_later(one.summary, one.detail, one.key, one.not_before, one.until)
        except Refused:  # no room today, or refused: the next run tries again
            continue
        made.append(one)
    if made:
        write(path, appointments.announced_then(announced, made, at))
    return len(made)


def main() -> str:
    """Fetch, announce, and return a line for the log."""
    folder, at = data_dir(), now()
    known, trouble = held(folder), ""
    try:
        known = refreshed(folder, known, at)
    except (Away, ValueError) as error:  # servers can send strange answers
        trouble = f"no new calendar: {error}"
        if not known:
            raise ValueError(trouble) from None
    announced = announce(folder, known, at)
    if trouble and at - datetime.fromisoformat(known["fetched_at"]) > OUTAGE:
        raise ValueError(trouble)
    said = f"{len(known['appointments'])} appointments known, {announced} announced"
    return said + (f"; {trouble}" if trouble else "")


if __name__ == "__main__":
    answer(log=main())
