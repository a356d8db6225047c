"""Take in conversations from JSON Lines. Once: the same line is never taken in twice, whatever its file is called.

A line is `{"session", "at", "speaker", "text", "id"}`. Ids are unique within an import, and an import is named by its
file ("conv-26.jsonl" and "conv-30.jsonl" may both hold a "D1:1"), so an id alone says nothing; a line with the same
id, moment, speaker and words as one that is there is the same turn, also from a file of another name. A line that
cannot be used is reported with its number and the reason, and costs only itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path

from furoshiki.domain.conversation import NewTurn
from furoshiki.domain.when import parse
from furoshiki.storage import imports
from furoshiki.storage.search import IMPORT
from furoshiki.storage.store import Store

BATCH = 500
"""Lines a transaction: long enough to be fast, short enough that a message never waits for it."""

_FIELDS = ("session", "at", "speaker", "text", "id")


@dataclass(frozen=True)
class BadLine:
    """A line that could not be used."""

    line: int
    reason: str


@dataclass(frozen=True)
class Imported:
    """What became of a file's lines: `added`, `known` before, `bad`."""

    source: str
    added: int = 0
    known: int = 0
    bad: tuple[BadLine, ...] = ()


def import_file(store: Store, path: Path, on_progress: Callable[[int], None] | None = None) -> Imported:
    """Take in a file; `on_progress` is told how many lines were read. Raises OSError and StorageUnavailable.

    What was taken in before an error stays; running it again goes on from there.
    """
    with path.open("rb") as lines:
        return import_lines(store, lines, path.name.partition(".jsonl")[0], on_progress)


def import_lines(
    store: Store, lines: Iterable[bytes], name: str, on_progress: Callable[[int], None] | None = None
) -> Imported:
    """Take in lines as the import called `name`. Rows wait for the index: tell memoryd with `nudge` afterwards."""
    source = IMPORT + name
    added = known = 0
    bad: list[BadLine] = []
    with store.read() as db:
        others = [other for other in imports.sources(db) if other != source]
    numbered = enumerate(lines, 1)
    while batch := list(islice(numbered, BATCH)):
        turns = list(_readable(batch, source, bad))
        with store.write() as db:
            for turn in turns:
                if imports.add(db, turn, others):
                    added += 1
                else:
                    known += 1
        if on_progress is not None:
            on_progress(batch[-1][0])
    return Imported(source, added, known, tuple(bad))


def _readable(batch: Iterable[tuple[int, bytes]], source: str, bad: list[BadLine]) -> Iterator[NewTurn]:
    for number, line in batch:
        if not line.strip():
            continue
        try:
            yield _turn(line, source)
        except ValueError as error:
            bad.append(BadLine(number, str(error)))


def _turn(line: bytes, source: str) -> NewTurn:
    """The turn a line describes. Raises ValueError with the reason when it describes none."""
    try:
        said = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError("not UTF-8 text") from error
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not JSON ({error})") from error
    if not isinstance(said, dict):
        raise ValueError("not a JSON object")
    missing = [field for field in _FIELDS if said.get(field) in (None, "")]
    if missing:
        raise ValueError(f"{', '.join(missing)} missing")
    fields = {field: said[field] for field in _FIELDS}
    if isinstance(fields["id"], int):
        fields["id"] = str(fields["id"])
    wrong = [field for field, value in fields.items() if not isinstance(value, str)]
    if wrong:
        raise ValueError(f"{', '.join(wrong)} must be text")
    if not fields["text"].strip():
        raise ValueError("text is blank")
    return NewTurn(
        session_id=f"{source}/{fields['session']}",
        channel="import",
        chat_id=source,
        speaker=fields["speaker"],
        text=fields["text"],
        at=_moment(fields["at"]),
        source=source,
        import_id=fields["id"],
    )


def _moment(text: str) -> datetime:
    try:
        return parse(text)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"at is no ISO-8601 time: {text[:40]!r}") from error
