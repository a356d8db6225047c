"""Reads the feeds and suggests the entry that fits best: at most one a day, none twice."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import entries
import fitting
from furoshiki_plugin import Refused, answer, data_dir, fetch, now, read_db, say_later, setting

MOST_FEEDS = 10
EACH_S = 9
"""Seconds for one feed: ten of them fit into a run."""

OLD_NEWS = timedelta(days=3)
OUTAGE = timedelta(hours=13)
"""How long all feeds may fail before a run fails: longer than the pause at night."""

KEPT = 5000
"""Entries remembered as seen."""

_TRUE_NOW = (
    "SELECT object FROM memories WHERE status='active' AND valid_to IS NULL AND subject='user' AND object IS NOT NULL "
)
LIKED = _TRUE_NOW + (
    "AND (predicate IN ('likes', 'plays', 'studies', 'works_as', 'hobby', 'interest', 'learning', 'interested_in') "
    "OR predicate LIKE 'favo%' OR category IN ('hobby', 'interest')) ORDER BY id DESC LIMIT 200"
)
DISLIKED = _TRUE_NOW + "AND predicate='dislikes' ORDER BY id DESC LIMIT 100"
TALKED_OF = "SELECT name FROM concepts WHERE seen>=3 ORDER BY seen DESC, name LIMIT 80"


def cared() -> dict[str, float]:
    """Return the owner's interests and their weights."""
    return fitting.interests(
        [str(row["object"]) for row in read_db(LIKED)],
        [str(row["object"]) for row in read_db(DISLIKED)],
        [str(row["name"]) for row in read_db(TALKED_OF)],
    )


def read(url: str, known: dict[str, Any]) -> list[fitting.Entry]:
    """Return the present entries of a feed, none if it is unchanged, and update `known`. Raises
    Refused, ValueError."""
    headers = {"Accept": "application/atom+xml, application/rss+xml, application/xml;q=0.9, */*;q=0.5"}
    headers |= {"If-None-Match": known["etag"]} if known.get("etag") else {}
    headers |= {"If-Modified-Since": known["modified"]} if known.get("modified") else {}
    reply = fetch(url, headers=headers, timeout=EACH_S)
    if reply.status == 304:
        return []
    if reply.status != 200:
        raise ValueError(f"answered {reply.status}")
    found = entries.entries(reply.body, reply.headers, url)
    known["etag"], known["modified"] = reply.headers.get("etag", ""), reply.headers.get("last-modified", "")
    return found


def unseen(found: list[fitting.Entry], known: dict[str, Any], at: datetime) -> list[fitting.Entry]:
    """Return new and recent entries, and mark all as seen. In a feed's first reading nothing is
    new."""
    first, seen = "seen" not in known, set(known.get("seen", ()))
    since = (at - OLD_NEWS).timestamp()
    fresh = [one for one in found if not first and one.key not in seen and (not one.at or one.at >= since)]
    known["seen"] = [*known.get("seen", ()), *(one.key for one in found if one.key not in seen)][-KEPT:]
    return fresh


def main() -> str:
    """Read, choose, and return a line for the log."""
    at, path = now(), data_dir() / "feeds.json"
    state: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {"feeds": {}, "waiting": [], "told": ""}
    urls = setting("URLS").split()[:MOST_FEEDS]
    state["feeds"] = {url: state["feeds"].get(url, {}) for url in urls}
    waiting = [fitting.Entry(**one) for one in state["waiting"]]
    said: list[str] = []
    for url in urls:
        try:
            known = state["feeds"][url]
            waiting += unseen(read(url, known), known, at)
            state["read_at"] = at.isoformat()
        except (Refused, ValueError) as error:
            said.append(f"{url.split('/')[2] if '://' in url else url}: {error}")
    # Entries of a day that had its suggestion may follow on the next.
    since = (at - OLD_NEWS).timestamp()
    waiting = [one for one in waiting if not one.at or one.at >= since][-500:]
    if waiting and state["told"] != f"{at:%Y-%m-%d}":
        fit, refused = fitting.best(waiting, cared()), ""
        try:
            if fit is not None and tell(fit, at):
                state["told"] = f"{at:%Y-%m-%d}"
                said.append("something fits")
        except Refused as error:  # no room today: the next run tries again
            refused = fit.entry.key if fit is not None else ""
            said.append(f"something fits, later: {error}")
        chosen = fit.entry.key if fit is not None else ""
        waiting = [one for one in waiting if one.key == refused or (one.at and one.key != chosen)]
    state["waiting"] = [vars(one) for one in waiting]
    write(path, state)
    if urls and ("read_at" not in state or at - datetime.fromisoformat(state["read_at"]) > OUTAGE):
        raise ValueError(f"no feed can be read: {'; '.join(said)}")
    return f"{len(urls)} feeds read" + (f"; {'; '.join(said)}" if said else "")


def tell(fit: fitting.Fit, at: datetime) -> bool:
    """Queue the suggestion for a day; False if it was queued before. Raises Refused."""
    detail = f"{fit.entry.title}\n{fit.entry.text[:1000]}\n{fit.entry.link}"
    return say_later(fitting.told(fit), detail, fit.entry.key, until=at + timedelta(days=1))


def write(path: Path, what: Any) -> None:
    """Write JSON atomically."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(what))
    part.replace(path)


if __name__ == "__main__":
    answer(log=main())
