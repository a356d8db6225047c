"""What the processes wrote down, filtered: newest entries first, a page at a time, reading from the ends of files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from furoshiki.core.logs import Redacting
from furoshiki.core.timestamps import parse, stamp
from furoshiki.faces.overview.rules import cursors
from furoshiki.faces.overview.rules.cursors import NoSuchPage
from furoshiki.maintenance import log_reading
from furoshiki.maintenance.log_reading import Follower, Record

PER_PAGE = 100
MOST_READ = 20_000
"""Entries that are looked at for one page: who looks for words in more narrows it down by time."""

LONGEST_MESSAGE = 2000
LONGEST_TRACEBACK = 20_000
"""Characters that are shown of one entry."""

SPANS = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(days=7)}


@dataclass(frozen=True)
class Wanted:
    """What to show: entries at least of a level, of one process (None: all), not older than `since`, that hold words;
    those before `before`, as a page before left off."""

    level: str = "info"
    process: str | None = None
    since: datetime | None = None
    words: str = ""
    before: str | None = None


@dataclass(frozen=True)
class Page:
    """Entries, newest first; `next` leads to older ones, `all_read` says that none that fit are left unread."""

    entries: list[Record]
    next: str | None
    all_read: bool


def names(folder: Path) -> list[str]:
    """The logs there are, by name."""
    return sorted(log_reading.names(folder))


def page(folder: Path, wanted: Wanted, secrets: Sequence[str], limit: int = PER_PAGE) -> Page:
    """One page of what is wanted. Secrets were struck out when it was written, and are once more: what a library wrote
    to a file of ours by itself was not looked at then."""
    hidden = Redacting(secrets)
    chosen = [name for name in names(folder) if wanted.process in (None, name)]
    followers = [Follower(folder / f"{name}.log") for name in chosen]
    read = 0

    def fitting() -> Iterator[Record]:
        nonlocal read
        for record in log_reading.newest_first(followers, wanted.since, "debug"):
            read += 1
            if read > MOST_READ:
                return
            if log_reading.severe(record, wanted.level) and _holds(record, wanted.words):
                yield record

    left = _after(fitting(), wanted.before)
    found = list(islice(left, limit + 1))
    more = len(found) > limit
    return Page(
        [_shorten(one, hidden) for one in found[:limit]],
        _mark(found[:limit], wanted.before) if more else None,
        read <= MOST_READ,
    )


def _holds(record: Record, words: str) -> bool:
    text = f"{record.logger} {record.message} {record.traceback}".casefold()
    return all(word in text for word in words.casefold().split())


def _mark(shown: list[Record], before: str | None) -> str:
    """Where a page ends: the moment of its last entry, and how many of that moment have been shown by then."""
    at, earlier = shown[-1].at, _place(before)
    many = sum(one.at == at for one in shown)
    return f"{stamp(at)}~{many + (earlier[1] if earlier is not None and earlier[0] == at else 0)}"


def _place(mark: str | None) -> tuple[datetime, int] | None:
    """What a mark says; None for none. Raises NoSuchPage for one that no page has given out."""
    if not mark:
        return None
    at, _, many = mark.partition("~")
    try:
        return parse(at), cursors.number(many)
    except (ValueError, OverflowError) as error:
        raise NoSuchPage from error


def _after(records: Iterator[Record], mark: str | None) -> Iterator[Record]:
    """What comes after the mark of a page."""
    place = _place(mark)
    if place is None:
        yield from records
        return
    moment, skipped = place
    for record in records:
        if record.at > moment:
            continue
        if record.at == moment and skipped > 0:
            skipped -= 1
            continue
        yield record


def _shorten(record: Record, hidden: Redacting) -> Record:
    message, traceback = hidden.clean(record.message), hidden.clean(record.traceback)
    return replace(record, message=_cut(message, LONGEST_MESSAGE), traceback=_cut(traceback, LONGEST_TRACEBACK))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} … ({len(text):,} characters)"
