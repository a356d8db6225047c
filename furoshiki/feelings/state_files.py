"""The two JSON files shared by processes: heartbeat-state.json and session-context.json.

A change is a function from state to state, applied under a lock, so that processes do not lose each
other's updates. A damaged file is set aside and rebuilt from the database; it never stops a reply.
Keys of newer releases are preserved.
"""

import contextlib
import json
import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from furoshiki.core import atomic_files
from furoshiki.core.config_table import overlaid
from furoshiki.core.database.rows import moment
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.timestamps import parse, stamp
from furoshiki.feelings.rules.emotions import NAMES, Emotions
from furoshiki.feelings.rules.mood import WORDS, Mood
from furoshiki.feelings.rules.needs import NEEDS, Mark
from furoshiki.feelings.rules.user_needs import DIMENSIONS, UserNeed

T = TypeVar("T")

log = logging.getLogger(__name__)

SCHEMA = 1

_STAMP = "%Y%m%dT%H%M%S%f"  # the time in the name of a damaged file that was set aside


@dataclass(frozen=True)
class Heartbeat:
    """The companion's state at `felt_at`. `needs` is for readers; it is recomputed and never
    trusted.

    `last_event_id` is the newest row of system_events that was applied; `last_message_id` the
    newest inbox row, and `heard` the newest of each lane (see `feelings.heartbeat.lane`), because
    lanes do not wait for each other. `extra` holds unknown keys of a newer release.
    """

    emotions: Emotions
    felt_at: datetime
    mood: Mood
    needs: Mapping[str, float]
    need_marks: Mapping[str, Mark]
    user_needs: Mapping[str, UserNeed]
    last_event_id: int = 0
    last_message_id: int = 0
    heard: Mapping[str, int] = field(default_factory=dict)
    last_tick_at: datetime | None = None
    last_message_at: datetime | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class StateFiles:
    """The files of one data directory. `rebuild` creates a heartbeat from the database."""

    folder: Path
    rebuild: Callable[[], Heartbeat]
    now: Callable[[], datetime]
    # a cache of the last heartbeat, by its file's text: a tick reads it four times
    _understood: dict[str, Heartbeat] = field(default_factory=dict, compare=False, repr=False)
    # the change that is being written in the background
    _writing: list[Future[Heartbeat]] = field(default_factory=list, compare=False, repr=False)

    @property
    def heartbeat_path(self) -> Path:
        """`memory/heartbeat-state.json`."""
        return self.folder / "heartbeat-state.json"

    @property
    def context_path(self) -> Path:
        """`memory/session-context.json`."""
        return self.folder / "session-context.json"

    def heartbeat(self) -> Heartbeat:
        """Return the newest heartbeat; rebuilt if missing or damaged, even without writing."""
        for one in list(self._writing):
            one.exception()
        with contextlib.suppress(_Damaged):
            found = _read(self.heartbeat_path, self._heartbeat_in)
            if found is not None:
                return found
        try:
            return self.change(lambda heartbeat: heartbeat)
        except StorageUnavailable:
            return self.rebuild()

    def change(self, step: Callable[[Heartbeat], Heartbeat]) -> Heartbeat:
        """Apply one step under the lock, write and return the result. Raises StorageUnavailable."""
        with _explain_write_errors(self.heartbeat_path), atomic_files.locked(self.folder / ".heartbeat.lock"):
            before = self._good(self.heartbeat_path, self._heartbeat_in) or self.rebuild()
            after = step(before)
            if after is not before or not self.heartbeat_path.exists():
                atomic_files.write_text(self.heartbeat_path, _json(heartbeat_to(after)))
            return after

    def change_beside(self, step: Callable[[Heartbeat], Heartbeat]) -> Heartbeat:
        """Do the same, returning before it is on disk (10 ms and more); see `written`."""
        known, writing = Future[Heartbeat](), Future[Heartbeat]()

        def apply(before: Heartbeat) -> Heartbeat:
            known.set_result(step(before))
            return known.result()

        def work() -> None:
            try:
                writing.set_result(self.change(apply))
            except Exception as error:  # outermost handler of a thread: both waiters get the error
                writing.set_exception(error)
                if not known.done():
                    known.set_exception(error)

        self.written()
        self._writing.append(writing)
        threading.Thread(target=work, name="heartbeat").start()
        return known.result()

    def written(self) -> None:
        """Wait until the changes of `change_beside` are on disk. Raises StorageUnavailable."""
        while self._writing:
            self._writing.pop().result()

    def context(self) -> Mapping[str, Any]:
        """Return the context prepared by the last refresh; empty before the first or if damaged."""
        with contextlib.suppress(_Damaged):
            return _read(self.context_path, _context_from) or {}
        with contextlib.suppress(StorageUnavailable), _explain_write_errors(self.context_path), self._context_lock():
            return self._good(self.context_path, _context_from) or {}
        return {}

    def write_context(self, context: Mapping[str, Any]) -> None:
        """Replace the prepared context. Raises StorageUnavailable."""
        with _explain_write_errors(self.context_path), self._context_lock():
            atomic_files.write_text(self.context_path, _json({"schema": SCHEMA, **context}))

    def set_aside(self, since: datetime) -> list[Path]:
        """Return damaged files that were set aside after a time."""
        return [
            path
            for own in (self.heartbeat_path, self.context_path)
            for path in sorted(self.folder.glob(f"{own.name}.corrupt-*"))
            if path.name.rpartition("-")[2] > since.strftime(_STAMP)
        ]

    def _context_lock(self) -> contextlib.AbstractContextManager[bool]:
        return atomic_files.locked(self.folder / ".context.lock")

    def _heartbeat_in(self, text: str) -> Heartbeat:
        """Parse a heartbeat, with a cache of the last text."""
        heartbeat = self._understood.get(text)
        if heartbeat is None:
            heartbeat = heartbeat_from(_object(text), self.rebuild)
            self._understood.clear()
            self._understood[text] = heartbeat
        return heartbeat

    def _good(self, path: Path, reader: Callable[[str], T]) -> T | None:
        """Return the file's value; None if it is missing or damaged. A damaged file is renamed.

        Call it only under the file's lock, or a late reader could set aside another process's
        repair.
        """
        try:
            return _read(path, reader)
        except _Damaged:
            path.rename(path.with_name(f"{path.name}.corrupt-{self.now().strftime(_STAMP)}"))
            log.warning("%s was damaged and is set aside: it is made again from the database", path.name)
            return None


def heartbeat_to(beat: Heartbeat) -> dict[str, Any]:
    """Return the heartbeat in its file format, with unknown keys of a newer release."""
    parsed = {
        "schema": SCHEMA,
        "emotions": {name: round(value, 6) for name, value in beat.emotions.as_mapping().items()},
        "felt_at": stamp(beat.felt_at),
        "mood": beat.mood.word,
        "mood_since": stamp(beat.mood.since),
        "needs": {name: round(value, 6) for name, value in beat.needs.items()},
        "need_marks": dict(beat.need_marks),
        "user_needs": {
            name: {
                "level": round(need.level, 6),
                "confidence": round(need.confidence, 6),
                "last_updated": stamp(need.updated),
                "evidence": list(need.evidence),
            }
            for name, need in beat.user_needs.items()
        },
        "last_event_id": beat.last_event_id,
        "last_message_id": beat.last_message_id,
        "heard": dict(beat.heard),
        "last_tick_at": stamp(beat.last_tick_at),
        "last_message_at": stamp(beat.last_message_at),
    }
    return overlaid(parsed, beat.extra)


def heartbeat_from(parsed: Mapping[str, Any], rebuild: Callable[[], Heartbeat]) -> Heartbeat:
    """Read a heartbeat. Raises ValueError, KeyError or TypeError for invalid data.

    Missing keys that were added after the first release have defaults. Missing emotions or needs,
    and an unknown mood, are taken from `rebuild`.
    """
    schema = _whole(parsed.get("schema", 0))
    felt, human = parsed["emotions"], parsed["user_needs"]
    needs, marks = parsed.get("needs", {}), parsed.get("need_marks", {})
    whole = parsed["mood"] in WORDS and felt.keys() >= set(NAMES) and human.keys() >= set(DIMENSIONS)
    rest = None if whole else rebuild()
    rested = rest.emotions.as_mapping() if rest else {}
    beat = Heartbeat(
        emotions=Emotions.from_mapping(rested | {name: felt[name] for name in NAMES if name in felt}),
        felt_at=parse(parsed["felt_at"]),
        mood=rest.mood if rest and parsed["mood"] not in WORDS else Mood(parsed["mood"], parse(parsed["mood_since"])),
        needs={name: _share(needs[name]) for name in NEEDS if name in needs},
        need_marks={name: marks[name] for name in NEEDS if marks.get(name) in ("calm", "amber", "rose")},
        user_needs={
            name: _parse_user_need(human[name]) if rest is None or name in human else rest.user_needs[name]
            for name in DIMENSIONS
        },
        last_event_id=_whole(parsed.get("last_event_id", 0)),
        last_message_id=_whole(parsed.get("last_message_id", 0)),
        heard={str(lane): _whole(row) for lane, row in parsed.get("heard", {}).items()},
        last_tick_at=moment(parsed.get("last_tick_at")),
        last_message_at=moment(parsed.get("last_message_at")),
    )
    extra = _beyond(parsed, heartbeat_to(beat))
    return replace(beat, extra=extra | {"schema": schema} if schema > SCHEMA else extra)


class _Damaged(Exception):
    """A file is there and does not hold what it should."""


def _beyond(found: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of `found` that `known` lacks, at any depth."""
    more: dict[str, Any] = {}
    for key, value in found.items():
        if key not in known:
            more[key] = value
        elif isinstance(value, dict) and isinstance(known[key], dict) and (below := _beyond(value, known[key])):
            more[key] = below
    return more


def _parse_user_need(parsed: Mapping[str, Any]) -> UserNeed:
    return UserNeed(
        level=_share(parsed["level"]),
        confidence=_share(parsed["confidence"]),
        updated=parse(parsed["last_updated"]),
        evidence=tuple(_whole(turn) for turn in parsed["evidence"]),
    )


def _share(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= 1.0:
        raise ValueError(f"must lie between 0 and 1, not {value!r}")
    return float(value)


def _whole(value: object) -> int:
    """Check a whole number that the database can hold as an id."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63:
        raise ValueError(f"must be a whole number, not {value!r}")
    return value


def _context_from(text: str) -> Mapping[str, Any]:
    """Parse the context. Raises ValueError, KeyError or TypeError if its structure is wrong."""
    parsed = _object(text)
    _whole(parsed["schema"])
    for line in _kind(parsed.get("sessions", []), list):
        _kind(line, str)
    for near in _kind(parsed.get("related", []), list):
        _kind(_kind(near, dict)["about"], str)
        _kind(near["text"], str)
    for theme in _kind(parsed.get("rising", []), list):
        _kind(theme, str)
    for titles in _kind(parsed.get("tasks", {}), dict).values():
        for title in _kind(titles, list):
            _kind(title, str)
    _kind(parsed.get("thought", ""), str)
    return parsed


def _kind(value: Any, kind: type[T]) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"must be a {kind.__name__}, not {value!r:.100}")
    return value


def _object(text: str) -> Mapping[str, Any]:
    parsed = json.loads(text)
    if not isinstance(parsed, dict):
        raise ValueError("not a JSON object")
    return parsed


def _read(path: Path, reader: Callable[[str], T]) -> T | None:
    """Return the file's value; None if it is missing. Raises _Damaged."""
    try:
        return reader(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise _Damaged from error


@contextlib.contextmanager
def _explain_write_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageUnavailable(
            f"{path} cannot be written ({error.strerror}): free some space, and check that the folder is yours"
        ) from error


def _json(value: Mapping[str, Any]) -> str:
    text = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    return text.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate must not stop a write
