"""The errors with a traceback that stand in a log: JSON, one object a line, or the plain lines of earlier releases."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo

from furoshiki.core.timestamps import parse
from furoshiki.maintenance.repair.rules import signatures
from furoshiki.maintenance.repair.rules.signatures import Raised

LONGEST_RECORD = 200
"""Lines of one traceback that are read."""

_PLAIN = re.compile(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),(\d{3}) ([A-Z]+) ([\w.]+): (.*)$")
_BAD = frozenset({"error", "critical"})


@dataclass(frozen=True)
class Logged:
    """An error in a log: when, what was raised, and the record's whole text."""

    at: datetime
    raised: Raised
    text: str


def errors(lines: Iterable[str], zone: tzinfo) -> Iterator[Logged]:
    """The errors with a traceback among a log's lines. Plain lines tell the time in `zone`.

    What is neither form, or was cut off, is passed over.
    """
    record: list[str] = []
    for line in lines:
        if line.startswith("{") or _PLAIN.match(line):
            yield from _plain(record, zone)
            record = []
            if line.startswith("{"):
                yield from _json(line)
                continue
        if len(record) < LONGEST_RECORD:
            record.append(line.rstrip("\n"))
    yield from _plain(record, zone)


def _json(line: str) -> Iterator[Logged]:
    try:
        found = json.loads(line)
        if not isinstance(found, dict) or str(found.get("level", "")).lower() not in _BAD:
            return
        text = "\n".join(str(found[name]) for name in ("message", "traceback") if found.get(name))
        raised, at = signatures.of_traceback(text), parse(str(found.get("at")))
    except (ValueError, RecursionError):
        return
    if raised is not None:
        yield Logged(at, raised, text)


def _plain(record: list[str], zone: tzinfo) -> Iterator[Logged]:
    head = _PLAIN.match(record[0]) if record else None
    if head is None or head[3].lower() not in _BAD:
        return
    text = "\n".join([head[5], *record[1:]])
    raised = signatures.of_traceback(text)
    if raised is not None:
        try:
            yield Logged(parse(f"{head[1]}.{head[2]}", zone), raised, text)
        except ValueError:
            return
