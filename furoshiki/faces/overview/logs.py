"""Filtered log entries of the processes: newest first, page by page, read from the files' ends."""

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
MOST_READ = 20_000  # entries read for one page; a search in more must be narrowed by time

LONGEST_MESSAGE = 2000
LONGEST_TRACEBACK = 20_000  # characters shown of one entry's traceback

SPANS = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(days=7)}


@dataclass(frozen=True)
class Wanted:
    """A filter: entries of at least a level, of one process (None: all), not older than `since`,
    containing the words, and before the mark `before` of the previous page."""

    level: str = "info"
    process: str | None = None
    since: datetime | None = None
    words: str = ""
    before: str | None = None


@dataclass(frozen=True)
class Page:
    """Entries, newest first; `next` marks older ones, `all_read`: there are no more matches."""

    entries: list[Record]
    next: str | None
    all_read: bool


def names(folder: Path) -> list[str]:
    """Return the names of the logs, sorted."""
    return sorted(log_reading.names(folder))


def page(folder: Path, wanted: Wanted, secrets: Sequence[str]) -> Page:
    """Return one page of matches. Secrets are redacted again: output that a library wrote to our
    file directly was not."""
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
    records = list(islice(left, PER_PAGE + 1))
    shown = records[:PER_PAGE]
    after = _mark(shown, wanted.before) if len(records) > PER_PAGE else None
    return Page([_shorten(record, hidden) for record in shown], after, read <= MOST_READ)


def _holds(record: Record, words: str) -> bool:
    text = f"{record.logger} {record.message} {record.traceback}".casefold()
    return all(word in text for word in words.casefold().split())


def _mark(shown: list[Record], before: str | None) -> str:
    """Return a page's end: the time of its last entry, and how many of that time were shown."""
    at, earlier = shown[-1].at, _place(before)
    many = sum(record.at == at for record in shown)
    return f"{stamp(at)}~{many + (earlier[1] if earlier is not None and earlier[0] == at else 0)}"


def _place(mark: str | None) -> tuple[datetime, int] | None:
    """Parse a mark; None for none. Raises NoSuchPage for an invalid one."""
    if not mark:
        return None
    at, _, many = mark.partition("~")
    try:
        return parse(at), cursors.number(many)
    except (ValueError, OverflowError) as error:
        raise NoSuchPage from error


def _after(records: Iterator[Record], mark: str | None) -> Iterator[Record]:
    """Yield the records after a page's mark."""
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
