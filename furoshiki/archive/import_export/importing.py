"""Import of conversations. Repeatable: a message is never imported twice, whatever its file's name.

The format is detected by content (`formats/` has one module each): Telegram Desktop's result.json,
ChatGPT's and Claude's conversations.json, JSON Lines, and our own export; also in a folder or ZIP
archive. Files are read in pieces and stored in short transactions, so an interrupted import is
simply repeated. An unusable record is reported with place and reason, and skipped. Forgotten
messages (with a tombstone) do not come back.

In plain JSON Lines ids are unique within a file, and an import is named by its file
("conv-26.jsonl" and "conv-30.jsonl" may both have a "D1:1"); a line with the same id, time, speaker
and text as a stored one is the same turn, even from another file. The other formats' ids are
permanently unique.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from furoshiki.archive.import_export.formats import lines, values
from furoshiki.archive.import_export.reimporting import Restoring
from furoshiki.archive.import_export.store import imports
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import ROOT
from furoshiki.core.process.crash_points import point
from furoshiki.language import testimony
from furoshiki.language.testimony import Passage, Told, build_typed
from furoshiki.memory.perception import authorship
from furoshiki.messages.values import USER, NewTurn
from furoshiki.recall.retrieval.store.full_text import IMPORT

if TYPE_CHECKING:
    from furoshiki.archive.import_export.formats.opening import Counted, Part

BATCH = 500  # records in a transaction: a compromise between speed and waiting times of messages
MOST_BAD = 1000  # maximum number of unusable records listed; further ones are only counted

Format = Literal["telegram", "chatgpt", "claude", "jsonl"]

# called with the number of records read, and the share of the file (0 to 1; None: unknown)
Progress = Callable[[int, float | None], None]


class NotImportable(FuroshikiError):
    """The file is no export we know, or holds nobody of the name that was given."""

    exit_code = 2


@dataclass(frozen=True)
class Imported:
    """Results of an import.

    `added`, `known` before, `bad`; `edited`: known ones with a newer wording; `forgotten`: excluded
    by a tombstone; `passed_over`: other records, by kind. `restored` counts further data from our
    own export, `left_out` its records that are not restored, by kind. `owner` is the person whose
    messages became the user's.
    """

    source: str
    format: Format
    owner: values.Owner | None = None
    added: int = 0
    known: int = 0
    edited: int = 0
    forgotten: int = 0
    bad: tuple[values.Bad, ...] = ()
    bad_count: int = 0
    passed_over: Mapping[str, int] = field(default_factory=dict)
    restored: Mapping[str, int] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Wish:
    """How to read a file: `format` None: detect it; `me` None: find the owner if possible."""

    format: Format | None = None
    me: str | None = None
    gap: timedelta = values.SESSION_GAP
    zone: tzinfo = UTC


AS_IT_IS = Wish()


def import_file(database: Database, path: Path, on_progress: Progress | None = None, wish: Wish = AS_IT_IS) -> Imported:
    """Import a file. Raises OSError, NotImportable and StorageUnavailable.

    Data imported before an error stays; a repetition continues. Afterwards call memoryd's `nudge`
    to index the new rows.
    """
    from furoshiki.archive.import_export.formats import opening

    try:
        parts = opening.parts_of(path)
        format_ = opening.format_of(parts[0]) if wish.format is None else opening.check_format(parts[0], wish.format)
        owner = _owner(parts, format_, wish.me)
    except ValueError as error:
        raise NotImportable(f"{path}: {error}") from error
    name = path.name.partition(".jsonl")[0]
    taking = _Taking(database, IMPORT + (name if format_ == "jsonl" else format_), format_, owner)
    for part in parts:
        with part.open() as file:
            taking.file(opening.Counted(file, part.size), wish, on_progress)
    return taking.done()


def _owner(parts: Iterable[Part], format_: Format, me: str | None) -> values.Owner | None:
    """Return the person whose messages are the user's. Raises ValueError for an unknown name."""
    if format_ == "telegram":
        from furoshiki.archive.import_export.formats import telegram

        owner = None
        for part in parts:
            with part.open() as file:
                owner = owner or telegram.owner_of(file, me)
        return owner
    if format_ == "jsonl":
        return None if me is None else values.Owner(me, me, "you said so")
    if me is not None:
        raise ValueError(f"the owner of a {format_} export is known by itself: leave --me out")
    return values.Owner("user", "you", "the export is of their own account")


class _Taking:
    """A running import: its target and its results so far."""

    def __init__(self, database: Database, source: str, format_: Format, owner: values.Owner | None) -> None:
        self._database = database
        self._source = source
        self._format = format_
        self._owner = owner
        self._count: Counter[str] = Counter()
        self._passed: Counter[str] = Counter()
        self._bad: list[values.Bad] = []
        self._read = 0
        self._usual: dict[str, deque[tuple[datetime, str]]] = {}
        self._restoring = Restoring()
        with database.read() as db:
            self._others = [other for other in imports.sources(db) if other != source]

    def file(self, file: Counted, wish: Wish, on_progress: Progress | None) -> None:
        if self._format == "jsonl":
            self.records(self.from_lines(file), on_progress, file)
            return
        from furoshiki.archive.import_export.formats import chatgpt, claude, telegram

        reader = {"telegram": telegram.read, "chatgpt": chatgpt.read, "claude": claude.read}[self._format]
        reading = values.Reading(self._owner, wish.gap, wish.zone)
        actions = (
            partial(self._add, found) if isinstance(found, values.ImportedMessage) else found
            for found in reader(file, reading)
        )
        self.records(actions, on_progress, file)

    def from_lines(self, from_lines: Iterable[bytes]) -> Iterator[Callable[[sqlite3.Connection], str] | values.Bad]:
        """Yield the action for each line."""
        for found in lines.records(from_lines):
            if isinstance(found, values.Bad):
                yield found
                continue
            place, record = found
            if "record" in record:
                yield partial(self._restore, place, record)
                continue
            try:
                yield partial(self._add, lines.parse_message(record, self._source, self._owner))
            except ValueError as error:
                yield values.Bad(place, str(error))

    def records(
        self,
        wanted: Iterator[Callable[[sqlite3.Connection], str] | values.Bad | values.SkippedKind],
        on_progress: Progress | None,
        file: Counted | None,
    ) -> None:
        """Execute actions in short transactions and report progress."""
        while batch := list(islice(wanted, BATCH)):
            outcome: Counter[str] = Counter()
            with self._database.write() as db:
                for one in batch:
                    if callable(one):
                        outcome[self._each_by_itself(db, one)] += 1
                self._restoring.settle(db)
            point("import.batch")
            self._count += outcome
            self._read += len(batch)
            for one in batch:
                if isinstance(one, values.Bad):
                    self._note(one)
                elif isinstance(one, values.SkippedKind):
                    self._passed[one.what] += 1
            if on_progress is not None:
                on_progress(self._read, None if file is None else file.share)

    def _each_by_itself(self, db: sqlite3.Connection, record: Callable[[sqlite3.Connection], str]) -> str:
        """Execute one record's action in a savepoint; a bad value costs only this record."""
        try:
            with imports.whole_or_not_at_all(db):
                return record(db)
        except (*values.NOT_UNDERSTOOD, sqlite3.IntegrityError) as error:
            self._note(values.Bad(f"record {self._read + 1} or soon after", values.wrong_form(error)))
            return "not used"

    def done(self) -> Imported:
        return Imported(
            self._source,
            self._format,
            self._owner,
            added=self._count["added"],
            known=self._count["known"],
            edited=self._count["edited"],
            forgotten=self._count["forgotten"],
            bad=tuple(self._bad),
            bad_count=self._count["bad"],
            passed_over=dict(self._passed),
            restored=self._read_counts("restored "),
            left_out=self._read_counts("left out "),
        )

    def _read_counts(self, begin: str) -> dict[str, int]:
        """Return the counts with this prefix, without the prefix."""
        return {name.removeprefix(begin): count for name, count in self._count.items() if name.startswith(begin)}

    def _add(self, said: values.ImportedMessage, db: sqlite3.Connection) -> str:
        turn = NewTurn(
            session_id=f"{self._source}/{said.session}",
            channel="import",
            chat_id=said.chat if self._format == "jsonl" else f"{self._source}/{said.chat}",
            speaker=said.speaker,
            text=said.text,
            at=said.at,
            reply_to=None if said.reply_to is None else imports.id_of(db, self._source, said.reply_to),
            source=self._source,
            import_id=said.id,
            foreign=self._foreign(said),
        )
        if imports.was_forgotten(db, turn):
            return "forgotten"
        if imports.add(db, turn, self._others if self._format == "jsonl" else ()) is not None:
            return "added"
        if said.edited is not None and imports.edit(db, turn, said.edited) is not None:
            return "edited"
        return "known"

    def _foreign(self, said: values.ImportedMessage) -> tuple[Passage, ...]:
        """Return the passages of an imported message that its sender did not write.
        The owner's text is judged by their earlier messages in the chat, as for live messages;
        passages marked by the export stay."""
        if said.speaker != USER or Told(said.text, said.foreign) != build_typed(said.text):
            return said.foreign
        earlier = self._usual.setdefault(said.chat, deque(maxlen=authorship.LINES_READ))
        before = earlier[-1][1] if earlier and said.at - earlier[-1][0] < authorship.JUST_BEFORE else ""
        name = self._owner.name if self._owner and self._format in ("telegram", "jsonl") else ""
        around = authorship.Around(name, before, [text for _, text in earlier])
        found = authorship.read(said.text, (), around, authorship.head(ROOT / "config"))
        own = testimony.own(found.text, found.foreign)
        if own and not testimony.doubt([found.foreign]):
            earlier.append((said.at, own))
        return found.foreign

    def _restore(self, place: str, record: Mapping[str, Any], db: sqlite3.Connection) -> str:
        try:
            return self._restoring.restore(db, record)
        except ValueError as error:
            self._note(values.Bad(place, str(error)))
            return "not used"

    def _note(self, bad: values.Bad) -> None:
        self._count["bad"] += 1
        if len(self._bad) < MOST_BAD:
            self._bad.append(bad)
